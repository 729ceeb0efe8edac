//! Programs that a user has installed below a home: what stands in for them in `PATH`, and where they are if it does not name them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{find_command_in, hide_own_variables, is_program};

/// Version managers whose stand-ins choose by home and folder, and that say with `which` what they choose.
const MANAGERS: [&str; 9] = [
    "asdf", "goenv", "jenv", "mise", "nodenv", "phpenv", "pyenv", "rbenv", "volta",
];

/// From a home on; `*` stands for one folder. Go's own instructions name the one that is elsewhere.
const PLACES: [&str; 15] = [
    ".cargo/bin",
    ".bun/bin",
    ".deno/bin",
    ".local/bin",
    ".dotnet",
    ".volta/bin",
    ".asdf/shims",
    ".local/share/mise/shims",
    ".pyenv/shims",
    ".rbenv/shims",
    "go/bin",
    "/usr/local/go/bin",
    ".nvm/versions/node/*/bin",
    ".local/share/fnm/node-versions/*/installation/bin",
    ".sdkman/candidates/*/current/bin",
];

/// This `PATH` with what version managers choose in the folder for these commands in front; nothing where they choose nothing. A
/// server is started with another home and in another folder, where a stand-in would find another program or none.
pub fn path_for<'a>(path: &OsStr, commands: impl Iterator<Item = &'a str>, folder: &Path) -> Option<OsString> {
    let mut places: Vec<PathBuf> = commands.filter_map(|name| chosen(path, name, folder)).collect();
    places.dedup();
    if places.is_empty() {
        return None;
    }
    places.extend(std::env::split_paths(path));
    std::env::join_paths(places).ok()
}

/// The folder of the program that this command stands for.
fn chosen(path: &OsStr, command: &str, folder: &Path) -> Option<PathBuf> {
    let stand_in = find_command_in(path, command).filter(|_| !command.contains('/'))?;
    let shims = stand_in.parent()?;
    let manager = manager_of(shims)?;
    let beside = shims.with_file_name("bin");
    let program = find_command_in(beside.as_os_str(), manager).or_else(|| find_command_in(path, manager))?;
    let mut question = Command::new(program);
    question
        .args(["which", command])
        .current_dir(folder)
        .stdin(Stdio::null());
    hide_own_variables(&mut question);
    let said = question.output().ok().filter(|said| said.status.success())?;
    let said = String::from_utf8(said.stdout).ok()?;
    let found = Path::new(said.trim());
    let place = found.parent().filter(|place| manager_of(place).is_none())?;
    (found.is_absolute() && is_program(found)).then(|| place.to_owned())
}

/// Whose stand-ins a folder has: `~/.pyenv/shims`, `~/.volta/bin`.
fn manager_of(folder: &Path) -> Option<&'static str> {
    let above = folder.parent()?.file_name()?.to_str()?.trim_start_matches('.');
    let manager = MANAGERS.into_iter().find(|manager| *manager == above)?;
    let shims = if manager == "volta" { "bin" } else { "shims" };
    folder.ends_with(shims).then_some(manager)
}

/// The folder of a program that `PATH` does not lead to, as its user writes it: `$HOME/.bun/bin`.
pub fn off_path(name: &str, home: &Path) -> Option<String> {
    let has = |place: &PathBuf| !name.contains('/') && is_program(&place.join(name));
    let place = PLACES.iter().find_map(|place| match place.split_once("/*/") {
        None => Some(home.join(place)).filter(has),
        Some((above, below)) => {
            let entries = std::fs::read_dir(home.join(above)).into_iter().flatten().flatten();
            entries.map(|entry| entry.path().join(below)).filter(has).max()
        }
    })?;
    Some(match place.strip_prefix(home) {
        Ok(below) => format!("$HOME/{}", below.display()),
        Err(_) => place.display().to_string(),
    })
}

/// Of who started this, also by sudo.
pub fn home() -> Option<PathBuf> {
    let above = if cfg!(target_os = "macos") { "/Users" } else { "/home" };
    match std::env::var_os("SUDO_USER") {
        Some(user) => Some(Path::new(above).join(user)),
        None => std::env::var_os("HOME").map(PathBuf::from),
    }
}

/// What leads to these folders: a command, or a sentence where that would be lost.
pub fn in_path(places: &[String]) -> String {
    match std::env::var_os("SUDO_USER") {
        Some(_) => "sudo has a PATH of its own: start it with `sudo env \"PATH=$PATH\" rigmark …`.".to_owned(),
        None => format!("export PATH=\"{}:$PATH\"", places.join(":")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By a shell: a file that this process wrote may not be started while another of its threads starts something.
    const MADE: &str = r#"cd "$1" && mkdir -p .pyenv/shims .pyenv/bin real/bin mine .nvm/versions/node/v22.1.0/bin .bun/bin
        printf '#!/bin/sh\n[ "$1" = which ] && echo "$(pwd -P)/../real/bin/$2"\n' >.pyenv/bin/pyenv
        touch .pyenv/shims/python3 real/bin/python3 .nvm/versions/node/v22.1.0/bin/node .bun/bin/no-program
        chmod +x .pyenv/bin/pyenv .pyenv/shims/python3 real/bin/python3 .nvm/versions/node/v22.1.0/bin/node"#;

    fn home() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        let made = Command::new("sh").args(["-c", MADE, "sh"]).arg(home.path()).status();
        assert!(made.unwrap().success());
        home
    }

    #[test]
    fn what_a_version_manager_chooses_in_the_folder_comes_first() {
        let home = home();
        let path = std::env::join_paths([home.path().join(".pyenv/shims"), PathBuf::from("/usr/bin")]).unwrap();
        let at = |names: &[&'static str]| path_for(&path, names.iter().copied(), &home.path().join("mine"));
        let found = at(&["sh", "python3"]).unwrap();
        let places: Vec<PathBuf> = std::env::split_paths(&found).collect();
        let real = home.path().join("real/bin").canonicalize().unwrap();
        assert_eq!(places[0].canonicalize().unwrap(), real);
        assert_eq!(places[1..], std::env::split_paths(&path).collect::<Vec<_>>());
        assert_eq!(
            find_command_in(&found, "python3").unwrap().canonicalize().unwrap(),
            real.join("python3")
        );
        assert_eq!(at(&["sh", "no-such-program"]), None);
    }

    #[test]
    fn stand_ins_are_known_by_their_folder() {
        for (folder, manager) in [
            ("/home/a/.pyenv/shims", Some("pyenv")),
            ("/home/a/.local/share/mise/shims", Some("mise")),
            ("/home/a/.volta/bin", Some("volta")),
            ("/home/a/.pyenv/bin", None),
            ("/home/a/src/shims", None),
            ("/usr/bin", None),
        ] {
            assert_eq!(manager_of(Path::new(folder)), manager, "{folder}");
        }
    }

    #[test]
    fn what_is_installed_but_not_in_path_is_found() {
        let home = home();
        let off_path = |name: &str| off_path(name, home.path());
        assert_eq!(
            off_path("node").as_deref(),
            Some("$HOME/.nvm/versions/node/v22.1.0/bin")
        );
        assert_eq!(off_path("python3").as_deref(), Some("$HOME/.pyenv/shims"));
        assert_eq!((off_path("no-program"), off_path("/bin/sh")), (None, None));
    }
}
