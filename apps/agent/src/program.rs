//! Where a tool's program is, and what it says its version is.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Looked at after `PATH`: a service's `PATH` is short, and macOS keeps `ab` in `/usr/sbin`.
const USUAL: [&str; 5] = [
    "/usr/local/bin",
    "/usr/bin",
    "/usr/sbin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
];

/// The variable is final where it is set; otherwise the first candidate that is a program, then `PATH`.
pub fn find(variable: &str, candidates: &[PathBuf], name: &str) -> Option<PathBuf> {
    if let Some(asked) = std::env::var_os(variable).filter(|v| !v.is_empty()) {
        return Some(PathBuf::from(asked)).filter(|p| is_program(p));
    }
    candidates
        .iter()
        .find(|p| is_program(p))
        .cloned()
        .or_else(|| on_path(name))
}

/// Why [`find`] found nothing, and what would fix it.
pub fn missing(variable: &str, name: &str, fix: String) -> (String, String) {
    match std::env::var_os(variable).filter(|v| !v.is_empty()) {
        Some(asked) => {
            let reason = format!("{variable} names {}, which is no program.", asked.display());
            (reason, format!("unset {variable}"))
        }
        None => (format!("{name} is not installed."), fix),
    }
}

/// The first program of this name on `PATH` or in the usual folders.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .chain(USUAL.iter().map(PathBuf::from))
        .map(|folder| folder.join(name))
        .find(|p| is_program(p))
}

/// A command as a build or a server finds it: in `PATH`, and where servers such as nginx are when `PATH` is a user's.
pub fn find_command(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let more = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/usr/local/bin"].map(PathBuf::from);
    std::env::split_paths(&path)
        .chain(more)
        .map(|dir| dir.join(name))
        .find(|file| is_program(file))
}

fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// What the program prints when asked; `None` when it does not start or does not like the question.
pub fn ask<S: AsRef<OsStr>>(program: &Path, arguments: &[S]) -> Option<String> {
    let answer = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|o| o.status.success())?;
    let text = if answer.stdout.is_empty() {
        answer.stderr
    } else {
        answer.stdout
    };
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// How a missing Debian package or Homebrew formula is got.
pub fn install(debian: &str, homebrew: &str) -> String {
    if cfg!(target_os = "macos") {
        format!("brew install {homebrew}")
    } else {
        format!("sudo apt-get install {debian}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_programs_and_nothing_else() {
        let sh = on_path("sh").unwrap();
        assert!(sh.is_absolute());
        assert_eq!(on_path("no-such-program-anywhere"), None);
        assert_eq!(
            find("RIGMARK_UNSET", &[PathBuf::from("/nowhere"), sh.clone()], "no-such"),
            Some(sh.clone())
        );
        assert_eq!(ask(&sh, &["-c", "echo said"]), Some("said\n".to_owned()));
        assert_eq!(ask(&sh, &["-c", "exit 3"]), None);
        let (reason, fix) = missing("RIGMARK_UNSET", "x", "get x".to_owned());
        assert_eq!((reason.as_str(), fix.as_str()), ("x is not installed.", "get x"));
        // A variable that is always set, to something that is no program.
        assert!(missing("HOME", "x", String::new()).0.starts_with("HOME names /"));
    }
}
