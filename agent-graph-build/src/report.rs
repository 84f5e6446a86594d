//! How findings are shown: to cargo by a build script, to the compiler by a macro. The same text in
//! both. Knows findings, nothing about how they came about.

use agent_graph_runtime::{Finding, Level, Rendered, SourceTexts};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use std::sync::Arc;

use crate::expand::{folder_of, join};

/// Each finding as text, with the lines it means. Paths are those that the author of the host sees: relative to
/// the package instead of the folder of the manifest; `manifest` is the path of the manifest as the author
/// wrote it. The word "error" or "warning" is left to whoever shows the text.
fn texts(findings: &[Finding], texts: &SourceTexts, manifest: &str) -> Vec<(Level, String)> {
    let name = |file: &str| located(file, manifest);
    let texts = texts.with_files(name);
    let findings: Vec<Finding> = findings
        .iter()
        .map(|finding| finding.with_files(name))
        .collect();
    let levels = findings.iter().map(|finding| finding.level);
    levels
        .zip(Rendered::new(&findings, &texts).untitled())
        .collect()
}

/// The path of a file as the author of the host sees it. What has no file is a matter of the manifest.
fn located(file: &str, manifest: &str) -> Arc<str> {
    if file.is_empty() {
        Arc::from(manifest)
    } else {
        Arc::from(join(folder_of(manifest), file))
    }
}

/// Lines that make cargo show the findings. Errors among them fail the build.
pub fn cargo_lines(findings: &[Finding], sources: &SourceTexts, manifest: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (level, text) in texts(findings, sources, manifest) {
        let key = match level {
            Level::Error => "error",
            Level::Warn => "warning",
        };
        // One directive is one line.
        lines.extend(text.lines().map(|line| format!("cargo::{key}={line}")));
    }
    lines
}

/// Items that make the compiler show the findings at `span`. Errors among them fail the build;
/// warnings are uses of something deprecated, because that is what stable Rust lets a macro say.
pub fn items(
    findings: &[Finding],
    sources: &SourceTexts,
    manifest: &str,
    span: Span,
) -> TokenStream {
    texts(findings, sources, manifest)
        .into_iter()
        .map(|(level, text)| match level {
            Level::Error => quote_spanned!(span=> ::core::compile_error!(#text);),
            Level::Warn => quote_spanned! {span=>
                const _: () = {
                    #[deprecated(note = #text)]
                    const FINDING: () = ();
                    FINDING
                };
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use agent_graph_runtime::{Code, Place, Position, Span as Bytes};

    use super::*;

    fn place(file: &str) -> Place {
        Place {
            position: Position { line: 2, column: 3 },
            span: Bytes::new(5, 8),
            ..Place::start_of(Arc::from(file))
        }
    }

    fn sources() -> SourceTexts {
        let mut sources = SourceTexts::new();
        sources.add(Arc::from("graphs/a.yaml"), *b"x:\n  one: 1\n");
        sources.add(Arc::from("graphs/b.yaml"), *b"y:\n  two: 2\n");
        sources
    }

    fn finding() -> Finding {
        Finding::error(
            Code::GraphNodeDuplicate,
            place("graphs/a.yaml"),
            "there are two",
        )
        .with_related(place("graphs/b.yaml"), "the first")
        .with_hint("take one away")
    }

    #[test]
    fn every_line_of_a_finding_is_a_directive() {
        assert_eq!(
            cargo_lines(&[finding()], &sources(), "flow/provider.yaml"),
            [
                "cargo::error=graph-node-duplicate: there are two",
                "cargo::error= --> flow/graphs/a.yaml:2:3",
                "cargo::error=  |",
                "cargo::error=2 |   one: 1",
                "cargo::error=  |   ^^^",
                "cargo::error=  |",
                "cargo::error= ::: flow/graphs/b.yaml:2:3",
                "cargo::error=  |",
                "cargo::error=2 |   two: 2",
                "cargo::error=  |   --- the first",
                "cargo::error=  |",
                "cargo::error=  = help: take one away",
            ]
        );
    }

    #[test]
    fn a_warning_does_not_fail_the_build() {
        let warning = Finding::warning(Code::DuplicateKey, place("a.json"), "twice");
        let warnings = std::slice::from_ref(&warning);
        let lines = cargo_lines(warnings, &SourceTexts::new(), "provider.yaml");
        assert_eq!(lines[0], "cargo::warning=duplicate-key: twice");
        assert_eq!(lines[1], "cargo::warning=--> a.json:2:3");
        let items = items(
            warnings,
            &SourceTexts::new(),
            "provider.yaml",
            Span::call_site(),
        );
        let items = items.to_string();
        assert!(items.contains("deprecated") && !items.contains("compile_error"));
    }

    #[test]
    fn a_finding_without_a_file_is_one_of_the_manifest() {
        assert_eq!(&*located("", "flow/provider.yaml"), "flow/provider.yaml");
    }

    #[test]
    fn every_error_is_an_error_of_the_compiler() {
        let items = items(
            &[finding(), finding()],
            &sources(),
            "flow/provider.yaml",
            Span::call_site(),
        );
        assert_eq!(items.to_string().matches("compile_error").count(), 2);
    }
}
