//! What a command has to say when it succeeds. Knows nothing about streams.

use std::fmt::{Display, Write};
use std::path::Path;

use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::{Finding, Rendered, SourceTexts, terminal};
use serde_core::Serialize;

use super::failure::Failure;

/// The result of a command, for programs and for people.
pub(super) struct Answer {
    /// The result as JSON.
    pub(super) json: Value,
    /// A few lines for people.
    pub(super) human: Lines,
    /// Whether the exit status is 0: it is not when a graph test fails.
    pub(super) success: bool,
}

impl Answer {
    pub(super) fn new(json: impl Into<Value>, human: Lines) -> Self {
        Self {
            json: json.into(),
            human,
            success: true,
        }
    }

    /// The answer whose JSON is what `result` serializes to.
    pub(super) fn of(result: &impl Serialize, human: Lines) -> Result<Self, Failure> {
        Ok(Self::new(Value::from_serialize(result)?, human))
    }
}

/// An object with these members.
pub(super) fn object<const N: usize>(members: [(&str, Value); N]) -> Object {
    members.into_iter().collect()
}

/// So many of something: `1 node`, `2 nodes`.
pub(super) fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// A path as one word of a command line.
pub(super) fn word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |character: char| character.is_alphanumeric() || "/._-+,@%:=~".contains(character);
    match !text.is_empty() && text.chars().all(plain) && !text.starts_with(['-', '~']) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Lines for people: labels with values, or plain text.
#[derive(Default)]
pub(super) struct Lines(Vec<Line>);

enum Line {
    Labelled(String, String),
    Plain(String),
    Verbatim(String),
    Findings(Vec<Finding>, SourceTexts),
    Warnings(Vec<Finding>, SourceTexts),
}

impl Lines {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// `label: value`.
    pub(super) fn label(mut self, label: impl Into<String>, value: impl Display) -> Self {
        self.0.push(Line::Labelled(label.into(), value.to_string()));
        self
    }

    /// `label: value`, if there is a value.
    pub(super) fn maybe(self, label: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.label(label, value),
            None => self,
        }
    }

    /// A line without a label.
    pub(super) fn line(mut self, text: impl Display) -> Self {
        self.0.push(Line::Plain(text.to_string()));
        self
    }

    /// Text of many lines that is printed as it is.
    pub(super) fn verbatim(mut self, text: String) -> Self {
        self.0.push(Line::Verbatim(text));
        self
    }

    /// Findings as a compiler shows them.
    pub(super) fn findings(mut self, findings: Vec<Finding>, texts: SourceTexts) -> Self {
        if !findings.is_empty() {
            self.0.push(Line::Findings(findings, texts));
        }
        self
    }

    /// What deserves a look beside the result, which does not hold it.
    pub(super) fn warnings(mut self, warnings: Vec<Finding>, texts: SourceTexts) -> Self {
        if !warnings.is_empty() {
            self.0.push(Line::Warnings(warnings, texts));
        }
        self
    }

    /// What is not part of the result.
    pub(super) fn beside(&self, colored: bool) -> String {
        let findings = self.0.iter().filter_map(|line| match line {
            Line::Warnings(findings, texts) => Some((findings, texts)),
            _ => None,
        });
        findings
            .map(|(findings, texts)| {
                format!("{}\n", Rendered::new(findings, texts).colored(colored))
            })
            .collect()
    }

    /// The text with final line ends; labels are emphasized on a terminal.
    pub(super) fn text(&self, emphasized: bool) -> String {
        let mut text = String::new();
        for line in &self.0 {
            // Writing to a string does not fail.
            let _ = match line {
                Line::Labelled(label, value) if emphasized => {
                    writeln!(
                        text,
                        "\x1b[1m{}:\x1b[0m {}",
                        terminal::line(label),
                        terminal::line(value)
                    )
                }
                Line::Labelled(label, value) => {
                    writeln!(text, "{}: {}", terminal::line(label), terminal::line(value))
                }
                Line::Plain(line) => writeln!(text, "{}", terminal::line(line)),
                Line::Findings(findings, texts) | Line::Warnings(findings, texts) => {
                    let rendered = Rendered::new(findings, texts).colored(emphasized);
                    writeln!(text, "\n{rendered}")
                }
                // A file or another program gets every byte, a terminal does not.
                Line::Verbatim(lines) if emphasized => write!(text, "{}", terminal::lines(lines)),
                Line::Verbatim(lines) => write!(text, "{lines}"),
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_for_a_shell() {
        for (path, expected) in [
            ("a/b.yaml", "a/b.yaml"),
            ("é", "é"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$(x)", "'$(x)'"),
            ("-m", "'-m'"),
            ("", "''"),
        ] {
            assert_eq!(word(Path::new(path)), expected);
        }
    }

    #[test]
    fn a_value_cannot_steer_the_terminal() {
        let lines = Lines::new()
            .label("Next", "a\x1b[31m\nb")
            .line("c\u{9b}\u{202e}");
        assert_eq!(
            lines.text(false),
            "Next: a\u{fffd}[31m b\nc\u{fffd}\u{fffd}\n"
        );
        assert!(lines.text(true).starts_with("\x1b[1mNext:\x1b[0m "));
    }

    #[test]
    fn a_text_of_many_lines_is_whole_in_a_file_and_harmless_on_a_terminal() {
        let lines = Lines::new().verbatim("a\u{2067}b\n\x1b[2J".to_owned());
        assert_eq!(lines.text(false), "a\u{2067}b\n\x1b[2J");
        assert_eq!(lines.text(true), "a\u{fffd}b\n\u{fffd}[2J");
    }
}
