//! The fixpoint of spec 4.3 to 4.9: which nodes are reached, what they came to, what can be next.
//!
//! The specification describes rounds over all nodes and edges. Here the same rounds are driven by what
//! changed, so that work grows with the nodes and edges in reach and not with their square: a node
//! counts the incoming edges that hit, a value that changes moves the counts of its targets, and only
//! targets whose count moved are looked at again. Frames of called graphs sit on an explicit stack, so
//! that nesting costs memory and never the thread's stack. Knows tables and what its input answers;
//! nothing about wire formats or typed names.

mod found;
mod input;
mod scratch;
mod state_key;

use core::cmp::Reverse;

use self::scratch::{Activation, Chain, Link};
use crate::protocol::{Availability, Join, NodeKind, Outcome, OutcomeSet, Resolution, Status};
use crate::tables::{EdgeRow, NONE, NodeRow, Tables};
use crate::text_hash::TextHash;

pub(crate) use self::found::{Ending, Found, Frame, Open, Remark};
pub(crate) use self::input::{FrameEnd, Input, Key};
pub(crate) use self::scratch::Scratch;
pub(crate) use self::state_key::{is_state_key, state_key};

/// Evaluates the graph from its entry, or says that there is no such entry. The result replaces what
/// `found` held.
pub(crate) fn evaluate(
    tables: &Tables<'_>,
    input: impl Input,
    graph: u32,
    entry: Option<u32>,
    scratch: &mut Scratch,
    found: &mut Found,
) {
    found.outcome = None;
    found.frames.clear();
    found.open.clear();
    found.remarks.clear();
    scratch.begin(tables);
    let Some(entry) = entry else {
        found.status = Status::Error;
        found.remarks.push(Remark::EntryMissing);
        return;
    };
    Fixpoint {
        tables,
        input,
        scratch,
        found,
    }
    .run(graph, entry);
}

struct Fixpoint<'a, 't, I> {
    tables: &'a Tables<'t>,
    input: I,
    scratch: &'a mut Scratch,
    found: &'a mut Found,
}

impl<I: Input> Fixpoint<'_, '_, I> {
    fn run(&mut self, graph: u32, entry: u32) {
        let prefix = TextHash::new().text(
            self.tables
                .text(self.tables.row(self.tables.graphs, graph).id),
        );
        self.activate(graph, entry, NONE, NONE, prefix);
        'frames: while let Some(mut frame) = self.scratch.activations.pop() {
            while frame.next < self.scratch.reached.len() {
                if self.value_next(&mut frame) {
                    continue 'frames;
                }
            }
            self.follow_repeats(&frame);
            self.reach_forward(&frame);
            let changed = frame.next < self.scratch.reached.len()
                || frame.repeats < self.scratch.repeats.len();
            if changed {
                self.scratch.activations.push(frame);
                continue;
            }
            let ending = self.finish(&mut frame);
            self.leave(&frame, ending);
        }
    }

    /// Puts a frame to work, with its entry node reached.
    fn activate(&mut self, graph: u32, entry: u32, caller: u32, parent: u32, prefix: TextHash) {
        let frame = index(self.found.frames.len());
        let row = Frame {
            graph,
            caller,
            parent,
        };
        self.found.frames.push(row);
        self.input.frame_begun(frame, row);
        if let Some(active) = self.scratch.active.get_mut(graph as usize) {
            *active = true;
        }
        let stamp = self.scratch.next_stamp();
        let start = self.scratch.reached.len();
        let activation = Activation {
            frame,
            graph,
            caller,
            stamp,
            prefix,
            reached: start,
            next: start,
            repeats: self.scratch.repeats.len(),
            touched: self.scratch.touched.len(),
            open: self.found.open.len(),
            immediate: false,
            own: Chain::EMPTY,
            children: Chain::EMPTY,
        };
        self.reach(self.tables.row(self.tables.entries, entry).node, stamp);
        self.scratch.activations.push(activation);
    }

    /// Step 1 of a round, for one node: gives it a value, or puts the graph it calls to work. Whether it
    /// did the latter: then the frame has been put back below the called one.
    fn value_next(&mut self, frame: &mut Activation) -> bool {
        let node = self
            .scratch
            .reached
            .get(frame.next)
            .copied()
            .unwrap_or(NONE);
        frame.next += 1;
        let row = self.tables.row(self.tables.nodes, node);
        // A repeat edge may have given it a value in the round that reached it.
        let valued = self
            .scratch
            .slot(node, frame.stamp)
            .is_none_or(|slot| slot.value.is_some());
        if valued {
            return false;
        }
        if !self
            .input
            .holds(self.tables, frame.frame, node, row.requires)
        {
            self.remark(
                &mut frame.own,
                Remark::RequiredFactMissing {
                    frame: frame.frame,
                    node,
                },
            );
            self.set_value(frame.stamp, node, row, Outcome::Blocked);
            return false;
        }
        if row.kind == NodeKind::Subgraph {
            return self.call(frame, node, row);
        }
        let value = self.own_value(frame, node, row);
        self.set_value(frame.stamp, node, row, value);
        false
    }

    /// Table 4.4 for every kind but subgraphs. The record is only asked for where it matters.
    fn own_value(&mut self, frame: &Activation, node: u32, row: &NodeRow) -> Outcome {
        if row.kind == NodeKind::Terminal {
            return self.recorded(frame, node, row).unwrap_or(row.outcome);
        }
        let proof = self.tables.row(self.tables.steps, row.detail).satisfied;
        if proof.1 > 0 && self.input.holds(self.tables, frame.frame, node, proof) {
            return Outcome::Completed;
        }
        match self.recorded(frame, node, row) {
            Some(Outcome::Completed) if proof.1 > 0 => Outcome::Unverified,
            recorded => recorded.unwrap_or(Outcome::Pending),
        }
    }

    fn recorded(&mut self, frame: &Activation, node: u32, row: &NodeRow) -> Option<Outcome> {
        self.input.recorded(Key {
            tables: self.tables,
            frames: &self.found.frames,
            prefix: frame.prefix,
            frame: frame.frame,
            node,
            row,
        })
    }

    /// Puts the graph that a subgraph node calls to work above the caller, if that is possible.
    fn call(&mut self, frame: &mut Activation, node: u32, row: &NodeRow) -> bool {
        let call = self.tables.row(self.tables.calls, row.detail);
        let recursive = self
            .scratch
            .active
            .get(call.graph as usize)
            .copied()
            .unwrap_or(true);
        if recursive {
            // A loaded provider has no such call; tables made otherwise must not hang.
            self.remark(&mut frame.own, Remark::GraphRecursion { node });
            self.set_value(frame.stamp, node, row, Outcome::Failed);
            return false;
        }
        if let Some(ending) = self
            .input
            .called(self.tables, frame.frame, node, call.entry)
        {
            self.take_over(frame, node, row, ending);
            return false;
        }
        let graph = self
            .tables
            .text(self.tables.row(self.tables.graphs, call.graph).id);
        let prefix = frame
            .prefix
            .text("/")
            .text(self.tables.text(row.id))
            .text(">")
            .text(graph);
        self.scratch.activations.push(*frame);
        self.activate(call.graph, call.entry, node, frame.frame, prefix);
        true
    }

    /// A called graph whose ending is known already. What is open in it stands in `open` as one candidate,
    /// which is the calling node.
    fn take_over(&mut self, frame: &mut Activation, node: u32, row: &NodeRow, ending: Ending) {
        let availability = match ending.status {
            Status::Actionable => Some(Availability::Immediate),
            Status::WaitingUser => Some(Availability::RequiresUser),
            Status::Blocked | Status::Complete | Status::Error => None,
        };
        frame.immediate |= availability == Some(Availability::Immediate);
        self.found
            .open
            .extend(availability.map(|availability| Open {
                node,
                frame: frame.frame,
                availability,
                resolution: None,
                priority: 0,
            }));
        self.set_value(frame.stamp, node, row, ending.value());
    }

    /// Step 2: repeat edges in declaration order. An edge that an earlier one of the same pass brings
    /// into force is followed in this pass when it stands later, else in the next round.
    fn follow_repeats(&mut self, frame: &Activation) {
        for edge in self.scratch.repeats.drain(frame.repeats..) {
            self.scratch.pass.push(Reverse(edge));
        }
        while let Some(Reverse(index)) = self.scratch.pass.pop() {
            let edge = self.tables.row(self.tables.edges, index);
            let value = self
                .scratch
                .slot(edge.from, frame.stamp)
                .and_then(|slot| slot.value);
            if !value.is_some_and(|value| edge.outcomes.contains(value)) {
                continue;
            }
            self.reach(edge.to, frame.stamp);
            let target = self.tables.row(self.tables.nodes, edge.to);
            let pending = self
                .scratch
                .slot(edge.to, frame.stamp)
                .and_then(|slot| slot.value)
                == Some(Outcome::Pending);
            if pending
                || !self
                    .input
                    .holds(self.tables, frame.frame, edge.to, target.requires)
            {
                continue;
            }
            let mut at = self.scratch.repeats.len();
            self.set_value(frame.stamp, edge.to, target, Outcome::Pending);
            while let Some(&activated) = self.scratch.repeats.get(at) {
                if activated > index {
                    self.scratch.pass.push(Reverse(activated));
                    self.scratch.repeats.swap_remove(at);
                } else {
                    at += 1;
                }
            }
        }
    }

    /// Step 3: nodes, in declaration order, whose incoming edges hit as their join asks.
    fn reach_forward(&mut self, frame: &Activation) {
        if let Some(touched) = self.scratch.touched.get_mut(frame.touched..) {
            touched.sort_unstable();
        }
        for at in frame.touched..self.scratch.touched.len() {
            let node = self.scratch.touched.get(at).copied().unwrap_or(NONE);
            let row = self.tables.row(self.tables.nodes, node);
            let hits = self
                .scratch
                .slot(node, frame.stamp)
                .map_or(0, |slot| slot.hits);
            let joined = match row.join {
                Join::Any => hits > 0,
                Join::All => hits == row.incoming,
            };
            if joined {
                self.reach(node, frame.stamp);
            }
        }
        self.scratch.touched.truncate(frame.touched);
    }

    fn reach(&mut self, node: u32, stamp: u32) {
        let Some(slot) = self.scratch.slot(node, stamp) else {
            return;
        };
        if !slot.reached {
            slot.reached = true;
            self.scratch.reached.push(node);
        }
    }

    /// Gives a node a value and moves the hits of its targets.
    fn set_value(&mut self, stamp: u32, node: u32, row: &NodeRow, value: Outcome) {
        let Some(slot) = self.scratch.slot(node, stamp) else {
            return;
        };
        let before = slot.value.replace(value);
        for &edge in self.tables.rows(self.tables.lists, row.outgoing) {
            let edge: &EdgeRow = self.tables.row(self.tables.edges, edge);
            let Some(target) = self.scratch.slot(edge.to, stamp) else {
                continue;
            };
            let hit_before = before.is_some_and(|before| edge.outcomes.contains(before));
            let hits_now = edge.outcomes.contains(value);
            if hits_now && !hit_before {
                target.hits += 1;
                if !target.reached {
                    self.scratch.touched.push(edge.to);
                }
            } else if hit_before && !hits_now {
                target.hits = target.hits.saturating_sub(1);
            }
        }
        for &index in self.tables.rows(self.tables.lists, row.repeats) {
            if self
                .tables
                .row(self.tables.edges, index)
                .outcomes
                .contains(value)
            {
                self.scratch.repeats.push(index);
            }
        }
    }

    /// What a frame without further change came to (spec 4.5, "Afterwards").
    fn finish(&mut self, frame: &mut Activation) -> Ending {
        let mut ends = OutcomeSet::EMPTY;
        for at in frame.reached..self.scratch.reached.len() {
            let node = self.scratch.reached.get(at).copied().unwrap_or(NONE);
            let row = self.tables.row(self.tables.nodes, node);
            let Some(value) = self
                .scratch
                .slot(node, frame.stamp)
                .and_then(|slot| slot.value)
            else {
                continue;
            };
            match row.kind {
                NodeKind::Terminal => ends = ends.with(value),
                NodeKind::Action | NodeKind::Gate => {
                    if matches!(value, Outcome::Pending | Outcome::WaitingUser) {
                        let open = self.open(frame.frame, node, row);
                        frame.immediate |= open.availability == Availability::Immediate;
                        self.found.open.push(open);
                    }
                }
                NodeKind::Subgraph => {}
            }
        }
        let mut remarks = self.joined(frame.own, frame.children);
        let status = if ends.len() > 1 {
            let ambiguous = Remark::TerminalOutcomeAmbiguous {
                frame: frame.frame,
                outcomes: ends,
            };
            self.remark(&mut remarks, ambiguous);
            Status::Error
        } else if !ends.is_empty() {
            Status::Complete
        } else if self.found.open.len() == frame.open {
            if remarks.first == NONE {
                self.remark(&mut remarks, Remark::NoRoute);
            }
            Status::Blocked
        } else if frame.immediate {
            Status::Actionable
        } else {
            Status::WaitingUser
        };
        if matches!(status, Status::Error | Status::Complete) {
            self.found.open.truncate(frame.open);
        }
        frame.own = remarks;
        let outcome = if status == Status::Complete {
            ends.iter().next()
        } else {
            None
        };
        self.input.frame_ended(FrameEnd {
            frame: frame.frame,
            status,
            reached: self.scratch.reached.get(frame.reached..).unwrap_or(&[]),
            slots: &self.scratch.slots,
        });
        Ending { status, outcome }
    }

    /// The candidate that a pending or waiting action or gate is.
    fn open(&mut self, frame: u32, node: u32, row: &NodeRow) -> Open {
        let mut open = Open {
            node,
            frame,
            availability: Availability::Immediate,
            resolution: None,
            priority: row.priority,
        };
        if row.kind == NodeKind::Gate {
            let gate = self.tables.row(
                self.tables.gates,
                self.tables.row(self.tables.steps, row.detail).gate,
            );
            let held = self
                .tables
                .text_or_none(gate.authority)
                .is_some_and(|a| self.input.has_authority(a));
            if gate.delegatable && held {
                open.resolution = Some(Resolution::SessionAuthority);
            } else {
                open.resolution = Some(Resolution::User);
                open.availability = Availability::RequiresUser;
            }
        }
        open
    }

    /// Takes a finished frame off the stacks and hands its ending to the calling node, or, from the top
    /// frame, to the result.
    fn leave(&mut self, frame: &Activation, ending: Ending) {
        self.scratch.reached.truncate(frame.reached);
        if let Some(active) = self.scratch.active.get_mut(frame.graph as usize) {
            *active = false;
        }
        let Some(mut parent) = self.scratch.activations.pop() else {
            self.found.status = ending.status;
            self.found.outcome = ending.outcome;
            let mut at = frame.own.first;
            while let Some(link) = self.scratch.links.get(at as usize) {
                self.found.remarks.push(link.remark);
                at = link.next;
            }
            return;
        };
        if ending.status != Status::Complete {
            parent.children = self.joined(parent.children, frame.own);
            parent.immediate |= frame.immediate && self.found.open.len() > frame.open;
        }
        let row = self.tables.row(self.tables.nodes, frame.caller);
        self.set_value(parent.stamp, frame.caller, row, ending.value());
        self.scratch.activations.push(parent);
    }

    fn remark(&mut self, chain: &mut Chain, remark: Remark) {
        let at = index(self.scratch.links.len());
        self.scratch.links.push(Link { remark, next: NONE });
        *chain = self.joined(
            *chain,
            Chain {
                first: at,
                last: at,
            },
        );
    }

    fn joined(&mut self, front: Chain, back: Chain) -> Chain {
        if back.first == NONE {
            return front;
        }
        match self.scratch.links.get_mut(front.last as usize) {
            None => back,
            Some(last) => {
                last.next = back.first;
                Chain {
                    first: front.first,
                    last: back.last,
                }
            }
        }
    }
}

/// Pool sizes stay far below `u32::MAX`: at most 100 000 frames and 65 535 nodes.
fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}
