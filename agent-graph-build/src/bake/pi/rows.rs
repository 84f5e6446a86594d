//! The tables of a pi-graph as Rust text. Knows the pools, nothing about names.

use agent_graph_runtime::pi::tables::{Tables, Text};
use agent_graph_runtime::pi::words::NodeType;

use super::super::literal::{Literal as _, Writer};
use super::super::pools::Pools;
use super::names::Naming;

/// The items of the module `tables`, each line indented by `indent`.
pub(super) fn write(tables: &Tables<'_>, naming: &Naming, indent: &str) -> String {
    let mut pools = Pools {
        text: tables.text,
        writer: Writer::default(),
        indent,
    };
    let text = |text: Text| tables.text(text).to_owned();
    let path = |row: u32| text(tables.row(tables.paths, row).written);
    let node = |row: u32| text(tables.row(tables.nodes, row).id);
    head(tables, &mut pools);
    pools.pool("NODES", "NodeRow", tables.nodes, |_, row| text(row.id));
    pools.pool("AGENTS", "AgentRow", tables.agents, |index, _| {
        let mut nodes = tables.nodes.iter();
        let own = nodes.find(|row| row.detail == index && row.node_type == NodeType::Agent);
        own.map_or_else(String::new, |row| text(row.id))
    });
    pools.pool("HUMANS", "HumanRow", tables.humans, |index, _| {
        let mut nodes = tables.nodes.iter();
        let own = nodes.find(|row| row.detail == index && row.node_type == NodeType::Human);
        own.map_or_else(String::new, |row| text(row.id))
    });
    pools.pool(
        "ASSIGNMENTS",
        "AssignmentRow",
        tables.assignments,
        |_, row| path(row.path),
    );
    pools.pool("EDGES", "EdgeRow", tables.edges, |index, row| {
        let from = tables.rows(tables.lists, row.from).iter();
        let from: Vec<String> = from.map(|&row| node(row)).collect();
        format!("edge:{index} from {}", from.join(", "))
    });
    pools.pool("ROUTES", "RouteRow", tables.routes, |_, row| node(row.from));
    pools.pool("CASES", "CaseRow", tables.cases, |_, _| String::new());
    pools.pool("CONDITIONS", "ConditionRow", tables.conditions, |_, _| {
        String::new()
    });
    pools.pool("PATHS", "PathRow", tables.paths, |_, row| text(row.written));
    pools.pool("SEGMENTS", "SegmentRow", tables.segments, |_, _| {
        String::new()
    });
    pools.pool("REDUCERS", "ReducerRow", tables.reducers, |_, row| {
        text(row.path)
    });
    pools.pool(
        "PATH_LIMITS",
        "PathLimitRow",
        tables.path_limits,
        |_, row| path(row.path),
    );
    pools.pool("CHANNELS", "ChannelRow", tables.channels, |_, row| {
        path(row.path)
    });
    pools.pool("TEXTS", "Text", tables.texts, |_, row| text(*row));
    pools.numbers("LISTS", tables.lists);
    for kind in &naming.kinds {
        pools.numbers(kind.pool, &kind.rows);
    }
    pools.text_pool();
    pools.writer.out
}

/// The tables themselves, which lend the pools.
fn head(tables: &Tables<'_>, pools: &mut Pools<'_>) {
    let indent = pools.indent;
    pools.line("pub(super) static TABLES: Tables<'static> = Tables {");
    pools.line("    text: TEXT,");
    pools.writer.text(format_args!("{indent}    graph: "));
    tables.graph.write(&mut pools.writer);
    pools.writer.out.push_str(",\n");
    for (field, pool) in [
        ("nodes", "NODES"),
        ("agents", "AGENTS"),
        ("humans", "HUMANS"),
        ("assignments", "ASSIGNMENTS"),
        ("edges", "EDGES"),
        ("routes", "ROUTES"),
        ("cases", "CASES"),
        ("conditions", "CONDITIONS"),
        ("paths", "PATHS"),
        ("segments", "SEGMENTS"),
        ("reducers", "REDUCERS"),
        ("path_limits", "PATH_LIMITS"),
        ("channels", "CHANNELS"),
        ("texts", "TEXTS"),
        ("lists", "LISTS"),
    ] {
        let line = format!("    {field}: &{pool},");
        pools.line(&line);
    }
    pools.line("};");
}
