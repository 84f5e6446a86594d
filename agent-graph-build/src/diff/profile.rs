//! A provider as a flat list of what can change, each with the class of the change. Knows definitions.

use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::load::definition::{
    Action, CodeEntry, Content, Definition, Detail, FactCheck, FactTest, GateDetail, Graph, Node,
    Reference, Resource, Resources, Step,
};
use agent_graph_runtime::ordered::{self, Map, Set};
use agent_graph_runtime::protocol::NodeKind;
use agent_graph_runtime::{Digest, Outcome};

use super::Class;

/// What can change, by what it is about, outermost first.
pub(super) type Profile = Map<Vec<String>, Attribute>;

/// Something that can change, and how much it matters if it does.
pub(super) struct Attribute {
    pub(super) value: String,
    pub(super) added: Class,
    pub(super) changed: Class,
    pub(super) removed: Class,
}

/// All that can change in a provider.
pub(super) fn profile(loaded: &Loaded) -> Profile {
    let definition = &loaded.definition;
    let mut writer = Writer {
        definition,
        profile: Profile::new(),
    };
    writer.provider();
    for graph in &definition.graphs {
        writer.graph(graph);
    }
    for action in &definition.actions {
        writer.action(action);
    }
    for resource in &definition.resources {
        writer.resource(resource);
    }
    for code in definition.catalog.iter().flat_map(|catalog| &catalog.codes) {
        writer.code(code);
    }
    writer.files(loaded);
    writer.profile
}

struct Writer<'d> {
    definition: &'d Definition,
    profile: Profile,
}

/// The subject in this subject.
fn inner(subject: &[String], part: impl Into<String>) -> Vec<String> {
    let mut inner = subject.to_vec();
    inner.push(part.into());
    inner
}

impl Writer<'_> {
    fn put(&mut self, subject: Vec<String>, value: impl Into<String>, classes: [Class; 3]) {
        let [added, changed, removed] = classes;
        let value = value.into();
        let attribute = Attribute {
            value,
            added,
            changed,
            removed,
        };
        self.profile.insert(subject, attribute);
    }

    /// Something whose coming, changing and going matter alike; an empty value is as good as none.
    fn alike(&mut self, subject: &[String], part: &str, value: impl Into<String>, class: Class) {
        let value = value.into();
        if !value.is_empty() {
            self.put(inner(subject, part), value, [class; 3]);
        }
    }

    fn wording(&mut self, subject: &[String], part: &str, value: Option<&String>) {
        let value = value.map_or("", String::as_str);
        self.alike(subject, part, value, Class::Wording);
    }

    fn route(&mut self, subject: &[String], part: &str, value: impl Into<String>) {
        self.alike(subject, part, value, Class::RouteChanging);
    }

    fn provider(&mut self) {
        let manifest = &self.definition.manifest;
        let provider = ["provider".to_owned()];
        self.alike(&provider, "id", &manifest.id.value, Class::BreaksStoredRuns);
        self.wording(&provider, "version", Some(&manifest.version.value));
        self.wording(&provider, "name", manifest.name.as_ref());
        self.wording(&provider, "description", manifest.description.as_ref());
        let range = manifest.agent_graph.as_ref().map(|range| &range.value);
        self.wording(&provider, "compatibility", range);
    }

    fn graph(&mut self, graph: &Graph) {
        use Class::{Additive, BreaksStoredRuns, RouteChanging};
        let subject = vec![format!("graph {}", graph.id.value)];
        // Only its presence counts here.
        self.put(
            subject.clone(),
            "",
            [Additive, RouteChanging, BreaksStoredRuns],
        );
        self.wording(&subject, "description", graph.description.as_ref());
        for entry in &graph.entrypoints {
            let part = format!("entry {}", entry.name);
            let classes = [Additive, RouteChanging, BreaksStoredRuns];
            self.put(inner(&subject, part), &entry.node.value, classes);
        }
        for node in &graph.nodes {
            self.node(&inner(&subject, format!("node {}", node.id.value)), node);
        }
        for edge in &graph.edges {
            let kind = edge.kind.as_str();
            let part = format!("{kind} edge {} to {}", edge.from.value, edge.to.value);
            let at = inner(&subject, part);
            // Two edges may differ in their outcomes alone.
            let outcomes: Set<&Outcome> = edge.outcomes.iter().collect();
            let outcomes: Vec<&str> = outcomes.iter().map(|outcome| outcome.as_str()).collect();
            let mut value = outcomes.join(" ");
            if let Some(other) = self.profile.get(&at) {
                let mut both = [other.value.clone(), value];
                ordered::sort_by(&mut both, Ord::cmp);
                value = both.join(" | ");
            }
            self.put(at, value, [RouteChanging; 3]);
        }
    }

    fn node(&mut self, subject: &[String], node: &Node) {
        use Class::{BreaksStoredRuns, RouteChanging};
        let kind = node.kind();
        let kept = match kind {
            // Nothing is recorded for a terminal, normally.
            NodeKind::Terminal => RouteChanging,
            _ => BreaksStoredRuns,
        };
        self.put(
            subject.to_vec(),
            kind.as_str(),
            [RouteChanging, BreaksStoredRuns, kept],
        );
        self.wording(subject, "description", node.description.as_ref());
        let join = if node.join.as_str() == "all" {
            ""
        } else {
            node.join.as_str()
        };
        self.route(subject, "join", join);
        let priority = match node.priority {
            0 => String::new(),
            priority => priority.to_string(),
        };
        self.route(subject, "priority", priority);
        self.route(subject, "required facts", checks(&node.requires));
        match &node.detail {
            Detail::Action(step, action) => {
                self.step(subject, step);
                self.route(subject, "action", self.action_id(Some(action)));
            }
            Detail::Gate(step, gate) => {
                self.step(subject, step);
                self.gate(subject, gate);
            }
            Detail::Subgraph { graph, entry } => {
                // State keys of the called graph hold its id.
                self.alike(subject, "graph", &graph.value, BreaksStoredRuns);
                self.route(subject, "entry", &entry.value);
            }
            Detail::Terminal(outcome) => self.route(subject, "outcome", outcome.as_str()),
        }
    }

    fn step(&mut self, subject: &[String], step: &Step) {
        self.route(subject, "reason", &step.reason.value);
        self.route(subject, "proof", checks(&step.satisfied));
        self.resources(subject, "resources", &step.resources);
    }

    fn gate(&mut self, subject: &[String], gate: &GateDetail) {
        self.route(subject, "gate", &gate.id);
        self.wording(subject, "prompt", Some(&gate.prompt));
        self.route(
            subject,
            "authority",
            gate.authority.as_deref().unwrap_or(""),
        );
        let delegatable = if gate.delegatable { "true" } else { "" };
        self.route(subject, "delegatable", delegatable);
        let inspection = self.action_id(gate.inspection.as_ref());
        self.route(subject, "inspection", inspection);
        let resolution = self.action_id(gate.resolution.as_ref());
        self.route(subject, "resolution", resolution);
        if let Some(delegated) = &gate.delegated {
            let at = inner(subject, "delegated");
            let inspection = delegated.inspection.as_str();
            self.put(at.clone(), inspection, [Class::RouteChanging; 3]);
            let resolution = self.action_id(delegated.resolution.as_ref());
            self.route(&at, "resolution", resolution);
            if let Some(resources) = &delegated.resources {
                self.put(inner(&at, "resources"), "", [Class::RouteChanging; 3]);
                self.resources(&at, "resources listed", resources);
            }
        }
    }

    fn resources(&mut self, subject: &[String], part: &str, resources: &Resources) {
        let lists = [
            ("required", &resources.required),
            ("recommended", &resources.recommended),
        ];
        for (name, list) in lists {
            let ids = list.iter().map(|reference| {
                let resource = reference
                    .target
                    .and_then(|at| self.definition.resources.get(at));
                resource.map_or(reference.path.as_str(), |resource| {
                    resource.id.value.as_str()
                })
            });
            let ids = ids.collect::<Vec<_>>().join(", ");
            self.route(subject, &format!("{name} {part}"), ids);
        }
    }

    /// The id of an action that is referred to.
    fn action_id(&self, reference: Option<&Reference>) -> String {
        let target = reference.and_then(|reference| reference.target);
        let action = target.and_then(|at| self.definition.actions.get(at));
        action.map_or(String::new(), |action| action.id.value.clone())
    }

    fn action(&mut self, action: &Action) {
        let subject = vec![format!("action {}", action.id.value)];
        let runner = action.runner.value.as_str();
        use Class::{Additive, RouteChanging};
        self.put(
            subject.clone(),
            runner,
            [Additive, RouteChanging, RouteChanging],
        );
        self.wording(&subject, "description", action.description.as_ref());
        self.route(&subject, "effect", action.effect.value.as_str());
        self.route(&subject, "working directory", action.cwd.as_str());
        let files = [
            ("entry", &action.entry),
            ("skill", &action.skill),
            ("input schema", &action.input_schema),
            ("output schema", &action.output_schema),
        ];
        for (part, file) in files {
            let path = file.as_ref().map_or("", |file| &*file.file);
            self.route(&subject, part, path);
        }
        self.route(&subject, "command", action.command.as_deref().unwrap_or(""));
        self.route(&subject, "handler", action.handler.as_deref().unwrap_or(""));
        let runtime = action.runtime.map_or("", |runtime| runtime.as_str());
        self.route(&subject, "runtime", runtime);
        let arguments = action.args.iter().map(|argument| format!("{argument:?}"));
        self.route(
            &subject,
            "arguments",
            arguments.collect::<Vec<_>>().join(" "),
        );
    }

    fn resource(&mut self, resource: &Resource) {
        use Class::{Additive, RouteChanging};
        let subject = vec![format!("resource {}", resource.id.value)];
        let kind = resource.kind.as_str();
        self.put(
            subject.clone(),
            kind,
            [Additive, RouteChanging, RouteChanging],
        );
        self.wording(&subject, "description", resource.description.as_ref());
        self.route(&subject, "media type", &resource.media_type);
        match &resource.content {
            Content::File(file) => self.route(&subject, "file", &*file.file),
            Content::GraphAction(action) => {
                self.route(&subject, "materializer", self.action_id(Some(action)));
            }
            Content::HostAction {
                materializer,
                input,
            } => {
                self.route(&subject, "materializer", self.action_id(Some(materializer)));
                let canonical = input.value.canonical().unwrap_or_default();
                self.route(&subject, "input", canonical);
            }
        }
    }

    fn code(&mut self, code: &CodeEntry) {
        use Class::{Additive, RouteChanging};
        let subject = vec![format!("code {}", code.code.value)];
        let kind = code.kind.as_str();
        self.put(
            subject.clone(),
            kind,
            [Additive, RouteChanging, RouteChanging],
        );
        self.wording(&subject, "summary", Some(&code.summary));
        let severity = code.severity.map_or("", |severity| severity.as_str());
        self.alike(&subject, "severity", severity, Class::Wording);
    }

    /// The files that hold no definitions, with what they are for.
    fn files(&mut self, loaded: &Loaded) {
        use Class::{Additive, RouteChanging, Wording};
        let definition = self.definition;
        let catalog = definition.catalog.iter().map(|catalog| &catalog.file);
        let graphs = definition.graphs.iter().map(|graph| &graph.file);
        let actions = definition.actions.iter().map(|action| &action.file);
        let definitions: Set<&str> = catalog
            .chain(graphs)
            .chain(actions)
            .chain([&definition.manifest.file])
            .map(|file| &**file)
            .collect();
        let mut documents = Set::new();
        let mut descriptors = Set::new();
        for resource in &definition.resources {
            match &resource.content {
                Content::File(content) if resource.kind.as_str() != "schema" => {
                    documents.insert(&*content.file);
                    if content.file != resource.file {
                        descriptors.insert(&*resource.file);
                    }
                }
                _ => {
                    descriptors.insert(&*resource.file);
                }
            }
        }
        let tables = loaded.tables.as_tables();
        for file in tables.files {
            let path = tables.text(file.path);
            if definitions.contains(path) || descriptors.contains(path) {
                continue;
            }
            let changed = match documents.contains(path) {
                true => Wording,
                false => RouteChanging,
            };
            let digest = Digest::from_bytes(file.digest).to_string();
            let subject = vec![format!("file {path}")];
            self.put(subject, digest, [Additive, changed, RouteChanging]);
        }
    }
}

/// Fact checks in a form that people read.
fn checks(checks: &[FactCheck]) -> String {
    let checks = checks.iter().map(|check| {
        let path = &check.path;
        match &check.test {
            FactTest::Exists(true) => format!("{path} exists"),
            FactTest::Exists(false) => format!("{path} does not exist"),
            FactTest::Null => format!("{path} is null"),
            FactTest::Bool(value) => format!("{path} is {value}"),
            FactTest::Number(value) => format!("{path} is {value}"),
            FactTest::Text(value) => format!("{path} is {value:?}"),
        }
    });
    let mut checks: Vec<String> = checks.collect();
    // A list of checks holds when all hold, in whatever order.
    ordered::sort_by(&mut checks, Ord::cmp);
    checks.join(", ")
}
