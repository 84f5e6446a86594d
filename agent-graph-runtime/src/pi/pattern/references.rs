//! Which groups are referred to, and what each reference means. In ECMAScript a group forgets what it
//! matched whenever a loop around it goes round, and a reference to a group that has matched nothing is
//! empty; in the engine, groups remember and such a reference fails. Knows nothing about how either is
//! written.

use alloc::vec;
use alloc::vec::Vec;

use super::PatternProblem;
use super::syntax::{Node, Parsed};

/// What a pattern refers to.
pub(super) struct References {
    /// For each group, whether a reference to it has to look at what it matched.
    pub(super) remembered: Vec<bool>,
    /// For each reference in the order of the pattern, whether it is always empty.
    pub(super) always_empty: Vec<bool>,
}

/// What is known of a group.
#[derive(Clone, Copy, Default)]
struct Group {
    is_closed: bool,
    is_behind: bool,
    /// Whether a loop around it may go round without it, or without taking a unit.
    is_forgetful: bool,
    /// The negative look-around it is in, numbered from 1; 0 is none.
    negative: u32,
}

/// Finds out what each reference means.
pub(super) fn references(parsed: &Parsed) -> Result<References, PatternProblem> {
    let mut walk = Walk {
        groups: vec![Group::default(); parsed.groups as usize + 1],
        found: References {
            remembered: vec![false; parsed.groups as usize + 1],
            always_empty: Vec::new(),
        },
        negatives: 0,
        open_negatives: Vec::new(),
    };
    walk.node(&parsed.root, Around::default())?;
    Ok(walk.found)
}

struct Walk {
    groups: Vec<Group>,
    found: References,
    negatives: u32,
    /// The negative look-arounds around the place of the walk.
    open_negatives: Vec<u32>,
}

/// What is around the place of the walk.
#[derive(Clone, Copy, Default)]
struct Around {
    in_loop: bool,
    is_behind: bool,
    is_forgetful: bool,
}

impl Walk {
    fn node(&mut self, node: &Node, around: Around) -> Result<(), PatternProblem> {
        match node {
            Node::Capture { group, body } => {
                self.node(body, around)?;
                if let Some(own) = self.groups.get_mut(*group as usize) {
                    *own = Group {
                        is_closed: true,
                        is_behind: around.is_behind,
                        is_forgetful: around.is_forgetful,
                        negative: self.open_negatives.last().copied().unwrap_or(0),
                    };
                }
                Ok(())
            }
            Node::Look {
                behind,
                negative,
                body,
            } => {
                let inside = Around {
                    is_behind: around.is_behind || *behind,
                    ..around
                };
                if *negative {
                    self.negatives += 1;
                    self.open_negatives.push(self.negatives);
                }
                self.node(body, inside)?;
                if *negative {
                    self.open_negatives.pop();
                }
                Ok(())
            }
            Node::Reference(group) => self.reference(*group, around),
            Node::Repeat { body, min, max, .. } => {
                let is_loop = max.is_none_or(|max| max > 1);
                let varies = max.is_none_or(|max| max != *min);
                let forgets =
                    around.in_loop && *min == 0 || is_loop && varies && body.can_be_empty();
                let inside = Around {
                    in_loop: around.in_loop || is_loop,
                    is_forgetful: around.is_forgetful || forgets,
                    ..around
                };
                self.node(body, inside)
            }
            Node::Choice(parts) => {
                let inside = Around {
                    is_forgetful: around.is_forgetful || around.in_loop,
                    ..around
                };
                parts.iter().try_for_each(|part| self.node(part, inside))
            }
            Node::Sequence(parts) => parts.iter().try_for_each(|part| self.node(part, around)),
            _ => Ok(()),
        }
    }

    fn reference(&mut self, number: u32, around: Around) -> Result<(), PatternProblem> {
        let group = self
            .groups
            .get(number as usize)
            .copied()
            .unwrap_or_default();
        if around.is_behind || group.is_behind {
            return Err(PatternProblem::Unsupported(
                "references in and to look-behind are not supported",
            ));
        }
        // Before its group has closed there is nothing to refer to, and a negative look-around forgets.
        let is_forgotten = group.negative != 0 && !self.open_negatives.contains(&group.negative);
        let is_empty = !group.is_closed || is_forgotten;
        self.found.always_empty.push(is_empty);
        if is_empty {
            return Ok(());
        }
        if group.is_forgetful {
            return Err(PatternProblem::Unsupported(
                "a reference to a group that a loop around it may leave out is not supported",
            ));
        }
        if let Some(remembered) = self.found.remembered.get_mut(number as usize) {
            *remembered = true;
        }
        Ok(())
    }
}
