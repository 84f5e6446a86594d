//! The structural check: a document against the table of shapes, with the diagnostics of the protocol in
//! its order (spec 4.2). Knows nothing about what a graph means.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::shape::{self, Field, KeyRule, Rule, Shape};
use crate::load::document::{Kind, Member, Node};
use crate::pi::diagnostic::{DiagnosticCode, Step, path_text};
use crate::pi::order;
use crate::pi::path;
use crate::pi::text;
use crate::pi::words::{END, ErrorStrategy, NodeType, WriteMode};

/// How many violations each pass keeps.
const KEPT: usize = 8;

/// A diagnostic of this stage, its place not looked up yet.
pub(super) struct Violation {
    pub(super) code: DiagnosticCode,
    pub(super) steps: Vec<Step>,
    pub(super) rule: Option<&'static str>,
    pub(super) message: String,
}

/// Checks a document. With `all`, every violation is kept and nothing is collapsed.
pub(super) fn check(root: Node<'_>, all: bool) -> Vec<Violation> {
    let mut check = Check {
        steps: Vec::new(),
        found: Vec::new(),
        kept: 0,
        limit: if all { usize::MAX } else { KEPT },
    };
    check.value(&shape::GRAPH, root);
    if let Some(nodes) = root
        .get("nodes")
        .filter(|node| node.kind() == Kind::Mapping)
    {
        check.steps.push("nodes".into());
        for member in members(nodes) {
            check.kept = 0;
            check.steps.push(member.name.into());
            check.value(node_shape(member.value), member.value);
            check.steps.pop();
        }
    }
    collapsed(check.found)
}

/// The members in the order of ECMAScript.
pub(super) fn members(node: Node<'_>) -> Vec<Member<'_>> {
    order::enumerated(node.members(), |member| member.name)
}

fn node_shape(node: Node<'_>) -> &'static Shape {
    let node_type = node.get("type").and_then(Node::as_str);
    match node_type.and_then(|text| text.parse().ok()) {
        Some(NodeType::Agent) => &shape::AGENT,
        Some(NodeType::Set) => &shape::SET,
        Some(NodeType::Human) => &shape::HUMAN,
        None => &shape::UNKNOWN_NODE,
    }
}

/// Each diagnostic once.
fn collapsed(found: Vec<Violation>) -> Vec<Violation> {
    let mut seen = alloc::collections::BTreeSet::new();
    found
        .into_iter()
        .filter(|violation| {
            let path = path_text(&violation.steps);
            seen.insert((violation.code, path, violation.message.clone()))
        })
        .collect()
}

struct Check {
    steps: Vec<Step>,
    found: Vec<Violation>,
    /// Violations of this pass that were kept.
    kept: usize,
    limit: usize,
}

impl Check {
    /// Checks a value; says whether it is as it should be. Recursion ends with the document, whose depth is
    /// limited.
    fn value(&mut self, shape: &Shape, node: Node<'_>) -> bool {
        match shape {
            Shape::Any => true,
            Shape::AnyObject => self.is_object(node),
            Shape::Text => self.is_string(node),
            Shape::NonBlank => self.is_string(node) && self.is_not_blank(node),
            Shape::Path => self.path(node),
            Shape::Bool => self.kind(
                node,
                Kind::Bool,
                "type:boolean",
                "`true` or `false` is expected",
            ),
            Shape::Integer(least) => self.integer(node, *least),
            Shape::Number(least) => self.number(node, *least),
            Shape::Version => self.version(node),
            Shape::Literal(literal) => {
                let is_string = self.is_string(node);
                let is_it = node.as_str() == Some(*literal);
                self.expect(is_it, "const", || format!("`{literal}` is expected")) && is_string
            }
            Shape::Words(words) => {
                let is_one = node.as_str().is_some_and(words.is_one);
                self.expect(is_one, "enum", || {
                    format!("one of {} is expected", (words.list)())
                })
            }
            Shape::Names => self.names(node),
            Shape::List(item, least) => self.list(node, item, *least),
            Shape::Object(fields, rule) => self.object(node, fields, *rule),
            Shape::Map(value, keys) => self.map(node, value, *keys),
        }
    }

    fn kind(&mut self, node: Node<'_>, kind: Kind, rule: &'static str, message: &str) -> bool {
        self.expect(node.kind() == kind, rule, || message.into())
    }

    fn is_string(&mut self, node: Node<'_>) -> bool {
        self.kind(node, Kind::String, "type:string", "a string is expected")
    }

    fn is_object(&mut self, node: Node<'_>) -> bool {
        self.kind(node, Kind::Mapping, "type:object", "an object is expected")
    }

    fn is_not_blank(&mut self, node: Node<'_>) -> bool {
        let is_blank = node.as_str().is_some_and(text::is_blank);
        self.expect(!is_blank, "nonEmpty", || {
            "the text must not be blank".into()
        })
    }

    fn path(&mut self, node: Node<'_>) -> bool {
        if !self.is_string(node) {
            return false;
        }
        let is_not_blank = self.is_not_blank(node);
        let error = node.as_str().and_then(|text| path::segments(text).err());
        if let Some(error) = error {
            let message = format!("the state path is not valid: {error}");
            self.report(DiagnosticCode::StatePath, None, message);
        }
        is_not_blank && error.is_none()
    }

    fn integer(&mut self, node: Node<'_>, least: f64) -> bool {
        let number = node.as_number();
        let is_integer = number.is_some_and(|number| number == number.trunc());
        let is_typed = self.expect(is_integer, "type:integer", || {
            "a whole number is expected".into()
        });
        self.minimum(number, least) && is_typed
    }

    fn number(&mut self, node: Node<'_>, least: f64) -> bool {
        let is_typed = self.kind(node, Kind::Number, "type:number", "a number is expected");
        self.minimum(node.as_number(), least) && is_typed
    }

    fn minimum(&mut self, number: Option<f64>, least: f64) -> bool {
        let rule = if least == 0.0 {
            "minimum:0"
        } else {
            "minimum:1"
        };
        let is_enough = number.is_none_or(|number| number >= least);
        self.expect(is_enough, rule, || format!("at least {least} is expected"))
    }

    fn version(&mut self, node: Node<'_>) -> bool {
        let is_typed = self.kind(node, Kind::Number, "type:number", "a number is expected");
        let is_two = node.as_number() == Some(2.0);
        self.expect(is_two, "const", || "2 is expected".into()) && is_typed
    }

    /// A name, or a list of names: what is wrong with both, unless one of them fits.
    fn names(&mut self, node: Node<'_>) -> bool {
        let (found, kept) = (self.found.len(), self.kept);
        let is_name = self.value(&Shape::NonBlank, node);
        let is_list = self.value(&Shape::List(&Shape::NonBlank, 1), node);
        if is_name || is_list {
            self.found.truncate(found);
            self.kept = kept;
            return true;
        }
        self.expect(false, "anyOf", || {
            "a name or a list of names is expected".into()
        })
    }

    fn list(&mut self, node: Node<'_>, item: &Shape, least: usize) -> bool {
        if !self.kind(node, Kind::Sequence, "type:array", "an array is expected") {
            return false;
        }
        let mut is_good = true;
        for (index, value) in node.items().enumerate() {
            self.steps.push(index.into());
            is_good &= self.value(item, value);
            self.steps.pop();
        }
        let is_enough = node.items().len() >= least;
        self.expect(is_enough, "minItems:1", || {
            "the array must not be empty".into()
        }) && is_good
    }

    fn object(&mut self, node: Node<'_>, fields: &[Field], rule: Rule) -> bool {
        if !self.is_object(node) {
            return false;
        }
        let is_complete = self.required(node, fields);
        let is_known = self.unknown(node, fields);
        let mut is_good = is_complete && is_known;
        for field in fields {
            if let Some(value) = node.get(field.name) {
                self.steps.push(field.name.into());
                is_good &= self.value(field.shape, value);
                self.steps.pop();
            }
        }
        is_good && self.rule(node, rule)
    }

    /// All missing fields are one violation, with a diagnostic each.
    fn required(&mut self, node: Node<'_>, fields: &[Field]) -> bool {
        let missing = |field: &&Field| field.is_required && node.get(field.name).is_none();
        let missing: Vec<&Field> = fields.iter().filter(missing).collect();
        if missing.is_empty() {
            return true;
        }
        if self.keeps() {
            for field in missing {
                self.steps.push(field.name.into());
                let code = structural_code(&self.steps);
                let message = format!("`{}` is missing", field.name);
                self.add(code, Some("required"), message);
                self.steps.pop();
            }
        }
        false
    }

    /// All unknown fields are one violation, with a diagnostic each.
    fn unknown(&mut self, node: Node<'_>, fields: &[Field]) -> bool {
        let is_unknown = |member: &Member<'_>| fields.iter().all(|field| field.name != member.name);
        let unknown: Vec<Member<'_>> = members(node).into_iter().filter(is_unknown).collect();
        if unknown.is_empty() {
            return true;
        }
        if self.keeps() {
            for member in unknown {
                self.steps.push(member.name.into());
                let code = DiagnosticCode::UnknownField;
                self.add(
                    code,
                    Some("additionalProperties"),
                    unknown_message(member.name, fields),
                );
                self.steps.pop();
            }
        }
        false
    }

    fn map(&mut self, node: Node<'_>, value: &Shape, keys: KeyRule) -> bool {
        if !self.is_object(node) {
            return false;
        }
        let mut is_good = true;
        for member in members(node) {
            self.steps.push(member.name.into());
            is_good &= self.value(value, member.value);
            self.steps.pop();
        }
        let wrong = node.members().find(|member| !is_key(member.name, keys));
        let message = match keys {
            KeyRule::NodeId => "a node id must not be blank, `__end__` or a forbidden name",
            KeyRule::StatePath => "every name has to be a state path",
        };
        self.expect(wrong.is_none(), "propertyNames", || message.into()) && is_good
    }

    fn rule(&mut self, node: Node<'_>, rule: Rule) -> bool {
        let (holds, code, message) = match rule {
            Rule::None => return true,
            Rule::AssignmentSource => (
                has_one_source(node),
                DiagnosticCode::SetAssignmentSource,
                "exactly one of `value`, `template` and `from` is expected, and none with mode `unset`",
            ),
            Rule::ErrorRoute => (
                routes_with_targets(node),
                DiagnosticCode::ErrorRoute,
                "`to` is expected with strategy `route`, and only then",
            ),
            Rule::Condition => (
                is_one_condition(node),
                DiagnosticCode::Condition,
                "exactly one of `all`, `any`, `not`, or `path` with `op` is expected",
            ),
        };
        if !holds {
            self.report(code, None, message.into());
        }
        holds
    }

    /// Reports a violation of a structural rule unless it holds.
    fn expect(&mut self, holds: bool, rule: &'static str, message: impl Fn() -> String) -> bool {
        if !holds {
            let code = structural_code(&self.steps);
            self.report(code, Some(rule), message());
        }
        holds
    }

    fn report(&mut self, code: DiagnosticCode, rule: Option<&'static str>, message: String) {
        if self.keeps() {
            self.add(code, rule, message);
        }
    }

    /// Whether one more violation is kept, which counts it.
    fn keeps(&mut self) -> bool {
        self.kept += 1;
        self.kept <= self.limit
    }

    fn add(&mut self, code: DiagnosticCode, rule: Option<&'static str>, message: String) {
        self.found.push(Violation {
            code,
            steps: self.steps.clone(),
            rule,
            message,
        });
    }
}

/// The code of a violation of the shape at this path.
fn structural_code(steps: &[Step]) -> DiagnosticCode {
    // The text decides, as in the protocol: a node whose id ends with `.type` is one as well.
    match path_text(steps).as_deref() {
        Some("schemaVersion") => DiagnosticCode::SchemaVersion,
        Some("name") => DiagnosticCode::GraphName,
        Some(path) if path.starts_with("nodes.") && path.ends_with(".type") => {
            DiagnosticCode::NodeType
        }
        _ => DiagnosticCode::GraphStructure,
    }
}

fn unknown_message(name: &str, fields: &[Field]) -> String {
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    let name: String = name.chars().take(60).collect();
    format!("`{name}` is unknown here; there are {}", names.join(", "))
}

fn is_key(name: &str, keys: KeyRule) -> bool {
    match keys {
        KeyRule::NodeId => !text::is_blank(name) && name != END && !text::is_forbidden(name),
        KeyRule::StatePath => path::segments(name).is_ok(),
    }
}

fn has_one_source(node: Node<'_>) -> bool {
    let sources = ["value", "template", "from"];
    let count = sources.iter().filter(|name| node.get(name).is_some());
    let mode = node.get("mode").and_then(Node::as_str);
    let expected = usize::from(mode != Some(WriteMode::Unset.as_str()));
    count.count() == expected
}

fn routes_with_targets(node: Node<'_>) -> bool {
    let strategy = node.get("strategy").and_then(Node::as_str);
    let is_routed = strategy == Some(ErrorStrategy::Route.as_str());
    is_routed == node.get("to").is_some()
}

fn is_one_condition(node: Node<'_>) -> bool {
    let has = |name| usize::from(node.get(name).is_some());
    let composed = has("all") + has("any") + has("not");
    let leaf = has("path") + has("op") + has("value");
    match composed {
        0 => has("path") + has("op") == 2,
        1 => leaf == 0,
        _ => false,
    }
}
