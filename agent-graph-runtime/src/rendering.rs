//! How a finding is shown to people: like an error of the compiler, with the lines that are meant, carets below
//! them, the other places that matter and what to do. Loader, macro, build script and command line all show
//! findings this way. Knows findings and texts; prints nothing, and asks no terminal.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use annotate_snippets::{
    AnnotationKind, Element, Group, Level as Severity, Origin, Renderer, Snippet,
};

use crate::excerpt::{self, Excerpt, Mark};
use crate::finding::{Finding, Findings, Level};
use crate::source_texts::SourceTexts;
use crate::terminal;

/// Findings as a compiler shows them. The text has no line end at its end.
///
/// ```
/// use agent_graph_runtime::{Code, Finding, Place, Position, Rendered, SourceTexts, Span};
///
/// let place = Place {
///     position: Position { line: 2, column: 7 },
///     span: Span::new(14, 22),
///     ..Place::start_of("graphs/tea.yaml".into())
/// };
/// let finding = Finding::error(Code::SchemaInvalid, place, "`complete` is no outcome")
///     .with_hint("did you mean `completed`?");
/// let mut texts = SourceTexts::new();
/// texts.add("graphs/tea.yaml".into(), *b"nodes:\n  end: complete\n");
/// assert_eq!(
///     Rendered::new(&[finding], &texts).to_string(),
///     "\
/// error[schema-invalid]: `complete` is no outcome
///  --> graphs/tea.yaml:2:8
///   |
/// 2 |   end: complete
///   |        ^^^^^^^^
///   |
///   = help: did you mean `completed`?"
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rendered<'f> {
    findings: &'f [Finding],
    texts: &'f SourceTexts,
    colored: bool,
}

impl<'f> Rendered<'f> {
    /// The findings as plain text, with lines of these texts.
    pub const fn new(findings: &'f [Finding], texts: &'f SourceTexts) -> Self {
        Self {
            findings,
            texts,
            colored: false,
        }
    }

    /// The same with colors, for a terminal, or without.
    #[must_use]
    pub const fn colored(self, colored: bool) -> Self {
        Self { colored, ..self }
    }

    /// The findings one by one, for whoever says "error" or "warning" in front: the first line of each is its
    /// code and message.
    pub fn untitled(self) -> impl Iterator<Item = String> {
        self.findings.iter().map(move |finding| {
            let title = alloc::format!("{}: {}", finding.code, terminal::line(&finding.message));
            let body = elements(finding, self.texts);
            let body = self.render(Group::with_level(severity(finding.level)).elements(body));
            alloc::format!("{title}\n{body}")
        })
    }

    fn titled(self, finding: &Finding) -> String {
        let title = severity(finding.level)
            .primary_title(terminal::line(&finding.message))
            .id(finding.code.as_str());
        self.render(title.elements(elements(finding, self.texts)))
    }

    fn render(self, group: Group<'_>) -> String {
        let renderer = if self.colored {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.render(&[group])
    }
}

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.findings.iter().enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            f.write_str(&self.titled(finding))?;
        }
        Ok(())
    }
}

impl Findings {
    /// The findings as a compiler shows them, with the lines they mean.
    pub fn rendered(&self) -> Rendered<'_> {
        Rendered::new(self.list(), self.texts())
    }
}

fn severity(level: Level) -> Severity<'static> {
    match level {
        Level::Error => Severity::ERROR,
        Level::Warn => Severity::WARNING,
    }
}

/// Everything below the title: places with their lines, then what to do.
fn elements<'f>(finding: &'f Finding, texts: &SourceTexts) -> Vec<Element<'f>> {
    let mut elements = Vec::new();
    for marks in by_file(finding) {
        let text = marks.first().and_then(|mark| texts.get(&mark.place.file));
        snippets(&marks, text, &mut elements);
    }
    let cure = finding.code.cure();
    let help = finding.hint.as_deref().unwrap_or(cure);
    elements.push(Severity::HELP.message(terminal::line(help)).into());
    elements
}

/// The places of a finding, those in one file together; that of the finding itself comes first.
fn by_file(finding: &Finding) -> Vec<Vec<Mark<'_>>> {
    let mut files = Vec::from([Vec::from([Mark {
        place: &finding.place,
        label: None,
    }])]);
    for (place, label) in &finding.related {
        let mark = Mark {
            place,
            label: Some(label),
        };
        let same = files.iter_mut().find(|marks| {
            let first = marks.first();
            first.is_some_and(|first| first.place.file == place.file)
        });
        match same {
            Some(marks) => marks.push(mark),
            None => files.push(Vec::from([mark])),
        }
    }
    files
}

/// The lines of one file: in one piece if they are near each other.
fn snippets<'f>(marks: &[Mark<'f>], text: Option<&[u8]>, elements: &mut Vec<Element<'f>>) {
    if let Some(excerpt) = text.and_then(|text| excerpt::of(text, marks)) {
        elements.push(snippet(excerpt, marks));
        return;
    }
    if let [mark] = marks {
        without_lines(mark, text, elements);
        return;
    }
    for mark in marks {
        snippets(core::slice::from_ref(mark), text, elements);
    }
}

fn snippet<'f>(excerpt: Excerpt, marks: &[Mark<'f>]) -> Element<'f> {
    let path = marks.first().map(|mark| terminal::line(&mark.place.file));
    let annotations = marks.iter().zip(excerpt.spans).map(|(mark, span)| {
        let label = mark.label.map(terminal::line);
        kind(mark).span(span).label(label)
    });
    Snippet::source(excerpt.text)
        .path(path)
        .line_start(excerpt.line)
        .annotations(annotations)
        .into()
}

/// A place whose lines cannot be shown as they are: the file as a whole, a text that is not at hand, or a line
/// of which only a part is shown.
fn without_lines<'f>(mark: &Mark<'f>, text: Option<&[u8]>, elements: &mut Vec<Element<'f>>) {
    let position = mark.place.position;
    let origin = Origin::path(terminal::line(&mark.place.file))
        .line(position.line as usize)
        .char_column(position.column as usize);
    elements.push(origin.into());
    if let Some(excerpt) = text.and_then(|text| excerpt::part(text, mark)) {
        let annotations = excerpt.spans.into_iter().map(|span| {
            let label = mark.label.map(terminal::line);
            kind(mark).span(span).label(label)
        });
        let snippet = Snippet::source(excerpt.text)
            .line_start(excerpt.line)
            .annotations(annotations);
        elements.push(snippet.into());
    } else if let Some(label) = mark.label {
        elements.push(Severity::NOTE.message(terminal::line(label)).into());
    }
}

fn kind(mark: &Mark<'_>) -> AnnotationKind {
    match mark.label {
        None => AnnotationKind::Primary,
        Some(_) => AnnotationKind::Context,
    }
}
