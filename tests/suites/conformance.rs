//! The recorded vectors of the reference implementation, the compact copy or the directory that
//! `AGENT_GRAPH_CONFORMANCE` names. Has no harness, so that its last line is its own.

use std::path::Path;
use std::process::ExitCode;

use agent_graph_tests::{baked, conformance, sources};

fn main() -> ExitCode {
    let directory = baked::conformance();
    // The build script has baked the providers of one directory; another one would need another build.
    if let Some(named) = std::env::var_os(sources::DIRECTORY_VARIABLE)
        && Path::new(env!("CARGO_MANIFEST_DIR")).join(named) != directory
    {
        println!("built for {}: build again", directory.display());
        return ExitCode::FAILURE;
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("conformance");
    // Panics are caught and counted; their backtraces would bury the report.
    std::panic::set_hook(Box::new(|_| {}));
    match conformance::run(&directory, &baked::examples(), &scratch) {
        Ok(report) => report.finish(),
        Err(error) => {
            println!("the vectors cannot be read: {error}");
            ExitCode::FAILURE
        }
    }
}
