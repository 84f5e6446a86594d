//! Our order against that of `feruca`, whose tables ours are from and whose code shares nothing with ours.

use alloc::string::String;
use alloc::vec::Vec;

use super::*;

fn oracle() -> feruca::Collator {
    let (shifting, tie_break) = (false, false);
    let root = feruca::Tailoring::Cldr(feruca::Locale::Root);
    feruca::Collator::new(root, shifting, tie_break)
}

#[test]
fn every_character_has_the_place_among_its_neighbours_that_the_oracle_gives_it() {
    let (mut ours, mut theirs) = (Collator::new(), oracle());
    let mut pair = [String::new(), String::new()];
    let characters = ('\u{1}'..=char::MAX).filter(|character| !is_one_of_many(*character));
    for character in characters {
        let [last, this] = &mut pair;
        core::mem::swap(last, this);
        this.clear();
        // A letter on either side: the library does not look at weightless ends.
        this.extend(['a', character, 'a']);
        let expected = theirs.collate(last.as_str(), this.as_str());
        assert_eq!(ours.compare(last, this), expected, "{character:?}");
        let expected = theirs.collate("aña", this.as_str());
        assert_eq!(ours.compare("aña", this), expected, "{character:?}");
    }
}

/// Whether the character is left out: in planes where nothing is assigned or everything is for private use, and
/// of ideographs and syllables all but every sixteenth.
fn is_one_of_many(character: char) -> bool {
    match character {
        '\u{34000}'..='\u{dffff}' | '\u{e0200}'.. => true,
        '\u{3400}'..='\u{d7ff}' | '\u{17000}'..='\u{18aff}' | '\u{20000}'.. => {
            u32::from(character) % 16 != 7
        }
        _ => false,
    }
}

#[test]
fn random_texts_are_in_the_order_of_the_oracle() {
    let alphabets: [Vec<char>; 4] = [
        // Letters with marks of many classes, precomposed and not.
        "aAeélL·ñ\u{301}\u{300}\u{323}\u{327}\u{34f}\u{345}ßÅ\u{212b}ǰḍ\u{31b}"
            .chars()
            .collect(),
        // Sequences with weights of their own: Cyrillic, Thai, Lao, Bengali, Tai Viet.
        "иИй\u{306}\u{308}аӑกขเแโໃລ\u{9c7}\u{9be}\u{9d7}ꪀꪵ\u{b47}\u{b3e}\u{cc6}\u{cc2}"
            .chars()
            .collect(),
        // Syllables in one piece and in several, ideographs, siniform scripts, symbols.
        "한ㅎ\u{1112}\u{1161}\u{11ab}가中文\u{f900}𗀀𛅰😀½ﬁ①〇ｱアあ"
            .chars()
            .collect(),
        ('\u{a0}'..'\u{800}').collect(),
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize % below
    };
    let (mut ours, mut theirs) = (Collator::new(), oracle());
    for round in 0..10_000 {
        let alphabet = &alphabets[round % alphabets.len()];
        let mut text = || {
            let length = 1 + next(6);
            let mut text: String = (0..length)
                .map(|_| alphabet[next(alphabet.len())])
                .collect();
            // The library takes a text to be smaller than itself with something weightless behind it.
            text.push('z');
            text
        };
        let (a, b) = (text(), text());
        assert_eq!(
            ours.compare(&a, &b),
            theirs.collate(a.as_str(), b.as_str()),
            "{a:?} {b:?}"
        );
    }
}
