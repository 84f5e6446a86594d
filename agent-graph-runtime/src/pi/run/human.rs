//! Questions to people, and what counts as an answer (spec 7.3). Knows nothing about runs.

use alloc::string::String;
use alloc::vec::Vec;

use super::attempt::{Failure, Interrupt};
use super::code::RunCode;
use crate::json::{Object, Value};
use crate::pi::graph;
use crate::pi::tables::{HumanRow, Tables};
use crate::pi::text;
use crate::pi::words::HumanKind;

/// What a human node asks, with the state filled in.
pub(super) fn question(
    tables: &Tables<'_>,
    human: &HumanRow,
    state: &Object,
) -> Result<Interrupt, Failure> {
    let prompt = graph::template(tables, human.prompt).render(state);
    let prompt = prompt.map_err(|error| {
        Failure::new(
            RunCode::ExecutionError,
            alloc::format!("the question cannot be made: {error}"),
        )
        .retryable()
    })?;
    let listed = tables.rows(tables.texts, human.options).iter();
    // Nobody can point at a blank option, and no checkpoint holds one.
    let options: Vec<String> = listed
        .map(|&option| tables.text(option))
        .filter(|option| !text::trim(option).is_empty())
        .map(String::from)
        .collect();
    if human.kind == HumanKind::Select && options.is_empty() {
        return Err(Failure::new(
            RunCode::HumanNodeError,
            "there is nothing to choose from",
        ));
    }
    Ok(Interrupt {
        kind: human.kind,
        prompt,
        options: human.has_options.then_some(options),
    })
}

/// The value that an answer stands for.
pub(super) fn answer(interrupt: &Interrupt, value: Value) -> Result<Value, Failure> {
    let is_offered = |text: &str| {
        let options = interrupt.options.as_deref().unwrap_or(&[]);
        options.iter().any(|option| option == text)
    };
    let accepted = match (interrupt.kind, &value) {
        (HumanKind::Input, _) | (HumanKind::Confirm, Value::Bool(_)) => Some(value),
        (HumanKind::Confirm, Value::String(text)) => confirmed(text).map(Value::Bool),
        (HumanKind::Select, Value::String(text)) => is_offered(text).then_some(value),
        _ => None,
    };
    accepted.ok_or_else(|| {
        let wanted = match interrupt.kind {
            HumanKind::Confirm => "the answer is neither yes nor no",
            HumanKind::Select => "the answer is none of the options",
            HumanKind::Input => "the answer is no value",
        };
        Failure::new(RunCode::HumanNodeError, wanted)
    })
}

fn confirmed(text: &str) -> Option<bool> {
    match text::trim(text).to_lowercase().as_str() {
        "true" | "yes" | "y" | "approve" | "approved" => Some(true),
        "false" | "no" | "n" | "reject" | "rejected" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(kind: HumanKind) -> Interrupt {
        Interrupt {
            kind,
            prompt: "?".into(),
            options: Some(["a".into(), "b".into()].into()),
        }
    }

    #[test]
    fn yes_and_no_are_understood_in_words_and_nothing_else_is() {
        for (text, expected) in [
            (" YES\u{feff}", Some(true)),
            ("Approved", Some(true)),
            ("n", Some(false)),
            ("reject", Some(false)),
            ("maybe", None),
            ("", None),
        ] {
            let value = answer(&asked(HumanKind::Confirm), text.into());
            assert_eq!(value.ok(), expected.map(Value::Bool), "{text}");
        }
        let number = answer(&asked(HumanKind::Confirm), Value::Number(1.0));
        assert_eq!(number.unwrap_err().code, RunCode::HumanNodeError);
    }

    #[test]
    fn only_what_is_offered_can_be_chosen_and_any_value_can_be_put_in() {
        assert!(answer(&asked(HumanKind::Select), "a".into()).is_ok());
        assert!(answer(&asked(HumanKind::Select), "c".into()).is_err());
        assert!(answer(&asked(HumanKind::Select), Value::Null).is_err());
        assert!(answer(&asked(HumanKind::Input), Value::Null).is_ok());
    }
}
