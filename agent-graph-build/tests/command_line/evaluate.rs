//! Where things stand: `evaluate`, `route`, `explain`.

use crate::*;

#[test]
fn an_evaluation_that_is_blocked_or_an_error_is_a_result() {
    let folder = example("host-batch");
    let graph = result(&folder, &["inspect", "provider"])["graphs"][0]["id"].clone();
    let graph = graph.as_str().unwrap();
    let evaluation = result(&folder, &["evaluate", graph, "--entry", "nothing"]);
    fits("agent-graph.evaluation.v1", &evaluation);
    assert_eq!(evaluation["statusCode"], "error");
    let output = play(&folder, &["evaluate", graph, "--entry", "nothing"]);
    assert!(text(&output.stdout).starts_with("State: error\n"));
    assert!(text(&output.stdout).contains("entry-missing"));
}

#[test]
fn a_graph_that_is_not_there_is_refused_with_those_that_are() {
    for command in ["evaluate", "route", "explain"] {
        let refused = |graph| {
            let output = play(&example("release-gate"), &[command, graph]);
            assert_eq!(output.status.code(), Some(1));
            text(&output.stderr).to_owned()
        };
        assert!(refused("relaese").ends_with("  help: did you mean `release`?\n"));
        assert!(refused("x").ends_with("  help: Name one of `release`\n"));
    }
}

#[test]
fn a_route_is_resolved_by_its_id_and_its_revision() {
    let folder = example("release-gate");
    let evaluation = result(&folder, &["evaluate", "release"]);
    let revision = evaluation["revision"].as_str().unwrap();
    let id = evaluation["primaryRoute"]["routeId"].as_str().unwrap();
    let route = result(&folder, &["route", "release", id, "--revision", revision]);
    fits("agent-graph.route.v1", &route);
    assert_eq!(route["routeId"], id);
    assert_eq!(route, result(&folder, &["route", "release"]));
    let here = std::fs::canonicalize(&folder).unwrap();
    let output = play(&here, &["route", "release"]);
    for label in [
        "Next: ",
        "Reason: ",
        "Command: ",
        "Working directory: ",
        "Required: ",
        "Recommended: ",
    ] {
        assert!(text(&output.stdout).contains(label), "{label}");
    }
    let stale = error(
        &folder,
        &["route", "release", "nonsense", "--revision", "nonsense"],
    );
    assert_eq!(stale["code"], "route-revision-stale");
    let stale = error(
        &folder,
        &["route", "release", "nonsense", "--revision", revision],
    );
    assert_eq!(stale["code"], "route-stale");
}

#[test]
fn receipts_make_resources_current() {
    let folder = example("release-gate");
    let route = result(&folder, &["route", "release"]);
    let resource = &route["resources"]["required"][0];
    let receipts = serde_json::json!({
        "schema": "agent-graph.resource-read-receipts.v1",
        "provider": "harbor/release",
        "receipts": [{ "id": resource["id"], "digest": resource["digest"] }],
    });
    let with = [
        "route",
        "release",
        "--resource-receipts",
        &receipts.to_string(),
    ]
    .map(str::to_owned);
    let with: Vec<&str> = with.iter().map(String::as_str).collect();
    let read = result(&folder, &with);
    assert_eq!(read["resources"]["required"][0]["readState"], "current");
    let wrong = error(&folder, &["route", "release", "--resource-receipts", "{}"]);
    assert_eq!(wrong["code"], "schema-invalid");
}

#[test]
fn json_arguments_come_from_files_too() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    scratch.write(
        "facts.yaml",
        "package: { digest: 'sha256:aa', fresh: true }\n",
    );
    let from_file = result(&folder, &["evaluate", "release", "--facts", "@facts.yaml"]);
    let facts = r#"{"package":{"digest":"sha256:aa","fresh":true}}"#;
    assert_eq!(
        from_file,
        result(&folder, &["evaluate", "release", "--facts", facts])
    );
    scratch.write("bad.json", "{");
    let bad = error(&folder, &["evaluate", "release", "--facts", "@bad.json"]);
    assert_eq!(bad["code"], "parse-failed");
}

#[test]
fn an_explanation_names_what_is_missing_and_what_would_help() {
    let folder = example("release-gate");
    let outcomes = ["--outcomes", "{\"release/pakage\":\"completed\"}"];
    let explanation = result(&folder, &["explain", "release", outcomes[0], outcomes[1]]);
    assert_eq!(explanation["frontier"][0]["key"], "release/package");
    assert_eq!(explanation["unknownKeys"][0]["nearest"], "release/package");
    let output = play(&folder, &["explain", "release", outcomes[0], outcomes[1]]);
    let human = text(&output.stdout);
    assert!(
        human.contains("\n  needs fact package.fresh to be true; it is absent\n"),
        "{human}"
    );
    assert!(human.contains("\nWould help: "), "{human}");
    assert!(human.contains("did you mean release/package?"), "{human}");
}

#[test]
fn a_dead_end_is_called_one() {
    let scratch = Scratch::new();
    let folder = scratch.root();
    scratch.write(
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: dead/end\nversion: 1.0.0\ngraphs: [g.yaml]\n",
    );
    scratch.write(
        "g.yaml",
        "schema: agent-graph.graph.v1\nid: g\nentrypoints: { default: a }\nnodes:\n  - { id: a, kind: action, \
         reasonCode: route.a, action: do.yaml }\n  - { id: end, kind: terminal, terminalOutcome: completed }\n\
         edges: []\n",
    );
    scratch.write(
        "do.yaml",
        "schema: agent-graph.action.v1\nid: do\nrunner: host\neffect: write\nhandler: do.it\n",
    );
    let arguments = ["explain", "g", "--outcomes", r#"{"g/a":"completed"}"#];
    let explained = result(&folder, &arguments);
    assert_eq!(explained["frontier"][0]["needs"][0]["need"], "dead-end");
    let output = play(&folder, &arguments);
    let human = text(&output.stdout);
    assert!(human.contains("  no edge leads on from here\n"), "{human}");
    assert!(human.ends_with("No single change would help.\n"), "{human}");
}
