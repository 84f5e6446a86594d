//! Every state there could be, one representative for each way an evaluation can go. Behind explanations
//! and lints; knows the evaluator's questions, nothing about what is concluded from the answers.
//!
//! The evaluator itself is run again and again. Whenever it asks something that the answers given so far
//! leave open, one answer is taken and the others are remembered for later runs. Outcomes that no edge
//! tells apart are one answer, so that each run stands for all the states that go its way. Facts are
//! assumed only as far as the assumptions can hold together. How a called graph can end is found once, and
//! one ending is an answer. The search is exact when it ends; how much work it may be is bounded.

mod answers;
mod assumed;
mod cone;
mod explorer;
mod literal;
mod oracle;
mod possibility;
mod trace;
mod trail;
mod ways;
mod work;

pub use answers::{Recorded, is_open, is_settled};
pub use assumed::{can_all_hold, contradiction};
pub use explorer::{Explorer, callees_first};
pub(crate) use literal::{Literal, establish};
pub use possibility::Possibility;
#[cfg(feature = "explain")]
pub(crate) use trace::Trace;
pub use trail::Trail;
pub(crate) use ways::calls;
pub use ways::{Record, Way, Ways};
pub use work::Work;

/// Whether a text can be an id, which is what read receipts ask.
#[cfg(feature = "std")]
pub fn is_id(text: &str) -> bool {
    crate::scalar::is_id(text)
}
