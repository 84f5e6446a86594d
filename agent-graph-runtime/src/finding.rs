//! What the loader has to say about a definition: one finding a mistake, with its place.
//! Knows nothing about how a finding is shown or who asked.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::code::Code;
use crate::ordered;
use crate::source_texts::SourceTexts;
use crate::span::{Position, Span};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The definition loads; something deserves a look.
    Warn,
    /// The definition does not load.
    Error,
}

/// A place in a file of the provider.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Path relative to the folder of the manifest, with forward slashes.
    pub file: Arc<str>,
    /// Line and column, counted from 1.
    pub position: Position,
    /// The bytes of the file that are meant.
    pub span: Span,
    /// JSON pointer to the value that is meant; empty for the document itself.
    pub pointer: String,
}

impl Place {
    /// The beginning of a file: for problems of the file as a whole.
    pub fn start_of(file: Arc<str>) -> Self {
        Self {
            file,
            position: Position { line: 1, column: 1 },
            span: Span::default(),
            pointer: String::new(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}",
            self.file, self.position.line, self.position.column
        )
    }
}

/// One mistake, or one thing worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The stable code.
    pub code: Code,
    /// How much it matters.
    pub level: Level,
    /// Where it is.
    pub place: Place,
    /// One sentence without a final period.
    pub message: String,
    /// What to do, where that can be said, for example "did you mean `approval`?".
    pub hint: Option<String>,
    /// Other places that matter, each with a label such as "first declared here".
    pub related: Vec<(Place, String)>,
}

impl Finding {
    /// An error without hint and related places.
    pub fn error(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self {
            code,
            level: Level::Error,
            place,
            message: message.into(),
            hint: None,
            related: Vec::new(),
        }
    }

    /// A warning without hint and related places.
    pub fn warning(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self {
            level: Level::Warn,
            ..Self::error(code, place, message)
        }
    }

    /// A warning that there are so many more, or `at least` so many, from this place on.
    #[doc(hidden)]
    pub fn left_out(place: Place, at_least: &str, count: usize) -> Self {
        let message = match count {
            1 => alloc::format!("{at_least}one more finding, this one, is not listed"),
            _ => alloc::format!("{at_least}{count} more findings, this one first, are not listed"),
        };
        Self::warning(Code::FindingsLeftOut, place, message)
    }

    /// The same finding with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same finding with one more related place.
    #[must_use]
    pub fn with_related(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related.push((place, label.into()));
        self
    }

    /// Every place it names, its own first.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let related = self.related.iter().map(|(place, _)| place);
        core::iter::once(&self.place).chain(related)
    }

    /// The same finding with other names for the files.
    #[must_use]
    pub fn with_files(&self, name: impl Fn(&str) -> Arc<str>) -> Self {
        let mut finding = self.clone();
        let related = finding.related.iter_mut().map(|(place, _)| place);
        for place in core::iter::once(&mut finding.place).chain(related) {
            place.file = name(&place.file);
        }
        finding
    }
}

/// `file:line:column: code: message`, then one indented line for each related place and the hint.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place, self.code, self.message)?;
        for (place, label) in &self.related {
            write!(f, "\n  {place}: {label}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  help: {hint}")?;
        }
        Ok(())
    }
}

/// Why a definition does not load: at least one finding, errors and warnings of the same pass.
///
/// [`Findings::code`] is the code of the error that comes first in the order of the checks; the list
/// itself is sorted by file and position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    code: Code,
    list: Vec<Finding>,
    texts: SourceTexts,
}

impl Findings {
    /// The findings of a pass whose first error, in the order of the checks, is `first`.
    pub fn new(first: Finding, others: impl IntoIterator<Item = Finding>) -> Self {
        let code = first.code;
        let mut list: Vec<Finding> = core::iter::once(first).chain(others).collect();
        ordered::sort_by(&mut list, |a, b| {
            (&a.place, a.code).cmp(&(&b.place, b.code))
        });
        Self {
            code,
            list,
            texts: SourceTexts::new(),
        }
    }

    /// The same with texts that the findings point into; those that are there already stay.
    #[must_use]
    pub fn with_texts(mut self, texts: SourceTexts) -> Self {
        self.texts.add_all(texts);
        self
    }

    /// The same with other names for the files.
    #[must_use]
    pub fn with_files(&self, name: impl Fn(&str) -> Arc<str>) -> Self {
        let list = self.list.iter();
        Self {
            code: self.code,
            list: list.map(|finding| finding.with_files(&name)).collect(),
            texts: self.texts.with_files(&name),
        }
    }

    /// The code of the error that the order of the checks puts first.
    pub fn code(&self) -> Code {
        self.code
    }

    /// All findings, sorted by file and position.
    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    /// The texts that the findings point into, as far as they were read.
    pub fn texts(&self) -> &SourceTexts {
        &self.texts
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{finding}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Findings {}

impl From<Finding> for Findings {
    fn from(finding: Finding) -> Self {
        Self::new(finding, [])
    }
}
