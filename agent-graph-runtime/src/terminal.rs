//! Text of strangers on a terminal. What definitions, providers, models and people write can hold characters that
//! steer the terminal, turn the direction of what stands beside them, or cannot be seen; whatever shows it to people
//! shows it through this. Knows characters, nothing about who prints.

use alloc::borrow::Cow;
use alloc::string::String;
use core::char::REPLACEMENT_CHARACTER;

/// The character, or U+FFFD in the place of one that would steer a terminal, turn the direction of text, or hide.
/// Line feeds and tabs stay.
///
/// ```
/// use agent_graph_runtime::terminal::shown;
/// assert_eq!(shown('é'), 'é');
/// assert_eq!(shown('\u{1b}'), '\u{fffd}');
/// assert_eq!(shown('\u{202e}'), '\u{fffd}');
/// ```
#[must_use]
pub fn shown(character: char) -> char {
    match character {
        '\n' | '\t' => character,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => {
            REPLACEMENT_CHARACTER
        }
        '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{feff}' => REPLACEMENT_CHARACTER,
        control if control.is_control() => REPLACEMENT_CHARACTER,
        other => other,
    }
}

/// The text on one line: what ends lines becomes a space, everything else is [`shown`].
///
/// ```
/// use agent_graph_runtime::terminal;
/// assert_eq!(terminal::line("Done.\n\u{1b}[2J"), "Done. \u{fffd}[2J");
/// ```
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    each(text, |character| match character {
        '\n' | '\r' | '\t' => ' ',
        other => shown(other),
    })
}

/// The text with its lines, every character as it is [`shown`].
///
/// ```
/// use agent_graph_runtime::terminal;
/// assert_eq!(terminal::lines("Approve?\r\n\u{9b}2J"), "Approve?\n\u{fffd}2J");
/// ```
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") {
        return Cow::Owned(text.replace("\r\n", "\n").chars().map(shown).collect());
    }
    each(text, shown)
}

/// The text with each character replaced; the text itself if that changes nothing.
fn each(text: &str, replaced: impl Fn(char) -> char) -> Cow<'_, str> {
    if text
        .chars()
        .all(|character| replaced(character) == character)
    {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(replaced).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_or_turns_text_gets_through() {
        let steering = ('\0'..='\u{1f}').chain('\u{7f}'..='\u{9f}');
        let turning = ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}');
        for character in steering.chain(turning).chain(['\u{61c}', '\u{200e}']) {
            let text = String::from(character);
            let on_a_line = line(&text);
            assert!(["\u{fffd}", " "].contains(&&*on_a_line), "{character:?}");
            let as_lines = lines(&text);
            assert!(
                ["\u{fffd}", "\n", "\t"].contains(&&*as_lines),
                "{character:?}"
            );
        }
    }

    #[test]
    fn text_that_is_harmless_is_not_copied() {
        assert!(matches!(line("Ünïcode 🔧 שלום"), Cow::Borrowed(_)));
        assert!(matches!(lines("two\nlines\tof it"), Cow::Borrowed(_)));
    }
}
