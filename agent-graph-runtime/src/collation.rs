//! The order of names (spec 2.1): the CLDR root collation, whatever the host's locale. Knows names
//! only, not the objects they come from.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::error::Error;
use crate::ordered;

#[cfg(feature = "unicode-collation")]
mod elements;
#[cfg(feature = "unicode-collation")]
mod normal;
#[cfg(feature = "unicode-collation")]
mod table;
#[cfg(feature = "unicode-collation")]
mod unicode;

/// The positions of `names` in collation order. Names that compare equal stay in their order.
///
/// Where there is something to compare and a name is not ASCII, fails with `feature-required` when
/// feature `unicode-collation` is off, and with `input-limit` when the name takes too long to compare.
pub(crate) fn order<'n>(names: impl Iterator<Item = &'n str>) -> Result<Vec<usize>, Error> {
    let names: Vec<Name<'n>> = names.map(Name::new).collect();
    let mut collator = Collator::new();
    if names.len() > 1 {
        names.iter().try_for_each(|name| collator.accept(name))?;
    }
    let compare = &mut |a: usize, b: usize| match (names.get(a), names.get(b)) {
        (Some(a), Some(b)) => collator.compare(a, b),
        _ => Ordering::Equal,
    };
    Ok(ordered::sorted((0..names.len()).collect(), compare))
}

/// The order of UTF-16 code units, which is not that of UTF-8 bytes (spec 2.5, 2.7).
pub(crate) fn compare_code_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// A name made ready to be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'n> {
    text: &'n str,
    ascii: bool,
}

impl<'n> Name<'n> {
    pub(crate) fn new(text: &'n str) -> Self {
        let ascii = text.is_ascii();
        Self { text, ascii }
    }
}

/// Compares names; keeps scratch space between comparisons.
pub(crate) struct Collator(unicode::Collator);

impl Collator {
    pub(crate) fn new() -> Self {
        Self(unicode::Collator::new())
    }

    /// Whether the name can be compared: with the features that are on, and in reasonable time.
    pub(crate) fn accept(&mut self, name: &Name<'_>) -> Result<(), Error> {
        if name.ascii {
            Ok(())
        } else {
            self.0.accept(name.text)
        }
    }

    pub(crate) fn compare(&mut self, a: &Name<'_>, b: &Name<'_>) -> Ordering {
        if a.ascii && b.ascii {
            compare_ascii(a.text, b.text)
        } else {
            self.0.compare(a.text, b.text)
        }
    }
}

/// The characters of ASCII by class, in order; the two cases of a letter are one class. Those that
/// are missing, which are controls, are ignored.
const CLASSES: &[u8] =
    b"\t\n\x0b\x0c\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";

/// The class of each ASCII character, counted from 1; 0 for the ignored ones.
const CLASS: [u8; 128] = {
    let mut class = [0; 128];
    let mut at = 0;
    while at < CLASSES.len() {
        let number = at as u8 + 1;
        class[CLASSES[at] as usize] = number;
        class[CLASSES[at].to_ascii_uppercase() as usize] = number;
        at += 1;
    }
    class
};

fn class(byte: u8) -> u8 {
    CLASS.get(usize::from(byte)).copied().unwrap_or(0)
}

/// Classes decide; if they are equal, the first difference in case does, lower case first.
fn compare_ascii(a: &str, b: &str) -> Ordering {
    let mut a = a.bytes().filter(|&byte| class(byte) != 0);
    let mut b = b.bytes().filter(|&byte| class(byte) != 0);
    let mut case = Ordering::Equal;
    loop {
        let (a, b) = match (a.next(), b.next()) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => return case,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
        };
        match class(a).cmp(&class(b)) {
            // Of the two cases of a letter, the lower one has the greater code.
            Ordering::Equal => case = case.then(b.cmp(&a)),
            unequal => return unequal,
        }
    }
}

#[cfg(not(feature = "unicode-collation"))]
mod unicode {
    use alloc::format;
    use core::cmp::Ordering;

    use crate::code::Code;
    use crate::error::Error;

    /// Never asked to compare: it accepts no name.
    pub(super) struct Collator;

    impl Collator {
        pub(super) fn new() -> Self {
            Self
        }

        pub(super) fn accept(&mut self, name: &str) -> Result<(), Error> {
            Err(Error::new(
                Code::FeatureRequired,
                format!("the order of the name {name:?} needs feature `unicode-collation`"),
            ))
        }

        pub(super) fn compare(&mut self, a: &str, b: &str) -> Ordering {
            a.cmp(b)
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn compare(a: &str, b: &str) -> Ordering {
        Collator::new().compare(&Name::new(a), &Name::new(b))
    }

    fn sorted<'n>(names: &[&'n str]) -> Vec<&'n str> {
        let order = order(names.iter().copied()).unwrap();
        order.into_iter().map(|at| names[at]).collect()
    }

    #[test]
    fn ascii_goes_by_class_then_case() {
        let ordered = vec![
            "", "_", "-", ".", "/", ">", "a10", "a9", "Aa", "ab", "b", "B",
        ];
        let mut shuffled = ordered.clone();
        shuffled.reverse();
        assert_eq!(sorted(&shuffled), ordered);
        assert_eq!(compare("aB", "Ab"), Ordering::Less);
    }

    #[test]
    fn ignored_controls_make_ties_and_ties_keep_their_order() {
        assert_eq!(
            sorted(&["a\0", "\x7fa", "A", "a"]),
            ["a\0", "\x7fa", "a", "A"]
        );
    }

    #[test]
    fn code_units_order_surrogates_before_the_private_use_area() {
        assert_eq!(compare_code_units("\u{1f600}", "\u{ff00}"), Ordering::Less);
        assert_eq!(compare_code_units("a", "ab"), Ordering::Less);
    }

    #[cfg(not(feature = "unicode-collation"))]
    #[test]
    fn names_beyond_ascii_are_refused_where_they_have_to_be_put_in_order() {
        use crate::code::Code;

        assert!(order(["é"].into_iter()).is_ok());
        let error = order(["é", "a"].into_iter()).unwrap_err();
        assert_eq!(error.code(), Code::FeatureRequired);
        assert!(error.message().contains("unicode-collation"));
    }
}

#[cfg(all(test, feature = "unicode-collation"))]
mod unicode_tests {
    use alloc::string::String;

    use super::*;

    fn compare(a: &str, b: &str) -> Ordering {
        Collator::new().compare(&Name::new(a), &Name::new(b))
    }

    /// Random text of the characters, up to seven long.
    fn random_text(state: &mut u64, characters: &[char]) -> String {
        let mut next = || {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            *state as usize
        };
        let length = next() % 8;
        (0..length)
            .map(|_| characters[next() % characters.len()])
            .collect()
    }

    #[test]
    fn the_ascii_table_agrees_with_the_root_collation() {
        let ascii: Vec<char> = ('\0'..='\x7f').collect();
        let few: Vec<char> = "aAbBlL-_.0\0".chars().collect();
        let mut collator = unicode::Collator::new();
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for round in 0..100_000 {
            let characters = if round % 2 == 0 { &ascii } else { &few };
            let a = random_text(&mut state, characters);
            let b = random_text(&mut state, characters);
            let expected = collator.compare(&a, &b);
            assert_eq!(compare_ascii(&a, &b), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn mixed_names_are_in_one_consistent_order() {
        let characters: Vec<char> =
            "aAlL·-\0 éeE\u{301}\u{323}\u{34f}ßsñ中ก\u{e40}\u{200b}\u{1f600}и\u{306}"
                .chars()
                .collect();
        let mut state = 0x2545_f491_4f6c_dd1d;
        let mut collator = Collator::new();
        for _ in 0..30_000 {
            let texts: [String; 3] = core::array::from_fn(|_| random_text(&mut state, &characters));
            let [a, b, c] = [0, 1, 2].map(|at: usize| Name::new(&texts[at]));
            let ab = collator.compare(&a, &b);
            let bc = collator.compare(&b, &c);
            assert_eq!(collator.compare(&b, &a), ab.reverse(), "{texts:?}");
            if ab == bc || bc == Ordering::Equal {
                assert_eq!(collator.compare(&a, &c), ab, "{texts:?}");
            } else if ab == Ordering::Equal {
                assert_eq!(collator.compare(&a, &c), bc, "{texts:?}");
            }
        }
    }

    #[test]
    fn canonically_equivalent_names_are_equal() {
        assert_eq!(compare("\u{e9}", "e\u{301}"), Ordering::Equal);
        assert_eq!(
            compare("e\u{323}\u{301}", "e\u{301}\u{323}"),
            Ordering::Equal
        );
        let order = order(["é", "e", "f", "e\u{301}"].into_iter()).unwrap();
        assert_eq!(order, [1, 0, 3, 2]);
    }
}
