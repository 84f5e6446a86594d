//! Soundness: what cannot work, or is likely a mistake, in a provider that loads. Lints never change what
//! the loader accepts. Knows the order of the lints; each lint lives in a module of its own.
//!
//! Lints that follow from the text alone are *linear*. Those about what can happen are decided by
//! exploring the ways an evaluation can go, exactly, within a bound: where the bound is met first, the
//! lint `undecided` says so, and what was found until then still holds. A host is taken to record
//! outcomes for actions and gates only.
//!
//! [`lint`] takes its time, as a command does. [`lint_while_building`] is what builds of hosts do: its bound
//! is a tenth, so that no build waits for it.
//!
//! ```
//! use agent_graph_build::lint::{Lint, LintLevel, LintLevels, lint};
//! # fn example(loaded: &agent_graph_runtime::load::Loaded) -> Result<(), String> {
//! let mut levels = LintLevels::default();
//! levels.set("unhandled-outcome", LintLevel::Warn)?;
//! for found in lint(loaded, &levels) {
//!     println!("{}", found.finding);
//! }
//! # Ok(())
//! # }
//! ```

mod bound;
mod collisions;
mod compatibility;
mod fact_types;
mod facts;
mod gates;
mod joins;
mod levels;
mod numbers;
mod outcomes;
mod range;
mod reach;
mod receipts;
mod registry;
mod repeats;
mod subject;
mod survey;
mod terminals;
mod texts;
mod unused_codes;
mod witness;

use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::{Finding, Level, Step};

pub use levels::LintLevels;
pub use registry::{Lint, LintLevel};
pub use texts::texts;
pub use witness::{Shows, Witness};

use bound::Bound;
use subject::Subject;
use survey::{Survey, survey};

/// What a lint found.
#[derive(Clone, Debug)]
pub struct LintFinding {
    /// The lint.
    pub lint: Lint,
    /// The level it was found at: warn or deny.
    pub level: LintLevel,
    /// The finding: an error at level deny, else a warning.
    pub finding: Finding,
    /// A state that shows it, where a state can.
    pub witness: Option<Witness>,
}

/// All findings of lints that are not allowed, ordered by file, position and lint.
pub fn lint(loaded: &Loaded, levels: &LintLevels) -> Vec<LintFinding> {
    lint_watched(loaded, levels, &mut |_| ())
}

/// The same, and tells `watch` how far it is.
pub fn lint_watched(
    loaded: &Loaded,
    levels: &LintLevels,
    watch: &mut dyn FnMut(Step<'_>),
) -> Vec<LintFinding> {
    lint_within(loaded, levels, |_| Bound::PATIENT, watch)
}

/// The same while a host is compiled, within a bound that keeps the build short. What it finds holds as
/// well; it leaves more undecided.
pub fn lint_while_building(loaded: &Loaded, levels: &LintLevels) -> Vec<LintFinding> {
    lint_within(loaded, levels, Bound::while_building, &mut |_| ())
}

fn lint_within(
    loaded: &Loaded,
    levels: &LintLevels,
    bound: impl Fn(usize) -> Bound,
    watch: &mut dyn FnMut(Step<'_>),
) -> Vec<LintFinding> {
    let subject = Subject::new(loaded);
    let explored = Lint::ALL
        .iter()
        .any(|&lint| lint.is_explored() && levels.of(lint) != LintLevel::Allow);
    let surveys: Vec<Survey> = if explored {
        let count = subject.entries().count();
        let bound = bound(count);
        let surveyed = (1..).zip(subject.entries()).map(|(number, at)| {
            let graph = subject.tables.text(subject.graph_row(at.graph).id);
            let what = format!("exploring graph {graph}, entry");
            watch(Step::counted(&what, number, count));
            survey(&subject, at, bound)
        });
        surveyed.collect()
    } else {
        Vec::new()
    };
    let mut found = Found {
        levels,
        list: Vec::new(),
    };
    for check in LINEAR {
        check(&subject, &mut found);
    }
    for check in EXPLORED {
        check(&subject, &surveys, &mut found);
    }
    let mut list = found.list;
    list.sort_by(|a, b| {
        (&a.finding.place, a.lint, &a.finding.message).cmp(&(
            &b.finding.place,
            b.lint,
            &b.finding.message,
        ))
    });
    list
}

const LINEAR: [fn(&Subject<'_>, &mut Found<'_>); 9] = [
    collisions::check,
    compatibility::check,
    fact_types::check,
    gates::undelegatable,
    gates::idle_authorities,
    joins::exclusive_sources,
    numbers::check,
    receipts::check,
    unused_codes::check,
];

const EXPLORED: [fn(&Subject<'_>, &[Survey], &mut Found<'_>); 8] = [
    facts::contradictory,
    facts::unprovable,
    outcomes::unhandled,
    reach::unreachable,
    repeats::lasting,
    terminals::conflicting,
    terminals::missing_and_stuck,
    survey::undecided,
];

/// What has been found so far.
pub(crate) struct Found<'l> {
    levels: &'l LintLevels,
    list: Vec<LintFinding>,
}

impl Found<'_> {
    /// Adds a finding if its lint is not allowed.
    fn add(&mut self, lint: Lint, finding: Finding, witness: Option<Witness>) {
        let level = self.levels.of(lint);
        let own_level = match level {
            LintLevel::Allow => return,
            LintLevel::Warn => Level::Warn,
            LintLevel::Deny => Level::Error,
        };
        self.list.push(LintFinding {
            lint,
            level,
            finding: Finding {
                level: own_level,
                ..finding
            },
            witness,
        });
    }
}
