//! Decisions from bytes: what a generator asks, the input answers, so that whoever changes bytes changes what is
//! made. When the bytes are used up every answer is the first choice, which generators keep small. Knows nothing
//! about what is made.

use crate::json::Json;

/// Bytes that have not answered anything yet.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    bytes: &'a [u8],
}

/// Characters that some reader, writer or order treats in its own way.
const CHARACTERS: &[char] = &[
    'a', 'b', 'A', 'z', '0', '1', '9', '.', '-', '_', '/', ' ', '\n', '\t', '\r', '"', '\\', '\'',
    ':', '#', '{', '}', '[', ']', ',', '&', '*', '!', '|', '>', '%', '@', '`', '?', '~', '<', '=',
    '$', '\0', '\u{1}', '\u{7f}', '\u{85}', '\u{a0}', 'é', 'ß', 'İ', '\u{301}', '\u{2028}',
    '\u{feff}', '\u{fffe}', '\u{e000}', '😀',
];

const NUMBERS: &[f64] = &[
    0.0,
    1.0,
    -0.0,
    -1.0,
    0.5,
    10.0,
    1e20,
    1e21,
    1e-6,
    1e-7,
    5e-324,
    f64::MAX,
    f64::MIN_POSITIVE,
    9_007_199_254_740_993.0,
    4_294_967_294.0,
    4_294_967_295.0,
    123_456_789.125,
];

impl<'a> Draw<'a> {
    /// Decisions from these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Whether nothing is left to decide with.
    pub fn is_spent(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bytes that are left.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }

    /// A byte; zero at the end.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        *first
    }

    /// Eight bytes as a number.
    pub fn number(&mut self) -> u64 {
        (0..8).fold(0, |number, _| number << 8 | u64::from(self.byte()))
    }

    /// A number below `limit`, which is at least one.
    pub fn below(&mut self, limit: usize) -> usize {
        let byte = usize::from(self.byte());
        match limit {
            0..=256 => byte % limit.max(1),
            _ => (byte << 8 | usize::from(self.byte())) % limit,
        }
    }

    /// True once in so many cases, and never at the end.
    pub fn once_in(&mut self, cases: usize) -> bool {
        self.below(cases) == cases - 1
    }

    /// One of the choices, of which there is at least one.
    pub fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }

    /// A double, often a difficult one.
    pub fn double(&mut self) -> f64 {
        if self.below(3) < 2 {
            return self.one_of(NUMBERS);
        }
        let drawn = f64::from_bits(self.number());
        if drawn.is_finite() { drawn } else { 0.0 }
    }

    /// A text of at most so many characters.
    pub fn text(&mut self, most: usize) -> String {
        let length = self.below(most + 1);
        (0..length)
            .map(|_| match self.below(8) {
                0..=5 => self.one_of(CHARACTERS),
                6 => char::from(self.byte() & 0x7f),
                _ => char::from_u32(self.number() as u32 & 0x1f_ffff).unwrap_or('x'),
            })
            .collect()
    }

    /// A text of ASCII characters.
    pub fn ascii(&mut self, most: usize) -> String {
        let length = self.below(most + 1);
        (0..length)
            .map(|_| char::from(self.byte() & 0x7f))
            .collect()
    }

    /// A name, often an array index or nearly one.
    pub fn name(&mut self) -> String {
        match self.below(6) {
            0 => self.below(300).to_string(),
            1 => self
                .one_of(&[
                    "01",
                    "-1",
                    "1.5",
                    "4294967294",
                    "4294967295",
                    "",
                    "__proto__",
                    "toString",
                    "a",
                    "A",
                ])
                .to_owned(),
            2 | 3 => self.ascii(3),
            _ => self.text(6),
        }
    }

    /// A value of at most so many levels. Names repeat as chance has it.
    pub fn value(&mut self, levels: usize) -> Json {
        let kinds = if levels == 0 { 5 } else { 8 };
        match self.below(kinds) {
            0 => Json::Null,
            1 => Json::Bool(self.below(2) == 1),
            2 => Json::Number(self.double()),
            3 | 4 => Json::Text(self.text(8)),
            5 => {
                let count = self.below(5);
                Json::List((0..count).map(|_| self.value(levels - 1)).collect())
            }
            _ => {
                let count = self.below(6);
                Json::Object(
                    (0..count)
                        .map(|_| (self.name(), self.value(levels - 1)))
                        .collect(),
                )
            }
        }
    }
}
