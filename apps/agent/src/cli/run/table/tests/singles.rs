//! Single requests that are timed to the first byte, as the pages have them: apps/web/test/first-byte.test.tsx.

use rigmark_stats::Summary;
use rigmark_stats::gate::Gate;
use rigmark_stats::sentence::single_requests::NOT_RANKED;

use super::*;
use crate::cli::gate;
use crate::protocol::journal::Verify;
use crate::protocol::spec::{JudgedBy, LatencyUntil};

const ENTRIES: [(&str, f64); 3] = [("base", 1.0), ("more", 1.2), ("less", 0.8)];
const SINGLE: &str = r#"{"kind":"closed","connections":1,"keep_alive":false}"#;
const SENTENCE: &str = "Median time to the first byte: base 1.00 ms, more 1.20 ms, less 800 µs. \
                        Single requests in a closed loop are not ranked.";

fn timed(load: &str) -> Collected {
    let mut run = run(load, json!(null), &ENTRIES);
    run.plan.as_mut().unwrap().scenarios[0].latency_until = Some(LatencyUntil::FirstByte);
    run
}

/// A scenario of single requests, then one that ranks.
fn both() -> Collected {
    let (mut all, mut ranked) = (timed(SINGLE), run(CLOSED, json!(null), &ENTRIES));
    let other = |id: uuid::Uuid| uuid::Uuid::from_u128(id.as_u128() | 1 << 64);
    all.trials.iter_mut().for_each(|t| t.trial_id = other(t.trial_id));
    let (plan, mut more) = (all.plan.as_mut().unwrap(), ranked.plan.take().unwrap());
    more.scenarios[0].id = "ranks".into();
    more.trials.iter_mut().for_each(|t| t.scenario = "ranks".into());
    ranked.trials.iter_mut().for_each(|t| t.scenario = "ranks".into());
    plan.scenarios.append(&mut more.scenarios);
    plan.trials.append(&mut more.trials);
    all.trials.append(&mut ranked.trials);
    all
}

fn shown(run: &Collected) -> Summary {
    run.summary().unwrap().unwrap()
}

#[test]
fn the_table_is_read_by_that_time_and_ranks_nobody() {
    let table = Table::of(&timed(SINGLE));
    assert_eq!(
        &table.titles()[..4],
        &["SERVER", "FIRST BYTE P50 ms", "MIN–MAX ms", "CV %"]
    );
    assert!(!table.titles().contains(&"VERDICT"), "{:?}", table.titles());
    // In the order of the plan, though `more` answers more requests.
    assert_eq!(table.columns[0].cells, ["base", "more", "less"]);
    let times = ["base", "more", "less"].map(|label| table.cell("FIRST BYTE P50 ms", label));
    assert_eq!(times, ["1.00", "1.20", "0.800"]);
    assert_eq!(table.cell("MIN–MAX ms", "base"), "0.992–1.01");
    assert!(table.about.contains(NOT_RANKED) && !table.about.contains("ranked by"));
    // Why stands above all of them, and not once for each.
    assert!(!table.has("is not ranked"), "{:?}", table.lines);
}

#[test]
fn the_sentence_has_the_times_and_nobody_wins() {
    let run = timed(SINGLE);
    let all = shown(&run);
    let of = &all.scenarios[0];
    assert_eq!((of.sentence.as_str(), &all.sentence), (SENTENCE, &of.sentence));
    assert!(of.sentence_zh.contains("less 800 µs") && of.sentence_zh.ends_with("闭环中的单个请求不排名。"));
    assert_eq!((&of.winner_key, of.no_winner.as_deref()), (&None, Some(NOT_RANKED)));
    for entry in &of.entries {
        assert_eq!((entry.rank, entry.ratio, entry.verdict), (None, None, None));
        assert_eq!(entry.unranked_reason.as_deref(), Some(NOT_RANKED));
    }
    assert_eq!(json!(&all)["scenarios"][0]["metric"], "first_byte_p50_us");
}

#[test]
fn beside_what_ranks_they_change_nothing_and_are_counted() {
    let (run, alone) = (both(), shown(&super::run(CLOSED, json!(null), &ENTRIES)));
    let all = shown(&run);
    let ids: Vec<&str> = all.scenarios.iter().map(|s| s.scenario.as_str()).collect();
    assert_eq!(ids, ["s", "ranks"]);
    assert_eq!(all.scenarios[0].sentence, SENTENCE);
    assert_eq!(all.scenarios[1].entries, alone.scenarios[0].entries);
    assert_eq!(
        all.sentence,
        format!("{} Not ranked: 1 scenario of single requests.", alone.sentence)
    );
    assert_eq!(json!(&all)["scenarios"][1]["metric"], "requests_per_s");
}

#[test]
fn who_answers_fewer_of_them_a_second_breaks_no_gate() {
    let run = timed(SINGLE);
    let plan = run.plan.as_ref().unwrap();
    let gate: Gate = "slower".parse().unwrap();
    assert_eq!(gate::broken(&gate, plan, &shown(&run)), None);
    let said = gate::broken(&gate, both().plan.as_ref().unwrap(), &shown(&both()));
    let said = said.unwrap();
    assert!(
        said.contains("in scenario ranks, less is ") && said.contains(" slower than "),
        "{said}"
    );
}

#[test]
fn who_has_no_time_that_counts_has_the_reason_in_its_place() {
    let mut run = timed(SINGLE);
    for trial in run.trials.iter_mut().filter(|t| t.entry_key == "more") {
        trial.result.as_mut().unwrap().requests = 19;
    }
    let broken: Verify = serde_json::from_value(json!({
        "entry_key": "less", "trial_id": null, "when": "before", "status": "failed", "workload": "static",
        "checks": [{ "id": "c", "title": "c", "status": "failed", "message": "10m.bin was cut off." }],
    }))
    .unwrap();
    run.failed_verification.push(broken);
    let table = Table::of(&run);
    assert_eq!(table.cell("FIRST BYTE P50 ms", "more"), "–");
    let few = "p50 does not count: it needs at least 20 answered requests in a trial";
    assert!(table.has(&format!("more is not ranked: {few}")), "{:?}", table.lines);
    let sentence = &shown(&run).scenarios[0].sentence;
    for said in [
        "Median time to the first byte: base 1.00 ms. ",
        &format!("more has no time to the first byte that counts: {few}. "),
        "less has no time to the first byte that counts: failed verification: 10m.bin was cut off. ",
    ] {
        assert!(sentence.contains(said), "{sentence}");
    }
}

#[test]
fn at_a_fixed_rate_and_by_what_they_cost_they_rank_as_others_do() {
    let rate = Table::of(&timed(RATE));
    assert_eq!(rate.titles()[1], "P99 ms");
    assert!(rate.titles().contains(&"VERDICT"));
    let mut spent = timed(SINGLE);
    spent.plan.as_mut().unwrap().scenarios[0].judged_by = Some(JudgedBy::CpuUsPerRequest);
    assert_eq!(Table::of(&spent).titles()[1], "CPU µs/REQ");
}

#[test]
fn the_time_of_a_closed_loop_is_no_bound_whatever_it_was_to_be_judged_by() {
    let mut run = timed(SINGLE);
    run.plan.as_mut().unwrap().scenarios[0].judged_by = Some(JudgedBy::P99Us);
    bind(&mut run, "more", BLOCKS);
    assert_eq!(Table::of(&run).cell("FIRST BYTE P50 ms", "more"), "1.20");
}
