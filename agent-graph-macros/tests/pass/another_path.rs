//! A host that gets the runtime through a crate of its own.
#![deny(warnings)]

pub mod facade {
    pub mod runtime {
        pub use agent_graph_runtime::*;
    }
}

agent_graph_macros::include_provider! {
    pub mod release = "fixtures/shop/provider.yaml", crate = crate::facade::runtime;
}

fn main() {
    let provider: facade::runtime::Provider = release::PROVIDER;
    assert_eq!(provider.id(), "shop/release");
}
