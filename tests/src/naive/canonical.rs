//! Canonical JSON (spec 2.1) for names made of ASCII.

use std::cmp::Ordering;

use crate::json::{Json, quoted};

/// Characters that come before digits, in their order.
const PUNCTUATION: &str = "\t\n\u{b}\u{c}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// The canonical text of a value whose names are ASCII.
pub fn canonical(value: &Json) -> String {
    match value {
        Json::Null => "null".into(),
        Json::Bool(value) => value.to_string(),
        Json::Number(value) => number(*value),
        Json::Text(text) => quoted(text),
        Json::List(items) => {
            let items: Vec<_> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Json::Object(members) => {
            let mut members: Vec<&(String, Json)> = members.iter().collect();
            members.sort_by(|(a, _), (b, _)| match (array_index(a), array_index(b)) {
                (Some(a), Some(b)) => a.cmp(&b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => compare_names(a, b),
            });
            let members: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("{}:{}", quoted(name), canonical(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

fn array_index(name: &str) -> Option<u64> {
    let index: u64 = name.parse().ok()?;
    (index.to_string() == name && index <= 4_294_967_294).then_some(index)
}

/// The order of names made of ASCII.
pub fn compare_names(a: &str, b: &str) -> Ordering {
    let seen = |name: &str| -> Vec<char> { name.chars().filter(|&c| !ignorable(c)).collect() };
    let (a, b) = (seen(a), seen(b));
    let ranks = |name: &[char]| -> Vec<usize> { name.iter().map(|&c| rank(c)).collect() };
    let lower_first = || {
        let differing = a.iter().zip(&b).find(|(a, b)| a != b);
        differing.map_or(Ordering::Equal, |(a, _)| {
            if a.is_ascii_lowercase() {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        })
    };
    ranks(&a).cmp(&ranks(&b)).then_with(lower_first)
}

fn ignorable(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}')
}

fn rank(character: char) -> usize {
    match character {
        '0'..='9' => 100 + character as usize,
        letter if letter.is_ascii_alphabetic() => 200 + letter.to_ascii_lowercase() as usize,
        other => PUNCTUATION.find(other).unwrap_or(1_000 + other as usize),
    }
}

/// A number as ECMAScript prints it, from the shortest digits that Rust finds.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let count = digits.len() as i64;
    let point = exponent.parse::<i64>().unwrap_or(0) + 1;
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    let text = if count <= point && point <= 21 {
        format!("{digits}{}", zeros(point - count))
    } else if 0 < point && point <= 21 {
        let (whole, fraction) = digits.split_at(point as usize);
        format!("{whole}.{fraction}")
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", zeros(-point))
    } else {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() {
            String::new()
        } else {
            format!(".{rest}")
        };
        format!("{first}{rest}e{:+}", point - 1)
    };
    if value < 0.0 {
        format!("-{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_in_ecmascript() {
        for (value, text) in [
            (-0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (0.000001, "0.000001"),
            (1e-7, "1e-7"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn names_order_as_the_specification_works_it_out() {
        let names = [
            "9", "10", "-1", "01", "1.5", "_", "-", ".", "/", "a", "A", "b", "B",
        ];
        let mut shuffled = names;
        shuffled.reverse();
        let object = Json::Object(shuffled.map(|name| (name.into(), Json::Null)).to_vec());
        assert_eq!(
            canonical(&object),
            concat!(
                r#"{"9":null,"10":null,"_":null,"-":null,"-1":null,".":null,"/":null,"01":null,"#,
                r#""1.5":null,"a":null,"A":null,"b":null,"B":null}"#
            )
        );
    }
}
