//! Host actions: what is asked, what is answered, what is refused, and the receipts for it.
#![cfg(all(feature = "routes", feature = "user-schemas"))]

#[allow(dead_code, reason = "other suites use the rest")]
mod desk;
#[allow(dead_code, reason = "other suites use the rest")]
mod support;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::{
    AdapterReceipt, Code, Digest, HostActionContent, HostActionLocation, HostActionResult,
    ResourceLocation, validate_host_action_result,
};
use desk::Desk;
use serde_json::json;

fn location(text: &str) -> Result<HostActionLocation, agent_graph_runtime::Error> {
    HostActionLocation::from_json(text)
}

fn asked() -> HostActionLocation {
    location(&asked_json().to_string()).unwrap()
}

fn asked_json() -> serde_json::Value {
    json!({
        "schema": "agent-graph.resource-location.host-action.v1",
        "id": "brief",
        "kind": "procedure",
        "mediaType": "text/markdown",
        "revision": Digest::of_bytes(b"revision"),
        "materialize": {
            "handler": "desk.render/v1",
            "input": { "schema": "desk.in/v1", "value": { "words": 400 } },
            "output_schema": "desk.out/v1",
        },
        "readState": "read-required",
    })
}

fn adapter() -> AdapterReceipt {
    AdapterReceipt::new("example-host", "1.0.0").unwrap()
}

fn answer() -> HostActionResult {
    let content = Value::from_json(r#"{"text":"Write.","words":2}"#).unwrap();
    asked().answer_inline(content, adapter()).unwrap()
}

#[test]
fn the_input_digest_covers_handler_schema_and_value_whatever_the_order_of_members() {
    let canonical =
        r#"{"handler":"desk.render/v1","input":{"schema":"desk.in/v1","value":{"words":400}}}"#;
    let digest = Digest::of_bytes(canonical.as_bytes());
    let call = asked().materialize;
    assert_eq!(call.input_digest().unwrap(), digest);
    let mut others = Vec::from([call.clone(), call.clone(), call]);
    others[0].handler = "desk.render/v2".into();
    others[1].input.schema = "desk.in/v2".into();
    others[2].input.value = Value::Null;
    for other in others {
        assert_ne!(other.input_digest().unwrap(), digest);
    }
}

#[test]
fn a_location_of_a_provider_is_read_back_as_it_was_written() {
    let desk = Desk::new();
    let route = desk::route(&desk.installed(), "default", &[]);
    let found = route.resources.required[2].as_host_action().unwrap();
    let written = serde_json::to_string(found).unwrap();
    assert_eq!(location(&written).as_ref(), Ok(found));
    assert_eq!(
        serde_json::from_str::<HostActionLocation>(&written).unwrap(),
        *found
    );
    let ResourceLocation::HostAction(elsewhere) = desk
        .installed()
        .locate_resource("resources/brief.yaml")
        .unwrap()
    else {
        panic!("another kind of location");
    };
    assert_eq!((elsewhere.revision, elsewhere.read_state), (None, None));
    assert_eq!(elsewhere.materialize, found.materialize);
    let schemas = desk.installed().host_action_schemas("brief").unwrap();
    assert!(schemas.output.file_path.ends_with("/schemas/out.json"));
    for other in ["guide", "queue", "nothing"] {
        let error = desk.installed().host_action_schemas(other).unwrap_err();
        assert_eq!(error.code(), Code::ResourceMissing);
    }
}

#[test]
fn an_answer_is_valid_and_gives_a_receipt() {
    let answer = answer();
    let receipt = asked().receipt(&answer).unwrap();
    assert_eq!(receipt.id(), "brief");
    assert_eq!(receipt.revision(), asked().revision);
    let canonical = r#"{"text":"Write.","words":2}"#;
    assert_eq!(receipt.digest(), Digest::of_bytes(canonical.as_bytes()));
    let digest = Digest::of_bytes(b"elsewhere");
    let elsewhere = asked()
        .answer_resource("host-resource://a", digest, adapter())
        .unwrap();
    assert_eq!(asked().receipt(&elsewhere).unwrap().digest(), digest);
    let nowhere = asked().answer_resource("", digest, adapter());
    assert_eq!(nowhere.unwrap_err().code(), Code::SchemaInvalid);
}

#[test]
fn handler_input_and_output_are_compared_in_this_order() {
    let mut wrong = answer();
    wrong.handler = "other".into();
    wrong.input_digest = Digest::of_bytes(b"");
    wrong.output.schema = "other".into();
    let code = |result: &HostActionResult| {
        let refused = validate_host_action_result(&asked(), result).unwrap_err();
        assert_eq!(asked().receipt(result).unwrap_err(), refused);
        refused.code()
    };
    assert_eq!(code(&wrong), Code::HostActionHandlerMismatch);
    wrong.handler = answer().handler;
    assert_eq!(code(&wrong), Code::HostActionInputMismatch);
    wrong.input_digest = answer().input_digest;
    assert_eq!(code(&wrong), Code::HostActionOutputMismatch);
    wrong.output.schema = answer().output.schema;
    assert_eq!(validate_host_action_result(&asked(), &wrong), Ok(()));
    wrong.output.content = HostActionContent::Inline(Value::Number(f64::NAN));
    assert_eq!(code(&wrong), Code::JsonInvalid);
}

#[test]
fn a_location_without_revision_or_with_another_kind_of_id_gives_no_receipt() {
    let mut bare = asked();
    bare.revision = None;
    assert_eq!(
        bare.receipt(&answer()).unwrap_err().code(),
        Code::SchemaInvalid
    );
    let mut named = asked();
    named.id = "My brief".into();
    assert_eq!(
        named.receipt(&answer()).unwrap_err().code(),
        Code::SchemaInvalid
    );
}

#[test]
fn content_is_read_into_a_type_of_the_host() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Brief {
        text: String,
        words: u8,
    }
    let brief = Brief {
        text: "Write.".into(),
        words: 2,
    };
    let typed = answer().typed::<Brief>().unwrap();
    assert_eq!(typed.output.content, HostActionContent::Inline(brief));
    let written = serde_json::to_string(&answer()).unwrap();
    let read: HostActionResult<Brief> = serde_json::from_str(&written).unwrap();
    assert_eq!(read, typed);
    assert_eq!(
        answer().typed::<u8>().unwrap_err().code(),
        Code::SchemaInvalid
    );
    let elsewhere = asked()
        .answer_resource("a", Digest::of_bytes(b""), adapter())
        .unwrap();
    assert!(elsewhere.typed::<Brief>().is_ok());
}

#[test]
fn an_adapter_has_an_id_and_a_version() {
    for (adapter, version) in [("Example", "1.0.0"), ("example", "1"), ("", "1.0.0")] {
        let error = AdapterReceipt::new(adapter, version).unwrap_err();
        assert_eq!(error.code(), Code::SchemaInvalid);
    }
}

/// Replaces the value at a JSON pointer, or takes it out, or adds it.
fn changed(
    mut whole: serde_json::Value,
    pointer: &str,
    value: Option<serde_json::Value>,
) -> String {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = whole.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => parent.insert(name.into(), value),
        None => parent.remove(name),
    };
    whole.to_string()
}

#[test]
fn locations_are_closed_objects() {
    for (pointer, value) in [
        ("/more", Some(json!(1))),
        ("/digest", Some(json!(Digest::of_bytes(b"")))),
        (
            "/schema",
            Some(json!("agent-graph.resource-location.file.v1")),
        ),
        ("/id", Some(json!(""))),
        ("/id", None),
        ("/kind", Some(json!("book"))),
        ("/mediaType", Some(json!(7))),
        ("/revision", Some(json!("sha256:0"))),
        ("/materialize", None),
        ("/materialize", Some(json!([]))),
        ("/materialize/resourceId", Some(json!("a"))),
        ("/materialize/handler", None),
        // As the printed schema has it: the handler of an action is an id.
        ("/materialize/handler", Some(json!("Example"))),
        ("/materialize/input", Some(json!({ "schema": "a" }))),
        ("/materialize/input/more", Some(json!(1))),
        ("/materialize/outputSchema", Some(json!("a"))),
        ("/readState", Some(json!("read"))),
    ] {
        let error = location(&changed(asked_json(), pointer, value)).unwrap_err();
        assert_eq!(error.code(), Code::SchemaInvalid, "{pointer}");
    }
    for absent in ["/revision", "/readState"] {
        location(&changed(asked_json(), absent, None)).unwrap();
    }
    let null = changed(asked_json(), "/materialize/input/value", Some(json!(null)));
    assert_eq!(
        location(&null).unwrap().materialize.input.value,
        Value::Null
    );
    assert_eq!(location("[").unwrap_err().code(), Code::JsonInvalid);
}

#[test]
fn results_are_closed_objects_with_one_kind_of_content() {
    let whole = serde_json::to_value(answer()).unwrap();
    let digest = json!(Digest::of_bytes(b""));
    for (pointer, value) in [
        ("/more", Some(json!(1))),
        ("/schema", Some(json!("agent-graph.host-action-result.v2"))),
        ("/handler", Some(json!(""))),
        ("/input_digest", Some(json!("sha256:0"))),
        ("/inputDigest", Some(digest.clone())),
        ("/output", Some(json!("text"))),
        ("/output/schema", None),
        ("/output/inline", None),
        (
            "/output/resource",
            Some(json!({ "ref": "a", "digest": digest })),
        ),
        ("/receipt", None),
        ("/receipt/adapter", Some(json!("No Id"))),
        ("/receipt/adapter_version", Some(json!("1"))),
        ("/receipt/more", Some(json!(1))),
    ] {
        let text = changed(whole.clone(), pointer, value);
        let error = HostActionResult::from_json(&text).unwrap_err();
        assert_eq!(error.code(), Code::SchemaInvalid, "{pointer}");
        assert!(serde_json::from_str::<HostActionResult>(&text).is_err());
    }
    let resource = |resource: serde_json::Value| {
        let mut whole = whole.clone();
        whole["output"] = json!({ "schema": "desk.out/v1", "resource": resource });
        HostActionResult::from_json(&whole.to_string())
    };
    resource(json!({ "ref": "a", "digest": digest })).unwrap();
    for wrong in [
        json!({ "ref": "", "digest": digest }),
        json!({ "ref": "a" }),
        json!({ "ref": "a", "digest": digest, "more": 1 }),
    ] {
        assert_eq!(resource(wrong).unwrap_err().code(), Code::SchemaInvalid);
    }
}
