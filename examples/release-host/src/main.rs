//! A host that ships its release workflow in its binary.
//!
//! The workflow decides what comes next; the host looks (facts), does (steps) and remembers (outcomes).
//! `cargo run -p release-host` plays one release in a temporary folder, from nothing to published.
//! `cargo run -p release-host -- --provider path/to/provider.yaml` serves a provider that is only known at
//! run time with the same loop.

mod loaded;
mod release_run;
mod workshop;

use std::process::ExitCode;

agent_graph_macros::include_provider! {
    /// The release workflow, checked while this program is compiled.
    pub mod release = "workflow/provider.yaml";
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [] => release_run::compiled_in(),
        ["--provider", manifest] => loaded::serve(manifest),
        _ => Err("usage: release-host [--provider path/to/provider.yaml]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("release-host: {error}");
            ExitCode::FAILURE
        }
    }
}
