//! Bakes every provider that the suites compare with its loaded twin: the conformance vectors (the
//! compact copy, or the directory that `AGENT_GRAPH_CONFORMANCE` names), the worked examples, and the
//! random providers. A provider that cannot be baked does not stop the build; the suites report it.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use agent_graph_build::lint::LintLevel;
use agent_graph_build::{Builder, Generated};
use agent_graph_runtime::Findings;

// The build script and the tests have to draw the same providers, so they share the code.
#[allow(dead_code, unreachable_pub, reason = "the tests use the rest")]
#[path = "src/json.rs"]
mod json;
#[allow(dead_code, unreachable_pub, reason = "the tests use the rest")]
#[path = "src/model.rs"]
mod model;
#[allow(dead_code, unreachable_pub, reason = "the tests use the rest")]
#[path = "src/random.rs"]
mod random;
#[allow(dead_code, unreachable_pub, reason = "the tests use the rest")]
#[path = "src/seeded.rs"]
mod seeded;
#[allow(dead_code, unreachable_pub, reason = "the tests use the rest")]
#[path = "src/sources.rs"]
mod sources;
#[allow(dead_code, unreachable_pub, reason = "the tests use the rest")]
#[path = "src/written.rs"]
mod written;

use sources::Source;

fn main() -> Result<(), Box<dyn Error>> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("no package folder")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no output folder")?);
    println!(
        "cargo::rerun-if-env-changed={}",
        sources::DIRECTORY_VARIABLE
    );
    let conformance = env::var_os(sources::DIRECTORY_VARIABLE)
        .map_or_else(|| package.join("conformance"), |named| package.join(named));
    let examples = package.join("examples");
    let random = out.join("random");
    for watched in [
        &package.join("src"),
        &package.join("build.rs"),
        &conformance,
        &examples,
    ] {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    sources::write_random(&random)?;
    let mut index = Index::default();
    for source in sources::of_conformance(&conformance)?
        .into_iter()
        .chain(sources::of_examples(&examples)?)
        .chain(sources::of_chance(&random))
    {
        index.bake(&source, &out)?;
    }
    index.folder("CONFORMANCE", &conformance)?;
    index.folder("EXAMPLES", &examples)?;
    index.folder("RANDOM", &random)?;
    fs::write(out.join("index.rs"), index.finish())?;
    Ok(())
}

/// The source that names all baked providers.
#[derive(Default)]
struct Index {
    items: String,
    providers: Vec<String>,
}

impl Index {
    fn bake(&mut self, source: &Source, out: &Path) -> Result<(), Box<dyn Error>> {
        let module = source.name.replace(['/', '-'], "_");
        let provider = match generate(&source.manifest, &module) {
            Ok(generated) => {
                let file = out.join(format!("{module}.rs"));
                fs::write(&file, generated.source)?;
                writeln!(self.items, "include!({:?});", file.display().to_string())?;
                format!("Ok({}::PROVIDER)", generated.module)
            }
            Err(error) => format!("Err({:?})", error.to_string()),
        };
        self.providers
            .push(format!("({:?}, {provider})", source.name));
        Ok(())
    }

    fn folder(&mut self, name: &str, path: &Path) -> Result<(), Box<dyn Error>> {
        let path = path.display().to_string();
        writeln!(self.items, "pub(super) const {name}: &str = {path:?};")?;
        Ok(())
    }

    fn finish(mut self) -> String {
        self.items += &format!(
            "pub(super) static PROVIDERS: [(&str, Result<::agent_graph_runtime::Provider, &str>); {}] = [\n{},\n];\n",
            self.providers.len(),
            self.providers.join(",\n"),
        );
        self.items
    }
}

fn generate(manifest: &Path, module: &str) -> Result<Generated, Findings> {
    Builder::new(manifest.display().to_string())
        .module(module)
        // Random providers are not meant to be sound.
        .lints(LintLevel::Allow, ["all"])
        .generate()
}
