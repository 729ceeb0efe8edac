//! Click of Python: a function with decorators for each subcommand of a group.

use super::super::sources::{Source, Sources};
use super::place::{Place, quoted};

/// Click takes them from the name of a function, from 8.2 on.
const TAKEN_OFF: [&str; 4] = ["_command", "_cmd", "_group", "_grp"];

pub fn places(sources: &Sources, source: &Source, flag: &str) -> Vec<Place> {
    let python = || sources.0.iter().filter(|source| source.path.ends_with(".py"));
    let is_group = |line: &&str| decorated(line, ".group").is_some();
    let groups: usize = python()
        .map(|source| source.text.lines().filter(is_group).count())
        .sum();
    if groups == 0 {
        return Vec::new();
    }
    let added = |name: &str| {
        let call = format!("add_command({name}");
        python().any(|source| source.squeezed.contains(&call))
    };
    let lines: Vec<&str> = source.text.lines().collect();
    let flags = ["\"", "'"].map(|quote| format!("{quote}--{flag}{quote}"));
    let begins: Vec<usize> = (0..lines.len())
        .filter(|at| lines[*at].trim_start().starts_with('@'))
        .collect();
    let is_option = |at: &&usize| {
        // Its arguments may stand in the lines behind it.
        let end = (**at + 1..lines.len())
            .find(|end| !lines[*end].starts_with([' ', '\t', ')']))
            .unwrap_or(lines.len());
        let next = begins.iter().copied().find(|next| next > *at).unwrap_or(end);
        let text = lines[**at..end.min(next)].concat();
        text.contains(".option(") && flags.iter().any(|flag| text.contains(flag))
    };
    let of_option = |at: &usize| -> Place {
        let is_function =
            |line: &&str| line.trim_start().starts_with("def ") || line.trim_start().starts_with("async def ");
        let function = (*at..lines.len()).find(|at| is_function(&lines[*at]))?;
        let name = lines[function].split_once("def ")?.1.split('(').next()?.trim();
        let above = (0..*at)
            .rev()
            .take_while(|at| !lines[*at].trim().is_empty() && !is_function(&lines[*at]));
        let first = above.last().unwrap_or(*at);
        let own = &lines[first..function];
        let command = own.iter().find_map(|line| decorated(line, ".command"));
        let Some((group, arguments)) = command else {
            let alone = own.iter().any(|line| line.contains("invoke_without_command=True"));
            return alone.then(Vec::new);
        };
        if group == "click" && !added(name) {
            return Some(Vec::new());
        }
        let is_given = arguments.starts_with(['"', '\'']);
        let given = quoted(arguments).filter(|_| is_given);
        let unsure = groups > 1 || (given.is_none() && TAKEN_OFF.iter().any(|ending| name.ends_with(ending)));
        let word = given.map_or_else(|| name.to_lowercase().replace('_', "-"), str::to_owned);
        (!unsure).then(|| vec![word])
    };
    begins.iter().filter(is_option).map(of_option).collect()
}

/// What the decorator is of, and its arguments.
fn decorated<'a>(line: &'a str, by: &str) -> Option<(&'a str, &'a str)> {
    let (of, rest) = line.trim_start().strip_prefix('@')?.split_once(by)?;
    let arguments = rest
        .strip_prefix('(')
        .or_else(|| rest.trim().is_empty().then_some(""))?;
    Some((of, arguments))
}
