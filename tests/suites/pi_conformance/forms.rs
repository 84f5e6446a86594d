//! The compiled-in form of a graph: its tables printed as source and read back. What the vectors ask of a graph
//! that is loaded is asked of this one as well.

use agent_graph_build::Settings;
use agent_graph_build::bake::pi::{module, parse_back};
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::{self, Condition, Graph, Template};
use proc_macro2::{Ident, Span};

/// The graph as it is compiled in.
pub(crate) fn compiled_in(loaded: &Graph) -> Result<Graph, String> {
    let settings = Settings::new(Ident::new("graph", Span::call_site()));
    // Ids that differ by case only need a rename, which says nothing about tables.
    let Ok(baked) = module(&loaded.tables(), &settings) else {
        return Ok(loaded.clone());
    };
    let source = baked.to_source().map_err(|error| error.to_string())?;
    let tables = parse_back::tables(&source)?;
    if tables.as_tables() == loaded.tables() {
        Ok(Graph::from_tables(tables))
    } else {
        Err("the tables differ after printing and reading back".into())
    }
}

/// The condition in a graph that is compiled in; nothing where the protocol refuses such a graph.
pub(crate) fn condition(condition: &Value) -> Option<Result<Condition, String>> {
    let rest = r#""entry":"n","nodes":{"n":{"type":"human","prompt":"?"}}"#;
    let condition = serde_json::to_string(condition).ok()?;
    let routes = format!(r#""routes":[{{"from":"n","cases":[{{"when":{condition},"to":"n"}}]}}]"#);
    let graph = graph(&format!("{rest},{routes}"))?;
    Some(graph.and_then(|graph| {
        let tables = graph.tables();
        let case = tables.cases.first().ok_or("there is no case")?;
        pi::condition_in(&tables, case.when).map_err(|error| error.to_string())
    }))
}

/// The template in a graph that is compiled in.
pub(crate) fn template(template: &str) -> Option<Result<Template, String>> {
    let template = serde_json::to_string(template).ok()?;
    let graph = graph(&format!(
        r#""entry":"n","nodes":{{"n":{{"type":"set","assign":[{{"path":"p","template":{template}}}]}}}}"#
    ))?;
    Some(graph.and_then(|graph| {
        let tables = graph.tables();
        let assignment = tables.assignments.first().ok_or("there is no assignment")?;
        match assignment.source {
            pi::tables::AssignedFrom::Template(rows) => Ok(pi::template_in(&tables, rows)),
            _ => Err("the source is no template".into()),
        }
    }))
}

/// A graph with these reducers that is compiled in; nothing where the protocol refuses a path.
pub(crate) fn reducers(reducers: &Object) -> Option<Result<Graph, String>> {
    let reducers = serde_json::to_string(reducers).ok()?;
    graph(&format!(
        r#""entry":"n","nodes":{{"n":{{"type":"human","prompt":"?"}}}},"reducers":{reducers}"#
    ))
}

fn graph(members: &str) -> Option<Result<Graph, String>> {
    let text = format!(r#"{{"schemaVersion":2,"name":"x","limits":{{}},{members}}}"#);
    let loaded = pi::parse("x.json".into(), text.as_bytes()).ok()?;
    Some(compiled_in(&loaded.graph()))
}
