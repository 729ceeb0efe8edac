//! `rigmark servers`: what there is, what this host can build and run, and why not the rest.

use serde_json::json;

use super::args::ListArgs;
use super::output::{Align, Tone, paint};
use super::scenarios::about;
use super::{CliError, Env, Exit};
use crate::protocol::spec::Workload;

pub async fn run(_args: &ListArgs, env: &Env) -> Result<Exit, CliError> {
    let servers = crate::server::catalogue(&env.assets()?);
    env.out.object(&json!({ "servers": servers }));
    let rows: Vec<Vec<String>> = servers
        .iter()
        .map(|s| {
            let state = if s.supported {
                paint(Tone::Good, "yes")
            } else {
                paint(Tone::Warn, "no")
            };
            let workloads: Vec<&str> = s.workloads.iter().map(|w| workload_name(*w)).collect();
            let options: Vec<String> = s
                .options
                .iter()
                .map(|(name, o)| format!("{name}={} ({}–{})", o.default, o.min, o.max))
                .collect();
            let about = about(&s.summary, s.reason.as_deref(), s.fix.as_deref());
            vec![
                s.name.clone(),
                state,
                s.language.clone(),
                workloads.join(" "),
                options.join(" "),
                about,
            ]
        })
        .collect();
    let columns = [
        ("SERVER", Align::Left),
        ("HERE", Align::Left),
        ("LANGUAGE", Align::Left),
        ("WORKLOADS", Align::Left),
        ("OPTIONS", Align::Left),
        ("ABOUT", Align::Left),
    ];
    env.out.table(&columns, &rows);
    Ok(Exit::Done)
}

pub fn workload_name(workload: Workload) -> &'static str {
    workload.name()
}
