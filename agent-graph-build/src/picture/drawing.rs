//! A diagram with everything in its place: boxes, wires, title and legend in pixels. Knows no output format.

use agent_graph_runtime::{Code, Error, Step};

use super::diagram::{Diagram, Line, Mark, Node, Shape};
use super::layout::{self, Layout, Link};
use super::legend::{self, Legend};
use super::measure::{LINE, Text, width, wrap};
use super::wire::Wire;

/// The most nodes of a picture, entries and called graphs included: the time of a layout grows with their
/// square and more, and nobody can read a larger picture.
pub const NODE_LIMIT: usize = 200;
/// The most edges of a picture.
pub const EDGE_LIMIT: usize = 400;

/// Blank all around.
pub(super) const MARGIN: f64 = 16.0;
/// The widest line in a node.
const WIDEST: f64 = 190.0;
/// The widest line of a label at an edge.
const WIDEST_LABEL: f64 = 130.0;
/// Lines of one note, and of a label.
const MOST_LINES: usize = 3;
/// The least width of what is written above and below the graph.
const LEAST_WIDTH: f64 = 360.0;

/// A rectangle; `x` and `y` are its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rectangle {
    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub(super) fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// A node in its place.
#[derive(Clone, Debug)]
pub(super) struct PlacedNode {
    pub(super) shape: Shape,
    pub(super) mark: Mark,
    pub(super) at: Rectangle,
    pub(super) lines: Vec<Text>,
}

/// An edge in its place.
#[derive(Clone, Debug)]
pub(super) struct PlacedEdge {
    pub(super) line: Line,
    pub(super) wire: Wire,
    /// Its label, which stands in a gap of the wire.
    pub(super) label: Option<(Rectangle, Vec<Text>)>,
}

/// A graph laid out, in pixels. The same diagram is always laid out the same way.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(super) width: f64,
    pub(super) height: f64,
    /// For those who cannot see it.
    pub(super) name: String,
    pub(super) title: Vec<(Rectangle, Text)>,
    pub(super) nodes: Vec<PlacedNode>,
    pub(super) edges: Vec<PlacedEdge>,
    pub(super) legend: Vec<Legend>,
}

/// The box that a text of a picture has for itself, in pixels from the upper left corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What is written there; lines are joined by blanks.
    pub text: String,
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

impl Picture {
    /// Lays the diagrams out, one below the other, with one legend.
    ///
    /// # Errors
    ///
    /// [`Code::PictureTooLarge`] when they have more than [`NODE_LIMIT`] nodes or [`EDGE_LIMIT`] edges
    /// together, entries and called graphs included.
    pub fn of(diagrams: &[Diagram]) -> Result<Self, Error> {
        Self::of_watched(diagrams, &mut |_| ())
    }

    /// The same, and tells `watch` how far it is.
    ///
    /// # Errors
    ///
    /// As [`Picture::of`].
    pub fn of_watched(
        diagrams: &[Diagram],
        watch: &mut dyn FnMut(Step<'_>),
    ) -> Result<Self, Error> {
        bounded(diagrams)?;
        let panels = (1..).zip(diagrams).map(|(number, diagram)| {
            watch(Step::counted("laying out graph", number, diagrams.len()));
            Panel::of(diagram)
        });
        let panels: Vec<Panel> = panels.collect();
        let inner = panels.iter().map(|panel| panel.width).fold(0.0, f64::max);
        let mut picture = Self {
            width: 0.0,
            height: 0.0,
            name: names(diagrams),
            title: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            legend: Vec::new(),
        };
        let mut top = MARGIN;
        for panel in panels {
            let height = panel.height;
            picture.add(panel, inner, top);
            top += height + 2.0 * LINE;
        }
        let (legend, legend_width, bottom) = legend::legend(diagrams, inner.max(LEAST_WIDTH), top);
        let legend = legend.into_iter().map(|item| item.moved(MARGIN, 0.0));
        picture.legend = legend.collect();
        picture.width = (inner.max(legend_width) + 2.0 * MARGIN).ceil();
        picture.height = (bottom + MARGIN).ceil();
        Ok(picture)
    }

    /// Adds a panel below `top`, in the middle of a column of this width.
    fn add(&mut self, panel: Panel, inner: f64, top: f64) {
        let (right, down) = (
            MARGIN + (inner - panel.layout.width) / 2.0,
            top + panel.above,
        );
        self.title.extend(moved(panel.title, MARGIN, top));
        self.nodes
            .extend(panel.nodes.into_iter().map(|node| PlacedNode {
                at: node.at.moved(right, down),
                ..node
            }));
        let edges = panel.lines.into_iter().zip(panel.layout.wires);
        self.edges
            .extend(edges.map(|((line, lines), (wire, at))| PlacedEdge {
                line,
                wire: wire.moved(right, down),
                label: at.map(|at| (at.moved(right, down), lines)),
            }));
    }
}

/// One diagram laid out, from the upper left corner of nothing.
struct Panel {
    title: Vec<(Rectangle, Text)>,
    /// Where the graph begins below the title.
    above: f64,
    width: f64,
    height: f64,
    nodes: Vec<PlacedNode>,
    /// The line and the label of each edge.
    lines: Vec<(Line, Vec<Text>)>,
    layout: Layout,
}

impl Panel {
    fn of(diagram: &Diagram) -> Self {
        let contents: Vec<(Vec<Text>, (f64, f64))> = diagram.nodes.iter().map(content).collect();
        let sizes: Vec<(f64, f64)> = contents.iter().map(|(_, size)| *size).collect();
        let edges = diagram.edges.iter();
        let lines: Vec<(Line, Vec<Text>)> =
            edges.map(|edge| (edge.line, label(&edge.label))).collect();
        let links = diagram.edges.iter().zip(&lines);
        let links: Vec<Link> = links
            .map(|(edge, (line, label))| Link {
                from: edge.from,
                to: edge.to,
                label: room(label),
                back: *line == Line::Repeat,
            })
            .collect();
        let layout = layout::layout(&sizes, &links);
        let title = written_above(diagram, layout.width.max(LEAST_WIDTH));
        let above = title.last().map_or(0.0, |(at, _)| at.bottom() + LINE);
        let title_width = title.iter().map(|(at, _)| at.width).fold(0.0, f64::max);
        let placed = layout.nodes.iter().zip(contents).zip(&diagram.nodes);
        Self {
            above,
            width: layout.width.max(title_width),
            height: above + layout.height,
            nodes: placed
                .map(|((at, (lines, _)), node)| PlacedNode {
                    shape: node.shape,
                    mark: node.mark,
                    at: *at,
                    lines,
                })
                .collect(),
            title,
            lines,
            layout,
        }
    }
}

/// The title and the description, from the upper left corner of nothing.
fn written_above(diagram: &Diagram, widest: f64) -> Vec<(Rectangle, Text)> {
    let mut above = lines(&diagram.title, true, widest, MOST_LINES);
    above.extend(lines(&diagram.description, false, widest, MOST_LINES));
    stacked(above)
}

fn bounded(diagrams: &[Diagram]) -> Result<(), Error> {
    let nodes: usize = diagrams.iter().map(|diagram| diagram.nodes.len()).sum();
    let edges: usize = diagrams.iter().map(|diagram| diagram.edges.len()).sum();
    if nodes <= NODE_LIMIT && edges <= EDGE_LIMIT {
        return Ok(());
    }
    let message = format!(
        "there are {nodes} boxes and {edges} edges; a picture has at most {NODE_LIMIT} and {EDGE_LIMIT}"
    );
    Err(Error::new(Code::PictureTooLarge, message))
}

fn names(diagrams: &[Diagram]) -> String {
    let titles = diagrams.iter().map(|diagram| diagram.title.as_str());
    let word = if diagrams.len() == 1 {
        "Graph"
    } else {
        "Graphs"
    };
    format!("{word} {}", titles.collect::<Vec<_>>().join(", "))
}

impl Picture {
    /// The boxes of everything that is written: no two meet, and all are inside the picture.
    pub fn labels(&self) -> Vec<Label> {
        let written = |at: &Rectangle, lines: &[Text]| Label {
            text: lines
                .iter()
                .map(|line| line.text.as_str())
                .collect::<Vec<_>>()
                .join(" "),
            x: at.x,
            y: at.y,
            width: at.width,
            height: at.height,
        };
        let title = self
            .title
            .iter()
            .map(|(at, text)| written(at, core::slice::from_ref(text)));
        let nodes = self.nodes.iter().map(|node| written(&node.at, &node.lines));
        let edges = self.edges.iter().filter_map(|edge| edge.label.as_ref());
        let edges = edges.map(|(at, lines)| written(at, lines));
        let legend = self
            .legend
            .iter()
            .map(|item| written(&item.at, core::slice::from_ref(&item.word)));
        title.chain(nodes).chain(edges).chain(legend).collect()
    }

    /// The width in pixels.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The height in pixels.
    pub fn height(&self) -> f64 {
        self.height
    }
}

impl Rectangle {
    pub(super) fn moved(mut self, right: f64, down: f64) -> Self {
        self.x += right;
        self.y += down;
        self
    }
}

fn moved(texts: Vec<(Rectangle, Text)>, right: f64, down: f64) -> Vec<(Rectangle, Text)> {
    let texts = texts.into_iter();
    texts
        .map(|(at, text)| (at.moved(right, down), text))
        .collect()
}

/// One line below the other.
fn stacked(lines: Vec<Text>) -> Vec<(Rectangle, Text)> {
    let at = |row: usize, text: &Text| Rectangle {
        x: 0.0,
        y: row as f64 * LINE,
        width: text.width(),
        height: LINE,
    };
    let lines = lines.into_iter().enumerate();
    lines.map(|(row, text)| (at(row, &text), text)).collect()
}

fn lines(text: &str, bold: bool, widest: f64, most: usize) -> Vec<Text> {
    let lines = wrap(text, bold, widest, most).into_iter();
    lines.map(|text| Text { text, bold }).collect()
}

/// What is written in a node, and the size of its outline.
fn content(node: &Node) -> (Vec<Text>, (f64, f64)) {
    let mut all = lines(&node.name, true, WIDEST, MOST_LINES);
    for note in &node.notes {
        all.extend(lines(note, false, WIDEST, MOST_LINES));
    }
    let (wide, high) = room(&all);
    let (beside, above) = node.shape.padding();
    let sign = if node.mark.has_sign() { 22.0 } else { 0.0 };
    let least = if node.shape == Shape::Entry {
        0.0
    } else {
        84.0
    };
    let size = ((wide + 2.0 * beside + sign).max(least), high + 2.0 * above);
    (all, size)
}

fn label(text: &str) -> Vec<Text> {
    lines(text, false, WIDEST_LABEL, MOST_LINES)
}

/// How much room lines take; none when there are none.
fn room(lines: &[Text]) -> (f64, f64) {
    let wide = lines.iter().map(|line| width(&line.text, line.bold));
    (wide.fold(0.0, f64::max), lines.len() as f64 * LINE)
}
