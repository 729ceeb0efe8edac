//! What kind of program a folder holds, and how such a program is built and run. One file for each kind.

mod cargo;
mod executable;
mod go;
mod java;
mod make;
mod node;
mod python;
#[cfg(test)]
mod tests;

use std::path::Path;

use super::listening::Listening;
use super::sources::Sources;

pub const LOOKED_FOR: &str = "Cargo.toml, go.mod, pom.xml, build.gradle, package.json, pyproject.toml, requirements.txt, \
                              CMakeLists.txt, Makefile, Python script or single executable file";

#[derive(Debug, Clone, Default)]
pub struct Project {
    /// One sentence.
    pub found: String,
    pub language: String,
    pub license: Option<String>,
    /// It compiles while it runs.
    pub jit: bool,
    /// Where the default is too short for it to start.
    pub ready_within_s: Option<u32>,
    /// What must be installed, and the packages that bring it.
    pub commands: Vec<&'static str>,
    pub debian: Vec<&'static str>,
    pub homebrew: Vec<&'static str>,
    /// The whole command for macOS, where more is to be done than `brew install`.
    pub macos: Option<String>,
    pub steps: Vec<Vec<String>>,
    /// Without where it listens.
    pub command: Vec<String>,
    pub env: Vec<(String, String)>,
    /// Where it is known without a look at the sources.
    pub listening: Option<Listening>,
    /// A sentence each.
    pub checks: Vec<String>,
}

/// The first kind that fits, in this order: what builds a program comes before what merely runs one.
pub fn look(folder: &Path, name: &str, sources: &Sources) -> Option<Project> {
    let here = Folder { path: folder, name };
    type Look = fn(&Folder<'_>, &Sources) -> Option<Project>;
    let kinds: [(&str, Look); 8] = [
        ("Cargo.toml", |f, _| cargo::look(f)),
        ("go.mod", go::look),
        ("pom.xml", |f, _| java::maven(f)),
        ("build.gradle", |f, _| java::gradle(f)),
        ("package.json", |f, _| node::look(f)),
        ("", python::look),
        ("", |f, _| make::look(f)),
        ("", |f, _| executable::look(f)),
    ];
    let (mut found, by) = kinds
        .iter()
        .find_map(|(file, look)| Some((look(&here, sources)?, *file)))?;
    let others = kinds.iter().map(|(file, _)| *file);
    let others: Vec<&str> = others
        .filter(|file| *file != by && !file.is_empty() && here.has(file))
        .collect();
    if !others.is_empty() {
        let what = others.join(" and ");
        found
            .checks
            .push(format!("There is a {what} too, which was not looked at."));
    }
    if found.license.is_none() {
        found.license = here.license();
    }
    Some(found)
}

pub(super) struct Folder<'a> {
    path: &'a Path,
    name: &'a str,
}

impl Folder<'_> {
    fn has(&self, name: &str) -> bool {
        self.path.join(name).is_file()
    }

    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path.join(name)).ok()
    }

    /// Names of the files at the top, sorted.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.path().is_file());
        let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// Names of the folders in a folder, sorted.
    fn folders(&self, within: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path.join(within))
            .into_iter()
            .flatten()
            .flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        let mut names: Vec<String> = folders
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort();
        names
    }

    /// By the first words of the license's own text.
    fn license(&self) -> Option<String> {
        let file = self.files().into_iter().find(|name| {
            let name = name.to_uppercase();
            name.starts_with("LICEN") || name.starts_with("COPYING")
        })?;
        let text = self.read(&file)?;
        let begin: String = text
            .chars()
            .take(600)
            .collect::<String>()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let known = [
            ("MIT License", "MIT"),
            ("Permission is hereby granted, free of charge", "MIT"),
            ("Apache License Version 2.0", "Apache-2.0"),
            ("Mozilla Public License Version 2.0", "MPL-2.0"),
            ("GNU AFFERO GENERAL PUBLIC LICENSE Version 3", "AGPL-3.0"),
            ("GNU GENERAL PUBLIC LICENSE Version 3", "GPL-3.0"),
            ("GNU GENERAL PUBLIC LICENSE Version 2", "GPL-2.0"),
            ("Redistribution and use in source and binary forms", "BSD"),
        ];
        known
            .iter()
            .find(|(words, _)| begin.contains(words))
            .map(|(_, id)| (*id).to_owned())
    }
}

pub(super) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Braces are placeholders in a server.toml, so a name with one cannot stand in it.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['{', '}'])
}

/// What is certain without a look at the sources.
pub(super) fn told(arguments: &[&str], found: &str) -> Option<Listening> {
    Some(Listening {
        arguments: words(arguments),
        env: Vec::new(),
        found: found.to_owned(),
        advice: String::new(),
        certain: true,
    })
}
