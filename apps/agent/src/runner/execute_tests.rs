use std::sync::{Arc, Mutex};

use uuid::Uuid;

use super::*;
use crate::journal::MemorySink;

/// Scripted: what each entry does, by its key.
#[derive(Default)]
struct Mock {
    calls: Arc<Mutex<Vec<String>>>,
    build_fails: Vec<&'static str>,
    trial_fails: HashMap<&'static str, (TrialStatus, Breaks)>,
    /// Never ends, and says so when it has begun.
    hangs: Option<(&'static str, watch::Sender<bool>)>,
}

#[async_trait]
impl Executor for Mock {
    async fn build(&mut self, entry: &PlanEntry) -> Result<(), Reason> {
        self.calls.lock().unwrap().push(format!("build {}", entry.key));
        match self.build_fails.contains(&entry.key.as_str()) {
            true => Err(Reason::new("build", "cc is not installed.")),
            false => Ok(()),
        }
    }

    async fn trial(&mut self, planned: &PlanTrial) -> Done {
        let name = format!("{} {} {}", planned.entry_key, planned.scenario, planned.block);
        self.calls.lock().unwrap().push(name);
        if let Some((_, begun)) = self.hangs.as_ref().filter(|(key, _)| *key == planned.entry_key) {
            begun.send_replace(true);
            std::future::pending::<()>().await;
        }
        match self.trial_fails.get(planned.entry_key.as_str()) {
            Some((status, breaks)) => Done {
                trial: unmeasured(
                    planned,
                    *status,
                    Some(Reason::new("verification", "10m.bin was cut off.")),
                ),
                breaks: *breaks,
            },
            None => Done {
                trial: unmeasured(planned, TrialStatus::Valid, None),
                breaks: Breaks::Nothing,
            },
        }
    }
}

fn plan(entries: &[&str], scenarios: &[&str], blocks: u32) -> Plan {
    let slots = crate::runner::plan::order(7, entries.len(), scenarios.len(), blocks);
    Plan {
        seed: 7,
        prng: "splitmix64".into(),
        shuffle: "fisher-yates".into(),
        entries: entries
            .iter()
            .map(|key| PlanEntry {
                key: key.to_string(),
                label: key.to_string(),
                server: key.to_string(),
                title: String::new(),
                content_hash: String::new(),
                options: Default::default(),
                baseline: false,
            })
            .collect(),
        scenarios: Vec::new(),
        trials: slots
            .iter()
            .map(|slot| PlanTrial {
                trial_id: Uuid::now_v7(),
                entry_key: entries[slot.entry].into(),
                scenario: scenarios[slot.scenario].into(),
                block: slot.block,
                position: slot.position,
                slices: 1,
                warmup_s: 0.0,
                duration_s: 1.0,
            })
            .collect(),
        planned_s: 0.0,
        blocks: None,
    }
}

async fn run(plan: &Plan, mut mock: Mock) -> (RunResult, Vec<Trial>, Vec<String>) {
    let sink = MemorySink::new(|| 0);
    let (_keep, cancel) = watch::channel(false);
    let result = drive(plan, &mut mock, &sink, cancel).await;
    (result, trials(&sink), mock.calls.lock().unwrap().clone())
}

fn trials(sink: &MemorySink) -> Vec<Trial> {
    let trial = |event| {
        if let Event::Trial(trial) = event {
            Some(trial)
        } else {
            None
        }
    };
    sink.events().into_iter().filter_map(trial).collect()
}

#[tokio::test]
async fn everything_is_built_first_and_the_plan_is_followed() {
    let plan = plan(&["a", "b", "c"], &["s", "t"], 2);
    let (result, trials, calls) = run(&plan, Mock::default()).await;
    assert_eq!(result.status, RunStatus::Succeeded);
    assert_eq!((result.trials_valid, result.trials_invalid), (12, 0));
    assert_eq!(calls[..3], ["build a", "build b", "build c"]);
    let ids = |t: &[Uuid]| t.to_vec();
    assert_eq!(
        ids(&trials.iter().map(|t| t.trial_id).collect::<Vec<_>>()),
        ids(&plan.trials.iter().map(|t| t.trial_id).collect::<Vec<_>>())
    );
}

#[tokio::test]
async fn one_that_cannot_be_built_fails_in_every_trial_and_the_others_go_on() {
    let mock = Mock {
        build_fails: vec!["b"],
        ..Mock::default()
    };
    let (result, trials, calls) = run(&plan(&["a", "b"], &["s"], 3), mock).await;
    assert_eq!(result.status, RunStatus::Succeeded);
    assert_eq!((result.trials_valid, result.trials_invalid), (3, 3));
    assert!(!calls.iter().any(|c| c.starts_with("b ")), "{calls:?}");
    for trial in trials.iter().filter(|t| t.entry_key == "b") {
        assert_eq!(
            (trial.status, trial.reasons[0].code.as_str()),
            (TrialStatus::Failed, "build")
        );
    }
}

#[tokio::test]
async fn one_that_claims_none_of_the_workloads_is_not_built() {
    let mut plan = plan(&["a", "b"], &["s"], 2);
    plan.trials.retain(|t| t.entry_key != "b");
    let (result, trials, calls) = run(&plan, Mock::default()).await;
    assert_eq!((result.status, trials.len()), (RunStatus::Succeeded, 2));
    assert_eq!(calls, ["build a", "a s 0", "a s 1"]);
}

#[tokio::test]
async fn what_breaks_an_entry_or_a_scenario_is_not_tried_again() {
    let mock = Mock {
        trial_fails: HashMap::from([
            ("a", (TrialStatus::Failed, Breaks::Entry)),
            ("b", (TrialStatus::Failed, Breaks::Scenario)),
            ("c", (TrialStatus::Invalid, Breaks::Nothing)),
        ]),
        ..Mock::default()
    };
    let (result, trials, calls) = run(&plan(&["a", "b", "c"], &["s", "t"], 2), mock).await;
    assert_eq!(trials.len(), 12);
    let tried = |key: &str| calls.iter().filter(|c| c.starts_with(&format!("{key} "))).count();
    assert_eq!((tried("a"), tried("b"), tried("c")), (1, 2, 4));
    assert_eq!(result.status, RunStatus::Failed);
    assert!(result.error.unwrap().message.contains("10m.bin was cut off."));
}

#[tokio::test]
async fn a_cancel_ends_the_trial_at_once() {
    let (begun, mut has_begun) = watch::channel(false);
    let (stop, cancel) = watch::channel(false);
    let mut mock = Mock {
        hangs: Some(("a", begun)),
        ..Mock::default()
    };
    let sink = MemorySink::new(|| 0);
    let plan = plan(&["a"], &["s"], 3);
    let stopper = async {
        has_begun.wait_for(|b| *b).await.unwrap();
        stop.send_replace(true);
    };
    let (result, ()) = tokio::join!(drive(&plan, &mut mock, &sink, cancel), stopper);
    assert_eq!(result.status, RunStatus::Cancelled);
    let trials = trials(&sink);
    assert_eq!(trials.len(), 1);
    assert_eq!(trials[0].status, TrialStatus::Cancelled);
}

#[tokio::test]
async fn a_journal_that_cannot_be_kept_ends_the_run() {
    struct Full;
    impl Sink for Full {
        fn append(&self, _: Event) {}
        fn health(&self) -> Result<(), String> {
            Err("The disk is full.".into())
        }
    }
    let (_keep, cancel) = watch::channel(false);
    let mut mock = Mock::default();
    let calls = mock.calls.clone();
    let result = drive(&plan(&["a", "b"], &["s"], 3), &mut mock, &Full, cancel).await;
    assert_eq!(result.error, Some(Reason::new("journal", "The disk is full.")));
    assert_eq!(calls.lock().unwrap().len(), 1);
}
