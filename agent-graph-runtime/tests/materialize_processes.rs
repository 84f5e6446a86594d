//! Materialization against real processes that misbehave.
#![cfg(all(feature = "dynamic", feature = "materialize", unix))]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agent_graph_runtime::json::Value;
use agent_graph_runtime::materialize::{INHERITED, Materialization, Materialized};
use agent_graph_runtime::{Code, Digest, Error, Installed, Provider};

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_secs(120);
/// A provider with one resource `made`, in a folder that goes away with its test.
struct Stage {
    folder: PathBuf,
    installed: Installed,
}

impl Stage {
    fn command(name: &str, command: &str) -> Self {
        let text = Value::from(command).to_string();
        Self::new(name, &format!("runner: command\ncommand: {text}\n"))
    }

    fn new(name: &str, action: &str) -> Self {
        let name = format!("agent-graph-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        let write = |path: &str, text: &str| {
            let path = folder.join("provider").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "provider.yaml",
            "schema: agent-graph.provider.v1\nid: p\nversion: 1.0.0\ngraphs: [g.yaml]\n",
        );
        write(
            "g.yaml",
            "schema: agent-graph.graph.v1\nid: g\nentrypoints: {default: a}\nnodes:\n\
             - {id: a, kind: action, reasonCode: route.a, action: work.yaml, resources: {required: [made.yaml]}}\n\
             - {id: t, kind: terminal, terminalOutcome: completed}\nedges: [{from: a, to: t}]\n",
        );
        write(
            "work.yaml",
            "schema: agent-graph.action.v1\nid: work\nrunner: host\neffect: write\nhandler: h\n",
        );
        write(
            "made.yaml",
            "schema: agent-graph.resource.graph-action.v1\nid: made\nkind: context-view\n\
             mediaType: text/plain\nmaterializer: make.yaml\n",
        );
        write("script.sh", "printf '%s.' \"$@\"\n");
        write(
            "make.yaml",
            &format!("schema: agent-graph.action.v1\nid: make\neffect: read\n{action}"),
        );
        fs::create_dir_all(folder.join("workspace")).unwrap();
        let root = folder.join("provider");
        let provider = Provider::load(root.join("provider.yaml")).unwrap();
        Self {
            installed: provider.installed_at(root).unwrap(),
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn how(&self) -> Materialization {
        let revision = Digest::of_bytes(b"revision");
        Materialization::new(self.path("cache"), self.path("workspace"), revision).timeout(LONG)
    }

    fn make(&self, how: &Materialization) -> Result<Materialized, Error> {
        self.installed.materialize("made", how)
    }

    /// What is made, with the cache as it has to be then.
    fn content(&self, how: &Materialization) -> Vec<u8> {
        let made = self.make(how).unwrap();
        let content = fs::read(&made.file_path).unwrap();
        assert_eq!(Digest::of_bytes(&content), made.digest);
        let expected = serde_json::json!({
            "schema": "agent-graph.resource-location.graph-action.v1", "id": "made",
            "kind": "context-view", "mediaType": "text/plain",
            "revision": Digest::of_bytes(b"revision"), "digest": made.digest,
            "filePath": made.file_path,
        });
        assert_eq!(serde_json::to_value(&made).unwrap(), expected);
        content
    }

    /// The code of a failure, which leaves no file.
    #[track_caller]
    fn fails(&self, how: &Materialization) -> Code {
        let error = self.make(how).unwrap_err();
        assert!(!self.path("cache").exists(), "{error}");
        error.code()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Runs out of time once the process has left its id in the workspace, which takes a while on a busy
/// machine, and sees that process gone.
#[track_caller]
fn assert_killed_in_time(stage: &Stage) {
    let pid_file = stage.path("workspace/pid");
    for seconds in [2, 10, 60] {
        let started = Instant::now();
        let how = stage.how().timeout(Duration::from_secs(seconds));
        assert_eq!(stage.fails(&how), Code::MaterializerTimeout);
        assert!(started.elapsed() < LONG);
        let pid = fs::read_to_string(&pid_file).unwrap_or_default();
        if !pid.trim().is_empty() {
            return assert_gone(pid.trim());
        }
    }
    panic!("the process has not started");
}

/// Waits until a process is gone; a zombie that nobody reaps is.
#[track_caller]
fn assert_gone(pid: &str) {
    let deadline = Instant::now() + LONG;
    while Instant::now() < deadline {
        if is_gone(pid) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("process {pid} is still there");
}

fn is_gone(pid: &str) -> bool {
    if cfg!(target_os = "linux") {
        // The state stands behind the name in parentheses.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        return stat.is_empty() || stat.contains(") Z ");
    }
    let ps = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    let state = ps.unwrap().stdout;
    state.is_empty() || state.starts_with(b"Z")
}

#[test]
fn a_process_that_takes_too_long_is_killed() {
    let stage = Stage::command("timeout", "echo $$ > pid; sleep 600");
    assert_killed_in_time(&stage);
}

#[test]
fn a_process_that_closes_its_pipes_and_stays_is_killed() {
    let stage = Stage::command("closed", "echo $$ > pid; exec >&- 2>&-; sleep 600");
    assert_killed_in_time(&stage);
}

#[test]
fn a_background_process_that_keeps_a_pipe_open_is_waited_for_and_killed() {
    for (name, redirection) in [("out", "2>/dev/null"), ("err", ">/dev/null")] {
        let command = format!("printf done; sleep 600 {redirection} & echo $! > pid");
        let stage = Stage::command(&format!("background-{name}"), &command);
        assert_killed_in_time(&stage);
    }
}

#[test]
fn a_background_process_that_closes_its_pipes_in_time_may_add_to_the_output() {
    let stage = Stage::command("late", "printf first; (sleep 1; printf ' second') &");
    assert_eq!(stage.content(&stage.how()), b"first second");
}

#[test]
fn a_background_process_that_keeps_no_pipe_is_left_alone() {
    let stage = Stage::command(
        "detached",
        "sleep 600 >/dev/null 2>&1 & echo $! > pid; printf done",
    );
    assert_eq!(stage.content(&stage.how()), b"done");
    let pid = fs::read_to_string(stage.path("workspace/pid")).unwrap();
    let killed = Command::new("kill").arg(pid.trim()).status().unwrap();
    assert!(killed.success());
}

#[test]
fn grandchildren_die_with_the_group() {
    let stage = Stage::command(
        "grandchildren",
        "sh -c 'sh -c \"echo \\$\\$ > pid; sleep 600\" & wait' & wait",
    );
    assert_killed_in_time(&stage);
}

#[test]
fn floods_on_either_pipe_or_on_both_end_at_the_limit() {
    let flood = "head -c 5000000 /dev/zero";
    for (name, command, expected) in [
        ("out", flood.to_owned(), Code::MaterializerOutputLimit),
        ("err", format!("{flood} >&2"), Code::MaterializerErrorLimit),
        ("endless", "yes".into(), Code::MaterializerOutputLimit),
        (
            "endless-err",
            "yes >&2".into(),
            Code::MaterializerErrorLimit,
        ),
    ] {
        let stage = Stage::command(&format!("flood-{name}"), &command);
        let how = stage
            .how()
            .max_output_bytes(100_000)
            .max_error_bytes(100_000);
        assert_eq!(stage.fails(&how), expected, "{name}");
    }
    let stage = Stage::command("flood-both", "yes & yes >&2 & wait");
    let code = stage.fails(&stage.how().max_output_bytes(1000).max_error_bytes(1000));
    assert!(matches!(
        code,
        Code::MaterializerOutputLimit | Code::MaterializerErrorLimit
    ));
}

#[test]
fn much_on_both_pipes_within_the_limits_arrives_whole() {
    let half = "head -c 3000000 /dev/zero";
    let stage = Stage::command("much", &format!("{half} & {half} >&2; wait; {half}"));
    let how = stage
        .how()
        .max_output_bytes(6_000_000)
        .max_error_bytes(3_000_000);
    assert_eq!(stage.content(&how).len(), 6_000_000);
    let stage = Stage::command("too-much", &format!("{half}; printf x"));
    let how = stage.how().max_output_bytes(3_000_000);
    assert_eq!(stage.fails(&how), Code::MaterializerOutputLimit);
}

#[test]
fn bytes_that_are_no_text_are_kept_as_they_came() {
    let stage = Stage::command("bytes", r"printf '\000\200\303\377\r\n'");
    assert_eq!(stage.content(&stage.how()), b"\0\x80\xc3\xff\r\n");
    let stage = Stage::command("nothing", "exit 0");
    assert_eq!(stage.content(&stage.how()), b"");
}

#[test]
fn what_does_not_start_or_does_not_succeed_has_failed() {
    for (name, command) in [
        ("status", "printf half; exit 3"),
        ("signal", "kill -9 $$"),
        ("program", "no-such-program-anywhere"),
        ("syntax", "if"),
    ] {
        let stage = Stage::command(&format!("failed-{name}"), command);
        assert_eq!(
            stage.fails(&stage.how()),
            Code::MaterializerFailed,
            "{name}"
        );
    }
    let stage = Stage::command("no-shell", "true");
    let how = stage.how().env("PATH", "/nonexistent");
    assert_eq!(stage.fails(&how), Code::MaterializerFailed);
    let stage = Stage::command("no-workspace", "true");
    fs::remove_dir(stage.path("workspace")).unwrap();
    assert_eq!(stage.fails(&stage.how()), Code::MaterializerFailed);
    let stage = Stage::command("long-input", "true");
    let text = "x".repeat(8 << 20);
    let how = stage.how().input(Value::from(text));
    assert_eq!(stage.fails(&how), Code::MaterializerFailed);
}

#[test]
fn the_message_says_how_the_process_ended_and_what_it_said() {
    let stage = Stage::command("message", r"printf 'no\033[1m luck\377\n' >&2; exit 3");
    let message = stage.make(&stage.how()).unwrap_err().to_string();
    assert!(message.contains("status 3"), "{message}");
    assert!(message.contains(r"no\u{1b}[1m luck"), "{message}");
    let stage = Stage::command("message-signal", "kill -9 $$");
    let message = stage.make(&stage.how()).unwrap_err().to_string();
    assert!(message.contains("signal 9"), "{message}");
}

#[test]
fn options_that_cannot_be_kept_are_refused_before_anything_runs() {
    let stage = Stage::command("options", "touch ran");
    let elsewhere = |cache: &str, workspace: &str| {
        Materialization::new(cache, workspace, Digest::of_bytes(b"revision"))
    };
    let workspace = stage.path("workspace");
    for how in [
        stage.how().timeout(Duration::ZERO),
        stage.how().max_output_bytes(0),
        stage.how().max_error_bytes(0),
        stage.how().env("", "x"),
        stage.how().env("a=b", "x"),
        stage.how().env("a", "x\0"),
        stage.how().env("a\0", "x"),
        stage.how().input(Value::Number(f64::NAN)),
        elsewhere("", workspace.to_str().unwrap()),
        elsewhere(stage.path("cache").to_str().unwrap(), ""),
    ] {
        assert_eq!(
            stage.fails(&how),
            Code::MaterializerOptionInvalid,
            "{how:?}"
        );
    }
    assert!(!workspace.join("ran").exists());
}

#[test]
fn a_resource_is_found_by_id_and_then_by_path() {
    let stage = Stage::command("found", "printf x");
    for query in ["made", "made.yaml", "./a/../made.yaml"] {
        assert_eq!(
            stage.installed.materialize(query, &stage.how()).unwrap().id,
            "made"
        );
    }
    for (query, expected) in [
        ("/made.yaml", Code::AbsolutePathForbidden),
        ("../made.yaml", Code::PathOutsideProvider),
        ("make.yaml", Code::ResourceMissing),
    ] {
        let refused = stage.installed.materialize(query, &stage.how());
        assert_eq!(refused.unwrap_err().code(), expected, "{query}");
    }
    let cache = stage.path("cache");
    let how = Materialization::new(cache, stage.path("workspace"), "latest");
    let refused = stage.installed.materialize("/", &how).unwrap_err();
    assert_eq!(refused.code(), Code::RevisionInvalid);
}

#[test]
fn a_script_gets_its_arguments_apart_and_only_if_it_is_the_one_that_was_loaded() {
    let action =
        "runner: script\nruntime: shell\nentry: script.sh\nargs: ['a b', '$HOME', \"'\", '']\n";
    let stage = Stage::new("script", action);
    assert_eq!(stage.content(&stage.how()), b"a b.$HOME.'..");
    fs::write(stage.path("provider/script.sh"), "printf evil").unwrap();
    let refused = stage.make(&stage.how()).unwrap_err();
    assert_eq!(refused.code(), Code::FileChanged);
}

/// Plays the host with a hostile environment, in a process of its own.
#[test]
fn the_environment_is_the_listed_variables_and_the_callers_whatever_the_host_has() {
    const INNER: &str = "AGENT_GRAPH_TEST_HOSTILE";
    if std::env::var_os(INNER).is_none() {
        let mut host = Command::new(std::env::current_exe().unwrap());
        let name = "the_environment_is_the_listed_variables_and_the_callers_whatever_the_host_has";
        host.args(["--exact", name])
            .env(INNER, "1")
            .env("ENV", "/nonexistent/env")
            .env("BASH_ENV", "/nonexistent/bash-env")
            .env("HOME", "/secret")
            .env("LD_PRELOAD_NOT", "x")
            .env("TOKEN", "secret")
            .env("TZ", "Mars/Olympus")
            .env("LANG", "tlh")
            .env("AGENT_GRAPH_REVISION", "forged")
            .env("AGENT_GRAPH_EXTRA", "forged")
            .stdin(Stdio::null());
        assert!(host.status().unwrap().success());
        return;
    }
    let stage = Stage::command("environment", "env");
    let how = stage
        .how()
        .env("EXTRA", "a\nb=c")
        .env("TZ", "UTC")
        .env("AGENT_GRAPH_WORKSPACE", "forged")
        .input(Value::from_json(r#"{"b":"it's\n\u0000","10":1,"a":[]}"#).unwrap());
    let text = String::from_utf8(stage.content(&how)).unwrap();
    let names: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.split_once('=').map(|(name, _)| name))
        .collect();
    let own = [
        "AGENT_GRAPH_INPUT",
        "AGENT_GRAPH_PROVIDER_ROOT",
        "AGENT_GRAPH_REVISION",
        "AGENT_GRAPH_WORKSPACE",
        "EXTRA",
        // The second line of the value of EXTRA.
        "b",
        // What shells set by themselves.
        "OLDPWD",
        "PWD",
        "SHLVL",
        "_",
    ];
    for name in &names {
        assert!(
            own.contains(name) || INHERITED.contains(name),
            "{name} got through"
        );
    }
    let lines: BTreeSet<&str> = text.lines().collect();
    let folder = |name: &str| stage.path(name).display().to_string();
    for line in [
        "LANG=tlh".to_owned(),
        "TZ=UTC".to_owned(),
        "EXTRA=a".to_owned(),
        r#"AGENT_GRAPH_INPUT={"10":1,"b":"it's\n\u0000","a":[]}"#.to_owned(),
        format!("AGENT_GRAPH_PROVIDER_ROOT={}", folder("provider")),
        format!("AGENT_GRAPH_WORKSPACE={}", folder("workspace")),
        format!("AGENT_GRAPH_REVISION={}", Digest::of_bytes(b"revision")),
    ] {
        assert!(
            lines.contains(line.as_str()),
            "{line} is missing in\n{text}"
        );
    }
}

#[test]
fn standard_input_has_nothing_to_say() {
    let stage = Stage::command("input", "cat; printf end");
    assert_eq!(stage.content(&stage.how()), b"end");
}

#[test]
fn many_at_once_into_one_cache_all_find_their_content() {
    let stage = Stage::command("many", r#"printf '%s' "$AGENT_GRAPH_INPUT""#);
    std::thread::scope(|scope| {
        for caller in 0..12_u32 {
            let stage = &stage;
            scope.spawn(move || {
                for _ in 0..3 {
                    // Every fourth caller makes the same.
                    let input = Value::from(caller % 4);
                    let content = stage.content(&stage.how().input(input));
                    assert_eq!(content, (caller % 4).to_string().as_bytes());
                }
            });
        }
    });
    let entries = fs::read_dir(stage.path("cache")).unwrap();
    let names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 8, "{names:?}");
    for name in &names {
        let text = fs::read_to_string(stage.path("cache").join(name)).unwrap();
        if let Some(digest) = name.strip_suffix(".receipt.json") {
            assert!(text.contains(&format!("\"digest\": \"sha256:{digest}\"")));
            assert!(names.contains(&format!("{digest}.txt")));
        }
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_an_error() {
    let stage = Stage::command("cache", "printf x");
    fs::write(stage.path("cache"), "a file").unwrap();
    let error = stage.make(&stage.how()).unwrap_err();
    assert_eq!(error.code(), Code::FileWriteFailed);
    assert_eq!(fs::read(stage.path("cache")).unwrap(), b"a file");
}
