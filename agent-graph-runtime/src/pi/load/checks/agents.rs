//! What one agent node may not have, by itself (spec 4.3 B). Knows nothing about other nodes.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;

use crate::pi::definition::{Agent, Node};
use crate::pi::diagnostic::DiagnosticCode;
use crate::pi::load::report::{Report, quoted, steps};
use crate::pi::path;
use crate::pi::path_set::PathSet;
use crate::pi::template::Template;
use crate::pi::text;
use crate::pi::words::{Capture, ContextMode, READ_ONLY_TOOLS, Storage};

/// How long a thread key may be, in UTF-16 units.
const THREAD_KEY_UNITS: usize = 128;

/// All checks of one agent, in order.
pub(super) fn agent(node: &Node, agent: &Agent, report: &mut Report) {
    let id = node.id.as_str();
    reviewer(id, agent, report);
    tools(id, agent, report);
    response(node, agent, report);
    let placeholders = Placeholders::of(id, agent, report);
    injections(node, &placeholders, report);
    thread(node, agent, report);
    if agent.context.mode() == ContextMode::Shared {
        shared(node, agent, report);
    } else {
        shared_fields(id, agent, report);
    }
}

fn reviewer(id: &str, agent: &Agent, report: &mut Report) {
    if !agent.is_reviewer {
        return;
    }
    if agent.read_only != Some(true) {
        report.warning(
            DiagnosticCode::ReviewerNotReadOnly,
            steps!["nodes", id],
            "the reviewer may change things; set `readOnly`",
        );
    }
    if agent.context.mode() != ContextMode::Isolated {
        report.warning(
            DiagnosticCode::ReviewerContextNotIsolated,
            steps!["nodes", id, "context", "mode"],
            "the reviewer sees what was said before; an isolated context judges more freely",
        );
    }
}

fn tools(id: &str, agent: &Agent, report: &mut Report) {
    let is_other = |tool: &&String| !READ_ONLY_TOOLS.contains(&tool.as_str());
    let other = agent.tools.iter().flatten().find(is_other);
    if let Some(tool) = other.filter(|_| agent.read_only == Some(true)) {
        report.error(
            DiagnosticCode::ReadOnlyTools,
            steps!["nodes", id, "tools"],
            format!(
                "{} is no read-only tool; there are read, grep, find, ls",
                quoted(tool)
            ),
        );
    }
}

fn response(node: &Node, agent: &Agent, report: &mut Report) {
    let id = node.id.as_str();
    let response = &agent.response;
    if response.media_type.as_deref().is_some_and(text::is_blank) {
        report.error(
            DiagnosticCode::ResponseMediaType,
            steps!["nodes", id, "response", "mediaType"],
            "the media type is blank",
        );
    }
    if !response.stores_output() && node.output.is_some() {
        report.warning(
            DiagnosticCode::OutputPathIgnored,
            steps!["nodes", id, "output"],
            "the output is not stored, so its path is ignored",
        );
    }
    if !response.stores_output() && response.storage() == Storage::Artifact {
        report.error(
            DiagnosticCode::ArtifactReferenceNotStored,
            steps!["nodes", id, "response", "storeOutput"],
            "nothing would refer to the artifact",
        );
    }
}

/// The paths that the texts of an agent insert.
struct Placeholders<'a> {
    written: BTreeSet<&'a str>,
    places: PathSet<'a>,
}

impl<'a> Placeholders<'a> {
    /// A text with a placeholder that is no path is reported and contributes none.
    fn of(id: &str, agent: &'a Agent, report: &mut Report) -> Self {
        let mut placeholders = Self {
            written: BTreeSet::new(),
            places: PathSet::default(),
        };
        for (name, template) in texts(agent) {
            match template.paths() {
                Err(error) => report.error(
                    DiagnosticCode::TemplatePath,
                    steps!["nodes", id, name],
                    format!("a placeholder is no state path: {error}"),
                ),
                Ok(paths) => {
                    for path in paths {
                        placeholders.written.insert(path.as_written());
                        let segments = path.segments().iter().map(String::as_str);
                        placeholders.places.insert(segments);
                    }
                }
            }
        }
        placeholders
    }
}

fn texts(agent: &Agent) -> impl Iterator<Item = (&'static str, &Template)> {
    let system = agent.system_prompt.iter();
    core::iter::once(("prompt", &agent.prompt)).chain(system.map(|text| ("systemPrompt", text)))
}

fn injections(node: &Node, placeholders: &Placeholders<'_>, report: &mut Report) {
    let id = node.id.as_str();
    for (index, read) in node.reads.iter().enumerate() {
        if placeholders.written.contains(read.as_str()) {
            report.warning(
                DiagnosticCode::DuplicateStateInjection,
                steps!["nodes", id, "reads", index],
                format!("{} is inserted by a placeholder already", quoted(read)),
            );
        } else if overlaps(read, &placeholders.places) {
            report.warning(
                DiagnosticCode::OverlappingStateInjection,
                steps!["nodes", id, "reads", index],
                format!(
                    "a placeholder inserts a part of {}, or the other way round",
                    quoted(read)
                ),
            );
        }
    }
}

fn overlaps(written: &str, places: &PathSet<'_>) -> bool {
    // Paths of a checked definition have segments.
    path::segments(written).is_ok_and(|segments| places.overlaps(segments))
}

fn thread(node: &Node, agent: &Agent, report: &mut Report) {
    let id = node.id.as_str();
    let context = &agent.context;
    let is_thread = context.mode() == ContextMode::Thread;
    if let Some(key) = &context.thread_key {
        if !is_thread {
            report.error(
                DiagnosticCode::ThreadKeyMode,
                steps!["nodes", id, "context", "threadKey"],
                "only a thread has a key",
            );
        }
        thread_key(id, key, report);
    }
    // In a thread the key that counts is looked at once more.
    if let Some(key) = node.thread_key() {
        thread_key(id, key, report);
    }
    if is_thread && node.max_attempts() > 1 {
        report.warning(
            DiagnosticCode::ThreadRetryAppendsHistory,
            steps!["nodes", id],
            "each attempt adds to the history of the thread",
        );
    }
}

fn thread_key(id: &str, key: &str, report: &mut Report) {
    let mut complain = |message: &str| {
        report.error(
            DiagnosticCode::ThreadKey,
            steps!["nodes", id, "context", "threadKey"],
            message,
        );
    };
    if text::is_blank(key) {
        return complain("the key is blank");
    }
    let is_control = |character| matches!(character, '\0'..='\u{1f}' | '\u{7f}');
    if key.encode_utf16().count() > THREAD_KEY_UNITS || key.contains(is_control) {
        complain("the key is longer than 128 units or has control characters");
    }
    if text::is_forbidden(key) {
        complain("the key is a forbidden name");
    }
}

fn shared_fields(id: &str, agent: &Agent, report: &mut Report) {
    let context = &agent.context;
    let fields = [
        ("messagesPath", context.messages_path.is_some()),
        ("maxMessages", context.max_messages.is_some()),
        ("maxPromptBytes", context.max_prompt_bytes.is_some()),
        ("maxMessageBytes", context.max_message_bytes.is_some()),
        ("maxStoredMessages", context.max_stored_messages.is_some()),
        ("capture", context.capture.is_some()),
    ];
    for (name, _) in fields.into_iter().filter(|(_, is_given)| *is_given) {
        report.error(
            DiagnosticCode::SharedContextField,
            steps!["nodes", id, "context", name],
            format!("`{name}` belongs to a shared context"),
        );
    }
}

fn shared(node: &Node, agent: &Agent, report: &mut Report) {
    let id = node.id.as_str();
    shared_capture(id, agent, report);
    let messages = agent.context.messages_path();
    let mut channel = PathSet::default();
    // Paths of a checked definition have segments.
    channel.insert(path::segments(messages).unwrap_or_default());
    if node.reads.iter().any(|read| overlaps(read, &channel)) {
        report.error(
            DiagnosticCode::SharedMessagesDuplicateRead,
            steps!["nodes", id, "reads"],
            "the messages are part of the prompt already",
        );
    }
    let inserts = Placeholders::of(id, agent, report)
        .written
        .iter()
        .any(|written| overlaps(written, &channel));
    if inserts {
        report.error(
            DiagnosticCode::SharedMessagesDuplicateTemplate,
            steps!["nodes", id],
            "a placeholder inserts the messages, which are part of the prompt already",
        );
    }
    if agent.response.stores_output() && overlaps(&node.output_path(), &channel) {
        report.error(
            DiagnosticCode::SharedOutputOverlap,
            steps!["nodes", id],
            "the output is written where the messages are",
        );
    }
}

fn shared_capture(id: &str, agent: &Agent, report: &mut Report) {
    let capture = agent.context.capture();
    let stores_output = agent.response.stores_output();
    let is_inline = matches!(capture, Capture::AssistantOnly | Capture::Full);
    if capture == Capture::Compact && !stores_output {
        report.error(
            DiagnosticCode::SharedCompactOutputRequired,
            steps!["nodes", id, "response", "storeOutput"],
            "a compact message refers to the output, which is not stored",
        );
    }
    let mut warn = |code, message: &str| {
        report.warning(code, steps!["nodes", id, "context", "capture"], message);
    };
    if capture == Capture::Full {
        let message = "everything that is said is stored in the state";
        warn(DiagnosticCode::SharedFullCapture, message);
    }
    if is_inline && stores_output {
        warn(
            DiagnosticCode::SharedOutputDuplicated,
            "the output is stored twice",
        );
    }
    if is_inline && agent.response.storage() == Storage::Artifact {
        let message = "the text of the artifact is stored in the messages as well";
        warn(DiagnosticCode::ArtifactSharedInlineCapture, message);
    }
}
