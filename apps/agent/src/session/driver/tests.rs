//! Machine and disk together, where the disk takes nothing.

use std::sync::Mutex;

use super::*;
use crate::protocol::wire::{HeartbeatCommand, HeartbeatResponse, NextSeq};
use crate::session::identity::Secret;
use crate::spool::{AttemptPhase, SpooledAttempt, set_space_left};

/// A host that is asked for nothing, since it has an attempt to deliver.
struct UnaskedHost;

impl SessionHost for UnaskedHost {
    fn inventory(&self) -> Inventory {
        unreachable!("asked for while an attempt is delivered")
    }
    fn boot_id(&self) -> String {
        String::new()
    }
    fn monotonic_us(&self) -> u64 {
        0
    }
    fn lock(&self, _: &str) -> Result<Box<dyn Send>, String> {
        unreachable!("taken while an attempt is delivered")
    }
}

#[async_trait]
impl LeaseExecutor for UnaskedHost {
    async fn execute(&self, _: Lease, _: Arc<dyn Sink>, _: watch::Receiver<bool>) -> RunResult {
        unreachable!("run while an attempt is delivered")
    }
}

fn attempt(host_id: Uuid) -> SpooledAttempt {
    SpooledAttempt {
        schema: 1,
        run_id: Uuid::from_u128(1),
        attempt_id: Uuid::from_u128(2),
        attempt_no: 1,
        host_id,
        phase: AttemptPhase::Running,
        ended: None,
    }
}

/// An attempt that has ended and has one record, which is in no chunk yet.
fn leave_one(spool: &Spool, host_id: Uuid) {
    let attempt = spool.create(attempt(host_id)).unwrap();
    attempt.append(StreamName::Journal, 0, "{\"t_us\":0}").unwrap();
    attempt.set_ended(RunStatus::Succeeded, None, 0).unwrap();
}

/// A crash left a run that had not ended, and the disk takes not one byte more.
#[tokio::test]
async fn a_full_disk_does_not_keep_an_agent_with_a_leftover_from_starting() {
    let dir = tempfile::tempdir().unwrap();
    let spool = Spool::open(dir.path()).unwrap();
    let attempt = spool.create(attempt(identity().host_id)).unwrap();
    attempt.append(StreamName::Journal, 0, "{\"t_us\":0}").unwrap();
    drop(attempt);
    set_space_left(Some(0));
    let (setup, warnings) = setup(spool);
    let (tx, _) = mpsc::unbounded_channel();
    let driver = Driver::new(setup, tx).unwrap();
    set_space_left(None);
    let ended = driver.leftovers[&Uuid::from_u128(2)].attempt().ended.unwrap();
    assert_eq!((ended.status, ended.records), (RunStatus::Failed, [1, 0]));
    let warnings = warnings.lock().unwrap();
    assert!(warnings[0].contains("full"), "{warnings:?}");
}

type Warnings = Arc<Mutex<Vec<String>>>;

fn identity() -> Identity {
    Identity {
        schema: 1,
        host_id: Uuid::from_u128(9),
        host_name: "test".into(),
        url: "http://127.0.0.1:1".into(),
        allow_http: false,
        secret: Secret::generate().unwrap(),
    }
}

fn setup(spool: Spool) -> (Setup, Warnings) {
    let identity = identity();
    let warnings = Warnings::default();
    let kept = warnings.clone();
    let setup = Setup {
        client: Client::new(&identity.url, false).unwrap(),
        identity,
        spool,
        host: Arc::new(UnaskedHost),
        executor: Arc::new(UnaskedHost),
        clock: || 0,
        once: false,
        log: Box::new(move |level, text| {
            if level == LogLevel::Warn {
                let mut kept = kept.lock().unwrap();
                kept.push(text.to_owned());
                // Without this a driver that never waits would never fail either.
                assert!(kept.len() < 100, "it does not wait: {text}");
            }
        }),
    };
    (setup, warnings)
}

/// With that attempt to deliver, whose session is open and whose first heartbeat was answered: calls 1 to 3. Nothing listens at
/// its address: the responses come from the test.
fn delivering(dir: &std::path::Path, room: Option<usize>) -> (Driver, Warnings) {
    let spool = Spool::open(dir).unwrap();
    leave_one(&spool, identity().host_id);
    let (setup, warnings) = setup(spool);
    let (tx, _) = mpsc::unbounded_channel();
    let mut driver = Driver::new(setup, tx).unwrap();
    set_space_left(room);
    driver.tell(SessionEvent::Tick);
    let replies = [
        Reply::Challenge {
            nonce: "n".into(),
            protocol: 1,
        },
        Reply::Session { expires_in_s: 3600 },
        Reply::Heartbeat(HeartbeatResponse {
            lease_s: 60,
            heartbeat_s: 5.0,
            command: HeartbeatCommand::None,
            next_seq: NextSeq { journal: 0, raw: 0 },
        }),
    ];
    for (call, reply) in (1..).zip(replies) {
        let result = Ok(reply);
        driver.tell(SessionEvent::Response { call, result });
    }
    (driver, warnings)
}

#[tokio::test]
async fn a_chunk_that_the_disk_does_not_take_is_tried_again_later_and_said_once() {
    let dir = tempfile::tempdir().unwrap();
    let (mut driver, warnings) = delivering(dir.path(), Some(0));
    let status = |driver: &Driver| driver.attempt_spool().unwrap().status(StreamName::Journal);
    for _ in 0..20 {
        driver.tell(SessionEvent::Tick);
    }
    assert!(status(&driver).pending);
    {
        let warnings = warnings.lock().unwrap();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].contains("full") && warnings[0].contains("free some space"),
            "{warnings:?}"
        );
    }
    set_space_left(None);
    let wake = driver.machine.wake_at().unwrap();
    until(Some(driver.began + Duration::from_micros(wake))).await;
    driver.tell(SessionEvent::Tick);
    assert_eq!((status(&driver).pending, status(&driver).chunks), (false, 1));
}

/// Where the journal's records made both streams be cut, the raw stream's older state came after the newer one.
#[tokio::test]
async fn a_cut_that_one_stream_led_to_is_not_forgotten_by_the_other() {
    let dir = tempfile::tempdir().unwrap();
    let (mut driver, _) = delivering(dir.path(), None);
    let spool = driver.attempt_spool().unwrap().clone();
    // To each call that is open, the newest first: a response about the journal would tell the state anew.
    let answered = |driver: &mut Driver| {
        for call in (4..12).rev() {
            let result = Ok(Reply::Chunk { next_seq: 1 });
            driver.tell(SessionEvent::Response { call, result });
        }
    };
    answered(&mut driver);
    spool.append(StreamName::Journal, 1, "{\"t_us\":1}").unwrap();
    spool.append(StreamName::Raw, 0, "{\"t_us\":1}").unwrap();
    driver.tell_spooled();
    assert_eq!(StreamName::ALL.map(|stream| spool.status(stream).chunks), [2, 1]);
    answered(&mut driver);
    let attempt = driver.machine.current.as_ref().unwrap();
    assert!(attempt.give_up.is_none() && attempt.delivered());
}
