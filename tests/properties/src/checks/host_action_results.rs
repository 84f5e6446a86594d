//! Host actions: the readers of locations and results accept what their shapes accept, what is read is written and
//! read again, and an answer to a location is valid for it and for no other call.

use agent_graph_runtime::json::Value;
use agent_graph_runtime::load::shape::{HOST_ACTION_RESULT, LOCATION, Shape, check_json};
use agent_graph_runtime::{
    AdapterReceipt, Code, Error, HostActionLocation, HostActionResult, validate_host_action_result,
};

use crate::draw::Draw;
use crate::shaped;

const RESULT: Shape = Shape::Object(&HOST_ACTION_RESULT);

/// Bytes as JSON text of a location, a line end and that of a result; and as decisions about both.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        let (first, second) = text.split_once('\n').unwrap_or((text, ""));
        both(first, second);
    }
    let mut draw = Draw::new(bytes);
    // The last kind of location is the one that the host makes.
    let [.., (_, shape)] = LOCATION.cases else {
        panic!("there are locations");
    };
    let location = shaped::value(&mut draw, shape).source();
    let result = shaped::value(&mut draw, &RESULT).source();
    both(&location, &result);
}

fn both(location: &str, result: &str) {
    let location = read_location(location);
    let result = read_result(result);
    if let (Some(location), Some(result)) = (&location, &result) {
        let valid = validate_host_action_result(location, result);
        let call = &location.materialize;
        let answers = result.handler == call.handler
            && call.input_digest() == Ok(result.input_digest)
            && result.output.schema == call.output_schema;
        assert_eq!(valid.is_ok(), answers, "{valid:?}");
        assert_eq!(
            location.receipt(result).is_ok(),
            answers && location.revision.is_some() && has_id(location)
        );
    }
    if let Some(location) = &location {
        answer(location);
    }
}

fn has_id(location: &HostActionLocation) -> bool {
    agent_graph_runtime::explore::is_id(&location.id)
}

fn answer(location: &HostActionLocation) {
    let adapter = AdapterReceipt::new("a", "1.0.0").unwrap_or_else(|error| panic!("{error}"));
    let content = location.materialize.input.value.clone();
    let answer = location
        .answer_inline(content.clone(), adapter)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(validate_host_action_result(location, &answer), Ok(()));
    assert_eq!(
        answer.output_digest(),
        agent_graph_runtime::Digest::of_value(&content)
    );
    let mut other = location.clone();
    other.materialize.handler.push('x');
    let refused = validate_host_action_result(&other, &answer).map_err(|error| error.code());
    assert_eq!(refused, Err(Code::HostActionHandlerMismatch));
    other.materialize.handler = location.materialize.handler.clone();
    other.materialize.input.value = Value::Array(vec![content]);
    let refused = validate_host_action_result(&other, &answer).map_err(|error| error.code());
    assert!(
        matches!(
            refused,
            Err(Code::HostActionInputMismatch | Code::InputLimit)
        ),
        "{refused:?}"
    );
}

fn read_location(text: &str) -> Option<HostActionLocation> {
    let read = HostActionLocation::from_json(text);
    let findings = check_json(Shape::Variants(&LOCATION), "location.json", text);
    let host_action = text.contains("agent-graph.resource-location.host-action.v1");
    agreed(&read, findings.is_empty() && host_action, text);
    let location = read.ok()?;
    let written = serde_json::to_string(&location).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        HostActionLocation::from_json(&written).as_ref(),
        Ok(&location),
        "{written}"
    );
    Some(location)
}

fn read_result(text: &str) -> Option<HostActionResult> {
    let read = HostActionResult::from_json(text);
    agreed(
        &read,
        check_json(RESULT, "result.json", text).is_empty(),
        text,
    );
    let result = read.ok()?;
    let written = serde_json::to_string(&result).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        HostActionResult::from_json(&written).as_ref(),
        Ok(&result),
        "{written}"
    );
    Some(result)
}

fn agreed<T>(read: &Result<T, Error>, fits: bool, text: &str) {
    if let Err(error) = read {
        assert!(
            [Code::JsonInvalid, Code::SchemaInvalid, Code::InputLimit].contains(&error.code()),
            "{error}"
        );
    }
    // A location of another kind has a shape of its own, and this reader does not take it.
    let other = fits && read.is_err() && text.contains("agent-graph.resource-location.f");
    assert!(
        read.is_ok() == fits || other,
        "{:?}: {text}",
        read.as_ref().err()
    );
}
