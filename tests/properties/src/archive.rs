//! Several files in one text, so that one input can be a whole provider: each file behind a line `=== path`.
//! Knows nothing about what the files hold.

use std::path::{Component, Path};

const MARK: &[u8] = b"=== ";

/// So many files are taken; further ones are left out.
const MOST_FILES: usize = 40;

/// Path and content of each file. Paths that lead anywhere else, or that no system takes, are left out.
pub fn files(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_prefix(MARK) {
            Some(path) if files.len() < MOST_FILES => {
                let path = String::from_utf8_lossy(path.trim_ascii()).into_owned();
                files.push((path, Vec::new()));
            }
            _ => {
                if let Some((_, content)) = files.last_mut() {
                    content.extend(line);
                }
            }
        }
    }
    files.retain(|(path, _)| is_plain(path));
    files
}

fn is_plain(path: &str) -> bool {
    let mut steps = Path::new(path).components();
    let plain = steps.all(|step| matches!(step, Component::Normal(name) if name.len() <= 80));
    plain && !path.is_empty() && path.len() <= 200 && !path.contains('\0') && !path.ends_with('/')
}

/// The text of these files.
pub fn text(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut text = Vec::new();
    for (path, content) in files {
        text.extend([MARK, path.as_bytes(), b"\n", content].concat());
        if !content.ends_with(b"\n") {
            text.push(b'\n');
        }
    }
    text
}
