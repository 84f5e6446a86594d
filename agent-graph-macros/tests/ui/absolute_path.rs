agent_graph_macros::include_provider! {
    pub mod release = "/workflow/provider.yaml";
}

fn main() {}
