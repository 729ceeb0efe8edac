//! cobra of Go: a command for each subcommand, which is added to the one above it.

use super::super::sources::{Source, Sources};
use super::place::{Place, last_name, quoted};

const MADE: &str = "&cobra.Command{";
/// From the flags of a command to a flag's name.
const FAR: usize = 80;

pub fn places(sources: &Sources, source: &Source, flag: &str) -> Vec<Place> {
    let text = &source.text;
    let quoted = format!("\"{flag}\"");
    let of_flag = text.match_indices(&quoted).filter_map(|(at, _)| {
        let flags = text[..at].rfind("Flags().").filter(|flags| at - flags < FAR)?;
        let call = &text[flags + "Flags().".len()..at];
        (call.contains('(') && !call.contains(')')).then_some(flags)
    });
    of_flag.map(|flags| place_of(sources, text, flags)).collect()
}

fn place_of(sources: &Sources, text: &str, flags: usize) -> Place {
    let before = text[..flags].trim_end_matches("Persistent").strip_suffix('.')?;
    let command = last_name(before);
    let function = function_of(before);
    let all = added(sources);
    let Some(own) = all.iter().find(|added| added.name == command || added.name == function) else {
        // The program's own command: it serves, or it is only above those that do.
        let serves = use_of(sources, command).is_none_or(|(_, runs)| runs);
        return (all.is_empty() || serves).then(Vec::new);
    };
    let is_below = all.iter().any(|added| added.name == own.to || added.name == own.within);
    let word = match own.name == function {
        true => used_as(&before[before.rfind(MADE)?..]),
        false => use_of(sources, command).map(|(word, _)| word),
    }?;
    (!is_below).then(|| vec![word])
}

/// The function that the end of the text is in, as it is called.
fn function_of(text: &str) -> String {
    let begin = text.rsplit_once("\nfunc ").map_or("", |(_, rest)| rest);
    format!("{}()", begin.split('(').next().unwrap_or_default())
}

/// A command that is added to another one.
struct Added {
    /// Of a variable, or of the function that makes it.
    name: String,
    to: String,
    /// In this function.
    within: String,
}

fn added(sources: &Sources) -> Vec<Added> {
    let go = sources.0.iter().filter(|source| source.path.ends_with(".go"));
    let of_source = |source: &Source| -> Vec<Added> {
        let text = &source.text;
        let calls = text.match_indices(".AddCommand(").flat_map(|(at, call)| {
            let arguments = arguments(&text[at + call.len()..]);
            let added = |name: String| Added {
                name,
                to: last_name(&text[..at]).to_owned(),
                within: function_of(&text[..at]),
            };
            arguments.into_iter().map(added).collect::<Vec<_>>()
        });
        calls.collect()
    };
    go.flat_map(of_source).collect()
}

/// Up to the end of a call. One of another package, and a call with what it is given, is the same command.
fn arguments(text: &str) -> Vec<String> {
    let mut open = 0;
    let end = text.find(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open < 0
    });
    let each = text[..end.unwrap_or(text.len())].split(',').map(str::trim);
    let name = |argument: &str| {
        let (path, call) = argument
            .split_once('(')
            .map_or((argument, ""), |(path, _)| (path, "()"));
        format!("{}{call}", last_name(path))
    };
    each.map(name).collect()
}

/// What the command of this name is used as, and whether it runs by itself.
fn use_of(sources: &Sources, name: &str) -> Option<(String, bool)> {
    let go = sources.0.iter().filter(|source| source.path.ends_with(".go"));
    let mut made = go.flat_map(|source| {
        let text = &source.text;
        text.match_indices(MADE).filter_map(move |(at, _)| {
            let given = text[..at]
                .trim_end()
                .strip_suffix('=')?
                .trim_end_matches(':')
                .trim_end();
            (last_name(given) == name).then_some(&text[at..])
        })
    });
    let text = made.next()?;
    let body = literal(text);
    let runs = body.contains("Run:") || body.contains("RunE:");
    Some((used_as(text)?, runs))
}

/// Up to the brace that ends it.
fn literal(text: &str) -> &str {
    let mut open = 0;
    let end = text.find(|c| {
        open += i32::from(c == '{') - i32::from(c == '}');
        c == '}' && open == 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// The first word of `Use`.
fn used_as(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("Use:")?;
    let rest = rest.trim_start();
    let word = rest.starts_with(['"', '`']).then(|| quoted(rest)).flatten()?;
    word.split_whitespace().next().map(str::to_owned)
}
