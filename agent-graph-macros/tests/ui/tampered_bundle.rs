agent_graph_macros::include_provider! {
    pub mod release = "fixtures/tampered/manifest.json";
}

fn main() {
    println!("{}", release::PROVIDER.id());
}
