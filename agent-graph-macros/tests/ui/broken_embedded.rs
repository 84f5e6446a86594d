agent_graph_macros::include_provider! {
    pub mod release = "fixtures/broken/provider.yaml", embed = true;
}

// The definition is what is wrong, not that there are no files.
fn main() {
    println!("{}", release::EMBEDDED.files().len());
}
