//! What an evaluation says, untyped and typed. Knows the answer in table rows and turns it into names;
//! how the answer came about is the evaluator's matter, how it is written to JSON is that of `wire`.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use crate::candidate::Candidate;
use crate::diagnostic::Diagnostic;
use crate::digest::Digest;
use crate::evaluate::Remark;
use crate::evaluator::{Answer, LISTED_ALTERNATIVES};
use crate::json::{Object, Value};
use crate::protocol::{Outcome, OutcomeSet, Severity, Status};
use crate::provider::Provider;
use crate::tables::Tables;
use crate::typed::{Graph, Untyped};

/// An evaluation that owns its answer: no lifetime, cheap to clone, `Send + Sync` (spec 1.7).
///
/// `G` is [`Untyped`], or the graph of a compiled-in provider, whose steps have names.
/// It serializes to `agent-graph.evaluation.v1`.
pub struct Evaluation<G: Graph = Untyped> {
    provider: Provider,
    answer: Arc<Answer>,
    root: Option<Arc<str>>,
    graph: PhantomData<fn() -> G>,
}

impl<G: Graph> Clone for Evaluation<G> {
    fn clone(&self) -> Self {
        Self {
            provider: self.provider.clone(),
            answer: Arc::clone(&self.answer),
            root: self.root.clone(),
            graph: PhantomData,
        }
    }
}

impl Evaluation<Untyped> {
    pub(crate) fn new(provider: Provider, answer: Arc<Answer>) -> Self {
        Self {
            provider,
            answer,
            root: None,
            graph: PhantomData,
        }
    }

    /// The same evaluation with compiled-in names, if the evaluated graph has the id, the node ids and
    /// kinds and the call structure that were compiled in. The order in which nodes are written does not
    /// matter, nor does anything else of the provider: a fixed workflow can be updated without a rebuild.
    ///
    /// # Errors
    ///
    /// The evaluation itself, where the names do not fit.
    pub fn typed<G: Graph>(self) -> Result<Evaluation<G>, Self> {
        if self.lend().fits::<G>() {
            Ok(self.assume_typed())
        } else {
            Err(self)
        }
    }

    pub(crate) fn assume_typed<G: Graph>(self) -> Evaluation<G> {
        Evaluation {
            provider: self.provider,
            answer: self.answer,
            root: self.root,
            graph: PhantomData,
        }
    }
}

impl<G: Graph> Evaluation<G> {
    /// The evaluation, lent.
    pub fn lend(&self) -> EvaluationRef<'_, G> {
        EvaluationRef {
            provider: &self.provider,
            answer: &self.answer,
            root: self.root.as_deref(),
            graph: PhantomData,
        }
    }

    /// The evaluation with absolute paths in its diagnostics.
    #[cfg(feature = "routes")]
    #[must_use]
    pub fn located_in(mut self, installed: &crate::installed::Installed) -> Self {
        self.root = Some(installed.root_text());
        self
    }

    /// The provider that was evaluated.
    pub fn provider(&self) -> &Provider {
        &self.provider
    }

    /// The id of the evaluated graph.
    pub fn graph(&self) -> &str {
        self.lend().graph()
    }

    /// The entry that was asked for.
    pub fn entry(&self) -> &str {
        &self.answer.entry
    }

    /// The digest of definitions and routing input (spec 2.5).
    pub fn revision(&self) -> Digest {
        self.answer.revision
    }

    /// What the evaluation says as a whole.
    pub fn status(&self) -> Status {
        self.answer.found.status
    }

    /// The outcome of the graph; present exactly when the status is `complete`.
    pub fn outcome(&self) -> Option<Outcome> {
        self.answer.found.outcome
    }

    /// What to do next.
    pub fn progress(&self) -> Progress<'_, G> {
        self.lend().progress()
    }

    /// Every candidate, best first. The wire form lists only the first four.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate<'_, G>> {
        self.lend().candidates()
    }

    /// The best candidate.
    pub fn primary(&self) -> Option<Candidate<'_, G>> {
        self.lend().primary()
    }

    /// The candidates behind the primary one that the wire form lists, at most three.
    pub fn alternatives(&self) -> impl Iterator<Item = Candidate<'_, G>> {
        self.lend().alternatives()
    }

    /// What there is to say beside the result (spec 4.9), in order.
    pub fn diagnostics(&self) -> impl ExactSizeIterator<Item = Diagnostic> {
        self.lend().diagnostics()
    }
}

impl<G: Graph> fmt::Debug for Evaluation<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.lend(), f)
    }
}

/// An evaluation whose answer is lent by an [`Evaluator`](crate::Evaluator) or an [`Evaluation`].
pub struct EvaluationRef<'e, G: Graph = Untyped> {
    provider: &'e Provider,
    answer: &'e Answer,
    root: Option<&'e str>,
    graph: PhantomData<fn() -> G>,
}

impl<G: Graph> Clone for EvaluationRef<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Graph> Copy for EvaluationRef<'_, G> {}

impl<'e> EvaluationRef<'e, Untyped> {
    pub(crate) fn new(provider: &'e Provider, answer: &'e Answer, root: Option<&'e str>) -> Self {
        Self {
            provider,
            answer,
            root,
            graph: PhantomData,
        }
    }

    /// Like [`Evaluation::typed`].
    ///
    /// # Errors
    ///
    /// The evaluation itself, where the names do not fit.
    pub fn typed<G: Graph>(self) -> Result<EvaluationRef<'e, G>, Self> {
        if self.fits::<G>() {
            let Self {
                provider,
                answer,
                root,
                ..
            } = self;
            Ok(EvaluationRef {
                provider,
                answer,
                root,
                graph: PhantomData,
            })
        } else {
            Err(self)
        }
    }

    fn fits<G: Graph>(self) -> bool {
        let tables = self.provider.tables();
        let graph = tables.row(tables.graphs, self.answer.graph);
        G::fits(tables.text(graph.id), &graph.shape)
    }
}

impl<'e, G: Graph> EvaluationRef<'e, G> {
    pub(crate) fn answer(&self) -> &'e Answer {
        self.answer
    }

    /// The provider that was evaluated.
    pub fn provider(&self) -> &'e Provider {
        self.provider
    }

    /// The id of the evaluated graph.
    pub fn graph(&self) -> &'e str {
        let tables = self.provider.tables();
        tables.text(tables.row(tables.graphs, self.answer.graph).id)
    }

    /// The entry that was asked for.
    pub fn entry(&self) -> &'e str {
        &self.answer.entry
    }

    /// The digest of definitions and routing input (spec 2.5).
    pub fn revision(&self) -> Digest {
        self.answer.revision
    }

    /// What the evaluation says as a whole.
    pub fn status(&self) -> Status {
        self.answer.found.status
    }

    /// The outcome of the graph; present exactly when the status is `complete`.
    pub fn outcome(&self) -> Option<Outcome> {
        self.answer.found.outcome
    }

    /// What to do next.
    pub fn progress(&self) -> Progress<'e, G> {
        match (self.status(), self.primary(), self.outcome()) {
            (Status::Actionable, Some(route), _) => Progress::Actionable(route),
            (Status::WaitingUser, Some(route), _) => Progress::WaitingUser(route),
            (Status::Complete, _, Some(outcome)) => Progress::Complete(outcome),
            (Status::Blocked, ..) => Progress::Blocked,
            _ => Progress::Error,
        }
    }

    /// Every candidate, best first. The wire form lists only the first four.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate<'e, G>> + use<'e, G> {
        let evaluation = *self;
        // Every candidate has a step: the types fit the graph, or there would be no evaluation of `G`.
        self.answer
            .candidates
            .iter()
            .filter_map(move |ranked| Candidate::new(evaluation, ranked))
    }

    /// The best candidate.
    pub fn primary(&self) -> Option<Candidate<'e, G>> {
        self.candidates().next()
    }

    /// The candidates behind the primary one that the wire form lists, at most three.
    pub fn alternatives(&self) -> impl Iterator<Item = Candidate<'e, G>> + use<'e, G> {
        self.candidates().skip(1).take(LISTED_ALTERNATIVES)
    }

    /// What there is to say beside the result (spec 4.9), in order.
    pub fn diagnostics(&self) -> impl ExactSizeIterator<Item = Diagnostic> + use<'e, G> {
        let evaluation = *self;
        self.answer
            .found
            .remarks
            .iter()
            .map(move |remark| evaluation.diagnostic(remark))
    }

    fn diagnostic(&self, remark: &Remark) -> Diagnostic {
        let tables = self.provider.tables();
        let graph_of = |frame: u32| {
            self.answer
                .found
                .frames
                .get(frame as usize)
                .map(|frame| frame.graph)
        };
        let id = |node: u32| tables.text(tables.row(tables.nodes, node).id);
        match *remark {
            Remark::RequiredFactMissing { frame, node } => Diagnostic {
                path: graph_of(frame).map(|graph| self.graph_path(&tables, graph)),
                ..Diagnostic::error(
                    "required-fact-missing",
                    alloc::format!("a fact that node `{}` requires does not hold", id(node)),
                )
            },
            Remark::TerminalOutcomeAmbiguous { frame, outcomes } => Diagnostic {
                path: graph_of(frame).map(|graph| self.graph_path(&tables, graph)),
                detail: Some(ambiguous_detail(outcomes)),
                ..Diagnostic::error(
                    "terminal-outcome-ambiguous",
                    "terminals with different outcomes were reached".into(),
                )
            },
            Remark::NoRoute => Diagnostic::error("no-route", "no node can be next".into()),
            Remark::Refused => {
                let refused = self.answer.refused.as_ref();
                let code = refused.map_or("unexpected-error", |error| error.code().as_str());
                let message = refused.map_or("", |error| error.message());
                Diagnostic::error(code, message.into())
            }
            Remark::EntryMissing => Diagnostic::error(
                "entry-missing",
                alloc::format!("graph `{}` has no entry `{}`", self.graph(), self.entry()),
            ),
            Remark::GraphRecursion { node } => Diagnostic::error(
                "graph-recursion",
                alloc::format!("node `{}` calls a graph that is being evaluated", id(node)),
            ),
            Remark::AlternativesTruncated { available } => Diagnostic {
                severity: Severity::Info,
                detail: Some(truncated_detail(available)),
                ..Diagnostic::error(
                    "route-alternatives-truncated",
                    alloc::format!(
                        "{available} alternatives exist, {LISTED_ALTERNATIVES} are listed"
                    ),
                )
            },
        }
    }

    /// Absolute where the provider is installed, else relative to the manifest.
    fn graph_path(&self, tables: &Tables<'_>, graph: u32) -> String {
        let path = tables.file_path(tables.row(tables.graphs, graph).file);
        match self.root {
            Some(root) => alloc::format!("{root}/{path}"),
            None => path.into(),
        }
    }
}

impl<G: Graph> fmt::Debug for EvaluationRef<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluation")
            .field("graph", &self.graph())
            .field("entry", &self.entry())
            .field("revision", &self.revision())
            .field("status", &self.status())
            .field("outcome", &self.outcome())
            .field(
                "candidates",
                &self
                    .candidates()
                    .map(|candidate| candidate.record_node())
                    .collect::<Vec<_>>(),
            )
            .finish()
    }
}

/// What a host does next.
#[derive(Debug)]
pub enum Progress<'e, G: Graph = Untyped> {
    /// Take this route.
    Actionable(Candidate<'e, G>),
    /// Ask a person to resolve this gate.
    WaitingUser(Candidate<'e, G>),
    /// Nothing can be next until facts or outcomes change; the diagnostics say more.
    Blocked,
    /// The graph has ended.
    Complete(Outcome),
    /// The question has no answer; the diagnostics say why.
    Error,
}

fn ambiguous_detail(outcomes: OutcomeSet) -> Value {
    let mut names: Vec<&str> = outcomes.iter().map(Outcome::as_str).collect();
    names.sort_unstable();
    let names = names
        .into_iter()
        .map(|name| Value::String(name.into()))
        .collect();
    Value::Object(Object::from_iter([("outcomes", Value::Array(names))]))
}

fn truncated_detail(available: u32) -> Value {
    let listed = u32::try_from(LISTED_ALTERNATIVES).unwrap_or(u32::MAX);
    Value::Object(Object::from_iter([
        ("available", Value::Number(available.into())),
        ("returned", Value::Number(listed.into())),
    ]))
}
