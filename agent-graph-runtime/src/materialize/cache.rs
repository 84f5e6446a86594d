//! Content-addressed files with receipts. Knows nothing about where the content comes from.

use alloc::format;
use alloc::string::{String, ToString};
use std::io;
use std::path::Path;

use super::Materialized;
use crate::code::Code;
use crate::digest::Digest;
use crate::durable::{self, Prepared};
use crate::error::Error;
use crate::json::{Object, write};

/// Writes content and receipt into the folder, each complete or not at all. `describe` says what has the
/// digest.
pub(super) fn store(
    folder: &Path,
    provider: &str,
    describe: impl FnOnce(Digest) -> Materialized,
    content: &[u8],
) -> Result<Materialized, Error> {
    let digest = Digest::of_bytes(content);
    let mut made = describe(digest);
    let name = digest.to_string();
    let name = name.trim_start_matches("sha256:");
    let file = folder.join(format!("{name}{}", extension(&made.media_type)));
    made.file_path.clone_from(&file);
    let receipt = receipt(provider, &made)?;
    let receipt_file = folder.join(format!("{name}.receipt.json"));
    write_both(&file, content, &receipt_file, &receipt).map_err(|error| {
        let message = format!("the cache {}: {error}", folder.display());
        Error::new(Code::FileWriteFailed, message)
    })?;
    Ok(made)
}

/// Both are on the disk before the first one gets its name, so that hardly anything can go wrong in
/// between. The receipt comes last: where there is one, its content is.
fn write_both(file: &Path, content: &[u8], receipt_file: &Path, receipt: &str) -> io::Result<()> {
    durable::create_folders(durable::folder(file))?;
    let content = Prepared::write(file, content, None)?;
    let receipt = Prepared::write(receipt_file, receipt.as_bytes(), None)?;
    if receipt_file.is_dir() {
        let message = format!("{} is a directory", receipt_file.display());
        return Err(io::Error::new(io::ErrorKind::IsADirectory, message));
    }
    content.replace()?;
    receipt.replace()
}

fn receipt(provider: &str, made: &Materialized) -> Result<String, Error> {
    let mut receipt = Object::new();
    receipt.insert("schema", "agent-graph.materialization.v1");
    receipt.insert("provider", provider);
    receipt.insert("resource", made.id.as_str());
    receipt.insert("revision", made.revision.to_string());
    receipt.insert("digest", made.digest.to_string());
    receipt.insert("mediaType", made.media_type.as_str());
    receipt.insert("file", made.file_path.to_string_lossy().into_owned());
    write::stringify_file(&receipt)
}

fn extension(media_type: &str) -> &'static str {
    if media_type.contains("json") {
        ".json"
    } else if media_type.contains("markdown") {
        ".md"
    } else if media_type.starts_with("text/") {
        ".txt"
    } else {
        ".bin"
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::durable::Step;
    use crate::durable::faults::{self, failing};
    use crate::durable::tests::Scratch;
    use crate::protocol::ResourceKind;

    fn keep(folder: &Path, content: &[u8]) -> Result<Materialized, Error> {
        let describe = |digest| Materialized {
            id: "brief".into(),
            kind: ResourceKind::ContextView,
            media_type: "text/plain".into(),
            revision: Digest::of_bytes(b"revision"),
            digest,
            file_path: "".into(),
        };
        store(folder, "p", describe, content)
    }

    #[test]
    fn the_extension_follows_from_the_media_type() {
        for (media_type, expected) in [
            ("application/json", ".json"),
            ("text/json+markdown", ".json"),
            ("text/markdown", ".md"),
            ("text/csv", ".txt"),
            ("application/text/", ".bin"),
            ("TEXT/PLAIN", ".bin"),
        ] {
            assert_eq!(extension(media_type), expected, "{media_type}");
        }
    }

    #[test]
    fn a_failing_step_leaves_no_file_without_name_and_no_receipt_without_content() {
        for step in faults::ALL {
            for nth in 1..=2 {
                let scratch = Scratch::new();
                let folder = scratch.join("cache");
                let failed = failing(step, nth, || keep(&folder, b"content"));
                if step == Step::CreateFolder && nth == 2 {
                    assert!(failed.is_ok());
                    continue;
                }
                assert_eq!(failed.unwrap_err().code(), Code::FileWriteFailed);
                let entries = fs::read_dir(&folder).into_iter().flatten();
                let names: alloc::vec::Vec<String> = entries
                    .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                    .collect();
                assert!(
                    names.iter().all(|name| !name.ends_with(".tmp")),
                    "{names:?}"
                );
                assert!(names.iter().all(|name| name.ends_with(".txt")), "{names:?}");
                keep(&folder, b"content").unwrap();
            }
        }
    }

    #[test]
    fn what_stands_in_the_way_is_not_followed_and_not_removed() {
        let scratch = Scratch::new();
        let folder = scratch.join("cache");
        let made = keep(&folder, b"content").unwrap();
        fs::remove_file(&made.file_path).unwrap();
        fs::create_dir(&made.file_path).unwrap();
        let refused = keep(&folder, b"content").unwrap_err();
        assert_eq!(refused.code(), Code::FileWriteFailed);
        assert!(made.file_path.is_dir());

        fs::remove_dir(&made.file_path).unwrap();
        fs::write(scratch.join("victim"), "kept").unwrap();
        std::os::unix::fs::symlink(scratch.join("victim"), &made.file_path).unwrap();
        keep(&folder, b"content").unwrap();
        assert_eq!(fs::read(scratch.join("victim")).unwrap(), b"kept");
        assert_eq!(fs::read(&made.file_path).unwrap(), b"content");

        let receipt = made.file_path.with_extension("receipt.json");
        fs::remove_file(&receipt).unwrap();
        fs::remove_file(&made.file_path).unwrap();
        fs::create_dir(&receipt).unwrap();
        let refused = keep(&folder, b"content").unwrap_err();
        assert_eq!(refused.code(), Code::FileWriteFailed);
        assert!(!made.file_path.exists());

        fs::write(scratch.join("file"), "").unwrap();
        let refused = keep(&scratch.join("file/cache"), b"content").unwrap_err();
        assert_eq!(refused.code(), Code::FileWriteFailed);
    }
}
