//! The cases of a provider as tests of the host, one function a case: what `graph_tests!` prints. Knows
//! names and tokens.

use std::path::Path;

use agent_graph_runtime::Findings;
use agent_graph_runtime::ordered::Set;
use proc_macro2::TokenStream;
use quote::quote;

use super::case::Case;
use super::discover;
use crate::expand::join;
use crate::names;

/// A `#[test]` function for each case below `cases`, and one that notices cases that are added later.
/// Both paths are relative to the package, whose folder is `package`.
///
/// # Errors
///
/// Those of [`discover`](super::discover) and [`Case::read`], with paths relative to the package.
pub fn expand(package: &Path, manifest: &str, cases: &str) -> Result<TokenStream, Findings> {
    let directory = package.join(cases);
    let located = |findings| relative_to(package, findings);
    let files = discover::relative(&directory).map_err(located)?;
    let mut taken = Set::from_iter([COMPLETE.to_owned()]);
    let mut tests = TokenStream::new();
    for file in &files {
        let path = join(cases, file);
        let path = path.trim_end_matches('/');
        let case = Case::read(package.join(path)).map_err(located)?;
        let name = names::identifier(&unused(&sentence(&case.name), &mut taken));
        let (manifest, path) = (in_package(manifest), in_package(path));
        tests.extend(quote! {
            #[test]
            fn #name() {
                const _: &[u8] = ::core::include_bytes!(#path);
                ::agent_graph_build::graph_test::assert_case(#manifest, #path);
            }
        });
    }
    let complete = names::identifier(COMPLETE);
    let directory = in_package(cases);
    tests.extend(quote! {
        #[test]
        fn #complete() {
            ::agent_graph_build::graph_test::assert_complete(#directory, &[#(#files),*]);
        }
    });
    Ok(tests)
}

const COMPLETE: &str = "every_case_is_a_test";

/// An expression for a path in the package that holds no directory of this machine.
fn in_package(path: &str) -> TokenStream {
    let path = format!("/{path}");
    quote!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #path))
}

/// The name of a case as the name of a function.
fn sentence(name: &str) -> String {
    let words = name.split(|character: char| !character.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let sentence = words.join("_");
    match sentence.chars().next() {
        None => "case".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("case_{sentence}"),
        Some(_) if names::is_valid(&sentence) => sentence,
        Some(_) => format!("case_{sentence}"),
    }
}

/// The name, with a number where it is taken.
fn unused(name: &str, taken: &mut Set<String>) -> String {
    let numbered = (2_u32..).map(|number| format!("{name}_{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    let unused = candidates.find(|candidate| taken.insert(candidate.clone()));
    // The numbers do not end before the cases do.
    unused.unwrap_or_default()
}

/// The findings with paths as the author of the host sees them.
fn relative_to(package: &Path, findings: Findings) -> Findings {
    findings.with_files(|file| {
        let relative = Path::new(file).strip_prefix(package).ok();
        relative.and_then(Path::to_str).unwrap_or(file).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_case_becomes_the_name_of_a_function() {
        assert_eq!(
            sentence("Waits: for the user, twice"),
            "waits_for_the_user_twice"
        );
        assert_eq!(sentence("2 steps"), "case_2_steps");
        assert_eq!(sentence("日本"), "case");
        assert_eq!(sentence("Self"), "case_self");
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut taken = Set::from_iter(["a_2".to_owned()]);
        let names = ["a", "a", "a"].map(|name| unused(name, &mut taken));
        assert_eq!(names, ["a", "a_3", "a_4"]);
    }
}
