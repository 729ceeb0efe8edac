use std::sync::{Arc, Mutex};

use uuid::Uuid;

use super::*;
use crate::journal::MemorySink;
use crate::protocol::journal::PlanBlocks;

#[path = "execute_looks_tests.rs"]
mod looks;

/// Scripted: what each entry does, by its key.
#[derive(Default)]
struct Mock {
    calls: Arc<Mutex<Vec<String>>>,
    build_fails: Vec<&'static str>,
    trial_fails: HashMap<&'static str, (TrialStatus, FailureScope)>,
    /// One that is not ready in time in this block.
    slow_start: Option<(&'static str, u32)>,
    /// What the host took from an entry in a block.
    taken: HashMap<(&'static str, u32), f64>,
    /// As long as it waits for a quieter moment, where it may.
    waits: Duration,
    allowed: Arc<Mutex<Vec<Duration>>>,
    /// Never ends, and says so when it has begun.
    hangs: Option<(&'static str, watch::Sender<bool>)>,
}

#[async_trait]
impl TrialExecutor for Mock {
    async fn build(&mut self, entry: &PlanEntry) -> Result<(), Reason> {
        self.calls.lock().unwrap().push(format!("build {}", entry.key));
        match self.build_fails.contains(&entry.key.as_str()) {
            true => Err(Reason::new("build", "cc is not installed.")),
            false => Ok(()),
        }
    }

    async fn wait_for_quiet(&mut self, most: Duration) -> Duration {
        self.allowed.lock().unwrap().push(most);
        let waits = self.waits.min(most);
        if !waits.is_zero() {
            tokio::time::advance(waits).await;
        }
        waits
    }

    async fn trial(&mut self, planned: &PlanTrial) -> TrialOutcome {
        let name = format!("{} {} {}", planned.entry_key, planned.scenario, planned.block);
        self.calls.lock().unwrap().push(name);
        if let Some((_, begun)) = self.hangs.as_ref().filter(|(key, _)| *key == planned.entry_key) {
            begun.send_replace(true);
            std::future::pending::<()>().await;
        }
        if self.slow_start == Some((planned.entry_key.as_str(), planned.block)) {
            let reason = Reason::new("server-start", "It was not ready after 10 s.");
            return TrialOutcome {
                trial: empty_record(planned, TrialStatus::Failed, Some(reason)),
                failure_scope: FailureScope::Entry,
                host: HostDisturbance::default(),
            };
        }
        match self.trial_fails.get(planned.entry_key.as_str()) {
            Some((status, failure_scope)) => TrialOutcome {
                trial: empty_record(
                    planned,
                    *status,
                    Some(Reason::new("verification", "10m.bin was cut off.")),
                ),
                failure_scope: *failure_scope,
                host: HostDisturbance::default(),
            },
            None => TrialOutcome {
                trial: empty_record(planned, TrialStatus::Valid, None),
                failure_scope: FailureScope::Nothing,
                host: HostDisturbance {
                    taken: self.taken.get(&(planned.entry_key.as_str(), planned.block)).copied(),
                    disturbed: None,
                },
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
                revision: None,
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
        reserve: Vec::new(),
        time_limit_s: None,
        blocks: None,
    }
}

async fn run(plan: &Plan, mut mock: Mock) -> (RunResult, Vec<Trial>, Vec<String>) {
    let sink = MemorySink::new(|| 0);
    let (_keep, cancel) = watch::channel(false);
    let result = drive(plan, &mut mock, &sink, &|_, _| None, cancel).await;
    (result, trials(&sink), mock.calls.lock().unwrap().clone())
}

fn with_looks(mut plan: Plan, least: u32, most: u32, looks: Vec<u32>) -> Plan {
    plan.blocks = Some(PlanBlocks {
        least,
        most,
        looks,
        precision: Some(0.02),
    });
    plan
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
async fn a_slow_start_of_one_that_has_started_before_costs_that_trial_only() {
    for (block, tries, valid) in [(0, 1, 3), (1, 3, 5), (2, 3, 5)] {
        let mock = Mock {
            slow_start: Some(("a", block)),
            ..Mock::default()
        };
        let (result, trials, calls) = run(&plan(&["a", "b"], &["s"], 3), mock).await;
        let tried = calls.iter().filter(|call| call.starts_with("a ")).count();
        assert_eq!((tried, result.trials_valid), (tries, valid), "{block}");
        let lost = trials.iter().filter(|t| t.status == TrialStatus::Failed);
        assert!(lost.clone().all(|t| t.reasons[0].code == "server-start"), "{trials:?}");
        assert_eq!(lost.count() as u64, 6 - valid, "{block}");
    }
}

#[tokio::test]
async fn what_breaks_an_entry_or_a_scenario_is_not_tried_again() {
    let mock = Mock {
        trial_fails: HashMap::from([
            ("a", (TrialStatus::Failed, FailureScope::Entry)),
            ("b", (TrialStatus::Failed, FailureScope::Scenario)),
            ("c", (TrialStatus::Invalid, FailureScope::Nothing)),
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
    let (result, ()) = tokio::join!(drive(&plan, &mut mock, &sink, &|_, _| None, cancel), stopper);
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
    let result = drive(&plan(&["a", "b"], &["s"], 3), &mut mock, &Full, &|_, _| None, cancel).await;
    assert_eq!(result.error, Some(Reason::new("journal", "The disk is full.")));
    assert_eq!(calls.lock().unwrap().len(), 1);
}

/// With as many blocks in reserve as were asked for.
fn with_reserve(entries: &[&str], scenarios: &[&str], blocks: u32) -> Plan {
    let mut plan = with_looks(plan(entries, scenarios, blocks * 2), blocks, blocks, vec![blocks]);
    plan.blocks.as_mut().unwrap().precision = None;
    plan.reserve = plan.trials.split_off(plan.trials.partition_point(|t| t.block < blocks));
    plan
}

fn counted(trials: &[Trial], scenario: &str) -> Vec<(u32, TrialStatus)> {
    let of = trials.iter().filter(|t| t.scenario == scenario);
    of.map(|t| (t.block, t.status)).collect()
}

#[tokio::test(start_paused = true)]
async fn a_block_that_the_host_disturbed_is_measured_again_for_all_its_entries_and_for_its_scenario_alone() {
    let plan = with_reserve(&["a", "b"], &["s"], 2);
    let mock = Mock {
        taken: [(("a", 0), 0.4), (("b", 0), 0.05), (("a", 1), 0.4), (("b", 1), 0.41)].into(),
        ..Mock::default()
    };
    let (result, trials, _) = run(&plan, mock).await;
    use TrialStatus::{Invalid, Valid};
    assert_eq!(
        counted(&trials, "s"),
        [
            (0, Invalid),
            (0, Invalid),
            (1, Valid),
            (1, Valid),
            (2, Valid),
            (2, Valid)
        ]
    );
    assert_eq!(trials[0].reasons[0].code, disturbance::CODE);
    assert_eq!((result.status, result.trials_valid), (RunStatus::Succeeded, 4));
}

#[tokio::test(start_paused = true)]
async fn a_host_that_is_never_quiet_uses_the_reserve_up_and_no_more() {
    let plan = with_reserve(&["a", "b"], &["s"], 2);
    let mock = Mock {
        taken: (0..4)
            .flat_map(|block| [(("a", block), 0.9), (("b", block), 0.1)])
            .collect(),
        ..Mock::default()
    };
    let (result, trials, _) = run(&plan, mock).await;
    assert_eq!(
        (trials.len(), result.trials_valid, result.status),
        (8, 0, RunStatus::Failed)
    );
    assert!(result.error.unwrap().message.ends_with(disturbance::ADVICE));
}

#[tokio::test(start_paused = true)]
async fn what_the_server_did_is_never_measured_again() {
    let plan = with_reserve(&["a", "b"], &["s"], 2);
    let mock = Mock {
        trial_fails: [("a", (TrialStatus::Invalid, FailureScope::Nothing))].into(),
        ..Mock::default()
    };
    let (_, trials, _) = run(&plan, mock).await;
    assert_eq!(trials.iter().map(|t| t.block).max(), Some(1));
}

#[tokio::test(start_paused = true)]
async fn a_time_limit_ends_a_run_between_blocks_and_never_before_the_first() {
    let mut plan = with_reserve(&["a", "b"], &["s"], 3);
    plan.time_limit_s = Some(0.1);
    plan.blocks.as_mut().unwrap().precision = Some(0.02);
    let mock = Mock {
        waits: Duration::from_secs(1),
        ..Mock::default()
    };
    let sink = MemorySink::new(|| 0);
    let (_keep, cancel) = watch::channel(false);
    let result = drive(&plan, &mut { mock }, &sink, &says_where_it_ended, cancel).await;
    assert_eq!((trials(&sink).len(), result.status), (2, RunStatus::Succeeded));
    // What more blocks would have told is not known.
    assert_eq!(labels(&sink), ["time-limit"]);
}

fn says_where_it_ended(_: &Plan, so_far: &SoFar) -> Option<RunLabel> {
    so_far.last.then(|| RunLabel {
        code: format!("last-of-{}", so_far.blocks),
        message: String::new(),
        entry_key: None,
    })
}

fn labels(sink: &MemorySink) -> Vec<String> {
    let label = |event| match event {
        Event::Label(label) => Some(label.code),
        _ => None,
    };
    sink.events().into_iter().filter_map(label).collect()
}

#[tokio::test(start_paused = true)]
async fn the_last_look_knows_how_many_blocks_count() {
    for (disturbed, last) in [(0..0, "last-of-3"), (0..5, "last-of-1")] {
        let mut plan = with_reserve(&["a", "b"], &["s"], 3);
        plan.blocks.as_mut().unwrap().precision = Some(0.02);
        let mock = Mock {
            taken: disturbed
                .flat_map(|block| [(("a", block), 0.9), (("b", block), 0.1)])
                .collect(),
            ..Mock::default()
        };
        let sink = MemorySink::new(|| 0);
        let (_keep, cancel) = watch::channel(false);
        drive(&plan, &mut { mock }, &sink, &says_where_it_ended, cancel).await;
        assert_eq!(labels(&sink), [last]);
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_quieter_moment_is_a_stated_share_of_what_was_planned_so_far() {
    let plan = with_reserve(&["a", "b"], &["s"], 2);
    let (waits, allowed) = (Duration::from_millis(100), Arc::default());
    let mock = Mock {
        waits,
        allowed: Arc::clone(&allowed),
        ..Mock::default()
    };
    run(&plan, mock).await;
    // A block of two trials of 2.5 s may wait for 0.15 s; what the first did not use is left for the second.
    let allowed: Vec<u128> = allowed.lock().unwrap().iter().map(Duration::as_millis).collect();
    assert_eq!(allowed, [150, 200]);
}
