//! How every node of every frame stands: what a picture of a run shows. Reads a trace; says nothing about why.

use alloc::vec::Vec;

use super::frontier;
use super::trial::Trial;
use super::{Standing, Trace};
use crate::error::Error;
use crate::evaluate::Scratch;
use crate::protocol::{Outcome, Status};
use crate::provider::Provider;
use crate::state::State;

/// A graph at work: the evaluated one, or one that a node calls. Rows are those of the provider's tables.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameStand {
    /// The graph, in `graphs`.
    pub graph: u32,
    /// The calling frame, by index, and the calling node, in `nodes`; `None` for the evaluated graph.
    pub caller: Option<(usize, u32)>,
    /// What it came to.
    pub status: Status,
    /// Its reached nodes with their values, in the order in which they are written.
    pub reached: Vec<(u32, Outcome)>,
    /// How the nodes of its frontier stand. None, once it has ended or what called it has.
    pub frontier: Vec<(u32, Standing)>,
}

impl Provider {
    /// How every node stands, frame after frame; callers come before what they call. Frames exist only where
    /// a node that calls a graph is reached.
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`](crate::Code::GraphMissing) when the provider has no such graph.
    #[doc(hidden)]
    pub fn stand(&self, graph: &str, entry: &str, state: &State) -> Result<Vec<FrameStand>, Error> {
        let graph = self.graph_index(graph)?;
        let tables = self.tables();
        let mut scratch = Scratch::for_tables(&tables);
        let mut trace = Trace::default();
        let entry = tables.entry(graph, entry);
        Trial::unchanged(state).run(&tables, graph, entry, &mut scratch, &mut trace);
        let mut frames: Vec<FrameStand> = (0..)
            .zip(&trace.found.frames)
            .map(|(frame, row)| FrameStand {
                graph: row.graph,
                caller: (row.parent != crate::tables::NONE)
                    .then_some((row.parent as usize, row.caller)),
                status: trace.status(frame),
                reached: trace.reached(frame).to_vec(),
                frontier: Vec::new(),
            })
            .collect();
        for placed in frontier::frontier(&tables, state, &trace) {
            if let Some(frame) = frames.get_mut(placed.frame as usize) {
                frame.frontier.push((placed.node, placed.shown.standing));
            }
        }
        Ok(frames)
    }
}
