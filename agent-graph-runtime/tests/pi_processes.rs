//! Agents as real processes that behave, misbehave and are stopped. A fake `pi` is a few lines of `sh`.
#![cfg(all(feature = "dynamic", feature = "pi-process", unix))]

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use agent_graph_runtime::Timestamp;
use agent_graph_runtime::json::{Object, Value};
use agent_graph_runtime::pi::executor::{Executor, Unwatched, Watch};
use agent_graph_runtime::pi::process::PiProcess;
use agent_graph_runtime::pi::run::{
    AttemptResult, Deadline, Failure, Run, RunCode, RunStatus, Success, Usage, Work, WorkThread,
};
use agent_graph_runtime::pi::runner::Runner;
use agent_graph_runtime::pi::{self, Graph};

/// Longer than anything takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// The end of a turn with the answer `done`, for `printf`.
const DONE: &str = r#"printf '%s\n' '{"type":"message_end","message":{"role":"assistant","content":"done","stopReason":"stop","usage":{"input":5,"cost":{"total":0.5}}}}'"#;

/// A graph of one agent and its folder, which goes away with its test.
struct Stage {
    folder: PathBuf,
    graph: Graph,
    script: PathBuf,
}

impl Stage {
    fn new(name: &str, script: &str) -> Self {
        Self::of_node(name, r#""prompt":"{{ input.task }}""#, script)
    }

    fn of_node(name: &str, members: &str, script: &str) -> Self {
        let name = format!("agent-graph-pi-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("base/temporary")).unwrap();
        let path = folder.join("pi.sh");
        fs::write(&path, script).unwrap();
        let text = format!(
            r#"{{"schemaVersion":2,"name":"g","entry":"agent","limits":{{}},
                "nodes":{{"agent":{{"type":"agent",{members}}}}}}}"#
        );
        let graph = pi::parse("g.json".into(), text.as_bytes());
        Self {
            graph: graph.unwrap().graph(),
            script: path,
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn executor(&self) -> PiProcess {
        PiProcess::new(self.path("base"))
            .unwrap()
            .program("sh")
            .argument(&self.script)
            .temporary_files_in(self.path("base/temporary"))
    }

    fn work(&self, task: &str) -> Work {
        let input: Object = [("task", task)].into_iter().collect();
        let state: Object = [("input", input)].into_iter().collect();
        let now = Timestamp::from_unix_milliseconds(0);
        Work::alone(&self.graph, "run-1", "agent", state.into(), now).unwrap()
    }

    fn work_for(&self, milliseconds: i64) -> Work {
        let mut work = self.work("task");
        work.deadline = Some(Deadline {
            at: Timestamp::from_unix_milliseconds(milliseconds),
            code: RunCode::NodeTimeout,
        });
        work
    }

    #[track_caller]
    fn succeeds(&self) -> Success {
        success(self.executor().execute(&self.work("task"), &Unwatched))
    }

    #[track_caller]
    fn fails(&self) -> Failure {
        failure(self.executor().execute(&self.work("task"), &Unwatched))
    }

    /// The process that left its id in this file is gone.
    #[track_caller]
    fn assert_nobody_left(&self, pid_file: &str) {
        let pid = self.read(pid_file);
        let started = Instant::now();
        while is_alive(pid.trim()) {
            assert!(started.elapsed() < LONG, "{pid} is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Whether a process is there. A zombie that nobody reaps is not.
fn is_alive(pid: &str) -> bool {
    if cfg!(target_os = "linux") {
        // The state stands behind the name in parentheses.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        return !stat.is_empty() && !stat.contains(") Z ");
    }
    let ps = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    let state = ps.unwrap().stdout;
    !state.is_empty() && !state.starts_with(b"Z")
}

#[track_caller]
fn success(result: AttemptResult) -> Success {
    match result {
        AttemptResult::Success(success) => success,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn failure(result: AttemptResult) -> Failure {
    match result {
        AttemptResult::Failure(failure) => failure,
        other => panic!("{other:?}"),
    }
}

/// A whole run of processes: two agents at once whose messages a third one sees.
#[test]
fn a_run_of_processes_ends_with_what_they_said() {
    let script = r#"said=$(cat); case "$said" in *"Sum up"*) said=$(printf '%s' "$said" | grep -c 'source='); ;; *) said=heard;; esac
        printf '{"type":"message_end","message":{"role":"assistant","content":"%s"}}\n' "$said""#;
    let stage = Stage::new("run", script);
    let shared = r#""context":{"mode":"shared","capture":"assistant-only"}"#;
    let text = format!(
        r#"{{"schemaVersion":2,"name":"g","entry":["a","b"],"limits":{{}},"nodes":{{
            "a":{{"type":"agent","prompt":"Speak",{shared}}},"b":{{"type":"agent","prompt":"Speak",{shared}}},
            "sum":{{"type":"agent","prompt":"Sum up",{shared}}}}},"edges":[{{"from":["a","b"],"to":"sum"}}]}}"#
    );
    let graph = pi::parse("g.json".into(), text.as_bytes()).unwrap().graph();
    let now = Timestamp::from(std::time::SystemTime::now());
    let mut run = Run::start(&graph, "run-1", Object::new(), now).unwrap();
    let executor = stage.executor();
    let status = Runner::new(&executor).drive(&mut run).unwrap();
    assert_eq!(status, RunStatus::Completed, "{:?}", run.error());
    let outputs = run
        .state()
        .get("outputs")
        .and_then(Value::as_object)
        .unwrap();
    assert_eq!(outputs.get("sum"), Some(&Value::from("2")));
}

/// Refuses or ends an attempt from some turn on.
struct Strict {
    turns: AtomicUsize,
    refuses: bool,
    stops: Option<RunCode>,
}

impl Strict {
    fn new(refuses: bool, stops: Option<RunCode>) -> Self {
        let turns = AtomicUsize::new(0);
        Self {
            turns,
            refuses,
            stops,
        }
    }
}

impl Watch for Strict {
    fn turn(&self, _: &Usage) -> ControlFlow<()> {
        self.turns.fetch_add(1, Ordering::Relaxed);
        if self.refuses {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn stop(&self) -> Option<RunCode> {
        self.stops
            .filter(|_| self.turns.load(Ordering::Relaxed) > 0)
    }
}

#[test]
fn a_process_gets_its_prompts_arguments_and_directory_and_its_answer_is_taken() {
    let script = format!(
        "pwd > ../seen.pwd; cat > ../seen.stdin; printf '%s\\n' \"$@\" > ../seen.arguments\n\
         for last; do :; done; cp \"$last\" ../seen.system; ls -l \"$last\" > ../seen.mode\n{DONE}"
    );
    let stage = Stage::new("told", &script);
    let long = "täsk ".repeat(30_000);
    let executor = stage.executor().variable("SEEN", "1");
    let success = success(executor.execute(&stage.work(&long), &Unwatched));
    assert_eq!(success.output, Some(Value::from("done")));
    assert_eq!((success.usage.input_tokens, success.usage.turns), (5, 1));
    assert_eq!(stage.read("seen.stdin"), long);
    let base = stage.path("base").canonicalize().unwrap();
    assert_eq!(
        PathBuf::from(stage.read("seen.pwd").trim())
            .canonicalize()
            .unwrap(),
        base
    );
    assert!(stage.read("seen.system").contains("agent"));
    assert!(stage.read("seen.mode").starts_with("-rw-------"));
    let arguments = stage.read("seen.arguments");
    assert!(
        arguments.starts_with("--mode\njson\n-p\n--no-approve\n--no-session\n"),
        "{arguments}"
    );
    assert_eq!(
        fs::read_dir(stage.path("base/temporary")).unwrap().count(),
        0
    );
}

#[test]
fn a_process_that_does_not_read_its_prompt_is_not_waited_for() {
    let stage = Stage::new("deaf", DONE);
    let long = "x".repeat(200_000);
    let result = stage.executor().execute(&stage.work(&long), &Unwatched);
    assert_eq!(success(result).output, Some(Value::from("done")));
}

#[test]
fn a_program_that_is_not_there_is_a_process_error_that_may_mend() {
    let stage = Stage::new("absent", "");
    let executor = stage.executor().program(stage.path("nothing"));
    let failure = failure(executor.execute(&stage.work("task"), &Unwatched));
    assert_eq!(
        (failure.code, failure.retryable),
        (RunCode::ProcessError, true)
    );
}

#[test]
fn exit_code_0_is_no_success_when_the_agent_says_that_it_failed() {
    let stage = Stage::new(
        "says-failed",
        r#"printf '%s\n' '{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"no model"}}'"#,
    );
    let failure = stage.fails();
    assert_eq!(
        (failure.code, failure.retryable),
        (RunCode::AgentFailed, true)
    );
    assert_eq!(
        (failure.message.as_str(), failure.usage.turns),
        ("no model", 1)
    );
}

#[test]
fn what_is_written_to_standard_error_explains_an_exit_code_and_is_kept_in_part_only() {
    let stage = Stage::new(
        "complains",
        "head -c 1000000 /dev/zero | tr '\\0' e >&2; exit 3",
    );
    let failure = stage.fails();
    assert_eq!(failure.code, RunCode::AgentFailed);
    assert_eq!(failure.message, "e".repeat(64 << 10));
    let stage = Stage::new("silent", "exit 3");
    assert!(stage.fails().message.contains('3'));
}

#[test]
fn a_process_that_is_killed_by_somebody_else_failed() {
    let stage = Stage::new("killed", &format!("{DONE}\nkill -9 $$"));
    assert_eq!(stage.fails().code, RunCode::AgentFailed);
}

#[test]
fn garbage_bytes_that_are_no_text_and_pieces_of_lines_are_read_over() {
    let stage = Stage::new(
        "garbage",
        r#"printf 'nonsense\n\377\376\000\n{"type":"message_end","mess'; sleep 0.05
           printf 'age":{"role":"assistant","content":"\303'; sleep 0.05; printf '\251\377"}}'"#,
    );
    assert_eq!(stage.succeeds().output, Some(Value::from("é\u{fffd}")));
}

#[test]
fn a_line_of_nine_mebibytes_ends_the_attempt() {
    let stage = Stage::new(
        "line",
        "echo $$ > ../pid; head -c 9437184 /dev/zero | tr '\\0' x; exec sleep 300",
    );
    let failure = stage.fails();
    assert_eq!(
        (failure.code, failure.retryable),
        (RunCode::ProcessError, true)
    );
    stage.assert_nobody_left("pid");
}

#[test]
fn a_process_that_floods_its_output_is_stopped_when_its_time_is_up() {
    let stage = Stage::new("flood", "echo $$ > ../pid; exec yes 'no event'");
    let started = Instant::now();
    let failure = failure(stage.executor().execute(&stage.work_for(1000), &Unwatched));
    assert_eq!(
        (failure.code, failure.retryable),
        (RunCode::NodeTimeout, true)
    );
    assert!(started.elapsed() >= Duration::from_millis(1000));
    stage.assert_nobody_left("pid");
}

#[test]
fn a_process_that_does_not_end_when_asked_is_killed_with_its_children() {
    let stage = Stage::new(
        "stubborn",
        &format!(
            "trap '' TERM; sleep 300 & echo $! > ../child; echo $$ > ../pid; {DONE}; while :; do sleep 0.05; done"
        ),
    );
    let executor = stage.executor().patience(Duration::from_millis(200));
    let watch = Strict::new(false, Some(RunCode::Aborted));
    let failure = failure(executor.execute(&stage.work("task"), &watch));
    assert_eq!((failure.code, failure.retryable), (RunCode::Aborted, false));
    assert_eq!(failure.usage.turns, 1);
    stage.assert_nobody_left("pid");
    stage.assert_nobody_left("child");
}

#[test]
fn a_process_that_is_asked_to_end_may_still_say_what_it_used() {
    let script = format!(
        "say() {{ {DONE}; }}\ntrap 'say; exit 143' TERM\nsay\nwhile :; do sleep 0.05; done"
    );
    let stage = Stage::new("last-words", &script);
    let watch = Strict::new(true, None);
    let failure = failure(stage.executor().execute(&stage.work("task"), &watch));
    assert_eq!(
        (failure.code, failure.retryable),
        (RunCode::BudgetLimit, false)
    );
    assert_eq!((failure.usage.turns, watch.turns.into_inner()), (2, 2));
}

#[test]
fn the_time_of_the_run_is_another_failure_than_that_of_the_node() {
    let stage = Stage::new("run-time", &format!("{DONE}; exec sleep 300"));
    let watch = Strict::new(false, Some(RunCode::Timeout));
    let failure = failure(stage.executor().execute(&stage.work("task"), &watch));
    assert_eq!((failure.code, failure.retryable), (RunCode::Timeout, false));
}

#[test]
fn children_that_hold_the_pipes_of_a_process_that_is_done_do_not_keep_anybody_waiting() {
    let stage = Stage::new(
        "holding",
        &format!("sleep 300 & echo $! > ../child; {DONE}"),
    );
    let started = Instant::now();
    assert_eq!(stage.succeeds().output, Some(Value::from("done")));
    assert!(started.elapsed() < LONG);
    stage.assert_nobody_left("child");
}

#[test]
fn an_artifact_is_private_stored_once_and_never_written_through_a_link() {
    let members = r#""prompt":"p","response":{"storage":"artifact","mediaType":"text/markdown"}"#;
    let stage = Stage::of_node("artifact", members, DONE);
    let executor = stage.executor();
    let refused = failure(executor.execute(&stage.work("task"), &Unwatched));
    assert_eq!(refused.code, RunCode::ArtifactDirectory);
    let executor = executor.artifacts_in(stage.path("artifacts"));
    let stored = success(executor.execute(&stage.work("task"), &Unwatched));
    let reference = stored.output.unwrap();
    let reference = reference.as_object().unwrap();
    let path = PathBuf::from(reference.get("uri").unwrap().as_str().unwrap());
    assert_eq!(path.parent().unwrap(), stage.path("artifacts/run-1"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "done");
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    assert_eq!(mode(&stage.path("artifacts")), 0o700);

    fs::write(&path, "kept").unwrap();
    success(executor.execute(&stage.work("task"), &Unwatched));
    assert_eq!(fs::read_to_string(&path).unwrap(), "kept");

    fs::remove_file(&path).unwrap();
    let target = stage.path("target");
    symlink(&target, &path).unwrap();
    let refused = failure(executor.execute(&stage.work("task"), &Unwatched));
    assert_eq!(
        (refused.code, refused.retryable),
        (RunCode::ArtifactPathInvalid, false)
    );
    assert!(!target.exists());

    fs::remove_dir_all(stage.path("artifacts/run-1")).unwrap();
    fs::create_dir(&target).unwrap();
    symlink(&target, stage.path("artifacts/run-1")).unwrap();
    let refused = failure(executor.execute(&stage.work("task"), &Unwatched));
    assert_eq!(refused.code, RunCode::ArtifactDirectory);
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
}

#[test]
fn the_session_of_a_thread_is_private_and_fails_closed() {
    let members = r#""prompt":"p","context":{"mode":"thread"}"#;
    let stage = Stage::of_node("thread", members, &format!("touch ../started; {DONE}"));
    let thread = |invocation_count| WorkThread {
        key: "agent".into(),
        session_id: "00000000-0000-4000-8000-000000000001".into(),
        invocation_count,
    };
    let work_of = |thread| {
        let mut work = stage.work("task");
        work.thread = Some(thread);
        work
    };
    let work = |invocation_count| work_of(thread(invocation_count));
    let executor = stage.executor();
    let code = |work: &Work, executor: &PiProcess| failure(executor.execute(work, &Unwatched)).code;
    assert_eq!(
        code(&stage.work("task"), &executor),
        RunCode::ThreadContextMissing
    );
    assert_eq!(code(&work(0), &executor), RunCode::ThreadSessionDirectory);
    let executor = executor.threads_in(stage.path("threads"));
    assert_eq!(code(&work(1), &executor), RunCode::ThreadSessionMissing);
    let elsewhere = work_of(WorkThread {
        session_id: "../elsewhere".into(),
        ..thread(0)
    });
    assert_eq!(code(&elsewhere, &executor), RunCode::ThreadSessionInvalid);
    assert!(!stage.path("started").exists(), "nothing was started");

    success(executor.execute(&work(0), &Unwatched));
    let session = stage.path("threads/run-1/00000000-0000-4000-8000-000000000001.jsonl");
    assert_eq!(
        fs::metadata(&session).unwrap().permissions().mode() & 0o777,
        0o600
    );
    success(executor.execute(&work(1), &Unwatched));

    fs::remove_file(&session).unwrap();
    symlink(stage.path("target"), &session).unwrap();
    assert_eq!(code(&work(0), &executor), RunCode::ThreadSessionInvalid);
}
