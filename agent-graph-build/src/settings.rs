//! What the author of a host says about the generated module: its name, visibility and documentation,
//! where the runtime is, which ids get other names, how strictly to load, which lints matter, whether files
//! are compiled in. Both front ends fill it; each key of the macro has
//! a method of the same name in the builder.

use std::path::{Path, PathBuf};

use agent_graph_runtime::Digest;
use agent_graph_runtime::load::LoadOptions;
use agent_graph_runtime::ordered::Set;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

use crate::lint::{LintLevel, LintLevels};
use crate::names::{self, Renames};

/// The settings of one generated module.
#[derive(Clone, Debug)]
pub struct Settings {
    pub(crate) module: Ident,
    pub(crate) visibility: TokenStream,
    pub(crate) attributes: TokenStream,
    pub(crate) documented: bool,
    pub(crate) runtime: TokenStream,
    pub(crate) renames: Renames,
    pub(crate) load: LoadOptions,
    pub(crate) skills: Vec<Skill>,
    pub(crate) lints: LintLevels,
    pub(crate) embedded: Option<EmbeddedFrom>,
    pub(crate) digest: Option<Digest>,
    pub(crate) non_exhaustive: bool,
    pub(crate) override_env: Option<String>,
    /// Whether graphs are drawn in the documentation.
    #[cfg(feature = "picture")]
    pub(crate) picture: bool,
}

/// Where the compiler of the host finds the files that are embedded. Names no directory of this machine.
#[derive(Clone, Debug)]
pub(crate) struct EmbeddedFrom {
    /// The variable that cargo sets to a folder.
    pub(crate) variable: &'static str,
    /// The folder of the manifest from there, with forward slashes; empty when it is the same.
    pub(crate) folder: String,
}

/// A skill beside a provider.
#[derive(Clone, Debug)]
pub(crate) struct Skill {
    /// Relative to the package, as it was written.
    pub(crate) path: String,
    /// The same, absolute.
    pub(crate) file: PathBuf,
}

impl Settings {
    /// The settings of `pub mod <module>`, everything else left as it is by default.
    pub fn new(module: Ident) -> Self {
        Self {
            module,
            visibility: quote!(pub),
            attributes: TokenStream::new(),
            documented: false,
            runtime: quote!(::agent_graph_runtime),
            renames: Renames::new(),
            load: LoadOptions::new(),
            skills: Vec::new(),
            lints: LintLevels::default(),
            embedded: None,
            digest: None,
            non_exhaustive: false,
            override_env: None,
            #[cfg(feature = "picture")]
            picture: true,
        }
    }

    /// The digest that the bundle has to have: the one of `manifest.json`, or of the bundle that a build
    /// would write.
    ///
    /// # Errors
    ///
    /// When the text is no digest.
    pub fn digest(&mut self, digest: &str) -> Result<(), String> {
        let pinned = digest.parse().map_err(|_| {
            format!(
                "`{digest}` is no digest: write `sha256:` and 64 hexadecimal digits in lower case"
            )
        })?;
        self.digest = Some(pinned);
        Ok(())
    }

    /// Whether other crates have to expect more variants of the generated enumerations.
    pub fn non_exhaustive(&mut self, non_exhaustive: bool) {
        self.non_exhaustive = non_exhaustive;
    }

    /// An environment variable that names a provider to serve in place of the compiled-in one, in builds with
    /// `debug_assertions` only.
    ///
    /// # Errors
    ///
    /// When no environment variable can have this name.
    pub fn override_env(&mut self, variable: &str) -> Result<(), String> {
        if variable.is_empty() || variable.contains(['=', '\0']) {
            return Err(format!(
                "`{}` cannot be the name of an environment variable",
                variable.escape_debug()
            ));
        }
        self.override_env = Some(variable.to_owned());
        Ok(())
    }

    /// What the enumerations are marked with.
    pub(crate) fn marker(&self) -> TokenStream {
        if self.non_exhaustive {
            quote!(#[non_exhaustive])
        } else {
            TokenStream::new()
        }
    }

    /// A skill file that has to be bound to a graph and an entry of the provider; `path` is relative to
    /// the folder of the package.
    pub fn skill(&mut self, package: &Path, path: &str) {
        self.skills.push(Skill {
            path: path.to_owned(),
            file: package.join(path),
        });
    }

    /// Who may use the module, for example `pub(crate)`. No tokens make it private.
    pub fn visibility(&mut self, visibility: TokenStream) {
        self.visibility = visibility;
    }

    /// An attribute of the module, such as `#[cfg(unix)]`.
    pub fn attribute(&mut self, attribute: TokenStream) {
        self.attributes.extend(attribute);
    }

    /// An attribute that documents the module. Without one, the module documents itself.
    pub fn doc(&mut self, attribute: TokenStream) {
        self.attributes.extend(attribute);
        self.documented = true;
    }

    /// Whether to refuse what is never meant and does no harm otherwise, such as a file in the folder of a
    /// bundle that the bundle does not list.
    pub fn strict(&mut self, strict: bool) {
        self.load = self.load.strict(strict);
    }

    /// Compiles the files of the provider in. `folder` is the folder of its manifest, relative to the package
    /// and with forward slashes.
    pub fn embed(&mut self, folder: &str) {
        self.embed_from("CARGO_MANIFEST_DIR", folder);
    }

    pub(crate) fn embed_from(&mut self, variable: &'static str, folder: &str) {
        let folder = folder.to_owned();
        self.embedded = Some(EmbeddedFrom { variable, folder });
    }

    /// The level of the lint with this name; `all` stands for every lint that is not set by name.
    ///
    /// # Errors
    ///
    /// When there is no such lint.
    pub fn lint(&mut self, name: &str, level: LintLevel) -> Result<(), String> {
        self.lints.set(name, level)
    }

    /// Where generated code finds the runtime; `::agent_graph_runtime` by default.
    ///
    /// # Errors
    ///
    /// When the path does not begin with `::` or `crate`: it is used in nested modules, where another
    /// one would mean something else.
    pub fn runtime(&mut self, path: TokenStream) -> Result<(), String> {
        match path.clone().into_iter().next() {
            Some(TokenTree::Punct(colon)) if colon.as_char() == ':' => {}
            Some(TokenTree::Ident(first)) if first == "crate" || first == "$crate" => {}
            _ => {
                return Err(format!(
                    "`{path}` is used in nested modules: begin it with `::` or `crate::`"
                ));
            }
        }
        self.runtime = path;
        Ok(())
    }

    /// Whether the runtime is expected where it is by default.
    pub fn has_default_runtime(&self) -> bool {
        self.runtime.to_string() == quote!(::agent_graph_runtime).to_string()
    }

    /// The name that an id gets instead of the one the rule yields, wherever the id occurs. A name in
    /// upper camel case is for variants, one in snake case for modules.
    ///
    /// # Errors
    ///
    /// When Rust does not accept the name.
    pub fn rename(&mut self, id: &str, name: &str) -> Result<(), String> {
        if !names::is_valid(name) {
            return Err(format!("`{name}` is no name that Rust accepts"));
        }
        let names = self.renames.get_or_insert_with(id.to_owned(), Set::new);
        let Some(names) = names else { return Ok(()) };
        let case = names::case_of(name);
        if let Some(other) = names.iter().find(|other| names::case_of(other) == case) {
            return Err(format!("`{id}` is renamed to `{other}` already"));
        }
        names.insert(name.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings::new(names::identifier("release"))
    }

    #[test]
    fn an_id_gets_one_name_for_variants_and_one_for_modules() {
        let mut settings = settings();
        assert_eq!(settings.rename("a", "First"), Ok(()));
        assert_eq!(settings.rename("a", "first"), Ok(()));
        assert!(settings.rename("a", "Second").is_err());
        assert!(settings.rename("a", "second").is_err());
    }

    #[test]
    fn a_runtime_path_means_the_same_in_every_module() {
        assert_eq!(settings().runtime(quote!(::facade::runtime)), Ok(()));
        assert_eq!(settings().runtime(quote!(crate::runtime)), Ok(()));
        assert!(settings().runtime(quote!(super::runtime)).is_err());
        assert!(settings().runtime(quote!(runtime)).is_err());
    }

    #[test]
    fn a_name_that_rust_does_not_accept_is_refused() {
        assert!(settings().rename("a", "Self").is_err());
        assert!(settings().rename("a", "a-b").is_err());
    }
}
