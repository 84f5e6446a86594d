//! The modules of a crate with their items, from its first file on. Knows which file a module is in, nothing about
//! what is public.

use std::fs;
use std::path::{Path, PathBuf};

use syn::{Item, ItemMod, Visibility};

use crate::strip;

/// A module, with those in it.
pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) is_public: bool,
    /// Says when it is there: `#[cfg(...)]`.
    pub(crate) conditions: Vec<syn::Attribute>,
    pub(crate) items: Vec<Item>,
    pub(crate) modules: Vec<Module>,
}

/// The crate whose first file this is.
pub(crate) fn read(first_file: &Path) -> Result<Module, String> {
    let folder = first_file.parent().unwrap_or(first_file);
    let head = Head {
        name: "crate".into(),
        is_public: true,
        conditions: Vec::new(),
    };
    module(head, parsed(first_file)?, folder)
}

struct Head {
    name: String,
    is_public: bool,
    conditions: Vec<syn::Attribute>,
}

fn parsed(path: &Path) -> Result<Vec<Item>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(file.items)
}

/// A module whose own modules lie in `folder`. What is hidden or only there in tests is left out.
fn module(head: Head, items: Vec<Item>, folder: &Path) -> Result<Module, String> {
    let mut own = Vec::new();
    let mut modules = Vec::new();
    for item in items {
        if strip::is_left_out(strip::attributes_of(&item)) {
            continue;
        }
        match item {
            Item::Mod(inner) => modules.push(inner_module(inner, folder)?),
            item => own.push(item),
        }
    }
    Ok(Module {
        name: head.name,
        is_public: head.is_public,
        conditions: head.conditions,
        items: own,
        modules,
    })
}

fn inner_module(inner: ItemMod, folder: &Path) -> Result<Module, String> {
    let name = inner.ident.to_string();
    let inside = folder.join(&name);
    let items = match inner.content {
        Some((_, items)) => items,
        None => parsed(&file_of(folder, &name))?,
    };
    let head = Head {
        name,
        is_public: matches!(inner.vis, Visibility::Public(_)),
        conditions: inner
            .attrs
            .into_iter()
            .filter(|own| own.path().is_ident("cfg"))
            .collect(),
    };
    module(head, items, &inside)
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let beside = folder.join(format!("{name}.rs"));
    if beside.is_file() {
        beside
    } else {
        folder.join(name).join("mod.rs")
    }
}
