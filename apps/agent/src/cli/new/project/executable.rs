//! A folder with one program in it, built elsewhere.

use std::os::unix::fs::PermissionsExt;

use super::folder::Folder;
use super::program::{Project, is_plain};

/// What builds or manages a program, and is none.
const NONE: [&str; 5] = ["artisan", "configure", "gradlew", "manage.py", "mvnw"];

pub fn look(folder: &Folder<'_>) -> Option<Project> {
    let is_program = |name: &String| {
        let mode = std::fs::metadata(folder.path.join(name)).map_or(0, |meta| meta.permissions().mode());
        mode & 0o100 != 0 && is_plain(name) && !NONE.contains(&name.as_str())
    };
    let programs: Vec<String> = folder.files().into_iter().filter(is_program).collect();
    let [program] = programs.as_slice() else { return None };
    Some(Project {
        found: format!("A program, {program}; nothing is built."),
        language: "unknown".to_owned(),
        command: vec![format!("{{server_dir}}/{program}")],
        ..Project::default()
    })
}
