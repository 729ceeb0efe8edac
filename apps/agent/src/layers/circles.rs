//! No circles inside a module: of the files and folders of one folder, its `mod.rs` among them, none uses one that uses it back.
//! A `mod.rs` that only declares and re-exports uses nothing; what is re-exported is where it is defined. Tests do not count:
//! they look at their module from outside.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Source, expand, sources};

/// A `use` leads to another one so often at most.
const HOPS: usize = 8;

#[derive(Default)]
struct Module {
    file: String,
    /// Without tests, comments, declarations and re-exports, line by line.
    code: String,
    /// Where its `use` statements lead, by the name that they bring in.
    names: BTreeMap<String, String>,
    /// Those of them that are handed on.
    exports: BTreeSet<String>,
}

/// By path: `runner::plan`.
type Modules = BTreeMap<String, Module>;

/// One file uses another; the line is the first on which it does.
#[derive(Clone)]
struct Use {
    from: String,
    line: usize,
    to: String,
}

/// Of one folder, by the two of its parts.
type Uses = BTreeMap<(String, String), Use>;

fn modules(sources: &[Source]) -> Modules {
    let tests: BTreeSet<String> = sources.iter().flat_map(test_modules).collect();
    let is_test = |module: &str| {
        let within = |test: &String| module == test || module.starts_with(&format!("{test}::"));
        tests.iter().any(within) || module.split("::").any(|part| part.ends_with("tests"))
    };
    let paths: BTreeSet<&str> = sources.iter().map(|s| s.module.as_str()).collect();
    let own = sources.iter().filter(|s| !is_test(&s.module));
    own.map(|s| (s.module.clone(), read(s, &paths))).collect()
}

/// What stands under `#[cfg(test)]` in files of its own.
fn test_modules(source: &Source) -> Vec<String> {
    let (mut found, mut test) = (Vec::new(), false);
    for line in source.text.lines() {
        if let Some(name) = declared(line).filter(|_| test) {
            found.push(format!("{}::{name}", source.module));
        }
        test = line == "#[cfg(test)]" || test && line.starts_with("#[");
    }
    found
}

/// The name in `pub mod name;`.
fn declared(line: &str) -> Option<&str> {
    without_visibility(line).0.strip_prefix("mod ")?.strip_suffix(';')
}

/// And whether there was one.
fn without_visibility(line: &str) -> (&str, bool) {
    let Some(rest) = line.strip_prefix("pub") else {
        return (line, false);
    };
    let within = rest.strip_prefix('(').and_then(|scope| scope.split_once(')'));
    (within.map_or(rest, |(_, rest)| rest).trim_start(), true)
}

fn read(source: &Source, paths: &BTreeSet<&str>) -> Module {
    let mut module = Module {
        file: source.file.clone(),
        ..Module::default()
    };
    let mut lines = source.text.lines().map(|line| line.split("//").next().unwrap_or(line));
    let mut code = Vec::new();
    while let Some(line) = lines.next() {
        let (item, public) = without_visibility(line);
        if item.starts_with("mod ") {
            code.push("");
            // `mod tests {` ends at the beginning of a line.
            if item.trim_end().ends_with('{') {
                let inner = lines.by_ref().take_while(|line| !line.starts_with('}')).count();
                code.extend(std::iter::repeat_n("", inner + 1));
            }
            continue;
        }
        let Some(mut first) = item.strip_prefix("use ") else {
            code.push(line);
            continue;
        };
        let (mut statement, mut all) = (String::new(), vec![line]);
        loop {
            statement.push_str(first);
            if first.contains(';') {
                break;
            }
            let Some(next) = lines.next() else { break };
            all.push(next);
            first = next;
        }
        for path in leads_to(&source.module, &statement, paths) {
            let name = path.rsplit("::").next().unwrap_or_default().to_owned();
            if public {
                module.exports.insert(name.clone());
            }
            module.names.insert(name, path);
        }
        code.extend(all.into_iter().map(|line| if public { "" } else { line }));
    }
    module.code = code.join("\n");
    module
}

/// The paths that begin with this text, from the crate's root; none in another crate.
fn leads_to(module: &str, text: &str, paths: &BTreeSet<&str>) -> Vec<String> {
    let mut found = Vec::new();
    if let Some((base, rest)) = beginning(module, text, paths) {
        expand(rest, &base, &mut found);
    }
    found
}

/// From where a path goes on, and how.
fn beginning<'a>(module: &str, text: &'a str, paths: &BTreeSet<&str>) -> Option<(String, &'a str)> {
    if let Some(rest) = text.strip_prefix("crate::") {
        return Some((String::new(), rest));
    }
    if let Some(rest) = text.strip_prefix("self::") {
        return Some((module.to_owned(), rest));
    }
    let (mut base, mut rest) = (module, text);
    while let Some(more) = rest.strip_prefix("super::") {
        base = base.rsplit_once("::").map_or("", |(above, _)| above);
        rest = more;
    }
    let first = text.split_once("::").map_or("", |(first, _)| first);
    let is_child = paths.contains(format!("{module}::{first}").as_str());
    (rest.len() < text.len() || is_child).then(|| (base.to_owned(), rest))
}

/// Every path of the code with the number of its line, and the re-exported names that the file itself uses.
fn used(path: &str, module: &Module, paths: &BTreeSet<&str>) -> Vec<(usize, String)> {
    let code = module.code.as_str();
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(c) = code[at..].chars().next() {
        let length = code[at..].find(|c: char| !c.is_alphanumeric() && c != '_');
        let end = at + length.unwrap_or(code.len() - at);
        if end == at {
            line += usize::from(c == '\n');
            at += c.len_utf8();
            continue;
        }
        let (before, word, after) = (&code[..at], &code[at..end], &code[end..]);
        let member = before.ends_with(':') || before.ends_with('.') && !before.ends_with("..");
        if !member && after.starts_with("::") && !before.ends_with("pub(in ") {
            let paths = leads_to(path, &code[at..], paths);
            found.extend(paths.into_iter().map(|path| (line, path)));
        }
        let called = after.starts_with('(') && !before.ends_with("fn ");
        if !member && module.exports.contains(word) && (called || word.starts_with(char::is_uppercase)) {
            found.push((line, module.names[word].clone()));
        }
        at = end;
    }
    found
}

/// The module that has what the path names.
fn home(path: &str, modules: &Modules) -> Option<String> {
    let mut path = path.to_owned();
    for _ in 0..HOPS {
        let parts: Vec<&str> = path.split("::").collect();
        let mut known = (1..=parts.len()).rev().map(|n| (n, parts[..n].join("::")));
        let (length, module) = known.find(|(_, module)| modules.contains_key(module))?;
        let next = parts.get(length).and_then(|name| modules[&module].names.get(*name));
        match next.filter(|next| **next != path) {
            Some(next) => path = next.clone(),
            None => return Some(module),
        }
    }
    None
}

/// Who uses whom, folder by folder. The crate's own folder has its layers.
fn folders(modules: &Modules) -> BTreeMap<String, Uses> {
    let paths: BTreeSet<&str> = modules.keys().map(String::as_str).collect();
    let mut folders: BTreeMap<String, Uses> = BTreeMap::new();
    for (path, module) in modules {
        for (line, target) in used(path, module, &paths) {
            let Some(target) = home(&target, modules).filter(|target| target != path) else {
                continue;
            };
            let (a, b): (Vec<&str>, Vec<&str>) = (path.split("::").collect(), target.split("::").collect());
            let common = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
            if common == 0 {
                continue;
            }
            let part = |of: &[&str]| of[..of.len().min(common + 1)].join("::");
            let uses = folders.entry(a[..common].join("::")).or_default();
            uses.entry((part(&a), part(&b))).or_insert_with(|| Use {
                from: module.file.clone(),
                line,
                to: modules[&target].file.clone(),
            });
        }
    }
    folders
}

/// The shortest way from one part of a folder back to another, by parts that come after that one by name.
fn way(uses: &Uses, from: &str, to: &str) -> Option<Vec<Use>> {
    let mut seen = BTreeSet::from([from]);
    let mut open = VecDeque::from([(from, Vec::new())]);
    while let Some((at, way)) = open.pop_front() {
        if at == to {
            return Some(way);
        }
        for ((_, next), step) in uses.iter().filter(|((part, _), _)| part == at) {
            let next = next.as_str();
            if next >= to && seen.insert(next) {
                open.push_back((next, [way.clone(), vec![step.clone()]].concat()));
            }
        }
    }
    None
}

/// A sentence for each circle, with the files that close it.
fn circles(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for uses in folders(&modules(sources)).values() {
        // Each once: from the part that comes first by name.
        for ((from, to), step) in uses.iter().filter(|((from, to), _)| from < to) {
            let Some(back) = way(uses, to, from) else { continue };
            let steps = std::iter::once(step).chain(&back);
            let steps: Vec<String> = steps.map(|s| format!("{}:{} uses {}", s.from, s.line, s.to)).collect();
            let steps = steps.join(", and ");
            found.push(format!("{steps}; move what both need to a file of its own."));
        }
    }
    found
}

#[test]
fn no_files_of_a_folder_use_each_other_in_a_circle() {
    let found = circles(&sources());
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

fn of(files: &[(&str, &str)]) -> Vec<String> {
    let source = |(file, text): &(&str, &str)| Source {
        file: (*file).to_owned(),
        module: file.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::"),
        text: (*text).to_owned(),
    };
    circles(&files.iter().map(source).collect::<Vec<_>>())
}

#[test]
fn two_files_of_a_folder_that_use_each_other_are_named() {
    let exports = "mod recover;\nmod stream;\npub use stream::{Chunk, Stream};\n";
    let wiring = ("spool/mod.rs", exports);
    let stream = ("spool/stream.rs", "//! Of recover.\nuse super::recover::Damaged;\n");
    let sentence = |line: usize| {
        format!(
            "spool/recover.rs:{line} uses spool/stream.rs, and spool/stream.rs:2 uses spool/recover.rs; move what both need to \
             a file of its own."
        )
    };
    let by = |text: &str| of(&[wiring, stream, ("spool/recover.rs", text)]);
    assert_eq!(by("use super::stream::Open;\n"), [sentence(1)]);
    assert_eq!(by("\nfn f() {\n    super::stream::cut();\n}\n"), [sentence(3)]);
    // By another name of it.
    assert_eq!(by("use super::{Chunk, stream_of};\n"), [sentence(1)]);
    assert_eq!(by("use std::io;\nuse crate::spool::Stream;\n"), [sentence(2)]);
    assert_eq!(by("// super::stream::Open\nuse std::io;\n"), [""; 0]);
    let tests = "#[cfg(test)]\nmod tests {\n    use super::super::stream::Open;\n}\n";
    assert_eq!(by(tests), [""; 0]);
}

#[test]
fn a_folder_counts_as_one_and_a_longer_circle_is_told_whole() {
    let found = of(&[
        ("host/a.rs", "use super::b::B;\n"),
        ("host/b/mod.rs", "mod inner;\n"),
        ("host/b/inner.rs", "use crate::host::c::C;\n"),
        ("host/c.rs", "use super::a::A;\n"),
    ]);
    let steps = "host/a.rs:1 uses host/b/mod.rs, and host/b/inner.rs:1 uses host/c.rs, and host/c.rs:1 uses host/a.rs";
    assert_eq!(found, [format!("{steps}; move what both need to a file of its own.")]);
}

#[test]
fn a_mod_rs_may_wire_and_may_call_but_not_call_whom_it_serves() {
    let child = ("forge/github.rs", "use super::Forge;\n");
    let by = |text: &str| of(&[("forge/mod.rs", text), child]);
    let wires = "mod github;\npub use github::GitHub;\npub trait Forge {}\n";
    assert_eq!(by(wires), [""; 0]);
    let calls = "forge/mod.rs:4 uses forge/github.rs, and forge/github.rs:1 uses forge/mod.rs";
    let sentence = format!("{calls}; move what both need to a file of its own.");
    for line in ["fn open() { github::open() }", "fn open() -> GitHub {}"] {
        assert_eq!(by(&format!("{wires}{line}\n")), [sentence.as_str()], "{line}");
    }
    let test = "#[cfg(test)]\nmod github;\npub trait Forge {}\nfn open() { github::open() }\n";
    assert_eq!(by(test), [""; 0]);
}
