//! argparse of Python: a parser of its own for each subcommand.

use super::super::sources::{Source, Sources};
use super::place::{Place, is_quoted, last_name, quoted};

/// Groups of one parser.
const MOST_GROUPS: usize = 3;

pub fn places(sources: &Sources, source: &Source, flag: &str) -> Vec<Place> {
    let python = || sources.0.iter().filter(|source| source.path.ends_with(".py"));
    let has = |word: &str| python().any(|source| source.squeezed.contains(word));
    if !has("add_subparsers(") {
        return Vec::new();
    }
    let needed = has(".required=True") || has("required=True)") && python().any(wants_subcommand);
    let flag = format!("--{flag}");
    let text = &source.text;
    let calls = text.match_indices(".add_argument(");
    let of_flag = calls.filter(|(at, call)| {
        let arguments = text[at + call.len()..].split([',', ')']);
        let mut names = arguments.take_while(|argument| argument.trim_start().starts_with(['"', '\'']));
        names.any(|name| is_quoted(name, &flag))
    });
    let place = |at: usize| of_parser(&text[..at], last_name(&text[..at]), needed, MOST_GROUPS);
    of_flag.map(|(at, _)| place(at)).collect()
}

fn wants_subcommand(source: &Source) -> bool {
    let calls = source.squeezed.split("add_subparsers(").skip(1);
    calls
        .filter_map(|rest| rest.split(')').next())
        .any(|arguments| arguments.contains("required=True"))
}

/// By the last line above that makes the parser.
fn of_parser(above: &str, name: &str, needed: bool, most: usize) -> Place {
    let made = above.lines().rev().find_map(|line| {
        let (given, value) = line.split_once('=')?;
        // It may be an attribute, such as `self.parser`, and have its type behind it.
        let given = given.split(':').next()?.trim();
        (last_name(given) == name).then_some(value)
    })?;
    if made.contains("ArgumentParser(") {
        return (!needed).then(Vec::new);
    }
    if let Some((_, arguments)) = made.split_once(".add_parser(") {
        // The name may stand in the next line.
        let rest = above.rfind(made).map_or(arguments, |at| &above[at..]);
        let rest = rest.split_once(".add_parser(")?.1.trim_start();
        return rest
            .starts_with(['"', '\''])
            .then(|| quoted(rest).map(|name| vec![name.to_owned()]))?;
    }
    let (parser, _) = made
        .split_once(".add_argument_group(")
        .or_else(|| made.split_once(".add_mutually_exclusive_group("))?;
    of_parser(above, parser.trim(), needed, most.checked_sub(1)?)
}
