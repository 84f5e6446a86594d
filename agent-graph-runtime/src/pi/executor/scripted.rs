//! An executor that answers from a script: for tests, examples, and to try a graph without a model. Answers
//! take the way of real ones through prompts, limits and formats; only the process is missing.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use std::sync::{Mutex, PoisonError};

use super::{Executor, Watch};
use crate::json::{Object, Value};
use crate::pi::agent::{AgentNode, Artifact, Attempt, Ended, Wording};
use crate::pi::run::{AttemptResult, Failure, RunCode, Usage, Work};

/// Answers from a script: for each node a list of answers, one for each attempt; the last one repeats. A node
/// without any answers `ok`.
///
/// ```
/// use agent_graph_runtime::pi::executor::{Executor, Scripted, Unwatched};
/// use agent_graph_runtime::pi::run::{AttemptResult, Work};
/// use agent_graph_runtime::{Timestamp, json::Object, pi};
///
/// let text = r#"{"schemaVersion": 2, "name": "greet", "entry": "hello", "limits": {},
///   "nodes": {"hello": {"type": "agent", "prompt": "Say hello."}}}"#;
/// let graph = pi::parse("greet.json".into(), text.as_bytes()).unwrap().graph();
/// let now = Timestamp::from_unix_milliseconds(0);
/// let work = Work::alone(&graph, "run-1", "hello", Object::new().into(), now).unwrap();
///
/// let executor = Scripted::new().says("hello", "Hello!");
/// let result = executor.execute(&work, &Unwatched);
/// assert!(matches!(result, AttemptResult::Success(success) if success.output == Some("Hello!".into())));
/// assert_eq!(executor.calls()[0].prompt, "Say hello.");
/// ```
#[derive(Default)]
pub struct Scripted {
    wording: Wording,
    scripts: Mutex<BTreeMap<String, VecDeque<Line>>>,
    calls: Mutex<Vec<Call>>,
}

/// An attempt that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The node.
    pub node: String,
    /// The number of the attempt.
    pub attempt: u64,
    /// What the agent was told.
    pub prompt: String,
}

/// What comes of one attempt.
#[derive(Clone)]
enum Line {
    Says(String, Usage),
    Fails(Failure),
    Does(Arc<Act>),
}

type Act = dyn Fn(&Work, &dyn Watch) -> Result<String, Failure> + Send + Sync;

impl Scripted {
    /// An executor whose nodes all answer `ok`.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next attempt at this node answers with this text.
    #[must_use]
    pub fn says(self, node: &str, text: impl Into<String>) -> Self {
        self.says_using(node, text, Usage::default())
    }

    /// The next attempt at this node answers with this text, and uses this much for it; one turn in any case.
    #[must_use]
    pub fn says_using(self, node: &str, text: impl Into<String>, usage: Usage) -> Self {
        self.then(node, Line::Says(text.into(), usage))
    }

    /// The next attempt at this node fails.
    #[must_use]
    pub fn fails(self, node: &str, failure: Failure) -> Self {
        self.then(node, Line::Fails(failure))
    }

    /// The next attempt at this node answers with what this function makes of it.
    #[must_use]
    pub fn does(
        self,
        node: &str,
        act: impl Fn(&Work, &dyn Watch) -> Result<String, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.then(node, Line::Does(Arc::new(act)))
    }

    /// The attempts that were made, in the order in which they began.
    pub fn calls(&self) -> Vec<Call> {
        let calls = self.calls.lock();
        calls.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn then(mut self, node: &str, line: Line) -> Self {
        let scripts = self.scripts.get_mut();
        let scripts = scripts.unwrap_or_else(PoisonError::into_inner);
        scripts.entry(node.into()).or_default().push_back(line);
        self
    }

    fn attempt(&self, work: &Work, watch: &dyn Watch) -> Result<AttemptResult, Failure> {
        let node = AgentNode::of_work(work, &self.wording)
            .ok_or_else(|| Failure::new(RunCode::ExecutionError, "only agents have a script"))?;
        let attempt = Attempt::begin(node, &work.state, work.started_at)?;
        let call = Call {
            node: work.node.clone(),
            attempt: work.attempt,
            prompt: attempt.prompt().user.clone(),
        };
        let calls = self.calls.lock();
        calls.unwrap_or_else(PoisonError::into_inner).push(call);
        let (text, usage) = self.line(work, watch)?;
        Ok(say(attempt, &text, &usage, watch))
    }

    /// What the script has for this attempt.
    fn line(&self, work: &Work, watch: &dyn Watch) -> Result<(String, Usage), Failure> {
        match self.next_line(&work.node) {
            None => Ok(("ok".into(), Usage::default())),
            Some(Line::Says(text, usage)) => Ok((text, usage)),
            Some(Line::Fails(failure)) => Err(failure),
            // The script is not held while it acts: other nodes have theirs.
            Some(Line::Does(act)) => Ok((act(work, watch)?, Usage::default())),
        }
    }

    fn next_line(&self, node: &str) -> Option<Line> {
        let scripts = self.scripts.lock();
        let mut scripts = scripts.unwrap_or_else(PoisonError::into_inner);
        let script = scripts.get_mut(node)?;
        if script.len() > 1 {
            script.pop_front()
        } else {
            script.front().cloned()
        }
    }
}

/// Lets an attempt answer as a process would.
fn say(mut attempt: Attempt<'_>, text: &str, usage: &Usage, watch: &dyn Watch) -> AttemptResult {
    let number = |count: u64| Value::Number(count as f64);
    let mut cost = Object::new();
    cost.insert("total", usage.cost_usd);
    let mut used = Object::new();
    used.insert("input", number(usage.input_tokens));
    used.insert("output", number(usage.output_tokens));
    used.insert("cacheRead", number(usage.cache_read_tokens));
    used.insert("cacheWrite", number(usage.cache_write_tokens));
    used.insert("cost", cost);
    let mut message = Object::new();
    message.insert("role", "assistant");
    message.insert("content", text);
    message.insert("usage", used);
    if let Some(model) = &usage.model {
        message.insert("model", model.as_str());
    }
    let mut event = Object::new();
    event.insert("type", "message_end");
    event.insert("message", message);
    let mut report = |used: &Usage| watch.turn(used);
    attempt.output(format!("{event}\n").as_bytes(), &mut report);
    match watch.stop() {
        Some(RunCode::Aborted) => attempt.abort(),
        Some(code) => attempt.time_is_up(code),
        None => {}
    }
    let mut store = |artifact: Artifact<'_>| Ok(format!("scripted:{}", artifact.name));
    attempt.end(Ended::Exited(Some(0)), &mut report, &mut store)
}

impl Executor for Scripted {
    fn execute(&self, work: &Work, watch: &dyn Watch) -> AttemptResult {
        self.attempt(work, watch)
            .unwrap_or_else(AttemptResult::from)
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scripted").finish_non_exhaustive()
    }
}
