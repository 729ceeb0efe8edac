//! What the command that does a run again names and Rigmark does not bring. Pages say the same in the same words
//! (`packages/results/src/needed.ts`).

use std::collections::BTreeSet;

use super::result_file::ResultFile;
use crate::protocol::spec::Workload;
use crate::text::listed;

/// The servers that come with Rigmark: no other gets their names.
const BUNDLED: [&str; 12] = [
    "asm",
    "axum",
    "dufs",
    "epoll",
    "go",
    "io-uring",
    "libuv",
    "netty",
    "nginx",
    "nginx-lua",
    "sockudo-ws",
    "spring-mvc",
];

const NEEDED: &str =
    "The command repeats the plan, but these do not come with Rigmark, so get them from the author: {list}.";
const FILES: &str = "{list} (for ~/.config/rigmark/scenarios)";
const FOLDERS: &str = "{list} (for ~/.config/rigmark/servers)";
const REPOSITORY: &str = "the repository of {list}";
const CHANGES: &str = "the changes to {list} that are in no commit";

/// In one sentence; `None` where Rigmark brings everything.
pub fn sentence(file: &ResultFile) -> Option<String> {
    let plan = file.run.plan.as_ref()?;
    let (mut files, mut folders, mut cloned, mut changed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for scenario in plan.scenarios.iter().filter(|s| s.workload == Workload::Http) {
        files.push(format!("{}.toml", scenario.base_id()));
        files.extend(scenario.script().map(|script| script.name.clone()));
    }
    for asked in &file.begin.spec.entries {
        let planned = plan.entries.iter().find(|e| e.label == asked.label);
        let measured = planned.and_then(|e| e.revision.as_ref());
        // The command names it by its folder in the repository.
        if asked.revision.is_none() && measured.is_some_and(|m| m.folder.is_some()) {
            cloned.push(asked.label.clone());
        } else if asked.revision.is_some() || measured.is_some() || !BUNDLED.contains(&asked.server.as_str()) {
            folders.push(asked.server.clone());
        }
        if measured.is_some_and(|m| m.dirty) {
            changed.push(asked.label.clone());
        }
    }
    let parts = [
        (FILES, files),
        (FOLDERS, folders),
        (REPOSITORY, cloned),
        (CHANGES, changed),
    ];
    let parts: Vec<String> = parts.into_iter().filter_map(|(words, all)| part(words, all)).collect();
    (!parts.is_empty()).then(|| NEEDED.replace("{list}", &parts.join("; ")))
}

/// Each name once; `None` without one.
fn part(words: &str, mut names: Vec<String>) -> Option<String> {
    let mut seen = BTreeSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(name.clone()));
    (!names.is_empty()).then(|| words.replace("{list}", &listed(&names)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::spec::EntrySpec;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

    #[test]
    fn the_bundled_servers_are_those_of_the_checkout() {
        let folders = std::fs::read_dir(format!("{ROOT}/servers")).unwrap();
        let mut found: Vec<String> = folders
            .map(Result::unwrap)
            .filter(|folder| folder.path().join("server.toml").exists())
            .map(|folder| folder.file_name().into_string().unwrap())
            .collect();
        found.sort();
        assert_eq!(found, BUNDLED);
    }

    #[test]
    fn pages_have_the_same_words() {
        let said = std::fs::read_to_string(format!("{ROOT}/packages/messages/en/report.json")).unwrap();
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        let words = |what: &str| said["repeat"]["needs"][what].as_str().unwrap();
        let needs = ["files", "folders", "repository", "changes"].map(words);
        assert_eq!(needs, [FILES, FOLDERS, REPOSITORY, CHANGES]);
        assert_eq!(said["repeat"]["needed"], NEEDED);
    }

    #[test]
    fn what_the_author_has_is_named_and_what_is_bundled_is_not() {
        let mut file = super::super::testing::golden();
        let entry = |label: &str, server: &str| EntrySpec {
            label: label.to_owned(),
            server: server.to_owned(),
            options: Default::default(),
            revision: None,
        };
        file.begin.spec.entries = vec![entry("bundled", "nginx")];
        assert_eq!(sentence(&file), None);
        // The plan has `epoll` from a clone.
        file.begin.spec.entries = vec![entry("epoll", "epoll"), entry("mine", "hello")];
        let plan = file.run.plan.as_mut().unwrap();
        plan.entries[0].revision.as_mut().unwrap().dirty = true;
        plan.scenarios[0].workload = Workload::Http;
        plan.scenarios[0].id = "users:connections=9".to_owned();
        assert_eq!(
            sentence(&file).unwrap(),
            "The command repeats the plan, but these do not come with Rigmark, so get them from the author: users.toml \
             (for ~/.config/rigmark/scenarios); hello (for ~/.config/rigmark/servers); the repository of epoll; the \
             changes to epoll that are in no commit."
        );
    }
}
