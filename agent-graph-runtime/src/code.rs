//! The registry of error codes: every code this workspace can give, with cause and cure.
//! One place, so that documentation and messages cannot disagree. Knows nothing about where a code is raised.

use core::fmt;

macro_rules! codes {
    ( $( $(#[$meta:meta])* $variant:ident = $wire:literal { cause: $cause:literal, cure: $cure:literal, } )+ ) => {
        /// What went wrong, as a stable code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $( #[doc = $cause] $(#[$meta])* $variant, )+
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The code as it appears on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $wire, )+ }
            }

            /// Why it is raised.
            pub const fn cause(self) -> &'static str {
                match self { $( Self::$variant => $cause, )+ }
            }

            /// What to do about it.
            pub const fn cure(self) -> &'static str {
                match self { $( Self::$variant => $cure, )+ }
            }
        }
    };
}

codes! {
    FileMissing = "file-missing" {
        cause: "The path named is no regular file.",
        cure: "Correct the path or add the file.",
    }
    FileReadFailed = "file-read-failed" {
        cause: "The file is not there, or cannot be read.",
        cure: "Check the path, and the permissions of the file.",
    }
    FileNameInvalid = "file-name-invalid" {
        cause: "The name of a packaged file, or of the folder of a provider, is not Unicode: neither digests nor routes can name it.",
        cure: "Rename the file or folder, or move the file out of the directory.",
    }
    ParseFailed = "parse-failed" {
        cause: "The file is not well-formed YAML or JSON, or not UTF-8.",
        cure: "Correct the text at the position named.",
    }
    SchemaInvalid = "schema-invalid" {
        cause: "The object does not have the shape the protocol gives it.",
        cure: "Correct the member named; the message says what is expected.",
    }
    AbsolutePathForbidden = "absolute-path-forbidden" {
        cause: "A path into the provider is absolute.",
        cure: "Write it relative to the folder of the manifest.",
    }
    PathOutsideProvider = "path-outside-provider" {
        cause: "A path leads out of the folder of the provider.",
        cure: "Move the file below the folder of the manifest.",
    }
    PathSymlinkOutsideProvider = "path-symlink-outside-provider" {
        cause: "A symbolic link leads out of the folder of the provider.",
        cure: "Replace the link by the file itself.",
    }
    FrontmatterMissing = "frontmatter-missing" {
        cause: "A text resource or a skill does not begin with `---` and a line end.",
        cure: "Begin the file with frontmatter: `id` and `kind` of a resource, `metadata` of a skill.",
    }
    FrontmatterInvalid = "frontmatter-invalid" {
        cause: "The frontmatter is not closed by a line `---`, or is no YAML mapping.",
        cure: "Close the frontmatter and write it as `key: value` lines.",
    }
    LinkSkipped = "link-skipped" {
        cause: "A symbolic link in the directory of a skill is neither packaged nor hashed.",
        cure: "Replace the link by the file it leads to, or name the file in the action.",
    }
    ResourceMetadataInvalid = "resource-metadata-invalid" {
        cause: "The frontmatter of a resource lacks `id` or `kind`, or a value is not text.",
        cure: "Give `id` and `kind` as text, and `media-type` as text if at all.",
    }
    ResourceKindInvalid = "resource-kind-invalid" {
        cause: "The kind in the frontmatter is none that a file may have.",
        cure: "Use procedure, diagnostic, template, schema or skill.",
    }
    ResourceIdDuplicate = "resource-id-duplicate" {
        cause: "Two resources have the same id.",
        cure: "Rename one of them.",
    }
    ActionIdDuplicate = "action-id-duplicate" {
        cause: "Two action files have the same id.",
        cure: "Rename one of them.",
    }
    CodeCatalogCodeDuplicate = "code-catalog-code-duplicate" {
        cause: "The code catalog lists a code twice.",
        cure: "Remove one of the entries.",
    }
    CodeDocumentDynamic = "code-document-dynamic" {
        cause: "The document of a code is a resource that is made on demand.",
        cure: "Name a resource whose content is a file.",
    }
    GraphIdDuplicate = "graph-id-duplicate" {
        cause: "Two graphs have the same id, or one graph file is listed twice.",
        cure: "Rename one of them.",
    }
    GraphNodeDuplicate = "graph-node-duplicate" {
        cause: "Two nodes of a graph have the same id.",
        cure: "Rename one of them.",
    }
    GraphTerminalMissing = "graph-terminal-missing" {
        cause: "The graph has no terminal node.",
        cure: "Add a node of kind terminal.",
    }
    GraphEntryMissing = "graph-entry-missing" {
        cause: "An entrypoint names no node of the graph.",
        cure: "Name the id of a node.",
    }
    GraphEdgeNodeMissing = "graph-edge-node-missing" {
        cause: "An edge starts at or leads to no node of the graph.",
        cure: "Name the id of a node.",
    }
    GraphTerminalEdgeInvalid = "graph-terminal-edge-invalid" {
        cause: "An edge starts at a terminal node.",
        cure: "Remove the edge; a terminal ends the graph.",
    }
    GraphEdgeDuplicate = "graph-edge-duplicate" {
        cause: "Two edges are the same.",
        cure: "Remove one of them.",
    }
    GraphRepeatTargetInvalid = "graph-repeat-target-invalid" {
        cause: "A repeat edge leads to a node that is neither action nor gate.",
        cure: "Lead it to an action or gate node.",
    }
    GraphGatedBySourceInvalid = "graph-gated-by-source-invalid" {
        cause: "A gatedBy edge starts at a node that is no gate.",
        cure: "Start it at a gate node or give it another kind.",
    }
    GraphFlowCycle = "graph-flow-cycle" {
        cause: "The edges other than repeat edges form a cycle.",
        cure: "Remove one of the edges, or make it a repeat edge.",
    }
    SubgraphMissing = "subgraph-missing" {
        cause: "A subgraph node names no graph of the provider.",
        cure: "Name the id of a graph that the manifest lists.",
    }
    SubgraphEntryMissing = "subgraph-entry-missing" {
        cause: "A subgraph node names no entry of the called graph.",
        cure: "Name one of its entrypoints.",
    }
    GraphRecursion = "graph-recursion" {
        cause: "Graphs call each other in a circle.",
        cure: "Remove one of the calls.",
    }
    GateInspectionEffectInvalid = "gate-inspection-effect-invalid" {
        cause: "The inspection action of a gate does not only read.",
        cure: "Use an action whose effect is read.",
    }
    GateDelegatedPolicyInvalid = "gate-delegated-policy-invalid" {
        cause: "A gate has a delegated policy and cannot be delegated.",
        cure: "Give the gate an authority and `delegatable: true`, or remove the policy.",
    }
    GateDelegatedInspectionMissing = "gate-delegated-inspection-missing" {
        cause: "A delegated policy skips an inspection that the gate does not have.",
        cure: "Remove `inspection: skip` or add an inspection action.",
    }
    GateResolutionEffectInvalid = "gate-resolution-effect-invalid" {
        cause: "The resolution action of a gate only reads.",
        cure: "Use an action whose effect is write or external.",
    }
    RouteReasonCodeMissing = "route-reason-code-missing" {
        cause: "The code catalog does not list the reason code of a node.",
        cure: "Add the code to the catalog.",
    }
    RouteReasonCodeKindInvalid = "route-reason-code-kind-invalid" {
        cause: "The code catalog lists the reason code of a node as a diagnostic.",
        cure: "List it as a route-reason.",
    }
    MaterializerEffectInvalid = "materializer-effect-invalid" {
        cause: "The action that makes a resource does not only read.",
        cure: "Use an action whose effect is read.",
    }
    MaterializerRunnerInvalid = "materializer-runner-invalid" {
        cause: "The action that makes a resource has a runner that cannot.",
        cure: "Use a command or script for a graph-action resource, a host action for a host-action resource.",
    }
    MaterializerSchemaMissing = "materializer-schema-missing" {
        cause: "The action that makes a host-action resource lacks its input or output schema.",
        cure: "Give the action both schemas.",
    }
    MaterializerSchemaInvalid = "materializer-schema-invalid" {
        cause: "A schema of a materializer is no JSON object, no valid schema of draft 2020-12, or refers outside itself.",
        cure: "Write a self-contained JSON Schema of draft 2020-12.",
    }
    MaterializerSchemaIdentityInvalid = "materializer-schema-identity-invalid" {
        cause: "A schema of a materializer has no versioned protocol identity.",
        cure: "Give it an `$id` such as `tide.brief/v1`.",
    }
    ResourceInputInvalid = "resource-input-invalid" {
        cause: "The input of a host-action resource does not satisfy the input schema of its materializer.",
        cure: "Correct the input at the place named.",
    }
    BundleDigestMismatch = "bundle-digest-mismatch" {
        cause: "The digest in the bundle manifest is not the one of its content.",
        cure: "Build the bundle again.",
    }
    BundleFileDuplicate = "bundle-file-duplicate" {
        cause: "The bundle manifest lists a file twice.",
        cure: "Build the bundle again.",
    }
    BundleFileDigestMismatch = "bundle-file-digest-mismatch" {
        cause: "A packaged file is not what the bundle manifest says.",
        cure: "Build the bundle again, or restore the file.",
    }
    BundleCatalogMismatch = "bundle-catalog-mismatch" {
        cause: "A catalog of the bundle manifest differs from its files or from the definitions.",
        cure: "Build the bundle again.",
    }
    BundleProviderUnlisted = "bundle-provider-unlisted" {
        cause: "The bundle manifest does not list the packaged provider manifest.",
        cure: "Build the bundle again.",
    }
    BundleProviderMismatch = "bundle-provider-mismatch" {
        cause: "The packaged provider has another id or version than the bundle manifest says.",
        cure: "Build the bundle again.",
    }
    BundleFilesMismatch = "bundle-files-mismatch" {
        cause: "The files the bundle manifest lists are not those the definitions reach.",
        cure: "Build the bundle again, or remove the file that was added.",
    }
    BundleDependenciesMismatch = "bundle-dependencies-mismatch" {
        cause: "The dependency index of the bundle manifest differs from the subgraph nodes.",
        cure: "Build the bundle again.",
    }
    BuildOutputOverlapsSource = "build-output-overlaps-source" {
        cause: "The output of a build is the provider's folder, or holds one of its files.",
        cure: "Build into a folder of its own, such as `dist/provider`.",
    }
    BuildOutputOccupied = "build-output-occupied" {
        cause: "There is something else than a bundle where the bundle was to be built.",
        cure: "Build somewhere else, or remove what is there.",
    }
    BuildAbsolutePathLeak = "build-absolute-path-leak" {
        cause: "A packaged file contains the absolute path of the provider.",
        cure: "Write the path relative to the provider.",
    }
    BuildPathReserved = "build-path-reserved" {
        cause: "A file of the provider has the place that a manifest gets in the bundle, or is the manifest under another name.",
        cure: "Rename the file; name the manifest `provider.yaml` if an action lists it.",
    }
    BuildPathUnportable = "build-path-unportable" {
        cause: "The name of a packaged file is not allowed, or is that of another file, on some systems.",
        cure: "Rename the file.",
    }
    BuildTextUnprintable = "build-text-unprintable" {
        cause: "The manifest of the provider holds a control character that the `provider.yaml` of a bundle, which YAML restricts, cannot hold.",
        cure: "Take the character out of the manifest.",
    }
    GraphFrameLimit = "graph-frame-limit" {
        cause: "An entry leads to more than 100 000 frames; call paths of nested subgraphs multiply.",
        cure: "Call fewer graphs, or call them less deeply.",
    }
    DuplicateKey = "duplicate-key" {
        cause: "A JSON object has a member twice; the last one counts.",
        cure: "Remove one of them.",
    }
    FileUnlisted = "file-unlisted" {
        cause: "A file lies in the folder of a bundle and the bundle does not list it; nothing uses it.",
        cure: "Take the file out of the folder.",
    }
    FindingsLeftOut = "findings-left-out" {
        cause: "There are more findings than are listed; the message says how many more.",
        cure: "Correct what is listed and look again: what is left out is often the same.",
    }
    ResourceIdUnusual = "resource-id-unusual" {
        cause: "The id in the frontmatter of a resource does not have the form of an id, so no receipt can carry it.",
        cure: "Use lower-case letters, digits and `. _ / -` between them.",
    }
    StateKeyAmbiguous = "state-key-ambiguous" {
        cause: "Two nodes of different graphs have one state key, because ids may contain slashes.",
        cure: "Rename one of the nodes or graphs, or never keep the outcomes of both graphs in one state.",
    }
    GraphMissing = "graph-missing" {
        cause: "The provider has no graph with this id.",
        cure: "Name one of the graphs the provider manifest lists.",
    }
    RevisionInvalid = "revision-invalid" {
        cause: "The revision is no digest.",
        cure: "Pass the revision of an evaluation.",
    }
    ResourceStatic = "resource-static" {
        cause: "The content of the resource is a file; there is nothing to make.",
        cure: "Read the file of the resource.",
    }
    MaterializerMissing = "materializer-missing" {
        cause: "The action that makes the resource is not part of the provider.",
        cure: "Load or compile the provider again.",
    }
    MaterializerHostRequired = "materializer-host-required" {
        cause: "The resource is made by the host, not by a process.",
        cure: "Call the handler that the resource names, and validate its result.",
    }
    MaterializerOptionInvalid = "materializer-option-invalid" {
        cause: "A limit is not positive, a variable cannot be set, or a folder has no Unicode name.",
        cure: "Correct the option that the message names.",
    }
    MaterializerTimeout = "materializer-timeout" {
        cause: "The process had not exited and closed both its pipes in time.",
        cure: "Allow more time, or let no background process keep a pipe open.",
    }
    MaterializerOutputLimit = "materializer-output-limit" {
        cause: "The process wrote more bytes than it may.",
        cure: "Raise the limit, or write less.",
    }
    MaterializerErrorLimit = "materializer-error-limit" {
        cause: "The process wrote more bytes to its standard error than it may.",
        cure: "Raise the limit, or write less.",
    }
    MaterializerFailed = "materializer-failed" {
        cause: "The process could not be started, or exited with another status than 0.",
        cure: "Run the command by hand and see why it fails.",
    }
    RunTargetExists = "run-target-exists" {
        cause: "There is something already where a run was to be created.",
        cure: "Choose another place, or remove what is there.",
    }
    RunProviderMismatch = "run-provider-mismatch" {
        cause: "The run belongs to another provider.",
        cure: "Evaluate it with the provider that the run names.",
    }
    RunConflict = "run-conflict" {
        cause: "Somebody else changed the run meanwhile, or keeps it locked, or it cannot be locked at all.",
        cure: "Load the run and do it again, if it still has to be done.",
    }
    FileWriteFailed = "file-write-failed" {
        cause: "A file could not be written; what was there before is still there.",
        cure: "Check permissions and free space of the folder.",
    }
    RandomnessMissing = "randomness-missing" {
        cause: "The operating system gives no random bytes for an id.",
        cure: "Give the run an id of your own.",
    }
    RouteRevisionStale = "route-revision-stale" {
        cause: "The route was asked for at another revision than definitions, facts, outcomes and authorities have now.",
        cure: "Evaluate again and decide on the new routes.",
    }
    RouteStale = "route-stale" {
        cause: "The route id is not among the candidates of the evaluation.",
        cure: "Evaluate again and take one of its routes.",
    }
    RouteUnavailable = "route-unavailable" {
        cause: "The evaluation has no route at all.",
        cure: "Look at its status and diagnostics.",
    }
    RouteProviderMismatch = "route-provider-mismatch" {
        cause: "The route belongs to an evaluation of another provider, or of another version of it, than the installed one.",
        cure: "Evaluate the installed provider.",
    }
    ResourceReceiptsProviderMismatch = "resource-receipts-provider-mismatch" {
        cause: "The read receipts are those of another provider.",
        cure: "Keep receipts by provider id.",
    }
    ResourceMissing = "resource-missing" {
        cause: "The provider has no such resource: none with this id, none at this path, or none that takes an input.",
        cure: "Name the id of a resource, or the path of its descriptor or text.",
    }
    CodeMissing = "code-missing" {
        cause: "The code catalog does not list the code, or there is no catalog.",
        cure: "Name a code of the catalog.",
    }
    HostActionHandlerMismatch = "host-action-handler-mismatch" {
        cause: "The result comes from another handler than the location names.",
        cure: "Run the handler that `materialize.handler` names.",
    }
    HostActionInputMismatch = "host-action-input-mismatch" {
        cause: "The result was made from another input than the location has.",
        cure: "Run the handler again with the input of this location.",
    }
    HostActionOutputMismatch = "host-action-output-mismatch" {
        cause: "The output follows another schema than the location asks for.",
        cure: "Answer with the schema that `materialize.output_schema` names.",
    }
    OptionInvalid = "option-invalid" {
        cause: "An option of the call is missing or has a value that it cannot have, such as a workspace that is not absolute.",
        cure: "Give the option that the message names.",
    }
    SkillBindingMissing = "skill-binding-missing" {
        cause: "The frontmatter of the skill does not bind it to a graph.",
        cure: "Give `metadata` the texts `agent-graph`, `agent-graph.graph` and `agent-graph.entry`.",
    }
    SkillLocatorInvalid = "skill-locator-invalid" {
        cause: "The locator of a skill binding is neither `path:` nor `provider:` with something behind it.",
        cure: "Write `path:` and the way to the manifest, or `provider:` and an id of the registry.",
    }
    SkillLocatorAbsolute = "skill-locator-absolute" {
        cause: "The `path:` locator of a skill binding is absolute.",
        cure: "Write it relative to the folder of the skill.",
    }
    SkillGraphMissing = "skill-graph-missing" {
        cause: "The bound provider has no graph with the id that the skill names.",
        cure: "Name one of the graphs of the provider.",
    }
    SkillEntryMissing = "skill-entry-missing" {
        cause: "The bound graph has no entry with the name that the skill gives.",
        cure: "Name one of the entrypoints of the graph.",
    }
    ProviderUnresolved = "provider-unresolved" {
        cause: "The registry does not know the provider that the skill is bound to.",
        cure: "Register the provider, or use a `path:` locator.",
    }
    ProviderIdMismatch = "provider-id-mismatch" {
        cause: "The skill is bound to a provider with another id than the one found.",
        cure: "Correct the locator, or the registry.",
    }
    RegistryInvalid = "registry-invalid" {
        cause: "The registry is no mapping of provider ids to manifest paths.",
        cure: "Write `id: path` for each provider, at the top or below `providers`.",
    }
    TestPathMissing = "test-path-missing" {
        cause: "There is nothing at the path of the tests.",
        cure: "Name a test case or a directory of test cases.",
    }
    TestCasesEmpty = "test-cases-empty" {
        cause: "The directory holds no test case.",
        cure: "Add a `.yaml`, `.yml` or `.json` file with a test case.",
    }
    FormatInvalid = "format-invalid" {
        cause: "There is no such output format.",
        cure: "Use human or json.",
    }
    GraphSelectionMissing = "graph-selection-missing" {
        cause: "A command needs a graph and none was named.",
        cure: "Name a graph, or a skill that is bound to one.",
    }
    SkillGraphConflict = "skill-graph-conflict" {
        cause: "The graph that was named is not the one the skill is bound to.",
        cure: "Leave the graph away, or name that of the skill.",
    }
    SkillEntryConflict = "skill-entry-conflict" {
        cause: "The entry that was named is not the one the skill is bound to.",
        cure: "Leave the entry away, or name that of the skill.",
    }
    RouteArgumentsInvalid = "route-arguments-invalid" {
        cause: "A route was asked for with too many arguments.",
        cure: "Name a graph and a route; with a skill, a route only.",
    }
    SchemaTypeUnknown = "schema-type-unknown" {
        cause: "No object of the protocol has this name.",
        cure: "Use one of the names that `schema list` gives.",
    }
    IdInvalid = "id-invalid" {
        cause: "No id can be made of the text.",
        cure: "Use letters, digits and `. _ -`, at most 100 of them.",
    }
    ProviderTargetExists = "provider-target-exists" {
        cause: "A file of a new provider is there already.",
        cure: "Choose an empty folder.",
    }
    ImportTargetExists = "import-target-exists" {
        cause: "What an import would add is there already.",
        cure: "Import under another id with `--graph`.",
    }
    ImportEmpty = "import-empty" {
        cause: "Nothing was named that could be imported.",
        cure: "Name a file.",
    }
    WorkflowInvalid = "workflow-invalid" {
        cause: "The workflow does not have the shape that is imported.",
        cure: "Correct the member that the message names.",
    }
    WorkflowStepDuplicate = "workflow-step-duplicate" {
        cause: "Two steps of the workflow have the same id.",
        cure: "Rename one of them.",
    }
    WorkflowStepIdCollision = "workflow-step-id-collision" {
        cause: "Two steps of the workflow become the same node.",
        cure: "Rename one of them.",
    }
    WorkflowStepIdReserved = "workflow-step-id-reserved" {
        cause: "A step of the workflow becomes a node that is made anyway.",
        cure: "Rename it; `start` and `done` are taken.",
    }
    WorkflowDependencyMissing = "workflow-dependency-missing" {
        cause: "A step depends on something that is no step.",
        cure: "Correct the id.",
    }
    WorkflowCycle = "workflow-cycle" {
        cause: "Steps of the workflow depend on each other in a circle.",
        cure: "Remove one of the dependencies.",
    }
    JsonInvalid = "json-invalid" {
        cause: "The text is not JSON, or holds what the protocol refuses: a number beyond the double range, half a surrogate pair.",
        cure: "Correct the text at the position named.",
    }
    JsonObjectRequired = "json-object-required" {
        cause: "Facts and outcomes have to be JSON objects.",
        cure: "Wrap the value in an object.",
    }
    OutcomeInvalid = "outcome-invalid" {
        cause: "The text is none of the eight outcomes.",
        cure: "Use completed, partial, failed, unverified, skipped, pending, blocked or waiting-user.",
    }
    FileChanged = "file-changed" {
        cause: "An installed file differs from what was loaded or compiled in.",
        cure: "Restore the file, or load or compile the provider again.",
    }
    ExtractConflict = "extract-conflict" {
        cause: "Something else is in the folder where an embedded provider was to be extracted: another version, a changed file, a link.",
        cure: "Name another folder, or remove what is there.",
    }
    InputLimit = "input-limit" {
        cause: "The input exceeds a documented ceiling of bytes, depth, nodes, aliases or files.",
        cure: "Make the input smaller or flatter; the message names the ceiling.",
    }
    FeatureRequired = "feature-required" {
        cause: "The definition or input needs a feature that is switched off.",
        cure: "Switch on the feature that the message names.",
    }
    PiGraphInvalid = "pi-graph-invalid" {
        cause: "A pi-graph definition has an error or a warning of its own protocol; the message begins with its code.",
        cure: "Correct the definition at the place named.",
    }
    PiGraphRefused = "pi-graph-refused" {
        cause: "The policy of a pi-graph does not let it run here, or nobody confirmed the run.",
        cure: "Run it where a person can be asked, or change `policy` in the graph.",
    }
    PiBarrierNeverFires = "pi-barrier-never-fires" {
        cause: "An edge waits for several nodes that never all run.",
        cure: "Write one edge for each source, or let all of them run.",
    }
    PiCaseNeverCounts = "pi-case-never-counts" {
        cause: "A case or default of a route is never taken, whatever the state.",
        cure: "Correct the condition or the paths in it, or remove the case.",
    }
    PiRouteWithoutDestination = "pi-route-without-destination" {
        cause: "A route leads nowhere: no case can count and there is no default.",
        cure: "Correct the conditions, or add a default.",
    }
    PiNodeNeverRuns = "pi-node-never-runs" {
        cause: "What leads to a node never counts.",
        cure: "Correct the route or the barrier before it, or remove the node.",
    }
    PiCycleWithoutExit = "pi-cycle-without-exit" {
        cause: "Nodes lead to each other for ever; only the limits of the graph stop them.",
        cure: "Let a route with a condition leave the cycle.",
    }
    PiParallelWrites = "pi-parallel-writes" {
        cause: "Nodes that run side by side, or one node alone, write to paths that cannot be committed together.",
        cure: "Let them write to paths of which none is a part of another.",
    }
    PiPatternInvalid = "pi-pattern-invalid" {
        cause: "The operand of `matches` is no regular expression, so that the condition never holds.",
        cure: "Correct the pattern.",
    }
    PiPatternUnsupported = "pi-pattern-unsupported" {
        cause: "The pattern of `matches` needs what the engine cannot do faithfully; the run fails there.",
        cure: "Write the pattern without what the message names.",
    }
    NameClash = "name-clash" {
        cause: "Two ids of one scope cannot get different Rust names.",
        cure: "Give one of them another name with `rename`.",
    }
    RenameUnknown = "rename-unknown" {
        cause: "A `rename` names an id that the provider does not have.",
        cure: "Correct the id, or take the `rename` away.",
    }
    SettingInvalid = "setting-invalid" {
        cause: "A setting of the macro or of the build script's builder is not valid Rust, or not allowed.",
        cure: "Correct the setting that the message names.",
    }
    PictureTooLarge = "picture-too-large" {
        cause: "A graph has more nodes or edges than a picture can show.",
        cure: "Take the Mermaid text, which other tools lay out, or split the graph.",
    }
    DigestPinMismatch = "digest-pin-mismatch" {
        cause: "The provider, or a file it reaches, is another one than the digest pinned beside its path stands for.",
        cure: "Restore the files; or pin the digest that the message names, when the change is meant.",
    }
    ProviderOverrideInvalid = "provider-override-invalid" {
        cause: "An environment variable names a provider to serve in place of the compiled-in one, and it does not load or has other graphs, nodes or entries.",
        cure: "Correct the provider, build again so that the names fit, or unset the variable.",
    }
    NamesMismatch = "names-mismatch" {
        cause: "Compiled-in names are used for a provider that has other nodes or handlers.",
        cure: "Use the provider that the names were compiled from, or build again.",
    }
    WorkStale = "work-stale" {
        cause: "The work that was completed is not what the session handed out last.",
        cure: "Ask the session what comes next, and complete that.",
    }
    CompatibilityRange = "compatibility-range" {
        cause: "The range of toolchain versions in the manifest excludes the protocol version that is used, or is no range.",
        cure: "Correct the range, or look at what changed between the versions.",
    }
    ConflictingTerminals = "conflicting-terminals" {
        cause: "Terminals with different outcomes can be reached together, which ends the evaluation with an error.",
        cure: "Make the branches that lead to them exclude each other, or give the terminals one outcome.",
    }
    ContradictoryFacts = "contradictory-facts" {
        cause: "The facts that a node requires contradict each other, or those required on every way to it.",
        cure: "Correct the checks.",
    }
    IdleAuthority = "idle-authority" {
        cause: "A gate names an authority and is not delegatable, so that holding the authority changes nothing.",
        cure: "Make the gate `delegatable: true`, or take the name as a note to people.",
    }
    InexactNumber = "inexact-number" {
        cause: "A check compares a fact with `-0`, or with a whole number too large to be exact.",
        cure: "Write `0`, or compare texts.",
    }
    LastingRepeat = "lasting-repeat" {
        cause: "A repeat edge can keep another node pending, whatever is recorded for that, as long as its source stays what it is.",
        cure: "Let the host record `pending` for the source when the target is done, or repeat the source itself.",
    }
    MixedFactTypes = "mixed-fact-types" {
        cause: "One fact is compared with values of different types.",
        cure: "Decide on one type.",
    }
    NoTerminal = "no-terminal" {
        cause: "From an entry no state completes the graph.",
        cure: "Lead a branch to a terminal.",
    }
    StateKeyCollision = "state-key-collision" {
        cause: "Outcomes of two nodes are recorded under one state key, because `/` may stand in ids.",
        cure: "Rename a graph or a node.",
    }
    StuckState = "stuck-state" {
        cause: "From a state that expected outcomes lead to, no terminal can be reached without taking back one of them.",
        cure: "Lead every branch to a terminal, or back with a repeat edge.",
    }
    Undecided = "undecided" {
        cause: "The bound of the exploration was met before a question was decided.",
        cure: "Split the graph, or take the lints about it as incomplete.",
    }
    UndelegatableGate = "undelegatable-gate" {
        cause: "A gate is delegatable and names no authority.",
        cure: "Name the authority, or take `delegatable` away.",
    }
    UnhandledOutcome = "unhandled-outcome" {
        cause: "No edge handles an outcome of an action or gate: a run that records it stands still there.",
        cure: "Add an edge for it, or see to it that hosts do not record it.",
    }
    UnmatchableReceipt = "unmatchable-receipt" {
        cause: "No read receipt can carry the id of a skill or schema, so that it always has to be read again.",
        cure: "Name the skill, or the action, like an id.",
    }
    UnmeetableJoin = "unmeetable-join" {
        cause: "The edges to a node that joins all of them cannot all hit at once.",
        cure: "Write one edge with several outcomes, or join `any`.",
    }
    UnprovableAction = "unprovable-action" {
        cause: "The facts that prove an action done cannot hold when it is reached.",
        cure: "Correct the checks.",
    }
    UnreachableNode = "unreachable-node" {
        cause: "A node is reached from no entry, in no state.",
        cure: "Lead an edge to it, or take it away.",
    }
    UnresolvableGate = "unresolvable-gate" {
        cause: "The facts that prove a gate resolved cannot hold when it is reached.",
        cure: "Correct the checks.",
    }
    UnusedCode = "unused-code" {
        cause: "The catalog explains a route reason that no node gives.",
        cure: "Take the entry away, or correct the reason code of the node.",
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl serde_core::Serialize for Code {
    fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
