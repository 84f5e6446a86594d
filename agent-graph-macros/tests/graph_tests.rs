//! The graph tests of the examples, each a test by itself.

mod release_gate {
    agent_graph_macros::graph_tests!(
        "../tests/examples/release-gate/provider.yaml",
        "../tests/examples/release-gate/tests"
    );
}

// Its input follows a schema that users write.
#[cfg(feature = "user-schemas")]
mod host_batch {
    agent_graph_macros::graph_tests!(
        "../tests/examples/host-batch/provider.yaml",
        "../tests/examples/host-batch/tests"
    );
}

mod nested_repeat {
    agent_graph_macros::graph_tests!(
        "../tests/examples/nested-repeat/provider.yaml",
        "../tests/examples/nested-repeat/tests"
    );
}
