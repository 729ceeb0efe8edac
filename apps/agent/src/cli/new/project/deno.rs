//! A program for Deno.

use serde_json::Value;

use super::super::listening::Listening;
use super::super::sources::Sources;
use super::folder::Folder;
use super::program::{Project, is_plain, words};

const USUAL: [&str; 6] = ["main.ts", "server.ts", "mod.ts", "main.js", "server.js", "mod.js"];

pub fn look(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let serves = |source: &str| source.contains("Deno.serve(");
    let settings = folder.read("deno.json").or_else(|| folder.read("deno.jsonc"));
    let one_serves = sources.0.iter().any(|source| serves(&source.squeezed));
    if settings.is_none() && !one_serves {
        return None;
    }
    // With comments in it, it says nothing here.
    let settings: Value = serde_json::from_str(&settings.unwrap_or_default()).unwrap_or_default();
    let tasks = &settings["tasks"];
    let task = |name: &str| tasks[name].as_str().or(tasks[name]["command"].as_str());
    let start = task("start");
    // As `deno init --serve` has it. One of `deno run` may be for a program that is allowed less than it needs here.
    let served = || task("dev").and_then(command_of).filter(|(verb, ..)| *verb == "serve");
    let said = start.and_then(command_of).or_else(served);
    let mut checks = Vec::new();
    if !folder.has("deno.lock") && settings["imports"].is_object() {
        checks.push("There is no deno.lock, so each build takes the newest versions: commit it.".to_owned());
    }
    let at_top = || {
        let mut own = sources.0.iter().filter(|source| !source.path.contains('/'));
        own.find(|source| serves(&source.squeezed))
            .map(|source| source.path.clone())
    };
    let usual = || USUAL.into_iter().find(|file| folder.has(file)).map(str::to_owned);
    let (verb, mut flags, file) = match said {
        Some(command) => command,
        None => {
            if let Some(start) = start {
                checks.push(format!(
                    "The task `start` ({start}) is more than `deno run FILE`; run.command must say what it does, without a shell."
                ));
            }
            let file = at_top().or_else(usual)?;
            ("run", words(&["--allow-all"]), file)
        }
    };
    // `serve` allows itself its own address, and not the one that it is given.
    if verb == "serve"
        && !flags
            .iter()
            .any(|flag| flag.starts_with("--allow-net") || flag == "--allow-all" || flag == "-A")
    {
        flags.push("--allow-net".to_owned());
    }
    if !is_plain(&file) || !flags.iter().all(|flag| is_plain(flag)) {
        return None;
    }
    let place = format!("{{server_dir}}/{file}");
    let cache = "DENO_DIR={build_dir}/deno";
    Some(Project {
        found: format!("A program for Deno, {file}."),
        language: if file.ends_with("ts") {
            "TypeScript"
        } else {
            "JavaScript"
        }
        .to_owned(),
        jit: true,
        commands: vec!["deno"],
        homebrew: vec!["deno"],
        // What it imports is fetched here: while it is measured it has no network.
        steps: vec![words(&["env", cache, "deno", "cache", &place])],
        command: [words(&["deno", verb]), flags, vec![place]].concat(),
        env: vec![("DENO_DIR".to_owned(), "{build_dir}/deno".to_owned())],
        // A program that listens by itself, such as one for node:http, does not know the variable.
        listening: (one_serves || verb == "serve").then(|| Listening {
            arguments: Vec::new(),
            env: vec![("DENO_SERVE_ADDRESS".to_owned(), "tcp:{address}:{port}".to_owned())],
            port: None,
            found: "Deno.serve listens at DENO_SERVE_ADDRESS, whatever the program says; server.toml sets it."
                .to_owned(),
            advice: String::new(),
            certain: true,
        }),
        checks,
        ..Project::default()
    })
}

/// `deno run FLAGS FILE` or `deno serve FLAGS FILE`, where a task is nothing else: verb, flags and file.
fn command_of(task: &str) -> Option<(&'static str, Vec<String>, String)> {
    let mut rest = task.split_whitespace();
    let verb = match (rest.next()?, rest.next()?) {
        ("deno", "run") => "run",
        ("deno", "serve") => "serve",
        _ => return None,
    };
    // It is not started again for each change.
    let kept = rest.filter(|flag| !flag.starts_with("--watch"));
    let mut rest: Vec<String> = kept.map(str::to_owned).collect();
    let file = rest.pop()?;
    let is_file = !file.starts_with('-') && file.contains('.');
    let plain = rest.iter().all(|flag| flag.starts_with('-')) && !task.contains(['&', '|', ';', '$', '"', '\'', '*']);
    (is_file && plain).then(|| (verb, rest, file.trim_start_matches("./").to_owned()))
}
