//! Resolving routes, beside the floor: the files of the provider found by their real path, read and hashed, which
//! every resolution does so that no route hands out what was changed.
//! `cargo bench -p agent-graph-runtime --features dynamic --bench resolve`

mod support;

use std::process::ExitCode;

use agent_graph_measure::{Targets, fit, line, shown, side_by_side};
use agent_graph_runtime::{Installed, RouteInput};
use support::{desk, read_hash};

fn main() -> ExitCode {
    let mut targets = Targets::default();
    line("resolving", &["floor", "one route", "ratio", "all routes"]);
    let measure = |width, documents| {
        let (workflow, paths) = desk(width, documents);
        let input = RouteInput::new()
            .in_workspace(workflow.folder.path())
            .expect("the folder is absolute");
        let installed = Installed::load(workflow.folder.manifest());
        let installed = installed.unwrap_or_else(|findings| panic!("{findings}"));
        let evaluation = installed.evaluate("main", "all", &workflow.state);
        let evaluation = evaluation.expect("there is a graph `main`");
        let route = evaluation.primary().expect("a node is open");
        let [floor, one, all] = side_by_side([
            &mut || read_hash(workflow.folder.path(), &paths),
            &mut || {
                drop(
                    installed
                        .resolve(&route, &input)
                        .expect("the route is open"),
                )
            },
            &mut || {
                let routes = installed.resolve_all(&evaluation, &input);
                assert_eq!(routes.expect("the routes are open").len(), width);
            },
        ]);
        let ratio = format!("{:.2}", one / floor);
        line(
            &workflow.name,
            &[&shown(floor), &shown(one), &ratio, &shown(all)],
        );
        (one, all)
    };
    measure(1, 0);
    let by_documents = [10, 30, 100, 300].map(|n| (n as f64, measure(1, n).0));
    let by_nodes = [30, 100, 300, 1_000].map(|n| (n as f64, measure(n, 10).1));
    for (name, points) in [("documents", by_documents), ("routes", by_nodes)] {
        let fit = fit(&points);
        let met = targets.check(&format!("growth with {name}"), fit.exponent, 1.1);
        let (each, exponent) = (shown(fit.slope), fit.exponent);
        println!("growth with {name}: {each} each, exponent {exponent:.2} {met}");
    }
    targets.exit()
}
