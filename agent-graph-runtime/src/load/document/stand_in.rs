//! Characters that definitions may hold and the YAML parser refuses are replaced by characters it
//! takes, and put back afterwards. Knows nothing about YAML.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// U+007F has to be accepted, because bundles write it as it is; the two noncharacters are no
/// control characters, so refusing them is not allowed either.
const REFUSED: [char; 3] = ['\u{7f}', '\u{fffe}', '\u{ffff}'];

/// A text in which other characters may stand in for [`REFUSED`] ones.
pub(super) struct StandIns<'t> {
    text: Cow<'t, str>,
    /// Refused character and the one that stands in for it.
    pairs: Vec<(char, char)>,
    /// Where longer stand-ins end, as offsets in the new text, each with how much longer the new
    /// text is from there on.
    growth: Vec<(u32, u32)>,
}

impl<'t> StandIns<'t> {
    /// The text as the parser takes it. `None` if the text uses every character that could stand in.
    pub(super) fn for_text(text: &'t str) -> Option<Self> {
        let mut pairs = Vec::new();
        for refused in REFUSED {
            if text.contains(refused) {
                let taken = |c: char| pairs.iter().any(|&(_, stand_in)| stand_in == c);
                // The private use area of the basic plane: 6400 characters nobody assigned.
                let stand_in =
                    ('\u{e000}'..='\u{f8ff}').find(|&c| !taken(c) && !text.contains(c))?;
                pairs.push((refused, stand_in));
            }
        }
        let mut stand_ins = Self {
            text: Cow::Borrowed(text),
            pairs,
            growth: Vec::new(),
        };
        if !stand_ins.pairs.is_empty() {
            stand_ins.replace(text);
        }
        Some(stand_ins)
    }

    fn replace(&mut self, text: &str) {
        let mut replaced = String::with_capacity(text.len());
        let mut longer = 0;
        for c in text.chars() {
            let stand_in = self.pairs.iter().find(|&&(refused, _)| refused == c);
            let Some(&(refused, stand_in)) = stand_in else {
                replaced.push(c);
                continue;
            };
            replaced.push(stand_in);
            let more = stand_in.len_utf8() - refused.len_utf8();
            if more > 0 {
                longer += u32::try_from(more).unwrap_or(0);
                let end = u32::try_from(replaced.len()).unwrap_or(u32::MAX);
                self.growth.push((end, longer));
            }
        }
        self.text = Cow::Owned(replaced);
    }

    /// The text to parse.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// An offset of [`Self::text`] as an offset of the original text.
    pub(super) fn offset(&self, offset: u32) -> u32 {
        let passed = self.growth.partition_point(|&(end, _)| end <= offset);
        let longer = passed
            .checked_sub(1)
            .and_then(|index| self.growth.get(index))
            .map_or(0, |&(_, longer)| longer);
        offset - longer
    }

    /// A piece of the parsed text with the original characters.
    pub(super) fn restore<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut restored = Cow::Borrowed(text);
        for &(refused, stand_in) in &self.pairs {
            if restored.contains(stand_in) {
                restored = Cow::Owned(restored.replace(stand_in, refused.encode_utf8(&mut [0; 4])));
            }
        }
        restored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_give_back_text_and_offsets() {
        let text = "a\u{7f}\u{e000}\u{7f}b\u{fffe}c";
        let stand_ins = StandIns::for_text(text).unwrap();
        assert_eq!(stand_ins.text(), "a\u{e001}\u{e000}\u{e001}b\u{e002}c");
        assert_eq!(stand_ins.restore(stand_ins.text()), text);
        for (offset, c) in stand_ins.text().char_indices() {
            let original = stand_ins.offset(u32::try_from(offset).unwrap()) as usize;
            let expected = text[original..].chars().next().unwrap();
            assert_eq!(
                stand_ins.restore(c.encode_utf8(&mut [0; 4])),
                *expected.encode_utf8(&mut [0; 4])
            );
        }
    }

    #[test]
    fn a_text_without_such_characters_stays_as_it_is() {
        let stand_ins = StandIns::for_text("a: é\n").unwrap();
        assert!(matches!(stand_ins.text, Cow::Borrowed(_)));
        assert_eq!(stand_ins.offset(4), 4);
    }

    #[test]
    fn a_text_that_leaves_no_stand_in_is_refused() {
        let mut text: String = ('\u{e000}'..='\u{f8ff}').collect();
        text.push('\u{7f}');
        assert!(StandIns::for_text(&text).is_none());
    }
}
