//! The diagram of a graph in a run: what is done, next, waiting, blocked. Knows how an evaluation stands,
//! nothing about why.

use agent_graph_runtime::explain::{FrameStand, Standing};
use agent_graph_runtime::tables::Tables;
use agent_graph_runtime::{Availability, Code, Error, Outcome, Provider, State, Status};

use super::diagram::{Diagram, Mark};
use super::drawing::NODE_LIMIT;
use super::provider::of_rows;

impl Diagram {
    /// A graph as it stands with this state.
    ///
    /// # Errors
    ///
    /// [`Code::GraphMissing`](agent_graph_runtime::Code::GraphMissing) when there is no such graph.
    pub fn of_run(
        provider: &Provider,
        graph: &str,
        entry: &str,
        state: &State,
    ) -> Result<Self, Error> {
        let tables = provider.tables();
        let frames = provider.stand(graph, entry, state)?;
        match frames.first() {
            Some(frame) => Ok(of_frame(&tables, &frames, 0, frame)),
            // The entry is unknown: nothing stands anywhere.
            None => Self::of_graph(&tables, graph),
        }
    }

    /// A graph as it stands with this state, and behind it each graph that is called by then, with the
    /// calls that lead to it as title.
    ///
    /// # Errors
    ///
    /// As [`Diagram::of_run`]; [`Code::PictureTooLarge`] where too many graphs are called.
    pub fn of_run_with_calls(
        provider: &Provider,
        graph: &str,
        entry: &str,
        state: &State,
    ) -> Result<Vec<Self>, Error> {
        let tables = provider.tables();
        let frames = provider.stand(graph, entry, state)?;
        if frames.is_empty() {
            return Ok(vec![Self::of_graph(&tables, graph)?]);
        }
        if frames.len() > NODE_LIMIT {
            let message = format!(
                "{} graphs are at work; a picture has at most {NODE_LIMIT} boxes",
                frames.len()
            );
            return Err(Error::new(Code::PictureTooLarge, message));
        }
        let diagrams = frames.iter().enumerate();
        Ok(diagrams
            .map(|(index, frame)| of_frame(&tables, &frames, index, frame))
            .collect())
    }
}

fn of_frame(
    tables: &Tables<'_>,
    frames: &[FrameStand],
    index: usize,
    frame: &FrameStand,
) -> Diagram {
    let mut diagram = of_rows(tables, frame.graph, |node| {
        let value = frame.reached.iter().find(|(it, _)| *it == node);
        let value = value.map(|(_, value)| *value);
        (mark(frames, index, frame, node, value), value)
    });
    diagram.title = title(tables, frames, frame);
    diagram
}

/// The ids on the way from the evaluated graph: `release/quality > quality`.
fn title(tables: &Tables<'_>, frames: &[FrameStand], frame: &FrameStand) -> String {
    let id = |graph: u32| tables.text(tables.row(tables.graphs, graph).id);
    let mut title = id(frame.graph).to_owned();
    let mut at = frame;
    // Callers come before what they call, so this ends.
    while let Some((caller, node)) = at.caller {
        let Some(calling) = frames.get(caller) else {
            break;
        };
        let node = tables.text(tables.row(tables.nodes, node).id);
        title = format!("{}/{node} > {title}", id(calling.graph));
        at = calling;
    }
    title
}

fn mark(
    frames: &[FrameStand],
    index: usize,
    frame: &FrameStand,
    node: u32,
    value: Option<Outcome>,
) -> Mark {
    let standing = frame.frontier.iter().find(|(it, _)| *it == node);
    match (standing.map(|(_, standing)| *standing), value) {
        (Some(Standing::NotReached), _) | (None, None) => Mark::Ahead,
        (Some(Standing::Open(Availability::RequiresUser)), _) => Mark::Waiting,
        (Some(Standing::Open(_)), _) => Mark::Next,
        (Some(Standing::Unfinished), _) => {
            let called = frames.iter().find(|it| it.caller == Some((index, node)));
            called.map_or(Mark::Blocked, |it| of_status(it.status))
        }
        (Some(Standing::FactsMissing | Standing::Unhandled | Standing::Conflicting), _) => {
            Mark::Blocked
        }
        // Where nothing is ahead of it any more, a pending node stays what it is.
        (None, Some(Outcome::Pending)) => Mark::Ahead,
        (None, Some(Outcome::WaitingUser)) => Mark::Waiting,
        (None, Some(_)) => Mark::Done,
    }
}

fn of_status(status: Status) -> Mark {
    match status {
        Status::Actionable => Mark::Next,
        Status::WaitingUser => Mark::Waiting,
        Status::Blocked | Status::Error => Mark::Blocked,
        Status::Complete => Mark::Done,
    }
}
