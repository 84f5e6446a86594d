//! The JSON forms of an evaluation (spec 1.7), members in emission order, and how other types say theirs. Knows
//! names and order only; what they hold comes from `evaluation`.
//!
//! Macros by example say them, not serde's derive: that and its parser are three CPU seconds of the first build
//! of every host.

use alloc::string::String;
use alloc::vec::Vec;

use serde_core::ser::{Serialize, SerializeStruct, Serializer};

use crate::candidate::Candidate;
use crate::diagnostic::Diagnostic;
use crate::evaluation::{Evaluation, EvaluationRef};
use crate::json::Value;
use crate::typed::Graph;

/// Serializes a struct as an object: its schema, if it has one, then the fields in this order, those with `?`
/// only if they hold something.
macro_rules! wire_struct {
    ($type:ident $($schema:literal)? { $($member:literal $kind:tt $field:ident,)* }) => {
        impl ::serde_core::Serialize for $type {
            fn serialize<S: ::serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use ::serde_core::ser::SerializeStruct as _;
                use $crate::wire::wire_member;

                let schema: Option<&str> = None$(.or(Some($schema)))?;
                let len = usize::from(schema.is_some()) $(+ wire_member!(count $kind self.$field))*;
                let mut object = serializer.serialize_struct(stringify!($type), len)?;
                if let Some(schema) = schema {
                    object.serialize_field("schema", schema)?;
                }
                $( wire_member!(write $kind object, $member, self.$field); )*
                object.end()
            }
        }
    };
}

/// One member of [`wire_struct`].
macro_rules! wire_member {
    (count : $field:expr) => {
        1
    };
    (count ? $field:expr) => {
        usize::from($field.is_some())
    };
    (write : $object:ident, $member:literal, $field:expr) => {
        $object.serialize_field($member, &$field)?;
    };
    (write ? $object:ident, $member:literal, $field:expr) => {
        match &$field {
            Some(field) => $object.serialize_field($member, field)?,
            None => $object.skip_field($member)?,
        }
    };
}

/// Serializes an enumeration as words.
macro_rules! wire_words {
    ($type:ident { $($variant:ident = $word:literal,)* }) => {
        impl ::serde_core::Serialize for $type {
            fn serialize<S: ::serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(match self {
                    $( Self::$variant => $word, )*
                })
            }
        }
    };
}

pub(crate) use {wire_member, wire_struct, wire_words};

impl<G: Graph> Serialize for Evaluation<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.lend().serialize(serializer)
    }
}

impl<G: Graph> Serialize for EvaluationRef<'_, G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let primary = self.primary();
        let optional = usize::from(self.outcome().is_some()) + usize::from(primary.is_some());
        let mut object = serializer.serialize_struct("Evaluation", 8 + optional)?;
        object.serialize_field("schema", "agent-graph.evaluation.v1")?;
        object.serialize_field("provider", self.provider().id())?;
        object.serialize_field("graph", self.graph())?;
        object.serialize_field("entry", self.entry())?;
        object.serialize_field("revision", &self.revision())?;
        object.serialize_field("statusCode", &self.status())?;
        if let Some(outcome) = self.outcome() {
            object.serialize_field("outcome", &outcome)?;
        }
        if let Some(primary) = &primary {
            object.serialize_field("primaryRoute", primary)?;
        }
        object.serialize_field(
            "alternativeRoutes",
            &self.alternatives().collect::<Vec<_>>(),
        )?;
        object.serialize_field("diagnostics", &self.diagnostics().collect::<Vec<_>>())?;
        object.end()
    }
}

impl<G: Graph> Serialize for Candidate<'_, G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hint = self.hint();
        let mut object =
            serializer.serialize_struct("RouteSummary", 7 + usize::from(hint.is_some()))?;
        object.serialize_field("routeId", &self.route_id())?;
        object.serialize_field("graph", self.graph())?;
        object.serialize_field("node", self.node())?;
        object.serialize_field("statusCode", &self.status())?;
        object.serialize_field("reasonCode", self.reason_code())?;
        if let Some(hint) = hint {
            object.serialize_field("hint", hint)?;
        }
        object.serialize_field("availability", &self.availability())?;
        object.serialize_field("label", self.label())?;
        object.end()
    }
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let optional = [
            self.path.is_some(),
            self.document_ref.is_some(),
            self.detail.is_some(),
        ];
        let len = 3 + optional.iter().filter(|&&present| present).count();
        let mut object = serializer.serialize_struct("Diagnostic", len)?;
        object.serialize_field("code", &self.code)?;
        object.serialize_field("severity", &self.severity)?;
        object.serialize_field("message", &self.message)?;
        if let Some(path) = &self.path {
            object.serialize_field("path", path)?;
        }
        if let Some(document_ref) = &self.document_ref {
            object.serialize_field("documentRef", document_ref)?;
        }
        if let Some(detail) = &self.detail {
            object.serialize_field("detail", detail)?;
        }
        object.end()
    }
}

impl<G: Graph> Evaluation<G> {
    /// The evaluation as `agent-graph.evaluation.v1` JSON on one line.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

impl<G: Graph> EvaluationRef<'_, G> {
    /// The evaluation as `agent-graph.evaluation.v1` JSON on one line.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// Wire values hold nothing that JSON cannot: texts, finite numbers, and details within the depth ceiling.
fn to_json(value: &impl Serialize) -> String {
    Value::from_serialize(value)
        .map(|value| alloc::string::ToString::to_string(&value))
        .unwrap_or_default()
}
