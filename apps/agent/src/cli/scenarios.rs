//! `rigmark scenarios`: what there is, and what this host cannot do.

use serde_json::json;

use super::args::ListArgs;
use super::output::{Align, Tone, paint};
use super::{CliError, Env, Exit};
use crate::protocol::catalogue::CatalogueScenario;
use crate::protocol::spec::{Load, Scenario, Workload};
use crate::{scenario, tool};

pub async fn run(_args: &ListArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    let tools = tool::catalogue(&assets);
    let scenarios = scenario::catalogue(&assets, &tools)?;
    let unlisted = scenario::owner::problems(&assets)?;
    let problems: Vec<&str> = unlisted.iter().map(|file| file.reason.as_str()).collect();
    env.out
        .object(&json!({ "scenarios": scenarios, "tools": tools, "unlisted": problems }));
    let columns = [
        ("SCENARIO", Align::Left),
        ("HERE", Align::Left),
        ("TOOL", Align::Left),
        ("REQUEST", Align::Left),
        ("LOAD", Align::Left),
        ("TIME (s)", Align::Right),
        ("ABOUT", Align::Left),
    ];
    env.out.table(&columns, &scenarios.iter().map(row).collect::<Vec<_>>());
    for problem in problems {
        env.out.note(&format!("{} {problem}", paint(Tone::Warn, "not listed:")));
    }
    Ok(Exit::Done)
}

fn row(entry: &CatalogueScenario) -> Vec<String> {
    let s = &entry.scenario;
    vec![
        s.id.clone(),
        here(entry.supported),
        s.tool.as_str().to_owned(),
        request(s),
        load(&s.load),
        s.duration_s.to_string(),
        about(&s.title, entry.reason.as_deref(), entry.fix.as_deref()),
    ]
}

fn request(s: &Scenario) -> String {
    let own = s.http.as_ref().map(|http| http.requests.as_slice());
    match (s.workload, own) {
        (_, Some([one])) => format!("{} {}", one.method.as_str(), one.path),
        (_, Some(many)) => format!("{} requests", many.len()),
        (Workload::JsonSum | Workload::Upload, None) => format!("POST {}", s.path),
        _ => format!("GET {}", s.path),
    }
}

fn load(load: &Load) -> String {
    let (text, keep_alive) = match load {
        Load::Closed {
            connections,
            keep_alive,
        } => (
            format!("{connections} connection{}", if *connections == 1 { "" } else { "s" }),
            keep_alive,
        ),
        Load::Rate {
            rate_per_s,
            connections,
            keep_alive,
        } => (format!("{rate_per_s}/s over {connections}"), keep_alive),
        Load::Count {
            requests,
            connections,
            keep_alive,
        } => (format!("tool runs of {requests} over {connections}"), keep_alive),
        Load::Knee {
            p99_us,
            connections,
            keep_alive,
            ..
        } => (
            format!("most at p99 ≤ {} ms over {connections}", f64::from(*p99_us) / 1e3),
            keep_alive,
        ),
    };
    if *keep_alive {
        text
    } else {
        format!("{text}, new for each request")
    }
}

pub(super) fn here(supported: bool) -> String {
    if supported {
        paint(Tone::Good, "yes")
    } else {
        paint(Tone::Warn, "no")
    }
}

/// What it is, or why it does not work here and what would fix that.
pub(super) fn about(title: &str, reason: Option<&str>, fix: Option<&str>) -> String {
    reason.map_or_else(|| title.to_owned(), |reason| crate::fix::with_reason(reason, fix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_told_apart() {
        let closed = |connections, keep_alive| {
            load(&Load::Closed {
                connections,
                keep_alive,
            })
        };
        assert_eq!(closed(8, true), "8 connections");
        assert_eq!(closed(1, true), "1 connection");
        assert_eq!(closed(8, false), "8 connections, new for each request");
        assert_eq!(
            about("Title", Some("No."), Some("do it")),
            "No. To fix it, run `do it`."
        );
    }
}
