//! The evaluation rules of spec 4.2 to 4.9, transcribed round by round.

use std::collections::BTreeSet;

use super::canonical::canonical;
use super::digests::digest_of_text;
use crate::json::{Json, Members};
use crate::model::{Asks, Check, Graph, Kind, Node, Provider, State, Step};

/// What an evaluation comes to.
#[derive(Clone, Debug)]
pub struct NaiveEvaluation {
    /// The evaluation object (spec 1.7); messages hold nothing but the code.
    pub json: Json,
    /// All candidates, best first, as far as an evaluation knows their routes (spec 1.8).
    pub candidates: Json,
}

/// Evaluates; `graph` counts the graphs of the provider, `graph_digest` is its digest. Diagnostic paths get `prefix` in front.
pub fn evaluate(
    provider: &Provider,
    graph_digest: &str,
    graph: usize,
    entry: &str,
    state: &State,
    prefix: &str,
) -> NaiveEvaluation {
    let revision = revision(provider, graph_digest, graph, entry, state);
    let walk = Walk {
        provider,
        state,
        prefix,
        revision: &revision,
    };
    let mut frame = walk.frame(graph, entry, &[], &[]);
    if frame.candidates.len() > 4 {
        let counts = Members::default()
            .with(
                "available",
                Json::Number((frame.candidates.len() - 1) as f64),
            )
            .with("returned", Json::Number(3.0));
        let code = "route-alternatives-truncated";
        frame
            .diagnostics
            .push(diagnostic(code, "info", None, Some(counts.object())));
    }
    let summaries: Vec<Json> = frame
        .candidates
        .iter()
        .map(|c| c.summary(provider))
        .collect();
    let json = Members::default()
        .text("schema", "agent-graph.evaluation.v1")
        .text("provider", &provider.id)
        .text("graph", &provider.graphs[graph].id)
        .text("entry", entry)
        .text("revision", &revision)
        .text("statusCode", frame.status)
        .maybe("outcome", frame.outcome.map(Json::text))
        .maybe("primaryRoute", summaries.first().cloned())
        .with(
            "alternativeRoutes",
            Json::List(summaries.into_iter().skip(1).take(3).collect()),
        )
        .with("diagnostics", Json::List(frame.diagnostics))
        .object();
    let candidates = frame.candidates.iter().map(|c| c.route(provider)).collect();
    NaiveEvaluation {
        json,
        candidates: Json::List(candidates),
    }
}

fn revision(
    provider: &Provider,
    graph_digest: &str,
    graph: usize,
    entry: &str,
    state: &State,
) -> String {
    let outcomes = state
        .outcomes
        .iter()
        .map(|(key, outcome, _)| (key.clone(), Json::text(*outcome)));
    let mut authorities = state.authorities.clone();
    authorities.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    authorities.dedup();
    let value = Members::default()
        .text("provider", graph_digest)
        .text("graphId", &provider.graphs[graph].id)
        .text("entry", entry)
        .with("facts", state.facts.clone())
        .with("outcomes", Json::Object(outcomes.collect()))
        .with("authorities", Json::texts(authorities))
        .object();
    digest_of_text(&canonical(&value))
}

struct Walk<'a> {
    provider: &'a Provider,
    state: &'a State,
    prefix: &'a str,
    revision: &'a str,
}

struct Frame<'a> {
    status: &'static str,
    outcome: Option<&'static str>,
    candidates: Vec<Candidate<'a>>,
    diagnostics: Vec<Json>,
}

#[derive(Clone)]
struct Candidate<'a> {
    route_id: String,
    graph: &'a Graph,
    node: &'a Node,
    call_path: Vec<String>,
    resolution: Option<&'static str>,
}

impl<'a> Walk<'a> {
    fn frame(
        &self,
        graph: usize,
        entry: &str,
        call_path: &[String],
        ancestors: &[usize],
    ) -> Frame<'a> {
        if ancestors.contains(&graph) {
            return Frame::error(diagnostic("graph-recursion", "error", None, None));
        }
        let id = graph;
        let graph = &self.provider.graphs[graph];
        let Some((_, start)) = graph.entries.iter().find(|(name, _)| name == entry) else {
            return Frame::error(diagnostic("entry-missing", "error", None, None));
        };
        let path = Some(format!("{}{}", self.prefix, graph.file));
        let mut reached: Vec<usize> = vec![*start];
        let mut value: Vec<Option<&'static str>> = vec![None; graph.nodes.len()];
        let mut child: Vec<Option<Frame<'a>>> = graph.nodes.iter().map(|_| None).collect();
        let mut diagnostics: Vec<Json> = Vec::new();
        loop {
            let before = (reached.clone(), value.clone());
            for n in reached.clone() {
                if value[n].is_some() {
                    continue;
                }
                let node = &graph.nodes[n];
                if !self.holds(&node.requires) {
                    value[n] = Some("blocked");
                    let code = "required-fact-missing";
                    diagnostics.push(diagnostic(code, "error", path.clone(), None));
                    continue;
                }
                if let Kind::Subgraph(called, called_entry) = &node.kind {
                    let inner = [call_path, &[format!("{}/{}", graph.id, node.id)]].concat();
                    let above = [ancestors, &[id]].concat();
                    child[n] = Some(self.frame(*called, called_entry, &inner, &above));
                }
                value[n] = Some(self.value(graph, node, call_path, child[n].as_ref()));
            }
            for edge in graph.edges.iter().filter(|edge| edge.repeats()) {
                if hits(edge, &reached, &value) {
                    if !reached.contains(&edge.to) {
                        reached.push(edge.to);
                    }
                    if self.holds(&graph.nodes[edge.to].requires) {
                        value[edge.to] = Some("pending");
                    }
                }
            }
            for n in 0..graph.nodes.len() {
                if reached.contains(&n) {
                    continue;
                }
                let incoming: Vec<_> = graph
                    .edges
                    .iter()
                    .filter(|edge| !edge.repeats() && edge.to == n)
                    .collect();
                let hitting = incoming
                    .iter()
                    .filter(|edge| hits(edge, &reached, &value))
                    .count();
                let enough = match graph.nodes[n].join {
                    Some("any") => hitting > 0,
                    _ => hitting > 0 && hitting == incoming.len(),
                };
                if enough {
                    reached.push(n);
                }
            }
            if before == (reached.clone(), value.clone()) {
                break;
            }
        }
        self.close(graph, call_path, &reached, &value, child, diagnostics, path)
    }

    fn value(
        &self,
        graph: &Graph,
        node: &Node,
        call_path: &[String],
        child: Option<&Frame<'_>>,
    ) -> &'static str {
        let key = state_key(graph, node, call_path);
        let recorded = self
            .state
            .outcomes
            .iter()
            .find(|(known, _, _)| *known == key)
            .map(|(_, outcome, _)| *outcome);
        match &node.kind {
            Kind::Terminal(outcome) => recorded.unwrap_or(outcome),
            Kind::Action(step, _) | Kind::Gate(step, _) if !step.satisfied.is_empty() => {
                if self.holds(&step.satisfied) {
                    "completed"
                } else if recorded == Some("completed") {
                    "unverified"
                } else {
                    recorded.unwrap_or("pending")
                }
            }
            Kind::Action(..) | Kind::Gate(..) => recorded.unwrap_or("pending"),
            Kind::Subgraph(..) => match child.map(|frame| (frame.status, frame.outcome)) {
                Some(("complete", Some(outcome))) => outcome,
                Some(("error", _)) | None => "failed",
                Some(("waiting-user", _)) => "waiting-user",
                Some(_) => "pending",
            },
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "the second half of one function of the specification"
    )]
    fn close(
        &self,
        graph: &'a Graph,
        call_path: &[String],
        reached: &[usize],
        value: &[Option<&'static str>],
        mut child: Vec<Option<Frame<'a>>>,
        mut diagnostics: Vec<Json>,
        path: Option<String>,
    ) -> Frame<'a> {
        let mut candidates = Vec::new();
        let mut ends = BTreeSet::new();
        for &n in reached {
            let node = &graph.nodes[n];
            let open = matches!(value[n], Some("pending" | "waiting-user"));
            match &node.kind {
                Kind::Subgraph(..) => {
                    if let Some(frame) = child[n].take()
                        && frame.status != "complete"
                    {
                        candidates.extend(frame.candidates);
                        diagnostics.extend(frame.diagnostics);
                    }
                }
                Kind::Terminal(_) => ends.extend(value[n]),
                Kind::Action(..) if open => {
                    candidates.push(self.candidate(graph, node, call_path, None));
                }
                Kind::Gate(_, gate) if open => {
                    let delegated = gate.delegatable == Some(true)
                        && gate
                            .authority
                            .as_ref()
                            .is_some_and(|a| self.state.authorities.contains(a));
                    let resolution = if delegated {
                        "session-authority"
                    } else {
                        "user"
                    };
                    candidates.push(self.candidate(graph, node, call_path, Some(resolution)));
                }
                Kind::Action(..) | Kind::Gate(..) => {}
            }
        }
        if ends.len() > 1 {
            let detail = Members::default()
                .with("outcomes", Json::texts(ends))
                .object();
            let code = "terminal-outcome-ambiguous";
            diagnostics.push(diagnostic(code, "error", path, Some(detail)));
            return Frame {
                status: "error",
                outcome: None,
                candidates: Vec::new(),
                diagnostics,
            };
        }
        if let Some(&outcome) = ends.first() {
            let outcome = Some(outcome);
            return Frame {
                status: "complete",
                outcome,
                candidates: Vec::new(),
                diagnostics,
            };
        }
        candidates.sort_by(|a, b| {
            let key = |c: &Candidate<'_>| (c.availability() != "immediate", -c.priority());
            key(a)
                .cmp(&key(b))
                .then_with(|| a.route_id.cmp(&b.route_id))
        });
        let status = match candidates.first() {
            Some(first) if first.availability() == "immediate" => "actionable",
            Some(_) => "waiting-user",
            None => "blocked",
        };
        if candidates.is_empty() && diagnostics.is_empty() {
            diagnostics.push(diagnostic("no-route", "error", None, None));
        }
        Frame {
            status,
            outcome: None,
            candidates,
            diagnostics,
        }
    }

    fn candidate(
        &self,
        graph: &'a Graph,
        node: &'a Node,
        call_path: &[String],
        resolution: Option<&'static str>,
    ) -> Candidate<'a> {
        let hashed = Members::default()
            .text("revision", self.revision)
            .text("graph", &graph.id)
            .text("node", &node.id)
            .with("callPath", Json::texts(call_path.iter().cloned()))
            .object();
        let digest = digest_of_text(&canonical(&hashed));
        let route_id = format!("route:{}", &digest["sha256:".len()..][..20]);
        Candidate {
            route_id,
            graph,
            node,
            call_path: call_path.to_vec(),
            resolution,
        }
    }

    fn holds(&self, checks: &[Check]) -> bool {
        checks.iter().all(|check| {
            let found = look_up(&self.state.facts, &check.path);
            match &check.asks {
                Asks::Exists(wanted) => found.is_some() == *wanted,
                Asks::Equals(wanted) => match (found, wanted) {
                    // As doubles, so that minus zero is zero.
                    (Some(Json::Number(found)), Json::Number(wanted)) => found == wanted,
                    (Some(Json::List(_) | Json::Object(_)) | None, _) => false,
                    (Some(found), wanted) => found == wanted,
                },
            }
        })
    }
}

impl<'a> Frame<'a> {
    fn error(diagnostic: Json) -> Self {
        Frame {
            status: "error",
            outcome: None,
            candidates: Vec::new(),
            diagnostics: vec![diagnostic],
        }
    }
}

impl Candidate<'_> {
    fn availability(&self) -> &'static str {
        if self.resolution == Some("user") {
            "requires-user"
        } else {
            "immediate"
        }
    }

    fn priority(&self) -> i32 {
        self.node.priority.unwrap_or(0).into()
    }

    fn members(&self, provider: &Provider) -> Members {
        let (Kind::Action(Step { reason, .. }, _) | Kind::Gate(Step { reason, .. }, _)) =
            &self.node.kind
        else {
            return Members::default();
        };
        let codes = provider.catalog.as_deref().unwrap_or_default();
        let hint = codes
            .iter()
            .find(|(code, _)| code == reason)
            .map(|(_, text)| text);
        let waiting = self.resolution == Some("user");
        Members::default()
            .text("routeId", &self.route_id)
            .text("graph", &self.graph.id)
            .text("node", &self.node.id)
            .text(
                "statusCode",
                if waiting {
                    "waiting-user"
                } else {
                    "actionable"
                },
            )
            .text("reasonCode", reason)
            .maybe("hint", hint.cloned().map(Json::Text))
            .text("availability", self.availability())
    }

    fn summary(&self, provider: &Provider) -> Json {
        let described = self
            .node
            .description
            .as_deref()
            .filter(|text| !text.is_empty());
        self.members(provider)
            .text("label", described.unwrap_or(&self.node.id))
            .object()
    }

    fn route(&self, provider: &Provider) -> Json {
        let key = state_key(self.graph, self.node, &self.call_path);
        let gate = self
            .resolution
            .map(|resolution| Members::default().text("resolution", resolution).object());
        self.members(provider)
            .with("callPath", Json::texts(self.call_path.iter().cloned()))
            .maybe("gate", gate)
            .with(
                "afterAction",
                Members::default().text("recordNode", &key).object(),
            )
            .object()
    }
}

fn hits(edge: &crate::model::Edge, reached: &[usize], value: &[Option<&'static str>]) -> bool {
    reached.contains(&edge.from)
        && value[edge.from].is_some_and(|outcome| edge.outcomes_or_default().contains(&outcome))
}

fn state_key(graph: &Graph, node: &Node, call_path: &[String]) -> String {
    let path = [call_path, std::slice::from_ref(&graph.id)]
        .concat()
        .join(">");
    format!("{path}/{}", node.id)
}

fn look_up<'f>(facts: &'f Json, path: &str) -> Option<&'f Json> {
    path.split('.').try_fold(facts, |at, segment| match at {
        Json::Object(members) => {
            // Later members win, as in any JSON reader.
            members
                .iter()
                .rev()
                .find(|(name, _)| name == segment)
                .map(|(_, value)| value)
        }
        Json::List(items) => {
            let index: usize = segment.parse().ok()?;
            (index.to_string() == segment).then(|| items.get(index))?
        }
        _ => None,
    })
}

fn diagnostic(code: &str, severity: &str, path: Option<String>, detail: Option<Json>) -> Json {
    Members::default()
        .text("code", code)
        .text("severity", severity)
        .text("message", code)
        .maybe("path", path.map(Json::Text))
        .maybe("detail", detail)
        .object()
}
