//! The front end for build scripts: settings by method, a file in the output directory, directives
//! for cargo. What it writes is what the macro would expand to, as formatted source.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use agent_graph_runtime::{Code, Finding, Findings, Place, SourceTexts};
use proc_macro2::TokenStream;

use crate::bake::doc_attributes;
use crate::expand::{self, Expansion, folder_of, relative};
use crate::lint::LintLevel;
use crate::report;
use crate::settings::Settings;

/// Generates a module from a provider in a build script.
///
/// ```no_run
/// // build.rs
/// agent_graph_build::Builder::new("workflow/provider.yaml")
///     .module("release")
///     .emit();
/// ```
///
/// `agent_graph_runtime::include_generated!(release);` then puts the module into the host. Unlike the
/// macro, a build script also notices files that are added to a directory.
#[derive(Clone, Debug)]
pub struct Builder {
    expand: fn(&Path, &Settings) -> Result<Expansion, Findings>,
    manifest: String,
    module: String,
    visibility: String,
    docs: Vec<String>,
    runtime: Option<String>,
    renames: Vec<(String, String)>,
    strict: bool,
    skills: Vec<String>,
    lints: Vec<(LintLevel, String)>,
    embed: bool,
    digest: Option<String>,
    non_exhaustive: bool,
    override_env: Option<String>,
}

/// What a [`Builder`] generates.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The name of the module as Rust spells it, `r#` included where it is a keyword.
    pub module: String,
    /// The source of the module.
    pub source: String,
    /// What deserves a look.
    pub warnings: Vec<Finding>,
    /// The texts that those point into.
    pub texts: SourceTexts,
    /// Every file that shaped the source, sorted.
    pub watched: Vec<PathBuf>,
    /// Every directory whose list of files did.
    pub watched_directories: Vec<PathBuf>,
}

impl Builder {
    /// A builder for the provider with this manifest: a path relative to the package, or absolute. The
    /// `manifest.json` of a built bundle will do as well; every file is then held against its digest.
    /// The module is called `provider` unless [`Builder::module`] says otherwise.
    pub fn new(manifest: impl Into<String>) -> Self {
        Self {
            expand: expand::expand,
            manifest: manifest.into().replace('\\', "/"),
            module: "provider".to_owned(),
            visibility: "pub".to_owned(),
            docs: Vec::new(),
            runtime: None,
            renames: Vec::new(),
            strict: false,
            skills: Vec::new(),
            lints: Vec::new(),
            embed: false,
            digest: None,
            non_exhaustive: false,
            override_env: None,
        }
    }

    /// A builder for the pi-graph, `schemaVersion: 2`, in this file: a path relative to the package, or
    /// absolute. The module is called `graph` unless [`Builder::module`] says otherwise.
    #[cfg(feature = "pi")]
    pub fn pi_graph(file: impl Into<String>) -> Self {
        Self {
            expand: crate::pi::expand,
            module: "graph".to_owned(),
            ..Self::new(file)
        }
    }

    /// The name of the module, and of its file.
    #[must_use]
    pub fn module(mut self, name: impl Into<String>) -> Self {
        self.module = name.into();
        self
    }

    /// Who may use the module: `pub` by default, an empty text makes it private.
    #[must_use]
    pub fn visibility(mut self, visibility: impl Into<String>) -> Self {
        self.visibility = visibility.into();
        self
    }

    /// One or more lines that document the module, as Markdown. Without any, the module documents
    /// itself.
    #[must_use]
    pub fn doc(mut self, text: impl Into<String>) -> Self {
        self.docs.push(text.into());
        self
    }

    /// Where the generated code finds the runtime, `::agent_graph_runtime` by default: what the macro
    /// calls `crate`. The path begins with `::` or `crate`.
    #[must_use]
    pub fn crate_path(mut self, path: impl Into<String>) -> Self {
        self.runtime = Some(path.into());
        self
    }

    /// The name that an id gets instead of the one the naming rule yields, wherever it occurs. A name
    /// in upper camel case is for variants, one in snake case for the modules of graphs.
    #[must_use]
    pub fn rename(mut self, id: impl Into<String>, name: impl Into<String>) -> Self {
        self.renames.push((id.into(), name.into()));
        self
    }

    /// Refuses what is never meant and does no harm otherwise: a member of a JSON definition that is
    /// written twice, a file in the folder of a bundle that the bundle does not list.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// A skill file that is bound to the provider: a path relative to the package. The build fails when
    /// its binding leads to another provider, or names a graph or an entry that there is not.
    #[must_use]
    pub fn skill(mut self, path: impl Into<String>) -> Self {
        self.skills.push(path.into().replace('\\', "/"));
        self
    }

    /// The level of lints, by name; `all` stands for every lint that is not set by name. Of two levels for one
    /// name the later one counts. Lints that are
    /// denied fail the build, those that warn show their findings as warnings of cargo.
    ///
    /// ```
    /// use agent_graph_build::Builder;
    /// use agent_graph_build::lint::LintLevel;
    ///
    /// let builder = Builder::new("workflow/provider.yaml")
    ///     .lints(LintLevel::Deny, ["stuck-state", "unused-code"])
    ///     .lints(LintLevel::Allow, ["lasting-repeat"]);
    /// ```
    #[must_use]
    pub fn lints<N: Into<String>>(
        mut self,
        level: LintLevel,
        names: impl IntoIterator<Item = N>,
    ) -> Self {
        let names = names.into_iter().map(|name| (level, name.into()));
        self.lints.extend(names);
        self
    }

    /// Compiles the files of the provider in: `EMBEDDED` beside `PROVIDER` lends their bytes and extracts
    /// them to a folder. The provider lies in the package, in a folder beside it, or in the output directory
    /// of the build script.
    #[must_use]
    pub fn embed(mut self) -> Self {
        self.embed = true;
        self
    }

    /// The digest that the provider has to have, `sha256:` and 64 digits: the one in the `manifest.json` of a
    /// built bundle; for a provider manifest, that of the bundle which `agent-graph build` would write; for a
    /// pi-graph its graph hash. With another one the build fails and says what to pin.
    #[must_use]
    pub fn digest(mut self, digest: impl Into<String>) -> Self {
        self.digest = Some(digest.into());
        self
    }

    /// Marks the generated enumerations `#[non_exhaustive]`: other crates that match on them need an arm for
    /// what is added later. For libraries that publish the module.
    #[must_use]
    pub fn non_exhaustive(mut self) -> Self {
        self.non_exhaustive = true;
        self
    }

    /// An environment variable that names the manifest of a provider to serve in place of the compiled-in one,
    /// when the program is run; in builds with `debug_assertions` only. See the option `override_env` of
    /// `include_provider!`.
    #[must_use]
    pub fn override_env(mut self, variable: impl Into<String>) -> Self {
        self.override_env = Some(variable.into());
        self
    }

    /// Generates the module without writing anything. A relative manifest is looked up in the package
    /// whose build script this is, or in the current directory outside of a build script.
    ///
    /// # Errors
    ///
    /// All that is wrong with the settings or the definition.
    pub fn generate(&self) -> Result<Generated, Findings> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        let package = Path::new(&package);
        let settings = self.settings(package);
        let settings = settings.map_err(|message| self.invalid(message))?;
        let manifest = package.join(&self.manifest);
        let Expansion {
            baked,
            warnings,
            texts,
            watched,
            watched_directories,
            ..
        } = (self.expand)(&manifest, &settings)?;
        let module = baked
            .to_source()
            .map_err(|error| self.invalid(error.to_string()))?;
        Ok(Generated {
            module: settings.module.to_string(),
            source: format!("{}{module}", self.header()),
            warnings,
            texts,
            watched,
            watched_directories,
        })
    }

    /// Generates the module into the output directory of the build script, and tells cargo what to
    /// watch and what to show. When the definition is wrong, cargo shows every finding and the build
    /// fails: this function then ends the process.
    pub fn emit(&self) {
        let Some(directory) = std::env::var_os("OUT_DIR") else {
            println!("cargo::error=OUT_DIR is not set: emit() is for build scripts");
            process::exit(1);
        };
        let directory = Path::new(&directory);
        let generated = self.generate().unwrap_or_else(|findings| {
            print(&report::cargo_lines(
                findings.list(),
                findings.texts(),
                &self.manifest,
            ));
            process::exit(1);
        });
        let warnings = &generated.warnings;
        print(&report::cargo_lines(
            warnings,
            &generated.texts,
            &self.manifest,
        ));
        print(&generated.watch_lines(directory));
        if let Err(error) = generated.write_to(directory) {
            println!(
                "cargo::error={}.rs cannot be written: {error}",
                generated.module
            );
            process::exit(1);
        }
    }

    /// The first lines of the file: that it is generated and by what, and from which source.
    fn header(&self) -> String {
        // A path of this machine has no place in the output.
        let source = if is_absolute(&self.manifest) {
            self.manifest.rsplit('/').next().unwrap_or("")
        } else {
            &self.manifest
        };
        format!(
            "// @generated by {} {}; changes are lost.\n// Source: {}\n\n",
            env!("CARGO_PKG_NAME"),
            env!("CARGO_PKG_VERSION"),
            source.escape_debug()
        )
    }

    fn settings(&self, package: &Path) -> Result<Settings, String> {
        let module: syn::Ident = syn::parse_str(&self.module)
            .or_else(|_| syn::parse_str(&format!("r#{}", self.module)))
            .map_err(|_| format!("`{}` cannot be the name of a module", self.module))?;
        let visibility: syn::Visibility = syn::parse_str(&self.visibility)
            .map_err(|_| format!("`{}` is no visibility", self.visibility))?;
        let mut settings = Settings::new(module);
        settings.visibility(quote::quote!(#visibility));
        for text in &self.docs {
            settings.doc(doc_attributes(text.lines()));
        }
        if let Some(path) = &self.runtime {
            settings.runtime(runtime_path(path)?)?;
        }
        settings.strict(self.strict);
        if let Some(digest) = &self.digest {
            settings.digest(digest)?;
        }
        settings.non_exhaustive(self.non_exhaustive);
        if let Some(variable) = &self.override_env {
            settings.override_env(variable)?;
        }
        for (id, name) in &self.renames {
            settings.rename(id, name)?;
        }
        for skill in &self.skills {
            settings.skill(package, skill);
        }
        for (level, name) in &self.lints {
            settings.lint(name, *level)?;
        }
        if self.embed {
            self.embed_in(&mut settings, package)?;
        }
        Ok(settings)
    }

    /// Says where the compiler finds the files of the provider, without naming a directory of this machine.
    fn embed_in(&self, settings: &mut Settings, package: &Path) -> Result<(), String> {
        if !is_absolute(&self.manifest) {
            settings.embed(folder_of(&self.manifest));
            return Ok(());
        }
        let output = std::env::var_os("OUT_DIR").map(PathBuf::from);
        let roots = [
            ("OUT_DIR", output.as_deref()),
            ("CARGO_MANIFEST_DIR", Some(package)),
        ];
        for (variable, root) in roots {
            let root = root.filter(|root| root.is_absolute());
            if let Some(below) = root.and_then(|root| relative(Path::new(&self.manifest), root)) {
                settings.embed_from(variable, folder_of(&below));
                return Ok(());
            }
        }
        Err(format!(
            "{} is neither in the package nor in the output directory of the build script, so its files \
             cannot be embedded without naming a directory of this machine: give the path relative to the \
             package",
            self.manifest
        ))
    }

    fn invalid(&self, message: String) -> Findings {
        let name = self.manifest.rsplit('/').next().unwrap_or("");
        Finding::error(Code::SettingInvalid, Place::start_of(name.into()), message).into()
    }
}

impl Generated {
    /// Directives that make cargo run the build script again when a file changed. What lies in the
    /// output directory is not watched: the build script itself writes there.
    fn watch_lines(&self, output: &Path) -> Vec<String> {
        self.watched
            .iter()
            .chain(&self.watched_directories)
            .filter(|path| !path.starts_with(output))
            .filter_map(|path| path.to_str())
            // A line break in a name would begin a directive of its own; cargo has no way to quote it.
            .filter(|path| !path.contains(['\n', '\r']))
            .map(|path| format!("cargo::rerun-if-changed={path}"))
            .collect()
    }

    /// Writes `<module>.rs` into the directory, all of it or nothing, and leaves the file alone when it
    /// is the same already.
    ///
    /// # Errors
    ///
    /// When the directory cannot be written to.
    pub fn write_to(&self, directory: &Path) -> io::Result<()> {
        let file = directory.join(format!("{}.rs", self.module));
        if fs::read(&file).is_ok_and(|current| current == self.source.as_bytes()) {
            return Ok(());
        }
        let draft = directory.join(format!("{}.rs.{}", self.module, process::id()));
        fs::write(&draft, &self.source)?;
        fs::rename(&draft, &file).inspect_err(|_| {
            // The draft is of no use; that it cannot be removed is not the problem to report.
            let _ = fs::remove_file(&draft);
        })
    }
}

fn runtime_path(path: &str) -> Result<TokenStream, String> {
    let path: syn::Path =
        syn::parse_str(path).map_err(|_| format!("`{path}` is no path of Rust"))?;
    Ok(quote::quote!(#path))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..2) == Some(":")
}

fn print(lines: &[String]) {
    for line in lines {
        println!("{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generated() -> Generated {
        Generated {
            module: "release".to_owned(),
            source: String::new(),
            warnings: Vec::new(),
            texts: SourceTexts::new(),
            watched: vec![
                PathBuf::from("/flow/provider.yaml"),
                PathBuf::from("/out/a.yaml"),
            ],
            watched_directories: vec![PathBuf::from("/flow/skills/ship")],
        }
    }

    fn code_and_message(builder: &Builder) -> (Code, String) {
        let findings = builder.generate().unwrap_err();
        (findings.code(), findings.list()[0].message.clone())
    }

    #[test]
    fn files_and_directories_are_watched_but_for_those_in_the_output_directory() {
        assert_eq!(
            generated().watch_lines(Path::new("/out")),
            [
                "cargo::rerun-if-changed=/flow/provider.yaml",
                "cargo::rerun-if-changed=/flow/skills/ship"
            ]
        );
    }

    #[test]
    fn a_name_with_a_line_break_is_no_directive() {
        let mut generated = generated();
        for name in [
            "a\ncargo::rustc-cfg=injected",
            "a\rcargo::rustc-cfg=injected",
        ] {
            generated.watched.push(Path::new("/flow").join(name));
        }
        let lines = generated.watch_lines(Path::new("/out"));
        assert!(
            lines.iter().all(|line| !line.contains("injected")),
            "{lines:?}"
        );
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn settings_that_are_not_rust_are_findings_that_name_them() {
        let builder = || Builder::new("flow/provider.yaml");
        for (builder, named) in [
            (builder().module("a-b"), "`a-b`"),
            (builder().module("self"), "`self`"),
            (builder().visibility("publ"), "`publ`"),
            (builder().crate_path("1"), "`1`"),
            (builder().crate_path("runtime"), "`runtime`"),
            (builder().rename("a", "b-c"), "`b-c`"),
            (builder().lints(LintLevel::Deny, ["unused"]), "`unused`"),
            (builder().digest("sha256:00"), "`sha256:00`"),
            (builder().override_env("A=B"), "`A=B`"),
        ] {
            let (code, message) = code_and_message(&builder);
            assert_eq!(code, Code::SettingInvalid);
            assert!(message.contains(named), "{message}");
        }
    }

    #[test]
    fn a_keyword_can_be_the_name_of_a_module() {
        let settings = Builder::new("provider.yaml")
            .module("type")
            .settings(Path::new(""));
        assert_eq!(settings.unwrap().module.to_string(), "r#type");
    }

    #[cfg(unix)]
    #[test]
    fn files_to_embed_are_found_from_the_package_or_not_at_all() {
        let folder = |manifest: &str| {
            let builder = Builder::new(manifest).embed();
            let settings = builder.settings(Path::new("/package")).ok()?;
            let from = settings.embedded?;
            Some((from.variable, from.folder))
        };
        let package = |folder: &str| Some(("CARGO_MANIFEST_DIR", folder.to_owned()));
        assert_eq!(folder("flow/provider.yaml"), package("flow"));
        assert_eq!(folder("../flow/provider.yaml"), package("../flow"));
        assert_eq!(folder("provider.yaml"), package(""));
        assert_eq!(folder("/package/a/b/provider.yaml"), package("a/b"));
        assert_eq!(folder("/package/provider.yaml"), package(""));
        assert_eq!(folder("/packages/provider.yaml"), None);
    }

    #[test]
    fn the_header_names_the_source_but_no_directory_of_the_machine() {
        let lines = |manifest: &str| -> Vec<String> {
            let header = Builder::new(manifest).header();
            header.lines().map(str::to_owned).collect()
        };
        let relative = lines("flow/provider.yaml");
        assert!(relative[0].starts_with("// @generated by agent-graph-build "));
        assert_eq!(relative[1], "// Source: flow/provider.yaml");
        assert_eq!(
            lines("/home/me/provider.yaml")[1],
            "// Source: provider.yaml"
        );
        assert_eq!(
            lines("C:\\me\\provider.yaml")[1],
            "// Source: provider.yaml"
        );
        assert_eq!(lines("a\nb.yaml")[1], "// Source: a\\nb.yaml");
    }
}
