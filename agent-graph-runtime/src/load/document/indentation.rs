//! Indentation rules of YAML that the parser does not enforce: tabs never indent, and what spans
//! several lines is indented deeper than the block it belongs to. Looks at text and offsets only.

/// Whether the block collection that begins at `start` is indented by a tab.
pub(super) fn begins_behind_tab(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or("");
    before
        .bytes()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .any(|byte| byte == b'\t')
}

/// The first tab in the indentation of a line, from the line of `at` on.
pub(super) fn tab_from(text: &str, at: usize) -> Option<usize> {
    let before = text.get(..at)?;
    let mut line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    for line in text.get(line_start..)?.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t']);
        let indentation = line.len() - content.len();
        if let Some(tab) = line.get(..indentation).and_then(|it| it.find('\t')) {
            return Some(line_start + tab);
        }
        line_start += line.len();
    }
    None
}

/// What spans several lines inside a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spanning {
    /// A quoted scalar: every line with content counts.
    Quoted,
    /// A sequence or mapping in brackets: comments do not count, and the closing bracket may stand
    /// at the indentation of the block.
    Brackets,
}

/// The offset of the first line of `text[start..end]` after its first one that is indented less than
/// `least` spaces.
pub(super) fn first_shallow_line(
    text: &str,
    start: usize,
    end: usize,
    least: usize,
    spanning: Spanning,
) -> Option<usize> {
    let inside = text.get(start..end).unwrap_or("");
    let mut line_start = start;
    for line in inside.split_inclusive('\n') {
        let this_line = line_start;
        line_start += line.len();
        if this_line == start {
            continue;
        }
        let content = line.trim_start_matches([' ', '\t']);
        let spaces = line.len() - line.trim_start_matches(' ').len();
        if spaces >= least || matches!(content, "" | "\n" | "\r\n") {
            continue;
        }
        let content_start = this_line + line.len() - content.len();
        let is_closing_bracket = content_start + 1 == end && spaces + 1 == least;
        if spanning == Spanning::Brackets && (content.starts_with('#') || is_closing_bracket) {
            continue;
        }
        return Some(content_start);
    }
    None
}

/// The indentation of the block sequence that begins at `start`, column `column`, as the value of a
/// key at column `key_column`. The parser lets a sequence without indentation of its own begin with
/// its first entry instead of the dash before it.
pub(super) fn of_sequence(text: &str, start: usize, column: usize, key_column: usize) -> usize {
    let rest = text.get(start..).unwrap_or("");
    let begins_with_dash = rest
        .strip_prefix('-')
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']));
    if !begins_with_dash {
        return key_column;
    }
    let before = text.get(..start).unwrap_or("");
    let before = before.trim_end_matches([' ', '\t', '\r', '\n']);
    let line = before.rsplit('\n').next().unwrap_or(before);
    // Behind a comment the dash before cannot be told from the text of the comment; the smaller
    // indentation refuses nothing that is right.
    if before.ends_with('-') || line.contains('#') {
        return key_column;
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_without_indentation_of_its_own_has_that_of_the_key() {
        assert_eq!(of_sequence("a:\n- x\n", 5, 2, 0), 0);
        assert_eq!(of_sequence("a:\n- - x\n", 5, 2, 0), 0);
        assert_eq!(of_sequence("a:\n-\n  - x\n", 7, 2, 0), 0);
        assert_eq!(of_sequence("a:\n  - x\n", 5, 2, 0), 2);
        assert_eq!(of_sequence("a: # c\n  - x\n", 9, 2, 0), 0);
    }

    #[test]
    fn blank_lines_and_comments_and_the_closing_bracket_may_be_shallow() {
        let flow = "[\n  1,\n# c\n\n  2\n]";
        assert_eq!(
            first_shallow_line(flow, 0, flow.len(), 1, Spanning::Brackets),
            None
        );
        let shallow = "[\n  1,\n2\n]";
        assert_eq!(
            first_shallow_line(shallow, 0, shallow.len(), 1, Spanning::Brackets),
            Some(7)
        );
        let quoted = "'a\n\n b\n# c'";
        assert_eq!(
            first_shallow_line(quoted, 0, quoted.len(), 1, Spanning::Quoted),
            Some(7)
        );
    }
}
