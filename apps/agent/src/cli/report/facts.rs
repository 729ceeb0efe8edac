//! What every form of a report says of a run, in the same words.

use rigmark_stats::Summary;
use rigmark_stats::summary::{EntrySummary, ScenarioSummary};

use super::cells::Cells;
use super::date;
use super::needed;
use super::repeat;
use super::result_file::ResultFile;
use crate::cli::CliError;
use crate::cli::format;
use crate::cli::run::revisions::in_words;
use crate::cli::run::table::columns::ScenarioTable;
use crate::protocol::journal::{Plan, PlanEntry};
use crate::protocol::spec::Scenario;
use crate::text::plain;

/// Longest free text that a report repeats, in characters.
const TEXT: usize = 300;

/// Titles of the terminal's table that its explanation names, and those of [`Cells`].
const TITLES: [(&str, &str); 6] = [
    ("REQUESTS/S", "Requests/s"),
    ("MIN–MAX", "Min–max"),
    ("TO BASELINE", "To baseline"),
    ("VERDICT", "Verdict"),
    ("FIRST BYTE P50", "First byte P50"),
    ("CPU µs/REQ", "CPU µs/request"),
];

/// A run with its meaning.
pub struct Report {
    pub file: ResultFile,
    pub summary: Summary,
}

impl Report {
    /// # Errors
    /// When the records contradict each other.
    pub fn of(file: ResultFile) -> Result<Self, CliError> {
        match file.run.summary() {
            Some(Ok(summary)) => Ok(Self { file, summary }),
            Some(Err(error)) => Err(CliError::failed(
                "result-file",
                format!("The records of the file contradict each other ({error}); run it again."),
            )),
            None => Err(CliError::failed("result-file", "The file has no plan; run it again.")),
        }
    }

    /// [`ResultFile::read`] takes no file without one.
    pub fn plan(&self) -> &Plan {
        self.file.run.plan.as_ref().expect("a result file has a plan")
    }

    pub fn title(&self) -> String {
        let title = plain(self.file.begin.spec.title.trim(), TEXT);
        if title.is_empty() {
            "Rigmark report".to_owned()
        } else {
            title
        }
    }

    pub fn baseline(&self) -> &PlanEntry {
        let entries = &self.plan().entries;
        entries.iter().find(|e| e.baseline).unwrap_or(&entries[0])
    }

    pub fn entry(&self, key: &str) -> Option<&PlanEntry> {
        self.plan().entries.iter().find(|e| e.key == key)
    }

    pub fn label(&self, key: &str) -> String {
        plain(self.entry(key).map_or(key, |e| &e.label), TEXT)
    }

    pub fn scenario(&self, id: &str) -> Option<&Scenario> {
        self.plan().scenarios.iter().find(|s| s.id == id)
    }

    /// Its title; its id where it has none.
    pub fn scenario_title(&self, id: &str) -> String {
        let title = self.scenario(id).map_or("", |s| s.title.trim());
        plain(if title.is_empty() { id } else { title }, TEXT)
    }

    /// RFC 3339.
    pub fn started_at(&self) -> String {
        date::rfc3339(self.file.begin.wall_us)
    }

    pub fn started(&self) -> String {
        date::utc_minute(self.file.begin.wall_us)
    }

    pub fn repeat(&self) -> String {
        plain(&repeat::command(&self.file), 20_000)
    }

    /// What it names and Rigmark does not bring.
    pub fn needed(&self) -> Option<String> {
        needed::sentence(&self.file).map(|needed| plain(&needed, 2_000))
    }

    pub fn repeats_in_clone(&self) -> bool {
        repeat::in_clone(&self.file)
    }

    /// The table of a scenario as the terminal shows it, with titles for running text.
    pub fn cells(&self, scenario: &ScenarioSummary) -> Vec<Cells> {
        let groups = ScenarioTable::new(self.plan(), scenario).columns();
        groups.into_iter().flatten().map(Cells::from).collect()
    }

    /// What the columns of [`Report::cells`] are about, with their titles.
    pub fn about(&self, scenario: &ScenarioSummary) -> String {
        let about = ScenarioTable::new(self.plan(), scenario).about();
        TITLES
            .iter()
            .fold(about, |text, (shown, title)| text.replace(shown, title))
    }

    /// What a reader has to know before the numbers: the run is not whole, or has labels.
    pub fn remarks(&self) -> Vec<String> {
        let labels = self.file.run.labels.iter().filter(|l| l.code != "not-claimed");
        let labels = labels.map(|l| format!("{}: {}", plain(&l.code, 60), plain(&l.message, TEXT)));
        self.file.incomplete().into_iter().chain(labels).collect()
    }

    /// Name and value of what the run was made on and with; what is unknown is left out.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let mut rows: Vec<(&'static str, String)> = Vec::new();
        let mut add = |name, value: Option<String>| {
            rows.extend(value.filter(|v| !v.is_empty()).map(|v| (name, plain(&v, TEXT))));
        };
        if let Some(environment) = &self.file.run.environment {
            let f = &environment.facts;
            add("CPU", cpu(environment.facts.cpu_model.as_deref(), f.cpus_online));
            add("Board", f.board.clone());
            add(
                "Memory",
                f.memory_bytes
                    .map(|b| format!("{} GiB", format::significant(b as f64 / f64::from(1 << 30)))),
            );
            add(
                "System",
                Some(joined([
                    f.os_name.as_deref().or(Some(&f.os)),
                    f.kernel.as_deref(),
                    Some(&f.arch),
                ])),
            );
            add("Virtualization", f.virtualization.clone());
            add("Governor", f.governor.clone());
            add("Turbo", f.turbo.map(|on| if on { "on" } else { "off" }.to_owned()));
            add("Compiler", f.compiler.clone());
            let tools = environment
                .tools
                .iter()
                .map(|t| format!("{} {}", t.name.as_str(), t.version.as_deref().unwrap_or("?")));
            add("Load tools", Some(tools.collect::<Vec<_>>().join(", ")));
            add("Cores", environment.core_split.clone());
            add(
                "Sandbox",
                Some(
                    if environment.sandboxed {
                        "own network namespace"
                    } else {
                        "none"
                    }
                    .to_owned(),
                ),
            );
            add(
                "Load before",
                environment
                    .load1_before
                    .map(|load| format!("{load:.2} (1 min average)")),
            );
            let tuned = environment
                .tuned
                .iter()
                .map(|t| format!("{}: {} (was {})", t.name, t.during, t.before));
            add("Tuned", Some(tuned.collect::<Vec<_>>().join(", ")));
            add(
                "Fingerprint",
                environment.fingerprint.as_deref().map(|f| f.chars().take(12).collect()),
            );
        }
        add("Rigmark", Some(self.file.begin.agent_version.clone()));
        add("Started", Some(self.started()));
        add("Blocks", self.blocks());
        rows
    }

    fn blocks(&self) -> Option<String> {
        let counted: Vec<_> = self
            .summary
            .scenarios
            .iter()
            .filter_map(|s| s.blocks.as_ref())
            .collect();
        let (least, most) = (
            counted.iter().map(|b| b.counted).min()?,
            counted.iter().map(|b| b.counted).max()?,
        );
        let measured = counted.iter().map(|b| b.measured).max()?;
        let count = if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        };
        Some(format!("{count} of {measured} count"))
    }

    /// The entries that were measured: label, server with its options, and which content it had.
    pub fn entries(&self) -> Vec<(String, String, String)> {
        let of = |e: &PlanEntry| {
            let options: Vec<String> = e
                .options
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let server = if options.is_empty() {
                e.server.clone()
            } else {
                format!("{}:{}", e.server, options.join(","))
            };
            let revision = e.revision.as_ref().map(|r| format!("{}; ", in_words(r)));
            let content = format!("{}content {}", revision.unwrap_or_default(), plain(&e.content_hash, 12));
            (plain(&e.label, TEXT), plain(&server, TEXT), plain(&content, TEXT))
        };
        self.plan().entries.iter().map(of).collect()
    }
}

/// Entries with a ratio or a verdict, so all but the baseline.
pub fn compared<'a>(report: &Report, scenario: &'a ScenarioSummary) -> Vec<&'a EntrySummary> {
    let baseline = &report.baseline().key;
    scenario.entries.iter().filter(|e| e.entry_key != *baseline).collect()
}

pub fn cpu(model: Option<&str>, cpus: Option<u64>) -> Option<String> {
    let count = cpus.map(|n| format!("{n} CPU{}", if n == 1 { "" } else { "s" }));
    match (model, count) {
        (Some(model), Some(count)) => Some(format!("{model}, {count}")),
        (Some(model), None) => Some(model.to_owned()),
        (None, count) => count,
    }
}

pub fn joined<const N: usize>(parts: [Option<&str>; N]) -> String {
    parts
        .into_iter()
        .flatten()
        .filter(|p| !p.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}
