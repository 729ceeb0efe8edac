//! A k6 script of somebody's own. It makes the requests; a module of ours around it says how many connections there are and for how
//! long, and takes the summary, so that two such trials can be compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::ToolJob;
use crate::protocol::http::Script;

const OWN: &str = "own.js";
const AROUND: &str = "rigmark.js";

/// What the script finds in `__ENV`.
pub fn environment(job: &ToolJob<'_>) -> Vec<String> {
    let base = format!("http://{}:{}", job.address, job.port);
    vec![
        format!("BASE_URL={base}"),
        format!("RIGMARK_URL={base}{}", job.scenario.path),
    ]
}

/// Returns what k6 is to run.
pub fn write(script: &Script, folder: &Path) -> std::io::Result<PathBuf> {
    std::fs::write(folder.join(OWN), &script.text)?;
    let around = folder.join(AROUND);
    std::fs::write(&around, module())?;
    Ok(around)
}

fn module() -> String {
    format!("import * as own from \"./{OWN}\";\n{}", include_str!("k6_script.js"))
}

/// Reads the script without load; `Err` is one sentence with k6's own words.
pub fn inspect(program: &Path, script: &Script) -> Result<(), String> {
    let failed = |why: String| format!("k6 cannot run {}: {why}", script.name);
    let folder = Folder::new().map_err(|e| failed(format!("it could not be written ({e}).")))?;
    let around = write(script, &folder.0).map_err(|e| failed(format!("it could not be written ({e}).")))?;
    let output = Command::new(program)
        .args([
            "inspect",
            "--no-color",
            "-e",
            "BASE_URL=http://127.0.0.1:1",
            "-e",
            "RIGMARK_URL=http://127.0.0.1:1/",
        ])
        .args(["-e", "RIG_CONNECTIONS=1", "-e", "RIG_DURATION_S=1"])
        .arg(around)
        .env("K6_AUTO_EXTENSION_RESOLUTION", "false")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| failed(format!("k6 did not start ({e}).")))?;
    if output.status.success() {
        return Ok(());
    }
    let said =
        String::from_utf8_lossy(&output.stderr).replace(&format!("file://{}/{OWN}", folder.0.display()), &script.name);
    Err(failed(its_words(&said, &script.name)))
}

/// The last line of what k6 printed, from where it speaks of the script.
fn its_words(said: &str, name: &str) -> String {
    let line = said.lines().rev().find(|line| !line.trim().is_empty());
    let line = line.unwrap_or("it says nothing");
    let words = line
        .split_once("msg=\"")
        .map_or(line, |(_, rest)| rest.split("\" ").next().unwrap_or(rest));
    let words = words.replace("\\n", " ").replace("\\t", " ").replace("\\\"", "\"");
    let from = words.find(&format!("{name}: ")).map_or(0, |at| at + name.len() + 2);
    let words: Vec<&str> = words[from..].split_whitespace().collect();
    let words: String = words.join(" ").chars().take(400).collect();
    format!("{}.", words.trim_end_matches(['.', '"']))
}

/// Gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Self> {
        let name = format!("rigmark-k6-{}", uuid::Uuid::now_v7().simple());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of k6 1.8.1.
    #[test]
    fn an_error_is_told_in_its_own_words() {
        let said = "time=\"2026-11-25T01:00:00Z\" level=error msg=\"could not initialize '/tmp/x/rigmark.js': could not load JS test 'file:///tmp/x/rigmark.js': load.js: Line 2:40 Unexpected token } (and 2 more errors)\" hint=\"x\"\n";
        assert_eq!(
            its_words(said, "load.js"),
            "Line 2:40 Unexpected token } (and 2 more errors)."
        );
        assert_eq!(its_words("", "load.js"), "it says nothing.");
    }
}
