//! A hash of text for indexes in memory: the same on every machine, and the same for a text in pieces as in
//! one piece. Nothing that is written or compared outside depends on it, and whoever indexes with it must
//! stay fast when texts collide on purpose.

/// The FNV-1a hash of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TextHash(u64);

impl TextHash {
    /// The hash of the empty text.
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// The hash of a text in one piece.
    pub(crate) fn of(text: &str) -> Self {
        Self::new().text(text)
    }

    /// The hash of this text followed by another.
    #[must_use]
    pub(crate) fn text(self, text: &str) -> Self {
        Self(text.bytes().fold(self.0, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_pieces_has_the_hash_of_the_text_in_one_piece() {
        assert_eq!(TextHash::of("ab/c"), TextHash::of("ab").text("/").text("c"));
        assert_ne!(TextHash::of("ab"), TextHash::of("ba"));
    }
}
