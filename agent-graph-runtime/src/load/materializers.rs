//! The actions that make the content of resources (spec 3.7). Knows how resources and actions relate,
//! nothing about running anything.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::actions::Actions;
use super::definition::{Action, Content, FileReference, Resource};
use super::document::{Document, Format, Kind, Node};
use super::report::Report;
use super::resources::Resources;
use super::shape::scalar::is_protocol_identity;
use super::sources::Sources;
use crate::ordered::Map;
use crate::protocol::{Effect, Runner};
use crate::{Code, Finding, Place};

/// Loads and checks the materializer of every resource, in the order of the resources.
pub(super) fn follow(
    resources: &mut Resources,
    actions: &mut Actions,
    sources: &mut Sources,
    report: &mut Report,
) {
    let mut known = Schemas::new();
    for resource in &mut resources.list {
        let (is_host, reference) = match &mut resource.content {
            Content::File(_) => continue,
            Content::GraphAction(reference) => (false, reference),
            Content::HostAction { materializer, .. } => (true, materializer),
        };
        reference.target = actions.load(&reference.path, &reference.place, sources, report);
        let place = reference.place.clone();
        let Some(action) = reference
            .target
            .and_then(|index| actions.list.get_mut(index))
        else {
            continue;
        };
        report.add_all(wrong_effect(resource, action, &place));
        let runner = wrong_runner(resource, action, &place, is_host);
        if !report.add_all(runner) || !is_host {
            continue;
        }
        schemas(resource, action, &place, &mut known, sources, report);
    }
}

fn wrong_effect(resource: &Resource, action: &Action, place: &Place) -> Option<Finding> {
    if action.effect.value == Effect::Read {
        return None;
    }
    let message = format!(
        "the materializer `{}` of resource `{}` has the effect {}, it may only read",
        action.id.value, resource.id.value, action.effect.value
    );
    let finding = Finding::error(Code::MaterializerEffectInvalid, place.clone(), message);
    Some(finding.with_related(action.effect.place.clone(), "the effect"))
}

fn wrong_runner(
    resource: &Resource,
    action: &Action,
    place: &Place,
    is_host: bool,
) -> Option<Finding> {
    let (fits, expected) = match action.runner.value {
        Runner::Host => (is_host, "command or script"),
        Runner::Command | Runner::Script => (!is_host, "host"),
        Runner::Agent if is_host => (false, "host"),
        Runner::Agent => (false, "command or script"),
    };
    if fits {
        return None;
    }
    let message = format!(
        "the materializer `{}` of resource `{}` has the runner {}; it has to be {expected}",
        action.id.value, resource.id.value, action.runner.value
    );
    let finding = Finding::error(Code::MaterializerRunnerInvalid, place.clone(), message);
    Some(finding.with_related(action.runner.place.clone(), "the runner"))
}

/// A schema of a materializer that can be used.
struct UsableSchema {
    identity: String,
    #[cfg(feature = "user-schemas")]
    document: Document,
    #[cfg(feature = "user-schemas")]
    compiled: crate::user_schema::UserSchema,
}

/// The schemas looked at so far, by file; none where one cannot be used, which has been reported.
type Schemas = Map<Arc<str>, Option<Rc<UsableSchema>>>;

/// Checks both schemas of the materializer of a host-action resource and takes their identities.
fn schemas(
    resource: &Resource,
    action: &mut Action,
    place: &Place,
    known: &mut Schemas,
    sources: &mut Sources,
    report: &mut Report,
) {
    let mut usable = |name: &str, schema: &Option<FileReference>| match schema {
        Some(schema) => match known.get(&schema.file) {
            Some(usable) => usable.clone(),
            None => {
                let usable = usable_schema(schema, sources, report).map(Rc::new);
                known.insert(schema.file.clone(), usable.clone());
                usable
            }
        },
        None => {
            report.add(missing_schema(name, resource, &action.id.value, place));
            None
        }
    };
    let input = usable("inputSchema", &action.input_schema);
    let output = usable("outputSchema", &action.output_schema);
    if let Some(schema) = &input {
        let findings = validate_input(resource, schema, sources, report);
        report.add_all(findings);
    }
    let identity = |schema: Option<Rc<UsableSchema>>| schema.map(|it| it.identity.clone());
    action.input_identity = identity(input);
    action.output_identity = identity(output);
}

fn missing_schema(name: &str, resource: &Resource, action: &str, place: &Place) -> Finding {
    let message = format!(
        "the materializer `{action}` of resource `{}` has no `{name}`",
        resource.id.value
    );
    Finding::error(Code::MaterializerSchemaMissing, place.clone(), message)
}

fn usable_schema(
    schema: &FileReference,
    sources: &mut Sources,
    report: &mut Report,
) -> Option<UsableSchema> {
    // A file that was not found has been reported with its action.
    let file = sources.read(&schema.file, &schema.place, report)?;
    let document = match Document::parse(
        schema.file.clone(),
        &file.bytes,
        Format::of_path(&schema.file),
    ) {
        Ok(document) => document,
        Err(mut finding) => {
            finding.code = Code::MaterializerSchemaInvalid;
            report.add(finding);
            return None;
        }
    };
    let unusable = unusable_schema(&document, &schema.file);
    if !report.add_all(unusable) {
        return None;
    }
    let identity = match identity(document.root()) {
        Ok(identity) => identity,
        Err(finding) => {
            report.add(*finding);
            return None;
        }
    };
    #[cfg(feature = "user-schemas")]
    let compiled = match crate::user_schema::UserSchema::of(&document.root().to_value()) {
        Ok(compiled) => compiled,
        Err(violation) => {
            let place = document.root().place_at(&violation.pointer, violation.name);
            let message = format!("the schema is not valid: {}", violation.message);
            let finding = Finding::error(Code::MaterializerSchemaInvalid, place, message);
            report.add(finding);
            return None;
        }
    };
    Some(UsableSchema {
        identity,
        #[cfg(feature = "user-schemas")]
        document,
        #[cfg(feature = "user-schemas")]
        compiled,
    })
}

/// A schema that is no JSON object or refers outside itself.
fn unusable_schema(document: &Document, file: &Arc<str>) -> Option<Finding> {
    let root = document.root();
    let invalid = |place: Place, message: String| {
        Some(Finding::error(
            Code::MaterializerSchemaInvalid,
            place,
            message,
        ))
    };
    if Format::of_path(file) != Format::Json || root.kind() != Kind::Mapping {
        let message = "the schema of a materializer has to be a JSON object in a `.json` file";
        return invalid(root.place(), message.to_owned());
    }
    let own = root.get("$id").and_then(|id| id.as_str());
    let reference = foreign_reference(root, own)?;
    let target = super::shape::excerpt(reference.as_str().unwrap_or(""));
    let message = format!("the schema refers outside itself, to `{target}`");
    invalid(reference.place(), message)
}

/// The first reference that leads elsewhere than to a place in the schema. Subschemas are looked for in every place that is
/// not data (`const`, `enum`, `default`, `examples`). Without recursion: the nesting is bounded, the
/// search is a list of what is left.
fn foreign_reference<'d>(root: Node<'d>, own: Option<&str>) -> Option<Node<'d>> {
    const DATA: [&str; 4] = ["const", "enum", "default", "examples"];
    let mut left = alloc::vec![root];
    while let Some(node) = left.pop() {
        for member in node.members() {
            if matches!(member.name, "$ref" | "$dynamicRef") {
                let text = member.value.as_str().unwrap_or("");
                let base = text.split('#').next().unwrap_or("");
                if !base.is_empty() && Some(base) != own {
                    return Some(member.value);
                }
            }
            if !DATA.contains(&member.name) {
                left.push(member.value);
            }
        }
        left.extend(node.items());
    }
    None
}

/// The protocol identity of a schema: its `$id`, or what it fixes `protocol` or `schema` to.
fn identity(root: Node<'_>) -> Result<String, alloc::boxed::Box<Finding>> {
    let failed = |place: Place, message: String| {
        let finding = Finding::error(Code::MaterializerSchemaIdentityInvalid, place, message);
        alloc::boxed::Box::new(
            finding.with_hint("give the schema an `$id` such as `tide.brief/v1`"),
        )
    };
    let fixed = |name: &str| {
        let property = root.get("properties")?.get(name)?;
        property.get("const")
    };
    let constant = fixed("protocol").or_else(|| fixed("schema"));
    let Some(chosen) = root.get("$id").or(constant) else {
        return Err(failed(
            root.place(),
            "the schema has no protocol identity".to_owned(),
        ));
    };
    let Some(text) = chosen.as_str().filter(|text| is_protocol_identity(text)) else {
        let message = "the identity of the schema is none of a protocol with its version";
        return Err(failed(chosen.place(), message.to_owned()));
    };
    match constant {
        Some(constant) if constant.as_str() != Some(text) => {
            let message = format!("the schema is called `{text}` and fixes another identity");
            Err(failed(constant.place(), message))
        }
        _ => Ok(text.to_owned()),
    }
}

/// What in the input of a host-action resource does not satisfy the input schema of its materializer.
#[cfg(feature = "user-schemas")]
fn validate_input(
    resource: &Resource,
    schema: &UsableSchema,
    sources: &mut Sources,
    report: &mut Report,
) -> Vec<Finding> {
    let Content::HostAction { input, .. } = &resource.content else {
        return Vec::new();
    };
    let violations = match schema.compiled.violations(&input.value) {
        Ok(violations) => violations,
        Err(error) => {
            let place = input.place.clone();
            return Vec::from([Finding::error(error.code(), place, error.message())]);
        }
    };
    if violations.is_empty() {
        return Vec::new();
    }
    // The descriptor is read once more for the places in it; its bytes are still at hand.
    let descriptor = sources
        .read(&resource.file, &input.place, report)
        .and_then(|file| {
            let format = Format::of_path(&resource.file);
            Document::parse(resource.file.clone(), &file.bytes, format).ok()
        });
    let authored = descriptor
        .as_ref()
        .and_then(|document| document.root().get("input"));
    violations
        .iter()
        .map(|violation| {
            let place = authored.map_or_else(
                || input.place.clone(),
                |node| node.place_at(&violation.pointer, violation.name),
            );
            let message = format!(
                "the input of resource `{}` does not satisfy its schema: {}",
                resource.id.value, violation.message
            );
            let rule = schema.document.root().place_at(&violation.rule, false);
            Finding::error(Code::ResourceInputInvalid, place, message)
                .with_related(rule, "the rule")
        })
        .collect()
}

/// The engine for schemas that users write is an opt-in feature, and an input that nothing has been held
/// against is not one that satisfies its schema.
#[cfg(not(feature = "user-schemas"))]
fn validate_input(
    resource: &Resource,
    _: &UsableSchema,
    _: &mut Sources,
    _: &mut Report,
) -> Vec<Finding> {
    let Content::HostAction { input, .. } = &resource.content else {
        return Vec::new();
    };
    let message = format!(
        "the input of resource `{}` has to be held against its schema, which needs the feature `user-schemas`",
        resource.id.value
    );
    let hint = "switch on the feature `user-schemas` of the crate that loads the provider: \
                agent-graph-runtime, agent-graph-build or agent-graph-macros";
    let finding = Finding::error(Code::FeatureRequired, input.place.clone(), message);
    Vec::from([finding.with_hint(hint)])
}
