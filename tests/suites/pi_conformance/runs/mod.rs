//! Whole runs, with resumes: what the machine does, superstep by superstep, against what is recorded.
//!
//! Compared are the end of every call (status, error, interrupt, usage, state, result), every superstep that
//! it commits, the history, threads, the superstep in flight, how often it is to be saved, its waits, the
//! codes of failed attempts, its events and the signals to its processes. The order of entries of the history
//! within one superstep is not: ours is the order in which nodes settle, since what has settled is saved.

mod report;
mod script;
mod world;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::run::{Resume, Run};
use agent_graph_runtime::pi::{self, Graph};

use crate::cases::{Case, Verdict};
use crate::{forms, quirks};
use world::{AbortOn, World};

/// The id that runs have in the vectors.
const RUN_ID: &str = "00000000-0000-4000-8000-000000000001";

pub(crate) fn run(case: &Case<'_>) -> Verdict {
    match differences(case) {
        Err(problem) => Verdict::Failed(problem),
        Ok(differences) => {
            let reason = quirks::of_run(&case.tags);
            match (differences.as_slice(), reason) {
                ([], _) if reference_raises(case) => Verdict::OnPurpose(quirks::OWN_VALIDATOR),
                ([], _) => Verdict::Passed,
                (found, Some((reason, members))) if only(found, members) => {
                    Verdict::OnPurpose(reason)
                }
                (found, _) => Verdict::Failed(report::listed(found)),
            }
        }
    }
}

/// Whether these members differ and no others.
fn only(found: &[Difference], members: &[&str]) -> bool {
    found
        .iter()
        .map(|(name, _)| name.as_str())
        .eq(members.iter().copied())
}

/// Whether the reference raises in this case, because it refuses a snapshot of its own.
fn reference_raises(case: &Case<'_>) -> bool {
    let calls = case.get("expect").and_then(Value::as_array).unwrap_or(&[]);
    calls.iter().any(raises_by_validator)
}

fn raises_by_validator(call: &Value) -> bool {
    let throws = call
        .as_object()
        .and_then(|call| call.get("throws")?.as_str());
    throws.is_some_and(|label| label.starts_with("CHECKPOINT_INVALID"))
}

/// What differs: its name, and how.
pub(crate) type Difference = (String, String);

fn differences(case: &Case<'_>) -> Result<Vec<Difference>, String> {
    let agents = case.object("agents");
    let answers = case.get("ui").and_then(Value::as_object).cloned();
    let mut world = World::new(&agents, answers);
    let none = Vec::new();
    let list = |name: &str| case.get(name).and_then(Value::as_array).unwrap_or(&none);
    let first_graph = case.get("graph").ok_or("there is no graph")?;
    let mut differences = Vec::new();
    for (number, (call, expected)) in list("calls").iter().zip(list("expect")).enumerate() {
        let call = call.as_object().ok_or("a call is no object")?;
        let raises = raises_by_validator(expected);
        let mut expected = expected.as_object().ok_or("nothing is expected")?;
        // Where the reference raises because its own snapshot is refused, it tells what it does without
        // checkpoints. We do that with them.
        if raises {
            if number > 0 {
                break;
            }
            let without = list("expectWithoutCheckpoint").first();
            expected = without
                .and_then(Value::as_object)
                .ok_or("nothing is expected")?;
        }
        let graph = compiled(call.get("graph").unwrap_or(first_graph))?;
        let mut run = match begin(case, &mut world, call, &graph)? {
            Ok(run) => run,
            Err(label) => {
                report::same(
                    &mut differences,
                    number,
                    "throws",
                    &label.into(),
                    expected.get("throws"),
                );
                continue;
            }
        };
        let stores = call.get("checkpoint") != Some(&Value::Bool(false));
        let abort = call.get("abort").and_then(Value::as_object).map(abort_on);
        let (status, seen) = world.drive(&mut run, abort.as_ref(), stores);
        report::call(&mut differences, number, expected, &run, status, &seen);
    }
    Ok(differences)
}

fn compiled(graph: &Value) -> Result<Graph, String> {
    let text = serde_json::to_string(graph).map_err(|error| error.to_string())?;
    let loaded = pi::parse("graph.json".into(), text.as_bytes());
    let loaded = loaded.map_err(|findings| findings.to_string())?;
    forms::compiled_in(&loaded.graph())
}

/// The run of a call, or the label of why there is none.
fn begin(
    case: &Case<'_>,
    world: &mut World<'_>,
    call: &Object,
    graph: &Graph,
) -> Result<Result<Run, &'static str>, String> {
    if call.get("op").and_then(Value::as_str) == Some("run") {
        let input = case.object("input");
        let run = Run::start(graph, RUN_ID, input, world.now());
        return run.map(Ok).map_err(|error| error.to_string());
    }
    if call.get("runId").is_some() {
        return Ok(Err("CHECKPOINT_NOT_FOUND"));
    }
    let snapshot = world.stored.clone().ok_or("nothing is stored")?;
    let resume = Resume {
        value: call.get("value").cloned(),
        force: call.get("force") == Some(&Value::Bool(true)),
        started_with: None,
    };
    Ok(Run::resume(graph, snapshot, resume, world.now()).map_err(|error| error.as_str()))
}

fn abort_on(abort: &Object) -> AbortOn {
    let text = |name: &str| abort.get(name).and_then(Value::as_str).map(String::from);
    let occurrence = abort.get("occurrence").and_then(Value::as_number);
    AbortOn {
        event: text("onEvent").unwrap_or_default(),
        node: text("nodeId"),
        occurrence: occurrence.map_or(1, |number| number as usize),
    }
}
