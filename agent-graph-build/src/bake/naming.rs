//! The names of everything a provider has: which ids share a scope, and what is wrong when a scope
//! cannot have different names. Knows the tables and the naming rule, nothing about tokens.

use std::sync::Arc;

use agent_graph_runtime::ordered::{self, Set};
use agent_graph_runtime::tables::{GraphRow, NONE, Tables, Text};
use agent_graph_runtime::{Code, Finding, Findings, Place};

use crate::names::{self, Case, Clash, Renames};

/// More nodes than the discriminants of an enumeration can tell apart.
const MOST_NAMES: usize = 65_535;

/// Names in the order of the rows they belong to.
pub(super) struct Naming {
    /// Module of each graph.
    pub(super) graphs: Vec<String>,
    /// Variants of the entries, graph by graph.
    pub(super) entries: Vec<Vec<String>>,
    /// Variants of the nodes, graph by graph.
    pub(super) nodes: Vec<Vec<String>>,
    /// What no pool lists: handlers, authorities, reason codes.
    pub(super) lists: Vec<Listed>,
}

/// Texts that no pool lists, each once, ordered by their bytes, with a variant for each.
pub(super) struct Listed {
    pub(super) kind: ListKind,
    pub(super) texts: Vec<Text>,
    /// For each text, a description.
    pub(super) descriptions: Vec<Text>,
    pub(super) names: Vec<String>,
}

/// What a list is called.
pub(super) struct ListKind {
    /// The enumeration.
    pub(super) enumeration: &'static str,
    /// The static list in the module `tables`.
    pub(super) pool: &'static str,
    /// One of its texts.
    pub(super) singular: &'static str,
    /// All of its texts.
    pub(super) plural: &'static str,
    /// What the enumeration is for.
    pub(super) sentence: &'static str,
}

const HANDLERS: ListKind = ListKind {
    enumeration: "Handler",
    pool: "HANDLERS",
    singular: "handler",
    plural: "handlers of the provider",
    sentence: "The handlers that host actions name.",
};

const AUTHORITIES: ListKind = ListKind {
    enumeration: "Authority",
    pool: "AUTHORITIES",
    singular: "authority",
    plural: "authorities of the provider",
    sentence: "The authorities that gates name.",
};

const REASON_CODES: ListKind = ListKind {
    enumeration: "ReasonCode",
    pool: "REASON_CODES",
    singular: "reason code",
    plural: "reason codes of the provider",
    sentence: "The reasons for which a route is offered.",
};

/// Names everything, or says which ids cannot be told apart.
pub(super) fn name(tables: &Tables<'_>, renames: &Renames) -> Result<Naming, Findings> {
    let mut scopes = Scopes {
        tables,
        renames,
        used: Set::new(),
        findings: Vec::new(),
    };
    scopes.count("nodes", tables.nodes.len());
    scopes.count("graphs", tables.graphs.len());
    scopes.count("entries", tables.entries.len());
    let manifest = scopes.manifest();
    let ids: Vec<&str> = tables
        .graphs
        .iter()
        .map(|row| tables.text(row.id))
        .collect();
    let graphs = scopes.scope("graphs of the provider", &manifest, &ids, Case::Module);
    let mut entries = Vec::new();
    let mut nodes = Vec::new();
    for graph in tables.graphs {
        entries.push(scopes.entries(graph));
        nodes.push(scopes.nodes(graph));
    }
    let handlers = tables.actions.iter().map(|row| (row.handler, Text::NONE));
    let authorities = tables.gates.iter().map(|row| (row.authority, Text::NONE));
    let reason_codes = tables.steps.iter().map(|row| {
        let code = tables.row(tables.codes, row.code);
        (row.reason, code.summary)
    });
    let lists = vec![
        scopes.listed(HANDLERS, handlers),
        scopes.listed(AUTHORITIES, authorities),
        scopes.listed(REASON_CODES, reason_codes),
    ];
    scopes.unused_renames(&manifest);
    let mut findings = scopes.findings.into_iter();
    match findings.next() {
        Some(first) => Err(Findings::new(first, findings)),
        None => Ok(Naming {
            graphs,
            entries,
            nodes,
            lists,
        }),
    }
}

struct Scopes<'t> {
    tables: &'t Tables<'t>,
    renames: &'t Renames,
    /// Ids with a rename, in the case the rename is for, that have been met.
    used: Set<(String, bool)>,
    findings: Vec<Finding>,
}

impl Scopes<'_> {
    fn entries(&mut self, graph: &GraphRow) -> Vec<String> {
        let tables = self.tables;
        let rows = tables.rows(tables.entries, graph.entries);
        let ids: Vec<&str> = rows.iter().map(|row| tables.text(row.name)).collect();
        let scope = format!("entries of graph `{}`", tables.text(graph.id));
        self.scope(&scope, &self.file(graph.file), &ids, Case::Variant)
    }

    fn nodes(&mut self, graph: &GraphRow) -> Vec<String> {
        let tables = self.tables;
        let rows = tables.rows(tables.nodes, graph.nodes);
        let ids: Vec<&str> = rows.iter().map(|row| tables.text(row.id)).collect();
        let scope = format!("nodes of graph `{}`", tables.text(graph.id));
        self.scope(&scope, &self.file(graph.file), &ids, Case::Variant)
    }

    fn listed(&mut self, kind: ListKind, described: impl Iterator<Item = (Text, Text)>) -> Listed {
        let tables = self.tables;
        let mut described: Vec<_> = described.filter(|(text, _)| text.is_some()).collect();
        ordered::sort_by(&mut described, |(a, _), (b, _)| {
            tables.text(*a).cmp(tables.text(*b))
        });
        described.dedup_by_key(|(text, _)| tables.text(*text));
        let (texts, descriptions): (Vec<Text>, Vec<Text>) = described.into_iter().unzip();
        self.count(kind.plural, texts.len());
        let ids: Vec<&str> = texts.iter().map(|text| tables.text(*text)).collect();
        let names = self.scope(kind.plural, &self.manifest(), &ids, Case::Variant);
        Listed {
            kind,
            texts,
            descriptions,
            names,
        }
    }

    fn scope(&mut self, scope: &str, file: &Place, ids: &[&str], case: Case) -> Vec<String> {
        for id in ids {
            if self.renames.contains_key(*id) {
                self.used.insert(((*id).to_owned(), case == Case::Variant));
            }
        }
        names::names(ids, case, self.renames).unwrap_or_else(|clashes| {
            let findings = clashes.iter().map(|clash| name_clash(scope, file, clash));
            self.findings.extend(findings);
            Vec::new()
        })
    }

    fn count(&mut self, scope: &str, count: usize) {
        if count > MOST_NAMES {
            self.findings.push(Finding::error(
                Code::InputLimit,
                self.manifest(),
                format!("{count} {scope} are more than the {MOST_NAMES} that can be told apart"),
            ));
        }
    }

    fn unused_renames(&mut self, manifest: &Place) {
        for (id, names) in self.renames.iter() {
            for name in names.iter() {
                let case = names::case_of(name);
                if self.used.contains(&(id.clone(), case == Case::Variant)) {
                    continue;
                }
                let what = match case {
                    Case::Variant => "entry, node, handler, authority or reason code",
                    Case::Module => "graph",
                };
                self.findings.push(Finding::error(
                    Code::RenameUnknown,
                    manifest.clone(),
                    format!("`{id}`, which is renamed to `{name}`, is no {what} of the provider"),
                ));
            }
        }
    }

    fn manifest(&self) -> Place {
        self.file(self.tables.provider.manifest)
    }

    fn file(&self, file: u32) -> Place {
        let path = match file {
            NONE => "",
            file => self.tables.file_path(file),
        };
        Place::start_of(Arc::from(path))
    }
}

fn name_clash(scope: &str, file: &Place, clash: &Clash) -> Finding {
    let ids: Vec<String> = clash.ids.iter().map(|id| format!("`{id}`")).collect();
    let finding = Finding::error(
        Code::NameClash,
        file.clone(),
        format!(
            "{} among the {scope} would all be named `{}`",
            ids.join(" and "),
            clash.name
        ),
    );
    match clash.ids.last() {
        Some(id) => finding.with_hint(format!("give one another name: rename(\"{id}\" = ...)")),
        None => finding,
    }
}
