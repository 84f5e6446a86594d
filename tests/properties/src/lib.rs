//! What holds for any input, as checks that take bytes: a check that returns has found nothing, one that panics
//! has found a mistake. The tests of this package make bytes from fixed seeds; `fuzz/` makes them by coverage.
//! Knows nothing about who makes them.

pub mod archive;
pub mod bounds;
pub mod checks;
pub mod damage;
pub mod draw;
pub mod scratch;
pub mod seeds;
pub mod shaped;
pub mod trial;

// Written for the other suites; by path, because their package bakes hundreds of providers first.
#[allow(dead_code, unreachable_pub, reason = "the suites use the rest")]
#[path = "../../src/json.rs"]
mod json;
#[allow(dead_code, unreachable_pub, reason = "the suites use the rest")]
#[path = "../../src/model.rs"]
mod model;
#[allow(dead_code, unreachable_pub, reason = "the suites use the rest")]
#[path = "../../src/naive/canonical.rs"]
mod naive;
#[allow(dead_code, unreachable_pub, reason = "the suites use the rest")]
#[path = "../../src/random.rs"]
mod random;
#[allow(dead_code, unreachable_pub, reason = "the suites use the rest")]
#[path = "../../src/seeded.rs"]
pub mod seeded;
#[allow(dead_code, unreachable_pub, reason = "the suites use the rest")]
#[path = "../../src/written.rs"]
mod written;

// Half of what the macro takes; its crate can only be used by the compiler.
#[allow(dead_code, reason = "the macro uses the rest")]
#[path = "../../../agent-graph-macros/src/tokens.rs"]
mod tokens;

/// Something that holds for any input.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// Its name, and that of the fuzz target.
    pub name: &'static str,
    /// Panics if it does not hold for this input.
    pub check: fn(&[u8]),
    /// Inputs to begin with, from recorded data.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const PROPERTIES: &[Property] = &[
    Property {
        name: "yaml_documents",
        check: checks::documents::yaml,
        seeds: seeds::yaml,
    },
    Property {
        name: "json_documents",
        check: checks::documents::json,
        seeds: seeds::json,
    },
    Property {
        name: "canonical_json",
        check: checks::canonical::check,
        seeds: seeds::json,
    },
    Property {
        name: "facts",
        check: checks::facts::check,
        seeds: seeds::facts,
    },
    Property {
        name: "receipts",
        check: checks::receipts::check,
        seeds: seeds::receipts,
    },
    Property {
        name: "host_action_results",
        check: checks::host_action_results::check,
        seeds: seeds::host_action_results,
    },
    Property {
        name: "run_files",
        check: checks::run_files::check,
        seeds: seeds::runs,
    },
    Property {
        name: "provider_loader",
        check: checks::provider_loader::check,
        seeds: seeds::providers,
    },
    Property {
        name: "bundle_verifier",
        check: checks::bundle_verifier::check,
        seeds: seeds::bundles,
    },
    Property {
        name: "pi_definitions",
        check: checks::pi_definitions::check,
        seeds: seeds::pi_definitions,
    },
    Property {
        name: "pi_events",
        check: checks::pi_events::check,
        seeds: seeds::pi_events,
    },
    Property {
        name: "pi_state",
        check: checks::pi_state::check,
        seeds: seeds::pi_state,
    },
    Property {
        name: "patterns",
        check: checks::patterns::check,
        seeds: seeds::patterns,
    },
    Property {
        name: "expander",
        check: checks::expander::check,
        seeds: seeds::expander,
    },
];

/// The property of this name.
pub fn property(name: &str) -> Option<&'static Property> {
    PROPERTIES.iter().find(|property| property.name == name)
}
