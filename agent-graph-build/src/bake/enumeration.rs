//! An enumeration of names: its variants, and the impls that look a name up in the tables instead of
//! spelling it again, so that thousands of variants stay cheap to compile.

use proc_macro2::TokenStream;
use quote::quote;

use crate::names;
use crate::settings::Settings;

/// What the author chose for all of a module.
pub(super) struct Style {
    /// Where the runtime is.
    pub(super) runtime: TokenStream,
    /// What enumerations are marked with.
    pub(super) marker: TokenStream,
    /// Whether the module may serve another provider than the one compiled in.
    pub(super) served: bool,
    /// Whether graphs are drawn in the documentation.
    #[cfg(feature = "picture")]
    pub(super) picture: bool,
}

impl Style {
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            runtime: settings.runtime.clone(),
            marker: settings.marker(),
            served: settings.override_env.is_some(),
            #[cfg(feature = "picture")]
            picture: settings.picture,
        }
    }
}

/// One variant.
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) docs: TokenStream,
}

/// An enumeration of names.
pub(super) struct Enumeration<'a> {
    /// Its Rust name, for example `Node`.
    pub(super) name: &'static str,
    /// Its documentation.
    pub(super) docs: TokenStream,
    /// What a name is, for the error that a text is none, for example ``node of graph `release` ``.
    pub(super) expected: String,
    /// Its variants, in the order of the rows that hold the names.
    pub(super) variants: Vec<Variant>,
    /// The call that looks a name up, up to the row of the first variant; the variant is added.
    pub(super) lookup: &'a dyn Fn(&TokenStream) -> TokenStream,
}

impl Enumeration<'_> {
    /// The items.
    pub(super) fn tokens(
        &self,
        Style {
            runtime, marker, ..
        }: &Style,
    ) -> TokenStream {
        let Self { docs, expected, .. } = self;
        let name = names::identifier(self.name);
        let variants: Vec<_> = self
            .variants
            .iter()
            .map(|variant| names::identifier(&variant.name))
            .collect();
        let variant_docs = self.variants.iter().map(|variant| &variant.docs);
        // Without variants there is nothing to represent, and nothing to look up.
        let (representation, lookup) = if variants.is_empty() {
            (TokenStream::new(), quote!(match self {}))
        } else {
            (quote!(#[repr(u16)]), (self.lookup)(&quote!(self as u16)))
        };
        quote! {
            #docs
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #representation
            #marker
            pub enum #name { #( #variant_docs #variants, )* }

            impl #name {
                /// Every one.
                pub const ALL: &'static [Self] = &[ #( Self::#variants, )* ];

                /// The name as it is written in the definition.
                #[must_use]
                pub fn as_str(self) -> &'static str { #lookup }
            }

            impl #runtime::generated::Name for #name {
                const ALL: &'static [Self] = Self::ALL;
                const EXPECTED: &'static str = #expected;

                fn as_str(self) -> &'static str { Self::as_str(self) }
            }

            #runtime::generated::impl_name!(#name);
        }
    }
}
