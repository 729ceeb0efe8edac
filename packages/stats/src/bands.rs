//! Latencies in coarse bands, column by column over time: what a heat map shows. A load generator counts in them at the
//! price of one addition a response, and columns are added, never averaged.

use serde::{Deserialize, Serialize};

const OCTAVES: usize = 42;
/// Bands from 1 ns to 2^42 ns (73 min); what is beyond is counted in the last one.
pub const BANDS: usize = 4 * OCTAVES;

/// Which band a latency of so many ns is in. Band 4·e + q begins at 2^e · (1 + q/4) ns and ends where the next one
/// begins, so it is at most a quarter wider than its begin.
#[must_use]
pub fn band_of(ns: u64) -> usize {
    let ns = ns.max(1);
    let octave = ns.ilog2();
    let quarter = ((u128::from(ns) << 2) >> octave) & 3;
    (4 * octave as usize + quarter as usize).min(BANDS - 1)
}

/// Where a band begins, in µs. `BANDS` itself is the end of the last one.
#[must_use]
pub fn band_begins_us(band: usize) -> f64 {
    let (octave, quarter) = (band / 4, band % 4);
    ((4 + quarter as u64) << octave) as f64 / 4.0 / 1_000.0
}

/// The responses of a stretch of time, by band.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// On the clock of whoever counted.
    pub from_us: u64,
    pub to_us: u64,
    /// Band of the first count.
    pub first: usize,
    pub counts: Vec<u64>,
}

impl Column {
    /// Of the counts of all bands; zeros at both ends are left away.
    #[must_use]
    pub fn of(from_us: u64, to_us: u64, all: &[u64]) -> Self {
        let first = all.iter().position(|n| *n > 0).unwrap_or(0);
        let end = all.iter().rposition(|n| *n > 0).map_or(0, |last| last + 1);
        let counts = all.get(first..end).unwrap_or_default().to_vec();
        Self {
            from_us,
            to_us,
            first,
            counts,
        }
    }

    /// Adds its counts to those of all bands; what has no band there is dropped.
    pub fn add_to(&self, all: &mut [u64]) {
        let own = all.iter_mut().skip(self.first).zip(&self.counts);
        own.for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }

    #[must_use]
    pub fn requests(&self) -> u64 {
        self.counts.iter().fold(0, |sum, more| sum.saturating_add(*more))
    }

    /// Is it what [`Column::of`] could have made?
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.from_us <= self.to_us && self.first <= BANDS && self.counts.len() <= BANDS - self.first
    }
}

/// The same time in at most `most` columns (at least one): neighbors are added until there are so few.
#[must_use]
pub fn thin(mut columns: Vec<Column>, most: usize) -> Vec<Column> {
    while columns.len() > most.max(1) {
        columns = columns.chunks(2).map(together).collect();
    }
    columns
}

fn together(neighbors: &[Column]) -> Column {
    let mut all = [0; BANDS];
    neighbors.iter().for_each(|column| column.add_to(&mut all));
    let from_us = neighbors.iter().map(|column| column.from_us).min().unwrap_or(0);
    let to_us = neighbors.iter().map(|column| column.to_us).max().unwrap_or(0);
    Column::of(from_us, to_us, &all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn four_bands_an_octave() {
        let begins: Vec<f64> = (40..45).map(band_begins_us).collect();
        assert_eq!(begins, [1.024, 1.28, 1.536, 1.792, 2.048]);
        assert_eq!([1_024, 1_279, 1_280, 2_047, 2_048].map(band_of), [40, 40, 41, 43, 44]);
        assert_eq!([0, 1, 2, 3].map(band_of), [0, 0, 4, 6]);
        assert_eq!(band_of(u64::MAX), BANDS - 1);
    }

    #[test]
    fn thinner_is_the_same_in_sum() {
        let column = |i: u64| Column {
            from_us: i * 10,
            to_us: i * 10 + 10,
            first: i as usize,
            counts: vec![i + 1, 0, 2],
        };
        let thinned = thin((0..7).map(column).collect(), 3);
        assert_eq!(
            thinned.iter().map(|c| (c.from_us, c.to_us)).collect::<Vec<_>>(),
            [(0, 40), (40, 70)]
        );
        assert_eq!(thinned.iter().map(Column::requests).sum::<u64>(), 28 + 14);
        assert_eq!(thinned[0].first, 0);
        assert_eq!(thinned[0].counts, [1, 2, 5, 6, 2, 2]);
        assert_eq!(thin(Vec::new(), 0), []);
    }

    #[test]
    fn a_column_that_nobody_made_is_seen_and_adds_nothing_outside() {
        let odd = Column {
            from_us: 0,
            to_us: 1,
            first: BANDS,
            counts: vec![1],
        };
        assert!(!odd.is_sound());
        let mut all = [0; BANDS];
        odd.add_to(&mut all);
        assert_eq!(all, [0; BANDS]);
    }

    proptest! {
        #[test]
        fn a_latency_lies_in_its_band(ns in 1_u64..(1 << 42)) {
            let band = band_of(ns);
            let us = ns as f64 / 1_000.0;
            prop_assert!(band_begins_us(band) <= us && us < band_begins_us(band + 1));
        }
    }
}
