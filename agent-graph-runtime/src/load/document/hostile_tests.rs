//! Texts that want to exhaust something: they end in an error or a value, soon and without a panic.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::time::{Duration, Instant};

use super::super::limits::{DOCUMENT_DEPTH, DOCUMENT_NODES};
use super::*;
use crate::json::Value;

/// What an unoptimized build on a busy machine needs at most.
const PATIENCE: Duration = Duration::from_secs(30);

fn parse(text: &str, format: Format) -> Result<Document, Finding> {
    let start = Instant::now();
    let read = Document::parse("a".into(), text.as_bytes(), format);
    let name: String = text.chars().take(20).collect();
    assert!(
        start.elapsed() < PATIENCE,
        "{name:?} took {:?}",
        start.elapsed()
    );
    read
}

fn code(text: &str, format: Format) -> Code {
    parse(text, format).map(|_| ()).unwrap_err().code
}

fn yaml(text: &str) -> Code {
    code(text, Format::Yaml)
}

#[test]
fn an_alias_bomb_is_a_limit() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..30 {
        let aliases = format!("*a{}, ", level - 1).repeat(9);
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}*a{}]\n", level - 1));
    }
    assert_eq!(yaml(&bomb), Code::InputLimit);
}

#[test]
fn large_values_behind_few_aliases_are_a_limit_of_nodes() {
    let items = "[],".repeat(DOCUMENT_NODES / 20);
    let text = format!("- &a [{items}]\n{}", "- *a\n".repeat(50));
    assert_eq!(yaml(&text), Code::InputLimit);
    // A collection of nothing but empty collections has the alias count 0 of npm yaml.
    let nothing = format!("- &a []\n{}", "- *a\n".repeat(1000));
    assert!(parse(&nothing, Format::Yaml).is_ok());
}

#[test]
fn aliases_of_one_long_string_share_it() {
    let text = format!("- &a {}\n{}", "x".repeat(3 << 20), "- *a\n".repeat(99));
    assert!(parse(&text, Format::Yaml).is_ok());
}

#[test]
fn nesting_is_a_limit_however_it_is_written() {
    let depth = 100_000;
    for text in [
        "[".repeat(depth),
        "{a: ".repeat(depth),
        "- ".repeat(depth),
        // Neither half alone is too deep.
        format!("{}{}{}", "- ".repeat(100), "[".repeat(100), "]".repeat(100)),
        (0..2000)
            .map(|n| format!("{}a:\n", " ".repeat(n)))
            .collect(),
    ] {
        assert_eq!(yaml(&text), Code::InputLimit, "{}", text.get(..20).unwrap());
    }
    for text in ["[".repeat(depth), "{\"a\":".repeat(depth)] {
        assert_eq!(code(&text, Format::Json), Code::InputLimit);
    }
}

#[test]
fn the_deepest_nesting_is_the_documented_one_even_through_aliases() {
    let nest =
        |depth: usize, inside: &str| format!("{}{inside}{}", "[".repeat(depth), "]".repeat(depth));
    let deepest = DOCUMENT_DEPTH as usize;
    for format in [Format::Yaml, Format::Json] {
        assert!(parse(&nest(deepest, "1"), format).is_ok());
        assert_eq!(code(&nest(deepest + 1, "1"), format), Code::InputLimit);
    }
    let half = deepest / 2;
    let text = |depth| format!("- &a {}\n- {}\n", nest(half, "1"), nest(depth, "*a"));
    assert!(parse(&text(half - 1), Format::Yaml).is_ok());
    assert_eq!(yaml(&text(half)), Code::InputLimit);
}

#[test]
fn the_most_nodes_are_the_documented_ones() {
    // One node is the sequence.
    let items = |count: usize| format!("[{}0]", "0,".repeat(count - 2));
    for format in [Format::Yaml, Format::Json] {
        assert!(parse(&items(DOCUMENT_NODES), format).is_ok());
        assert_eq!(code(&items(DOCUMENT_NODES + 1), format), Code::InputLimit);
    }
}

#[test]
fn the_longest_text_is_the_documented_one() {
    let text = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    for format in [Format::Yaml, Format::Json] {
        assert!(parse(&text(DOCUMENT_BYTES), format).is_ok());
        assert_eq!(code(&text(DOCUMENT_BYTES + 1), format), Code::InputLimit);
        assert_eq!(code(&text(64 << 20), format), Code::InputLimit);
    }
    let header = format!("---\na: {}\n---\n", "x".repeat(DOCUMENT_BYTES));
    let finding = Document::parse_frontmatter("a".into(), header.as_bytes()).unwrap_err();
    assert_eq!(finding.code, Code::InputLimit);
    let body = format!("---\na: x\n---\n{}", "x".repeat(DOCUMENT_BYTES));
    assert!(Document::parse_frontmatter("a".into(), body.as_bytes()).is_ok());
}

#[test]
fn long_texts_of_one_kind_take_bounded_time() {
    // An unoptimized build takes seconds for the largest texts; time that grows with the square of
    // the length shows here, too.
    const LENGTH: usize = 1 << 15;
    let units = [
        "a: 1\n",
        "a\n",
        "- a\n",
        "\"",
        "'",
        "&a ",
        "*a ",
        "!a ",
        "!!",
        "%",
        "%A\n",
        "#",
        "# c\n",
        "\n",
        " ",
        "\t",
        "? a\n",
        ": a\n",
        ",",
        "a,",
        "a, ",
        "[],",
        "[a]: ",
        "a: b: ",
        "|\n",
        "|",
        ">\n ",
        "a #",
        "---\n",
        "...\n",
        "\u{7f}",
        "\u{feff}",
        "\\",
        "\r\n",
        "a:\n",
        "-\n",
        "x ",
        "é",
        "\"a\" ",
        "{",
        "}",
        "]",
        "@",
        "`",
        "k: 'a\n",
        "k: \"\\\n",
    ];
    for unit in units {
        for opening in [
            "", "\"", "'", "[", "{", "- ", "a: ", "a: |\n  ", "a: [", "? ",
        ] {
            let text = format!("{opening}{}", unit.repeat(LENGTH / unit.len()));
            // What counts is that it ends; most of these are mistakes.
            let _ = parse(&text, Format::Yaml);
        }
    }
}

#[test]
fn many_repeated_names_warn_a_bounded_number_of_times() {
    let text = format!("{{{}\"a\":1}}", "\"a\":1,".repeat(100_000));
    let document = parse(&text, Format::Json).unwrap();
    let warnings = document.warnings();
    assert_eq!(warnings.len(), DUPLICATE_KEY_WARNINGS + 1);
    let last = warnings.last().unwrap();
    assert_eq!(last.code, Code::FindingsLeftOut);
    assert!(last.message.contains("99900 more"), "{}", last.message);
    assert_eq!(document.root().members().len(), 1);
}

#[test]
fn a_mapping_of_many_names_is_checked_for_repeats_soon() {
    let text: String = (0..100_000).map(|n| format!("k{n}: 1\n")).collect();
    assert_eq!(
        parse(&text, Format::Yaml).unwrap().root().members().len(),
        100_000
    );
    assert_eq!(yaml(&format!("{text}k0: 1\n")), Code::ParseFailed);
}

/// xorshift64*: the same texts in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap() % bound.max(1)
    }
}

fn recorded_texts() -> Vec<Vec<u8>> {
    let path = format!(
        "{}/../tests/conformance/yaml.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let vectors = Value::from_json(&text).unwrap();
    let texts = vectors.as_array().unwrap().iter().map(|vector| {
        let text = vector.as_object().unwrap().get("text").unwrap();
        text.as_str().unwrap().as_bytes().to_vec()
    });
    texts.collect()
}

/// Some bytes replaced, removed, doubled or inserted; sometimes another text put inside.
fn mutated(texts: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    const ALPHABET: &[u8] = b"-:?[]{},#&*!|>'\"%@`\\ \t\n\r\0a1~.0x\xc3\xa9\xef\xbb\xbf\x7f<=+eE";
    let mut text = texts[random.below(texts.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(text.len() + 1);
        let byte = ALPHABET[random.below(ALPHABET.len())];
        match random.below(5) {
            0 => text.insert(at, byte),
            1 if at < text.len() => text[at] = byte,
            2 if at < text.len() => drop(text.remove(at)),
            3 => {
                let end = (at + random.below(12)).min(text.len());
                let piece = text[at..end].to_vec();
                text.splice(at..at, piece);
            }
            _ => {
                let other = texts[random.below(texts.len())].clone();
                text.splice(at..at, other.into_iter().take(60));
            }
        }
    }
    text
}

/// Whatever was read, every node has a place inside the text and a pointer that leads back to it.
fn check_nodes(text: &[u8], node: Node<'_>) {
    let place = node.place();
    assert!(place.span.start <= place.span.end);
    assert!(place.span.end as usize <= text.len());
    for item in node.items() {
        check_nodes(text, item);
    }
    for member in node.members() {
        let place = member.name_place();
        assert!(place.span.end as usize <= text.len());
        let step = member.name.replace('~', "~0").replace('/', "~1");
        assert_eq!(member.value.pointer(), format!("{}/{step}", node.pointer()));
        check_nodes(text, member.value);
    }
}

#[test]
fn mutated_texts_give_an_error_or_a_value_whose_places_lie_in_the_text() {
    let texts = recorded_texts();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut read = 0;
    for _ in 0..6_000 {
        let text = mutated(&texts, &mut random);
        for document in [
            Document::parse("a".into(), &text, Format::Yaml),
            Document::parse("a".into(), &text, Format::Json),
            Document::parse_frontmatter("a".into(), &[b"---\n", &*text, b"---\n"].concat()),
        ] {
            match document {
                Ok(document) => {
                    read += 1;
                    // A header begins four bytes further on.
                    let mut longest = text.clone();
                    longest.extend(b"---\n");
                    check_nodes(&longest, document.root());
                    let value = document.root().to_value();
                    assert_eq!(
                        value.as_object().map_or(0, crate::json::Object::len),
                        document.root().members().len()
                    );
                }
                Err(finding) => assert!(finding.place.span.start <= finding.place.span.end),
            }
        }
    }
    // Otherwise the mutations only show how errors are reported.
    assert!(read > 1_000, "{read}");
}
