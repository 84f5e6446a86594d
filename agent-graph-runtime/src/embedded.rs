//! A compiled-in provider with the bytes of its files beside its tables. Lends them, and holds them against
//! the digests in the tables. Knows no file system: putting the files somewhere is the matter of `extract`.

use alloc::format;
use core::fmt;

use crate::code::Code;
use crate::digest::Digest;
use crate::error::Error;
use crate::provider::Provider;
use crate::tables::{Tables, Text};

/// A provider whose files are compiled in: what `embed` of the macro and of the builder makes, as
/// `EMBEDDED` beside `PROVIDER`.
///
/// ```
/// # fn example(embedded: agent_graph_runtime::Embedded) -> Option<()> {
/// let guide = embedded.bytes("resources/guide.md")?;
/// # let _: &'static [u8] = guide;
/// # Some(())
/// # }
/// ```
///
/// Routes name absolute paths, so they need files in a folder: `Embedded::extract` (feature `std`) puts them
/// there.
#[derive(Clone, Copy)]
pub struct Embedded {
    tables: &'static Tables<'static>,
    /// In the order of the files in the tables.
    contents: &'static [&'static [u8]],
}

impl Embedded {
    /// Files for tables that are compiled in. Called by generated code.
    #[doc(hidden)]
    pub const fn __new(
        tables: &'static Tables<'static>,
        contents: &'static [&'static [u8]],
    ) -> Self {
        Self { tables, contents }
    }

    /// The provider.
    pub fn provider(&self) -> Provider {
        Provider::__from_static(self.tables)
    }

    /// Every file: its path relative to the folder of the manifest, with forward slashes, and its bytes.
    /// Sorted by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&'static str, &'static [u8])> {
        let (tables, contents) = (self.tables, self.contents);
        let files = tables.files.iter().zip(contents);
        files.map(|(file, content)| (tables.text(file.path), *content))
    }

    /// The bytes of the file at this path, as [`Embedded::files`] gives it.
    pub fn bytes(&self, path: &str) -> Option<&'static [u8]> {
        let found = self.files().find(|(own, _)| *own == path);
        found.map(|(_, content)| content)
    }

    /// The bytes of the resource with this id: of the text or of the file that its descriptor names. None
    /// when there is no such resource, or when its content is made on demand.
    pub fn resource(&self, id: &str) -> Option<&'static [u8]> {
        let mut resources = self.tables.resources.iter();
        let resource = resources.find(|own| self.tables.text(own.id) == id)?;
        let content = usize::try_from(resource.content).ok()?;
        self.contents.get(content).copied()
    }

    /// Compares all bytes with the digests in the tables. They are compiled in together, so that this fails
    /// only when a file changed in the middle of a build: worth a test of the host, not a start-up check.
    ///
    /// # Errors
    ///
    /// [`Code::FileChanged`] with the first file that differs.
    pub fn verify(&self) -> Result<(), Error> {
        let contents = self.contents.iter().copied().map(Some);
        let mut contents = contents.chain(core::iter::repeat(None));
        for file in self.tables.files {
            let content = contents.next().flatten();
            let digest = content.map(Digest::of_bytes);
            if digest != Some(Digest::from_bytes(file.digest)) {
                return Err(self.differs(file.path));
            }
        }
        Ok(())
    }

    fn differs(&self, path: Text) -> Error {
        let message = format!(
            "the embedded file {} differs from what provider `{}` was made from",
            self.tables.text(path),
            self.tables.text(self.tables.provider.id)
        );
        Error::new(Code::FileChanged, message)
    }
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded")
            .field("provider", &self.provider())
            .field("files", &self.contents.len())
            .finish()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use alloc::boxed::Box;
    use alloc::vec::Vec;

    use super::*;
    use crate::tables::{FileRow, OwnedTables};

    /// A provider that is nothing but files.
    pub(crate) fn embedded(files: &[(&str, &'static str)]) -> Embedded {
        let mut tables = OwnedTables::default();
        for (path, content) in files {
            let start = u32::try_from(tables.text.len()).unwrap();
            tables.text.push_str(path);
            tables.files.push(FileRow {
                path: Text(start, u32::try_from(path.len()).unwrap()),
                digest: *Digest::of_bytes(content.as_bytes()).as_bytes(),
            });
        }
        let contents: Vec<&[u8]> = files.iter().map(|(_, text)| text.as_bytes()).collect();
        // Tables that are compiled in live for ever.
        let tables: &'static OwnedTables = Box::leak(Box::new(tables));
        Embedded::__new(Box::leak(Box::new(tables.as_tables())), contents.leak())
    }

    impl Embedded {
        /// The same tables with other bytes.
        pub(crate) fn with_contents(self, contents: &'static [&'static [u8]]) -> Self {
            Self { contents, ..self }
        }
    }

    #[test]
    fn bytes_are_lent_by_path() {
        let embedded = embedded(&[("a.yaml", "a"), ("b/c.md", "c")]);
        assert_eq!(embedded.bytes("b/c.md"), Some(&b"c"[..]));
        assert_eq!(embedded.bytes("c.md"), None);
        assert_eq!(embedded.files().len(), 2);
        assert_eq!(embedded.resource("a"), None);
    }

    #[test]
    fn bytes_that_differ_from_their_digest_or_are_missing_are_noticed() {
        let good = embedded(&[("a", "1"), ("b", "2")]);
        assert_eq!(good.verify(), Ok(()));
        static WRONG: [&[&[u8]]; 4] = [&[b"1", b"3"], &[b"2", b"1"], &[b"1"], &[]];
        for contents in WRONG {
            let bad = good.with_contents(contents);
            assert_eq!(bad.verify().unwrap_err().code(), Code::FileChanged);
        }
    }
}
