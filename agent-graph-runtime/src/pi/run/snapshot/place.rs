//! One value within a snapshot that is read, with where it is. Knows the kinds of values that occur there, not
//! what they mean.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::json::{Object, Value};
use crate::pi::run::usage::SAFE;
use crate::pi::state;
use crate::pi::text;
use crate::timestamp::Timestamp;

/// Why a value is no snapshot, or does not follow the one before it.
///
/// ```
/// use agent_graph_runtime::{json::Value, pi::run::Snapshot};
/// let error = Snapshot::from_value(&Value::from_json(r#"{"version": 1}"#)?).unwrap_err();
/// assert_eq!(error.path, "$snapshot.version");
/// # Ok::<(), agent_graph_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotError {
    /// Where, as a path that begins with `$snapshot`, or `$progress` for what has happened since one.
    pub path: String,
    /// What is wrong there.
    pub reason: &'static str,
}

impl SnapshotError {
    /// The label of the specification, which the path belongs to.
    pub const LABEL: &'static str = "CHECKPOINT_INVALID";

    pub(in crate::pi::run) fn at(path: &str, reason: &'static str) -> Self {
        Self {
            path: format!("$snapshot{path}"),
            reason,
        }
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", Self::LABEL, self.path, self.reason)
    }
}

impl core::error::Error for SnapshotError {}

pub(in crate::pi::run) type Read<T> = Result<T, SnapshotError>;

/// A value and its path.
#[derive(Clone, Debug)]
pub(in crate::pi::run) struct Place<'v> {
    value: Option<&'v Value>,
    path: String,
}

impl<'v> Place<'v> {
    pub(in crate::pi::run) fn root(value: &'v Value) -> Self {
        Self {
            value: Some(value),
            path: "$snapshot".into(),
        }
    }

    pub(in crate::pi::run) fn root_of_progress(value: &'v Value) -> Self {
        Self {
            value: Some(value),
            path: "$progress".into(),
        }
    }

    pub(in crate::pi::run) fn refuse<T>(&self, reason: &'static str) -> Read<T> {
        Err(SnapshotError {
            path: self.path.clone(),
            reason,
        })
    }

    pub(in crate::pi::run) fn require(&self, holds: bool, reason: &'static str) -> Read<()> {
        if holds { Ok(()) } else { self.refuse(reason) }
    }

    /// The same place if there is something.
    pub(in crate::pi::run) fn optional(self) -> Option<Self> {
        self.value.is_some().then_some(self)
    }

    /// The member, which may be absent.
    pub(in crate::pi::run) fn field(&self, name: &str) -> Self {
        let object = self.value.and_then(Value::as_object);
        Self {
            value: object.and_then(|object| object.get(name)),
            path: format!("{}.{name}", self.path),
        }
    }

    pub(in crate::pi::run) fn object(&self) -> Read<&'v Object> {
        match self.value {
            Some(Value::Object(object)) => Ok(object),
            _ => self.refuse("an object is needed"),
        }
    }

    /// An object with no other members than these.
    pub(in crate::pi::run) fn exact(&self, known: &[&str]) -> Read<()> {
        match self.object()?.names().find(|name| !known.contains(name)) {
            Some(unknown) => self.field(unknown).refuse("the field is unknown"),
            None => Ok(()),
        }
    }

    /// The members of an object whose names are ids.
    pub(in crate::pi::run) fn entries(&self) -> Read<Vec<(&'v str, Self)>> {
        let object = self.object()?;
        let mut entries = Vec::new();
        for name in object.names() {
            self.require(is_id(name), "a name is blank or forbidden")?;
            entries.push((name, self.field(name)));
        }
        Ok(entries)
    }

    pub(in crate::pi::run) fn items(&self) -> Read<Vec<Self>> {
        let Some(Value::Array(items)) = self.value else {
            return self.refuse("an array is needed");
        };
        let item = |(index, value)| Self {
            value: Some(value),
            path: format!("{}[{index}]", self.path),
        };
        Ok(items.iter().enumerate().map(item).collect())
    }

    pub(in crate::pi::run) fn text(&self) -> Read<&'v str> {
        match self.value {
            Some(Value::String(text)) => Ok(text),
            _ => self.refuse("a string is needed"),
        }
    }

    /// The name of a member of a state.
    pub(in crate::pi::run) fn name(&self) -> Read<&'v str> {
        let text = self.text()?;
        self.require(!text::is_forbidden(text), "the name is forbidden")?;
        Ok(text)
    }

    /// A mark, which is true where it is set.
    pub(in crate::pi::run) fn marked(&self) -> Read<()> {
        let is_set = matches!(self.value, Some(Value::Bool(true)));
        self.require(is_set, "only true is allowed")
    }

    pub(in crate::pi::run) fn visible_text(&self) -> Read<&'v str> {
        let text = self.text()?;
        self.require(!text::trim(text).is_empty(), "the text is blank")?;
        Ok(text)
    }

    pub(in crate::pi::run) fn id(&self) -> Read<&'v str> {
        let text = self.text()?;
        self.require(is_id(text), "the id is blank or forbidden")?;
        Ok(text)
    }

    /// Ids, each once.
    pub(in crate::pi::run) fn ids(&self) -> Read<Vec<String>> {
        let mut seen = BTreeSet::new();
        let mut ids = Vec::new();
        for item in self.items()? {
            let id = item.id()?;
            self.require(seen.insert(id), "an id is repeated")?;
            ids.push(id.into());
        }
        Ok(ids)
    }

    pub(in crate::pi::run) fn count(&self) -> Read<u64> {
        match self.value {
            Some(&Value::Number(number))
                if (0.0..=SAFE as f64).contains(&number) && number % 1.0 == 0.0 =>
            {
                Ok(number as u64)
            }
            _ => self.refuse("an integer from 0 to 2^53 - 1 is needed"),
        }
    }

    pub(in crate::pi::run) fn positive(&self) -> Read<u64> {
        let count = self.count()?;
        self.require(count > 0, "an integer above 0 is needed")?;
        Ok(count)
    }

    pub(in crate::pi::run) fn amount(&self) -> Read<f64> {
        match self.value {
            Some(&Value::Number(number)) if number >= 0.0 && number.is_finite() => Ok(number),
            _ => self.refuse("a number that is not negative is needed"),
        }
    }

    pub(in crate::pi::run) fn time(&self) -> Read<Timestamp> {
        match self.text()?.parse() {
            Ok(time) => Ok(time),
            Err(_) => self.refuse("a time of the form YYYY-MM-DDTHH:MM:SS.mmmZ is needed"),
        }
    }

    pub(in crate::pi::run) fn time_from(&self, earliest: Timestamp) -> Read<Timestamp> {
        let time = self.time()?;
        self.require(
            time >= earliest,
            "the time is before one that it cannot precede",
        )?;
        Ok(time)
    }

    pub(in crate::pi::run) fn word<W: FromStr>(&self) -> Read<W> {
        match self.text()?.parse() {
            Ok(word) => Ok(word),
            Err(_) => self.refuse("the word is unknown"),
        }
    }

    /// Any JSON without forbidden names.
    pub(in crate::pi::run) fn json(&self) -> Read<&'v Value> {
        match self.value {
            None => self.refuse("a value is needed"),
            Some(value) => {
                let clean = !state::has_forbidden_names(value);
                self.require(clean, "a name is forbidden")?;
                Ok(value)
            }
        }
    }
}

fn is_id(text: &str) -> bool {
    !text::trim(text).is_empty() && !text::is_forbidden(text)
}
