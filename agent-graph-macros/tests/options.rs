//! That the macro and the builder offer the same: what the macro says it knows, held against the methods that the
//! builder has, by their source.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Options of the macro whose methods are called otherwise, because Rust has no such name: and why.
const CALLED_OTHERWISE: [(&str, &str); 1] = [("crate", "crate_path")];

/// What is no option in the macro, because the tokens of the module itself say it.
const IN_THE_TOKENS: [&str; 3] = ["module", "visibility", "doc"];

fn source(path: &str) -> Result<String, Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(fs::read_to_string(package.join(path))?)
}

/// The options that the macro names when it meets one that it does not know.
fn options() -> Result<BTreeSet<String>, Box<dyn Error>> {
    let message = source("tests/ui/unknown_option.stderr")?;
    let (_, listed) = message.split_once("there are ").ok_or("no list")?;
    let listed = listed.lines().next().ok_or("no list")?;
    let quoted = listed.split('`').skip(1).step_by(2);
    let name = |option: &str| {
        let end = option.find(|character: char| !character.is_alphanumeric() && character != '_');
        option[..end.unwrap_or(option.len())].to_owned()
    };
    Ok(quoted.map(name).collect())
}

/// The methods of the builder that give it back.
fn methods() -> Result<BTreeSet<String>, Box<dyn Error>> {
    let text = source("../agent-graph-build/src/builder.rs")?;
    let settings = text.match_indices("#[must_use]\n    pub fn ");
    let name = |(at, found): (usize, &str)| {
        let name = text[at + found.len()..].split(['(', '<']).next();
        name.unwrap_or_default().to_owned()
    };
    Ok(settings.map(name).collect())
}

#[test]
fn each_option_of_the_macro_is_a_method_of_the_builder_and_no_method_lacks_an_option()
-> Result<(), Box<dyn Error>> {
    let options: BTreeSet<String> = options()?
        .into_iter()
        .map(|option| {
            let other = CALLED_OTHERWISE.iter().find(|(own, _)| *own == option);
            other.map_or(option.clone(), |(_, method)| (*method).to_owned())
        })
        .collect();
    assert!(options.len() > 8, "{options:?}");
    let mut methods = methods()?;
    for told in IN_THE_TOKENS {
        assert!(methods.remove(told), "the builder has no method {told}");
    }
    assert_eq!(options, methods);
    Ok(())
}

#[test]
fn each_option_is_in_the_documentation_of_the_macro() -> Result<(), Box<dyn Error>> {
    let documentation = source("src/lib.rs")?;
    for option in options()? {
        let listed = format!("/// * `{option}");
        assert!(documentation.contains(&listed), "{option}");
    }
    Ok(())
}
