//! clap, by its derived types: a field of a variant, or of a type that a variant has, is a flag of a subcommand.

use super::super::sources::{Source, Sources};
use super::place::{Place, last_name, quoted};

/// One below the other: deeper is no program that somebody writes.
const DEEPEST: usize = 5;

pub fn places_of_flag(sources: &Sources, source: &Source, flag: &str) -> Vec<Place> {
    let place = |at| place_of(sources, source, at);
    attributes(source, flag).map(place).collect()
}

pub fn places_of_variable(sources: &Sources, source: &Source, name: &str) -> Vec<Place> {
    let set = format!("env=\"{name}\"");
    let found = source.squeezed.match_indices(&set);
    found.map(|(at, _)| place_of(sources, source, at)).collect()
}

/// Where attributes of fields with this long flag are.
pub fn attributes<'a>(source: &'a Source, flag: &'a str) -> impl Iterator<Item = usize> + 'a {
    let text = &source.squeezed;
    let field = format!("{}:", flag.replace('-', "_"));
    let set = format!("long=\"{flag}\"");
    let all = ["#[arg(", "#[clap("]
        .into_iter()
        .flat_map(|begin| text.match_indices(begin));
    let is_of_flag = move |at: &usize| {
        let Some((inside, after)) = text[*at..].split_once(")]") else {
            return false;
        };
        let after = after.strip_prefix("pub").unwrap_or(after);
        let by_field = inside.contains("long") && !inside.contains("long=") && after.starts_with(&field);
        inside.contains(&set) || by_field
    };
    all.map(|(at, _)| at).filter(is_of_flag)
}

fn place_of(sources: &Sources, source: &Source, at: usize) -> Place {
    let has_subcommands = || {
        rust(sources).any(|source| {
            ["subcommand)]", "Subcommand)]"]
                .iter()
                .any(|end| source.squeezed.contains(end))
        })
    };
    match above(sources, &source.squeezed, at, DEEPEST) {
        Some(words) if !words.is_empty() => Some(words),
        // A program that wants a subcommand does not start with a flag of its own alone.
        Some(_) => (!wants_subcommand(sources)).then(Vec::new),
        None => (!has_subcommands()).then(Vec::new),
    }
}

fn rust(sources: &Sources) -> impl Iterator<Item = &Source> {
    sources.0.iter().filter(|source| source.path.ends_with(".rs"))
}

/// The subcommands that have the field, or whatever is there.
fn above(sources: &Sources, text: &str, at: usize, deepest: usize) -> Place {
    let (brace, word) = opened(text, at)?;
    if let Some(name) = declared(word, "struct") {
        return with_type(sources, name, deepest);
    }
    variant(sources, text, brace - word.len(), word, deepest)
}

/// The word before the innermost brace that is open there, and where that brace is.
fn opened(text: &str, at: usize) -> Option<(usize, &str)> {
    let mut closed = 0;
    let brace = text[..at].bytes().rposition(|byte| {
        match byte {
            b'}' => closed += 1,
            b'{' if closed > 0 => closed -= 1,
            b'{' => return true,
            _ => {}
        }
        false
    })?;
    Some((brace, last_name(&text[..brace])))
}

fn declared<'a>(word: &'a str, kind: &str) -> Option<&'a str> {
    word.strip_prefix("pub").unwrap_or(word).strip_prefix(kind)
}

/// A variant that begins there.
fn variant(sources: &Sources, text: &str, at: usize, name: &str, deepest: usize) -> Place {
    let (brace, word) = opened(text, at)?;
    let all = declared(word, "enum")?;
    let own = text[..brace - word.len()].trim_end_matches("pub");
    if attributes_before(own).any(|attribute| attribute.contains("rename_all")) {
        return None;
    }
    let named = attributes_before(&text[..at]).find_map(|attribute| {
        quoted(
            attribute
                .split_once("(name=")
                .or_else(|| attribute.split_once(",name="))?
                .1,
        )
        .map(str::to_owned)
    });
    let mut words = with_type(sources, all, deepest)?;
    words.push(named.unwrap_or_else(|| with_hyphens(name)));
    Some(words)
}

/// Those that stand right before the end of the text, the last first.
fn attributes_before(text: &str) -> impl Iterator<Item = &str> {
    let mut left = text;
    std::iter::from_fn(move || {
        let begin = left.ends_with(']').then(|| left.rfind("#["))??;
        let attribute = &left[begin..];
        left = &left[..begin];
        Some(attribute)
    })
}

/// The subcommands that have a type; none where it is the program's own.
fn with_type(sources: &Sources, name: &str, deepest: usize) -> Place {
    let deeper = deepest.checked_sub(1)?;
    let mut places = rust(sources).flat_map(|source| {
        let text = &source.squeezed;
        let found = text.match_indices(name);
        let whole = found.filter(|(at, name)| {
            let after = text[at + name.len()..].chars().next();
            !after.is_some_and(is_of_name) && !text[..*at].ends_with(is_of_name)
        });
        whole.filter_map(move |(at, _)| used(sources, text, at, deeper))
    });
    let Some(first) = places.next() else {
        return Some(Vec::new());
    };
    if places.all(|place| place == first) {
        first
    } else {
        None
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Is the type there what a variant has, or a field with others' flags or subcommands in it? Then what is above that.
fn used(sources: &Sources, text: &str, at: usize, deepest: usize) -> Option<Place> {
    let mut before = &text[..at];
    loop {
        let module = before.strip_suffix("::").map(|path| path.trim_end_matches(is_of_name));
        let wrapped = || {
            ["Box<", "Option<"]
                .iter()
                .find_map(|wrapper| before.strip_suffix(wrapper))
        };
        match module.or_else(wrapped) {
            Some(shorter) => before = shorter,
            None => break,
        }
    }
    if let Some(before) = before.strip_suffix('(') {
        let name = last_name(before);
        let begin = before.len() - name.len();
        let (_, word) = opened(text, begin)?;
        declared(word, "enum")?;
        return Some(variant(sources, text, begin, name, deepest));
    }
    let field = before.strip_suffix(':')?;
    // `pub` is a part of the name in this text.
    let begin = field[..field.len() - last_name(field).len()].trim_end_matches("pub(crate)");
    let has_others = |attribute: &str| attribute.contains("flatten") || attribute.contains("subcommand");
    attributes_before(begin)
        .any(has_others)
        .then(|| above(sources, text, begin.len(), deepest))
}

fn wants_subcommand(sources: &Sources) -> bool {
    let of_clap = ["#[command(", "#[clap("];
    rust(sources).any(|source| {
        let text = &source.squeezed;
        text.match_indices("subcommand)]").any(|(at, found)| {
            let is_field = of_clap.iter().any(|begin| text[..at].ends_with(begin));
            let kind = text[at + found.len()..].split_once(':').map(|(_, kind)| kind);
            // A field of the program's own type, and not of what a subcommand has.
            let own = || above(sources, text, at, DEEPEST).is_some_and(|words| words.is_empty());
            is_field && kind.is_some_and(|kind| !kind.starts_with("Option<")) && own()
        })
    })
}

/// `HttpServer` is called `http-server`, and `HTTPServer` too.
fn with_hyphens(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut words = String::new();
    for (at, c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let begins = before.is_some_and(|b| b.is_lowercase() || b.is_numeric())
            || before.is_some_and(|b| b.is_uppercase()) && after.is_some_and(|a| a.is_lowercase());
        if c.is_uppercase() && begins {
            words.push('-');
        }
        words.extend(c.to_lowercase());
    }
    words.replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::with_hyphens;

    #[test]
    fn a_variant_is_called_as_clap_calls_it() {
        for (name, word) in [
            ("Serve", "serve"),
            ("HttpServer", "http-server"),
            ("HTTPServer", "http-server"),
            ("API", "api"),
            ("ServeHTTP", "serve-http"),
            ("Http2Server", "http2-server"),
        ] {
            assert_eq!(with_hyphens(name), word);
        }
    }
}
