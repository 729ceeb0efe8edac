//! A server as it is typed: `[label=]server[:option=value,…]`.
//!
//! The server is a name, a path, or either with `@REF`: the folder at a commit of the repository that it is in.
//!
//! A label is free text and a path may have `=` and `:` in it too, so the text is cut from its end. The options are what comes
//! after the last colon, where that is a list of `option=integer`. Of the rest, what comes after the last `=` is the server
//! where one has that name, also with `@REF`; otherwise it is a path, and the longest one that has a server is taken, so that none is cut.
//! `label=server:options` with the name of a server means one thing whatever the label is; a colon at its end, with nothing
//! after it, says that there are no options.

use std::collections::BTreeMap;

use crate::assets::Assets;
use crate::server::manifest::{FILE_NAME, is_slug};
use crate::server::{has_at_commit, names};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedEntry {
    pub label: Option<String>,
    /// Name or path, of either also `…@REF`.
    pub server: String,
    pub options: BTreeMap<String, i64>,
}

/// What a name or a path leads to.
pub trait ServerLookup {
    fn has_name(&self, name: &str) -> bool;
    fn has_folder(&self, path: &str) -> bool;

    /// `NAME@REF` of a server that has that name.
    fn has_at_commit(&self, text: &str) -> bool {
        let cut = text.split_once('@');
        cut.is_some_and(|(name, reference)| !reference.is_empty() && self.has_name(name))
    }

    /// A path that is there as typed is that path, whatever signs are in it.
    fn is_there(&self, _path: &str) -> bool {
        false
    }
}

impl ServerLookup for Assets {
    fn has_name(&self, name: &str) -> bool {
        names(self).iter().any(|n| n == name)
    }

    fn has_folder(&self, path: &str) -> bool {
        let has_manifest = std::path::Path::new(path).join(FILE_NAME).is_file();
        has_manifest || has_at_commit(self, path)
    }

    fn is_there(&self, path: &str) -> bool {
        std::path::Path::new(path).is_dir()
    }
}

type Options = BTreeMap<String, i64>;

impl TypedEntry {
    /// `Err` is one sentence. What leads nowhere is read as it looks, so that the sentence about it names what was meant.
    pub fn parse(text: &str, known: &impl ServerLookup) -> Result<Self, String> {
        let wrong = |what: String| format!("{text:?} {what}; write it as label=server:option=value,option=value.");
        let (head, listed) = match text.rsplit_once(':') {
            Some((head, tail)) if looks_like_options(head, tail) => (head, Some(tail)),
            _ => (text, None),
        };
        let found = match listed.and_then(|tail| Some((found(head, known)?, Some(tail)))) {
            Some(found) => Some(found),
            None => found(text, known).map(|found| (found, None)),
        };
        let ((label, server), options) = match found {
            Some(found) => found,
            None if listed.is_some() => (as_it_looks(head), listed),
            None => match text.rsplit_once(':') {
                // `epoll:workers=two`, `epoll:workers`.
                Some((head, tail)) if meant_as_options(head, tail, known) => (as_it_looks(head), Some(tail)),
                _ => (as_it_looks(text), None),
            },
        };
        if server.is_empty() {
            return Err(wrong("names no server".to_owned()));
        }
        if label == Some("") {
            return Err(wrong("has an empty label".to_owned()));
        }
        Ok(Self {
            label: label.map(str::to_owned),
            server: server.to_owned(),
            options: match options {
                None => Options::new(),
                Some("") if listed.is_some() => Options::new(),
                Some(list) => parse_options(list).map_err(wrong)?,
            },
        })
    }
}

/// `Err` ends a sentence about the text.
fn parse_options(list: &str) -> Result<Options, String> {
    let mut parsed = Options::new();
    for option in list.split(',') {
        let Some((name, value)) = option.split_once('=') else {
            return Err(format!("has {option:?} where option=value must stand"));
        };
        let Ok(value) = value.parse::<i64>() else {
            return Err(format!("gives {name} the value {value:?}, which is not an integer"));
        };
        if parsed.insert(name.to_owned(), value).is_some() {
            return Err(format!("gives {name} twice"));
        }
    }
    Ok(parsed)
}

/// An empty list only after a label: `epoll:` alone was not finished.
fn looks_like_options(head: &str, tail: &str) -> bool {
    let option = |text: &str| {
        let pair = text.split_once('=');
        pair.is_some_and(|(name, value)| is_slug(name) && value.parse::<i64>().is_ok())
    };
    if tail.is_empty() {
        return head.contains('=');
    }
    tail.split(',').all(option)
}

fn meant_as_options(head: &str, tail: &str, known: &impl ServerLookup) -> bool {
    !tail.contains('/') && (!tail.contains('=') || found(head, known).is_some())
}

type Cut<'a> = (Option<&'a str>, &'a str);

/// The label and the server, where there is such a server.
fn found<'a>(head: &'a str, known: &impl ServerLookup) -> Option<Cut<'a>> {
    let (label, last) = cut_at_last(head);
    if known.has_name(last) || (known.has_at_commit(last) && !known.is_there(head)) {
        return Some((label, last));
    }
    let after = head
        .match_indices('=')
        .map(|(at, _)| (Some(&head[..at]), &head[at + 1..]));
    std::iter::once((None, head))
        .chain(after)
        .find(|(_, path)| is_path(path) && known.has_folder(path))
}

fn cut_at_last(head: &str) -> Cut<'_> {
    head.rsplit_once('=')
        .map_or((None, head), |(label, server)| (Some(label), server))
}

/// A path begins at the first `/`, `./` or `../` that a label can end before.
fn as_it_looks(head: &str) -> Cut<'_> {
    let cut = cut_at_last(head);
    if !is_path(cut.1) {
        return cut;
    }
    let begins = |text: &str| ["/", "./", "../"].iter().any(|start| text.starts_with(start));
    if begins(head) {
        return (None, head);
    }
    let mut after = head
        .match_indices('=')
        .map(|(at, _)| (Some(&head[..at]), &head[at + 1..]));
    after.find(|(_, path)| begins(path)).unwrap_or(cut)
}

fn is_path(text: &str) -> bool {
    text.contains(['/', '@']) || text.starts_with('.')
}

#[cfg(test)]
#[path = "entry_parser_tests.rs"]
mod tests;
