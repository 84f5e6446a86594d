//! Real projects in a directory of their own, built by cargo: what makes cargo build again, that a checkout can
//! move, and what a host is told that lacks the runtime. They share a target directory, so that the packages of
//! this workspace are built once for all.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

const PROVIDER: &str = "\
schema: agent-graph.provider.v1
id: shop
version: 1.0.0
graphs: [graphs/release.yaml]
";

const GRAPH: &str = "\
schema: agent-graph.graph.v1
id: release
entrypoints: { default: build }
nodes:
  - { id: build, kind: action, description: First, reasonCode: route.build, action: actions/build.yaml }
  - { id: done, kind: terminal, terminalOutcome: completed }
edges:
  - { from: build, to: done }
";

const ACTION: &str = "\
schema: agent-graph.action.v1
id: build
runner: agent
effect: write
skill: skills/build/SKILL.md
";

const SKILL: &str = "---\nname: build\ndescription: Builds.\n---\n# Build\n";

const BY_MACRO: &str = "\
agent_graph_macros::include_provider! { mod release = \"workflow/provider.yaml\"; }
fn main() { println!(\"{}\", release::PROVIDER.digest()); }
";

const BY_BUILDER: &str = "\
agent_graph_runtime::include_generated!(release);
fn main() { println!(\"{}\", release::PROVIDER.digest()); }
";

const BUILD_SCRIPT: &str = "\
fn main() { agent_graph_build::Builder::new(\"workflow/provider.yaml\").module(\"release\").emit(); }
";

/// What the documentation of the macro says to do about directories.
const WATCH_SCRIPT: &str = "\
fn main() { println!(\"cargo::rerun-if-changed=workflow/skills\"); }
";

/// A package, alone or in a workspace, that goes away with its test.
struct Project {
    root: PathBuf,
    /// The folder of the package in it.
    member: &'static str,
    name: String,
}

impl Project {
    /// A package of its own.
    fn new(files: &[(&str, &str)]) -> Result<Self> {
        Self::at("", files)
    }

    /// A package in this folder of a workspace; empty for none around it.
    fn at(member: &'static str, files: &[(&str, &str)]) -> Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("host-{}-{number}", std::process::id());
        let project = Self {
            root: Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name),
            member,
            name,
        };
        if project.root.exists() {
            fs::remove_dir_all(&project.root)?;
        }
        let has_script = files.iter().any(|(path, _)| *path == "build.rs");
        project.write("Cargo.toml", &project.manifest(has_script))?;
        if !member.is_empty() {
            let workspace = format!("[workspace]\nresolver = \"3\"\nmembers = [\"{member}\"]\n");
            fs::write(project.root.join("Cargo.toml"), workspace)?;
        }
        // The versions of this workspace are the ones that are at hand without a network.
        fs::copy(
            workspace().join("Cargo.lock"),
            project.root.join("Cargo.lock"),
        )?;
        for (path, text) in [
            ("workflow/provider.yaml", PROVIDER),
            ("workflow/graphs/release.yaml", GRAPH),
            ("workflow/actions/build.yaml", ACTION),
            ("workflow/skills/build/SKILL.md", SKILL),
        ] {
            project.write(path, text)?;
        }
        for (path, text) in files {
            project.write(path, text)?;
        }
        Ok(project)
    }

    fn manifest(&self, has_script: bool) -> String {
        let path = |package: &str| format!("{{ path = {:?} }}", workspace().join(package));
        let alone = if self.member.is_empty() {
            "[workspace]\n"
        } else {
            ""
        };
        let script = if has_script {
            format!(
                "[build-dependencies]\nagent-graph-build = {}\n",
                path("agent-graph-build")
            )
        } else {
            String::new()
        };
        // The features that build scripts have as well, so that the runtime is built once for both.
        let features = "default-features = false, features = [\"dynamic\", \"unicode-collation\"]";
        format!(
            "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{alone}\n\
             [dependencies]\nagent-graph-macros = {}\n\
             agent-graph-runtime = {{ path = {:?}, {features} }}\n{script}\n\
             [profile.dev]\ndebug = 0\nincremental = false\n",
            self.name,
            path("agent-graph-macros"),
            workspace().join("agent-graph-runtime"),
        )
    }

    fn file(&self, path: &str) -> PathBuf {
        self.root.join(self.member).join(path)
    }

    fn write(&self, path: &str, text: &str) -> Result {
        let file = self.file(path);
        fs::create_dir_all(file.parent().ok_or("no folder")?)?;
        Ok(fs::write(file, text)?)
    }

    fn replace(&self, path: &str, old: &str, new: &str) -> Result {
        let text = fs::read_to_string(self.file(path))?;
        assert!(text.contains(old), "{path} has no {old:?}");
        self.write(path, &text.replace(old, new))
    }

    fn cargo(&self, command: &str) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args([command, "--offline", "--quiet", "-p", &self.name])
            .current_dir(&self.root)
            .env(
                "CARGO_TARGET_DIR",
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects"),
            )
            .env_remove("RUSTFLAGS");
        cargo
    }

    /// What the program prints, built again if cargo thinks so.
    fn run(&self) -> Result<String> {
        let output = self.cargo("run").output()?;
        if output.status.success() {
            Ok(String::from_utf8(output.stdout)?)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into())
        }
    }

    fn check(&self) -> Result<Output> {
        Ok(self.cargo("check").output()?)
    }

    /// The same project in another folder.
    fn moved(mut self) -> Result<Self> {
        let root = self.root.with_extension("moved");
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        fs::rename(&self.root, &root)?;
        self.root = root;
        Ok(self)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Runs, changes something, and runs again: the digest that is compiled in has to be another one.
fn is_noticed(project: &Project, before: &mut String, what: &str) -> Result {
    let now = project.run()?;
    assert_ne!(now, *before, "{what} was not noticed");
    *before = now;
    Ok(())
}

fn notices_changes_and_removals(project: &Project, before: &mut String) -> Result {
    project.replace("workflow/graphs/release.yaml", "First", "Second")?;
    is_noticed(project, before, "a changed graph")?;
    project.write(
        "workflow/skills/build/SKILL.md",
        &SKILL.replace("# Build", "# Built"),
    )?;
    is_noticed(project, before, "a changed skill")?;
    fs::remove_file(project.file("workflow/skills/build/more.md"))?;
    is_noticed(project, before, "a removed file of a skill")?;
    project.replace(
        "workflow/provider.yaml",
        "graphs/release.yaml",
        "graphs/other.yaml",
    )?;
    fs::rename(
        project.file("workflow/graphs/release.yaml"),
        project.file("workflow/graphs/other.yaml"),
    )?;
    is_noticed(project, before, "a renamed graph")?;
    fs::remove_file(project.file("workflow/graphs/other.yaml"))?;
    let error = project
        .run()
        .err()
        .ok_or("a removed graph was not noticed")?
        .to_string();
    assert!(error.contains("file-missing"), "{error}");
    Ok(())
}

#[test]
fn the_macro_notices_what_is_changed_or_removed_and_with_one_line_of_a_build_script_what_is_added()
-> Result {
    let project = Project::new(&[
        ("src/main.rs", BY_MACRO),
        ("workflow/skills/build/more.md", "More.\n"),
    ])?;
    let mut before = project.run()?;
    project.write("workflow/skills/build/added.md", "Added.\n")?;
    assert_eq!(project.run()?, before, "the documentation says otherwise");
    project.write("build.rs", WATCH_SCRIPT)?;
    is_noticed(&project, &mut before, "an added build script")?;
    project.write("workflow/skills/build/late.md", "Late.\n")?;
    is_noticed(&project, &mut before, "an added file of a skill")?;
    notices_changes_and_removals(&project, &mut before)
}

#[test]
fn a_build_script_in_a_workspace_notices_what_is_changed_removed_or_added() -> Result {
    let files = [
        ("src/main.rs", BY_BUILDER),
        ("build.rs", BUILD_SCRIPT),
        ("workflow/skills/build/more.md", "More.\n"),
    ];
    let project = Project::at("hosts/app", &files)?;
    let mut before = project.run()?;
    project.write("workflow/skills/build/added.md", "Added.\n")?;
    is_noticed(&project, &mut before, "an added file of a skill")?;
    notices_changes_and_removals(&project, &mut before)
}

#[test]
fn a_workspace_that_moves_builds_and_is_watched_where_it_is() -> Result {
    let project = Project::at("hosts/app", &[("src/main.rs", BY_MACRO)])?;
    let before = project.run()?;
    let project = project.moved()?;
    let mut now = project.run()?;
    assert_eq!(now, before);
    project.replace("workflow/graphs/release.yaml", "First", "Second")?;
    is_noticed(&project, &mut now, "a changed graph")
}

#[test]
fn a_build_script_that_moves_builds_and_is_watched_where_it_is() -> Result {
    let project = Project::new(&[("src/main.rs", BY_BUILDER), ("build.rs", BUILD_SCRIPT)])?;
    let before = project.run()?;
    let project = project.moved()?;
    let mut now = project.run()?;
    assert_eq!(now, before);
    project.replace("workflow/graphs/release.yaml", "First", "Second")?;
    is_noticed(&project, &mut now, "a changed graph")
}

#[test]
fn what_is_wrong_with_a_definition_is_an_error_of_the_build_script_line_by_line() -> Result {
    let project = Project::new(&[("src/main.rs", BY_BUILDER), ("build.rs", BUILD_SCRIPT)])?;
    project.replace("workflow/graphs/release.yaml", "reasonCode", "reasoncode")?;
    let output = project.check()?;
    let errors = String::from_utf8(output.stderr)?;
    assert!(!output.status.success());
    assert!(
        errors.contains("schema-invalid: `reasoncode` is no key of an action node\n"),
        "{errors}"
    );
    assert!(
        errors.contains(" --> workflow/graphs/release.yaml:5:"),
        "{errors}"
    );
    assert!(
        errors.contains("= help: did you mean `reasonCode`?\n"),
        "{errors}"
    );
    assert!(
        !errors.contains("panicked") && !errors.contains("E0"),
        "{errors}"
    );
    Ok(())
}

/// The first lines of the errors, without the one in which cargo says that the package could not be compiled.
fn errors_of(project: &Project) -> Result<Vec<String>> {
    let output = project.check()?;
    let errors = String::from_utf8(output.stderr)?;
    assert!(!output.status.success(), "{errors}");
    let titles = errors.lines().filter(|line| line.starts_with("error"));
    let titles = titles.filter(|line| !line.contains("could not compile"));
    Ok(titles.map(str::to_owned).collect())
}

#[test]
fn a_manifest_that_is_not_there_gives_no_error_about_the_names_a_host_uses() -> Result {
    const HOST: &str = "\
agent_graph_macros::include_provider! { mod release = \"workflow/nope.yaml\"; }
use release::graphs::release::{Entry, Step};
fn main() { println!(\"{:?} {:?} {}\", Entry::Default, Step::Build, release::PROVIDER.digest()); }
";
    let project = Project::new(&[("src/main.rs", HOST)])?;
    let errors = errors_of(&project)?;
    let [ours, of_the_compiler] = &*errors else {
        return Err(errors.join("\n").into());
    };
    assert_eq!(ours, "error: file-missing: the manifest does not exist");
    assert!(
        of_the_compiler.starts_with("error: couldn't read `")
            && of_the_compiler.contains("nope.yaml"),
        "{of_the_compiler}"
    );
    // A build script fails before the compiler sees the host.
    project.write("src/main.rs", BY_BUILDER)?;
    project.write(
        "build.rs",
        &BUILD_SCRIPT.replace("provider.yaml", "nope.yaml"),
    )?;
    project.write("Cargo.toml", &project.manifest(true))?;
    let errors = errors_of(&project)?.join("\n");
    assert!(
        errors.contains("file-missing: the manifest does not exist"),
        "{errors}"
    );
    assert!(!errors.contains("E0"), "{errors}");
    Ok(())
}

#[test]
fn a_library_without_the_standard_library_compiles_a_provider_in() -> Result {
    const HOST: &str = "\
#![no_std]
#![deny(warnings)]
//! A host on a machine without an operating system.
use agent_graph_runtime::{Evaluation, State};
agent_graph_macros::include_provider! { pub mod release = \"workflow/provider.yaml\"; }
/// What is next.
#[must_use]
pub fn next(state: &State) -> Evaluation<release::graphs::release::Graph> {
    release::graphs::release::Entry::Default.evaluate(state)
}
";
    let project = Project::new(&[("src/lib.rs", HOST)])?;
    // Nothing but the core, which a build for the host shares with no build script.
    project.replace(
        "Cargo.toml",
        ", features = [\"dynamic\", \"unicode-collation\"]",
        "",
    )?;
    let output = project.check()?;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// A library in the folder of the project publishes the module, and the host uses it from another crate.
#[test]
fn only_other_crates_need_an_arm_for_what_is_added_to_non_exhaustive_names() -> Result {
    const LIBRARY: &str = "\
agent_graph_macros::include_provider! {
    pub mod release = \"../workflow/provider.yaml\", non_exhaustive;
}
use release::graphs::release::Step;
pub fn name(step: Step) -> &'static str { match step { Step::Build => \"build\" } }
";
    const HOST: &str = "\
use flow::release::graphs::release::Step;
fn main() { println!(\"{}\", match Step::Build { Step::Build => flow::name(Step::Build) }); }
";
    let project = Project::new(&[("src/main.rs", HOST), ("flow/src/lib.rs", LIBRARY)])?;
    let manifest = project.manifest(false);
    let library = manifest
        .replace(&project.name, "flow")
        .replace("[workspace]\n", "");
    let library = library.split("[profile").next().unwrap_or_default();
    project.write("flow/Cargo.toml", library)?;
    let used = manifest.replace(
        "[dependencies]\n",
        "[dependencies]\nflow = { path = \"flow\" }\n",
    );
    project.write("Cargo.toml", &used)?;
    let errors = errors_of(&project)?;
    let [error] = &*errors else {
        return Err(errors.join("\n").into());
    };
    assert!(
        error.starts_with("error[E0004]: non-exhaustive patterns"),
        "{error}"
    );
    project.replace("src/main.rs", " }); }", ", _ => \"later\" }); }")?;
    assert_eq!(project.run()?, "build\n");
    Ok(())
}

#[test]
fn a_host_without_the_runtime_is_told_so_once() -> Result {
    const HOST: &str = "\
agent_graph_macros::include_provider! { mod release = \"workflow/provider.yaml\"; }
use release::graphs::release::{Entry, Step};
fn main() { println!(\"{:?} {:?}\", Entry::Default, Step::Build); }
";
    let project = Project::new(&[("src/main.rs", HOST)])?;
    let manifest = project.manifest(false);
    let lines = manifest
        .lines()
        .filter(|line| !line.starts_with("agent-graph-runtime"));
    project.write("Cargo.toml", &lines.collect::<Vec<_>>().join("\n"))?;
    let errors = String::from_utf8(project.check()?.stderr)?;
    assert!(
        errors.contains("does not depend on `agent-graph-runtime`"),
        "{errors}"
    );
    let count = errors
        .lines()
        .filter(|line| line.starts_with("error"))
        .count();
    // Cargo adds that the package could not be compiled.
    assert_eq!(count, 2, "{errors}");
    Ok(())
}

#[test]
fn a_development_build_serves_an_edited_provider_of_the_same_shape_and_refuses_another() -> Result {
    const HOST: &str = "\
use agent_graph_runtime::State;
agent_graph_macros::include_provider! {
    mod release = \"workflow/provider.yaml\", override_env = \"RELEASE_PROVIDER\";
}
use release::graphs::release::Entry;
fn main() {
    let evaluation = Entry::Default.evaluate(&State::new());
    println!(\"{} {}\", evaluation.status(), evaluation.candidates().count());
    println!(\"{}\", evaluation.primary().map_or(\"\", |route| route.label()));
    for diagnostic in evaluation.diagnostics() { println!(\"{} {}\", diagnostic.code, diagnostic.message); }
    if let Err(error) = release::provider() { println!(\"{}\", error.code()); }
}
";
    let project = Project::new(&[("src/main.rs", HOST)])?;
    assert_eq!(project.run()?, "actionable 1\nFirst\n");
    let edited = [
        ("other/provider.yaml", PROVIDER.to_owned()),
        (
            "other/graphs/release.yaml",
            GRAPH.replace("First", "Edited"),
        ),
        ("other/actions/build.yaml", ACTION.to_owned()),
        ("other/skills/build/SKILL.md", SKILL.to_owned()),
    ];
    for (path, text) in &edited {
        project.write(path, text)?;
    }
    let served = || -> Result<String> {
        let mut run = project.cargo("run");
        let output = run
            .env("RELEASE_PROVIDER", project.file("other/provider.yaml"))
            .output()?;
        Ok(String::from_utf8(output.stdout)?)
    };
    assert_eq!(served()?, "actionable 1\nEdited\n");
    project.replace("other/graphs/release.yaml", "id: done", "id: finished")?;
    project.replace("other/graphs/release.yaml", "to: done", "to: finished")?;
    let shape = served()?;
    assert!(
        shape.starts_with("error 0\n\nprovider-override-invalid RELEASE_PROVIDER names "),
        "{shape}"
    );
    assert!(
        shape.contains("graph `release` has other nodes, kinds or calls\n"),
        "{shape}"
    );
    assert!(shape.ends_with("\nprovider-override-invalid\n"), "{shape}");
    project.replace("other/graphs/release.yaml", "reasonCode", "reasoncode")?;
    let broken = served()?;
    assert!(
        broken.contains("does not load:\nerror[schema-invalid]: `reasoncode`"),
        "{broken}"
    );
    // What is released looks at no variable.
    let manifest = project.manifest(false);
    let profile = format!(
        "[profile.dev.package.{}]\ndebug-assertions = false\n",
        project.name
    );
    project.write("Cargo.toml", &(manifest + &profile))?;
    assert_eq!(served()?, "actionable 1\nFirst\n");
    Ok(())
}
