//! What can go wrong with a file, made to go wrong.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::{Change, NewRun, Runs, Timestamp};
use super::*;
use crate::Outcome;
use crate::durable::Step;
use crate::durable::faults::{self, failing};
use crate::durable::tests::Scratch;

fn runs() -> Runs {
    Runs::new(FileStore::default().with_patience(Duration::from_millis(300)))
}

fn start(path: &Path) -> Run {
    runs().create(path, NewRun::new("p", "g").id("i")).unwrap()
}

fn record(path: &Path) -> Result<Run, Error> {
    runs().record(path, "g/a", Outcome::Completed, None)
}

fn code(result: Result<Run, Error>) -> Code {
    result.unwrap_err().code()
}

#[test]
fn every_step_that_fails_while_recording_leaves_the_run_as_it_was() {
    for step in faults::ALL {
        if matches!(step, Step::CreateFolder | Step::SynchronizeFolder) {
            continue;
        }
        let scratch = Scratch::new();
        let path = scratch.join("run.json");
        let before = start(&path);
        let failed = failing(step, 1, || record(&path));
        assert_eq!(code(failed), Code::FileWriteFailed, "{step:?}");
        assert_eq!(runs().load(&path).unwrap(), before, "{step:?}");
        assert_eq!(scratch.names(), ["run.json"], "{step:?}");
        assert_eq!(record(&path).unwrap().last_sequence(), 2);
    }
}

#[test]
fn every_step_that_fails_while_creating_leaves_nothing() {
    for step in faults::ALL {
        if step == Step::SynchronizeFolder {
            continue;
        }
        let scratch = Scratch::new();
        let path = scratch.join("folder/run.json");
        let failed = failing(step, 1, || runs().create(&path, NewRun::new("p", "g")));
        assert_eq!(code(failed), Code::FileWriteFailed, "{step:?}");
        let left = fs::read_dir(scratch.join("folder")).map_or(0, Iterator::count);
        assert_eq!(left, 0, "{step:?}");
        start(&path);
    }
}

#[test]
fn a_write_that_may_not_survive_a_crash_is_not_acknowledged() {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    start(&path);
    let failed = failing(Step::SynchronizeFolder, 1, || record(&path));
    assert_eq!(code(failed), Code::FileWriteFailed);
    assert_eq!(runs().load(&path).unwrap().last_sequence(), 2);
}

#[test]
fn a_checkpoint_that_cannot_be_written_leaves_the_run_as_it_was() {
    for step in [Step::CreateFolder, Step::CreateTemporary, Step::Synchronize] {
        let scratch = Scratch::new();
        let path = scratch.join("run.json");
        let before = start(&path);
        let target = scratch.join("folder/checkpoint.json");
        let failed = failing(step, 1, || runs().checkpoint(&path, &target));
        assert_eq!(code(failed), Code::FileWriteFailed, "{step:?}");
        assert_eq!(runs().load(&path).unwrap(), before, "{step:?}");
        assert!(!target.exists());
    }
}

/// What somebody else does to the file between reading and saving.
fn replaced_meanwhile(meddle: impl Fn(&Path)) -> (Scratch, Result<Run, Error>) {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    start(&path);
    let result = FileStore::default().update(&path, &mut |run| {
        meddle(&path);
        let change = Change::SetAuthorities(Vec::new());
        change.apply(run, Timestamp::from_unix_milliseconds(0))
    });
    (scratch, result)
}

#[test]
fn a_target_replaced_by_a_folder_meanwhile_is_a_conflict() {
    let (scratch, result) = replaced_meanwhile(|path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    });
    assert_eq!(code(result), Code::RunConflict);
    assert_eq!(scratch.names(), ["run.json"]);
    assert!(scratch.join("run.json").is_dir());
    assert_eq!(
        code(record(&scratch.join("run.json"))),
        Code::FileReadFailed
    );
}

#[cfg(unix)]
#[test]
fn a_target_replaced_by_a_link_meanwhile_is_a_conflict_and_the_link_is_not_followed() {
    let (scratch, result) = replaced_meanwhile(|path| {
        fs::rename(path, path.with_file_name("moved.json")).unwrap();
        std::os::unix::fs::symlink("moved.json", path).unwrap();
    });
    assert_eq!(code(result), Code::RunConflict);
    let moved = runs().load(&scratch.join("moved.json")).unwrap();
    assert_eq!(moved.last_sequence(), 1);
    assert_eq!(scratch.names(), ["moved.json", "run.json"]);
}

#[test]
fn a_target_that_another_program_edited_or_removed_meanwhile_is_a_conflict() {
    let (scratch, result) = replaced_meanwhile(|path| {
        let text = fs::read_to_string(path).unwrap();
        fs::write(path, text + "\n").unwrap();
    });
    assert_eq!(code(result), Code::RunConflict);
    assert_eq!(
        record(&scratch.join("run.json")).unwrap().last_sequence(),
        2
    );
    let (scratch, result) = replaced_meanwhile(|path| fs::remove_file(path).unwrap());
    assert_eq!(code(result), Code::RunConflict);
    assert!(scratch.names().is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_means_the_file_it_leads_to() {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    start(&path);
    let link = scratch.join("link.json");
    std::os::unix::fs::symlink("run.json", &link).unwrap();
    record(&link).unwrap();
    record(&path).unwrap();
    assert_eq!(runs().load(&path).unwrap().last_sequence(), 3);
    assert!(link.is_symlink());
    let taken = runs().create(&link, NewRun::new("p", "g"));
    assert_eq!(code(taken), Code::RunTargetExists);
}

#[test]
fn a_file_in_the_way_of_a_folder_is_no_run_that_exists() {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    start(&path);
    let inside = runs().create(&path.join("run.json"), NewRun::new("p", "g"));
    assert_eq!(code(inside), Code::FileWriteFailed);
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_something_that_exists() {
    let scratch = Scratch::new();
    let link = scratch.join("link.json");
    std::os::unix::fs::symlink("nowhere.json", &link).unwrap();
    let taken = runs().create(&link, NewRun::new("p", "g"));
    assert_eq!(code(taken), Code::RunTargetExists);
    assert_eq!(scratch.names(), ["link.json"]);
}

#[cfg(unix)]
#[test]
fn a_run_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    start(&path);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    record(&path).unwrap();
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_run_that_others_keep_locked_is_a_conflict_and_stays() {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    let before = start(&path);
    let lock = Lock::acquire(&path, Duration::ZERO).unwrap();
    assert_eq!(code(record(&path)), Code::RunConflict);
    drop(lock);
    assert_eq!(runs().load(&path).unwrap(), before);
    assert_eq!(record(&path).unwrap().last_sequence(), 2);
}

#[test]
fn readers_need_no_lock() {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    let run = start(&path);
    let _lock = Lock::acquire(&path, Duration::ZERO).unwrap();
    assert_eq!(runs().load(&path).unwrap(), run);
}

#[test]
fn a_change_is_made_once_and_under_the_lock() {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    start(&path);
    let calls = AtomicUsize::new(0);
    let updated = FileStore::default().update(&path, &mut |run| {
        calls.fetch_add(1, Ordering::Relaxed);
        assert_eq!(code(record(&path)), Code::RunConflict);
        let change = Change::SetAuthorities(Vec::from(["a".into()]));
        change.apply(run, Timestamp::from_unix_milliseconds(0))
    });
    assert_eq!(updated.unwrap().last_sequence(), 2);
    assert_eq!(calls.into_inner(), 1);
}

#[test]
fn a_file_that_is_no_run_is_left_alone() {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    for (content, expected) in [
        (&b"{"[..], Code::ParseFailed),
        (b"\xff", Code::ParseFailed),
        (b"{}", Code::SchemaInvalid),
        (b"", Code::ParseFailed),
    ] {
        fs::write(&path, content).unwrap();
        assert_eq!(code(record(&path)), expected);
        assert_eq!(fs::read(&path).unwrap(), content);
        assert_eq!(scratch.names(), ["run.json"]);
    }
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    let before = start(&path);
    let deep = (0..crate::json::DEPTH_LIMIT).fold(crate::json::Value::Null, |inner, _| {
        crate::json::Value::Array(Vec::from([inner]))
    });
    let refused = runs().record(&path, "g/a", Outcome::Failed, Some(deep));
    assert_eq!(code(refused), Code::InputLimit);
    assert_eq!(runs().load(&path).unwrap(), before);
}

#[test]
fn what_the_store_wrote_can_be_read_whatever_the_file_is_called() {
    let scratch = Scratch::new();
    let values: Vec<String> = (0..300_000).map(|n| format!("{}", n % 10)).collect();
    for (nth, facts) in [
        r#"{"a":"x\u0080y\u0093z\u009f"}"#.into(),
        format!(r#"{{"{}":1}}"#, "k".repeat(1100)),
        format!(r#"{{"a":"{}"}}"#, "x".repeat(5 << 20)),
        format!(r#"{{"a":[{}]}}"#, values.join(",")),
    ]
    .into_iter()
    .enumerate()
    {
        for name in ["run.yaml", "run"] {
            let path = scratch.join(&format!("{nth}/{name}"));
            start(&path);
            let facts = crate::Facts::from_json(&facts).unwrap();
            let written = runs().update_facts(&path, facts).unwrap();
            assert_eq!(runs().load(&path).unwrap(), written, "{nth} {name}");
            assert_eq!(record(&path).unwrap().last_sequence(), 3, "{nth} {name}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_keeps_its_permissions_and_owner() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    let scratch = Scratch::new();
    let path = scratch.join("run.json");
    start(&path);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    // Only root may give files away; for others the owner is the same anyhow.
    let _ = chown(&path, Some(65_534), Some(65_534));
    let owner = |metadata: fs::Metadata| (metadata.mode(), metadata.uid(), metadata.gid());
    let before = owner(fs::metadata(&path).unwrap());
    record(&path).unwrap();
    assert_eq!(owner(fs::metadata(&path).unwrap()), before);
}
