//! SHA-256 digests and route ids (spec 2.2, 2.6). Knows bytes only; what is hashed is decided elsewhere.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use sha2::block_api::compress256;
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest. Its text form is `sha256:` and 64 lower-case hex digits.
///
/// ```
/// use agent_graph_runtime::Digest;
/// let digest = Digest::of_bytes(b"{}");
/// assert_eq!(
///     digest.to_string(),
///     "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
/// );
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of the bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest with these bytes, as stored in tables.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The length of the text form.
    pub(crate) const TEXT: usize = 71;

    /// The text form, which is ASCII.
    pub(crate) fn to_text(self) -> [u8; Self::TEXT] {
        let mut text = [0; Self::TEXT];
        text[..7].copy_from_slice(b"sha256:");
        write_hex(&self.0, &mut text[7..]);
        text
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(core::str::from_utf8(&self.to_text()).unwrap_or(""))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = MalformedDigest;

    fn from_str(text: &str) -> Result<Self, MalformedDigest> {
        let mut bytes = [0; 32];
        read_hex(text.strip_prefix("sha256:"), &mut bytes)?;
        Ok(Self(bytes))
    }
}

/// The id of a candidate route. Its text form is `route:` and 20 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RouteId([u8; 10]);

impl RouteId {
    /// The route id that a digest of the hashed value of spec 2.6 yields.
    pub fn from_digest(digest: &Digest) -> Self {
        let mut bytes = [0; 10];
        bytes.copy_from_slice(&digest.0[..10]);
        Self(bytes)
    }

    /// In the order of the text form.
    pub(crate) const fn as_bytes(&self) -> &[u8; 10] {
        &self.0
    }
}

impl fmt::Display for RouteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 26];
        text[..6].copy_from_slice(b"route:");
        write_hex(&self.0, &mut text[6..]);
        f.pad(core::str::from_utf8(&text).unwrap_or(""))
    }
}

impl fmt::Debug for RouteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for RouteId {
    type Err = MalformedDigest;

    fn from_str(text: &str) -> Result<Self, MalformedDigest> {
        let mut bytes = [0; 10];
        read_hex(text.strip_prefix("route:"), &mut bytes)?;
        Ok(Self(bytes))
    }
}

/// The text is neither a digest nor a route id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedDigest;

impl fmt::Display for MalformedDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `sha256:` with 64 or `route:` with 20 lower-case hex digits")
    }
}

impl core::error::Error for MalformedDigest {}

macro_rules! serde_as_text {
    ($name:ident) => {
        impl serde_core::Serialize for $name {
            fn serialize<S: serde_core::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde_core::Deserialize<'de> for $name {
            fn deserialize<D: serde_core::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde_core::de::Error::custom)
            }
        }
    };
}

serde_as_text!(Digest);
serde_as_text!(RouteId);

/// A digest in the making, for text that is written in pieces.
#[derive(Clone, Default)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.0.update(text.as_bytes());
    }

    pub(crate) fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl fmt::Write for Hasher {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        Ok(())
    }
}

/// The common front of texts that are hashed one after the other, with the padding of SHA-256 (FIPS 180-4, 5.1.1)
/// behind each: a short text goes to the compression in one piece, without the copies that a hasher for any
/// text makes.
#[derive(Default)]
pub(crate) struct PaddedText {
    blocks: Vec<u8>,
    front: usize,
}

impl PaddedText {
    pub(crate) fn clear(&mut self) {
        self.front = 0;
    }

    /// Appends to the front.
    pub(crate) fn push_str(&mut self, text: &str) {
        self.blocks.truncate(self.front);
        self.blocks.extend_from_slice(text.as_bytes());
        self.front = self.blocks.len();
    }

    /// The digest of the front, then `middle`, then `tail`.
    pub(crate) fn digest_with(&mut self, middle: &str, tail: &[u8]) -> Digest {
        const PADDING: [u8; 72] = {
            let mut padding = [0; 72];
            padding[0] = 0x80;
            padding
        };
        self.blocks.truncate(self.front);
        self.blocks.extend_from_slice(middle.as_bytes());
        self.blocks.extend_from_slice(tail);
        let length = self.blocks.len();
        // One byte that ends the text and eight for its length in bits, zeros between them.
        let zeros = 63 - (length + 8) % 64;
        self.blocks
            .extend_from_slice(PADDING.get(..=zeros).unwrap_or(&[]));
        self.blocks.extend((length as u64 * 8).to_be_bytes());
        let mut state = [
            0x6a09_e667,
            0xbb67_ae85,
            0x3c6e_f372,
            0xa54f_f53a,
            0x510e_527f,
            0x9b05_688c,
            0x1f83_d9ab,
            0x5be0_cd19,
        ];
        compress256(&mut state, self.blocks.as_chunks().0);
        let mut bytes = [0; 32];
        for (word, bytes) in state.iter().zip(bytes.chunks_exact_mut(4)) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        Digest(bytes)
    }
}

/// Writes two hex digits a byte; `text` has twice the length of `bytes`.
fn write_hex(bytes: &[u8], text: &mut [u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (byte, pair) in bytes.iter().zip(text.chunks_exact_mut(2)) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
}

fn read_hex(text: Option<&str>, bytes: &mut [u8]) -> Result<(), MalformedDigest> {
    let digits = text.ok_or(MalformedDigest)?.as_bytes();
    if digits.len() != bytes.len() * 2 {
        return Err(MalformedDigest);
    }
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Ok(byte - b'0'),
        b'a'..=b'f' => Ok(byte - b'a' + 10),
        _ => Err(MalformedDigest),
    };
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_padded_text_has_the_digest_of_the_same_bytes_at_every_length() {
        let text = "ab7-".repeat(60);
        let mut padded = PaddedText::default();
        for front in [0, 1, 38, 63, 64, 65, 100] {
            padded.clear();
            padded.push_str(&text[..front / 2]);
            padded.push_str(&text[front / 2..front]);
            for middle in (front..front + 70).rev() {
                for end in [middle, middle + 3, middle + 64] {
                    let digest =
                        padded.digest_with(&text[front..middle], &text.as_bytes()[middle..end]);
                    assert_eq!(digest, Digest::of_bytes(&text.as_bytes()[..end]));
                }
            }
        }
    }
}
