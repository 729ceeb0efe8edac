//! What the commands take that say what a result file means.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rigmark_stats::gate::Gate;

use super::remote::RemoteArgs;
use super::value::{one_of, parse_duration};

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The file that `rigmark run --out` wrote, the id or address of a run, or the address of a report
    #[arg(value_name = "RUN")]
    pub file: PathBuf,
    /// As Markdown: the verdict, the tables, the environment, and how to repeat it
    #[arg(long)]
    pub md: bool,
    /// As one HTML page with charts, which loads nothing from elsewhere
    #[arg(long)]
    pub html: bool,
    /// As a table with one row for each server and scenario
    #[arg(long)]
    pub csv: bool,
    /// Write it to this file [default: standard output]
    #[arg(long, short = 'o', value_name = "F")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A file that `rigmark run --out` wrote, the id or address of a run, or the address of a report
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Another one
    #[arg(value_name = "B")]
    pub b: PathBuf,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Debug, Args)]
#[command(group = one_of("measured", ["result", "run"]).multiple(false))]
#[command(after_help = "The token comes from the environment: RIGMARK_FORGE_TOKEN, or GITHUB_TOKEN or GITLAB_TOKEN.")]
pub struct CommentArgs {
    /// The file that `rigmark run --out` wrote
    #[arg(long, value_name = "FILE")]
    pub result: Option<PathBuf>,
    /// In place of a file: the id of a run, or the address of its page
    #[arg(long, value_name = "RUN")]
    pub run: Option<String>,
    /// Repository with the pull request, such as owner/name [default: that of the run]
    #[arg(long, value_name = "R", required_unless_present = "run")]
    pub repo: Option<String>,
    /// Number of the pull request [default: that of the run]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), required_unless_present = "run")]
    pub pr: Option<u64>,
    /// Commit that was measured; nothing is written if it is no longer the head of the pull request [default: that of the run]
    #[arg(long, value_name = "SHA", value_parser = parse_commit, required_unless_present = "run")]
    pub commit: Option<String>,
    /// Address of the report, for a link and its picture
    #[arg(long, value_name = "URL")]
    pub report: Option<String>,
    /// Make a report of the run, which anybody with its link can read, for a link and its picture
    #[arg(long, requires = "run", conflicts_with_all = ["report", "dry_run"])]
    pub make_report: bool,
    /// Write no new comment while no verdict is faster or slower and no response wrong. An existing one is updated; the
    /// check is always set
    #[arg(long, value_enum, value_name = "WHAT")]
    pub only_on: Option<OnlyOn>,
    /// The check fails, and the exit code is 3, as with `rigmark run`
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Option<Gate>,
    /// Which code forge [default: gitlab in a GitLab job, else github]
    #[arg(long, value_enum, value_name = "F")]
    pub forge: Option<ForgeArg>,
    /// Address of the forge's API [default: the job's, else that of the public service]
    #[arg(long, value_name = "URL")]
    pub api_url: Option<String>,
    /// Tells comments apart if several jobs write one
    #[arg(long, value_name = "KEY", default_value = "default", value_parser = parse_key)]
    pub key: String,
    /// What the check is called; branch rules match it exactly
    #[arg(long, value_name = "NAME", default_value = "rigmark")]
    pub check_name: String,
    /// How long to wait for each response [default: 20s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<f64>,
    /// Allow plain HTTP to a non-loopback address
    #[arg(long)]
    pub allow_http: bool,
    /// Print the comment and the check, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Only ask whether the commit is the head of the pull request; exit with 1 if it is not
    #[arg(long, conflicts_with_all = ["dry_run", "make_report"])]
    pub check_head: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnlyOn {
    Change,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ForgeArg {
    Github,
    Gitlab,
}

/// The whole of it: what is shortened may come to mean another one.
fn parse_commit(text: &str) -> Result<String, String> {
    let hex = text.chars().all(|c| c.is_ascii_hexdigit());
    if hex && [40, 64].contains(&text.len()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("a commit has 40 hexadecimal digits; `git rev-parse HEAD` prints them".to_owned())
    }
}

/// It stands in an HTML comment.
fn parse_key(text: &str) -> Result<String, String> {
    let fine = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
    if (1..=60).contains(&text.len()) && text.chars().all(fine) && !text.contains("--") && !text.ends_with('-') {
        Ok(text.to_owned())
    } else {
        Err("a key has up to 60 letters, digits, dots, slashes and single hyphens".to_owned())
    }
}
