//! Latencies of several tool runs together: histograms are added, percentiles never averaged.

use rigmark_stats::histogram::MergedHistogram;

use crate::protocol::result::Percentile;
use crate::tool::output::HistogramBlob;

/// What the protocol takes (`Histogram.blob`).
const BLOB_CHARS: usize = 48 * 1024;

#[derive(Default)]
pub struct Histograms {
    /// As the tool gave the first one, with what was added to it.
    first: Option<HistogramBlob>,
    sum: MergedHistogram,
    runs: usize,
    /// One run with responses had none, or one that cannot be read: then all together have none.
    incomplete: bool,
}

impl Histograms {
    /// Of one more run. One of which nothing was answered has no latency, so it lacks none.
    pub fn add(&mut self, requests: u64, blob: Option<HistogramBlob>) {
        if requests == 0 {
            return;
        }
        self.runs += 1;
        let Some(blob) = blob.filter(|blob| self.sum.add(&blob.blob).is_ok()) else {
            self.incomplete = true;
            return;
        };
        match &mut self.first {
            Some(first) => {
                first.resolution_us = first.resolution_us.max(blob.resolution_us);
                first.corrected |= blob.corrected;
            }
            first => *first = Some(blob),
        }
    }

    /// How many latencies are in the histograms of all runs, whatever the tool says of them; `None` where one has none,
    /// or the tool put in more than it saw.
    pub fn count(&self) -> Option<u64> {
        let counted = self.first.as_ref().filter(|first| !self.incomplete && !first.corrected);
        counted.map(|_| self.sum.count())
    }

    /// Of all runs; the tool's own where there was only one.
    pub fn together(&self) -> Option<HistogramBlob> {
        let first = self.first.as_ref().filter(|_| !self.incomplete)?;
        if self.runs == 1 {
            let count = self.sum.count();
            return Some(HistogramBlob { count, ..first.clone() });
        }
        let blob = HistogramBlob {
            count: self.sum.count(),
            blob: self.sum.blob()?,
            ..first.clone()
        };
        (blob.blob.len() <= BLOB_CHARS).then_some(blob)
    }

    /// Of all runs, at the same places as one run's.
    pub fn percentiles(&self, like: &[Percentile]) -> Vec<Percentile> {
        let at = |p: f64| {
            Some(Percentile {
                p,
                us: self.sum.percentile_us(p)?,
            })
        };
        let places = like.iter().filter(|_| !self.incomplete);
        places.filter_map(|percentile| at(percentile.p)).collect()
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use hdrhistogram::Histogram;
    use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};

    use super::*;

    fn blob(values_us: impl Iterator<Item = u64>) -> HistogramBlob {
        let mut histogram = Histogram::<u64>::new(3).unwrap();
        values_us.for_each(|us| histogram.record(us * 1000).unwrap());
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&histogram, &mut bytes).unwrap();
        HistogramBlob {
            encoding: "hdr-v2-deflate-base64".into(),
            unit: "ns".into(),
            digits: 3,
            resolution_us: 0.001,
            corrected: false,
            count: histogram.len(),
            blob: STANDARD.encode(bytes),
        }
    }

    fn like(ps: &[f64]) -> Vec<Percentile> {
        ps.iter().map(|p| Percentile { p: *p, us: 0.0 }).collect()
    }

    #[test]
    fn the_percentile_of_all_is_no_mean_of_percentiles() {
        let mut all = Histograms::default();
        // Of 990 fast and 10 slow ones the 99 % percentile is fast, though one run's was slow.
        all.add(900, Some(blob((0..900).map(|_| 10))));
        all.add(100, Some(blob((0..100).map(|i| if i < 10 { 50_000 } else { 10 }))));
        let found = all.percentiles(&like(&[50.0, 99.0, 99.9]));
        assert!((found[1].us - 10.0).abs() < 0.1, "{found:?}");
        assert!((found[2].us - 50_000.0).abs() < 50.0, "{found:?}");
        let together = all.together().unwrap();
        assert_eq!(together.count, 1000);
        let mut again = MergedHistogram::default();
        again.add(&together.blob).unwrap();
        assert_eq!(again.count(), 1000);
    }

    #[test]
    fn a_single_one_stays_as_it_was() {
        let one = blob(1..100);
        let mut all = Histograms::default();
        all.add(99, Some(one.clone()));
        assert_eq!(all.together(), Some(one));
    }

    #[test]
    fn latencies_are_counted_in_the_blob_and_not_taken_from_the_tools_word() {
        let said = |count, corrected| HistogramBlob {
            count,
            corrected,
            ..blob(1..100)
        };
        let of = |blobs: Vec<HistogramBlob>| {
            let mut all = Histograms::default();
            blobs.into_iter().for_each(|blob| all.add(blob.count, Some(blob)));
            (all.count(), all.together().map(|blob| blob.count))
        };
        assert_eq!(of(vec![said(500, false)]), (Some(99), Some(99)));
        assert_eq!(of(vec![said(500, false), said(7, false)]), (Some(198), Some(198)));
        // One that was filled up is no count of responses.
        assert_eq!(of(vec![said(99, true)]).0, None);
        assert_eq!(Histograms::default().count(), None);
    }

    #[test]
    fn where_one_is_missing_or_torn_there_is_none() {
        let torn = HistogramBlob {
            blob: "AAAA".into(),
            ..blob(1..10)
        };
        for bad in [None, Some(torn)] {
            let mut all = Histograms::default();
            all.add(9, Some(blob(1..10)));
            all.add(9, bad);
            assert_eq!((all.together(), all.percentiles(&like(&[50.0]))), (None, Vec::new()));
        }
        assert_eq!(Histograms::default().together(), None);
    }

    #[test]
    fn a_slice_without_an_answer_takes_nothing_from_the_others() {
        let mut all = Histograms::default();
        all.add(0, None);
        // Of nothing but such slices there is none.
        assert_eq!((all.together(), all.count()), (None, None));
        all.add(9, Some(blob(1..10)));
        all.add(0, None);
        assert_eq!((all.together(), all.count()), (Some(blob(1..10)), Some(9)));
        assert_eq!(all.percentiles(&like(&[50.0])).len(), 1);
    }
}
