//! The tables as Rust text: one `static` a pool, one row a line with a comment that says whose row it
//! is. The writer is our own because formatters drop comments; the macro lexes the same text, so both
//! front ends have the same rows. Knows the pools, nothing about names.

use agent_graph_runtime::protocol::{Outcome, OutcomeSet};
use agent_graph_runtime::tables::{Tables, Text};

use super::labels::{Labels, comment};
use super::literal::{Literal, Writer, outcomes_name};
use super::naming::Listed;

/// Numbers on one line of the pool of indices.
const NUMBERS_A_LINE: usize = 16;

/// The items of the module `tables`, each line indented by `indent`.
pub(super) fn write(tables: &Tables<'_>, lists: &[Listed], indent: &str) -> String {
    let mut pools = Pools {
        tables,
        writer: Writer::default(),
        indent,
    };
    let labels = Labels::new(tables);
    let text = |text: Text| tables.text(text).to_owned();
    pools.router();
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
    pools.outcome_sets();
    pools.text();
    pools.writer.out
}

struct Pools<'t> {
    tables: &'t Tables<'t>,
    writer: Writer,
    indent: &'t str,
}

impl Pools<'_> {
    /// The tables themselves, which lend the pools.
    fn router(&mut self) {
        let indent = self.indent;
        self.line("pub(super) static TABLES: Tables<'static> = Tables {");
        self.line("    text: TEXT,");
        self.writer.text(format_args!("{indent}    provider: "));
        self.tables.provider.write(&mut self.writer);
        self.writer.out.push_str(",\n");
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
            self.writer
                .text(format_args!("{indent}    {field}: &{pool},\n"));
        }
        self.line("};");
    }

    fn pool<T: Literal>(
        &mut self,
        name: &str,
        row: &str,
        rows: &[T],
        label: impl Fn(u32, &T) -> String,
    ) {
        let indent = self.indent;
        self.open(name, row, rows.len());
        for (index, row) in (0..).zip(rows) {
            self.writer.text(format_args!("{indent}    "));
            row.write(&mut self.writer);
            let label = label(index, row);
            self.writer.text(format_args!(", // {}\n", comment(&label)));
        }
        self.line("];");
    }

    fn numbers(&mut self, name: &str, numbers: &[u32]) {
        let indent = self.indent;
        self.open(name, "u32", numbers.len());
        for line in numbers.chunks(NUMBERS_A_LINE) {
            self.writer.text(format_args!("{indent}   "));
            for number in line {
                self.writer.text(format_args!(" {number},"));
            }
            self.writer.out.push('\n');
        }
        self.line("];");
    }

    /// A constant for each set of outcomes.
    fn outcome_sets(&mut self) {
        self.writer.out.push('\n');
        for bits in std::mem::take(&mut self.writer.outcome_sets) {
            let name = outcomes_name(bits);
            let members: Vec<&str> = Outcome::ALL
                .iter()
                .filter(|outcome| OutcomeSet::from_bits(bits).contains(**outcome))
                .map(|outcome| outcome.as_str())
                .collect();
            self.line(&format!(
                "const {name}: OutcomeSet = OutcomeSet::from_bits({bits:#04x}); // {}",
                members.join(", ")
            ));
        }
    }

    /// The text pool, one text a line. A backslash at the end of a line joins it with the next one.
    fn text(&mut self) {
        let indent = self.indent;
        let starts = std::mem::take(&mut self.writer.text_starts);
        self.writer.out.push('\n');
        self.line("static TEXT: &str = \"\\");
        let mut rest = self.tables.text;
        let mut offset = 0;
        for start in starts.into_iter().chain([u32::MAX]) {
            let length = (start as usize).saturating_sub(offset).min(rest.len());
            let Some((piece, behind)) = rest.split_at_checked(length) else {
                continue;
            };
            if piece.is_empty() {
                continue;
            }
            rest = behind;
            offset += length;
            self.writer
                .text(format_args!("{indent}    {}\\\n", escape(piece)));
        }
        self.line("\";");
    }

    fn open(&mut self, name: &str, row: &str, length: usize) {
        let indent = self.indent;
        self.writer.text(format_args!(
            "\n{indent}pub(super) static {name}: [{row}; {length}] = [\n"
        ));
    }

    fn line(&mut self, line: &str) {
        let indent = self.indent;
        self.writer.text(format_args!("{indent}{line}\n"));
    }
}

/// The text as a piece of a string literal that follows a joined line: the joint swallows spaces, so
/// one at the beginning is escaped.
fn escape(piece: &str) -> String {
    let (space, piece) = match piece.strip_prefix(' ') {
        Some(rest) => ("\\x20", rest),
        None => ("", piece),
    };
    // Quotes of the kind that does not delimit the literal stay as they are.
    let mut escaped = String::from(space);
    for character in piece.chars() {
        match character {
            '\'' => escaped.push('\''),
            other => escaped.extend(other.escape_debug()),
        }
    }
    escaped
}
