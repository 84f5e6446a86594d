//! The legend: a sample of every kind that the picture shows, and of no other. Knows the kinds, nothing about
//! the graph.

use super::diagram::{Diagram, Line, Mark, Shape};
use super::drawing::Rectangle;
use super::measure::Text;

/// From one row to the next.
const ROW: f64 = 26.0;
/// Room of a sample.
const SAMPLE: f64 = 38.0;

/// A sample and its word.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    pub(super) sample: Sample,
    /// The sample and the word.
    pub(super) at: Rectangle,
    pub(super) word: Text,
}

/// What is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sample {
    Shape(Shape),
    Line(Line),
    Mark(Mark),
}

impl Legend {
    /// Where the sample is.
    pub(super) fn sample_at(&self) -> Rectangle {
        Rectangle {
            width: SAMPLE - 8.0,
            ..self.at
        }
    }

    /// Where the word begins.
    pub(super) fn word_at(&self) -> f64 {
        self.at.x + SAMPLE
    }

    pub(super) fn moved(self, right: f64, down: f64) -> Self {
        Self {
            at: self.at.moved(right, down),
            ..self
        }
    }
}

/// The legend below `top`, in rows of at most this width; also how wide it is and where it ends.
pub(super) fn legend(diagrams: &[Diagram], widest: f64, top: f64) -> (Vec<Legend>, f64, f64) {
    let (mut x, mut y, mut right) = (0.0, top, 0.0_f64);
    let mut items = Vec::new();
    for (sample, word) in samples(diagrams) {
        let word = Text {
            text: word.to_owned(),
            bold: false,
        };
        let width = SAMPLE + word.width();
        if x > 0.0 && x + width > widest {
            (x, y) = (0.0, y + ROW);
        }
        let at = Rectangle {
            x,
            y,
            width,
            height: ROW - 8.0,
        };
        x += width + 18.0;
        right = right.max(at.right());
        items.push(Legend { sample, at, word });
    }
    let below = if items.is_empty() { top } else { y + ROW };
    (items, right, below)
}

fn samples(diagrams: &[Diagram]) -> Vec<(Sample, &'static str)> {
    let shapes = Shape::ALL.iter().filter(|shape| {
        let mut nodes = diagrams.iter().flat_map(|diagram| &diagram.nodes);
        nodes.any(|node| node.shape == **shape)
    });
    let lines = Line::ALL.iter().filter(|line| {
        let mut edges = diagrams.iter().flat_map(|diagram| &diagram.edges);
        edges.any(|edge| edge.line == **line)
    });
    let marks = Mark::SHOWN.iter().filter(|mark| {
        let mut nodes = diagrams.iter().flat_map(|diagram| &diagram.nodes);
        nodes.any(|node| node.mark == **mark)
    });
    shapes
        .map(|&it| (Sample::Shape(it), it.word()))
        .chain(lines.map(|&it| (Sample::Line(it), it.word())))
        .chain(marks.map(|&it| (Sample::Mark(it), it.word())))
        .collect()
}
