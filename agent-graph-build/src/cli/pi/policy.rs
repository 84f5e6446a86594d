//! What a graph may do without a person, and what a person has to confirm first (spec 14). Knows the rules and
//! their order, nothing about terminals.

use agent_graph_runtime::Code;
use agent_graph_runtime::pi::definition::{Definition, NodeKind};

use crate::cli::failure::Failure;

/// The circumstances of a run.
pub(super) struct Circumstances<'d> {
    pub(super) definition: &'d Definition,
    /// Whether the agents of the graph may change things.
    pub(super) is_mutating: bool,
    /// Whether the graph is one that a project brings along.
    pub(super) of_project: bool,
    /// Whether there is a person who can be asked.
    pub(super) has_person: bool,
    /// Whether checkpoints are stored.
    pub(super) is_stored: bool,
}

/// A question that has to be answered with yes before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Confirmation {
    /// The graph comes from the project.
    Project,
    /// Its agents may change things.
    Mutations,
}

impl Confirmation {
    pub(super) const fn question(self) -> &'static str {
        match self {
            Self::Project => "The graph comes with the project. Run it?",
            Self::Mutations => "Agents of the graph may change files and run commands. Run it?",
        }
    }
}

/// What has to be confirmed, in order.
///
/// # Errors
/// The first rule by which the run is refused.
pub(super) fn judge(run: &Circumstances<'_>) -> Result<Vec<Confirmation>, Failure> {
    let policy = run.definition.policy;
    if !run.has_person && policy.allow_non_interactive != Some(true) {
        return Err(refused(
            "nobody can be asked here, and the graph does not say that it may run so",
            "Run it on a terminal, or set `policy.allowNonInteractive` in the graph.",
        ));
    }
    if !run.has_person && run.is_mutating && policy.allow_non_interactive_mutations != Some(true) {
        return Err(refused(
            "nobody can be asked here, and agents of the graph may change things",
            "Run it on a terminal, make its agents `readOnly`, or set `policy.allowNonInteractiveMutations`.",
        ));
    }
    let mut confirmations = Vec::new();
    if run.of_project && policy.confirm_project_graph != Some(false) {
        confirmations.push(Confirmation::Project);
    }
    if run.is_mutating && policy.confirm_mutating_nodes != Some(false) {
        confirmations.push(Confirmation::Mutations);
    }
    let mut nodes = run.definition.nodes.iter();
    if !run.is_stored && nodes.any(|node| matches!(node.kind, NodeKind::Human(_))) {
        return Err(refused(
            "the graph asks people, and its run could not wait for an answer without checkpoints",
            "Leave out --no-checkpoints.",
        ));
    }
    Ok(confirmations)
}

/// The failure of a run that may not begin.
pub(super) fn refused(message: &str, cure: &str) -> Failure {
    Failure {
        cure: Some(cure.to_owned()),
        ..Failure::new(Code::PiGraphRefused, message)
    }
}

#[cfg(test)]
mod tests {
    use agent_graph_runtime::pi;

    use super::*;

    fn judged(
        policy: &str,
        node: &str,
        of_project: bool,
        has_person: bool,
    ) -> Result<Vec<Confirmation>, String> {
        let text = format!(
            r#"{{"schemaVersion":2,"name":"g","entry":"a","limits":{{}},"policy":{{{policy}}},"nodes":{{"a":{node}}}}}"#
        );
        let loaded = pi::parse("g.json".into(), text.as_bytes()).unwrap();
        let run = Circumstances {
            definition: &loaded.definition,
            is_mutating: loaded.graph().is_mutating(),
            of_project,
            has_person,
            is_stored: true,
        };
        judge(&run).map_err(|failure| failure.message)
    }

    const READS: &str = r#"{"type":"agent","prompt":"?","readOnly":true}"#;
    const WRITES: &str = r#"{"type":"agent","prompt":"?"}"#;

    #[test]
    fn without_a_person_a_graph_runs_only_if_it_says_so_and_changes_things_only_if_it_says_that_too()
     {
        assert!(judged("", READS, false, false).is_err());
        let alone = r#""allowNonInteractive":true"#;
        assert_eq!(judged(alone, READS, false, false), Ok(vec![]));
        assert!(judged(alone, WRITES, false, false).is_err());
        let both = r#""allowNonInteractive":true,"allowNonInteractiveMutations":true"#;
        assert!(judged(both, WRITES, false, false).is_ok());
        // The second permission is worth nothing without the first.
        let second = r#""allowNonInteractiveMutations":true"#;
        assert!(judged(second, WRITES, false, false).is_err());
    }

    #[test]
    fn a_person_confirms_graphs_of_projects_and_mutations_unless_the_graph_waives_that() {
        use Confirmation::{Mutations, Project};
        assert_eq!(judged("", READS, false, true), Ok(vec![]));
        assert_eq!(judged("", WRITES, true, true), Ok(vec![Project, Mutations]));
        let waived = r#""confirmProjectGraph":false"#;
        assert_eq!(judged(waived, WRITES, true, true), Ok(vec![Mutations]));
        let waived = r#""confirmMutatingNodes":false"#;
        assert_eq!(judged(waived, WRITES, true, true), Ok(vec![Project]));
    }

    #[test]
    fn a_graph_that_asks_people_needs_checkpoints() {
        let text = r#"{"schemaVersion":2,"name":"g","entry":"a","limits":{},
            "nodes":{"a":{"type":"human","prompt":"?"}}}"#;
        let loaded = pi::parse("g.json".into(), text.as_bytes()).unwrap();
        let run = |is_stored| Circumstances {
            definition: &loaded.definition,
            is_mutating: false,
            of_project: false,
            has_person: true,
            is_stored,
        };
        assert!(judge(&run(true)).is_ok());
        assert!(judge(&run(false)).is_err());
    }
}
