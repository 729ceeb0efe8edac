//! What pyproject.toml says of a project, and the members of a workspace of uv.

use std::path::PathBuf;

use toml::{Table, Value};

use super::folder::Folder;
use super::members::{joined, named, root_above, strings};
use super::program::is_plain;

pub struct PythonProject {
    /// Its folder; empty at the top.
    pub place: String,
    pub text: String,
    table: Table,
}

/// The one at the top, and the members of its workspace.
pub fn all(folder: &Folder<'_>) -> Vec<PythonProject> {
    let project = |place: String| {
        let text = folder.read(&joined(&place, "pyproject.toml"))?;
        let table = text.parse().ok()?;
        Some(PythonProject { place, text, table })
    };
    let Some(root) = project(String::new()) else {
        return Vec::new();
    };
    let members = members(folder, &root.table).into_iter().filter_map(project);
    let members: Vec<_> = members.collect();
    std::iter::once(root).chain(members).collect()
}

/// The pyproject.toml of the workspace that the folder is a member of, where that is above.
pub fn above(folder: &Folder<'_>) -> Option<PathBuf> {
    root_above(folder, "pyproject.toml", |above, root, below| {
        members(above, root).iter().any(|place| place == below)
    })
}

fn members(folder: &Folder<'_>, root: &Table) -> Vec<String> {
    let Some(workspace) = root.get("tool").and_then(|tool| tool.get("uv")?.get("workspace")) else {
        return Vec::new();
    };
    let places = |key| strings(workspace, key).flat_map(|pattern| named(folder, pattern));
    let excluded: Vec<String> = places("exclude").collect();
    places("members")
        .filter(|place| is_plain(place) && !excluded.contains(place))
        .collect()
}

impl PythonProject {
    fn project(&self, key: &str) -> Option<&Value> {
        self.table.get("project")?.get(key)
    }

    fn tool(&self, name: &str) -> Option<&Value> {
        self.table.get("tool")?.get(name)
    }

    pub fn name(&self) -> Option<&str> {
        self.project("name")
            .and_then(Value::as_str)
            .filter(|name| is_plain(name))
    }

    pub fn is_workspace(&self) -> bool {
        self.tool("uv").is_some_and(|uv| uv.get("workspace").is_some())
    }

    /// Is it installed with what it needs? Else it runs from its folder.
    pub fn is_package(&self) -> bool {
        let said = self.tool("uv").and_then(|uv| uv.get("package")?.as_bool());
        said.unwrap_or_else(|| self.table.contains_key("build-system"))
    }

    /// Names of commands, with the functions that they call, such as `app.main:main`.
    pub fn scripts(&self) -> Vec<(String, String)> {
        let of_poetry = self.tool("poetry").and_then(|poetry| poetry.get("scripts"));
        let tables = [self.project("scripts"), of_poetry].into_iter().flatten();
        let all = tables.filter_map(Value::as_table).flatten();
        all.filter_map(|(name, target)| Some((name.clone(), target.as_str()?.to_owned())))
            .collect()
    }
}
