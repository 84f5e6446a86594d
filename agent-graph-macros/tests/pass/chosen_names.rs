//! Names of the author's choice, in variants and modules.
#![deny(warnings)]

agent_graph_macros::include_provider! {
    /// The first.
    pub mod first = "fixtures/shop/provider.yaml",
        rename("scan.review" = Review, "type" = kind),
        rename("self" = Approval);
    #[cfg(any())]
    pub mod never = "fixtures/shop/provider.yaml";
    pub(crate) mod clash = "./fixtures/clash/provider.yaml", rename("1" = One),
        lints(allow("unreachable-node"));
}

fn main() {
    use first::graphs::release::Node;
    // Freed of the other, the second one keeps its short name.
    assert_eq!(Node::Review.as_str(), "scan.review");
    assert_eq!(Node::ScanReview.as_str(), "scan-review");
    assert_eq!(Node::Approval.as_str(), "self");
    assert_eq!(first::graphs::kind::Node::End.as_str(), "end");
    assert_eq!(clash::graphs::count::Node::One.as_str(), "1");
    assert_eq!(clash::graphs::count::Node::N1.as_str(), "n1");
}
