use std::sync::Mutex;

use super::*;
use crate::protocol::journal::{Event, Plan};

/// Keeps what is written, and cancels the run at its plan, before anything is built.
struct UntilPlan {
    written: Mutex<Vec<Event>>,
    cancel: watch::Sender<bool>,
}

impl Sink for UntilPlan {
    fn append(&self, event: Event) {
        if matches!(event, Event::Plan(_)) {
            self.cancel.send_replace(true);
        }
        self.written.lock().unwrap().push(event);
    }
}

fn lease() -> Lease {
    let golden = include_str!("../../../../packages/protocol/golden/lease-response.json");
    let mut golden: serde_json::Value = serde_json::from_str(golden).unwrap();
    serde_json::from_value(golden["lease"].take()).unwrap()
}

fn runner(state: &Path, tune: Option<HugePages>, allow_tune: bool) -> Runner {
    Runner {
        assets: Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap(),
        state: State::locate(Some(state)),
        tune,
        allow_tune,
    }
}

async fn planned(suite: Option<&str>) -> (Plan, Vec<RunLabel>) {
    let folder = tempfile::tempdir().unwrap();
    let mut lease = lease();
    lease.spec.entries.truncate(1);
    (lease.spec.baseline, lease.spec.precision, lease.spec.max_repeats) = (None, None, None);
    lease.spec.suite = suite.map(str::to_owned);
    let runner = runner(folder.path(), None, false);
    let (cancel, cancelled) = watch::channel(false);
    let sink = Arc::new(UntilPlan {
        written: Mutex::default(),
        cancel,
    });
    let result = runner.execute(lease, sink.clone(), cancelled).await;
    let (mut plan, mut labels) = (None, Vec::new());
    for event in sink.written.lock().unwrap().drain(..) {
        match event {
            Event::Plan(given) => plan = Some(given),
            Event::Label(label) if label.code == "left-out" => labels.push(label),
            _ => {}
        }
    }
    (plan.unwrap_or_else(|| panic!("{:?}", result.error)), labels)
}

#[tokio::test]
async fn a_run_says_what_of_its_suite_it_does_without_and_its_plan_is_the_same() {
    let (plan, labels) = planned(None).await;
    assert_eq!(labels, Vec::new());
    let (of_suite, labels) = planned(Some("quick")).await;
    assert_eq!(of_suite, plan);
    let said = |name: &str| {
        labels
            .iter()
            .any(|l| l.message.starts_with(&format!("{name} is left out: ")))
    };
    assert!(said("nginx") && said("io-uring") && !said("epoll"), "{labels:?}");
}

#[tokio::test]
async fn a_run_that_asks_for_tuning_is_refused_where_the_owner_did_not_allow_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut lease = lease();
    lease.spec.tune = Some(true);
    let (cancel, cancelled) = watch::channel(false);
    let sink = Arc::new(UntilPlan {
        written: Mutex::default(),
        cancel,
    });
    let runner = runner(folder.path(), None, false);
    let error = runner.execute(lease, sink.clone(), cancelled).await.error.unwrap();
    assert_eq!(error.code, "tuning-not-allowed");
    assert!(error.message.contains("--allow-tune"), "{}", error.message);
    let written = sink.written.lock().unwrap();
    assert!(!written.iter().any(|event| matches!(event, Event::Plan(_))));
}

/// An owner's folder with such an `agent.toml`.
fn owned(rules: &str) -> (tempfile::TempDir, Assets) {
    let owner = tempfile::tempdir().unwrap();
    std::fs::write(owner.path().join("agent.toml"), rules).unwrap();
    let bundled = Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let assets = bundled.with_owner(vec![owner.path().to_owned()]);
    (owner, assets)
}

#[tokio::test]
async fn a_run_that_the_owner_forbids_is_refused_and_nothing_is_planned() {
    let spec = lease().spec;
    let (server, scenario) = (&spec.entries[0].server, base_id(&spec.scenarios[0]));
    let scenarios = crate::scenario::load_all(&owned("").1).unwrap();
    let tool = scenarios.iter().find(|s| s.id == scenario).unwrap().tool.as_str();
    for (rules, said) in [
        (
            format!("[forbid]\nservers = [{server:?}]\n"),
            format!("forbids {server}"),
        ),
        (format!("[forbid]\ntools = [{tool:?}]\n"), format!("forbids {tool}")),
        ("[forbid]\ntuning = true\n".to_owned(), "forbids tuning".to_owned()),
        ("[forbid]\nserver = 1\n".to_owned(), "begins no run".to_owned()),
    ] {
        let state = tempfile::tempdir().unwrap();
        let (_owner, assets) = owned(&rules);
        let runner = Runner {
            assets,
            ..runner(state.path(), Some(HugePages::Never), true)
        };
        let mut asked = lease();
        asked.spec.scenarios = vec![format!("{scenario}:connections=7")];
        asked.spec.tune = Some(true);
        // Nothing on the host is changed for it either.
        assert_eq!(runner.allowed(&asked.spec).tune, None);
        let (cancel, cancelled) = watch::channel(false);
        let sink = Arc::new(UntilPlan {
            written: Mutex::default(),
            cancel,
        });
        let error = runner.execute(asked, sink.clone(), cancelled).await.error.unwrap();
        assert_eq!(error.code, "forbidden-by-owner");
        assert!(error.message.contains(&said), "{}", error.message);
        let written = sink.written.lock().unwrap();
        assert!(!written.iter().any(|event| matches!(event, Event::Plan(_))));
    }
}

#[test]
fn outside_the_owners_hours_no_run_begins() {
    // Two minutes that are not now, wherever and whenever this runs.
    let closed = if TimeOfDay::now() >= TimeOfDay::try_from("12:00".to_owned()).unwrap() {
        "hours = { from = \"03:00\", until = \"03:02\" }"
    } else {
        "hours = { from = \"21:00\", until = \"21:02\" }"
    };
    let state = tempfile::tempdir().unwrap();
    let (_owner, assets) = owned(closed);
    let host = AgentHost {
        assets,
        state: State::locate(Some(state.path())),
        allow_tune: false,
    };
    let sentence = host.lock("a test").err().unwrap();
    assert!(sentence.contains("lets runs begin from"), "{sentence}");
}

#[test]
fn where_builds_are_forbidden_a_server_that_would_be_built_is_not_offered() {
    let (_owner, assets) = owned("[forbid]\nbuilds = true\n");
    let state = tempfile::tempdir().unwrap();
    let host = AgentHost {
        assets: assets.clone(),
        state: State::locate(Some(state.path())),
        allow_tune: true,
    };
    let Inventory { facts, catalogue } = host.inventory();
    let go = catalogue.servers.iter().find(|server| server.name == "go").unwrap();
    assert!(!go.supported && go.reason.as_ref().unwrap().contains("forbids builds"));
    assert_eq!(facts.owner_rules.unwrap(), ["no builds"]);
    let find = |assets: &Assets| crate::server::Server::find(assets, "go").unwrap();
    assert!(
        find(&assets.clone().without_builds(true))
            .missing()
            .unwrap()
            .reason
            .contains("forbids builds")
    );
    let allowed = find(&assets).missing();
    assert!(allowed.is_none_or(|missing| !missing.reason.contains("forbids builds")));
}

#[test]
fn what_a_run_may_have_tuned_is_the_owners_to_say() {
    let folder = tempfile::tempdir().unwrap();
    let mut asks = lease().spec;
    asks.tune = Some(true);
    let asks_nothing = lease().spec;
    let (never, always) = (Some(HugePages::Never), Some(HugePages::Always));
    for (tune, allow, asked, otherwise) in [
        (None, false, None, None),
        (None, true, never, None),
        (always, false, always, always),
        (always, true, always, always),
    ] {
        let runner = runner(folder.path(), tune, allow);
        assert_eq!((runner.tuning(&asks), runner.tuning(&asks_nothing)), (asked, otherwise));
    }
}

#[test]
fn the_owner_reads_what_the_opt_in_comes_to() {
    let reach = |sets: &[&str], missing: &[&str]| {
        let owned = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
        let (sets, missing) = (owned(sets), owned(missing));
        let lines = tuning_in_words(&HostTune { sets, missing });
        lines.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
    };
    assert_eq!(
        reach(&["CPU governor", "turbo"], &[]),
        ["While they run, runs from the app may set: CPU governor, turbo."]
    );
    let missing = reach(&[], &["turbo: /sys/x cannot be written"]);
    assert!(
        missing[0].contains("turbo: /sys/x cannot be written. See"),
        "{missing:?}"
    );
    assert!(reach(&[], &[]).is_empty());
}
