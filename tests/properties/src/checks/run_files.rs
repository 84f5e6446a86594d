//! Run files: the reader and the shape of runs accept the same texts; the text of a run is read as the same run; and
//! whatever happens to a run is one more event, with nothing before it rewritten.

use std::cell::RefCell;

use agent_graph_runtime::json::Value;
use agent_graph_runtime::load::shape::{RUN, Shape, check_json};
use agent_graph_runtime::runs::{Change, Clock, Run, RunStore, Runs, Timestamp};
use agent_graph_runtime::{Code, Error, Facts, Outcome, State};

use crate::draw::Draw;
use crate::shaped;

const SHAPE: Shape = Shape::Object(&RUN);

/// Bytes as JSON text, and as decisions about a run and what happens to it.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    let mut draw = Draw::new(bytes);
    let drawn = shaped::value(&mut draw, &SHAPE).source();
    let texts = [str::from_utf8(bytes).ok(), Some(&*drawn)];
    for text in texts.into_iter().flatten() {
        if let Some(run) = read(text) {
            change(run, &mut draw.clone());
        }
    }
}

fn read(text: &str) -> Option<Run> {
    let findings = check_json(SHAPE, "run.json", text);
    let run = match Run::from_json(text) {
        Ok(run) => run,
        Err(error) => {
            let codes = [Code::ParseFailed, Code::SchemaInvalid, Code::InputLimit];
            assert!(codes.contains(&error.code()), "{error}");
            assert!(!findings.is_empty(), "{error}: {text}");
            return None;
        }
    };
    // A run may be larger than a definition.
    assert!(
        findings
            .iter()
            .all(|finding| finding.code == Code::InputLimit),
        "{findings:?}"
    );
    same_when_read_again(&run);
    if let Err(error) = State::from_value(Value::Object(run.evaluation_input())) {
        assert_eq!(error.code(), Code::InputLimit, "{error}");
    }
    Some(run)
}

fn same_when_read_again(run: &Run) {
    let again =
        Run::from_json(run.text()).unwrap_or_else(|error| panic!("{error}: {}", run.text()));
    assert_eq!(
        (again.text(), again.as_object()),
        (run.text(), run.as_object())
    );
}

fn change(run: Run, draw: &mut Draw<'_>) {
    let runs = Runs::new(One(RefCell::new(run.clone()))).with_clock(Never);
    let mut before = run;
    for _ in 0..4 {
        let change = drawn(draw);
        match runs.apply(&(), &change) {
            Ok(after) => {
                one_more_event(&before, &after);
                same_when_read_again(&after);
                before = after;
            }
            Err(error) => {
                assert!(Code::ALL.contains(&error.code()), "{error}");
                // Nothing is changed then.
                assert_eq!(runs.load(&()).as_ref(), Ok(&before));
            }
        }
    }
}

fn one_more_event(before: &Run, after: &Run) {
    let events = |run: &Run| run.as_object().get("events").cloned().unwrap_or_default();
    let (Value::Array(old), Value::Array(new)) = (events(before), events(after)) else {
        panic!("events are a list");
    };
    assert_eq!(new.len(), old.len() + 1);
    assert_eq!(new[..old.len()], old[..]);
    assert!(after.last_sequence() > before.last_sequence());
    assert_eq!(
        (before.id(), before.created_at()),
        (after.id(), after.created_at())
    );
}

fn drawn(draw: &mut Draw<'_>) -> Change {
    let facts = |draw: &mut Draw<'_>| {
        let text = format!(
            "{{\"a\":{},\"{}\":1}}",
            draw.value(2).source(),
            draw.below(20)
        );
        Facts::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    match draw.below(6) {
        0 => Change::UpdateFacts(facts(draw)),
        1 => Change::ReplaceFacts(facts(draw)),
        2 => Change::SetAuthorities(vec![draw.name(), draw.name()]),
        3 => Change::Checkpoint(draw.text(5)),
        4 => Change::Resume(draw.text(5)),
        _ => {
            let detail = Value::from_json(&draw.value(2).source()).ok();
            Change::Record {
                node: draw.name(),
                outcome: draw.one_of(Outcome::ALL),
                detail: detail.filter(|_| draw.below(2) == 0),
            }
        }
    }
}

/// A store of one run.
struct One(RefCell<Run>);

impl RunStore for One {
    type Key = ();

    fn load(&self, (): &()) -> Result<Run, Error> {
        Ok(self.0.borrow().clone())
    }

    fn create(&self, (): &(), run: &Run) -> Result<(), Error> {
        self.0.replace(run.clone());
        Ok(())
    }

    fn replace(&self, (): &(), old: &Run, new: &Run) -> Result<bool, Error> {
        assert_eq!(*old, *self.0.borrow());
        self.0.replace(new.clone());
        Ok(true)
    }

    fn name(&self, (): &()) -> String {
        "run.json".into()
    }
}

/// A clock that stands still.
struct Never;

impl Clock for Never {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_milliseconds(0)
    }
}
