agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml", renames("self" = Approval);
}

fn main() {}
