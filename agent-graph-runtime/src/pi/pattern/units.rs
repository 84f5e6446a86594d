//! UTF-16 units as characters. ECMAScript matches units; the engine matches characters. Every unit becomes
//! one character: surrogates move into a plane that no text reaches, since characters of that plane are
//! surrogate pairs themselves.

use alloc::borrow::Cow;

/// What is added to a surrogate.
const SHIFT: u32 = 0x10_0000;

/// The character that stands for a unit.
pub(super) fn mapped_unit(unit: u16) -> u32 {
    match unit {
        0xd800..=0xdfff => u32::from(unit) + SHIFT,
        _ => u32::from(unit),
    }
}

/// The text with one character for each of its units.
pub(super) fn mapped(text: &str) -> Cow<'_, str> {
    // Characters of the basic plane are one unit each and stand for themselves.
    if text.chars().all(|character| character.len_utf16() == 1) {
        return Cow::Borrowed(text);
    }
    let units = text.encode_utf16().map(mapped_unit);
    Cow::Owned(units.filter_map(char::from_u32).collect())
}
