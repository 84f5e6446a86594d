//! Skills that are bound to a graph: where a locator leads, and what is wrong when it leads nowhere.
#![cfg(feature = "dynamic")]

#[allow(dead_code, reason = "other suites use the rest")]
mod support;

use std::path::PathBuf;

use agent_graph_runtime::load::{Registry, SkillBinding, bind, bind_with, check_binding, load};
use support::Tea;

fn skill(locator: &str, graph: &str, entry: &str) -> String {
    format!(
        "---\nname: Brewing\nmetadata:\n  agent-graph: {locator}\n  agent-graph.graph: {graph}\n  agent-graph.entry: {entry}\n---\nBrew.\n"
    )
}

fn tea(locator: &str, graph: &str, entry: &str) -> Tea {
    Tea::new().with("skills/brew/SKILL.md", skill(locator, graph, entry))
}

fn path(tea: &Tea) -> PathBuf {
    tea.root().join("skills/brew/SKILL.md")
}

const PATH: &str = "path:../../provider.yaml";

/// Code and place of the first error.
#[track_caller]
fn refused(tea: &Tea, registry: &Registry) -> String {
    let findings = bind(path(tea), registry).map(|_| ()).unwrap_err();
    let finding = &findings.list()[0];
    let position = finding.place.position;
    format!("{} {}:{}", findings.code(), position.line, position.column)
}

#[test]
fn a_path_leads_from_the_folder_of_the_skill() {
    let tea = tea(PATH, "brew", "cup");
    let bound = bind(path(&tea), &Registry::new()).unwrap();
    let root = tea.root().display().to_string();
    assert_eq!(
        serde_json::to_string(&bound.binding).unwrap(),
        format!(
            r#"{{"schema":"agent-graph.skill-binding.v1","skillPath":"{root}/skills/brew/SKILL.md","locator":"{PATH}","graph":"brew","entry":"cup","manifestPath":"{root}/provider.yaml","provider":"tea/house"}}"#
        )
    );
    assert_eq!(bound.provider.root, tea.root());
}

#[test]
fn parts_of_a_binding_are_trimmed() {
    let tea = tea(
        r#"" path:../../provider.yaml\t""#,
        r#""\n brew""#,
        "' cup '",
    );
    let binding = bind(path(&tea), &Registry::new()).unwrap().binding;
    assert_eq!(
        (&*binding.locator, &*binding.graph, &*binding.entry),
        (PATH, "brew", "cup")
    );
}

#[test]
fn a_provider_is_looked_up_in_a_registry_file_a_map_or_by_the_host() {
    let tea = tea("provider:tea/house", "brew", "cup")
        .with("../registry.json", r#"{"tea/house": "root/provider.yaml"}"#)
        .with(
            "registries/a.yaml",
            "providers: { tea/house: ../provider.yaml }\nmore: [1]\n",
        )
        .with(
            "registries/b.yaml",
            "providers: null\ntea/house: ../provider.yaml\n",
        );
    for file in ["../registry.json", "registries/a.yaml"] {
        let registry = Registry::read(tea.root().join(file)).unwrap();
        bind(path(&tea), &registry).unwrap();
    }
    // `providers: null` leaves the object itself, in which null is no path.
    let error = Registry::read(tea.root().join("registries/b.yaml")).unwrap_err();
    assert_eq!(error.code.as_str(), "registry-invalid");
    let manifest = tea.root().join("provider.yaml");
    bind(
        path(&tea),
        &Registry::from_iter([("tea/house", manifest.clone())]),
    )
    .unwrap();
    bind_with(path(&tea), |id| (id == "tea/house").then_some(manifest)).unwrap();
    assert_eq!(refused(&tea, &Registry::new()), "provider-unresolved 4:16");
}

#[test]
fn names_that_every_object_has_elsewhere_are_no_providers() {
    for id in ["constructor", "__proto__", "toString"] {
        let tea = tea(&format!("provider:{id}"), "brew", "cup").with("registry.json", "{}");
        let registry = Registry::read(tea.root().join("registry.json")).unwrap();
        assert_eq!(refused(&tea, &registry), "provider-unresolved 4:16");
    }
}

#[test]
fn each_mistake_has_its_code_and_place() {
    for (locator, graph, entry, expected) in [
        ("'path:'", "brew", "cup", "skill-locator-invalid 4:16"),
        ("file:a", "brew", "cup", "skill-locator-invalid 4:16"),
        ("provider", "brew", "cup", "skill-locator-invalid 4:16"),
        (
            "path:/a/provider.yaml",
            "brew",
            "cup",
            "skill-locator-absolute 4:16",
        ),
        (
            "path:C:/a.yaml",
            "brew",
            "cup",
            "skill-locator-absolute 4:16",
        ),
        (
            r"path:c:\a.yaml",
            "brew",
            "cup",
            "skill-locator-absolute 4:16",
        ),
        ("path:C:a.yaml", "brew", "cup", "file-missing 4:16"),
        ("path:../../none.yaml", "brew", "cup", "file-missing 4:16"),
        ("path:../..", "brew", "cup", "file-missing 4:16"),
        (PATH, "brews", "cup", "skill-graph-missing 5:22"),
        (PATH, "brew", "cups", "skill-entry-missing 6:22"),
        (PATH, "brew", "constructor", "skill-entry-missing 6:22"),
        (PATH, "' '", "cup", "skill-binding-missing 5:22"),
        (PATH, "7", "cup", "skill-binding-missing 5:22"),
    ] {
        let tea = tea(locator, graph, entry);
        assert_eq!(
            refused(&tea, &Registry::new()),
            expected,
            "{locator} {graph} {entry}"
        );
    }
    let tea = tea("provider:other", "brew", "cup");
    let registry = Registry::from_iter([("other", tea.root().join("provider.yaml"))]);
    assert_eq!(refused(&tea, &registry), "provider-id-mismatch 4:16");
}

#[test]
fn close_names_are_suggested() {
    let tea = tea(PATH, "brews", "cup");
    let findings = bind(path(&tea), &Registry::new()).map(|_| ()).unwrap_err();
    let hint = findings.list()[0].hint.as_deref();
    assert_eq!(hint, Some("did you mean `brew`?"));
}

#[test]
fn a_binding_needs_its_three_flat_keys() {
    for header in [
        "a: 1",
        "metadata: null",
        "metadata: [agent-graph]",
        "metadata: { agent-graph: { graph: brew, entry: cup } }",
        "metadata: { agent-graph: 'path:a', agent-graph.graph: brew }",
    ] {
        let tea = Tea::new().with("skills/brew/SKILL.md", format!("---\n{header}\n---\n"));
        let finding = SkillBinding::read(path(&tea)).unwrap_err();
        assert_eq!(finding.code.as_str(), "skill-binding-missing", "{header}");
    }
}

#[test]
fn a_compiled_in_provider_checks_the_skill_beside_it() {
    let check = |tea: &Tea| {
        let manifest = tea.root().join("provider.yaml");
        let checked = check_binding(path(tea), &manifest, &load(&manifest).unwrap());
        checked
            .map(|_| ())
            .map_err(|findings| findings.code().as_str())
    };
    assert_eq!(check(&tea(PATH, "brew", "cup")), Ok(()));
    assert_eq!(check(&tea("provider:tea/house", "brew", "cup")), Ok(()));
    assert_eq!(
        check(&tea("provider:tea", "brew", "cup")),
        Err("provider-id-mismatch")
    );
    assert_eq!(check(&tea(PATH, "brew", "mug")), Err("skill-entry-missing"));
    assert_eq!(check(&tea(PATH, "cool", "cup")), Err("skill-graph-missing"));
    assert_eq!(check(&tea("path:none", "brew", "cup")), Err("file-missing"));
    // Another manifest of the same provider is as good, one of another provider is not.
    let other = tea("path:../../other.yaml", "brew", "cup");
    let other = other.with("other.yaml", support::MANIFEST);
    assert_eq!(check(&other), Ok(()));
    let other = other.replacing("other.yaml", "tea/house", "tea/room");
    assert_eq!(check(&other), Err("provider-id-mismatch"));
}
