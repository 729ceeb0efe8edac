//! CMake and make.

use super::folder::Folder;
use super::program::{Project, is_plain, words};

pub fn look(folder: &Folder<'_>) -> Option<Project> {
    cmake(folder).or_else(|| make(folder))
}

fn cmake(folder: &Folder<'_>) -> Option<Project> {
    let text = folder.read("CMakeLists.txt")?;
    let made = text
        .match_indices("add_executable(")
        .map(|(at, found)| &text[at + found.len()..]);
    let names: Vec<&str> = made
        .filter_map(|rest| rest.split([' ', '\n', ')', '\t']).find(|word| !word.is_empty()))
        .collect();
    let (program, check) = chosen(&names, folder.name);
    Some(Project {
        found: format!("A CMake project; its program is {program}."),
        language: language(folder),
        commands: vec!["cmake", "make", "c++"],
        debian: vec!["build-essential", "cmake"],
        homebrew: vec!["cmake"],
        steps: vec![
            words(&[
                "cmake",
                "-S",
                "{server_dir}",
                "-B",
                "{build_dir}",
                "-DCMAKE_BUILD_TYPE=Release",
            ]),
            words(&["cmake", "--build", "{build_dir}"]),
        ],
        command: vec![format!("{{build_dir}}/{program}")],
        checks: check.into_iter().collect(),
        ..Project::default()
    })
}

fn make(folder: &Folder<'_>) -> Option<Project> {
    let text = ["Makefile", "makefile", "GNUmakefile"]
        .into_iter()
        .find_map(|name| folder.read(name))?;
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

/// The first name, and what to check where it is not certain.
fn chosen(names: &[&str], otherwise: &str) -> (String, Option<String>) {
    match names
        .iter()
        .copied()
        .filter(|name| is_plain(name))
        .collect::<Vec<_>>()
        .as_slice()
    {
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
    let files = [folder.files(), within(folder, "src")].concat();
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

fn within(folder: &Folder<'_>, place: &str) -> Vec<String> {
    let inner = folder.path.join(place);
    let name = folder.name;
    Folder { path: &inner, name }.files()
}
