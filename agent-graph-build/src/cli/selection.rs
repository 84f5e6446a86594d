//! Which graph and which entry a command is about: what its arguments say, or the binding of a skill.

use agent_graph_runtime::nearest::nearest;
use agent_graph_runtime::{Code, Error, Installed};

use super::context::Context;
use super::failure::Failure;

/// A provider, one of its graphs, and an entry.
pub(super) struct Selection {
    pub(super) installed: Installed,
    pub(super) graph: String,
    pub(super) entry: String,
}

impl Selection {
    /// What the arguments select; with a skill, they may only repeat what its binding says.
    pub(super) fn of(
        context: &Context,
        graph: Option<&String>,
        entry: Option<&String>,
    ) -> Result<Self, Failure> {
        if let Some(bound) = context.bound()? {
            let binding = bound.binding;
            agree("graph", graph, &binding.graph, Code::SkillGraphConflict)?;
            agree("entry", entry, &binding.entry, Code::SkillEntryConflict)?;
            return Ok(Self {
                installed: Installed::of_loaded(bound.provider)?,
                graph: binding.graph,
                entry: binding.entry,
            });
        }
        let Some(graph) = graph else {
            let message = "no graph was named, and no skill that is bound to one";
            return Err(Failure::new(Code::GraphSelectionMissing, message));
        };
        Ok(Self {
            installed: context.installed()?,
            graph: graph.clone(),
            entry: entry.map_or("default", String::as_str).to_owned(),
        })
    }
}

impl Selection {
    /// A failure that names the graphs there are, where the one that was named is not among them.
    pub(super) fn failure(&self, error: Error) -> Failure {
        let failure = Failure::from(error);
        if failure.code != Code::GraphMissing.as_str() {
            return failure;
        }
        let graphs: Vec<&str> = self.installed.provider().graphs().collect();
        let cure = match nearest(&self.graph, graphs.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => {
                let shown = graphs.iter().take(MOST_NAMES);
                let names: Vec<String> = shown.map(|graph| format!("`{graph}`")).collect();
                let more = match graphs.len() > MOST_NAMES {
                    true => ", …",
                    false => "",
                };
                format!("Name one of {}{more}", names.join(", "))
            }
        };
        Failure {
            cure: Some(cure),
            ..failure
        }
    }
}

/// More names than these help nobody.
const MOST_NAMES: usize = 20;

fn agree(what: &str, said: Option<&String>, bound: &str, code: Code) -> Result<(), Failure> {
    match said {
        Some(said) if said != bound => {
            let message = format!("the skill is bound to {what} `{bound}`, not to `{said}`");
            Err(Failure::new(code, message))
        }
        _ => Ok(()),
    }
}
