//! Values that have the shape of a protocol object, mostly: now and then a member is missing, foreign or of another
//! kind. Knows shapes, nothing about what objects mean.

use agent_graph_runtime::load::shape::{By, Object, Shape, Text};

use crate::draw::Draw;
use crate::json::Json;

const DIGESTS: [&str; 3] = [
    "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "sha256:44136FA355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    "sha256:4413",
];
const ROUTE_IDS: [&str; 2] = ["route:ad4458e869a875287edf", "route:AD4458e869a875287edf"];
const TIMES: [&str; 6] = [
    "2026-01-31T12:00:00.000Z",
    "2024-02-29T23:59:60Z",
    "2023-02-29T00:00:00Z",
    "2026-01-31T12:00:00+23:59",
    "0000-01-01t00:00:00z",
    "2026-01-31 12:00:00Z",
];
const IDS: [&str; 8] = ["a", "a.b", "a/b-c_d", "0", "route.a", "A", "a.", ""];
const VERSIONS: [&str; 5] = ["1.0.0", "0.1.2-rc.1", "01.0.0", "1.0", "1.0.0+x"];
const PATHS: [&str; 6] = ["a.yaml", "a/b.md", "../a", "/a", "c:/a", "a\n../b"];
const LOCATORS: [&str; 4] = ["path:x", "provider:x", "path:", "x"];

/// A value that has this shape more often than not.
pub fn value(draw: &mut Draw<'_>, shape: &Shape) -> Json {
    if draw.once_in(24) {
        return draw.value(2);
    }
    match shape {
        Shape::Null => Json::Null,
        Shape::Constant(text) => Json::text(*text),
        Shape::Text(text) => Json::Text(constrained(draw, *text)),
        Shape::Word(words) => Json::text(draw.one_of((words.all)())),
        Shape::Integer(low, high) => integer(draw, *low, *high),
        Shape::Boolean => Json::Bool(draw.below(2) == 0),
        Shape::True => Json::Bool(true),
        Shape::Scalar => draw.value(0),
        Shape::Any => draw.value(3),
        Shape::AnyObject => {
            let count = draw.below(4);
            Json::Object((0..count).map(|_| (draw.name(), draw.value(2))).collect())
        }
        Shape::List(list) => {
            let count = list.min + draw.below(3);
            Json::List((0..count).map(|_| value(draw, &list.items)).collect())
        }
        Shape::Map(map) => {
            let count = map.min + draw.below(3);
            let member = |_| (constrained(draw, map.names), value(draw, &map.values));
            Json::Object((0..count).map(member).collect())
        }
        Shape::Object(own) => object(draw, own),
        Shape::Variants(variants) => {
            let (case, shape) = draw.one_of(variants.cases);
            match (value(draw, &shape), variants.by) {
                (Json::Object(members), By::Value(name)) => with(members, name, case),
                (other, _) => other,
            }
        }
        Shape::Either(shapes) => {
            let shape = draw.one_of(shapes);
            value(draw, &shape)
        }
    }
}

/// The same members, one of which says what kind they are of.
fn with(mut members: Vec<(String, Json)>, name: &str, case: &str) -> Json {
    match members.iter_mut().find(|(own, _)| own == name) {
        Some((_, value)) => *value = Json::text(case),
        None => members.insert(0, (name.to_owned(), Json::text(case))),
    }
    Json::Object(members)
}

fn object(draw: &mut Draw<'_>, shape: &Object) -> Json {
    let mut members = Vec::new();
    for member in shape.all() {
        let is_there = match member.required {
            true => !draw.once_in(32),
            false => draw.below(2) == 1,
        };
        if is_there {
            members.push((member.name.to_owned(), value(draw, &member.shape)));
        }
    }
    if draw.once_in(32) {
        members.push((draw.name(), draw.value(1)));
    }
    Json::Object(members)
}

fn integer(draw: &mut Draw<'_>, low: i64, high: i64) -> Json {
    let number = match draw.below(6) {
        0 => low as f64,
        1 => high as f64,
        2 => low as f64 - 1.0,
        3 => low as f64 + 0.5,
        _ => (low as f64 + draw.below(300) as f64).min(high as f64),
    };
    Json::Number(number)
}

fn constrained(draw: &mut Draw<'_>, text: Text) -> String {
    let choice = |draw: &mut Draw<'_>, choices: &[&str]| draw.one_of(choices).to_owned();
    match text {
        Text::Length(..) => draw.text(6),
        Text::Id => choice(draw, &IDS),
        Text::ReasonCode | Text::RouteCode => format!("route.{}", choice(draw, &IDS)),
        Text::RelativePath => choice(draw, &PATHS),
        Text::Version => choice(draw, &VERSIONS),
        Text::FactPath => choice(draw, &["a", "a.0", "a..b", "-_.", "é"]),
        Text::Digest => choice(draw, &DIGESTS),
        Text::RouteId => choice(draw, &ROUTE_IDS),
        Text::DateTime => choice(draw, &TIMES),
        Text::Locator => choice(draw, &LOCATORS),
    }
}
