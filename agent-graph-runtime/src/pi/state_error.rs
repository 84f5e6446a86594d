//! Why state cannot be read or written. Knows the labels only.

use core::fmt;
use core::str::FromStr;

use crate::protocol::{UnknownName, wire_enum};

wire_enum! {
    /// Why a state path, a write, a template or a pattern cannot be used. The labels are those of the
    /// specification (spec 15), and four of our own at the end.
    StateError ("state error") {
        /// The path is blank.
        EmptyPath = "EMPTY_PATH",
        /// A segment of the path is blank.
        EmptySegment = "EMPTY_SEGMENT",
        /// A segment is `__proto__`, `prototype` or `constructor`.
        ForbiddenSegment = "FORBIDDEN_SEGMENT",
        /// What the path leads through is no object.
        ParentNotObject = "PARENT_NOT_OBJECT",
        /// Two writes to one path that has no reducer.
        WriteConflict = "WRITE_CONFLICT",
        /// One of two written paths lies within the other.
        WriteOverlap = "WRITE_OVERLAP",
        /// A path that is overwritten or unset has another write.
        ExclusiveWriteShared = "EXCLUSIVE_WRITE_SHARED",
        /// A write takes the value away and has one.
        UnsetWithValue = "UNSET_WITH_VALUE",
        /// A write has no value.
        WriteValueMissing = "WRITE_VALUE_MISSING",
        /// What is merged into is no object.
        MergeStateNotObject = "MERGE_STATE_NOT_OBJECT",
        /// What is merged is no object.
        MergeWriteNotObject = "MERGE_WRITE_NOT_OBJECT",
        /// A number is needed.
        ReducerNotNumeric = "REDUCER_NOT_NUMERIC",
        /// The sum is beyond the double range.
        ReducerNotFinite = "REDUCER_NOT_FINITE",
        /// The state or the path would nest more deeply than documents may.
        StateDepth = "STATE_DEPTH",
        /// The rendered text would be longer than any state may be.
        TemplateLimit = "TEMPLATE_LIMIT",
        /// The pattern needs what the engine cannot do, or more steps than it may take.
        PatternLimit = "PATTERN_LIMIT",
    }
}

impl core::error::Error for StateError {}
