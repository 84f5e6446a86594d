//! Ranges of versions as npm writes them: comparators, `^`, `~`, `x`, hyphens and `||`. Pre-releases are
//! compared by their numbers only, because the protocol has none.

type Version = [u64; 3];

/// A range: alternatives, each with bounds that all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range(Vec<Vec<Bound>>);

/// Half-open: from a version on, up to one that is not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound {
    from: Version,
    before: Option<Version>,
}

const EVERYTHING: Bound = Bound {
    from: [0, 0, 0],
    before: None,
};

impl Range {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.split("||")
            .map(alternative)
            .collect::<Option<_>>()
            .map(Self)
    }

    pub(crate) fn contains(&self, version: Version) -> bool {
        let inside = |bound: &Bound| {
            version >= bound.from && bound.before.is_none_or(|before| version < before)
        };
        self.0.iter().any(|bounds| bounds.iter().all(inside))
    }
}

fn alternative(text: &str) -> Option<Vec<Bound>> {
    if let Some((low, high)) = text.split_once(" - ") {
        let from = Partial::parse(low.trim())?.span();
        let to = Partial::parse(high.trim())?.span();
        return Some(vec![Bound {
            from: from.from,
            before: to.before,
        }]);
    }
    let mut bounds = Vec::new();
    let mut operator = "";
    for word in text.split_whitespace() {
        let end = word.find(|c: char| !matches!(c, '<' | '>' | '=' | '^' | '~'));
        let (own, version) = word.split_at(end.unwrap_or(word.len()));
        if version.is_empty() {
            // The operator stands apart from its version.
            operator = own;
            continue;
        }
        let own = if own.is_empty() { operator } else { own };
        bounds.push(bound(own, Partial::parse(version)?)?);
        operator = "";
    }
    operator.is_empty().then_some(bounds)
}

fn bound(operator: &str, version: Partial) -> Option<Bound> {
    let span = version.span();
    Some(match operator {
        "" | "=" => span,
        ">=" => Bound {
            before: None,
            ..span
        },
        ">" => Bound {
            from: span.before?,
            before: None,
        },
        "<" => Bound {
            before: Some(span.from),
            ..EVERYTHING
        },
        "<=" => Bound {
            before: span.before,
            ..EVERYTHING
        },
        "~" => version.up_to(1),
        "^" => version.up_to(version.first_nonzero()),
        _ => return None,
    })
}

/// A version of which the last parts may be missing.
#[derive(Clone, Copy)]
struct Partial {
    parts: [u64; 3],
    given: usize,
}

impl Partial {
    fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        // Build metadata and pre-releases do not matter here.
        let text = text.split(['-', '+']).next()?;
        let mut version = Self {
            parts: [0; 3],
            given: 0,
        };
        let mut open = false;
        for (at, part) in text.split('.').enumerate() {
            let place = version.parts.get_mut(at)?;
            if matches!(part, "x" | "X" | "*") {
                open = true;
            } else if !open {
                *place = part.parse().ok()?;
                version.given = at + 1;
            }
        }
        Some(version)
    }

    fn first_nonzero(self) -> usize {
        let given = self.parts.iter().take(self.given);
        given.take_while(|&&part| part == 0).count().min(2)
    }

    /// All versions that begin like this one.
    fn span(self) -> Bound {
        match self.given.checked_sub(1) {
            Some(last) => self.up_to(last),
            None => EVERYTHING,
        }
    }

    /// From this version on, as long as the parts up to the one at `place` are the same.
    fn up_to(self, place: usize) -> Bound {
        let Some(last) = self.given.checked_sub(1) else {
            return EVERYTHING;
        };
        let place = place.min(last);
        let mut before = [0; 3];
        for (at, (own, part)) in before.iter_mut().zip(self.parts).enumerate() {
            if at < place {
                *own = part;
            } else if at == place {
                *own = part.saturating_add(1);
            }
        }
        Bound {
            from: self.parts,
            before: Some(before),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_contain_what_npm_says_they_contain() {
        for (range, inside, outside) in [
            ("^0.3.0", "0.3.0 0.3.9", "0.2.9 0.4.0 1.0.0"),
            ("^0.0.3", "0.0.3", "0.0.4 0.0.2"),
            ("^0.0", "0.0.0 0.0.9", "0.1.0"),
            ("^0", "0.0.0 0.9.9", "1.0.0"),
            ("^1.2", "1.2.0 1.9.0", "1.1.9 2.0.0"),
            ("~1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2"),
            ("~1", "1.0.0 1.9.0", "2.0.0"),
            ("~0.3", "0.3.0 0.3.7", "0.4.0"),
            (">=0.2 <0.4", "0.2.0 0.3.9", "0.4.0 0.1.9"),
            (">= 0.2.1 < 0.3", "0.2.1", "0.2.0 0.3.0"),
            ("0.2 - 0.3", "0.2.0 0.3.9", "0.4.0"),
            ("1.0.0 - 2.0.0", "1.0.0 2.0.0", "2.0.1"),
            ("0.3.x", "0.3.5", "0.4.0"),
            ("*", "0.0.0 9.9.9", ""),
            ("", "0.0.0 9.9.9", ""),
            ("0.1.0 || ^0.3", "0.1.0 0.3.1", "0.1.1 0.2.0"),
            ("=0.3.1", "0.3.1", "0.3.2"),
            (">0.3", "0.4.0", "0.3.9"),
            ("<=0.3", "0.3.9 0.0.1", "0.4.0"),
            ("v1.2.3-rc.1", "1.2.3", "1.2.4"),
        ] {
            let parsed = Range::parse(range).unwrap_or_else(|| panic!("{range}"));
            let version = |text: &str| Partial::parse(text).unwrap().parts;
            for own in inside.split_whitespace() {
                assert!(parsed.contains(version(own)), "{own} in {range}");
            }
            for own in outside.split_whitespace() {
                assert!(!parsed.contains(version(own)), "{own} in {range}");
            }
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for range in ["latest", "^", "1.2.3.4", ">>1", "1..2", "a - b"] {
            assert_eq!(Range::parse(range), None, "{range}");
        }
    }
}
