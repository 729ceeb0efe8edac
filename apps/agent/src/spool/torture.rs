//! What the spool promises, under everything that can happen to it.

use std::io::BufRead;
use std::path::PathBuf;

use proptest::prelude::*;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use uuid::Uuid;

use super::error::SpoolError;
use super::format::encode_record;
use super::recover;
use super::segment::tests::set_room;
use super::stream::{Chunk, SEGMENT_BYTES, StreamId, StreamSpool};
use crate::journal::RollingDigest;
use crate::protocol::wire::StreamName;

const ID: StreamId = StreamId {
    stream: StreamName::Journal,
    attempt_id: Uuid::from_u128(7),
    attempt_no: 3,
};

/// The other side: takes chunks in order, once.
#[derive(Default)]
struct ControlPlane {
    shas: Vec<[u8; 32]>,
    lines: Vec<String>,
    bytes: u64,
    digest: RollingDigest,
}

impl ControlPlane {
    fn put(&mut self, chunk: &Chunk) {
        let sha: [u8; 32] = Sha256::digest(&chunk.body).into();
        assert_eq!(sha, chunk.sha256);
        assert!(chunk.body.len() <= 256 * 1024);
        if let Some(known) = self.shas.get(chunk.seq as usize) {
            assert_eq!(*known, sha, "chunk {} was sent with two contents", chunk.seq);
            return;
        }
        assert_eq!(chunk.seq as usize, self.shas.len());
        let text = std::str::from_utf8(&chunk.body).unwrap();
        assert_eq!(text.lines().count(), chunk.records as usize);
        self.lines.extend(text.lines().map(str::to_owned));
        self.bytes += chunk.body.len() as u64;
        self.digest.push(&sha);
        self.shas.push(sha);
    }
    /// Without those that stand for lost ones.
    fn kept(&self) -> Vec<String> {
        let lost = |line: &&String| !line.contains("could not be read back");
        self.lines.iter().filter(lost).cloned().collect()
    }
    fn next_seq(&self) -> u64 {
        self.shas.len() as u64
    }
}

struct World {
    _tmp: TempDir,
    dir: PathBuf,
    stream: StreamSpool,
    plane: ControlPlane,
    written: Vec<String>,
}

impl World {
    fn new() -> Self {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().join("journal");
        Self {
            _tmp: tmp,
            stream: recover::open(&dir, ID, None).unwrap(),
            dir,
            plane: ControlPlane::default(),
            written: Vec::new(),
        }
    }
    fn append(&mut self, length: usize) {
        let line = format!("{{\"n\":{},\"x\":\"{}\"}}", self.written.len(), "é".repeat(length / 2));
        self.stream.append(self.stream.next_record(), &line).unwrap();
        self.written.push(line);
    }
    /// Sends the oldest chunk that is not acknowledged.
    fn send(&mut self, answer_arrives: bool) {
        let status = self.stream.status();
        if status.held_from < status.chunks {
            self.plane
                .put(&self.stream.chunk(status.held_from).unwrap().read().unwrap());
            if answer_arrives {
                self.stream.acknowledge(status.held_from + 1).unwrap();
            }
        }
    }
    fn crash(&mut self, end: Option<u64>) {
        self.stream = recover::open(&self.dir, ID, end).unwrap();
    }
    fn deliver(&mut self) {
        self.stream.cut().unwrap();
        while self.stream.status().held_from < self.stream.status().chunks {
            self.send(true);
        }
    }
    fn totals_agree(&self) {
        let totals = self.stream.totals();
        assert_eq!(totals.chunks, self.plane.next_seq());
        assert_eq!(totals.records, self.plane.lines.len() as u64);
        assert_eq!(totals.bytes, self.plane.bytes);
        assert_eq!(totals.digest, self.plane.digest.hex());
    }
    fn step(&mut self, step: &Step) {
        match step {
            Step::Append(length) => self.append(*length),
            Step::Cut => self.stream.cut().unwrap(),
            Step::Send { answer_arrives } => self.send(*answer_arrives),
            Step::Crash => self.crash(None),
        }
    }
}

#[derive(Debug, Clone)]
enum Step {
    Append(usize),
    Cut,
    Send { answer_arrives: bool },
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0_usize..200).prop_map(Step::Append),
        1 => (60_000_usize..200_000).prop_map(Step::Append),
        3 => Just(Step::Cut),
        3 => any::<bool>().prop_map(|answer_arrives| Step::Send { answer_arrives }),
        1 => Just(Step::Crash),
    ]
}

#[derive(Debug, Clone)]
enum Damage {
    Truncate(prop::sample::Index),
    Flip(prop::sample::Index, u8),
    Zero(prop::sample::Index, usize),
    Garbage(Vec<u8>),
    Delete,
}

fn damage() -> impl Strategy<Value = (prop::sample::Index, Damage)> {
    let what = prop_oneof![
        3 => any::<prop::sample::Index>().prop_map(Damage::Truncate),
        5 => (any::<prop::sample::Index>(), 0_u8..8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        2 => (any::<prop::sample::Index>(), 1_usize..5000).prop_map(|(at, n)| Damage::Zero(at, n)),
        1 => prop::collection::vec(any::<u8>(), 1..100).prop_map(Damage::Garbage),
        1 => Just(Damage::Delete),
    ];
    (any::<prop::sample::Index>(), what)
}

fn inflict(files: &[PathBuf], which: prop::sample::Index, damage: &Damage) {
    let files: Vec<&PathBuf> = files.iter().filter(|path| path.exists()).collect();
    if files.is_empty() {
        return;
    }
    let path = which.get(&files);
    let mut bytes = std::fs::read(path).unwrap();
    if bytes.is_empty() {
        return;
    }
    match damage {
        Damage::Truncate(at) => bytes.truncate(at.index(bytes.len())),
        Damage::Flip(at, bit) => {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        Damage::Zero(at, n) => {
            let at = at.index(bytes.len());
            let end = (at + n).min(bytes.len());
            bytes[at..end].fill(0);
        }
        Damage::Garbage(extra) => bytes.extend(extra),
        Damage::Delete => return std::fs::remove_file(path).unwrap(),
    }
    std::fs::write(path, bytes).unwrap();
}

fn is_lost(line: &str, seq: usize) -> bool {
    line.contains("could not be read back") && line.contains(&format!("\"seq\":{seq},"))
}

impl World {
    fn segments(&self) -> Vec<PathBuf> {
        let numbers = super::segment::list(&self.dir).unwrap();
        numbers.iter().map(|n| super::segment::path(&self.dir, *n)).collect()
    }

    /// The numbers of the records whose frames are on the disk as they were written.
    fn readable(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for path in self.segments() {
            let bytes = std::fs::read(path).unwrap();
            let mut at = 0;
            while at < bytes.len() {
                let seq = bytes
                    .get(at + 6..at + 14)
                    .map(|seq| u64::from_le_bytes(seq.try_into().unwrap()));
                let line = seq.and_then(|seq| Some((seq, self.written.get(seq as usize)?)));
                if let Some((seq, line)) = line
                    && bytes[at..].starts_with(&encode_record(seq, line, false))
                {
                    found.push(seq as usize);
                }
                // On to the next place where a frame may begin; std looks for it quickly in a debug build, too.
                at += 1;
                at += (&bytes[at..]).skip_until(0xFF).unwrap().saturating_sub(1);
            }
        }
        found
    }

    /// Opens what is on the disk, asks what the control plane has and delivers the rest. `Err` says why it cannot.
    fn recover(&mut self, end: Option<u64>, crash_again: bool) -> Result<(), &'static str> {
        self.crash(end);
        if crash_again {
            self.crash(end);
        }
        let next_seq = self.plane.next_seq();
        if self.stream.status().damaged {
            match self.stream.rebase(next_seq) {
                Ok(()) => {}
                Err(SpoolError::Unknown { .. }) => return Err("the place where the next chunk begins is gone"),
                Err(other) => panic!("{other}"),
            }
            if crash_again {
                self.crash(end);
            }
        }
        let status = self.stream.status();
        assert!(!status.damaged);
        assert!(status.held_from <= next_seq, "takes for delivered what was not");
        if status.chunks < next_seq {
            return Err("the disk forgot what was sent");
        }
        self.stream.acknowledge(next_seq).unwrap();
        self.deliver();
        Ok(())
    }

    /// Each record was sent under its own number, or something stands there that says it is lost; those that could be
    /// read were sent.
    fn all_sent_or_counted(&self, readable: &[usize], ended: bool) {
        let lines = &self.plane.lines;
        let lost = |seq: usize| is_lost(&lines[seq], seq);
        for (seq, line) in lines.iter().enumerate() {
            assert!(self.written.get(seq) == Some(line) || lost(seq), "{seq}: {line:.100}");
        }
        for seq in readable {
            assert_eq!(
                lines.get(*seq),
                Some(&self.written[*seq]),
                "record {seq} is on the disk"
            );
        }
        assert_eq!(
            (0..lines.len()).filter(|seq| lost(*seq)).count() as u64,
            self.stream.lost()
        );
        if ended {
            assert_eq!(lines.len(), self.written.len());
        } else {
            // Without the totals, what was cut off the very end leaves no trace but the torn frame itself.
            assert!(lines.len() <= self.written.len() + 1, "{}", lines.len());
        }
        self.totals_agree();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_crashes_everything_arrives_once_and_in_order(steps in prop::collection::vec(step(), 0..60)) {
        let mut world = World::new();
        for step in &steps {
            world.step(step);
            prop_assert_eq!(world.stream.next_record(), world.written.len() as u64);
            prop_assert!(!world.stream.status().damaged);
        }
        world.deliver();
        prop_assert_eq!(&world.plane.lines, &world.written);
        prop_assert_eq!(world.stream.lost(), 0);
        world.totals_agree();
    }

    #[test]
    fn damage_never_yields_a_wrong_record_and_is_counted(
        steps in prop::collection::vec(step(), 1..60),
        damages in prop::collection::vec(damage(), 1..4),
        ended in any::<bool>(),
        crash_again in any::<bool>(),
    ) {
        let mut world = World::new();
        for step in &steps {
            world.step(step);
        }
        let end = ended.then_some(world.written.len() as u64);
        let segments = world.segments();
        for (which, damage) in &damages {
            inflict(&segments, *which, damage);
        }
        let readable = world.readable();
        prop_assert_eq!(world.recover(end, crash_again), Ok(()));
        world.all_sent_or_counted(&readable, ended);
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
        let mut world = World::new();
        for step in &early {
            world.step(step);
        }
        let watermark = world.dir.join(super::watermark::FILE);
        let older = std::fs::read(&watermark).unwrap_or_default();
        for step in &late {
            world.step(step);
        }
        let end = ended.then_some(world.written.len() as u64);
        let mut files = world.segments();
        if lags && watermark.exists() {
            std::fs::write(&watermark, older).unwrap();
        } else {
            files.push(watermark);
        }
        for (which, damage) in &damages {
            inflict(&files, *which, damage);
        }
        let readable = world.readable();
        if world.recover(end, crash_again).is_ok() {
            world.all_sent_or_counted(&readable, ended);
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

#[test]
fn a_torn_tail_is_cut_and_the_torn_record_is_counted() {
    let mut world = World::new();
    (0..10).for_each(|_| world.append(50));
    world.stream.cut().unwrap();
    (0..3).for_each(|_| world.append(50));
    let path = world.dir.join("00000000.seg");
    let length = std::fs::metadata(&path).unwrap().len();
    std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(length - 5)
        .unwrap();
    for _ in 0..3 {
        world.crash(None);
        // Nothing is cut anew before the control plane has said what it has.
        world.stream.rebase(0).unwrap();
        assert_eq!((world.stream.next_record(), world.stream.lost()), (13, 1));
    }
    world.written.truncate(12);
    world.deliver();
    assert_eq!(world.plane.kept(), world.written);
    let said: crate::protocol::journal::Record = serde_json::from_str(&world.plane.lines[12]).unwrap();
    assert_eq!(said.seq, 12);
    world.totals_agree();
}

#[test]
fn a_corrupt_record_in_the_middle_costs_that_record_only() {
    let mut world = World::new();
    for _ in 0..4 {
        (0..5).for_each(|_| world.append(50));
        world.stream.cut().unwrap();
    }
    world.send(true);
    let path = world.dir.join("00000000.seg");
    let mut bytes = std::fs::read(&path).unwrap();
    let needle = b"{\"n\":12,";
    let at = bytes.windows(needle.len()).position(|w| w == needle).unwrap();
    bytes[at + 3] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    world.crash(Some(20));
    assert!(world.stream.status().damaged);
    world.stream.rebase(1).unwrap();
    world.deliver();
    world.written.remove(12);
    assert_eq!(world.plane.kept(), world.written);
    assert!(world.plane.lines[12].contains("Record 12 of the journal"));
    assert_eq!(world.stream.lost(), 1);
    world.totals_agree();
}

#[test]
fn acknowledged_segments_go_and_the_newest_stays() {
    let mut world = World::new();
    while world.stream.next_number < 4 {
        world.append(200_000);
    }
    world.deliver();
    let left = super::segment::list(&world.dir).unwrap();
    assert_eq!(left, [3]);
    world.crash(None);
    world.totals_agree();
    assert!(std::fs::metadata(world.dir.join("00000003.seg")).unwrap().len() < 2 * SEGMENT_BYTES);
}

/// Some segments whose first chunks alone were acknowledged.
fn three_acknowledged() -> World {
    let mut world = World::new();
    while world.stream.next_number < 3 {
        world.append(100_000);
    }
    world.append(96);
    (0..3).for_each(|_| world.send(true));
    world
}

#[test]
fn a_missing_first_segment_is_counted_and_the_others_are_sent() {
    for (answer_arrives, crash_again) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut world = three_acknowledged();
        world.send(answer_arrives);
        let [first, ..] = &world.segments()[..] else { panic!() };
        std::fs::remove_file(first).unwrap();
        let readable = world.readable();
        world.crash(None);
        assert!(world.stream.status().damaged, "takes for delivered what was not");
        // Said where it can never be delivered; of the last chunk it is not known before the control plane is asked.
        assert_eq!(world.stream.delivered().0.chunks, 3);
        world.recover(None, crash_again).unwrap();
        world.all_sent_or_counted(&readable, false);
        assert_eq!(world.plane.lines.len(), world.written.len());
        let sent = world.plane.lines.len() as u64 - world.stream.lost();
        assert_eq!(sent, 2 * 4 + readable.len() as u64);
    }
}

#[test]
fn a_missing_last_segment_that_was_sent_is_known_although_the_run_had_not_ended() {
    let mut world = three_acknowledged();
    world.stream.cut().unwrap();
    (0..100).for_each(|_| world.send(true));
    world.append(10);
    let before = world.plane.lines.clone();
    world
        .segments()
        .iter()
        .for_each(|path| std::fs::remove_file(path).unwrap());
    world.recover(None, true).unwrap();
    assert_eq!(world.plane.lines, before);
    world.append(20);
    world.deliver();
    world.totals_agree();
    assert_eq!((world.plane.lines.len(), world.stream.lost()), (before.len() + 1, 0));
}

#[test]
fn a_spool_of_an_agent_without_a_watermark_is_delivered_whole() {
    let mut world = three_acknowledged();
    (0..10).for_each(|_| world.send(true));
    let numbers = super::segment::list(&world.dir).unwrap();
    assert_ne!(numbers[0], 0, "a segment was acknowledged and is gone");
    std::fs::remove_file(world.dir.join(super::watermark::FILE)).unwrap();
    world.recover(None, false).unwrap();
    assert_eq!((&world.plane.lines, world.stream.lost()), (&world.written, 0));
    world.totals_agree();
}

#[test]
fn a_full_disk_leaves_whole_records_only() {
    let mut world = World::new();
    world.append(100);
    set_room(Some(70));
    let error = world.stream.append(1, &"x".repeat(500)).unwrap_err();
    set_room(None);
    assert!(
        error.is_full() && error.to_string().contains("free some space"),
        "{error}"
    );
    world.append(10);
    world.crash(None);
    world.deliver();
    assert_eq!(world.plane.lines, world.written);
}
