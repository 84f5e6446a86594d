//! How findings are shown: to cargo by a build script, to the compiler by a macro. The same text in
//! both. Knows findings, nothing about how they came about.

use std::sync::Arc;

use agent_graph_runtime::{Finding, Level, Place};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use crate::expand::{folder_of, join};

/// The finding with paths as the author of the host sees them: relative to the package instead of
/// the folder of the manifest. `manifest` is the path of the manifest as the author wrote it.
pub fn located(finding: &Finding, manifest: &str) -> Finding {
    let mut finding = finding.clone();
    locate(&mut finding.place, manifest);
    for (place, _) in &mut finding.related {
        locate(place, manifest);
    }
    finding
}

fn locate(place: &mut Place, manifest: &str) {
    place.file = if place.file.is_empty() {
        Arc::from(manifest)
    } else {
        Arc::from(join(folder_of(manifest), &place.file))
    };
}

/// Lines that make cargo show the findings. Errors among them fail the build.
pub fn cargo_lines(findings: &[Finding], manifest: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for finding in findings {
        let key = match finding.level {
            Level::Error => "error",
            Level::Warn => "warning",
        };
        // One directive is one line.
        let text = located(finding, manifest).to_string();
        lines.extend(text.lines().map(|line| format!("cargo::{key}={line}")));
    }
    lines
}

/// Items that make the compiler show the findings at `span`. Errors among them fail the build;
/// warnings are uses of something deprecated, because that is what stable Rust lets a macro say.
pub fn items(findings: &[Finding], manifest: &str, span: Span) -> TokenStream {
    findings
        .iter()
        .map(|finding| {
            let text = located(finding, manifest).to_string();
            match finding.level {
                Level::Error => quote_spanned!(span=> ::core::compile_error!(#text);),
                Level::Warn => quote_spanned! {span=>
                    const _: () = {
                        #[deprecated(note = #text)]
                        const FINDING: () = ();
                        FINDING
                    };
                },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use agent_graph_runtime::{Code, Position};

    use super::*;

    fn place(file: &str) -> Place {
        Place {
            position: Position { line: 3, column: 5 },
            ..Place::start_of(Arc::from(file))
        }
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
            cargo_lines(&[finding()], "flow/provider.yaml"),
            [
                "cargo::error=flow/graphs/a.yaml:3:5: graph-node-duplicate: there are two",
                "cargo::error=  flow/graphs/b.yaml:3:5: the first",
                "cargo::error=  help: take one away",
            ]
        );
    }

    #[test]
    fn a_warning_does_not_fail_the_build() {
        let warning = Finding::warning(Code::DuplicateKey, place("a.json"), "twice");
        let lines = cargo_lines(std::slice::from_ref(&warning), "provider.yaml");
        assert_eq!(lines, ["cargo::warning=a.json:3:5: duplicate-key: twice"]);
        let items = items(&[warning], "provider.yaml", Span::call_site()).to_string();
        assert!(items.contains("deprecated") && !items.contains("compile_error"));
    }

    #[test]
    fn a_finding_without_a_file_is_one_of_the_manifest() {
        let located = located(
            &Finding::error(Code::NameClash, place(""), "meet"),
            "flow/provider.yaml",
        );
        assert_eq!(&*located.place.file, "flow/provider.yaml");
    }

    #[test]
    fn every_error_is_an_error_of_the_compiler() {
        let items = items(
            &[finding(), finding()],
            "flow/provider.yaml",
            Span::call_site(),
        );
        assert_eq!(items.to_string().matches("compile_error").count(), 2);
    }
}
