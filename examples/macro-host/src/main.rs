//! A provider compiled in by the macro, and the loop around it. The README shows this.

use agent_graph_runtime::{Facts, Progress, State};

agent_graph_macros::include_provider! {
    pub mod bakery = "workflow/provider.yaml";
}
use bakery::graphs::bread::{Entry, Step};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut state = State::new();
    while let Progress::Actionable(route) = Entry::Default.evaluate(&state).progress() {
        println!("{}", route.label());
        match route.step() {
            // A host does the work here, and then looks at what there is.
            Step::Dough => state.set_facts(Facts::from_json(r#"{"dough": {"ready": true}}"#)?),
        }
    }
    println!("{}", Entry::Default.evaluate(&state).status());
    Ok(())
}

#[test]
fn the_bread_is_sold() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
