//! What a build is made with, beside its own files: the same source built by another compiler is another program.

use std::ffi::OsString;

use super::manifest::Requires;
use crate::program::{self, find_command};

/// Those of `requires.commands` that make programs: the program that says which version it is, and how it is asked. Its first line
/// is taken.
const COMPILERS: [(&str, &str, &[&str]); 21] = [
    ("cc", "cc", &["--version"]),
    ("gcc", "gcc", &["--version"]),
    ("clang", "clang", &["--version"]),
    ("c++", "c++", &["--version"]),
    ("g++", "g++", &["--version"]),
    ("clang++", "clang++", &["--version"]),
    ("rustc", "rustc", &["--version"]),
    ("cargo", "rustc", &["--version"]),
    ("go", "go", &["version"]),
    ("java", "java", &["--version"]),
    ("javac", "javac", &["--version"]),
    ("node", "node", &["--version"]),
    ("python3", "python3", &["--version"]),
    ("ruby", "ruby", &["--version"]),
    ("dotnet", "dotnet", &["--version"]),
    ("zig", "zig", &["version"]),
    ("ghc", "ghc", &["--version"]),
    ("swift", "swift", &["--version"]),
    // What it prints of itself begins with the version of Erlang alone.
    ("elixir", "elixir", &["-e", ELIXIR]),
    ("mix", "elixir", &["-e", ELIXIR]),
    ("bun", "bun", &["--version"]),
];
const ELIXIR: &str = "IO.puts(System.version() <> \" \" <> System.otp_release())";
/// Variables that compilers and build tools read, and the beginnings of such.
const VARIABLES: [&str; 9] = [
    "CFLAGS",
    "CPPFLAGS",
    "CXXFLAGS",
    "GOFLAGS",
    "LDFLAGS",
    "MIX_ENV",
    "NODE_ENV",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
];
const VARIABLES_BEGIN: [&str; 3] = ["CARGO_BUILD_", "CARGO_PROFILE_", "CGO_"];

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
        let (_, program, question) = COMPILERS.iter().find(|(name, ..)| name == command)?;
        Some(format!("{command} {}", first(program, question)))
    });
    let libraries = requires
        .pkg_config
        .iter()
        .map(|name| format!("{name} {}", first("pkg-config", &["--modversion", "--", name])));
    compilers.chain(libraries).collect()
}

/// A line for each variable that is set and changes what a build makes.
pub fn environment(variables: impl Iterator<Item = (OsString, OsString)>) -> Vec<String> {
    let matters = |name: &str| VARIABLES.contains(&name) || VARIABLES_BEGIN.iter().any(|begin| name.starts_with(begin));
    let mut lines: Vec<String> = variables
        .filter(|(name, value)| !value.is_empty() && name.to_str().is_some_and(matters))
        .map(|(name, value)| format!("{}={}", name.display(), value.display()))
        .collect();
    lines.sort();
    lines
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

    #[test]
    fn a_program_that_drives_a_compiler_is_asked_for_the_compilers_version() {
        let requires = Requires {
            commands: ["cargo", "mix", "node"].map(str::to_owned).to_vec(),
            ..Requires::default()
        };
        let ask = |command: &str, _: &[&str]| Some(format!("{command} 1\n"));
        assert_eq!(
            lines_of(&requires, ask),
            ["cargo rustc 1", "mix elixir 1", "node node 1"]
        );
    }

    #[test]
    fn variables_that_change_a_program_are_looked_at_and_no_others() {
        let set = |all: &[(&str, &str)]| {
            let variables: Vec<(OsString, OsString)> = all.iter().map(|(n, v)| (n.into(), v.into())).collect();
            environment(variables.into_iter())
        };
        let all = [
            ("RUSTFLAGS", "-C target-cpu=native"),
            ("HOME", "/root"),
            ("CFLAGS", ""),
            ("CGO_ENABLED", "0"),
        ];
        assert_eq!(set(&all), ["CGO_ENABLED=0", "RUSTFLAGS=-C target-cpu=native"]);
        assert!(set(&[("PATH", "/bin"), ("CARGO_HOME", "/x")]).is_empty());
    }
}
