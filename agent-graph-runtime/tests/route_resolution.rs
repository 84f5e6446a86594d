//! Routes of a provider that has everything: what is on them, and that nothing is resolved that is not as
//! it was loaded.
#![cfg(all(feature = "routes", feature = "user-schemas"))]

#[allow(dead_code, reason = "other suites use the rest")]
mod support;

mod desk;

use std::fs;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::{
    Code, Digest, Error, Freshness, Installed, Provider, ReadReceipt, ReadReceipts,
    ResourceLocation, Route, RouteInput, State,
};
use desk::{Desk, WORKSPACE, evaluation, input, route, with_receipts};

use agent_graph_runtime::protocol::ReadState;

fn resolve(installed: &Installed, entry: &str, input: &RouteInput) -> Result<Route, Error> {
    let evaluation = evaluation(installed, entry, &[]);
    installed.resolve(&evaluation.primary().unwrap(), input)
}

#[track_caller]
fn refused(installed: &Installed) -> Code {
    resolve(installed, "sort", &input()).unwrap_err().code()
}

fn text(object: &impl serde::Serialize) -> String {
    serde_json::to_string(object).unwrap()
}

#[test]
fn a_route_of_an_agent_is_written_in_emission_order() {
    let desk = Desk::new();
    let installed = desk.installed();
    let route = route(&installed, "default", &[]);
    let root = installed.root().display();
    let digest = |path| Digest::of_bytes(&fs::read(desk.path(path)).unwrap());
    let (skill, guide) = (
        digest("skills/draft/SKILL.md"),
        digest("resources/guide.md"),
    );
    let (given, made) = (digest("schemas/in.json"), digest("schemas/out.json"));
    let (revision, id) = (route.revision, route.route_id);
    let skill = format!(
        r#"{{"schema":"agent-graph.resource-location.file.v1","id":"skill.Drafting","kind":"skill","mediaType":"text/markdown","digest":"{skill}","filePath":"{root}/skills/draft/SKILL.md","readState":"read-required"}}"#
    );
    let schema = |side, digest, file| {
        format!(
            r#"{{"schema":"agent-graph.resource-location.file.v1","id":"schema.draft.{side}","kind":"schema","mediaType":"application/schema+json","digest":"{digest}","filePath":"{root}/schemas/{file}","readState":"read-required"}}"#
        )
    };
    let expected = format!(
        r#"{{"schema":"agent-graph.route.v1","provider":"desk","revision":"{revision}","routeId":"{id}","graph":"main","node":"draft","statusCode":"actionable","reasonCode":"route.draft","hint":"Draft it","availability":"immediate","callPath":[],"action":{{"id":"draft","runner":"agent","effect":"write","skill":{skill},"inputSchema":{},"outputSchema":{}}},"commandPlan":[],"resources":{{"required":[{skill},{{"schema":"agent-graph.resource-location.file.v1","id":"guide","kind":"procedure","mediaType":"text/markdown","digest":"{guide}","filePath":"{root}/resources/guide.md","readState":"read-required"}},{{"schema":"agent-graph.resource-location.host-action.v1","id":"brief","kind":"procedure","mediaType":"text/markdown","revision":"{revision}","materialize":{{"handler":"desk.render/v1","input":{{"schema":"desk.in/v1","value":{{"words":400,"about":"tea"}}}},"output_schema":"desk.out/v1"}},"readState":"read-required"}}],"recommended":[{{"schema":"agent-graph.resource-location.graph-action.v1","id":"queue","kind":"context-view","mediaType":"text/plain","revision":"{revision}","materialize":{{"resourceId":"queue"}},"readState":"read-required"}}]}},"diagnostics":[],"afterAction":{{"evaluate":true,"recordNode":"main/draft"}}}}"#,
        schema("input", given, "in.json"),
        schema("output", made, "out.json"),
    );
    assert_eq!(text(&route), expected);
}

#[test]
fn a_gate_lists_its_members_as_authored_and_hands_its_actions_to_a_person() {
    let desk = Desk::new();
    let installed = desk.installed();
    let route = route(&installed, "approve", &[]);
    let gate = text(&route.gate);
    let expected = r#"{"prompt":"Is it good?","delegatable":true,"id":"approval","authority":"chief","resolution":"user","inspectionAction":{"action":{"id":"look""#;
    assert!(gate.starts_with(expected), "{gate}");
    let plan = format!(
        r#""commandPlan":[{{"command":"git diff","effect":"read","cwd":"workspace","workingDirectory":"{WORKSPACE}"}}]"#
    );
    assert!(gate.contains(&plan), "{gate}");
    assert!(gate.contains(r#""commandPlan":[{"handler":"desk.approve/v1","effect":"external""#));
    assert_eq!(route.resources.required.len(), 1);
    assert!(route.action.is_none() && route.command_plan.is_empty());
}

#[test]
fn a_delegated_gate_has_other_actions_and_an_empty_policy_replaces_the_resources() {
    let desk = Desk::new();
    let installed = desk.installed();
    let route = route(&installed, "approve", &["chief"]);
    let gate = route.gate.unwrap();
    assert!(gate.inspection_action.is_none());
    let resolution = gate.resolution_action.unwrap();
    assert_eq!(resolution.action.id, "delegate");
    // Skills of gate actions stay with the action.
    assert_eq!(resolution.action.skill.unwrap().id, "skill.Drafting");
    assert_eq!(route.resources.all().count(), 0);
    assert!(route.command_plan.is_empty());
}

#[test]
fn a_script_is_quoted_and_runs_in_the_folder_of_the_provider() {
    let desk = Desk::new();
    let installed = desk.installed();
    // No workspace: the action does not run there.
    let route = resolve(&installed, "sort", &RouteInput::new()).unwrap();
    let root = installed.root().to_str().unwrap();
    let [item] = route.command_plan.as_slice() else {
        panic!("{route:?}");
    };
    let expected = format!("python3 '{root}/scripts/so'\"'\"'rt.py' '--all' 'it'\"'\"'s'");
    assert_eq!(item.run.command(), Some(expected.as_str()));
    assert_eq!(item.working_directory, root);
}

#[test]
fn the_workspace_is_absolute_normalized_and_there_when_an_action_runs_in_it() {
    let desk = Desk::new();
    let installed = desk.installed();
    let error = resolve(&installed, "approve", &RouteInput::new()).unwrap_err();
    assert_eq!(error.code(), Code::OptionInvalid);
    let empty = input().in_workspace("").unwrap();
    assert_eq!(empty.workspace(), None);
    for relative in ["work", "./work", "../work"] {
        let error = RouteInput::new().in_workspace(relative).unwrap_err();
        assert_eq!(error.code(), Code::OptionInvalid, "{relative}");
    }
    let spelled = RouteInput::new().in_workspace("/a/./b//../c d/").unwrap();
    assert_eq!(spelled.workspace(), Some("/a/c d"));
    let top = RouteInput::new().in_workspace("/../").unwrap();
    assert_eq!(top.workspace(), Some("/"));
}

#[test]
fn every_file_of_the_provider_that_changed_is_noticed() {
    let desk = Desk::new();
    let installed = desk.installed();
    resolve(&installed, "sort", &input()).unwrap();
    let tables = installed.provider().tables();
    assert_eq!(tables.files.len(), 19);
    for file in tables.files {
        let path = desk.path(tables.text(file.path));
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, [&bytes[..], b"\n"].concat()).unwrap();
        assert_eq!(refused(&installed), Code::FileChanged, "{path:?}");
        fs::remove_file(&path).unwrap();
        assert_eq!(refused(&installed), Code::FileMissing, "{path:?}");
        fs::create_dir(&path).unwrap();
        assert_eq!(refused(&installed), Code::FileMissing, "{path:?}");
        fs::remove_dir(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    resolve(&installed, "sort", &input()).unwrap();
}

#[cfg(unix)]
#[test]
fn a_file_turned_into_a_link_out_of_the_folder_is_refused_even_with_the_same_content() {
    let desk = Desk::new();
    let installed = desk.installed();
    let tables = installed.provider().tables();
    for file in tables.files {
        let path = desk.path(tables.text(file.path));
        let elsewhere = desk.scratch.outside("elsewhere");
        fs::rename(&path, &elsewhere).unwrap();
        support::link(&elsewhere, &path);
        assert_eq!(
            refused(&installed),
            Code::PathSymlinkOutsideProvider,
            "{path:?}"
        );
        let code = installed
            .provider()
            .installed_at(installed.root())
            .unwrap_err()
            .code();
        assert_eq!(code, Code::PathSymlinkOutsideProvider);
        fs::remove_file(&path).unwrap();
        fs::rename(&elsewhere, &path).unwrap();
    }
    // The folder itself turned into a link elsewhere.
    let moved = desk.scratch.outside("moved");
    fs::rename(desk.path("resources"), &moved).unwrap();
    support::link(&moved, &desk.path("resources"));
    assert_eq!(refused(&installed), Code::PathSymlinkOutsideProvider);
}

#[cfg(unix)]
#[test]
fn a_link_inside_the_folder_to_the_same_content_is_as_good_as_the_file() {
    let desk = Desk::new();
    let installed = desk.installed();
    fs::rename(desk.path("resources/guide.md"), desk.path("guide.md")).unwrap();
    support::link(&desk.path("guide.md"), &desk.path("resources/guide.md"));
    let route = route(&installed, "default", &[]);
    let location = route.resources.required[1].as_file().unwrap();
    assert!(location.file_path.ends_with("/resources/guide.md"));
    // To other content it is as bad as a changed file.
    fs::remove_file(desk.path("resources/guide.md")).unwrap();
    support::link(&desk.path("codes.yaml"), &desk.path("resources/guide.md"));
    assert_eq!(refused(&installed), Code::FileChanged);
}

#[test]
fn locations_notice_changes_too() {
    let desk = Desk::new();
    let installed = desk.installed();
    fs::write(desk.path("resources/guide.md"), "changed").unwrap();
    fs::write(desk.path("schemas/out.json"), "{}").unwrap();
    let code = |error: Error| error.code();
    let changed = Some(Code::FileChanged);
    assert_eq!(
        installed.locate_resource("guide").map_err(code).err(),
        changed
    );
    assert_eq!(
        installed.locate_code("route.draft").map_err(code).err(),
        changed
    );
    assert_eq!(
        installed.host_action_schemas("brief").map_err(code).err(),
        changed
    );
    // What does not depend on the changed files is still there.
    installed.locate_code("route.sort").unwrap();
    installed.locate_resource("queue").unwrap();
}

#[test]
fn a_candidate_resolves_where_its_provider_is_installed_and_nowhere_else() {
    let desk = Desk::new();
    let installed = desk.installed();
    let again = Provider::load(desk.path("provider.yaml")).unwrap();
    let evaluated = again.evaluate("main", "default", &State::new()).unwrap();
    let candidate = evaluated.primary().unwrap();
    installed.resolve(&candidate, &input()).unwrap();
    let next = Desk::new().replacing("provider.yaml", "1.0.0", "1.0.1");
    let error = next.installed().resolve(&candidate, &input()).unwrap_err();
    assert_eq!(error.code(), Code::RouteProviderMismatch);
}

#[test]
fn routes_are_selected_by_revision_then_by_id_and_else_the_best_one() {
    let desk = Desk::new();
    let installed = desk.installed();
    let state = State::new();
    let best = route(&installed, "default", &[]);
    let ask = |graph, id, revision| {
        let route = installed.route(graph, "default", id, &state, revision, &input());
        route.map_err(|error| error.code())
    };
    let (id, revision) = (best.route_id, best.revision);
    assert_eq!(ask("main", None, None).as_ref(), Ok(&best));
    assert_eq!(ask("main", Some(&id), Some(&revision)).as_ref(), Ok(&best));
    let other_id = "route:00000000000000000000".parse().unwrap();
    let other = Digest::of_bytes(b"");
    assert_eq!(
        ask("none", Some(&other_id), Some(&other)),
        Err(Code::GraphMissing)
    );
    assert_eq!(
        ask("main", Some(&other_id), Some(&other)),
        Err(Code::RouteRevisionStale)
    );
    assert_eq!(
        ask("main", Some(&other_id), Some(&revision)),
        Err(Code::RouteStale)
    );
    let mut done = State::new();
    done.set_outcome("main/draft", agent_graph_runtime::Outcome::Completed)
        .unwrap();
    let none = installed.route("main", "default", None, &done, None, &input());
    assert_eq!(none.unwrap_err().code(), Code::RouteUnavailable);
}

#[test]
fn resources_are_found_by_id_before_path() {
    let desk = Desk::new().replacing(
        "resources/queue.yaml",
        "id: queue",
        "id: resources/guide.md",
    );
    let installed = desk.installed();
    // As a query the id comes first; a reference of a node is a path.
    let found = installed.locate_resource("resources/guide.md").unwrap();
    assert!(matches!(found, ResourceLocation::GraphAction(_)));
    assert_eq!(
        installed
            .locate_resource("./resources//guide.md")
            .unwrap()
            .id(),
        "guide"
    );
    let route = route(&installed, "default", &[]);
    assert_eq!(route.resources.required[1].id(), "guide");
    assert_eq!(found.read_state(), None);
}

#[test]
fn a_skill_without_readable_frontmatter_loads_with_a_warning_and_has_no_route() {
    for (text, code) in [
        ("Draft.\n", Code::FrontmatterMissing),
        ("\u{feff}---\nname: a\n---\n", Code::FrontmatterMissing),
        ("---\nname: a\n", Code::FrontmatterInvalid),
        ("---\r\n- a\r\n---\r\n", Code::FrontmatterInvalid),
        ("---\nname: [\n---\n", Code::FrontmatterInvalid),
    ] {
        let desk = Desk::new();
        desk.scratch.write("skills/draft/SKILL.md", text);
        let loaded = agent_graph_runtime::load::load(&desk.path("provider.yaml")).unwrap();
        assert!(
            loaded.findings.iter().any(|finding| finding.code == code),
            "{text:?}"
        );
        let installed = desk.installed();
        let error = resolve(&installed, "default", &input()).unwrap_err();
        assert_eq!(error.code(), code, "{text:?}");
        let evaluation = evaluation(&installed, "approve", &["chief"]);
        let delegated = installed.resolve(&evaluation.primary().unwrap(), &input());
        assert_eq!(delegated.unwrap_err().code(), code);
        resolve(&installed, "approve", &input()).unwrap();
    }
}

#[test]
fn a_skill_without_a_name_is_the_agent_skill() {
    for header in ["a: 1", "name: 7"] {
        let desk = Desk::new().replacing("skills/draft/SKILL.md", "name: Drafting", header);
        let route = route(&desk.installed(), "default", &[]);
        assert_eq!(route.resources.required[0].id(), "skill.agent-skill");
    }
}

#[test]
fn a_host_supplies_the_input_of_a_host_action_by_resource_id() {
    let desk = Desk::new();
    let installed = desk.installed();
    let authored = route(&installed, "default", &[]);
    let about = Value::from_json(r#"{"words":1,"about":"milk"}"#).unwrap();
    let supplied = input().with_host_input("brief", about.clone()).unwrap();
    let supplied = resolve(&installed, "default", &supplied).unwrap();
    let call = |route: &Route| {
        route.resources.required[2]
            .as_host_action()
            .unwrap()
            .clone()
    };
    assert_eq!(call(&supplied).materialize.input.value, about);
    assert_ne!(
        call(&supplied).materialize.input_digest().unwrap(),
        call(&authored).materialize.input_digest().unwrap()
    );
    assert_eq!(supplied.revision, authored.revision);
    for other in ["guide", "queue", "nothing", "resources/brief.yaml"] {
        let wrong = input().with_host_input(other, about.clone()).unwrap();
        let error = resolve(&installed, "default", &wrong).unwrap_err();
        assert_eq!(error.code(), Code::ResourceMissing, "{other}");
    }
    let wrong = input().with_host_input("brief", "tea".into()).unwrap();
    let error = resolve(&installed, "default", &wrong).unwrap_err();
    assert_eq!(error.code(), Code::ResourceInputInvalid);
    let infinite = input().with_host_input("brief", Value::Number(f64::INFINITY));
    assert_eq!(infinite.unwrap_err().code(), Code::JsonInvalid);
}

#[test]
fn acknowledging_a_route_makes_its_files_current_and_leaves_what_has_to_be_made() {
    // The name of the skill makes an id that no receipt can carry.
    let desk = Desk::new();
    let installed = desk.installed();
    let first = route(&installed, "default", &[]);
    let mut receipts = ReadReceipts::new(installed.provider());
    let left = receipts.acknowledge_route(&first).unwrap();
    let left: Vec<&str> = left.into_iter().map(ResourceLocation::id).collect();
    assert_eq!(left, ["skill.Drafting", "brief", "queue"]);
    let states = |receipts: &ReadReceipts| -> Vec<ReadState> {
        let route = resolve(&installed, "default", &with_receipts(receipts)).unwrap();
        let locations = route.resources.all();
        locations
            .map(|location| location.read_state().unwrap())
            .collect()
    };
    use ReadState::{Current, ReadRequired};
    assert_eq!(
        states(&receipts),
        [ReadRequired, Current, ReadRequired, ReadRequired]
    );
    for id in ["brief", "queue"] {
        let any = Digest::of_bytes(b"whatever was made");
        receipts.acknowledge(ReadReceipt::new(id, any, Some(first.revision)).unwrap());
    }
    assert_eq!(states(&receipts), [ReadRequired, Current, Current, Current]);
    // Made for another revision.
    let other = Digest::of_bytes(b"another revision");
    receipts.acknowledge(ReadReceipt::new("queue", other, Some(other)).unwrap());
    receipts.acknowledge(ReadReceipt::new("guide", other, None).unwrap());
    assert_eq!(
        states(&receipts),
        [ReadRequired, ReadRequired, Current, ReadRequired]
    );
    // A host that knows the content asks by content.
    assert_eq!(
        receipts.read_state("queue", Freshness::Content(other)),
        Current
    );
    assert_eq!(receipts.iter().len(), 3);
}

#[test]
fn receipts_of_another_provider_are_refused_before_files_are_read() {
    let desk = Desk::new();
    let installed = desk.installed();
    let other = Desk::new().replacing("provider.yaml", "id: desk", "id: other");
    let foreign = ReadReceipts::new(other.installed().provider());
    fs::remove_file(desk.path("resources/guide.md")).unwrap();
    let error = resolve(&installed, "default", &with_receipts(&foreign)).unwrap_err();
    assert_eq!(error.code(), Code::ResourceReceiptsProviderMismatch);
    let mut own = ReadReceipts::new(installed.provider());
    let code = Code::ResourceReceiptsProviderMismatch;
    assert_eq!(own.merge(foreign).unwrap_err().code(), code);
}

#[test]
fn merging_keeps_the_last_receipt_of_each_resource_in_the_first_place() {
    let desk = Desk::new();
    let installed = desk.installed();
    let receipt = |id: &str, text: &str| {
        ReadReceipt::new(id, Digest::of_bytes(text.as_bytes()), None).unwrap()
    };
    let mut receipts = ReadReceipts::new(installed.provider());
    receipts.acknowledge(receipt("a", "1"));
    receipts.acknowledge(receipt("b", "1"));
    let mut more = ReadReceipts::new(installed.provider());
    more.acknowledge(receipt("c", "2"));
    more.acknowledge(receipt("a", "2"));
    receipts.merge(more).unwrap();
    let kept: Vec<&ReadReceipt> = receipts.iter().collect();
    assert_eq!(
        kept,
        [&receipt("a", "2"), &receipt("b", "1"), &receipt("c", "2")]
    );
    // A list from elsewhere may repeat an id.
    let digest = Digest::of_bytes(b"");
    let repeated = format!(
        r#"{{"schema":"agent-graph.resource-read-receipts.v1","provider":"desk","receipts":[{{"id":"x","digest":"{digest}"}},{{"id":"a","digest":"{digest}"}},{{"id":"x","digest":"{digest}"}}]}}"#
    );
    let mut repeated = ReadReceipts::from_json(&repeated).unwrap();
    repeated.acknowledge(receipt("x", "3"));
    let kept: Vec<&ReadReceipt> = repeated.iter().collect();
    assert_eq!(kept, [&receipt("x", "3"), &receipt("a", "")]);
}

/// A small generator: the same numbers on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A route without its read states, and how many of them are `current`.
fn without_states(route: &Route) -> (serde_json::Value, usize) {
    fn clear(value: &mut serde_json::Value, current: &mut usize) {
        match value {
            serde_json::Value::Object(members) => {
                if members
                    .remove("readState")
                    .is_some_and(|state| state == "current")
                {
                    *current += 1;
                }
                members.values_mut().for_each(|value| clear(value, current));
            }
            serde_json::Value::Array(items) => {
                items.iter_mut().for_each(|value| clear(value, current));
            }
            _ => {}
        }
    }
    let mut value = serde_json::to_value(route).unwrap();
    let mut current = 0;
    clear(&mut value, &mut current);
    (value, current)
}

#[test]
fn receipts_change_read_states_and_nothing_else() {
    let desk = Desk::new();
    let installed = desk.installed();
    let mut chance = Chance(7);
    let cases = [
        ("default", &[][..]),
        ("sort", &[]),
        ("approve", &[]),
        ("approve", &["chief"]),
    ];
    let mut current = 0;
    for _ in 0..200 {
        for (entry, authorities) in cases {
            let evaluation = evaluation(&installed, entry, authorities);
            let bare = installed.resolve_all(&evaluation, &input()).unwrap();
            let mut receipts = ReadReceipts::new(installed.provider());
            for _ in 0..chance.below(12) {
                receipts.acknowledge(some_receipt(&mut chance, &bare));
            }
            let again = evaluation_with_receipts(&installed, entry, authorities, &receipts);
            assert_eq!(again.to_json(), evaluation.to_json());
            assert_eq!(again.revision(), evaluation.revision());
            let laden = installed
                .resolve_all(&again, &with_receipts(&receipts))
                .unwrap();
            assert_eq!(laden.len(), bare.len());
            for (bare, laden) in bare.iter().zip(&laden) {
                let (bare, none) = without_states(bare);
                let (laden, some) = without_states(laden);
                assert_eq!(bare, laden);
                assert_eq!(none, 0);
                current += some;
            }
        }
    }
    assert!(current > 100, "{current} locations were current");
}

/// A receipt for something on the routes, right or wrong, or for something else.
fn some_receipt(chance: &mut Chance, routes: &[Route]) -> ReadReceipt {
    const OTHERS: [&str; 5] = [
        "guide",
        "queue",
        "schema.draft.input",
        "skill.agent-skill",
        "x",
    ];
    let known: Vec<ReadReceipt> = routes
        .iter()
        .flat_map(|route| route.resources.all())
        .filter_map(ReadReceipt::of)
        .collect();
    let pick = chance.below(4) as usize;
    if let Some(receipt) = known.get(pick) {
        return receipt.clone();
    }
    let id = OTHERS[chance.below(OTHERS.len() as u64) as usize];
    let revision = match chance.below(3) {
        0 => None,
        1 => Some(Digest::of_bytes(b"another revision")),
        _ => routes.first().map(|route| route.revision),
    };
    ReadReceipt::new(id, Digest::of_bytes(&[chance.below(256) as u8]), revision).unwrap()
}

/// The same evaluation from an input in which the receipts ride along.
fn evaluation_with_receipts(
    installed: &Installed,
    entry: &str,
    authorities: &[&str],
    receipts: &ReadReceipts,
) -> agent_graph_runtime::Evaluation {
    let input = serde_json::json!({ "authorities": authorities, "resourceReceipts": receipts });
    let state = State::from_json(&input.to_string()).unwrap();
    installed.evaluate("main", entry, &state).unwrap()
}

#[test]
fn receipts_are_closed_objects_with_ids_and_digests() {
    let digest = Digest::of_bytes(b"");
    let whole = |receipts: &str| {
        format!(
            r#"{{"schema":"agent-graph.resource-read-receipts.v1","provider":"desk","receipts":{receipts}}}"#
        )
    };
    let good = whole(&format!(
        r#"[{{"id":"a","digest":"{digest}","revision":"{digest}"}}]"#
    ));
    assert_eq!(text(&ReadReceipts::from_json(&good).unwrap()), good);
    assert_eq!(
        serde_json::from_str::<ReadReceipts>(&good)
            .unwrap()
            .iter()
            .len(),
        1
    );
    for (wrong, place) in [
        ("[]".to_owned(), "/ "),
        ("{}".to_owned(), "/ "),
        (good.replace("v1\"", "v2\""), "/schema "),
        (good.replace("\"desk\"", "\"Desk\""), "/provider "),
        (good.replace("\"desk\"", "7"), "/provider "),
        (
            good.replace("\"provider\"", "\"more\":1,\"provider\""),
            "/more ",
        ),
        (whole("{}"), "/receipts "),
        (whole("[7]"), "/receipts/0 "),
        (whole(r#"[{"id":"a"}]"#), "/receipts/0 "),
        (
            whole(&format!(r#"[{{"id":"My Skill","digest":"{digest}"}}]"#)),
            "/receipts/0/id ",
        ),
        (
            whole(r#"[{"id":"a","digest":"sha256:1"}]"#),
            "/receipts/0/digest ",
        ),
        (
            whole(&format!(
                r#"[{{"id":"a","digest":"{digest}","revision":null}}]"#
            )),
            "/receipts/0/revision ",
        ),
        (
            whole(&format!(r#"[{{"id":"a","digest":"{digest}","a/b~":1}}]"#)),
            "/receipts/0/a~1b~0 ",
        ),
    ] {
        let error = ReadReceipts::from_json(&wrong).unwrap_err();
        assert_eq!(error.code(), Code::SchemaInvalid, "{wrong}");
        assert!(error.message().starts_with(place), "{wrong}: {error}");
    }
}
