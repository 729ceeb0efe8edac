//! What kind of program a folder holds, and how such a program is built and run. One file for each kind.

mod cargo;
mod deno;
mod executable;
mod folder;
mod go;
mod java;
mod make;
mod node;
mod program;
mod python;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::sources::Sources;
use folder::Folder;
pub use program::Project;

pub const LOOKED_FOR: &str = "Cargo.toml, go.mod, pom.xml, build.gradle, package.json, deno.json, pyproject.toml, requirements.txt, \
                              CMakeLists.txt, Makefile, Python script or single executable file";

/// The first kind that fits, in this order: what builds a program comes before what merely runs one.
pub fn look(folder: &Path, name: &str, sources: &Sources) -> Option<Project> {
    let here = Folder { path: folder, name };
    type Look = fn(&Folder<'_>, &Sources) -> Option<Project>;
    let kinds: [(&str, Look); 9] = [
        ("Cargo.toml", |f, _| cargo::look(f)),
        ("go.mod", go::look),
        ("pom.xml", |f, _| java::maven(f)),
        ("build.gradle", |f, _| java::gradle(f)),
        ("package.json", |f, _| node::look(f)),
        ("deno.json", deno::look),
        ("", python::look),
        ("", |f, _| make::look(f)),
        ("", |f, _| executable::look(f)),
    ];
    let (mut found, by) = kinds
        .iter()
        .find_map(|(file, look)| Some((look(&here, sources)?, *file)))?;
    let others = kinds.iter().map(|(file, _)| *file);
    let others: Vec<&str> = others
        .filter(|file| *file != by && !file.is_empty() && here.has(file))
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
    Some(found)
}
