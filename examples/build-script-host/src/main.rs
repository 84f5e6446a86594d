//! A provider compiled in by a build script: the module is the one that the macro would make.

use agent_graph_runtime::{Facts, Progress, State};

agent_graph_runtime::include_generated!(bakery);
use bakery::graphs::bread::{Entry, Step};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut state = State::new();
    while let Progress::Actionable(route) = Entry::Default.evaluate(&state).progress() {
        println!("{}", route.label());
        match route.step() {
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
