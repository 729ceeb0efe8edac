//! What kind of program a folder holds, and how such a program is built and run. One file for each kind.

mod cargo;
mod cargo_workspace;
mod deno;
mod executable;
mod folder;
mod go;
mod java;
mod jvm;
mod make;
mod members;
mod node;
mod node_script;
mod others;
mod php;
mod program;
mod python;
mod python_packages;
mod python_project;
mod python_script;
mod ruby;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::sources::{Source, Sources};
use folder::Folder;
pub use program::Project;
use program::in_folder;

pub const LOOKED_FOR: &str = "Cargo.toml, go.mod, go.work, pom.xml, build.gradle, .csproj, mix.exs, Gemfile, composer.json, manage.py, \
                              package.json, deno.json, build.zig, pyproject.toml, requirements.txt, index.php, CMakeLists.txt, \
                              Makefile, Caddyfile, Python script, Java file with a `main` or single executable file";

/// Folders that servers read, mostly from where they are started.
const READ: [&str; 6] = ["public", "static", "assets", "views", "templates", "www"];

/// The first kind that fits, in this order: what builds a program comes before what merely runs one.
pub fn look(folder: &Path, name: &str, sources: &Sources) -> Option<Project> {
    let here = Folder { path: folder, name };
    type Look = fn(&Folder<'_>, &Sources) -> Option<Project>;
    let kinds: [(&str, Look); 19] = [
        ("Cargo.toml", cargo::look),
        ("go.mod", go::look),
        ("go.work", go::look),
        ("pom.xml", java::maven),
        ("build.gradle", java::gradle),
        ("", others::dotnet),
        ("mix.exs", |f, _| others::elixir(f)),
        ("Gemfile", ruby::look),
        // These have a package.json for what runs in a browser.
        ("composer.json", |f, _| php::look(f).filter(|_| f.has("composer.json"))),
        ("manage.py", |f, s| python::look(f, s).filter(|_| f.has("manage.py"))),
        ("package.json", node::look),
        ("deno.json", deno::look),
        ("build.zig", |f, _| others::zig(f)),
        ("", python::look),
        ("", |f, _| php::look(f)),
        ("", |f, _| make::look(f)),
        ("", java::files),
        ("Caddyfile", |f, _| others::caddy(f)),
        ("", |f, _| executable::look(f)),
    ];
    let (mut found, by) = kinds
        .iter()
        .find_map(|(file, look)| Some((look(&here, sources)?, *file)))?;
    let others = kinds.iter().map(|(file, _)| *file);
    let others: Vec<&str> = others
        // Go reads both.
        .filter(|file| *file != by && !file.is_empty() && (by, *file) != ("go.mod", "go.work") && here.has(file))
        .collect();
    if !others.is_empty() {
        let what = others.join(" and ");
        found
            .checks
            .push(format!("There is a {what} too, which was not looked at."));
    }
    if found.license.is_none() {
        found.license = here.license();
    }
    let placed = found.command.first().is_some_and(|word| word == "sh");
    if !placed && let Some(read) = READ.into_iter().find(|name| reads(&here, &own(sources, &found), name)) {
        start_in_folder(&mut found, read);
    }
    Some(found)
}

/// Without the sources of other programs.
fn own<'a>(sources: &'a Sources, found: &Project) -> Vec<&'a Source> {
    let is_own = |source: &&Source| !found.of_others.contains(&source.path);
    sources.0.iter().filter(is_own).collect()
}

/// Is there such a folder, and does a source name it by a path that begins where the program is started?
fn reads(folder: &Folder<'_>, sources: &[&Source], name: &str) -> bool {
    let begins = ["(\"", "(\"./", "=\"", "=\"./", ":\"", ":\"./", ",\"./"].map(|begin| format!("{begin}{name}"));
    let named = |text: &str| {
        let mut rests = begins.iter().flat_map(|begin| text.split(begin.as_str()).skip(1));
        rests.any(|rest| rest.starts_with(['"', '/']))
    };
    // Express looks there without being told so.
    let views = |text: &str| name == "views" && text.contains("\"viewengine\"");
    let own = |text: &str| named(text) || views(text);
    folder.path.join(name).is_dir() && sources.iter().any(|source| own(&source.squeezed))
}

/// In place of the empty folder where a server is started. A build in a second copy may have made some of what is read.
fn start_in_folder(found: &mut Project, read: &str) {
    let copied = found.steps.iter().flatten().any(|word| word == "{server_dir}/.");
    let place = if copied { "{build_dir}" } else { "{server_dir}" };
    let command = std::mem::take(&mut found.command);
    found.command = [in_folder(place), command].concat();
    found.commands.push("sh");
    found.checks.push(format!(
        "A source names {read}/, so run.command starts it in {place}; without `sh` it is started in an empty folder."
    ));
}
