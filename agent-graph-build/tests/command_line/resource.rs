//! Resources that are made by running an action: `resource materialize`.
#![cfg(unix)]

use crate::*;

#[test]
fn a_resource_is_made_once_and_then_found_in_the_cache() {
    let scratch = Scratch::with(&example("host-batch"));
    let folder = scratch.root();
    let script = "#!/bin/sh\necho run >> runs.txt\nprintf '{\"open\":2}'\n";
    scratch.write("scripts/show-queue.sh", script);
    scratch.write("work/keep.txt", "");
    let evaluation = result(&folder, &["evaluate", "batch"]);
    let revision = evaluation["revision"].as_str().unwrap();
    let make = [
        "resource",
        "materialize",
        "queue.current",
        "--cache",
        "cache",
        "--workspace",
        "work",
        "--revision",
        revision,
    ];
    let made = result(&folder, &make);
    fits("agent-graph.resource-location.graph-action.v1", &made);
    assert_eq!(made["revision"], revision);
    let file = Path::new(made["filePath"].as_str().unwrap());
    assert_eq!(json(file), serde_json::json!({ "open": 2 }));
    assert!(file.starts_with(folder.join("cache")));
    assert_eq!(made, result(&folder, &make));
    let human = play(&folder, &make);
    assert!(text(&human.stdout).starts_with("Resource: queue.current\nFile: "));
}

#[test]
fn what_goes_wrong_while_a_resource_is_made_is_an_error() {
    let scratch = Scratch::with(&example("host-batch"));
    let folder = scratch.root();
    let evaluation = result(&folder, &["evaluate", "batch"]);
    let revision = evaluation["revision"].as_str().unwrap().to_owned();
    let make = |more: &[&str]| {
        let mut all = vec![
            "resource",
            "materialize",
            "queue.current",
            "--cache",
            "cache",
        ];
        all.extend(["--revision", &revision]);
        all.extend(more);
        error(&folder, &all)["code"].clone()
    };
    scratch.write("scripts/show-queue.sh", "#!/bin/sh\nexit 3\n");
    let failed = make(&[]);
    scratch.write("scripts/show-queue.sh", "#!/bin/sh\nsleep 60\n");
    let slow = make(&["--timeout-ms", "50"]);
    scratch.write(
        "scripts/show-queue.sh",
        "#!/bin/sh\nprintf '{\"open\":12345}'\n",
    );
    let large = make(&["--max-output-bytes", "4"]);
    assert_eq!(
        [failed, slow, large],
        [
            "materializer-failed",
            "materializer-timeout",
            "materializer-output-limit"
        ]
    );
    assert_eq!(make(&["--timeout-ms", "soon"]), "option-invalid");
    assert!(!folder.join("cache").exists());
}
