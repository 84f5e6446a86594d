//! What `deny.toml` says holds for the crates of `Cargo.lock`, so that it is found out without cargo-deny as well.
//! Advisories are the only thing that takes cargo-deny, because they come from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use agent_graph_guide::{read, workspace};
use agent_graph_runtime::json::{Object, Value};

/// A crate of the lock file: its name, version, licence and where it comes from, if that is elsewhere.
struct Package {
    name: String,
    version: String,
    licence: String,
    source: Option<String>,
}

fn packages() -> Vec<Package> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--offline",
            "--all-features",
        ])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let metadata = Value::from_json(&text).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    let list = metadata
        .as_object()
        .and_then(|metadata| metadata.get("packages")?.as_array());
    let text = |object: &Object, name: &str| Some(object.get(name)?.as_str()?.to_owned());
    let package = |value: &Value| {
        let object = value.as_object()?;
        Some(Package {
            name: text(object, "name")?,
            version: text(object, "version")?,
            licence: text(object, "license").unwrap_or_default(),
            source: text(object, "source"),
        })
    };
    list.expect("there are packages")
        .iter()
        .filter_map(package)
        .collect()
}

/// What stands in quotes in the list of this name.
fn listed(deny: &str, name: &str) -> Vec<String> {
    let (_, rest) = deny
        .split_once(&format!("\n{name} = ["))
        .expect("there is such a list");
    let (list, _) = rest.split_once("]\n").expect("the list ends");
    list.split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Whether a licence expression is met: one side of `OR`, which `/` says in old ones, or both of `AND`.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.trim();
    let cut = |operator: &str| -> Option<(String, String)> {
        let at = expression.match_indices(operator).map(|(at, _)| at);
        let outside = |at: &usize| {
            let before = &expression[..*at];
            before.matches('(').count() == before.matches(')').count()
        };
        let at = at.into_iter().find(outside)?;
        Some((
            expression[..at].to_owned(),
            expression[at + operator.len()..].to_owned(),
        ))
    };
    if let Some((one, other)) = cut(" OR ").or_else(|| cut("/")) {
        return is_met(&one, allowed) || is_met(&other, allowed);
    }
    if let Some((one, other)) = cut(" AND ") {
        return is_met(&one, allowed) && is_met(&other, allowed);
    }
    match expression
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
    {
        Some(inner) => is_met(inner, allowed),
        None => allowed.iter().any(|own| own == expression),
    }
}

#[test]
fn licence_expressions_are_met_as_they_are_written() {
    let allowed = ["MIT", "Zlib"].map(str::to_owned);
    for met in [
        "MIT",
        "GPL-3.0 OR MIT",
        "Apache-2.0/MIT",
        "(MIT OR Apache-2.0) AND Zlib",
        "MIT AND (X OR Zlib)",
    ] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for not_met in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "(MIT OR X) AND Y",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(!is_met(not_met, &allowed), "{not_met}");
    }
}

#[test]
fn every_crate_comes_from_the_registry_under_an_allowed_licence() {
    let allowed = listed(&read("deny.toml"), "allow");
    for package in packages() {
        let Package {
            name,
            version,
            licence,
            source,
        } = package;
        assert!(is_met(&licence, &allowed), "{name} {version}: {licence}");
        let registry = "registry+https://github.com/rust-lang/crates.io-index";
        assert!(
            source.is_none_or(|source| source == registry),
            "{name} {version}"
        );
    }
}

#[test]
fn no_crate_is_there_twice_but_those_with_a_reason() {
    let deny = read("deny.toml");
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages() {
        versions
            .entry(package.name)
            .or_default()
            .insert(package.version);
    }
    let twice: BTreeSet<String> = versions
        .into_iter()
        .filter(|(_, versions)| versions.len() > 1)
        .map(|(name, _)| name)
        .collect();
    let (_, skipped) = deny.split_once("\nskip = [").expect("there is such a list");
    let skipped = skipped
        .split("crate = \"")
        .skip(1)
        .filter_map(|entry| entry.split('@').next());
    assert_eq!(twice, skipped.map(str::to_owned).collect());
}
