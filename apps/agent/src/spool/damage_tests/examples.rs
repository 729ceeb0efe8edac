//! Single cases, step by step.

use super::super::segment::tests::set_space_left;
use super::super::stream::SEGMENT_BYTES;
use super::super::{segment, watermark};
use super::spool_under_test::SpoolUnderTest;

#[test]
fn a_torn_tail_is_cut_and_the_torn_record_is_counted() {
    let mut spool = SpoolUnderTest::new();
    (0..10).for_each(|_| spool.append(50));
    spool.stream.cut().unwrap();
    (0..3).for_each(|_| spool.append(50));
    let path = spool.dir.join("00000000.seg");
    let length = std::fs::metadata(&path).unwrap().len();
    std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(length - 5)
        .unwrap();
    for _ in 0..3 {
        spool.crash(None);
        // Nothing is cut anew before the control plane has said what it has.
        spool.stream.rebase(0).unwrap();
        assert_eq!((spool.stream.next_record(), spool.stream.lost()), (13, 1));
    }
    spool.written.truncate(12);
    spool.deliver();
    assert_eq!(spool.plane.kept(), spool.written);
    let said: crate::protocol::journal::Record = serde_json::from_str(&spool.plane.lines[12]).unwrap();
    assert_eq!(said.seq, 12);
    spool.totals_agree();
}

#[test]
fn a_corrupt_record_in_the_middle_costs_that_record_only() {
    let mut spool = SpoolUnderTest::new();
    for _ in 0..4 {
        (0..5).for_each(|_| spool.append(50));
        spool.stream.cut().unwrap();
    }
    spool.send(true);
    let path = spool.dir.join("00000000.seg");
    let mut bytes = std::fs::read(&path).unwrap();
    let needle = b"{\"n\":12,";
    let at = bytes.windows(needle.len()).position(|w| w == needle).unwrap();
    bytes[at + 3] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    spool.crash(Some(20));
    assert!(spool.stream.status().damaged);
    spool.stream.rebase(1).unwrap();
    spool.deliver();
    spool.written.remove(12);
    assert_eq!(spool.plane.kept(), spool.written);
    assert!(spool.plane.lines[12].contains("Record 12 of the journal"));
    assert_eq!(spool.stream.lost(), 1);
    spool.totals_agree();
}

#[test]
fn acknowledged_segments_go_and_the_newest_stays() {
    let mut spool = SpoolUnderTest::new();
    while spool.stream.next_number < 4 {
        spool.append(200_000);
    }
    spool.deliver();
    let left = segment::list(&spool.dir).unwrap();
    assert_eq!(left, [3]);
    spool.crash(None);
    spool.totals_agree();
    assert!(std::fs::metadata(spool.dir.join("00000003.seg")).unwrap().len() < 2 * SEGMENT_BYTES);
}

/// Some segments whose first chunks alone were acknowledged.
fn three_acknowledged() -> SpoolUnderTest {
    let mut spool = SpoolUnderTest::new();
    while spool.stream.next_number < 3 {
        spool.append(100_000);
    }
    spool.append(96);
    (0..3).for_each(|_| spool.send(true));
    spool
}

#[test]
fn a_missing_first_segment_is_counted_and_the_others_are_sent() {
    for (response_arrives, crash_again) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut spool = three_acknowledged();
        spool.send(response_arrives);
        let [first, ..] = &spool.segments()[..] else { panic!() };
        std::fs::remove_file(first).unwrap();
        let readable = spool.readable();
        spool.crash(None);
        assert!(spool.stream.status().damaged, "takes for delivered what was not");
        // Said where it can never be delivered; of the last chunk it is not known before the control plane is asked.
        assert_eq!(spool.stream.delivered().0.chunks, 3);
        spool.recover(None, crash_again).unwrap();
        spool.all_sent_or_counted(&readable, false);
        assert_eq!(spool.plane.lines.len(), spool.written.len());
        let sent = spool.plane.lines.len() as u64 - spool.stream.lost();
        assert_eq!(sent, 2 * 4 + readable.len() as u64);
    }
}

#[test]
fn a_missing_last_segment_that_was_sent_is_known_although_the_run_had_not_ended() {
    let mut spool = three_acknowledged();
    spool.stream.cut().unwrap();
    (0..100).for_each(|_| spool.send(true));
    spool.append(10);
    let before = spool.plane.lines.clone();
    spool
        .segments()
        .iter()
        .for_each(|path| std::fs::remove_file(path).unwrap());
    spool.recover(None, true).unwrap();
    assert_eq!(spool.plane.lines, before);
    spool.append(20);
    spool.deliver();
    spool.totals_agree();
    assert_eq!((spool.plane.lines.len(), spool.stream.lost()), (before.len() + 1, 0));
}

#[test]
fn a_spool_of_an_agent_without_a_watermark_is_delivered_whole() {
    let mut spool = three_acknowledged();
    (0..10).for_each(|_| spool.send(true));
    let numbers = segment::list(&spool.dir).unwrap();
    assert_ne!(numbers[0], 0, "a segment was acknowledged and is gone");
    std::fs::remove_file(spool.dir.join(watermark::FILE)).unwrap();
    spool.recover(None, false).unwrap();
    assert_eq!((&spool.plane.lines, spool.stream.lost()), (&spool.written, 0));
    spool.totals_agree();
}

#[test]
fn a_full_disk_leaves_whole_records_only() {
    let mut spool = SpoolUnderTest::new();
    spool.append(100);
    set_space_left(Some(70));
    let error = spool.stream.append(1, &"x".repeat(500)).unwrap_err();
    set_space_left(None);
    assert!(
        error.is_full() && error.to_string().contains("free some space"),
        "{error}"
    );
    spool.append(10);
    spool.crash(None);
    spool.deliver();
    assert_eq!(spool.plane.lines, spool.written);
}
