//! Where a run stands: the nodes between what is done and what is not reached, with what each of them
//! needs. Reads a trace and the facts; tries nothing out.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::need::{Expected, FactNeed, FactType, Need, Purpose};
use super::{FrontierNode, Possibility, Standing};
use crate::evaluate::state_key;
use crate::explore::Trace;
use crate::fact_check;
use crate::json::Value;
use crate::ordered::{self, Map};
use crate::protocol::{Availability, EdgeKind, NodeKind, Outcome, Status};
use crate::state::State;
use crate::tables::{CheckRow, EdgeRow, GateRow, NodeRow, Rows, StepRow, Tables, Test};

/// How many terminals are listed against one: an error among many stays short.
const LISTED_CONFLICTS: usize = 8;

/// A frontier node with the rows behind it.
pub(super) struct Placed {
    pub(super) frame: u32,
    pub(super) node: u32,
    pub(super) shown: FrontierNode,
}

/// The frontier of every frame that has not ended: frames in the order in which they were called, nodes
/// in the order in which they are written.
pub(super) fn frontier(tables: &Tables<'_>, state: &State, trace: &Trace) -> Vec<Placed> {
    let mut all = Vec::new();
    let mut live: Vec<bool> = Vec::new();
    let called: Map<(u32, u32), u32> = (0..)
        .zip(&trace.found.frames)
        .map(|(frame, row)| ((row.parent, row.caller), frame))
        .collect();
    for (frame, row) in (0..).zip(&trace.found.frames) {
        // Callers come before what they call. A frame that came to an error stands still for good, so
        // what it called does not matter.
        let caller_lives = live.get(row.parent as usize).copied().unwrap_or(true);
        let status = trace.status(frame);
        live.push(caller_lives && !matches!(status, Status::Complete | Status::Error));
        if !caller_lives || status == Status::Complete {
            continue;
        }
        let edges = tables.rows(tables.edges, tables.row(tables.graphs, row.graph).edges);
        let mut incoming: Vec<&EdgeRow> = edges.iter().collect();
        ordered::sort_by(&mut incoming, |a, b| a.to.cmp(&b.to));
        let view = View {
            tables,
            state,
            trace,
            frame,
            incoming,
            called: &called,
        };
        let nodes = tables.row(tables.graphs, row.graph).nodes;
        for node in nodes.indices() {
            let shown = if status == Status::Error {
                view.conflicting(node)
            } else {
                view.standing(node)
            };
            all.extend(shown.map(|shown| Placed { frame, node, shown }));
        }
    }
    all
}

struct View<'a> {
    tables: &'a Tables<'a>,
    state: &'a State,
    trace: &'a Trace,
    frame: u32,
    /// The edges of the frame's graph, ordered by target.
    incoming: Vec<&'a EdgeRow>,
    /// Called frames by calling frame and node.
    called: &'a Map<(u32, u32), u32>,
}

impl View<'_> {
    fn standing(&self, node: u32) -> Option<FrontierNode> {
        let row = self.tables.row(self.tables.nodes, node);
        match self.trace.value(self.frame, node) {
            None => self.not_reached(node, row),
            Some(value) => self.reached(node, row, value),
        }
    }

    /// A node is in sight when an edge leads to it from a reached one.
    fn not_reached(&self, node: u32, row: &NodeRow) -> Option<FrontierNode> {
        let edges: Vec<Need> = self
            .edges_to(node)
            .filter(|edge| edge.kind != EdgeKind::Repeat)
            .map(|edge| self.edge(edge))
            .collect();
        let seen = |need: &Need| matches!(need, Need::Edge { seen: Some(_), .. });
        if !edges.iter().any(seen) {
            return None;
        }
        let met = edges
            .iter()
            .filter(|need| matches!(need, Need::Edge { met: true, .. }));
        let mut needs = Vec::from([Need::Join {
            join: row.join,
            met: count(met),
            of: count(edges.iter()),
        }]);
        needs.extend(edges);
        needs.extend(self.facts(row.requires, Purpose::Required));
        Some(self.shown(node, row, None, Standing::NotReached, needs))
    }

    fn reached(&self, node: u32, row: &NodeRow, value: Outcome) -> Option<FrontierNode> {
        let shown = |standing, needs| Some(self.shown(node, row, Some(value), standing, needs));
        let required: Vec<Need> = self.facts(row.requires, Purpose::Required).collect();
        if !required.is_empty() {
            return shown(Standing::FactsMissing, required);
        }
        match row.kind {
            NodeKind::Terminal => return None,
            NodeKind::Action | NodeKind::Gate
                if matches!(value, Outcome::Pending | Outcome::WaitingUser) =>
            {
                let step = self.tables.row(self.tables.steps, row.detail);
                return shown(self.open(row, step), self.open_needs(node, row, step));
            }
            NodeKind::Subgraph => {
                if let Some((graph, status)) = self.unfinished_call(node) {
                    return shown(
                        Standing::Unfinished,
                        Vec::from([Need::Call { graph, status }]),
                    );
                }
            }
            NodeKind::Action | NodeKind::Gate => {}
        }
        let edges_of = |list| {
            let list = self.tables.rows(self.tables.lists, list).iter();
            list.map(|&edge| self.tables.row(self.tables.edges, edge))
        };
        let mut edges = edges_of(row.outgoing).chain(edges_of(row.repeats));
        if edges.any(|edge| edge.outcomes.contains(value)) {
            return None;
        }
        let mut needs: Vec<Need> = Vec::new();
        if value == Outcome::Unverified {
            let proof = self.tables.row(self.tables.steps, row.detail).satisfied;
            needs.extend(self.facts(proof, Purpose::Proof));
        }
        needs.extend(edges_of(row.outgoing).map(|edge| Need::Onward {
            to: self.key(edge.to),
            needed: edge.outcomes.iter().collect(),
            seen: value,
        }));
        if edges_of(row.outgoing)
            .chain(edges_of(row.repeats))
            .next()
            .is_none()
        {
            needs.push(Need::DeadEnd);
        }
        shown(Standing::Unhandled, needs)
    }

    /// What the terminals of a frame with an error have against each other.
    fn conflicting(&self, node: u32) -> Option<FrontierNode> {
        let row = self.tables.row(self.tables.nodes, node);
        let outcome = self.trace.value(self.frame, node)?;
        if row.kind != NodeKind::Terminal {
            return None;
        }
        let others = self.trace.reached(self.frame).iter();
        let against = others
            .filter(|&&(other, value)| {
                value != outcome
                    && self.tables.row(self.tables.nodes, other).kind == NodeKind::Terminal
            })
            .map(|&(other, _)| self.key(other))
            .take(LISTED_CONFLICTS)
            .collect();
        let needs = Vec::from([Need::Conflict { outcome, against }]);
        Some(self.shown(node, row, Some(outcome), Standing::Conflicting, needs))
    }

    fn open(&self, row: &NodeRow, step: &StepRow) -> Standing {
        let gate = self.tables.row(self.tables.gates, step.gate);
        let delegated = gate.delegatable && self.holds_authority(gate);
        Standing::Open(if row.kind == NodeKind::Gate && !delegated {
            Availability::RequiresUser
        } else {
            Availability::Immediate
        })
    }

    fn holds_authority(&self, gate: &GateRow) -> bool {
        let authority = self.tables.text_or_none(gate.authority);
        authority.is_some_and(|own| self.state.has_authority(own))
    }

    fn open_needs(&self, node: u32, row: &NodeRow, step: &StepRow) -> Vec<Need> {
        let mut needs = Vec::from([Need::Record {
            recorded: self.state.outcome(&self.key(node)),
        }]);
        if row.kind == NodeKind::Gate {
            let gate = self.tables.row(self.tables.gates, step.gate);
            let authority = self.tables.text_or_none(gate.authority);
            needs.push(Need::Authority {
                authority: authority.map(ToString::to_string),
                delegatable: gate.delegatable,
                held: self.holds_authority(gate),
            });
        }
        needs.extend(self.repeats_in_force(node));
        needs.extend(self.facts(step.satisfied, Purpose::Proof));
        needs
    }

    fn repeats_in_force(&self, node: u32) -> impl Iterator<Item = Need> {
        self.edges_to(node)
            .filter(|edge| edge.kind == EdgeKind::Repeat)
            .filter_map(|edge| {
                let seen = self.trace.value(self.frame, edge.from)?;
                edge.outcomes.contains(seen).then(|| Need::Repeat {
                    from: self.key(edge.from),
                    seen,
                })
            })
    }

    /// The graph that a node calls and its status, unless it has ended.
    fn unfinished_call(&self, node: u32) -> Option<(String, Status)> {
        let frame = *self.called.get(&(self.frame, node))?;
        let row = self.trace.found.frames.get(frame as usize)?;
        let status = self.trace.status(frame);
        let graph = self.tables.row(self.tables.graphs, row.graph);
        (!matches!(status, Status::Complete | Status::Error))
            .then(|| (self.tables.text(graph.id).to_string(), status))
    }

    /// All edges to a node.
    fn edges_to(&self, node: u32) -> impl Iterator<Item = &EdgeRow> {
        let start = self.incoming.partition_point(|edge| edge.to < node);
        let own = self.incoming.get(start..).unwrap_or(&[]).iter().copied();
        own.take_while(move |edge| edge.to == node)
    }

    fn edge(&self, edge: &EdgeRow) -> Need {
        let seen = self.trace.value(self.frame, edge.from);
        Need::Edge {
            from: self.key(edge.from),
            needed: edge.outcomes.iter().collect(),
            seen,
            met: seen.is_some_and(|value| edge.outcomes.contains(value)),
        }
    }

    fn facts(&self, checks: Rows, purpose: Purpose) -> impl Iterator<Item = Need> {
        missing_facts(self.tables, self.state, checks, purpose)
            .into_iter()
            .map(Need::Fact)
    }

    fn key(&self, node: u32) -> String {
        state_key(self.tables, &self.trace.found.frames, self.frame, node)
    }

    fn shown(
        &self,
        node: u32,
        row: &NodeRow,
        value: Option<Outcome>,
        standing: Standing,
        needs: Vec<Need>,
    ) -> FrontierNode {
        let graph = self.tables.row(self.tables.graphs, row.graph);
        FrontierNode {
            key: self.key(node),
            graph: self.tables.text(graph.id).to_string(),
            node: self.tables.text(row.id).to_string(),
            kind: row.kind,
            value,
            standing,
            needs,
            possibility: Possibility::Possible,
        }
    }
}

/// The checks that do not hold.
pub(super) fn missing_facts(
    tables: &Tables<'_>,
    state: &State,
    checks: Rows,
    purpose: Purpose,
) -> Vec<FactNeed> {
    let checks = tables.rows(tables.checks, checks).iter();
    checks
        .filter(|check| !fact_check::passes(tables, check, state.facts()))
        .map(|check| fact_need(tables, state, check, purpose))
        .collect()
}

fn fact_need(tables: &Tables<'_>, state: &State, check: &CheckRow, purpose: Purpose) -> FactNeed {
    let path = tables.text(check.path);
    let found = state.facts().get(path);
    let scalar = |value: &&Value| !matches!(value, Value::Array(_) | Value::Object(_));
    FactNeed {
        purpose,
        path: path.to_string(),
        expected: match check.test {
            Test::Exists(true) => Expected::Present,
            Test::Exists(false) => Expected::Absent,
            Test::Null => Expected::Equals(Value::Null),
            Test::Bool(expected) => Expected::Equals(Value::Bool(expected)),
            Test::Number(bits) => Expected::Equals(Value::Number(f64::from_bits(bits))),
            Test::Text(text) => Expected::Equals(Value::String(tables.text(text).to_string())),
        },
        found: FactType::of(found),
        value: found.filter(scalar).cloned(),
    }
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}
