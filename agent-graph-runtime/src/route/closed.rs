//! Reads closed objects of the protocol from JSON values: every member is known and every mistake is
//! `schema-invalid` at a JSON pointer (spec section 0). Knows no particular object.

use alloc::format;
use alloc::string::String;
use core::str::FromStr;

use crate::code::Code;
use crate::error::Error;
use crate::json::{Object, Value};

/// A closed object that is being read.
pub(super) struct Closed<'v> {
    object: &'v Object,
    pointer: String,
}

impl<'v> Closed<'v> {
    /// The object at `pointer`, which has no other members than `names`.
    pub(super) fn new(
        value: &'v Value,
        pointer: impl Into<String>,
        names: &[&str],
    ) -> Result<Self, Error> {
        let pointer = pointer.into();
        let Some(object) = value.as_object() else {
            return Err(invalid(&pointer, "has to be an object"));
        };
        let closed = Self { object, pointer };
        match object.names().find(|name| !names.contains(name)) {
            Some(name) => Err(closed.refuse(name, "is not known here")),
            None => Ok(closed),
        }
    }

    /// Checks that `schema` is this identity.
    pub(super) fn identity(&self, identity: &str) -> Result<(), Error> {
        if self.text("schema")? == identity {
            return Ok(());
        }
        Err(self.refuse("schema", &format!("has to be `{identity}`")))
    }

    /// The closed object in a member.
    pub(super) fn object(&self, name: &str, names: &[&str]) -> Result<Closed<'v>, Error> {
        Closed::new(self.value(name)?, self.pointer_to(name), names)
    }

    /// The items of a member, each with its pointer.
    pub(super) fn items(
        &self,
        name: &str,
    ) -> Result<impl Iterator<Item = (&'v Value, String)> + use<'v>, Error> {
        let pointer = self.pointer_to(name);
        let items = self.value(name)?.as_array();
        let items = items.ok_or_else(|| self.refuse(name, "has to be an array"))?;
        let pointers = (0..).map(move |index: usize| format!("{pointer}/{index}"));
        Ok(items.iter().zip(pointers))
    }

    /// The text in a member.
    pub(super) fn text(&self, name: &str) -> Result<&'v str, Error> {
        let text = self.value(name)?.as_str();
        text.ok_or_else(|| self.refuse(name, "has to be text"))
    }

    /// The text in a member that satisfies a constraint, said so that it follows "has to be".
    pub(super) fn text_that(
        &self,
        name: &str,
        accepts: impl Fn(&str) -> bool,
        expectation: &str,
    ) -> Result<String, Error> {
        let text = self.text(name)?;
        if accepts(text) {
            return Ok(text.into());
        }
        Err(self.refuse(name, &format!("has to be {expectation}")))
    }

    /// The text in a member, at least one character.
    pub(super) fn filled(&self, name: &str) -> Result<String, Error> {
        self.text_that(name, |text| !text.is_empty(), "text that is not empty")
    }

    /// The text in a member, parsed.
    pub(super) fn parsed<T: FromStr>(&self, name: &str, expectation: &str) -> Result<T, Error> {
        let parsed = self.text(name)?.parse();
        parsed.map_err(|_| self.refuse(name, &format!("has to be {expectation}")))
    }

    /// The same for a member that may be absent.
    pub(super) fn parsed_if_any<T: FromStr>(
        &self,
        name: &str,
        expectation: &str,
    ) -> Result<Option<T>, Error> {
        match self.object.get(name) {
            Some(_) => self.parsed(name, expectation).map(Some),
            None => Ok(None),
        }
    }

    /// A member that has to be there.
    pub(super) fn value(&self, name: &str) -> Result<&'v Value, Error> {
        let value = self.object.get(name);
        value.ok_or_else(|| invalid(&self.pointer, &format!("needs a member `{name}`")))
    }

    /// Whether there is such a member.
    pub(super) fn has(&self, name: &str) -> bool {
        self.object.contains(name)
    }

    /// What is wrong with a member.
    pub(super) fn refuse(&self, name: &str, problem: &str) -> Error {
        invalid(&self.pointer_to(name), problem)
    }

    fn pointer_to(&self, name: &str) -> String {
        let escaped = name.replace('~', "~0").replace('/', "~1");
        format!("{}/{escaped}", self.pointer)
    }
}

/// What a digest is, for sentences that begin with "has to be".
pub(super) const DIGEST: &str = "a digest: `sha256:` and 64 lower-case hex digits";

/// What an id is, likewise.
pub(super) const ID: &str =
    "an id: lower-case letters, digits and `. _ / -` between them, at most 160 characters";

fn invalid(pointer: &str, problem: &str) -> Error {
    let place = if pointer.is_empty() { "/" } else { pointer };
    Error::new(Code::SchemaInvalid, format!("{place} {problem}"))
}
