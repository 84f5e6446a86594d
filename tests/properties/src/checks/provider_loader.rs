//! Providers: any files are a provider that can be evaluated, linted and packaged, the same every time, or findings
//! that lie in the files.

use std::fs;
use std::path::Path;

use agent_graph_build::bundle::Bundle;
use agent_graph_build::lint::{LintLevels, lint_while_building};
use agent_graph_runtime::load::shape::{EVALUATION, Shape, check_json};
use agent_graph_runtime::load::{LoadOptions, Loaded, load, load_with};
use agent_graph_runtime::{Findings, Provider, State};

use crate::bounds;
use crate::damage::damaged;
use crate::draw::Draw;
use crate::scratch::Scratch;
use crate::seeded::Chance;
use crate::{archive, random, written};

/// Bytes as an archive whose first file is the manifest; and as decisions about a valid provider and what is changed
/// in its files.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    let files = archive::files(bytes);
    if files.is_empty() {
        provider(&changed(&mut Draw::new(bytes)));
    } else {
        provider(&files);
    }
}

/// A valid provider with a few changes, the first file being the manifest.
pub(super) fn changed(draw: &mut Draw<'_>) -> Vec<(String, Vec<u8>)> {
    let seed = draw.below(1 << 14) as u64;
    let files = written::files(&random::provider(seed));
    let mut files: Vec<_> = files
        .into_iter()
        .map(|(path, text)| (path, text.into_bytes()))
        .collect();
    for _ in 0..draw.below(4) {
        let (at, other) = (draw.below(files.len()), draw.below(files.len()));
        let content = damaged(
            &mut Chance::seeded(draw.number()),
            &files[at].1,
            &files[other].1,
        );
        files[at].1 = content;
    }
    files
}

fn provider(files: &[(String, Vec<u8>)]) {
    let scratch = Scratch::with(files);
    let manifest = scratch.path().join(&files[0].0);
    let folder = manifest.parent().unwrap_or(scratch.path());
    let loaded = load(&manifest);
    let again = load(&manifest);
    match (&loaded, &again) {
        (Ok(loaded), Ok(again)) => {
            assert!(loaded.tables == again.tables && loaded.findings == again.findings);
            works(loaded, folder);
        }
        (Err(findings), Err(again)) => {
            assert_eq!(findings, again);
            refused(findings, folder);
        }
        _ => panic!("the same files are accepted once and refused once"),
    }
    // What is refused is refused strictly, too.
    if let Ok(strict) = load_with(&manifest, LoadOptions::new().strict(true)) {
        assert!(loaded.is_ok_and(|loaded| loaded.tables == strict.tables));
    }
}

/// What is said about a provider lies in its files.
pub(super) fn refused(findings: &Findings, folder: &Path) {
    for finding in findings.list() {
        let read = |file: &str| fs::read(folder.join(file)).unwrap_or_default();
        let texts: Vec<_> = finding
            .places()
            .map(|place| (place.file.clone(), read(&place.file)))
            .collect();
        bounds::finding(finding, |file| {
            let text = texts.iter().find(|(own, _)| **own == *file);
            text.map(|(_, text)| text.as_slice())
        });
    }
    assert!(
        findings
            .list()
            .iter()
            .any(|finding| finding.code == findings.code())
    );
}

fn works(loaded: &Loaded, folder: &Path) {
    if let Some((first, others)) = loaded.findings.split_first() {
        refused(
            &Findings::new(first.clone(), others.iter().cloned()),
            folder,
        );
    }
    evaluate(loaded);
    if let Err(findings) = Bundle::of(loaded) {
        refused(&findings, folder);
    }
    for linted in lint_while_building(loaded, &LintLevels::default()).findings {
        refused(&linted.finding.into(), folder);
    }
}

fn evaluate(loaded: &Loaded) {
    let provider = Provider::from_tables(loaded.tables.clone());
    let tables = loaded.tables.as_tables();
    for graph in tables.graphs.iter().take(3) {
        let graph = tables.text(graph.id);
        for entry in ["default", "late", "no such entry"] {
            let evaluation = provider.evaluate(graph, entry, &State::new());
            let evaluation = evaluation.unwrap_or_else(|error| panic!("{error}"));
            let json = evaluation.to_json();
            let findings = check_json(Shape::Object(&EVALUATION), "evaluation.json", &json);
            assert!(findings.is_empty(), "{findings:?}: {json}");
        }
    }
}
