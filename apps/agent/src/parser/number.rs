//! Numbers out of foreign text: finite, not negative, and small enough to survive JSON.

use crate::protocol::result::Percentile;
use crate::tool::output::ParseError;

use super::plain;

/// Above 2^53 a double skips integers.
const MOST: f64 = 9_007_199_254_740_991.0;

/// A figure that is printed in steps coarser than a 20th of itself says too little to be kept.
const STEPS: f64 = 20.0;

/// The figure, where its steps are fine enough.
pub fn fine(us: Option<f64>, step_us: f64) -> Option<f64> {
    us.filter(|us| *us >= step_us * STEPS)
}

/// One tool's numbers, so that an error can say whose.
#[derive(Clone, Copy)]
pub struct Numbers(pub &'static str);

impl Numbers {
    pub fn malformed(self, what: &'static str, text: &str) -> ParseError {
        ParseError::Malformed {
            tool: self.0,
            what,
            text: plain(text),
        }
    }

    pub fn missing(self, what: &'static str) -> ParseError {
        ParseError::Missing { tool: self.0, what }
    }

    pub fn quantity(self, what: &'static str, value: f64) -> Result<f64, ParseError> {
        // -0.0 is in the range; adding 0.0 makes it 0.0.
        if (0.0..=MOST).contains(&value) {
            Ok(value + 0.0)
        } else {
            Err(self.malformed(what, &value.to_string()))
        }
    }

    pub fn count(self, what: &'static str, value: f64) -> Result<u64, ParseError> {
        let value = self.quantity(what, value)?;
        if value.fract() == 0.0 {
            Ok(value as u64)
        } else {
            Err(self.malformed(what, &value.to_string()))
        }
    }

    pub fn read(self, what: &'static str, text: &str) -> Result<f64, ParseError> {
        let value = text.parse().map_err(|_| self.malformed(what, text))?;
        self.quantity(what, value)
    }

    pub fn read_count(self, what: &'static str, text: &str) -> Result<u64, ParseError> {
        let value = text.parse::<f64>().map_err(|_| self.malformed(what, text))?;
        self.count(what, value)
    }
}

/// In ascending order; two for the same share, or values that go down, are nonsense.
pub fn ascending(mut rows: Vec<Percentile>) -> Option<Vec<Percentile>> {
    rows.sort_by(|a, b| a.p.total_cmp(&b.p));
    let sound = rows
        .windows(2)
        .all(|pair| pair[0].p < pair[1].p && pair[0].us <= pair[1].us);
    (sound && rows.iter().all(|row| row.p <= 100.0)).then_some(rows)
}
