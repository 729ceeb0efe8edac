//! Where the tool was the bottleneck: the command that compares by the server's processor time, of which the tool is no part.

use rigmark_stats::Summary;
use rigmark_stats::summary::NoVerdictCode;

use crate::cli::args::RunArgs;
use crate::protocol::journal::Plan;
use crate::protocol::spec::{JudgedBy, Scenario};
use crate::text::shell_word;

/// One command for all scenarios that the tool was the bottleneck of; `None` where there is none, or nothing to offer.
pub fn command(args: &RunArgs, plan: &Plan, summary: &Summary, known: &[Scenario]) -> Option<String> {
    let limited = |id: &str| {
        let of = |s: &&rigmark_stats::summary::ScenarioSummary| s.scenario == id;
        let why = summary.scenarios.iter().find(of).and_then(|s| s.no_verdict.as_ref());
        why.is_some_and(|why| why.code == NoVerdictCode::ToolLimit)
    };
    let mut wanted: Vec<&str> = Vec::new();
    for scenario in plan.scenarios.iter().filter(|s| limited(&s.id)) {
        if let Some(found) = by_cost(scenario, known).filter(|id| !wanted.contains(id)) {
            wanted.push(found);
        }
    }
    if wanted.is_empty() {
        return None;
    }
    let mut words = vec!["rigmark".to_owned(), "run".to_owned()];
    for server in servers(args, plan) {
        words.push(format!("--server={}", shell_word(&server)));
    }
    words.extend(wanted.iter().map(|id| format!("--scenario={}", shell_word(id))));
    if let Some(baseline) = &args.baseline {
        words.push(format!("--baseline={}", shell_word(baseline)));
    }
    Some(words.join(" "))
}

/// Of the same workload; of the same path where there is one.
fn by_cost<'a>(scenario: &Scenario, known: &'a [Scenario]) -> Option<&'a str> {
    let fits = |s: &&Scenario| s.workload == scenario.workload && s.judged_by == Some(JudgedBy::CpuUsPerRequest);
    let same = known.iter().filter(fits).find(|s| s.path == scenario.path);
    same.or_else(|| known.iter().find(fits)).map(|s| s.id.as_str())
}

/// As they were typed; of a suite as the plan has them.
fn servers(args: &RunArgs, plan: &Plan) -> Vec<String> {
    if !args.servers.is_empty() {
        return args.servers.clone();
    }
    let typed = |e: &crate::protocol::journal::PlanEntry| {
        let options: Vec<String> = e
            .options
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!("{}={}:{}", e.label, e.server, options.join(","))
    };
    plan.entries.iter().map(typed).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: RunArgs,
    }

    fn scenario(id: &str, path: &str, judged_by: Option<&str>) -> Scenario {
        let load = json!({ "kind": "closed", "connections": 8, "keep_alive": true });
        serde_json::from_value(json!({
            "schema": 1, "id": id, "title": id, "summary": "", "workload": "static", "tool": "ab", "path": path,
            "body_bytes": 1, "load": load, "duration_s": 1.0, "warmup_s": 1.0, "judged_by": judged_by,
        }))
        .unwrap()
    }

    fn sentence(typed: &[&str], code: &str) -> Option<String> {
        let cpu = Some("cpu_us_per_request");
        let known = [
            scenario("a-cpu", "/a", cpu),
            scenario("b-cpu", "/b", cpu),
            scenario("b", "/b", None),
        ];
        let plan: Plan = serde_json::from_value(json!({
            "seed": 1, "prng": "", "shuffle": "", "trials": [], "planned_s": 1.0, "scenarios": [known[2]],
            "entries": [{
                "key": "k", "label": "my own", "server": "epoll", "title": "", "content_hash": "",
                "options": { "workers": 2 }, "baseline": true,
            }],
        }))
        .unwrap();
        let why = json!({
            "code": code, "entry_key": null, "limited": [], "difference": null, "power": null, "reason": null,
            "sentence": "", "sentence_zh": "",
        });
        let summary: Summary = serde_json::from_value(json!({
            "schema": 1, "sentence": "", "scenarios": [{
                "scenario": "b", "metric": "requests_per_s", "winner_key": null, "no_winner": "not comparable",
                "no_verdict": why, "entries": [], "sentence": "",
            }],
        }))
        .unwrap();
        let args = Line::parse_from([&["run"], typed].concat()).args;
        command(&args, &plan, &summary, &known)
    }

    #[test]
    fn the_same_servers_by_processor_time_where_the_tool_was_the_limit() {
        assert_eq!(
            sentence(
                &["--server", "nginx", "--server", "my own=epoll", "--scenario", "b"],
                "tool-limit"
            )
            .as_deref(),
            Some("rigmark run --server=nginx --server='my own=epoll' --scenario=b-cpu")
        );
        assert_eq!(
            sentence(&["--suite", "s", "--baseline", "x"], "tool-limit").as_deref(),
            Some("rigmark run --server='my own=epoll:workers=2' --scenario=b-cpu --baseline=x")
        );
        assert_eq!(sentence(&["--suite", "s"], "no-difference"), None);
    }
}
