//! Does this host have what a server needs? A reason and the command that fixes it, or nothing.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use super::manifest::Requires;
use crate::program::{self, find_command};
use crate::text::listed;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub reason: String,
    pub fix: Option<String>,
}

/// What is asked of the host; replaced in tests.
pub trait Probe {
    fn os(&self) -> &str;
    fn arch(&self) -> &str;
    fn has_command(&self, name: &str) -> bool;
    fn has_pkg_config(&self, name: &str) -> bool;
    fn has_file(&self, pattern: &str) -> bool;
    fn is_debian_12(&self) -> bool {
        false
    }
    fn has_apt(&self) -> bool {
        true
    }
    /// The folder below the user's home that has a program which `PATH` does not lead to.
    fn off_path(&self, _name: &str) -> Option<String> {
        None
    }
}

pub struct ThisHost;

impl Probe for ThisHost {
    fn os(&self) -> &str {
        std::env::consts::OS
    }
    fn arch(&self) -> &str {
        std::env::consts::ARCH
    }
    fn has_command(&self, name: &str) -> bool {
        find_command(name).is_some()
    }
    fn has_pkg_config(&self, name: &str) -> bool {
        let program = find_command("pkg-config").unwrap_or_else(|| "pkg-config".into());
        Command::new(program)
            .args(["--exists", "--", name])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    }
    fn has_file(&self, pattern: &str) -> bool {
        let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        has_below(Path::new("/"), &parts)
    }
    fn has_apt(&self) -> bool {
        program::has_apt()
    }
    fn off_path(&self, name: &str) -> Option<String> {
        program::at_home::off_path(name, &program::at_home::home()?)
    }
    fn is_debian_12(&self) -> bool {
        std::fs::read_to_string("/etc/os-release").is_ok_and(|text| says_debian_12(&text))
    }
}

/// Of the text of os-release(5).
fn says_debian_12(os_release: &str) -> bool {
    let of = |key: &str| {
        let found = os_release
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        found.unwrap_or_default().trim_matches('"')
    };
    matches!(of("ID"), "debian" | "raspbian") && of("VERSION_ID") == "12"
}

/// Whether a file is there whose path matches; `*` never reaches over a slash.
fn has_below(folder: &Path, parts: &[&str]) -> bool {
    let [part, rest @ ..] = parts else {
        return folder.is_file();
    };
    if !part.contains('*') {
        return has_below(&folder.join(part), rest);
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| matches(part, name)))
        .any(|entry| has_below(&entry.path(), rest))
}

fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    name.strip_prefix(start)
        .is_some_and(|tail| (0..=tail.len()).any(|at| tail.get(at..).is_some_and(|tail| matches(rest, tail))))
}

pub fn check(requires: &Requires, probe: &dyn Probe) -> Option<Missing> {
    if !requires.os.is_empty() && !requires.os.iter().any(|os| os == probe.os()) {
        return Some(Missing {
            reason: format!(
                "It runs on {} only; this host has {}.",
                listed(&requires.os.iter().map(|os| os_name(os)).collect::<Vec<_>>()),
                os_name(probe.os())
            ),
            fix: None,
        });
    }
    if !requires.arch.is_empty() && !requires.arch.iter().any(|arch| arch == probe.arch()) {
        return Some(Missing {
            reason: format!(
                "It runs on {} only; this host is {}.",
                listed(&requires.arch),
                probe.arch()
            ),
            fix: None,
        });
    }
    let mut missing: Vec<String> = requires
        .commands
        .iter()
        .filter(|c| !probe.has_command(c))
        .cloned()
        .collect();
    // Without pkg-config nothing can be said about its packages; it is then what is missing.
    if !requires.pkg_config.is_empty() {
        if !probe.has_command("pkg-config") {
            missing.push("pkg-config".to_owned());
        } else {
            missing.extend(requires.pkg_config.iter().filter(|p| !probe.has_pkg_config(p)).cloned());
        }
    }
    missing.extend(requires.files.iter().filter(|f| !probe.has_file(f)).cloned());
    missing.dedup();
    if missing.is_empty() {
        return None;
    }
    let verb = if missing.len() == 1 { "is" } else { "are" };
    let places: Option<BTreeSet<String>> = missing.iter().map(|name| probe.off_path(name)).collect();
    if let Some(places) = places {
        let places: Vec<String> = places.into_iter().collect();
        return Some(Missing {
            reason: format!(
                "{} {verb} in {}, where PATH does not lead.",
                listed(&missing),
                listed(&places)
            ),
            fix: Some(program::at_home::in_path(&places)),
        });
    }
    Some(Missing {
        reason: format!("{} {verb} not installed.", listed(&missing)),
        fix: fix(requires, probe),
    })
}

fn fix(requires: &Requires, probe: &dyn Probe) -> Option<String> {
    let whole = requires.debian_12.as_ref().filter(|_| probe.is_debian_12());
    if let Some(command) = whole.or(requires.macos.as_ref().filter(|_| probe.os() == "macos")) {
        return Some(command.clone());
    }
    let (command, packages) = match probe.os() {
        "macos" => ("brew install", &requires.homebrew),
        _ => ("sudo apt install", &requires.debian),
    };
    let packages = Some(packages.join(" ")).filter(|names| !names.is_empty())?;
    if probe.os() != "macos" && !probe.has_apt() {
        return Some(format!(
            "Install what is missing by this system's own means; Debian's packages are {packages}."
        ));
    }
    Some(format!("{command} {packages}"))
}

fn os_name(os: &str) -> String {
    match os {
        "linux" => "Linux".to_owned(),
        "macos" => "macOS".to_owned(),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct FakeHost(&'static [&'static str]);
    impl Probe for FakeHost {
        fn os(&self) -> &str {
            "linux"
        }
        fn arch(&self) -> &str {
            "x86_64"
        }
        fn has_command(&self, name: &str) -> bool {
            self.0.contains(&name)
        }
        fn has_pkg_config(&self, name: &str) -> bool {
            self.0.contains(&name)
        }
        fn has_file(&self, pattern: &str) -> bool {
            self.0.contains(&pattern)
        }
    }

    fn requires() -> Requires {
        Requires {
            os: vec!["linux".into()],
            commands: vec!["cc".into(), "make".into()],
            pkg_config: vec!["liburing".into()],
            debian: vec!["build-essential".into(), "liburing-dev".into()],
            ..Requires::default()
        }
    }

    /// A host on which nothing is installed, or not where `PATH` leads.
    struct Bare {
        os: &'static str,
        debian_12: bool,
        off_path: bool,
    }

    impl Bare {
        const fn of(os: &'static str, debian_12: bool, off_path: bool) -> Self {
            Self {
                os,
                debian_12,
                off_path,
            }
        }
        const fn off_path() -> Self {
            Self::of("linux", false, true)
        }
        const fn old() -> Self {
            Self::of("linux", true, false)
        }
        const fn mac() -> Self {
            Self::of("macos", false, false)
        }
    }

    impl Probe for Bare {
        fn os(&self) -> &str {
            self.os
        }
        fn arch(&self) -> &str {
            if self.os == "macos" { "aarch64" } else { "x86_64" }
        }
        fn has_command(&self, _: &str) -> bool {
            false
        }
        fn has_pkg_config(&self, _: &str) -> bool {
            false
        }
        fn has_file(&self, _: &str) -> bool {
            false
        }
        fn off_path(&self, name: &str) -> Option<String> {
            (self.off_path && name != "cc").then(|| "$HOME/.volta/bin".to_owned())
        }
        fn is_debian_12(&self) -> bool {
            self.debian_12
        }
    }

    #[test]
    fn what_is_missing_is_named_with_the_command_that_installs_it() {
        assert_eq!(
            check(&requires(), &FakeHost(&["cc", "make", "pkg-config", "liburing"])),
            None
        );
        let missing = check(&requires(), &FakeHost(&["pkg-config", "liburing"])).unwrap();
        assert_eq!(missing.reason, "cc and make are not installed.");
        assert_eq!(
            missing.fix.as_deref(),
            Some("sudo apt install build-essential liburing-dev")
        );
        let missing = check(&requires(), &FakeHost(&["cc", "make"])).unwrap();
        assert_eq!(missing.reason, "pkg-config is not installed.");
        let missing = check(&requires(), &FakeHost(&["cc", "make", "pkg-config"])).unwrap();
        assert_eq!(missing.reason, "liburing is not installed.");
    }

    #[test]
    fn what_is_installed_where_path_does_not_lead_is_no_package_to_install() {
        let wants = |commands: [&str; 2]| Requires {
            commands: commands.map(str::to_owned).to_vec(),
            ..Requires::default()
        };
        let missing = check(&wants(["node", "npm"]), &Bare::off_path()).unwrap();
        assert_eq!(
            missing.reason,
            "node and npm are in $HOME/.volta/bin, where PATH does not lead."
        );
        assert!(missing.fix.unwrap().contains("PATH"));
        let missing = check(&wants(["node", "cc"]), &Bare::off_path()).unwrap();
        assert_eq!(missing.reason, "node and cc are not installed.");
    }

    #[test]
    fn debian_12_has_a_command_of_its_own_where_its_packages_are_too_old() {
        let own = Requires {
            debian_12: Some("sudo apt install cargo-web".into()),
            ..requires()
        };
        let fix = |requires: &Requires, probe: &dyn Probe| check(requires, probe).unwrap().fix.unwrap();
        assert_eq!(fix(&own, &Bare::old()), "sudo apt install cargo-web");
        assert_eq!(fix(&own, &FakeHost(&[])), fix(&requires(), &Bare::old()));
        let text = |id: &str, version: &str| format!("PRETTY_NAME=\"x\"\nVERSION_ID={version}\nID={id}\n");
        assert!(says_debian_12(&text("debian", "\"12\"")) && says_debian_12(&text("raspbian", "12")));
        for (id, version) in [("debian", "13"), ("ubuntu", "12"), ("", "")] {
            assert!(!says_debian_12(&text(id, version)), "{id} {version}");
        }
    }

    #[test]
    fn macos_is_helped_by_homebrew_or_by_a_command_of_its_own() {
        let mut wants = Requires {
            os: Vec::new(),
            homebrew: vec!["openjdk@21".into(), "maven".into()],
            ..requires()
        };
        let fix = |requires: &Requires| check(requires, &Bare::mac()).unwrap().fix.unwrap();
        assert_eq!(fix(&wants), "brew install openjdk@21 maven");
        wants.macos = Some("brew install openjdk@21 && sudo ln".into());
        assert_eq!(fix(&wants), "brew install openjdk@21 && sudo ln");
        let missing = check(&requires(), &Bare::mac()).unwrap();
        assert_eq!(missing.reason, "It runs on Linux only; this host has macOS.");
        assert_eq!(missing.fix, None);
    }

    #[test]
    fn another_system_or_processor_has_no_fix() {
        let mac = Requires {
            os: vec!["macos".into()],
            ..Requires::default()
        };
        assert_eq!(check(&mac, &FakeHost(&[])).unwrap().fix, None);
        let arm = Requires {
            arch: vec!["aarch64".into()],
            ..Requires::default()
        };
        assert!(
            check(&arm, &FakeHost(&[]))
                .unwrap()
                .reason
                .contains("this host is x86_64")
        );
    }
    #[test]
    fn a_file_that_is_missing_is_named_too() {
        const MODULE: &str = "/usr/lib/nginx/modules/ngx_http_lua_module.so";
        let wants = Requires {
            files: vec![MODULE.into()],
            debian: vec!["libnginx-mod-http-lua".into()],
            ..Requires::default()
        };
        assert_eq!(check(&wants, &FakeHost(&[MODULE])), None);
        let missing = check(&wants, &FakeHost(&[])).unwrap();
        assert_eq!(missing.reason, format!("{MODULE} is not installed."));
        assert_eq!(missing.fix.as_deref(), Some("sudo apt install libnginx-mod-http-lua"));
    }

    #[test]
    fn a_star_stands_for_one_name_or_a_part_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("x86_64-linux-gnu/lua");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(deep.join("cjson.so"), "").unwrap();
        let has = |pattern: &str| ThisHost.has_file(&format!("{}/{pattern}", folder.path().display()));
        for there in [
            "x86_64-linux-gnu/lua/cjson.so",
            "*/lua/cjson.so",
            "x*-gnu/lua/*.so",
            "*/*/*",
        ] {
            assert!(has(there), "{there}");
        }
        for not in ["*/cjson.so", "*/lua", "y*/lua/cjson.so", "*/lua/cjson.s", "*/lua/*json"] {
            assert!(!has(not), "{not}");
        }
    }
}
