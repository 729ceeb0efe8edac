//! What the commands that talk to an app take.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use clap_complete::Shell;
use rigmark_stats::gate::Gate;

use super::value::{one_of, parse_address, parse_duration, parse_part};

#[derive(Debug, Clone, Args)]
pub struct RemoteArgs {
    /// Allow plain HTTP to a non-loopback address
    #[arg(long)]
    pub allow_http: bool,
    /// How long to keep trying when the app does not respond
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_duration)]
    pub retry_for: f64,
}

#[derive(Debug, Clone, Args)]
pub struct WorkspaceArgs {
    /// The workspace, as in the app's addresses (/w/NAME) [default: your only one]
    #[arg(long, short = 'w', value_name = "W", env = "RIGMARK_WORKSPACE")]
    pub workspace: Option<String>,
}

#[derive(Debug, Args)]
pub struct LoginArgs {
    /// Address of the app
    #[arg(long, value_name = "URL", env = "RIGMARK_URL", value_parser = parse_address)]
    pub url: Option<String>,
    /// `-`: read a token from stdin instead of asking for approval in a browser
    #[arg(long, value_name = "-", allow_hyphen_values = true)]
    pub token: Option<String>,
    /// Show where you are logged in and what the token may do
    #[arg(long, conflicts_with = "token")]
    pub status: bool,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Debug, Args)]
pub struct LogoutArgs {
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Debug, Args)]
pub struct PublishArgs {
    /// The file that `rigmark run --out` wrote
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub workspace: WorkspaceArgs,
    /// What the run is called there [default: its title in the file]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Publish a file that ends before its run did; the run is marked incomplete
    #[arg(long)]
    pub partial: bool,
    /// Show what would be sent and where, and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Also make a report, which anybody with its link can read
    #[arg(long)]
    pub report: bool,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// What becomes of a run that is waited for.
#[derive(Debug, Clone, Args)]
pub struct FollowArgs {
    /// Exit with code 3 if a server is shown to be slower than the baseline, or gives wrong responses; needs a run of at least 5 blocks.
    /// `slower:3%`: only if the whole confidence interval is slower by more than 3 %. `rate:`, `p99:` and `cpu:` set it
    /// for the scenarios that compare these; separate several with commas
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Option<Gate>,
    /// On Ctrl-C, cancel the run too; otherwise it continues
    #[arg(long)]
    pub cancel_on_interrupt: bool,
    /// Write the run's records to this file, as `rigmark run --out` does, for `rigmark report`
    #[arg(long, short = 'o', value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct WaitArgs {
    /// The run's id, or the address of its page
    #[arg(value_name = "RUN")]
    pub run: String,
    #[command(flatten)]
    pub follow: FollowArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Debug, Args)]
#[command(group = needed("queued_servers", ["servers", "suite"]), group = needed("queued_loads", ["scenarios", "suite"]))]
pub struct QueueArgs {
    /// Name or id of a host of the workspace
    #[arg(long, value_name = "NAME")]
    pub host: String,
    /// Server of the host to benchmark: `[label=]server[@REF][:option=value,…]`; repeatable. @REF is a commit, branch or tag of the
    /// host's clone that has the server
    #[arg(long = "server", short = 's', value_name = "S")]
    pub servers: Vec<String>,
    /// Scenario of the host, with other numbers if you like: `NAME[:connections=200,duration=5s,…]`; repeatable
    #[arg(long = "scenario", short = 'c', value_name = "C")]
    pub scenarios: Vec<String>,
    /// A suite of the host, with its scenarios, repeats and durations. --server replaces its servers
    #[arg(long, value_name = "X", conflicts_with = "scenarios")]
    pub suite: Option<String>,
    #[command(flatten)]
    pub workspace: WorkspaceArgs,
    /// Blocks: how often each server is measured in each scenario [default: the suite's, or 5]. Below 5 there is no verdict
    #[arg(long, short = 'r', value_name = "N")]
    pub repeats: Option<u32>,
    /// Add blocks until the confidence interval of every ratio to the baseline is within ± this margin (2% or 0.02) of it, or its
    /// verdict is settled
    #[arg(long, value_name = "PART", value_parser = parse_part)]
    pub precision: Option<f64>,
    /// With --precision: maximum number of blocks [default: 4 × repeats, at least 5, capped at what a run may have]
    #[arg(long, value_name = "N")]
    pub max_repeats: Option<u32>,
    /// Begin no block after this much time, such as 10m; the first block is always measured
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time_limit: Option<f64>,
    /// Let a block's servers take turns of this length, 200ms to 1s; 0 runs whole trials
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    pub slice: Option<f64>,
    /// Run five short blocks: 0.8 s of load per trial, little warm-up. --duration, --warmup and --repeats override it
    #[arg(long)]
    pub quick: bool,
    /// Measured time of a trial, such as 10s or 500ms [default: the suite's or the scenario's]
    #[arg(long, short = 'd', value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    pub duration: Option<f64>,
    /// Load before the measured window, such as 1s or 0s [default: the scenario's]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    pub warmup: Option<f64>,
    /// Label of the server that the others are compared with [default: the first]
    #[arg(long, value_name = "S")]
    pub baseline: Option<String>,
    /// The same seed gives the same order [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Tune the host for the run, as `rigmark run --tune` does. Only if its owner allows it: see `rigmark agent --help`
    #[arg(long)]
    pub tune: bool,
    /// What the run is called in reports
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Wait until the run is over, as `rigmark wait` does
    #[arg(long)]
    pub wait: bool,
    #[command(flatten)]
    pub follow: FollowArgs,
    #[command(flatten)]
    pub remote: RemoteArgs,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write a page for each command into this folder [default: print the page of `rigmark` itself]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

fn needed(name: &'static str, arguments: [&'static str; 2]) -> ArgGroup {
    one_of(name, arguments)
}
