//! How a wire runs from one box to another. Knows coordinates, nothing about layouts and formats.

use super::drawing::Rectangle;

/// Length of the head of a wire.
pub(super) const HEAD: f64 = 9.0;

/// A layer that a wire crosses straight down, or up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    pub(super) x: f64,
    pub(super) enter: f64,
    /// Where it is interrupted.
    pub(super) gap: Option<(f64, f64)>,
    pub(super) leave: f64,
}

/// The course of a wire.
#[derive(Clone, Debug)]
pub(super) enum Wire {
    /// From point to point; each stroke is a part that is not interrupted.
    Through {
        strokes: Vec<Vec<(f64, f64)>>,
        /// Where the head points to.
        tip: (f64, f64),
        /// Whether the head points down.
        down: bool,
    },
    /// From the right side of a box back to it.
    Loop {
        /// The right side of the box.
        x: f64,
        /// The middle of the box.
        y: f64,
        /// How far to the right it goes.
        reach: f64,
    },
}

impl Wire {
    /// From the start through the stations to the end, which it reaches from above if `down`.
    pub(super) fn through(
        start: (f64, f64),
        stations: Vec<Station>,
        end: (f64, f64),
        down: bool,
    ) -> Self {
        let mut strokes = Vec::new();
        let mut stroke = vec![start];
        for station in stations {
            stroke.push((station.x, station.enter));
            if let Some((from, to)) = station.gap {
                stroke.push((station.x, from));
                strokes.push(core::mem::replace(&mut stroke, vec![(station.x, to)]));
            }
            stroke.push((station.x, station.leave));
        }
        // The line ends where the head begins.
        let base = if down { end.1 - HEAD } else { end.1 + HEAD };
        stroke.push((end.0, base));
        strokes.push(stroke);
        Self::Through {
            strokes,
            tip: end,
            down,
        }
    }

    pub(super) fn moved(self, right: f64, down: f64) -> Self {
        let point = |(x, y): (f64, f64)| (x + right, y + down);
        match self {
            Self::Through {
                strokes,
                tip,
                down: is_down,
            } => Self::Through {
                strokes: strokes
                    .into_iter()
                    .map(|stroke| stroke.into_iter().map(point).collect())
                    .collect(),
                tip: point(tip),
                down: is_down,
            },
            Self::Loop { x, y, reach } => Self::Loop {
                x: x + right,
                y: y + down,
                reach: reach + right,
            },
        }
    }

    /// What it covers.
    pub(super) fn extent(&self) -> Rectangle {
        let points: Vec<(f64, f64)> = match self {
            Self::Through { strokes, tip, .. } => {
                strokes.iter().flatten().copied().chain([*tip]).collect()
            }
            Self::Loop { x, y, reach } => vec![(*x, y - 12.0), (*reach, y + 12.0)],
        };
        let least =
            |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
        let most =
            |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (x, y) = (least(|it| it.0), least(|it| it.1));
        Rectangle {
            x,
            y,
            width: most(|it| it.0) - x,
            height: most(|it| it.1) - y,
        }
    }
}
