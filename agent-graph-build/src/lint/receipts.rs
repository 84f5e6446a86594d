//! Ids that no read receipt can carry: such a resource always has to be read again. The loader warns about
//! resources itself; here are the ids that are put together, of skills and of action schemas.

use agent_graph_runtime::Place;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};

pub(crate) fn check<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    for action in &subject.definition.actions {
        let skill = action.skill.as_ref().map(|skill| {
            let name = action.skill_name.as_deref().unwrap_or("agent-skill");
            (format!("skill.{name}"), &skill.place)
        });
        let input = action
            .input_schema
            .as_ref()
            .map(|schema| (format!("schema.{}.input", action.id.value), &schema.place));
        let output = action
            .output_schema
            .as_ref()
            .map(|schema| (format!("schema.{}.output", action.id.value), &schema.place));
        for (id, place) in [skill, input, output].into_iter().flatten() {
            if !agent_graph_runtime::explore::is_id(&id) {
                add(&id, place.clone(), out);
            }
        }
    }
}

fn add(id: &str, place: Place, out: &mut Found<'_, '_>) {
    let message = format!("no read receipt can carry `{id}`, so it always has to be read again");
    let finding = found(Lint::UnmatchableReceipt, place, message)
        .with_hint("the name of a skill has to be made like an id");
    out.add(Lint::UnmatchableReceipt, finding, None);
}
