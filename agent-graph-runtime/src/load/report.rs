//! Gathers findings in the order of the checks, so that the first error is the one the order demands.
//! Knows nothing about what is checked.

use alloc::vec::Vec;

use super::provider::LoadOptions;
use super::shape::with_end;
use crate::ordered;
use crate::{Code, Finding, Findings, Level, Place};

/// The most findings one load reports; of further ones only the number is told, they are mostly repetition.
const FINDINGS_LIMIT: usize = 1000;

/// Findings in the order of the checks.
#[derive(Default)]
pub(super) struct Report {
    options: LoadOptions,
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    /// Errors and warnings beyond the limit: how many, and where the first one is.
    errors_left_out: Option<LeftOut>,
    warnings_left_out: Option<LeftOut>,
}

struct LeftOut {
    count: usize,
    place: Place,
}

impl Report {
    /// A report of a load with these options.
    pub(super) fn new(options: LoadOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// Adds what was found.
    pub(super) fn add(&mut self, mut finding: Finding) {
        if self.options.is_strict()
            && matches!(finding.code, Code::DuplicateKey | Code::FileUnlisted)
        {
            finding.level = Level::Error;
        }
        let (list, left_out) = match finding.level {
            Level::Error => (&mut self.errors, &mut self.errors_left_out),
            Level::Warn => (&mut self.warnings, &mut self.warnings_left_out),
        };
        if list.len() < FINDINGS_LIMIT {
            list.push(finding);
            return;
        }
        match left_out {
            Some(left_out) => left_out.count += 1,
            None => {
                *left_out = Some(LeftOut {
                    count: 1,
                    place: finding.place,
                });
            }
        }
    }

    /// Adds all that was found; says whether it was nothing.
    pub(super) fn add_all(&mut self, findings: impl IntoIterator<Item = Finding>) -> bool {
        let before = self.errors.len();
        for finding in findings {
            self.add(finding);
        }
        self.errors.len() == before
    }

    /// Adds what is wrong with the shape of a document; says whether it was nothing. A document of another
    /// kind than its reader expects is likely fine, and the name that led to it wrong: that is told too.
    pub(super) fn add_shape(&mut self, findings: Vec<Finding>, named_at: &Place) -> bool {
        self.add_all(findings.into_iter().map(|finding| {
            if finding.place.pointer == "/schema" {
                finding.with_related(named_at.clone(), "the file is named here")
            } else {
                finding
            }
        }))
    }

    /// Whether so much is wrong that looking further is pointless.
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= FINDINGS_LIMIT
    }

    /// Whether there is an error.
    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// All errors and warnings if there is an error, else the warnings, sorted by place.
    pub(super) fn conclude(&mut self) -> Result<Vec<Finding>, Findings> {
        let mut errors = core::mem::take(&mut self.errors);
        let mut warnings = core::mem::take(&mut self.warnings);
        // What is full has not looked at everything.
        match self.errors_left_out.take() {
            Some(own) => errors.push(own.told(Level::Error, "at least ")),
            None if errors.len() >= FINDINGS_LIMIT => errors = with_end(errors),
            None => {}
        }
        let left_out = self.warnings_left_out.take();
        warnings.extend(left_out.map(|own| own.told(Level::Warn, "")));
        let mut errors = errors.into_iter();
        match errors.next() {
            Some(first) => Err(Findings::new(first, errors.chain(warnings))),
            None => {
                ordered::sort_by(&mut warnings, |a, b| {
                    (&a.place, a.code).cmp(&(&b.place, b.code))
                });
                Ok(warnings)
            }
        }
    }
}

impl LeftOut {
    fn told(self, level: Level, least: &str) -> Finding {
        let finding = Finding::left_out(self.place, least, self.count);
        Finding { level, ..finding }
    }
}
