//! A skill that is bound to a graph of the provider.

agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml", skill = "fixtures/skills/release/SKILL.md";
}

fn main() {
    assert_eq!(shop::PROVIDER.id(), "shop/release");
}
