//! A built bundle, verified while it is compiled in.
#![deny(warnings)]

agent_graph_macros::include_provider! {
    pub mod release = "fixtures/bundle/manifest.json", strict;
}

fn main() {
    assert_eq!(release::PROVIDER.id(), "shop/packed");
    let evaluation = release::graphs::release::Entry::Default.evaluate(&Default::default());
    assert_eq!(evaluation.candidates().count(), 1);
}
