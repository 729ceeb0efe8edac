//! Latencies of a trial by time, on the agent's clock: as the tool tells them, or else one column for each run of it.

use rigmark_stats::bands::{Column, thin};
use rigmark_stats::histogram::MergedHistogram;

use crate::tool::output::HistogramBlob;

/// What the protocol takes (`Histogram.over_time`), and what leaves room for the histogram in the record's line.
const MOST_COLUMNS: usize = 120;
const MOST_BYTES: usize = 12 * 1024;

/// Of one run of the tool, which was under way from `from_us` to `to_us`. `told`: in microseconds since its load began.
pub fn of_run(told: Vec<Column>, blob: Option<&HistogramBlob>, from_us: u64, to_us: u64) -> Vec<Column> {
    if told.is_empty() {
        return whole(blob, from_us, to_us).into_iter().collect();
    }
    let on_our_clock = |since_us: u64| from_us.saturating_add(since_us).min(to_us);
    let moved = |column: Column| Column {
        from_us: on_our_clock(column.from_us),
        to_us: on_our_clock(column.to_us),
        ..column
    };
    told.into_iter().map(moved).collect()
}

fn whole(blob: Option<&HistogramBlob>, from_us: u64, to_us: u64) -> Option<Column> {
    let mut all = MergedHistogram::default();
    all.add(&blob?.blob).ok()?;
    Some(Column::of(from_us, to_us, &all.bands()))
}

/// As many columns as a record has room for.
pub fn of_trial(columns: Vec<Column>) -> Option<Vec<Column>> {
    let mut columns = thin(columns, MOST_COLUMNS);
    while columns.len() > 1 && serde_json::to_vec(&columns).map_or(0, |json| json.len()) > MOST_BYTES {
        let half = columns.len().div_ceil(2);
        columns = thin(columns, half);
    }
    columns.iter().any(|column| column.requests() > 0).then_some(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(from_us: u64, to_us: u64, counts: &[u64]) -> Column {
        Column {
            from_us,
            to_us,
            first: 40,
            counts: counts.to_vec(),
        }
    }

    #[test]
    fn what_the_tool_tells_is_put_on_our_clock_and_ends_with_the_run() {
        let told = vec![column(0, 1_000, &[1]), column(1_000, 2_000, &[2])];
        let moved = of_run(told, None, 50_000, 51_500);
        assert_eq!(moved, [column(50_000, 51_000, &[1]), column(51_000, 51_500, &[2])]);
        assert_eq!(of_run(Vec::new(), None, 0, 1), []);
    }

    #[test]
    fn a_record_has_room_for_them() {
        let wide: Vec<u64> = (0..100).map(|n| 1_000_000_000_000 + n).collect();
        let long = (0..500).map(|i| column(i * 10, i * 10 + 10, &wide)).collect();
        let kept = of_trial(long).unwrap();
        assert!(serde_json::to_vec(&kept).unwrap().len() <= MOST_BYTES);
        assert_eq!((kept[0].from_us, kept.last().unwrap().to_us), (0, 5_000));
        let sum = 500 * wide.iter().sum::<u64>();
        assert_eq!(kept.iter().map(Column::requests).sum::<u64>(), sum);
    }

    #[test]
    fn nothing_told_is_unknown() {
        assert_eq!(of_trial(Vec::new()), None);
        assert_eq!(of_trial(vec![column(0, 1, &[])]), None);
    }
}
