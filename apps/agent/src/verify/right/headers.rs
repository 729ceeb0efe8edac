//! Which headers of two servers' responses have to be the same, and which are only told.

use serde::{Deserialize, Serialize};

use super::shown::text;

/// They say what the body is (RFC 9110, 8.3, 8.4 and 14.4): where one of them differs, something else was sent.
const OF_THE_BODY: [&str; 3] = ["content-encoding", "content-range", CONTENT_TYPE];
pub const CONTENT_TYPE: &str = "content-type";
/// Of the connection, of the framing, and what names the server or the moment: nothing is told.
const OF_EVERY_RESPONSE: [&str; 8] = [
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "server",
    "te",
    "trailer",
    "transfer-encoding",
];
/// Names of a list in a message, and characters of each: a server chooses them.
const NAMES_SHOWN: usize = 6;
const NAME_CHARS: usize = 40;

/// Headers that say what the body is, in their normal form, and the names of the others. Both sorted; without those of
/// every response and those in `may_differ`.
pub fn normal(came: &[(String, String)], may_differ: &[String]) -> (Vec<(String, String)>, Vec<String>) {
    let (mut of_the_body, mut others) = (Vec::new(), Vec::new());
    for (name, value) in came {
        let name = name.to_ascii_lowercase();
        if OF_EVERY_RESPONSE.contains(&name.as_str()) || may_differ.contains(&name) {
            continue;
        }
        match OF_THE_BODY.contains(&name.as_str()) {
            true if name == CONTENT_TYPE => of_the_body.push((name, media_type(value))),
            true => of_the_body.push((name, value.trim().to_ascii_lowercase())),
            false => others.push(name),
        }
    }
    of_the_body.sort();
    others.sort();
    others.dedup();
    (of_the_body, others)
}

/// Type, subtype and charset, all of which may be written in either case (RFC 9110, 8.3). Without a charset it is UTF-8,
/// which is what JSON is and what clients take text for.
pub fn media_type(value: &str) -> String {
    let value = value.to_ascii_lowercase();
    let mut parts = value.split(';').map(str::trim);
    let kind = parts.next().unwrap_or_default();
    let charset = parts.find_map(|part| part.strip_prefix("charset="));
    match charset.map(|charset| charset.trim_matches('"')) {
        None | Some("utf-8" | "utf8" | "") => kind.to_owned(),
        Some(charset) => format!("{kind}; charset={charset}"),
    }
}

/// Headers that only one of two servers sends. Which they are is told with the result, because writing them is work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherHeaders {
    /// Label of the entry it was compared with.
    pub than: String,
    pub sends: Vec<String>,
    pub lacks: Vec<String>,
}

impl OtherHeaders {
    /// `None`: both send the same ones.
    pub fn between(expected: &[String], got: &[String], than: &str) -> Option<Self> {
        let beyond = |a: &[String], b: &[String]| a.iter().filter(|n| !b.contains(n)).cloned().collect::<Vec<_>>();
        let (sends, lacks) = (beyond(got, expected), beyond(expected, got));
        (!sends.is_empty() || !lacks.is_empty()).then(|| Self {
            than: than.to_owned(),
            sends,
            lacks,
        })
    }

    /// "It sends etag and x-powered-by, which koa does not."
    pub fn told(&self) -> String {
        let than = &self.than;
        match (self.sends.is_empty(), self.lacks.is_empty()) {
            (false, true) => format!("The server sends {}, which {than} does not.", list(&self.sends)),
            (true, _) => format!("The server does not send {}, which {than} does.", list(&self.lacks)),
            (false, false) => format!(
                "The server sends {}, which {than} does not, and does not send {}.",
                list(&self.sends),
                list(&self.lacks)
            ),
        }
    }
}

fn list(names: &[String]) -> String {
    let short = |name: &String| {
        text(&name.chars().take(NAME_CHARS).collect::<String>())
            .trim_matches('"')
            .to_owned()
    };
    let shown: Vec<String> = names.iter().take(NAMES_SHOWN).map(short).collect();
    match (names.len() - shown.len(), shown.split_last()) {
        (0, Some((last, []))) => format!("the header {last}"),
        (0, Some((last, first))) => format!("the headers {} and {last}", first.join(", ")),
        (more, _) => format!("the headers {} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_type_is_the_same_in_either_case_and_with_the_charset_of_today() {
        for same in [
            "text/plain",
            "Text/Plain;charset=UTF-8",
            "text/plain; charset=\"utf-8\"",
        ] {
            assert_eq!(media_type(same), "text/plain", "{same}");
        }
        assert_eq!(
            media_type("text/plain; charset=ISO-8859-1"),
            "text/plain; charset=iso-8859-1"
        );
        assert_eq!(media_type("text/html"), "text/html");
    }

    #[test]
    fn headers_that_one_of_them_sends_are_told() {
        let names = |list: &[&str]| list.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let told = |expected: &[&str], got: &[&str]| {
            OtherHeaders::between(&names(expected), &names(got), "koa").map(|other| other.told())
        };
        assert_eq!(told(&["etag"], &["etag"]), None);
        assert_eq!(
            told(&[], &["etag"]).unwrap(),
            "The server sends the header etag, which koa does not."
        );
        assert_eq!(
            told(&["etag", "vary"], &[]).unwrap(),
            "The server does not send the headers etag and vary, which koa does."
        );
        assert_eq!(
            told(&["etag"], &["a", "b", "c", "d", "e", "f", "g", "h"]).unwrap(),
            "The server sends the headers a, b, c, d, e, f and 2 more, which koa does not, and does not send the header etag."
        );
    }
}
