//! How the rows of a pi-graph are written as Rust, and read back from it. Knows rows and their fields,
//! nothing about graphs.

use agent_graph_runtime::pi::StateError;
use agent_graph_runtime::pi::tables::{
    AgentRow, AssignedFrom, AssignmentRow, CaseRow, ChannelRow, ConditionRow, EdgeRow, GraphRow,
    HumanRow, NodeRow, PathLimitRow, PathRow, ReducerRow, RouteRow, SegmentRow,
};
use agent_graph_runtime::pi::words::{
    Capture, ContextMode, ErrorStrategy, HumanKind, NodeType, Operator, Reducer, ResponseFormat,
    Storage, Thinking, WriteMode,
};

#[cfg(feature = "parse-back")]
use super::super::literal::read;
use super::super::literal::{Literal, Writer, rows, words};

impl Literal for u64 {
    fn write(&self, writer: &mut Writer) {
        writer.text(format_args!("{self}"));
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        read::integer(expression)
    }
}

/// What may be absent, by full path: a host may switch the prelude off.
macro_rules! optional {
    ( $( $value:ty, )+ ) => { $(
        impl Literal for Option<$value> {
            fn write(&self, writer: &mut Writer) {
                match self {
                    None => writer.out.push_str("::core::option::Option::None"),
                    Some(value) => {
                        writer.out.push_str("::core::option::Option::Some(");
                        value.write(writer);
                        writer.out.push(')');
                    }
                }
            }

            #[cfg(feature = "parse-back")]
            fn read(expression: &syn::Expr) -> Result<Self, String> {
                if read::is_path(expression, &["core", "option", "Option", "None"]) {
                    return Ok(None);
                }
                let arguments = read::call(expression, &["core", "option", "Option", "Some"])?;
                read::argument(arguments, 0).map(Some)
            }
        }
    )+ };
}

optional! {
    u64,
    Thinking,
}

/// Enumerations with data: `ConditionRow::Not(3)`.
macro_rules! variants {
    ( $name:ident { $( $variant:ident ( $( $field:ident: $index:literal ),* ), )+ } ) => {
        impl Literal for $name {
            fn write(&self, writer: &mut Writer) {
                match self {
                    $( Self::$variant( $( $field ),* ) => {
                        writer.out.push_str(concat!(stringify!($name), "::", stringify!($variant), "("));
                        $(
                            $field.write(writer);
                            writer.out.push_str(", ");
                        )*
                        writer.out.push(')');
                    } )+
                }
            }

            #[cfg(feature = "parse-back")]
            fn read(expression: &syn::Expr) -> Result<Self, String> {
                $( if let Ok(arguments) = read::call(expression, &[stringify!($name), stringify!($variant)]) {
                    return Ok(Self::$variant( $( read::argument(arguments, $index)? ),* ));
                } )+
                read::unexpected(expression)
            }
        }
    };
}

variants! {
    ConditionRow {
        All(rows: 0),
        Any(rows: 0),
        Not(part: 0),
        Leaf(path: 0, operator: 1, operand: 2),
    }
}

variants! {
    SegmentRow {
        Text(text: 0),
        Path(path: 0),
        Invalid(written: 0, error: 1),
    }
}

impl Literal for AssignedFrom {
    fn write(&self, writer: &mut Writer) {
        writer.out.push_str("AssignedFrom::");
        match self {
            Self::Unset => return writer.out.push_str("Unset"),
            Self::Value(text) => {
                writer.out.push_str("Value(");
                text.write(writer);
            }
            Self::Template(rows) => {
                writer.out.push_str("Template(");
                rows.write(writer);
            }
            Self::Path(path) => {
                writer.out.push_str("Path(");
                path.write(writer);
            }
        }
        writer.out.push(')');
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        if read::is_path(expression, &["AssignedFrom", "Unset"]) {
            return Ok(Self::Unset);
        }
        if let Ok(arguments) = read::call(expression, &["AssignedFrom", "Value"]) {
            return read::argument(arguments, 0).map(Self::Value);
        }
        if let Ok(arguments) = read::call(expression, &["AssignedFrom", "Template"]) {
            return read::argument(arguments, 0).map(Self::Template);
        }
        let arguments = read::call(expression, &["AssignedFrom", "Path"])?;
        read::argument(arguments, 0).map(Self::Path)
    }
}

words! {
    Capture: Capture::ALL,
    ContextMode: ContextMode::ALL,
    ErrorStrategy: ErrorStrategy::ALL,
    HumanKind: HumanKind::ALL,
    NodeType: NodeType::ALL,
    Operator: Operator::ALL,
    Reducer: Reducer::ALL,
    ResponseFormat: ResponseFormat::ALL,
    StateError: StateError::ALL,
    Storage: Storage::ALL,
    Thinking: Thinking::ALL,
    WriteMode: WriteMode::ALL,
}

rows! {
    GraphRow {
        name, description, hash, entry, initial_state, max_steps, max_node_runs, max_concurrency,
        max_cost_usd, max_tokens, timeout_ms, max_state_bytes, max_prompt_bytes,
        allow_non_interactive, allow_non_interactive_mutations, confirm_project_graph,
        confirm_mutating_nodes, is_mutating, has_result_paths, result_paths, include_state,
        result_max_bytes,
    }
    NodeRow {
        id, description, node_type, reads, output, max_attempts, backoff_ms, backoff_multiplier,
        error_strategy, error_targets, error_output, timeout_ms, max_turns, max_tokens,
        max_cost_usd, max_prompt_bytes, idempotent, detail, assignments, route, edges,
    }
    AgentRow {
        is_reviewer, prompt, has_system_prompt, system_prompt, model, thinking, has_tools, tools,
        read_only, cwd, load_extensions, load_skills, load_prompt_templates,
        include_context_files, context, thread_key, messages, max_messages, messages_max_bytes,
        max_message_bytes, max_stored_messages, capture, format, max_bytes, store_output, storage,
        media_type, preview_bytes,
    }
    HumanRow { kind, prompt, has_options, options, pause }
    AssignmentRow { path, source, mode }
    EdgeRow { from, to }
    RouteRow { from, cases, default }
    CaseRow { when, to }
    PathRow { written, segments }
    ReducerRow { path, reducer }
    PathLimitRow { path, max_bytes }
    ChannelRow { path, keep }
}
