//! `rigmark servers`: what there is, what this host can build and run, and why not the rest.

use serde::Serialize;
use serde_json::json;

use super::args::ListArgs;
use super::output::{Align, Tone, paint};
use super::scenarios::about;
use super::{CliError, Env, Exit};
use crate::protocol::catalogue::CatalogueServer;
use crate::protocol::spec::Workload;
use crate::server::known::{self, Known};

/// A server with where it comes from.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    server: CatalogueServer,
    /// The host's owner put it there; otherwise it is bundled.
    owned: bool,
    folder: String,
}

pub async fn run(_args: &ListArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    let hidden = known::hidden(&assets);
    let list = |(server, known): (CatalogueServer, Known)| Listed {
        server,
        owned: known.owned,
        folder: known.folder.display().to_string(),
    };
    let known = known::all(&assets);
    let servers: Vec<Listed> = crate::server::catalogue(&assets)
        .into_iter()
        .zip(known)
        .map(list)
        .collect();
    let sentences: Vec<&str> = hidden.iter().map(|h| h.sentence.as_str()).collect();
    env.out.object(&json!({ "servers": servers, "hidden": sentences }));
    let rows: Vec<Vec<String>> = servers
        .iter()
        .map(
            |Listed {
                 server: s,
                 owned,
                 folder,
             }| {
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
                let from = if *owned { folder.clone() } else { "bundled".to_owned() };
                vec![
                    s.name.clone(),
                    state,
                    s.language.clone(),
                    workloads.join(" "),
                    options.join(" "),
                    from,
                    about,
                ]
            },
        )
        .collect();
    let columns = [
        ("SERVER", Align::Left),
        ("HERE", Align::Left),
        ("LANGUAGE", Align::Left),
        ("WORKLOADS", Align::Left),
        ("OPTIONS", Align::Left),
        ("FROM", Align::Left),
        ("ABOUT", Align::Left),
    ];
    env.out.table(&columns, &rows);
    sentences.iter().for_each(|sentence| env.out.note(sentence));
    Ok(Exit::Done)
}

pub fn workload_name(workload: Workload) -> &'static str {
    workload.name()
}
