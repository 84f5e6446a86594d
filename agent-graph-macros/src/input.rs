//! The tokens that `include_provider!` and `graph_tests!` take. Knows their grammar, nothing about providers.

use std::path::Path;

use agent_graph_build::lint::LintLevel;
use agent_graph_build::{Settings, folder_of};
use proc_macro2::{Span, TokenStream};

use crate::tokens::{Error, Text, Tokens};

/// `pub mod release = "workflow/provider.yaml", rename("a" = B);`
pub(crate) struct Module {
    pub(crate) settings: Settings,
    /// The manifest, relative to the package, with forward slashes.
    pub(crate) path: String,
    /// Where the path is written: the place for everything that has to be said.
    pub(crate) span: Span,
}

/// `"workflow/provider.yaml", "workflow/tests"`
pub(crate) struct GraphTests {
    /// The manifest, relative to the package, with forward slashes.
    pub(crate) manifest: String,
    /// The directory of the cases, likewise.
    pub(crate) cases: String,
    /// Where that directory is written.
    pub(crate) span: Span,
}

impl GraphTests {
    pub(crate) fn parse(tokens: TokenStream) -> Result<Self, Error> {
        let mut tokens = Tokens::new(tokens);
        let manifest = tokens.text()?;
        tokens.punctuation(',')?;
        let cases = tokens.text()?;
        let span = cases.span;
        tokens.take(',');
        if !tokens.is_empty() {
            return Err(tokens.unexpected());
        }
        Ok(Self {
            manifest: relative_path(manifest)?,
            cases: relative_path(cases)?,
            span,
        })
    }
}

/// What stands between the braces: one module or more.
pub(crate) fn modules(tokens: TokenStream) -> Result<Vec<Module>, Error> {
    let mut tokens = Tokens::new(tokens);
    let mut modules = vec![module(&mut tokens)?];
    while !tokens.is_empty() {
        modules.push(module(&mut tokens)?);
    }
    Ok(modules)
}

fn module(tokens: &mut Tokens) -> Result<Module, Error> {
    let mut attributes = Vec::new();
    while let Some(attribute) = tokens.attribute()? {
        attributes.push(attribute);
    }
    let visibility = tokens.visibility();
    tokens.word("mod")?;
    let mut settings = Settings::new(tokens.ident()?);
    settings.visibility(visibility);
    for (doc, attribute) in attributes {
        if doc {
            settings.doc(attribute);
        } else {
            settings.attribute(attribute);
        }
    }
    tokens.punctuation('=')?;
    let literal = tokens.text()?;
    let span = literal.span;
    let path = relative_path(literal)?;
    while tokens.take(',') {
        option(tokens, &mut settings, &path)?;
    }
    tokens.punctuation(';')?;
    Ok(Module {
        settings,
        path,
        span,
    })
}

/// One of the options that the documentation of the macro lists.
fn option(tokens: &mut Tokens, settings: &mut Settings, manifest: &str) -> Result<(), Error> {
    let key = tokens.ident()?;
    match key.to_string().as_str() {
        "crate" => runtime(tokens, settings),
        "skill" => {
            tokens.punctuation('=')?;
            let path = relative_path(tokens.text()?)?;
            let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
            settings.skill(Path::new(&package), &path);
            Ok(())
        }
        "strict" => {
            settings.strict(true);
            Ok(())
        }
        "embed" => {
            tokens.punctuation('=')?;
            if tokens.boolean()? {
                settings.embed(folder_of(manifest));
            }
            Ok(())
        }
        "lints" => lints(tokens, settings),
        "non_exhaustive" => {
            settings.non_exhaustive(true);
            Ok(())
        }
        "digest" => text(tokens, |digest| settings.digest(digest)),
        "override_env" => text(tokens, |variable| settings.override_env(variable)),
        "rename" => renames(tokens, settings),
        _ => Err(Error::new(
            key.span(),
            format!(
                "unknown option `{key}`: there are `crate = path`, `digest = \"sha256:...\"`, `embed = true`, \
                 `lints(deny(\"name\"))`, `non_exhaustive`, `override_env = \"VARIABLE\"`, \
                 `rename(\"id\" = Name)`, `skill = \"path\"` and `strict`"
            ),
        )),
    }
}

/// `= ::facade::runtime`
fn runtime(tokens: &mut Tokens, settings: &mut Settings) -> Result<(), Error> {
    tokens.punctuation('=')?;
    let (path, start, end) = tokens.path()?;
    settings
        .runtime(path)
        .map_err(|message| Error::between(start, end, message))
}

/// `= "text"`
fn text(tokens: &mut Tokens, set: impl FnOnce(&str) -> Result<(), String>) -> Result<(), Error> {
    tokens.punctuation('=')?;
    let Text { value, span } = tokens.text()?;
    set(&value).map_err(|message| Error::new(span, message))
}

/// `("id" = Name, ...)`
fn renames(tokens: &mut Tokens, settings: &mut Settings) -> Result<(), Error> {
    tokens.parenthesized()?.each(|pair| {
        let id = pair.text()?;
        pair.punctuation('=')?;
        let name = pair.ident()?;
        let text = name.to_string();
        let unraw = text.strip_prefix("r#").unwrap_or(&text);
        settings
            .rename(&id.value, unraw)
            .map_err(|message| Error::new(name.span(), message))
    })
}

/// `(deny("name", ...), allow("name", ...))`
fn lints(tokens: &mut Tokens, settings: &mut Settings) -> Result<(), Error> {
    tokens.parenthesized()?.each(|levels| {
        let level = levels.ident()?;
        let mut known = LintLevel::ALL.iter().copied();
        let Some(known) = known.find(|known| level == known.as_str()) else {
            let message = format!("`{level}` is no level: there are `allow`, `warn` and `deny`");
            return Err(Error::new(level.span(), message));
        };
        levels.parenthesized()?.each(|names| {
            let Text { value, span } = names.text()?;
            settings
                .lint(&value, known)
                .map_err(|message| Error::new(span, message))
        })
    })
}

/// The path in the literal, with forward slashes.
fn relative_path(literal: Text) -> Result<String, Error> {
    let path = literal.value.replace('\\', "/");
    if path.starts_with('/') || path.get(1..2) == Some(":") {
        return Err(Error::new(
            literal.span,
            "the path is absolute, so the crate would only compile on this machine: write it relative \
             to the folder of Cargo.toml",
        ));
    }
    Ok(path)
}
