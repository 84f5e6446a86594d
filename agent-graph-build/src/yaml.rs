//! Prints JSON values as YAML, byte for byte as the protocol's reference prints the `provider.yaml` of a
//! bundle (spec 9.2): block style, nothing folded. Knows values and YAML, nothing about what they are for.

use std::fmt::Write;

use agent_graph_runtime::json::{Object, Value};

/// A quoted text with line feeds is spread over lines when its JSON form has this many UTF-16 units.
const SPREAD_FROM: usize = 40;

/// The object as block YAML with a final line feed.
pub(crate) fn print(object: &Object) -> String {
    let mut text = String::new();
    mapping(object, 0, &mut text);
    text
}

/// Members on lines of their own, the first one where the text ends. The recursion ends: what is printed
/// is as deep as a shape, or as a document may be.
fn mapping(object: &Object, depth: usize, out: &mut String) {
    for (index, (name, value)) in object.iter().enumerate() {
        if index > 0 {
            indent(depth, out);
        }
        if is_plain(name) && !name.contains(is_control) {
            out.push_str(name);
        } else {
            double_quoted(name, depth, out);
        }
        out.push(':');
        member(value, depth, out);
    }
}

fn member(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(object) if !object.is_empty() => {
            out.push('\n');
            indent(depth + 1, out);
            mapping(object, depth + 1, out);
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            for item in items {
                indent(depth + 1, out);
                out.push('-');
                match item {
                    Value::Object(object) if !object.is_empty() => {
                        out.push(' ');
                        mapping(object, depth + 2, out);
                    }
                    item => member(item, depth + 1, out),
                }
            }
        }
        Value::String(text) => {
            out.push(' ');
            string(text, depth + 1, out);
            out.push('\n');
        }
        // What is left is written as in JSON: `{}`, `[]`, numbers, booleans and null.
        plain => {
            out.push(' ');
            out.push_str(&plain.to_string());
            out.push('\n');
        }
    }
}

fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n("  ", depth));
}

/// A string in the style that fits it; lines after the first are indented to `depth`.
fn string(text: &str, depth: usize, out: &mut String) {
    if text.chars().any(is_control) {
        double_quoted(text, depth, out);
    } else if text.contains('\n') {
        if ends_in_blank_line(text) {
            double_quoted(text, depth, out);
        } else {
            literal_block(text, depth, out);
        }
    } else if is_plain(text) {
        out.push_str(text);
    } else if text.contains('"') && !text.contains('\'') {
        out.push('\'');
        out.push_str(text);
        out.push('\'');
    } else {
        double_quoted(text, depth, out);
    }
}

/// Controls that only a double-quoted string can hold; TAB and line feed are not among them.
fn is_control(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
}

/// Whether the last line holds blanks and nothing else: a block would lose it.
fn ends_in_blank_line(text: &str) -> bool {
    let last = text.rsplit('\n').next().unwrap_or("");
    !last.is_empty() && last.chars().all(is_blank)
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// Whether a text of one line, without controls, means itself when written without quotes.
fn is_plain(text: &str) -> bool {
    let mut characters = text.chars();
    let (Some(first), second) = (characters.next(), characters.next()) else {
        return false;
    };
    if " \t,[]{}#&*!|>'\"%@`".contains(first) {
        return false;
    }
    if matches!(first, '-' | '?') && second.is_none_or(is_blank) {
        return false;
    }
    let pairs = text.chars().zip(text.chars().skip(1));
    let breaks = |(before, after): (char, char)| {
        (before == ':' && is_blank(after)) || (is_blank(before) && after == '#')
    };
    !pairs.into_iter().any(breaks) && !text.ends_with([' ', '\t', ':']) && !is_core_scalar(text)
}

/// Whether the core schema reads the text as null, a boolean or a number.
fn is_core_scalar(text: &str) -> bool {
    const WORDS: [&str; 13] = [
        "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", ".nan",
        ".NaN", ".NAN",
    ];
    if WORDS.contains(&text) {
        return true;
    }
    let all =
        |digits: &str, is: fn(&u8) -> bool| !digits.is_empty() && digits.as_bytes().iter().all(is);
    if let Some(digits) = text.strip_prefix("0o") {
        return all(digits, |byte| matches!(byte, b'0'..=b'7'));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return all(digits, u8::is_ascii_hexdigit);
    }
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    matches!(number, ".inf" | ".Inf" | ".INF") || is_decimal(number)
}

/// Digits with a point anywhere, and an exponent.
fn is_decimal(number: &str) -> bool {
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (number, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !(whole.is_empty() && fraction.is_empty());
    let exponent_fits = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    has_digits && digits(whole) && digits(fraction) && exponent_fits
}

/// A block that keeps every line as it is.
fn literal_block(text: &str, depth: usize, out: &mut String) {
    let content = text.trim_end_matches(['\n', ' ', '\t']);
    let end = text.get(content.len()..).unwrap_or("");
    out.push('|');
    let before_content = content.len() - content.trim_start_matches([' ', '\n']).len();
    if content
        .get(..before_content)
        .is_some_and(|start| start.contains(' '))
    {
        out.push('2');
    }
    match end.find('\n') {
        None => out.push('-'),
        Some(at) if content.is_empty() || at + 1 != end.len() => out.push('+'),
        Some(_) => {}
    }
    // The line feed that ends the block is the one behind the member.
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    for (index, line) in lines.enumerate() {
        out.push('\n');
        if index == 0 || !line.is_empty() {
            indent(depth, out);
        }
        out.push_str(line);
    }
}

/// A string in double quotes, one that is long and has line feeds spread over lines.
fn double_quoted(text: &str, depth: usize, out: &mut String) {
    let spread = spreads(text);
    out.push('"');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' if spread && characters.peek().is_some() => {
                // Of a run of line feeds the first is folded away, so there is one more. A final one
                // is escaped: it would be lost.
                out.push_str("\n\n");
                let mut rest = characters.clone();
                rest.next();
                while characters.peek() == Some(&'\n') && rest.next().is_some() {
                    characters.next();
                    out.push('\n');
                }
                indent(depth, out);
                if characters.peek() == Some(&' ') {
                    out.push('\\');
                }
            }
            ' ' if characters.peek() == Some(&'\n') => out.push_str("\\ "),
            _ => escaped(character, out),
        }
    }
    out.push('"');
}

/// Whether the string is spread over lines: when its JSON form is long.
fn spreads(text: &str) -> bool {
    Value::from(text).to_string().encode_utf16().count() >= SPREAD_FROM
}

fn escaped(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\0' => out.push_str("\\0"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\u{b}' => out.push_str("\\v"),
        '\u{c}' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        '\u{1b}' => out.push_str("\\e"),
        control @ '\0'..='\u{1f}' => {
            // Writing to a string does not fail.
            let _ = write!(out, "\\x{:02x}", u32::from(control));
        }
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        print(&[("name", text)].into_iter().collect())
    }

    #[test]
    fn an_ordinary_text_is_plain() {
        for text in [
            "^0.3.0",
            "it's",
            "a:b",
            "a#b",
            "-a",
            "a\"b",
            "yes",
            "1_000",
            "--- x",
            "0x",
            "0o8",
            "1e",
            "+",
            ".",
            "é",
            "a\u{a0}",
            "?a",
            "- ".trim(),
        ] {
            if text == "-" {
                continue;
            }
            assert_eq!(printed(text), format!("name: {text}\n"));
        }
    }

    #[test]
    fn a_text_that_would_mean_something_else_is_quoted() {
        for text in [
            "", ">=20", "a: b", "a #b", "*", "@a", "-", "? a", "a:", "a ", " a", "true", "~", "1",
            "1.0", "01", "0x1f", "0o7", "1e3", ".5", "-.inf", "1.", ".nan",
        ] {
            assert_eq!(printed(text), format!("name: \"{text}\"\n"));
        }
        assert_eq!(printed("\"a\""), "name: '\"a\"'\n");
        assert_eq!(printed("'\""), "name: \"'\\\"\"\n");
        assert_eq!(printed("a\u{1}\u{7f}\r"), "name: \"a\\x01\u{7f}\\r\"\n");
    }

    #[test]
    fn lines_are_kept_in_a_block() {
        assert_eq!(printed("a\nb"), "name: |-\n  a\n  b\n");
        assert_eq!(printed("a\n"), "name: |\n  a\n");
        assert_eq!(printed("a\n\n"), "name: |+\n  a\n\n");
        assert_eq!(printed("\n"), "name: |+\n  \n");
        assert_eq!(printed(" a\nb\n"), "name: |2\n   a\n  b\n");
    }

    #[test]
    fn lines_with_controls_are_quoted_and_spread_when_long() {
        assert_eq!(printed("a\r\nb"), "name: \"a\\r\\nb\"\n");
        let long = "x".repeat(40);
        assert_eq!(
            printed(&format!("{long}\r \n\n {long}\n")),
            format!("name: \"{long}\\r\\ \n\n\n  \\ {long}\\n\"\n")
        );
    }

    #[test]
    fn mappings_in_a_list_begin_at_their_dash() {
        let text = r#"{"codes":[{"a":1,"b":{"c":[{}]}},{"true":null}]}"#;
        let value = Value::from_json(text).unwrap();
        let printed = print(value.as_object().unwrap());
        assert_eq!(
            printed,
            "codes:\n  - a: 1\n    b:\n      c:\n        - {}\n  - \"true\": null\n"
        );
    }
}
