//! Writes a picture as SVG: no script, no fonts to fetch, no ids, every text escaped. Knows coordinates and SVG,
//! nothing about graphs.

use std::fmt::Write;

use super::diagram::{Line, Mark, Shape};
use super::drawing::{Picture, PlacedEdge, PlacedNode, Rectangle};
use super::legend::{Legend, Sample};
use super::measure::{FONT, LINE, Text};
use super::shape::{Step, path};
use super::wire::{HEAD, Wire};

/// Alone, the picture follows the reader's scheme; in a page, its colours are those of the text around it. The
/// colours of marks stand out on light and dark alike.
const STYLE: &str = "svg:root.agent-graph{color-scheme:light dark;color:CanvasText;background:Canvas}\
.agent-graph text{font-family:ui-sans-serif,system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\
.agent-graph .done{color:#2c9459}.agent-graph .next{color:#2a7ade}\
.agent-graph .waiting{color:#bb7d00}.agent-graph .blocked{color:#d64545}";

impl Picture {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let mut out = Writer::default();
        let (width, height) = (number(self.width), number(self.height));
        let name = escaped(&self.name);
        out.line(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"agent-graph\" role=\"img\" \
             aria-label=\"{name}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"{FONT}\" fill=\"none\" stroke-width=\"1.5\">"
        ));
        out.line(&format!("<style>{STYLE}</style>"));
        for (at, text) in &self.title {
            out.text(at.x, at.y, "start", text);
        }
        for edge in &self.edges {
            out.edge(edge);
        }
        for node in &self.nodes {
            out.node(node);
        }
        for item in &self.legend {
            out.legend(item);
        }
        out.line("</svg>");
        out.0
    }
}

/// The number with at most one digit behind the point, so that it is short and the same everywhere.
pub(super) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round();
    let rounded = tenths / 10.0;
    // No minus before nothing.
    let rounded = if rounded == 0.0 { 0.0 } else { rounded };
    format!("{rounded}")
}

/// Text that stays text: markup is spelled out, and what XML cannot hold or what would reorder the text around
/// it is replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push('\u{fffd}');
            }
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[derive(Default)]
struct Writer(String);

impl Writer {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// A line of text; `y` is where its room begins.
    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &Text) {
        let weight = if text.bold {
            " font-weight=\"bold\""
        } else {
            ""
        };
        let (x, y) = (number(x), number(y + LINE * 0.76));
        let text = escaped(&text.text);
        // Writing to a string does not fail.
        let _ = writeln!(
            self.0,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"currentColor\"{weight}>{text}</text>"
        );
    }

    /// Lines in the middle of a box.
    fn lines(&mut self, at: &Rectangle, right: f64, lines: &[Text]) {
        let (x, y) = at.middle();
        let top = y - lines.len() as f64 * LINE / 2.0;
        for (row, line) in lines.iter().enumerate() {
            self.text(x - right, top + row as f64 * LINE, "middle", line);
        }
    }

    fn node(&mut self, node: &PlacedNode) {
        let faint = if node.mark == Mark::Ahead {
            " opacity=\"0.55\""
        } else {
            ""
        };
        self.line(&format!("<g{faint}>"));
        self.outline(node.shape, node.mark, &node.at);
        let (beside, _) = node.shape.padding();
        let shift = if node.mark.has_sign() { 11.0 } else { 0.0 };
        self.lines(&node.at, shift, &node.lines);
        if node.mark.has_sign() {
            let (x, y) = (node.at.right() - beside.min(20.0) - 2.0, node.at.middle().1);
            self.sign(node.mark, x, y);
        }
        self.line("</g>");
    }

    fn outline(&mut self, shape: Shape, mark: Mark, at: &Rectangle) {
        let outline = shape.outline(at);
        let class = match class(mark) {
            "" => String::new(),
            class => format!(" class=\"{class}\""),
        };
        let (wide, fill) = match mark {
            Mark::None | Mark::Ahead => (1.5, 0.05),
            Mark::Done => (1.5, 0.12),
            Mark::Next | Mark::Waiting | Mark::Blocked => (3.0, 0.16),
        };
        // What is open has no inside.
        let open = matches!(shape, Shape::Entry | Shape::Barrier);
        let fill = if open { 0.0 } else { fill };
        let dash = if shape == Shape::Graph {
            " stroke-dasharray=\"6 3\""
        } else {
            ""
        };
        self.line(&format!(
            "<path{class} d=\"{outline}\" fill=\"currentColor\" fill-opacity=\"{fill}\" \
             stroke=\"currentColor\" stroke-width=\"{wide}\"{dash}/>"
        ));
    }

    fn sign(&mut self, mark: Mark, x: f64, y: f64) {
        let fill = if mark == Mark::Next {
            "currentColor"
        } else {
            "none"
        };
        self.line(&format!(
            "<path class=\"{}\" d=\"{}\" fill=\"{fill}\" stroke=\"currentColor\" stroke-width=\"2.5\"/>",
            class(mark),
            mark.sign(x, y)
        ));
    }

    fn edge(&mut self, edge: &PlacedEdge) {
        match &edge.wire {
            Wire::Through { strokes, tip, down } => {
                for stroke in strokes {
                    self.stroke(edge.line, &bent(stroke));
                }
                let towards = if *down { (0.0, 1.0) } else { (0.0, -1.0) };
                self.head(edge.line, *tip, towards);
            }
            Wire::Loop { x, y, reach } => {
                let data = format!(
                    "M{} {}C{} {} {} {} {} {}",
                    number(*x),
                    number(y - 8.0),
                    number(reach + 2.0),
                    number(y - 12.0),
                    number(reach + 2.0),
                    number(y + 12.0),
                    number(x + HEAD),
                    number(y + 8.0)
                );
                self.stroke(edge.line, &data);
                self.head(edge.line, (*x, y + 8.0), (-1.0, 0.0));
            }
        }
        if let Some((at, lines)) = &edge.label {
            self.lines(at, 0.0, lines);
        }
    }

    fn stroke(&mut self, line: Line, data: &str) {
        let dashes = match line {
            Line::Plain => "",
            Line::Conditional => " stroke-dasharray=\"7 4\"",
            Line::Repeat => " stroke-dasharray=\"9 3 2 3\"",
            Line::Call => " stroke-dasharray=\"2 3\"",
        };
        self.line(&format!(
            "<path d=\"{data}\" stroke=\"currentColor\"{dashes}/>"
        ));
    }

    /// A head that points to `tip`: filled, but hollow for a repeat, a barb for a condition, a diamond for a call.
    fn head(&mut self, line: Line, tip: (f64, f64), towards: (f64, f64)) {
        // From the tip: back, and to the side.
        let at = |back: f64, side: f64| {
            let (x, y) = towards;
            (tip.0 - x * back + y * side, tip.1 - y * back + x * side)
        };
        let points = match line {
            Line::Plain | Line::Repeat => vec![at(0.0, 0.0), at(HEAD, 4.5), at(HEAD, -4.5)],
            Line::Conditional => vec![
                at(0.0, 0.0),
                at(HEAD + 2.0, 5.5),
                at(HEAD - 3.0, 0.0),
                at(HEAD + 2.0, -5.5),
            ],
            Line::Call => vec![
                at(0.0, 0.0),
                at(HEAD / 2.0, 4.0),
                at(HEAD, 0.0),
                at(HEAD / 2.0, -4.0),
            ],
        };
        let mut steps: Vec<Step> = Vec::new();
        for (index, (x, y)) in points.into_iter().enumerate() {
            steps.push(if index == 0 {
                Step::Move(x, y)
            } else {
                Step::Line(x, y)
            });
        }
        steps.push(Step::Close);
        let fill = match line {
            Line::Plain | Line::Conditional => "currentColor",
            Line::Repeat | Line::Call => "none",
        };
        self.line(&format!(
            "<path d=\"{}\" fill=\"{fill}\" stroke=\"currentColor\"/>",
            path(&steps)
        ));
    }

    fn legend(&mut self, item: &Legend) {
        let at = item.sample_at();
        let (_, middle) = at.middle();
        match item.sample {
            Sample::Shape(shape) => self.outline(shape, Mark::None, &at),
            Sample::Line(line) => {
                let end = at.right();
                let base = number(end - HEAD);
                let middle_text = number(middle);
                self.stroke(
                    line,
                    &format!("M{} {middle_text}L{base} {middle_text}", number(at.x)),
                );
                self.head(line, (end, middle), (1.0, 0.0));
            }
            Sample::Mark(Mark::Ahead) => {
                self.line("<g opacity=\"0.55\">");
                self.outline(Shape::Action, Mark::None, &at);
                self.line("</g>");
            }
            Sample::Mark(mark) => {
                self.outline(Shape::Action, mark, &at);
                self.sign(mark, at.middle().0, middle);
            }
        }
        self.text(item.word_at(), middle - LINE / 2.0, "start", &item.word);
    }
}

/// Straight where two points are one below the other, bent where they are not.
fn bent(stroke: &[(f64, f64)]) -> String {
    let mut steps = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    for &(x, y) in stroke {
        steps.push(match before {
            None => Step::Move(x, y),
            Some((from, _)) if (from - x).abs() < 0.05 => Step::Line(x, y),
            Some(from) => Step::Bend(from, (x, y)),
        });
        before = Some((x, y));
    }
    path(&steps)
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::None | Mark::Ahead => "",
        Mark::Done => "done",
        Mark::Next => "next",
        Mark::Waiting => "waiting",
        Mark::Blocked => "blocked",
    }
}
