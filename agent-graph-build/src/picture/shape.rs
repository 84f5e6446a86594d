//! Outlines: what each kind of node looks like, and the signs of how a node stands. Knows SVG path data,
//! nothing about graphs.

use super::diagram::{Mark, Shape};
use super::drawing::Rectangle;
use super::svg::number;

impl Shape {
    /// Blank between outline and text: at the sides, above and below.
    pub(super) fn padding(self) -> (f64, f64) {
        match self {
            Self::Entry => (16.0, 3.0),
            Self::Action => (14.0, 8.0),
            Self::Gate => (26.0, 8.0),
            Self::Subgraph => (22.0, 8.0),
            Self::Terminal => (20.0, 8.0),
            Self::Graph => (18.0, 10.0),
            Self::Agent => (14.0, 8.0),
            Self::Set => (24.0, 8.0),
            Self::Human => (26.0, 8.0),
            Self::Barrier => (20.0, 3.0),
            Self::End => (20.0, 8.0),
        }
    }

    /// The outline in this rectangle, as path data.
    pub(super) fn outline(self, at: &Rectangle) -> String {
        let Rectangle {
            x,
            y,
            width,
            height,
        } = *at;
        let (right, bottom) = (at.right(), at.bottom());
        match self {
            // A line below the name, like the shaft of an arrow to come.
            Self::Entry => path(&[Step::Move(x, bottom), Step::Line(right, bottom)]),
            Self::Action | Self::Agent => rounded(at, 6.0),
            Self::Terminal | Self::End => rounded(at, (height / 2.0).min(width / 2.0)),
            Self::Gate | Self::Human => {
                let cut = (height / 2.0).min(16.0);
                let middle = y + height / 2.0;
                path(&[
                    Step::Move(x, middle),
                    Step::Line(x + cut, y),
                    Step::Line(right - cut, y),
                    Step::Line(right, middle),
                    Step::Line(right - cut, bottom),
                    Step::Line(x + cut, bottom),
                    Step::Close,
                ])
            }
            // Leans to the right.
            Self::Set => {
                let lean = (width / 6.0).min(14.0);
                path(&[
                    Step::Move(x + lean, y),
                    Step::Line(right, y),
                    Step::Line(right - lean, bottom),
                    Step::Line(x, bottom),
                    Step::Close,
                ])
            }
            // Two lines, one below the other.
            Self::Barrier => path(&[
                Step::Move(x, y),
                Step::Line(right, y),
                Step::Move(x, bottom),
                Step::Line(right, bottom),
            ]),
            // Bars at the sides.
            Self::Subgraph => {
                let bar = (width / 8.0).min(8.0);
                let sides = path(&[
                    Step::Move(x + bar, y),
                    Step::Line(x + bar, bottom),
                    Step::Move(right - bar, y),
                    Step::Line(right - bar, bottom),
                ]);
                rounded(at, 0.0) + &sides
            }
            // A page with a folded corner.
            Self::Graph => {
                let fold = (height / 3.0).min(12.0);
                path(&[
                    Step::Move(x, y),
                    Step::Line(right - fold, y),
                    Step::Line(right, y + fold),
                    Step::Line(right, bottom),
                    Step::Line(x, bottom),
                    Step::Close,
                    Step::Move(right - fold, y),
                    Step::Line(right - fold, y + fold),
                    Step::Line(right, y + fold),
                ])
            }
        }
    }
}

impl Mark {
    /// Whether a sign stands at the node.
    pub(super) fn has_sign(self) -> bool {
        !matches!(self, Self::None | Self::Ahead)
    }

    /// The sign around this point, as path data: a tick, a triangle, two bars, a cross.
    pub(super) fn sign(self, x: f64, y: f64) -> String {
        match self {
            Self::None | Self::Ahead => String::new(),
            Self::Done => path(&[
                Step::Move(x - 5.0, y),
                Step::Line(x - 1.5, y + 4.0),
                Step::Line(x + 5.0, y - 4.5),
            ]),
            Self::Next => path(&[
                Step::Move(x - 4.0, y - 5.0),
                Step::Line(x + 5.0, y),
                Step::Line(x - 4.0, y + 5.0),
                Step::Close,
            ]),
            Self::Waiting => path(&[
                Step::Move(x - 2.5, y - 5.0),
                Step::Line(x - 2.5, y + 5.0),
                Step::Move(x + 2.5, y - 5.0),
                Step::Line(x + 2.5, y + 5.0),
            ]),
            Self::Blocked => path(&[
                Step::Move(x - 4.5, y - 4.5),
                Step::Line(x + 4.5, y + 4.5),
                Step::Move(x + 4.5, y - 4.5),
                Step::Line(x - 4.5, y + 4.5),
            ]),
        }
    }
}

/// One step of a path.
pub(super) enum Step {
    Move(f64, f64),
    Line(f64, f64),
    /// A quarter of a circle, to the right, with this radius.
    Turn(f64, f64, f64),
    /// A bend between two heights, straight up or down at both ends.
    Bend((f64, f64), (f64, f64)),
    Close,
}

/// Path data.
pub(super) fn path(steps: &[Step]) -> String {
    let mut data = String::new();
    for step in steps {
        match *step {
            Step::Move(x, y) => data += &format!("M{} {}", number(x), number(y)),
            Step::Line(x, y) => data += &format!("L{} {}", number(x), number(y)),
            Step::Turn(radius, x, y) => {
                let radius = number(radius);
                data += &format!("A{radius} {radius} 0 0 1 {} {}", number(x), number(y));
            }
            Step::Bend((from_x, from_y), (x, y)) => {
                let middle = number((from_y + y) / 2.0);
                data += &format!(
                    "C{} {middle} {} {middle} {} {}",
                    number(from_x),
                    number(x),
                    number(x),
                    number(y)
                );
            }
            Step::Close => data.push('Z'),
        }
    }
    data
}

fn rounded(at: &Rectangle, radius: f64) -> String {
    let Rectangle { x, y, .. } = *at;
    let (right, bottom) = (at.right(), at.bottom());
    if radius <= 0.0 {
        return path(&[
            Step::Move(x, y),
            Step::Line(right, y),
            Step::Line(right, bottom),
            Step::Line(x, bottom),
            Step::Close,
        ]);
    }
    path(&[
        Step::Move(x + radius, y),
        Step::Line(right - radius, y),
        Step::Turn(radius, right, y + radius),
        Step::Line(right, bottom - radius),
        Step::Turn(radius, right - radius, bottom),
        Step::Line(x + radius, bottom),
        Step::Turn(radius, x, bottom - radius),
        Step::Line(x, y + radius),
        Step::Turn(radius, x + radius, y),
        Step::Close,
    ])
}
