//! What a build is made with, beside its own files: the same source built by another compiler is another program.

use super::manifest::Requires;
use crate::program::{self, find_command};

/// Those of `requires.commands` that make programs, and how each is asked what it is.
const COMPILERS: [(&str, &str); 10] = [
    ("cc", "--version"),
    ("gcc", "--version"),
    ("clang", "--version"),
    ("c++", "--version"),
    ("g++", "--version"),
    ("clang++", "--version"),
    ("rustc", "--version"),
    ("go", "version"),
    ("java", "--version"),
    ("javac", "--version"),
];

/// A line for each compiler and each library of pkg-config that the server asks for.
pub fn lines(requires: &Requires) -> Vec<String> {
    lines_of(requires, |command, arguments| {
        program::ask(&find_command(command)?, arguments)
    })
}

fn lines_of(requires: &Requires, ask: impl Fn(&str, &[&str]) -> Option<String>) -> Vec<String> {
    let first = |command: &str, arguments: &[&str]| {
        let printed = ask(command, arguments).unwrap_or_default();
        printed.lines().next().unwrap_or_default().trim().to_owned()
    };
    let compilers = requires.commands.iter().filter_map(|command| {
        let (_, question) = COMPILERS.iter().find(|(name, _)| name == command)?;
        Some(format!("{command} {}", first(command, &[question])))
    });
    let libraries = requires
        .pkg_config
        .iter()
        .map(|name| format!("{name} {}", first("pkg-config", &["--modversion", "--", name])));
    compilers.chain(libraries).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_and_libraries_are_asked_and_nothing_else_is() {
        let requires = Requires {
            commands: ["cc", "make", "nginx"].map(str::to_owned).to_vec(),
            pkg_config: vec!["libuv".to_owned()],
            ..Requires::default()
        };
        let ask = |command: &str, arguments: &[&str]| match (command, arguments.last()) {
            ("cc", Some(&"--version")) => Some("cc (Debian) 14.2.0\nCopyright\n".to_owned()),
            ("pkg-config", Some(&"libuv")) => Some("1.50.0\n".to_owned()),
            other => panic!("{other:?} was asked"),
        };
        assert_eq!(lines_of(&requires, ask), ["cc cc (Debian) 14.2.0", "libuv 1.50.0"]);
        assert!(lines(&requires)[0].len() > "cc ".len(), "cc says what it is");
    }
}
