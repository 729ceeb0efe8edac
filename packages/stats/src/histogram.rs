//! Latency histograms: HDR V2, deflated, in base64, as the journal has them (values in ns). Those of several trials are
//! added; percentiles are read from the sum and never averaged.
//!
//! A blob is untrusted: what it says about its own size is held against what is there before anything is made of it.

use crate::bands::{BANDS, band_of};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use std::io::Read;

/// First bytes of the encodings (HdrHistogram, `AbstractHistogram.java`): deflated, and what is inside.
const DEFLATED: u32 = 0x1c84_9314;
const V2: u32 = 0x1c84_9313;
/// Cookie, length, offset, digits, lowest, highest, ratio.
const V2_HEAD: usize = 40;
/// Three digits and 64 bits make 55,296 counts of at most nine bytes.
const INFLATED_BYTES: u64 = 512 * 1024;
const DIGITS: u32 = 3;
const NS_PER_US: f64 = 1_000.0;

/// Several histograms together.
#[derive(Debug, Clone, Default)]
pub struct MergedHistogram(Option<Histogram<u64>>);

/// Why a blob cannot be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistogramError {
    NotBase64,
    /// It is not HDR V2 with at most three digits, or it is torn.
    NotHdr,
    /// The sum has no room for these values.
    DoesNotAdd,
}

impl std::fmt::Display for HistogramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NotBase64 => "it is not base64",
            Self::NotHdr => "it is not an HDR V2 histogram of at most three digits, or part of it is missing",
            Self::DoesNotAdd => "its values have no room in the others",
        })
    }
}

impl std::error::Error for HistogramError {}

impl MergedHistogram {
    /// Adds one blob.
    ///
    /// # Errors
    /// [`HistogramError`] when it cannot be read; the sum stays what it was.
    pub fn add(&mut self, blob: &str) -> Result<(), HistogramError> {
        let histogram = read(blob)?;
        match &mut self.0 {
            Some(sum) => sum.add(&histogram).map_err(|_| HistogramError::DoesNotAdd),
            none => {
                *none = Some(histogram);
                Ok(())
            }
        }
    }

    /// How many values there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.as_ref().map_or(0, Histogram::len)
    }

    /// The percentile `p` (in percent) in µs: the highest value of the bucket that it falls in. `None` without values.
    #[must_use]
    pub fn percentile_us(&self, p: f64) -> Option<f64> {
        let sum = self.0.as_ref().filter(|sum| !sum.is_empty())?;
        Some(sum.value_at_quantile(p / 100.0) as f64 / NS_PER_US)
    }

    /// The largest value in µs, as exact as its bucket.
    #[must_use]
    pub fn max_us(&self) -> Option<f64> {
        let sum = self.0.as_ref().filter(|sum| !sum.is_empty())?;
        Some(sum.max() as f64 / NS_PER_US)
    }

    /// The values in coarse bands; see [`crate::bands`].
    #[must_use]
    pub fn bands(&self) -> [u64; BANDS] {
        let mut bands = [0; BANDS];
        for step in self.0.iter().flat_map(Histogram::iter_recorded) {
            bands[band_of(step.value_iterated_to())] += step.count_since_last_iteration();
        }
        bands
    }

    /// The sum as a blob of the same kind; `None` before anything was added.
    #[must_use]
    pub fn blob(&self) -> Option<String> {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new()
            .serialize(self.0.as_ref()?, &mut bytes)
            .ok()?;
        Some(STANDARD.encode(bytes))
    }
}

fn read(blob: &str) -> Result<Histogram<u64>, HistogramError> {
    let bytes = STANDARD.decode(blob).map_err(|_| HistogramError::NotBase64)?;
    let inflated = inflate(&bytes).ok_or(HistogramError::NotHdr)?;
    let mut histogram: Histogram<u64> = Deserializer::new()
        .deserialize(&mut inflated.as_slice())
        .map_err(|_| HistogramError::NotHdr)?;
    histogram.auto(true);
    Ok(histogram)
}

/// What is inside, when its head and its length fit each other.
fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(number(bytes, 4)?).ok()?;
    if number(bytes, 0)? != DEFLATED {
        return None;
    }
    let deflated = bytes.get(8..8_usize.checked_add(length)?)?;
    let mut inside = Vec::new();
    ZlibDecoder::new(deflated)
        .take(INFLATED_BYTES)
        .read_to_end(&mut inside)
        .ok()?;
    let payload = usize::try_from(number(&inside, 4)?).ok()?;
    let fits = number(&inside, 0)? == V2
        && number(&inside, 12)? <= DIGITS
        && inside.len().checked_sub(V2_HEAD).is_some_and(|rest| payload <= rest);
    fits.then_some(inside)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A blob of these latencies in µs.
    pub(crate) fn blob(values_us: impl IntoIterator<Item = u64>) -> String {
        let mut histogram = Histogram::<u64>::new(3).unwrap();
        values_us
            .into_iter()
            .for_each(|us| histogram.record(us * 1_000).unwrap());
        MergedHistogram(Some(histogram)).blob().unwrap()
    }

    fn sum(blobs: &[String]) -> MergedHistogram {
        let mut sum = MergedHistogram::default();
        blobs.iter().for_each(|blob| sum.add(blob).unwrap());
        sum
    }

    #[test]
    fn the_percentile_of_all_is_no_mean_of_percentiles() {
        // Of 990 fast and 10 slow ones the 99 % percentile is fast, though one trial's was slow.
        let slow = (0..100).map(|i| if i < 10 { 50_000 } else { 10 });
        let all = sum(&[blob(vec![10; 900]), blob(slow)]);
        assert_eq!(all.count(), 1_000);
        assert!((all.percentile_us(99.0).unwrap() - 10.0).abs() < 0.1);
        assert!((all.percentile_us(99.9).unwrap() - 50_000.0).abs() < 50.0);
        assert!((all.max_us().unwrap() - 50_000.0).abs() < 50.0);
    }

    #[test]
    fn a_sum_is_written_and_read_again() {
        let all = sum(&[blob(1..900), blob(2_000_000..2_000_100)]);
        let again = sum(&[all.blob().unwrap()]);
        assert_eq!(again.count(), 999);
        assert_eq!(again.percentile_us(50.0), all.percentile_us(50.0));
    }

    #[test]
    fn coarse_bands_have_all_values() {
        let bands = sum(&[blob([10, 10, 2_000])]).bands();
        assert_eq!((bands[band_of(10_000)], bands[band_of(2_000_000)]), (2, 1));
        assert_eq!(bands.iter().sum::<u64>(), 3);
    }

    #[test]
    fn nothing_is_unknown() {
        let none = MergedHistogram::default();
        assert_eq!((none.count(), none.percentile_us(50.0), none.blob()), (0, None, None));
        assert_eq!(sum(&[blob([])]).percentile_us(50.0), None);
    }

    #[test]
    fn what_cannot_be_read_changes_nothing() {
        let mut all = sum(&[blob(1..10)]);
        assert_eq!(all.add("no base64"), Err(HistogramError::NotBase64));
        assert_eq!(all.add("AAAA"), Err(HistogramError::NotHdr));
        assert_eq!(all.add(""), Err(HistogramError::NotHdr));
        assert_eq!(all.count(), 9);
    }

    /// A blob around these bytes.
    fn packed(inside: &[u8]) -> String {
        let mut deflated = Vec::new();
        let mut encoder = flate2::read::ZlibEncoder::new(inside, flate2::Compression::fast());
        encoder.read_to_end(&mut deflated).unwrap();
        let length = u32::try_from(deflated.len()).unwrap();
        let head = [DEFLATED.to_be_bytes(), length.to_be_bytes()].concat();
        STANDARD.encode([head, deflated].concat())
    }

    fn unpacked(blob: &str) -> Vec<u8> {
        inflate(&STANDARD.decode(blob).unwrap()).unwrap()
    }

    #[test]
    fn a_length_that_is_not_there_is_refused_before_room_is_made_for_it() {
        let mut inside = unpacked(&blob(1..100));
        assert!(read(&packed(&inside)).is_ok());
        inside[4..8].copy_from_slice(&u32::MAX.to_be_bytes());
        assert_eq!(read(&packed(&inside)).err(), Some(HistogramError::NotHdr));
        assert_eq!(read(&packed(&vec![0; 64 << 20])).err(), Some(HistogramError::NotHdr));
    }

    #[test]
    fn more_digits_than_the_journal_has_are_refused() {
        let mut inside = unpacked(&blob(1..100));
        inside[12..16].copy_from_slice(&5_u32.to_be_bytes());
        assert_eq!(read(&packed(&inside)).err(), Some(HistogramError::NotHdr));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(
            text in any::<String>(), at in 0_usize..200, flipped in any::<u8>(), counts in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let _ = read(&text);
            let mut bytes = STANDARD.decode(blob(1..500)).unwrap();
            let at = at % bytes.len();
            bytes[at] ^= flipped;
            let _ = (read(&STANDARD.encode(&bytes)), read(&STANDARD.encode(&bytes[..at])));
            let mut inside = unpacked(&blob(1..500));
            inside.truncate(V2_HEAD);
            inside[4..8].copy_from_slice(&u32::try_from(counts.len()).unwrap().to_be_bytes());
            inside.extend(counts);
            let _ = read(&packed(&inside)).map(|h| h.value_at_quantile(0.99));
        }
    }
}
