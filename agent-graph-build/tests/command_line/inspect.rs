//! What a provider consists of: `validate`, `inspect`, `code`, `resource locate`, `schema`.

use crate::*;

#[test]
fn descriptions_of_recorded_providers_are_the_recorded_ones() {
    let mut failures = Vec::new();
    let mut count = 0;
    for folder in folders(&data().join("providers")) {
        let described = folder.join("describe.json");
        if !described.exists() {
            continue;
        }
        count += 1;
        let manifest = json(&folder.join("digests.json"));
        let manifest = manifest["manifest"].as_str().unwrap();
        let scratch = Scratch::with(&folder.join("provider"));
        let root = scratch.root();
        let ask = |arguments: &[&str]| {
            let mut all = vec!["-m", manifest];
            all.extend(arguments);
            let text = result(&root, &all).to_string();
            let text = text.replace(root.to_str().unwrap(), "<provider-root>");
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let described = json(&described);
        let mut compare = |what: String, expected: &Value, found: Value| {
            if *expected != found {
                failures.push(format!("{}: {what}\n{expected}\n{found}", name(&folder)));
            }
        };
        let inspection = ask(&["inspect", "provider"]);
        compare("inspect".to_owned(), &described["inspect"], inspection);
        let resources = described["resources"].as_array().unwrap().iter();
        for resource in resources.take(3) {
            let query = resource["query"].as_str().unwrap();
            let location = ask(&["resource", "locate", query]);
            compare(format!("resource {query}"), &resource["location"], location);
        }
        let codes = described["codes"].as_array().unwrap().iter();
        for code in codes.take(2) {
            let query = code["code"].as_str().unwrap();
            let location = ask(&["code", "locate", query]);
            compare(format!("code {query}"), &code["location"], location);
        }
        let bindings = described["bindings"].as_array().unwrap().iter();
        for binding in bindings.take(1) {
            let skill = binding["skill"].as_str().unwrap();
            let found = ask(&["inspect", "skill", skill]);
            compare(
                format!("skill {skill}"),
                &binding["binding"],
                found["binding"].clone(),
            );
        }
    }
    println!("{count} described providers, {} failures", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn validate_says_that_a_provider_is_valid_and_what_is_wrong_otherwise() {
    let folder = example("release-gate");
    let valid = result(&folder, &["validate"]);
    assert_eq!(valid["state"], "valid");
    assert_eq!(valid["schema"], "agent-graph.inspect.v1");
    let scratch = Scratch::new();
    scratch.write(
        "provider.yaml",
        "schema: agent-graph.provider.v1\nid: A\ngraph: []\n",
    );
    let error = error(&scratch.root(), &["validate"]);
    assert_eq!(error["code"], "schema-invalid");
    let diagnostics = error["diagnostics"].as_array().unwrap();
    assert!(diagnostics.len() > 1);
    for diagnostic in diagnostics {
        assert!(diagnostic["code"].as_str().unwrap().starts_with("schema."));
        let path = scratch.root().join("provider.yaml");
        assert_eq!(diagnostic["path"], path.to_str().unwrap());
        assert!(diagnostic["detail"]["line"].is_number());
    }
}

#[test]
fn schemas_are_listed_found_and_extracted() {
    let scratch = Scratch::new();
    let folder = scratch.root();
    let list = result(&folder, &["schema", "list"]);
    let names = list["schemas"].as_array().unwrap();
    for name in names {
        let name = name.as_str().unwrap();
        let found = result(&folder, &["schema", "path", name]);
        let found = json(Path::new(found["path"].as_str().unwrap()));
        let output = format!("out/{name}.json");
        let extracted = result(&folder, &["schema", "extract", name, "--output", &output]);
        assert_eq!(extracted["path"], folder.join(&output).to_str().unwrap());
        assert_eq!(json(&folder.join(&output)), found);
    }
    assert_eq!(
        error(&folder, &["schema", "path", "x"])["code"],
        "schema-type-unknown"
    );
}

#[test]
fn codes_are_listed_with_the_path_of_the_catalog() {
    let folder = std::fs::canonicalize(example("release-gate")).unwrap();
    let list = result(&folder, &["code", "list"]);
    assert_eq!(list["provider"], "harbor/release");
    assert_eq!(list["catalog"], folder.join("codes.yaml").to_str().unwrap());
    let code = list["codes"][0]["code"].as_str().unwrap();
    fits(
        "agent-graph.code-location.v1",
        &result(&folder, &["code", "locate", code]),
    );
    let resource = result(&folder, &["resource", "locate", "procedure.package"]);
    fits("agent-graph.resource-location.file.v1", &resource);
}

#[test]
fn what_deserves_a_look_is_shown_beside_a_result_that_has_no_place_for_it() {
    let scratch = Scratch::with(&example("release-gate"));
    let folder = scratch.root();
    result(&folder, &["build", "../bundle"]);
    let bundle = folder.with_file_name("bundle");
    std::fs::write(bundle.join("stray.txt"), "").unwrap();
    let arguments = ["--manifest", "manifest.json", "validate"];
    let output = play(&bundle, &[&["--format", "json"][..], &arguments].concat());
    assert!(output.status.success());
    assert_eq!(one_line(text(&output.stdout))["state"], "valid");
    assert!(text(&output.stderr).contains("file-unlisted"));
    let output = play(&bundle, &arguments);
    assert!(text(&output.stdout).contains("file-unlisted"));
    assert_eq!(text(&output.stderr), "");
}
