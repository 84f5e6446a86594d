//! Findings before they are reported: which ones are, and states made of ways for those. Knows nothing about
//! what is found.

use std::rc::Rc;

use agent_graph_runtime::Outcome;
use agent_graph_runtime::explore::{Explorer, Trail};

use super::paths::Paths;
use super::subject::{EntryAt, Subject};
use super::witness::{Clash, Shows, Witness};
use super::{FINDINGS_LIMIT, LintFinding, LintReport};

/// How many outcomes all the witnesses of a report may record together.
const WITNESSES_LIMIT: u64 = 300_000;

/// A finding, and what will show that it is right.
pub(crate) struct Draft<'t> {
    pub(crate) finding: LintFinding,
    pub(crate) shown: Option<Shown<'t>>,
}

/// What will show that a finding is right.
pub(crate) enum Shown<'t> {
    /// A state that goes a way.
    Way {
        at: EntryAt,
        trail: Rc<Trail<'t>>,
        /// A state key under which `completed` is recorded as well.
        completed: Option<String>,
        shows: Shows,
    },
    /// Two things in the definition of a node, the one to which a path leads.
    Clash { node: u32, clash: Clash },
}

impl<'t> Shown<'t> {
    pub(crate) fn way(at: EntryAt, trail: &Rc<Trail<'t>>, shows: Shows) -> Self {
        Self::Way {
            at,
            trail: Rc::clone(trail),
            completed: None,
            shows,
        }
    }

    fn size(&self, subject: &Subject<'_>, paths: &mut Paths) -> u64 {
        match self {
            Self::Way { trail, .. } => trail.size(),
            Self::Clash { node, .. } => paths.length(subject, *node),
        }
    }

    fn witness(self, subject: &Subject<'_>, explorer: &Explorer<'_>, paths: &mut Paths) -> Witness {
        let (at, trail, completed, shows) = match self {
            Self::Clash { node, clash } => {
                return Witness::Clash {
                    graph: subject.graph_id(subject.node_row(node).graph).to_owned(),
                    path: paths.to(subject, node),
                    clash,
                };
            }
            Self::Way {
                at,
                trail,
                completed,
                shows,
            } => (at, trail, completed, shows),
        };
        let mut state = explorer.state(&trail);
        if let Some(key) = completed {
            // Keys of nodes are made of ids, which no state refuses.
            let _ = state.set_outcome(key, Outcome::Completed);
        }
        Witness::State {
            graph: subject.graph_id(at.graph).to_owned(),
            entry: subject.entry_name(at).to_owned(),
            state: Box::new(state),
            shows,
        }
    }
}

/// As many findings as are reported, what is denied first among those that stay; ordered by file, position
/// and lint. How many are left out.
pub(crate) fn most_important<'t>(
    mut drafts: Vec<Draft<'t>>,
    mut size_of: impl FnMut(&Shown<'t>) -> u64,
) -> (Vec<Draft<'t>>, usize) {
    drafts.sort_by(|a, b| {
        let (a, b) = (&a.finding, &b.finding);
        let place = a.finding.place.cmp(&b.finding.place);
        let message = || a.finding.message.cmp(&b.finding.message);
        place.then(a.lint.cmp(&b.lint)).then_with(message)
    });
    let all = drafts.len();
    // A stable sort: within a level the order stays.
    let mut ranks: Vec<usize> = (0..all).collect();
    ranks.sort_by_key(|&at| {
        drafts
            .get(at)
            .map(|draft| std::cmp::Reverse(draft.finding.level))
    });
    let mut kept = vec![false; all];
    let mut size: u64 = 0;
    for (rank, at) in ranks.into_iter().enumerate().take(FINDINGS_LIMIT) {
        let shown = drafts.get(at).and_then(|draft| draft.shown.as_ref());
        size = size.saturating_add(shown.map_or(0, &mut size_of));
        if rank > 0 && size > WITNESSES_LIMIT {
            break;
        }
        if let Some(kept) = kept.get_mut(at) {
            *kept = true;
        }
    }
    let mut kept = kept.into_iter();
    drafts.retain(|_| kept.next() == Some(true));
    let left_out = all - drafts.len();
    (drafts, left_out)
}

/// Reports findings with their witnesses.
pub(crate) fn report(
    drafts: Vec<Draft<'_>>,
    subject: &Subject<'_>,
    explorer: &Explorer<'_>,
) -> LintReport {
    let mut paths = Paths::default();
    let size_of = |shown: &Shown<'_>| shown.size(subject, &mut paths);
    let (drafts, left_out) = most_important(drafts, size_of);
    let findings = drafts.into_iter().map(|draft| {
        let witness = draft
            .shown
            .map(|shown| shown.witness(subject, explorer, &mut paths));
        LintFinding {
            witness,
            ..draft.finding
        }
    });
    LintReport {
        findings: findings.collect(),
        left_out,
        work: 0,
    }
}
