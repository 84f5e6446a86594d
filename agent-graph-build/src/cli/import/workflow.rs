//! A workflow: steps with commands that depend on each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agent_graph_runtime::Code;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::load::read_value;

use super::super::answer::counted;
use super::super::failure::Failure;
use super::super::slug::slug;
use super::graph::{Graph, action};
use super::provider::Import;

/// The nodes that every imported workflow has.
const RESERVED: [&str; 2] = ["start", "done"];

/// A step of a workflow.
struct Step {
    id: String,
    node: String,
    command: String,
    description: Option<String>,
    depends_on: Vec<String>,
    effect: String,
}

/// The import of this workflow.
pub(super) fn read(file: &Path, graph: Option<&str>) -> Result<Import, Failure> {
    let (value, _) = read_value(file)?;
    let Some(workflow) = value.as_object() else {
        return Err(invalid("a workflow has to be an object"));
    };
    only(workflow, "the workflow", &["id", "steps"])?;
    let own = text(workflow, "the workflow", "id")?;
    let steps = steps(workflow)?;
    check_names(&steps)?;
    check_dependencies(&steps)?;
    let id = slug(graph.or(own).unwrap_or("imported-workflow"))?;
    Ok(import(&id, &steps))
}

fn import(id: &str, steps: &[Step]) -> Import {
    let mut graph = Graph::new(id, "start");
    let mut actions = Vec::new();
    let mut reasons = Vec::new();
    let start = format!("{id}.start");
    let mut begin = action(&start, "command", "read");
    begin.insert("command", "true");
    actions.push((start.clone(), begin));
    let reason = graph.step("start", Some("Start"), &start);
    reasons.push((reason, "The workflow has not started yet.".to_owned()));
    let nodes: BTreeMap<&str, &str> = steps
        .iter()
        .map(|step| (step.id.as_str(), step.node.as_str()))
        .collect();
    for step in steps {
        let action_id = format!("{id}.{}", step.node);
        let mut action = action(&action_id, "command", &step.effect);
        action.insert("command", step.command.as_str());
        let reason = graph.step(&step.node, step.description.as_deref(), &action_id);
        let summary = format!("Step `{}` has not been taken yet.", step.node);
        reasons.push((reason, summary));
        actions.push((action_id, action));
        if step.depends_on.is_empty() {
            graph.edge("start", &step.node);
        }
        for dependency in &step.depends_on {
            if let Some(node) = nodes.get(dependency.as_str()) {
                graph.edge(node, &step.node);
            }
        }
    }
    let needed: BTreeSet<&str> = steps
        .iter()
        .flat_map(|step| step.depends_on.iter().map(String::as_str))
        .collect();
    for step in steps
        .iter()
        .filter(|step| !needed.contains(step.id.as_str()))
    {
        graph.edge(&step.node, "done");
    }
    Import {
        kind: "workflow",
        graph: id.to_owned(),
        definition: graph.finish(),
        actions,
        reasons,
        files: Vec::new(),
        source: format!("workflow of {}", counted(steps.len(), "step")),
    }
}

fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(Code::WorkflowInvalid, message)
}

/// Refuses members that are not known: a step that is dropped in silence is worse than none.
fn only(object: &Object, what: &str, known: &[&str]) -> Result<(), Failure> {
    match object.names().find(|name| !known.contains(name)) {
        Some(name) => Err(invalid(format!("{what} has no member `{name}`"))),
        None => Ok(()),
    }
}

/// The text of a member that may be absent, and is not empty.
fn text<'o>(object: &'o Object, what: &str, name: &str) -> Result<Option<&'o str>, Failure> {
    match object.get(name) {
        None => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) if !text.is_empty() => Ok(Some(text)),
            _ => Err(invalid(format!("`{name}` of {what} has to be text"))),
        },
    }
}

fn steps(workflow: &Object) -> Result<Vec<Step>, Failure> {
    let steps = workflow.get("steps").and_then(Value::as_array);
    let steps = steps.ok_or_else(|| invalid("a workflow needs a list of `steps`"))?;
    if steps.is_empty() {
        return Err(invalid("a workflow needs a step"));
    }
    steps.iter().map(step).collect()
}

fn step(value: &Value) -> Result<Step, Failure> {
    let Some(object) = value.as_object() else {
        return Err(invalid("a step has to be an object"));
    };
    let known = ["id", "command", "description", "dependsOn", "effect"];
    let id = text(object, "a step", "id")?.ok_or_else(|| invalid("a step needs an `id`"))?;
    let what = format!("step `{id}`");
    only(object, &what, &known)?;
    let command = text(object, &what, "command")?;
    let command = command.ok_or_else(|| invalid(format!("{what} needs a `command`")))?;
    let effect = text(object, &what, "effect")?.unwrap_or("write");
    if !["read", "write", "external"].contains(&effect) {
        let message = format!("the effect of {what} has to be read, write or external");
        return Err(invalid(message));
    }
    let description = text(object, &what, "description")?;
    if description.is_some_and(|text| text.chars().count() > 1000) {
        let message = format!("the description of {what} has more than 1000 characters");
        return Err(invalid(message));
    }
    Ok(Step {
        id: id.to_owned(),
        node: slug(id).map_err(|failure| invalid(failure.message))?,
        command: command.to_owned(),
        description: description.map(str::to_owned),
        depends_on: depends_on(object, &what)?,
        effect: effect.to_owned(),
    })
}

/// Ids of other steps, each once.
fn depends_on(object: &Object, what: &str) -> Result<Vec<String>, Failure> {
    let wrong = || invalid(format!("`dependsOn` of {what} has to be a list of ids"));
    let items = match object.get("dependsOn") {
        None => return Ok(Vec::new()),
        Some(value) => value.as_array().ok_or_else(wrong)?,
    };
    let mut ids: Vec<String> = Vec::new();
    for item in items {
        let id = item.as_str().ok_or_else(wrong)?;
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    }
    Ok(ids)
}

fn check_names(steps: &[Step]) -> Result<(), Failure> {
    let mut ids = BTreeSet::new();
    for step in steps {
        if !ids.insert(step.id.as_str()) {
            let message = format!("two steps have the id `{}`", step.id);
            return Err(Failure::new(Code::WorkflowStepDuplicate, message));
        }
    }
    let mut nodes: BTreeMap<&str, &str> = BTreeMap::new();
    for step in steps {
        if let Some(other) = nodes.insert(&step.node, &step.id) {
            let message = format!("`{other}` and `{}` both become `{}`", step.id, step.node);
            return Err(Failure::new(Code::WorkflowStepIdCollision, message));
        }
    }
    match steps
        .iter()
        .find(|step| RESERVED.contains(&step.node.as_str()))
    {
        Some(step) => {
            let message = format!(
                "`{}` becomes `{}`, a node that is made anyway",
                step.id, step.node
            );
            Err(Failure::new(Code::WorkflowStepIdReserved, message))
        }
        None => Ok(()),
    }
}

fn check_dependencies(steps: &[Step]) -> Result<(), Failure> {
    let positions: BTreeMap<&str, usize> = steps
        .iter()
        .enumerate()
        .map(|(position, step)| (step.id.as_str(), position))
        .collect();
    // For each step how many it still waits for, and which ones wait for it.
    let mut waits: Vec<usize> = Vec::with_capacity(steps.len());
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for (position, step) in steps.iter().enumerate() {
        waits.push(step.depends_on.len());
        for id in &step.depends_on {
            let dependency = positions.get(id.as_str());
            match dependency.and_then(|dependency| waiting.get_mut(*dependency)) {
                Some(waiting) => waiting.push(position),
                None => {
                    let message = format!("`{}` depends on `{id}`, which is no step", step.id);
                    return Err(Failure::new(Code::WorkflowDependencyMissing, message));
                }
            }
        }
    }
    let mut ready: Vec<usize> = (0..steps.len())
        .filter(|position| waits.get(*position) == Some(&0))
        .collect();
    while let Some(taken) = ready.pop() {
        for position in waiting.get(taken).into_iter().flatten() {
            if let Some(waits) = waits.get_mut(*position) {
                *waits -= 1;
                if *waits == 0 {
                    ready.push(*position);
                }
            }
        }
    }
    match steps.iter().zip(&waits).find(|(_, waits)| **waits > 0) {
        None => Ok(()),
        Some((step, _)) => {
            let message = format!(
                "steps depend on each other in a circle, `{}` is in it or behind it",
                step.id
            );
            Err(Failure::new(Code::WorkflowCycle, message))
        }
    }
}
