agent_graph_macros::include_provider! {
    pub mod shop = "fixtures/shop/provider.yaml";
}

use shop::graphs::release::Step;

fn name(step: Step) -> &'static str {
    match step {
        Step::ScanDotReview | Step::ScanDashReview => "scan",
        Step::SelfNode => "gate",
    }
}

fn main() {
    println!("{}", name(Step::SelfNode));
}
