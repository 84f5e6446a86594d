//! State keys that collide: `/` may stand in ids, so graph `a/b` with node `c` and graph `a` with node
//! `b/c` record under one key. Within one evaluation that cannot happen; in a state that is kept for a
//! provider it can.

use std::collections::BTreeMap;

use super::Found;
use super::registry::Lint;
use super::subject::{Subject, found};

pub(crate) fn check<'l>(subject: &Subject<'l>, out: &mut Found<'_, 'l>) {
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    for (node, _) in subject.nodes() {
        let key = subject.key(node);
        let Some(&known) = first.get(&key) else {
            first.insert(key, node);
            continue;
        };
        let graph = |node| subject.graph_id(subject.node_row(node).graph);
        let message = format!(
            "outcomes of node `{}` of graph `{}` and of node `{}` of graph `{}` are recorded under one \
             state key, `{key}`",
            subject.node_id(known),
            graph(known),
            subject.node_id(node),
            graph(node),
        );
        let finding = found(Lint::StateKeyCollision, subject.node_place(node), message)
            .with_related(subject.node_place(known), "the other node is here");
        out.add(Lint::StateKeyCollision, finding, None);
    }
}
