//! What the host's owner forbids to runs from the app: `agent.toml` in `/etc/rigmark` and in the user's folder. Such a file only
//! takes away, and all that there are count. What somebody starts here with `rigmark run` is not asked.

use std::collections::BTreeSet;
use std::fmt;
use std::io::ErrorKind::NotFound;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::assets::Assets;
use crate::protocol::catalogue::{CatalogueServer, CatalogueTool};
use crate::protocol::spec::{RunSpec, ToolName};
use crate::text::{listed, message};
use crate::toml_position;

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    forbid: Forbid,
    hours: Option<Hours>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Forbid {
    servers: BTreeSet<String>,
    tools: BTreeSet<ToolName>,
    builds: bool,
    tuning: bool,
}

/// When a run may begin, in the host's local time; over midnight where `until` comes before `from`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hours {
    from: TimeOfDay,
    until: TimeOfDay,
}

/// Minutes since midnight; `22:00` in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeOfDay(u16);

impl TryFrom<String> for TimeOfDay {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let number = |digits: &str, most: u16| {
            let plain = digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse::<u16>().ok().filter(|n| plain && *n <= most)
        };
        text.split_once(':')
            .and_then(|(hours, minutes)| Some(Self(number(hours, 23)? * 60 + number(minutes, 59)?)))
            .ok_or_else(|| format!("{text:?} is not a time of day such as \"22:00\""))
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl TimeOfDay {
    /// Of the host's clock, in its time zone.
    pub fn now() -> Self {
        // SAFETY: `time` takes a null pointer, and localtime_r writes only into `local`.
        let local = unsafe {
            let seconds = libc::time(std::ptr::null_mut());
            let mut local: libc::tm = std::mem::zeroed();
            libc::localtime_r(&seconds, &mut local);
            local
        };
        Self((local.tm_hour * 60 + local.tm_min) as u16)
    }
}

impl Hours {
    fn has(&self, now: TimeOfDay) -> bool {
        if self.from <= self.until {
            (self.from..self.until).contains(&now)
        } else {
            now >= self.from || now < self.until
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnerRules {
    files: Vec<(PathBuf, File)>,
}

impl OwnerRules {
    /// A sentence where a file cannot be read: then nobody knows what the owner forbids, and nothing is measured.
    pub fn read(assets: &Assets) -> Result<Self, String> {
        let mut files = Vec::new();
        for path in assets.owner_rules() {
            match std::fs::read_to_string(&path) {
                Ok(text) => files.push((path.clone(), parse(&path, &text)?)),
                // A link that leads nowhere is a file that cannot be read.
                Err(error) if error.kind() == NotFound && path.symlink_metadata().is_err() => {}
                Err(error) => {
                    return Err(format!(
                        "{} cannot be read ({error}), so this agent does not know what its owner forbids and begins no run.",
                        path.display()
                    ));
                }
            }
        }
        Ok(Self { files })
    }

    /// What a reader of the host's page is told, a phrase each. `None` where the owner wrote no file. `known`: the servers of the host.
    pub fn phrases(&self, known: &[String]) -> Option<Vec<String>> {
        let mut phrases = Vec::new();
        for (path, File { forbid, hours }) in &self.files {
            if let Some(Hours { from, until }) = hours {
                phrases.push(format!("runs begin from {from} to {until} only"));
            }
            let (servers, unknown): (Vec<String>, Vec<String>) =
                forbid.servers.iter().cloned().partition(|name| known.contains(name));
            if !servers.is_empty() {
                phrases.push(format!("not measured: {}", listed(&servers)));
            }
            // Most likely it is written wrong.
            if !unknown.is_empty() {
                phrases.push(format!(
                    "{} names no server of this host: {}",
                    path.display(),
                    listed(&unknown)
                ));
            }
            if !forbid.tools.is_empty() {
                let names: Vec<String> = forbid.tools.iter().map(|t| t.as_str().to_owned()).collect();
                phrases.push(format!("no load by {}", listed(&names)));
            }
            phrases.extend(forbid.builds.then(|| "no builds".to_owned()));
            phrases.extend(forbid.tuning.then(|| "no tuning".to_owned()));
        }
        let phrases: Vec<String> = phrases
            .iter()
            .map(|phrase| message(phrase))
            .take(MOST_PHRASES)
            .collect();
        (!self.files.is_empty()).then_some(phrases)
    }

    pub fn forbid_builds(&self) -> bool {
        self.files.iter().any(|(_, file)| file.forbid.builds)
    }

    pub fn forbid_tuning(&self) -> bool {
        self.of_tuning().is_some()
    }

    /// In the catalogue, which the app offers runs from.
    pub fn restrict(&self, servers: &mut [CatalogueServer], tools: &mut [CatalogueTool]) {
        for server in servers {
            if let Some(reason) = self.of_server(&server.name) {
                (server.supported, server.reason, server.fix) = (false, Some(reason), None);
            }
        }
        for tool in tools {
            if let Some(reason) = self.of_tool(tool.name) {
                (tool.supported, tool.reason, tool.fix) = (false, Some(reason), None);
            }
        }
    }

    /// Of a run that was queued before the owner wrote this, or by an app that is not to be believed. `tools`: of its scenarios.
    /// Not asked here: builds (`Assets::without_builds`) and hours ([`Self::closed`]).
    pub fn refusal(&self, spec: &RunSpec, tools: &[ToolName]) -> Option<String> {
        let servers = spec.entries.iter().filter_map(|entry| self.of_server(&entry.server));
        let tools = tools.iter().filter_map(|tool| self.of_tool(*tool));
        let tuning = spec.tune.and_then(|_| self.of_tuning());
        servers.chain(tools).chain(tuning).next()
    }

    /// Why no run begins at this time.
    pub fn closed(&self, now: TimeOfDay) -> Option<String> {
        self.files.iter().find_map(|(path, file)| {
            let hours = file.hours.as_ref().filter(|hours| !hours.has(now))?;
            Some(format!(
                "The owner of this host lets runs begin from {} to {} only ({}); it is {now} there.",
                hours.from,
                hours.until,
                path.display()
            ))
        })
    }

    fn of_server(&self, name: &str) -> Option<String> {
        let (path, _) = self.files.iter().find(|(_, file)| file.forbid.servers.contains(name))?;
        Some(forbidden(name, path))
    }

    fn of_tuning(&self) -> Option<String> {
        let (path, _) = self.files.iter().find(|(_, file)| file.forbid.tuning)?;
        Some(forbidden("tuning", path))
    }

    fn of_tool(&self, tool: ToolName) -> Option<String> {
        let (path, _) = self.files.iter().find(|(_, file)| file.forbid.tools.contains(&tool))?;
        Some(forbidden(tool.as_str(), path))
    }
}

/// As many as the app takes; packages/protocol has the same number.
const MOST_PHRASES: usize = 16;

fn forbidden(name: &str, path: &Path) -> String {
    message(&format!("The owner of this host forbids {name} ({}).", path.display()))
}

fn parse(path: &Path, text: &str) -> Result<File, String> {
    let file: File = toml::from_str(text).map_err(|error| {
        let at = toml_position::of_error(text, &error)
            .map(|position| format!(":{position}"))
            .unwrap_or_default();
        format!(
            "{}{at}: {}. Until this is corrected, the agent begins no run.",
            path.display(),
            error.message().lines().next().unwrap_or_default()
        )
    })?;
    match &file.hours {
        Some(Hours { from, until }) if from == until => Err(format!(
            "{}: from {from} until {until} is never; leave out [hours] for always. Until this is corrected, the agent begins no run.",
            path.display()
        )),
        _ => Ok(file),
    }
}

#[cfg(test)]
#[path = "owner_rules_tests.rs"]
mod tests;
