//! Ids made from whatever people write (spec section 11). Knows texts only.

use agent_graph_runtime::Code;

use super::failure::Failure;

/// Characters that are left for what is put before and behind a slug.
const LONGEST: usize = 100;

/// The text as an id: lower case, everything but letters, digits and `. _ -` as `-`.
pub(super) fn slug(text: &str) -> Result<String, Failure> {
    let mut slug = String::new();
    let mut dots = 0;
    for character in text.to_lowercase().chars() {
        let kept = character.is_ascii_lowercase() || character.is_ascii_digit();
        if character == '.' {
            dots += 1;
            continue;
        }
        match dots {
            0 => {}
            1 => slug.push('.'),
            _ => slug.push('-'),
        }
        dots = 0;
        if kept || matches!(character, '_' | '-') {
            slug.push(character);
        } else if !slug.ends_with(FOREIGN) {
            slug.push(FOREIGN);
        }
    }
    let slug = slug.replace(FOREIGN, "-");
    let slug = slug.trim_matches(|character: char| !character.is_ascii_alphanumeric());
    if slug.is_empty() {
        let message = format!("`{text}` has no letter or digit that an id could be made of");
        return Err(Failure::new(Code::IdInvalid, message));
    }
    if slug.len() > LONGEST {
        let message = format!("the id has {} characters, more than {LONGEST}", slug.len());
        return Err(Failure::new(Code::IdInvalid, message));
    }
    Ok(slug.to_owned())
}

/// Stands for a run of characters that no id has, so that a `-` beside it is not taken for one.
const FOREIGN: char = '\u{0}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_written_becomes_an_id() {
        for (text, expected) in [
            ("Release Gate", "release-gate"),
            ("a///b", "a-b"),
            ("a -b", "a--b"),
            ("../../etc/passwd", "etc-passwd"),
            ("a..b", "a-b"),
            ("a...b.c", "a-b.c"),
            ("_a_", "a"),
            ("ÄB", "b"),
            ("1", "1"),
            (". a .", "a"),
        ] {
            assert_eq!(slug(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn what_leaves_nothing_or_too_much_is_no_id() {
        for text in ["", "!!!", "...", "日本", &"a".repeat(101)] {
            assert_eq!(slug(text).unwrap_err().code, "id-invalid", "{text}");
        }
    }
}
