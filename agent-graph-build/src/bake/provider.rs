//! The module of a provider: its head, the provider as a constant, and the names that belong to no
//! single graph. Knows how the parts are put together, not what is in them.

use agent_graph_runtime::tables::{TABLE_FORMAT, Tables};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::docs::{code, docs};
use super::enumeration::{Enumeration, Style, Variant};
use super::graph::{self, Graphs};
use super::naming::{Listed, Naming};
use crate::expand::{included, join};
use crate::names;
use crate::settings::{EmbeddedFrom, Settings};

/// Lints that generated code cannot or need not meet, with the reason.
const ALLOWED: &[(&str, &str)] = &[
    (
        "dead_code, unreachable_pub",
        "a host uses the names it needs, and may keep the module to itself",
    ),
    (
        "unused_qualifications",
        "full paths keep the module independent of what is in scope around it",
    ),
    (
        "clippy::wildcard_imports, clippy::unreadable_literal",
        "rows are for the compiler",
    ),
    (
        "clippy::doc_markdown, rustdoc::bare_urls",
        "descriptions are plain text",
    ),
    (
        "clippy::enum_variant_names, clippy::module_inception, clippy::module_name_repetitions",
        "names follow the ids of the definition",
    ),
    (
        "clippy::too_many_lines",
        "a graph may have thousands of nodes",
    ),
];

/// Attributes, visibility and name of the module.
pub(super) fn head(tables: &Tables<'_>, settings: &Settings) -> TokenStream {
    head_with(&provider_docs(tables), settings)
}

/// The same with other documentation, unless the author wrote some.
pub(super) fn head_with(docs: &TokenStream, settings: &Settings) -> TokenStream {
    let Settings {
        module,
        visibility,
        attributes,
        ..
    } = settings;
    let own_docs = if settings.documented {
        &TokenStream::new()
    } else {
        docs
    };
    let allowed = ALLOWED.iter().map(|(lints, reason)| {
        let lints: TokenStream = lints.parse().unwrap_or_default();
        quote!(#[allow(#lints, reason = #reason)])
    });
    quote! {
        #own_docs
        #attributes
        #( #allowed )*
        #visibility mod #module
    }
}

fn provider_docs(tables: &Tables<'_>) -> TokenStream {
    let provider = &tables.provider;
    let sentence = format!(
        "Provider {}, version {}.",
        code(tables.text(provider.id)),
        tables.text(provider.version)
    );
    docs(&sentence, tables.text_or_none(provider.description))
}

/// The items of the module, but for the rows.
pub(super) fn items(tables: &Tables<'_>, naming: &Naming, settings: &Settings) -> TokenStream {
    let style = Style::of(settings);
    let runtime = &style.runtime;
    let served = served(settings);
    let embedded = settings.embedded.as_ref();
    let embedded = embedded.map(|from| embedded_files(tables, from, runtime));
    let format = Literal::u32_unsuffixed(TABLE_FORMAT);
    let generator = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let provider_docs = provider_docs(tables);
    let lists = naming
        .lists
        .iter()
        .map(|listed| list(tables, listed, &style));
    let graphs = Graphs {
        tables,
        naming,
        style: &style,
        has_steps: graph::graphs_with_steps(tables),
    };
    let modules = tables
        .graphs
        .iter()
        .enumerate()
        .map(|(index, graph)| graphs.module(index, graph));
    quote! {
        #runtime::generated::table_format!(#format, #generator);

        #provider_docs
        pub const PROVIDER: #runtime::Provider = #runtime::Provider::__from_static(&tables::TABLES);

        #embedded

        #served

        #( #lists )*

        /// The graphs, each with its own names.
        pub mod graphs { #( #modules )* }
    }
}

/// The files of the provider, as bytes that the compiler takes from where they are.
fn embedded_files(tables: &Tables<'_>, from: &EmbeddedFrom, runtime: &TokenStream) -> TokenStream {
    let files = tables.files.iter().map(|file| {
        let path = join(&from.folder, tables.text(file.path));
        included(from.variable, &path)
    });
    quote! {
        /// The provider with the bytes of its files, to lend them or to extract them to a folder.
        pub const EMBEDDED: #runtime::Embedded = #runtime::Embedded::__new(
            &tables::TABLES,
            &[ #( #files ),* ],
        );
    }
}

/// `provider()`, for a module with `override_env`: what is compiled in, or in development builds what the
/// environment variable names.
fn served(settings: &Settings) -> TokenStream {
    let Some(variable) = &settings.override_env else {
        return TokenStream::new();
    };
    let runtime = &settings.runtime;
    let sentence = docs(
        &format!(
            "The provider to serve: the one that is compiled in, or in a build with `debug_assertions` the one \
             whose manifest the environment variable {} names when it is first asked for.",
            code(variable)
        ),
        None,
    );
    quote! {
        #[cfg(debug_assertions)]
        static OVERRIDE: #runtime::generated::Override = #runtime::generated::Override::new(#variable, PROVIDER);

        #sentence
        ///
        /// # Errors
        ///
        /// When that provider does not load, or has other graphs, nodes or entries. The evaluations of the
        /// entries end with the same error.
        pub fn provider() -> ::core::result::Result<#runtime::Provider, #runtime::Error> {
            #[cfg(debug_assertions)]
            let served = OVERRIDE.provider();
            #[cfg(not(debug_assertions))]
            let served = ::core::result::Result::Ok(PROVIDER);
            served
        }
    }
}

/// The enumeration of names that no pool lists.
fn list(tables: &Tables<'_>, listed: &Listed, style: &Style) -> TokenStream {
    let runtime = &style.runtime;
    let kind = &listed.kind;
    let pool = names::identifier(kind.pool);
    let texts = listed.texts.iter().zip(&listed.descriptions);
    let variants = texts
        .zip(&listed.names)
        .map(|((text, description), name)| Variant {
            name: name.clone(),
            docs: docs(
                &format!("{}.", code(tables.text(*text))),
                tables.text_or_none(*description),
            ),
        });
    let enumeration = Enumeration {
        name: kind.enumeration,
        docs: docs(kind.sentence, None),
        expected: kind.singular.to_owned(),
        variants: variants.collect(),
        lookup: &|variant| quote!(#runtime::generated::listed_name(&tables::TABLES, &tables::#pool, #variant)),
    };
    enumeration.tokens(style)
}
