//! How far two definitions of a graph differ, for a run that was started with one and is to go on with the
//! other (spec 13.4). Knows definitions and one snapshot; what a host makes of the answer is its own affair.

use alloc::collections::BTreeSet;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::outline::{NodeOutline, Outline};
use super::snapshot::Snapshot;
use crate::pi::graph::Graph;
use crate::protocol::{UnknownName, wire_enum};

wire_enum! {
    /// How far the definition of a graph has changed, as seen by a run. Each includes those before it.
    Change ("class of change") {
        /// Not at all.
        Identical = "identical",
        /// In what only agents and people read (descriptions, prompts, questions), or no run that has begun (the
        /// initial state).
        Texts = "texts",
        /// In limits, retries, policies, and what the run answers with.
        Limits = "limits",
        /// By nodes that no node of before leads to, and by what these lead to.
        Additive = "additive",
        /// In what nodes do or lead to, or how writes come together; nodes that wait or work do the same.
        Routes = "routes",
        /// In what nodes do that wait or work now, or one of them is gone: the run goes on with something
        /// else than what it was about to do.
        InFlight = "in-flight",
    }
}

/// How far `after` differs from `before` for a run at this snapshot.
///
/// ```
/// use agent_graph_runtime::{Timestamp, json::Object, pi::{self, run::{Change, Outline, Run, change}}};
/// let graph = |prompt: &str| {
///     let text = r#"{"schemaVersion":2,"name":"g","limits":{},"entry":"a",
///         "nodes":{"a":{"type":"agent","prompt":"PROMPT"}}}"#.replace("PROMPT", prompt);
///     pi::parse("g.json".into(), text.as_bytes()).unwrap().graph()
/// };
/// let now = Timestamp::from_unix_milliseconds(0);
/// let run = Run::start(&graph("Go on"), "run-1", Object::new(), now)?;
/// let before = Outline::from(&graph("Go on"));
/// assert_eq!(change(&before, &graph("Please go on"), &run.snapshot()), Change::Texts);
/// # Ok::<(), agent_graph_runtime::pi::run::StartError>(())
/// ```
pub fn change(before: &Outline, after: &Graph, snapshot: &Snapshot) -> Change {
    if before.hash == after.hash() {
        return Change::Identical;
    }
    let outline = Outline::from(after);
    if is_in_flight(before, &outline, snapshot) {
        return Change::InFlight;
    }
    if !leads_the_same(before, &outline, after) {
        return Change::Routes;
    }
    let after = outline;
    if after.nodes.len() > before.nodes.len() || after.edges.len() > before.edges.len() {
        return Change::Additive;
    }
    let has_same = |pick: fn(&NodeOutline) -> &String| {
        let both = before.nodes.iter().zip(&after.nodes);
        both.into_iter()
            .all(|((_, before), (_, after))| pick(before) == pick(after))
    };
    if before.limits == after.limits && has_same(|node| &node.limits) {
        return Change::Texts;
    }
    Change::Limits
}

/// Whether a node that waits or works is gone.
pub(super) fn has_lost_nodes(after: &Graph, snapshot: &Snapshot) -> bool {
    let known: BTreeSet<&str> = after.nodes().collect();
    at_stake(snapshot).any(|node| !known.contains(node.as_str()))
}

/// The nodes that wait or work.
fn at_stake(snapshot: &Snapshot) -> impl Iterator<Item = &String> {
    let in_flight = snapshot.in_flight.iter();
    let scheduled = in_flight.flat_map(|in_flight| &in_flight.scheduled);
    snapshot.pending.iter().chain(scheduled)
}

fn is_in_flight(before: &Outline, after: &Outline, snapshot: &Snapshot) -> bool {
    at_stake(snapshot).any(
        |node| match (before.nodes.get(node), after.nodes.get(node)) {
            (Some(before), Some(after)) => before.work != after.work,
            _ => true,
        },
    )
}

/// Whether everything that was there does the same and leads to the same.
fn leads_the_same(before: &Outline, after: &Outline, graph: &Graph) -> bool {
    let is_kept = |(id, node): (&String, &NodeOutline)| {
        let after = after.nodes.get(id);
        after.is_some_and(|after| node.work == after.work && node.leads_to == after.leads_to)
    };
    let tables = graph.tables();
    let added = tables.edges.get(before.edges.len()..).unwrap_or(&[]);
    let mut sources = added
        .iter()
        .flat_map(|edge| tables.rows(tables.lists, edge.from));
    let is_apart = |&row: &u32| {
        !before
            .nodes
            .contains_key(tables.text(tables.row(tables.nodes, row).id))
    };
    before.entry == after.entry
        && before.nodes.iter().all(is_kept)
        && after.edges.starts_with(&before.edges)
        && sources.all(is_apart)
        && before.reducers.is_subset(&after.reducers)
        && before.channels.is_subset(&after.channels)
}

#[cfg(all(test, feature = "dynamic"))]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;
    use crate::json::Object;
    use crate::pi::parse;
    use crate::pi::run::Run;
    use crate::timestamp::Timestamp;

    const GRAPH: &str = r#"{
        "schemaVersion": 2, "name": "g", "limits": {"maxSteps": 3}, "entry": "ask",
        "nodes": {
            "ask": {"type": "agent", "prompt": "Go", "readOnly": true},
            "note": {"type": "set", "assign": [{"path": "x", "value": 1}]}
        },
        "edges": [{"from": "ask", "to": "note"}]
    }"#;

    fn graph(text: &str) -> Graph {
        let loaded = parse("g.json".into(), text.as_bytes());
        loaded
            .unwrap_or_else(|findings| panic!("{findings}"))
            .graph()
    }

    fn changed(from: &str, to: &str) -> Change {
        assert!(GRAPH.contains(from), "{from}");
        let before = graph(GRAPH);
        let now = Timestamp::from_unix_milliseconds(0);
        let run = Run::start(&before, "run-1", Object::new(), now).unwrap();
        let kept = Outline::from(&before).to_value();
        let outline = Outline::from_value(&kept).unwrap();
        change(&outline, &graph(&GRAPH.replace(from, to)), &run.snapshot())
    }

    #[test]
    fn every_change_has_its_class() {
        assert_eq!(changed("Go", "Go"), Change::Identical);
        assert_eq!(changed("Go", "Please go"), Change::Texts);
        assert_eq!(changed(": 3", ": 4"), Change::Limits);
        let node = r#"{"type": "set", "assign": [{"path": "x", "value": 1}]}"#;
        let apart = format!(r#"{node}, "more": {node}"#);
        assert_eq!(changed(node, &apart), Change::Additive);
        assert_eq!(changed(r#""value": 1"#, r#""value": 2"#), Change::Routes);
        assert_eq!(
            changed(r#""to": "note""#, r#""to": "__end__""#),
            Change::Routes
        );
        assert_eq!(changed(r#", "readOnly": true"#, ""), Change::InFlight);
    }

    #[test]
    fn a_node_that_waits_and_is_gone_is_noticed_without_the_graph_of_before() {
        let before = graph(GRAPH);
        let now = Timestamp::from_unix_milliseconds(0);
        let run = Run::start(&before, "run-1", Object::new(), now).unwrap();
        let renamed = graph(&GRAPH.replace("ask", "tell"));
        assert!(has_lost_nodes(&renamed, &run.snapshot()));
        let outline = Outline::from(&before);
        assert_eq!(
            change(&outline, &renamed, &run.snapshot()),
            Change::InFlight
        );
        assert!(!has_lost_nodes(&before, &run.snapshot()));
    }

    #[test]
    fn outlines_are_written_as_they_always_were_or_have_another_format() {
        let outline = Outline::from(&graph(GRAPH)).to_value();
        let expected = [
            r#"{"format":"1","#,
            r#""hash":"sha256:d4770cbd931a8888787759cb0cfada3dabd7b5ef06f2f240d77e2732099e011a","#,
            r#""nodes":{"ask":"6821a80a9465714d 7c53ffbcd45b8764 48f6af026ac47155","#,
            r#""note":"406b29963a079e7a b07f0834bbb91542 55537a75c3e0280d"},"edges":["c7b1b3c30eadf37a"],"#,
            r#""entry":"3c30bd1985bb04a6","reducers":[],"channels":[],"limits":"dacad002efb7c8bc"}"#,
        ];
        assert_eq!(outline.to_string(), expected.concat());
        let mut other = outline.as_object().cloned().unwrap();
        other.insert("format", "0");
        assert_eq!(Outline::from_value(&other.into()), None);
    }
}
