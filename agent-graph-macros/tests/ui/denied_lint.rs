agent_graph_macros::include_provider! {
    pub mod release = "fixtures/unsound/provider.yaml", lints(deny("unused-code"));
}

fn main() {
    println!("{}", release::PROVIDER.id());
}
