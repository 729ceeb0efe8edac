//! What a script of a package.json runs: what serves, and what is built before it.

use super::program::in_folder;

/// What runs the program.
#[derive(Clone, Copy, PartialEq)]
pub enum Runtime {
    Node,
    Bun,
}

impl Runtime {
    pub const fn command(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Bun => "bun",
        }
    }
}

/// What is run, with flags and arguments as a script has them.
pub struct Start {
    pub runtime: Runtime,
    /// A program of a package that stands before them in place of the runtime.
    pub tool: Option<&'static str>,
    pub rest: Vec<String>,
    pub env: Vec<(String, String)>,
}

/// Flags of Node.js with a file or a package that is looked for where it is started.
const OF_FOLDER: [&str; 5] = ["-r", "--require", "--import", "--loader", "--env-file"];

impl Start {
    pub fn is_of_folder(&self) -> bool {
        let flag = |word: &String| OF_FOLDER.contains(&word.split('=').next().unwrap_or_default());
        self.rest.iter().any(flag)
    }

    /// By a server that comes with the framework.
    pub fn serves_build(&self) -> bool {
        self.tool.is_some_and(|tool| tool.ends_with("-serve"))
    }

    pub fn file(runtime: Runtime, file: String) -> Self {
        Self {
            runtime,
            tool: None,
            rest: vec![file],
            env: Vec::new(),
        }
    }
}

/// What a script does before it starts what serves.
#[derive(PartialEq)]
pub enum Before {
    /// Another script, by its name.
    Script(String),
    /// A program of a package, with its arguments.
    Tool(Vec<String>),
}

/// What makes the program, in packages of that name.
const BUILDERS: [&str; 12] = [
    "tsc", "tsup", "tsdown", "esbuild", "vite", "swc", "rollup", "webpack", "nest", "ncc", "unbuild", "babel",
];
/// A build begins without what an earlier one made.
const CLEANERS: [&str; 3] = ["rm", "rimraf", "del-cli"];
/// More than words: a shell would do something with it.
const OF_A_SHELL: [char; 13] = ['&', '|', ';', '$', '"', '\'', '`', '>', '<', '*', '{', '}', '('];

/// In order; `None` where something is neither a script nor a builder.
pub fn before(script: &str, is_script: impl Fn(&str) -> bool) -> Option<Vec<Before>> {
    let mut parts: Vec<&str> = script.split("&&").map(str::trim).collect();
    parts.pop();
    let built_by = |part: &&str| -> Option<Before> {
        if part.contains(OF_A_SHELL) {
            return None;
        }
        let words: Vec<&str> = part.split_whitespace().collect();
        let named = |name: &str| is_script(name).then(|| Before::Script(name.to_owned()));
        match words.as_slice() {
            ["npm" | "pnpm" | "yarn" | "bun", "run", name] | ["pnpm" | "yarn", name] => named(name),
            ["npx", rest @ ..] | rest if rest.first().is_some_and(|tool| BUILDERS.contains(tool)) => {
                Some(Before::Tool(rest.iter().map(|word| (*word).to_owned()).collect()))
            }
            _ => None,
        }
    };
    let cleans = |part: &&str| CLEANERS.contains(&part.split_whitespace().next().unwrap_or_default());
    parts.iter().filter(|part| !cleans(part)).map(built_by).collect()
}

/// What a script runs in the end, where that is a file by a runtime, Next.js, fastify-cli or React Router.
pub fn program_of(script: &str) -> Option<Start> {
    let script = script.rsplit("&&").next()?.trim();
    if script.contains(OF_A_SHELL) {
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
        "fastify" if words.next() == Some("start") => return fastify(words, env),
        "react-router-serve" => (Runtime::Node, Some("react-router-serve")),
        "remix-serve" => (Runtime::Node, Some("remix-serve")),
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
pub fn run(start: &Start, place: &str) -> Vec<String> {
    let tool = start.tool.map(|tool| format!("{place}/node_modules/.bin/{tool}"));
    let mut words = vec![tool.unwrap_or_else(|| start.runtime.command().to_owned())];
    if start.tool == Some("next") {
        words.extend(start.rest.iter().cloned().chain([place.to_owned()]));
        return words;
    }
    if start.tool == Some("fastify") {
        let (file, flags) = start
            .rest
            .split_last()
            .map_or((None, &[][..]), |(file, flags)| (Some(file), flags));
        words.extend(flags.iter().cloned());
        words.extend(file.map(|file| inside(place, file)));
        return words;
    }
    // What it serves beside the file is looked for where it is started.
    if start.serves_build() || start.is_of_folder() {
        return [in_folder(place), words, start.rest.clone()].concat();
    }
    let mut file = false;
    for word in &start.rest {
        if file || word.starts_with('-') {
            words.push(word.clone());
        } else {
            file = true;
            words.push(inside(place, word));
        }
    }
    words
}

fn inside(place: &str, file: &str) -> String {
    format!("{place}/{}", file.trim_start_matches("./"))
}

/// Without what server.toml says (where to listen) and what is only for development (watching, pretty logs).
fn fastify<'a>(mut words: impl Iterator<Item = &'a str>, env: Vec<(String, String)>) -> Option<Start> {
    let mut rest = vec!["start".to_owned()];
    while let Some(word) = words.next() {
        match word {
            "-w" | "--watch" | "-P" | "--pretty-logs" => {}
            "-p" | "--port" | "-a" | "--address" => drop(words.next()),
            _ if word.starts_with("--port=") || word.starts_with("--address=") => {}
            _ => rest.push(word.to_owned()),
        }
    }
    // The file has an ending, a flag's value such as `info` has none. It goes to the end.
    let is_file = |word: &String| !word.starts_with('-') && word.contains('.');
    let file = rest.remove(rest.iter().rposition(is_file)?);
    rest.push(file);
    Some(Start {
        runtime: Runtime::Node,
        tool: Some("fastify"),
        rest,
        env,
    })
}
