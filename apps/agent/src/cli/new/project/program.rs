//! What a folder holds, and how it is built and run.

use super::super::listening::Listening;

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

pub fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Braces are placeholders in a server.toml, so a name with one cannot stand in it.
pub fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['{', '}'])
}

/// What is certain without a look at the sources.
pub fn told(arguments: &[&str], found: &str) -> Option<Listening> {
    Some(Listening {
        arguments: words(arguments),
        env: Vec::new(),
        found: found.to_owned(),
        advice: String::new(),
        certain: true,
    })
}
