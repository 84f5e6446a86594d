//! Items without what their users do not see: bodies, documentation, private fields, most attributes. Knows single
//! items, nothing about modules.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Fields, ImplItem, Item, TraitItem, Visibility, parse_quote};

/// The attributes of an item.
pub(crate) fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether something is hidden, or there in tests only.
pub(crate) fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|own| {
        let text = own.to_token_stream().to_string();
        text.contains("doc (hidden)") || text.contains("cfg (test)") || text.contains("doc(hidden)")
    })
}

/// Attributes that users notice.
fn kept(attributes: &[Attribute]) -> Vec<Attribute> {
    const NOTICED: [&str; 8] = [
        "cfg",
        "deprecated",
        "derive",
        "macro_export",
        "must_use",
        "non_exhaustive",
        "proc_macro",
        "repr",
    ];
    let noticed = |own: &&Attribute| NOTICED.iter().any(|name| own.path().is_ident(name));
    attributes.iter().filter(noticed).cloned().collect()
}

/// The item under the conditions that lead to it as well.
pub(crate) fn under(mut item: Item, conditions: &[Attribute]) -> Item {
    let conditions = conditions.iter().filter(|own| own.path().is_ident("cfg"));
    let conditions: Vec<Attribute> = conditions.cloned().collect();
    let attributes = match &mut item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return item,
    };
    attributes.splice(0..0, conditions);
    item
}

/// A public item without its insides; `None` if it is not public, or an `impl`, which belongs to its type.
pub(crate) fn public(item: &Item) -> Option<Item> {
    let mut item = item.clone();
    let is_public = |visibility: &Visibility| matches!(visibility, Visibility::Public(_));
    let shown = match &mut item {
        Item::Const(own) => {
            own.attrs = kept(&own.attrs);
            // The value of a limit is part of what is offered, that of a table is not.
            if own.expr.to_token_stream().to_string().len() > 60 {
                own.expr = parse_quote!(_);
            }
            is_public(&own.vis)
        }
        Item::Static(own) => {
            own.attrs = kept(&own.attrs);
            own.expr = parse_quote!(_);
            is_public(&own.vis)
        }
        Item::Fn(own) => {
            own.attrs = kept(&own.attrs);
            own.block = parse_quote!({});
            is_public(&own.vis)
        }
        Item::Type(own) => {
            own.attrs = kept(&own.attrs);
            is_public(&own.vis)
        }
        Item::Struct(own) => {
            own.attrs = kept(&own.attrs);
            if fields(&mut own.fields) {
                own.attrs.push(parse_quote!(#[has_private_fields]));
            }
            is_public(&own.vis)
        }
        Item::Enum(own) => {
            own.attrs = kept(&own.attrs);
            for variant in &mut own.variants {
                variant.attrs = kept(&variant.attrs);
                all_fields(&mut variant.fields);
            }
            is_public(&own.vis)
        }
        Item::Trait(own) => {
            own.attrs = kept(&own.attrs);
            own.items.iter_mut().for_each(of_trait);
            is_public(&own.vis)
        }
        Item::Macro(own) => {
            let is_exported = own
                .attrs
                .iter()
                .any(|own| own.path().is_ident("macro_export"));
            own.attrs = kept(&own.attrs);
            own.mac.tokens = TokenStream::new();
            is_exported
        }
        _ => false,
    };
    shown.then_some(item)
}

/// Leaves the public fields; says whether there are others.
fn fields(fields: &mut Fields) -> bool {
    let is_public = |field: &&syn::Field| matches!(field.vis, Visibility::Public(_));
    let (all, public) = (fields.len(), fields.iter().filter(is_public).count());
    match fields {
        Fields::Named(named) => {
            named.named = named.named.iter().filter(is_public).cloned().collect()
        }
        // The position of a field of a tuple counts, so either all of them are shown or none.
        Fields::Unnamed(unnamed) if public < all => unnamed.unnamed = Punctuated::new(),
        _ => {}
    }
    all_fields(fields);
    public < all
}

fn all_fields(fields: &mut Fields) {
    for field in fields.iter_mut() {
        field.attrs = kept(&field.attrs);
    }
}

fn of_trait(item: &mut TraitItem) {
    match item {
        TraitItem::Fn(own) => {
            own.attrs = kept(&own.attrs);
            // Whether there is a body matters, not what is in it.
            own.default = own.default.as_ref().map(|_| parse_quote!({}));
        }
        TraitItem::Const(own) => own.attrs = kept(&own.attrs),
        TraitItem::Type(own) => own.attrs = kept(&own.attrs),
        _ => {}
    }
}

/// An `impl` block with what is public in it; `None` if that is nothing.
pub(crate) fn implementation(item: &syn::ItemImpl) -> Option<syn::ItemImpl> {
    let mut own = item.clone();
    own.attrs = kept(&own.attrs);
    let is_trait = own.trait_.is_some();
    own.items.retain_mut(|item| match item {
        ImplItem::Fn(function) => {
            let shown =
                matches!(function.vis, Visibility::Public(_)) && !is_left_out(&function.attrs);
            function.attrs = kept(&function.attrs);
            function.block = parse_quote!({});
            shown
        }
        ImplItem::Const(constant) => {
            let shown =
                matches!(constant.vis, Visibility::Public(_)) && !is_left_out(&constant.attrs);
            constant.attrs = kept(&constant.attrs);
            constant.expr = parse_quote!(_);
            shown
        }
        ImplItem::Type(own) => {
            own.attrs = kept(&own.attrs);
            true
        }
        // A macro stands for what it makes.
        _ => !is_trait,
    });
    (is_trait || !own.items.is_empty()).then_some(own)
}

/// A macro that makes items, without documentation and without sentences for people.
pub(crate) fn making(item: &syn::ItemMacro) -> syn::ItemMacro {
    let mut own = item.clone();
    own.attrs = kept(&own.attrs);
    own.mac.tokens = without_words(own.mac.tokens);
    own
}

/// Tokens without `#[doc]` and without groups that hold nothing but sentences (`{ cause: "...", cure: "..." }`).
fn without_words(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let text = group.stream().to_string();
                let is_doc = group.delimiter() == Delimiter::Bracket && text.starts_with("doc =");
                if is_doc {
                    // Its `#`.
                    out.pop();
                } else if !text.starts_with("cause :") && !text.starts_with("cause:") {
                    let inner = without_words(group.stream());
                    out.push(Group::new(group.delimiter(), inner).into());
                }
            }
            token => out.push(token),
        }
    }
    out.into_iter().collect()
}
