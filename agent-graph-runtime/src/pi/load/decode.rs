//! A document that passed the structural check becomes a definition. Knows nothing about diagnostics: what
//! does not have its shape is left out here, and cannot occur.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;

use super::structure::members;
use crate::json::{Object, Value};
use crate::load::document;
use crate::pi::condition::Condition;
use crate::pi::definition::{
    Agent, Assignment, Case, Context, Definition, Edge, Human, Limits, Node, NodeKind, NodeLimits,
    OnError, Policy, Response, ResultProjection, Retry, Route, Source,
};
use crate::pi::print;
use crate::pi::template::Template;
use crate::pi::words::NodeType;

type Json<'d> = document::Node<'d>;

/// The definition in a document.
pub(super) fn definition(root: Json<'_>) -> Definition {
    let result = root.get("result");
    Definition {
        name: text(Some(root), "name").unwrap_or_default(),
        description: text(Some(root), "description"),
        entry: names(Some(root), "entry").unwrap_or_default(),
        initial_state: match root.get("initialState").map(Json::to_value) {
            Some(Value::Object(object)) => object,
            _ => Object::new(),
        },
        nodes: entries(Some(root), "nodes")
            .map(|(id, value)| node(id, value))
            .collect(),
        edges: items(Some(root), "edges").map(edge).collect(),
        routes: items(Some(root), "routes").filter_map(route).collect(),
        reducers: entries(Some(root), "reducers")
            .filter_map(|(path, value)| Some((path.into(), value.as_str()?.parse().ok()?)))
            .collect(),
        limits: root.get("limits").map(limits),
        path_limits: entries(root.get("statePolicy"), "paths")
            .map(|(path, value)| (path.into(), count(Some(value), "maxBytes")))
            .collect(),
        policy: policy(root.get("policy")),
        result: ResultProjection {
            paths: result
                .filter(|result| result.get("paths").is_some())
                .map(|result| texts(Some(result), "paths")),
            include_state: flag(result, "includeState"),
            max_bytes: count(result, "maxBytes"),
        },
        hash: print::hash(&root.to_value()),
    }
}

fn node(id: &str, json: Json<'_>) -> Node {
    Node {
        id: id.into(),
        description: text(Some(json), "description"),
        reads: texts(Some(json), "reads"),
        output: text(Some(json), "output"),
        retry: json.get("retry").map(|retry| Retry {
            max_attempts: count(Some(retry), "maxAttempts"),
            backoff_ms: number(Some(retry), "backoffMs"),
            backoff_multiplier: number(Some(retry), "backoffMultiplier"),
        }),
        on_error: json.get("onError").map(|on_error| OnError {
            strategy: word(Some(on_error), "strategy"),
            to: names(Some(on_error), "to").unwrap_or_default(),
            output: text(Some(on_error), "output"),
        }),
        limits: node_limits(json.get("limits")),
        idempotent: flag(Some(json), "idempotent"),
        kind: match word(Some(json), "type") {
            Some(NodeType::Set) => {
                NodeKind::Set(items(Some(json), "assign").map(assignment).collect())
            }
            Some(NodeType::Human) => NodeKind::Human(human(json)),
            // A node of another type does not get here.
            Some(NodeType::Agent) | None => NodeKind::Agent(Box::new(agent(json))),
        },
    }
}

fn node_limits(json: Option<Json<'_>>) -> NodeLimits {
    NodeLimits {
        timeout_ms: count(json, "timeoutMs"),
        max_turns: count(json, "maxTurns"),
        max_tokens: count(json, "maxTokens"),
        max_cost_usd: number(json, "maxCostUsd"),
        max_prompt_bytes: count(json, "maxPromptBytes"),
    }
}

fn agent(json: Json<'_>) -> Agent {
    let here = Some(json);
    Agent {
        is_reviewer: json.get("purpose").is_some(),
        prompt: template(here, "prompt").unwrap_or_default(),
        system_prompt: template(here, "systemPrompt"),
        model: text(here, "model"),
        thinking: word(here, "thinking"),
        tools: json.get("tools").map(|_| texts(here, "tools")),
        read_only: flag(here, "readOnly"),
        cwd: text(here, "cwd"),
        load_extensions: flag(here, "loadExtensions"),
        load_skills: flag(here, "loadSkills"),
        load_prompt_templates: flag(here, "loadPromptTemplates"),
        include_context_files: flag(here, "includeContextFiles"),
        context: context(json.get("context")),
        response: response(json.get("response")),
    }
}

fn context(json: Option<Json<'_>>) -> Context {
    Context {
        mode: word(json, "mode"),
        thread_key: text(json, "threadKey"),
        messages_path: text(json, "messagesPath"),
        max_messages: count(json, "maxMessages"),
        max_prompt_bytes: count(json, "maxPromptBytes"),
        max_message_bytes: count(json, "maxMessageBytes"),
        max_stored_messages: count(json, "maxStoredMessages"),
        capture: word(json, "capture"),
    }
}

fn response(json: Option<Json<'_>>) -> Response {
    Response {
        format: word(json, "format"),
        max_bytes: count(json, "maxBytes"),
        store_output: flag(json, "storeOutput"),
        storage: word(json, "storage"),
        media_type: text(json, "mediaType"),
        preview_bytes: count(json, "previewBytes"),
    }
}

fn assignment(json: Json<'_>) -> Assignment {
    let value = json
        .get("value")
        .map(|value| Source::Value(value.to_value()));
    let source = value
        .or_else(|| template(Some(json), "template").map(Source::Template))
        .or_else(|| text(Some(json), "from").map(Source::From));
    Assignment {
        path: text(Some(json), "path").unwrap_or_default(),
        source,
        mode: word(Some(json), "mode"),
    }
}

fn human(json: Json<'_>) -> Human {
    Human {
        kind: word(Some(json), "kind"),
        prompt: template(Some(json), "prompt").unwrap_or_default(),
        options: json.get("options").map(|_| texts(Some(json), "options")),
        pause: flag(Some(json), "pause"),
    }
}

fn edge(json: Json<'_>) -> Edge {
    Edge {
        from: names(Some(json), "from").unwrap_or_default(),
        to: names(Some(json), "to").unwrap_or_default(),
    }
}

fn route(json: Json<'_>) -> Option<Route> {
    let case = |case: Json<'_>| {
        Some(Case {
            when: Condition::from_value(&case.get("when")?.to_value()).ok()?,
            to: names(Some(case), "to")?,
        })
    };
    Some(Route {
        from: text(Some(json), "from")?,
        cases: items(Some(json), "cases").filter_map(case).collect(),
        default: names(Some(json), "default"),
    })
}

fn limits(json: Json<'_>) -> Limits {
    let json = Some(json);
    Limits {
        max_steps: count(json, "maxSteps"),
        max_node_runs: count(json, "maxNodeRuns"),
        max_concurrency: count(json, "maxConcurrency"),
        max_cost_usd: number(json, "maxCostUsd"),
        max_tokens: count(json, "maxTokens"),
        timeout_ms: count(json, "timeoutMs"),
        max_state_bytes: count(json, "maxStateBytes"),
        max_prompt_bytes: count(json, "maxPromptBytes"),
    }
}

fn policy(json: Option<Json<'_>>) -> Policy {
    Policy {
        allow_non_interactive: flag(json, "allowNonInteractive"),
        allow_non_interactive_mutations: flag(json, "allowNonInteractiveMutations"),
        confirm_project_graph: flag(json, "confirmProjectGraph"),
        confirm_mutating_nodes: flag(json, "confirmMutatingNodes"),
    }
}

fn member<'d>(json: Option<Json<'d>>, name: &str) -> Option<Json<'d>> {
    json.and_then(|json| json.get(name))
}

fn text(json: Option<Json<'_>>, name: &str) -> Option<String> {
    member(json, name).and_then(Json::as_str).map(String::from)
}

fn template(json: Option<Json<'_>>, name: &str) -> Option<Template> {
    member(json, name)
        .and_then(Json::as_str)
        .map(Template::parse)
}

fn word<T: FromStr>(json: Option<Json<'_>>, name: &str) -> Option<T> {
    member(json, name)?.as_str()?.parse().ok()
}

fn flag(json: Option<Json<'_>>, name: &str) -> Option<bool> {
    member(json, name)?.as_bool()
}

fn number(json: Option<Json<'_>>, name: &str) -> Option<f64> {
    member(json, name)?.as_number()
}

/// A whole number of at least 1. What is larger than 64 bits counts as the largest number there.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, which is what is wanted"
)]
fn count(json: Option<Json<'_>>, name: &str) -> Option<u64> {
    number(json, name).map(|number| number as u64)
}

fn items<'d>(json: Option<Json<'d>>, name: &str) -> impl Iterator<Item = Json<'d>> {
    member(json, name).into_iter().flat_map(Json::items)
}

fn entries<'d>(json: Option<Json<'d>>, name: &str) -> impl Iterator<Item = (&'d str, Json<'d>)> {
    member(json, name)
        .into_iter()
        .flat_map(members)
        .map(|member| (member.name, member.value))
}

fn texts(json: Option<Json<'_>>, name: &str) -> Vec<String> {
    let strings = items(json, name).filter_map(Json::as_str);
    strings.map(String::from).collect()
}

/// One name or a list of them.
fn names(json: Option<Json<'_>>, name: &str) -> Option<Vec<String>> {
    let value = member(json, name)?;
    Some(match value.as_str() {
        Some(one) => Vec::from([one.into()]),
        None => texts(json, name),
    })
}
