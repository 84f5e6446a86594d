//! The texts that findings of lints point into. Reads files, and takes none that is not the one that was
//! loaded.

use std::fs;

use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::{Digest, Finding, SourceTexts};

/// The texts that the findings point into, as far as the files are still those that were loaded.
pub fn texts<'f>(loaded: &Loaded, findings: impl IntoIterator<Item = &'f Finding>) -> SourceTexts {
    let mut texts = loaded.texts.clone();
    let tables = loaded.tables.as_tables();
    for finding in findings {
        let related = finding.related.iter().map(|(place, _)| place);
        for place in std::iter::once(&finding.place).chain(related) {
            if texts.get(&place.file).is_some() {
                continue;
            }
            let mut files = tables.files.iter();
            let file = files.find(|file| tables.text(file.path) == &*place.file);
            let Some(expected) = file.map(|file| Digest::from_bytes(file.digest)) else {
                continue;
            };
            let text = fs::read(loaded.root.join(&*place.file));
            if let Some(text) = text.ok().filter(|text| Digest::of_bytes(text) == expected) {
                texts.add(place.file.clone(), text);
            }
        }
    }
    texts
}
