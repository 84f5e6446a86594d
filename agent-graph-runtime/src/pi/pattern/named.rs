//! Names of capturing groups. Knows nothing about the rest of a pattern.

use alloc::string::String;

use super::parse::Cursor;

/// Reads `<name>`, behind whose `<` the cursor stands; `None` when there is no name there.
pub(super) fn group_name(cursor: &mut Cursor<'_>) -> Option<String> {
    let mut name = String::new();
    loop {
        let unit = cursor.next()?;
        let character = match unit {
            0x3e if !name.is_empty() => return Some(name),
            0x5c => escaped(cursor)?,
            0xd800..=0xdbff => paired(unit, cursor.next()?)?,
            _ => char::from_u32(u32::from(unit))?,
        };
        let is_first = name.is_empty();
        if !is_name_character(character, is_first) {
            return None;
        }
        name.push(character);
    }
}

/// Approximates the properties `ID_Start` and `ID_Continue`: they agree on letters and digits.
fn is_name_character(character: char, is_first: bool) -> bool {
    match character {
        '$' | '_' => true,
        '\u{200c}' | '\u{200d}' => !is_first,
        _ if is_first => character.is_alphabetic(),
        _ => character.is_alphanumeric(),
    }
}

/// `\u0061`, `\u{61}` or a pair of the first form.
fn escaped(cursor: &mut Cursor<'_>) -> Option<char> {
    let first = unicode_escape(cursor)?;
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first);
    }
    if cursor.next()? != 0x5c {
        return None;
    }
    let second = unicode_escape(cursor)?;
    paired(u16::try_from(first).ok()?, u16::try_from(second).ok()?)
}

fn unicode_escape(cursor: &mut Cursor<'_>) -> Option<u32> {
    if cursor.next()? != u16::from(b'u') {
        return None;
    }
    if !cursor.take(b'{') {
        return cursor.hex(4).map(u32::from);
    }
    let mut number: u32 = 0;
    let mut digits = 0;
    while !cursor.take(b'}') {
        let digit = char::from_u32(u32::from(cursor.next()?))?.to_digit(16)?;
        number = number.checked_mul(16)?.checked_add(digit)?;
        digits += 1;
    }
    (digits > 0).then_some(number)
}

fn paired(high: u16, low: u16) -> Option<char> {
    char::decode_utf16([high, low]).next()?.ok()
}
