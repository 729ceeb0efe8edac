//! One step of a build: its process, its lines in the log, and what an error repeats of them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::process::Command;

use super::super::exit::spoken_exit;
use super::super::{Server, placeholder, unstarted};
use super::{BuildError, Built};
use crate::program::{self, find_command};
use crate::sandbox::child::{Child, OnLine};
use crate::sandbox::harden;
use crate::text::plain;
use crate::tool::output::ProcessExit;

const STEP_LIMIT: Duration = Duration::from_secs(30 * 60);
const LOG_BYTES: usize = 4 << 20;
/// Lines of the log that an error repeats.
const TAIL_LINES: usize = 3;
/// The most that an error repeats of them, in characters.
const TAIL_CHARS: usize = 600;

pub(super) async fn run_step(
    server: &Server,
    argv: &[String],
    values: &BTreeMap<String, String>,
    built: &Built,
    log: Arc<Mutex<std::fs::File>>,
    on_line: OnLine,
) -> Result<(), BuildError> {
    let name = || server.manifest.name.clone();
    let step = argv.join(" ");
    let _ = writeln!(log.lock().expect("no writer panics"), "$ {step}");
    let program = find_command(&argv[0]).unwrap_or_else(|| PathBuf::from(&argv[0]));
    let mut command = Command::new(program);
    command
        .args(&argv[1..])
        .current_dir(&built.server_dir)
        .stdin(Stdio::null());
    // A build needs its user's caches and proxies, so the environment stays; the agent's own variables do not.
    program::hide_own_variables(command.as_std_mut());
    if let Some(path) = program::child_path() {
        command.env("PATH", path);
    }
    for (name, value) in &server.manifest.build.env {
        command.env(name, placeholder::fill(value, values));
    }
    harden(command.as_std_mut());
    let both: OnLine = Arc::new(move |from, line| {
        let _ = writeln!(log.lock().expect("no writer panics"), "{line}");
        on_line(from, line);
    });
    let mut child = Child::spawn(&mut command, LOG_BYTES, both).map_err(|source| {
        let folders = [built.build_dir.as_path(), built.server_dir.as_path()];
        let next = unstarted::next_step(&argv[0], &built.server_dir, folders, &source);
        BuildError::Spawn {
            server: name(),
            step: step.clone(),
            source,
            next: next.unwrap_or_else(|| "install it and try again".to_owned()),
        }
    })?;
    let ended = tokio::time::timeout(STEP_LIMIT, child.wait())
        .await
        .map_err(|_| BuildError::TimedOut {
            server: name(),
            step: step.clone(),
        })?;
    let output = child.output().await;
    if ended.exit == ProcessExit::Code(0) {
        return Ok(());
    }
    Err(BuildError::Failed {
        server: name(),
        step,
        how: spoken_exit(ended.exit),
        tail: tail(&output.stderr, &output.stdout),
        log: built.log.clone(),
    })
}

/// How a package manager says that a script failed, which has said why itself.
const RUNNERS: [&str; 4] = ["error Command failed", "error: script ", "npm error", "ELIFECYCLE"];

/// What matters of a failed build's output: the first lines that say "error", else the last. Fit for a terminal. Some compilers
/// print their errors on standard output, and what started them warns on the other.
fn tail(stderr: &[u8], stdout: &[u8]) -> String {
    let (stderr, stdout) = (String::from_utf8_lossy(stderr), String::from_utf8_lossy(stdout));
    let lines_of = |text| -> Vec<&str> { str::lines(text).map(str::trim).filter(|l| !l.is_empty()).collect() };
    let (said, printed) = (lines_of(&stderr), lines_of(&stdout));
    // What the linker misses stands above the line with its error.
    let repeats = |l: &str| RUNNERS.iter().any(|runner| l.starts_with(runner));
    let says = |l: &&&str| {
        !repeats(l)
            && ["error", "undefined reference", "Undefined symbol"]
                .iter()
                .any(|word| l.contains(word))
    };
    let errors_in = |lines: &[&str]| lines.iter().any(|line| says(&line));
    let of_program = !errors_in(&said) && errors_in(&printed);
    let lines = if said.is_empty() || of_program { printed } else { said };
    let errors: Vec<&str> = lines.iter().filter(says).take(TAIL_LINES).copied().collect();
    let chosen = if errors.is_empty() {
        lines[lines.len().saturating_sub(TAIL_LINES)..].to_vec()
    } else {
        errors
    };
    let text = plain(&chosen.join(" / "), TAIL_CHARS);
    if text.is_empty() {
        "it printed nothing.".to_owned()
    } else {
        format!("{}.", text.trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_printed_moves_no_cursor_and_sets_no_title() {
        let printed = "cc -c x.c\nx.c:1: \u{1b}[1;31merror:\u{1b}[m no \u{1b}]0;owned\u{7}\r\n";
        assert_eq!(tail(printed.as_bytes(), b"built"), "x.c:1: [1;31merror:[m no ]0;owned.");
        assert_eq!(tail(b"\x1b\n", b""), "it printed nothing.");
        let linked = "ld: main.c: undefined reference to `f'\ncollect2: error: ld returned 1 exit status\nmake: *** [all] Error 2";
        assert!(
            tail(linked.as_bytes(), b"").starts_with("ld: main.c: undefined reference"),
            "{}",
            tail(linked.as_bytes(), b"")
        );
        let typed = b"> tsc\nsrc/a.ts(1,2): error TS1005: ';' expected.\n";
        let yarn = b"error Command failed with exit code 2.";
        assert!(tail(yarn, typed).starts_with("src/a.ts"), "{}", tail(yarn, typed));
        assert_eq!(
            tail(b"npm warn Unknown env config", typed),
            "src/a.ts(1,2): error TS1005: ';' expected."
        );
    }
}
