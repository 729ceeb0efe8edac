//! A Go module, or a workspace of several.

use std::path::Path;

use super::super::server_name::is_server;
use super::super::sources::{Source, Sources};
use super::folder::Folder;
use super::program::{Project, is_plain, words};

/// What a program that serves has, and one that migrates has not.
const SERVES: [&str; 4] = ["net/http", "ListenAndServe", ".Listen(", ".Run("];

pub fn look(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let is_workspace = !folder.has("go.mod");
    let text = folder.read(if is_workspace { "go.work" } else { "go.mod" })?;
    let named = text.lines().find_map(|line| line.trim().strip_prefix("module "));
    let module = named.unwrap_or(folder.name).trim().to_owned();
    // Folders with a `package main`: the one at the top, then what is called as a server is.
    let mut programs: Vec<String> = Vec::new();
    for source in &sources.0 {
        let says = |words: &str| source.text.lines().any(|line| line.trim() == words);
        // A generator beside the package is no part of it.
        let is_main = source.path.ends_with(".go") && says("package main") && !says("//go:build ignore");
        let place = source
            .path
            .rsplit_once('/')
            .map_or(".".to_owned(), |(place, _)| format!("./{place}"));
        if is_main && is_plain(&place) && !programs.contains(&place) {
            programs.push(place);
        }
    }
    let serves = |place: &String| {
        let folder = place.trim_start_matches("./");
        let within = |source: &&Source| source.path.rsplit_once('/').map_or(".", |(within, _)| within) == folder;
        let says = |source: &Source| SERVES.iter().any(|word| source.squeezed.contains(word));
        sources.0.iter().filter(within).any(says)
    };
    programs.sort_by_key(|place| (place != ".", !is_server(place), !serves(place)));
    let kind = if is_workspace { "workspace" } else { "module" };
    let mut checks = Vec::new();
    let place = match programs.as_slice() {
        [] => {
            checks.push(
                "No file says `package main`; name the program's package at the end of the build step.".to_owned(),
            );
            ".".to_owned()
        }
        [only] => only.clone(),
        [first, others @ ..] => {
            checks.push(format!(
                "The {kind} has several programs; {first} was taken. Change the end of the build step for {}.",
                others.join(" or ")
            ));
            first.clone()
        }
    };
    if let Some(above) = workspace_above(folder) {
        checks.push(format!(
            "{above} says which modules are built together, and the copy that is built does not have it: move server.toml beside \
             it, and name this package at the end of the build step by its path from there.",
        ));
    }
    let needs = !is_workspace && text.lines().any(|line| line.trim_start().starts_with("require"));
    if needs && !folder.has("go.sum") {
        checks.push("There is no go.sum, so the build cannot check what it downloads: run `go mod tidy`.".to_owned());
    }
    if text.contains("=> ../") {
        checks.push(String::from(
            "go.mod replaces a module by a folder above this one, which the copy that is built does not have: move server.toml \
             into a folder that has both, and write `-C` with the path from there to this folder behind `go build`."
        ));
    }
    let program = format!("{{build_dir}}/{}", folder.name);
    // No version control is near the copy that is built.
    let build = words(&["go", "build", "-trimpath", "-buildvcs=false", "-o", &program, &place]);
    Some(Project {
        found: match place.as_str() {
            "." => format!("A Go {kind}, {module}."),
            place => format!("A Go {kind}, {module}; its program is in {place}."),
        },
        language: "Go".to_owned(),
        commands: vec!["go"],
        debian: vec!["golang-go"],
        homebrew: vec!["go"],
        steps: vec![build],
        command: vec![program],
        of_others: sources_of_others(&place, &programs, sources),
        checks,
        ..Project::default()
    })
}

/// Those in or below the folder of another program.
fn sources_of_others(place: &str, programs: &[String], sources: &Sources) -> Vec<String> {
    let is_of_another = |path: &&String| {
        let folders = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
        let mut places = folders.map(|folder| match folder {
            "" => ".".to_owned(),
            folder => format!("./{folder}"),
        });
        let program = places.find(|place| programs.contains(place));
        program.is_some_and(|program| program != place)
    };
    let paths = sources.0.iter().map(|source| &source.path);
    paths.filter(is_of_another).cloned().collect()
}

/// A go.work above the folder that names it, up to the top of the repository.
fn workspace_above(folder: &Folder<'_>) -> Option<String> {
    let here = folder.path.canonicalize().ok()?;
    for above in here.ancestors().skip(1) {
        let file = above.join("go.work");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let below = here.strip_prefix(above).ok()?;
        let names = |line: &str| {
            let path = line.trim().trim_start_matches("use").trim();
            path.strip_prefix("./").is_some_and(|path| Path::new(path) == below)
        };
        if text.lines().any(names) {
            return Some(file.display().to_string());
        }
        if above.join(".git").exists() {
            break;
        }
    }
    None
}
