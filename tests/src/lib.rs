//! What the workspace-level suites share: vectors, comparison, random providers and a second,
//! deliberately naive evaluator. The suites themselves are in `suites/`.

pub mod baked;
pub mod compare;
pub mod conformance;
pub mod json;
pub mod model;
pub mod naive;
pub mod random;
pub mod random_state;
pub mod seeded;
pub mod shapes;
pub mod sources;
pub mod written;
