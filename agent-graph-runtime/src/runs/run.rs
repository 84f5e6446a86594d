//! A run: an object that has the shape of spec 1.11, whatever made it. Knows nothing about where runs
//! are kept and how they change.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::read;
use crate::code::Code;
use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::installed::Installed;
use crate::json::{Object, Value, write};
use crate::protocol::Outcome;
use crate::provider::Provider;
use crate::route::RouteInput;
use crate::state::State;

/// A run (`agent-graph.run.v1`). There is no run that does not have the shape of one.
#[derive(Clone)]
pub struct Run {
    object: Object,
    text: String,
}

impl Run {
    /// Reads a run from JSON text.
    ///
    /// # Errors
    /// `parse-failed`, `schema-invalid`, or `input-limit` beyond 64 MiB or 4 000 000 values and names.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        Self::read("run.json", text.as_bytes())
    }

    /// Reads a run from a file's content; the extension of its name tells JSON from YAML.
    pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Self, Error> {
        let object = read::read(name, bytes)?;
        let text = write::stringify_file(&object)?;
        Ok(Self { object, text })
    }

    /// The run with these members, checked as it will be read: what is written can be read again.
    pub(super) fn checked(object: Object) -> Result<Self, Error> {
        Self::from_json(&write::stringify_file(&object)?)
    }

    /// The text of the file of the run: JSON with two spaces a level and a final line end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The members, in the order of their source.
    pub fn as_object(&self) -> &Object {
        &self.object
    }

    /// The id of the run.
    pub fn id(&self) -> &str {
        self.member("id")
    }

    /// The id of its provider.
    pub fn provider(&self) -> &str {
        self.member("provider")
    }

    /// The id of its graph.
    pub fn graph(&self) -> &str {
        self.member("graph")
    }

    /// The name of its entry.
    pub fn entry(&self) -> &str {
        self.member("entry")
    }

    /// The folder that is worked on.
    pub fn workspace(&self) -> Option<&str> {
        self.object.get("workspace").and_then(Value::as_str)
    }

    /// When the run was started.
    pub fn created_at(&self) -> &str {
        self.member("createdAt")
    }

    /// When the run was last saved.
    pub fn updated_at(&self) -> &str {
        self.member("updatedAt")
    }

    /// The facts.
    pub fn facts(&self) -> &Object {
        self.object_member("facts")
    }

    /// State keys and the outcomes recorded for them.
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = (&str, OutcomeRecord<'_>)> {
        let records = self.object_member("outcomes").iter();
        records.map(|(key, record)| (key, OutcomeRecord(record)))
    }

    /// The outcome recorded for a state key.
    pub fn outcome(&self, key: &str) -> Option<OutcomeRecord<'_>> {
        self.object_member("outcomes").get(key).map(OutcomeRecord)
    }

    /// The authorities that the session holds.
    pub fn authorities(&self) -> impl ExactSizeIterator<Item = &str> {
        let authorities = self.items("authorities").iter();
        authorities.map(|authority| authority.as_str().unwrap_or(""))
    }

    /// What happened, oldest first.
    pub fn events(&self) -> impl ExactSizeIterator<Item = Event<'_>> + DoubleEndedIterator {
        self.items("events").iter().map(Event)
    }

    /// The number of the last event; 0 when there is none.
    pub fn last_sequence(&self) -> u64 {
        self.events()
            .next_back()
            .map_or(0, |event| event.sequence())
    }

    /// Refuses another provider than the one of the run.
    ///
    /// # Errors
    /// `run-provider-mismatch`.
    pub fn check_provider(&self, id: &str) -> Result<(), Error> {
        if self.provider() == id {
            return Ok(());
        }
        let message = format!(
            "run `{}` belongs to provider `{}`, not to `{id}`",
            self.id(),
            self.provider()
        );
        Err(Error::new(Code::RunProviderMismatch, message))
    }

    /// The input of an evaluation: `facts`, `outcomes`, `authorities`, `runPath` (the id of the run) and
    /// `workspace`, if there is one.
    pub fn evaluation_input(&self) -> Object {
        let mut input = Object::new();
        for name in ["facts", "outcomes", "authorities"] {
            let value = self.object.get(name).cloned().unwrap_or_default();
            input.insert(name, value);
        }
        input.insert("runPath", self.id());
        if let Some(workspace) = self.workspace() {
            input.insert("workspace", workspace);
        }
        input
    }

    /// What to evaluate the provider of the run with.
    ///
    /// # Errors
    /// `run-provider-mismatch`; those of [`State::from_value`] when facts or state keys have no
    /// canonical text.
    pub fn state(&self, provider: &Provider) -> Result<State, Error> {
        self.check_provider(provider.id())?;
        State::from_value(Value::Object(self.evaluation_input()))
    }

    /// Evaluates the run.
    ///
    /// # Errors
    /// Those of [`Run::state`]; `graph-missing` when the provider has lost the graph of the run.
    pub fn evaluate(&self, provider: &Provider) -> Result<Evaluation, Error> {
        let state = self.state(provider)?;
        provider.evaluate(self.graph(), self.entry(), &state)
    }

    /// Evaluates the run with an installed provider, for absolute paths in the diagnostics.
    ///
    /// # Errors
    /// As [`Run::evaluate`].
    pub fn evaluate_installed(&self, installed: &Installed) -> Result<Evaluation, Error> {
        let state = self.state(installed.provider())?;
        installed.evaluate(self.graph(), self.entry(), &state)
    }

    /// What to resolve routes of the run with: its workspace. Candidates come from [`Run::evaluate`] or
    /// an evaluation of [`Run::state`], which check the provider.
    ///
    /// # Errors
    /// `option-invalid` when the workspace is not absolute, as in a run that was written by hand.
    pub fn route_input(&self) -> Result<RouteInput, Error> {
        RouteInput::new().in_workspace(self.workspace().unwrap_or(""))
    }

    /// The shape says that required members are there and what they are.
    fn member(&self, name: &str) -> &str {
        text_of(&self.object, name)
    }

    fn object_member(&self, name: &str) -> &Object {
        static EMPTY: Object = Object::new();
        let member = self.object.get(name).and_then(Value::as_object);
        member.unwrap_or(&EMPTY)
    }

    fn items(&self, name: &str) -> &[Value] {
        self.object
            .get(name)
            .and_then(Value::as_array)
            .unwrap_or(&[])
    }
}

fn text_of<'o>(object: &'o Object, name: &str) -> &'o str {
    object.get(name).and_then(Value::as_str).unwrap_or("")
}

fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    value.as_object()?.get(name)
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("id", &self.id())
            .field("provider", &self.provider())
            .field("last_sequence", &self.last_sequence())
            .finish_non_exhaustive()
    }
}

/// Equal text.
impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Run {}

/// How a node ended, and when that was recorded.
#[derive(Clone, Copy, Debug)]
pub struct OutcomeRecord<'r>(&'r Value);

impl<'r> OutcomeRecord<'r> {
    /// How it ended.
    pub fn outcome(&self) -> Outcome {
        // The shape admits the words of the enumeration only.
        let word = member(self.0, "outcome").and_then(Value::as_str);
        word.and_then(|word| word.parse().ok())
            .unwrap_or(Outcome::Unverified)
    }

    /// When that was recorded.
    pub fn recorded_at(&self) -> &'r str {
        let text = member(self.0, "recordedAt").and_then(Value::as_str);
        text.unwrap_or("")
    }

    /// What else was said about it.
    pub fn detail(&self) -> Option<&'r Value> {
        member(self.0, "detail")
    }
}

/// Something that happened to a run.
#[derive(Clone, Copy, Debug)]
pub struct Event<'r>(&'r Value);

impl<'r> Event<'r> {
    /// Its number.
    pub fn sequence(&self) -> u64 {
        // The shape admits positive integers that a double holds exactly.
        let number = member(self.0, "sequence").and_then(Value::as_number);
        number.unwrap_or(0.0) as u64
    }

    /// When it happened.
    pub fn at(&self) -> &'r str {
        member(self.0, "at").and_then(Value::as_str).unwrap_or("")
    }

    /// What happened, for example `node.outcome-recorded`.
    pub fn kind(&self) -> &'r str {
        member(self.0, "type").and_then(Value::as_str).unwrap_or("")
    }

    /// The state key of the node that it is about.
    pub fn node(&self) -> Option<&'r str> {
        member(self.0, "node")?.as_str()
    }

    /// The outcome that was recorded.
    pub fn outcome(&self) -> Option<Outcome> {
        member(self.0, "outcome")?.as_str()?.parse().ok()
    }

    /// What else there is to say.
    pub fn detail(&self) -> Option<&'r Value> {
        member(self.0, "detail")
    }
}
