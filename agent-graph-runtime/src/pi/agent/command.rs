//! How an agent is started: arguments and working directory (spec 8.4). Knows nothing about prompts.

use alloc::string::String;
use alloc::vec::Vec;

use super::node::AgentNode;
use crate::pi::words::READ_ONLY_TOOLS;

/// The tools that start graphs; an agent of a graph never has them.
const GRAPH_TOOLS: [&str; 3] = ["pi_graph_run", "pi_graph_resume", "pi_graph_inspect"];

/// The tools of an agent that may change things and names none.
const DEFAULT_TOOLS: [&str; 4] = ["read", "bash", "edit", "write"];

impl AgentNode<'_> {
    /// The arguments of `pi`, without the program. The user prompt is not among them: it goes to standard
    /// input.
    pub fn arguments(&self, session_file: Option<&str>, system_prompt_file: &str) -> Vec<String> {
        let agent = self.agent;
        let mut arguments: Vec<String> = Vec::new();
        let mut add = |parts: &[&str]| arguments.extend(parts.iter().map(|&part| part.into()));
        add(&["--mode", "json", "-p", "--no-approve"]);
        match session_file {
            Some(file) => add(&["--session", file]),
            None => add(&["--no-session"]),
        }
        let switches = [
            (agent.load_extensions, "--no-extensions"),
            (agent.load_skills, "--no-skills"),
            (agent.load_prompt_templates, "--no-prompt-templates"),
            (agent.include_context_files, "--no-context-files"),
        ];
        for (is_on, off) in switches {
            if !is_on {
                add(&[off]);
            }
        }
        let model = self.tables.text_or_none(agent.model);
        if let Some(model) = model.filter(|model| !model.is_empty()) {
            add(&["--model", model]);
        }
        if let Some(thinking) = agent.thinking {
            add(&["--thinking", thinking.as_str()]);
        }
        let tools = self.tools();
        if tools.is_empty() {
            add(&["--no-tools"]);
        } else {
            add(&["--tools", &tools.join(",")]);
        }
        if agent.load_extensions {
            add(&["--exclude-tools", &GRAPH_TOOLS.join(",")]);
        }
        add(&["--append-system-prompt", system_prompt_file]);
        arguments
    }

    /// The tools it gets.
    fn tools(&self) -> Vec<&str> {
        let agent = self.agent;
        if !agent.has_tools {
            let default = if agent.read_only {
                READ_ONLY_TOOLS
            } else {
                DEFAULT_TOOLS
            };
            return default.into();
        }
        let named = self.tables.rows(self.tables.texts, agent.tools).iter();
        let named = named.map(|&tool| self.tables.text(tool));
        named
            .filter(|tool| !GRAPH_TOOLS.contains(tool))
            .filter(|tool| !agent.read_only || READ_ONLY_TOOLS.contains(tool))
            .collect()
    }

    /// The working directory: the base directory, or the node's own seen from there, without `.` and `..`.
    pub fn working_directory(&self, base: &str) -> String {
        resolve(base, self.tables.text_or_none(self.agent.cwd).unwrap_or(""))
    }
}

/// A path seen from an absolute base, by its text alone.
fn resolve(base: &str, path: &str) -> String {
    let parts = if path.starts_with('/') {
        path.split('/').chain("".split('/'))
    } else {
        base.split('/').chain(path.split('/'))
    };
    let mut resolved: Vec<&str> = Vec::new();
    for part in parts {
        match part {
            "" | "." => {}
            ".." => {
                resolved.pop();
            }
            name => resolved.push(name),
        }
    }
    let mut text = String::from("/");
    text.push_str(&resolved.join("/"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_directory_is_seen_from_the_base() {
        for (path, expected) in [
            ("", "/home/base"),
            (".", "/home/base"),
            ("a//b/", "/home/base/a/b"),
            ("../../../..", "/"),
            ("../x", "/home/x"),
            ("/else/./where", "/else/where"),
        ] {
            assert_eq!(resolve("/home/base", path), expected, "{path}");
        }
    }
}
