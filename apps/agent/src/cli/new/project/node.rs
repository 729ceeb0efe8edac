//! A package for Node.js or Bun.

use serde_json::Value;

use super::super::fixed_port;
use super::super::listening::{self, Listening};
use super::super::sources::Sources;
use super::folder::Folder;
use super::node_script::{Before, Runtime, Start, before, program_of, run};
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

/// What is looked for where nobody says it.
fn usual(runtime: Runtime) -> impl Iterator<Item = &'static str> {
    let (plain, typed): (&[&'static str], &[&'static str]) = (&USUAL, &USUAL_TYPED);
    let (first, then) = match runtime {
        Runtime::Bun => (typed, plain),
        Runtime::Node => (plain, typed),
    };
    first.iter().chain(then).copied()
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
    let mut checks = Vec::new();
    let said = SCRIPTS.iter().find_map(|name| {
        let text = script(name)?;
        Some((*name, text, program_of(text)?))
    });
    let before_it = said.as_ref().map_or(Some(Vec::new()), |(name, text, _)| {
        let mut all = before(text, |name| script(name).is_some())?;
        // npm runs it by itself.
        if let (Some(first), "start") = (script("prestart"), *name) {
            let whole = || vec![Before::Script("prestart".to_owned())];
            let parts = before(&format!("{first} && start"), |name| script(name).is_some());
            all.splice(0..0, parts.unwrap_or_else(whole));
        }
        Some(all)
    });
    if let Some((name, text, _)) = &said
        && (*name == "dev" || before_it.is_none())
    {
        checks.push(format!(
            "Of the script `{name}` ({text}) run.command has what serves; see that nothing is missing."
        ));
    } else if let (Some(text), None) = (script("start"), &said) {
        checks.push(format!(
            "The script `start` ({text}) is more than `node FILE` or `bun FILE`; run.command must say what it does, without a shell."
        ));
    }
    let mut builds = before_it.unwrap_or_default();
    if let Some(build) = script("build") {
        // What it says is said once.
        builds.retain(|each| !matches!(each, Before::Tool(words) if words.join(" ") == build));
        let build = Before::Script("build".to_owned());
        if !builds.contains(&build) {
            builds.insert(0, build);
        }
    }
    let built = !builds.is_empty();
    let builds_nothing = |name: &str| !["build", "compile", "tsc"].iter().any(|word| name.contains(word));
    if let Some(name) = builds.iter().find_map(|each| match each {
        Before::Script(name) if builds_nothing(name) => Some(name),
        _ => None,
    }) {
        checks.push(format!(
            "The build runs the script `{name}`, because `start` does; take the step out if it builds nothing."
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
            let usual = || usual(runtime).find(|file| folder.has(file)).map(str::to_owned);
            let entry = |key: &str| text(&package[key]).filter(|main| folder.has(main) || built);
            let main = || entry("main").or_else(|| entry("module").filter(|_| runtime == Runtime::Bun));
            let file = made.map(str::to_owned).or_else(main).or_else(usual).unwrap_or_else(|| {
                if script("start").is_none() {
                    checks.push(
                        "No script `start`, no `main` and no server.js says what to run; write it into run.command."
                            .to_owned(),
                    );
                }
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
    let of_engines = &package["devEngines"]["packageManager"]["name"];
    let pinned = package["packageManager"]
        .as_str()
        .and_then(|text| text.split('@').next());
    let wanted = pinned.or(of_engines.as_str());
    if copied {
        steps.push(words(&["cp", "-R", "{server_dir}/.", "{build_dir}"]));
        let (manager, install) = install(folder, runtime, develops, wanted.unwrap_or_default());
        if !install.iter().any(|word| word == "ci" || word == "--frozen-lockfile") {
            let lock = lock_of(manager);
            checks.push(format!(
                "There is no lock file, so each build takes the newest versions: commit one, such as {lock}."
            ));
        }
        commands.push(manager);
        steps.push(install);
        steps.extend(builds.iter().map(|each| match each {
            Before::Script(name) => run_script(manager, name),
            Before::Tool(tool) => {
                let program = format!("{{build_dir}}/node_modules/.bin/{}", tool[0]);
                [in_folder("{build_dir}"), vec![program], tool[1..].to_vec()].concat()
            }
        }));
        commands.dedup();
    }
    let other = commands
        .iter()
        .copied()
        .find(|command| ["pnpm", "yarn"].contains(command));
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
        // No package of Debian brings the other managers.
        debian: if on_node && other.is_none() {
            vec!["nodejs", "npm"]
        } else {
            Vec::new()
        },
        homebrew: [if on_node { "node" } else { "oven-sh/bun/bun" }]
            .into_iter()
            .chain(other)
            .collect(),
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
    if start.tool == Some("fastify") {
        let arguments = ["--address", "{address}", "--port", "{port}"];
        return told(
            &arguments,
            "fastify-cli is told where to listen; server.toml passes it.",
        );
    }
    if start.serves_build() {
        let env = [("PORT", "{port}"), ("HOST", "{address}")];
        return told_by(
            &[],
            &env,
            "The server of the framework reads PORT and HOST; server.toml sets them.",
        );
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

/// A script by the manager that installed: another one may be forbidden by `devEngines`.
fn run_script(manager: &str, name: &str) -> Vec<String> {
    let flag = match manager {
        "npm" => "--prefix",
        "pnpm" => "--dir",
        _ => "--cwd",
    };
    words(&[manager, flag, "{build_dir}", "run", name])
}

fn lock_of(manager: &str) -> &'static str {
    match manager {
        "bun" => "bun.lock",
        "pnpm" => "pnpm-lock.yaml",
        "yarn" => "yarn.lock",
        _ => "package-lock.json",
    }
}

/// The package manager that has a lock file here, else the one that the package wants.
fn install(folder: &Folder<'_>, runtime: Runtime, develops: bool, wanted: &str) -> (&'static str, Vec<String>) {
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
    let locked = folder.has("package-lock.json") || folder.has("npm-shrinkwrap.json");
    let others = [("pnpm", "--dir"), ("yarn", "--cwd")];
    let with_lock = others.into_iter().find(|(manager, _)| folder.has(lock_of(manager)));
    let unlocked = || others.into_iter().find(|(manager, _)| wanted == *manager && !locked);
    if let Some((manager, flag)) = with_lock.or_else(unlocked) {
        let install = [manager, flag, "{build_dir}", "install"].into_iter();
        let frozen = with_lock.map(|_| "--frozen-lockfile");
        return (manager, words(&install.chain(frozen).collect::<Vec<_>>()));
    }
    if (runtime == Runtime::Bun || wanted == "bun") && !locked {
        return bun(None);
    }
    let mut install = words(&["npm", "--prefix", "{build_dir}", if locked { "ci" } else { "install" }]);
    install.extend(words(&["--no-audit", "--no-fund"]));
    install.extend((!develops).then(|| "--omit=dev".to_owned()));
    ("npm", install)
}
