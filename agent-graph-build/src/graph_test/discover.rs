//! Finds the files of test cases (spec section 8). Knows directories and names only.

use std::fs;
use std::path::{Path, PathBuf};

use agent_graph_runtime::load::limits::PROVIDER_FILES;
use agent_graph_runtime::ordered;
use agent_graph_runtime::{Code, Finding, Findings, Place, order};

/// The file itself, or every `.yaml`, `.yml` and `.json` file below the directory: the entries of each
/// directory in collation order, links skipped.
///
/// # Errors
///
/// `test-path-missing`, `test-cases-empty`, `file-read-failed`; `file-name-invalid` and `input-limit`.
pub fn discover(path: impl AsRef<Path>) -> Result<Vec<PathBuf>, Findings> {
    let path = path.as_ref();
    match fs::metadata(path) {
        Err(_) => Err(refused(Code::TestPathMissing, path, "there is nothing here").into()),
        Ok(there) if !there.is_dir() => Ok(vec![path.to_owned()]),
        Ok(_) => {
            let files = below(path)?;
            if files.is_empty() {
                let problem = "no test case is here: they are .yaml, .yml and .json files";
                return Err(refused(Code::TestCasesEmpty, path, problem).into());
            }
            Ok(files)
        }
    }
}

/// The files that [`discover`] finds below a directory, relative to it with forward slashes.
pub(super) fn relative(directory: &Path) -> Result<Vec<String>, Findings> {
    let relative = |file: PathBuf| {
        let relative = file.strip_prefix(directory).unwrap_or(&file);
        let parts = relative
            .components()
            .map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/")
    };
    Ok(discover(directory)?.into_iter().map(relative).collect())
}

fn below(directory: &Path) -> Result<Vec<PathBuf>, Finding> {
    let mut found = Vec::new();
    let mut seen = 0;
    let mut pending = vec![(directory.to_owned(), true)];
    while let Some((path, is_directory)) = pending.pop() {
        if !is_directory {
            found.push(path);
            continue;
        }
        let entries = entries(&path)?;
        seen += entries.len();
        if seen > PROVIDER_FILES {
            let problem = format!("there are more than {PROVIDER_FILES} entries");
            return Err(refused(Code::InputLimit, directory, &problem));
        }
        // The last one pushed is visited first.
        pending.extend(entries.into_iter().rev());
    }
    Ok(found)
}

/// The directories and the files of cases in a directory, in collation order of their names.
fn entries(directory: &Path) -> Result<Vec<(PathBuf, bool)>, Finding> {
    let unreadable =
        |error: std::io::Error| refused(Code::FileReadFailed, directory, &error.kind().to_string());
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        let Ok(name) = entry.file_name().into_string() else {
            let problem = "a name in this directory is not Unicode";
            return Err(refused(Code::FileNameInvalid, directory, problem));
        };
        if kind.is_dir() || (kind.is_file() && is_case(&name)) {
            entries.push((name, kind.is_dir()));
        }
    }
    // Names that compare equal stay in order, so they have to be in one.
    ordered::sort_by(&mut entries, Ord::cmp);
    let order = order::collated(entries.iter().map(|(name, _)| name.as_str()));
    let order = order.map_err(|error| refused(error.code(), directory, error.message()))?;
    let entries = order.into_iter().filter_map(|at| entries.get(at));
    let absolute = entries.map(|(name, is_directory)| (directory.join(name), *is_directory));
    Ok(absolute.collect())
}

fn is_case(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        ["yaml", "yml", "json"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

fn refused(code: Code, path: &Path, problem: &str) -> Finding {
    Finding::error(
        code,
        Place::start_of(path.to_string_lossy().into()),
        problem,
    )
}
