//! Which headers of two servers' responses have to be the same, and which are only told.

use serde::{Deserialize, Serialize};

use super::shown::text;

/// They say how the body stands for what was asked (RFC 9110, 8.4 and 14.4): where one of them differs, other work was done.
const OF_THE_BODY: [&str; 2] = ["content-encoding", "content-range"];
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

/// A response's headers in their normal form, without those of every response and those that may differ. Sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NormalHeaders {
    /// They have to be the same.
    pub of_the_body: Vec<(String, String)>,
    pub content_type: Option<String>,
    /// Names of all others.
    pub others: Vec<String>,
}

impl NormalHeaders {
    fn names(&self) -> Vec<String> {
        let typed = self.content_type.as_ref().map(|_| CONTENT_TYPE.to_owned());
        typed.into_iter().chain(self.others.iter().cloned()).collect()
    }
}

pub fn normal(came: &[(String, String)], may_differ: &[String]) -> NormalHeaders {
    let mut normal = NormalHeaders::default();
    for (name, value) in came {
        let name = name.to_ascii_lowercase();
        if OF_EVERY_RESPONSE.contains(&name.as_str()) || may_differ.contains(&name) {
            continue;
        }
        match name.as_str() {
            CONTENT_TYPE => normal.content_type = Some(media_type(value)),
            of if OF_THE_BODY.contains(&of) => normal.of_the_body.push((name, value.trim().to_ascii_lowercase())),
            _ => normal.others.push(name),
        }
    }
    normal.of_the_body.sort();
    normal.others.sort();
    normal.others.dedup();
    normal
}

/// Type, subtype, names of parameters and charset may be written in either case (RFC 9110, 8.3). Without a charset it is
/// UTF-8, which is what JSON is and what clients take text for.
pub fn media_type(value: &str) -> String {
    let mut parts = value.split(';').map(str::trim);
    let mut kind = parts.next().unwrap_or_default().to_ascii_lowercase();
    let mut parameters: Vec<(String, String)> = parts
        .filter_map(|part| part.split_once('='))
        .map(|(name, value)| {
            (
                name.trim().to_ascii_lowercase(),
                value.trim().trim_matches('"').to_owned(),
            )
        })
        .collect();
    for (name, value) in &mut parameters {
        if name == "charset" {
            value.make_ascii_lowercase();
        }
    }
    parameters.retain(|(name, value)| name != "charset" || !matches!(value.as_str(), "utf-8" | "utf8" | ""));
    parameters.sort();
    for (name, value) in parameters {
        kind.push_str(&format!("; {name}={value}"));
    }
    kind
}

/// Headers that only one of two servers sends, and the types that both give the same body. They are told with the result:
/// writing a header is work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherHeaders {
    /// Label of the entry it was compared with.
    pub than: String,
    pub sends: Vec<String>,
    pub lacks: Vec<String>,
    /// Its type and the other's, where they differ.
    pub content_types: Option<(String, String)>,
}

impl OtherHeaders {
    /// `None`: both send the same ones.
    pub fn between(expected: &NormalHeaders, got: &NormalHeaders, than: &str) -> Option<Self> {
        let beyond = |a: &[String], b: &[String]| a.iter().filter(|n| !b.contains(n)).cloned().collect::<Vec<_>>();
        let types = got.content_type.clone().zip(expected.content_type.clone());
        let found = Self {
            than: than.to_owned(),
            sends: beyond(&got.names(), &expected.names()),
            lacks: beyond(&expected.names(), &got.names()),
            content_types: types.filter(|(got, expected)| got != expected),
        };
        let same = found.sends.is_empty() && found.lacks.is_empty() && found.content_types.is_none();
        (!same).then_some(found)
    }

    /// What is known, and what another response showed.
    pub fn and(mut self, other: &Self) -> Self {
        for (known, more) in [(&mut self.sends, &other.sends), (&mut self.lacks, &other.lacks)] {
            known.extend(more.iter().cloned());
            known.sort();
            known.dedup();
        }
        self.content_types = self.content_types.or_else(|| other.content_types.clone());
        self
    }

    /// "The server sends the header etag, which koa does not."
    pub fn told(&self) -> String {
        let than = &self.than;
        let names = match (self.sends.is_empty(), self.lacks.is_empty()) {
            (true, true) => None,
            (false, true) => Some(format!(
                "The server sends {}, which {than} does not.",
                list(&self.sends)
            )),
            (true, false) => Some(format!(
                "The server does not send {}, which {than} does.",
                list(&self.lacks)
            )),
            (false, false) => Some(format!(
                "The server sends {}, which {than} does not, and does not send {}.",
                list(&self.sends),
                list(&self.lacks)
            )),
        };
        let types = self
            .content_types
            .as_ref()
            .map(|(got, expected)| format!("The Content-Type is {}, and {} from {than}.", text(got), text(expected)));
        names.into_iter().chain(types).collect::<Vec<_>>().join(" ")
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
        // Other parameters say what it is.
        assert_eq!(
            media_type("Text/Plain; Version=0.0.4; charset=utf-8"),
            "text/plain; version=0.0.4"
        );
    }

    #[test]
    fn headers_that_one_of_them_sends_are_told_and_two_types() {
        let sent = |names: &[&str]| {
            let pair = |n: &&str| {
                n.split_once('=')
                    .map_or((n.to_string(), String::new()), |(n, v)| (n.into(), v.into()))
            };
            normal(&names.iter().map(pair).collect::<Vec<_>>(), &["x-may".to_owned()])
        };
        let told = |expected: &[&str], got: &[&str]| {
            OtherHeaders::between(&sent(expected), &sent(got), "koa").map(|other| other.told())
        };
        assert_eq!(told(&["ETag=1", "Date=1"], &["etag=2", "x-may=1"]), None);
        assert_eq!(
            told(&[], &["etag"]).unwrap(),
            "The server sends the header etag, which koa does not."
        );
        assert_eq!(
            told(&["etag", "vary", "content-type=text/html"], &[]).unwrap(),
            "The server does not send the headers content-type, etag and vary, which koa does."
        );
        assert_eq!(
            told(&["etag"], &["a", "b", "c", "d", "e", "f", "g", "h"]).unwrap(),
            "The server sends the headers a, b, c, d, e, f and 2 more, which koa does not, and does not send the header etag."
        );
        assert_eq!(
            told(&["content-type=text/plain"], &["Content-Type=text/html; charset=utf-8"]).unwrap(),
            "The Content-Type is \"text/html\", and \"text/plain\" from koa."
        );
    }
}
