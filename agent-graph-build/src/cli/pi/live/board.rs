//! What is at work in a run and how much of its limits is used, turn by turn. Knows events and usage, nothing about
//! terminals.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use agent_graph_runtime::pi::definition::Limits;
use agent_graph_runtime::pi::executor::{Executor, Watch};
use agent_graph_runtime::pi::run::{AttemptResult, Event, Happening, RunCode, Usage, Work};

use crate::cli::progress::{COLUMNS, shortened};

/// What there is to know about a run at work.
#[derive(Clone)]
pub(in crate::cli::pi) struct Board(Arc<Mutex<Content>>);

struct Content {
    limits: Limits,
    since: Instant,
    step: u64,
    at_work: Vec<(Arc<str>, Instant)>,
    attempts: u64,
    used: Usage,
}

impl Board {
    /// A board for a run that has used so much.
    pub(in crate::cli::pi) fn new(limits: Option<&Limits>, attempts: u64, used: &Usage) -> Self {
        Self(Arc::new(Mutex::new(Content {
            limits: limits.cloned().unwrap_or_default(),
            since: Instant::now(),
            step: 0,
            at_work: Vec::new(),
            attempts,
            used: used.clone(),
        })))
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::cli::pi) fn happened(&self, event: &Event) {
        let content = &mut *self.content();
        content.step = event.step;
        match &event.what {
            Happening::NodeStart { node, .. } => {
                content.attempts += 1;
                content.at_work.retain(|(other, _)| other != node);
                content.at_work.push((node.clone(), Instant::now()));
            }
            Happening::NodeSettled { node, .. } | Happening::NodeRetry { node, .. } => {
                content.at_work.retain(|(other, _)| other != node);
            }
            _ => {}
        }
    }

    /// One line: how much of what there is has been used, and what is at work, as far as there is room.
    pub(in crate::cli::pi) fn line(&self) -> String {
        let content = &*self.content();
        let used = content.used();
        let nodes = content.at_work.iter();
        let nodes: Vec<String> = nodes
            .map(|(node, since)| format!("{node} {} s", since.elapsed().as_secs()))
            .collect();
        let room = COLUMNS.saturating_sub(used.len() + 3);
        format!("{used} | {}", shortened(&nodes.join(", "), room))
    }
}

impl Content {
    fn used(&self) -> String {
        let limits = &self.limits;
        format!(
            "step {}/{}, runs {}/{}, tokens {}/{}, ${}/{}, {}/{} s",
            self.step,
            limits.max_steps.unwrap_or(32),
            self.attempts,
            limits.max_node_runs.unwrap_or(128),
            count(self.used.tokens()),
            count(limits.max_tokens.unwrap_or(1_000_000)),
            dollars(self.used.cost_usd),
            dollars(limits.max_cost_usd.unwrap_or(10.0)),
            self.since.elapsed().as_secs(),
            limits.timeout_ms.unwrap_or(1_800_000) / 1000,
        )
    }
}

/// A number with as many digits as there is room for.
fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// Dollars with as many digits as matter.
pub(in crate::cli::pi) fn dollars(amount: f64) -> String {
    let text = format!("{amount:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// An executor whose turns are put on a board while it is at work.
pub(in crate::cli::pi) struct Counted<'e> {
    pub(in crate::cli::pi) executor: &'e dyn Executor,
    pub(in crate::cli::pi) board: Board,
}

impl Executor for Counted<'_> {
    fn execute(&self, work: &Work, watch: &dyn Watch) -> AttemptResult {
        let board = &self.board;
        self.executor.execute(work, &Counting { watch, board })
    }
}

struct Counting<'w> {
    watch: &'w dyn Watch,
    board: &'w Board,
}

impl Watch for Counting<'_> {
    fn turn(&self, used: &Usage) -> ControlFlow<()> {
        self.board.content().used.add(used);
        self.watch.turn(used)
    }

    fn stop(&self) -> Option<RunCode> {
        self.watch.stop()
    }
}

#[cfg(test)]
mod tests {
    use agent_graph_runtime::Timestamp;
    use agent_graph_runtime::pi::executor::Unwatched;

    use super::*;

    fn event(what: Happening) -> Event {
        Event {
            at: Timestamp::from_unix_milliseconds(0),
            step: 2,
            what,
        }
    }

    #[test]
    fn the_line_says_what_is_at_work_and_what_is_used_of_the_limits() {
        let limits = Limits {
            max_steps: Some(9),
            max_cost_usd: Some(0.5),
            ..Limits::default()
        };
        let board = Board::new(Some(&limits), 3, &Usage::default());
        let node: Arc<str> = "draft".into();
        board.happened(&event(Happening::NodeStart {
            node: node.clone(),
            attempt: 1,
        }));
        let used = Usage {
            input_tokens: 40,
            output_tokens: 2,
            cost_usd: 0.0123,
            ..Usage::default()
        };
        let counting = Counting {
            watch: &Unwatched,
            board: &board,
        };
        let _ = counting.turn(&used);
        assert_eq!(
            board.line(),
            "step 2/9, runs 4/128, tokens 42/1M, $0.0123/0.5, 0/1800 s | draft 0 s"
        );
        board.happened(&event(Happening::NodeRetry {
            node,
            attempt: 2,
            due: Timestamp::from_unix_milliseconds(0),
            failure: agent_graph_runtime::pi::run::Failure::new(RunCode::EmptyOutput, ""),
        }));
        assert!(board.line().ends_with(" s | "), "{}", board.line());
        let long: Arc<str> = "long".repeat(50).into();
        board.happened(&event(Happening::NodeStart {
            node: long,
            attempt: 1,
        }));
        assert!(board.line().chars().count() <= COLUMNS);
    }
}
