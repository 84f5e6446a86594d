//! Lines through measured points.

/// A line through points, by least squares over relative errors, and the exponent of growth.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Cost of one more unit of size.
    pub slope: f64,
    /// Cost at size 0.
    pub start: f64,
    /// The largest distance of a point from the line, relative to the point.
    pub off: f64,
    /// `log(cost)` over `log(size)`: 1 for linear growth, 2 for growth with the square.
    pub exponent: f64,
}

/// Fits a line to points of (size, cost).
///
/// Points count by their relative distance: otherwise the largest size alone would decide.
pub fn fit(points: &[(f64, f64)]) -> Fit {
    let weighted = points.iter().map(|&(x, y)| (x, y, 1.0 / (y * y)));
    let (slope, start) = least_squares(weighted);
    let off = points
        .iter()
        .map(|&(x, y)| ((slope * x + start - y) / y).abs())
        .fold(0.0, f64::max);
    let (exponent, _) = least_squares(points.iter().map(|&(x, y)| (x.ln(), y.ln(), 1.0)));
    Fit {
        slope,
        start,
        off,
        exponent,
    }
}

fn least_squares(points: impl Iterator<Item = (f64, f64, f64)>) -> (f64, f64) {
    let (mut w, mut wx, mut wy, mut wxx, mut wxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (x, y, weight) in points {
        w += weight;
        wx += weight * x;
        wy += weight * y;
        wxx += weight * x * x;
        wxy += weight * x * y;
    }
    let slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
    (slope, (wy - slope * wx) / w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_give_that_line() {
        let fit = fit(&[(10.0, 120.0), (100.0, 300.0), (1000.0, 2100.0)]);
        assert!((fit.slope - 2.0).abs() < 1e-9, "{fit:?}");
        assert!((fit.start - 100.0).abs() < 1e-6, "{fit:?}");
        assert!(fit.off < 1e-9, "{fit:?}");
    }

    #[test]
    fn growth_with_the_square_has_the_exponent_two() {
        let points = [10.0, 100.0, 1000.0].map(|x: f64| (x, 3.0 * x * x));
        let fit = fit(&points);
        assert!((fit.exponent - 2.0).abs() < 1e-9, "{fit:?}");
        assert!(fit.off > 0.5, "{fit:?}");
    }
}
