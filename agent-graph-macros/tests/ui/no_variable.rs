agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml", override_env = "";
}

fn main() {}
