//! Every property, tried with a fixed number of inputs from a fixed seed.

use std::fs;
use std::path::Path;

use agent_graph_properties::{PROPERTIES, property, trial};

fn holds(name: &str, inputs: usize) {
    let property = property(name).expect("there is such a property");
    trial::run(property, inputs);
}

#[test]
fn every_property_has_recorded_inputs_to_begin_with() {
    for property in PROPERTIES {
        assert!((property.seeds)().len() >= 5, "{}", property.name);
    }
}

#[test]
fn every_property_has_a_fuzz_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap_or_default();
    let manifest = read("Cargo.toml");
    for property in PROPERTIES {
        let path = format!("targets/{}.rs", property.name);
        assert!(manifest.contains(&format!("name = \"{}\"\npath = \"{path}\"", property.name)));
        assert!(read(&path).contains("fuzz_target!"), "{path}");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), PROPERTIES.len());
}

#[test]
fn any_bytes_are_a_yaml_document_or_a_finding_inside_the_text() {
    holds("yaml_documents", 3_000);
}

#[test]
fn any_bytes_are_the_same_json_document_for_another_reader() {
    holds("json_documents", 3_000);
}

#[test]
fn canonical_json_is_that_of_a_naive_writer() {
    holds("canonical_json", 3_000);
}

#[test]
fn any_bytes_are_facts_that_plain_walks_agree_with_or_are_refused() {
    holds("facts", 2_000);
}

#[test]
fn receipts_are_read_as_their_shape_says_and_kept_once_a_resource() {
    holds("receipts", 4000);
}

#[test]
fn answers_to_host_actions_are_valid_for_their_call_alone() {
    holds("host_action_results", 4000);
}

#[test]
fn whatever_happens_to_a_run_is_one_more_event() {
    holds("run_files", 1500);
}

#[test]
fn any_files_are_a_provider_that_works_or_findings_in_the_files() {
    holds("provider_loader", 60);
}

#[test]
fn what_is_accepted_as_a_bundle_is_what_building_again_would_give() {
    holds("bundle_verifier", 150);
}

#[test]
fn any_bytes_are_a_graph_that_prints_and_reads_back_or_findings_in_the_text() {
    holds("pi_definitions", 200);
}

#[test]
fn how_a_stream_of_events_is_cut_does_not_matter() {
    holds("pi_events", 1000);
}

#[test]
fn paths_and_templates_are_cut_as_a_plain_reading_cuts_them() {
    holds("pi_state", 1500);
}

#[test]
fn patterns_answer_the_same_whichever_engine_searches() {
    holds("patterns", 500);
}

#[test]
fn whatever_stands_in_the_macro_and_the_files_there_are_tokens_that_parse() {
    holds("expander", 60);
}
