//! "Did you mean": the known name that is closest to one that is unknown. Knows nothing about what
//! the names stand for.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Longer names get no hint: what is that long is not mistyped but wrong.
const LONGEST_NAME: usize = 64;
/// At most this many known names are looked at, so that a hint costs little however many there are.
const MOST_NAMES: usize = 500;
/// More differences than this are no typing error.
const MOST_DIFFERENCES: usize = 3;

/// The known name with the fewest differences from `wanted`: characters missing, added, replaced or
/// swapped with their neighbour; the case of ASCII letters does not count. `None` if every name
/// differs in more than a third of its characters. Among equally close names the first one wins.
pub fn nearest<'k>(wanted: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let wanted = characters(wanted)?;
    let mut best: Option<(usize, &str)> = None;
    for name in known.into_iter().take(MOST_NAMES) {
        let Some(characters) = characters(name) else {
            continue;
        };
        let shorter = wanted.len().min(characters.len());
        // A single character is one difference from every other one.
        let allowed = (shorter / 3).clamp(1, MOST_DIFFERENCES).min(shorter - 1);
        // Only what is closer than the best so far matters.
        let allowed = match best {
            Some((0, _)) => break,
            Some((differences, _)) => allowed.min(differences - 1),
            None => allowed,
        };
        if let Some(differences) = differences(&wanted, &characters, allowed) {
            best = Some((differences, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The hint of a finding about an unknown name, if a known one is close.
pub fn did_you_mean<'k>(wanted: &str, known: impl IntoIterator<Item = &'k str>) -> Option<String> {
    nearest(wanted, known).map(|name| format!("did you mean `{name}`?"))
}

/// The characters of the name, at least one; `None` if it is empty or too long.
fn characters(name: &str) -> Option<Vec<char>> {
    let characters: Vec<char> = name.chars().take(LONGEST_NAME + 1).collect();
    (1..=LONGEST_NAME)
        .contains(&characters.len())
        .then_some(characters)
}

/// The number of differences if it is at most `allowed`: the edit distance with swaps of
/// neighbours, computed in a band of that width around the diagonal.
fn differences(a: &[char], b: &[char], allowed: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > allowed {
        return None;
    }
    let far = allowed + 1;
    let mut before_last = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).map(|column| column.min(far)).collect();
    for (row, &x) in a.iter().enumerate() {
        let mut next = Vec::from([(row + 1).min(far)]);
        for (column, &y) in b.iter().enumerate() {
            if column.abs_diff(row) > allowed {
                next.push(far);
                continue;
            }
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(far);
            let replaced = at(&last, column) + usize::from(!x.eq_ignore_ascii_case(&y));
            let added = at(&next, column) + 1;
            let missing = at(&last, column + 1) + 1;
            let mut fewest = replaced.min(added).min(missing);
            if let (Some(row), Some(column)) = (row.checked_sub(1), column.checked_sub(1)) {
                let swapped = a.get(row) == Some(&y) && b.get(column) == Some(&x);
                if swapped {
                    fewest = fewest.min(at(&before_last, column) + 1);
                }
            }
            next.push(fewest.min(far));
        }
        before_last = core::mem::replace(&mut last, next);
    }
    last.last()
        .copied()
        .filter(|&differences| differences <= allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_with_the_fewest_differences_is_meant() {
        let known = ["approval", "review", "release", "plan"];
        assert_eq!(nearest("aproval", known), Some("approval"));
        assert_eq!(nearest("approvla", known), Some("approval"));
        assert_eq!(nearest("Review", known), Some("review"));
        assert_eq!(nearest("pln", known), Some("plan"));
        assert_eq!(nearest("plane", known), Some("plan"));
        assert_eq!(nearest("relaese", known), Some("release"));
        assert_eq!(nearest("deploy", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn among_equally_close_names_the_first_is_meant() {
        assert_eq!(nearest("lint-x", ["lint-b", "lint-a"]), Some("lint-b"));
        assert_eq!(nearest("lint-x", ["lint-bc", "lint-a"]), Some("lint-a"));
    }

    #[test]
    fn a_third_of_the_characters_may_differ_but_never_more_than_three() {
        assert_eq!(nearest("abcdef", ["abxxef"]), Some("abxxef"));
        assert_eq!(nearest("abcdef", ["xxxdef"]), None);
        assert_eq!(nearest("abcdefghijklmnopqr", ["wxyzefghijklmnopqr"]), None);
    }

    #[test]
    fn a_single_character_is_close_to_none_but_itself() {
        assert_eq!(nearest("a", ["b", "A"]), Some("A"));
        assert_eq!(nearest("a", ["b", "ab"]), None);
    }

    #[test]
    fn long_names_get_no_hint() {
        let long = "a".repeat(65);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
