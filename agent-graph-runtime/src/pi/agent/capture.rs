//! What an agent that shares messages adds to them when it is done (spec 9.2, 9.3). Knows nothing about how
//! they come into the state.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::cut;
use super::events::Said;
use super::node::AgentNode;
use super::transcript::hex;
use crate::json::{Object, Value};
use crate::pi::text;
use crate::pi::words::Capture;
use crate::timestamp::Timestamp;

/// Bytes of the line by which a message names what it is about.
const LABEL_BYTES: u64 = 512;

/// An attempt that is done, as far as its messages depend on it.
pub(super) struct Done<'d> {
    /// The rendered prompt of the node.
    pub(super) instruction: &'d str,
    /// The final text.
    pub(super) answer: &'d str,
    /// What was said, the final text included.
    pub(super) said: &'d [Said],
    /// What is written as the output.
    pub(super) output: &'d Value,
    /// When the attempt began.
    pub(super) at: Timestamp,
}

impl AgentNode<'_> {
    /// Bytes of each message that is kept while the agent is at work; nothing where none are.
    pub(super) fn kept_bytes(&self) -> Option<u64> {
        (self.agent.capture == Capture::Full).then_some(self.agent.max_message_bytes)
    }

    /// The messages that are added.
    pub(super) fn messages(&self, done: &Done<'_>) -> Vec<Value> {
        let message = |role: &str, content: &str, name: Option<&str>| {
            self.message(done, role, content, name, None)
        };
        match self.agent.capture {
            Capture::None => Vec::new(),
            Capture::AssistantOnly => Vec::from([message("assistant", done.answer, None)]),
            Capture::Compact => Vec::from([self.compact(done)]),
            // What was said ends with the final text, unless a tool had the last word.
            Capture::Full => {
                let mut messages = Vec::from([message("user", done.instruction, None)]);
                messages.extend(done.said.iter().map(|said| {
                    let role = if said.by_tool { "tool" } else { "assistant" };
                    message(role, &said.text, said.name.as_deref())
                }));
                messages
            }
        }
    }

    /// The message that refers to the output.
    fn compact(&self, done: &Done<'_>) -> Value {
        let path = self.output_path();
        let bytes = LABEL_BYTES.min(self.agent.max_message_bytes);
        let label = self.label(done.instruction);
        let reference = self.wording.reference.with(path);
        let content = [cut::head(&label, bytes), "\n", &reference].concat();
        self.message(done, "assistant", &content, None, Some(path))
    }

    /// The line by which a message names what it is about.
    fn label(&self, instruction: &str) -> String {
        let description = self.tables.text_or_none(self.node.description);
        let mut lines = description.into_iter().chain(instruction.split('\n'));
        let line = lines.find(|line| !text::is_blank(line));
        match line {
            Some(line) => text::trim(line).to_string(),
            None => self.wording.label.with(self.id()),
        }
    }

    fn message(
        &self,
        done: &Done<'_>,
        role: &str,
        content: &str,
        name: Option<&str>,
        refers_to: Option<&str>,
    ) -> Value {
        let or_null = |text: Option<&str>| text.map_or(Value::Null, Value::from);
        let hash = refers_to.map(|_| hex(done.output));
        let mut message = Object::new();
        message.insert("role", role);
        message.insert("content", cut::head(content, self.agent.max_message_bytes));
        message.insert("nodeId", self.id());
        message.insert("name", or_null(name));
        message.insert("createdAt", done.at.to_string());
        message.insert("statePath", or_null(refers_to));
        message.insert("stateHash", or_null(hash.as_deref()));
        message.into()
    }

    /// Where its output is written, as it is written down.
    pub(super) fn output_path(&self) -> &str {
        let row = self.tables.row(self.tables.paths, self.node.output);
        self.tables.text(row.written)
    }
}
