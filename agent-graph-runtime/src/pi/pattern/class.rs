//! Sets of units: the class escapes, unions, complements (spec 5.3). Knows nothing about patterns.

use alloc::vec::Vec;

use super::syntax::Ranges;

/// `\d`
pub(super) const DIGIT: &[(u16, u16)] = &[(0x30, 0x39)];

/// `\w`
pub(super) const WORD: &[(u16, u16)] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];

/// `\s`: the white space of ECMAScript.
pub(super) const SPACE: &[(u16, u16)] = &[
    (0x9, 0xd),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];

/// What `.` does not match.
pub(super) const LINE_END: &[(u16, u16)] = &[(0xa, 0xa), (0xd, 0xd), (0x2028, 0x2029)];

/// The ranges in order, with those that touch joined.
pub(super) fn normalized(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut joined: Ranges = Vec::with_capacity(ranges.len());
    for (low, high) in ranges {
        match joined.last_mut() {
            Some(last) if u32::from(low) <= u32::from(last.1) + 1 => last.1 = last.1.max(high),
            _ => joined.push((low, high)),
        }
    }
    joined
}

/// All units but these; expects ranges in order.
pub(super) fn complement(ranges: &[(u16, u16)]) -> Ranges {
    let mut others = Vec::new();
    let mut next = 0;
    for &(low, high) in ranges {
        if u32::from(low) > next {
            // Below `low`, so it fits.
            others.push((u16::try_from(next).unwrap_or(u16::MAX), low - 1));
        }
        next = u32::from(high) + 1;
    }
    if let Ok(next) = u16::try_from(next) {
        others.push((next, u16::MAX));
    }
    others
}

/// The set of a class escape such as `\d`, if the letter is one.
pub(super) fn of_escape(letter: u16) -> Option<Ranges> {
    let set = match u8::try_from(letter).ok()? {
        b'd' | b'D' => DIGIT,
        b'w' | b'W' => WORD,
        b's' | b'S' => SPACE,
        _ => return None,
    };
    let is_negated = u8::try_from(letter).is_ok_and(|letter| letter.is_ascii_uppercase());
    Some(if is_negated {
        complement(set)
    } else {
        set.to_vec()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_and_its_complement_share_nothing_and_leave_nothing_out() {
        for set in [DIGIT, WORD, SPACE, LINE_END, &[], &[(0, 5), (9, 65535)]] {
            let other = complement(set);
            let mut all = set.to_vec();
            all.extend(&other);
            assert_eq!(normalized(all), [(0, u16::MAX)]);
            assert_eq!(complement(&other), set);
        }
    }
}
