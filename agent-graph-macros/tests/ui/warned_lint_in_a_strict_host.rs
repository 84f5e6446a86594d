#![deny(warnings)]

agent_graph_macros::include_provider! {
    pub mod release = "fixtures/unsound/provider.yaml", lints(warn("unmeetable-join"));
}

fn main() {
    println!("{}", release::PROVIDER.id());
}
