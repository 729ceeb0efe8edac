//! The subcommand that takes a flag: without it in the command, the program refuses the flag.

mod argparse;
pub mod clap;
mod click;
mod cobra;
mod commander;
mod place;

use super::server_name::is_server;
use super::sources::{Source, Sources};
use place::Place;

#[derive(Debug, PartialEq, Eq)]
pub struct Subcommand {
    /// One word, or more where one is below another.
    pub words: Vec<String>,
    pub certain: bool,
}

/// Which of them serves, where several take the flag.
const SERVES: [&str; 4] = ["listen", "run", "start", "up"];

/// Of a flag that the source takes, and others of its language with it.
pub fn of_flag(sources: &Sources, source: &str, flag: &str) -> Subcommand {
    chosen(places(sources, source, flag))
}

/// Does the same subcommand take this flag?
pub fn takes(sources: &Sources, source: &str, flag: &str, subcommand: &Subcommand) -> bool {
    let places = places(sources, source, flag);
    let same = |place: &Place| place.as_ref() == Some(&subcommand.words);
    places.is_empty() || places.iter().any(same)
}

/// Of a variable that clap reads where the flag is not given.
pub fn of_variable(sources: &Sources, name: &str) -> Subcommand {
    let of_source = |source| clap::places_of_variable(sources, source, name);
    chosen(sources.0.iter().flat_map(of_source).collect())
}

fn places(sources: &Sources, path: &str, flag: &str) -> Vec<Place> {
    let ending = ending(path);
    let look: fn(&Sources, &Source, &str) -> Vec<Place> = match ending {
        "rs" => clap::places_of_flag,
        "py" => |sources, source, flag| {
            let places = argparse::places(sources, source, flag);
            [places, click::places(sources, source, flag)].concat()
        },
        "go" => cobra::places,
        "js" | "cjs" | "mjs" | "ts" => |_, source, flag| commander::places(source, flag),
        _ => return Vec::new(),
    };
    let alike = sources.0.iter().filter(|source| self::ending(&source.path) == ending);
    alike.flat_map(|source| look(sources, source, flag)).collect()
}

fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// The only one, else the one that serves by its name. Where no library was seen, the flag is the program's.
fn chosen(places: Vec<Place>) -> Subcommand {
    let serves = |words: &[String]| {
        words
            .last()
            .is_some_and(|word| is_server(word) || SERVES.contains(&&**word))
    };
    let first = places.first().cloned().unwrap_or(Some(Vec::new()));
    let certain = first.is_some() && places.iter().all(|place| *place == first);
    let known = || places.iter().flatten();
    let words = if certain {
        first
    } else {
        known().find(|words| serves(words)).or_else(|| known().next()).cloned()
    };
    Subcommand {
        words: words.unwrap_or_default(),
        certain,
    }
}

#[cfg(test)]
mod tests;
