//! A package for Node.js or Bun.

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

const USUAL_FOR_BUN: [&str; 4] = ["index.ts", "server.ts", "src/index.ts", "src/server.ts"];

/// What runs the program.
#[derive(Clone, Copy, PartialEq)]
enum Runtime {
    Node,
    Bun,
}

impl Runtime {
    const fn command(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Bun => "bun",
        }
    }

    /// What it looks for where nobody says it.
    fn usual(self) -> impl Iterator<Item = &'static str> {
        let first: &[&'static str] = if self == Self::Bun { &USUAL_FOR_BUN } else { &[] };
        first.iter().chain(&USUAL).copied()
    }
}

fn has_bun_lock(folder: &Folder<'_>) -> bool {
    folder.has("bun.lock") || folder.has("bun.lockb")
}

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
    let start = script("start").and_then(program_of);
    let runtime = match start {
        Some((runtime, _)) => runtime,
        None if has_bun_lock(folder) => Runtime::Bun,
        None => Runtime::Node,
    };
    let mut commands = vec![runtime.command()];
    if copied {
        steps.push(words(&["cp", "-R", "{server_dir}/.", "{build_dir}"]));
        let (manager, install) = install(folder, built);
        if !install.iter().any(|word| word == "ci" || word == "--frozen-lockfile") {
            checks.push(
                "There is no lock file, so each build takes the newest versions: commit one, such as package-lock.json."
                    .to_owned(),
            );
        }
        commands.push(manager);
        steps.push(install);
        if built {
            let (runner, flag) = if manager == "bun" {
                ("bun", "--cwd")
            } else {
                ("npm", "--prefix")
            };
            steps.push(words(&[runner, flag, "{build_dir}", "run", "build"]));
            commands.push(runner);
        }
        commands.dedup();
    }
    let usual = || runtime.usual().find(|file| folder.has(file)).map(str::to_owned);
    let named = |key: &str| text(&package[key]).filter(|main| folder.has(main) || built);
    let main = || named("main").or_else(|| named("module").filter(|_| runtime == Runtime::Bun));
    let command = match &start {
        Some((_, rest)) => run(runtime, place, rest),
        None => match main().or_else(usual) {
            Some(file) => run(runtime, place, &[file]),
            None => {
                checks.push(
                    "No script `start`, no `main` and no server.js says what to run; write it into run.command."
                        .to_owned(),
                );
                run(runtime, place, &["server.js".to_owned()])
            }
        },
    };
    if let (Some(text), None) = (script("start"), &start) {
        checks.push(format!(
            "The script `start` ({text}) is more than `node FILE` or `bun FILE`; run.command must say what it does, without a shell."
        ));
    }
    if !command.iter().all(|word| is_plain(&word.replace(place, "x"))) {
        return None;
    }
    let on_node = runtime == Runtime::Node;
    Some(Project {
        found: format!(
            "A package for {}, {}.",
            if on_node { "Node.js" } else { "Bun" },
            package["name"].as_str().unwrap_or(folder.name)
        ),
        language: "JavaScript".to_owned(),
        license: text(&package["license"]),
        jit: true,
        commands,
        debian: if on_node { vec!["nodejs", "npm"] } else { Vec::new() },
        homebrew: vec![if on_node { "node" } else { "oven-sh/bun/bun" }],
        steps,
        command,
        env: vec![("NODE_ENV".to_owned(), "production".to_owned())],
        checks,
        ..Project::default()
    })
}

/// The arguments of `node FILE …` or `bun FILE …`, where a script is nothing else.
fn program_of(script: &str) -> Option<(Runtime, Vec<String>)> {
    let script = script.trim();
    let (runtime, rest) = match script.strip_prefix("node ") {
        Some(rest) => (Runtime::Node, rest),
        None => {
            let rest = script.strip_prefix("bun ")?.trim_start();
            (Runtime::Bun, rest.strip_prefix("run ").unwrap_or(rest))
        }
    };
    if rest.contains(['&', '|', ';', '$', '"', '\'', '`', '>', '<', '*', '{', '}']) {
        return None;
    }
    let rest: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    let file = rest.iter().find(|word| !word.starts_with('-'))?;
    // `bun dev` is another script.
    (runtime == Runtime::Node || file.contains('.')).then_some((runtime, rest))
}

/// Flags stay as they are; the first other word is the file.
fn run(runtime: Runtime, place: &str, rest: &[String]) -> Vec<String> {
    let mut words = vec![runtime.command().to_owned()];
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
    if has_bun_lock(folder) {
        let mut install = words(&["bun", "install", "--cwd", "{build_dir}", "--frozen-lockfile"]);
        install.extend((!built).then(|| "--production".to_owned()));
        return ("bun", install);
    }
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
