//! From the fixpoint to an answer: revision, route ids, order of candidates (spec 2.5, 2.6, 4.8).
//! [`Evaluator`] keeps its memory between evaluations; the owned form is built on the same function.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::canonical;
use crate::digest::{Digest, Hasher, PaddedText, RouteId};
use crate::error::Error;
use crate::evaluate::{self, Found, Frame, Open, Remark, Scratch};
use crate::evaluation::{Evaluation, EvaluationRef};
use crate::protocol::Availability;
use crate::provider::Provider;
use crate::state::State;
use crate::tables::{NONE, Tables};
use crate::typed::{Graph, Untyped};

/// How many alternatives an evaluation lists beside the primary route.
pub(crate) const LISTED_ALTERNATIVES: usize = 3;

/// A candidate with its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ranked {
    pub(crate) route_id: RouteId,
    pub(crate) open: Open,
    /// Its call path: start and length in [`Answer::calls`].
    calls: (u32, u32),
}

/// An answer, in terms of table rows.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) graph: u32,
    /// The entry as it was asked for; it need not exist.
    pub(crate) entry: String,
    pub(crate) revision: Digest,
    pub(crate) found: Found,
    /// All candidates, best first.
    pub(crate) candidates: Vec<Ranked>,
    /// Call paths of the candidates: calling subgraph nodes, outermost first.
    calls: Vec<u32>,
    /// Why nothing was evaluated.
    pub(crate) refused: Option<Error>,
}

impl Answer {
    fn empty() -> Self {
        Self {
            graph: NONE,
            entry: String::new(),
            revision: Digest::from_bytes([0; 32]),
            found: Found::default(),
            candidates: Vec::new(),
            calls: Vec::new(),
            refused: None,
        }
    }

    /// The subgraph nodes on the way to a candidate, outermost first.
    pub(crate) fn call_path(&self, ranked: &Ranked) -> &[u32] {
        let (start, len) = (ranked.calls.0 as usize, ranked.calls.1 as usize);
        self.calls
            .get(start..start.saturating_add(len))
            .unwrap_or(&[])
    }
}

/// Evaluates one provider again and again without allocating: memory is reused, results are lent.
///
/// The first evaluations grow the buffers; after that, as long as the state keeps its facts, evaluating
/// allocates nothing.
///
/// ```
/// # use agent_graph_runtime::{Error, Evaluator, Provider, State, Status};
/// # fn example(provider: &Provider) -> Result<(), Error> {
/// let mut evaluator = Evaluator::new(provider);
/// let state = State::new();
/// while evaluator.evaluate("release", "default", &state)?.status() == Status::Actionable {
///     // take the route, observe, update the state
///     # break;
/// }
/// # Ok(())
/// # }
/// ```
///
/// The `PROVIDER` of a compiled-in module is a constant: give it a place first, as in
/// `let provider = release::PROVIDER;` or `static PROVIDER: Provider = release::PROVIDER;`, then borrow
/// that. [`EvaluationRef::typed`] gives the steps their names.
pub struct Evaluator<'p> {
    provider: &'p Provider,
    scratch: Scratch,
    text: PaddedText,
    /// The candidates in the order in which they were found.
    unsorted: Vec<Ranked>,
    /// What sorts them: small things, since sorting moves them often. See [`rank`].
    order: Vec<u128>,
    answer: Answer,
}

impl fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluator")
            .field("provider", self.provider)
            .finish_non_exhaustive()
    }
}

impl<'p> Evaluator<'p> {
    /// An evaluator for the provider.
    pub fn new(provider: &'p Provider) -> Self {
        Self {
            provider,
            scratch: Scratch::for_tables(&provider.tables()),
            text: PaddedText::default(),
            unsorted: Vec::new(),
            order: Vec::new(),
            answer: Answer::empty(),
        }
    }

    /// Like [`Provider::evaluate`], with a result that is lent.
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`](crate::Code::GraphMissing) when the provider has no such graph.
    pub fn evaluate(
        &mut self,
        graph: &str,
        entry: &str,
        state: &State,
    ) -> Result<EvaluationRef<'_>, Error> {
        let graph = self.provider.graph_index(graph)?;
        self.run(graph, entry, state);
        Ok(EvaluationRef::new(self.provider, &self.answer, None))
    }

    fn run(&mut self, graph: u32, entry: &str, state: &State) {
        let tables = self.provider.tables();
        let answer = &mut self.answer;
        answer.graph = graph;
        answer.entry.clear();
        answer.entry.push_str(entry);
        answer.revision = revision(&tables, graph, entry, state);
        let row = tables.entry(graph, entry);
        evaluate::evaluate(
            &tables,
            state,
            graph,
            row,
            &mut self.scratch,
            &mut answer.found,
        );
        self.rank(&tables);
    }

    /// Gives the candidates their ids and sorts them, best first.
    fn rank(&mut self, tables: &Tables<'_>) {
        let Answer {
            found,
            candidates,
            calls,
            revision,
            ..
        } = &mut self.answer;
        candidates.clear();
        calls.clear();
        self.order.clear();
        self.unsorted.clear();
        // What is hashed for a candidate (spec 2.6) ends alike for all of them.
        let tail = tail(revision);
        let mut begun = None;
        let mut path = (0, 0);
        for open in &found.open {
            // Candidates of one frame stand together and share the front, too.
            if begun != Some(open.frame) {
                begun = Some(open.frame);
                let start = calls.len();
                push_call_path(&found.frames, open.frame, calls);
                path = (index(start), index(calls.len() - start));
                let calls = calls.get(start..).unwrap_or(&[]);
                write_front(tables, calls, open.node, &mut self.text);
            }
            let node = tables.text(tables.row(tables.nodes, open.node).id);
            let route_id = RouteId::from_digest(&self.text.digest_with(node, &tail));
            self.order.push(rank(open, route_id, self.order.len()));
            self.unsorted.push(Ranked {
                route_id,
                open: *open,
                calls: path,
            });
        }
        self.order.sort_unstable();
        if let Some(&any) = self.unsorted.first() {
            let sorted = self.order.iter().map(|&rank| position_of(rank));
            candidates.extend(sorted.map(|at| self.unsorted.get(at).copied().unwrap_or(any)));
        }
        let alternatives = candidates.len().saturating_sub(1);
        if alternatives > LISTED_ALTERNATIVES {
            let available = u32::try_from(alternatives).unwrap_or(u32::MAX);
            found
                .remarks
                .push(Remark::AlternativesTruncated { available });
        }
    }
}

/// The convenience on top: an evaluation that owns its answer.
pub(crate) fn evaluate_owned(
    provider: &Provider,
    graph: u32,
    entry: &str,
    state: &State,
) -> Evaluation<Untyped> {
    let mut evaluator = Evaluator::new(provider);
    evaluator.run(graph, entry, state);
    Evaluation::new(provider.clone(), Arc::new(evaluator.answer))
}

/// Evaluates at an entry that is known to exist.
pub(crate) fn evaluate_at<G: Graph>(
    provider: &Provider,
    entry: u32,
    state: &State,
) -> Evaluation<G> {
    let tables = provider.tables();
    let row = tables.row(tables.entries, entry);
    let graph = tables.row(tables.nodes, row.node).graph;
    evaluate_owned(provider, graph, tables.text(row.name), state).assume_typed()
}

/// What stands for an evaluation when there is no provider to evaluate: the question, without an answer.
pub(crate) fn refused<G: Graph>(
    provider: &Provider,
    entry: u32,
    state: &State,
    error: Error,
) -> Evaluation<G> {
    let tables = provider.tables();
    let row = tables.row(tables.entries, entry);
    let graph = tables.row(tables.nodes, row.node).graph;
    let name = tables.text(row.name);
    let mut answer = Answer::empty();
    answer.graph = graph;
    answer.entry.push_str(name);
    answer.revision = revision(&tables, graph, name, state);
    answer.found.remarks.push(Remark::Refused);
    answer.refused = Some(error);
    Evaluation::new(provider.clone(), Arc::new(answer)).assume_typed()
}

/// Spec 2.5. The members stand in canonical order.
pub(crate) fn revision(tables: &Tables<'_>, graph: u32, entry: &str, state: &State) -> Digest {
    let row = tables.row(tables.graphs, graph);
    // A hasher takes every text.
    let mut hasher = Hasher::new();
    hasher.text("{\"authorities\":");
    hasher.text(state.authorities_canonical());
    hasher.text(",\"entry\":");
    let _ = canonical::write_string(entry, &mut hasher);
    hasher.text(",\"facts\":");
    hasher.text(state.facts().canonical());
    hasher.text(",\"graphId\":");
    let _ = canonical::write_string(tables.text(row.id), &mut hasher);
    hasher.text(",\"outcomes\":");
    hasher.text(state.outcomes_canonical());
    hasher.text(",\"provider\":\"");
    let _ = write!(hasher, "{}", Digest::from_bytes(row.digest));
    hasher.text("\"}");
    hasher.finish()
}

/// How many bits of a rank hold a position: more candidates than that have no room in memory.
const POSITION_BITS: u32 = 30;

/// Where a candidate stands among the others, as one number, lower ones first (spec 4.8): what is available at
/// once, then the higher priority, then the route id. What no longer matters is its position as it was found.
fn rank(open: &Open, route_id: RouteId, position: usize) -> u128 {
    let availability = match open.availability {
        Availability::Immediate => 0,
        Availability::RequiresUser => 1,
        Availability::Blocked => 2,
    };
    let priority = i32::from(i16::MAX) - i32::from(open.priority);
    let mut bytes = [0; 16];
    bytes[6..].copy_from_slice(route_id.as_bytes());
    let order = availability << 96 | u128::from(priority.unsigned_abs()) << 80;
    (order | u128::from_be_bytes(bytes)) << POSITION_BITS | position as u128 & POSITION_MASK
}

const POSITION_MASK: u128 = (1 << POSITION_BITS) - 1;

/// The position in a rank.
fn position_of(rank: u128) -> usize {
    (rank & POSITION_MASK) as usize
}

/// What follows the id of the node in the value that a route id hashes (spec 2.6).
fn tail(revision: &Digest) -> [u8; TAIL] {
    const OPENING: &[u8] = b"\",\"revision\":\"";
    let mut tail = [0; TAIL];
    let (opening, rest) = tail.split_at_mut(OPENING.len());
    opening.copy_from_slice(OPENING);
    let (digest, closing) = rest.split_at_mut(Digest::TEXT);
    digest.copy_from_slice(&revision.to_text());
    closing.copy_from_slice(b"\"}");
    tail
}

/// The length of that.
const TAIL: usize = 14 + Digest::TEXT + 2;

/// Pools are far smaller than `u32::MAX`: at most 100 000 frames and 65 535 nodes.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}

/// The value that a route id hashes (spec 2.6), up to the id of the node. The members stand in canonical
/// order. Ids hold nothing that a JSON string would have to escape.
fn write_front(tables: &Tables<'_>, calls: &[u32], node: u32, text: &mut PaddedText) {
    text.clear();
    text.push_str("{\"callPath\":[");
    for (position, &call) in calls.iter().enumerate() {
        let (graph, node) = node_name(tables, call);
        text.push_str(if position > 0 { ",\"" } else { "\"" });
        text.push_str(graph);
        text.push_str("/");
        text.push_str(node);
        text.push_str("\"");
    }
    let (graph, _) = node_name(tables, node);
    text.push_str("],\"graph\":\"");
    text.push_str(graph);
    text.push_str("\",\"node\":\"");
}

/// Graph id and node id.
pub(crate) fn node_name<'t>(tables: &Tables<'t>, node: u32) -> (&'t str, &'t str) {
    let row = tables.row(tables.nodes, node);
    (
        tables.text(tables.row(tables.graphs, row.graph).id),
        tables.text(row.id),
    )
}

/// Appends the nodes that were called on the way to `frame`, outermost first.
fn push_call_path(frames: &[Frame], frame: u32, calls: &mut Vec<u32>) {
    let start = calls.len();
    let mut at = frame;
    while let Some(row) = frames.get(at as usize).filter(|row| row.parent != NONE) {
        calls.push(row.caller);
        at = row.parent;
    }
    if let Some(path) = calls.get_mut(start..) {
        path.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_rank_by_availability_then_priority_then_route_id() {
        let ids = [0, 1, 255].map(|byte| RouteId::from_digest(&Digest::from_bytes([byte; 32])));
        let mut expected = Vec::new();
        let mut ranks = Vec::new();
        for availability in [
            Availability::Immediate,
            Availability::RequiresUser,
            Availability::Blocked,
        ] {
            for priority in [i16::MAX, 7, 0, -7, i16::MIN] {
                for route_id in ids {
                    let open = Open {
                        node: 0,
                        frame: 0,
                        availability,
                        resolution: None,
                        priority,
                    };
                    expected.push((availability, core::cmp::Reverse(priority), route_id));
                    let position = 999 - ranks.len();
                    ranks.push(rank(&open, route_id, position));
                    assert_eq!(position_of(rank(&open, route_id, position)), position);
                }
            }
        }
        assert!(expected.is_sorted());
        assert!(ranks.is_sorted_by(|one, other| one < other));
    }
}
