//! Which versions of the toolchain a provider says it works with: npm ranges in their common forms. Only
//! a warning depends on it, so a range that is not understood says nothing.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::definition::Manifest;
use crate::{Code, Finding};

/// A released version.
type Version = [u64; 3];

/// The version of the toolchain whose protocol is implemented here.
const TOOLCHAIN: Version = [0, 3, 1];

/// A provider that excludes the toolchain.
pub(super) fn other_toolchain(manifest: &Manifest) -> Option<Finding> {
    let range = manifest.agent_graph.as_ref()?;
    if admits(&range.value, TOOLCHAIN)? {
        return None;
    }
    let [major, minor, patch] = TOOLCHAIN;
    let message = format!(
        "the range `{}` excludes {major}.{minor}.{patch}, the version implemented here",
        super::shape::excerpt(&range.value)
    );
    let place = range.place.clone();
    Some(Finding::warning(Code::CompatibilityRange, place, message))
}

/// Whether the range admits a version; `None` if it is not understood.
fn admits(range: &str, version: Version) -> Option<bool> {
    let alternatives: Option<Vec<bool>> = range
        .split("||")
        .map(|alternative| admits_all(alternative.trim(), version))
        .collect();
    Some(alternatives?.contains(&true))
}

/// Comparators that all have to hold, or `1.2 - 3.4`. None at all admit every version.
fn admits_all(comparators: &str, version: Version) -> Option<bool> {
    if let Some((from, to)) = comparators.split_once(" - ") {
        let (from, to) = (Partial::read(from.trim())?, Partial::read(to.trim())?);
        return Some(from.admits(">=", version)? && to.admits("<=", version)?);
    }
    let mut admitted = true;
    let mut operator = String::new();
    for word in comparators.split_whitespace() {
        let end = word
            .find(|c: char| !matches!(c, '<' | '>' | '=' | '~' | '^'))
            .unwrap_or(word.len());
        let (sign, partial) = word.split_at_checked(end)?;
        operator.push_str(sign);
        // An operator may stand apart from what it compares with.
        if partial.is_empty() {
            continue;
        }
        admitted &= Partial::read(partial)?.admits(&operator, version)?;
        operator.clear();
    }
    operator.is_empty().then_some(admitted)
}

/// A version whose last numbers may be left open.
struct Partial {
    numbers: Version,
    /// How many numbers are given.
    given: usize,
    /// Whether it is a version before the release.
    is_prerelease: bool,
}

impl Partial {
    fn read(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let text = text.split_once('+').map_or(text, |(text, _)| text);
        let (text, prerelease) = match text.split_once('-') {
            Some((text, prerelease)) => (text, Some(prerelease)),
            None => (text, None),
        };
        let mut partial = Self {
            numbers: [0; 3],
            given: 0,
            is_prerelease: prerelease.is_some(),
        };
        let mut open = false;
        let mut words = text.split('.');
        for number in &mut partial.numbers {
            match words.next() {
                None | Some("x" | "X" | "*") => open = true,
                Some(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    let value = word.parse().ok()?;
                    if !open {
                        *number = value;
                        partial.given += 1;
                    }
                }
                Some(_) => return None,
            }
        }
        let is_whole = partial.given == 3 || prerelease.is_none();
        (words.next().is_none() && is_whole && prerelease != Some("")).then_some(partial)
    }

    /// Whether `version` stands in this relation to it; `None` if there is no such relation.
    fn admits(&self, operator: &str, version: Version) -> Option<bool> {
        let at_least = version >= self.numbers;
        // A release follows every version before it with the same numbers.
        let is_same = version == self.numbers && !self.is_prerelease;
        let below = |changed: usize| match self.after(changed) {
            Some(end) => version < end,
            None => true,
        };
        // Where nothing is given, nothing is excluded.
        let within = below(self.given);
        Some(match operator {
            "" | "=" if self.given == 3 => is_same,
            "" | "=" => at_least && within,
            ">" if self.given == 3 => at_least && !is_same,
            ">" => !within,
            ">=" => at_least,
            "<" => !at_least,
            "<=" if self.given == 3 => !at_least || is_same,
            "<=" => within,
            "~" | "~>" => at_least && below(self.given.min(2)),
            "^" => {
                let mut numbers = self.numbers.iter().take(self.given);
                let first = numbers.position(|number| *number > 0);
                at_least && below(first.map_or(self.given, |position| position + 1))
            }
            _ => return None,
        })
    }

    /// The first version that differs in its first so many numbers; `None` if that is none of them.
    fn after(&self, numbers: usize) -> Option<Version> {
        let last = numbers.checked_sub(1)?;
        let mut next = [0; 3];
        for (index, number) in self.numbers.iter().take(numbers).enumerate() {
            let slot = next.get_mut(index)?;
            *slot = number.saturating_add(u64::from(index == last));
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: Option<bool>, ranges: &[&str]) {
        for range in ranges {
            assert_eq!(admits(range, TOOLCHAIN), expected, "{range:?}");
        }
    }

    #[test]
    fn ranges_admit_the_versions_that_npm_says() {
        check(
            Some(true),
            &[
                "",
                "*",
                "x",
                "0",
                "0.3",
                "0.3.x",
                "0.3.1",
                "=0.3.1",
                "v0.3.1",
                "0.3.1+build",
                "^0.3.0",
                "^0.3",
                "^0",
                "^0.x",
                "~0.3.0",
                "~0.3",
                "~0",
                "~>0.3.1",
                ">=0.3",
                ">= 0.3.1",
                ">0.2",
                ">0.3.0",
                "<1",
                "<0.4",
                "<=0.3",
                "<=0.3.1",
                ">=0.2 <0.4",
                ">=0.2.0 <1.0.0",
                "0.2 - 0.3",
                "0.2.6 - 0.3.1",
                "^0.2.6 || ^0.3.0",
                "1 || *",
                ">=0.3.1-rc.1",
                ">0.3.1-rc.1",
                "^0.3.1-rc.1",
                "<=0.3.2-rc.1",
                "<=*",
                "^*",
            ],
        );
        check(
            Some(false),
            &[
                "1",
                "0.2",
                "0.2.x",
                "0.3.0",
                "0.3.1-rc.1",
                "^0.2.6",
                "^0.4.0",
                "^0.0",
                "^0.0.0",
                "^1",
                "~0.2",
                "~0.3.2",
                "~1",
                ">0.3",
                ">0.3.1",
                ">0",
                ">*",
                "<0.3.1",
                "<0.3",
                "<*",
                "<=0.3.0",
                "<=0.3.1-rc.1",
                ">=0.4",
                ">=0.2 <0.3",
                "0.1 - 0.2",
                "0.3.2 - 1",
                "^0.2 || ^1",
                ">=99999999999",
            ],
        );
    }

    #[test]
    fn a_range_that_is_not_understood_says_nothing() {
        check(
            None,
            &[
                "latest",
                "a.b.c",
                "1.2.3.4",
                "0.3.1-",
                "0.3-rc.1",
                ">",
                ">=0.3 <",
                "=>0.3",
                "!0.3",
                "0..3",
                "99999999999999999999999",
                ">= || <",
                "1.2.3 - ",
                "é",
            ],
        );
    }
}
