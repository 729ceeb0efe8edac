//! commander of Node.js: `.command('serve')` with its options behind it.

use super::super::sources::Source;
use super::place::{Place, last_name, quoted};

/// What ends a command's options where no semicolon does.
const ENDS: [&str; 4] = [";", ".action(", ".parse(", ".parseAsync("];

pub fn places(source: &Source, flag: &str) -> Vec<Place> {
    let text = &source.text;
    let flag = format!("--{flag}");
    let calls = [".option(", ".requiredOption(", "new Option("];
    let all = calls.iter().flat_map(|call| text.match_indices(call));
    let options = all.filter(|(at, option)| {
        let rest = text[at + option.len()..].trim_start();
        let names = quoted(rest).filter(|_| rest.starts_with(['"', '\'', '`']));
        names.is_some_and(|names| names.split([' ', ',', '=']).any(|name| name == flag))
    });
    let place = |at: usize| -> Place {
        if let Some(made) = made(text, last_name(&text[..at])) {
            return made;
        }
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

/// What a variable holds, where an option is added to one.
fn made(text: &str, variable: &str) -> Option<Place> {
    if variable.is_empty() {
        return None;
    }
    let assigned = [format!("{variable} = "), format!("{variable}=")];
    let value = assigned.iter().find_map(|begin| text.split_once(begin.as_str()))?.1;
    let statement = value.split([';', '\n']).next().unwrap_or(value);
    match statement.split_once(".command(") {
        Some((_, name)) => Some(quoted(name).and_then(|name| Some(vec![name.split_whitespace().next()?.to_owned()]))),
        None if statement.contains("Command(") || statement.contains("require(") => Some(Some(Vec::new())),
        None => Some(None),
    }
}
