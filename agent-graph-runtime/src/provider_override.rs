//! A provider from disk in place of the compiled-in one, for development: generated code with `override_env`
//! asks here what to serve. Knows when the two have the same shape, nothing about what is served then.
//!
//! The variable is looked at once, and so is the disk: what a process serves does not change under it.

use alloc::format;
use alloc::string::String;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

use crate::code::Code;
use crate::error::Error;
use crate::provider::Provider;
use crate::tables::{GraphRow, Tables};

/// What to serve in place of a provider that is compiled in.
#[derive(Debug)]
pub struct Override {
    variable: &'static str,
    compiled: Provider,
    served: OnceLock<Result<Provider, Error>>,
}

impl Override {
    /// Serves the provider whose manifest the environment variable names, if it is set, else `compiled`.
    pub const fn new(variable: &'static str, compiled: Provider) -> Self {
        Self {
            variable,
            compiled,
            served: OnceLock::new(),
        }
    }

    /// The provider to serve.
    ///
    /// # Errors
    ///
    /// [`Code::ProviderOverrideInvalid`] when the variable names a provider that does not load or has another
    /// shape. The compiled-in one is not served then: nobody would notice.
    pub fn provider(&self) -> Result<Provider, Error> {
        let served = self.served.get_or_init(|| {
            let path = std::env::var_os(self.variable);
            served(self.variable, path.as_deref(), &self.compiled)
        });
        served.clone()
    }
}

/// What is served if the variable has this value.
fn served(variable: &str, path: Option<&OsStr>, compiled: &Provider) -> Result<Provider, Error> {
    let Some(path) = path.filter(|path| !path.is_empty()) else {
        return Ok(compiled.clone());
    };
    let path = Path::new(path);
    let invalid = |problem: &str| {
        let message = format!("{variable} names {}, {problem}", path.display());
        Error::new(Code::ProviderOverrideInvalid, message)
    };
    let provider = Provider::load(path)
        .map_err(|findings| invalid(&format!("which does not load:\n{}", findings.rendered())))?;
    match difference(&compiled.tables(), &provider.tables()) {
        None => Ok(provider),
        Some(difference) => Err(invalid(&format!(
            "whose shape is not the one that was compiled in: {difference}"
        ))),
    }
}

/// The first thing that the compiled-in names would not fit.
fn difference(compiled: &Tables<'_>, served: &Tables<'_>) -> Option<String> {
    let id = |tables: &Tables<'_>| String::from(tables.text(tables.provider.id));
    if id(compiled) != id(served) {
        return Some(format!(
            "it is provider `{}`, not `{}`",
            id(served),
            id(compiled)
        ));
    }
    let graphs = compiled.graphs.iter();
    graphs
        .filter_map(|graph| different_graph(compiled, graph, served))
        .next()
}

fn different_graph(compiled: &Tables<'_>, graph: &GraphRow, served: &Tables<'_>) -> Option<String> {
    let id = compiled.text(graph.id);
    let Some(index) = served.graph(id) else {
        return Some(format!("it has no graph `{id}`"));
    };
    if served.row(served.graphs, index).shape != graph.shape {
        return Some(format!("graph `{id}` has other nodes, kinds or calls"));
    }
    let entries = compiled.rows(compiled.entries, graph.entries).iter();
    entries
        .map(|entry| compiled.text(entry.name))
        .find(|name| served.entry(index, name).is_none())
        .map(|name| format!("graph `{id}` has no entry `{name}`"))
}
