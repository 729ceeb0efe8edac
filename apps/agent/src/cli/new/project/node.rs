//! A package for Node.js.

use serde_json::Value;

use super::folder::Folder;
use super::program::{Project, is_plain, words};

/// Where no script and no `main` says it.
const USUAL: [&str; 8] = [
    "server.js",
    "server.mjs",
    "server.cjs",
    "index.js",
    "index.mjs",
    "app.js",
    "main.js",
    "src/index.js",
];

pub fn look(folder: &Folder<'_>) -> Option<Project> {
    let package: Value = serde_json::from_str(&folder.read("package.json")?).ok()?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let script = |name: &str| package["scripts"][name].as_str();
    let has = |key: &str| package[key].as_object().is_some_and(|needs| !needs.is_empty());
    let built = script("build").is_some();
    let needs = has("dependencies") || (built && has("devDependencies"));
    let mut checks = Vec::new();
    // Without a build the copy of the folder is all that it needs.
    let copied = needs || built;
    let place = if copied { "{build_dir}" } else { "{server_dir}" };
    let mut steps = Vec::new();
    let mut commands = vec!["node"];
    if copied {
        steps.push(words(&["cp", "-R", "{server_dir}/.", "{build_dir}"]));
        let (manager, install) = install(folder, built);
        if !install.iter().any(|word| word == "ci" || word == "--frozen-lockfile") {
            checks.push(
                "There is no lock file, so each build takes the newest versions: commit package-lock.json.".to_owned(),
            );
        }
        commands.push(manager);
        steps.push(install);
        if built {
            steps.push(words(&["npm", "--prefix", "{build_dir}", "run", "build"]));
            commands.push("npm");
            commands.dedup();
        }
    }
    let start = script("start").and_then(program_of_node);
    let usual = || USUAL.into_iter().find(|file| folder.has(file)).map(str::to_owned);
    let main = || text(&package["main"]).filter(|main| folder.has(main) || built);
    let command = match start {
        Some(rest) => node(place, &rest),
        None => match main().or_else(usual) {
            Some(file) => node(place, &[file]),
            None => {
                checks.push(
                    "No script `start`, no `main` and no server.js says what to run; write it into run.command."
                        .to_owned(),
                );
                node(place, &["server.js".to_owned()])
            }
        },
    };
    if script("start").is_some_and(|start| program_of_node(start).is_none()) {
        checks.push(format!(
            "The script `start` ({}) is more than `node FILE`; run.command must say what it does, without a shell.",
            script("start").unwrap_or_default()
        ));
    }
    if !command.iter().all(|word| is_plain(&word.replace(place, "x"))) {
        return None;
    }
    Some(Project {
        found: format!(
            "A package for Node.js, {}.",
            package["name"].as_str().unwrap_or(folder.name)
        ),
        language: "JavaScript".to_owned(),
        license: text(&package["license"]),
        jit: true,
        commands,
        debian: vec!["nodejs", "npm"],
        homebrew: vec!["node"],
        steps,
        command,
        env: vec![("NODE_ENV".to_owned(), "production".to_owned())],
        checks,
        ..Project::default()
    })
}

/// The arguments of `node FILE …`, where a script is nothing else.
fn program_of_node(script: &str) -> Option<Vec<String>> {
    let rest = script.trim().strip_prefix("node ")?;
    let plain = !rest.contains(['&', '|', ';', '$', '"', '\'', '`', '>', '<', '*', '{', '}']);
    plain.then(|| rest.split_whitespace().map(str::to_owned).collect())
}

/// Flags stay as they are; the first other word is the file.
fn node(place: &str, rest: &[String]) -> Vec<String> {
    let mut words = vec!["node".to_owned()];
    let mut file = false;
    for word in rest {
        if file || word.starts_with('-') {
            words.push(word.clone());
        } else {
            file = true;
            words.push(format!("{place}/{}", word.trim_start_matches("./")));
        }
    }
    words
}

/// The package manager that has a lock file here.
fn install(folder: &Folder<'_>, built: bool) -> (&'static str, Vec<String>) {
    if folder.has("pnpm-lock.yaml") {
        return (
            "pnpm",
            words(&["pnpm", "--dir", "{build_dir}", "install", "--frozen-lockfile"]),
        );
    }
    if folder.has("yarn.lock") {
        return (
            "yarn",
            words(&["yarn", "--cwd", "{build_dir}", "install", "--frozen-lockfile"]),
        );
    }
    let locked = folder.has("package-lock.json") || folder.has("npm-shrinkwrap.json");
    let mut install = words(&["npm", "--prefix", "{build_dir}", if locked { "ci" } else { "install" }]);
    install.extend(words(&["--no-audit", "--no-fund"]));
    // What is only needed to build is needed here where there is a build.
    install.extend((!built).then(|| "--omit=dev".to_owned()));
    ("npm", install)
}
