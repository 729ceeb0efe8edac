//! CMake and make.

use super::super::server_name::is_server;
use super::folder::Folder;
use super::program::{Project, commands, is_plain, words};

pub fn look(folder: &Folder<'_>) -> Option<Project> {
    cmake(folder).or_else(|| make(folder))
}

fn cmake(folder: &Folder<'_>) -> Option<Project> {
    let top = folder.read("CMakeLists.txt")?.replace(" (", "(");
    let below = behind(&top, "add_subdirectory(").filter(|place| !place.contains("test"));
    let below = below.filter_map(|place| folder.read(&format!("{place}/CMakeLists.txt")));
    let text = std::iter::once(top.clone())
        .chain(below)
        .collect::<String>()
        .replace(" (", "(");
    let project = behind(&top, "project(").next().unwrap_or_default();
    let names: Vec<&str> = behind(&text, "add_executable(")
        .map(|name| match name {
            "${PROJECT_NAME}" | "${CMAKE_PROJECT_NAME}" => project,
            name => name,
        })
        .collect();
    let (program, check) = chosen(&names, folder.name);
    Some(Project {
        found: format!("A CMake project; its program is {program}."),
        language: language(folder),
        commands: vec!["cmake", "make", "c++"],
        debian: vec!["build-essential", "cmake"],
        homebrew: vec!["cmake"],
        // Wherever its own CMakeLists.txt is.
        steps: commands(&[
            "cmake -S {server_dir} -B {build_dir} -DCMAKE_BUILD_TYPE=Release -DCMAKE_RUNTIME_OUTPUT_DIRECTORY={build_dir}/bin",
            "cmake --build {build_dir}",
        ]),
        command: vec![format!("{{build_dir}}/bin/{program}")],
        checks: check.into_iter().collect(),
        ..Project::default()
    })
}

/// The words right behind that one.
fn behind<'a>(text: &'a str, word: &'static str) -> impl Iterator<Item = &'a str> {
    let rests = text
        .match_indices(word)
        .map(move |(at, found)| &text[at + found.len()..]);
    rests.filter_map(|rest| rest.split([' ', '\n', ')', '\t']).find(|word| !word.is_empty()))
}

fn make(folder: &Folder<'_>) -> Option<Project> {
    let text = ["Makefile", "makefile", "GNUmakefile"]
        .into_iter()
        .find_map(|name| folder.read(name))?;
    let text = filled_in(text);
    // What a compiler is told to write, then what is made first; targets that are only names come last.
    let linked = text
        .lines()
        .filter_map(|line| line.split_once(" -o ")?.1.split_whitespace().next());
    let targets = text
        .lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#', '.']))
        .filter_map(|line| {
            let (target, rest) = line.split_once(':')?;
            (!rest.starts_with('=')).then(|| target.trim())
        });
    let is_file = |name: &&str| {
        let only_a_name = ["all", "build", "clean", "install", "test", "run", "check", "release"].contains(name);
        !only_a_name && !name.contains(['$', '%', ' ', '=', '@']) && !name.ends_with(".o")
    };
    let names: Vec<&str> = linked.chain(targets).filter(is_file).collect();
    let (program, check) = chosen(names.get(..1).unwrap_or_default(), folder.name);
    let made = format!("{{server_dir}}/{program}");
    let sure = format!("`make` is taken to make {program}; see build.steps and run.command.");
    Some(Project {
        found: format!("A Makefile; its program is {program}."),
        language: language(folder),
        commands: vec!["make", "cc"],
        debian: vec!["build-essential"],
        steps: vec![words(&["make"]), words(&["cp", &made, "{build_dir}/server"])],
        command: words(&["{build_dir}/server"]),
        checks: vec![check.unwrap_or(sure)],
        ..Project::default()
    })
}

/// The most of a Makefile that is filled in: one whose variables double each other would never end.
const MOST_BYTES: usize = 1 << 20;
const MOST_VARIABLES: usize = 200;
const MOST_VALUE_BYTES: usize = 100;

/// Its variables, such as `TARGET = server`, where they are used. The last first: each may have those before it in its value.
fn filled_in(text: String) -> String {
    let set: Vec<(String, String)> = text
        .lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#']))
        .filter_map(|line| {
            let (name, value) = line.split_once('=')?;
            let name = name.trim_end_matches([':', '?', '+']).trim();
            let value = value.split('#').next().unwrap_or_default().trim();
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            (is_name && value.len() <= MOST_VALUE_BYTES).then(|| (name.to_owned(), value.to_owned()))
        })
        .take(MOST_VARIABLES)
        .collect();
    set.iter().rev().fold(text, |text, (name, value)| {
        if text.len() > MOST_BYTES {
            return text;
        }
        text.replace(&format!("$({name})"), value)
            .replace(&format!("${{{name}}}"), value)
    })
}

/// One of the names, and what to check where it is not certain.
fn chosen(names: &[&str], otherwise: &str) -> (String, Option<String>) {
    let mut plain: Vec<&str> = names.iter().copied().filter(|name| is_plain(name)).collect();
    plain.sort_by_key(|name| !is_server(name));
    match plain.as_slice() {
        [] => {
            let check = format!("Nothing says what the build makes; {otherwise} was written into server.toml.");
            (otherwise.to_owned(), Some(check))
        }
        [only] => ((*only).to_owned(), None),
        [first, others @ ..] => {
            let check = format!(
                "The build makes several programs; {first} was taken, not {}.",
                others.join(" or ")
            );
            ((*first).to_owned(), Some(check))
        }
    }
}

fn language(folder: &Folder<'_>) -> String {
    let files = [folder.files(), folder.files_in("src")].concat();
    let has = |endings: &[&str]| {
        files
            .iter()
            .any(|name| endings.iter().any(|ending| name.ends_with(ending)))
    };
    let language = if has(&[".cpp", ".cc", ".cxx", ".hpp"]) {
        "C++"
    } else if has(&[".zig"]) {
        "Zig"
    } else if has(&[".s", ".S", ".asm"]) && !has(&[".c"]) {
        "Assembly"
    } else {
        "C"
    };
    language.to_owned()
}
