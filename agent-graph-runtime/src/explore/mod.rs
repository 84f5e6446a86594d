//! Every state there could be, one representative for each way an evaluation can go. Behind explanations
//! and lints; knows the evaluator's questions, nothing about what is concluded from the answers.

mod literal;

pub(crate) use literal::{Literal, can_all_hold, establish};
