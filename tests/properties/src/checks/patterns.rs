//! Patterns: the same answer from both engines and however the pattern is wrapped; drawn patterns agree with another
//! implementation of ECMAScript.

use agent_graph_runtime::pi::{Pattern, PatternProblem, StateError};

use crate::draw::Draw;

/// Bytes as a pattern and, behind a line end, a text; and as decisions about both.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (pattern, searched) = text.split_once('\n').unwrap_or((&text, ""));
    engines_agree(pattern, searched);
    let mut draw = Draw::new(bytes);
    let pattern = drawn(&mut draw, 2);
    let searched: String = (0..draw.below(8)).map(|_| draw.one_of(TEXTS)).collect();
    engines_agree(&pattern, &searched);
    // The other implementation has no limit: long patterns would take it any time.
    if pattern.chars().count() <= 40 {
        other_implementation_agrees(&pattern, &searched);
    }
}

fn engines_agree(pattern: &str, text: &str) {
    let plain = Pattern::new(pattern);
    let answer = plain.is_match(text);
    assert_eq!(answer, plain.is_match(text));
    match plain.problem() {
        Some(PatternProblem::Invalid(why)) => {
            assert_eq!(answer, Ok(false), "{why}");
            return;
        }
        Some(PatternProblem::Unsupported(why)) => {
            assert_eq!(answer, Err(StateError::PatternLimit), "{why}");
            return;
        }
        None => {}
    }
    // The second one goes to the other engine, if the pattern does not go there already.
    for wrapped in [
        format!("(?:{pattern})"),
        format!("(?:{pattern})(?=)"),
        format!("(?!(?!{pattern}))"),
    ] {
        let other = Pattern::new(&wrapped);
        if matches!(other.problem(), Some(PatternProblem::Unsupported(_))) {
            continue;
        }
        assert_eq!(other.problem(), None, "{wrapped:?}");
        if let (Ok(answer), Ok(other)) = (answer, other.is_match(text)) {
            assert_eq!(answer, other, "{wrapped:?} in {text:?}");
        }
    }
}

fn other_implementation_agrees(pattern: &str, text: &str) {
    let ours = Pattern::new(pattern);
    // What is not handed on says so; and a later edition of ECMAScript allows a name in two alternatives.
    match ours.problem() {
        Some(PatternProblem::Unsupported(_))
        | Some(PatternProblem::Invalid("two groups have the same name")) => return,
        _ => {}
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    let source = pattern.encode_utf16().map(u32::from);
    let theirs = regress::Regex::from_unicode(source, regress::Flags::default());
    assert_eq!(
        ours.problem().is_some(),
        theirs.is_err(),
        "{pattern:?}: {:?}",
        ours.problem()
    );
    if let (Ok(theirs), Ok(answer)) = (theirs, ours.is_match(text)) {
        let found = theirs.find_from_ucs2(&units, 0).next().is_some();
        assert_eq!(answer, found, "{pattern:?} in {text:?}");
    }
}

const TEXTS: &[&str] = &[
    "a", "b", "c", "a", "b", "1", " ", "-", "\n", "é", "😀", "]", "{", "\u{8}", "\0", "\u{2028}",
    "K",
];

const ATOMS: &[&str] = &[
    "a", "b", "c", "a", "b", ".", "\\d", "\\w", "\\W", "\\s", "\\b", "\\B", "^", "$", "[ab]",
    "[^a]", "[a-c]", "\\1", "\\2", "\\3", "[\\w-]", "]", "{", "}", "\\x61", "\\u0062", "\\-",
    "[\\b]", "\\0", "\\12", "😀", "[😀-]", "\\ud83d", "-", "1", "é", "\\cJ", "[\\s\\S]", "[^]",
    "[]", "[\\d-z]", "x{1", "{1}", "\\8", "\\/",
];

fn drawn(draw: &mut Draw<'_>, levels: usize) -> String {
    let mut pattern = String::new();
    for _ in 0..1 + draw.below(3) {
        let atom = atom(draw, levels);
        pattern.push_str(&atom);
        // The other implementation repeats word boundaries, which ECMAScript does not allow.
        if !atom.eq_ignore_ascii_case("\\b") && draw.below(3) == 1 {
            pattern.push_str(draw.one_of(&["*", "+", "?", "{2}", "{1,2}", "*?", "{0,1}?", "{1,}"]));
        }
    }
    if levels > 0 && draw.below(5) == 1 {
        pattern.push('|');
        pattern.push_str(&drawn(draw, levels - 1));
    }
    pattern
}

fn atom(draw: &mut Draw<'_>, levels: usize) -> String {
    if levels > 0 && draw.below(3) == 1 {
        let open = draw.one_of(&["(", "(", "(?:", "(?=", "(?!", "(?<=", "(?<!"]);
        return format!("{open}{})", drawn(draw, levels - 1));
    }
    draw.one_of(ATOMS).to_owned()
}
