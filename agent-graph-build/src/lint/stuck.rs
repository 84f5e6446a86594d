//! States from which no terminal can be reached any more, though only outcomes were recorded that are to be
//! expected. Every end of a way is held against those that complete: from one to the other there is a way on
//! if nothing that is recorded for good would have to be taken back. Knows ways, no findings.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent_graph_runtime::explore::{Explorer, Trail, Way, Work, is_settled};
use agent_graph_runtime::{Outcome, State, Status};

use super::subject::{EntryAt, Subject};

/// A way that ends where no terminal can be reached any more.
pub(crate) struct Stuck<'t> {
    pub(crate) trail: Rc<Trail<'t>>,
    pub(crate) status: Status,
    /// What is recorded on it, in words.
    pub(crate) recorded: String,
}

/// How many recorded outcomes are told.
const TOLD: usize = 6;

/// Looks for one; `None` outside when that was not decided.
pub(crate) fn look<'t>(
    subject: &Subject<'t>,
    explorer: &mut Explorer<'t>,
    at: EntryAt,
    work: &mut Work,
) -> Option<Option<Stuck<'t>>> {
    let mut places = Places::default();
    let mut complete: Vec<BTreeMap<At, Outcome>> = Vec::new();
    let mut open: Vec<End<'t>> = Vec::new();
    let mut judged = BTreeSet::new();
    let mut ways = explorer.expected_ways(at.graph, at.entry);
    while let Some(way) = ways.go(work) {
        let frames = places.of(&way);
        match way.status() {
            Status::Complete => complete.push(records(&way, &frames)),
            Status::Error => {}
            status => {
                let settled = settled(subject, &way, &frames);
                if judged.insert(settled.clone()) {
                    let trail = way.trail();
                    open.push(End {
                        settled,
                        trail,
                        status,
                    });
                }
            }
        }
    }
    if !ways.keep() {
        return None;
    }
    let mut last = 0;
    for end in open {
        // The one that went on from the end before is likely to go on from this one.
        let goes_on = |complete: &BTreeMap<At, Outcome>| {
            let mut settled = end.settled.iter();
            settled.all(|(at, outcome)| complete.get(at).is_none_or(|own| own == outcome))
        };
        let mut others = [last].into_iter().chain(0..complete.len());
        let found = others.find(|&other| {
            work.spend(1 + end.settled.len() as u64);
            work.left() > 0 && complete.get(other).is_some_and(goes_on)
        });
        match found {
            Some(other) => last = other,
            None if work.left() == 0 => return None,
            None => {
                let recorded = recorded(&explorer.state(&end.trail));
                return Some(Some(Stuck {
                    trail: end.trail,
                    status: end.status,
                    recorded,
                }));
            }
        }
    }
    Some(None)
}

fn recorded(state: &State) -> String {
    let outcomes = state.outcomes().take(TOLD);
    let mut told: Vec<String> = outcomes
        .map(|(key, outcome)| format!("`{key}` {outcome}"))
        .collect();
    match state.outcomes().count() {
        0 => told.push("nothing".to_owned()),
        count if count > TOLD => told.push(format!("and {} more", count - TOLD)),
        _ => {}
    }
    told.join(", ")
}

/// A node in a called graph: the number of its place, and the node.
type At = (u32, u32);

/// Where an open way ends.
struct End<'t> {
    settled: Vec<(At, Outcome)>,
    trail: Rc<Trail<'t>>,
    status: Status,
}

/// Numbers for the places that graphs are called at, the same on all ways.
#[derive(Default)]
struct Places(BTreeMap<(u32, u32), u32>);

impl Places {
    /// The numbers of the frames of a way.
    fn of(&mut self, way: &Way<'_, '_>) -> Vec<u32> {
        let mut numbers: Vec<u32> = Vec::new();
        for caller in way.callers() {
            let number = caller.map_or(0, |(frame, node)| {
                let above = numbers.get(frame as usize).copied().unwrap_or(0);
                // Far fewer frames than that are looked at.
                let next = u32::try_from(self.0.len() + 1).unwrap_or(u32::MAX);
                *self.0.entry((above, node)).or_insert(next)
            });
            numbers.push(number);
        }
        numbers
    }
}

fn place(frames: &[u32], frame: u32) -> u32 {
    frames.get(frame as usize).copied().unwrap_or(0)
}

fn records(way: &Way<'_, '_>, frames: &[u32]) -> BTreeMap<At, Outcome> {
    let records = way.records();
    records
        .map(|own| ((place(frames, own.frame), own.node), own.outcome))
        .collect()
}

/// What is recorded for good.
fn settled(subject: &Subject<'_>, way: &Way<'_, '_>, frames: &[u32]) -> Vec<(At, Outcome)> {
    let mut settled: Vec<(At, Outcome)> = way
        .records()
        .filter(|own| {
            let row = subject.node_row(own.node);
            let value = own.value;
            value.is_some_and(|value| is_settled(&subject.tables, row, own.outcome, value))
        })
        .map(|own| ((place(frames, own.frame), own.node), own.outcome))
        .collect();
    settled.sort_unstable();
    settled
}
