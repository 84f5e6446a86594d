//! How much room text takes, by estimate: as wide as in the widest of the usual fonts, so that text fits its
//! box whatever font it is shown in. Knows characters, nothing about what is written.

/// Size of the text of a node and of an edge.
pub(super) const FONT: f64 = 13.0;
/// From one line to the next.
pub(super) const LINE: f64 = 17.0;

/// A line of text with its looks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) bold: bool,
}

impl Text {
    pub(super) fn width(&self) -> f64 {
        width(&self.text, self.bold)
    }
}

/// The width of a line at [`FONT`].
pub(super) fn width(text: &str, bold: bool) -> f64 {
    let ems: f64 = text.chars().map(ems).sum();
    ems * FONT * if bold { 1.14 } else { 1.0 }
}

fn ems(character: char) -> f64 {
    match character {
        ' ' | 'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' => 0.34,
        't' | 'f' | 'r' | 'I' | '!' | '(' | ')' | '[' | ']' | '/' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        'A'..='Z' | '&' | '#' => 0.79,
        '\u{0}'..='\u{7f}' => 0.65,
        '\u{80}'..='\u{10ff}' => 0.85,
        // Ideographs and pictures.
        _ => 1.25,
    }
}

/// The text on at most `most` lines of at most this width; what does not fit ends in an ellipsis.
pub(super) fn wrap(text: &str, bold: bool, widest: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut left_out = false;
    for piece in pieces(text, bold, widest) {
        let gap = if line.is_empty() || piece.glued {
            ""
        } else {
            " "
        };
        if width(&line, bold) + width(gap, bold) + width(&piece.text, bold) <= widest {
            line.push_str(gap);
            line.push_str(&piece.text);
            continue;
        }
        if lines.len() + 1 >= most {
            left_out = true;
            break;
        }
        lines.push(core::mem::replace(&mut line, piece.text));
    }
    if left_out {
        while !line.is_empty() && width(&line, bold) + width("…", bold) > widest {
            line.pop();
        }
        line.push('…');
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// A word, or a part of one that is wider than a line.
struct Piece {
    text: String,
    /// Whether it goes on where the piece before it ended.
    glued: bool,
}

fn pieces(text: &str, bold: bool, widest: f64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for word in text.split_whitespace() {
        let mut piece = Piece {
            text: String::new(),
            glued: false,
        };
        let mut taken = 0.0;
        for character in word.chars() {
            let next = width(character.encode_utf8(&mut [0; 4]), bold);
            if taken + next > widest && !piece.text.is_empty() {
                let glued = Piece {
                    text: String::new(),
                    glued: true,
                };
                pieces.push(core::mem::replace(&mut piece, glued));
                taken = 0.0;
            }
            piece.text.push(character);
            taken += next;
            // Ids have no blanks; they break best behind what separates their parts.
            if matches!(character, '.' | '-' | '_' | '/') {
                let glued = Piece {
                    text: String::new(),
                    glued: true,
                };
                pieces.push(core::mem::replace(&mut piece, glued));
                taken = 0.0;
            }
        }
        if !piece.text.is_empty() {
            pieces.push(piece);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_wider_than_asked_and_no_letter_is_lost() {
        let text = "Build the package-of-everything.with_a_very/long-name, averyveryverylongwordwithoutend";
        let lines = wrap(text, false, 120.0, 100);
        assert!(lines.len() > 3);
        assert!(lines.iter().all(|line| width(line, false) <= 120.0));
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(letters(&lines.concat()), letters(text));
    }

    #[test]
    fn what_does_not_fit_ends_in_an_ellipsis() {
        assert_eq!(wrap("one two three", false, 30.0, 2), ["one", "t…"]);
        assert_eq!(wrap("", true, 30.0, 2), [""; 0]);
    }
}
