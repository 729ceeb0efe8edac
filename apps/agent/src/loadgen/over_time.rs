//! Latencies second by second, in coarse bands: what a heat map shows.

use rigmark_stats::bands::{BANDS, Column, band_of};

const COLUMN_NS: u64 = 1_000_000_000;
/// A load that lasts longer has longer columns.
const MOST_COLUMNS: usize = 120;

type Bands = [u64; BANDS];

pub struct OverTime {
    begin_ns: u64,
    column_ns: u64,
    columns: Vec<Bands>,
    /// The column that is counted in now, and when it ends.
    at: usize,
    ends_ns: u64,
}

impl OverTime {
    pub fn beginning(begin_ns: u64) -> Self {
        Self {
            begin_ns,
            column_ns: COLUMN_NS,
            columns: vec![[0; BANDS]],
            at: 0,
            ends_ns: begin_ns.saturating_add(COLUMN_NS),
        }
    }

    /// A response that came at `now_ns`. What came in a little earlier than the one before is counted beside it.
    pub fn add(&mut self, now_ns: u64, latency_ns: u64) {
        if now_ns >= self.ends_ns {
            self.move_to(now_ns);
        }
        self.columns[self.at][band_of(latency_ns)] += 1;
    }

    #[cold]
    fn move_to(&mut self, now_ns: u64) {
        let since_ns = now_ns - self.begin_ns;
        while since_ns / self.column_ns >= MOST_COLUMNS as u64 {
            self.coarsen();
        }
        self.at = (since_ns / self.column_ns) as usize;
        self.ends_ns = self.begin_ns + (self.at as u64 + 1) * self.column_ns;
        if self.columns.len() <= self.at {
            self.columns.resize(self.at + 1, [0; BANDS]);
        }
    }

    fn coarsen(&mut self) {
        self.column_ns *= 2;
        let pairs = self.columns.chunks(2).map(|pair| {
            let mut both = pair[0];
            pair[1..].iter().for_each(|more| plus(&mut both, more));
            both
        });
        self.columns = pairs.collect();
    }

    /// Another thread's, which began at the same moment.
    pub fn merge(&mut self, mut other: Self) {
        while self.column_ns < other.column_ns {
            self.coarsen();
        }
        while other.column_ns < self.column_ns {
            other.coarsen();
        }
        if self.columns.len() < other.columns.len() {
            self.columns.resize(other.columns.len(), [0; BANDS]);
        }
        for (mine, theirs) in self.columns.iter_mut().zip(&other.columns) {
            plus(mine, theirs);
        }
    }

    /// Since the load began; the last one ends with the load, after `lasted_ns`.
    pub fn columns(&self, lasted_ns: u64) -> Vec<Column> {
        let edge_us = |at: usize| (at as u64 * self.column_ns).min(lasted_ns) / 1_000;
        let each = self.columns.iter().enumerate();
        each.map(|(at, bands)| Column::of(edge_us(at), edge_us(at + 1), bands))
            .collect()
    }
}

fn plus(sum: &mut Bands, more: &Bands) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = COLUMN_NS;

    fn seen(over_time: &OverTime, lasted_s: u64) -> Vec<(u64, u64, u64)> {
        let columns = over_time.columns(lasted_s * S);
        columns
            .iter()
            .map(|c| (c.from_us / 1_000_000, c.to_us / 1_000_000, c.requests()))
            .collect()
    }

    #[test]
    fn a_column_a_second_from_the_begin_of_the_load() {
        let mut over_time = OverTime::beginning(7 * S);
        for (at_ns, latency_ns) in [(7 * S, 900), (8 * S - 1, 900), (8 * S, 5_000), (10 * S + 5, 900)] {
            over_time.add(at_ns, latency_ns);
        }
        assert_eq!(seen(&over_time, 4), [(0, 1, 2), (1, 2, 1), (2, 3, 0), (3, 4, 1)]);
        assert_eq!(over_time.columns(4 * S)[1].first, band_of(5_000));
    }

    #[test]
    fn a_long_load_has_longer_columns() {
        let mut over_time = OverTime::beginning(0);
        (0..250).for_each(|second| over_time.add(second * S, 1_000));
        let all = seen(&over_time, 250);
        assert!(all.len() <= MOST_COLUMNS, "{}", all.len());
        assert_eq!((all[0], all.last().copied()), ((0, 4, 4), Some((248, 250, 2))));
    }

    #[test]
    fn threads_are_added_however_long_their_columns_are() {
        let (mut one, mut two) = (OverTime::beginning(0), OverTime::beginning(0));
        (0..130).for_each(|second| one.add(second * S, 1_000));
        (0..10).for_each(|second| two.add(second * S, 1_000));
        two.merge(one);
        assert_eq!(seen(&two, 130).iter().map(|c| c.2).sum::<u64>(), 140);
        assert_eq!(seen(&two, 130)[0], (0, 2, 4));
    }
}
