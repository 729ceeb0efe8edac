//! A disk that gets full in the middle of a run, for real: a small tmpfs. Skipped where none can be mounted.

use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rigmark::journal::Sink;
use rigmark::protocol::journal::{Event, Raw, RunResult, RunStatus};
use rigmark::protocol::result::Reason;
use rigmark::protocol::wire::Lease;
use rigmark::session::SessionEnd;
use rigmark::session::client::Client;
use rigmark::session::driver::{self, LeaseExecutor, Setup};
use rigmark::session::identity::{Identity, Secret};
use rigmark::spool::Spool;
use tokio::sync::watch;
use uuid::Uuid;

use super::plane::TestControlPlane;
use super::plane::script::{TestHost, clock};

struct Mounted<'a>(&'a Path);

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

fn mount(at: &Path) -> Option<Mounted<'_>> {
    let done = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
        .arg(at)
        .output();
    done.is_ok_and(|output| output.status.success()).then(|| Mounted(at))
}

/// Cuts the network, so that no delivered record frees space, and writes until the journal reports that it cannot go on.
/// Then it ends as the runner does and restores the network.
#[derive(Clone)]
struct DiskFiller {
    plane: TestControlPlane,
    written: Arc<Mutex<Vec<Event>>>,
}

#[async_trait]
impl LeaseExecutor for DiskFiller {
    async fn execute(&self, _: Lease, sink: Arc<dyn Sink>, _: watch::Receiver<bool>) -> RunResult {
        let append = |event: Event| {
            self.written.lock().unwrap().push(event.clone());
            sink.append(event);
        };
        self.plane.state().partition = true;
        let mut part = 0;
        let sentence = loop {
            append(Event::Raw(Raw {
                trial_id: Uuid::nil(),
                name: "ab.stdout".into(),
                part,
                text: "x".repeat(10_000),
                truncated: false,
            }));
            part += 1;
            if let Err(sentence) = sink.health() {
                break sentence;
            }
            tokio::task::yield_now().await;
        };
        let result = RunResult {
            status: RunStatus::Failed,
            error: Some(Reason::new("journal", sentence)),
            trials_valid: 0,
            trials_invalid: 0,
            time: None,
        };
        append(Event::Result(result.clone()));
        self.plane.state().partition = false;
        result
    }
}

#[tokio::test]
async fn the_run_stops_with_a_sentence_and_not_one_record_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let Some(_mounted) = mount(dir.path()) else {
        eprintln!("skipped: no tmpfs can be mounted here");
        return;
    };
    let plane = TestControlPlane::start(11).await;
    let attempt = plane.state().queue_run();
    let greedy = DiskFiller {
        plane: plane.clone(),
        written: Arc::default(),
    };
    let setup = Setup {
        identity: Identity {
            schema: 1,
            host_id: Uuid::from_u128(1),
            host_name: "test".into(),
            url: plane.url.clone(),
            allow_http: false,
            secret: Secret::generate().unwrap(),
        },
        client: Client::new(&plane.url, false).unwrap(),
        spool: Spool::open(dir.path()).unwrap(),
        host: Arc::new(TestHost::default()),
        executor: Arc::new(greedy.clone()),
        clock,
        once: true,
        log: Box::new(|_, _| {}),
    };
    let (_stop, stopped) = watch::channel(false);
    let agent = tokio::spawn(driver::run(setup, stopped));
    plane
        .until("the run is leased", |s| s.attempts.values().any(|a| a.started))
        .await;
    assert_eq!(agent.await.unwrap().unwrap(), SessionEnd::Once);
    let state = plane.state();
    let (status, error, lost) = state.attempts[&attempt].finished.clone().unwrap();
    assert_eq!((status, lost), (RunStatus::Failed, 0));
    let sentence = error.unwrap().message;
    assert!(
        sentence.contains("full") && sentence.contains("free some space"),
        "{sentence}"
    );
    let written = greedy.written.lock().unwrap();
    for stream in [0, 1] {
        let arrived: Vec<Event> = state.attempts[&attempt]
            .records(stream)
            .into_iter()
            .map(|r| r.event)
            .collect();
        let expected: Vec<Event> = written
            .iter()
            .filter(|e| e.stream() as usize == stream)
            .cloned()
            .collect();
        assert_eq!(arrived, expected);
    }
}
