//! `pi validate`: every file that is asked for, right or wrong, in one answer.

use agent_graph_runtime::Findings;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::PiFindings;
use agent_graph_runtime::pi::discover::DiscoveryProblem;
use clap::ArgMatches;
use std::path::Path;

use super::report;
use super::select::{Looked, Selected, Where};
use crate::cli::answer::{Answer, Lines, object};
use crate::cli::context::absolute;
use crate::cli::failure::Failure;

/// What is to be said: about each graph, and about the places where graphs were looked for.
#[derive(Default)]
struct Verdict {
    graphs: Vec<Value>,
    problems: Vec<Value>,
    human: Lines,
    wrong: usize,
}

pub(super) fn run(matches: &ArgMatches) -> Result<Answer, Failure> {
    let place = Where::of(matches)?;
    let names: Vec<&String> = matches.get_many("graph").into_iter().flatten().collect();
    let mut verdict = Verdict::default();
    if names.is_empty() {
        let found = place.discover();
        for graph in found.graphs {
            verdict.right(&Selected::of(graph));
        }
        for problem in &found.problems {
            verdict.problem(problem);
        }
    }
    for name in names {
        match place.look(name) {
            Looked::Right(selected) => verdict.right(&selected),
            Looked::Wrong(path, findings) => {
                verdict.wrong(&path, &findings, findings.to_findings());
            }
            Looked::Missing(failure) => verdict.missing(name, &failure),
        }
    }
    Ok(verdict.answer())
}

impl Verdict {
    fn right(&mut self, selected: &Selected) {
        self.say(|human| {
            let warnings = selected.warnings().into_iter();
            warnings.fold(human.label("Valid", selected.line()), |human, warning| {
                human.label("Warning", warning)
            })
        });
        let mut json = object([("state", "valid".into())]);
        json.extend(selected.json());
        json.insert("diagnostics", report::diagnostics(&selected.loaded));
        json.insert("warnings", report::warnings(&selected.loaded));
        self.graphs.push(Value::Object(json));
    }

    fn wrong(&mut self, path: &Path, findings: &PiFindings, shown: Findings) {
        self.wrong += 1;
        let shown = report::with_lines(shown, path);
        self.say(|human| {
            let human = human.label("Invalid", path.display());
            human.findings(shown.list().to_vec(), shown.texts().clone())
        });
        let path = absolute(path).unwrap_or_else(|_| path.display().to_string());
        let mut json = invalid("path", path, report::wrong(findings));
        if let Some(edits) = report::migration(findings) {
            json.insert("migration", edits);
        }
        self.graphs.push(Value::Object(json));
    }

    fn missing(&mut self, name: &str, failure: &Failure) {
        self.wrong += 1;
        self.say(|human| human.label("Invalid", format!("{name}: {}", failure.message)));
        let diagnostic = report::without_place(failure);
        let json = invalid("name", name.to_owned(), Value::Array(vec![diagnostic]));
        self.graphs.push(Value::Object(json));
    }

    fn problem(&mut self, problem: &DiscoveryProblem) {
        let shown = problem.to_findings();
        if let DiscoveryProblem::File { path, findings } = problem {
            self.wrong(path, findings, shown);
            return;
        }
        let label = if problem.is_error() {
            self.wrong += 1;
            "Problem"
        } else {
            "Warning"
        };
        self.say(|human| human.label(label, shown));
        self.problems.push(report::problem(problem));
    }

    fn say(&mut self, more: impl FnOnce(Lines) -> Lines) {
        self.human = more(std::mem::take(&mut self.human));
    }

    fn answer(mut self) -> Answer {
        if self.graphs.is_empty() {
            self.say(|human| {
                human.line("There are no graphs: name a file, or see `agent-graph pi --help`.")
            });
        }
        let state = if self.wrong == 0 { "valid" } else { "invalid" };
        let json = object([
            ("state", state.into()),
            ("graphs", Value::Array(self.graphs)),
            ("problems", Value::Array(self.problems)),
        ]);
        Answer {
            success: self.wrong == 0,
            ..Answer::new(json, self.human)
        }
    }
}

fn invalid(what: &str, which: String, diagnostics: Value) -> Object {
    object([
        ("state", "invalid".into()),
        (what, which.into()),
        ("diagnostics", diagnostics),
    ])
}
