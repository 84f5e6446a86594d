//! Which required resources of a route still have to be read. What counts as read is the host's matter:
//! receipts, or nothing at all.

use alloc::string::String;
use alloc::vec::Vec;

use crate::candidate::Candidate;
use crate::error::Error;
use crate::typed::Graph;
use crate::wire::wire_struct;

/// A required resource that has not been read as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Its id.
    pub id: String,
    /// The file to read; none for a resource that has to be made.
    pub file: Option<String>,
}

wire_struct!(Unread {
    "id": id,
    "file"? file,
});

/// Tells what has not been read.
pub trait Reading {
    /// The required resources of a route that have not been read.
    ///
    /// # Errors
    ///
    /// Why that cannot be told, for example because a file is missing.
    fn unread<G: Graph>(&mut self, route: &Candidate<'_, G>) -> Result<Vec<Unread>, Error>;
}

/// Takes everything as read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Reading for Everything {
    fn unread<G: Graph>(&mut self, _: &Candidate<'_, G>) -> Result<Vec<Unread>, Error> {
        Ok(Vec::new())
    }
}

/// Goes by read receipts: a route is resolved, and what its read states leave open is unread. Reads the
/// files of the provider to see what they hold now.
#[cfg(feature = "routes")]
#[derive(Clone, Copy, Debug)]
pub struct Receipts<'a> {
    /// The provider with its files.
    pub installed: &'a crate::Installed,
    /// What routes are resolved with, receipts among it.
    pub input: &'a crate::RouteInput,
}

#[cfg(feature = "routes")]
impl Reading for Receipts<'_> {
    fn unread<G: Graph>(&mut self, route: &Candidate<'_, G>) -> Result<Vec<Unread>, Error> {
        use crate::protocol::ReadState;

        let route = self.installed.resolve(route, self.input)?;
        let required = route.resources.required.iter();
        let unread = required.filter(|location| location.read_state() != Some(ReadState::Current));
        Ok(unread
            .map(|location| Unread {
                id: location.id().into(),
                file: location.as_file().map(|file| file.file_path.clone()),
            })
            .collect())
    }
}
