//! Resources, codes and materializers: what it takes to get each code, and the place it names.
#![cfg(feature = "dynamic")]

#[allow(dead_code, reason = "other suites use the rest")]
mod support;

use agent_graph_runtime::Level;
use support::{ACTION, MANIFEST, Tea, with_brief, with_resource};

const CATALOG: &str = "\
schema: agent-graph.code-catalog.v1
codes:
  - code: route.brew.steep
    kind: route-reason
    summary: The leaves are dry.
";

const GUIDE: &str = "---\nid: guide\nkind: procedure\n---\nPour.\n";

fn with_catalog(catalog: &str) -> Tea {
    Tea::new()
        .with(
            "provider.yaml",
            format!("{MANIFEST}catalogs:\n  codes: codes.yaml\n"),
        )
        .with("codes.yaml", catalog)
}

const VIEW: &str = "\
schema: agent-graph.resource.graph-action.v1
id: view
kind: context-view
mediaType: text/plain
materializer: actions/look.yaml
";

#[test]
fn a_text_resource_begins_with_frontmatter() {
    with_resource("guide.md")
        .with("guide.md", "Pour.\n")
        .fails("frontmatter-missing", "guide.md:1:1");
}

#[test]
fn frontmatter_is_closed() {
    with_resource("guide.md")
        .with("guide.md", "---\nid: guide\n")
        .fails("frontmatter-invalid", "guide.md:1:1");
}

#[test]
fn frontmatter_gives_an_id_and_a_kind() {
    with_resource("guide.md")
        .with("guide.md", "---\nkind: procedure\nid: null\n---\n")
        .fails("resource-metadata-invalid", "guide.md:2:1");
    with_resource("guide.md")
        .with("guide.md", "---\nid: 5\nkind: procedure\n---\n")
        .fails("resource-metadata-invalid", "guide.md:2:5");
    with_resource("guide.md")
        .with(
            "guide.md",
            "---\nid: guide\nkind: procedure\nmedia-type: 1\n---\n",
        )
        .fails("resource-metadata-invalid", "guide.md:4:13");
}

#[test]
fn a_text_resource_has_a_static_kind() {
    let finding = with_resource("guide.md")
        .with("guide.md", "---\nid: guide\nkind: prosedure\n---\n")
        .fails("resource-kind-invalid", "guide.md:3:7");
    assert_eq!(finding.hint.as_deref(), Some("did you mean `procedure`?"));
}

#[test]
fn an_id_that_no_receipt_can_carry_is_a_warning() {
    let loaded = with_resource("guide.md")
        .with("guide.md", "---\nid: My Guide\nkind: procedure\n---\n")
        .loaded();
    let [finding] = loaded.findings.as_slice() else {
        panic!("{:?}", loaded.findings);
    };
    assert_eq!(finding.level, Level::Warn);
    assert_eq!(finding.code.as_str(), "resource-id-unusual");
    assert_eq!(finding.place.to_string(), "guide.md:2:5");
}

#[test]
fn a_retired_descriptor_is_not_read_as_text() {
    with_resource("guide.yaml")
        .with("guide.yaml", "schema: agent-graph.resource.v1\nid: guide\n")
        .fails("schema-invalid", "guide.yaml:1:9");
}

#[test]
fn two_resources_with_one_id_are_refused() {
    let finding = with_resource("guide.md, other.md")
        .with("guide.md", GUIDE)
        .with("other.md", GUIDE)
        .fails("resource-id-duplicate", "other.md:2:5");
    assert_eq!(finding.related[0].0.to_string(), "guide.md:2:5");
}

#[test]
fn one_resource_under_two_spellings_is_one_resource() {
    let loaded = with_resource("guide.md, ./guide.md")
        .with("guide.md", GUIDE)
        .loaded();
    assert_eq!(loaded.tables.resources.len(), 1);
    assert_eq!(
        loaded.tables.lists.iter().filter(|row| **row == 0).count(),
        3
    );
}

#[test]
fn a_code_is_listed_once() {
    let entry = "  - { code: route.brew.steep, kind: route-reason, summary: Again. }\n";
    with_catalog(&format!("{CATALOG}{entry}"))
        .fails("code-catalog-code-duplicate", "codes.yaml:6:13");
}

#[test]
fn the_document_of_a_code_is_a_file() {
    with_catalog(&format!("{CATALOG}    document: view.yaml\n"))
        .with("view.yaml", VIEW)
        .with(
            "actions/look.yaml",
            ACTION.replace("write", "read").replace("steep\n", "look\n"),
        )
        .fails("code-document-dynamic", "codes.yaml:6:15");
}

#[test]
fn a_catalog_lists_every_reason_code() {
    with_catalog(CATALOG).loaded();
    let finding = with_catalog(&CATALOG.replace("brew.steep", "brew.steeep"))
        .fails("route-reason-code-missing", "graphs/brew.yaml:5:44");
    assert_eq!(
        finding.hint.as_deref(),
        Some("did you mean `route.brew.steeep`?")
    );
}

#[test]
fn a_reason_code_is_listed_as_a_reason() {
    with_catalog(&CATALOG.replace("route-reason", "diagnostic"))
        .fails("route-reason-code-kind-invalid", "graphs/brew.yaml:5:44");
}

#[test]
fn a_materializer_only_reads() {
    with_resource("view.yaml")
        .with("view.yaml", VIEW.replace("look", "steep"))
        .fails("materializer-effect-invalid", "view.yaml:5:15");
}

#[test]
fn a_graph_action_resource_is_made_by_a_command_or_script() {
    with_resource("view.yaml")
        .with("view.yaml", VIEW)
        .with(
            "actions/look.yaml",
            "schema: agent-graph.action.v1\nid: look\nrunner: host\neffect: read\nhandler: look\n",
        )
        .fails("materializer-runner-invalid", "view.yaml:5:15");
}

#[test]
fn a_host_action_resource_is_made_by_the_host() {
    with_brief()
        .with(
            "actions/brief.yaml",
            ACTION
                .replace("write", "read")
                .replace("id: steep", "id: brief"),
        )
        .fails("materializer-runner-invalid", "brief.yaml:5:15");
}

#[cfg(feature = "user-schemas")]
#[test]
fn a_host_action_resource_loads_with_the_identities_of_both_schemas() {
    let loaded = with_brief().loaded();
    let tables = loaded.tables.as_tables();
    let action = tables.actions[1];
    assert_eq!(tables.text(action.input_identity), "tea.request/v1");
    assert_eq!(tables.text(action.output_identity), "tea.brief/v1");
    assert_eq!(tables.text(tables.resources[0].input), r#"{"cups":2}"#);
    assert_eq!(tables.files.len(), 7);
}

#[cfg(feature = "user-schemas")]
#[test]
fn the_materializer_of_a_host_action_resource_has_both_schemas() {
    with_brief()
        .replacing(
            "actions/brief.yaml",
            "outputSchema: schemas/brief.json\n",
            "",
        )
        .fails("materializer-schema-missing", "brief.yaml:5:15");
}

#[cfg(feature = "user-schemas")]
#[test]
fn a_schema_of_a_materializer_is_a_json_object_that_stands_alone() {
    with_brief()
        .with("schemas/brief.json", "[]")
        .fails("materializer-schema-invalid", "schemas/brief.json:1:1");
    with_brief()
        .with(
            "schemas/brief.json",
            "{\"$id\":\"tea.brief/v1\",\n \"items\": {\"$ref\": \"other.json\"}}",
        )
        .fails("materializer-schema-invalid", "schemas/brief.json:2:20");
    with_brief()
        .with("schemas/brief.json", r##"{"$id":"tea.brief/v1","items":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"tea.brief/v1#/$defs/b"},"b":{}}}"##)
        .loaded();
}

#[cfg(feature = "user-schemas")]
#[test]
fn a_schema_of_a_materializer_has_an_identity() {
    let with = |schema: &str| with_brief().with("schemas/brief.json", schema);
    let code = "materializer-schema-identity-invalid";
    with("{}").fails(code, "schemas/brief.json:1:1");
    with(r#"{"$id":"https://tea.example/brief"}"#).fails(code, "schemas/brief.json:1:8");
    with(r#"{"$id":"tea.brief/v1","properties":{"schema":{"const":"tea.brief/v2"}}}"#)
        .fails(code, "schemas/brief.json:1:55");
    with(r#"{"properties":{"protocol":{"const":"tea.brief/v1"}}}"#).loaded();
    with(r#"{"properties":{"schema":{"const":"tea.brief/v1"}}}"#).loaded();
}
