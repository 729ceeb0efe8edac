//! What `--tune` sets, and where the kernel keeps it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::host::sensor::{CPUS, governor_files};
use crate::host::sysroot::SysRoot;

const NO_TURBO: &str = "sys/devices/system/cpu/intel_pstate/no_turbo";
const BOOST: &str = "sys/devices/system/cpu/cpufreq/boost";
const ASLR: &str = "proc/sys/kernel/randomize_va_space";
const THP: &str = "sys/kernel/mm/transparent_hugepage/enabled";

/// What transparent huge pages are set to. `Never` unless asked for: then no page is copied into a large one behind a trial's
/// back, at the price of a rate that some servers would exceed with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HugePages {
    Always,
    Madvise,
    Never,
    Keep,
}

impl FromStr for HugePages {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "always" => Ok(Self::Always),
            "madvise" => Ok(Self::Madvise),
            "never" => Ok(Self::Never),
            "keep" => Ok(Self::Keep),
            _ => Err("transparent huge pages are always, madvise, never or keep".to_owned()),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Governor,
    Turbo,
    Aslr,
    HugePages,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Governor => "CPU governor",
            Self::Turbo => "turbo",
            Self::Aslr => "address space randomization",
            Self::HugePages => "transparent huge pages",
        }
    }

    /// The files that this machine has of it, without the leading slash.
    pub fn files(self, sys: &SysRoot) -> Vec<String> {
        let there = |file: &String| sys.path(file).is_file();
        match self {
            Self::Governor => governor_files(sys),
            Self::Turbo => {
                let first = [NO_TURBO, BOOST].map(str::to_owned).into_iter().find(there);
                first.into_iter().collect()
            }
            Self::Aslr => vec![ASLR.to_owned()].into_iter().filter(there).collect(),
            Self::HugePages => vec![THP.to_owned()].into_iter().filter(there).collect(),
        }
    }

    /// Whether a machine can have it in this file. A record that names another one is none of ours.
    pub fn is_file(self, file: &str) -> bool {
        match self {
            Self::Governor => {
                let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                let folder = file
                    .strip_prefix(CPUS)
                    .and_then(|rest| rest.strip_suffix("/scaling_governor"));
                folder.is_some_and(|folder| {
                    let policy = folder.strip_prefix("/cpufreq/policy");
                    let cpu = || folder.strip_prefix("/cpu").and_then(|f| f.strip_suffix("/cpufreq"));
                    policy.or_else(cpu).is_some_and(number)
                })
            }
            Self::Turbo => [NO_TURBO, BOOST].contains(&file),
            Self::Aslr => file == ASLR,
            Self::HugePages => file == THP,
        }
    }
}

/// A CPU that was taken off takes its files with it.
pub fn is_there(sys: &SysRoot, file: &str) -> bool {
    let looked = std::fs::symlink_metadata(sys.path(file));
    !looked.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// One file of the kernel: what it said and what it says during the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    pub kind: Kind,
    pub file: String,
    pub before: String,
    pub during: String,
}

/// What could not be set, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub kind: Kind,
    pub why: String,
}

/// What is to be changed on this machine; what is as it should be is in neither list.
pub fn wanted(sys: &SysRoot, huge_pages: HugePages) -> (Vec<Setting>, Vec<Refused>) {
    let (mut todo, mut refused) = (Vec::new(), Vec::new());
    let mut kinds = vec![Kind::Governor, Kind::Turbo, Kind::Aslr];
    if huge_pages != HugePages::Keep {
        kinds.push(Kind::HugePages);
    }
    for kind in kinds {
        let files = kind.files(sys);
        if files.is_empty() {
            let why = "this machine shows no such setting, as is usual in a virtual machine and on macOS".to_owned();
            refused.push(Refused { kind, why });
        }
        for file in files {
            match change(sys, kind, file, huge_pages) {
                Ok(change) => todo.extend(change),
                Err(why) if refused.last().is_none_or(|r: &Refused| r.kind != kind) => {
                    refused.push(Refused { kind, why });
                }
                Err(_) => {}
            }
        }
    }
    (todo, refused)
}

fn change(sys: &SysRoot, kind: Kind, file: String, huge_pages: HugePages) -> Result<Option<Setting>, String> {
    let before = sys.value(&file).ok_or_else(|| format!("/{file} cannot be read"))?;
    let during = match (kind, huge_pages) {
        (Kind::Governor, _) => "performance",
        (Kind::Turbo, _) if file == NO_TURBO => "1",
        (Kind::Turbo | Kind::Aslr, _) => "0",
        (Kind::HugePages, HugePages::Always) => "always",
        (Kind::HugePages, HugePages::Madvise) => "madvise",
        (Kind::HugePages, HugePages::Never) => "never",
        (Kind::HugePages, HugePages::Keep) => return Ok(None),
    };
    let choices = sys.text(&file.replace("scaling_governor", "scaling_available_governors"));
    if let Some(choices) = choices.filter(|_| kind == Kind::Governor)
        && !choices.split_whitespace().any(|c| c == during)
    {
        return Err(format!("the kernel has {choices} and no {during}"));
    }
    let setting = Setting {
        kind,
        file,
        during: during.to_owned(),
        before,
    };
    Ok((setting.before != setting.during).then_some(setting))
}

/// Writes `to` unless the file says so already, and looks whether it does then.
pub fn set(sys: &SysRoot, file: &str, to: &str) -> Result<(), String> {
    if sys.value(file).as_deref() == Some(to) {
        return Ok(());
    }
    let done = std::fs::OpenOptions::new()
        .write(true)
        .truncate(!sys.is_host())
        .open(sys.path(file))
        .and_then(|mut opened| std::io::Write::write_all(&mut opened, to.as_bytes()));
    match done {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            Err(format!("/{file} cannot be written without root's rights"))
        }
        Err(error) => Err(format!("/{file} cannot be written ({error})")),
        Ok(()) if sys.value(file).as_deref() == Some(to) => Ok(()),
        Ok(()) => Err(format!("/{file} did not take {to}")),
    }
}

/// The last that was set is put back first. A file that is gone, as those of a CPU that was taken off, needs nothing.
pub fn undo(sys: &SysRoot, settings: &[Setting]) -> Vec<String> {
    let there = |s: &&Setting| is_there(sys, &s.file);
    let back = |s: &Setting| set(sys, &s.file, &s.before).err();
    settings.iter().rev().filter(there).filter_map(back).collect()
}
