//! Whether a node can be reached at all. Knows nothing about how that is found out.

use crate::wire::wire_words;

/// Whether there is a state in which a node is reached and its required facts hold; where it is so now,
/// there is. Else any facts count, any authorities, and any outcomes of actions and gates, whatever is
/// recorded now; for terminals none is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possibility {
    /// There is one.
    Possible,
    /// There is none.
    Impossible,
    /// Not decided within the bound.
    NotDecided,
}

wire_words!(Possibility {
    Possible = "possible",
    Impossible = "impossible",
    NotDecided = "not-decided",
});
