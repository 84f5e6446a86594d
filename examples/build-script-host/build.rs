//! Compiles the provider in. Unlike the macro, this notices files that are added to a folder.

fn main() {
    agent_graph_build::Builder::new("../macro-host/workflow/provider.yaml")
        .module("bakery")
        .emit();
}
