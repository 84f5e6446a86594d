//! Text as this family sees it: ECMAScript white space, lengths and order in UTF-16 code units (spec 1.1,
//! 1.5). Knows nothing about JSON.

use core::cmp::Ordering;

/// White space of ECMAScript: not U+0085, which Unicode counts, but U+FEFF, which Unicode does not.
pub(crate) fn is_space(character: char) -> bool {
    matches!(
        character,
        '\u{9}'..='\u{d}'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// The text without white space at its ends.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether there is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    trim(text).is_empty()
}

/// The order of UTF-16 code units: U+10000 and beyond sort before U+E000.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Whether the name is one that no path and no object may have (spec 1.6).
pub(crate) fn is_forbidden(name: &str) -> bool {
    matches!(name, "__proto__" | "prototype" | "constructor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_that_of_ecmascript_and_not_of_unicode() {
        assert_eq!(trim("\u{feff}\u{a0}\n x\u{2029}"), "x");
        assert_eq!(trim("\u{85}x\u{200b}"), "\u{85}x\u{200b}");
    }

    #[test]
    fn astral_text_sorts_before_the_end_of_the_basic_plane() {
        assert_eq!(compare("\u{1f600}", "\u{ff00}"), Ordering::Less);
        assert_eq!(
            "\u{1f600}".cmp("\u{ff00}"),
            Ordering::Greater,
            "the bytes disagree"
        );
    }
}
