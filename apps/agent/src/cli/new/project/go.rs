//! A Go module.

use super::super::sources::Sources;
use super::folder::Folder;
use super::program::{Project, is_plain, is_server, words};

pub fn look(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let text = folder.read("go.mod")?;
    let module = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("module "))
        .unwrap_or("?")
        .trim()
        .to_owned();
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
    programs.sort_by_key(|place| (place != ".", !is_server(place)));
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
                "The module has several programs; {first} was taken. Change the end of the build step for {}.",
                others.join(" or ")
            ));
            first.clone()
        }
    };
    let needs = text.lines().any(|line| line.trim_start().starts_with("require"));
    if needs && !folder.has("go.sum") {
        checks.push("There is no go.sum, so the build cannot check what it downloads: run `go mod tidy`.".to_owned());
    }
    if text.contains("=> ../") {
        checks.push(format!(
            "go.mod replaces a module by a folder above this one, which the copy that is built does not have: move server.toml \
             into a folder that has both, and write `-C {}` behind `go build`.",
            folder.name
        ));
    }
    let program = format!("{{build_dir}}/{}", folder.name);
    // No version control is near the copy that is built.
    let build = words(&["go", "build", "-trimpath", "-buildvcs=false", "-o", &program, &place]);
    Some(Project {
        found: match place.as_str() {
            "." => format!("A Go module, {module}."),
            place => format!("A Go module, {module}; its program is in {place}."),
        },
        language: "Go".to_owned(),
        commands: vec!["go"],
        debian: vec!["golang-go"],
        homebrew: vec!["go"],
        steps: vec![build],
        command: vec![program],
        checks,
        ..Project::default()
    })
}
