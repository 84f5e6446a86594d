//! Prints what must not depend on the machine's locale: digests, revisions, route ids. The locale
//! suite runs it as a process of its own under several locales.

use agent_graph_runtime::{Facts, Provider, State};
use agent_graph_tests::sources::{self, Source};
use agent_graph_tests::{baked, json::quoted};

/// Names that Czech, Danish, Estonian and Turkish collate or case unlike the root locale does.
const NAMES: [&str; 16] = [
    "ch", "h", "cz", "aa", "z", "å", "ø", "æ", "š", "ž", "t", "õ", "i", "I", "İ", "ı",
];

fn main() {
    let facts = NAMES.map(|name| format!("{}:1", quoted(name))).join(",");
    let facts = Facts::from_json(&format!("{{{facts}}}")).expect("it is an object");
    println!("{}", facts.canonical());
    let mut state = State::new();
    state.set_facts(facts);
    let sources = sources::of_conformance(&baked::conformance())
        .into_iter()
        .chain(sources::of_examples(&baked::examples()));
    for source in sources.flatten() {
        print(
            &source,
            Provider::load(&source.manifest).expect("it loads"),
            &state,
        );
        print(
            &source,
            baked::provider(&source.name).expect("it is baked"),
            &state,
        );
    }
}

fn print(source: &Source, provider: Provider, state: &State) {
    let tables = provider.tables();
    for graph in tables.graphs {
        let id = tables.text(graph.id);
        let evaluation = provider
            .evaluate(id, "default", state)
            .expect("there is such a graph");
        println!("{} {id} {:02x?}", source.name, graph.digest);
        println!("{}", evaluation.to_json());
    }
}
