//! The tables as Rust text: one `static` a pool, one row a line with a comment that says whose row it
//! is. The writer is our own because formatters drop comments; the macro lexes the same text, so both
//! front ends have the same rows. Knows the pools, nothing about names.

use agent_graph_runtime::protocol::{Outcome, OutcomeSet};
use agent_graph_runtime::tables::{Tables, Text};

use super::labels::Labels;
use super::literal::{Literal, Writer, outcomes_name};
use super::naming::Listed;
use super::pools::Pools;

/// The items of the module `tables`, each line indented by `indent`.
pub(super) fn write(tables: &Tables<'_>, lists: &[Listed], indent: &str) -> String {
    let mut pools = Pools {
        text: tables.text,
        writer: Writer::default(),
        indent,
    };
    let labels = Labels::new(tables);
    let text = |text: Text| tables.text(text).to_owned();
    router(tables, &mut pools);
    pools.pool("GRAPHS", "GraphRow", tables.graphs, |_, row| text(row.id));
    pools.pool("ENTRIES", "EntryRow", tables.entries, |index, _| {
        labels.entry(index)
    });
    pools.pool("NODES", "NodeRow", tables.nodes, |_, row| labels.node(row));
    pools.pool("STEPS", "StepRow", tables.steps, |index, _| {
        labels.step(index)
    });
    pools.pool("GATES", "GateRow", tables.gates, |index, _| {
        labels.gate(index)
    });
    pools.pool(
        "DELEGATIONS",
        "DelegatedRow",
        tables.delegations,
        |index, _| labels.delegation(index),
    );
    pools.pool("CALLS", "CallRow", tables.calls, |index, _| {
        labels.call(index)
    });
    pools.pool("EDGES", "EdgeRow", tables.edges, |_, row| {
        labels.edge(row.from, row.to)
    });
    pools.pool("CHECKS", "CheckRow", tables.checks, |_, row| text(row.path));
    pools.pool("SEGMENTS", "SegmentRow", tables.segments, |_, row| {
        text(row.name)
    });
    pools.pool("ACTIONS", "ActionRow", tables.actions, |_, row| {
        text(row.id)
    });
    pools.pool("RESOURCES", "ResourceRow", tables.resources, |_, row| {
        text(row.id)
    });
    pools.pool("CODES", "CodeRow", tables.codes, |_, row| text(row.code));
    pools.pool("FILES", "FileRow", tables.files, |_, row| text(row.path));
    pools.pool("TEXTS", "Text", tables.texts, |_, row| text(*row));
    pools.numbers("LISTS", tables.lists);
    for list in lists {
        pools.pool(list.kind.pool, "Text", &list.texts, |_, row| text(*row));
    }
    outcome_sets(&mut pools);
    pools.text_pool();
    pools.writer.out
}

/// The tables themselves, which lend the pools.
fn router(tables: &Tables<'_>, pools: &mut Pools<'_>) {
    let indent = pools.indent;
    pools.line("pub(super) static TABLES: Tables<'static> = Tables {");
    pools.line("    text: TEXT,");
    pools.writer.text(format_args!("{indent}    provider: "));
    tables.provider.write(&mut pools.writer);
    pools.writer.out.push_str(",\n");
    for (field, pool) in [
        ("graphs", "GRAPHS"),
        ("entries", "ENTRIES"),
        ("nodes", "NODES"),
        ("steps", "STEPS"),
        ("gates", "GATES"),
        ("delegations", "DELEGATIONS"),
        ("calls", "CALLS"),
        ("edges", "EDGES"),
        ("checks", "CHECKS"),
        ("segments", "SEGMENTS"),
        ("actions", "ACTIONS"),
        ("resources", "RESOURCES"),
        ("codes", "CODES"),
        ("files", "FILES"),
        ("texts", "TEXTS"),
        ("lists", "LISTS"),
    ] {
        pools
            .writer
            .text(format_args!("{indent}    {field}: &{pool},\n"));
    }
    pools.line("};");
}

/// A constant for each set of outcomes.
fn outcome_sets(pools: &mut Pools<'_>) {
    pools.writer.out.push('\n');
    for bits in std::mem::take(&mut pools.writer.outcome_sets) {
        let name = outcomes_name(bits);
        let members: Vec<&str> = Outcome::ALL
            .iter()
            .filter(|outcome| OutcomeSet::from_bits(bits).contains(**outcome))
            .map(|outcome| outcome.as_str())
            .collect();
        pools.line(&format!(
            "const {name}: OutcomeSet = OutcomeSet::from_bits({bits:#04x}); // {}",
            members.join(", ")
        ));
    }
}
