//! A run with a precision: how it ends, and that `rigmark plan` prints the very plan that was recorded.

use rigmark::protocol::journal::{Event, Record};

use crate::support::{records, run, trials};

const SERVERS: [&str; 4] = ["-s", "a=epoll", "-s", "b=epoll:workers=1"];
const SHORT: [&str; 8] = [
    "-c",
    "plaintext-loadgen",
    "--duration",
    "0.3s",
    "--warmup",
    "0s",
    "--seed",
    "7",
];

fn plan(records: &[Record]) -> rigmark::protocol::journal::Plan {
    let plan = records.iter().find_map(|record| match &record.event {
        Event::Plan(plan) => Some(plan.clone()),
        _ => None,
    });
    plan.unwrap()
}

#[test]
fn a_run_ends_when_enough_is_known_and_its_plan_is_printed_again_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("r.jsonl");
    // So wide that any host knows it soon.
    let asked = [
        "--repeats",
        "3",
        "--precision",
        "50%",
        "--max-repeats",
        "30",
        "--slice",
        "0",
    ];
    let args = [&SERVERS[..], &SHORT, &asked].concat();
    let ran = run(
        dir.path(),
        &[&["run", "--out", out.to_str().unwrap()], &args[..]].concat(),
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let records = records(&out);
    let (plan, trials) = (plan(&records), trials(&records));
    let blocks = plan.blocks.clone().unwrap();
    // There is no verdict below five blocks, so three are not worth a look.
    assert_eq!((blocks.least, blocks.most, plan.trials.len()), (5, 30, 60));
    let done = trials.len() as u32 / 2;
    assert!(
        blocks.looks.contains(&done) && done < 30,
        "{done} of {:?}",
        blocks.looks
    );
    // What was not needed has no record at all.
    let ids = |t: &[uuid::Uuid]| t.to_vec();
    let planned: Vec<uuid::Uuid> = plan.trials.iter().take(trials.len()).map(|t| t.trial_id).collect();
    assert_eq!(ids(&planned), trials.iter().map(|t| t.trial_id).collect::<Vec<_>>());
    let said = format!("Ended after {done} of at most 30 blocks: ");
    assert!(ran.stdout.contains(&said), "{}", ran.stdout);
    assert!(ran.stderr.contains("block 1 of 5 to 30"), "{}", ran.stderr);

    let printed = run(dir.path(), &[&["plan", "--json"], &args[..]].concat());
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let recorded = serde_json::to_string(&plan.trials).unwrap();
    // As text: what is compared is bytes.
    assert!(
        printed.stdout.contains(&format!("\"trials\":{recorded}")),
        "{}",
        printed.stdout
    );
}

#[test]
fn a_run_that_comes_to_its_limit_says_what_is_not_known() {
    let dir = tempfile::tempdir().unwrap();
    let asked = ["--repeats", "2", "--precision", "0.1%", "--max-repeats", "3"];
    let ran = run(dir.path(), &[&["run"], &SERVERS[..], &SHORT, &asked].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let says = "After 3 blocks, the limit of this run, 1 of 1 ratios are neither known within 0.1 % nor clearly";
    assert!(ran.stdout.contains(says), "{}", ran.stdout);
}
