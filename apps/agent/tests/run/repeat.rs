//! What a report's "repeat this" promises: the command that it prints plans the very run that was recorded.

use std::process::{Command, Stdio};

use rigmark::protocol::journal::{Begin, Event, Plan, Record};
use rigmark::protocol::spec::ToolName;
use serde_json::{Value, json};

use super::suite::{assets, suite};
use crate::support::{Ran, all_measured, environment, ran, records, rigmark, trials};

/// What `packages/domain/src/internal/run/repeat-command.ts` prints for this specification: its tests hold it to the same file.
fn golden() -> Value {
    let text = include_str!("../../../../packages/protocol/golden/repeat.json");
    serde_json::from_str::<Value>(text).unwrap()["recorded"].clone()
}

fn recorded(records: &[Record]) -> (Begin, Plan) {
    let mut found = (None, None);
    for record in records {
        match &record.event {
            Event::Begin(begin) => found.0 = Some(begin.clone()),
            Event::Plan(plan) => found.1 = Some(plan.clone()),
            _ => {}
        }
    }
    (found.0.unwrap(), found.1.unwrap())
}

#[test]
fn the_command_of_a_report_plans_the_very_run_that_was_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let mut of = suite();
    of["scenarios"] = json!(["plaintext-ab", "plaintext-loadgen", "static-1k-k6"]);
    let root = assets(dir.path(), &of);
    // By the suite, of which this host lacks k6; typed as a person does.
    let asked = "run --suite mine -s epoll:workers=1 --repeats 2 --precision 0.30000000000000004 --max-repeats 3 --slice 200ms \
                 --duration 1s --warmup 0s --seed 7 --out r.jsonl";
    let mut args: Vec<&str> = asked.split_whitespace().collect();
    args.extend(["--server=-x: it's=epoll:workers=2", "--baseline=-x: it's"]);
    let mut command = rigmark(dir.path(), &args);
    command.env("RIGMARK_ASSETS", &root).env("RIGMARK_K6", "/nowhere/k6");
    let done = ran(command);
    let records = records(&dir.path().join("r.jsonl"));
    all_measured(&done, &trials(&records));
    let (begin, plan) = recorded(&records);
    let tools = environment(&records).tools;
    let version = |name| tools.iter().find(|t| t.name == name).unwrap().version.clone().unwrap();
    let golden = golden();
    assert_eq!(begin.spec, serde_json::from_value(golden["spec"].clone()).unwrap());

    let hash = rigmark::runner::plan::parameters::hash(&plan);
    let text = golden["command"].as_str().unwrap();
    let text = text
        .replace("AGENT", &begin.agent_version)
        .replace("PLAN", &hash[..12])
        .replace("VERSION-OF-AB", &version(ToolName::Ab))
        .replace("VERSION-OF-LOADGEN", &version(ToolName::Loadgen))
        .replace("CONTENT", &plan.entries[0].content_hash[..12]);
    let planned = |text: &str| -> Ran {
        let of = rigmark(dir.path(), &[]);
        let mut command = Command::new("sh");
        command
            .args(["-c", &text.replace("rigmark run", "\"$0\" plan --json")])
            .arg(of.get_program())
            .current_dir(dir.path())
            .stdin(Stdio::null());
        command.envs(of.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("RIGMARK_ASSETS", &root);
        ran(command)
    };
    let again = planned(&text);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    let whole = serde_json::to_string(&plan).unwrap();
    // As text: what is compared is bytes.
    assert!(
        again.stdout.contains(&format!("\"plan\":{whole}")),
        "{whole}\n{}",
        again.stdout
    );
    assert_eq!(again.json()["parameters"], hash);

    // A load tool of another version.
    let was = format!("--expect-tool=ab={}", version(ToolName::Ab));
    let other = planned(&text.replace(&was, "--expect-tool=ab=0.9"));
    assert_eq!(other.code, Some(1), "{}", other.stdout);
    assert_eq!(other.json()["error"]["code"], "other-tool");
    let says = format!("ab is {} here, and 0.9 was expected; ", version(ToolName::Ab));
    assert!(other.stdout.contains(&says), "{}", other.stdout);

    // A scenario that is another one now, under the same name.
    let file = root.join("scenarios/scenarios/plaintext-ab.json");
    let changed = std::fs::read_to_string(&file)
        .unwrap()
        .replace("\"keep_alive\": true", "\"keep_alive\": false");
    std::fs::write(&file, changed).unwrap();
    let other = planned(&text);
    assert_eq!(other.code, Some(1), "{}", other.stdout);
    assert_eq!(other.json()["error"]["code"], "other-plan");
    let says = format!("and {} was expected", &hash[..12]);
    assert!(other.stdout.contains(&says), "{}", other.stdout);
}
