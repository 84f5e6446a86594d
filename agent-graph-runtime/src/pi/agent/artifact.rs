//! Answers that are kept as files, and what the state gets in their place (spec 9.6). Knows names and
//! contents, nothing about folders.

use alloc::format;
use alloc::string::{String, ToString};

use super::cut;
use super::node::AgentNode;
use crate::digest::Digest;
use crate::json::{Object, Value};
use crate::pi::text;

/// An answer that is to be kept as a file: under its name, in the folder of the run, readable by nobody
/// else. A file of that name that is there already has the same content and is left alone; a link is
/// refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Artifact<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// Its content.
    pub content: &'a str,
}

/// What is known of an artifact before it is stored.
pub(super) struct Described<'a> {
    pub(super) name: String,
    media_type: &'a str,
    hash: String,
    preview: &'a str,
    bytes: usize,
}

impl AgentNode<'_> {
    pub(super) fn describe_artifact<'a>(&'a self, content: &'a str) -> Described<'a> {
        let media_type = text::trim(self.tables.text(self.agent.media_type));
        let hash = Digest::of_bytes(content.as_bytes()).to_string();
        let hash = hash.trim_start_matches("sha256:");
        let short: String = hash.chars().take(20).collect();
        Described {
            name: format!("{}-{short}{}", safe(self.id()), extension(media_type)),
            media_type,
            hash: hash.into(),
            preview: cut::head(content, self.agent.preview_bytes),
            bytes: content.len(),
        }
    }
}

impl Described<'_> {
    /// What the state gets.
    pub(super) fn reference(&self, uri: String) -> Value {
        let mut reference = Object::new();
        reference.insert("kind", "artifact");
        reference.insert("uri", uri);
        reference.insert("mediaType", self.media_type);
        reference.insert("bytes", self.bytes as f64);
        reference.insert("sha256", self.hash.as_str());
        reference.insert("preview", self.preview);
        reference.into()
    }
}

/// The id of a node as part of a file name.
fn safe(id: &str) -> String {
    const LONGEST: usize = 80;
    let is_plain = |character: &char| {
        character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-')
    };
    let mut name = String::new();
    let mut replaced = false;
    for character in id.chars() {
        if is_plain(&character) {
            name.push(character);
            replaced = false;
        } else if !replaced {
            name.push('_');
            replaced = true;
        }
    }
    name.truncate(LONGEST);
    if name.is_empty() { "node".into() } else { name }
}

fn extension(media_type: &str) -> &'static str {
    match media_type {
        "text/markdown" => ".md",
        "application/json" => ".json",
        other if other.starts_with("text/") => ".txt",
        _ => ".bin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_id_becomes_a_plain_file_name() {
        for (id, expected) in [
            ("review", "review"),
            ("../../etc/passwd", ".._.._etc_passwd"),
            ("a b\u{1f600}\u{1f600}c", "a_b_c"),
            ("日本", "_"),
            ("", "node"),
        ] {
            assert_eq!(safe(id), expected, "{id}");
        }
        assert_eq!(safe(&"x".repeat(200)).len(), 80);
    }

    #[test]
    fn the_extension_follows_the_media_type() {
        for (media_type, expected) in [
            ("text/markdown", ".md"),
            ("application/json", ".json"),
            ("text/html", ".txt"),
            ("image/png", ".bin"),
            ("", ".bin"),
        ] {
            assert_eq!(extension(media_type), expected, "{media_type}");
        }
    }
}
