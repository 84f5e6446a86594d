//! JSON as the protocol needs it: exact doubles, members in source order, bounded depth.
//! Knows nothing about what the values mean.

mod build;
mod deserialize;
mod from_serialize;
mod object;
pub(crate) mod read;
mod serialize;
mod to_typed;
mod value;
pub(crate) mod write;

pub use object::Object;
pub use read::DEPTH_LIMIT;
pub use value::Value;
