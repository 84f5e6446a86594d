//! Collects the semantic diagnostics, so many and so long as memory allows: ids are repeated in every path,
//! so a hostile definition could ask for far more text than it has. Knows nothing about the checks.

use alloc::string::String;
use alloc::vec::Vec;

use crate::finding::Level;
use crate::pi::definition::{Definition, GroupPlace};
use crate::pi::diagnostic::{DiagnosticCode, Step};

/// How many diagnostics one definition gets.
const DIAGNOSTICS: usize = 20_000;

/// Bytes of names in the paths of all diagnostics.
const PATH_BYTES: usize = 4 << 20;

/// Steps of work of all checks that compare lists with each other.
const WORK: usize = 2_000_000;

/// A diagnostic, its place not looked up yet.
pub(super) struct Raw {
    pub(super) level: Level,
    pub(super) code: DiagnosticCode,
    pub(super) steps: Vec<Step>,
    pub(super) message: String,
}

/// What has been found, and whether a ceiling was reached.
#[derive(Default)]
pub(super) struct Report {
    found: Vec<Raw>,
    path_bytes: usize,
    work: usize,
    pub(super) is_full: bool,
}

impl Report {
    /// Adds an error.
    pub(super) fn error(
        &mut self,
        code: DiagnosticCode,
        steps: impl FnOnce() -> Vec<Step>,
        message: impl Into<String>,
    ) {
        self.add(Level::Error, code, steps, message);
    }

    /// Adds a warning.
    pub(super) fn warning(
        &mut self,
        code: DiagnosticCode,
        steps: impl FnOnce() -> Vec<Step>,
        message: impl Into<String>,
    ) {
        self.add(Level::Warn, code, steps, message);
    }

    fn add(
        &mut self,
        level: Level,
        code: DiagnosticCode,
        steps: impl FnOnce() -> Vec<Step>,
        message: impl Into<String>,
    ) {
        if self.is_full {
            return;
        }
        let steps = steps();
        let names = steps.iter().map(|step| match step {
            Step::Name(name) => name.len(),
            Step::Index(_) => 0,
        });
        self.path_bytes += names.sum::<usize>();
        if self.found.len() == DIAGNOSTICS || self.path_bytes > PATH_BYTES {
            self.is_full = true;
            return;
        }
        self.found.push(Raw {
            level,
            code,
            steps,
            message: message.into(),
        });
    }

    /// Counts work; says whether there may be more.
    pub(super) fn may_work(&mut self, steps: usize) -> bool {
        self.work = self.work.saturating_add(steps);
        self.is_full |= self.work > WORK;
        !self.is_full
    }

    pub(super) fn into_found(self) -> Vec<Raw> {
        self.found
    }
}

/// A path from its steps.
macro_rules! steps {
    ( $( $step:expr ),* $(,)? ) => {
        || alloc::vec![ $( $crate::pi::diagnostic::Step::from($step) ),* ]
    };
}
pub(super) use steps;

/// A name in a message: not longer than a line.
pub(super) fn quoted(name: &str) -> String {
    const LONGEST: usize = 60;
    let mut quoted: String = name.chars().take(LONGEST).collect();
    if quoted.len() < name.len() {
        quoted.push('…');
    }
    alloc::format!("`{quoted}`")
}

/// Where a list of targets is written.
pub(super) fn group_steps(definition: &Definition, place: GroupPlace) -> Vec<Step> {
    match place {
        GroupPlace::Entry => steps!["entry"](),
        GroupPlace::Edge(edge) => steps!["edges", edge, "to"](),
        GroupPlace::Case(route, case) => steps!["routes", route, "cases", case, "to"](),
        GroupPlace::Default(route) => steps!["routes", route, "default"](),
        GroupPlace::OnError(node) => {
            let id = definition.nodes.get(node).map_or("", |node| &node.id);
            steps!["nodes", id, "onError", "to"]()
        }
    }
}
