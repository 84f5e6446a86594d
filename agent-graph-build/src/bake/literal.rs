//! How one value of the tables is written as Rust, and read back from it. The two directions stand
//! side by side so that they agree. Knows rows and their fields, nothing about providers.

use std::fmt::{self, Write as _};

use agent_graph_runtime::ordered::Set;
use agent_graph_runtime::protocol::{
    CodeKind, EdgeKind, Effect, Inspection, Join, NodeKind, Outcome, OutcomeSet, ResourceKind,
    Runner, Runtime, Severity, WorkingDirectory,
};
use agent_graph_runtime::tables::{
    ActionRow, CallRow, CheckRow, CodeRow, DelegatedRow, EdgeRow, EntryRow, FileRow, GateRow,
    GraphRow, NONE, NodeRow, ProviderRow, ResourceClass, ResourceRow, Rows, SegmentRow, StepRow,
    Test, Text,
};

/// Where literals are written to.
#[derive(Default)]
pub(super) struct Writer {
    /// The Rust text so far.
    pub(super) out: String,
    /// Where the texts written so far begin in the text pool.
    pub(super) text_starts: Set<u32>,
    /// The sets of outcomes written so far, which need a constant each.
    pub(super) outcome_sets: Set<u8>,
}

impl Writer {
    /// Appends formatted text.
    pub(super) fn text(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.out.write_fmt(text);
    }
}

/// A value that has a Rust literal, given that everything in the runtime's `generated::rows` is in scope.
pub(super) trait Literal: Sized {
    /// Appends the literal.
    fn write(&self, writer: &mut Writer);

    /// The inverse of [`Literal::write`].
    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String>;
}

impl Literal for u32 {
    fn write(&self, writer: &mut Writer) {
        if *self == NONE {
            writer.out.push_str("NONE");
        } else {
            writer.text(format_args!("{self}"));
        }
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        if read::is_path(expression, &["NONE"]) {
            return Ok(NONE);
        }
        read::integer(expression)
    }
}

impl Literal for i16 {
    fn write(&self, writer: &mut Writer) {
        writer.text(format_args!("{self}"));
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        match expression {
            syn::Expr::Unary(unary) => {
                read::integer::<i32>(&unary.expr).and_then(|n| read::narrow(-n))
            }
            other => read::integer(other),
        }
    }
}

impl Literal for bool {
    fn write(&self, writer: &mut Writer) {
        writer.text(format_args!("{self}"));
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        match read::literal(expression)? {
            syn::Lit::Bool(value) => Ok(value.value),
            _ => read::unexpected(expression),
        }
    }
}

impl Literal for Text {
    fn write(&self, writer: &mut Writer) {
        if *self == Self::NONE {
            writer.out.push_str("Text::NONE");
            return;
        }
        writer.text_starts.insert(self.0);
        writer.text(format_args!("Text({}, {})", self.0, self.1));
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        if read::is_path(expression, &["Text", "NONE"]) {
            return Ok(Self::NONE);
        }
        let arguments = read::call(expression, &["Text"])?;
        Ok(Self(
            read::argument(arguments, 0)?,
            read::argument(arguments, 1)?,
        ))
    }
}

impl Literal for Rows {
    fn write(&self, writer: &mut Writer) {
        writer.text(format_args!("Rows({}, {})", self.0, self.1));
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        let arguments = read::call(expression, &["Rows"])?;
        Ok(Self(
            read::argument(arguments, 0)?,
            read::argument(arguments, 1)?,
        ))
    }
}

impl Literal for [u8; 32] {
    fn write(&self, writer: &mut Writer) {
        // One token instead of 65.
        writer.out.push_str("*b\"");
        for byte in self {
            writer.text(format_args!("\\x{byte:02x}"));
        }
        writer.out.push('"');
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        let syn::Expr::Unary(dereferenced) = expression else {
            return read::unexpected(expression);
        };
        match read::literal(&dereferenced.expr)? {
            syn::Lit::ByteStr(bytes) => bytes
                .value()
                .try_into()
                .or_else(|_| read::unexpected(expression)),
            _ => read::unexpected(expression),
        }
    }
}

impl Literal for [u8; 4] {
    fn write(&self, writer: &mut Writer) {
        writer.text(format_args!("{self:?}"));
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        let bytes: Vec<u8> = read::array(expression)?
            .map(read::integer)
            .collect::<Result<_, _>>()?;
        bytes.try_into().or_else(|_| read::unexpected(expression))
    }
}

impl Literal for OutcomeSet {
    fn write(&self, writer: &mut Writer) {
        // By name: a call for each of ten thousand edges would take the compiler longer than all else.
        writer.outcome_sets.insert(self.bits());
        writer.text(format_args!("{}", outcomes_name(self.bits())));
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        (0..=u8::MAX)
            .find(|bits| read::is_path(expression, &[&outcomes_name(*bits)]))
            .map_or_else(
                || read::unexpected(expression),
                |bits| Ok(Self::from_bits(bits)),
            )
    }
}

/// The constant for the set of outcomes with these bits.
pub(super) fn outcomes_name(bits: u8) -> String {
    format!("OUTCOMES_{bits:02X}")
}

impl Literal for Option<Severity> {
    fn write(&self, writer: &mut Writer) {
        // By full path: a host may switch the prelude off.
        match self {
            None => writer.out.push_str("::core::option::Option::None"),
            Some(severity) => {
                writer.out.push_str("::core::option::Option::Some(");
                severity.write(writer);
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
        let severity = arguments.first().ok_or("no severity")?;
        Severity::read(severity).map(Some)
    }
}

impl Literal for Test {
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Exists(expected) => writer.text(format_args!("Test::Exists({expected})")),
            Self::Null => writer.out.push_str("Test::Null"),
            Self::Bool(expected) => writer.text(format_args!("Test::Bool({expected})")),
            Self::Number(bits) => writer.text(format_args!("Test::Number({bits:#018x})")),
            Self::Text(text) => {
                writer.out.push_str("Test::Text(");
                text.write(writer);
                writer.out.push(')');
            }
        }
    }

    #[cfg(feature = "parse-back")]
    fn read(expression: &syn::Expr) -> Result<Self, String> {
        if read::is_path(expression, &["Test", "Null"]) {
            return Ok(Self::Null);
        }
        if let Ok(arguments) = read::call(expression, &["Test", "Exists"]) {
            return read::argument(arguments, 0).map(Self::Exists);
        }
        if let Ok(arguments) = read::call(expression, &["Test", "Bool"]) {
            return read::argument(arguments, 0).map(Self::Bool);
        }
        if let Ok(arguments) = read::call(expression, &["Test", "Number"]) {
            let bits = arguments.first().ok_or("no number")?;
            return read::integer(bits).map(Self::Number);
        }
        let arguments = read::call(expression, &["Test", "Text"])?;
        read::argument(arguments, 0).map(Self::Text)
    }
}

/// Enumerations without data: `NodeKind::Action`. The name of a variant is its `Debug` form.
macro_rules! words {
    ( $( $name:ident: $all:expr, )+ ) => { $(
        impl Literal for $name {
            fn write(&self, writer: &mut Writer) {
                writer.text(format_args!("{}::{self:?}", stringify!($name)));
            }

            #[cfg(feature = "parse-back")]
            fn read(expression: &syn::Expr) -> Result<Self, String> {
                $all.iter()
                    .copied()
                    .find(|word| read::is_path(expression, &[stringify!($name), &format!("{word:?}")]))
                    .map_or_else(|| read::unexpected(expression), Ok)
            }
        }
    )+ };
}

#[cfg(feature = "pi")]
pub(super) use words;

words! {
    CodeKind: CodeKind::ALL,
    EdgeKind: EdgeKind::ALL,
    Effect: Effect::ALL,
    Inspection: Inspection::ALL,
    Join: Join::ALL,
    NodeKind: NodeKind::ALL,
    Outcome: Outcome::ALL,
    ResourceClass: [ResourceClass::File, ResourceClass::GraphAction, ResourceClass::HostAction],
    ResourceKind: ResourceKind::ALL,
    Runner: Runner::ALL,
    Runtime: Runtime::ALL,
    Severity: Severity::ALL,
    WorkingDirectory: WorkingDirectory::ALL,
}

/// Rows: `EntryRow { name: Text(0, 7), node: 0 }`. Taking the row apart without `..` makes the
/// compiler ask for a field that is missing here.
macro_rules! rows {
    ( $( $name:ident { $first:ident $(, $field:ident)* $(,)? } )+ ) => { $(
        impl Literal for $name {
            fn write(&self, writer: &mut Writer) {
                let Self { $first, $($field,)* } = self;
                writer.out.push_str(concat!(stringify!($name), " { ", stringify!($first), ": "));
                $first.write(writer);
                $(
                    writer.out.push_str(concat!(", ", stringify!($field), ": "));
                    $field.write(writer);
                )*
                writer.out.push_str(" }");
            }

            #[cfg(feature = "parse-back")]
            fn read(expression: &syn::Expr) -> Result<Self, String> {
                Ok(Self {
                    $first: read::field(expression, stringify!($name), stringify!($first))?,
                    $( $field: read::field(expression, stringify!($name), stringify!($field))?, )*
                })
            }
        }
    )+ };
}

#[cfg(feature = "pi")]
pub(super) use rows;

rows! {
    ProviderRow { id, version, name, description, manifest, catalog, digest }
    GraphRow { id, description, file, digest, shape, entries, nodes, edges, dependencies }
    EntryRow { name, node }
    NodeRow {
        id, description, kind, join, priority, outcome, graph, rank, requires, detail, incoming,
        outgoing, repeats,
    }
    StepRow { reason, code, satisfied, action, gate, required, recommended }
    GateRow { id, prompt, authority, delegatable, members, inspection, resolution, delegated }
    DelegatedRow { inspection, resolution, replaces_resources, required, recommended }
    CallRow { graph, entry }
    EdgeRow { from, to, outcomes, kind }
    CheckRow { path, segments, test }
    SegmentRow { name, index }
    ActionRow {
        id, description, file, runner, effect, cwd, command, entry, runtime, args, skill, skill_header,
        skill_name, handler, input_schema, output_schema, input_identity, output_identity,
    }
    ResourceRow { id, kind, media_type, description, class, file, content, materializer, input }
    CodeRow { code, kind, summary, severity, document, document_path }
    FileRow { path, digest }
}

/// Taking expressions apart.
#[cfg(feature = "parse-back")]
pub(super) mod read {
    use std::fmt::Display;
    use std::str::FromStr;

    use quote::ToTokens as _;
    use syn::punctuated::Punctuated;
    use syn::{Expr, Lit, Member, Token};

    use super::Literal;

    pub(crate) fn unexpected<T>(expression: &Expr) -> Result<T, String> {
        Err(format!("unexpected `{}`", expression.to_token_stream()))
    }

    pub(crate) fn literal(expression: &Expr) -> Result<&Lit, String> {
        match expression {
            Expr::Lit(literal) => Ok(&literal.lit),
            _ => unexpected(expression),
        }
    }

    pub(crate) fn integer<N: FromStr<Err: Display>>(expression: &Expr) -> Result<N, String> {
        match literal(expression)? {
            Lit::Int(integer) => integer.base10_parse().map_err(|error| error.to_string()),
            _ => unexpected(expression),
        }
    }

    pub(crate) fn narrow(wide: i32) -> Result<i16, String> {
        i16::try_from(wide).map_err(|error| error.to_string())
    }

    pub(crate) fn is_path(expression: &Expr, segments: &[&str]) -> bool {
        match expression {
            Expr::Path(path) => path
                .path
                .segments
                .iter()
                .map(|segment| segment.ident.to_string())
                .eq(segments.iter().copied()),
            _ => false,
        }
    }

    pub(crate) fn call<'e>(
        expression: &'e Expr,
        function: &[&str],
    ) -> Result<&'e Punctuated<Expr, Token![,]>, String> {
        match expression {
            Expr::Call(call) if is_path(&call.func, function) => Ok(&call.args),
            _ => unexpected(expression),
        }
    }

    pub(crate) fn argument<T: Literal>(
        arguments: &Punctuated<Expr, Token![,]>,
        index: usize,
    ) -> Result<T, String> {
        T::read(arguments.get(index).ok_or("an argument is missing")?)
    }

    pub(crate) fn array(expression: &Expr) -> Result<impl Iterator<Item = &Expr>, String> {
        match expression {
            Expr::Array(array) => Ok(array.elems.iter()),
            _ => unexpected(expression),
        }
    }

    pub(crate) fn field<T: Literal>(
        expression: &Expr,
        row: &str,
        field: &str,
    ) -> Result<T, String> {
        let Expr::Struct(literal) = expression else {
            return unexpected(expression);
        };
        if !literal.path.is_ident(row) {
            return unexpected(expression);
        }
        let value = literal
            .fields
            .iter()
            .find(|value| matches!(&value.member, Member::Named(name) if name == field))
            .ok_or_else(|| format!("`{row}` without `{field}`"))?;
        T::read(&value.expr)
    }
}
