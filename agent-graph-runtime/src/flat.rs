//! What the tables of both families have in common: pools of rows beside one text, in a borrowed and an owned
//! form. Knows nothing about what the rows mean.

/// Defines the borrowed and the owned form side by side, so that they have the same pools.
macro_rules! flat_tables {
    (
        $(#[$borrowed:meta])* borrowed,
        $(#[$owned:meta])* owned,
        $(#[$root_doc:meta])* $root:ident: $root_row:ty,
        $( $(#[$doc:meta])* $pool:ident: $row:ty, )+
    ) => {
        $(#[$borrowed])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Tables<'a> {
            /// All text, each string once.
            pub text: &'a str,
            $(#[$root_doc])*
            pub $root: $root_row,
            $( $(#[$doc])* pub $pool: &'a [$row], )+
        }

        $(#[$owned])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct OwnedTables {
            /// All text, each string once.
            pub text: String,
            $(#[$root_doc])*
            pub $root: $root_row,
            $( $(#[$doc])* pub $pool: Vec<$row>, )+
        }

        impl Default for OwnedTables {
            fn default() -> Self {
                Self {
                    text: String::new(),
                    $root: *<$root_row as Row>::ABSENT,
                    $( $pool: Vec::new(), )+
                }
            }
        }

        impl OwnedTables {
            /// The borrowed form.
            pub fn as_tables(&self) -> Tables<'_> {
                Tables { text: &self.text, $root: self.$root, $( $pool: &self.$pool, )+ }
            }
        }

        impl<'a> Tables<'a> {
            /// The text, or an empty one when there is none.
            pub fn text(&self, text: Text) -> &'a str {
                self.text_or_none(text).unwrap_or("")
            }

            /// The text, when there is one.
            pub fn text_or_none(&self, text: Text) -> Option<&'a str> {
                let start = text.0 as usize;
                self.text.get(start..start.checked_add(text.1 as usize)?)
            }

            /// The row of a pool of these tables, for example `tables.row(tables.nodes, index)`.
            pub fn row<T: Row>(&self, pool: &'a [T], index: u32) -> &'a T {
                pool.get(index as usize).unwrap_or(T::ABSENT)
            }

            /// The rows of a pool of these tables.
            pub fn rows<T>(&self, pool: &'a [T], rows: Rows) -> &'a [T] {
                let start = rows.0 as usize;
                let end = start.saturating_add(rows.1 as usize);
                pool.get(start..end).unwrap_or(&[])
            }
        }
    };
}

pub(crate) use flat_tables;
