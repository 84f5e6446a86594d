//! Explores what can happen from one entry, once for all lints that want to know, within a bound.

use std::collections::{BTreeMap, BTreeSet};

use agent_graph_runtime::explain::Possibility;
use agent_graph_runtime::explore::{Handled, NodeAt, Way, Ways, possible};
use agent_graph_runtime::protocol::{EdgeKind, NodeKind, Outcome};
use agent_graph_runtime::{State, Status};

use super::Found;
use super::bound::Bound;
use super::registry::Lint;
use super::subject::{EntryAt, Subject, found};

/// What can happen from one entry.
pub(crate) struct Survey {
    pub(crate) at: EntryAt,
    /// Whether all ways were gone.
    pub(crate) exhausted: bool,
    /// The state of the first way: all facts hold, all work is completed.
    pub(crate) first: State,
    /// Whether a terminal was reached.
    pub(crate) completes: bool,
    /// A state in which terminals disagree, and the terminals.
    pub(crate) conflict: Option<(State, Vec<u32>)>,
    /// Nodes that were reached; those beyond the bound were looked for one by one.
    pub(crate) reached: BTreeSet<u32>,
    /// Nodes that were reached with their required facts holding.
    pub(crate) active: BTreeSet<u32>,
    /// States in which required facts of a reached node are missing.
    pub(crate) misses: BTreeMap<u32, State>,
    /// Nodes that can be neither of the two, for certain.
    pub(crate) impossible: BTreeSet<u32>,
    /// Edges that hit.
    pub(crate) hit: BTreeSet<u32>,
    /// Nodes with a proof that could hold.
    pub(crate) proven: BTreeSet<u32>,
    /// States in which a node with a proof is recorded completed in vain.
    pub(crate) unverified: BTreeMap<u32, State>,
    /// States in which a node came to a value that no edge handles, and the value.
    pub(crate) unhandled: BTreeMap<(u32, Outcome), State>,
    /// States in which a repeat edge keeps its target pending against its record.
    pub(crate) lasting: BTreeMap<u32, State>,
    /// A state from which no terminal can be reached, and whether that was decided.
    pub(crate) stuck: Option<(State, Status)>,
    pub(crate) stuck_decided: bool,
}

pub(crate) fn survey(subject: &Subject<'_>, at: EntryAt, bound: Bound) -> Survey {
    let mut survey = Survey {
        at,
        exhausted: false,
        first: State::new(),
        completes: false,
        conflict: None,
        reached: BTreeSet::new(),
        active: BTreeSet::new(),
        misses: BTreeMap::new(),
        impossible: BTreeSet::new(),
        hit: BTreeSet::new(),
        proven: BTreeSet::new(),
        unverified: BTreeMap::new(),
        unhandled: BTreeMap::new(),
        lasting: BTreeMap::new(),
        stuck: None,
        stuck_decided: false,
    };
    survey.explore(subject, bound.work);
    survey.look_for_the_rest(subject, bound.work);
    survey.look_for_stuck_states(subject, bound);
    survey
}

impl Survey {
    fn explore(&mut self, subject: &Subject<'_>, mut work: u32) {
        let mut ways = Ways::new(subject.tables, self.at.graph, self.at.entry, Handled::Any);
        let mut first = true;
        while work > 0 {
            let Some(way) = ways.go() else {
                self.exhausted = true;
                return;
            };
            work = work.saturating_sub(way.size());
            if core::mem::take(&mut first) {
                self.first = way.state();
            }
            self.learn(subject, &way);
        }
    }

    fn learn(&mut self, subject: &Subject<'_>, way: &Way<'_, '_>) {
        let tables = &subject.tables;
        self.completes |= way.status() == Status::Complete;
        if self.conflict.is_none() && way.conflicts() {
            let terminals = way.reached().iter().map(|&(node, _)| node);
            let terminals =
                terminals.filter(|&node| subject.node_row(node).kind == NodeKind::Terminal);
            self.conflict = Some((way.state(), terminals.collect()));
        }
        let records: BTreeMap<u32, Outcome> = way
            .records()
            .filter(|(at, ..)| at.calls.is_empty())
            .map(|(at, outcome, _)| (at.node, outcome))
            .collect();
        for &(node, value) in way.reached() {
            let row = subject.node_row(node);
            self.reached.insert(node);
            if way.misses_facts(node) {
                self.misses.entry(node).or_insert_with(|| way.state());
                continue;
            }
            self.active.insert(node);
            let proof = tables.row(tables.steps, row.detail).satisfied;
            let is_step = matches!(row.kind, NodeKind::Action | NodeKind::Gate);
            let has_proof = is_step && proof.1 > 0;
            // Not whether it comes to `completed`: a repeat edge may undo that.
            if has_proof && !self.proven.contains(&node) && way.allows(proof) {
                self.proven.insert(node);
            }
            if has_proof && records.get(&node) == Some(&Outcome::Completed) {
                let known = self.unverified.contains_key(&node);
                if !known && value == Outcome::Unverified {
                    self.unverified.insert(node, way.state());
                }
            }
            let mut handled = false;
            for list in [row.outgoing, row.repeats] {
                for &edge in tables.rows(tables.lists, list) {
                    let edge_row = tables.row(tables.edges, edge);
                    if !edge_row.outcomes.contains(value) {
                        continue;
                    }
                    handled = true;
                    self.hit.insert(edge);
                    let lasts = edge_row.kind == EdgeKind::Repeat
                        && edge_row.from != edge_row.to
                        && !(has_proof && value == Outcome::Completed);
                    if lasts {
                        self.learn_repeat(way, &records, edge, edge_row.to, subject);
                    }
                }
            }
            let open = matches!(value, Outcome::Pending | Outcome::WaitingUser);
            if is_step && !open && !handled {
                self.unhandled
                    .entry((node, value))
                    .or_insert_with(|| way.state());
            }
        }
    }

    /// A repeat edge in force whose target has an outcome recorded, or is not even asked for one.
    fn learn_repeat(
        &mut self,
        way: &Way<'_, '_>,
        records: &BTreeMap<u32, Outcome>,
        edge: u32,
        target: u32,
        subject: &Subject<'_>,
    ) {
        let kept = way.value(target) == Some(Outcome::Pending) && !way.misses_facts(target);
        let record = records.get(&target).copied();
        let in_vain = match record {
            Some(outcome) => !matches!(outcome, Outcome::Pending | Outcome::WaitingUser),
            None => true,
        };
        if !kept || !in_vain || self.lasting.contains_key(&edge) {
            return;
        }
        let mut state = way.state();
        if record.is_none()
            && state
                .set_outcome(subject.key(target), Outcome::Completed)
                .is_err()
        {
            return;
        }
        self.lasting.insert(edge, state);
    }

    /// Nodes that no way led to so far get a search of their own, which looks at less and gets further.
    fn look_for_the_rest(&mut self, subject: &Subject<'_>, mut work: u32) {
        for node in subject.graph_row(self.at.graph).nodes.indices() {
            if self.active.contains(&node) {
                continue;
            }
            if self.exhausted {
                self.impossible.insert(node);
                continue;
            }
            if work == 0 {
                return;
            }
            let EntryAt { graph, entry } = self.at;
            match possible(&subject.tables, graph, entry, &[], node, &mut work).0 {
                Possibility::Possible => {
                    self.reached.insert(node);
                    self.active.insert(node);
                }
                Possibility::Impossible => {
                    self.impossible.insert(node);
                }
                Possibility::NotDecided => {}
            }
        }
    }

    /// Whether anything is known to be impossible or seen for every node.
    fn all_nodes_decided(&self, subject: &Subject<'_>) -> bool {
        let mut nodes = subject.graph_row(self.at.graph).nodes.indices();
        nodes.all(|node| self.active.contains(&node) || self.impossible.contains(&node))
    }

    fn look_for_stuck_states(&mut self, subject: &Subject<'_>, bound: Bound) {
        let mut ways = Ways::new(subject.tables, self.at.graph, self.at.entry, Handled::Only);
        let mut work = bound.work;
        let mut ends: Vec<End> = Vec::new();
        while let Some(way) = ways.go() {
            work = work.saturating_sub(way.size());
            if work == 0 || ends.len() >= bound.compared_ways {
                return;
            }
            ends.push(End::of(subject, &way));
        }
        self.stuck_decided = true;
        let completing = || ends.iter().filter(|end| end.status == Status::Complete);
        let stuck = ends.iter().find(|end| {
            !matches!(end.status, Status::Complete | Status::Error)
                && !completing().any(|other| other.goes_on_from(end))
        });
        self.stuck = stuck.map(|end| (end.state.clone(), end.status));
    }
}

/// Where a way ends.
struct End {
    status: Status,
    state: State,
    records: BTreeMap<NodeAt, Outcome>,
    /// What is recorded for good: for nodes that are done and keep nothing else going.
    closed: Vec<(NodeAt, Outcome)>,
}

impl End {
    fn of(subject: &Subject<'_>, way: &Way<'_, '_>) -> Self {
        let tables = &subject.tables;
        let repeats = |node: u32, value: Outcome| {
            let repeats = tables.rows(tables.lists, subject.node_row(node).repeats);
            let mut repeats = repeats.iter().map(|&edge| tables.row(tables.edges, edge));
            repeats.any(|edge| edge.outcomes.contains(value))
        };
        let closed = way.records().filter_map(|(at, outcome, value)| {
            let value = value?;
            let open = |own| matches!(own, Outcome::Pending | Outcome::WaitingUser);
            (!open(outcome) && !open(value) && !repeats(at.node, value)).then_some((at, outcome))
        });
        Self {
            status: way.status(),
            state: way.state(),
            closed: closed.collect(),
            records: way
                .records()
                .map(|(at, outcome, _)| (at, outcome))
                .collect(),
        }
    }

    /// Whether all that is recorded for good in `other` is recorded here, or does not matter here.
    fn goes_on_from(&self, other: &Self) -> bool {
        let mut closed = other.closed.iter();
        closed.all(|(at, outcome)| self.records.get(at).is_none_or(|own| own == outcome))
    }
}

/// Says where the bound was met.
pub(crate) fn undecided(subject: &Subject<'_>, surveys: &[Survey], out: &mut Found<'_>) {
    for survey in surveys {
        let mut open = Vec::new();
        if !survey.exhausted {
            open.push("which outcomes and terminals meet");
        }
        if !survey.all_nodes_decided(subject) {
            open.push("which nodes can be reached");
        }
        if !survey.stuck_decided {
            open.push("which states are stuck");
        }
        if open.is_empty() {
            continue;
        }
        let message = format!(
            "from entry `{}` of graph `{}` it was not decided within the bound {}",
            subject.entry_name(survey.at),
            subject.graph_id(survey.at.graph),
            open.join(", nor "),
        );
        let place = subject.entry_place(survey.at);
        out.add(
            Lint::Undecided,
            found(Lint::Undecided, place, message),
            None,
        );
    }
}
