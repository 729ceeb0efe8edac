//! A package for Node.js or Bun.

use serde_json::Value;

use super::super::fixed_port;
use super::super::listening::{self, Listening};
use super::super::sources::Sources;
use super::folder::Folder;
use super::program::{Project, in_folder, is_plain, pairs, told, told_by, words};

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

/// For Bun before them, for Node.js after them.
const USUAL_TYPED: [&str; 6] = [
    "index.ts",
    "server.ts",
    "app.ts",
    "src/index.ts",
    "src/server.ts",
    "src/main.ts",
];

/// Scripts that may say what is run: what is deployed, before what is developed with.
const SCRIPTS: [&str; 3] = ["start:prod", "start", "dev"];

/// Where no script says it: what the build of such an application makes, which reads PORT and HOST.
const BUILT_BY: [(&str, &str); 4] = [
    ("nuxt", ".output/server/index.mjs"),
    ("nitropack", ".output/server/index.mjs"),
    ("@sveltejs/adapter-node", "build/index.js"),
    ("@astrojs/node", "dist/server/entry.mjs"),
];

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
        let (plain, typed): (&[&'static str], &[&'static str]) = (&USUAL, &USUAL_TYPED);
        let (first, then) = match self {
            Self::Bun => (typed, plain),
            Self::Node => (plain, typed),
        };
        first.iter().chain(then).copied()
    }
}

/// What is run, with flags and arguments as a script has them.
struct Start {
    runtime: Runtime,
    /// A program of a package that stands before them in place of the runtime.
    tool: Option<&'static str>,
    rest: Vec<String>,
    env: Vec<(String, String)>,
}

/// Flags of Node.js with a file or a package that is looked for where it is started.
const OF_FOLDER: [&str; 5] = ["-r", "--require", "--import", "--loader", "--env-file"];

impl Start {
    fn is_of_folder(&self) -> bool {
        let flag = |word: &String| OF_FOLDER.contains(&word.split('=').next().unwrap_or_default());
        self.rest.iter().any(flag)
    }

    fn file(runtime: Runtime, file: String) -> Self {
        Self {
            runtime,
            tool: None,
            rest: vec![file],
            env: Vec::new(),
        }
    }
}

fn has_bun_lock(folder: &Folder<'_>) -> bool {
    folder.has("bun.lock") || folder.has("bun.lockb")
}

pub fn look(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let package: Value = serde_json::from_str(&folder.read("package.json")?).ok()?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let script = |name: &str| package["scripts"][name].as_str();
    let has = |key: &str| package[key].as_object().is_some_and(|needs| !needs.is_empty());
    let named = |needed: &str| {
        let keys = ["dependencies", "devDependencies"];
        keys.iter().any(|key| !package[*key][needed].is_null())
    };
    let built = script("build").is_some();
    let mut checks = Vec::new();
    let said = SCRIPTS.iter().find_map(|name| {
        let text = script(name)?;
        Some((*name, text, program_of(text)?))
    });
    if let Some((name, text, _)) = &said
        && (*name == "dev" || text.contains("&&"))
    {
        checks.push(format!(
            "Of the script `{name}` ({text}) run.command has what serves; see that nothing is missing."
        ));
    } else if let (Some(text), None) = (script("start"), &said) {
        checks.push(format!(
            "The script `start` ({text}) is more than `node FILE` or `bun FILE`; run.command must say what it does, without a shell."
        ));
    }
    let made = BUILT_BY
        .iter()
        .find(|(package, _)| named(package))
        .map(|(_, file)| *file);
    let mut start = match said {
        Some((_, _, start)) => start,
        None => {
            let typed_for = ["@types/bun", "bun-types"].iter().any(|types| named(types));
            let runtime = if has_bun_lock(folder) || typed_for {
                Runtime::Bun
            } else {
                Runtime::Node
            };
            let usual = || runtime.usual().find(|file| folder.has(file)).map(str::to_owned);
            let entry = |key: &str| text(&package[key]).filter(|main| folder.has(main) || built);
            let main = || entry("main").or_else(|| entry("module").filter(|_| runtime == Runtime::Bun));
            let file = made.map(str::to_owned).or_else(main).or_else(usual).unwrap_or_else(|| {
                checks.push(
                    "No script `start`, no `main` and no server.js says what to run; write it into run.command."
                        .to_owned(),
                );
                "server.js".to_owned()
            });
            Start::file(runtime, file)
        }
    };
    let runtime = start.runtime;
    let on_node = runtime == Runtime::Node;
    let typed = start.rest.iter().any(|word| word.ends_with(".ts"));
    if on_node && typed && start.tool.is_none() && !start.is_of_folder() {
        if named("tsx") {
            start.tool = Some("tsx");
        } else {
            checks.push("Node.js runs TypeScript as it is from 22.18 on.".to_owned());
        }
    }
    // What only development needs builds the program, or runs it.
    let develops = built || start.tool.is_some() || start.is_of_folder();
    let needs = has("dependencies") || (develops && has("devDependencies"));
    // Without a build the copy of the folder is all that it needs.
    let copied = needs || built;
    let place = if copied { "{build_dir}" } else { "{server_dir}" };
    let mut steps = Vec::new();
    let mut commands = vec![runtime.command()];
    if copied {
        steps.push(words(&["cp", "-R", "{server_dir}/.", "{build_dir}"]));
        let (manager, install) = install(folder, runtime, develops);
        if !install.iter().any(|word| word == "ci" || word == "--frozen-lockfile") {
            let lock = if manager == "bun" {
                "bun.lock"
            } else {
                "package-lock.json"
            };
            checks.push(format!(
                "There is no lock file, so each build takes the newest versions: commit one, such as {lock}."
            ));
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
    let command = run(&start, place);
    if !command.iter().all(|word| is_plain(&word.replace(place, "x"))) {
        return None;
    }
    let is_made = |word: &String| made.is_some_and(|made| word.ends_with(made));
    let listening = told_where(&start, start.rest.iter().any(is_made), sources);
    let mut env = pairs(&[("NODE_ENV", "production")]);
    env.extend(start.env);
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
        env,
        listening,
        checks,
        ..Project::default()
    })
}

/// Where it is certain without a word about it in the sources.
fn told_where(start: &Start, made: bool, sources: &Sources) -> Option<Listening> {
    if start.tool == Some("next") {
        let arguments = ["--hostname", "{address}", "--port", "{port}"];
        return told(&arguments, "Next.js is told where to listen; server.toml passes it.");
    }
    if made {
        let env = [("PORT", "{port}"), ("HOST", "{address}")];
        return told_by(
            &[],
            &env,
            "What its build makes reads PORT and HOST; server.toml sets them.",
        );
    }
    let has = |word: &str| sources.0.iter().any(|source| source.squeezed.contains(word));
    let serves = start.runtime == Runtime::Bun && (has("exportdefault") || has("Bun.serve("));
    let free = serves && !listening::look(sources).certain && fixed_port::look(sources).is_none();
    let found = "Bun listens at PORT where a program names no port; server.toml sets it.";
    free.then(|| told_by(&[], &[("PORT", "{port}")], found)).flatten()
}

/// What a script runs, where it is nothing else: a file by a runtime, or Next.js. What it does before it is the build's matter.
fn program_of(script: &str) -> Option<Start> {
    let script = script.rsplit("&&").next()?.trim();
    if script.contains(['&', '|', ';', '$', '"', '\'', '`', '>', '<', '*', '{', '}']) {
        return None;
    }
    let mut words = script.split_whitespace().filter(|word| *word != "cross-env").peekable();
    let mut env = Vec::new();
    while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
        // These are given.
        if !["NODE_ENV", "PORT", "HOST"].contains(&name) {
            env.push((name.to_owned(), value.to_owned()));
        }
        words.next();
    }
    let (runtime, tool) = match words.next()? {
        "node" => (Runtime::Node, None),
        // Its flags are not those of Node.js.
        "nodemon" if !script.contains(" -") => (Runtime::Node, None),
        "bun" => (Runtime::Bun, None),
        "tsx" => (Runtime::Node, Some("tsx")),
        "ts-node" => (Runtime::Node, Some("ts-node")),
        "next" if words.next() == Some("start") => {
            let (runtime, tool, rest) = (Runtime::Node, Some("next"), vec!["start".to_owned()]);
            return Some(Start {
                runtime,
                tool,
                rest,
                env,
            });
        }
        _ => return None,
    };
    // It is not started again for each change.
    let only_developed = |word: &&str| ["--watch", "--hot", "watch", "run"].contains(word);
    let rest: Vec<String> = words.filter(|word| !only_developed(word)).map(str::to_owned).collect();
    let file = rest.iter().find(|word| !word.starts_with('-'))?;
    // `bun dev` is another script.
    (runtime == Runtime::Node || file.contains('.')).then_some(Start {
        runtime,
        tool,
        rest,
        env,
    })
}

/// Flags stay as they are; the first other word is the file. With a flag of the folder, all stays as it is.
fn run(start: &Start, place: &str) -> Vec<String> {
    let tool = start.tool.map(|tool| format!("{place}/node_modules/.bin/{tool}"));
    let mut words = vec![tool.unwrap_or_else(|| start.runtime.command().to_owned())];
    if start.tool == Some("next") {
        words.extend(start.rest.iter().cloned().chain([place.to_owned()]));
        return words;
    }
    if start.is_of_folder() {
        return [in_folder(place), words, start.rest.clone()].concat();
    }
    let mut file = false;
    for word in &start.rest {
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
fn install(folder: &Folder<'_>, runtime: Runtime, develops: bool) -> (&'static str, Vec<String>) {
    let bun = |more: Option<&str>| {
        let production = (!develops).then_some("--production");
        let install = ["bun", "install", "--cwd", "{build_dir}"]
            .into_iter()
            .chain(more)
            .chain(production);
        ("bun", words(&install.collect::<Vec<_>>()))
    };
    if has_bun_lock(folder) {
        return bun(Some("--frozen-lockfile"));
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
    if runtime == Runtime::Bun && !locked {
        return bun(None);
    }
    let mut install = words(&["npm", "--prefix", "{build_dir}", if locked { "ci" } else { "install" }]);
    install.extend(words(&["--no-audit", "--no-fund"]));
    install.extend((!develops).then(|| "--omit=dev".to_owned()));
    ("npm", install)
}
