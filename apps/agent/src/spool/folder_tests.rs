use super::*;
use crate::spool::format::encode_record;
use crate::spool::segment::tests::set_failing;

const HOST: Uuid = Uuid::from_u128(9);

/// An attempt with three records, none of them in a chunk.
fn running(spool: &Spool) -> AttemptSpool {
    let attempt = spool.create(SpooledAttempt {
        schema: 1,
        run_id: Uuid::from_u128(1),
        attempt_id: Uuid::from_u128(2),
        attempt_no: 1,
        host_id: HOST,
        phase: AttemptPhase::Running,
        ended: None,
    });
    let attempt = attempt.unwrap();
    for seq in 0..3 {
        attempt.append(StreamName::Journal, seq, "{\"t_us\":0}").unwrap();
    }
    attempt
}

fn end(attempt: &AttemptSpool) -> Result<(), SpoolError> {
    attempt.set_ended(RunStatus::Succeeded, None, 0)
}

fn ended() -> Option<RunEnd> {
    Some(RunEnd {
        status: RunStatus::Succeeded,
        error: None,
        records: [3, 0],
        refused: 0,
    })
}

fn next_agent(spool: &Spool) -> AttemptSpool {
    match spool.leftovers(HOST).unwrap().pop() {
        Some(Leftover::Attempt(attempt)) => *attempt,
        _ => panic!("the attempt is not there any more"),
    }
}

#[test]
fn a_run_has_ended_although_its_last_records_may_not_be_on_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let spool = Spool::open(dir.path()).unwrap();
    let attempt = running(&spool);
    set_failing(true);
    let failed = end(&attempt);
    set_failing(false);
    assert!(failed.unwrap_err().to_string().contains("cannot be used"));
    assert_eq!(attempt.attempt().ended, ended());
    attempt.cut(StreamName::Journal).unwrap();
    assert_eq!(attempt.totals().journal.records, 3);
    drop(attempt);
    let again = next_agent(&spool);
    assert_eq!((again.attempt().ended, again.lost()), (ended(), 0));
}

#[test]
fn what_the_disk_lost_of_an_end_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let spool = Spool::open(dir.path()).unwrap();
    let attempt = running(&spool);
    set_failing(true);
    end(&attempt).unwrap_err();
    set_failing(false);
    let segment = attempt.dir.join("journal/00000000.seg");
    drop(attempt);
    // The power goes, and with it the last record, whole.
    let frame = encode_record(2, "{\"t_us\":0}", false).len() as u64;
    let file = fs::OpenOptions::new().write(true).open(&segment).unwrap();
    file.set_len(file.metadata().unwrap().len() - frame).unwrap();
    let again = next_agent(&spool);
    assert!(again.status(StreamName::Journal).damaged);
    again.rebase(StreamName::Journal, 0).unwrap();
    assert_eq!((again.attempt().ended, again.lost()), (ended(), 1));
}

#[test]
fn an_end_that_cannot_be_written_is_known_to_this_process() {
    let dir = tempfile::tempdir().unwrap();
    let spool = Spool::open(dir.path()).unwrap();
    let attempt = running(&spool);
    // Stands where the new attempt.json is written.
    let in_the_way = attempt.dir.join("attempt.tmp");
    fs::create_dir(&in_the_way).unwrap();
    end(&attempt).unwrap_err();
    assert_eq!(attempt.attempt().ended, ended());
    fs::remove_dir(&in_the_way).unwrap();
    drop(attempt);
    // The next agent knows no better than that the run was cut off, and loses nothing of it.
    let again = next_agent(&spool);
    assert_eq!((again.attempt().ended, again.next_records()), (None, [3, 0]));
}

#[test]
fn one_that_cannot_be_read_does_not_keep_the_others_from_being_delivered() {
    let dir = tempfile::tempdir().unwrap();
    let spool = Spool::open(dir.path()).unwrap();
    drop(running(&spool));
    // No file can be read there.
    let unreadable = spool.dir.join(Uuid::from_u128(1).to_string());
    fs::create_dir_all(unreadable.join("journal/00000000.seg")).unwrap();
    let attempt = SpooledAttempt {
        attempt_id: Uuid::from_u128(1),
        ..next_agent(&spool).attempt()
    };
    attempt::write(&unreadable, &attempt).unwrap();
    let found = spool.leftovers(HOST).unwrap();
    let [Leftover::Unreadable(sentence), Leftover::Attempt(other)] = found.as_slice() else {
        panic!("{} are left", found.len());
    };
    assert!(sentence.contains(&unreadable.display().to_string()), "{sentence}");
    assert_eq!(other.next_records(), [3, 0]);
    assert!(unreadable.exists());
}
