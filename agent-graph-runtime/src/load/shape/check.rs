//! Holds a parsed document against a shape and says what does not fit, one finding a mistake
//! (`schema-invalid`). Knows documents and shapes, nothing about what a definition means.
//!
//! The walk goes by the discriminating member first: a node of an unknown kind is one finding, not one
//! for each member that another kind would have. A member that is unknown and one that is missing are
//! one mistake where the unknown one is a misspelling of the missing one, or stands in the wrong object.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::home::{Home, Surroundings, home_of};
use super::phrase::{Subject, a, excerpt, items, listed, said, suggested_id};
use super::{By, List, Map, Member, Object, Shape, Text, Variants, Words};
use crate::load::document::{Document, Format, Kind, Node};
use crate::load::nearest::{did_you_mean, nearest};
use crate::ordered;
use crate::{Code, Finding, Place};

/// The most findings one document yields; what follows is mostly repetition.
pub(crate) const FINDINGS_LIMIT: usize = 100;

/// What does not fit, in document order where nothing else decides; empty when everything fits.
pub(crate) fn check(root: Node<'_>, shape: Shape) -> Vec<Finding> {
    let mut walk = Walk {
        findings: Vec::new(),
    };
    let subject = match shape {
        Shape::Object(object) => Subject::Root(object.name),
        Shape::Variants(variants) => Subject::Root(variants.name),
        _ => Subject::Root("value"),
    };
    walk.value(root, shape, subject, &Surroundings::default());
    with_end(walk.findings)
}

/// The findings, with one more that says so where the search ended because there were so many.
pub(crate) fn with_end(mut findings: Vec<Finding>) -> Vec<Finding> {
    if let Some(last) = findings.last().filter(|_| findings.len() >= FINDINGS_LIMIT) {
        let count = findings.len();
        let message = format!("after {count} findings nothing more was looked for here");
        let end = Finding::error(Code::FindingsLeftOut, last.place.clone(), message);
        let level = last.level;
        findings.push(Finding { level, ..end });
    }
    findings
}

/// What does not fit in a JSON text; a text that is not JSON has one finding, `parse-failed`.
///
/// ```
/// use agent_graph_runtime::load::shape::{check_json, shape_of};
/// let shape = shape_of("agent-graph.provider.v1").unwrap();
/// let text = r#"{"schema":"agent-graph.provider.v1","id":"tea","version":"1.0.0","graph":["g.yaml"]}"#;
/// let findings = check_json(shape, "provider.json", text);
/// assert_eq!(findings.len(), 1);
/// assert_eq!(findings[0].hint.as_deref(), Some("did you mean `graphs`?"));
/// ```
pub fn check_json(shape: Shape, file: &str, text: &str) -> Vec<Finding> {
    match Document::parse(file.into(), text.as_bytes(), Format::Json) {
        Ok(document) => check(document.root(), shape),
        Err(finding) => Vec::from([finding]),
    }
}

struct Walk {
    findings: Vec<Finding>,
}

impl Walk {
    fn is_full(&self) -> bool {
        self.findings.len() >= FINDINGS_LIMIT
    }

    fn report(&mut self, place: Place, message: String) {
        if !self.is_full() {
            let finding = Finding::error(Code::SchemaInvalid, place, message);
            self.findings.push(finding);
        }
    }

    fn report_with_hint(&mut self, place: Place, message: String, hint: Option<String>) {
        if self.is_full() {
            return;
        }
        let mut finding = Finding::error(Code::SchemaInvalid, place, message);
        finding.hint = hint;
        self.findings.push(finding);
    }

    /// Checks a value; gives back the members found in it that belong to the enclosing object.
    fn value(
        &mut self,
        node: Node<'_>,
        shape: Shape,
        subject: Subject<'_>,
        around: &Surroundings<'_>,
    ) -> Vec<&'static str> {
        match shape {
            Shape::Constant(text) => self.constant(node, text, subject),
            Shape::Text(constraint) => self.text(node, constraint, subject),
            Shape::Word(words) => self.word(node, words, subject),
            Shape::Integer(min, max) => self.integer(node, min, max, subject),
            Shape::Boolean => self.boolean(node, subject),
            Shape::True if node.as_bool() == Some(true) => {}
            Shape::Null if node.kind() == Kind::Null => {}
            Shape::Null => self.wrong_type(node, "null", subject),
            Shape::True => self.report(node.place(), format!("{subject} has to be `true`")),
            Shape::Scalar => {
                if matches!(node.kind(), Kind::Sequence | Kind::Mapping) {
                    self.wrong_type(node, "text, a number, a boolean or null", subject);
                }
            }
            Shape::Any => {}
            Shape::AnyObject => {
                self.has_kind(node, Kind::Mapping, subject);
            }
            Shape::List(list) => self.list(node, list, subject, around),
            Shape::Map(map) => self.map(node, map, subject, around),
            Shape::Object(object) => return self.object(node, object, subject, around),
            Shape::Variants(variants) => return self.variants(node, variants, subject, around),
            Shape::Either(shapes) => return self.either(node, shapes, subject, around),
        }
        Vec::new()
    }

    fn either(
        &mut self,
        node: Node<'_>,
        shapes: &'static [Shape],
        subject: Subject<'_>,
        around: &Surroundings<'_>,
    ) -> Vec<&'static str> {
        let fitting = shapes
            .iter()
            .find(|shape| admits(**shape, node.kind()))
            .or(shapes.first());
        match fitting {
            Some(shape) => self.value(node, *shape, subject, around),
            None => Vec::new(),
        }
    }

    fn wrong_type(&mut self, node: Node<'_>, expected: &str, subject: Subject<'_>) {
        let message = format!("{subject} has to be {expected}, not {}", said(node.kind()));
        let hint = match node.kind() {
            Kind::Number | Kind::Bool if expected.starts_with("text") => {
                Some("put it in quotes to make it text".to_owned())
            }
            _ => None,
        };
        self.report_with_hint(node.place(), message, hint);
    }

    fn has_kind(&mut self, node: Node<'_>, kind: Kind, subject: Subject<'_>) -> bool {
        if node.kind() != kind {
            self.wrong_type(node, said(kind), subject);
        }
        node.kind() == kind
    }

    fn constant(&mut self, node: Node<'_>, expected: &'static str, subject: Subject<'_>) {
        if node.as_str() == Some(expected) {
            return;
        }
        let found = match node.as_str() {
            Some(text) => format!("`{}`", excerpt(text)),
            None => said(node.kind()).to_owned(),
        };
        let message = format!("{subject} has to be `{expected}` here, not {found}");
        self.report(node.place(), message);
    }

    fn text(&mut self, node: Node<'_>, constraint: Text, subject: Subject<'_>) {
        let Some(text) = node.as_str() else {
            return self.wrong_type(node, "text", subject);
        };
        if constraint.matches(text) {
            return;
        }
        let message = match constraint {
            Text::Length(_, _) if text.is_empty() => format!("{subject} is empty"),
            Text::Length(_, max) => {
                format!("{subject} has to have at most {max} characters")
            }
            _ => format!("{subject} has to be {}", constraint.expectation()),
        };
        let hint = match constraint {
            Text::Id | Text::ReasonCode | Text::RouteCode => suggested_id(text, constraint),
            _ => None,
        };
        self.report_with_hint(node.place(), message, hint);
    }

    fn word(&mut self, node: Node<'_>, words: Words, subject: Subject<'_>) {
        let all = (words.all)();
        let Some(text) = node.as_str() else {
            return self.wrong_type(node, &format!("one of {}", listed(all)), subject);
        };
        if all.contains(&text) {
            return;
        }
        let message = format!(
            "`{}` is no {}; {subject} has to be one of {}",
            excerpt(text),
            words.name,
            listed(all)
        );
        let hint = did_you_mean(text, all.iter().copied());
        self.report_with_hint(node.place(), message, hint);
    }

    fn integer(&mut self, node: Node<'_>, min: i64, max: i64, subject: Subject<'_>) {
        let number = node.as_number();
        if number.is_some_and(|number| is_integer_within(number, min, max)) {
            return;
        }
        let expected = match max {
            i64::MAX => format!("an integer of at least {min}"),
            _ => format!("an integer from {min} to {max}"),
        };
        match number {
            None => self.wrong_type(node, &expected, subject),
            Some(_) => self.report(node.place(), format!("{subject} has to be {expected}")),
        }
    }

    fn boolean(&mut self, node: Node<'_>, subject: Subject<'_>) {
        if node.as_bool().is_some() {
            return;
        }
        let hint = match node.as_str() {
            Some("yes" | "Yes" | "YES" | "on" | "On" | "ON") => Some("write `true`".to_owned()),
            Some("no" | "No" | "NO" | "off" | "Off" | "OFF") => Some("write `false`".to_owned()),
            _ => None,
        };
        let message = format!(
            "{subject} has to be `true` or `false`, not {}",
            said(node.kind())
        );
        self.report_with_hint(node.place(), message, hint);
    }

    fn list(
        &mut self,
        node: Node<'_>,
        list: &'static List,
        subject: Subject<'_>,
        around: &Surroundings<'_>,
    ) {
        if !self.has_kind(node, Kind::Sequence, subject) {
            return;
        }
        let mut seen = ordered::Map::new();
        let mut count = 0;
        for item in node.items() {
            if self.is_full() {
                return;
            }
            count += 1;
            let inside = Surroundings {
                supplied: &[],
                kinds: None,
                ..*around
            };
            self.value(item, list.items, Subject::Item(subject.name()), &inside);
            let Some(text) = item.as_str().filter(|_| list.unique) else {
                continue;
            };
            let first: Option<&Node<'_>> = seen.keep(text, item);
            if let Some(first) = first {
                let message = format!("`{}` is listed twice in {subject}", excerpt(text));
                let finding = Finding::error(Code::SchemaInvalid, item.place(), message)
                    .with_related(first.place(), "first listed here");
                self.findings.push(finding);
            }
        }
        if count < list.min {
            self.report(
                node.place(),
                format!("{subject} needs at least {}", items(list.min)),
            );
        }
    }

    fn map(
        &mut self,
        node: Node<'_>,
        map: &'static Map,
        subject: Subject<'_>,
        around: &Surroundings<'_>,
    ) {
        if !self.has_kind(node, Kind::Mapping, subject) {
            return;
        }
        let mut count = 0;
        for member in node.members() {
            if self.is_full() {
                return;
            }
            count += 1;
            if !map.names.matches(member.name) {
                let message = format!(
                    "the name `{}` in {subject} has to be {}",
                    excerpt(member.name),
                    map.names.expectation()
                );
                let hint = suggested_id(member.name, map.names);
                self.report_with_hint(member.name_place(), message, hint);
            }
            let inside = Surroundings {
                supplied: &[],
                kinds: None,
                ..*around
            };
            self.value(
                member.value,
                map.values,
                Subject::Member(member.name),
                &inside,
            );
        }
        if count < map.min {
            self.report(
                node.place(),
                format!("{subject} needs at least {}", items(map.min)),
            );
        }
    }

    fn variants(
        &mut self,
        node: Node<'_>,
        variants: &'static Variants,
        subject: Subject<'_>,
        around: &Surroundings<'_>,
    ) -> Vec<&'static str> {
        if !self.has_kind(node, Kind::Mapping, subject) {
            return Vec::new();
        }
        let chosen = match variants.by {
            By::Value(tag) => self.kind_by_value(node, variants, tag),
            By::Presence => self.kind_by_presence(node, variants),
        };
        let Some(shape) = chosen else {
            return Vec::new();
        };
        let around = Surroundings {
            kinds: Some(variants),
            ..*around
        };
        self.value(node, shape, subject, &around)
    }

    fn kind_by_value(
        &mut self,
        node: Node<'_>,
        variants: &'static Variants,
        tag: &'static str,
    ) -> Option<Shape> {
        let (_, first) = variants.cases.first()?;
        if !self.is_of_schema(node, *first, tag) {
            return None;
        }
        let Some(value) = node.get(tag) else {
            self.missing_tag(node, variants, &[tag]);
            return None;
        };
        let found = variants
            .cases
            .iter()
            .find(|(word, _)| value.as_str() == Some(word));
        if let Some((_, shape)) = found {
            return Some(*shape);
        }
        let words: Vec<&str> = variants.cases.iter().map(|(word, _)| *word).collect();
        match value.as_str() {
            None => {
                let expected = format!("one of {}", listed(&words));
                self.wrong_type(value, &expected, Subject::Member(tag));
            }
            Some(text) => {
                let message = format!(
                    "`{}` is no {tag} of {}; it has to be one of {}",
                    excerpt(text),
                    a(variants.name),
                    listed(&words)
                );
                let hint = did_you_mean(text, words.iter().copied());
                self.report_with_hint(value.place(), message, hint);
            }
        }
        None
    }

    fn kind_by_presence(&mut self, node: Node<'_>, variants: &'static Variants) -> Option<Shape> {
        let names: Vec<&str> = variants.cases.iter().map(|(name, _)| *name).collect();
        let mut present = node.members().filter(|member| names.contains(&member.name));
        let Some(first) = present.next() else {
            self.missing_tag(node, variants, &names);
            return None;
        };
        if let Some(second) = present.next() {
            let message = format!(
                "{} has exactly one of {}, not several",
                a(variants.name),
                listed(&names)
            );
            self.report(second.name_place(), message);
            return None;
        }
        let chosen = variants.cases.iter().find(|(name, _)| *name == first.name);
        chosen.map(|(_, shape)| *shape)
    }

    /// Nothing tells the kind: because what tells it is misspelled, or because it is not there.
    fn missing_tag(&mut self, node: Node<'_>, variants: &'static Variants, tags: &[&'static str]) {
        let known = |name: &str| {
            let mut cases = variants.cases.iter();
            cases.any(|(_, shape)| shape.member(name).is_some())
        };
        for member in node.members().filter(|member| !known(member.name)) {
            if let Some(meant) = nearest(member.name, tags.iter().copied()) {
                let message = format!(
                    "`{}` is no key of {}",
                    excerpt(member.name),
                    a(variants.name)
                );
                let hint = Some(format!("did you mean `{meant}`?"));
                return self.report_with_hint(member.name_place(), message, hint);
            }
        }
        let message = match tags {
            [tag] => format!("this {} lacks `{tag}`", variants.name),
            _ => format!("this {} lacks one of {}", variants.name, listed(tags)),
        };
        self.report(node.place(), message);
    }

    /// Whether the `schema` of a document is the one expected; what follows is pointless otherwise.
    fn is_of_schema(&mut self, node: Node<'_>, shape: Shape, tag: &str) -> bool {
        const SCHEMA: &str = "schema";
        let expected = shape.member(SCHEMA).map(|member| member.shape);
        let (Some(Shape::Constant(expected)), Some(found)) = (expected, node.get(SCHEMA)) else {
            return true;
        };
        let fits = tag == SCHEMA || found.as_str() == Some(expected);
        if !fits {
            self.constant(found, expected, Subject::Member(SCHEMA));
        }
        fits
    }

    fn object(
        &mut self,
        node: Node<'_>,
        object: &'static Object,
        subject: Subject<'_>,
        around: &Surroundings<'_>,
    ) -> Vec<&'static str> {
        if !self.has_kind(node, Kind::Mapping, subject)
            || !self.is_of_schema(node, Shape::Object(object), "")
        {
            return Vec::new();
        }
        let mut excused: Vec<&'static str> = around.supplied.to_vec();
        let mut escaped = Vec::new();
        let mut inside: Vec<(&'static str, &'static str)> = Vec::new();
        let known = node.members().map(|member| object.member(member.name));
        let known: Vec<Option<&'static Member>> = known.collect();
        let present = known.iter().flatten().map(|member| member.name);
        let present: Vec<&'static str> = present.collect();
        for (member, described) in node.members().zip(&known) {
            if described.is_some() || self.is_full() {
                continue;
            }
            let home = home_of(member.name, &present, object, around);
            match home {
                Home::Inside(holder, name) => {
                    inside.push((holder.name, name));
                    excused.push(holder.name);
                }
                Home::Outside(_, name) => escaped.push(name),
                Home::Spelled(name) => excused.push(name),
                Home::Kind(_) | Home::Unknown => {}
            }
            let message = format!("`{}` is no key of {}", excerpt(member.name), a(object.name));
            self.report_with_hint(member.name_place(), message, home.hint(member.name));
        }
        for (member, described) in node.members().zip(known) {
            let Some(described) = described else {
                continue;
            };
            let supplied: Vec<&'static str> = inside
                .iter()
                .filter(|(holder, _)| *holder == described.name)
                .map(|(_, name)| *name)
                .collect();
            let inner = Surroundings {
                outer: Some((object, around)),
                supplied: &supplied,
                kinds: None,
            };
            let subject = Subject::Member(described.name);
            excused.extend(self.value(member.value, described.shape, subject, &inner));
        }
        for member in object.all().filter(|member| member.required) {
            if !present.contains(&member.name) && !excused.contains(&member.name) {
                let message = format!("this {} lacks `{}`", object.name, member.name);
                self.report(node.place(), message);
            }
        }
        escaped
    }
}

/// Whether a value of this JSON type can fit the shape at all.
fn admits(shape: Shape, kind: Kind) -> bool {
    match shape {
        Shape::Constant(_) | Shape::Text(_) | Shape::Word(_) => kind == Kind::String,
        Shape::Integer(..) => kind == Kind::Number,
        Shape::Boolean | Shape::True => kind == Kind::Bool,
        Shape::Null => kind == Kind::Null,
        Shape::Scalar => !matches!(kind, Kind::Sequence | Kind::Mapping),
        Shape::Any => true,
        Shape::List(_) => kind == Kind::Sequence,
        Shape::AnyObject | Shape::Map(_) | Shape::Object(_) | Shape::Variants(_) => {
            kind == Kind::Mapping
        }
        Shape::Either(shapes) => shapes.iter().any(|shape| match shape {
            Shape::Either(_) => false,
            shape => admits(*shape, kind),
        }),
    }
}

/// Whether the number has no fraction and lies within the bounds; `i64::MAX` is none.
fn is_integer_within(number: f64, min: i64, max: i64) -> bool {
    // Bounds are far below 2^53.
    number == number.trunc() && number >= min as f64 && (max == i64::MAX || number <= max as f64)
}
