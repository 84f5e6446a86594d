agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml", digest = "0000";
}

fn main() {}
