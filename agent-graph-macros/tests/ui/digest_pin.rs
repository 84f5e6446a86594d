//! Another provider than the one whose digest is pinned: the error says what to pin.

agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml",
        digest = "sha256:0000000000000000000000000000000000000000000000000000000000000000";
}

fn main() {
    println!("{}", shop::PROVIDER.id());
}
