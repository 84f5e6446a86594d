//! Reads generated source back into tables: the proof that printing loses nothing. For tests.

use agent_graph_runtime::tables::OwnedTables;

use super::literal::{Literal, read};

/// The tables that the source of a generated module holds.
///
/// # Errors
///
/// When the source is not what [`super::Baked::to_source`] writes.
pub fn tables(source: &str) -> Result<OwnedTables, String> {
    let file = syn::parse_file(source).map_err(|error| error.to_string())?;
    let pools = Pools::of(&file)?;
    Ok(OwnedTables {
        text: pools.text()?,
        provider: pools.head("provider")?,
        graphs: pools.rows("GRAPHS")?,
        entries: pools.rows("ENTRIES")?,
        nodes: pools.rows("NODES")?,
        steps: pools.rows("STEPS")?,
        gates: pools.rows("GATES")?,
        delegations: pools.rows("DELEGATIONS")?,
        calls: pools.rows("CALLS")?,
        edges: pools.rows("EDGES")?,
        checks: pools.rows("CHECKS")?,
        segments: pools.rows("SEGMENTS")?,
        actions: pools.rows("ACTIONS")?,
        resources: pools.rows("RESOURCES")?,
        codes: pools.rows("CODES")?,
        files: pools.rows("FILES")?,
        texts: pools.rows("TEXTS")?,
        lists: pools.rows("LISTS")?,
    })
}

/// The items of the module `tables`.
pub(super) struct Pools<'f> {
    items: &'f [syn::Item],
}

impl<'f> Pools<'f> {
    /// The pools of the generated module that is the file.
    pub(super) fn of(file: &'f syn::File) -> Result<Self, String> {
        let module = file.items.iter().find_map(as_module).ok_or("no module")?;
        let items = contents(module);
        let rows = items
            .iter()
            .filter_map(as_module)
            .find(|module| module.ident == "tables")
            .map(contents)
            .ok_or("no module `tables`")?;
        Ok(Self { items: rows })
    }

    pub(super) fn text(&self) -> Result<String, String> {
        match self.value("TEXT")? {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) => Ok(text.value()),
            other => read::unexpected(other),
        }
    }

    /// The row that is a field of the tables themselves.
    pub(super) fn head<T: Literal>(&self, name: &str) -> Result<T, String> {
        let value = self.value("TABLES")?;
        let syn::Expr::Struct(tables) = value else {
            return read::unexpected(value);
        };
        let field = tables
            .fields
            .iter()
            .find(|field| matches!(&field.member, syn::Member::Named(own) if own == name))
            .ok_or_else(|| format!("no {name}"))?;
        Literal::read(&field.expr)
    }

    pub(super) fn rows<T: Literal>(&self, pool: &str) -> Result<Vec<T>, String> {
        read::array(self.value(pool)?)?.map(T::read).collect()
    }

    fn value(&self, name: &str) -> Result<&syn::Expr, String> {
        self.items
            .iter()
            .find_map(|item| match item {
                syn::Item::Static(item) if item.ident == name => Some(&*item.expr),
                _ => None,
            })
            .ok_or_else(|| format!("no static `{name}`"))
    }
}

fn as_module(item: &syn::Item) -> Option<&syn::ItemMod> {
    match item {
        syn::Item::Mod(module) => Some(module),
        _ => None,
    }
}

fn contents(module: &syn::ItemMod) -> &[syn::Item] {
    module
        .content
        .as_ref()
        .map_or(&[], |(_, items)| items.as_slice())
}
