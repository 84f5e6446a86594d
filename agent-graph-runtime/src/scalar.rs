//! The string constraints of the protocol (spec 1.1) that matter at run time as well as in definitions.
//! Knows single strings only.

/// The longest id or reason code, in characters.
pub(crate) const ID_LENGTH: usize = 160;

/// `^[a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?$`, at most 160 characters.
pub(crate) fn is_id(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return false;
    };
    bytes.len() <= ID_LENGTH
        && is_id_end(*first)
        && is_id_end(*last)
        && bytes
            .iter()
            .all(|&byte| is_id_end(byte) || matches!(byte, b'.' | b'_' | b'/' | b'-'))
}

fn is_id_end(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Three numbers without leading zeros, then maybe `-` and a pre-release.
pub(crate) fn is_version(text: &str) -> bool {
    let (core, pre_release) = match text.split_once('-') {
        Some((core, pre_release)) => (core, Some(pre_release)),
        None => (text, None),
    };
    let mut parts = core.split('.');
    let numbers = parts
        .by_ref()
        .take(3)
        .filter(|part| is_number(part))
        .count();
    numbers == 3
        && parts.next().is_none()
        && pre_release.is_none_or(|text| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        })
}

/// `0|[1-9][0-9]*`
pub(crate) fn is_number(text: &str) -> bool {
    text == "0"
        || (!text.is_empty() && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()))
}
