//! Schemas that users write: inputs of host-action resources, and what handlers make.
#![cfg(feature = "dynamic")]

#[allow(dead_code, reason = "other suites use the rest")]
mod support;

#[cfg(not(feature = "user-schemas"))]
#[test]
fn without_the_feature_an_input_is_refused_with_an_error_that_names_it() {
    let finding = support::with_brief().fails("feature-required", "brief.yaml:6:8");
    assert!(finding.message.contains("`user-schemas`"), "{finding}");
    assert!(finding.hint.is_some());
}

#[cfg(all(feature = "routes", feature = "user-schemas"))]
mod with_the_feature {
    use agent_graph_runtime::json::Value;
    use agent_graph_runtime::{
        AdapterReceipt, Code, Digest, Error, HostActionLocation, Installed, ResourceLocation,
    };

    use crate::support::{Tea, shown, with_brief};

    const REQUEST: &str = r#"{
  "$id": "tea.request/v1",
  "type": "object",
  "additionalProperties": false,
  "required": ["cups"],
  "properties": {
    "cups": { "type": "integer", "maximum": 3 },
    "at": { "type": "string", "format": "date-time" },
    "shade": { "format": "colour" },
    "sorts": { "type": "array", "items": { "$ref": "tea.request/v1#/$defs/sort" } }
  },
  "$defs": { "sort": { "enum": ["green", "black"] } }
}
"#;

    /// The brief asks for this.
    fn asking(input: &str) -> Tea {
        with_brief()
            .with("schemas/request.json", REQUEST)
            .replacing("brief.yaml", "{ cups: 2 }", input)
    }

    fn with_schema(schema: &str) -> Tea {
        with_brief().with("schemas/request.json", schema)
    }

    #[test]
    fn an_input_that_satisfies_its_schema_loads() {
        for input in [
            "{ cups: 3.0, sorts: [black], shade: 7 }",
            "{ cups: -1, at: 2024-02-29T12:00:00Z }",
        ] {
            assert_eq!(asking(input).loaded().findings, [], "{input}");
        }
    }

    #[test]
    fn a_violation_is_placed_at_the_value_in_the_descriptor() {
        let finding = asking("{ cups: 4 }").fails("resource-input-invalid", "brief.yaml:6:16");
        assert_eq!(finding.place.pointer, "/input/cups");
        let (rule, _) = &finding.related[0];
        assert_eq!(rule.to_string(), "schemas/request.json:7:45");
        asking("{ cups: 1.5 }").fails("resource-input-invalid", "brief.yaml:6:16");
        asking("{ cups: 1, at: noon }").fails("resource-input-invalid", "brief.yaml:6:23");
        asking("[]").fails("resource-input-invalid", "brief.yaml:6:8");
    }

    #[test]
    fn a_member_that_the_schema_does_not_have_is_placed_at_its_name() {
        let finding =
            asking("{ cups: 1, size: 2 }").fails("resource-input-invalid", "brief.yaml:6:19");
        assert!(finding.message.contains("`size`"), "{finding}");
    }

    #[test]
    fn references_to_the_own_identity_are_followed() {
        asking("{ cups: 1, sorts: [green, white] }")
            .fails("resource-input-invalid", "brief.yaml:6:34");
    }

    #[test]
    fn every_violation_is_one_finding() {
        let findings = asking("{ sorts: [white, red], a: 1, b: 2 }").findings();
        let place = |column: u32| format!("resource-input-invalid brief.yaml:6:{column}");
        let places = [8, 18, 25, 31, 37].map(place);
        assert_eq!(shown(&findings), places, "{findings}");
    }

    #[test]
    fn a_schema_that_is_not_valid_is_refused_at_its_place() {
        let code = "materializer-schema-invalid";
        with_schema("{\"$id\":\"tea.request/v1\",\n \"type\": \"objekt\"}")
            .fails(code, "schemas/request.json:2:10");
        with_schema("{\"$id\":\"tea.request/v1\",\n \"properties\": {\"a\": {\"minLength\": -1}}}")
            .fails(code, "schemas/request.json:2:36");
        with_schema("{\"$id\":\"tea.request/v1\",\n \"pattern\": \"(\"}")
            .fails(code, "schemas/request.json:2:13");
        with_schema("{\"$id\":\"tea.request/v1\",\n \"$schema\": \"http://json-schema.org/draft-07/schema#\"}")
            .fails(code, "schemas/request.json:2:13");
        let findings =
            with_schema("{\"$id\":\"tea.request/v1\",\n \"$ref\": \"#/$defs/none\"}").findings();
        assert_eq!(findings.code().as_str(), code);
    }

    #[test]
    fn a_schema_that_two_resources_use_is_refused_once() {
        with_schema("{\"$id\":\"tea.request/v1\",\"type\":1}")
            .replacing(
                "graphs/brew.yaml",
                "[brief.yaml]",
                "[brief.yaml, other.yaml]",
            )
            .with(
                "other.yaml",
                crate::support::BRIEF.replace("id: brief", "id: other"),
            )
            .fails("materializer-schema-invalid", "schemas/request.json:1:32");
    }

    #[test]
    fn schemas_that_go_in_circles_end() {
        for circle in [
            r##""$ref":"#""##,
            r##""allOf":[{"$ref":"#"}]"##,
            r##""not":{"$ref":"#/$defs/a"},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}"##,
            r##""$dynamicRef":"#meta","$dynamicAnchor":"meta""##,
            r##""if":{"$ref":"#here"},"$anchor":"here""##,
        ] {
            // Whether a circle accepts or refuses is nobody's wish; it comes to an end without harm.
            let schema = format!(r#"{{"$id":"tea.request/v1",{circle}}}"#);
            let _ = with_schema(&schema).load();
        }
    }

    #[test]
    fn schemas_that_describe_nested_values_are_no_circle() {
        let schema = r##"{"$id":"tea.request/v1","type":["object","integer"],"additionalProperties":{"$ref":"#"}}"##;
        with_schema(schema).loaded();
    }

    #[test]
    fn schemas_that_multiply_are_refused_in_time() {
        let doubled: Vec<String> = (0..60)
            .map(|n| {
                let next = n + 1;
                format!(r##""d{n}":{{"allOf":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}]}}"##)
            })
            .collect();
        let schema = format!(
            r##"{{"$id":"tea.request/v1","$ref":"#/$defs/d0","$defs":{{{},"d60":{{}}}}}}"##,
            doubled.join(",")
        );
        let findings = with_schema(&schema).findings();
        assert_eq!(findings.code(), Code::InputLimit, "{findings}");
        let schema = r##"{"$id":"tea.request/v1","allOf":[{"additionalProperties":{"$ref":"#"}},{"additionalProperties":{"$ref":"#"}}]}"##;
        let nested = format!("{}1{}", "{ a: ".repeat(100), " }".repeat(100));
        let findings = with_schema(schema)
            .replacing("brief.yaml", "{ cups: 2 }", &nested)
            .findings();
        assert_eq!(findings.code(), Code::InputLimit, "{findings}");
    }

    /// A schema whose definitions call each other, one after the other.
    fn chain(length: usize) -> Tea {
        let definitions: String = (1..length)
            .map(|n| format!(r##""d{n}":{{"$ref":"#/$defs/d{}"}},"##, n + 1))
            .collect();
        with_schema(&format!(
            r##"{{"$id":"tea.request/v1","$ref":"#/$defs/d1","$defs":{{{definitions}"d{length}":{{}}}}}}"##
        ))
    }

    #[test]
    fn references_in_a_long_chain_end_without_harm() {
        chain(400).loaded();
        // Too deep for the stack of the validator, and then too many for its time.
        let findings = chain(10_000).findings();
        assert_eq!(findings.code(), Code::InputLimit, "{findings}");
        let finding =
            chain(10_001).fails("materializer-schema-invalid", "schemas/request.json:1:1");
        assert!(finding.message.contains("10000 references"), "{finding}");
        chain(60_000).fails("materializer-schema-invalid", "schemas/request.json:1:1");
    }

    #[test]
    fn patterns_that_backtrack_end_in_time() {
        let schema =
            r#"{"$id":"tea.request/v1","properties":{"cups":{"pattern":"^(?:(a+)+)\\1$"}}}"#;
        let findings = with_schema(schema)
            .replacing(
                "brief.yaml",
                "cups: 2",
                &format!("cups: {}b", "a".repeat(5000)),
            )
            .findings();
        assert_eq!(findings.code(), Code::ResourceInputInvalid);
    }

    fn installed() -> Tea {
        with_brief().with(
            "schemas/brief.json",
            r#"{"$id":"tea.brief/v1","type":"object","required":["text"],"properties":{"text":{"minLength":1}}}"#,
        )
    }

    fn location(installed: &Installed) -> HostActionLocation {
        match installed.locate_resource("brief") {
            Ok(ResourceLocation::HostAction(location)) => location,
            other => panic!("{other:?}"),
        }
    }

    fn adapter() -> AdapterReceipt {
        AdapterReceipt::new("example-host", "1.0.0").unwrap()
    }

    fn nothing(_: &str) -> Result<Vec<u8>, Error> {
        panic!("inline content is not fetched")
    }

    #[test]
    fn inline_content_is_held_against_the_output_schema() {
        let tea = installed();
        let installed = Installed::load(tea.root().join("provider.yaml")).unwrap();
        let location = location(&installed);
        let check = |content: &str| {
            let content = Value::from_json(content).unwrap();
            let result = location.answer_inline(content, adapter()).unwrap();
            installed.check_host_action_result(&location, &result, nothing)
        };
        assert_eq!(check(r#"{"text":"Two cups."}"#), Ok(()));
        let error = check(r#"{"text":""}"#).unwrap_err();
        assert_eq!(error.code(), Code::SchemaInvalid);
        assert!(error.message().contains("`/text`"), "{error}");
        assert_eq!(check("{}").unwrap_err().code(), Code::SchemaInvalid);
    }

    #[test]
    fn content_elsewhere_is_fetched_and_held_against_digest_and_schema() {
        let tea = installed();
        let installed = Installed::load(tea.root().join("provider.yaml")).unwrap();
        let location = location(&installed);
        let check = |declared: &str, fetched: &str| {
            let digest = Digest::of_bytes(declared.as_bytes());
            let result = location
                .answer_resource("there", digest, adapter())
                .unwrap();
            installed
                .check_host_action_result(&location, &result, |reference| {
                    assert_eq!(reference, "there");
                    Ok(fetched.into())
                })
                .map_err(|error| error.code())
        };
        let good = r#"{"text":"Two cups."}"#;
        assert_eq!(check(good, good), Ok(()));
        assert_eq!(check("{}", good), Err(Code::HostActionOutputMismatch));
        assert_eq!(check("{}", "{}"), Err(Code::SchemaInvalid));
        assert_eq!(check("Tea.", "Tea."), Err(Code::JsonInvalid));
    }

    #[test]
    fn a_result_is_held_against_its_location_first() {
        let tea = installed();
        let installed = Installed::load(tea.root().join("provider.yaml")).unwrap();
        let location = location(&installed);
        let mut result = location.answer_inline(Value::Null, adapter()).unwrap();
        result.handler = "other".into();
        let error = installed
            .check_host_action_result(&location, &result, nothing)
            .unwrap_err();
        assert_eq!(error.code(), Code::HostActionHandlerMismatch);
    }
}
