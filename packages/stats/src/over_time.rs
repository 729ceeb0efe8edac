//! Latencies over time: the columns of an entry's trials beside each other, for a heat map.

use crate::bands::{BANDS, Column, band_begins_us, thin};
use serde::{Deserialize, Serialize};

/// Columns of all trials together, where nobody asks for fewer: as many as a page has room for.
pub const MOST_COLUMNS: usize = 60;

/// One trial, in the order of the run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TrialColumns {
    pub block: u32,
    pub columns: Vec<Column>,
}

/// A heat map: bands of latency upwards, time to the right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverTime {
    /// Where each band begins, rising, and where the last one ends: one more than there are bands.
    pub edges_us: Vec<f64>,
    pub columns: Vec<OverTimeColumn>,
}

/// What came in within a stretch of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OverTimeColumn {
    pub block: u32,
    /// In seconds that the entry was under load in its trial: the turns of others between its slices are no part of it.
    pub from_s: f64,
    pub to_s: f64,
    /// Responses in each band.
    pub counts: Vec<u64>,
    /// Within which latency half of them came, and all: the ends of bands, in µs. `None` of no response.
    pub half_us: Option<f64>,
    pub all_us: Option<f64>,
}

/// `None` where no trial has a response in a column. A trial with a column that makes no sense is left out. There are at most
/// `most` columns, and at least one a trial.
#[must_use]
pub fn over_time(trials: &[TrialColumns], most: usize) -> Option<OverTime> {
    let sound = |trial: &&TrialColumns| trial.columns.iter().all(Column::is_sound);
    let trials: Vec<&TrialColumns> = trials.iter().filter(sound).collect();
    let each = most / trials.len().max(1);
    let columns: Vec<(u32, Column)> = trials
        .iter()
        .flat_map(|trial| {
            let thinned = thin(under_load(&trial.columns), each).into_iter();
            thinned.map(move |column| (trial.block, column))
        })
        .collect();
    let mut all = [0; BANDS];
    columns.iter().for_each(|(_, column)| column.add_to(&mut all));
    let first = all.iter().position(|n| *n > 0)?;
    let last = all.iter().rposition(|n| *n > 0)?;
    let dense = |(block, column): (u32, Column)| {
        let mut counts = [0; BANDS];
        column.add_to(&mut counts);
        let seconds = |at_us: u64| at_us as f64 / 1e6;
        let end_us = |band: Option<usize>| band.map(|band| band_begins_us(band + 1));
        OverTimeColumn {
            block,
            half_us: end_us(half(&counts)),
            all_us: end_us(counts.iter().rposition(|n| *n > 0)),
            from_s: seconds(column.from_us),
            to_s: seconds(column.to_us),
            counts: counts[first..=last].to_vec(),
        }
    };
    Some(OverTime {
        edges_us: (first..=last + 1).map(band_begins_us).collect(),
        columns: columns.into_iter().map(dense).collect(),
    })
}

/// The columns on a clock that runs while there is load.
fn under_load(columns: &[Column]) -> Vec<Column> {
    let mut now_us: u64 = 0;
    let moved = columns.iter().map(|column| {
        let from_us = now_us;
        now_us = now_us.saturating_add(column.to_us - column.from_us);
        Column {
            from_us,
            to_us: now_us,
            ..column.clone()
        }
    });
    moved.collect()
}

/// The first band with which at least half of all are counted.
fn half(counts: &[u64]) -> Option<usize> {
    let all: u128 = counts.iter().map(|n| u128::from(*n)).sum();
    let mut sum = 0;
    counts.iter().position(|n| {
        sum += u128::from(*n);
        sum > 0 && 2 * sum >= all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bands::band_of;

    fn trial(block: u32, from_us: u64, latencies_us: &[&[u64]]) -> TrialColumns {
        let column = |(i, values): (usize, &&[u64])| {
            let mut all = [0; BANDS];
            values.iter().for_each(|us| all[band_of(us * 1_000)] += 1);
            let begin_us = from_us + i as u64 * 1_000_000;
            Column::of(begin_us, begin_us + 1_000_000, &all)
        };
        TrialColumns {
            block,
            columns: latencies_us.iter().enumerate().map(column).collect(),
        }
    }

    #[test]
    fn trials_stand_beside_each_other_on_one_scale() {
        let map = over_time(
            &[
                trial(1, 5_000_000, &[&[10, 10, 11], &[10, 40]]),
                trial(2, 90_000_000, &[&[20], &[]]),
            ],
            MOST_COLUMNS,
        )
        .unwrap();
        assert_eq!(map.edges_us.len(), map.columns[0].counts.len() + 1);
        assert!(map.edges_us.is_sorted() && map.edges_us[0] <= 10.0 && *map.edges_us.last().unwrap() > 40.0);
        let seen: Vec<_> = map
            .columns
            .iter()
            .map(|c| (c.block, c.from_s, c.counts.iter().sum::<u64>()))
            .collect();
        assert_eq!(seen, [(1, 0.0, 3), (1, 1.0, 2), (2, 0.0, 1), (2, 1.0, 0)]);
    }

    #[test]
    fn a_column_says_within_which_latency_half_came_and_all() {
        let map = over_time(&[trial(1, 0, &[&[1_000, 1_000, 4_000], &[], &[4_000]])], 9).unwrap();
        let seen: Vec<_> = map.columns.iter().map(|c| (c.half_us, c.all_us)).collect();
        let (short, long) = (
            band_begins_us(band_of(1_000_000) + 1),
            band_begins_us(band_of(4_000_000) + 1),
        );
        assert_eq!(
            seen,
            [(Some(short), Some(long)), (None, None), (Some(long), Some(long))]
        );
    }

    #[test]
    fn the_turns_of_others_are_no_time_of_a_trial() {
        let mut slices = trial(1, 0, &[&[10], &[10], &[10]]);
        for (turn, column) in slices.columns.iter_mut().enumerate() {
            column.from_us += turn as u64 * 2_000_000;
            column.to_us += turn as u64 * 2_000_000;
        }
        let times: Vec<_> = over_time(&[slices], 9)
            .unwrap()
            .columns
            .iter()
            .map(|c| (c.from_s, c.to_s))
            .collect();
        assert_eq!(times, [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]);
    }

    #[test]
    fn a_long_run_has_as_many_columns_as_a_page_has_room_for() {
        let long: Vec<TrialColumns> = (0..7)
            .map(|block| trial(block, 0, &vec![&[10_u64, 30][..]; 100]))
            .collect();
        let map = over_time(&long, MOST_COLUMNS).unwrap();
        assert!(map.columns.len() <= MOST_COLUMNS);
        assert_eq!(over_time(&long, 3).unwrap().columns.len(), 7);
        assert_eq!(map.columns.iter().flat_map(|c| &c.counts).sum::<u64>(), 7 * 100 * 2);
        assert_eq!(map.columns.last().unwrap().to_s, 100.0);
    }

    #[test]
    fn nothing_makes_no_map() {
        assert_eq!(over_time(&[], 9), None);
        assert_eq!(over_time(&[trial(1, 0, &[&[], &[]])], 9), None);
        let mut odd = trial(1, 0, &[&[10]]);
        odd.columns[0].first = usize::MAX;
        assert_eq!(over_time(&[odd], 9), None);
    }
}
