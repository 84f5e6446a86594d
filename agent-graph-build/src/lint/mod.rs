//! Soundness: what cannot work, or is likely a mistake, in a provider that loads. Lints never change what
//! the loader accepts. Knows the order of the lints; each lint lives in a module of its own.
//!
//! Lints that follow from the text alone are *linear*. Those about what can happen are decided by
//! exploring the ways an evaluation can go, exactly, within a bound: where the bound is met first, the
//! lint `undecided` says so, and what was found until then still holds. A host is taken to record
//! outcomes for actions and gates only.
//!
//! [`lint`] takes its time, as a command does. [`lint_while_building`] is what builds of hosts do: its bound
//! is a tenth, so that no build waits for it. Either bound is one for the provider as a whole.
//!
//! ```
//! use agent_graph_build::lint::{Lint, LintLevel, LintLevels, lint};
//! # fn example(loaded: &agent_graph_runtime::load::Loaded) -> Result<(), String> {
//! let mut levels = LintLevels::default();
//! levels.set("unhandled-outcome", LintLevel::Warn)?;
//! for found in lint(loaded, &levels).findings {
//!     println!("{}", found.finding);
//! }
//! # Ok(())
//! # }
//! ```

mod bound;
mod collisions;
mod compatibility;
mod draft;
mod fact_types;
mod facts;
mod gates;
mod joins;
mod levels;
mod numbers;
mod outcomes;
mod paths;
mod range;
mod reach;
mod receipts;
mod registry;
mod repeats;
mod stuck;
mod subject;
mod survey;
mod terminals;
mod texts;
mod undecided;
mod unused_codes;
mod witness;

use agent_graph_runtime::explore::{Explorer, callees_first};
use agent_graph_runtime::load::Loaded;
use agent_graph_runtime::{Finding, Level, Step};

pub use levels::LintLevels;
pub use registry::{Lint, LintLevel};
pub use texts::texts;
pub use witness::{Clash, Shows, Witness};

use bound::{Bound, Shares};
use draft::{Draft, Shown, report};
use subject::Subject;
use survey::{QUESTIONS, Survey, survey};

/// What a lint found.
#[derive(Clone, Debug)]
pub struct LintFinding {
    /// The lint.
    pub lint: Lint,
    /// The level it was found at: warn or deny.
    pub level: LintLevel,
    /// The finding: an error at level deny, else a warning.
    pub finding: Finding,
    /// What shows that it is right. Of lints that look at the text alone, the place does.
    pub witness: Option<Witness>,
}

/// What lints found.
#[derive(Clone, Debug, Default)]
pub struct LintReport {
    /// The findings of lints that are not allowed, ordered by file, position and lint.
    pub findings: Vec<LintFinding>,
    /// How many more there are, beyond the first [`FINDINGS_LIMIT`] or with witnesses too large to be shown.
    /// What is left out is denied only if something else that is denied is not.
    pub left_out: usize,
    /// The work that exploring was, in what evaluations looked at.
    #[doc(hidden)]
    pub work: u64,
}

/// The most findings that are reported.
pub const FINDINGS_LIMIT: usize = 1000;

/// What lints find.
pub fn lint(loaded: &Loaded, levels: &LintLevels) -> LintReport {
    lint_watched(loaded, levels, &mut |_| ())
}

/// The same, and tells `watch` how far it is.
pub fn lint_watched(
    loaded: &Loaded,
    levels: &LintLevels,
    watch: &mut dyn FnMut(Step<'_>),
) -> LintReport {
    let subject = Subject::new(loaded);
    let (surveys, explorer, work) = explored(&subject, levels, Bound::PATIENT, watch);
    let drafts = found(&subject, &surveys, levels);
    LintReport {
        work,
        ..report(drafts, &subject, &explorer)
    }
}

/// The same while a host is compiled, within a bound that keeps the build short, and without witnesses. What
/// it finds holds as well; it leaves more undecided.
pub fn lint_while_building(loaded: &Loaded, levels: &LintLevels) -> LintReport {
    let subject = Subject::new(loaded);
    let (surveys, _, work) = explored(&subject, levels, Bound::BUILDING, &mut |_| ());
    let drafts = found(&subject, &surveys, levels);
    let (drafts, left_out) = draft::most_important(drafts, |_| 0);
    LintReport {
        findings: drafts.into_iter().map(|draft| draft.finding).collect(),
        left_out,
        work,
    }
}

/// The surveys of the entries of each graph; none if no lint wants them.
fn explored<'l>(
    subject: &Subject<'l>,
    levels: &LintLevels,
    bound: Bound,
    watch: &mut dyn FnMut(Step<'_>),
) -> (Vec<Vec<Survey<'l>>>, Explorer<'l>, u64) {
    let mut explorer = Explorer::new(subject.tables);
    let mut surveys: Vec<Vec<Survey<'_>>> = Vec::new();
    surveys.resize_with(subject.tables.graphs.len(), Vec::new);
    let wanted = |&lint: &Lint| lint.is_explored() && levels.of(lint) != LintLevel::Allow;
    if !Lint::ALL.iter().any(wanted) {
        return (surveys, explorer, 0);
    }
    let largest = explorer.largest();
    let count = subject.tables.entries.len();
    let mut number = 0;
    let mut shares = Shares::new(bound, count * QUESTIONS);
    // Called graphs first: how they end is what those that call them have to know.
    for graph in callees_first(&subject.tables) {
        let largest = largest.get(graph as usize).copied().unwrap_or_default();
        for at in subject.entries_of(graph) {
            number += 1;
            let what = format!("exploring graph {}, entry", subject.graph_id(graph));
            watch(Step::counted(&what, number, count));
            let survey = survey(subject, &mut explorer, at, &mut shares, largest);
            if let Some(own) = surveys.get_mut(graph as usize) {
                own.push(survey);
            }
        }
    }
    (surveys, explorer, shares.spent())
}

fn found<'l>(
    subject: &Subject<'l>,
    surveys: &[Vec<Survey<'l>>],
    levels: &LintLevels,
) -> Vec<Draft<'l>> {
    let mut found = Found {
        levels,
        list: Vec::new(),
    };
    for check in LINEAR {
        check(subject, &mut found);
    }
    for check in EXPLORED {
        check(subject, surveys, &mut found);
    }
    found.list
}

/// Looks at the text alone.
type Linear = for<'l> fn(&Subject<'l>, &mut Found<'_, 'l>);

/// Looks at what can happen.
type Explored = for<'l> fn(&Subject<'l>, &[Vec<Survey<'l>>], &mut Found<'_, 'l>);

const LINEAR: [Linear; 9] = [
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

const EXPLORED: [Explored; 8] = [
    facts::contradictory,
    facts::unprovable,
    outcomes::unhandled,
    reach::unreachable,
    repeats::lasting,
    terminals::conflicting,
    terminals::missing_and_stuck,
    undecided::check,
];

/// What has been found so far.
pub(crate) struct Found<'f, 'l> {
    levels: &'f LintLevels,
    list: Vec<Draft<'l>>,
}

impl<'l> Found<'_, 'l> {
    /// Adds a finding if its lint is not allowed.
    fn add(&mut self, lint: Lint, finding: Finding, witness: Option<Shown<'l>>) {
        let level = self.levels.of(lint);
        let own_level = match level {
            LintLevel::Allow => return,
            LintLevel::Warn => Level::Warn,
            LintLevel::Deny => Level::Error,
        };
        let finding = Finding {
            level: own_level,
            ..finding
        };
        self.list.push(Draft {
            finding: LintFinding {
                lint,
                level,
                finding,
                witness: None,
            },
            shown: witness,
        });
    }
}
