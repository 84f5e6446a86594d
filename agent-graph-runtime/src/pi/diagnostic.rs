//! What is wrong with a definition, in the words of the protocol: level, code and path (spec 4). Knows
//! nothing about who finds it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::str::FromStr;

use crate::code::Code;
use crate::finding::{Finding, Findings, Level, Place};
use crate::protocol::{UnknownName, wire_enum};

wire_enum! {
    /// The codes of the protocol for what is wrong with a definition.
    DiagnosticCode ("diagnostic code") {
        /// A field that the object does not have.
        UnknownField = "UNKNOWN_FIELD",
        /// The version is not 2.
        SchemaVersion = "SCHEMA_VERSION",
        /// The name is no name.
        GraphName = "GRAPH_NAME",
        /// The type of a node is no type.
        NodeType = "NODE_TYPE",
        /// Anything else that does not have its shape.
        GraphStructure = "GRAPH_STRUCTURE",
        /// A state path that is none.
        StatePath = "STATE_PATH",
        /// An assignment without a source, or with several.
        SetAssignmentSource = "SET_ASSIGNMENT_SOURCE",
        /// `onError.to` without `route`, or the other way round.
        ErrorRoute = "ERROR_ROUTE",
        /// A condition that is not exactly one of the four forms.
        Condition = "CONDITION",
        /// No nodes.
        EmptyGraph = "EMPTY_GRAPH",
        /// One node only.
        SingleNodeGraph = "SINGLE_NODE_GRAPH",
        /// A node is retried and not marked as idempotent.
        RetryRequiresIdempotency = "RETRY_REQUIRES_IDEMPOTENCY",
        /// A reviewer that may change things.
        ReviewerNotReadOnly = "REVIEWER_NOT_READ_ONLY",
        /// A reviewer that sees what was said before.
        ReviewerContextNotIsolated = "REVIEWER_CONTEXT_NOT_ISOLATED",
        /// A read-only agent with other tools.
        ReadOnlyTools = "READ_ONLY_TOOLS",
        /// A blank media type.
        ResponseMediaType = "RESPONSE_MEDIA_TYPE",
        /// An output path for an output that is not stored.
        OutputPathIgnored = "OUTPUT_PATH_IGNORED",
        /// An artifact that nothing refers to.
        ArtifactReferenceNotStored = "ARTIFACT_REFERENCE_NOT_STORED",
        /// A placeholder whose path is none.
        TemplatePath = "TEMPLATE_PATH",
        /// A value that is read and inserted by a placeholder.
        DuplicateStateInjection = "DUPLICATE_STATE_INJECTION",
        /// A value that is read and partly inserted by a placeholder.
        OverlappingStateInjection = "OVERLAPPING_STATE_INJECTION",
        /// A thread key without a thread.
        ThreadKeyMode = "THREAD_KEY_MODE",
        /// A thread key that cannot be one.
        ThreadKey = "THREAD_KEY",
        /// A thread grows by each attempt.
        ThreadRetryAppendsHistory = "THREAD_RETRY_APPENDS_HISTORY",
        /// A field of shared contexts in another context.
        SharedContextField = "SHARED_CONTEXT_FIELD",
        /// A compact message refers to an output that is not stored.
        SharedCompactOutputRequired = "SHARED_COMPACT_OUTPUT_REQUIRED",
        /// Everything that is said goes to the state.
        SharedFullCapture = "SHARED_FULL_CAPTURE",
        /// What is said is stored twice.
        SharedOutputDuplicated = "SHARED_OUTPUT_DUPLICATED",
        /// An artifact is repeated in the messages.
        ArtifactSharedInlineCapture = "ARTIFACT_SHARED_INLINE_CAPTURE",
        /// The messages are read as well.
        SharedMessagesDuplicateRead = "SHARED_MESSAGES_DUPLICATE_READ",
        /// The messages are inserted by a placeholder as well.
        SharedMessagesDuplicateTemplate = "SHARED_MESSAGES_DUPLICATE_TEMPLATE",
        /// Output and messages go to one place.
        SharedOutputOverlap = "SHARED_OUTPUT_OVERLAP",
        /// A question without options.
        HumanOptions = "HUMAN_OPTIONS",
        /// A target that is no node.
        UnknownTarget = "UNKNOWN_TARGET",
        /// A source of an edge that is no node.
        EdgeSource = "EDGE_SOURCE",
        /// Two routes of one node.
        DuplicateRoute = "DUPLICATE_ROUTE",
        /// The source of a route that is no node.
        RouteSource = "ROUTE_SOURCE",
        /// A comparison without an operand.
        ConditionValue = "CONDITION_VALUE",
        /// No limits are given.
        DefaultLimits = "DEFAULT_LIMITS",
        /// Nothing leads to a node.
        UnreachableNode = "UNREACHABLE_NODE",
        /// Two agents keep different numbers of the same messages.
        SharedRetentionMismatch = "SHARED_RETENTION_MISMATCH",
        /// The messages have another reducer.
        SharedMessagesReducer = "SHARED_MESSAGES_REDUCER",
        /// One thread in two folders.
        ThreadCwdMismatch = "THREAD_CWD_MISMATCH",
        /// Nodes that run side by side write to one path.
        PossibleParallelStateConflict = "POSSIBLE_PARALLEL_STATE_CONFLICT",
        /// A value grows with each round of a cycle.
        AccumulatingReducerInCycle = "ACCUMULATING_REDUCER_IN_CYCLE",
        /// One thread for nodes that run side by side.
        ParallelThreadContext = "PARALLEL_THREAD_CONTEXT",
    }
}

wire_enum! {
    /// Why a document is no definition at all, before there are diagnostics (spec 4.1).
    NotADefinition ("reason") {
        /// A name that no object may have, anywhere in the document.
        ForbiddenKey = "FORBIDDEN_KEY",
        /// A number beyond the double range.
        NonFiniteNumber = "NON_FINITE_NUMBER",
        /// The document is no object.
        NotAnObject = "NOT_AN_OBJECT",
    }
}

/// One step of the path of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The name of a member.
    Name(String),
    /// The index of an item.
    Index(usize),
}

impl From<&str> for Step {
    fn from(name: &str) -> Self {
        Self::Name(name.into())
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// The path of a diagnostic as text; nothing for the document itself.
pub(crate) fn path_text(steps: &[Step]) -> Option<String> {
    if steps.is_empty() {
        return None;
    }
    let mut text = String::new();
    for (position, step) in steps.iter().enumerate() {
        if position > 0 {
            text.push('.');
        }
        match step {
            Step::Name(name) => text.push_str(name),
            // A string takes all text.
            Step::Index(index) => drop(write!(text, "{index}")),
        }
    }
    Some(text)
}

/// One diagnostic of the protocol, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters.
    pub level: Level,
    /// The code of the protocol.
    pub code: DiagnosticCode,
    /// The path of the protocol: names and indices joined by dots; nothing for the document.
    pub path: Option<String>,
    /// The structural rule that is violated, for example `type:string`; nothing for other diagnostics.
    pub rule: Option<&'static str>,
    /// One sentence without a final period.
    pub message: String,
    /// Where it is written. For what is absent, the object that lacks it.
    pub place: Place,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place, self.code, self.message)
    }
}

impl Diagnostic {
    /// The same as a finding of the loader, for whoever shows both families the same way.
    pub fn to_finding(&self) -> Finding {
        let finding = match self.level {
            Level::Error => Finding::error(Code::PiGraphInvalid, self.place.clone(), ""),
            Level::Warn => Finding::warning(Code::PiGraphInvalid, self.place.clone(), ""),
        };
        Finding {
            message: format!("{}: {}", self.code, self.message),
            ..finding
        }
    }
}

/// One edit on the way from version 1 to version 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The path in the document.
    pub path: String,
    /// What to do there, as an instruction.
    pub instruction: String,
    /// Where that is.
    pub place: Place,
}

/// Why there is no definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PiFindings {
    /// The file cannot be read, or is not JSON, or exceeds a ceiling.
    Unreadable(Finding),
    /// The document is no definition at all.
    NotADefinition {
        /// Why.
        reason: NotADefinition,
        /// The path in the document, indices in brackets; nothing for the document itself.
        at: Option<String>,
        /// Where that is.
        place: Place,
    },
    /// The definition has errors.
    Invalid {
        /// Everything that was found, in the order of the protocol, warnings included.
        diagnostics: Vec<Diagnostic>,
        /// For a version 1 definition, the edits that make it one of version 2.
        migration: Vec<Edit>,
    },
}

impl PiFindings {
    /// The diagnostics of the protocol, if it came to any.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Invalid { diagnostics, .. } => diagnostics,
            _ => &[],
        }
    }

    /// The same as findings of the loader, for whoever shows both families the same way.
    pub fn to_findings(&self) -> Findings {
        match self {
            Self::Unreadable(finding) => finding.clone().into(),
            Self::NotADefinition { reason, at, place } => {
                let at = at.as_deref().map(|at| format!(" at `{at}`"));
                let message = format!("{reason}{}", at.unwrap_or_default());
                Finding::error(Code::PiGraphInvalid, place.clone(), message).into()
            }
            Self::Invalid {
                diagnostics,
                migration,
            } => {
                let mut findings: Vec<Finding> =
                    diagnostics.iter().map(Diagnostic::to_finding).collect();
                let first = findings
                    .iter()
                    .position(|finding| finding.level == Level::Error);
                // At least one diagnostic is an error.
                let mut first = findings.remove(first.unwrap_or(0));
                if !migration.is_empty() {
                    first.hint =
                        Some("version 1 has to be migrated, see the related places".into());
                    for edit in migration {
                        first =
                            first.with_related(edit.place.clone(), edit.instruction.to_string());
                    }
                }
                Findings::new(first, findings)
            }
        }
    }
}

impl fmt::Display for PiFindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_findings(), f)
    }
}

impl core::error::Error for PiFindings {}
