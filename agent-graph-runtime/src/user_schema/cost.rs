//! How often subschemas are held against values when a schema is held against one: schemas that call others
//! twice, level by level, multiply beyond any wait. Knows the keywords that lead from schema to schema, not
//! what they mean.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::ptr;

use serde_json::{Map, Value};

/// The most steps one value may take: below a second.
const STEPS_LIMIT: u64 = 1_000_000;

/// How far schemas may call each other before a step into the value.
const CALLS_LIMIT: usize = 500;

/// Whether the work is bounded: at most so many steps, no deeper than the stack allows.
pub(super) fn is_bounded(schema: &Value, value: &Value) -> bool {
    let mut count = Count {
        root: schema,
        anchors: anchors(schema),
        known: BTreeMap::new(),
    };
    count.steps(schema, value, 0) <= STEPS_LIMIT
}

struct Count<'s> {
    root: &'s Value,
    anchors: BTreeMap<&'s str, &'s Value>,
    /// Steps of a schema on a value, both told by their address; none while they are being counted,
    /// where a circle is cut, as the validator does.
    known: BTreeMap<(*const Value, *const Value), u64>,
}

impl<'s> Count<'s> {
    /// The recursion ends: its depth is limited, and each pair is counted once.
    fn steps(&mut self, schema: &'s Value, value: &Value, depth: usize) -> u64 {
        let Some(keywords) = schema.as_object() else {
            return 1;
        };
        if depth > CALLS_LIMIT {
            return u64::MAX;
        }
        let pair = (ptr::from_ref(schema), ptr::from_ref(value));
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        self.known.insert(pair, 0);
        let mut steps: u64 = 1;
        for (keyword, called) in keywords {
            steps = steps.saturating_add(self.keyword(keyword, called, value, depth + 1));
        }
        // To know what has been evaluated, everything is evaluated once more.
        let again = ["unevaluatedItems", "unevaluatedProperties"];
        if again.iter().any(|keyword| keywords.contains_key(*keyword)) {
            steps = steps.saturating_mul(2);
        }
        self.known.insert(pair, steps);
        steps
    }

    fn keyword(&mut self, keyword: &str, called: &'s Value, value: &Value, depth: usize) -> u64 {
        let mut sum: u64 = 0;
        let mut add = |steps: u64| sum = sum.saturating_add(steps);
        match (keyword, called, value) {
            ("$ref" | "$dynamicRef", Value::String(target), _) => {
                if let Some(schema) = self.target(target) {
                    add(self.steps(schema, value, depth));
                }
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(schemas), _) => {
                schemas
                    .iter()
                    .for_each(|it| add(self.steps(it, value, depth)));
            }
            ("not" | "if" | "then" | "else", schema, _) => add(self.steps(schema, value, depth)),
            ("dependentSchemas", Value::Object(schemas), _) => {
                schemas
                    .values()
                    .for_each(|it| add(self.steps(it, value, depth)));
            }
            ("properties", Value::Object(schemas), Value::Object(members)) => {
                for (name, schema) in schemas {
                    if let Some(member) = members.get(name) {
                        add(self.steps(schema, member, depth));
                    }
                }
            }
            ("patternProperties", Value::Object(schemas), Value::Object(members)) => {
                for schema in schemas.values() {
                    add(self.members(schema, members, depth));
                }
            }
            (
                "additionalProperties" | "unevaluatedProperties" | "propertyNames",
                schema,
                Value::Object(members),
            ) => add(self.members(schema, members, depth)),
            ("prefixItems", Value::Array(schemas), Value::Array(items)) => {
                for (schema, item) in schemas.iter().zip(items) {
                    add(self.steps(schema, item, depth));
                }
            }
            ("items" | "contains" | "unevaluatedItems", schema, Value::Array(items)) => {
                items
                    .iter()
                    .for_each(|it| add(self.steps(schema, it, depth)));
            }
            _ => {}
        }
        sum
    }

    fn members(&mut self, schema: &'s Value, members: &Map<String, Value>, depth: usize) -> u64 {
        let steps = members.values().map(|it| self.steps(schema, it, depth));
        steps.fold(0, u64::saturating_add)
    }

    /// What a local reference leads to: by pointer, or by the anchor of that name.
    fn target(&self, reference: &str) -> Option<&'s Value> {
        let fragment = reference
            .split_once('#')
            .map_or("", |(_, fragment)| fragment);
        if fragment.is_empty() || fragment.starts_with('/') {
            return self.root.pointer(fragment);
        }
        self.anchors.get(fragment).copied()
    }
}

/// The schemas that have names, by name; of several the one found last.
fn anchors(root: &Value) -> BTreeMap<&str, &Value> {
    let mut anchors = BTreeMap::new();
    let mut left = alloc::vec![root];
    while let Some(schema) = left.pop() {
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = schema.get(keyword).and_then(Value::as_str) {
                anchors.insert(name, schema);
            }
        }
        left.extend(schema.as_array().into_iter().flatten());
        left.extend(schema.as_object().into_iter().flat_map(Map::values));
    }
    anchors
}
