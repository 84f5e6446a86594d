//! Canonical decomposition (NFD), so that equivalent names have the same weights. Knows nothing about weights.

use alloc::vec::Vec;

use super::table::{self, CodePoint};

/// Fills `decomposed` with the text's canonical decomposition, combining marks in their order.
pub(super) fn decompose(text: &str, decomposed: &mut Vec<CodePoint>) {
    decomposed.clear();
    let mut marks = 0;
    for character in text.chars() {
        let before = decomposed.len();
        push(u32::from(character), decomposed);
        for at in before..decomposed.len() {
            let mark = decomposed.get(at).is_some_and(|&mark| is_mark(mark));
            if mark {
                marks += 1;
            } else {
                order_marks(decomposed, at - marks, at);
                marks = 0;
            }
        }
    }
    let end = decomposed.len();
    order_marks(decomposed, end - marks, end);
}

fn is_mark(character: CodePoint) -> bool {
    // There are none below, and most characters are there.
    character >= 0x300 && table::class(character) != 0
}

fn order_marks(characters: &mut [CodePoint], start: usize, end: usize) {
    let marks = characters.get_mut(start..end).unwrap_or(&mut []);
    if marks.len() > 1 {
        marks.sort_by_key(|&mark| table::class(mark));
    }
}

fn push(character: CodePoint, decomposed: &mut Vec<CodePoint>) {
    const FIRST_TO_DECOMPOSE: CodePoint = 0xc0;
    if character < FIRST_TO_DECOMPOSE {
        decomposed.push(character);
    } else if let Some(syllable) = character.checked_sub(HANGUL).filter(|&at| at < SYLLABLES) {
        push_hangul(syllable, decomposed);
    } else if let Some(parts) = table::decomposition(character) {
        decomposed.extend(parts.iter());
    } else {
        decomposed.push(character);
    }
}

/// The first Hangul syllable, and the number of them: each leading consonant with each vowel, alone and with
/// each of 27 trailing consonants.
const HANGUL: CodePoint = 0xac00;
const SYLLABLES: CodePoint = 19 * 21 * 28;

fn push_hangul(syllable: CodePoint, decomposed: &mut Vec<CodePoint>) {
    decomposed.push(0x1100 + syllable / (21 * 28));
    decomposed.push(0x1161 + syllable / 28 % 21);
    if !syllable.is_multiple_of(28) {
        decomposed.push(0x11a7 + syllable % 28);
    }
}
