//! Explores what can happen from one entry, once for all lints that want to know.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::rc::Rc;

use agent_graph_runtime::Status;
use agent_graph_runtime::explore::Possibility;
use agent_graph_runtime::explore::{Explorer, Trail, Way, Work, is_open};
use agent_graph_runtime::protocol::{EdgeKind, NodeKind, Outcome};

use super::bound::Shares;
use super::stuck::{self, Stuck};
use super::subject::{EntryAt, Subject};

/// How many questions are asked about an entry: which ways there are, which other nodes can be reached,
/// which states are stuck.
pub(crate) const QUESTIONS: usize = 3;

/// What can happen from one entry.
pub(crate) struct Survey<'t> {
    pub(crate) at: EntryAt,
    /// Whether all ways were gone.
    pub(crate) exhausted: bool,
    /// The first way: all facts hold, all work is completed.
    pub(crate) first: Option<Rc<Trail<'t>>>,
    /// Whether a terminal was reached.
    pub(crate) completes: bool,
    /// A way on which terminals disagree, and the terminals.
    pub(crate) conflict: Option<(Rc<Trail<'t>>, Vec<u32>)>,
    /// Nodes that were reached; those that were looked for one by one are among the active ones only.
    pub(crate) reached: BTreeSet<u32>,
    /// Nodes that were reached with their required facts holding.
    pub(crate) active: BTreeSet<u32>,
    /// Ways on which a node with a proof is one of them.
    pub(crate) open: BTreeMap<u32, Rc<Trail<'t>>>,
    /// Ways on which required facts of a reached node are missing.
    pub(crate) misses: BTreeMap<u32, Rc<Trail<'t>>>,
    /// Where not all ways were gone: nodes that were looked for and cannot be active, for certain.
    pub(crate) ruled_out: BTreeSet<u32>,
    /// Edges that hit.
    pub(crate) hit: BTreeSet<u32>,
    /// Nodes with a proof that could hold.
    pub(crate) proven: BTreeSet<u32>,
    /// Ways on which a node with a proof is recorded completed in vain.
    pub(crate) unverified: BTreeMap<u32, Rc<Trail<'t>>>,
    /// Ways on which a node came to a value that no edge handles, and the value.
    pub(crate) unhandled: BTreeMap<(u32, Outcome), Rc<Trail<'t>>>,
    /// Ways on which a repeat edge keeps its target pending against its record, and whether it has one.
    pub(crate) lasting: BTreeMap<u32, (Rc<Trail<'t>>, bool)>,
    /// A state from which no terminal can be reached; `None` when that was not decided.
    pub(crate) stuck: Option<Option<Stuck<'t>>>,
}

pub(crate) fn survey<'t>(
    subject: &Subject<'t>,
    explorer: &mut Explorer<'t>,
    at: EntryAt,
    shares: &mut Shares,
    (largest, largest_inside): (u64, u64),
) -> Survey<'t> {
    let mut survey = Survey {
        at,
        exhausted: false,
        first: None,
        completes: false,
        conflict: None,
        reached: BTreeSet::new(),
        active: BTreeSet::new(),
        open: BTreeMap::new(),
        misses: BTreeMap::new(),
        ruled_out: BTreeSet::new(),
        hit: BTreeSet::new(),
        proven: BTreeSet::new(),
        unverified: BTreeMap::new(),
        unhandled: BTreeMap::new(),
        lasting: BTreeMap::new(),
        stuck: None,
    };
    shares.ask(largest, |work| survey.explore(subject, explorer, work));
    explorer.leave_open(at.entry);
    shares.ask(largest, |work| {
        survey.look_for_the_rest(subject, explorer, work)
    });
    survey.stuck = shares
        .ask(largest_inside, |work| {
            stuck::look(subject, explorer, at, work)
        })
        .flatten();
    survey
}

/// A way that is kept once, by whoever wants it first.
struct Kept<'w, 'e, 't> {
    way: &'w Way<'e, 't>,
    size: u64,
    trail: Option<Rc<Trail<'t>>>,
}

impl<'t> Kept<'_, '_, 't> {
    /// Keeps the way where none is kept yet, or one that records more than twice as much: states that record
    /// little are easier to read.
    fn keep<K: Ord>(&mut self, ways: &mut BTreeMap<K, Rc<Trail<'t>>>, key: K) {
        match ways.entry(key) {
            Entry::Vacant(place) => {
                place.insert(self.trail());
            }
            Entry::Occupied(mut place) if place.get().size() / 2 > self.size => {
                place.insert(self.trail());
            }
            Entry::Occupied(_) => {}
        }
    }

    fn trail(&mut self) -> Rc<Trail<'t>> {
        Rc::clone(self.trail.get_or_insert_with(|| self.way.trail()))
    }
}

impl<'t> Survey<'t> {
    /// Whether a node cannot be reached with its required facts holding, for certain.
    pub(crate) fn rules_out(&self, node: u32) -> bool {
        (self.exhausted && !self.active.contains(&node)) || self.ruled_out.contains(&node)
    }

    /// Whether every node is either active somewhere or ruled out.
    pub(crate) fn decides_all_nodes(&self, subject: &Subject<'_>) -> bool {
        let nodes = subject.graph_row(self.at.graph).nodes.1 as usize;
        self.exhausted || self.active.len() + self.ruled_out.len() == nodes
    }

    fn explore(&mut self, subject: &Subject<'t>, explorer: &mut Explorer<'t>, work: &mut Work) {
        let mut ways = explorer.ways(self.at.graph, self.at.entry);
        while let Some(way) = ways.go(work) {
            let kept = Kept {
                way: &way,
                size: way.size(),
                trail: None,
            };
            self.learn(subject, kept, work);
        }
        self.exhausted = ways.keep();
    }

    fn learn(&mut self, subject: &Subject<'_>, mut kept: Kept<'_, '_, 't>, work: &mut Work) {
        let tables = &subject.tables;
        let way = kept.way;
        self.first.get_or_insert_with(|| kept.trail());
        self.completes |= way.status() == Status::Complete;
        if self.conflict.is_none() && way.conflicts() {
            let terminals = way.reached().iter().map(|&(node, _)| node);
            let terminals =
                terminals.filter(|&node| subject.node_row(node).kind == NodeKind::Terminal);
            self.conflict = Some((kept.trail(), terminals.collect()));
        }
        let records: BTreeMap<u32, Outcome> = way
            .records()
            .filter(|record| record.frame == 0)
            .map(|record| (record.node, record.outcome))
            .collect();
        let missing = way.missing_facts();
        for &(node, value) in way.reached() {
            let row = subject.node_row(node);
            self.reached.insert(node);
            if missing.contains(&node) {
                kept.keep(&mut self.misses, node);
                continue;
            }
            self.active.insert(node);
            let proof = tables.row(tables.steps, row.detail).satisfied;
            let is_step = matches!(row.kind, NodeKind::Action | NodeKind::Gate);
            let has_proof = is_step && proof.1 > 0;
            if has_proof {
                kept.keep(&mut self.open, node);
            }
            // Not whether it comes to `completed`: a repeat edge may undo that.
            if has_proof && !self.proven.contains(&node) && way.allows(proof, work) {
                self.proven.insert(node);
            }
            let in_vain = has_proof
                && records.get(&node) == Some(&Outcome::Completed)
                && value == Outcome::Unverified;
            if in_vain {
                kept.keep(&mut self.unverified, node);
            }
            let mut handled = false;
            for edge in subject.edges_from(node) {
                let edge_row = tables.row(tables.edges, edge);
                if !edge_row.outcomes.contains(value) {
                    continue;
                }
                handled = true;
                self.hit.insert(edge);
                let lasts = edge_row.kind == EdgeKind::Repeat
                    && edge_row.from != edge_row.to
                    && !(has_proof && value == Outcome::Completed)
                    && way.value(edge_row.to) == Some(Outcome::Pending)
                    && !missing.contains(&edge_row.to);
                if lasts {
                    self.learn_repeat(&mut kept, &records, edge, edge_row.to);
                }
            }
            if is_step && !is_open(value) && !handled {
                kept.keep(&mut self.unhandled, (node, value));
            }
        }
    }

    /// A repeat edge that keeps its target pending: in vain is an outcome recorded for it, or it is not even
    /// asked for one.
    fn learn_repeat(
        &mut self,
        kept: &mut Kept<'_, '_, 't>,
        records: &BTreeMap<u32, Outcome>,
        edge: u32,
        target: u32,
    ) {
        let record = records.get(&target).copied();
        if record.is_none_or(|outcome| !is_open(outcome)) {
            let place = self.lasting.entry(edge);
            place.or_insert_with(|| (kept.trail(), record.is_some()));
        }
    }

    /// Nodes that no way led to so far get a search of their own, which looks at less and gets further.
    fn look_for_the_rest(
        &mut self,
        subject: &Subject<'_>,
        explorer: &mut Explorer<'_>,
        work: &mut Work,
    ) {
        if self.exhausted || self.first.is_none() {
            return;
        }
        for node in subject.graph_row(self.at.graph).nodes.indices() {
            if self.active.contains(&node) {
                continue;
            }
            if work.left() == 0 {
                return;
            }
            let EntryAt { graph, entry } = self.at;
            match explorer.possible(graph, entry, &[], node, work) {
                Possibility::Possible => {
                    self.active.insert(node);
                }
                Possibility::Impossible => {
                    self.ruled_out.insert(node);
                }
                Possibility::NotDecided => {}
            }
        }
    }
}
