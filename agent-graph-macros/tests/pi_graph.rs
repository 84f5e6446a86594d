//! A pi-graph that is compiled in: its names, and that it is the graph that is loaded from the same file.

#![deny(warnings)]

use agent_graph_runtime::pi;

agent_graph_macros::include_pi_graph! {
    /// A graph with every feature.
    pub mod every = "tests/fixtures/pi/every-feature.graph.json", rename("refine 🔧" = Refine);
}

use every::{Agent, GRAPH, Human, Kind, Node, Set, Target};

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/fixtures/pi/every-feature.graph.json"
);

#[test]
fn the_graph_that_is_compiled_in_is_the_graph_that_is_loaded() {
    let loaded = pi::load(FILE.as_ref()).unwrap().graph();
    assert_eq!(GRAPH.tables(), loaded.tables());
    assert_eq!(GRAPH.hash(), loaded.hash());
    assert_eq!(GRAPH.name(), "every-feature");
}

#[test]
fn ids_that_are_any_text_have_names_and_names_have_their_ids() {
    let ids: Vec<&str> = Node::ALL.iter().map(|node| node.as_str()).collect();
    assert_eq!(ids, GRAPH.nodes().collect::<Vec<_>>());
    assert_eq!(Node::ReviewApi.as_str(), "review api");
    assert_eq!(Node::ReviewDocs.as_str(), "review.docs");
    assert_eq!(Node::Refine.as_str(), "refine 🔧");
    assert_eq!("review.docs".parse(), Ok(Node::ReviewDocs));
}

#[test]
fn a_match_on_the_kind_names_the_nodes_of_each_kind() {
    let does = |node: Node| match node.kind() {
        Kind::Agent(Agent::Plan) => "plans",
        Kind::Agent(Agent::ReviewApi | Agent::ReviewDocs) => "reviews",
        Kind::Agent(Agent::Refine) => "refines",
        Kind::Set(Set::Prepare) => "prepares",
        Kind::Human(Human::Ask | Human::Choose | Human::Tell) => "asks",
    };
    let done: Vec<&str> = Node::ALL.iter().map(|node| does(*node)).collect();
    assert_eq!(
        done,
        [
            "plans", "prepares", "reviews", "reviews", "refines", "asks", "asks", "asks"
        ]
    );
    assert_eq!(Node::from(Human::Ask), Node::Ask);
    assert_eq!(Human::Ask.as_str(), "ask");
    assert_eq!("plan".parse(), Ok(Agent::Plan));
    assert!("plan".parse::<Human>().is_err());
}

#[test]
fn a_target_is_a_node_or_the_end() {
    assert_eq!("__end__".parse(), Ok(Target::End));
    assert_eq!("ask".parse(), Ok(Target::Node(Node::Ask)));
    assert_eq!(Target::from(Node::Ask).to_string(), "ask");
    assert!("nobody".parse::<Target>().is_err());
}

#[test]
fn what_a_run_needs_comes_out_of_static_tables() {
    let state = GRAPH.initial_state();
    assert_eq!(
        pi::compact(&state.into()),
        "{\"10\":true,\"score\":0,\"limits\":{\"rounds\":3},\"title\":\"Größe 😀\"}"
    );
    assert_eq!(GRAPH.reducer("reviews"), Some(pi::words::Reducer::Collect));
    assert!(GRAPH.is_mutating());
}
