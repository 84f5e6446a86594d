//! What an agent is told: the sections of the user prompt and of the system prompt, and the check of their
//! size before anything is started (spec 8.1, 8.3). Knows nothing about processes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::node::AgentNode;
use super::transcript::{Transcript, Unreadable};
use super::wording::Phrase;
use crate::json::{Object, Value};
use crate::pi::path::StatePath;
use crate::pi::template::{Segment, Template};
use crate::pi::words::{ContextMode, ResponseFormat};
use crate::pi::{print, state, text};

/// Bytes that no limit can raise the size of a prompt above.
pub const PROMPT_BYTES: u64 = 262_144;

/// What an agent is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The user prompt: what the process reads from its standard input.
    pub user: String,
    /// What is added to the system prompt.
    pub system: String,
    /// The rendered prompt of the node alone.
    pub instruction: String,
    /// Where the bytes are.
    pub bytes: PromptBytes,
}

/// Bytes of the parts of a prompt. The total has a little more: separators, and the heading of the
/// instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromptBytes {
    /// The rendered prompt of the node.
    pub instruction: u64,
    /// The shared messages with their heading.
    pub shared: u64,
    /// The values it reads with their heading.
    pub reads: u64,
    /// The sentence that asks for JSON.
    pub contract: u64,
    /// The addition to the system prompt.
    pub system: u64,
    /// Everything.
    pub total: u64,
}

/// Why there is no prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// A placeholder or a path cannot be read.
    Unrendered(String),
    /// The shared messages are none.
    Messages,
    /// It is too long.
    Budget(u64, u64),
}

impl AgentNode<'_> {
    pub(super) fn assemble(&self, state: &Object) -> Result<Prompt, Refused> {
        let unrendered = |error| Refused::Unrendered(format!("{error}"));
        let prompt = self.template(self.agent.prompt);
        let system_prompt = self.template(self.agent.system_prompt);
        let instruction = prompt.render(state).map_err(unrendered)?;
        let own_system = system_prompt.render(state).map_err(unrendered)?;
        let placeholders: Vec<&StatePath> = [&prompt, &system_prompt]
            .into_iter()
            .flat_map(paths)
            .collect();
        let reads = self.reads();
        let shared = self.shared(state, &placeholders, &reads)?;
        let reads = self.read_values(state, &placeholders, &reads);
        let contract = (self.agent.format == ResponseFormat::Json)
            .then(|| String::from(self.wording.json_contract.as_str()));
        let headed = match self.agent.context {
            ContextMode::Shared => {
                format!("{}\n{instruction}", self.wording.instruction.as_str())
            }
            ContextMode::Isolated | ContextMode::Thread => instruction.clone(),
        };
        let mut bytes = PromptBytes {
            instruction: instruction.len() as u64,
            shared: length(shared.as_ref()),
            reads: length(reads.as_ref()),
            contract: length(contract.as_ref()),
            ..PromptBytes::default()
        };
        let sections = [shared, Some(headed), reads, contract];
        let sections: Vec<String> = sections.into_iter().flatten().collect();
        let user = sections.join("\n\n");
        let system = self.system(&own_system);
        bytes.system = system.len() as u64;
        bytes.total = user.len() as u64 + bytes.system;
        let own = self.node.max_prompt_bytes.unwrap_or(PROMPT_BYTES);
        let limit = own
            .min(self.tables.graph.max_prompt_bytes)
            .min(PROMPT_BYTES);
        if bytes.total > limit {
            return Err(Refused::Budget(bytes.total, limit));
        }
        Ok(Prompt {
            user,
            system,
            instruction,
            bytes,
        })
    }

    /// The shared messages with their heading; nothing where there are none.
    fn shared(
        &self,
        state: &Object,
        placeholders: &[&StatePath],
        reads: &[StatePath],
    ) -> Result<Option<String>, Refused> {
        let Some(path) = self.path(self.agent.messages) else {
            return Ok(None);
        };
        let projected: Vec<&StatePath> = placeholders.iter().copied().chain(reads).collect();
        let transcript = Transcript {
            path: &path,
            max_messages: self.agent.max_messages,
            max_bytes: self.agent.messages_max_bytes,
            projected: &projected,
            wording: self.wording,
        };
        let rendered = transcript
            .render(state)
            .map_err(|unreadable| match unreadable {
                Unreadable::Invalid => Refused::Messages,
                Unreadable::Reference(error) => Refused::Unrendered(format!("{error}")),
            })?;
        let header = || self.wording.transcript.with(path.as_written());
        let rendered = rendered.filter(|rendered| !rendered.is_empty());
        Ok(rendered.map(|rendered| format!("{}\n{rendered}", header())))
    }

    /// The values that the node reads and the prompt does not show already, with their heading.
    fn read_values(
        &self,
        state: &Object,
        placeholders: &[&StatePath],
        reads: &[StatePath],
    ) -> Option<String> {
        let messages = self.path(self.agent.messages);
        let mut values = Object::new();
        for read in reads {
            let is_shown = placeholders
                .iter()
                .any(|path| path.as_written() == read.as_written())
                || messages.as_ref().is_some_and(|path| path.overlaps(read));
            if is_shown {
                continue;
            }
            if let Some(value) = state::get(state, read.segments()) {
                values.insert(read.as_written(), value.clone());
            }
        }
        if values.is_empty() {
            return None;
        }
        let values = print::pretty(&Value::Object(values));
        Some(format!("{}\n{values}", self.wording.reads.as_str()))
    }

    fn system(&self, own: &str) -> String {
        let say = |applies: bool, phrase: &Phrase| applies.then(|| phrase.as_str().into());
        let wording = self.wording;
        let description = self.tables.text_or_none(self.node.description);
        let sections: [Option<String>; 7] = [
            Some(wording.intro.with(self.id())),
            description
                .filter(|description| !description.is_empty())
                .map(|description| wording.responsibility.with(description)),
            say(self.agent.is_reviewer, &wording.reviewer),
            say(self.agent.read_only, &wording.read_only),
            say(self.agent.context == ContextMode::Thread, &wording.thread),
            (self.agent.context == ContextMode::Shared)
                .then(|| wording.shared.with(self.agent.capture.as_str())),
            (!text::is_blank(own)).then(|| own.into()),
        ];
        let sections: Vec<String> = sections.into_iter().flatten().collect();
        sections.join("\n\n")
    }
}

fn paths(template: &Template) -> impl Iterator<Item = &StatePath> {
    template
        .segments()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Path(path) => Some(path),
            Segment::Text(_) | Segment::Invalid { .. } => None,
        })
}

fn length(section: Option<&String>) -> u64 {
    section.map_or(0, |section| section.len() as u64)
}

#[cfg(all(test, feature = "dynamic"))]
mod tests {
    use crate::json::{Object, Value};
    use crate::pi::agent::{AgentNode, PROMPT_BYTES, Wording};
    use crate::pi::parse;
    use crate::pi::run::RunCode;

    #[test]
    fn no_limit_raises_the_size_of_a_prompt_above_256_kibibytes() {
        let text = r#"{"schemaVersion":2,"name":"g","entry":"a","limits":{"maxPromptBytes":9000000},
            "nodes":{"a":{"type":"agent","prompt":"{{big}}","limits":{"maxPromptBytes":9000000}}}}"#;
        let graph = parse("g.json".into(), text.as_bytes()).unwrap().graph();
        let wording = Wording::default();
        let node = AgentNode::of(&graph, "a", &wording).unwrap();
        let state = |length: usize| -> Object {
            let big = Value::from("x".repeat(length));
            [("big", big)].into_iter().collect()
        };
        let system = node.prompt(&state(0)).unwrap().bytes.system;
        let most = usize::try_from(PROMPT_BYTES - system).unwrap();
        assert_eq!(node.prompt(&state(most)).unwrap().bytes.total, PROMPT_BYTES);
        let failure = node.prompt(&state(most + 1)).unwrap_err();
        assert_eq!(failure.code, RunCode::PromptBudgetExceeded);
        assert!(!failure.retryable);
    }
}
