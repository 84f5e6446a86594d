//! How far work has come that may take long, for people who wait. Knows words and numbers, nothing about the work.

use core::fmt;

/// What is being done, and how far it is.
///
/// ```
/// use agent_graph_runtime::Step;
/// assert_eq!(Step::new("reading").to_string(), "reading");
/// assert_eq!(Step::counted("checking graph", 37, 151).to_string(), "checking graph 37 of 151");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<'s> {
    /// What is being done.
    pub what: &'s str,
    /// The number of what is in hands, from 1, and how many there are; none where nobody knows.
    pub count: Option<(usize, usize)>,
}

impl<'s> Step<'s> {
    /// A step that is not counted.
    pub const fn new(what: &'s str) -> Self {
        Self { what, count: None }
    }

    /// The step with this number, from 1, of so many.
    pub const fn counted(what: &'s str, number: usize, of: usize) -> Self {
        Self {
            what,
            count: Some((number, of)),
        }
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            Some((number, of)) => write!(f, "{} {number} of {of}", self.what),
            None => f.write_str(self.what),
        }
    }
}
