//! A host that ships a review loop of agents in its binary: a draft, three reviewers at once, and refinement
//! until their scores pass and a person approves.
//!
//! `cargo run -p review-loop` plays it from a script, without a model. `cargo run -p review-loop -- --pi
//! [task]` asks the `pi` that is installed, which costs what its model costs.

mod people;
mod script;
mod show;

use std::error::Error;
use std::process::ExitCode;
use std::time::SystemTime;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::executor::Executor;
use agent_graph_runtime::pi::run::{Question, Run, RunStatus};
use agent_graph_runtime::pi::runner::Runner;

agent_graph_macros::include_pi_graph! {
    /// The review loop, checked while this program is compiled.
    pub mod review = "graphs/review.json";
}

/// What the text is about where nobody says.
const TASK: &str = "why doors have handles on both sides";

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let asks_pi = arguments.first().is_some_and(|first| first == "--pi");
    if asks_pi {
        arguments.remove(0);
    }
    let task = match arguments.is_empty() {
        true => TASK.into(),
        false => arguments.join(" "),
    };
    let done = if asks_pi {
        with_pi(&task)
    } else {
        scripted(&task)
    };
    match done {
        Ok(RunStatus::Completed) => ExitCode::SUCCESS,
        Ok(status) => {
            eprintln!("review-loop: the run is {status}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("review-loop: {error}");
            ExitCode::FAILURE
        }
    }
}

fn scripted(task: &str) -> Result<RunStatus, Box<dyn Error + Send + Sync>> {
    println!("From a script; `-- --pi` asks the `pi` that is installed.\n");
    let run = play(&script::executor(), task, people::ask_or_agree)?;
    Ok(run.status())
}

#[cfg(unix)]
fn with_pi(task: &str) -> Result<RunStatus, Box<dyn Error + Send + Sync>> {
    use agent_graph_runtime::pi::process::PiProcess;

    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&paths).map(|folder| folder.join("pi"));
    let Some(pi) = places.find(|place| place.is_file()) else {
        return Err("there is no `pi` on the search path".into());
    };
    println!("With {}.\n", pi.display());
    let executor = PiProcess::new(".")?.program(pi);
    let run = play(&executor, task, people::ask)?;
    Ok(run.status())
}

#[cfg(not(unix))]
fn with_pi(_: &str) -> Result<RunStatus, Box<dyn Error + Send + Sync>> {
    Err("`pi` is run on Unix only".into())
}

/// Plays one run to its end, or to the point where it waits for somebody.
fn play(
    executor: &dyn Executor,
    task: &str,
    ask: fn(&Question) -> Option<Value>,
) -> Result<Run, Box<dyn Error + Send + Sync>> {
    let input: Object = [("task", task)].into_iter().collect();
    let now = SystemTime::now().into();
    let mut run = Run::start(&review::GRAPH, "review-1", input, now)?;
    Runner::new(executor)
        .asking(ask)
        .observing(show::event)
        .drive(&mut run)?;
    show::end(&run);
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Node;

    #[test]
    fn the_scripted_loop_is_refined_until_the_scores_pass() {
        let executor = script::executor();
        let run = play(&executor, TASK, |_| Some(true.into())).unwrap();
        assert_eq!(run.status(), RunStatus::Completed);
        assert_eq!(run.state().get("rounds"), Some(&Value::Number(3.0)));
        let calls = executor.calls();
        let count = |node: Node| {
            let name = node.as_str();
            calls.iter().filter(|call| call.node == name).count()
        };
        assert_eq!((count(Node::Draft), count(Node::Refine)), (1, 2));
        assert_eq!((count(Node::ReviewFacts), count(Node::ReviewStyle)), (3, 3));
        let refined = calls.iter().find(|call| call.node == Node::Refine.as_str());
        assert!(refined.unwrap().prompt.contains(script::FIRST_ADVICE));
    }
}
