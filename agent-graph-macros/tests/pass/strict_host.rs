//! A host that forbids whatever it can, and keeps the module to itself.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]
#![deny(missing_debug_implementations, missing_copy_implementations, elided_lifetimes_in_paths)]
#![forbid(unsafe_code)]

agent_graph_macros::include_provider! {
    mod release = "fixtures/shop/provider.yaml";
}

fn main() {
    assert_eq!(release::graphs::release::Node::N1st.as_str(), "1st");
}
