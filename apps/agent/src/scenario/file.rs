//! JSON files whose errors name the file and the key.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::ScenarioError;

/// A scenario is a handful of lines; anything larger is something else.
const MOST_BYTES: u64 = 64 * 1024;

/// The `.json` files of a folder, sorted by name.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, ScenarioError> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.map_err(|source| unreadable(folder, source))?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "json"));
    paths.sort();
    Ok(paths)
}

pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, ScenarioError> {
    let size = fs::metadata(path).map_err(|source| unreadable(path, source))?.len();
    if size > MOST_BYTES {
        return Err(wrong(
            path,
            ".",
            format!("{size} bytes are more than the {MOST_BYTES} that are allowed"),
        ));
    }
    let text = fs::read_to_string(path).map_err(|source| unreadable(path, source))?;
    let mut json = serde_json::Deserializer::from_str(&text);
    let value = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| wrong(path, &error.path().to_string(), error.inner().to_string()))?;
    json.end().map_err(|error| wrong(path, ".", error.to_string()))?;
    Ok(value)
}

fn unreadable(path: &Path, source: io::Error) -> ScenarioError {
    ScenarioError::Read {
        path: path.to_owned(),
        source,
    }
}

pub fn wrong(path: &Path, key: &str, problem: impl Into<String>) -> ScenarioError {
    ScenarioError::Wrong {
        path: path.to_owned(),
        key: key.to_owned(),
        problem: problem.into(),
    }
}
