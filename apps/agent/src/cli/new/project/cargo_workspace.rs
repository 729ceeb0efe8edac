//! The packages of a Cargo workspace: which a program is built with, and which sources are of another one.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::super::sources::Sources;
use super::folder::Folder;
use super::members::{joined, named, root_above, strings};
use super::program::is_plain;

/// Folder and Cargo.toml of the workspace's members.
pub fn members(folder: &Folder<'_>, root: &Table) -> Vec<(String, Table)> {
    let Some(workspace) = root.get("workspace") else {
        return Vec::new();
    };
    let places = strings(workspace, "members").flat_map(|pattern| named(folder, pattern));
    let package = |place: String| Some((place.clone(), package(folder, &place)?));
    let kept = |place: &String| is_plain(place) && !is_excluded(workspace, place);
    places.filter(kept).filter_map(package).collect()
}

fn is_excluded(workspace: &Value, place: &str) -> bool {
    strings(workspace, "exclude").any(|excluded| Path::new(place).starts_with(excluded))
}

fn package(folder: &Folder<'_>, place: &str) -> Option<Table> {
    folder.read(&joined(place, "Cargo.toml"))?.parse().ok()
}

/// The Cargo.toml of the workspace that this package is in, where that is above.
pub fn above(folder: &Folder<'_>, package: &Table) -> Option<PathBuf> {
    if package.contains_key("workspace") {
        return None;
    }
    let named = package.get("package").and_then(|package| package.get("workspace"));
    if let Some(named) = named.and_then(Value::as_str) {
        return folder.path.join(named).join("Cargo.toml").canonicalize().ok();
    }
    root_above(folder, "Cargo.toml", |above, root, below| {
        let Some(workspace) = root.get("workspace") else {
            return false;
        };
        let members = members(above, root).into_iter().map(|(place, _)| place);
        let listed = members.chain([".".to_owned()]);
        !is_excluded(workspace, below)
            && listed
                .flat_map(|place| built_with(above, root, &place))
                .any(|p| p == below)
    })
}

/// The folders of the packages here that a package is built with: its own, and those that it names by their path.
fn built_with(folder: &Folder<'_>, root: &Table, place: &str) -> Vec<String> {
    let mut found = vec![place.to_owned()];
    let mut next = 0;
    while let Some(place) = found.get(next).cloned() {
        next += 1;
        let package = package(folder, &place).unwrap_or_default();
        for needed in needed_by_path(root, &package, &place) {
            if !found.contains(&needed) {
                found.push(needed);
            }
        }
    }
    found
}

fn needed_by_path(root: &Table, package: &Table, place: &str) -> Vec<String> {
    let needs = package.get("dependencies").and_then(Value::as_table);
    let shared = root
        .get("workspace")
        .and_then(|workspace| workspace.get("dependencies"));
    let path = |value: &Value| value.get("path").and_then(Value::as_str).map(str::to_owned);
    let of_each = needs.into_iter().flatten().filter_map(|(name, need)| {
        let inherits = need.get("workspace").and_then(Value::as_bool) == Some(true);
        match inherits {
            true => within(".", &path(shared?.get(name)?)?),
            false => within(place, &path(need)?),
        }
    });
    of_each.collect()
}

/// A path from a folder, as one from the top; nothing where it leads out.
fn within(place: &str, path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in place.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Some(if joined.is_empty() { ".".to_owned() } else { joined })
}

/// The sources of packages that the one in this place is not built with.
pub fn sources_of_others(folder: &Folder<'_>, root: &Table, place: &str, sources: &Sources) -> Vec<String> {
    let own = built_with(folder, root, place);
    let is_of_another = |path: &&String| {
        let mut folders = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
        let package = folders.find(|folder_of| folder.has(&joined(folder_of, "Cargo.toml")));
        let package = package.filter(|package| !package.is_empty()).unwrap_or(".");
        !own.iter().any(|own| own == package)
    };
    let paths = sources.0.iter().map(|source| &source.path);
    paths.filter(is_of_another).cloned().collect()
}
