//! The texts that findings point into, as they were when the findings were made: kept so that a finding can be
//! shown with the lines it means, without a second look at a file that may have changed meanwhile.
//! Knows no files, and nothing about how findings are shown.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::fmt;

use crate::finding::Finding;

/// The texts of files, by the names that places give the files.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SourceTexts(BTreeMap<Arc<str>, Arc<[u8]>>);

impl SourceTexts {
    /// No texts.
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Adds the text of a file; one that is there already stays.
    pub fn add(&mut self, file: Arc<str>, text: impl Into<Arc<[u8]>>) {
        self.0.entry(file).or_insert_with(|| text.into());
    }

    /// Adds the texts of others; those that are there already stay.
    pub fn add_all(&mut self, others: Self) {
        for (file, text) in others.0 {
            self.add(file, text);
        }
    }

    /// The text of a file.
    pub fn get(&self, file: &str) -> Option<&[u8]> {
        self.0.get(file).map(|text| &**text)
    }

    /// The texts that these findings point into; `text` gives that of a file.
    pub(crate) fn of<'f, T: AsRef<[u8]>>(
        findings: impl IntoIterator<Item = &'f Finding>,
        text: impl Fn(&Arc<str>) -> Option<T>,
    ) -> Self {
        let mut texts = Self::new();
        for place in findings.into_iter().flat_map(Finding::places) {
            if !texts.0.contains_key(&place.file)
                && let Some(text) = text(&place.file)
            {
                texts.add(place.file.clone(), text.as_ref());
            }
        }
        texts
    }

    /// The same texts with other names for their files.
    #[must_use]
    pub fn with_files(&self, name: impl Fn(&str) -> Arc<str>) -> Self {
        let texts = self.0.iter();
        Self(
            texts
                .map(|(file, text)| (name(file), text.clone()))
                .collect(),
        )
    }
}

/// The names of the files: the texts themselves would bury whatever they are printed with.
impl fmt::Debug for SourceTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
