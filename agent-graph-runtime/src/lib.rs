//! Agent Graph runtime (crate docs follow).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod canonical;
mod code;
mod collation;
mod digest;
mod error;
mod evaluate;
mod evaluation;
mod evaluator;
mod fact_check;
mod facts;
#[cfg(feature = "dynamic")]
mod finding;
#[doc(hidden)]
pub mod generated;
#[cfg(feature = "std")]
mod installed;
pub mod json;
#[cfg(feature = "dynamic")]
pub mod load;
pub mod protocol;
mod provider;
mod span;
mod state;
#[doc(hidden)]
pub mod tables;
mod wire;

pub use code::Code;
pub use digest::{Digest, MalformedDigest, RouteId};
pub use error::Error;
pub use facts::Facts;
#[cfg(feature = "dynamic")]
pub use finding::{Finding, Findings, Level, Place};
pub use span::{Position, Span};
pub use state::State;
