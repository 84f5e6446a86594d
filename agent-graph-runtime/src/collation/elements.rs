//! The collation elements of a name (Unicode Technical Standard #10, step S2). Knows nothing about comparing
//! them.
//!
//! An element holds three weights: the primary one in its upper 16 bits, the tertiary one in 6 bits below bit
//! 15, the secondary one in the lower 9.

use alloc::vec::Vec;

use super::table::{self, CodePoint, Single, Words};

pub(super) fn primary(element: u32) -> u32 {
    element >> 16
}

pub(super) fn secondary(element: u32) -> u32 {
    element & 0x1ff
}

pub(super) fn tertiary(element: u32) -> u32 {
    element >> 9 & 0x3f
}

/// Fills `elements` with those of decomposed text. Takes marks out of the text that sequences take in.
pub(super) fn of(text: &mut Vec<CodePoint>, elements: &mut Vec<u32>) {
    elements.clear();
    let mut at = 0;
    while let Some(&first) = text.get(at) {
        at += 1;
        let longest = longest_contraction(first, text, &mut at);
        match longest {
            Some(words) => elements.extend(words.iter()),
            None => push_single(first, elements),
        }
    }
}

/// The elements of the longest sequence that begins with `first`, behind which `at` stands.
fn longest_contraction(
    first: CodePoint,
    text: &mut Vec<CodePoint>,
    at: &mut usize,
) -> Option<Words> {
    if !table::begins_contraction(first) {
        return None;
    }
    let mut sequence = [first, 0, 0];
    let mut found = None;
    let mut len = 1;
    if let Some(&[second, third]) = text.get(*at..*at + 2)
        && let Some(words) = table::contraction([first, second, third])
    {
        (sequence, len, found) = ([first, second, third], 3, Some(words));
    } else if let Some(&second) = text.get(*at)
        && let Some(words) = table::contraction([first, second, 0])
    {
        (sequence, len, found) = ([first, second, 0], 2, Some(words));
    }
    *at += len - 1;
    take_marks(sequence, len, text, *at, found)
}

/// Extends the sequence by marks further on, past others of a lower class, as long as there are elements for
/// it.
fn take_marks(
    mut sequence: [CodePoint; 3],
    mut len: usize,
    text: &mut Vec<CodePoint>,
    mut at: usize,
    mut found: Option<Words>,
) -> Option<Words> {
    let mut passed = 0;
    while let Some(&mark) = text.get(at) {
        let class = table::class(mark);
        if class == 0 {
            break;
        }
        let extended = (class > passed).then(|| extended(sequence, len, mark));
        match extended.flatten() {
            Some((longer, words)) => {
                (sequence, len, found) = (longer, len + 1, Some(words));
                text.remove(at);
            }
            None => {
                passed = passed.max(class);
                at += 1;
            }
        }
    }
    found
}

fn extended(
    mut sequence: [CodePoint; 3],
    len: usize,
    mark: CodePoint,
) -> Option<([CodePoint; 3], Words)> {
    *sequence.get_mut(len)? = mark;
    table::contraction(sequence).map(|words| (sequence, words))
}

fn push_single(character: CodePoint, elements: &mut Vec<u32>) {
    match table::single(character) {
        Single::Element(element) => elements.push(element),
        Single::Expansion(words) => elements.extend(words.iter()),
        Single::Missing => elements.extend(implicit(character)),
    }
}

/// The elements of a character that the table does not list: ideographs and what Unicode does not assign, in
/// the order of their numbers.
fn implicit(character: CodePoint) -> [u32; 2] {
    let script = IMPLICIT
        .iter()
        .find(|(first, last, ..)| (*first..=*last).contains(&character));
    let (base, offset) = match script {
        Some(&(_, _, base, Some(origin))) => (base, character - origin),
        Some(&(_, _, base, None)) => (base + (character >> 15), character & 0x7fff),
        None => (0xfbc0 + (character >> 15), character & 0x7fff),
    };
    // The usual secondary and tertiary weights, and none in the second element.
    [base << 16 | 2 << 9 | 32, (offset | 0x8000) << 16]
}

/// First and last character, the first primary weight, and for siniform scripts the character that the second
/// counts from (Unicode Technical Standard #10, table 16).
type Implicit = (CodePoint, CodePoint, u32, Option<CodePoint>);

#[rustfmt::skip]
const IMPLICIT: &[Implicit] = &[
    (0x17000, 0x187ff, 0xfb00, Some(0x17000)),
    (0x18800, 0x18aff, 0xfb01, Some(0x18800)),
    (0x18d00, 0x18d20, 0xfb00, Some(0x17000)),
    (0x18d80, 0x18df2, 0xfb01, Some(0x18800)),
    (0x1b170, 0x1b2fb, 0xfb02, Some(0x1b170)),
    (0x18b00, 0x18cda, 0xfb03, Some(0x18b00)),
    (0x18cff, 0x18cff, 0xfb03, Some(0x18b00)),
    (0x18e00, 0x19191, 0xfb04, Some(0x18e00)),
    (0x191a0, 0x191d2, 0xfb04, Some(0x18e00)),
    (0x3d000, 0x3fc3f, 0xfb05, Some(0x3d000)),
    (0x4e00, 0x9fff, 0xfb40, None),
    (0xfa0e, 0xfa0f, 0xfb40, None),
    (0xfa11, 0xfa11, 0xfb40, None),
    (0xfa13, 0xfa14, 0xfb40, None),
    (0xfa1f, 0xfa1f, 0xfb40, None),
    (0xfa21, 0xfa21, 0xfb40, None),
    (0xfa23, 0xfa24, 0xfb40, None),
    (0xfa27, 0xfa29, 0xfb40, None),
    (0x3400, 0x4dbf, 0xfb80, None),
    (0x20000, 0x2a6df, 0xfb80, None),
    (0x2a700, 0x2b81e, 0xfb80, None),
    (0x2b820, 0x2cead, 0xfb80, None),
    (0x2ceb0, 0x2ebe0, 0xfb80, None),
    (0x2ebf0, 0x2ee5d, 0xfb80, None),
    (0x30000, 0x3134a, 0xfb80, None),
    (0x31350, 0x33479, 0xfb80, None),
];
