//! What the spool promises, under everything that can happen to it.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use uuid::Uuid;

use super::error::SpoolError;
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

fn inflict(dir: &Path, which: prop::sample::Index, damage: &Damage) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir).map_or(Vec::new(), |d| d.map(|e| e.unwrap().path()).collect());
    files.sort();
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

/// `part` has nothing that `whole` has not, in the same order.
fn in_order(part: &[String], whole: &[String]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|line| rest.any(|other| other == line))
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
        for (which, damage) in &damages {
            inflict(&world.dir, *which, damage);
        }
        world.crash(end);
        if crash_again {
            world.crash(end);
        }
        if world.stream.status().damaged {
            match world.stream.rebase(world.plane.next_seq()) {
                Ok(()) => {}
                // The place where the next chunk begins is gone: said, and nothing is sent.
                Err(SpoolError::Unknown { .. }) => return Ok(()),
                Err(other) => panic!("{other}"),
            }
        }
        if crash_again {
            world.crash(end);
        }
        let status = world.stream.status();
        prop_assert!(!status.damaged);
        if status.chunks < world.plane.next_seq() {
            // The disk forgot what was sent already, and the control plane's next_seq tells.
            return Ok(());
        }
        if status.held_from < world.plane.next_seq() {
            world.stream.acknowledge(world.plane.next_seq()).unwrap();
        }
        let before = world.written.len() as u64;
        world.deliver();
        prop_assert!(in_order(&world.plane.kept(), &world.written));
        world.totals_agree();
        let accounted = world.plane.lines.len() as u64;
        prop_assert_eq!(accounted - world.plane.kept().len() as u64, world.stream.lost());
        if ended {
            prop_assert_eq!(accounted, before);
        } else {
            // Without the totals, what was cut off the very end leaves no trace but the torn frame itself.
            prop_assert!(accounted <= before + 1, "{} of {}", accounted, before);
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
