//! What is said about a run, for programs and for people: where it is, what it used, what it answers with, what it
//! waits for. Knows snapshots, nothing about how a run is driven.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::Graph;
use agent_graph_runtime::pi::run::{Resume, Run, RunError, Snapshot};
use agent_graph_runtime::{Timestamp, pi};

use super::live::board::dollars;
use crate::cli::answer::{Answer, Lines, object};

/// How many paths of the state are listed.
const LISTED: usize = 20;
/// Bytes of the answer of a run, where nothing is said.
const RESULT_BYTES: u64 = 16_384;
/// What stands for the rest.
const OMITTED: &str = "\n[the rest is left out]\n";

/// Members of a snapshot that are told as they are.
const MEMBERS: [&str; 13] = [
    "runId",
    "graphName",
    "graphHash",
    "graphSource",
    "status",
    "createdAt",
    "updatedAt",
    "endedAt",
    "step",
    "nodeRuns",
    "usage",
    "interrupt",
    "error",
];

/// What the state amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View<'v> {
    /// What the run answers with.
    Summary,
    /// Paths and sizes.
    Inventory,
    /// All of it.
    Full,
    /// The value at a path.
    Path(&'v str),
}

/// A run as it is told.
pub(super) struct Told<'t> {
    pub(super) snapshot: &'t Snapshot,
    /// Its graph, where there is one: it says what the answer is.
    pub(super) graph: Option<&'t Graph>,
    /// Why it failed just now, node by node.
    pub(super) error: Option<&'t RunError>,
    /// What a command needs to find the run again.
    pub(super) options: String,
}

impl Told<'_> {
    /// The run with a view of its state.
    pub(super) fn answer(&self, view: View<'_>) -> Answer {
        Answer::new(self.json(view), self.human(view))
    }

    fn result(&self) -> Option<Object> {
        let graph = self.graph?;
        let resume = Resume {
            force: true,
            ..Resume::default()
        };
        let now = Timestamp::from_unix_milliseconds(0);
        let run = Run::resume(graph, self.snapshot.clone(), resume, now).ok()?;
        run.result()
    }

    pub(super) fn json(&self, view: View<'_>) -> Object {
        let snapshot = self.snapshot.to_value();
        let all = snapshot.as_object();
        let told = MEMBERS.iter().filter_map(|name| {
            let value = all?.get(name)?;
            Some((*name, value.clone()))
        });
        let mut json: Object = told.collect();
        let state = &*self.snapshot.state;
        json.insert(
            "stateBytes",
            pi::compact_size(&Value::Object(state.clone())) as f64,
        );
        json.insert("result", self.result().map_or(Value::Null, Value::Object));
        if let Some(RunError::Nodes(failures)) = self.error {
            let failures = failures.iter().map(|failure| {
                Value::Object(object([
                    ("nodeId", failure.node.as_str().into()),
                    ("code", failure.code.as_str().into()),
                    ("message", failure.message.as_str().into()),
                ]))
            });
            json.insert("failures", Value::Array(failures.collect()));
        }
        let includes = self.graph.is_some_and(Graph::includes_state);
        match view {
            View::Full => json.insert("state", state.clone()),
            View::Summary if includes => json.insert("state", state.clone()),
            View::Summary => None,
            View::Inventory => json.insert("inventory", sizes(state)),
            View::Path(path) => json.insert("value", at(state, path).unwrap_or_default()),
        };
        json
    }

    fn human(&self, view: View<'_>) -> Lines {
        let snapshot = self.snapshot;
        let human = Lines::new()
            .label("Run", &snapshot.run_id)
            .label("Graph", &snapshot.graph_name)
            .label("Status", self.line())
            .maybe("Error", snapshot.error.as_ref());
        let human = self.next(human);
        let state = &*snapshot.state;
        match view {
            View::Full => human.verbatim(text_of(state.clone().into(), u64::MAX)),
            View::Path(path) => match at(state, path) {
                Some(value) => human.verbatim(text_of(value, u64::MAX)),
                None => human.line(format!("There is nothing at {path}.")),
            },
            View::Inventory => inventory(human, state),
            View::Summary if self.graph.is_some_and(Graph::includes_state) => {
                human.verbatim(text_of(state.clone().into(), u64::MAX))
            }
            View::Summary => match self.result() {
                Some(result) => {
                    let bytes = self.graph.map_or(RESULT_BYTES, Graph::result_max_bytes);
                    human.verbatim(text_of(result.into(), bytes))
                }
                None => inventory(human, state),
            },
        }
    }

    fn line(&self) -> String {
        let snapshot = self.snapshot;
        format!(
            "{} in step {}, {} attempts, {} tokens, ${}",
            snapshot.status,
            snapshot.step,
            snapshot.node_runs,
            snapshot.usage.tokens(),
            dollars(snapshot.usage.cost_usd)
        )
    }

    fn resume(&self) -> String {
        let (run_id, options) = (&self.snapshot.run_id, &self.options);
        format!("agent-graph pi resume {run_id}{options}")
    }

    /// What comes next, if something does.
    fn next(&self, human: Lines) -> Lines {
        let snapshot = self.snapshot;
        if let Some(asked) = &snapshot.interrupt {
            let options = asked.interrupt.options.as_ref();
            return human
                .label(
                    &asked.node,
                    format!(
                        "asks ({}): {}",
                        asked.interrupt.kind, asked.interrupt.prompt
                    ),
                )
                .maybe("Options", options.map(|options| options.join(", ")))
                .label("Answer", format!("{} --answer <text>", self.resume()));
        }
        let waiting = match &snapshot.in_flight {
            Some(flight) => &flight.unresolved,
            None => &snapshot.pending,
        };
        if waiting.is_empty() {
            return human;
        }
        human
            .label("Next", waiting.join(", "))
            .label("Go on", self.resume())
    }
}

/// A run in a list.
pub(super) fn brief(snapshot: &Snapshot) -> (Object, String) {
    let json = object([
        ("runId", snapshot.run_id.as_str().into()),
        ("graphName", snapshot.graph_name.as_str().into()),
        ("status", snapshot.status.as_str().into()),
        ("step", (snapshot.step as f64).into()),
        ("updatedAt", snapshot.updated_at.to_string().as_str().into()),
    ]);
    let line = format!(
        "{} {} in step {}, {}",
        snapshot.graph_name, snapshot.status, snapshot.step, snapshot.updated_at
    );
    (json, line)
}

fn at(state: &Object, path: &str) -> Option<Value> {
    let path = pi::StatePath::parse(path).ok()?;
    pi::get(state, path.segments()).cloned()
}

/// The members of the state and of the objects in it, the largest first.
fn largest(state: &Object) -> Vec<(String, u64)> {
    let mut sizes = Vec::new();
    for (name, value) in state.iter() {
        sizes.push((name.to_owned(), pi::compact_size(value)));
        for (inner, value) in value.as_object().into_iter().flat_map(Object::iter) {
            sizes.push((format!("{name}.{inner}"), pi::compact_size(value)));
        }
    }
    sizes.sort_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
    sizes
}

fn sizes(state: &Object) -> Object {
    let sizes = largest(state).into_iter();
    sizes.map(|(path, bytes)| (path, bytes as f64)).collect()
}

fn inventory(human: Lines, state: &Object) -> Lines {
    let paths = largest(state);
    let listed = paths.iter().take(LISTED);
    let human = listed.fold(human, |human, (path, bytes)| {
        human.line(format!("  {path}: {bytes} bytes"))
    });
    match paths.len().saturating_sub(LISTED) {
        0 => human,
        more => human.line(format!("  and {more} more")),
    }
}

/// The value as text of at most so many bytes, with a line end.
fn text_of(value: Value, bytes: u64) -> String {
    let mut text = pi::pretty(&value);
    text.push('\n');
    let most = usize::try_from(bytes).unwrap_or(usize::MAX);
    if text.len() > most {
        let mut end = most.saturating_sub(OMITTED.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(OMITTED);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_too_large_is_cut_between_characters_and_says_so() {
        let text = text_of("é".repeat(100).into(), 60);
        assert!(text.len() <= 60 && text.ends_with(OMITTED), "{text}");
        assert_eq!(text_of("short".into(), 60), "\"short\"\n");
    }

    #[test]
    fn the_largest_parts_of_a_state_come_first() {
        let state = Value::from_json(r#"{"a":{"b":"long enough","c":1},"d":2}"#).unwrap();
        let paths = largest(state.as_object().unwrap());
        let paths: Vec<&str> = paths.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["a", "a.b", "a.c", "d"]);
    }
}
