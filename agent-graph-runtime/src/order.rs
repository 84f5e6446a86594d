//! The two orders of the protocol, whatever the locale: the root collation, in which names are hashed
//! and lists are shown, and that of UTF-16 code units, in which files are listed. Knows names only.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::collation;
use crate::error::Error;

/// The positions of `names` in the order of the CLDR root collation. Names that compare equal stay in
/// their order.
///
/// ```
/// use agent_graph_runtime::order;
/// assert_eq!(order::collated(["b", "a-b", "A", "a"].into_iter())?, [3, 2, 1, 0]);
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
///
/// # Errors
///
/// Where there is something to compare and a name is not ASCII, `feature-required` when feature
/// `unicode-collation` is off, and `input-limit` when the name takes too long to compare.
pub fn collated<'n>(names: impl Iterator<Item = &'n str>) -> Result<Vec<usize>, Error> {
    collation::order(names)
}

/// The order of UTF-16 code units, which is not that of UTF-8 bytes.
///
/// ```
/// use agent_graph_runtime::order;
/// assert!(order::by_code_units("\u{10000}", "\u{ffff}").is_lt());
/// ```
pub fn by_code_units(a: &str, b: &str) -> Ordering {
    collation::compare_code_units(a, b)
}
