//! A second opinion: the evaluation rules of the specification transcribed as they stand, slow and
//! recursive, on plain data. Shares no line with the crates under test.

mod canonical;
mod digests;
mod evaluator;

pub use canonical::{canonical, compare_names};
pub use digests::{digest_of_text, graph_digest};
pub use evaluator::{NaiveEvaluation, evaluate};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Json;
    use crate::model::{Action, Edge, Graph, Kind, Node, Provider, State, Step};

    const GRAPH: &str = "\
schema: agent-graph.graph.v1
id: brew
entrypoints: { cup: steep }
nodes:
  - { id: steep, kind: action, reasonCode: route.brew.steep, action: actions/steep.yaml }
  - { id: served, kind: terminal, terminalOutcome: completed }
edges:
  - { from: steep, to: served }
";
    const ACTION: &str = "\
schema: agent-graph.action.v1
id: steep
runner: command
effect: write
command: kettle steep --minutes 4
";

    fn tea_house() -> (Provider, Vec<(String, String)>) {
        let node = |id: &str, kind| Node {
            id: id.into(),
            description: None,
            priority: None,
            join: None,
            requires: Vec::new(),
            kind,
        };
        let step = Step {
            reason: "route.brew.steep".into(),
            satisfied: Vec::new(),
            required: Vec::new(),
            recommended: Vec::new(),
        };
        let action = Action {
            id: "steep".into(),
            file: "actions/steep.yaml".into(),
            effect: "write",
            runner: ("command", "kettle steep --minutes 4".into()),
            files: Vec::new(),
        };
        let graph = Graph {
            id: "brew".into(),
            file: "graphs/brew.yaml".into(),
            entries: vec![("cup".into(), 0)],
            nodes: vec![
                node("steep", Kind::Action(step, 0)),
                node("served", Kind::Terminal("completed")),
            ],
            edges: vec![Edge {
                from: 0,
                to: 1,
                outcomes: Vec::new(),
                kind: None,
            }],
        };
        let provider = Provider {
            id: "tea/house".into(),
            version: "0.3.0".into(),
            graphs: vec![graph],
            catalog: None,
            actions: vec![action],
            resources: Vec::new(),
        };
        let files = vec![
            ("graphs/brew.yaml".into(), GRAPH.into()),
            ("actions/steep.yaml".into(), ACTION.into()),
        ];
        (provider, files)
    }

    #[test]
    fn the_running_example_of_the_specification_has_its_digests() {
        let (provider, files) = tea_house();
        let digest = graph_digest(&provider, 0, &files);
        assert_eq!(
            digest,
            "sha256:4ca22c117c20747d775c46884e57e536563ee1e73ea2e101b14668cdc83868d4"
        );
        let mut state = State {
            facts: Json::Object(Vec::new()),
            outcomes: Vec::new(),
            authorities: Vec::new(),
        };
        let initial = evaluate(&provider, &digest, 0, "cup", &state, "")
            .json
            .source();
        assert!(
            initial.contains(
                "sha256:887403dc14730f830b9661517e357869983829b9ccb5c744084e9abcff18e3eb"
            )
        );
        assert!(initial.contains("route:ad4458e869a875287edf"));
        let nested = Json::Object(vec![("b".into(), Json::Null)]);
        let items = Json::List(vec![Json::Number(1.0), nested]);
        state.facts = Json::Object(vec![("a".into(), items)]);
        state.outcomes = vec![("brew/steep".into(), "partial", true)];
        state.authorities = vec!["z".into(), "a".into(), "z".into()];
        let partial = evaluate(&provider, &digest, 0, "cup", &state, "")
            .json
            .source();
        assert!(
            partial.contains(
                "sha256:bfce5bbf854bfe6e713fcf57e7b7d3562d35d95547b687c595d17a5d8d3627d1"
            )
        );
        assert!(partial.contains("\"statusCode\":\"blocked\""));
    }
}
