//! What the author of a host says about the generated module: its name, visibility and documentation,
//! where the runtime is, which ids get other names, how strictly to load. Both front ends fill it; each key of the macro has
//! a method of the same name in the builder.

use std::path::{Path, PathBuf};

use agent_graph_runtime::load::LoadOptions;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;

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
        let names = self.renames.entry(id.to_owned()).or_default();
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
