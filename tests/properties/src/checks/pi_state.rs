//! State of pi-graph: paths and templates are cut as a plain reading of the rules cuts them; what is set is there,
//! what is unset is not, merging twice is merging once; conditions and reducers give one answer.

use agent_graph_runtime::json::{DEPTH_LIMIT, Object, Value};
use agent_graph_runtime::pi::{self, Condition, Segment, StateError, StatePath, Template};

use super::levels;
use crate::draw::Draw;

/// Bytes as path, template and state, each on a line; and as decisions about them.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        let mut parts = text.splitn(3, '\n');
        let mut part = || parts.next().unwrap_or_default();
        let (written, pattern, state) = (part(), part(), part());
        let state = match Value::from_json(state) {
            Ok(Value::Object(state)) => state,
            _ => Object::new(),
        };
        all(written, pattern, &state);
    }
    let mut draw = Draw::new(bytes);
    let written = drawn_path(&mut draw);
    let template = drawn_template(&mut draw);
    let state = Value::from_json(&format!("{{\"a\":{}}}", draw.value(3).source()));
    let state = state.unwrap_or_else(|error| panic!("{error}"));
    all(&written, &template, state.as_object().expect("it is one"));
}

fn all(written: &str, template: &str, state: &Object) {
    if let Some(path) = path(written) {
        change(&path, state);
    }
    self::template(template, state);
    conditions(state);
    reprint(state);
}

fn drawn_path(draw: &mut Draw<'_>) -> String {
    let count = 1 + draw.below(5);
    let step = |draw: &mut Draw<'_>| match draw.below(4) {
        0 => draw.text(3),
        _ => draw
            .one_of(&["a", " a", "b\u{feff}", "10", "constructor", "\u{85}", "é"])
            .to_owned(),
    };
    (0..count).map(|_| step(draw)).collect::<Vec<_>>().join(".")
}

fn drawn_template(draw: &mut Draw<'_>) -> String {
    let pieces = [
        "{{",
        "}}",
        "{",
        "}",
        " ",
        "a",
        "a.b",
        "\n",
        "{{a}}",
        "{{ a.b }}",
        "x",
        "{{}}",
        "\u{a0}",
    ];
    let count = draw.below(10);
    (0..count).map(|_| draw.one_of(&pieces)).collect()
}

/// White space of ECMAScript.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

/// The segments, as the rules say it.
fn cut(written: &str) -> Result<Vec<&str>, StateError> {
    if trimmed(written).is_empty() {
        return Err(StateError::EmptyPath);
    }
    let segments: Vec<&str> = written.split('.').map(trimmed).collect();
    for (at, segment) in segments.iter().enumerate() {
        if segment.is_empty() {
            return Err(StateError::EmptySegment);
        }
        if ["__proto__", "prototype", "constructor"].contains(segment) {
            return Err(StateError::ForbiddenSegment);
        }
        if at == DEPTH_LIMIT as usize {
            return Err(StateError::StateDepth);
        }
    }
    Ok(segments)
}

fn path(written: &str) -> Option<StatePath> {
    let path = StatePath::parse(written);
    let cut = cut(written);
    match (&path, &cut) {
        (Ok(path), Ok(cut)) => assert_eq!(path.segments(), cut),
        (path, cut) => assert_eq!(path.as_ref().err(), cut.as_ref().err(), "{written:?}"),
    }
    path.ok()
}

fn change(path: &StatePath, state: &Object) {
    let segments = path.segments();
    assert_eq!(pi::get(state, segments), naive_get(state, segments));
    let mut changed = state.clone();
    match pi::set(&mut changed, segments, Value::from("new")) {
        Ok(()) => {
            assert_eq!(pi::get(&changed, segments), Some(&Value::from("new")));
            assert_eq!(pi::unset(&mut changed, segments), Ok(()));
            assert_eq!(pi::get(&changed, segments), None);
            assert!(levels(&Value::Object(changed)) <= DEPTH_LIMIT);
        }
        Err(_) => assert_eq!(changed, *state),
    }
    let mut merged = changed_by(state, state);
    assert_eq!(merged, *state);
    pi::merge(&mut merged, &Object::new());
    assert_eq!(merged, *state);
    let overlay: Object = [("a", Value::Null), ("b", Value::from(true))]
        .into_iter()
        .collect();
    let once = changed_by(state, &overlay);
    assert_eq!(changed_by(&once, &overlay), once);
}

fn changed_by(state: &Object, overlay: &Object) -> Object {
    let mut merged = state.clone();
    pi::merge(&mut merged, overlay);
    merged
}

fn naive_get<'s>(state: &'s Object, segments: &[String]) -> Option<&'s Value> {
    let (first, rest) = segments.split_first()?;
    let value = state.iter().find(|(name, _)| name == first)?.1;
    if rest.is_empty() {
        Some(value)
    } else {
        naive_get(value.as_object()?, rest)
    }
}

/// A template as the regular expression `\{\{([^{}]+)\}\}` finds placeholders.
fn template(text: &str, state: &Object) {
    let template = Template::parse(text);
    let mut written = String::new();
    let mut expected = Ok(String::new());
    for segment in template.segments() {
        match segment {
            Segment::Text(text) => {
                written.push_str(text);
                expected = expected.map(|rendered| rendered + text);
            }
            Segment::Path(path) => {
                written.push_str("{{}}");
                let shown = match naive_get(state, path.segments()) {
                    None => String::new(),
                    Some(Value::String(text)) => text.clone(),
                    Some(value) => pi::pretty(value),
                };
                expected = expected.map(|rendered| rendered + &shown);
            }
            Segment::Invalid {
                error,
                written: inside,
            } => {
                written.push_str("{{}}");
                assert_eq!(cut(inside).err(), Some(*error));
                expected = expected.and(Err(*error));
            }
        }
    }
    assert_eq!(written, emptied(text), "{text:?}");
    assert_eq!(template.render(state), expected);
    assert_eq!(
        Template::from_segments(template.segments().to_vec()),
        template
    );
}

/// The text with nothing in its placeholders.
fn emptied(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::new();
    let mut at = 0;
    while at < characters.len() {
        if characters[at..].starts_with(&['{', '{']) {
            let inside = characters[at + 2..]
                .iter()
                .take_while(|c| !['{', '}'].contains(c))
                .count();
            if inside > 0 && characters[at + 2 + inside..].starts_with(&['}', '}']) {
                out.push_str("{{}}");
                at += 2 + inside + 2;
                continue;
            }
        }
        out.push(characters[at]);
        at += 1;
    }
    out
}

/// Negation, and lists of one part, say what they should about each value of the state.
fn conditions(state: &Object) {
    for (operator, operand) in [
        ("exists", ""),
        ("truthy", ""),
        ("eq", ",\"value\":1"),
        ("includes", ",\"value\":\"a\""),
    ] {
        let leaf = format!("{{\"path\":\"a\",\"op\":\"{operator}\"{operand}}}");
        let holds = |text: &str| {
            let value = Value::from_json(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            Some(Condition::from_value(&value).ok()?.holds(state))
        };
        let Some(Ok(answer)) = holds(&leaf) else {
            continue;
        };
        assert_eq!(holds(&format!("{{\"not\":{leaf}}}")), Some(Ok(!answer)));
        assert_eq!(
            holds(&format!("{{\"all\":[{leaf},{leaf}]}}")),
            Some(Ok(answer))
        );
        assert_eq!(holds(&format!("{{\"any\":[{leaf}]}}")), Some(Ok(answer)));
        assert_eq!(
            holds(&format!("{{\"any\":[{leaf},{{\"not\":{leaf}}}]}}")),
            Some(Ok(true))
        );
    }
}

/// The compact text is read as the same value, its size is its length, and order does not change the hash.
fn reprint(state: &Object) {
    let value = Value::Object(state.clone());
    let text = pi::compact(&value);
    assert_eq!(pi::compact_size(&value), text.len() as u64);
    let again = Value::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(again, value);
    assert_eq!(pi::compact(&again), text);
    assert_eq!(Value::from_json(&pi::pretty(&value)).as_ref(), Ok(&value));
    let reversed: Object = state
        .iter()
        .rev()
        .map(|(name, value)| (name, value.clone()))
        .collect();
    assert_eq!(pi::hash(&Value::Object(reversed)), pi::hash(&value));
}
