//! A skill whose binding does not fit the provider is a compile error at the binding.

agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml", skill = "fixtures/skills/unknown-entry/SKILL.md";
}

fn main() {}
