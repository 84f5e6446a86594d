//! The core schema of YAML 1.2: what the text of a scalar means. Numbers become doubles exactly as
//! JavaScript reads them. Knows nothing about places.

/// What a scalar means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    /// May be infinite or not a number; definitions refuse these.
    Number(f64),
    /// The text itself.
    String,
}

/// The meaning of a plain scalar without a tag.
pub(super) fn plain(text: &str) -> Scalar {
    // The order does not matter: no text has two of these forms. Most texts begin like no number.
    let named = null(text).or_else(|| boolean(text));
    if !text.starts_with([
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-', '+', '.',
    ]) {
        return named.unwrap_or(Scalar::String);
    }
    named
        .or_else(|| integer(text))
        .or_else(|| float(text))
        .unwrap_or(Scalar::String)
}

/// The meaning of a scalar with a tag, however it is quoted. A text without the form of its tag
/// stays a string, and so does a scalar with an unknown tag.
pub(super) fn tagged(tag: &str, text: &str) -> Scalar {
    let meaning = match tag {
        "tag:yaml.org,2002:null" => null(text),
        "tag:yaml.org,2002:bool" => boolean(text),
        "tag:yaml.org,2002:int" => integer(text),
        "tag:yaml.org,2002:float" => float(text),
        _ => None,
    };
    meaning.unwrap_or(Scalar::String)
}

fn null(text: &str) -> Option<Scalar> {
    matches!(text, "" | "~" | "null" | "Null" | "NULL").then_some(Scalar::Null)
}

fn boolean(text: &str) -> Option<Scalar> {
    match text {
        "true" | "True" | "TRUE" => Some(Scalar::Bool(true)),
        "false" | "False" | "FALSE" => Some(Scalar::Bool(false)),
        _ => None,
    }
}

/// `[-+]?[0-9]+`, `0o[0-7]+`, `0x[0-9a-fA-F]+`
fn integer(text: &str) -> Option<Scalar> {
    if let Some(digits) = text.strip_prefix("0o") {
        return power_of_two_radix(digits, 8).map(Scalar::Number);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return power_of_two_radix(digits, 16).map(Scalar::Number);
    }
    let digits = without_sign(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok().map(Scalar::Number)
}

/// `[-+]?\.inf`, `.nan`, and decimal fractions with a point, an exponent or both.
fn float(text: &str) -> Option<Scalar> {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Some(Scalar::Number(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => {
            return Some(Scalar::Number(f64::INFINITY));
        }
        "-.inf" | "-.Inf" | "-.INF" => return Some(Scalar::Number(f64::NEG_INFINITY)),
        _ => {}
    }
    let unsigned = without_sign(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(without_sign(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, fraction),
        // Digits alone are an integer, which is another tag.
        None if exponent.is_some() => (mantissa, ""),
        None => return None,
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mantissa_is_one = digits(whole) && digits(fraction) && whole.len() + fraction.len() > 0;
    let exponent_is_one = exponent.is_none_or(|text| !text.is_empty() && digits(text));
    if !mantissa_is_one || !exponent_is_one {
        return None;
    }
    // What has this form, `f64` parses; its rounding is exact.
    text.parse().ok().map(Scalar::Number)
}

fn without_sign(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// The digits of radix 8 or 16 as a double, rounded half to even as JavaScript does, whatever their
/// number.
fn power_of_two_radix(digits: &str, radix: u32) -> Option<f64> {
    let bits_per_digit = radix.trailing_zeros();
    let mut leading: u64 = 0;
    let mut dropped_bits: u32 = 0;
    let mut dropped_something = false;
    if digits.is_empty() {
        return None;
    }
    for digit in digits.chars() {
        let digit = digit.to_digit(radix)?;
        if leading >> (64 - bits_per_digit) == 0 {
            leading = leading << bits_per_digit | u64::from(digit);
        } else {
            // At least 60 leading bits are kept: of the rest it only matters whether it is zero.
            dropped_bits = dropped_bits.saturating_add(bits_per_digit);
            dropped_something |= digit != 0;
        }
    }
    // The lowest of 60 bits lies below the rounding position of a double, so it can stand for all
    // that was dropped.
    let rounded = (leading | u64::from(dropped_something)) as f64;
    let power = i32::try_from(dropped_bits).unwrap_or(i32::MAX);
    Some(times_power_of_two(rounded, power))
}

/// `value * 2^power`, exact or infinite. Not `powi`: that needs std and may round.
fn times_power_of_two(mut value: f64, power: i32) -> f64 {
    // Beyond this every value that is not zero is infinite.
    for _ in 0..power.min(1100) {
        value *= 2.0;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_forms_of_the_core_schema_are_special() {
        for text in [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "n",
            "1_000",
            "12:30",
            "2001-01-01",
            "0b1",
            "-0x1",
            "+0o7",
            "0o8",
            "0xg",
            "0x",
            "0o",
            "tRUE",
            "nULL",
            "Infinity",
            "NaN",
            "inf",
            "nan",
            "-.nan",
            "+.nan",
            ".",
            "+",
            "-",
            "+.",
            ".e1",
            "1e",
            "1e+",
            "e1",
            "1.2.3",
            "1e1e1",
            "1 ",
            "١",
            "--1",
            "<<",
            "=",
        ] {
            assert_eq!(plain(text), Scalar::String, "{text}");
        }
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(plain(text), Scalar::Null, "{text}");
        }
    }

    #[test]
    fn numbers_are_the_doubles_that_javascript_reads() {
        for (text, number) in [
            ("0", 0.0),
            ("007", 7.0),
            ("+12", 12.0),
            ("-12", -12.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("0o17", 15.0),
            ("0x1F", 31.0),
            ("0x20000000000001", 9_007_199_254_740_992.0),
            ("0x20000000000002", 9_007_199_254_740_994.0),
            ("0x20000000000003", 9_007_199_254_740_996.0),
            ("0x200000000000010000000001", 9.903_520_314_283_044e27),
            ("0x200000000000010000000000", 9.903_520_314_283_042e27),
            ("0xFFFFFFFFFFFFFFFFFF", 4.722_366_482_869_645e21),
            ("0o7777777777777777777777777", 3.777_893_186_295_716e22),
            ("0x00000000000000000000000000000000001", 1.0),
            (".5", 0.5),
            ("+.5", 0.5),
            ("1.", 1.0),
            ("1.e3", 1000.0),
            ("1E3", 1000.0),
            (".1e-2", 0.001),
            ("1e400", f64::INFINITY),
            ("-.inf", f64::NEG_INFINITY),
        ] {
            assert_eq!(plain(text), Scalar::Number(number), "{text}");
        }
        let Scalar::Number(zero) = plain("-0") else {
            panic!("-0 is a number");
        };
        assert!(zero == 0.0 && zero.is_sign_negative());
        assert!(matches!(plain(".NaN"), Scalar::Number(number) if number.is_nan()));
    }

    #[test]
    fn a_hexadecimal_number_of_any_length_takes_bounded_time() {
        let mut text = alloc::string::String::from("0x1");
        text.push_str(&"0".repeat(1 << 20));
        assert_eq!(plain(&text), Scalar::Number(f64::INFINITY));
    }

    #[test]
    fn a_tag_holds_for_texts_of_its_form_and_leaves_others_strings() {
        let core = |tag: &str, text: &str| tagged(&alloc::format!("tag:yaml.org,2002:{tag}"), text);
        assert_eq!(core("int", "7"), Scalar::Number(7.0));
        assert_eq!(core("int", "0x1f"), Scalar::Number(31.0));
        assert_eq!(core("int", "x"), Scalar::String);
        assert_eq!(core("float", "7.5"), Scalar::Number(7.5));
        assert_eq!(core("float", "7"), Scalar::String);
        assert_eq!(core("bool", "TRUE"), Scalar::Bool(true));
        assert_eq!(core("bool", "yes"), Scalar::String);
        assert_eq!(core("null", ""), Scalar::Null);
        assert_eq!(core("null", "x"), Scalar::String);
        assert_eq!(core("str", "7"), Scalar::String);
        assert_eq!(core("map", ""), Scalar::String);
        assert_eq!(tagged("!", "5"), Scalar::String);
        assert_eq!(tagged("!local", ""), Scalar::String);
    }
}
