agent_graph_macros::include_provider! {
    pub mod release = "fixtures/broken/provider.yaml";
}

fn main() {
    // The module is there all the same, so this is no error on top.
    println!("{}", release::PROVIDER.id());
}
