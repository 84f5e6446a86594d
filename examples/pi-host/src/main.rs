//! A pi-graph compiled in, and driven to its end. The agent answers from a script here; with the feature
//! `pi-process` of the runtime, `pi::process::PiProcess` takes its place.

use std::error::Error;
use std::time::SystemTime;

use agent_graph_runtime::json::Object;
use agent_graph_runtime::pi::executor::Scripted;
use agent_graph_runtime::pi::run::Run;
use agent_graph_runtime::pi::runner::Runner;

agent_graph_macros::include_pi_graph! {
    pub mod letter = "graphs/letter.json";
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let agent = Scripted::new().says("draft", "The tide comes in twice a day.");
    let input: Object = [("topic", "tides")].into_iter().collect();
    let mut run = Run::start(&letter::GRAPH, "run-1", input, SystemTime::now().into())?;
    let status = Runner::new(&agent)
        .asking(|question| {
            println!("{}", question.interrupt.prompt);
            Some(true.into())
        })
        .drive(&mut run)?;
    println!("{status}");
    Ok(())
}

#[test]
fn the_letter_is_written() -> Result<(), Box<dyn Error + Send + Sync>> {
    main()
}
