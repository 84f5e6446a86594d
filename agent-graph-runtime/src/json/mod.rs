//! JSON as the protocol needs it: exact doubles, members in source order, bounded depth.
//! Knows nothing about what the values mean.

mod value;

pub use value::{Object, Value};
