//! The ways an evaluation can go, one after the other. For lints.

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::answers::Recorded;
use super::assumed::Assumed;
use super::explorer::Explorer;
use super::literal::Literal;
use super::oracle::{Choose, Gone, Oracle, Scope};
use super::trail::{self, Endings, Trail};
use super::work::Work;
use crate::evaluate::{Ending, Frame, Remark};
use crate::protocol::{Outcome, Status};
use crate::tables::{NONE, Rows, Tables};

/// All the ways that an evaluation of one entry can go.
pub struct Ways<'e, 't> {
    explorer: &'e mut Explorer<'t>,
    oracle: Oracle<'t>,
    entry: u32,
    /// How the ways end, where another graph wants to know.
    endings: Option<Endings<'t>>,
    all: bool,
}

impl<'e, 't> Ways<'e, 't> {
    pub(super) fn new(
        explorer: &'e mut Explorer<'t>,
        graph: u32,
        entry: u32,
        recorded: Recorded,
    ) -> Self {
        let wanted = recorded == Recorded::Any && explorer.is_called(entry);
        Self {
            oracle: Oracle::new(explorer.tables, graph, entry, recorded),
            entry,
            endings: wanted.then(Endings::default),
            explorer,
            all: false,
        }
    }

    /// The next way; `None` when all have been gone, or no work is left. Lowers `work` by what it was.
    pub fn go(&mut self, work: &mut Work) -> Option<Way<'_, 't>> {
        match self.oracle.go(self.explorer, &mut Everything, work) {
            Gone::One => {}
            Gone::All => {
                self.all = true;
                return None;
            }
            Gone::Stopped => return None,
        }
        if let Some(endings) = &mut self.endings {
            let found = &self.oracle.trace.found;
            let ending = Ending {
                status: found.status,
                outcome: found.outcome,
            };
            let trail = self.oracle.trail(self.explorer);
            work.spend(endings.add(ending, trail));
        }
        Some(Way {
            explorer: self.explorer,
            oracle: &self.oracle,
        })
    }

    /// Keeps how the ways end, for the graphs that call this one. Whether all there are have been gone.
    pub fn keep(self) -> bool {
        let all = self.all && !self.oracle.incomplete;
        if let Some(endings) = self.endings {
            let complete = all;
            let known = Endings {
                complete,
                ..endings
            };
            self.explorer.known.insert(self.entry, known);
        }
        all
    }
}

struct Everything;

impl Choose for Everything {
    fn scope(&mut self, _: u32, _: Frame) -> Scope {
        Scope::All
    }
}

/// One way.
#[derive(Clone, Copy)]
pub struct Way<'w, 't> {
    explorer: &'w Explorer<'t>,
    oracle: &'w Oracle<'t>,
}

/// What was asked for on a way and found recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The frame that the node is in; that of the evaluated graph itself is 0.
    pub frame: u32,
    /// The node.
    pub node: u32,
    /// The outcome, `pending` where none is recorded.
    pub outcome: Outcome,
    /// The value that the node came to in the end.
    pub value: Option<Outcome>,
}

impl<'t> Way<'_, 't> {
    /// The status it comes to.
    pub fn status(&self) -> Status {
        self.oracle.trace.found.status
    }

    /// The nodes of the evaluated graph itself that are reached without the facts they require.
    pub fn missing_facts(&self) -> BTreeSet<u32> {
        let remarks = self.oracle.trace.found.remarks.iter();
        let nodes = remarks.filter_map(|remark| match *remark {
            Remark::RequiredFactMissing { frame: 0, node } => Some(node),
            _ => None,
        });
        nodes.collect()
    }

    /// Whether terminals of the evaluated graph itself disagree.
    pub fn conflicts(&self) -> bool {
        let mut remarks = self.oracle.trace.found.remarks.iter();
        remarks.any(|remark| matches!(remark, Remark::TerminalOutcomeAmbiguous { frame: 0, .. }))
    }

    /// Reached nodes of the evaluated graph itself with their values, in the order in which they are
    /// written.
    pub fn reached(&self) -> &[(u32, Outcome)] {
        self.oracle.trace.reached(0)
    }

    /// The value of a node of the evaluated graph itself.
    pub fn value(&self, node: u32) -> Option<Outcome> {
        self.oracle.trace.value(0, node)
    }

    /// What was asked for.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        let records = self.oracle.records.iter();
        records.map(|&(frame, node, outcome)| Record {
            frame,
            node,
            outcome,
            value: self.oracle.trace.value(frame, node),
        })
    }

    /// The calling frame and node of each frame, in order; `None` for the evaluated graph itself.
    pub fn callers(&self) -> impl Iterator<Item = Option<(u32, u32)>> {
        let frames = self.oracle.trace.found.frames.iter();
        frames.map(|row| (row.parent != NONE).then_some((row.parent, row.caller)))
    }

    /// Whether the checks can hold on this way: in facts that agree with all that it assumes.
    pub fn allows(&self, checks: Rows, work: &mut Work) -> bool {
        let tables: &Tables<'t> = self.oracle.tables();
        work.spend(u64::from(checks.1) + self.oracle.assumed.list().len() as u64);
        let checks = tables.rows(tables.checks, checks).iter();
        let mut wanted = Assumed::default();
        for &own in self.oracle.assumed.list() {
            wanted.add(own);
        }
        checks
            .map(|check| Literal::new(tables, check, true))
            .all(|own| {
                let allowed = wanted.allows(own);
                if allowed {
                    wanted.add(own);
                }
                allowed
            })
    }

    /// How many outcomes a state of the way records.
    pub fn size(&self) -> u64 {
        trail::size(
            &self.explorer.known,
            self.oracle.records.len(),
            &self.oracle.calls,
        )
    }

    /// The way, to make a state of it later.
    pub fn trail(&self) -> Rc<Trail<'t>> {
        self.oracle.trail(self.explorer)
    }
}

/// The nodes that were called on the way to a frame, outermost first.
pub(crate) fn calls(frames: &[Frame], frame: u32) -> Vec<u32> {
    let mut calls = Vec::new();
    let mut at = frame;
    while let Some(row) = frames.get(at as usize).filter(|row| row.parent != NONE) {
        calls.push(row.caller);
        at = row.parent;
    }
    calls.reverse();
    calls
}
