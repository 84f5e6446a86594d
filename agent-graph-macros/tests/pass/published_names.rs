//! A library that publishes the module, pins what it stands for, and lets developers try out another provider.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]
#![deny(missing_debug_implementations, missing_copy_implementations, elided_lifetimes_in_paths)]
#![forbid(unsafe_code)]

agent_graph_macros::include_provider! {
    pub mod packed = "fixtures/bundle/manifest.json",
        digest = "sha256:e4e612c508bd03dccfe1ae98eb6af33b5d3d4826c15b166cae782d4844131494",
        non_exhaustive,
        override_env = "AGENT_GRAPH_TEST_NEVER_SET";
}

use packed::graphs::release::{Entry, Step};

fn main() {
    assert_eq!(packed::provider().map(|it| it.digest()), Ok(packed::PROVIDER.digest()));
    let evaluation = Entry::Default.evaluate(&Default::default());
    // Within the crate a match is as exhaustive as ever.
    let steps = evaluation.candidates().map(|candidate| match candidate.step() {
        Step::Build => "build",
    });
    assert_eq!(steps.collect::<Vec<_>>(), ["build"]);
}
