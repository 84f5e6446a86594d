//! A way that was gone, kept short: what was recorded on it, which graphs it called and how those went, what
//! it assumed about facts. Makes a state of it; knows nothing about how it was found.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::literal::{Literal, establish};
use crate::evaluate::{Ending, Frame, state_key};
use crate::facts::Facts;
use crate::json::Object;
use crate::protocol::Outcome;
use crate::state::State;
use crate::tables::Tables;

/// A way that was gone.
#[derive(Debug)]
pub struct Trail<'t> {
    pub(super) frames: Vec<Frame>,
    /// Frame, node, outcome; `pending` for nothing.
    pub(super) records: Vec<(u32, u32, Outcome)>,
    pub(super) calls: Vec<Taken>,
    pub(super) assumed: Vec<Literal<'t>>,
    /// How many outcomes a state of it records.
    pub(super) size: u64,
}

/// A called graph that was not evaluated, but taken to end as it is known to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) frame: u32,
    pub(super) node: u32,
    pub(super) entry: u32,
    /// Which of the endings that are known.
    pub(super) ending: u32,
}

/// How the graph that is called at one entry can end.
#[derive(Default)]
pub(super) struct Endings<'t> {
    pub(super) list: Vec<(Ending, Rc<Trail<'t>>)>,
    /// Whether it can end in no other way.
    pub(super) complete: bool,
}

/// The endings that are known, by entry.
pub(super) type Known<'t> = BTreeMap<u32, Endings<'t>>;

impl<'t> Endings<'t> {
    /// Takes up an ending, unless one that is the same assumes no more and records no more. Says how much work it was.
    pub(super) fn add(&mut self, ending: Ending, trail: Rc<Trail<'t>>) -> u64 {
        let covers =
            |a: &Trail<'t>, b: &Trail<'t>| a.assumed.iter().all(|own| b.assumed.contains(own));
        let mut work: usize = 1;
        let covering = self.list.iter_mut().find(|(own, known)| {
            work += 1 + known.assumed.len();
            *own == ending && covers(known, &trail)
        });
        match covering {
            // States that record little are easier to read.
            Some((_, known)) if trail.size < known.size && covers(&trail, known) => *known = trail,
            Some(_) => {}
            None => {
                self.list
                    .retain(|(own, known)| *own != ending || !covers(&trail, known));
                self.list.push((ending, trail));
            }
        }
        work as u64
    }
}

impl Trail<'_> {
    /// How many outcomes a state of it records.
    pub fn size(&self) -> u64 {
        self.size
    }
}

/// How many outcomes a way records, with the ways of the graphs that it calls.
pub(super) fn size(known: &Known<'_>, own: usize, calls: &[Taken]) -> u64 {
    let taken = calls.iter().filter_map(|taken| found(known, *taken));
    taken.fold(own as u64, |sum, trail| {
        sum.saturating_add(1).saturating_add(trail.size)
    })
}

fn found<'k, 't>(known: &'k Known<'t>, taken: Taken) -> Option<&'k Rc<Trail<'t>>> {
    let endings = known.get(&taken.entry)?;
    let (_, trail) = endings.list.get(taken.ending as usize)?;
    Some(trail)
}

/// A state that goes the way: the facts it needs, and the outcomes that are recorded on it.
pub(super) fn state(tables: &Tables<'_>, known: &Known<'_>, trail: &Trail<'_>) -> State {
    let mut state = State::new();
    let mut object = Object::new();
    establish(&mut object, &trail.assumed);
    // Facts that nest too deeply are none; such a witness shows in its replay.
    state.set_facts(Facts::from_object(object).unwrap_or_default());
    let mut outcomes: Vec<(String, Outcome)> = Vec::new();
    let mut left: Vec<(String, &Trail<'_>)> = Vec::from([(String::new(), trail)]);
    while let Some((above, trail)) = left.pop() {
        let key = |frame, node| above.clone() + &state_key(tables, &trail.frames, frame, node);
        for &(frame, node, outcome) in &trail.records {
            if outcome != Outcome::Pending {
                outcomes.push((key(frame, node), outcome));
            }
        }
        for &taken in &trail.calls {
            if let Some(called) = found(known, taken) {
                left.push((key(taken.frame, taken.node) + ">", called));
            }
        }
    }
    state.set_distinct_outcomes(outcomes);
    state
}
