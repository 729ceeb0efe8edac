//! The text of a new server.toml: what was found, with a comment where somebody may want something else.

use super::listening::Listening;
use super::project::Project;

pub struct Draft<'a> {
    pub name: &'a str,
    pub project: &'a Project,
    pub listening: &'a Listening,
    pub workloads: &'a [String],
}

pub fn of(draft: &Draft<'_>) -> String {
    let Draft {
        name,
        project,
        listening,
        workloads,
    } = draft;
    let license = project.license.clone().unwrap_or_else(|| "unknown".to_owned());
    let jit = if project.jit {
        "# It compiles while it runs, so it is warmed up until its speed is steady.\njit = true\n"
    } else {
        ""
    };
    let command = list(&[project.command.as_slice(), &listening.arguments].concat());
    // A name stands there once.
    let told = |name: &String| listening.env.iter().any(|(own, _)| own == name);
    let env: Vec<String> = project
        .env
        .iter()
        .filter(|(name, _)| !told(name))
        .chain(&listening.env)
        .map(|(k, v)| format!("{k} = {}", quoted(v)))
        .collect();
    let env = if env.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{ {} }}", env.join(", "))
    };
    let port = listening.port.map_or_else(String::new, |port| {
        format!("# It always listens on this port. Without this line each start gets a free one.\nport = {port}\n")
    });
    let within_s = project.ready_within_s;
    let mut ready = format!(
        "# ready = {{ path = \"/health\", within_s = {} }}\n",
        within_s.unwrap_or(10)
    );
    ready.extend(within_s.map(|s| format!("ready = {{ within_s = {s} }}\n")));
    let macos = project.macos.as_ref();
    let macos = macos.map_or_else(String::new, |command| format!("macos = {}\n", quoted(command)));
    format!(
        r##"# How Rigmark builds and runs this server: `rigmark verify PATH` tries it. All of it is explained in docs/own-server.md.
# For an editor: `rigmark new server --schema > server.schema.json`, and as the first line here `#:schema ./server.schema.json`.
schema = 1
name = {name}
title = {name}
language = {language}
summary = ""
license = {license}
# Rigmark's own contracts that it answers, such as "plaintext" (see servers/CONTRACT.md). With none it is loaded by scenarios of
# your own, which say what they send and what they expect.
workloads = {workloads}
{jit}
[requires]
# Programs that must be installed, and the packages that bring them.
commands = {commands}
debian = {debian}
homebrew = {homebrew}
{macos}
[build]
# Lists of arguments, never a line for a shell; run in a copy of this folder, in this order. What they make goes to {{build_dir}}.
steps = {steps}

[run]
# {{address}} and {{port}} are filled in, and {{root}}, a folder with files to serve. It runs until SIGTERM.
command = {command}
env = {env}
{port}# It is ready as soon as GET / gets any response. To wait for a path to return 200, for at most so many seconds:
{ready}
# A number that a run may set, as in `--server PATH:workers=4`; write {{workers}} where it belongs in command or env.
# [options.workers]
# default = 2
# min = 1
# max = 64
"##,
        name = quoted(name),
        language = quoted(&project.language),
        license = quoted(&license),
        workloads = list(workloads),
        commands = list(&project.commands),
        debian = list(&project.debian),
        homebrew = list(&project.homebrew),
        steps = steps(&project.steps),
    )
}

/// What to try after it was verified, with the server at that path.
pub fn next(draft: &Draft<'_>, path: &str) -> Vec<String> {
    if draft.workloads.is_empty() {
        // Where the two share the host's ports, one must have stopped before the other starts.
        let shared = draft.listening.port.is_some() && crate::sandbox::unsandboxed_reason().is_some();
        let slices = if shared { " --slice 0" } else { "" };
        return vec![
            "rigmark new scenario load.toml".to_owned(),
            format!("rigmark run --server base={path}@HEAD~1 --server head={path} --scenario ./load.toml{slices}"),
        ];
    }
    vec![format!(
        "rigmark run --server nginx --server {path} --scenario plaintext-loadgen --quick"
    )]
}

/// A JSON string is a TOML string too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word.as_ref())).collect();
    format!("[{}]", words.join(", "))
}

fn steps(steps: &[Vec<String>]) -> String {
    if steps.is_empty() {
        return "[]".to_owned();
    }
    let lines: Vec<String> = steps.iter().map(|step| format!("    {},\n", list(step))).collect();
    format!("[\n{}]", lines.concat())
}
