mod singles;

use serde_json::{Value, json};

use super::*;
use crate::cli::output::Column;
use crate::protocol::journal::Trial;
use crate::protocol::result::Limit as Bounded;
use crate::runner::summary::Collected;

const BLOCKS: u32 = 10;
const CLOSED: &str = r#"{"kind":"closed","connections":8,"keep_alive":true}"#;
const RATE: &str = r#"{"kind":"rate","rate_per_s":1000,"connections":8,"keep_alive":true}"#;

/// Ten blocks of the first entry, the baseline, and of others that are so many times as much of everything; the noise is
/// of each block and entry.
fn run(load: &str, judged_by: Value, entries: &[(&str, f64)]) -> Collected {
    let load: Value = serde_json::from_str(load).unwrap();
    let plan_entries: Vec<Value> = entries
        .iter()
        .map(|(label, _)| {
            json!({
                "key": label, "label": label, "server": "epoll", "title": "", "content_hash": "", "options": {},
                "baseline": *label == entries[0].0,
            })
        })
        .collect();
    let mut planned: Vec<Value> = Vec::new();
    let mut trials: Vec<Trial> = Vec::new();
    for block in 0..BLOCKS {
        for (at, (label, times)) in entries.iter().enumerate() {
            let noise = 1.0 + 0.004 * f64::from((block * 7 + at as u32 * 3) % 5) - 0.008;
            let figure = times * noise;
            let place = json!({
                "trial_id": uuid::Uuid::from_u128(u128::from(block) << 8 | at as u128), "entry_key": label, "scenario": "s",
                "block": block, "position": at,
            });
            let with = |more: Value| {
                let mut all = place.as_object().unwrap().clone();
                all.extend(more.as_object().unwrap().clone());
                Value::Object(all)
            };
            planned.push(with(json!({ "slices": 1, "warmup_s": 1.0, "duration_s": 10.0 })));
            let trial = with(json!({
                "status": "valid", "reasons": [], "labels": [], "slices": [], "limit": "server-bound",
                "result": {
                    "tool": "k6", "tool_version": null, "duration_us": 10_000_000, "requests": 100_000,
                    "failures": { "total": 0 }, "bytes_received": null, "bytes_scope": null,
                    "requests_per_s": 20_000.0 * figure,
                    "latency": {
                        "mean_us": null, "min_us": null, "max_us": null, "stdev_us": null, "resolution_us": 1.0,
                        "percentiles": [{ "p": 50.0, "us": 1000.0 * figure }, { "p": 99.0, "us": 2000.0 * figure }],
                        "corrected": false, "source": "",
                    },
                    "offered": { "rate_per_s": 1000.0, "requests": 100_000, "dropped": 0 },
                    "statuses": null, "thresholds_crossed": [],
                },
                "resources": { "window_us": 10_000_000, "server_cpu_us": (3_000_000.0 * figure) as u64 },
            }));
            trials.push(serde_json::from_value(trial).unwrap());
        }
    }
    let plan = json!({
        "seed": 1, "prng": "", "shuffle": "", "entries": plan_entries, "trials": planned, "planned_s": 1.0,
        "scenarios": [{
            "schema": 1, "id": "s", "title": "S", "summary": "", "workload": "plaintext", "tool": "k6", "path": "/",
            "body_bytes": 13, "load": load, "duration_s": 10.0, "warmup_s": 1.0, "judged_by": judged_by,
        }],
    });
    Collected {
        plan: Some(serde_json::from_value(plan).unwrap()),
        trials,
        ..Collected::default()
    }
}

/// In so many of the first blocks the tool was the bottleneck of an entry.
fn bind(run: &mut Collected, label: &str, blocks: u32) {
    let own = |t: &&mut Trial| t.entry_key == label && t.block < blocks;
    run.trials
        .iter_mut()
        .filter(own)
        .for_each(|t| t.limit = Some(Bounded::GeneratorBound));
}

struct Table {
    columns: Vec<Column>,
    about: String,
    lines: Vec<String>,
}

impl Table {
    fn of(run: &Collected) -> Self {
        let (plan, summary) = (run.plan.as_ref().unwrap(), run.summary().unwrap().unwrap());
        let (trials, scenario): (Vec<&Trial>, _) = (run.trials.iter().collect(), &summary.scenarios[0]);
        let shown = ScenarioTable::new(plan, scenario);
        Self {
            columns: shown.columns().into_iter().flatten().collect(),
            about: shown.about(),
            lines: lines(plan, plan.scenarios.first(), &trials, scenario),
        }
    }

    fn titles(&self) -> Vec<&str> {
        self.columns.iter().map(|c| c.title).collect()
    }

    fn cell(&self, title: &str, label: &str) -> &str {
        let row = self.columns[0].cells.iter().position(|c| c == label).unwrap();
        let column = self.columns.iter().find(|c| c.title == title);
        &column.unwrap_or_else(|| panic!("{:?}", self.titles())).cells[row]
    }

    fn has(&self, part: &str) -> bool {
        self.lines.iter().any(|l| l.contains(part))
    }
}

#[test]
fn every_entry_has_its_verdict() {
    let mut run = run(
        CLOSED,
        json!(null),
        &[
            ("base", 1.0),
            ("more", 1.2),
            ("less", 0.8),
            ("same", 1.001),
            ("bound", 0.99),
        ],
    );
    bind(&mut run, "bound", BLOCKS);
    let table = Table::of(&run);
    let verdicts = ["base", "more", "less", "same", "bound"].map(|label| table.cell("VERDICT", label));
    assert_eq!(
        verdicts,
        ["–", "faster", "slower", "no difference shown", "not comparable"]
    );
    assert_eq!(table.cell("TO BASELINE (95 %)", "base"), "baseline");
    let ranks = ["base", "more", "less", "same", "bound"].map(|label| table.cell("RANK", label));
    assert_eq!(ranks, ["2–4", "1–2", "5", "2–4", "1–4"]);
    // The one that the sentence of the run does not speak of has its own.
    assert!(table.has("no verdict against base"), "{:?}", table.lines);
}

#[test]
fn without_a_shown_difference_there_is_no_rank_and_the_order_is_the_plans() {
    let same = run(CLOSED, json!(null), &[("base", 1.0), ("more", 1.001), ("less", 0.999)]);
    let table = Table::of(&same);
    assert!(!table.titles().contains(&"RANK"), "{:?}", table.titles());
    assert_eq!(table.columns[0].cells, ["base", "more", "less"]);
    assert!(
        table.about.starts_with("Medians; compared by REQUESTS/S"),
        "{}",
        table.about
    );
}

#[test]
fn a_bound_is_written_as_one_and_its_open_end_stays_open() {
    let closed = |bounded: &str, blocks: u32| {
        let mut run = run(CLOSED, json!(null), &[("base", 1.0), ("more", 1.2)]);
        bind(&mut run, bounded, blocks);
        Table::of(&run)
    };
    let whole = closed("more", BLOCKS);
    assert!(whole.cell("REQUESTS/S", "more").starts_with("≥ "));
    assert_eq!(whole.cell("BOTTLENECK", "more"), "tool");
    let ratio = whole.cell("TO BASELINE (95 %)", "more");
    assert!(ratio.starts_with("≥ 1.2") && ratio.ends_with("–…)"), "{ratio}");
    // The median is none with one block, the mean is.
    let one = closed("more", 1);
    assert!(!one.cell("REQUESTS/S", "more").contains('≥'));
    assert!(one.cell("TO BASELINE (95 %)", "more").starts_with("≥ 1.2"));
    let base = closed("base", BLOCKS);
    assert!(base.cell("REQUESTS/S", "base").starts_with("≥ "));
    let ratio = base.cell("TO BASELINE (95 %)", "more");
    assert!(ratio.starts_with("≤ 1.2") && ratio.contains("(…–"), "{ratio}");
}

#[test]
fn at_a_fixed_rate_a_latency_is_the_bound_and_what_the_spread_is_of_is_said() {
    let mut run = run(RATE, json!(null), &[("base", 1.0), ("less", 0.8)]);
    bind(&mut run, "less", BLOCKS);
    let table = Table::of(&run);
    assert_eq!(&table.titles()[..2], &["SERVER", "P99 ms"]);
    assert!(table.cell("P99 ms", "less").starts_with("≤ 1.6"));
    assert!(table.cell("P50 ms", "less").starts_with("≤ "));
    assert!(!table.cell("P99 ms", "base").contains('≤'));
    let ratio = table.cell("TO BASELINE (95 %)", "less");
    assert!(ratio.starts_with("≤ 0.8") && ratio.contains("(…–"), "{ratio}");
    assert_eq!(table.cell("MIN–MAX ms", "base"), "1.98–2.02");
    assert!(
        table
            .about
            .contains("ranked by P99, less is better. Of it: MIN–MAX, CV"),
        "{}",
        table.about
    );
}

#[test]
fn what_a_request_costs_is_no_bound_and_its_verdict_is_explained() {
    let mut run = run(RATE, json!("cpu_us_per_request"), &[("base", 1.0), ("more", 1.05)]);
    bind(&mut run, "more", BLOCKS);
    let table = Table::of(&run);
    assert_eq!(table.titles()[1], "CPU µs/REQ");
    assert_eq!(table.cell("VERDICT", "more"), "slower: spends more");
    let shown = [
        table.cell("TO BASELINE (95 %)", "more"),
        table.cell("CPU µs/REQ", "more"),
    ];
    assert!(shown.iter().all(|cell| !cell.contains(['≥', '≤'])), "{shown:?}");
    assert!(table.titles().contains(&"MIN–MAX µs"), "{:?}", table.titles());
}

#[test]
fn entries_at_the_same_ceiling_say_so() {
    let mut run = run(CLOSED, json!(null), &[("base", 1.0), ("same", 1.001)]);
    bind(&mut run, "base", BLOCKS);
    bind(&mut run, "same", BLOCKS);
    let table = Table::of(&run);
    assert_eq!(
        ["base", "same"].map(|l| table.cell("BOTTLENECK", l)),
        ["shared ceiling"; 2],
        "{:?}",
        table.titles()
    );
    assert_eq!(table.cell("VERDICT", "same"), "not comparable");
    assert!(table.has("are tool-bound at the same rate"), "{:?}", table.lines);
}

#[test]
fn a_single_shot_says_what_is_wrong_with_it() {
    let mut run = run(CLOSED, json!(null), &[("base", 1.0), ("more", 1.2)]);
    for trial in run.trials.iter_mut().filter(|t| t.block == 0) {
        trial.single_shot = trial.result.clone();
        if trial.entry_key == "more" {
            trial.status = TrialStatus::Invalid;
        }
    }
    bind(&mut run, "base", 1);
    let table = Table::of(&run);
    let line = table.lines.iter().find(|l| l.starts_with("Single tool run")).unwrap();
    assert!(line.contains("base ≥ 19,840"), "{line}");
    assert!(line.contains(" (of an invalid trial)"), "{line}");
}

#[test]
fn a_warm_up_that_ended_before_its_server_was_steady_is_said() {
    let mut run = run(CLOSED, json!(null), &[("base", 1.0), ("more", 1.2)]);
    for trial in run.trials.iter_mut().filter(|t| t.entry_key == "more" && t.block < 2) {
        (trial.warmup_steady, trial.warmup_us) = (Some(false), Some(6_200_000 + u64::from(trial.block)));
    }
    let said = "Warm-up: more was not steady in 2 of 10 trials after up to 6.20 s of it (not-steady).";
    let table = Table::of(&run);
    assert!(table.has(said), "{:?}", table.lines);
    assert!(!table.has("Warm-up: base"), "{:?}", table.lines);
}
