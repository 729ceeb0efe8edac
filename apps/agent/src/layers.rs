//! Who may use whom. The table in docs/architecture.md is made from this list; these tests read every `crate::` path.

mod circles;

use std::fs;
use std::path::{Path, PathBuf};

use crate::protocol::spec::ToolName;

/// From the bottom to the top. A module uses only itself and modules of lower layers. Of two names the longer one is meant:
/// `tool::output` is a layer of its own.
const LAYERS: &[(&[&str], &str)] = &[
    (&["protocol"], "what is sent, stored and asked for"),
    (
        &[
            "fix",
            "json",
            "minisign",
            "program",
            "source",
            "splitmix",
            "state",
            "stdout",
            "text",
            "toml_position",
            "tool::output",
        ],
        "helpers and shared types that know no other module",
    ),
    (
        &["assets", "journal", "sandbox", "workload"],
        "where servers, scenarios and scripts are; records; child processes; what requests carry and the right response",
    ),
    (
        &["loadgen", "server", "spool"],
        "the agent's own load generator; a server's folder, build and process; records on disk",
    ),
    (
        &["parser", "session"],
        "from a tool's output to a result; the control plane",
    ),
    (
        &["control"],
        "the app as people's commands use it: tokens, `/api/v1`, publishing a file",
    ),
    (
        &["forge", "tool"],
        "a code forge's pull requests; a load tool's flags, and what it is like",
    ),
    (&["host", "scenario"], "this machine; scenarios and suites"),
    (
        &["sample", "verify"],
        "the kernel's counters; right responses and conformance",
    ),
    (
        &["runner::context", "runner::outcome", "runner::summary"],
        "what a run is given; what became of a trial; what is summed up",
    ),
    (
        &["runner::validity"],
        "whether a trial counts: `judge` a trial, `disturbance` a block",
    ),
    (&["runner::measure"], "a window of load, and what it came to"),
    (
        &["runner::plan", "runner::standalone_verify"],
        "the order of a run; a server that is verified without load",
    ),
    (
        &["runner::environment", "runner::execute"],
        "where a run was made; the run loop, which sees the trait `TrialExecutor`",
    ),
    (&["runner::trial"], "the real `TrialExecutor`"),
    (&["runner"], "one run, from its spec to its result"),
    (&["cli"], "the commands, and all that a person reads"),
];

/// The folders that may tell one load tool from another; everybody else asks `tool::profile`.
const KNOW_TOOLS: [&str; 3] = ["parser", "protocol", "tool"];

struct Source {
    /// `runner/plan/mod.rs`
    file: String,
    /// `runner::plan`
    module: String,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let file = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                let module = file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
                let text = fs::read_to_string(&path).unwrap();
                found.push(Source { file, module, text });
            }
        }
    }
    let apart = |s: &Source| ["lib", "main", "layers"].contains(&s.module.split("::").next().unwrap_or_default());
    found.retain(|s| !apart(s));
    found.sort_by(|a, b| a.file.cmp(&b.file));
    found
}

/// The layer's number and the name in the list that is meant.
fn layer(path: &str) -> Option<(usize, &'static str)> {
    let is_in = |name: &str| {
        path.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let all = LAYERS.iter().enumerate();
    let named = all.flat_map(|(at, (names, _))| names.iter().map(move |name| (at, *name)));
    named.filter(|(_, name)| is_in(name)).max_by_key(|(_, name)| name.len())
}

fn upward(source: &Source) -> Vec<String> {
    let Some((own, own_name)) = layer(&source.module) else {
        return vec![format!(
            "{} stands in no layer; name it in LAYERS of src/layers.rs.",
            source.file
        )];
    };
    let wrong = |target: &str| layer(target).filter(|(at, name)| *at > own || (*at == own && *name != own_name));
    let sentence = |(line, target): (usize, String)| {
        let (_, name) = wrong(&target)?;
        Some(format!(
            "{}:{line} uses crate::{target}, but {name} is not below {own_name}; move what it needs down, or change LAYERS of \
             src/layers.rs.",
            source.file
        ))
    };
    uses(&source.module, &source.text)
        .into_iter()
        .filter_map(sentence)
        .collect()
}

/// The paths that a file names, without `crate::`, and on which line.
fn uses(module: &str, text: &str) -> Vec<(usize, String)> {
    let without_comments: Vec<&str> = text.lines().map(|l| l.split("//").next().unwrap_or(l)).collect();
    let text = without_comments.join("\n");
    let mut found = Vec::new();
    let mut add = |at: usize, base: &str, path: &str| {
        let mut paths = Vec::new();
        expand(path, base, &mut paths);
        let line = text[..at].matches('\n').count() + 1;
        found.extend(paths.into_iter().map(|path| (line, path)));
    };
    for (at, word) in text.match_indices("crate::") {
        add(at, "", &text[at + word.len()..]);
    }
    // At the beginning of a line: within a file's own `mod tests` the word means the file.
    for (at, word) in text.match_indices("\nuse super::") {
        let mut base: Vec<&str> = module.split("::").collect();
        base.pop();
        let mut path = &text[at + word.len()..];
        while let Some(rest) = path.strip_prefix("super::") {
            base.pop();
            path = rest;
        }
        add(at + 1, &base.join("::"), path);
    }
    found
}

/// `a::{b, c::d}` after `base` is `base::a::b` and `base::a::c::d`. Returns how much of the text that was.
fn expand(text: &str, base: &str, found: &mut Vec<String>) -> usize {
    let rest = text.trim_start();
    let begin = text.len() - rest.len();
    if rest.starts_with('{') {
        let mut at = begin + 1;
        loop {
            match text[at..].chars().next() {
                None => return at,
                Some('}') => return at + 1,
                Some(c) if c == ',' || c.is_whitespace() => at += c.len_utf8(),
                Some(_) => at += expand(&text[at..], base, found).max(1),
            }
        }
    }
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let path = match (base, &rest[..end]) {
        (base, "" | "self") => base.to_owned(),
        ("", name) => name.to_owned(),
        (base, name) => format!("{base}::{name}"),
    };
    match rest[end..].strip_prefix("::") {
        Some(more) if end > 0 => begin + end + 2 + expand(more, &path, found),
        _ => {
            found.push(path);
            begin + end
        }
    }
}

/// Lines, tests apart, that tell tools apart by their name.
fn tells_tools_apart(source: &Source) -> Vec<String> {
    let folder = source.module.split("::").next().unwrap_or_default();
    if KNOW_TOOLS.contains(&folder) || source.module.contains("tests") {
        return Vec::new();
    }
    let code = source.text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let variant = |line: &str| {
        let names = line
            .match_indices("ToolName::")
            .map(|(at, word)| &line[at + word.len()..]);
        names
            .into_iter()
            .any(|name| name.starts_with(char::is_uppercase) && !name.starts_with("ALL"))
    };
    let word = |line: &str| {
        let quoted = ToolName::ALL.map(|tool| format!("\"{}\"", tool.as_str()));
        quoted
            .iter()
            .any(|name| line.contains(&format!("== {name}")) || line.contains(&format!("{name} =>")))
    };
    let lines = code.lines().enumerate().filter(|(_, line)| variant(line) || word(line));
    lines
        .map(|(at, _)| {
            format!(
                "{}:{} tells load tools apart by name; say what differs in `tool::profile` and ask there.",
                source.file,
                at + 1
            )
        })
        .collect()
}

/// The table of docs/architecture.md, top layer first.
fn table() -> String {
    let rows = LAYERS.iter().rev().map(|(names, what)| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        format!("| {} | {what} |\n", names.join(", "))
    });
    format!("| modules | what they know |\n|---|---|\n{}", rows.collect::<String>())
}

#[test]
fn no_module_uses_one_above_it() {
    let wrong: Vec<String> = sources().iter().flat_map(upward).collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn only_tool_and_parser_tell_load_tools_apart() {
    let wrong: Vec<String> = sources().iter().flat_map(tells_tools_apart).collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_documented_table_is_this_list() {
    const MARKS: (&str, &str) = ("<!-- layers -->\n", "<!-- /layers -->");
    let file: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../docs/architecture.md"]
        .iter()
        .collect();
    let text = fs::read_to_string(&file).unwrap();
    let (before, rest) = text
        .split_once(MARKS.0)
        .expect("docs/architecture.md has a mark <!-- layers -->");
    let (drawn, after) = rest.split_once(MARKS.1).expect("and <!-- /layers -->");
    if std::env::var_os("RIGMARK_DRAW_LAYERS").is_some() {
        fs::write(&file, format!("{before}{}{}{}{after}", MARKS.0, table(), MARKS.1)).unwrap();
        return;
    }
    assert!(
        drawn == table(),
        "docs/architecture.md shows other layers than src/layers.rs has; draw them anew with \
         RIGMARK_DRAW_LAYERS=1 cargo test -p rigmark --lib layers"
    );
}

#[test]
fn an_upward_arrow_is_named_with_its_line() {
    let of = |file: &str, text: &str| {
        let module = file.trim_end_matches(".rs").replace('/', "::");
        let (file, text) = (file.to_owned(), text.to_owned());
        upward(&Source { file, module, text })
    };
    let wrong = of(
        "parser/ab.rs",
        "//! See crate::cli.\nuse crate::tool::{output::ToolOutput, Tool};\n",
    );
    assert_eq!(
        wrong,
        [
            "parser/ab.rs:2 uses crate::tool::Tool, but tool is not below parser; move what it needs down, or change LAYERS of \
          src/layers.rs."
        ]
    );
    assert_eq!(of("runner/plan/x.rs", "\nuse super::super::trial::y;\n").len(), 1);
    assert_eq!(
        of(
            "runner/plan/x.rs",
            "\nuse super::stopping;\nuse crate::{text, tool::{self, output}};"
        )
        .len(),
        0
    );
    assert_eq!(of("sandbox/x.rs", "let x = crate::workload::files::FILES;").len(), 1);
    assert!(of("newcomer.rs", "")[0].contains("stands in no layer"));
}

#[test]
fn a_tool_that_is_told_apart_is_named_with_its_line() {
    let of = |file: &str, text: &str| {
        let module = file.trim_end_matches(".rs").replace('/', "::");
        let (file, text) = (file.to_owned(), text.to_owned());
        tells_tools_apart(&Source { file, module, text }).len()
    };
    assert_eq!(
        of(
            "runner/x.rs",
            "if s.tool == ToolName::Loadgen {\nfor t in ToolName::ALL {"
        ),
        1
    );
    assert_eq!(of("cli/x.rs", "if name == \"k6\" {"), 1);
    assert_eq!(of("cli/x.rs", "#[cfg(test)]\nmod tests {\n    ToolName::Ab"), 0);
    assert_eq!(of("tool/x.rs", "ToolName::Ab => 1,"), 0);
}
