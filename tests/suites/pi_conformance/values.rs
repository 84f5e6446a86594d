//! Conditions, templates, paths and reducers.

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::words::{Reducer, WriteMode};
use agent_graph_runtime::pi::{self, Condition, StateError, StatePath, Template, Write};

use crate::cases::{Case, Verdict};
use crate::forms;

pub(crate) fn condition(case: &Case<'_>) -> Verdict {
    let value = case.get("condition").unwrap_or(&Value::Null);
    let state = case.object("state");
    let actual = match Condition::from_value(value) {
        Ok(condition) => condition.holds(&state),
        Err(error) => return Verdict::Failed(format!("no condition: {error:?}")),
    };
    match forms::condition(value) {
        Some(Ok(condition)) if condition.holds(&state) != actual => {
            return Verdict::Failed("the compiled-in condition answers otherwise".into());
        }
        Some(Err(difference)) => return Verdict::Failed(difference),
        Some(Ok(_)) | None => {}
    }
    match actual {
        Ok(actual) => case.compare(case.get("expect").unwrap_or(&Value::Null), &actual.into()),
        Err(error) => Verdict::Failed(error.to_string()),
    }
}

pub(crate) fn template(case: &Case<'_>) -> Verdict {
    let template = Template::parse(case.text("template"));
    match forms::template(case.text("template")) {
        Some(Ok(compiled_in)) if compiled_in == template => {}
        Some(Err(difference)) => return Verdict::Failed(difference),
        _ => return Verdict::Failed("the compiled-in template is another one".into()),
    }
    let mut actual = Object::new();
    match template.render(&case.object("state")) {
        Ok(text) => actual.insert("text", text),
        Err(error) => actual.insert("renderError", error.as_str()),
    };
    match template.paths() {
        Ok(paths) => {
            let paths = paths.iter().map(|path| Value::from(path.as_written()));
            actual.insert("paths", paths.collect::<Vec<_>>())
        }
        Err(error) => actual.insert("pathsError", error.as_str()),
    };
    let expected = case.get("expect").unwrap_or(&Value::Null);
    case.compare(expected, &Value::Object(actual))
}

pub(crate) fn path(case: &Case<'_>) -> Verdict {
    let actual = match operation(case) {
        Ok((name, value)) => [(name, value)].into_iter().collect::<Object>(),
        Err(error) => [("error", error.as_str())].into_iter().collect(),
    };
    let expected = case.get("expect").unwrap_or(&Value::Null);
    case.compare(expected, &Value::Object(actual))
}

/// The result of an operation, with the name it has in the vectors.
fn operation(case: &Case<'_>) -> Result<(&'static str, Value), StateError> {
    let parse = |name| StatePath::parse(case.text(name));
    let mut state = case.object("state");
    let value = || case.get("value").cloned().unwrap_or_default();
    Ok(match case.text("op") {
        "normalize" => {
            let path = parse("path")?;
            let segments = path
                .segments()
                .iter()
                .map(|segment| Value::from(segment.as_str()));
            ("segments", Value::Array(segments.collect()))
        }
        "overlap" => ("result", parse("left")?.overlaps(&parse("right")?).into()),
        "get" => match pi::get(&state, parse("path")?.segments()) {
            Some(value) => ("value", value.clone()),
            None => ("missing", true.into()),
        },
        "set" => {
            pi::set(&mut state, parse("path")?.segments(), value())?;
            ("state", state.into())
        }
        "unset" => {
            pi::unset(&mut state, parse("path")?.segments())?;
            ("state", state.into())
        }
        "merge" => {
            let mut base = case.object("base");
            pi::merge(&mut base, &case.object("overlay"));
            ("state", base.into())
        }
        "size" => {
            let bytes = pi::compact_size(&Value::Object(state));
            ("bytes", Value::Number(bytes as f64))
        }
        "hash" => {
            let value = case.get("value").cloned();
            let hash = pi::hash(&value.unwrap_or(Value::Object(state))).to_string();
            let hash = hash.trim_start_matches("sha256:");
            ("hash", hash.into())
        }
        other => ("unknown", other.into()),
    })
}

pub(crate) fn reducer(case: &Case<'_>) -> Verdict {
    let writes = case.get("writes").and_then(Value::as_array).unwrap_or(&[]);
    let Some(writes) = writes.iter().map(write).collect::<Option<Vec<Write>>>() else {
        return Verdict::Failed("a write is none".into());
    };
    let reducers = case.object("reducers");
    let reducer = |path: &str| -> Option<Reducer> { reducers.get(path)?.as_str()?.parse().ok() };
    let state = case.object("state");
    let committed = pi::commit(&state, &writes, reducer);
    match forms::reducers(&reducers) {
        Some(Ok(graph)) if pi::commit(&state, &writes, |path| graph.reducer(path)) != committed => {
            return Verdict::Failed("the compiled-in reducers do otherwise".into());
        }
        Some(Err(difference)) => return Verdict::Failed(difference),
        Some(Ok(_)) | None => {}
    }
    let actual: Object = match committed {
        Ok(state) => [("state", Value::Object(state))].into_iter().collect(),
        Err(error) => [("error", error.as_str())].into_iter().collect(),
    };
    let expected = case.get("expect").unwrap_or(&Value::Null);
    case.compare(expected, &Value::Object(actual))
}

fn write(value: &Value) -> Option<Write> {
    let object = value.as_object()?;
    Some(Write {
        path: object.get("path")?.as_str()?.into(),
        value: object.get("value").cloned(),
        mode: match object.get("mode") {
            Some(mode) => mode.as_str()?.parse().ok()?,
            None => WriteMode::Reduce,
        },
    })
}
