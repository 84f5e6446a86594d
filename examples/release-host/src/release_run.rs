//! The loop: observe, evaluate, take the step, record. The match on the steps is exhaustive: a node that is
//! added to the workflow does not compile until this file says what to do about it.

use agent_graph_runtime::{Candidate, Evaluation, Outcome, Progress, State, terminal};

use crate::release::graphs::quality::Step as Quality;
use crate::release::graphs::release::{Entry, Graph, Step};
use crate::workshop::Workshop;

/// More steps than any release of this workflow takes.
const MOST_STEPS: u32 = 50;

/// What running the example can end with.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Plays a release with the compiled-in workflow.
pub(crate) fn compiled_in() -> Result<()> {
    run(|state| Ok(Entry::Default.evaluate(state)))
}

/// Plays a release; `evaluate` answers what comes next.
pub(crate) fn run(evaluate: impl Fn(&State) -> Result<Evaluation<Graph>>) -> Result<()> {
    let workshop = Workshop::open()?;
    println!("Releasing in {}", workshop.folder().display());
    let mut state = State::new();
    for number in 1..=MOST_STEPS {
        state.set_facts(workshop.observe()?);
        let evaluation = evaluate(&state)?;
        match evaluation.progress() {
            Progress::Actionable(route) => {
                announce(number, &route);
                let (outcome, note) = take(route.step(), &workshop)?;
                println!("    did: {note}");
                state.record(&route, outcome);
            }
            Progress::WaitingUser(route) => {
                announce(number, &route);
                // A real host asks a person. Here the person trusts the session with such decisions, and
                // the next evaluation offers the same gate to the session.
                println!("    a person lets the session decide (authority release.approve)");
                state.set_authorities(["release.approve"]);
            }
            Progress::Complete(outcome) => {
                println!("Done: the release is {outcome}.");
                return Ok(());
            }
            Progress::Blocked | Progress::Error => {
                let reasons: Vec<String> = evaluation.diagnostics().map(|d| d.message).collect();
                return Err(format!("the release is stuck: {}", reasons.join("; ")).into());
            }
        }
    }
    Err("the release did not end".into())
}

fn announce(number: u32, route: &Candidate<'_, Graph>) {
    println!("{number:>2}. {}", printable(route.label()));
    let why = route.hint().unwrap_or(route.reason_code());
    println!("    why: {}", printable(why));
}

/// The text on one line, harmless on a terminal.
pub(crate) fn printable(text: &str) -> String {
    terminal::line(text.trim_end()).into_owned()
}

/// Takes one step for real.
fn take(step: Step, workshop: &Workshop) -> Result<(Outcome, &'static str)> {
    let note = match step {
        Step::Notes => workshop.write_notes()?,
        Step::Quality(Quality::Start) => "looked at the notes",
        Step::Quality(Quality::Wording) => workshop.edit_notes()?,
        Step::Quality(Quality::Links) if workshop.check_links() => "every link is one",
        Step::Quality(Quality::Links) => return Ok((Outcome::Failed, "the notes link nowhere")),
        Step::Package => workshop.package()?,
        Step::Approval => workshop.approve()?,
        Step::Publish => workshop.publish()?,
    };
    Ok((Outcome::Completed, note))
}
