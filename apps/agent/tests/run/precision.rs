//! A run with a precision: how it ends, and that `rigmark plan` prints the very plan that was recorded.

use rigmark::protocol::journal::{Event, Record};

use crate::support::{all_measured, labels, records, run, trials};

const SERVERS: [&str; 4] = ["-s", "a=epoll", "-s", "b=epoll:workers=1"];
const SHORT: [&str; 8] = [
    "-c",
    "plaintext-loadgen",
    "--duration",
    "0.5s",
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
    // So wide that most hosts know it at the first look.
    let asked = [
        "--repeats",
        "3",
        "--precision",
        "50%",
        "--max-repeats",
        "7",
        "--slice",
        "0",
    ];
    let args = [&SERVERS[..], &SHORT, &asked].concat();
    let ran = run(
        dir.path(),
        &[&["run", "--out", out.to_str().unwrap()], &args[..]].concat(),
    );
    let records = records(&out);
    let (plan, trials) = (plan(&records), trials(&records));
    all_measured(&ran, &trials);
    let blocks = plan.blocks.clone().unwrap();
    // There is no verdict below five blocks, so three are not worth a look.
    assert_eq!((blocks.least, blocks.most, plan.trials.len()), (5, 7, 14));
    let done = trials.len() as u32 / 2;
    assert!(blocks.looks.contains(&done), "{done} of {:?}", blocks.looks);
    // What was not needed has no record at all.
    let ids = |t: &[uuid::Uuid]| t.to_vec();
    let planned: Vec<uuid::Uuid> = plan.trials.iter().take(trials.len()).map(|t| t.trial_id).collect();
    assert_eq!(ids(&planned), trials.iter().map(|t| t.trial_id).collect::<Vec<_>>());
    let told = |code: &str| labels(&records).iter().any(|l| l.code == code);
    assert_eq!(told("ended-early"), done < 7);
    let said = match done {
        7 if told("precision-not-reached") => "After 7 blocks, the limit of this run, ".to_owned(),
        7 => String::new(),
        _ => format!("Ended after {done} of at most 7 blocks: "),
    };
    assert!(ran.stdout.contains(&said), "{}", ran.stdout);
    assert!(ran.stderr.contains("block 1 of 5 to 7"), "{}", ran.stderr);

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
    let ran = run(
        dir.path(),
        &[&["run", "--out", "r.json"], &SERVERS[..], &SHORT, &asked].concat(),
    );
    all_measured(&ran, &trials(&records(&dir.path().join("r.json"))));
    let says = "After 3 blocks, the limit of this run, 1 of 1 ratios are neither known within 0.1 % nor clearly";
    assert!(ran.stdout.contains(says), "{}", ran.stdout);
}
