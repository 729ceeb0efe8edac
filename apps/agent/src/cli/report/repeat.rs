//! The command that does a run again, on any host. Pages write the same (`packages/domain/src/internal/run/repeat-command.ts`);
//! both are held to `packages/protocol/golden/repeat.json`.

use crate::protocol::journal::Plan;
use crate::protocol::spec::EntrySpec;
use crate::runner::plan::parameters;
use crate::text::shell_word;

use super::result_file::ResultFile;

/// So much of a content's hash cannot be met by chance, and can be read.
const HASH_CHARS: usize = 12;

/// With an `--expect` for all that has to be the same: agent, scenarios, servers and tools.
pub fn command(file: &ResultFile) -> String {
    let spec = &file.begin.spec;
    let mut words = vec!["rigmark".to_owned(), "run".to_owned()];
    let mut add = |name: &str, value: Option<String>| words.extend(value.map(|value| option(name, &value)));
    for entry in &spec.entries {
        add("server", Some(argument(&at_commit(entry, file.run.plan.as_ref()))));
    }
    for scenario in &spec.scenarios {
        add("scenario", Some(scenario.clone()));
    }
    let seconds = |value: Option<f64>| value.map(|s| format!("{s}s"));
    add("as-suite", spec.suite.clone());
    add("repeats", Some(spec.repeats.to_string()));
    add("precision", spec.precision.map(|p| p.to_string()));
    add("max-repeats", spec.max_repeats.map(|n| n.to_string()));
    add("time-limit", seconds(spec.time_limit_s));
    add("slice", seconds(spec.slice_s));
    add("duration", seconds(spec.duration_s));
    add("warmup", seconds(spec.warmup_s));
    add("baseline", spec.baseline.clone());
    add("seed", Some(spec.seed.to_string()));
    let Some(plan) = &file.run.plan else {
        return words.join(" ");
    };
    let environment = file.run.environment.as_ref();
    add("tune", tuned(file));
    add("expect-agent", environment.map(|e| e.facts.agent_version.clone()));
    if !plan.scenarios.is_empty() {
        add("expect-plan", Some(short(&parameters::hash(plan)).to_owned()));
    }
    for entry in &plan.entries {
        add(
            "expect",
            Some(format!("{}={}", entry.label, short(&entry.content_hash))),
        );
    }
    for tool in environment.into_iter().flat_map(|e| &e.tools) {
        let used = plan.scenarios.iter().any(|s| s.tool == tool.name);
        let version = tool.version.as_ref().filter(|version| used && !version.is_empty());
        add(
            "expect-tool",
            version.map(|version| format!("{}={version}", tool.name.as_str())),
        );
    }
    words.join(" ")
}

/// Does the command name folders of a repository?
pub fn in_clone(file: &ResultFile) -> bool {
    let plan = file.run.plan.as_ref();
    let named = file
        .begin
        .spec
        .entries
        .iter()
        .map(|entry| at_commit(entry, plan).server);
    named.into_iter().any(|server| server.starts_with('.'))
}

fn short(hash: &str) -> &str {
    hash.get(..HASH_CHARS).unwrap_or(hash)
}

/// `None` where nothing was held still. What huge pages were is what they are to be, also where they were so before.
fn tuned(file: &ResultFile) -> Option<String> {
    let environment = file.run.environment.as_ref()?;
    let asked = file.run.labels.iter().any(|label| label.code == "not-tuned");
    if environment.tuned.is_empty() && !asked {
        return None;
    }
    let thp = environment.facts.thp.as_deref().unwrap_or_default();
    let known = ["always", "madvise", "never"].contains(&thp);
    Some(if known { thp } else { "keep" }.to_owned())
}

/// A branch moves; once the run began, what was measured is the commit. A folder that was named by its path is one of its
/// repository, in whose top folder the command works.
fn at_commit(entry: &EntrySpec, plan: Option<&Plan>) -> EntrySpec {
    let planned = plan.and_then(|plan| plan.entries.iter().find(|e| e.label == entry.label));
    let Some(measured) = planned.and_then(|e| e.revision.as_ref()) else {
        return entry.clone();
    };
    let server = match (&entry.revision, measured.folder.as_deref()) {
        (Some(_), _) => entry.server.clone(),
        (None, None) => return entry.clone(),
        (None, Some(".")) => ".".to_owned(),
        (None, Some(folder)) => format!("./{folder}"),
    };
    EntrySpec {
        server,
        revision: Some(measured.commit.clone()),
        ..entry.clone()
    }
}

/// Always with the label, since the agent makes one of the options and an entry is what it is by its label too.
pub fn argument(entry: &EntrySpec) -> String {
    let options: Vec<String> = entry
        .options
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    // A server that is called like a number would be taken for the value of an option when the label ends like one.
    let number =
        !entry.server.is_empty() && entry.revision.is_none() && entry.server.chars().all(|c| c.is_ascii_digit());
    let colon = if !options.is_empty() || number { ":" } else { "" };
    format!("{}={}{colon}{}", entry.label, entry.named(), options.join(","))
}

/// With `=`, since a label may begin with a hyphen.
fn option(name: &str, value: &str) -> String {
    format!("--{name}={}", shell_word(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn golden() -> Value {
        serde_json::from_str(include_str!("../../../../../packages/protocol/golden/repeat.json")).unwrap()
    }

    #[test]
    fn arguments_are_written_as_pages_write_them() {
        for case in golden()["arguments"].as_array().unwrap() {
            let entry: EntrySpec = serde_json::from_value(serde_json::json!({
                "label": case["label"], "server": case["server"], "options": case["options"],
                "revision": case["revision"],
            }))
            .unwrap();
            assert_eq!(argument(&entry), case["argument"].as_str().unwrap());
        }
    }

    #[test]
    fn the_command_is_the_one_of_pages_as_far_as_it_is_typed() {
        let recorded = &golden()["recorded"];
        let mut file = super::super::testing::golden();
        file.run.environment.as_mut().unwrap().tuned.clear();
        file.begin.spec = serde_json::from_value(recorded["spec"].clone()).unwrap();
        let typed = recorded["command"]
            .as_str()
            .unwrap()
            .split(" --expect-agent")
            .next()
            .unwrap();
        let command = command(&file);
        assert!(
            command.starts_with(&format!("{typed} --expect-agent=")),
            "{command}\n{typed}"
        );
    }
}
