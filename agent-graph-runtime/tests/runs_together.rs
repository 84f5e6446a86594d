//! Runs under many writers and under writers that die: real threads, real processes, real kills.
#![cfg(all(feature = "runs", unix))]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use agent_graph_runtime::runs::{FileStore, NewRun, Run, Runs, suite};
use agent_graph_runtime::{Code, Outcome};

/// Tells a process of this test what to do.
const ROLE: &str = "AGENT_GRAPH_TEST_ROLE";
const PATH: &str = "AGENT_GRAPH_TEST_PATH";
const NAME: &str = "AGENT_GRAPH_TEST_NAME";

/// How often the writer is killed, if not as often as by default.
const KILLS: &str = "AGENT_GRAPH_KILLS";
const KILLS_BY_DEFAULT: usize = 500;

const WRITERS: usize = 20;
const RECORDS: usize = 15;

/// A folder that goes away with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("agent-graph-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Patient, so that a busy machine makes no conflict.
fn runs() -> Runs {
    Runs::new(FileStore::default().with_patience(Duration::from_secs(300)))
}

fn start(path: &Path) {
    runs().create(path, NewRun::new("p", "g")).unwrap();
}

/// This test as another process, with a role.
fn process(role: &str, path: &Path, name: &str) -> Command {
    process_of(&std::env::current_exe().unwrap(), role, path, name)
}

fn process_of(program: &Path, role: &str, path: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command
        .args(["--exact", "another_process_plays_its_role", "--nocapture"])
        .env(ROLE, role)
        .env(PATH, path)
        .env(NAME, name)
        .stdin(Stdio::null());
    command
}

/// Does nothing in the process that runs the tests.
#[test]
fn another_process_plays_its_role() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let path = PathBuf::from(std::env::var_os(PATH).unwrap());
    let name = std::env::var(NAME).unwrap();
    match role.as_str() {
        "record" => record_all(&path, &name),
        "record for ever" => record_for_ever(&path),
        "record once" => match runs().record(&path, "g/a", Outcome::Completed, None) {
            Ok(_) => println!("code: none"),
            Err(error) => println!("code: {}", error.code()),
        },
        other => panic!("no role {other}"),
    }
}

fn record_all(path: &Path, name: &str) {
    for number in 0..RECORDS {
        let node = format!("g/{name}-{number}");
        runs().record(path, node, Outcome::Completed, None).unwrap();
    }
}

/// Says each sequence number once the record is acknowledged.
fn record_for_ever(path: &Path) {
    loop {
        let run = runs()
            .record(path, "g/a", Outcome::Completed, None)
            .unwrap();
        let mut output = std::io::stdout().lock();
        writeln!(output, "acknowledged {}", run.last_sequence()).unwrap();
        output.flush().unwrap();
    }
}

#[track_caller]
fn assert_gapless(run: &Run) {
    let numbers: Vec<u64> = run.events().map(|event| event.sequence()).collect();
    assert!(
        numbers.iter().copied().eq(1..=run.last_sequence()),
        "{numbers:?}"
    );
}

#[track_caller]
fn assert_nothing_lost(run: &Run) {
    assert_gapless(run);
    assert_eq!(run.events().len(), 1 + WRITERS * RECORDS);
    let recorded: BTreeSet<&str> = run.outcomes().map(|(key, _)| key).collect();
    let in_events: BTreeSet<&str> = run.events().filter_map(|event| event.node()).collect();
    assert_eq!(recorded.len(), WRITERS * RECORDS);
    assert_eq!(recorded, in_events);
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn twenty_threads_record_into_one_run_and_nothing_is_lost() {
    let scratch = Scratch::new("threads");
    let path = scratch.join("run.json");
    start(&path);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let path = &path;
            scope.spawn(move || record_all(path, &writer.to_string()));
        }
    });
    assert_nothing_lost(&runs().load(&path).unwrap());
    assert_eq!(names(&scratch.0), ["run.json"]);
}

#[test]
fn twenty_processes_record_into_one_run_and_nothing_is_lost() {
    let scratch = Scratch::new("processes");
    let path = scratch.join("run.json");
    start(&path);
    let writers: Vec<Child> = (0..WRITERS)
        .map(|writer| {
            let mut command = process("record", &path, &writer.to_string());
            command.stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    assert_nothing_lost(&runs().load(&path).unwrap());
    assert_eq!(names(&scratch.0), ["run.json"]);
}

#[test]
fn of_many_who_create_one_run_exactly_one_succeeds() {
    let scratch = Scratch::new("create");
    let path = scratch.join("folder/run.json");
    let results: Vec<_> = std::thread::scope(|scope| {
        let creators: Vec<_> = (0..WRITERS)
            .map(|creator| {
                let new = NewRun::new("p", "g").id(creator.to_string());
                let path = &path;
                scope.spawn(move || runs().create(path, new))
            })
            .collect();
        creators
            .into_iter()
            .map(|creator| creator.join().unwrap())
            .collect()
    });
    let created: Vec<&Run> = results.iter().filter_map(|run| run.as_ref().ok()).collect();
    assert_eq!(created.len(), 1);
    assert_eq!(&runs().load(&path).unwrap(), created[0]);
    for refused in results.iter().filter_map(|run| run.as_ref().err()) {
        assert_eq!(refused.code(), Code::RunTargetExists, "{refused}");
    }
}

#[test]
fn readers_never_see_anything_but_a_whole_run() {
    let scratch = Scratch::new("readers");
    let path = scratch.join("run.json");
    start(&path);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| record_all(&path, "w"));
        let mut last = 0;
        while !writer.is_finished() {
            let run = runs().load(&path).unwrap();
            assert_gapless(&run);
            assert!(run.last_sequence() >= last);
            last = run.last_sequence();
        }
    });
}

/// Kills the writer after so many acknowledgements and a moment more. Gives the last one it gave.
fn kill_after(path: &Path, acknowledgements: usize, moment: Duration) -> u64 {
    let mut command = process("record for ever", path, "");
    let mut writer = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(writer.stdout.take().unwrap());
    let mut last = 0;
    let mut line = String::new();
    let mut seen = 0;
    while seen < acknowledgements {
        line.clear();
        assert_ne!(output.read_line(&mut line).unwrap(), 0, "the writer ended");
        seen += usize::from(acknowledged(&line, &mut last));
    }
    std::thread::sleep(moment);
    writer.kill().unwrap();
    writer.wait().unwrap();
    // What it said before it died counts.
    for line in output.lines().map_while(Result::ok) {
        acknowledged(&line, &mut last);
    }
    last
}

/// Reads one line of a writer. The last one may be cut off.
fn acknowledged(line: &str, last: &mut u64) -> bool {
    let number = line.trim().strip_prefix("acknowledged ");
    let number = number.and_then(|number| number.parse::<u64>().ok());
    *last = (*last).max(number.unwrap_or(0));
    number.is_some()
}

#[test]
fn a_writer_killed_at_any_moment_loses_nothing_it_acknowledged() {
    let kills = std::env::var(KILLS).ok();
    let kills = kills.map_or(KILLS_BY_DEFAULT, |kills| kills.parse().unwrap());
    let scratch = Scratch::new("kills");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut lost = 0;
    for kill in 0..kills {
        let path = scratch.join(&format!("run-{}.json", kill / 20));
        if kill % 20 == 0 {
            start(&path);
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let moment = Duration::from_micros(random % 4000);
        let acknowledged = kill_after(&path, 1 + kill % 3, moment);
        let run = runs().load(&path).expect("the file is whole");
        assert_gapless(&run);
        assert!(
            run.last_sequence() >= acknowledged,
            "{acknowledged} is lost"
        );
        // At most the record in flight was saved and not acknowledged.
        lost += usize::from(run.last_sequence() > acknowledged);
    }
    println!("{kills} kills, {lost} of them between saving and acknowledging");
    for name in names(&scratch.0) {
        assert!(name.starts_with("run-") || name.ends_with(".tmp"), "{name}");
    }
}

fn code_of(mut command: Command) -> String {
    let output = command.stderr(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let code = text.lines().find_map(|line| line.split("code: ").nth(1));
    code.unwrap_or_else(|| panic!("no code in {text}"))
        .to_owned()
}

#[test]
fn when_no_space_is_left_the_run_stays_as_it_was() {
    let scratch = Scratch::new("space");
    let path = scratch.join("run.json");
    start(&path);
    let mut before = runs().load(&path).unwrap();
    for number in 0..20 {
        let node = format!("g/{number}");
        before = runs().record(&path, node, Outcome::Failed, None).unwrap();
    }
    // A limit on the size of files fails a write in its middle, as a full disk does.
    let record = process("record once", &path, "");
    let mut limited = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$@\"";
    limited.args(["-c", script, "sh"]);
    limited.arg(record.get_program()).args(record.get_args());
    for (name, value) in record.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    assert_eq!(code_of(limited), "file-write-failed");
    assert_eq!(runs().load(&path).unwrap(), before);
    assert_eq!(names(&scratch.0), ["run.json"]);
    assert_eq!(code_of(process("record once", &path, "")), "none");
}

#[test]
fn when_permission_is_lost_the_run_stays_as_it_was() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;

    const NOBODY: u32 = 65_534;
    let scratch = Scratch::new("permission");
    let path = scratch.join("run.json");
    start(&path);
    let before = runs().load(&path).unwrap();
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    // Permissions mean nothing to root, so root becomes somebody else.
    let is_root = fs::metadata(&scratch.0).unwrap().uid() == 0;
    // Where this test lies, others may not read.
    let copies = Scratch::new("permission-program");
    let program = copies.join("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    mode(&copies.0, 0o755);
    mode(&program, 0o755);
    let record = |path: &Path| {
        let mut command = process_of(&program, "record once", path, "");
        if is_root {
            command.uid(NOBODY);
        }
        code_of(command)
    };
    mode(&path, 0o666);
    mode(&scratch.0, 0o555);
    assert_eq!(record(&path), "file-write-failed");
    mode(&scratch.0, 0o777);
    mode(&path, 0o444);
    assert_eq!(record(&path), "file-write-failed");
    mode(&path, 0o000);
    assert_ne!(record(&path), "none");
    mode(&path, 0o666);
    assert_eq!(runs().load(&path).unwrap(), before);
    assert_eq!(names(&scratch.0), ["run.json"]);
    assert_eq!(record(&path), "none");
}

#[test]
fn the_file_store_does_what_every_store_has_to() {
    let scratch = Scratch::new("suite");
    suite::check(&runs(), |name| scratch.join(&format!("{name}/run.json"))).unwrap();
}
