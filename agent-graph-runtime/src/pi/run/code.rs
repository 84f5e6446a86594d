//! Why attempts, nodes and runs fail: the closed list of runtime codes (spec 15). Knows the words only.

use core::fmt;
use core::str::FromStr;

use crate::protocol::{UnknownName, wire_enum};

wire_enum! {
    /// Why an attempt, a node or a run failed. The words are those of the specification.
    RunCode ("runtime code") {
        /// More supersteps than the graph may take.
        MaxSteps = "MAX_STEPS",
        /// More attempts than the graph may make.
        MaxNodeRuns = "MAX_NODE_RUNS",
        /// The run costs more than it may.
        MaxCost = "MAX_COST",
        /// The run uses more tokens than it may.
        MaxTokens = "MAX_TOKENS",
        /// The run takes longer than it may.
        Timeout = "TIMEOUT",
        /// The state is larger than it may be.
        MaxStateBytes = "MAX_STATE_BYTES",
        /// The value at a path is larger than it may be.
        MaxStatePathBytes = "MAX_STATE_PATH_BYTES",
        /// Shared messages are not what they have to be.
        SharedContextInvalid = "SHARED_CONTEXT_INVALID",
        /// An attempt costs more than it may.
        NodeMaxCost = "NODE_MAX_COST",
        /// An attempt uses more tokens than it may.
        NodeMaxTokens = "NODE_MAX_TOKENS",
        /// An attempt takes more turns than it may.
        NodeMaxTurns = "NODE_MAX_TURNS",
        /// An attempt takes longer than it may.
        NodeTimeout = "NODE_TIMEOUT",
        /// The prompt is larger than it may be.
        PromptBudgetExceeded = "PROMPT_BUDGET_EXCEEDED",
        /// The answer is larger than it may be.
        OutputLimit = "OUTPUT_LIMIT",
        /// There is no answer.
        EmptyOutput = "EMPTY_OUTPUT",
        /// The agent says that it failed.
        AgentFailed = "AGENT_FAILED",
        /// The process could not be run.
        ProcessError = "PROCESS_ERROR",
        /// The caller ended the run.
        Aborted = "ABORTED",
        /// A report of usage was refused; the machine says which limit it was.
        BudgetLimit = "BUDGET_LIMIT",
        /// The attempt could not be prepared, or its answer not be read.
        AgentExecutionError = "AGENT_EXECUTION_ERROR",
        /// The executor failed.
        ExecutionError = "EXECUTION_ERROR",
        /// An assignment could not be made.
        SetNodeError = "SET_NODE_ERROR",
        /// A person answered what was not asked.
        HumanNodeError = "HUMAN_NODE_ERROR",
        /// There is nowhere to keep threads.
        ThreadContextMissing = "THREAD_CONTEXT_MISSING",
        /// The folder of threads cannot be used.
        ThreadSessionDirectory = "THREAD_SESSION_DIRECTORY",
        /// The session of a thread is no regular file.
        ThreadSessionInvalid = "THREAD_SESSION_INVALID",
        /// The session of a thread is gone.
        ThreadSessionMissing = "THREAD_SESSION_MISSING",
        /// There is nowhere to keep artifacts.
        ArtifactDirectory = "ARTIFACT_DIRECTORY",
        /// The path of an artifact cannot be used.
        ArtifactPathInvalid = "ARTIFACT_PATH_INVALID",
        /// A message would refer to an output that is not written.
        SharedCompactOutputRequired = "SHARED_COMPACT_OUTPUT_REQUIRED",
        /// The graph has no such node.
        UnknownNode = "UNKNOWN_NODE",
        /// The node failed, and nothing more is known.
        NodeFailed = "NODE_FAILED",
        /// Nothing is known.
        Unknown = "UNKNOWN",
        /// Another process has the run.
        RunLeaseHeld = "RUN_LEASE_HELD",
        /// The right to the run has expired.
        RunLeaseExpired = "RUN_LEASE_EXPIRED",
        /// The right to the run is somebody else's.
        RunLeaseLost = "RUN_LEASE_LOST",
    }
}

impl RunCode {
    /// Whether the run as a whole has come to an end with this: no node and no retry gets to see it.
    pub const fn ends_the_run(self) -> bool {
        matches!(
            self,
            Self::MaxSteps
                | Self::MaxNodeRuns
                | Self::MaxCost
                | Self::MaxTokens
                | Self::Timeout
                | Self::MaxStateBytes
                | Self::MaxStatePathBytes
                | Self::Aborted
                | Self::RunLeaseHeld
                | Self::RunLeaseExpired
                | Self::RunLeaseLost
        )
    }
}
