//! The words of pi-graph: every closed enumeration with its wire strings (spec 3). Knows nothing about
//! documents.

use core::fmt;
use core::str::FromStr;

use crate::protocol::{UnknownName, wire_enum};

/// The target that stands for the end of the graph.
pub const END: &str = "__end__";

/// The tools that do not change anything; all of them are what a read-only agent may use.
pub(crate) const READ_ONLY_TOOLS: [&str; 4] = ["read", "grep", "find", "ls"];

wire_enum! {
    /// What a node does.
    NodeType ("node type") {
        /// Runs an agent.
        Agent = "agent",
        /// Writes to the state.
        Set = "set",
        /// Asks a person.
        Human = "human",
    }
}

wire_enum! {
    /// How much an agent thinks.
    Thinking ("thinking level") {
        /// Not at all.
        Off = "off",
        /// As little as possible.
        Minimal = "minimal",
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
        /// Very much.
        Xhigh = "xhigh",
        /// As much as possible.
        Max = "max",
    }
}

wire_enum! {
    /// Which history an agent sees.
    ContextMode ("context mode") {
        /// None.
        Isolated = "isolated",
        /// A durable session of its own, by key.
        Thread = "thread",
        /// Messages that live in the state.
        Shared = "shared",
    }
}

wire_enum! {
    /// What an agent with a shared context adds to the messages.
    Capture ("capture") {
        /// Nothing.
        None = "none",
        /// One message that refers to the output.
        Compact = "compact",
        /// One message with the final text.
        AssistantOnly = "assistant-only",
        /// Everything that was said.
        Full = "full",
    }
}

wire_enum! {
    /// How the final text of an agent is read.
    ResponseFormat ("response format") {
        /// As text.
        Text = "text",
        /// As one JSON value.
        Json = "json",
    }
}

wire_enum! {
    /// Where the output of an agent goes.
    Storage ("storage") {
        /// Into the state.
        State = "state",
        /// Into a file; the state refers to it.
        Artifact = "artifact",
    }
}

wire_enum! {
    /// How a write meets what is there.
    WriteMode ("write mode") {
        /// Through the reducer of the path.
        Reduce = "reduce",
        /// In place of what is there.
        Overwrite = "overwrite",
        /// Takes away what is there.
        Unset = "unset",
    }
}

wire_enum! {
    /// What a person is asked for.
    HumanKind ("kind of question") {
        /// Yes or no.
        Confirm = "confirm",
        /// Any value.
        Input = "input",
        /// One of the options.
        Select = "select",
    }
}

wire_enum! {
    /// What happens when a node fails.
    ErrorStrategy ("error strategy") {
        /// The graph fails.
        Fail = "fail",
        /// The error is written to the state and the graph goes on.
        Continue = "continue",
        /// The same, and the graph goes on elsewhere.
        Route = "route",
    }
}

wire_enum! {
    /// How several writes to one path come together.
    Reducer ("reducer") {
        /// The last one wins.
        Replace = "replace",
        /// Each is one item more.
        Append = "append",
        /// The array of the writes of this step.
        Collect = "collect",
        /// Arrays one behind the other.
        Concat = "concat",
        /// Objects merged into each other.
        Merge = "merge",
        /// The sum.
        Sum = "sum",
        /// The least number.
        Min = "min",
        /// The greatest number.
        Max = "max",
    }
}

wire_enum! {
    /// What a condition asks of the value at its path.
    Operator ("operator") {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Greater.
        Gt = "gt",
        /// Greater or equal.
        Gte = "gte",
        /// Less.
        Lt = "lt",
        /// Less or equal.
        Lte = "lte",
        /// Present.
        Exists = "exists",
        /// Has the operand in it.
        Includes = "includes",
        /// Matches a regular expression.
        Matches = "matches",
        /// Present and neither `false`, `0`, `""` nor `null`.
        Truthy = "truthy",
    }
}
