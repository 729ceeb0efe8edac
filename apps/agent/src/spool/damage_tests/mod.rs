//! What the spool promises, whatever crashes and whatever becomes of its files.

mod control_plane;
mod damage;
mod examples;
mod spool_under_test;

use proptest::prelude::*;

use super::{recover, watermark};
use damage::{damage, inflict};
use spool_under_test::{ID, SpoolUnderTest, step};

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_crashes_everything_arrives_once_and_in_order(steps in prop::collection::vec(step(), 0..60)) {
        let mut spool = SpoolUnderTest::new();
        for step in &steps {
            spool.step(step);
            prop_assert_eq!(spool.stream.next_record(), spool.written.len() as u64);
            prop_assert!(!spool.stream.status().damaged);
        }
        spool.deliver();
        prop_assert_eq!(&spool.plane.lines, &spool.written);
        prop_assert_eq!(spool.stream.lost(), 0);
        spool.totals_agree();
    }

    #[test]
    fn damage_never_yields_a_wrong_record_and_is_counted(
        steps in prop::collection::vec(step(), 1..60),
        damages in prop::collection::vec(damage(), 1..4),
        ended in any::<bool>(),
        crash_again in any::<bool>(),
    ) {
        let mut spool = SpoolUnderTest::new();
        for step in &steps {
            spool.step(step);
        }
        let end = ended.then_some(spool.written.len() as u64);
        let segments = spool.segments();
        for (which, damage) in &damages {
            inflict(&segments, *which, damage);
        }
        let readable = spool.readable();
        prop_assert_eq!(spool.recover(end, crash_again), Ok(()));
        spool.all_sent_or_counted(&readable, ended);
    }

    /// The power went before the watermark reached the disk, or it is damaged, too.
    #[test]
    fn a_watermark_that_lags_or_is_gone_never_yields_a_wrong_record(
        early in prop::collection::vec(step(), 0..40),
        late in prop::collection::vec(step(), 0..40),
        lags in any::<bool>(),
        damages in prop::collection::vec(damage(), 0..4),
        ended in any::<bool>(),
        crash_again in any::<bool>(),
    ) {
        let mut spool = SpoolUnderTest::new();
        for step in &early {
            spool.step(step);
        }
        let watermark = spool.dir.join(watermark::FILE);
        let older = std::fs::read(&watermark).unwrap_or_default();
        for step in &late {
            spool.step(step);
        }
        let end = ended.then_some(spool.written.len() as u64);
        let mut files = spool.segments();
        if lags && watermark.exists() {
            std::fs::write(&watermark, older).unwrap();
        } else {
            files.push(watermark);
        }
        for (which, damage) in &damages {
            inflict(&files, *which, damage);
        }
        let readable = spool.readable();
        if spool.recover(end, crash_again).is_ok() {
            spool.all_sent_or_counted(&readable, ended);
        } else {
            // Said, and nothing was sent.
            prop_assert!(!damages.is_empty());
        }
    }

    #[test]
    fn any_bytes_at_all_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..3000)) {
        let tmp = tempfile::tempdir().unwrap();
        std::fs::write(tmp.path().join("00000000.seg"), &bytes).unwrap();
        let mut stream = recover::open(tmp.path(), ID, None).unwrap();
        let _ = stream.rebase(0);
        let _ = stream.cut();
    }
}
