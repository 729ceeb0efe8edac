//! A folder that may hold a program.

use std::path::Path;

/// What is read here is written by hand; anything larger is something else.
const MOST_BYTES: u64 = 1 << 20;

pub struct Folder<'a> {
    pub path: &'a Path,
    pub name: &'a str,
}

impl Folder<'_> {
    pub fn has(&self, name: &str) -> bool {
        self.path.join(name).is_file()
    }

    pub fn read(&self, name: &str) -> Option<String> {
        let path = self.path.join(name);
        let is_read = std::fs::metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() <= MOST_BYTES);
        is_read.then(|| std::fs::read_to_string(path).ok()).flatten()
    }

    /// Names of the files at the top, sorted.
    pub fn files(&self) -> Vec<String> {
        self.files_in("")
    }

    pub fn files_in(&self, within: &str) -> Vec<String> {
        self.names(within, Path::is_file)
    }

    /// Names of the folders in a folder, sorted.
    pub fn folders(&self, within: &str) -> Vec<String> {
        self.names(within, Path::is_dir)
    }

    fn names(&self, within: &str, wanted: fn(&Path) -> bool) -> Vec<String> {
        let entries = std::fs::read_dir(self.path.join(within))
            .into_iter()
            .flatten()
            .flatten();
        let found = entries.filter(|entry| wanted(&entry.path()));
        let mut names: Vec<String> = found.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    /// By the first words of the license's own text.
    pub fn license(&self) -> Option<String> {
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
