//! The tokens that `include_provider!` and `graph_tests!` take. Knows their grammar, nothing about providers.

use std::path::Path;

use agent_graph_build::lint::LintLevel;
use agent_graph_build::{Settings, folder_of};
use proc_macro2::Span;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitBool, LitStr, Token, Visibility, parenthesized};

/// What stands between the braces: one module or more.
pub(crate) struct Input {
    pub(crate) modules: Vec<Module>,
}

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

impl Parse for GraphTests {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let manifest: LitStr = input.parse()?;
        input.parse::<Token![,]>()?;
        let cases: LitStr = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self {
            manifest: relative_path(&manifest)?,
            cases: relative_path(&cases)?,
            span: cases.span(),
        })
    }
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut modules = vec![input.parse()?];
        while !input.is_empty() {
            modules.push(input.parse()?);
        }
        Ok(Self { modules })
    }
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        input.parse::<Token![mod]>()?;
        let mut settings = Settings::new(input.parse()?);
        settings.visibility(quote!(#visibility));
        for attribute in attributes {
            if attribute.path().is_ident("doc") {
                settings.doc(quote!(#attribute));
            } else {
                settings.attribute(quote!(#attribute));
            }
        }
        input.parse::<Token![=]>()?;
        let literal: LitStr = input.parse()?;
        let path = relative_path(&literal)?;
        while input.parse::<Option<Token![,]>>()?.is_some() {
            option(input, &mut settings, &path)?;
        }
        input.parse::<Token![;]>()?;
        Ok(Self {
            settings,
            path,
            span: literal.span(),
        })
    }
}

/// One of the options that the documentation of the macro lists.
fn option(input: ParseStream<'_>, settings: &mut Settings, manifest: &str) -> syn::Result<()> {
    if input.peek(Token![crate]) {
        input.parse::<Token![crate]>()?;
        input.parse::<Token![=]>()?;
        let path = input.call(syn::Path::parse_mod_style)?;
        return settings
            .runtime(quote!(#path))
            .map_err(|message| syn::Error::new_spanned(path, message));
    }
    let key: Ident = input.parse()?;
    if key == "skill" {
        input.parse::<Token![=]>()?;
        let path = relative_path(&input.parse()?)?;
        let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
        settings.skill(Path::new(&package), &path);
        return Ok(());
    }
    if key == "strict" {
        settings.strict(true);
        return Ok(());
    }
    if key == "embed" {
        input.parse::<Token![=]>()?;
        if input.parse::<LitBool>()?.value {
            settings.embed(folder_of(manifest));
        }
        return Ok(());
    }
    if key == "lints" {
        return lints(input, settings);
    }
    if key == "non_exhaustive" {
        settings.non_exhaustive(true);
        return Ok(());
    }
    if key == "digest" || key == "override_env" {
        input.parse::<Token![=]>()?;
        let literal: LitStr = input.parse()?;
        let set = if key == "digest" {
            settings.digest(&literal.value())
        } else {
            settings.override_env(&literal.value())
        };
        return set.map_err(|message| syn::Error::new_spanned(&literal, message));
    }
    if key != "rename" {
        return Err(syn::Error::new_spanned(
            &key,
            format!(
                "unknown option `{key}`: there are `crate = path`, `digest = \"sha256:...\"`, `embed = true`, \
                 `lints(deny(\"name\"))`, `non_exhaustive`, `override_env = \"VARIABLE\"`, \
                 `rename(\"id\" = Name)`, `skill = \"path\"` and `strict`"
            ),
        ));
    }
    let pairs;
    parenthesized!(pairs in input);
    for pair in pairs.parse_terminated(Rename::parse, Token![,])? {
        settings
            .rename(&pair.id.value(), &pair.name.unraw().to_string())
            .map_err(|message| syn::Error::new_spanned(&pair.name, message))?;
    }
    Ok(())
}

/// `(deny("name", ...), allow("name", ...))`
fn lints(input: ParseStream<'_>, settings: &mut Settings) -> syn::Result<()> {
    let levels;
    parenthesized!(levels in input);
    for own in levels.parse_terminated(Lints::parse, Token![,])? {
        for name in own.names {
            settings
                .lint(&name.value(), own.level)
                .map_err(|message| syn::Error::new_spanned(&name, message))?;
        }
    }
    Ok(())
}

/// `deny("name", ...)`
struct Lints {
    level: LintLevel,
    names: Vec<LitStr>,
}

impl Parse for Lints {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let level: Ident = input.parse()?;
        let known = LintLevel::ALL.iter().copied();
        let Some(known) = known.clone().find(|known| level == known.as_str()) else {
            let message = format!("`{level}` is no level: there are `allow`, `warn` and `deny`");
            return Err(syn::Error::new_spanned(&level, message));
        };
        let names;
        parenthesized!(names in input);
        let names = names.parse_terminated(<LitStr as Parse>::parse, Token![,])?;
        Ok(Self {
            level: known,
            names: names.into_iter().collect(),
        })
    }
}

struct Rename {
    id: LitStr,
    name: Ident,
}

impl Parse for Rename {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let id = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self {
            id,
            name: input.call(Ident::parse_any)?,
        })
    }
}

/// The path in the literal, with forward slashes.
fn relative_path(literal: &LitStr) -> syn::Result<String> {
    let path = literal.value().replace('\\', "/");
    if path.starts_with('/') || path.get(1..2) == Some(":") {
        return Err(syn::Error::new_spanned(
            literal,
            "the path is absolute, so the crate would only compile on this machine: write it relative \
             to the folder of Cargo.toml",
        ));
    }
    Ok(path)
}
