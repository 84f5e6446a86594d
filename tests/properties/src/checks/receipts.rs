//! Receipts: the reader of receipts and the shape of receipts accept the same texts, what is read is written and
//! read again, and acknowledging keeps one receipt a resource.

use agent_graph_runtime::load::shape::{READ_RECEIPTS, Shape, check_json};
use agent_graph_runtime::{Code, Freshness, ReadReceipts};

use crate::draw::Draw;
use crate::shaped;

const SHAPE: Shape = Shape::Object(&READ_RECEIPTS);

/// Bytes as JSON text, and as decisions about receipts.
///
/// # Panics
/// When something does not hold.
pub fn check(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        read(text);
    }
    read(&shaped::value(&mut Draw::new(bytes), &SHAPE).source());
}

fn read(text: &str) {
    let findings = check_json(SHAPE, "receipts.json", text);
    let receipts = match ReadReceipts::from_json(text) {
        Ok(receipts) => receipts,
        Err(error) => {
            assert!(
                [Code::JsonInvalid, Code::SchemaInvalid, Code::InputLimit].contains(&error.code()),
                "{error}"
            );
            return assert!(
                !findings.is_empty(),
                "only one of two readers refuses it: {error}: {text}"
            );
        }
    };
    assert!(findings.is_empty(), "{findings:?}: {text}");
    let written = serde_json::to_string(&receipts).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        ReadReceipts::from_json(&written).as_ref(),
        Ok(&receipts),
        "{written}"
    );
    acknowledge(&receipts);
}

fn acknowledge(receipts: &ReadReceipts) {
    let mut all = receipts.clone();
    for receipt in receipts.iter() {
        all.acknowledge(receipt.clone());
        let of_resource = all.iter().filter(|own| own.id() == receipt.id());
        assert_eq!(of_resource.collect::<Vec<_>>(), [receipt]);
        let state = all.read_state(receipt.id(), Freshness::Content(receipt.digest()));
        assert_eq!(state.as_str(), "current");
    }
    let mut merged = receipts.clone();
    assert_eq!(merged.merge(receipts.clone()), Ok(()));
    assert_eq!(merged, all);
}
