agent_graph_macros::include_provider! {
    pub mod count = "fixtures/clash/provider.yaml";
}

fn main() {}
