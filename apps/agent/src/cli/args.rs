//! What can be typed. What it resolves to is the business of each command's own file.

mod new;
mod remote;
mod result;
mod value;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rigmark_stats::gate::Gate;

use crate::host::tune::HugePages;
use crate::protocol::spec::Workload;

pub use new::{NewArgs, NewCommand, NewScenarioArgs, NewServerArgs};
pub use remote::{
    CompletionsArgs, FollowArgs, LoginArgs, LogoutArgs, ManArgs, PublishArgs, QueueArgs, RemoteArgs, WaitArgs,
    WorkspaceArgs,
};
pub use result::{CommentArgs, CompareArgs, ForgeArg, OnlyOn, ReportArgs};
use value::{one_of, parse_address, parse_workload};
pub use value::{parse_duration, parse_part};

/// In place of `--state-dir`.
pub const STATE_VARIABLE: &str = "RIGMARK_STATE";

#[derive(Debug, Parser)]
#[command(
    name = "rigmark",
    version,
    about = "Runs server benchmarks on this host and reports them",
    after_help = "Exit codes: 0 done, 1 failed, or no trial counts, 2 bad usage, 3 measured, and a --fail-on rule failed, \
                  4 the app does not know this host any more (rigmark agent), 77 unsupported here, 130 interrupted."
)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// So that they do not stand between those of a command.
const EVERYWHERE: &str = "Options of every command";

#[derive(Debug, Clone, Args)]
pub struct GlobalArgs {
    /// Print one JSON object on stdout instead of text
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    pub json: bool,
    /// When to use color
    #[arg(long, global = true, value_enum, default_value_t = ColorArg::Auto, value_name = "WHEN", help_heading = EVERYWHERE)]
    pub color: ColorArg,
    /// Where builds, the spool and the identity are kept
    #[arg(long, global = true, env = STATE_VARIABLE, value_name = "DIR", help_heading = EVERYWHERE)]
    pub state_dir: Option<PathBuf>,
    /// The folder with `servers/` and `scenarios/`
    #[arg(long, global = true, env = "RIGMARK_ASSETS", value_name = "DIR", help_heading = EVERYWHERE)]
    pub assets: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check how fit this host is for benchmarks, and suggest fixes
    Doctor(DoctorArgs),
    /// List the servers, and which of them this host cannot build or run
    Servers(ListArgs),
    /// List the scenarios, and which of them this host cannot run
    Scenarios(ListArgs),
    /// List the suites: named sets of scenarios and servers
    Suites(ListArgs),
    /// Build servers into the cache
    Build(BuildArgs),
    /// Check that servers respond correctly to the load tools' requests; also report HTTP conformance
    Verify(VerifyArgs),
    /// Write the file that describes your own server or load
    New(NewArgs),
    /// Measure servers here, with no account and no network
    Run(RunArgs),
    /// Print what `run` with the same arguments would do, and start nothing
    Plan(RunArgs),
    /// Run an A/A test (a few minutes): which differences can this host show?
    Calibrate(CalibrateArgs),
    /// Connect this host to a workspace
    Enroll(EnrollArgs),
    /// Wait for runs from the app, and do them
    Agent(AgentArgs),
    /// Turn a result file into Markdown, HTML, CSV or JSON, or print its tables
    Report(ReportArgs),
    /// Show the figures of two runs side by side, without a verdict
    Compare(CompareArgs),
    /// Write a run's verdicts to a pull request: one comment that is kept up to date, and one check
    Comment(CommentArgs),
    /// Log in to an app, so that the commands below can use it
    Login(LoginArgs),
    /// Revoke the token of `login`, and forget it
    Logout(LogoutArgs),
    /// Publish the run of a result file to a workspace
    Publish(PublishArgs),
    /// Queue a run on a host of a workspace
    Queue(QueueArgs),
    /// Wait until a run of a workspace is over, and print its verdict
    Wait(WaitArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command
    Man(ManArgs),
    /// For the agent's own children
    #[command(hide = true)]
    Internal(InternalArgs),
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Skip the 8-second noise measurement; show the last result
    #[arg(long)]
    pub quick: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {}

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// A name of `rigmark servers`, the path of a folder with a server.toml, or PATH@REF: that folder at a git commit
    #[arg(required = true, value_name = "SERVER")]
    pub servers: Vec<String>,
    /// Build again even if it is in the cache
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
#[command(group = one_of("verified", ["servers", "all"]))]
pub struct VerifyArgs {
    /// Name, path or PATH@REF, with options as in `[label=]server[:option=value,…]`
    #[arg(value_name = "SERVER")]
    pub servers: Vec<String>,
    /// Every bundled server that this host supports
    #[arg(long, conflicts_with = "servers")]
    pub all: bool,
    /// Only this workload [default: all that the server claims]
    #[arg(long, value_name = "W", value_parser = parse_workload)]
    pub workload: Option<Workload>,
    /// Only what this scenario sends, a name or the path of a TOML file [default: what all bundled ones send]; repeatable
    #[arg(long = "scenario", short = 'c', value_name = "C")]
    pub scenarios: Vec<String>,
    /// Also fail on HTTP or contract violations that no load triggers
    #[arg(long)]
    pub strict: bool,
}

#[derive(Debug, Default, Args)]
#[command(group = one_of("prepared_entries", ["servers", "suite"]), group = one_of("loads", ["scenarios", "suite"]))]
pub struct RunArgs {
    /// Server to benchmark: `[label=]server[:option=value,…]`, where the server is a name, a path or PATH@REF (that folder at a
    /// git commit); repeatable
    #[arg(long = "server", short = 's', value_name = "S")]
    pub servers: Vec<String>,
    /// Scenario: name or path of a TOML file, with numbers as in `NAME:connections=200,rate=5000,duration=5s`; repeatable
    #[arg(long = "scenario", short = 'c', value_name = "C")]
    pub scenarios: Vec<String>,
    /// Run a suite with its scenarios, repeats and durations. --server replaces its servers. Skips what this host cannot run
    #[arg(long, value_name = "X", conflicts_with = "scenarios")]
    pub suite: Option<String>,
    /// Lay out reports like this suite. Use with --server and --scenario; the plan does not change
    #[arg(long, value_name = "X", conflicts_with = "suite")]
    pub as_suite: Option<String>,
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
    /// Let a block's servers take turns of this length, 200ms to 1s; 0 runs whole trials. [default: 500ms with loadgen and
    /// h2load, 1s with wrk, whole trials with ab, which needs 500ms or more and then has no percentiles]. k6 and autocannon
    /// cannot take turns
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    pub slice: Option<f64>,
    /// Run five short blocks: 0.8 s of load per trial, little warm-up. --duration, --warmup and --repeats override it.
    /// Rate searches are not shortened: up to 38 s per trial
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
    /// `label=hash` from a report: stop before building if that server's content differs; repeatable
    #[arg(long = "expect", value_name = "L=HASH")]
    pub expected: Vec<String>,
    /// Stop before building if the scenarios or options do not match this hash (from a report or `rigmark plan`)
    #[arg(long = "expect-plan", value_name = "HASH")]
    pub expected_plan: Option<String>,
    /// Stop before building unless Rigmark has this version
    #[arg(long = "expect-agent", value_name = "VERSION")]
    pub expected_agent: Option<String>,
    /// `name=version` from a report: stop before building if that load tool's version differs; repeatable
    #[arg(long = "expect-tool", value_name = "T=VERSION")]
    pub expected_tools: Vec<String>,
    /// The result file: every record of the run, one JSON object per line
    #[arg(long, short = 'o', value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Exit with code 3 if a server is shown to be slower than the baseline, or gives wrong responses; needs a run of at least 5 blocks.
    /// `slower:3%`: only if the whole confidence interval is slower by more than 3 %. `rate:`, `p99:` and `cpu:` set it
    /// for the scenarios that compare these; separate several with commas
    #[arg(long, value_name = "WHAT")]
    pub fail_on: Option<Gate>,
    /// For the run, set the governor to performance, turn off turbo and ASLR, and set transparent huge pages to THP (never,
    /// madvise, always or keep); restore everything afterward. Linux, root only
    #[arg(long, value_name = "THP", num_args = 0..=1, require_equals = true, default_missing_value = "never")]
    pub tune: Option<HugePages>,
    /// What the run is called in reports
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}

#[derive(Debug, Args)]
pub struct CalibrateArgs {
    /// The server to measure against itself: `server[:option=value,…]`
    #[arg(long, short = 's', value_name = "S", default_value = "epoll")]
    pub server: String,
    /// Scenario, as with `run`; the default compares CPU time, which works even if the load tool limits every server's rate
    #[arg(long, short = 'c', value_name = "C", default_value = "plaintext-cpu")]
    pub scenario: String,
    /// How often both are measured, 5 or more
    #[arg(long, short = 'b', value_name = "N", default_value_t = 10)]
    pub blocks: u32,
    /// Measured time of a trial, such as 10s [default: the scenario's]
    #[arg(long, short = 'd', value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    pub duration: Option<f64>,
    /// Load before the measured window, such as 1s or 0s [default: the scenario's]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    pub warmup: Option<f64>,
    /// Let the two take turns of this length, 200ms to 1s; 0 runs whole trials. Tools that can: see `rigmark run --help`
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    pub slice: Option<f64>,
    /// The same seed gives the same order [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// As with `run`: calibrates the host as it is during a run with --tune
    #[arg(long, value_name = "THP", num_args = 0..=1, require_equals = true, default_missing_value = "never")]
    pub tune: Option<HugePages>,
}

#[derive(Debug, Args)]
pub struct EnrollArgs {
    /// Address of the web app
    #[arg(long, value_name = "URL", value_parser = parse_address)]
    pub url: String,
    /// The single-use key that the "add a host" page shows
    #[arg(long, value_name = "KEY", env = "RIGMARK_ENROLL_KEY", hide_env_values = true)]
    pub key: String,
    /// What the host is called [default: its host name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Allow plain HTTP to a non-loopback address
    #[arg(long)]
    pub allow_http: bool,
    /// Replace an existing enrollment
    #[arg(long)]
    pub replace: bool,
}

#[derive(Debug, Args)]
pub struct AgentArgs {
    /// Do one run, then exit
    #[arg(long)]
    pub once: bool,
    /// Allow plain HTTP to a non-loopback address
    #[arg(long)]
    pub allow_http: bool,
    /// For the run, set the governor to performance, turn off turbo and ASLR, and set transparent huge pages to THP (never,
    /// madvise, always or keep); restore everything afterward. Linux, root only
    #[arg(long, value_name = "THP", num_args = 0..=1, require_equals = true, default_missing_value = "never")]
    pub tune: Option<HugePages>,
    /// Let a run that is queued in the app ask to be tuned as with --tune. Nothing in the app can turn this on
    #[arg(long, env = "RIGMARK_ALLOW_TUNE", value_parser = clap::builder::FalseyValueParser::new())]
    pub allow_tune: bool,
}

#[derive(Debug, Args)]
pub struct InternalArgs {
    #[command(subcommand)]
    pub command: InternalCommand,
}

#[derive(Debug, Subcommand)]
pub enum InternalCommand {
    /// Hold a network namespace open until stdin closes
    HoldNetns {
        /// Make a user namespace first
        #[arg(long)]
        user: bool,
    },
    /// Run a command as soon as nothing is measured on this host; exit 3 when that is not within the time
    WhenIdle {
        #[arg(long, value_name = "SECONDS")]
        within: u64,
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
    /// Load one server: ticks and the result on stdout
    Loadgen {
        #[arg(long, value_name = "FILE")]
        job: PathBuf,
    },
    /// Verify one server: job on stdin, result on stdout
    Verify,
    /// Check a minisign signature, for the install script
    CheckSignature {
        file: PathBuf,
        signature: PathBuf,
        /// The second line of a public key file
        key: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
