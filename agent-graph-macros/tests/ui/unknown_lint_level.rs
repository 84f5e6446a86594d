agent_graph_macros::include_provider! {
    pub mod release = "fixtures/unsound/provider.yaml", lints(forbid("unused-code"));
}

fn main() {}
