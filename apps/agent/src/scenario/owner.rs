//! Scenarios that the host's owner put into a folder of their own: each is a TOML file.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{ScenarioError, bundled, toml_file};
use crate::assets::{Assets, OwnerKind};
use crate::protocol::spec::Scenario;

/// A file that is no scenario of this host, and why.
#[derive(Debug)]
pub struct Unlisted {
    pub path: PathBuf,
    pub reason: String,
}

/// Why files in the owner's folders are no scenarios.
pub fn problems(assets: &Assets) -> Result<Vec<Unlisted>, ScenarioError> {
    Ok(load(assets, &bundled::load(assets)?).1)
}

/// One bad file does not take the others with it.
pub(super) fn load(assets: &Assets, bundled: &[Scenario]) -> (Vec<Scenario>, Vec<Unlisted>) {
    let (mut all, mut problems): (Vec<Scenario>, Vec<Unlisted>) = (Vec::new(), Vec::new());
    for path in assets
        .owner_folders(OwnerKind::Scenarios)
        .iter()
        .flat_map(|folder| files(folder))
    {
        let mut unlisted = |reason: String| {
            problems.push(Unlisted {
                path: path.clone(),
                reason,
            });
        };
        let mut scenario = match toml_file::read(&path) {
            Ok(scenario) => scenario,
            Err(error) => {
                unlisted(error.to_string());
                continue;
            }
        };
        if bundled.iter().chain(&all).any(|s| s.id == scenario.id) {
            unlisted(format!(
                "{}: there is already a scenario {}; rename the file.",
                path.display(),
                scenario.id
            ));
            continue;
        }
        // Reports and pages tell scenarios apart by their titles.
        let titles: BTreeSet<&str> = bundled.iter().chain(&all).map(|s| s.title.as_str()).collect();
        if titles.contains(scenario.title.as_str()) {
            scenario.title = format!("{} ({})", scenario.title, scenario.id);
        }
        all.push(scenario);
    }
    (all, problems)
}

/// The `.toml` files of a folder by name; none where it cannot be read.
fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn a_good_file_is_a_scenario_and_a_bad_one_takes_none_with_it() {
        let owner = tempfile::tempdir().unwrap();
        let folder = owner.path().join("scenarios");
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in [
            (
                "users.toml",
                "path = \"/users\"\ntitle = \"Plaintext, ab, 32 connections\"",
            ),
            ("bad.toml", "path = \"/\"\nrate = 0"),
            ("plaintext-ab.toml", "path = \"/\""),
            ("notes.txt", "no scenario"),
        ] {
            fs::write(folder.join(name), text).unwrap();
        }
        let assets = Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
        let assets = assets.with_owner(vec![owner.path().to_owned()]);
        let all = super::super::load_all(&assets).unwrap();
        let users = all.iter().find(|s| s.id == "users").unwrap();
        // No other scenario has its title.
        assert_eq!(users.title, "Plaintext, ab, 32 connections (users)");
        let problems: Vec<String> = problems(&assets).unwrap().into_iter().map(|p| p.reason).collect();
        let [bad, taken] = problems.as_slice() else {
            panic!("{problems:?}")
        };
        assert!(bad.contains("bad.toml:2:8: rate is 0"), "{bad}");
        assert!(
            taken.contains("there is already a scenario plaintext-ab; rename the file."),
            "{taken}"
        );
    }
}
