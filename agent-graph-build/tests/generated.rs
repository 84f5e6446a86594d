//! The expected module compiled, with every warning an error: what is printed is not only equal to what
//! was expected, it also works.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]
#![deny(clippy::all, clippy::pedantic)]

#[allow(clippy::pedantic)]
mod support;

include!("expected/shop.rs");

use std::str::FromStr as _;

use shop::graphs::release::{Entry, Graph, Node, Step};
use shop::{Authority, Handler, ReasonCode, graphs};

#[test]
fn names_are_looked_up_in_the_tables() {
    let names: Vec<&str> = Node::ALL.iter().map(|node| node.as_str()).collect();
    assert_eq!(
        names,
        [
            "scan.review",
            "scan-review",
            "audit",
            "self",
            "1st",
            "shipped"
        ]
    );
    assert_eq!(graphs::audit::Node::Done.as_str(), "done");
    assert_eq!(graphs::r#type::Entry::Default.as_str(), "default");
    assert_eq!(Entry::N2ndTry.as_str(), "2nd-try");
    assert_eq!(Handler::TideRenderBriefV1.as_str(), "tide.render-brief/v1");
    assert_eq!(Authority::ReleaseManager.as_str(), "release-manager");
    assert_eq!(ReasonCode::RouteAuditCheck.as_str(), "route.audit.check");
}

#[test]
fn names_are_read_from_their_text_and_no_other() {
    for node in Node::ALL {
        assert_eq!(Node::from_str(node.as_str()), Ok(*node));
    }
    let error = Node::from_str("Audit").unwrap_err();
    assert_eq!(error.to_string(), "not a known node of graph `release`");
}

#[test]
fn names_show_as_their_text() {
    assert_eq!(format!("{:>6}|", Node::N1st), "   1st|");
    assert_eq!(format!("{:?}", Node::N1st), "1st");
    assert_eq!(String::from(Authority::ReleaseManager), "release-manager");
}

#[test]
fn names_are_their_text_on_the_wire() {
    let json = serde_json::to_string(Entry::ALL).unwrap();
    assert_eq!(json, r#"["default","2nd-try"]"#);
    let entries: Vec<Entry> = serde_json::from_str(&json).unwrap();
    assert_eq!(entries, Entry::ALL);
    let error = serde_json::from_str::<Entry>("\"first\"").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("expected entry of graph `release`")
    );
}

#[test]
fn the_provider_has_the_tables_that_were_printed() {
    assert_eq!(shop::PROVIDER.tables(), support::sample().as_tables());
}

#[test]
fn a_graph_without_anything_to_do_has_no_steps() {
    // An empty enumeration has no size and no value.
    assert_eq!(size_of::<graphs::r#type::Step>(), 0);
}

#[test]
fn a_graph_is_known_by_id_and_shape() {
    assert_eq!(<Graph as agent_graph_runtime::Graph>::ID, "release");
    assert_eq!(<Graph as agent_graph_runtime::Graph>::SHAPE, [0xcd; 32]);
}

#[test]
fn a_step_knows_its_node_and_shows_its_way() {
    let step = Step::Audit(graphs::audit::Step::Check);
    assert_eq!(step.node(), Node::Audit);
    assert_eq!(format!("{step:?}"), "audit(check)");
    assert_eq!(format!("{:?}", Step::ScanDotReview), "scan.review");
}
