//! `include_provider!`: a declarative agent workflow becomes typed enumerations and static tables.
//!
//! This crate reads a few tokens and prints what `agent-graph-build` makes of them; everything else is
//! there, where it can be tested.
//!
//! [`include_provider!`] compiles a provider in, [`graph_tests!`] makes its graph tests tests of the host.
//!
//! # Features
//!
//! * `user-schemas`: providers with host-action resources, whose inputs follow schemas that users write. Takes
//!   a minute to build.
//! * `pi`: `include_pi_graph!`, for pi-graph `schemaVersion: 2`.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod host;
mod input;
mod tokens;

use std::path::Path;

use agent_graph_build::bake::{self, Baked};
use agent_graph_build::{Expansion, Findings, Settings, expand, folder_of, graph_test, report};
use proc_macro2::TokenStream;

use crate::input::{GraphTests, Module};
use crate::tokens::Error;

/// Puts a provider into the host, as a module of typed names above static tables.
///
/// ```text
/// agent_graph_macros::include_provider! {
///     /// The release workflow.
///     pub mod release = "workflow/provider.yaml";
/// }
/// use release::graphs::release::{Entry, Step};
///
/// let evaluation = Entry::Default.evaluate(&state);
/// ```
///
/// The path is that of a provider manifest, relative to the package, or of the `manifest.json` of a built
/// bundle, whose files are then held against their digests. Behind it, separated by commas:
///
/// * `crate = ::facade::runtime` says where the runtime is, when it is not `::agent_graph_runtime`;
/// * `digest = "sha256:..."` pins what is compiled in: the digest in the `manifest.json` of a built bundle, or
///   for a provider manifest that of the bundle which `agent-graph build` would write. With another one the
///   build fails and says what to pin;
/// * `non_exhaustive` marks the generated enumerations `#[non_exhaustive]`, for a library that publishes them;
/// * `override_env = "RELEASE_PROVIDER"` lets developers try out an edited provider without building again: in
///   builds with `debug_assertions`, entries evaluate the provider whose manifest the environment variable
///   names when the program first asks, and `release::provider()` gives it. It has to have the graphs, nodes
///   and entries that were compiled in; if not, or if it does not load, evaluations end with the error
///   `provider-override-invalid`, never with an answer of the old one. Other builds look at no variable. The
///   host needs the feature `dynamic` of the runtime in development builds;
/// * `skill = "skills/ship/SKILL.md"`, as often as needed, names a skill that is bound to the provider; a
///   binding that leads to another provider, graph or entry is a compile error;
/// * `rename("scan.review" = Review)` gives an id another name than the rule yields, wherever it occurs:
///   in upper camel case for entries, nodes, handlers, authorities and reason codes, in snake case for
///   the modules of graphs;
/// * `strict` refuses what is never meant and does no harm otherwise: a member of a JSON definition that is
///   written twice, a file in the folder of a bundle that the bundle does not list;
/// * `lints(deny("stuck-state"), allow("unused-code", "lasting-repeat"))` sets the levels of lints to
///   `allow`, `warn` or `deny`; `agent_graph_build::lint::Lint` lists them, and `all` stands for every one
///   that is not set by name. What a denied lint finds is a compile error. What others find is a warning,
///   shown as the use of something deprecated, which is what stable Rust lets a macro say: in a host with
///   `#![deny(warnings)]` it fails the build like every other warning;
/// * `embed = true` compiles the files in: `release::EMBEDDED` beside `release::PROVIDER` lends their bytes
///   and extracts them to a folder, so that the host is one file.
///
/// The host depends on `agent-graph-runtime` too: the module is built from its types. Several modules may
/// stand in one macro, each with its own path and options behind it, each ended by `;`.
///
/// # Names
///
/// An id is split at `. _ / -`. Variants join the parts in upper camel case (`release-gate` is
/// `Step::ReleaseGate`), the modules of graphs with underscores (`graphs::release_gate`); a keyword becomes a
/// raw identifier (`graphs::r#loop`), and where Rust has no such thing the name gets a suffix (`self` is
/// `Step::SelfNode`, or `graphs::self_graph`). A digit in front gets a prefix (`9lives` is `Step::N9lives`, or
/// `graphs::n9lives`). Where two ids of one list meet, both spell their separators: `a.b` and `a-b` are `ADotB` and `ADashB`. A step that calls a graph
/// holds the step of that graph.
///
/// Each option is a method of `agent_graph_build::Builder` too.
///
/// # Documentation
///
/// The module and its names are documented with what the definition says. With the feature `picture` of this
/// package, or of `agent-graph-build`, the module of each graph begins with a picture of it when rustdoc runs.
///
/// # Mistakes
///
/// A mistake in the definition is a compile error that shows file, line and column, one error for each. The
/// module is there all the same, with every name that can be made out, so that the uses of it are no errors
/// on top. Of a manifest that cannot be read no name can be made out. The compiler then says in its own words
/// that it cannot read the file either, and stops before it looks for names; other errors of the host have to
/// wait until the path is right.
///
/// # Building again
///
/// The compiler watches every file of the provider. It cannot watch directories on stable Rust, so one thing
/// escapes it: a file that is *added* to the folder of a skill, or to that of a bundle. A build script sees it,
/// with one line:
///
/// ```text
/// // build.rs
/// fn main() { println!("cargo::rerun-if-changed=workflow/skills"); }
/// ```
///
/// `agent_graph_build::Builder`, which generates the module in a build script, does so by itself.
#[proc_macro]
pub fn include_provider(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let provider = Family {
        expand,
        skeleton: bake::skeleton,
        bare: bake::bare,
    };
    modules(input.into(), &provider).into()
}

/// Puts a pi-graph, `schemaVersion: 2`, into the host, as a module of typed names above static tables.
///
/// ```text
/// agent_graph_macros::include_pi_graph! {
///     /// The review loop.
///     pub mod review = "graphs/review.json", rename("refine 🔧" = Refine);
/// }
/// use review::{GRAPH, Kind, Node};
///
/// match Node::Refine.kind() {
///     Kind::Agent(agent) => ...,
///     Kind::Set(set) => ...,
///     Kind::Human(human) => ...,
/// }
/// ```
///
/// The path is that of the definition, relative to the package. What may follow it is the same as for
/// [`include_provider!`], as far as it has a meaning: `crate`, `digest`, which pins the graph hash, the same that
/// runs are resumed with, `non_exhaustive` and `rename`. Only nodes have names. Letters and digits of an id make its name, `. _ / -` and
/// spaces separate, every other character is spelled by its number (`🔧` is `U1f527`).
///
/// An error of the definition is a compile error that names line and column, with the code of the protocol;
/// its warnings and those of our own lints are warnings of the compiler.
#[cfg(feature = "pi")]
#[proc_macro]
pub fn include_pi_graph(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let graph = Family {
        expand: agent_graph_build::pi::expand,
        skeleton: bake::pi::skeleton,
        bare: bake::pi::bare,
    };
    modules(input.into(), &graph).into()
}

/// Makes every graph test of a provider a test of the host, named like the case.
///
/// ```text
/// agent_graph_macros::graph_tests!("workflow/provider.yaml", "workflow/tests");
/// ```
///
/// The paths are those of the provider manifest and of a directory of test cases, relative to the package,
/// which needs `agent-graph-build` with the feature `graph-tests` among its dev-dependencies. A malformed case
/// is a compile error; a case that is added later fails the test `every_case_is_a_test` until the tests are
/// compiled again.
#[proc_macro]
pub fn graph_tests(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let GraphTests {
        manifest,
        cases,
        span,
    } = match GraphTests::parse(input.into()) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error().into(),
    };
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let tokens = match graph_test::expand(Path::new(&package), &manifest, &cases) {
        Ok(tests) => tests,
        Err(findings) => report::items(findings.list(), findings.texts(), "", span),
    };
    tokens.into()
}

/// What is made of a definition, and what is left behind where it is wrong.
struct Family {
    expand: fn(&Path, &Settings) -> Result<Expansion, Findings>,
    skeleton: fn(&Path, &Settings) -> Result<Baked, Findings>,
    bare: fn(&Path, &Settings) -> TokenStream,
}

/// The modules that the tokens ask for, or what is wrong with the tokens.
fn modules(tokens: TokenStream, family: &Family) -> TokenStream {
    match input::modules(tokens) {
        Ok(modules) => modules
            .iter()
            .flat_map(|input| module(input, family))
            .collect(),
        Err(error) => error.into_compile_error(),
    }
}

/// The module, or the findings and a module that keeps other errors away.
fn module(module: &Module, family: &Family) -> TokenStream {
    let Module {
        settings,
        path,
        span,
    } = module;
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let package = Path::new(&package);
    let manifest = package.join(path);
    if settings.has_default_runtime() && host::lacks_runtime(package) {
        let mut tokens = Error::new(*span, host::RUNTIME_MISSING).into_compile_error();
        tokens.extend((family.bare)(&manifest, settings));
        return tokens;
    }
    let (baked, findings, texts, tracked) = match (family.expand)(&manifest, settings) {
        Ok(expansion) => {
            let tracked = expansion.tracked(folder_of(path));
            (
                Ok(expansion.baked),
                expansion.warnings,
                expansion.texts,
                tracked,
            )
        }
        Err(findings) => (
            (family.skeleton)(&manifest, settings),
            findings.list().to_vec(),
            findings.texts().clone(),
            TokenStream::new(),
        ),
    };
    let mut tokens = report::items(&findings, &texts, path, *span);
    if is_unreadable(&manifest) {
        tokens.extend(fatal_include(path, *span));
    }
    match baked.map(|baked| baked.to_tokens(&tracked)) {
        Ok(Ok(module)) => tokens.extend(module),
        Ok(Err(error)) => tokens.extend(Error::new(*span, error.to_string()).into_compile_error()),
        Err(findings) => tokens.extend(report::items(
            findings.list(),
            findings.texts(),
            path,
            *span,
        )),
    }
    tokens
}

/// Whether not even the names of the module can be known.
fn is_unreadable(manifest: &Path) -> bool {
    std::fs::read(manifest).is_err()
}

/// Makes the compiler try the file itself. It stops at once where it cannot read one, before it looks at names,
/// of which the module has none: that is all stable Rust offers to keep the uses of them from being errors.
fn fatal_include(path: &str, span: proc_macro2::Span) -> TokenStream {
    let path = format!("/{path}");
    quote::quote_spanned! {span=>
        ::core::include!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #path));
    }
}
