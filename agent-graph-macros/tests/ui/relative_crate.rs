agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml", crate = runtime;
}

fn main() {}
