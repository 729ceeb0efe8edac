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

async fn planned(suite: Option<&str>) -> (Plan, Vec<RunLabel>) {
    let folder = tempfile::tempdir().unwrap();
    let golden = include_str!("../../../../packages/protocol/golden/lease-response.json");
    let mut golden: serde_json::Value = serde_json::from_str(golden).unwrap();
    let mut lease: Lease = serde_json::from_value(golden["lease"].take()).unwrap();
    lease.spec.entries.truncate(1);
    (lease.spec.baseline, lease.spec.precision, lease.spec.max_repeats) = (None, None, None);
    lease.spec.suite = suite.map(str::to_owned);
    let runner = Runner {
        assets: Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap(),
        state: State::locate(Some(folder.path())),
        tune: None,
    };
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
