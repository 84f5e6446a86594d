//! Patterns against an independent implementation of ECMAScript, and where they have to be refused.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Pattern, PatternProblem};
use crate::pi::StateError;

/// What the other implementation says; `None` when the pattern is invalid.
fn oracle(pattern: &str, text: &str) -> Option<bool> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let source = pattern.encode_utf16().map(u32::from);
    let regex = regress::Regex::from_unicode(source, regress::Flags::default()).ok()?;
    Some(regex.find_from_ucs2(&units, 0).next().is_some())
}

#[test]
fn a_pattern_that_cannot_be_handed_on_faithfully_is_refused() {
    for pattern in [
        r"(?:(a)|b)*\1",
        r"(?<=(a))\1",
        r"(?<=\1(a))",
        r"(?:(a*))*\1",
        r"(?:a{5000}){5000}",
    ] {
        let problem = Pattern::new(pattern).problem();
        assert!(
            matches!(problem, Some(PatternProblem::Unsupported(_))),
            "{pattern}: {problem:?}"
        );
    }
    let deep = "(".repeat(5000) + &")".repeat(5000);
    assert!(Pattern::new(&deep).problem().is_some());
    assert!(Pattern::new(&"a".repeat(1 << 20)).problem().is_some());
}

#[test]
fn what_ecmascript_does_not_repeat_is_invalid() {
    for pattern in [
        r"\b*", r"\B{1,}", "^*", "$+", "(?<=a)*", "a**", "a{2}{3}", "*",
    ] {
        let problem = Pattern::new(pattern).problem();
        assert!(
            matches!(problem, Some(PatternProblem::Invalid(_))),
            "{pattern}: {problem:?}"
        );
    }
}

#[test]
fn braces_after_an_escaped_u_repeat_it() {
    assert_eq!(Pattern::new(r"^\u{3}$").is_match("uuu"), Ok(true));
    assert_eq!(Pattern::new(r"\u{61}").is_match("a"), Ok(false));
    // The other implementation takes the two escapes for one character.
    assert_eq!(Pattern::new(r"^\ud83d\ude00$").is_match("😀"), Ok(true));
}

#[test]
fn chosen_patterns_agree_with_another_implementation() {
    let patterns = [
        r"(?<=a+)b",
        r"(?<!a|bc)d",
        r"(a)?b\1c",
        r"\1(a)",
        r"(a\1)b",
        r"(?:(a)\1)+b",
        r"(?!(a))b\1",
        r"(?=(a+))\1b",
        r"(?=(a))*\1b",
        r"[^]",
        r"[]",
        r"[\b]",
        r"\cA",
        r"\c!",
        r"[\c!]",
        r"[\c0]",
        r"\07",
        r"\400",
        r"\8",
        r"[\d-z]",
        r"[a-\d]",
        r"x{1",
        r"x{,2}",
        r"{",
        r"{1}",
        r"a**",
        r"^*",
        r"(?=a)*",
        r"(?<=a)*",
        r"(?<a>x)\k<a>",
        r"(?<a>x)\k<b>",
        r"(?<a>x)\k",
        r"\k<a>",
        r"a{2,1}",
        r"\p{L}",
        r"\B",
        r"\Ba\B",
        r"[\w-]",
        r"a{0}b",
        r"(?:)*",
        r"(|a)+b",
        r"\-",
        r"[😀]",
        r"^[^😀]$",
        r"\ud83d",
        r"\s",
        r"\S",
    ];
    let texts = [
        "", "a", "b", "ab", "aab", "bb", "bcd", "xd", "abac", "aabb", "xx", "x{1", "{", "a-z",
        "😀", "\u{1}", "\u{7}", "8", "\u{a0}", "\u{85}", "\u{feff}", "k<a>", "u{61}", "p{L}",
        "\\c!", "\u{10}", " 0", "\n",
    ];
    for pattern in patterns {
        for text in texts {
            check(pattern, text);
        }
    }
}

/// Compares one pattern on one text, unless it is refused for a reason.
fn check(pattern: &str, text: &str) -> bool {
    let ours = Pattern::new(pattern);
    if let Some(PatternProblem::Unsupported(_)) = ours.problem() {
        return false;
    }
    // A later edition of ECMAScript allows this in two alternatives; the reference does not.
    if ours.problem() == Some(PatternProblem::Invalid("two groups have the same name")) {
        return true;
    }
    let theirs = oracle(pattern, text);
    let is_invalid = matches!(ours.problem(), Some(PatternProblem::Invalid(_)));
    assert_eq!(
        is_invalid,
        theirs.is_none(),
        "validity of {pattern:?}: {:?}",
        ours.problem()
    );
    let Ok(answer) = ours.is_match(text) else {
        return false;
    };
    assert_eq!(answer, theirs.unwrap_or(false), "{pattern:?} in {text:?}");
    true
}

/// Small pseudo-random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words.get(self.below(words.len())).copied().unwrap_or("")
    }

    fn pattern(&mut self, depth: usize) -> String {
        let mut pattern = String::new();
        for _ in 0..=self.below(3) {
            let atom = self.atom(depth);
            pattern.push_str(&atom);
            // The other implementation repeats word boundaries, which ECMAScript does not allow.
            let is_boundary = atom.eq_ignore_ascii_case(r"\b");
            if !is_boundary && self.below(3) == 0 {
                pattern
                    .push_str(self.pick(&["*", "+", "?", "{2}", "{1,2}", "*?", "{0,1}?", "{1,}"]));
            }
        }
        if depth > 0 && self.below(5) == 0 {
            pattern.push('|');
            pattern.push_str(&self.pattern(depth - 1));
        }
        pattern
    }

    fn atom(&mut self, depth: usize) -> String {
        if depth > 0 && self.below(3) == 0 {
            let open = self.pick(&[
                "(", "(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?<m>",
            ]);
            let body = self.pattern(depth - 1);
            return alloc::format!("{open}{body})");
        }
        let atoms = [
            "a", "b", "c", "a", "b", ".", "\\d", "\\w", "\\W", "\\s", "\\b", "\\B", "^", "$",
            "[ab]", "[^a]", "[a-c]", "\\1", "\\2", "\\3", "\\k<n>", "[\\w-]", "]", "{", "}",
            "\\x61", "\\u0062", "\\-", "[\\b]", "\\0", "\\12", "😀", "[😀-]", "\\ud83d", "-", "1",
            "é", "\\cJ", "[\\s\\S]", "(", ")", "*", "[", "\\",
        ];
        // The last five make most patterns invalid: rarely.
        let bound = if self.below(40) == 0 {
            atoms.len()
        } else {
            atoms.len() - 5
        };
        atoms.get(self.below(bound)).copied().unwrap_or("").into()
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.below(8) {
            text.push_str(self.pick(&[
                "a", "b", "c", "a", "b", "1", " ", "-", "\n", "é", "😀", "]", "{", "\u{8}", "\0",
            ]));
        }
        text
    }
}

#[test]
fn seeded_patterns_agree_with_another_implementation() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut compared = 0;
    let mut refused = 0;
    for _ in 0..PATTERNS {
        let pattern = random.pattern(2);
        for _ in 0..4 {
            let text = random.text();
            if check(&pattern, &text) {
                compared += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(
        compared > 10 * refused,
        "{compared} compared, {refused} refused"
    );
}

/// How many patterns are made.
const PATTERNS: usize = 2000;

#[test]
fn a_long_text_is_searched_in_linear_time_or_not_at_all() {
    let long = "a".repeat(1 << 20);
    for pattern in [
        "(a+)+b",
        r"(a+)+$b|\bq",
        "(a|b|ab)*c",
        "[ab]*a[ab]{100}c",
        ".*.*.*x",
    ] {
        assert_eq!(
            Pattern::new(pattern).is_match(&long),
            Ok(false),
            "{pattern}"
        );
    }
    for pattern in [r"(?=(a+))\1b", r"(a*)*\1b", "a+(?!a)c"] {
        let refused = Pattern::new(pattern).is_match(&long);
        assert_eq!(refused, Err(StateError::PatternLimit), "{pattern}");
    }
}

#[test]
fn a_pattern_may_count_the_characters_of_a_line() {
    assert_eq!(Pattern::new("^.{1,1000}$").problem(), None);
}
