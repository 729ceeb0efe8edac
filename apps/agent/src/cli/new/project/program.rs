//! What a folder holds, and how it is built and run.

use super::super::listening::{self, Listening};
use super::super::sources::Sources;

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
    /// Sources of other programs in the folder, by their paths: they do not say where this one listens.
    pub of_others: Vec<String>,
    /// A sentence each.
    pub checks: Vec<String>,
}

impl Project {
    /// Where it listens, by its own sources where nothing else says it.
    pub fn listens(&self, sources: &Sources) -> Listening {
        let mut listening = match &self.listening {
            Some(listening) => return listening.clone(),
            None => listening::look(sources),
        };
        // A script may have the subcommand already.
        let is_word = |word: &&String| !word.starts_with(['-', '{']);
        let words = listening.arguments.iter().take_while(is_word).count();
        let subcommand = &listening.arguments[..words];
        if words > 0 && self.command.windows(words).any(|said| said == subcommand) {
            listening.arguments.drain(..words);
        }
        listening
    }
}

pub fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub fn pairs(env: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    env.iter().map(owned).collect()
}

/// A command in each line, which has no spaces within an argument.
pub fn commands(lines: &[&str]) -> Vec<Vec<String>> {
    let split = |line: &&str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    lines.iter().map(split).collect()
}

/// Braces are placeholders in a server.toml, so a name with one cannot stand in it.
pub fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['{', '}'])
}

/// What stands before a command that is started in this place, and not in the empty folder of a server.
pub fn in_folder(place: &str) -> Vec<String> {
    words(&["sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", place])
}

/// What is certain without a look at the sources: behind the command, or in the environment.
pub fn told(arguments: &[&str], found: &str) -> Option<Listening> {
    told_by(arguments, &[], found)
}

pub fn told_by(arguments: &[&str], env: &[(&str, &str)], found: &str) -> Option<Listening> {
    Some(Listening {
        arguments: words(arguments),
        env: pairs(env),
        port: None,
        found: found.to_owned(),
        advice: String::new(),
        certain: true,
    })
}
