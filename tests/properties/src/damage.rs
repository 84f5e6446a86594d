//! Damage to bytes, the same for the same seed: flipped, dropped, doubled, foreign and moved bytes, and cuts.
//! Knows nothing about what the bytes mean.

use crate::seeded::Chance;

/// What breaks something somewhere.
const FOREIGN: &[&[u8]] = &[
    b"\xff",
    b"\0",
    b"\xef\xbb\xbf",
    b"\r",
    b"\t",
    b"*a",
    b"&a ",
    b"!!int ",
    b"!!str ",
    b"? ",
    b"- ",
    b": ",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b"|\n",
    b">-\n",
    b"'",
    b"\"",
    b"\"\\ud800\"",
    b"\\u0000",
    b"\xe2\x80\xa8",
    b"../",
    b"./",
    b"//",
    b"---\n",
    b"...\n",
    b"%YAML 1.1\n",
    b".nan",
    b"1e999",
    b"-0",
    b"<<: ",
    b"null",
    b"true",
    b"\n",
    b"\n\n",
    b" ",
    b"__proto__",
    b"{{",
    b"}}",
    b".",
    b"\xf0\x9f\x98\x80",
    b"(?<=a)",
    b"\\1",
    b"*",
    b"{2}",
];

/// The same bytes with a few changes; `other` lends pieces.
pub fn damaged(chance: &mut Chance, bytes: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..chance.between(1, 4) {
        if bytes.is_empty() {
            bytes.extend(chance.one_of(FOREIGN));
            continue;
        }
        let at = chance.below(bytes.len());
        let end = (at + chance.between(1, 12)).min(bytes.len());
        match chance.below(8) {
            0 => bytes[at] ^= 1 << chance.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let again = bytes[at..end].to_vec();
                let to = chance.below(bytes.len());
                bytes.splice(to..to, again);
            }
            3 if chance.percent(20) => bytes.truncate(at),
            3 | 4 => drop(bytes.splice(at..at, chance.one_of(FOREIGN).iter().copied())),
            5 => {
                let other_at = chance.below(other.len().max(1)).min(other.len());
                let other_end = (other_at + chance.between(1, 40)).min(other.len());
                bytes.splice(at..at, other[other_at..other_end].iter().copied());
            }
            6 => bytes[at] = u8::try_from(chance.between(32, 126)).unwrap_or(b'x'),
            _ => {
                let other = chance.below(bytes.len());
                bytes.swap(at, other);
            }
        }
    }
    bytes
}
