//! What `pi --mode json` writes, read as it arrives (spec 8.5): lines of JSON, of which a few kinds matter.
//! Memory is bounded whatever is written. Knows nothing about processes.

use alloc::string::String;
use alloc::vec::Vec;

use super::cut;
use crate::json::{Object, Value};
use crate::pi::run::Usage;
use crate::pi::text;

/// Bytes of a line that has not ended, together with the bytes that have just arrived.
pub const LINE_BYTES: usize = 8 << 20;

/// Bytes of all messages that are kept for the shared messages of a node that adds everything it said.
const KEPT_BYTES: usize = 64 << 20;

/// What a kept message takes beside its text.
const MESSAGE_BYTES: usize = 128;

/// Bytes of a message of failure, and of the other words that are kept.
const FAILURE_BYTES: usize = 64 << 10;

/// More was written than can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMuch {
    /// In one line.
    Line,
    /// In messages that are to be shared.
    Messages,
}

/// Something that was said, for the shared messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// Whether a tool said it, and not the assistant.
    pub(super) by_tool: bool,
    /// The name of the tool.
    pub(super) name: Option<String>,
    /// What was said, cut to what may be shared.
    pub(super) text: String,
}

/// Reads events; holds what they came to so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// The beginning of a line whose end has not arrived.
    line: Vec<u8>,
    /// Bytes of each message that is kept; nothing where none are.
    kept_bytes: Option<u64>,
    /// How much more may be kept.
    room: usize,
    /// The text of the last assistant message that had one.
    pub(super) output: Option<String>,
    /// Why the last assistant message ended, if it said so.
    pub(super) stop_reason: Option<String>,
    /// The last message of failure. It outlives later messages that succeed.
    pub(super) error_message: Option<String>,
    /// The model that answered last.
    pub(super) model: Option<String>,
    /// What was said, where that is kept.
    pub(super) said: Vec<Said>,
}

impl Events {
    /// Keeps what is said, each message cut to so many bytes.
    pub(super) fn keeping(bytes: Option<u64>) -> Self {
        Self {
            kept_bytes: bytes,
            room: KEPT_BYTES,
            ..Self::default()
        }
    }

    /// Reads what has arrived. `turn` is told what each message of the model used.
    pub(super) fn read(
        &mut self,
        chunk: &[u8],
        turn: &mut dyn FnMut(Usage),
    ) -> Result<(), TooMuch> {
        if self.line.len().saturating_add(chunk.len()) > LINE_BYTES {
            return Err(TooMuch::Line);
        }
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                self.event(line, turn)?;
            } else {
                let mut whole = core::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                self.event(&whole, turn)?;
            }
        }
        self.line.extend_from_slice(rest);
        Ok(())
    }

    /// Reads a last line that has no end.
    pub(super) fn finish(&mut self, turn: &mut dyn FnMut(Usage)) -> Result<(), TooMuch> {
        let line = core::mem::take(&mut self.line);
        self.event(&line, turn)
    }

    fn event(&mut self, line: &[u8], turn: &mut dyn FnMut(Usage)) -> Result<(), TooMuch> {
        let line = String::from_utf8_lossy(line);
        let Some(Value::Object(event)) = parse(text::trim(&line)) else {
            return Ok(());
        };
        let Some(message) = event.get("message").and_then(Value::as_object) else {
            return Ok(());
        };
        let kind = event.get("type").and_then(Value::as_str);
        match (kind, message.get("role").and_then(Value::as_str)) {
            (Some("tool_result_end"), _) | (_, Some("toolResult" | "tool")) => {
                let name = ["toolName", "name"].into_iter();
                let name = name.filter_map(|name| message.get(name)?.as_str());
                let name = name
                    .filter(|name| !name.is_empty())
                    .map(String::from)
                    .next();
                match said(message) {
                    Some(text) => self.keep(true, name, &text),
                    None => Ok(()),
                }
            }
            (Some("message_end"), Some("assistant")) => {
                self.assistant(message)?;
                turn(self.used(message));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn assistant(&mut self, message: &Object) -> Result<(), TooMuch> {
        let replace = |name: &str, old: &mut Option<String>| {
            if let Some(new) = message.get(name).and_then(Value::as_str) {
                *old = Some(cut::beginning(new, FAILURE_BYTES).into());
            }
        };
        replace("stopReason", &mut self.stop_reason);
        replace("errorMessage", &mut self.error_message);
        replace("model", &mut self.model);
        if let Some(text) = said(message) {
            self.keep(false, None, &text)?;
            self.output = Some(text);
        }
        Ok(())
    }

    fn keep(&mut self, by_tool: bool, name: Option<String>, text: &str) -> Result<(), TooMuch> {
        let Some(bytes) = self.kept_bytes else {
            return Ok(());
        };
        if text::is_blank(text) {
            return Ok(());
        }
        let text = cut::head(text, bytes);
        let name_bytes = name.as_ref().map_or(0, String::len);
        let taken = MESSAGE_BYTES + name_bytes + text.len();
        self.room = self.room.checked_sub(taken).ok_or(TooMuch::Messages)?;
        self.said.push(Said {
            by_tool,
            name,
            text: text.into(),
        });
        Ok(())
    }

    /// What a message of the model used. It is one turn even where it does not say.
    fn used(&self, message: &Object) -> Usage {
        let usage = message.get("usage").and_then(Value::as_object);
        let number = |name: &str| usage.and_then(|usage| usage.get(name)?.as_number());
        let tokens = |name: &str| count(number(name).unwrap_or(0.0));
        let cost =
            usage.and_then(|usage| usage.get("cost")?.as_object()?.get("total")?.as_number());
        Usage {
            input_tokens: tokens("input"),
            output_tokens: tokens("output"),
            cache_read_tokens: tokens("cacheRead"),
            cache_write_tokens: tokens("cacheWrite"),
            turns: 1,
            cost_usd: cost.unwrap_or(0.0).max(0.0),
            model: self.model.clone(),
        }
    }
}

/// A number of tokens: whole, not negative, in doubt one more.
fn count(tokens: f64) -> u64 {
    // The conversion stays in range; what is negative or no number becomes nothing.
    let whole = tokens as u64;
    whole.saturating_add(u64::from((whole as f64) < tokens))
}

/// The text of a message: its content, or the text items of it.
fn said(message: &Object) -> Option<String> {
    let items = match message.get("content")? {
        Value::String(text) => return Some(text.clone()),
        Value::Array(items) => items,
        _ => return None,
    };
    let texts = items.iter().filter_map(|item| {
        let item = item.as_object()?;
        let is_text = item.get("type")?.as_str()? == "text";
        item.get("text").filter(|_| is_text)?.as_str()
    });
    let texts: Vec<&str> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The value of a line. Texts that were cut within a character hold escapes of one half; such a half is read
/// as the replacement character, because the event counts all the same.
fn parse(line: &str) -> Option<Value> {
    match Value::from_json(line) {
        Ok(value) => Some(value),
        Err(_) if line.contains("\\u") => Value::from_json(&with_whole_characters(line)).ok(),
        Err(_) => None,
    }
}

/// JSON text in which escapes of half a surrogate pair are replaced.
fn with_whole_characters(line: &str) -> String {
    const REPLACEMENT: &str = "\\ufffd";
    let mut whole = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let unit = unit(escape);
        let next = unit.and_then(|_| self::unit(escape.get(6..)?));
        let (length, is_half) = match (unit, next) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, false),
            (Some(0xd800..=0xdfff), _) => (6, true),
            (Some(_), _) => (6, false),
            // Another escape, of two characters; the second may be a backslash.
            (None, _) => (1 + escape.chars().nth(1).map_or(0, char::len_utf8), false),
        };
        let (escape, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        whole.push_str(if is_half { REPLACEMENT } else { escape });
        rest = after;
    }
    whole.push_str(rest);
    whole
}

/// The code unit of an escape at the beginning of a text.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn read(events: &mut Events, chunks: &[&[u8]]) -> Vec<Usage> {
        let mut turns = Vec::new();
        let mut turn = |usage| turns.push(usage);
        for chunk in chunks {
            events.read(chunk, &mut turn).unwrap();
        }
        events.finish(&mut turn).unwrap();
        turns
    }

    fn assistant(text: &str) -> String {
        format!(
            r#"{{"type":"message_end","message":{{"role":"assistant","content":"{text}","stopReason":"stop"}}}}"#
        )
    }

    #[test]
    fn a_stream_reads_the_same_however_it_is_cut() {
        let stream = format!("noise\n{}\r\n\n{}", assistant("é中😀"), assistant("zwei"));
        let mut expected = Events::keeping(Some(100));
        let turns = read(&mut expected, &[stream.as_bytes()]);
        assert_eq!(turns.len(), 2);
        assert_eq!(expected.output.as_deref(), Some("zwei"));
        assert_eq!(expected.said.first().unwrap().text, "é中😀");
        for size in 1..40 {
            let chunks: Vec<&[u8]> = stream.as_bytes().chunks(size).collect();
            let mut events = Events::keeping(Some(100));
            assert_eq!(read(&mut events, &chunks), turns, "{size}");
            assert_eq!(events.said, expected.said, "{size}");
        }
    }

    #[test]
    fn a_line_without_end_is_given_up_before_it_is_too_long() {
        let mut events = Events::default();
        let chunk = [b'x'; 64 << 10];
        let mut chunks = 0;
        while events.read(&chunk, &mut |_| ()).is_ok() {
            chunks += 1;
        }
        assert_eq!(chunks, LINE_BYTES / chunk.len());
        assert_eq!(events.line.len(), LINE_BYTES);
    }

    #[test]
    fn messages_are_kept_up_to_a_limit_however_many_there_are() {
        let mut events = Events {
            room: 10 * (MESSAGE_BYTES + 1),
            ..Events::keeping(Some(1))
        };
        let line = r#"{"type":"x","message":{"role":"tool","content":"t"}}"#.as_bytes();
        let line = [line, b"\n"].concat();
        assert_eq!(events.read(&line.repeat(10), &mut |_| ()), Ok(()));
        assert_eq!(events.read(&line, &mut |_| ()), Err(TooMuch::Messages));
        assert_eq!(events.said.len(), 10);
    }

    #[test]
    fn half_a_character_does_not_lose_the_message() {
        let mut events = Events::default();
        let line = assistant(r"a\ud83d b\\ud83d \udE00\n \ud83d\ude00 \u00e9\ud83d");
        assert_eq!(read(&mut events, &[line.as_bytes()]).len(), 1);
        let expected = "a\u{fffd} b\\ud83d \u{fffd}\n 😀 é\u{fffd}";
        assert_eq!(events.output.as_deref(), Some(expected));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_lines_that_are_no_events_ignored() {
        let mut events = Events::default();
        let line = assistant("a?b").into_bytes();
        let line: Vec<u8> = line
            .into_iter()
            .map(|byte| if byte == b'?' { 0xff } else { byte })
            .collect();
        let noise = b"\xff\xfe\n\\u\n{\"message\":{\"role\":\"\\ud800\n[[[\n";
        assert_eq!(read(&mut events, &[noise, &line]).len(), 1);
        assert_eq!(events.output.as_deref(), Some("a\u{fffd}b"));
    }

    #[test]
    fn counts_are_whole_and_never_negative() {
        for (tokens, expected) in [
            (-3.0, 0),
            (0.0, 0),
            (1.5, 2),
            (7.0, 7),
            (f64::NAN, 0),
            (1e300, u64::MAX),
        ] {
            assert_eq!(count(tokens), expected, "{tokens}");
        }
    }
}
