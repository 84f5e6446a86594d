//! One attempt at an agent node without the process: what the process is told, what it says as it arrives,
//! and what that comes to (spec 7.4). Whoever runs the process feeds this and asks it when to stop. Knows
//! nothing about how processes are run and files are stored.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::artifact::Artifact;
use super::capture::Done;
use super::events::{Events, TooMuch};
use super::node::AgentNode;
use super::prompt::{Prompt, Refused};
use super::reply;
use crate::json::{Object, Value};
use crate::pi::reducer::Write;
use crate::pi::run::{AttemptResult, Failure, RunCode, Success, Usage};
use crate::pi::text;
use crate::pi::words::{Capture, ResponseFormat, Storage, WriteMode};
use crate::timestamp::Timestamp;

/// Bytes of error output that are kept; the first ones.
const ERROR_BYTES: usize = 64 << 10;

/// How a process came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It exited with this code. What was killed has none.
    Exited(Option<i32>),
    /// It could not be started, or not be followed to its end; why.
    Broken(String),
}

/// Told what every turn used, at once; answers whether the attempt may go on. After a refusal it is still
/// told about turns that the process had taken by then.
pub type Report<'r> = &'r mut dyn FnMut(&Usage) -> ControlFlow<()>;

/// Stores an artifact and gives its URI.
pub type Store<'s> = &'s mut dyn FnMut(Artifact<'_>) -> Result<String, Failure>;

/// An attempt at an agent node.
///
/// ```
/// use core::ops::ControlFlow;
/// use agent_graph_runtime::pi::agent::{AgentNode, Attempt, Ended, Wording};
/// use agent_graph_runtime::pi::run::AttemptResult;
/// use agent_graph_runtime::{Timestamp, json::Object, pi};
///
/// let text = r#"{"schemaVersion": 2, "name": "greet", "entry": "hello", "limits": {},
///   "nodes": {"hello": {"type": "agent", "prompt": "Say hello."}}}"#;
/// let graph = pi::parse("greet.json".into(), text.as_bytes()).unwrap().graph();
/// let wording = Wording::default();
/// let node = AgentNode::of(&graph, "hello", &wording).unwrap();
/// let began = Timestamp::from_unix_milliseconds(0);
///
/// let mut attempt = Attempt::begin(node, &Object::new(), began).unwrap();
/// assert_eq!(attempt.prompt().user, "Say hello.");
/// // What the process writes, in pieces of any size.
/// let line = br#"{"type":"message_end","message":{"role":"assistant","content":"Hello"}}"#;
/// let mut report = |_: &_| ControlFlow::Continue(());
/// attempt.output(line, &mut report);
/// let mut store = |_: pi::agent::Artifact<'_>| unreachable!("nothing is stored here");
/// let result = attempt.end(Ended::Exited(Some(0)), &mut report, &mut store);
/// assert!(matches!(result, AttemptResult::Success(success) if success.output == Some("Hello".into())));
/// ```
#[derive(Clone, Debug)]
pub struct Attempt<'g> {
    node: AgentNode<'g>,
    prompt: Prompt,
    began: Timestamp,
    events: Events,
    error_output: Vec<u8>,
    usage: Usage,
    is_refused: bool,
    late: Option<RunCode>,
    is_aborted: bool,
    broken: Option<Failure>,
}

impl<'g> Attempt<'g> {
    /// Puts the prompt together and checks its size.
    ///
    /// # Errors
    /// `PROMPT_BUDGET_EXCEEDED`, `SHARED_CONTEXT_INVALID`; `AGENT_EXECUTION_ERROR` where a placeholder
    /// cannot be rendered. Then nothing is to be started.
    pub fn begin(node: AgentNode<'g>, state: &Object, began: Timestamp) -> Result<Self, Failure> {
        let prompt = node.prompt(state)?;
        Ok(Self {
            node,
            prompt,
            began,
            events: Events::keeping(node.kept_bytes()),
            error_output: Vec::new(),
            usage: Usage::default(),
            is_refused: false,
            late: None,
            is_aborted: false,
            broken: None,
        })
    }

    /// What the process is told.
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// Takes in what the process wrote to its standard output.
    pub fn output(&mut self, chunk: &[u8], report: Report<'_>) {
        self.listen(report, |events, turn| events.read(chunk, turn));
    }

    fn listen(
        &mut self,
        report: Report<'_>,
        read: impl FnOnce(&mut Events, &mut dyn FnMut(Usage)) -> Result<(), TooMuch>,
    ) {
        if self.broken.is_some() {
            return;
        }
        let (usage, is_refused) = (&mut self.usage, &mut self.is_refused);
        let mut turn = |used: Usage| {
            usage.add(&used);
            *is_refused |= report(&used).is_break();
        };
        if let Err(too_much) = read(&mut self.events, &mut turn) {
            self.broken = Some(match too_much {
                TooMuch::Line => process_error("the agent wrote a line that is too long"),
                TooMuch::Messages => Failure::new(
                    RunCode::OutputLimit,
                    "the agent said more than its shared messages can hold",
                ),
            });
        }
    }

    /// Takes in what the process wrote to its standard error. Only the beginning is kept.
    pub fn error_output(&mut self, chunk: &[u8]) {
        let room = ERROR_BYTES.saturating_sub(self.error_output.len());
        self.error_output.extend(chunk.iter().take(room));
    }

    /// Says that the process is stopped because its time is up; `code` is that of the deadline.
    pub fn time_is_up(&mut self, code: RunCode) {
        self.late = Some(code);
    }

    /// Says that the process is stopped because the caller ends the run.
    pub fn abort(&mut self) {
        self.is_aborted = true;
    }

    /// Whether the process is to be stopped: it has used or written too much, its time is up, or nobody
    /// wants to know any more.
    pub fn must_stop(&self) -> bool {
        self.is_refused || self.late.is_some() || self.is_aborted || self.broken.is_some()
    }

    /// What the attempt came to, now that the process is gone.
    pub fn end(mut self, ended: Ended, report: Report<'_>, store: Store<'_>) -> AttemptResult {
        self.listen(report, Events::finish);
        let usage = self.usage.clone();
        if let Some(failure) = self.failure(&ended) {
            return failure.with_usage(usage).into();
        }
        match self.success(store) {
            Ok(success) => Success { usage, ..success }.into(),
            // An answer that cannot be kept: its turns were reported, but do not count for the node.
            Err(failure) => failure.into(),
        }
    }

    /// Why the attempt failed, if it did; the first reason counts.
    fn failure(&self, ended: &Ended) -> Option<Failure> {
        if self.is_refused {
            let message = "the agent used more than it may";
            return Some(Failure::new(RunCode::BudgetLimit, message));
        }
        if let Some(code) = self.late {
            let failure = Failure::new(code, "the agent did not finish in time");
            // The time of a node begins anew with another attempt, that of the run does not.
            return Some(match code {
                RunCode::NodeTimeout => failure.retryable(),
                _ => failure,
            });
        }
        if self.is_aborted {
            return Some(Failure::new(RunCode::Aborted, "the run was ended"));
        }
        if let Some(broken) = &self.broken {
            return Some(broken.clone());
        }
        let code = match ended {
            Ended::Broken(why) => return Some(process_error(why)),
            Ended::Exited(code) => *code,
        };
        let stop_reason = self.events.stop_reason.as_deref();
        if code != Some(0) || matches!(stop_reason, Some("error" | "aborted")) {
            let failure = Failure::new(RunCode::AgentFailed, self.complaint(code));
            return Some(match stop_reason {
                Some("aborted") => failure,
                _ => failure.retryable(),
            });
        }
        let answer = self.answer();
        let most = self.node.agent.max_bytes;
        if answer.len() as u64 > most {
            let message = format!("the answer has {} bytes, {most} are allowed", answer.len());
            return Some(Failure::new(RunCode::OutputLimit, message));
        }
        text::is_blank(answer).then(|| {
            Failure::new(RunCode::EmptyOutput, "the agent finished without an answer").retryable()
        })
    }

    fn answer(&self) -> &str {
        self.events.output.as_deref().unwrap_or_default()
    }

    /// What a failed agent has to say.
    fn complaint(&self, code: Option<i32>) -> String {
        if let Some(message) = self
            .events
            .error_message
            .as_deref()
            .filter(|text| !text.is_empty())
        {
            return message.into();
        }
        let said = String::from_utf8_lossy(&self.error_output);
        match (text::trim(&said), code) {
            ("", Some(code)) => format!("the agent exited with code {code}"),
            ("", None) => "the agent was killed".into(),
            (said, _) => said.into(),
        }
    }

    fn success(&self, store: Store<'_>) -> Result<Success, Failure> {
        let node = &self.node;
        let answer = self.answer();
        let mut output = match node.agent.format {
            ResponseFormat::Text => Value::from(answer),
            ResponseFormat::Json => reply::value(answer).ok_or_else(|| {
                let message = "the answer is not one JSON value that a state can hold";
                Failure::new(RunCode::AgentExecutionError, message).retryable()
            })?,
        };
        if node.agent.storage == Storage::Artifact {
            let artifact = node.describe_artifact(answer);
            let uri = store(Artifact {
                name: &artifact.name,
                content: answer,
            })?;
            output = artifact.reference(uri);
        }
        if node.agent.capture == Capture::Compact && !node.agent.store_output {
            let message = "the message would refer to an output that is not written";
            return Err(Failure::new(RunCode::SharedCompactOutputRequired, message));
        }
        let messages = node.messages(&Done {
            instruction: &self.prompt.instruction,
            answer,
            said: &self.events.said,
            output: &output,
            at: self.began,
        });
        let mut writes = Vec::new();
        let mut write = |path: String, value| {
            writes.push(Write {
                path,
                value: Some(value),
                mode: WriteMode::Reduce,
            });
        };
        if node.agent.store_output {
            write(node.output_path().into(), output.clone());
        }
        if let Some(path) = node
            .path(node.agent.messages)
            .filter(|_| !messages.is_empty())
        {
            write(path.as_written().to_string(), Value::Array(messages));
        }
        Ok(Success {
            writes,
            output: Some(output),
            usage: Usage::default(),
        })
    }
}

impl AgentNode<'_> {
    /// What the agent is told with this state.
    ///
    /// # Errors
    /// Those of [`Attempt::begin`].
    pub fn prompt(&self, state: &Object) -> Result<Prompt, Failure> {
        self.assemble(state).map_err(|refused| match refused {
            Refused::Unrendered(why) => {
                let message = format!("the prompt cannot be rendered: {why}");
                Failure::new(RunCode::AgentExecutionError, message).retryable()
            }
            Refused::Messages => Failure::new(
                RunCode::SharedContextInvalid,
                "the shared messages are no list of messages",
            ),
            Refused::Budget(bytes, limit) => Failure::new(
                RunCode::PromptBudgetExceeded,
                format!("the prompt has {bytes} bytes, {limit} are allowed"),
            ),
        })
    }
}

pub(super) fn process_error(message: impl Into<String>) -> Failure {
    Failure::new(RunCode::ProcessError, message).retryable()
}
