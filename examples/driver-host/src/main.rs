//! The driver keeps the loop: it hands out work, takes outcomes, and says why it stops. It does nothing by
//! itself, so the same session fits threads, futures and engines that resume.

use agent_graph_runtime::driver::{Session, Stop, Task, drive};
use agent_graph_runtime::{Error, Outcome, State};

agent_graph_macros::include_provider! {
    pub mod bakery = "../macro-host/workflow/provider.yaml";
}
use bakery::Handler;
use bakery::graphs::bread::Graph;

fn main() -> Result<(), Error> {
    let mut session =
        Session::<Graph, Handler>::typed(bakery::PROVIDER, "default")?.with_step_limit(10);
    let mut state = State::new();
    let stop = drive(
        &mut session,
        &mut state,
        |work, _| -> Result<Outcome, Error> {
            if let Task::Run(run) = work.task() {
                println!("{} for {}", run.action, work.key());
            }
            Ok(Outcome::Completed)
        },
    )?;
    match stop {
        Stop::Complete(outcome) => println!("{outcome}"),
        other => println!("{:?}", other.reason()),
    }
    Ok(())
}

#[test]
fn the_bread_is_sold() -> Result<(), Error> {
    main()
}
