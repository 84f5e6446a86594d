//! State keys (spec 4.3): put together, and compared without putting them together.

use alloc::string::String;
use alloc::vec::Vec;

use super::found::Frame;
use crate::tables::{NONE, Tables};

/// Whether `key` is the state key of `node` in the frame (spec 4.3), compared from the end so that
/// nothing has to be built.
pub(crate) fn is_state_key(
    tables: &Tables<'_>,
    frames: &[Frame],
    frame: u32,
    node: u32,
    key: &str,
) -> bool {
    let mut rest = key;
    let (mut frame, mut node) = (frame, node);
    while let Some(at) = frames.get(frame as usize) {
        let id = tables.text(tables.row(tables.nodes, node).id);
        let graph = tables.text(tables.row(tables.graphs, at.graph).id);
        let before = rest
            .strip_suffix(id)
            .and_then(|r| r.strip_suffix('/'))
            .and_then(|r| r.strip_suffix(graph));
        let Some(before) = before else { return false };
        if at.parent == NONE {
            return before.is_empty();
        }
        let Some(before) = before.strip_suffix('>') else {
            return false;
        };
        (rest, frame, node) = (before, at.parent, at.caller);
    }
    false
}

/// The state key of `node` in the frame.
pub(crate) fn state_key(tables: &Tables<'_>, frames: &[Frame], frame: u32, node: u32) -> String {
    let mut path = Vec::new();
    let (mut frame, mut node) = (frame, node);
    while let Some(at) = frames.get(frame as usize) {
        path.push((at.graph, node));
        (frame, node) = (at.parent, at.caller);
    }
    let mut key = String::new();
    for (graph, node) in path.into_iter().rev() {
        if !key.is_empty() {
            key.push('>');
        }
        key.push_str(tables.text(tables.row(tables.graphs, graph).id));
        key.push('/');
        key.push_str(tables.text(tables.row(tables.nodes, node).id));
    }
    key
}
