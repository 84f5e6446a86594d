//! The loop: observe, evaluate, read what the step asks for, do it, record. The queue decides how often the
//! same node comes around.

use std::path::Path;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::{Outcome, Progress, ReadReceipts, RouteInput, State};

use crate::letters::graphs::batch::{Entry, Step};
use crate::office::{Letter, Office};
use crate::reading::{Reading, Task};
use crate::{Result, letters};

/// More steps than any batch of this example takes.
const MOST_STEPS: u32 = 50;

/// Plays a batch in a folder, from where it stands there.
pub(crate) fn run(folder: &Path) -> Result<()> {
    // Routes name absolute paths, so the files have to be somewhere. A workflow that is not the same gets
    // another folder: nothing is ever overwritten.
    let digest = letters::PROVIDER.digest().to_string();
    let workflow = folder.join("workflow").join(digest.replace(':', "-"));
    let installed = letters::EMBEDDED.extract(workflow)?;
    let office = Office::open(folder)?;
    let workspace = std::path::absolute(folder)?;
    let mut receipts = ReadReceipts::new(installed.provider());
    let mut state = State::new();
    for number in 1..=MOST_STEPS {
        state.set_facts(office.observe()?);
        let evaluation = Entry::Default.evaluate(&state);
        let candidate = match evaluation.progress() {
            Progress::Actionable(candidate) => candidate,
            Progress::Complete(outcome) => {
                println!("Done: the batch is {outcome}.");
                return Ok(());
            }
            _ => return Err(format!("the batch stands still: {}", evaluation.status()).into()),
        };
        println!("{number}. {}", candidate.label());
        let letter = office.next()?;
        let input = RouteInput::new().in_workspace(&workspace)?;
        let input = match &letter {
            // One resource of the workflow serves every letter: the host says which one it is about.
            Some(Letter { name }) => {
                let task = Task {
                    letter: name.clone(),
                };
                input.with_host_input("brief", Value::from_serialize(&task)?)?
            }
            None => input,
        };
        let reading = Reading {
            installed: &installed,
            office: &office,
            candidate: &candidate,
            input,
        };
        reading.read(&mut receipts)?;
        let outcome = match candidate.step() {
            Step::Answer => {
                let letter = letter.ok_or("there is no letter to answer")?;
                office.answer(&letter)?;
                println!("   answered {}", letter.name);
                // Part of the batch is done; whether all of it is, the next look at the queue says.
                Outcome::Partial
            }
            Step::Send => {
                office.send()?;
                Outcome::Completed
            }
        };
        state.record(&candidate, outcome);
    }
    Err("the batch did not end".into())
}
