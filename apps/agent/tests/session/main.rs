//! The real driver, client and spool against a control plane in this process, over a network that fails.

mod disk_full;
mod plane;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use plane::script::{Script, TestHost, clock};
use plane::{Faults, TestControlPlane};
use rigmark::protocol::journal::{Event, RunStatus};
use rigmark::session::SessionEnd;
use rigmark::session::client::Client;
use rigmark::session::driver::{self, Setup};
use rigmark::session::identity::{Identity, Secret};
use rigmark::spool::Spool;
use tokio::sync::watch;
use uuid::Uuid;

fn identity(url: &str) -> Identity {
    Identity {
        schema: 1,
        host_id: Uuid::from_u128(77),
        host_name: "test".into(),
        url: url.into(),
        allow_http: false,
        secret: Secret::generate().unwrap(),
    }
}

fn setup(plane: &TestControlPlane, state: &Path, script: &Script, once: bool) -> Setup {
    Setup {
        identity: identity(&plane.url),
        client: Client::new(&plane.url, false).unwrap(),
        spool: Spool::open(state).unwrap(),
        host: Arc::new(TestHost::default()),
        executor: Arc::new(script.clone()),
        clock,
        once,
        log: Box::new(|_, _| {}),
    }
}

fn log_to(kept: &Arc<Mutex<Vec<String>>>) -> driver::LogFn {
    let kept = kept.clone();
    Box::new(move |_, text| kept.lock().unwrap().push(text.to_owned()))
}

/// Both streams of the only attempt are what the run wrote, in order, without gaps.
fn assert_delivered(plane: &TestControlPlane, script: &Script) {
    let state = plane.state();
    let attempt = state.attempts.values().next().unwrap();
    let written = script.written.lock().unwrap();
    for stream in [0, 1] {
        let records = attempt.records(stream);
        assert!(records.iter().enumerate().all(|(i, r)| r.seq == i as u64));
        let events: Vec<&Event> = records.iter().map(|r| &r.event).collect();
        let expected: Vec<&Event> = written.iter().filter(|e| e.stream() as usize == stream).collect();
        assert_eq!(events, expected);
    }
}

fn nothing_left(state: &Path) -> bool {
    std::fs::read_dir(state.join("spool")).unwrap().next().is_none()
}

#[tokio::test]
async fn a_run_is_delivered_whole() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(1).await);
    plane.state().queue_run();
    let script = Script {
        records: 20,
        every: Duration::from_millis(100),
        ..Script::default()
    };
    let (_stop, stopped) = watch::channel(false);
    let exit = driver::run(setup(&plane, dir.path(), &script, true), stopped)
        .await
        .unwrap();
    assert_eq!(exit, SessionEnd::Once);
    assert_delivered(&plane, &script);
    assert!(nothing_left(dir.path()));
    let state = plane.state();
    let attempt = state.attempts.values().next().unwrap();
    assert_eq!(attempt.finished, Some((RunStatus::Succeeded, None, 0)));
    assert!(attempt.started && attempt.beats >= 1, "{} heartbeats", attempt.beats);
    assert_eq!(state.requests["host"], 2, "facts and catalogue, once");
}

#[tokio::test]
async fn whatever_the_network_does_the_bytes_arrive_once() {
    for seed in 0..4 {
        let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(seed).await);
        plane.state().queue_run();
        plane.state().faults = Faults {
            drop_before: 12,
            drop_after: 12,
            duplicate: 12,
            error: 4,
            proxy: 4,
            delay_ms: 40,
            expire: 4,
        };
        let script = Script {
            records: 40,
            every: Duration::from_millis(25),
            big: seed % 2 == 1,
            ..Script::default()
        };
        let (_stop, stopped) = watch::channel(false);
        let exit = tokio::time::timeout(
            Duration::from_secs(300),
            driver::run(setup(&plane, dir.path(), &script, true), stopped),
        );
        assert_eq!(exit.await.expect("it ends").unwrap(), SessionEnd::Once);
        assert_delivered(&plane, &script);
        assert_eq!(*script.runs.lock().unwrap(), 1);
        assert_eq!(plane.state().finished(), 1);
        assert!(nothing_left(dir.path()));
    }
}

#[tokio::test]
async fn a_partition_does_not_stop_a_run_and_is_made_up_for() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(3).await);
    plane.state().queue_run();
    let script = Script {
        records: 30,
        every: Duration::from_millis(50),
        ..Script::default()
    };
    let (_stop, stopped) = watch::channel(false);
    let agent = tokio::spawn(driver::run(setup(&plane, dir.path(), &script, true), stopped));
    plane
        .until("the first chunk", |s| {
            s.attempts.values().any(|a| !a.streams[0].is_empty())
        })
        .await;
    plane.state().partition = true;
    let written = script.written.clone();
    let over = |e: &Event| matches!(e, Event::Result(_));
    while !written.lock().unwrap().last().is_some_and(over) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(plane.state().finished(), 0);
    plane.state().partition = false;
    assert_eq!(agent.await.unwrap().unwrap(), SessionEnd::Once);
    assert_delivered(&plane, &script);
}

#[tokio::test]
async fn cancel_reaches_the_run_with_a_heartbeat() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(4).await);
    plane.state().queue_run();
    let script = Script {
        records: 100_000,
        every: Duration::from_millis(50),
        ..Script::default()
    };
    let (_stop, stopped) = watch::channel(false);
    let agent = tokio::spawn(driver::run(setup(&plane, dir.path(), &script, true), stopped));
    plane
        .until("a heartbeat", |s| s.attempts.values().any(|a| a.beats > 1))
        .await;
    plane.state().cancel = true;
    assert_eq!(agent.await.unwrap().unwrap(), SessionEnd::Once);
    // Left alone it would write for more than an hour.
    assert!(*script.cancelled.lock().unwrap(), "the run was told");
    assert_delivered(&plane, &script);
    let state = plane.state();
    assert_eq!(
        state.attempts.values().next().unwrap().finished.as_ref().unwrap().0,
        RunStatus::Cancelled
    );
}

#[tokio::test]
async fn what_a_killed_agent_left_is_delivered_by_the_next() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(5).await);
    plane.state().queue_run();
    let script = Script {
        records: 100_000,
        every: Duration::from_millis(10),
        ..Script::default()
    };
    // A runtime of its own: shutting it down ends the agent and its run in the middle of whatever they do.
    let killed = {
        let (setup, plane) = (setup(&plane, dir.path(), &script, true), plane.clone());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let (_stop, stopped) = watch::channel(false);
                let _agent = tokio::spawn(driver::run(setup, stopped));
                plane
                    .until("two chunks", |s| s.attempts.values().any(|a| a.streams[0].len() > 1))
                    .await;
            });
            runtime.shutdown_timeout(Duration::from_secs(1));
        })
    };
    while !killed.is_finished() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!nothing_left(dir.path()));
    let idle = Script::default();
    let (stop, stopped) = watch::channel(false);
    // The machine has started again, so its monotonic clock is young.
    let restarted = Setup {
        clock: || 7,
        ..setup(&plane, dir.path(), &idle, false)
    };
    let agent = tokio::spawn(driver::run(restarted, stopped));
    plane.until("the leftovers are finished", |s| s.finished() == 1).await;
    plane
        .until("it leases again", |s| s.log.last().is_some_and(|l| l == "POST lease"))
        .await;
    stop.send_replace(true);
    assert_eq!(agent.await.unwrap().unwrap(), SessionEnd::Stopped);
    assert!(nothing_left(dir.path()));
    assert_eq!((*script.runs.lock().unwrap(), *idle.runs.lock().unwrap()), (1, 0));
    let state = plane.state();
    let attempt = state.attempts.values().next().unwrap();
    let (status, error, lost) = attempt.finished.clone().unwrap();
    assert_eq!(
        (status, error.unwrap().code.as_str(), lost),
        (RunStatus::Failed, "agent-restarted", 0)
    );
    let times: Vec<u64> = attempt.records(0).iter().map(|r| r.t_us).collect();
    assert!(
        times.is_sorted() && times.last().is_some_and(|t| *t > 7),
        "{:?}",
        times.last()
    );
    // The last record is the new agent's own.
    let mut journal: Vec<Event> = attempt.records(0).into_iter().map(|r| r.event).collect();
    assert!(matches!(journal.pop(), Some(Event::Log(_))));
    let written = script.written.lock().unwrap();
    let expected: Vec<Event> = written.iter().filter(|e| e.stream() as usize == 0).cloned().collect();
    assert_eq!(journal, expected);
}

#[tokio::test]
async fn a_stopping_agent_cancels_delivers_and_ends() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(6).await);
    plane.state().queue_run();
    let script = Script {
        records: 100_000,
        every: Duration::from_millis(50),
        ..Script::default()
    };
    let (stop, stopped) = watch::channel(false);
    let agent = tokio::spawn(driver::run(setup(&plane, dir.path(), &script, false), stopped));
    plane
        .until("a chunk", |s| s.attempts.values().any(|a| !a.streams[0].is_empty()))
        .await;
    stop.send_replace(true);
    assert_eq!(agent.await.unwrap().unwrap(), SessionEnd::Stopped);
    assert_eq!(plane.state().finished(), 1);
    assert_delivered(&plane, &script);
}

#[tokio::test]
async fn a_revoked_agent_ends_with_a_sentence_and_keeps_its_spool() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(7).await);
    plane.state().queue_run();
    let script = Script {
        records: 100_000,
        every: Duration::from_millis(50),
        ..Script::default()
    };
    let (_stop, stopped) = watch::channel(false);
    let agent = tokio::spawn(driver::run(setup(&plane, dir.path(), &script, false), stopped));
    plane
        .until("a chunk", |s| s.attempts.values().any(|a| !a.streams[0].is_empty()))
        .await;
    plane.state().revoked = true;
    let SessionEnd::Revoked(sentence) = agent.await.unwrap().unwrap() else {
        panic!()
    };
    assert!(sentence.contains("rigmark enroll --replace"), "{sentence}");
    assert!(*script.cancelled.lock().unwrap());
    assert!(!nothing_left(dir.path()));
}

#[tokio::test]
async fn a_busy_host_keeps_the_run_waiting_until_it_is_free() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(8).await);
    plane.state().queue_run();
    let script = Script {
        records: 1,
        ..Script::default()
    };
    let host = TestHost::default();
    *host.busy.lock().unwrap() = Some("somebody measures".into());
    let mut setup = setup(&plane, dir.path(), &script, true);
    setup.host = Arc::new(host.clone());
    let (_stop, stopped) = watch::channel(false);
    let agent = tokio::spawn(driver::run(setup, stopped));
    plane.until("a lease", |s| !s.attempts.is_empty()).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!plane.state().attempts.values().next().unwrap().started);
    *host.busy.lock().unwrap() = None;
    assert_eq!(agent.await.unwrap().unwrap(), SessionEnd::Once);
    assert_delivered(&plane, &script);
}

#[tokio::test]
async fn a_disk_that_takes_no_spool_fails_the_run_with_the_reason() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(9).await);
    let attempt = plane.state().queue_run();
    let script = Script {
        records: 1,
        ..Script::default()
    };
    let setup = setup(&plane, dir.path(), &script, true);
    std::fs::write(dir.path().join("spool").join(attempt.to_string()), "in the way").unwrap();
    let (_stop, stopped) = watch::channel(false);
    assert_eq!(driver::run(setup, stopped).await.unwrap(), SessionEnd::Once);
    assert_eq!(*script.runs.lock().unwrap(), 0);
    let state = plane.state();
    let (status, error, _) = state.attempts[&attempt].finished.clone().unwrap();
    assert_eq!((status, error.unwrap().code.as_str()), (RunStatus::Failed, "spool"));
}

#[tokio::test]
async fn what_cannot_be_delivered_is_said_and_set_aside() {
    refused(false, "invalid").await;
}

#[tokio::test]
async fn what_a_proxy_in_between_finds_too_large_is_not_tried_for_ever() {
    refused(true, "client_max_body_size").await;
}

async fn refused(by_proxy: bool, said: &str) {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(10).await);
    let attempt = plane.state().queue_run();
    plane.state().refuse_from = Some(2);
    plane.state().refused_by_proxy = by_proxy;
    let script = Script {
        records: 100_000,
        every: Duration::from_millis(50),
        ..Script::default()
    };
    let (_stop, stopped) = watch::channel(false);
    assert_eq!(
        driver::run(setup(&plane, dir.path(), &script, true), stopped)
            .await
            .unwrap(),
        SessionEnd::Once
    );
    assert!(*script.cancelled.lock().unwrap(), "no point in measuring on");
    let state = plane.state();
    let (status, error, missing) = state.attempts[&attempt].finished.clone().unwrap();
    assert_eq!(
        (status, error.unwrap().code.as_str()),
        (RunStatus::Failed, "undeliverable")
    );
    let arrived: usize = [0, 1].map(|i| state.attempts[&attempt].records(i).len()).iter().sum();
    assert_eq!(arrived as u64 + missing, script.written.lock().unwrap().len() as u64);
    assert!(nothing_left(dir.path()));
    let kept = dir.path().join("refused").join(attempt.to_string());
    assert!(std::fs::read_to_string(kept.join("reason.txt")).unwrap().contains(said));
}

/// Its database was restored from a backup: this host has the only copy of the run.
#[tokio::test]
async fn a_run_that_the_control_plane_does_not_know_any_more_is_kept() {
    let (dir, plane) = (tempfile::tempdir().unwrap(), TestControlPlane::start(12).await);
    let attempt = plane.state().queue_run();
    let script = Script {
        records: 100_000,
        every: Duration::from_millis(20),
        ..Script::default()
    };
    let said = Arc::new(Mutex::new(Vec::new()));
    let setup = Setup {
        log: log_to(&said),
        ..setup(&plane, dir.path(), &script, true)
    };
    let (_stop, stopped) = watch::channel(false);
    let agent = tokio::spawn(driver::run(setup, stopped));
    plane
        .until("two chunks", |s| s.attempts.values().any(|a| a.streams[0].len() > 1))
        .await;
    plane.state().attempts.clear();
    assert_eq!(agent.await.unwrap().unwrap(), SessionEnd::Once);
    assert!(script.cancelled.lock().unwrap().to_owned(), "no point in measuring on");
    let asked = plane.state().log.iter().filter(|call| call.ends_with("finish")).count();
    assert_eq!(asked, 0, "there is nothing to finish");
    assert!(nothing_left(dir.path()));
    let kept = dir.path().join("refused").join(attempt.to_string());
    let named = |line: &&String| line.contains("not_found") && line.contains(&kept.display().to_string());
    assert_eq!(said.lock().unwrap().iter().filter(named).count(), 1, "{said:?}");
    let journal = std::fs::read(kept.join("journal/00000000.seg")).unwrap();
    let journal = String::from_utf8_lossy(&journal);
    let written = script.written.lock().unwrap();
    let count = written.iter().filter(|e| e.stream() as usize == 0).count();
    assert!((0..count).all(|seq| journal.contains(&format!("\"seq\":{seq},"))));
}
