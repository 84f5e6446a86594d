//! A file that does not parse and two that have the wrong shape: an error for each mistake, and none for the
//! names, which the host uses as if nothing had happened.

use agent_graph_runtime::{Progress, State};

agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/three/provider.yaml";
}

use shop::graphs::{build, review, ship};

fn name(step: ship::Step) -> &'static str {
    match step {
        ship::Step::Review(review::Step::Read) => "read",
        ship::Step::Review(review::Step::Approve) => "approve",
        ship::Step::Upload => "upload",
    }
}

fn main() {
    let state = State::new();
    let evaluation = ship::Entry::Default.evaluate(&state);
    if let Progress::Actionable(route) = evaluation.progress() {
        println!("{} {:?}", name(route.step()), shop::Handler::ShopCompile);
    }
    println!("{:?} {:?}", build::Step::Compile, build::Entry::Default);
}
