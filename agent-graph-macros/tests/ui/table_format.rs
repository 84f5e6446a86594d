// What a module says that was generated for a table format of the future.
agent_graph_runtime::generated::table_format!(2, "agent-graph-build 9.0.0");

fn main() {}
