//! The limits of a graph and its nodes (spec 10). Knows what is used, not what follows.

use alloc::format;
use alloc::vec::Vec;

use super::Run;
use super::flight::Slot;
use crate::json::Object;
use crate::pi::apply::Applied;
use crate::pi::run::attempt::Failure;
use crate::pi::run::code::RunCode;
use crate::pi::run::usage::Usage;
use crate::pi::run::work::{Budget, Deadline};
use crate::pi::tables::{NodeRow, Tables};
use crate::pi::{path, print, state};
use crate::timestamp::Timestamp;

impl Run {
    /// Whether the run has been at work for longer than it may.
    pub(super) fn is_overdue(&self) -> bool {
        self.active_ms() > self.graph.tables().graph.timeout_ms
    }

    /// The limit of the whole run that is exceeded between supersteps, if one is.
    pub(super) fn exceeded_between(&self) -> Option<RunCode> {
        let limits = self.graph.tables().graph;
        if self.is_overdue() {
            return Some(RunCode::Timeout);
        }
        if self.node_runs > limits.max_node_runs {
            return Some(RunCode::MaxNodeRuns);
        }
        self.exceeded_total()
    }

    fn exceeded_total(&self) -> Option<RunCode> {
        let limits = self.graph.tables().graph;
        if self.usage.cost_usd > f64::from_bits(limits.max_cost_usd) {
            return Some(RunCode::MaxCost);
        }
        (self.usage.tokens() > limits.max_tokens).then_some(RunCode::MaxTokens)
    }

    /// The limit that is exceeded now that an attempt at this node has used so much, if one is.
    pub(super) fn exceeded_by(&self, row: u32, attempt: &Usage) -> Option<RunCode> {
        let tables = self.graph.tables();
        let node = tables.row(tables.nodes, row);
        let cost = node.max_cost_usd.map(f64::from_bits);
        let is_above = |limit: Option<u64>, used: u64| limit.is_some_and(|limit| used > limit);
        self.exceeded_total().or_else(|| {
            if cost.is_some_and(|limit| attempt.cost_usd > limit) {
                Some(RunCode::NodeMaxCost)
            } else if is_above(node.max_tokens, attempt.tokens()) {
                Some(RunCode::NodeMaxTokens)
            } else if is_above(node.max_turns, attempt.turns) {
                Some(RunCode::NodeMaxTurns)
            } else {
                None
            }
        })
    }

    /// What an attempt may use, and what is left for the whole run.
    pub(super) fn budgets(&self, node: &NodeRow) -> (Budget, Budget) {
        let limits = self.graph.tables().graph;
        let attempt = Budget {
            tokens: node.max_tokens,
            cost_usd: node.max_cost_usd.map(f64::from_bits),
            turns: node.max_turns,
        };
        let cost_left = f64::from_bits(limits.max_cost_usd) - self.usage.cost_usd;
        let run = Budget {
            tokens: Some(limits.max_tokens.saturating_sub(self.usage.tokens())),
            cost_usd: Some(cost_left.max(0.0)),
            turns: None,
        };
        (attempt, run)
    }

    /// When an attempt that begins now is to be ended.
    pub(super) fn deadline(&self, node: &NodeRow) -> Deadline {
        let limit = self.graph.tables().graph.timeout_ms;
        let left = limit.saturating_sub(self.active_ms());
        let of_run = Deadline {
            at: super::later(self.now, left),
            code: RunCode::Timeout,
        };
        match node.timeout_ms {
            Some(timeout) if timeout < left => Deadline {
                at: super::later(self.now, timeout),
                code: RunCode::NodeTimeout,
            },
            _ => of_run,
        }
    }
}

/// The failure that stands for a limit.
pub(super) fn failure(code: RunCode, slot: &Slot) -> Failure {
    let words = format!("{code}: the limit is exceeded");
    Failure::new(code, words).with_usage(slot.reported.clone())
}

/// When an attempt that failed is followed by another one.
pub(super) fn retry_at(now: Timestamp, node: &NodeRow, attempt: u64) -> Timestamp {
    let first = f64::from_bits(node.backoff_ms);
    let growth = f64::from_bits(node.backoff_multiplier);
    let wait = first * power(growth, attempt.saturating_sub(1));
    // Half rounds up; a cast stops at the greatest integer, and makes nothing of what is no number.
    super::later(now, (wait + 0.5) as u64)
}

/// By squares: powers are not part of `core`.
fn power(base: f64, exponent: u64) -> f64 {
    let (mut result, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result *= square;
        }
        square *= square;
        left /= 2;
    }
    result
}

/// The bytes of the values whose size is limited, as they are after a superstep.
pub(super) type Limited = Vec<Option<u64>>;

/// From this size on it is worth knowing what a value has grown by.
const MEASURED_AT_ONCE: u64 = 4096;

/// Measures the values whose size is limited: those that `concerns` picks, the others are as they were.
/// Refuses a state that is too large, or has too large a value.
pub(super) fn sizes(
    tables: &Tables<'_>,
    state: &Object,
    bytes: u64,
    before: &Limited,
    concerns: impl Fn(&[&str]) -> bool,
    applied: Option<&Applied>,
) -> Result<Limited, RunCode> {
    if bytes > tables.graph.max_state_bytes {
        return Err(RunCode::MaxStateBytes);
    }
    let mut sizes = Limited::new();
    for (at, limit) in tables.path_limits.iter().enumerate() {
        let known = before.get(at).copied().flatten();
        sizes.push(known);
        let Some(max_bytes) = limit.max_bytes else {
            continue;
        };
        let written = tables.text(tables.row(tables.paths, limit.path).written);
        let Ok(segments) = path::segments(written) else {
            continue;
        };
        if !concerns(&segments) {
            continue;
        }
        let large = known.filter(|known| *known > MEASURED_AT_ONCE);
        let growth = large.and_then(|_| applied?.growth_at(&segments));
        let size = match (large, growth) {
            (Some(before), Some(growth)) => Some(before.saturating_add_signed(growth)),
            _ => state::get(state, &segments).map(print::compact_size),
        };
        if size.is_some_and(|size| size > max_bytes) {
            return Err(RunCode::MaxStatePathBytes);
        }
        if let Some(last) = sizes.last_mut() {
            *last = size;
        }
    }
    Ok(sizes)
}

/// The bytes of a state, as compact text.
pub(super) fn state_bytes(state: &Object) -> u64 {
    print::compact_size_of(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Value;

    fn wait(first: f64, growth: f64, attempt: u64) -> i64 {
        let node = NodeRow {
            backoff_ms: first.to_bits(),
            backoff_multiplier: growth.to_bits(),
            ..*<NodeRow as crate::tables::Row>::ABSENT
        };
        let from = Timestamp::from_unix_milliseconds(0);
        retry_at(from, &node, attempt).unix_milliseconds()
    }

    #[test]
    fn waits_grow_and_are_rounded_half_up() {
        assert_eq!([1, 2, 3].map(|at| wait(100.0, 2.0, at)), [100, 200, 400]);
        assert_eq!([1, 2, 3].map(|at| wait(2.5, 1.5, at)), [3, 4, 6]);
        assert_eq!(wait(0.4, 2.0, 1), 0);
        assert_eq!(wait(0.0, 2.0, u64::MAX), 0);
        let end_of_time = Timestamp::from_unix_milliseconds(i64::MAX);
        assert_eq!(wait(1.0, 2.0, 5000), end_of_time.unix_milliseconds());
    }

    #[test]
    fn powers_are_products() {
        assert_eq!(power(1.5, 5), 1.5 * 1.5 * 1.5 * 1.5 * 1.5);
        assert_eq!(power(2.0, 0), 1.0);
    }

    #[test]
    fn values_count_as_compact_text() {
        let state: Object = [("a", Value::from("é"))].into_iter().collect();
        assert_eq!(state_bytes(&state), 10);
    }
}
