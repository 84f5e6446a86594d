//! Assumptions that hold together, and whether one more can. Knows literals, nothing about who assumes them.
//!
//! Assumptions can hold together when every two of them can: each says something about one path, and what
//! two paths have to do with each other is only that one may lead through the other. So it is enough to look
//! at the path itself, at those it leads through, and whether anything has to be there beyond it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::literal::{Literal, Says, Scalar};
use crate::json::DEPTH_LIMIT;
use crate::tables::{CheckRow, Tables};

/// Assumptions that hold together.
#[derive(Default)]
pub(crate) struct Assumed<'t> {
    list: Vec<Literal<'t>>,
    at: BTreeMap<&'t str, Known<'t>>,
    /// Paths that lead through to something that has to be there.
    through: BTreeSet<&'t str>,
}

/// What is assumed about one path.
#[derive(Default)]
struct Known<'t> {
    present: bool,
    absent: bool,
    is: Option<Scalar<'t>>,
    is_not: BTreeSet<Scalar<'t>>,
}

impl<'t> Assumed<'t> {
    /// Whether facts exist in which the literal holds beside all that is assumed.
    pub(crate) fn allows(&self, literal: Literal<'t>) -> bool {
        let path = literal.path;
        let nothing = Known::default();
        let known = self.at.get(path).unwrap_or(&nothing);
        let room = |scalar| known.is.is_none_or(|own| own == scalar);
        let own = match literal.says {
            Says::Present => !known.absent,
            Says::Absent => !known.present && known.is.is_none() && !self.through.contains(path),
            Says::Is(scalar) => {
                let open = !known.absent && !known.is_not.contains(&scalar);
                // A scalar has no members.
                open && room(scalar) && !self.through.contains(path)
            }
            Says::IsNot(scalar) => known.is != Some(scalar),
        };
        own && (!literal.has_to_be_there() || self.can_be_got_to(path))
    }

    /// Whether a path can have a value, as far as the paths on the way to it go.
    fn can_be_got_to(&self, path: &'t str) -> bool {
        // Facts do not nest more deeply, each segment being a level.
        let depth = path.bytes().filter(|&byte| byte == b'.').count() + 1;
        depth <= DEPTH_LIMIT as usize
            && steps(path).all(|step| {
                let known = self.at.get(step);
                known.is_none_or(|known| !known.absent && known.is.is_none())
            })
    }

    /// Assumes what is [allowed](Self::allows).
    pub(crate) fn add(&mut self, literal: Literal<'t>) {
        self.list.push(literal);
        let known = self.at.entry(literal.path).or_default();
        match literal.says {
            Says::Present => known.present = true,
            Says::Absent => known.absent = true,
            Says::Is(scalar) => known.is = Some(scalar),
            Says::IsNot(scalar) => {
                known.is_not.insert(scalar);
            }
        }
        if literal.has_to_be_there() {
            self.through.extend(steps(literal.path));
        }
    }

    /// All assumptions in the order in which they were made.
    pub(crate) fn list(&self) -> &[Literal<'t>] {
        &self.list
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.at.clear();
        self.through.clear();
    }
}

impl Literal<'_> {
    fn has_to_be_there(&self) -> bool {
        matches!(self.says, Says::Present | Says::Is(_))
    }
}

/// The paths that a path leads through.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('.')
        .filter_map(|(end, _)| path.get(..end))
}

/// Whether facts exist in which all of the checks hold.
pub fn can_all_hold(tables: &Tables<'_>, checks: &[CheckRow]) -> bool {
    contradiction(tables, checks).is_none()
}

/// Two checks, by position, that hold in no facts together; the same one twice where it holds in none alone.
/// Where every two can hold together, all of them can.
pub fn contradiction(tables: &Tables<'_>, checks: &[CheckRow]) -> Option<(usize, usize)> {
    let literal = |check| Literal::new(tables, check, true);
    let mut assumed = Assumed::default();
    let (at, last) = checks.iter().enumerate().find(|(_, check)| {
        let own = literal(check);
        let refused = !assumed.allows(own);
        if !refused {
            assumed.add(own);
        }
        refused
    })?;
    let other = checks.iter().take(at).position(|check| {
        let mut alone = Assumed::default();
        alone.add(literal(check));
        !alone.allows(literal(last))
    });
    Some((other.unwrap_or(at), at))
}
