//! Every command against what may happen to any of them: it works, it is refused, nobody reads what it prints, what it
//! reads cannot be read, is no file, or has fifty megabytes.

use std::collections::BTreeSet;

use agent_graph_build::cli::OUTPUTS;

use crate::*;

/// A command with arguments. `#` in them is another number each time.
struct Row {
    /// Arguments with which it works.
    works: &'static str,
    /// Arguments with which it is refused, and the code.
    refused: (&'static str, &'static str),
    /// Arguments with which it reads `big.yaml`, `big.json`, `big.md` or the provider in `big`.
    reads: &'static [&'static str],
}

const fn row(
    works: &'static str,
    refused: (&'static str, &'static str),
    reads: &'static [&'static str],
) -> Row {
    Row {
        works,
        refused,
        reads,
    }
}

const REVISION: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

const ROWS: &[Row] = &[
    row("init new# --id a", ("init new --id !", "id-invalid"), &[]),
    row(
        "import skill skills/ship/SKILL.md --into . --graph skill#",
        (
            "import skill skills/ship/SKILL.md --into nowhere",
            "file-missing",
        ),
        &[
            "import skill big.md --into .",
            "import skill skills/ship/SKILL.md --into big",
        ],
    ),
    row(
        "import scripts scripts/package.sh --into . --graph scripts#",
        ("import scripts --into .", "import-empty"),
        &["import scripts scripts/package.sh --into big"],
    ),
    row(
        "import workflow steps.yaml --into . --graph steps#",
        ("import workflow provider.yaml --into .", "workflow-invalid"),
        &[
            "import workflow big.yaml --into .",
            "import workflow steps.yaml --into big",
        ],
    ),
    row(
        "validate",
        ("-m steps.yaml validate", "schema-invalid"),
        &["-m big.yaml validate"],
    ),
    row(
        "inspect provider",
        ("-m nothing.yaml inspect provider", "file-missing"),
        &["-m big.yaml inspect provider"],
    ),
    row(
        "inspect skill skills/ship/SKILL.md",
        (
            "inspect skill resources/package.md",
            "skill-binding-missing",
        ),
        &[
            "inspect skill big.md",
            "--registry big.json inspect skill skills/ship/SKILL.md",
        ],
    ),
    row(
        "evaluate release",
        ("evaluate nothing", "graph-missing"),
        &[
            "-m big.yaml evaluate release",
            "--skill big.md evaluate",
            "evaluate release --facts @big.json",
            "evaluate release --outcomes @big.json",
            "evaluate release --state big.json",
        ],
    ),
    row(
        "route release",
        ("route release route:nothing", "route-stale"),
        &[
            "-m big.yaml route release",
            "route release --facts @big.json",
            "route release --resource-receipts @big.json",
            "route release --state big.json",
        ],
    ),
    row(
        "explain release",
        ("explain", "graph-selection-missing"),
        &[
            "-m big.yaml explain release",
            "explain release --outcomes @big.json",
        ],
    ),
    row(
        "graph release --state run.json",
        ("graph release --as png", "option-invalid"),
        &[
            "-m big.yaml graph release",
            "graph release --facts @big.json",
        ],
    ),
    row(
        "run start release --state run#.json",
        ("run start release --state run.json", "run-target-exists"),
        &[
            "-m big.yaml run start release --state new.json",
            "run start release --facts @big.json --state new.json",
        ],
    ),
    row(
        "run status --state run.json",
        ("run status --state nothing.json", "file-read-failed"),
        &[
            "run status --state big.json",
            "-m big.yaml run status --state run.json",
        ],
    ),
    row(
        "run record release/scan failed --state run.json",
        (
            "run record release/scan done --state run.json",
            "outcome-invalid",
        ),
        &[
            "run record release/scan failed --state big.json",
            "run record release/scan failed --detail @big.json --state run.json",
        ],
    ),
    row(
        "run facts --set {\"a\":1} --state run.json",
        (
            "run facts --set [] --state run.json",
            "json-object-required",
        ),
        &[
            "run facts --set {} --state big.json",
            "run facts --set @big.json --state run.json",
        ],
    ),
    row(
        "run authority --set release.approve --state run.json",
        ("run authority --state nothing.json", "file-read-failed"),
        &["run authority --state big.json"],
    ),
    row(
        "run checkpoint --to saved#.json --state run.json",
        (
            "run checkpoint --to run.json --state run.json",
            "run-target-exists",
        ),
        &["run checkpoint --to new.json --state big.json"],
    ),
    row(
        "run resume saved.json --state resumed#.json",
        (
            "run resume saved.json --state run.json",
            "run-target-exists",
        ),
        &["run resume big.json --state new.json"],
    ),
    row(
        "run events --state run.json",
        ("run events --state nothing.json", "file-read-failed"),
        &["run events --state big.json"],
    ),
    row(
        "resource locate procedure.package",
        ("resource locate nothing", "resource-missing"),
        &["-m big.yaml resource locate procedure.package"],
    ),
    row(
        "-m batch/provider.yaml resource materialize queue.current --cache cache --revision REVISION",
        (
            "resource materialize procedure.package --cache cache --revision REVISION --timeout-ms 0",
            "option-invalid",
        ),
        &[
            "-m big.yaml resource materialize procedure.package --cache cache --revision REVISION",
            "-m batch/provider.yaml resource materialize queue.current --cache other \
             --revision REVISION --input @big.json",
        ],
    ),
    row(
        "code list",
        ("-m nothing.yaml code list", "file-missing"),
        &["-m big.yaml code list"],
    ),
    row(
        "code locate route.release.package",
        ("code locate nothing", "code-missing"),
        &["-m big.yaml code locate route.release.package"],
    ),
    row(
        "test",
        ("test nothing", "test-path-missing"),
        &["-m big.yaml test", "test big.yaml"],
    ),
    row(
        "lint",
        ("lint --deny nothing", "option-invalid"),
        &["-m big.yaml lint"],
    ),
    row(
        "build bundle#",
        ("build .", "build-output-overlaps-source"),
        &["-m big.yaml build new"],
    ),
    row(
        "diff batch/provider.yaml batch/provider.yaml",
        ("diff nothing.yaml", "file-missing"),
        &["diff big.yaml", "diff provider.yaml big.yaml"],
    ),
    row(
        "generate",
        ("-m nothing.yaml generate", "file-missing"),
        &["-m big.yaml generate"],
    ),
    row(
        "schema list",
        ("schema show nothing", "schema-type-unknown"),
        &[],
    ),
    row(
        "schema show route",
        ("schema show nothing", "schema-type-unknown"),
        &[],
    ),
    row(
        "schema path route",
        ("schema path nothing", "schema-type-unknown"),
        &[],
    ),
    row(
        "schema extract route --output route.json",
        (
            "schema extract route --output steps.yaml/route.json",
            "file-write-failed",
        ),
        &[],
    ),
    row(
        "pi validate letter.json",
        ("pi validate --scope nobody", "option-invalid"),
        &[],
    ),
    row(
        "pi inspect letter.json",
        ("pi inspect nothing", "graph-missing"),
        &["pi inspect big.json"],
    ),
    row(
        "pi graph letter.json",
        ("pi graph nothing", "graph-missing"),
        &["pi graph big.json"],
    ),
    row(
        "pi status --store runs",
        ("pi status nothing --store runs", "CHECKPOINT_NOT_FOUND"),
        &[],
    ),
    row(
        "completions bash",
        ("completions tcl", "option-invalid"),
        &[],
    ),
    row("man", ("--format yaml man", "format-invalid"), &[]),
];

/// A folder in which every row works.
fn folder() -> Scratch {
    let scratch = Scratch::with(&example("release-gate"));
    for (path, bytes) in data::tree(&example("host-batch")) {
        scratch.write(&format!("batch/{path}"), bytes);
    }
    let script = "#!/bin/sh\nprintf '{\"open\":2}'\n";
    scratch.write("batch/scripts/show-queue.sh", script);
    scratch.write("steps.yaml", "id: s\nsteps: [{ id: one, command: make }]\n");
    let letter = workspace_tests().join("../examples/pi-host/graphs/letter.json");
    scratch.write("letter.json", std::fs::read(letter).unwrap());
    let folder = scratch.root();
    for arguments in [
        &["run", "start", "release", "--state", "run.json"][..],
        &[
            "run",
            "checkpoint",
            "--to",
            "saved.json",
            "--state",
            "run.json",
        ],
    ] {
        result(&folder, arguments);
    }
    scratch
}

/// The arguments of a line, each `#` another number.
fn arguments(line: &str, number: usize) -> Vec<String> {
    let line = line.replace("REVISION", REVISION);
    let line = line.replace('#', &number.to_string());
    line.split_whitespace().map(str::to_owned).collect()
}

/// Runs what is made of a line with the words of it.
fn with<T>(line: &str, number: usize, run: impl FnOnce(&[&str]) -> T) -> T {
    let words = arguments(line, number);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    run(&words)
}

/// The command of a line without its options and arguments.
fn command_of(line: &str) -> &'static str {
    let words = arguments(line, 0);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let named = OUTPUTS.iter().filter(|output| {
        let command: Vec<&str> = output.command.split(' ').collect();
        words.windows(command.len()).any(|part| part == command)
    });
    // `graph` is in `pi graph`.
    let longest = named.max_by_key(|output| output.command.len());
    longest
        .unwrap_or_else(|| panic!("{line} is no command"))
        .command
}

/// Commands that work with agents, for which something has to stand: `pi_run` and `pi_endings` try them.
const WITH_AGENTS: [&str; 2] = ["pi run", "pi resume"];

#[test]
fn every_command_is_in_the_table() {
    let listed = ROWS.iter().map(|row| command_of(row.works));
    let listed: BTreeSet<&str> = listed.chain(WITH_AGENTS).collect();
    let known: BTreeSet<&str> = OUTPUTS.iter().map(|output| output.command).collect();
    assert_eq!(listed, known);
}

#[test]
fn every_command_works_and_prints_what_its_schema_says() {
    let scratch = folder();
    for row in ROWS {
        with(row.works, 1, |words| result(&scratch.root(), words));
        let human = with(row.works, 2, |words| play(&scratch.root(), words));
        assert_eq!(human.status.code(), Some(0), "{}", row.works);
        assert_eq!(text(&human.stderr), "", "{}", row.works);
        assert!(!human.stdout.is_empty(), "{}", row.works);
        assert!(!text(&human.stdout).contains('\x1b'), "{}", row.works);
    }
}

#[test]
fn every_command_that_is_refused_prints_an_envelope_with_its_code() {
    let scratch = folder();
    for row in ROWS {
        let (line, code) = row.refused;
        if line.contains("--format") {
            let refused = with(line, 1, |words| play(&scratch.root(), words));
            let errors = text(&refused.stderr);
            assert!(errors.starts_with(&format!("ERROR {code} ")), "{errors}");
            continue;
        }
        let refused = with(line, 1, |words| error(&scratch.root(), words));
        assert_eq!(refused["code"], code, "{line}: {refused}");
        let human = with(line, 1, |words| play(&scratch.root(), words));
        assert_eq!(human.status.code(), Some(1), "{line}");
        let errors = text(&human.stderr);
        assert!(errors.starts_with(&format!("ERROR {code} ")), "{errors}");
    }
}

#[cfg(unix)]
#[test]
fn no_command_minds_that_nobody_reads_what_it_prints() {
    let scratch = folder();
    for (row, format) in ROWS.iter().flat_map(|row| [(row, "json"), (row, "human")]) {
        let number = if format == "json" { 1 } else { 2 };
        let words = arguments(&format!("--format {format} {}", row.works), number);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut child = program(&scratch.root(), &words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
    }
}

/// Whether a line reads a run in a way that no other line stands for.
fn is_told_apart(line: &str) -> bool {
    let reads_run = line.contains("--state big.json") || line.contains("run resume big.json");
    !reads_run || line.starts_with("run status") || line.starts_with("run record")
}

/// What is said of files that cannot be read, for every row that reads some.
fn reading(scratch: &Scratch, known: &[&str], is_tried: impl Fn(&str) -> bool) {
    let before: BTreeSet<String> = data::tree(&scratch.root()).into_keys().collect();
    let lines = ROWS.iter().flat_map(|row| row.reads);
    for line in lines.filter(|line| is_tried(line)) {
        let refused = with(line, 1, |words| error(&scratch.root(), words));
        let code = refused["code"].as_str().unwrap();
        assert!(known.contains(&code), "{line}: {refused}");
        assert!(refused.to_string().len() < 10_000, "{line}");
    }
    let after: BTreeSet<String> = data::tree(&scratch.root()).into_keys().collect();
    assert_eq!(
        before, after,
        "something was written though all was refused"
    );
}

/// Runs have no limit of four megabytes, so reading one takes its time: a command that reads and one that changes stand
/// for the others, which read them the same way.
#[test]
fn every_file_that_a_command_reads_may_have_fifty_megabytes() {
    let scratch = folder();
    let long = "x".repeat(50 << 20);
    scratch.write("big.json", format!("{{\"long\":\"{long}\"}}"));
    scratch.write("big.yaml", format!("long: {long}\n"));
    scratch.write("big.md", format!("---\nlong: {long}\n---\n"));
    scratch.write("big/provider.yaml", format!("# {long}\n"));
    reading(
        &scratch,
        &[
            "input-limit",
            "frontmatter-invalid",
            "schema-invalid",
            "pi-definition-invalid",
        ],
        is_told_apart,
    );
}

#[test]
fn every_file_that_a_command_reads_may_be_a_folder() {
    let scratch = folder();
    for name in [
        "big.json/a",
        "big.yaml/empty/a",
        "big.md/a",
        "big/provider.yaml/a",
    ] {
        scratch.write(name, "");
    }
    reading(
        &scratch,
        &["file-missing", "file-read-failed", "test-cases-empty"],
        |_| true,
    );
}

#[test]
fn every_file_that_a_command_reads_may_be_missing() {
    let scratch = folder();
    reading(
        &scratch,
        &["file-missing", "file-read-failed", "test-path-missing"],
        |_| true,
    );
}

#[test]
fn every_file_that_a_command_reads_may_be_no_text() {
    let scratch = folder();
    let bytes = [0xff, 0xfe, 0x00, 0x80, b'\n'];
    for name in ["big.json", "big.yaml", "big.md", "big/provider.yaml"] {
        scratch.write(name, bytes);
    }
    reading(
        &scratch,
        &[
            "parse-failed",
            "json-invalid",
            "frontmatter-missing",
            "schema-invalid",
        ],
        |_| true,
    );
}

/// A script is copied as it is, whatever its bytes and however many; but it has to be a file.
#[test]
fn a_script_is_any_file_and_nothing_else() {
    let scratch = folder();
    scratch.write("folder/a", "");
    for missing in ["nothing", "folder"] {
        let line = format!("import scripts {missing} --into .");
        let refused = with(&line, 1, |words| error(&scratch.root(), words));
        assert_eq!(refused["code"], "file-missing");
    }
    scratch.write("any", vec![0xff; 5 << 20]);
    let line = "import scripts any --into .";
    with(line, 1, |words| result(&scratch.root(), words));
    let copied = scratch.root().join("scripts/imported-scripts/01-any");
    assert_eq!(std::fs::metadata(copied).unwrap().len(), 5 << 20);
}
