//! Cutting texts to a number of bytes, from either end (spec 8.2, 9.3). Knows nothing about messages.

/// So many UTF-16 units go at a time when the end of a text is cut off.
const STEP: usize = 256;

/// The text, or the beginning of it that is at most `bytes` long. Its end goes in steps of 256 UTF-16
/// units, so much less than `bytes` may be left: hashes of messages depend on it.
pub(crate) fn head(text: &str, bytes: u64) -> &str {
    let mut rest = text;
    let mut units = 0;
    let mut steps = 0;
    while rest.len() as u64 > bytes {
        steps += STEP;
        // A character of which only one half would go goes as a whole.
        while units < steps
            && let Some(last) = rest.chars().next_back()
        {
            units += last.len_utf16();
            rest = rest.get(..rest.len() - last.len_utf8()).unwrap_or_default();
        }
    }
    rest
}

/// The longest beginning of the text that is at most `bytes` long.
pub(crate) fn beginning(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The longest end of the text that is at most `bytes` long.
pub(crate) fn tail(text: &str, bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    #[test]
    fn a_beginning_is_left_in_steps_of_256_units() {
        let text = "x".repeat(300);
        assert_eq!(head(&text, 300), text);
        assert_eq!(head(&text, 299).len(), 44);
        assert_eq!(head(&text, 200).len(), 44);
        assert_eq!(head(&text, 43).len(), 0);
        assert_eq!(head(&"x".repeat(200), 100), "");
        assert_eq!(head("", 0), "");
    }

    #[test]
    fn units_are_counted_and_bytes_compared() {
        // 300 characters of 2 units and 4 bytes.
        let text = "😀".repeat(300);
        assert_eq!(head(&text, 1199), "😀".repeat(172));
        let text: String = core::iter::once('x')
            .chain("😀".repeat(300).chars())
            .collect();
        assert_eq!(head(&text, 1200).chars().count(), 1 + 172);
    }

    #[test]
    fn a_beginning_ends_with_a_whole_character() {
        assert_eq!(beginning("éé", 3), "é");
        assert_eq!(beginning("éé", 1), "");
        assert_eq!(beginning("éé", 9), "éé");
    }

    #[test]
    fn an_end_begins_with_a_whole_character() {
        assert_eq!(tail("éé", 3), "é");
        assert_eq!(tail("éé", 1), "");
        assert_eq!(tail("éé", 9), "éé");
        assert_eq!(tail("a中", 3), "中");
    }
}
