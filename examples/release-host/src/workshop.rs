//! The small real situation of this example: files in a temporary folder. Knows how to look at them and
//! how to do each piece of work; nothing about graphs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agent_graph_runtime::{Digest, Facts};

/// The folder in which a release is made. It is removed when the workshop is dropped.
pub(crate) struct Workshop {
    folder: PathBuf,
}

impl Workshop {
    /// An empty workshop.
    pub(crate) fn open() -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("release-host-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What can be seen now. The workflow trusts this more than what anybody says was done.
    pub(crate) fn observe(&self) -> Result<Facts, Box<dyn std::error::Error>> {
        let notes = self.read("notes.md");
        let package = self.read("package.txt");
        let approval = self.read("approval.txt");
        let unfinished = notes
            .iter()
            .flat_map(|text| text.lines())
            .filter(|line| line.starts_with("TODO"))
            .count();
        let package_is_fresh = notes.is_some() && package == notes.as_deref().map(sealed);
        let approval_is_fresh = package.is_some() && approval == package.as_deref().map(digest);
        let facts = Facts::from_json(&format!(
            r#"{{
                "notes": {{ "exists": {}, "unfinished": {unfinished} }},
                "package": {{ "fresh": {package_is_fresh} }},
                "approval": {{ "fresh": {approval_is_fresh} }},
                "published": {{ "exists": {} }}
            }}"#,
            notes.is_some(),
            self.read("published.txt").is_some(),
        ))?;
        Ok(facts)
    }

    /// Writes first notes, one line of them unfinished.
    pub(crate) fn write_notes(&self) -> io::Result<&'static str> {
        let notes = "Version 1.4.0\n\n- Routes carry hints, see https://example.com/hints\nTODO say what is faster\n";
        fs::write(self.folder.join("notes.md"), notes)?;
        Ok("wrote notes.md, one line unfinished")
    }

    /// What an agent with the skill would do.
    pub(crate) fn edit_notes(&self) -> io::Result<&'static str> {
        let notes = self.read("notes.md").unwrap_or_default();
        let edited = notes.replace(
            "TODO say what is faster",
            "- Evaluation no longer allocates",
        );
        fs::write(self.folder.join("notes.md"), edited)?;
        Ok("finished the unfinished line")
    }

    /// Whether the notes link somewhere.
    pub(crate) fn check_links(&self) -> bool {
        self.read("notes.md")
            .is_some_and(|notes| notes.contains("https://"))
    }

    /// Builds the package from the notes.
    pub(crate) fn package(&self) -> io::Result<&'static str> {
        let notes = self.read("notes.md").unwrap_or_default();
        fs::write(self.folder.join("package.txt"), sealed(&notes))?;
        Ok("wrote package.txt")
    }

    /// Records the approval of the package as it is now.
    pub(crate) fn approve(&self) -> io::Result<&'static str> {
        let package = self.read("package.txt").unwrap_or_default();
        fs::write(self.folder.join("approval.txt"), digest(&package))?;
        Ok("recorded the approval of exactly this package")
    }

    /// Publishes the package.
    pub(crate) fn publish(&self) -> io::Result<&'static str> {
        fs::copy(
            self.folder.join("package.txt"),
            self.folder.join("published.txt"),
        )?;
        Ok("published.txt is out")
    }

    fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.join(name)).ok()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // A folder that stays behind in the temporary directory harms nobody.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The notes with their digest as the last line.
fn sealed(notes: &str) -> String {
    format!("{notes}{}\n", digest(notes))
}

fn digest(text: &str) -> String {
    Digest::of_bytes(text.as_bytes()).to_string()
}
