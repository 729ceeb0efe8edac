//! Where a tool's program is, and what it says its version is.

pub mod at_home;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Looked at after `PATH`: a service's `PATH` is short, and macOS keeps `ab` in `/usr/sbin`.
const USUAL: [&str; 5] = [
    "/usr/local/bin",
    "/usr/bin",
    "/usr/sbin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
];

/// The file of this program. Links are followed once, at its start: an update lets them lead to another version.
pub fn own_program() -> io::Result<&'static Path> {
    static FOUND: OnceLock<PathBuf> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(found);
    }
    let program = std::env::current_exe()?;
    let found = program.canonicalize().unwrap_or(program);
    Ok(FOUND.get_or_init(|| found))
}

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
    find_command_in(&std::env::var_os("PATH").unwrap_or_default(), name)
}

pub fn find_command_in(path: &OsStr, name: &str) -> Option<PathBuf> {
    let more = ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/usr/local/bin"].map(PathBuf::from);
    std::env::split_paths(path)
        .chain(more)
        .map(|dir| dir.join(name))
        .find(|file| is_program(file) && !is_placeholder(file))
}

/// macOS has these in /usr/bin before they are installed: started, they only ask for what is missing, in a window. Beside each
/// kind, the question that fails until it is there.
#[cfg(any(target_os = "macos", test))]
const PLACEHOLDERS: [(&[&str], &str, &[&str]); 2] = [
    (
        &[
            "c++", "cc", "clang", "clang++", "g++", "gcc", "git", "ld", "make", "python3",
        ],
        "/usr/bin/xcode-select",
        &["-p"],
    ),
    (&["jar", "java", "javac"], "/usr/libexec/java_home", &[]),
];

/// Whether the file is a placeholder, and of what that `has` is to be asked about.
#[cfg(any(target_os = "macos", test))]
fn stands_for_nothing(file: &Path, has: impl Fn(&Path, &[&str]) -> bool) -> bool {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let kind = PLACEHOLDERS.iter().find(|(names, _, _)| names.contains(&name));
    file.parent() == Some(Path::new("/usr/bin"))
        && kind.is_some_and(|(_, program, arguments)| !has(Path::new(program), arguments))
}

#[cfg(target_os = "macos")]
fn is_placeholder(file: &Path) -> bool {
    stands_for_nothing(file, |program, arguments| ask(program, arguments).is_some())
}

#[cfg(not(target_os = "macos"))]
fn is_placeholder(_file: &Path) -> bool {
    false
}

/// `PATH` for what the agent starts; `None` where it is as it should be. A service on macOS, and whoever logs in from elsewhere,
/// has none of Homebrew's folders in it.
pub fn child_path() -> Option<OsString> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin:/usr/sbin:/sbin".into());
    Some(with_folders(&path, &["/opt/homebrew/bin", "/usr/local/bin"]))
}

/// The folders that are not in it come last.
fn with_folders(path: &OsStr, folders: &[&str]) -> OsString {
    let mut all: Vec<PathBuf> = std::env::split_paths(path).collect();
    let more = folders.iter().map(PathBuf::from).filter(|folder| !all.contains(folder));
    all.extend(more.collect::<Vec<_>>());
    std::env::join_paths(all).unwrap_or_else(|_| path.to_owned())
}

pub fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// The agent's own variables, such as its token, are not for what others wrote.
pub fn hide_own_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("RIGMARK_") {
            command.env_remove(name);
        }
    }
}

/// What the program prints when asked; `None` when it does not start or does not like the question.
pub fn ask<S: AsRef<OsStr>>(program: &Path, arguments: &[S]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|o| o.status.success())?;
    let text = if output.stdout.is_empty() {
        output.stderr
    } else {
        output.stdout
    };
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// [`ask`] for what stays the same while the files do: a version. An agent that waits looks at its host every few minutes, and
/// starting each tool for that costs a small board seconds of its processor.
pub fn ask_version<S: AsRef<OsStr>>(program: &Path, arguments: &[S]) -> Option<String> {
    static KNOWN: Mutex<BTreeMap<Vec<OsString>, Known>> = Mutex::new(BTreeMap::new());
    let question: Vec<OsString> = std::iter::once(program.as_os_str())
        .chain(arguments.iter().map(AsRef::as_ref))
        .map(OsStr::to_owned)
        .collect();
    let stamps: Vec<Option<Stamp>> = question.iter().map(|word| stamp(Path::new(word))).collect();
    let known = || KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(found) = known().get(&question)
        && found.stamps == stamps
        && found.at.elapsed() < KNOWN_FOR
    {
        return Some(found.text.clone());
    }
    let text = ask(program, arguments)?;
    let found = Known {
        at: Instant::now(),
        stamps,
        text: text.clone(),
    };
    known().insert(question, found);
    Some(text)
}

/// A script may start another program, of which its own file says nothing.
const KNOWN_FOR: Duration = Duration::from_secs(3600);

struct Known {
    at: Instant,
    /// Of each word of the question that names a file.
    stamps: Vec<Option<Stamp>>,
    text: String,
}

/// Device, inode, size, and when the file or what is known of it changed.
type Stamp = (u64, u64, u64, i64, i64);

fn stamp(path: &Path) -> Option<Stamp> {
    let file = std::fs::metadata(path).ok().filter(|_| path.is_absolute())?;
    Some((file.dev(), file.ino(), file.size(), file.ctime(), file.ctime_nsec()))
}

/// How a missing Debian package or Homebrew formula is got.
pub fn install(debian: &str, homebrew: &str) -> String {
    if cfg!(target_os = "macos") {
        format!("brew install {homebrew}")
    } else if has_apt() {
        format!("sudo apt-get install {debian}")
    } else {
        format!("Install it by this system's own means; Debian's package is {debian}.")
    }
}

pub fn has_apt() -> bool {
    on_path("apt-get").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_of_macos_is_no_program() {
        let none = |file: &str| stands_for_nothing(Path::new(file), |_, _| false);
        assert!(none("/usr/bin/cc") && none("/usr/bin/git") && none("/usr/bin/java"));
        assert!(!none("/usr/bin/curl") && !none("/opt/homebrew/bin/java") && !none("/opt/homebrew/bin/git"));
        let tools_only = |program: &Path, arguments: &[&str]| program.ends_with("xcode-select") && arguments == ["-p"];
        assert!(!stands_for_nothing(Path::new("/usr/bin/make"), tools_only));
        assert!(stands_for_nothing(Path::new("/usr/bin/javac"), tools_only));
    }

    #[test]
    fn folders_are_added_once_and_last() {
        let path = |path: &str| with_folders(OsStr::new(path), &["/opt/homebrew/bin", "/usr/local/bin"]);
        assert_eq!(path("/usr/bin:/bin"), "/usr/bin:/bin:/opt/homebrew/bin:/usr/local/bin");
        assert_eq!(path("/usr/local/bin:/bin"), "/usr/local/bin:/bin:/opt/homebrew/bin");
    }

    #[test]
    fn a_version_is_asked_for_once_until_the_program_changes() {
        let dir = tempfile::tempdir().unwrap();
        let (script, asked) = (dir.path().join("tool"), dir.path().join("asked"));
        let install = |name: &str, version: &str| {
            let new = dir.path().join(name);
            std::fs::write(&new, format!("echo x >> '{}'\n{version}\n", asked.display())).unwrap();
            std::fs::rename(new, &script).unwrap();
        };
        let sh = on_path("sh").unwrap();
        let version = || ask_version(&sh, &[&script]);
        let times = || std::fs::read_to_string(&asked).unwrap().lines().count();
        install("failing", "exit 1");
        assert_eq!(
            (version(), version(), times()),
            (None, None, 2),
            "a failure may be over the next time"
        );
        install("first", "echo 1");
        assert_eq!(
            (version(), version(), times()),
            (Some("1\n".to_owned()), Some("1\n".to_owned()), 3)
        );
        install("second", "echo 2");
        assert_eq!((version(), times()), (Some("2\n".to_owned()), 4));
    }

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

    #[test]
    fn this_program_is_the_file_itself_and_stays_it() {
        let program = own_program().unwrap();
        assert_eq!(program, program.canonicalize().unwrap());
        assert!(std::ptr::eq(program, own_program().unwrap()));
    }
}
