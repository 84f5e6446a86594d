//! The public modules of a crate with everything that is reached through them, wherever it is written. Knows paths,
//! nothing about the insides of items.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::{Item, UseTree, Visibility, parse_quote};

use crate::files::Module;
use crate::strip;

/// The outline as one file.
pub(crate) fn outline(root: &Module) -> syn::File {
    let mut outline = Outline {
        root,
        names: BTreeSet::new(),
    };
    let mut items = outline.module(root, &[]);
    items.extend(outline.implementations());
    parse_quote!(#(#items)*)
}

struct Outline<'m> {
    root: &'m Module,
    /// The names of what is public.
    names: BTreeSet<String>,
}

impl<'m> Outline<'m> {
    /// The items that are reached through a module, in the order of their text; then its modules.
    fn module(&mut self, module: &'m Module, path: &[String]) -> Vec<Item> {
        let mut found: Vec<Item> = Vec::new();
        for item in &module.items {
            match item {
                Item::Use(own) if matches!(own.vis, Visibility::Public(_)) => {
                    let mut inner = Vec::new();
                    self.reached(&own.tree, path.to_vec(), &mut inner);
                    found.extend(inner.into_iter().map(|item| strip::under(item, &own.attrs)));
                }
                Item::Macro(own) if makes_public(own) => {
                    self.names.extend(words(own.mac.tokens.clone()));
                    found.push(Item::Macro(strip::making(own)));
                }
                item => found.extend(self.public(item)),
            }
        }
        let mut found = in_order(found);
        for inner in module.modules.iter().filter(|inner| inner.is_public) {
            let path = [path, std::slice::from_ref(&inner.name)].concat();
            let items = self.module(inner, &path);
            let name = syn::Ident::new(&inner.name, proc_macro2::Span::call_site());
            let conditions = &inner.conditions;
            found.push(parse_quote!(#(#conditions)* pub mod #name { #(#items)* }));
        }
        found
    }

    fn public(&mut self, item: &Item) -> Option<Item> {
        let stripped = strip::public(item)?;
        self.names.extend(name_of(&stripped));
        Some(stripped)
    }

    /// What a `pub use` gives: the items themselves where they are written in this crate.
    fn reached(&mut self, tree: &UseTree, mut path: Vec<String>, found: &mut Vec<Item>) {
        match tree {
            UseTree::Path(step) => {
                match step.ident.to_string().as_str() {
                    "crate" => path.clear(),
                    "self" => {}
                    "super" => drop(path.pop()),
                    name => path.push(name.to_owned()),
                }
                self.reached(&step.tree, path, found);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.reached(tree, path.clone(), found);
                }
            }
            UseTree::Name(name) => self.named(&name.ident.to_string(), tree, &path, found),
            UseTree::Rename(rename) => {
                self.names.insert(rename.rename.to_string());
                found.push(reexport(tree, &path));
            }
            UseTree::Glob(_) => match self.at(&path) {
                Some(module) => {
                    found.extend(module.items.iter().filter_map(|item| self.public(item)))
                }
                None => found.push(reexport(tree, &path)),
            },
        }
    }

    fn named(&mut self, name: &str, tree: &UseTree, path: &[String], found: &mut Vec<Item>) {
        let Some(module) = self.at(path) else {
            // Another crate's.
            return found.push(reexport(tree, path));
        };
        let own = |item: &&Item| name_of(item).as_deref() == Some(name);
        if let Some(item) = module.items.iter().find(own) {
            return found.extend(self.public(item));
        }
        self.names.insert(name.to_owned());
        // A module may itself have it from elsewhere.
        for item in &module.items {
            if let Item::Use(own) = item
                && !matches!(own.vis, Visibility::Inherited)
                && words(own.tree.to_token_stream()).contains(name)
            {
                let mut inner = Vec::new();
                self.reached(&own.tree, path.to_vec(), &mut inner);
                inner.retain(|item| name_of(item).as_deref() == Some(name));
                if !inner.is_empty() {
                    return found.extend(inner);
                }
            }
        }
        let makers = module.items.iter().filter_map(|item| match item {
            Item::Macro(own) if own.ident.is_none() => Some(own),
            _ => None,
        });
        let (naming, others): (Vec<_>, Vec<_>) =
            makers.partition(|own| words(own.mac.tokens.clone()).contains(name));
        // One that names it makes it; if none does, the macro itself has the name in it.
        let makers = if naming.is_empty() { others } else { naming };
        found.push(reexport(tree, path));
        found.extend(
            makers
                .into_iter()
                .map(|own| Item::Macro(strip::making(own))),
        );
    }

    fn at(&self, path: &[String]) -> Option<&'m Module> {
        path.iter().try_fold(self.root, |module, name| {
            module.modules.iter().find(|inner| inner.name == *name)
        })
    }

    /// What the public types do and which traits they have, in the order of their text.
    fn implementations(&self) -> Vec<Item> {
        let mut found = Vec::new();
        self.implementations_in(self.root, &mut found);
        in_order(found)
    }

    fn implementations_in(&self, module: &Module, found: &mut Vec<Item>) {
        for item in &module.items {
            let Item::Impl(own) = item else {
                continue;
            };
            let of = last_name(own.self_ty.to_token_stream());
            let is_known = of.is_some_and(|name| self.names.contains(&name));
            let is_foreign_or_public = own
                .trait_
                .as_ref()
                .is_none_or(|(path, _)| !self.is_private_trait(path));
            if is_known && is_foreign_or_public {
                found.extend(strip::implementation(own).map(Item::Impl));
            }
        }
        module
            .modules
            .iter()
            .for_each(|inner| self.implementations_in(inner, found));
    }

    /// Whether a trait is one of this crate that nobody else sees.
    fn is_private_trait(&self, path: &syn::Path) -> bool {
        let name = path.segments.last().map(|step| step.ident.to_string());
        name.is_some_and(|name| !self.names.contains(&name) && defines_trait(self.root, &name))
    }
}

fn defines_trait(module: &Module, name: &str) -> bool {
    let own = |item: &Item| matches!(item, Item::Trait(own) if own.ident == name);
    module.items.iter().any(own)
        || module
            .modules
            .iter()
            .any(|inner| defines_trait(inner, name))
}

fn reexport(tree: &UseTree, path: &[String]) -> Item {
    let path = path
        .iter()
        .map(|name| syn::Ident::new(name, proc_macro2::Span::call_site()));
    parse_quote!(pub use #(#path::)* #tree;)
}

/// Whether a macro in a public module makes something.
fn makes_public(own: &syn::ItemMacro) -> bool {
    own.ident.is_none()
}

/// All words in tokens.
fn words(tokens: TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(found.insert(ident.to_string())),
            TokenTree::Group(group) => found.extend(words(group.stream())),
            _ => {}
        }
    }
    found
}

/// The name of a type, whatever its parameters.
fn last_name(tokens: TokenStream) -> Option<String> {
    let until_parameters = tokens
        .into_iter()
        .take_while(|token| !matches!(token, TokenTree::Punct(own) if own.as_char() == '<'));
    let names = until_parameters.filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    });
    names.last()
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// In the order of their names, what is done for a type behind the type.
fn in_order(items: Vec<Item>) -> Vec<Item> {
    let key = |item: &Item| {
        let name = match item {
            Item::Impl(own) => last_name(own.self_ty.to_token_stream()),
            other => name_of(other),
        };
        (name.unwrap_or_default(), quote!(#item).to_string())
    };
    let mut items: Vec<_> = items.into_iter().map(|item| (key(&item), item)).collect();
    items.sort_by(|(a, _), (b, _)| a.cmp(b));
    items.dedup_by(|(a, _), (b, _)| a == b);
    items.into_iter().map(|(_, item)| item).collect()
}
