agent_graph_macros::include_provider! {
    pub mod release = "fixtures/none/provider.yaml";
}

fn main() {}
