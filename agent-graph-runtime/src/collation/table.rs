//! The data behind the order of names: collation elements of characters and of sequences, canonical
//! decompositions and combining classes, as rows of fixed width. Knows how to look things up, not what they
//! are for.
//!
//! The rows hold the CLDR root collation and the canonical decompositions of Unicode 18; `data/README.md`
//! says where they are from. They decide digests and never change within a major version.

/// A character, as the tables count them.
pub(super) type CodePoint = u32;

/// A character or more that decompose or weigh as one, or their weights: a slice of the words.
#[derive(Clone, Copy)]
pub(super) struct Words {
    start: usize,
    len: usize,
}

impl Words {
    /// As rows hold it: the start above eight bits of length.
    fn packed(start_and_len: u32) -> Self {
        Self {
            start: (start_and_len >> 8) as usize,
            len: (start_and_len & 0xff) as usize,
        }
    }

    pub(super) fn iter(self) -> impl Iterator<Item = u32> {
        let (words, _) = WORDS.as_chunks::<4>();
        let slice = words.get(self.start..self.start + self.len);
        slice.unwrap_or(&[]).iter().copied().map(u32::from_le_bytes)
    }
}

/// What the table says about a single character.
pub(super) enum Single {
    /// Nothing: its weights follow from its number.
    Missing,
    Element(u32),
    Expansion(Words),
}

/// Weights and decompositions, four bytes each.
const WORDS: &[u8] = include_bytes!("data/words.bin");

/// Runs of characters: the first one, how many, by how much the primary weight grows from one to the next,
/// the number of elements; then the element of the first, or where the elements begin.
const RUNS: &[u8] = include_bytes!("data/runs.bin");

/// Sequences of two or three characters with elements of their own; the third is 0 where there is none.
const CONTRACTIONS: &[u8] = include_bytes!("data/contractions.bin");

/// Characters that decompose, each with its full decomposition.
const DECOMPOSITIONS: &[u8] = include_bytes!("data/decompositions.bin");

/// Runs of characters of one combining class: the first one, how many, the class.
const CLASSES: &[u8] = include_bytes!("data/classes.bin");

pub(super) fn single(character: CodePoint) -> Single {
    let (rows, _) = RUNS.as_chunks::<12>();
    let after = rows.partition_point(|row| number(row, 0) <= character);
    let Some(row) = after.checked_sub(1).and_then(|at| rows.get(at)) else {
        return Single::Missing;
    };
    let [.., count_low, count_high, step, len, _, _, _, _] = *row;
    let distance = character - number(row, 0);
    if distance >= u32::from(u16::from_le_bytes([count_low, count_high])) {
        return Single::Missing;
    }
    let value = number(row, 8);
    if len == 1 {
        let growth = distance * u32::from(step);
        return Single::Element(value.wrapping_add(growth << 16));
    }
    Single::Expansion(Words {
        start: value as usize,
        len: usize::from(len),
    })
}

/// Whether sequences with elements of their own begin with the character.
pub(super) fn begins_contraction(character: CodePoint) -> bool {
    let (rows, _) = CONTRACTIONS.as_chunks::<16>();
    let at = rows.partition_point(|row| number(row, 0) < character);
    rows.get(at).is_some_and(|row| number(row, 0) == character)
}

/// The elements of a sequence of two characters, or three.
pub(super) fn contraction(sequence: [CodePoint; 3]) -> Option<Words> {
    let (rows, _) = CONTRACTIONS.as_chunks::<16>();
    let key = |row: &[u8; 16]| [number(row, 0), number(row, 4), number(row, 8)];
    let at = rows.partition_point(|row| key(row) < sequence);
    let row = rows.get(at).filter(|row| key(row) == sequence)?.as_slice();
    Some(Words::packed(number(row, 12)))
}

/// The full canonical decomposition, except of Hangul syllables, which follows from their numbers.
pub(super) fn decomposition(character: CodePoint) -> Option<Words> {
    let (rows, _) = DECOMPOSITIONS.as_chunks::<8>();
    let at = rows.partition_point(|row| number(row, 0) < character);
    let row = rows.get(at).filter(|row| number(*row, 0) == character)?;
    Some(Words::packed(number(row, 4)))
}

/// The combining class: 0 for all but combining marks.
pub(super) fn class(character: CodePoint) -> u8 {
    let (rows, _) = CLASSES.as_chunks::<8>();
    let after = rows.partition_point(|row| number(row, 0) <= character);
    let Some(&row) = after.checked_sub(1).and_then(|at| rows.get(at)) else {
        return 0;
    };
    let [.., count_low, count_high, class, _] = row;
    let count = u32::from(u16::from_le_bytes([count_low, count_high]));
    let within = character - number(&row, 0) < count;
    if within { class } else { 0 }
}

/// The number at an offset of a row.
fn number(row: &[u8], at: usize) -> u32 {
    let bytes = row.get(at..).and_then(|rest| rest.first_chunk::<4>());
    bytes.copied().map_or(0, u32::from_le_bytes)
}
