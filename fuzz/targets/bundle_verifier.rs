//! See the property of this name in `agent-graph-properties`.
#![no_main]

libfuzzer_sys::fuzz_target!(
    |input: &[u8]| agent_graph_properties::checks::bundle_verifier::check(input)
);
