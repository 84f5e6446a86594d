//! The small real situation of this example: letters, answers and an outbox as files in a folder. Knows how
//! to look at them and how to do each piece of work; nothing about graphs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agent_graph_runtime::Facts;
use serde::{Deserialize, Serialize};

use crate::Result;

/// The letters that an office without any begins with: name, sender, what it is about.
const LETTERS: [(&str, &str, &str); 3] = [
    ("letter-1", "Ada", "the tides"),
    ("letter-2", "Ben", "a broken kettle"),
    ("letter-3", "Cleo", "the opening hours"),
];

/// A folder with an inbox.
pub(crate) struct Office {
    folder: PathBuf,
}

/// A letter that has no answer yet.
pub(crate) struct Letter {
    pub(crate) name: String,
}

/// What an answer needs to know.
#[derive(Serialize, Deserialize)]
pub(crate) struct Brief {
    pub(crate) letter: String,
    pub(crate) from: String,
    pub(crate) about: String,
}

#[derive(Serialize)]
struct Observed {
    queue: Queue,
    outbox: Outbox,
}

#[derive(Serialize)]
struct Queue {
    open: usize,
    /// Which letter is next: receipts for the brief of one letter are none for that of another, because
    /// the revision of a route covers the facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

#[derive(Serialize)]
struct Outbox {
    sent: bool,
}

impl Office {
    /// The office in a folder; letters arrive when there never were any.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        let office = Self {
            folder: folder.to_owned(),
        };
        fs::create_dir_all(office.folder.join("answers"))?;
        let inbox = office.folder.join("inbox");
        if !inbox.exists() {
            fs::create_dir(&inbox)?;
            for (name, from, about) in LETTERS {
                fs::write(inbox.join(name), format!("{from}\n{about}\n"))?;
            }
        }
        Ok(office)
    }

    /// What can be seen now. The workflow trusts this more than what anybody says was done.
    pub(crate) fn observe(&self) -> Result<Facts> {
        let open = self.open_letters()?;
        Ok(Facts::from_serialize(&Observed {
            queue: Queue {
                open: open.len(),
                next: open.into_iter().next(),
            },
            outbox: Outbox {
                sent: self.folder.join("sent").exists(),
            },
        })?)
    }

    /// The letter whose turn it is.
    pub(crate) fn next(&self) -> io::Result<Option<Letter>> {
        let next = self.open_letters()?.into_iter().next();
        Ok(next.map(|name| Letter { name }))
    }

    /// What a letter asks for.
    pub(crate) fn brief(&self, letter: &str) -> Result<Brief> {
        let text = fs::read_to_string(self.folder.join("inbox").join(letter))?;
        let mut lines = text.lines().map(str::to_owned);
        Ok(Brief {
            letter: letter.to_owned(),
            from: lines.next().ok_or("the letter has no sender")?,
            about: lines.next().ok_or("the letter is about nothing")?,
        })
    }

    /// Answers a letter.
    pub(crate) fn answer(&self, letter: &Letter) -> Result<()> {
        let Brief { from, about, .. } = self.brief(&letter.name)?;
        let answer = format!("Dear {from}, thank you for asking about {about}.\n");
        Ok(fs::write(
            self.folder.join("answers").join(&letter.name),
            answer,
        )?)
    }

    /// Sends all answers.
    pub(crate) fn send(&self) -> io::Result<()> {
        let mut outbox = String::new();
        for name in names(&self.folder.join("answers"))? {
            outbox += &fs::read_to_string(self.folder.join("answers").join(name))?;
        }
        fs::write(self.folder.join("sent"), outbox)
    }

    fn open_letters(&self) -> io::Result<Vec<String>> {
        let answered = names(&self.folder.join("answers"))?;
        let mut letters = names(&self.folder.join("inbox"))?;
        letters.retain(|name| !answered.contains(name));
        Ok(letters)
    }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}
