//! commander of Node.js: `.command('serve')` with its options behind it.

use super::super::sources::Source;
use super::{Place, quoted};

/// What ends a command's options where no semicolon does.
const ENDS: [&str; 4] = [";", ".action(", ".parse(", ".parseAsync("];

pub fn places(source: &Source, flag: &str) -> Vec<Place> {
    let text = &source.text;
    let flag = format!("--{flag}");
    let options = text.match_indices("ption(").filter(|(at, option)| {
        let rest = text[at + option.len()..].trim_start();
        let names = quoted(rest).filter(|_| rest.starts_with(['"', '\'', '`']));
        names.is_some_and(|names| names.split([' ', ',', '=']).any(|name| name == flag))
    });
    let place = |at: usize| -> Place {
        let Some((before, rest)) = text[..at].rsplit_once(".command(") else {
            return Some(Vec::new());
        };
        // A default one needs not be named.
        if ENDS.iter().any(|end| rest.contains(end)) || rest.contains("isDefault: true") {
            return Some(Vec::new());
        }
        let rest = rest.trim_start();
        let word = rest.starts_with(['"', '\'', '`']).then(|| quoted(rest)).flatten()?;
        // Below another command it has more than one word.
        let is_below = before.ends_with("Command") || before.ends_with("Cmd");
        let word = word.split_whitespace().next().filter(|_| !is_below)?;
        Some(vec![word.to_owned()])
    };
    options.map(|(at, _)| place(at)).collect()
}
