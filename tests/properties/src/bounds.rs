//! What holds for everything that is said about a text: places lie inside it, codes are registered, sentences are
//! there. Knows nothing about what was wrong.

use agent_graph_runtime::{Code, Finding, Findings, Place, Position, Rendered, SourceTexts};

/// A place lies in the text of its file, and says the line and column of its first byte.
///
/// # Panics
/// When it does not.
pub fn place(place: &Place, text: &[u8]) {
    let (start, end) = (place.span.start as usize, place.span.end as usize);
    assert!(
        start <= end && end <= text.len(),
        "{place:?} in {} bytes",
        text.len()
    );
    // A file that is no text, or whose content does not matter, is meant as a whole.
    if let Ok(text) = str::from_utf8(text) {
        assert!(
            text.is_char_boundary(start) && text.is_char_boundary(end),
            "{place:?}"
        );
        let position = Position::in_text(text, place.span.start);
        assert_eq!(place.position, position, "{place:?}");
    }
    let pointer = &place.pointer;
    assert!(pointer.is_empty() || pointer.starts_with('/'), "{place:?}");
}

/// A finding says what, where and why, and can be shown.
///
/// # Panics
/// When it does not.
pub fn finding<'t>(finding: &Finding, text: impl Fn(&str) -> Option<&'t [u8]>) {
    assert!(Code::ALL.contains(&finding.code));
    assert!(!finding.message.trim().is_empty(), "{finding:?}");
    let mut texts = SourceTexts::new();
    for own in finding.places() {
        // Without a text, for files that could not be read, only the beginning can be meant.
        let text = text(&own.file).unwrap_or_default();
        place(own, text);
        texts.add(own.file.clone(), text);
    }
    let shown = Rendered::new(std::slice::from_ref(finding), &texts).to_string();
    assert!(shown.contains(finding.code.as_str()), "{shown}");
}

/// There is at least one finding, and all of them are in order.
///
/// # Panics
/// When that is not so.
pub fn findings<'t>(findings: &Findings, text: impl Fn(&str) -> Option<&'t [u8]> + Copy) {
    assert!(
        findings
            .list()
            .iter()
            .any(|own| own.code == findings.code())
    );
    findings.list().iter().for_each(|own| finding(own, text));
}
