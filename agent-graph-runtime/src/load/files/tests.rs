//! References against real folders: what is contained, what is read, what is listed.

use alloc::string::ToString;
use alloc::vec;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// A folder that goes away again, with a folder `root` for the provider and room beside it.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let nth = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("agent-graph-files-{}-{nth}", std::process::id());
        let scratch = Self(std::env::temp_dir().join(name));
        scratch.write("root/provider.yaml", "a: 1\n");
        scratch
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[cfg(unix)]
    fn link(&self, path: &str, target: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    fn files(&self) -> Files {
        Files::of_manifest(&self.0.join("root/provider.yaml"))
            .unwrap()
            .0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left in a folder for temporary files harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn here() -> Place {
    Place::start_of("provider.yaml".into())
}

/// Somewhere in the manifest, where a reference might stand.
fn there() -> Place {
    Place {
        position: crate::span::Position { line: 3, column: 7 },
        ..here()
    }
}

fn located(files: &Files, reference: &str) -> Result<String, Code> {
    files
        .locate(reference, "action", &there())
        .map(|path| path.to_string())
        .map_err(|finding| {
            assert_eq!(finding.place, there(), "{reference}");
            finding.code
        })
}

#[test]
fn a_reference_is_normalized_by_its_text_alone() {
    let scratch = Scratch::new();
    scratch.write("root/a/b.yaml", "");
    let files = scratch.files();
    for reference in [
        "a/b.yaml",
        "./a//b.yaml",
        "a/./b.yaml",
        "x/../a/b.yaml",
        "../root/a/b.yaml",
        "a/b.yaml/",
    ] {
        assert_eq!(
            located(&files, reference),
            Ok("a/b.yaml".into()),
            "{reference}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_reference_is_said_in_the_order_of_the_protocol() {
    let scratch = Scratch::new();
    scratch.write("outside/x.yaml", "");
    let files = scratch.files();
    assert_eq!(
        located(&files, "/etc/../nowhere"),
        Err(Code::AbsolutePathForbidden)
    );
    assert_eq!(
        located(&files, "../outside/x.yaml"),
        Err(Code::PathOutsideProvider)
    );
    assert_eq!(
        located(&files, "../nowhere"),
        Err(Code::PathOutsideProvider)
    );
    assert_eq!(
        located(&files, "x\n/../../y"),
        Err(Code::PathOutsideProvider)
    );
    assert_eq!(located(&files, "x\n/../y"), Err(Code::FileMissing));
    assert_eq!(located(&files, "nowhere.yaml"), Err(Code::FileMissing));
    assert_eq!(located(&files, "provider.yaml/x"), Err(Code::FileMissing));
    for folder in [".", "", "a/.."] {
        assert_eq!(located(&files, folder), Err(Code::FileMissing), "{folder}");
    }
    assert_eq!(located(&files, "a\0b"), Err(Code::FileMissing));
    assert_eq!(
        located(&files, &"x/".repeat(50_000)),
        Err(Code::FileMissing)
    );
}

#[test]
fn a_missing_file_is_met_with_the_name_that_may_be_meant() {
    let scratch = Scratch::new();
    scratch.write("root/actions/plan.yaml", "");
    scratch.write("root/actions/publish.yaml", "");
    let files = scratch.files();
    let hint = |reference| files.locate(reference, "action", &here()).unwrap_err().hint;
    let meant = Some("did you mean `actions/plan.yaml`?".into());
    assert_eq!(hint("actions/plan.yml"), meant);
    assert_eq!(hint("action/plan.yaml"), meant);
    assert_eq!(hint("Actions/PLAN.yaml"), meant);
    assert_eq!(hint("actions/deploy.yaml"), None);
    assert_eq!(hint("action"), None);
}

#[test]
fn the_finding_names_the_use_and_the_place_of_the_reference() {
    let scratch = Scratch::new();
    let finding = scratch
        .files()
        .locate("a\nb", "action", &here())
        .unwrap_err();
    assert_eq!(finding.message, "the action `a\\nb` does not exist");
    assert_eq!(finding.place, here());
}

#[test]
fn the_manifest_has_to_be_a_regular_file() {
    let scratch = Scratch::new();
    let code = |path: &str| Files::of_manifest(&scratch.0.join(path)).unwrap_err().code;
    assert_eq!(code("root"), Code::FileMissing);
    assert_eq!(code("root/nowhere.yaml"), Code::FileMissing);
    assert_eq!(
        Files::of_manifest(Path::new("")).unwrap_err().code,
        Code::FileMissing
    );
    let message = |path: &str| {
        let refused = Files::of_manifest(&scratch.0.join(path)).unwrap_err();
        (refused.message, refused.hint.is_some())
    };
    assert_eq!(message("root"), ("the manifest is a folder".into(), true));
    let nowhere = message("root/nowhere.yaml");
    assert_eq!(nowhere, ("the manifest does not exist".into(), false));
    let (files, name) = Files::of_manifest(&scratch.0.join("x/../root/./provider.yaml")).unwrap();
    assert_eq!(name.as_str(), "provider.yaml");
    assert_eq!(files.root(), scratch.0.join("root"));
}

#[test]
fn a_file_is_read_once_and_hashed_as_it_was_read() {
    let scratch = Scratch::new();
    scratch.write("root/a.yaml", "first");
    let mut files = scratch.files();
    let path = files.locate("a.yaml", "action", &here()).unwrap();
    let first = files.read(&path, &here()).unwrap();
    scratch.write("root/a.yaml", "second");
    let again = files
        .read(
            &files.locate("./a.yaml", "skill", &here()).unwrap(),
            &here(),
        )
        .unwrap();
    assert_eq!(again.bytes, b"first");
    assert_eq!(again.digest, Digest::of_bytes(b"first"));
    assert!(Arc::ptr_eq(&first, &again));
    assert_eq!(files.watched(), vec![scratch.0.join("root/a.yaml")]);
}

#[test]
fn a_file_that_vanishes_after_it_was_located_cannot_be_read() {
    let scratch = Scratch::new();
    scratch.write("root/a.yaml", "");
    let mut files = scratch.files();
    let path = files.locate("a.yaml", "action", &here()).unwrap();
    fs::remove_file(scratch.0.join("root/a.yaml")).unwrap();
    let finding = files.read(&path, &there()).unwrap_err();
    assert_eq!(finding.code, Code::FileReadFailed);
    assert_eq!(finding.place, there());
}

#[test]
fn a_directory_that_vanishes_after_its_skill_was_located_cannot_be_read() {
    let scratch = Scratch::new();
    scratch.write("root/s/SKILL.md", "");
    let mut files = scratch.files();
    let path = files.locate("s/SKILL.md", "skill", &here()).unwrap();
    fs::remove_dir_all(scratch.0.join("root/s")).unwrap();
    let finding = files.skill_files(&path, &here()).unwrap_err();
    assert_eq!(finding.code, Code::FileReadFailed);
}

#[test]
fn nothing_depends_on_the_order_in_which_a_directory_lists_its_entries() {
    let scratch = Scratch::new();
    for path in [
        "s/SKILL.md",
        "s/b",
        "s/deep/z",
        "s/deep/a",
        "s/e/f",
        "near.yaml",
        "neat.yaml",
    ] {
        scratch.write(&format!("root/{path}"), "");
    }
    #[cfg(unix)]
    for name in ["s/one", "s/two"] {
        scratch.link(&format!("root/{name}"), "SKILL.md");
    }
    let seen = || {
        let mut files = scratch.files();
        let skill = skill_files(&mut files, "s/SKILL.md").unwrap();
        let missing = files.locate("nea.yaml", "action", &here()).unwrap_err();
        (skill, files.everything(), missing)
    };
    let expected = seen();
    for rotated in 1..8 {
        assert_eq!(directory::order::with(rotated, seen), expected);
    }
}

#[test]
fn findings_of_a_load_do_not_depend_on_the_order_of_directories() {
    let scratch = Scratch::new();
    let manifest = "schema: agent-graph.provider.v1\nid: a/b\nversion: 0.3.0\ngraphs: [graphs/g.yml, g.yaml]\n";
    let graph = "schema: agent-graph.graph.v1\nid: g\nentrypoints: { all: on }\nnodes:\n  - { id: one, kind: action, reasonCode: route.one, action: skill.yaml }\n  - { id: end, kind: terminal, terminalOutcome: completed }\nedges:\n  - { from: one, to: edn }\n";
    let action =
        "schema: agent-graph.action.v1\nid: one\nrunner: agent\neffect: wirte\nskil: s/SKILL.md\n";
    scratch.write("root/provider.yaml", manifest);
    scratch.write("root/g.yaml", graph);
    scratch.write("root/graphs/g.yaml", graph);
    scratch.write("root/skill.yaml", action);
    for path in ["s/SKILL.md", "s/b", "s/a", "s/deep/z"] {
        scratch.write(&format!("root/{path}"), "");
    }
    let load = || {
        crate::load::load(&scratch.0.join("root/provider.yaml"))
            .err()
            .map(|findings| findings.to_string())
    };
    let expected = load().unwrap();
    assert_eq!(expected.matches(".yaml:").count(), 5, "{expected}");
    for rotated in 1..8 {
        assert_eq!(directory::order::with(rotated, load).unwrap(), expected);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn of_several_names_that_are_not_unicode_the_first_is_told() {
    use std::os::unix::ffi::OsStrExt;

    let scratch = Scratch::new();
    scratch.write("root/s/SKILL.md", "");
    for name in [&b"a\xff"[..], b"b\xff", b"c\xff"] {
        let name = std::ffi::OsStr::from_bytes(name);
        fs::write(scratch.0.join("root/s").join(name), "").unwrap();
    }
    for rotated in 0..4 {
        let finding = directory::order::with(rotated, || {
            let mut files = scratch.files();
            let path = files.locate("s/SKILL.md", "skill", &here()).unwrap();
            files.skill_files(&path, &there()).unwrap_err()
        });
        assert_eq!(finding.code, Code::FileNameInvalid);
        assert_eq!(finding.place, there());
        assert!(finding.message.contains("`a"), "{finding}");
    }
}

#[test]
fn reading_stops_one_byte_behind_the_allowance() {
    let scratch = Scratch::new();
    scratch.write("root/a.yaml", "123456789");
    let path = scratch.0.join("root/a.yaml");
    assert_eq!(read_regular_file(&path, 3).unwrap(), b"1234");
    assert_eq!(read_regular_file(&path, 9).unwrap(), b"123456789");
}

fn skill_files(files: &mut Files, skill: &str) -> Result<(Vec<String>, Vec<String>), Code> {
    let path = files.locate(skill, "skill", &here()).unwrap();
    let listed = files
        .skill_files(&path, &here())
        .map_err(|finding| finding.code)?;
    let warning = |warning: &Finding| format!("{} {}", warning.code, warning.place.file);
    Ok((
        listed.files.iter().map(ToString::to_string).collect(),
        listed.warnings.iter().map(warning).collect(),
    ))
}

#[test]
fn everything_below_the_directory_of_a_skill_belongs_to_it() {
    let scratch = Scratch::new();
    for path in ["b.md", "SKILL.md", ".hidden", "deep/er/.x", "deep/a"] {
        scratch.write(&format!("root/skills/s/{path}"), "");
    }
    fs::create_dir_all(scratch.0.join("root/skills/s/empty")).unwrap();
    scratch.write("root/skills/other.md", "");
    let mut files = scratch.files();
    let (listed, warnings) = skill_files(&mut files, "skills/s/SKILL.md").unwrap();
    let expected = [
        "skills/s/.hidden",
        "skills/s/SKILL.md",
        "skills/s/b.md",
        "skills/s/deep/a",
        "skills/s/deep/er/.x",
    ];
    assert_eq!(listed, expected);
    assert!(warnings.is_empty());
    assert_eq!(
        files.watched_directories(),
        vec![scratch.0.join("root/skills/s")]
    );
}

#[test]
fn a_skill_beside_the_manifest_is_alone() {
    let scratch = Scratch::new();
    scratch.write("root/SKILL.md", "");
    scratch.write("root/other.md", "");
    let mut files = scratch.files();
    assert_eq!(skill_files(&mut files, "SKILL.md").unwrap().0, ["SKILL.md"]);
    assert!(files.watched_directories().is_empty());
}

#[test]
fn directories_below_a_skill_nest_only_so_deep() {
    let scratch = Scratch::new();
    scratch.write("root/s/SKILL.md", "");
    scratch.write(&format!("root/s/{}x", "d/".repeat(DIRECTORY_DEPTH - 1)), "");
    assert!(skill_files(&mut scratch.files(), "s/SKILL.md").is_ok());
    scratch.write(&format!("root/s/{}x", "d/".repeat(DIRECTORY_DEPTH)), "");
    assert_eq!(
        skill_files(&mut scratch.files(), "s/SKILL.md"),
        Err(Code::InputLimit)
    );
}

#[cfg(unix)]
mod links {
    use super::*;

    #[test]
    fn a_link_may_lead_to_a_file_inside_but_not_outside() {
        let scratch = Scratch::new();
        scratch.write("root/real/a.yaml", "");
        scratch.write("outside/x.yaml", "");
        scratch.link("root/inside.yaml", "real/a.yaml");
        scratch.link("root/folder", "real");
        scratch.link("root/outside.yaml", "../outside/x.yaml");
        scratch.link("root/away", "../outside");
        scratch.link("root/dangling.yaml", "nowhere");
        scratch.link("root/loop", "loop");
        scratch.link("root/ping", "pong");
        scratch.link("root/pong", "ping");
        let files = scratch.files();
        assert_eq!(located(&files, "inside.yaml"), Ok("inside.yaml".into()));
        assert_eq!(located(&files, "folder/a.yaml"), Ok("folder/a.yaml".into()));
        assert_eq!(
            located(&files, "outside.yaml"),
            Err(Code::PathSymlinkOutsideProvider)
        );
        assert_eq!(
            located(&files, "away/x.yaml"),
            Err(Code::PathSymlinkOutsideProvider)
        );
        for reference in ["dangling.yaml", "loop", "loop/x", "ping", "away/nowhere"] {
            assert_eq!(
                located(&files, reference),
                Err(Code::FileMissing),
                "{reference}"
            );
        }
    }

    #[test]
    fn a_folder_that_begins_like_the_root_is_not_inside_it() {
        let scratch = Scratch::new();
        scratch.write("root-2/x.yaml", "");
        scratch.link("root/x.yaml", "../root-2/x.yaml");
        let files = scratch.files();
        assert_eq!(
            located(&files, "x.yaml"),
            Err(Code::PathSymlinkOutsideProvider)
        );
        assert_eq!(
            located(&files, "../root-2/x.yaml"),
            Err(Code::PathOutsideProvider)
        );
    }

    #[test]
    fn the_root_itself_may_be_reached_through_a_link() {
        let scratch = Scratch::new();
        scratch.write("root/a.yaml", "");
        scratch.link("alias", "root");
        let (files, _) = Files::of_manifest(&scratch.0.join("alias/provider.yaml")).unwrap();
        assert_eq!(files.root(), scratch.0.join("alias"));
        assert_eq!(located(&files, "a.yaml"), Ok("a.yaml".into()));
    }

    #[test]
    fn links_below_a_skill_are_skipped_with_a_warning() {
        let scratch = Scratch::new();
        scratch.write("root/s/SKILL.md", "");
        scratch.link("root/s/z", "SKILL.md");
        scratch.link("root/s/d/up", "..");
        scratch.link("root/s/away", "/");
        let listed = skill_files(&mut scratch.files(), "s/SKILL.md").unwrap();
        let warnings = [
            "link-skipped s/away",
            "link-skipped s/d/up",
            "link-skipped s/z",
        ];
        assert_eq!(listed.0, ["s/SKILL.md"]);
        assert_eq!(listed.1, warnings);
    }

    #[test]
    fn a_skill_that_is_a_link_inside_the_provider_belongs_to_itself() {
        let scratch = Scratch::new();
        scratch.write("root/real.md", "");
        scratch.write("root/s/a.md", "");
        scratch.link("root/s/SKILL.md", "../real.md");
        let listed = skill_files(&mut scratch.files(), "s/SKILL.md").unwrap();
        assert_eq!(listed.0, ["s/SKILL.md", "s/a.md"]);
        assert!(listed.1.is_empty());
    }

    #[test]
    fn a_skill_directory_outside_is_not_listed_even_if_the_skill_leads_back_inside() {
        let scratch = Scratch::new();
        scratch.write("root/real.md", "");
        scratch.write("outside/secret", "");
        scratch.link("outside/SKILL.md", "../root/real.md");
        scratch.link("root/s", "../outside");
        let listed = skill_files(&mut scratch.files(), "s/SKILL.md");
        assert_eq!(listed, Err(Code::PathSymlinkOutsideProvider));
    }

    #[test]
    fn hints_do_not_look_through_links() {
        let scratch = Scratch::new();
        scratch.write("outside/secret.yaml", "");
        scratch.link("root/away", "../outside");
        let finding = scratch.files().locate("away/secre.yaml", "action", &here());
        assert_eq!(finding.unwrap_err().hint, None);
    }

    #[test]
    fn sockets_and_devices_and_pipes_are_not_read_and_nothing_blocks() {
        let scratch = Scratch::new();
        scratch.write("root/s/SKILL.md", "");
        let socket = scratch.0.join("root/s/socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        scratch.link("root/device", "/dev/zero");
        let pipe = scratch.0.join("root/s/pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        let mut files = scratch.files();
        assert_eq!(located(&files, "s/socket"), Err(Code::FileMissing));
        assert_eq!(located(&files, "device"), Err(Code::FileMissing));
        assert!(read_regular_file(&socket, 1).is_err());
        if made.is_ok_and(|status| status.success()) {
            assert_eq!(located(&files, "s/pipe"), Err(Code::FileMissing));
            assert!(read_regular_file(&pipe, 1).is_err());
        }
        assert_eq!(
            skill_files(&mut files, "s/SKILL.md").unwrap().0,
            ["s/SKILL.md"]
        );
    }

    // Other systems do not let such a name into a directory.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_is_not_unicode_is_refused_where_it_would_be_packaged() {
        use std::os::unix::ffi::OsStrExt;
        let scratch = Scratch::new();
        scratch.write("root/s/SKILL.md", "");
        let name = std::ffi::OsStr::from_bytes(b"a\xff");
        fs::write(scratch.0.join("root/s").join(name), "").unwrap();
        assert_eq!(
            skill_files(&mut scratch.files(), "s/SKILL.md"),
            Err(Code::FileNameInvalid)
        );
        fs::write(scratch.0.join("root").join(name), "").unwrap();
        let manifest = Files::of_manifest(&scratch.0.join("root").join(name));
        assert_eq!(manifest.unwrap_err().code, Code::FileNameInvalid);
    }
}
