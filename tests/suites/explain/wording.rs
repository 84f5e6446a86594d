//! Explanations of the public examples, member by member.

use std::collections::BTreeSet;

use agent_graph_runtime::explain::{Change, Explanation};
use agent_graph_runtime::{Provider, State as Input, Status};

const RELEASE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/examples/release-gate/provider.yaml"
);

fn release(state: &str) -> Explanation {
    let provider = Provider::load(RELEASE).expect("it loads");
    let state = Input::from_json(state).expect("it is an input");
    provider
        .explain("release", "default", &state)
        .expect("it exists")
}

#[test]
fn an_explanation_is_json_with_everything_a_node_is_missing() {
    let explanation = release(
        r#"{
            "facts": {"package": {"digest": "d", "fresh": true}, "scan": {"state": 7, "findings": []}},
            "outcomes": {"release/scan": "blocked"}
        }"#,
    );
    let json = serde_json::to_value(&explanation).expect("it is JSON");
    assert_eq!(json["status"], "blocked");
    assert_eq!(json["movesComplete"], true);
    let keys: Vec<&str> = explanation
        .frontier
        .iter()
        .map(|own| own.key.as_str())
        .collect();
    assert_eq!(keys, ["release/scan", "release/mend", "release/approval"]);
    assert_eq!(
        json["frontier"][0],
        serde_json::json!({
            "key": "release/scan", "graph": "release", "node": "scan", "kind": "action",
            "value": "blocked", "standing": "unhandled",
            "needs": [
                {"need": "onward", "to": "release/mend",
                 "needed": ["partial", "failed", "unverified"], "seen": "blocked"},
                {"need": "onward", "to": "release/approval",
                 "needed": ["completed"], "seen": "blocked"},
            ],
            "possibility": "possible",
        })
    );
    assert_eq!(
        json["frontier"][1]["needs"],
        serde_json::json!([
            {"need": "join", "join": "any", "met": 0, "of": 2},
            {"need": "edge", "from": "release/package", "needed": ["failed", "unverified"],
             "seen": "completed", "met": false},
            {"need": "edge", "from": "release/scan", "needed": ["partial", "failed", "unverified"],
             "seen": "blocked", "met": false},
        ])
    );
    let moves = json["moves"].as_array().expect("a list");
    let proof = serde_json::json!({
        "change": {"facts": {"node": "release/scan", "facts": [
            {"purpose": "proof", "path": "scan.state", "expected": {"equals": "clean"},
             "found": "number", "value": 7},
        ]}},
        "status": "waiting-user",
        "opens": ["release/approval"],
    });
    assert!(moves.contains(&proof), "{moves:#?}");
    // `completed` without proof comes to `unverified`, which leads to `mend` like the others.
    let record = serde_json::json!({
        "change": {"record": {"node": "release/scan",
                              "outcomes": ["completed", "partial", "failed", "unverified"],
                              "takesBack": "blocked"}},
        "status": "actionable",
        "opens": ["release/mend"],
    });
    assert!(moves.contains(&record), "{moves:#?}");
}

#[test]
fn an_open_gate_names_its_authority_and_whether_the_session_holds_it() {
    let explanation = release(
        r#"{
            "facts": {"package": {"digest": "d", "fresh": true}, "scan": {"state": "clean"}},
            "authorities": ["other"]
        }"#,
    );
    assert_eq!(explanation.status, Status::WaitingUser);
    let gate = explanation
        .frontier
        .iter()
        .find(|own| own.node == "approval");
    let needs = serde_json::to_value(&gate.expect("it is open").needs).expect("it is JSON");
    assert_eq!(
        needs[1],
        serde_json::json!({
            "need": "authority", "authority": "release.approve", "delegatable": true, "held": false,
        })
    );
    let by_authority = explanation.moves.iter().find(|own| {
        own.change
            == Change::Authority {
                authority: "release.approve".into(),
            }
    });
    let by_authority = by_authority.expect("the authority helps");
    assert_eq!(by_authority.opens, ["release/approval"]);
    assert_eq!(by_authority.status, Status::Actionable);
}

#[test]
fn unknown_names_come_with_the_nearest_known_ones() {
    let explanation = release(
        r#"{
            "outcomes": {"release/packge": "completed", "release/scan": "completed", "x/y": "failed",
                         "release/scan>inner/step": "failed"},
            "authorities": ["release.aprove", "nothing-like-it"]
        }"#,
    );
    let keys = serde_json::to_value(&explanation.unknown_keys).expect("it is JSON");
    assert_eq!(
        keys,
        serde_json::json!([
            {"key": "release/packge", "ignored": false, "nearest": "release/package"},
            {"key": "x/y", "ignored": false},
            {"key": "release/scan>inner/step", "ignored": false},
        ])
    );
    let authorities = serde_json::to_value(&explanation.unknown_authorities).expect("it is JSON");
    assert_eq!(
        authorities,
        serde_json::json!([
            {"authority": "nothing-like-it"},
            {"authority": "release.aprove", "nearest": "release.approve"},
        ])
    );
}

#[test]
fn outcomes_of_called_graphs_are_known_and_those_of_the_calls_themselves_are_ignored() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/nested-repeat/provider.yaml"
    );
    let provider = Provider::load(path).expect("it loads");
    let state = Input::from_json(
        r#"{"outcomes": {
            "season/north": "completed",
            "season/north>plot/samples>sample/collect": "completed",
            "season/north>plot/samples>sample/colect": "completed",
            "season/nort>plot/water": "completed"
        }}"#,
    );
    let state = state.expect("it is an input");
    let explanation = provider
        .explain("season", "default", &state)
        .expect("it exists");
    let keys: Vec<(&str, bool, Option<&str>)> = explanation
        .unknown_keys
        .iter()
        .map(|own| (own.key.as_str(), own.ignored, own.nearest.as_deref()))
        .collect();
    assert_eq!(
        keys,
        [
            ("season/north", true, None),
            (
                "season/north>plot/samples>sample/colect",
                false,
                Some("season/north>plot/samples>sample/collect")
            ),
            (
                "season/nort>plot/water",
                false,
                Some("season/north>plot/water")
            ),
        ]
    );
}

#[test]
fn a_repeat_in_force_is_named_and_ends_with_the_record_of_its_source() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/nested-repeat/provider.yaml"
    );
    let provider = Provider::load(path).expect("it loads");
    let state = Input::from_json(
        r#"{"outcomes": {"sample/collect": "completed", "sample/assay": "unverified"}}"#,
    );
    let state = state.expect("it is an input");
    let explanation = provider
        .explain("sample", "default", &state)
        .expect("it exists");
    let json = serde_json::to_value(&explanation.frontier[0]).expect("it is JSON");
    assert_eq!(json["key"], "sample/collect");
    assert_eq!(json["standing"], serde_json::json!({"open": "immediate"}));
    let repeat =
        serde_json::json!({"need": "repeat", "from": "sample/assay", "seen": "unverified"});
    assert!(
        json["needs"]
            .as_array()
            .is_some_and(|needs| needs.contains(&repeat)),
        "{json}"
    );
    // Nothing that is recorded for `collect` helps.
    let about: BTreeSet<&str> = explanation
        .moves
        .iter()
        .filter_map(|own| match &own.change {
            Change::Record { node, .. } => Some(node.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(about, BTreeSet::from(["sample/assay"]));
}

#[test]
fn an_unknown_entry_has_nothing_to_explain_and_an_unknown_graph_is_an_error() {
    let provider = Provider::load(RELEASE).expect("it loads");
    let explanation = provider
        .explain("release", "none", &Input::new())
        .expect("the graph exists");
    assert_eq!(explanation.status, Status::Error);
    assert!(explanation.frontier.is_empty() && explanation.moves.is_empty());
    let missing = provider.explain("none", "default", &Input::new());
    assert_eq!(
        missing.map_err(|error| error.code()),
        Err(agent_graph_runtime::Code::GraphMissing)
    );
}
