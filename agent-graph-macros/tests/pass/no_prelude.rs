//! A host without a prelude, with names of its own for everything that has a well-known one.
#![no_implicit_prelude]
#![deny(warnings)]
#![allow(dead_code, unused_macros)]

macro_rules! concat { ($($any:tt)*) => { ::core::compile_error!("not this one") }; }
macro_rules! env { ($($any:tt)*) => { ::core::compile_error!("not this one") }; }
macro_rules! include_bytes { ($($any:tt)*) => { ::core::compile_error!("not this one") }; }
macro_rules! write { ($($any:tt)*) => { ::core::compile_error!("not this one") }; }

struct Option;
struct Result;
struct String;
struct Graph;
struct Provider;
mod core {}
mod std {}
mod serde {}

::agent_graph_macros::include_provider! {
    pub mod release = "fixtures/shop/provider.yaml";
}

fn main() {
    let entry: ::core::result::Result<release::graphs::release::Entry, _> =
        ::core::str::FromStr::from_str("2nd-try");
    ::core::assert!(::core::matches!(
        entry,
        ::core::result::Result::Ok(release::graphs::release::Entry::N2ndTry)
    ));
}
