//! A provider with its files in the executable: they are lent as bytes, and extracted to a folder when routes
//! need paths.

use agent_graph_runtime::{Progress, RouteInput, State};

agent_graph_macros::include_provider! {
    pub mod bakery = "../macro-host/workflow/provider.yaml", embed = true;
}
use bakery::graphs::bread::Entry;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (path, bytes) in bakery::EMBEDDED.files() {
        println!("{path}: {} bytes", bytes.len());
    }
    let folder = std::env::temp_dir().join(format!("embedded-host-{}", std::process::id()));
    let installed = bakery::EMBEDDED.extract(&folder)?;
    let evaluation = Entry::Default.evaluate(&State::new());
    if let Progress::Actionable(candidate) = evaluation.progress() {
        let input = RouteInput::new().in_workspace(&folder)?;
        let route = installed.resolve(&candidate, &input)?;
        let handler = route
            .command_plan
            .first()
            .and_then(|item| item.run.handler());
        println!("{} by {}", candidate.label(), handler.unwrap_or("nobody"));
    }
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

#[test]
fn the_host_needs_no_file_but_itself() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
