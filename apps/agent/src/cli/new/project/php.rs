//! A site or a script in PHP.

use super::folder::Folder;
use super::program::{Project, commands, is_plain, pairs, told_by, words};

/// PHP's own server for a site, else the only script.
pub fn look(folder: &Folder<'_>) -> Option<Project> {
    let site = ["public/index.php", "index.php"]
        .into_iter()
        .find(|file| folder.has(file));
    let scripts: Vec<String> = folder
        .files()
        .into_iter()
        .filter(|name| name.ends_with(".php"))
        .collect();
    let script = scripts.first().filter(|name| scripts.len() == 1 && is_plain(name));
    let composed = folder.has("composer.json");
    let mut project = Project {
        language: "PHP".to_owned(),
        commands: vec!["php"],
        debian: vec!["php-cli"],
        homebrew: vec!["php"],
        command: words(&["php"]),
        ..Project::default()
    };
    if composed {
        project.commands.push("composer");
        project.debian.push("composer");
        project.homebrew.push("composer");
        project.steps = commands(&["composer install --no-dev --no-interaction --no-progress"]);
    }
    match (site, script) {
        (Some(site), _) => {
            let root = if site == "index.php" {
                "{server_dir}"
            } else {
                "{server_dir}/public"
            };
            project.found = format!("A site in PHP, {site}.");
            project.env = pairs(&[("PHP_CLI_SERVER_WORKERS", "{workers}")]);
            project.listening = told_by(
                &["-S", "{address}:{port}", "-t", root],
                &[],
                "PHP's own server is told where to listen; server.toml passes it.",
            );
            project.checks.push(
                "PHP's own server is for development: to measure FPM, let a script start it and what is before it, as \
                 docs/own-server.md has one for nginx."
                    .to_owned(),
            );
        }
        (None, Some(script)) => {
            project.found = format!("A script in PHP, {script}.");
            project.command.push(format!("{{server_dir}}/{script}"));
        }
        (None, None) => return None,
    }
    Some(project)
}
