//! Tables made by hand: every kind of row, every kind of value, and ids that ask for trouble.

use std::collections::BTreeMap;

use agent_graph_runtime::protocol::{
    CodeKind, EdgeKind, Effect, Inspection, Join, NodeKind, Outcome, OutcomeSet, ResourceKind,
    Runner, Runtime, Severity, WorkingDirectory,
};
use agent_graph_runtime::tables::{
    ActionRow, CallRow, CheckRow, CodeRow, DelegatedRow, EdgeRow, EntryRow, FileRow, GateRow,
    GraphRow, NodeRow, OwnedTables, ProviderRow, ResourceClass, ResourceRow, Row, Rows, SegmentRow,
    StepRow, Test, Text,
};

/// Tables in the making.
#[derive(Default)]
pub(crate) struct Maker {
    pub(crate) tables: OwnedTables,
    texts: BTreeMap<String, Text>,
}

impl Maker {
    /// The text, put into the pool once.
    pub(crate) fn text(&mut self, text: &str) -> Text {
        let pool = &mut self.tables.text;
        *self.texts.entry(text.to_owned()).or_insert_with(|| {
            let start = pool.len() as u32;
            pool.push_str(text);
            Text(start, text.len() as u32)
        })
    }

    /// A graph whose nodes and entries are the next rows of their pools.
    pub(crate) fn graph(&mut self, id: &str, nodes: u32, entries: u32) {
        let row = GraphRow {
            id: self.text(id),
            file: 0,
            digest: [0xab; 32],
            shape: [0xcd; 32],
            entries: Rows(self.tables.entries.len() as u32, entries),
            nodes: Rows(self.tables.nodes.len() as u32, nodes),
            ..*GraphRow::ABSENT
        };
        self.tables.graphs.push(row);
    }

    /// A node of the graph made last.
    pub(crate) fn node(&mut self, id: &str, kind: NodeKind, detail: u32, rank: u32) {
        let row = NodeRow {
            id: self.text(id),
            kind,
            detail,
            rank,
            graph: self.tables.graphs.len() as u32 - 1,
            ..*NodeRow::ABSENT
        };
        self.tables.nodes.push(row);
    }

    /// An action node of the graph made last, with a row of its own in `steps`.
    pub(crate) fn action(&mut self, id: &str, reason: &str, rank: u32) {
        let detail = self.tables.steps.len() as u32;
        let row = StepRow {
            reason: self.text(reason),
            action: 0,
            ..*StepRow::ABSENT
        };
        self.tables.steps.push(row);
        self.node(id, NodeKind::Action, detail, rank);
    }

    /// An entry of the graph made last.
    pub(crate) fn entry(&mut self, name: &str, node: u32) {
        let row = EntryRow {
            name: self.text(name),
            node,
        };
        self.tables.entries.push(row);
    }
}

/// Three graphs: `release` calls `audit`, and `type` has nothing to do.
pub(crate) fn sample() -> OwnedTables {
    let mut maker = Maker::default();
    provider(&mut maker);
    release(&mut maker);
    audit(&mut maker);
    maker.graph("type", 1, 1);
    maker.entry("default", 8);
    maker.node("end", NodeKind::Terminal, u32::MAX, 0);
    maker.tables.nodes[8].outcome = Outcome::WaitingUser;
    pools(&mut maker);
    maker.tables
}

fn provider(maker: &mut Maker) {
    maker.tables.provider = ProviderRow {
        id: maker.text("shop/release"),
        version: maker.text("1.2.0"),
        name: Text::NONE,
        description: maker.text("How a release is made.\n\n  [Not] a <link>, nor `code`."),
        manifest: 0,
        catalog: u32::MAX,
        digest: *b"0123456789abcdef\x00\xff\"\\\n\t90abcdef\x7f\x80",
    };
    let path = maker.text("provider.yaml");
    maker.tables.files.push(FileRow {
        path,
        digest: [7; 32],
    });
    let path = maker.text(" leading space/\u{202e}é\"'.yaml");
    maker.tables.files.push(FileRow {
        path,
        digest: [0; 32],
    });
}

fn release(maker: &mut Maker) {
    maker.graph("release", 6, 2);
    maker.tables.graphs[0].description = maker.text("From source\nto registry.");
    maker.tables.lists = vec![1, 0, 1, u32::MAX];
    maker.tables.graphs[0].dependencies = Rows(0, 1);
    maker.tables.graphs[0].edges = Rows(0, 2);
    maker.entry("default", 0);
    maker.entry("2nd-try", 1);
    maker.action("scan.review", "route.scan", 3);
    maker.action("scan-review", "route.scan", 2);
    maker.node("audit", NodeKind::Subgraph, 0, 0);
    maker.node("self", NodeKind::Gate, 2, 4);
    maker.node("1st", NodeKind::Subgraph, 1, 1);
    maker.node("shipped", NodeKind::Terminal, u32::MAX, 5);
    maker.tables.nodes[0].description = maker.text("Looks at *all* files.");
    maker.tables.nodes[0].priority = -1000;
    maker.tables.nodes[1].description = maker.text("");
    maker.tables.nodes[1].join = Join::Any;
    maker.tables.nodes[1].requires = Rows(0, 5);
    maker.tables.nodes[5].outcome = Outcome::Completed;
    let gate = StepRow {
        reason: maker.text("route.approve"),
        code: 0,
        gate: 0,
        required: Rows(1, 2),
        ..*StepRow::ABSENT
    };
    maker.tables.steps.push(gate);
    maker.tables.calls = vec![
        CallRow { graph: 1, entry: 2 },
        CallRow { graph: 2, entry: 3 },
    ];
}

fn audit(maker: &mut Maker) {
    maker.graph("audit", 2, 1);
    maker.entry("default", 6);
    maker.action("check", "route.audit.check", 0);
    maker.node("done", NodeKind::Terminal, u32::MAX, 1);
}

fn pools(maker: &mut Maker) {
    gates(maker);
    checks(maker);
    maker.tables.edges = vec![
        EdgeRow {
            from: 0,
            to: 1,
            outcomes: OutcomeSet::EMPTY.with(Outcome::Completed),
            kind: EdgeKind::Flow,
        },
        EdgeRow {
            from: 1,
            to: 1,
            outcomes: OutcomeSet::from_bits(0xff),
            kind: EdgeKind::Repeat,
        },
    ];
    actions(maker);
    let resource = ResourceRow {
        id: maker.text("notes"),
        kind: ResourceKind::ContextView,
        media_type: maker.text("text/markdown"),
        class: ResourceClass::HostAction,
        input: maker.text("{\"a\": \"\\u0001\"}"),
        ..*ResourceRow::ABSENT
    };
    maker.tables.resources.push(resource);
    for (code, severity) in [
        ("route.approve", None),
        ("shop.broken", Some(Severity::Warning)),
    ] {
        let row = CodeRow {
            code: maker.text(code),
            kind: CodeKind::Diagnostic,
            summary: maker.text("Somebody has to look."),
            severity,
            document: 0,
            ..*CodeRow::ABSENT
        };
        maker.tables.codes.push(row);
    }
}

fn gates(maker: &mut Maker) {
    let gate = GateRow {
        id: maker.text("approval"),
        prompt: maker.text("Ship it?\r\n"),
        authority: maker.text("release-manager"),
        delegatable: true,
        members: [1, 3, 2, 0],
        delegated: 0,
        ..*GateRow::ABSENT
    };
    maker.tables.gates.push(gate);
    maker.tables.delegations.push(DelegatedRow {
        inspection: Inspection::Skip,
        replaces_resources: true,
        ..*DelegatedRow::ABSENT
    });
}

fn checks(maker: &mut Maker) {
    let tests = [
        Test::Exists(true),
        Test::Null,
        Test::Bool(false),
        Test::Number((-0.5_f64).to_bits()),
        Test::Text(maker.text("yes")),
    ];
    for test in tests {
        let row = CheckRow {
            path: maker.text("scan.0"),
            segments: Rows(0, 2),
            test,
        };
        maker.tables.checks.push(row);
    }
    for (name, index) in [("scan", u32::MAX), ("0", 0)] {
        let row = SegmentRow {
            name: maker.text(name),
            index,
        };
        maker.tables.segments.push(row);
    }
}

fn actions(maker: &mut Maker) {
    let script = ActionRow {
        id: maker.text("scan"),
        file: 1,
        runner: Runner::Script,
        effect: Effect::Read,
        cwd: WorkingDirectory::Provider,
        runtime: Runtime::Python,
        args: Rows(0, 2),
        ..*ActionRow::ABSENT
    };
    maker.tables.actions.push(script);
    let host = ActionRow {
        id: maker.text("approve"),
        handler: maker.text("tide.render-brief/v1"),
        ..*ActionRow::ABSENT
    };
    maker.tables.actions.push(host);
    maker.tables.texts = vec![maker.text("--all"), maker.text("")];
}
