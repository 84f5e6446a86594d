//! Lints set to levels: those that warn do not fail the build unless the host forbids warnings, those that
//! are allowed say nothing.
#![deny(warnings)]

agent_graph_macros::include_provider! {
    mod silent = "fixtures/unsound/provider.yaml",
        lints(allow("unmeetable-join", "unused-code"), allow("stuck-state"));
    mod all = "fixtures/unsound/provider.yaml", lints(allow("all"));
}

mod tolerant {
    #![allow(deprecated)]

    agent_graph_macros::include_provider! {
        pub mod warned = "fixtures/unsound/provider.yaml", lints(warn("all"));
    }
}

fn main() {
    assert_eq!(silent::PROVIDER.digest(), all::PROVIDER.digest());
    assert_eq!(tolerant::warned::PROVIDER.digest(), all::PROVIDER.digest());
}
