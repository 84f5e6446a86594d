//! Extraction under faults, beside what is there already, and by many at once.

use alloc::format;
use alloc::vec::Vec;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use crate::Installed;
use crate::code::Code;
use crate::durable::faults;
use crate::durable::tests::Scratch;
use crate::embedded::Embedded;
use crate::embedded::tests::embedded;

const FILES: [(&str, &str); 3] = [
    ("graphs/deep/main.yaml", "main"),
    ("graphs/other.yaml", "other"),
    ("provider.yaml", "provider"),
];

fn provider() -> Embedded {
    embedded(&FILES)
}

#[track_caller]
fn refused(embedded: Embedded, folder: &Path) -> Code {
    embedded.extract(folder).unwrap_err().code()
}

/// Whether the folder holds the files and nothing else.
fn holds(folder: &Path, files: &[(&str, &str)]) -> bool {
    fn count(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let entries = entries.map(|entry| match entry.file_type().unwrap().is_dir() {
            true => count(&entry.path()),
            false => 1,
        });
        entries.sum()
    }
    let mut files_there = files.iter();
    files_there
        .all(|(path, text)| fs::read(folder.join(path)).is_ok_and(|it| it == text.as_bytes()))
        && count(folder) == files.len()
}

#[test]
fn files_are_extracted_where_nothing_is_and_the_provider_is_installed_there() {
    let scratch = Scratch::new();
    let folder = scratch.join("a/b/provider");
    let installed: Installed = provider().extract(&folder).unwrap();
    assert_eq!(installed.root(), folder);
    assert_eq!(installed.verify(), Ok(()));
    assert!(holds(&folder, &FILES));
    assert_eq!(scratch.names(), ["a"]);
}

#[test]
fn an_empty_folder_is_filled() {
    let scratch = Scratch::new();
    let folder = scratch.join("provider");
    fs::create_dir(&folder).unwrap();
    provider().extract(&folder).unwrap();
    assert!(holds(&folder, &FILES));
}

#[test]
fn extracting_again_writes_nothing_and_leaves_what_is_there_besides() {
    let scratch = Scratch::new();
    let folder = scratch.join("provider");
    provider().extract(&folder).unwrap();
    fs::write(folder.join("graphs/cache"), "kept").unwrap();
    for step in faults::ALL {
        faults::failing(step, 1, || provider().extract(&folder)).unwrap();
    }
    assert_eq!(fs::read(folder.join("graphs/cache")).unwrap(), b"kept");
}

#[test]
fn whatever_differs_is_a_conflict_and_stays_as_it_is() {
    let changes: [fn(PathBuf); 5] = [
        |path| fs::write(path, "longer than it was").unwrap(),
        |path| fs::write(path, "").unwrap(),
        |path| fs::remove_file(path).unwrap(),
        |path| {
            fs::remove_file(&path).unwrap();
            fs::create_dir(path).unwrap();
        },
        |path| {
            let folder = path.parent().unwrap();
            fs::remove_dir_all(folder).unwrap();
            fs::write(folder, "a file in place of a folder").unwrap();
        },
    ];
    for change in changes {
        let scratch = Scratch::new();
        let folder = scratch.join("provider");
        provider().extract(&folder).unwrap();
        change(folder.join("graphs/deep/main.yaml"));
        assert_eq!(refused(provider(), &folder), Code::ExtractConflict);
        assert!(!holds(&folder, &FILES));
        assert_eq!(scratch.names(), ["provider"]);
    }
}

#[test]
fn another_version_of_the_provider_is_a_conflict_and_not_an_update() {
    let scratch = Scratch::new();
    let folder = scratch.join("provider");
    let mut newer = FILES;
    newer[1].1 = "newer";
    provider().extract(&folder).unwrap();
    assert_eq!(refused(embedded(&newer), &folder), Code::ExtractConflict);
    assert!(holds(&folder, &FILES));
    embedded(&newer).extract(scratch.join("newer")).unwrap();
}

#[test]
fn a_file_in_place_of_the_folder_is_a_conflict_and_one_on_the_way_to_it_an_error() {
    let scratch = Scratch::new();
    fs::write(scratch.join("file"), "kept").unwrap();
    assert_eq!(
        refused(provider(), &scratch.join("file")),
        Code::ExtractConflict
    );
    let code = refused(provider(), &scratch.join("file/provider"));
    assert!(matches!(code, Code::FileWriteFailed | Code::FileReadFailed));
    assert_eq!(fs::read(scratch.join("file")).unwrap(), b"kept");
}

#[cfg(unix)]
#[test]
fn links_are_refused_wherever_they_lead() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new();
    let elsewhere = scratch.join("elsewhere");
    provider().extract(&elsewhere).unwrap();
    // The folder itself: to the right files, to an empty folder, to nothing.
    fs::create_dir(scratch.join("empty")).unwrap();
    for target in ["elsewhere", "empty", "nothing"] {
        let link = scratch.join("link");
        symlink(target, &link).unwrap();
        assert_eq!(
            refused(provider(), &link),
            Code::ExtractConflict,
            "{target}"
        );
        fs::remove_file(&link).unwrap();
    }
    assert!(
        fs::read_dir(scratch.join("empty"))
            .unwrap()
            .next()
            .is_none()
    );
    assert!(!scratch.join("nothing").exists());
    // A file, and a folder inside, turned into links to the same content.
    for inside in ["provider.yaml", "graphs/deep", "graphs"] {
        let folder = scratch.join("provider");
        provider().extract(&folder).unwrap();
        let (path, moved) = (folder.join(inside), folder.join("moved"));
        fs::rename(&path, &moved).unwrap();
        symlink(&moved, &path).unwrap();
        assert_eq!(
            refused(provider(), &folder),
            Code::ExtractConflict,
            "{inside}"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn a_full_disk_leaves_nothing_and_the_next_attempt_succeeds() {
    let mut failures = 0;
    for step in faults::ALL {
        for nth in 1.. {
            let scratch = Scratch::new();
            let folder = scratch.join("provider");
            let result = faults::failing(step, nth, || provider().extract(&folder));
            let Err(error) = result else { break };
            failures += 1;
            assert_eq!(error.code(), Code::FileWriteFailed, "{step:?} {nth}");
            assert!(scratch.names().is_empty(), "{step:?} {nth}");
            provider().extract(&folder).unwrap();
            assert!(holds(&folder, &FILES));
        }
    }
    // As many as there are steps, less the one after which all files are in place.
    assert_eq!(failures, 16);
}

#[test]
fn bytes_that_were_changed_in_the_program_are_not_extracted() {
    let good = provider();
    let bad = embedded(&[
        ("graphs/deep/main.yaml", "main"),
        ("graphs/other.yaml", "x"),
    ]);
    let contents: Vec<&'static [u8]> = bad.files().map(|(_, content)| content).collect();
    let mixed = good.with_contents(contents.leak());
    let scratch = Scratch::new();
    assert_eq!(refused(mixed, &scratch.join("provider")), Code::FileChanged);
    assert!(scratch.names().is_empty());
}

#[test]
fn many_threads_extract_to_one_folder_and_all_of_them_get_it_complete() {
    for _ in 0..20 {
        let scratch = Scratch::new();
        let folder = scratch.join("provider");
        thread::scope(|scope| {
            let extract = || {
                let installed = provider().extract(&folder).unwrap();
                installed.verify().unwrap();
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(extract)).collect();
            for thread in threads {
                thread.join().unwrap();
            }
        });
        assert!(holds(&folder, &FILES));
        assert_eq!(scratch.names(), ["provider"]);
    }
}

/// Tells another process of these tests where to extract to.
const FOLDER: &str = "AGENT_GRAPH_TEST_EXTRACT";
const ROUNDS: usize = 40;

/// Does nothing in the process that runs the tests.
#[test]
fn another_process_extracts() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    for round in 0..ROUNDS {
        let folder = Path::new(&folder).join(format!("{round}"));
        provider().extract(&folder).unwrap();
    }
}

#[test]
fn many_processes_extract_side_by_side_and_a_killed_one_leaves_all_or_nothing() {
    let scratch = Scratch::new();
    let folder = scratch.join("many");
    fs::create_dir(&folder).unwrap();
    let process = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "extract::tests::another_process_extracts"])
            .env(FOLDER, &folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let patient: Vec<Child> = (0..3).map(|_| process()).collect();
    let mut killed: Vec<Child> = (0..4).map(|_| process()).collect();
    for (number, process) in (1..).zip(&mut killed) {
        // Somewhere in the middle, wherever that is.
        while !folder.join(format!("{}", number * 7)).exists() {
            thread::yield_now();
        }
        process.kill().unwrap();
        process.wait().unwrap();
    }
    for process in patient {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    for round in 0..ROUNDS {
        assert!(holds(&folder.join(format!("{round}")), &FILES), "{round}");
    }
}
