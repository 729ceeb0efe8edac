//! Where two responses differ, in words.

use serde_json::Value;

use super::responses::{Came, NormalResponse};
use crate::protocol::http::SameButFor;

pub(super) const SHOWN_CHARS: usize = 80;

/// How two responses differ, and what would allow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub what: String,
    pub allowed_by: Option<String>,
}

impl Difference {
    /// One or two sentences. `of` is whose response was expected.
    pub fn told(&self) -> String {
        match &self.allowed_by {
            Some(line) => format!(
                "{}. If that may differ, put this line above the first [[request]] of the scenario's file: `{line}`",
                self.what
            ),
            None => self.what.clone(),
        }
    }
}

/// `None`: they are the same. `whose` names the side that was expected, such as "base".
pub fn difference(expected: &NormalResponse, came: &Came<'_>, same: &SameButFor, whose: &str) -> Option<Difference> {
    let got = NormalResponse::keeping(came, same, usize::MAX);
    if got.status != expected.status {
        return Some(Difference {
            what: format!("status {} came, and {} from {whose}", got.status, expected.status),
            allowed_by: None,
        });
    }
    if got.headers != expected.headers {
        return headers(&expected.headers, &got.headers, whose);
    }
    if got.sha256 == expected.sha256 && got.json == expected.json {
        return None;
    }
    let (right, wrong) = (expected.start(), got.start());
    if expected.json
        && got.json
        && expected.is_whole(&right)
        && let (Ok(right), Ok(wrong)) = (serde_json::from_slice(&right), serde_json::from_slice(&wrong))
        && let Some((pointer, right, wrong)) = field(&right, &wrong, String::new())
    {
        let shown = if pointer.is_empty() { "the whole" } else { &pointer };
        return Some(Difference {
            what: format!("the JSON value at {shown} is {wrong}, and {right} from {whose}"),
            allowed_by: (!pointer.is_empty()).then(|| format!("same_but_for = {{ fields = [{pointer:?}] }}")),
        });
    }
    Some(Difference {
        what: bytes(&right, &wrong, expected.bytes, got.bytes, whose),
        allowed_by: None,
    })
}

fn headers(expected: &[(String, String)], got: &[(String, String)], whose: &str) -> Option<Difference> {
    let values = |of: &[(String, String)], name: &str| {
        let all: Vec<String> = of.iter().filter(|(n, _)| n == name).map(|(_, v)| v.clone()).collect();
        (!all.is_empty()).then(|| all.join(", "))
    };
    let mut names: Vec<&str> = expected.iter().chain(got).map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| values(expected, name) != values(got, name));
    let first = names.first()?;
    let what = match (values(expected, first), values(got, first)) {
        (Some(right), Some(wrong)) => format!(
            "the header {first} is {}, and {} from {whose}",
            text(&wrong),
            text(&right)
        ),
        (Some(right), None) => format!("the header {first} is not there, and {} from {whose}", text(&right)),
        (None, wrong) => format!(
            "the header {first} is {}, and {whose} sends none",
            text(&wrong.unwrap_or_default())
        ),
    };
    Some(Difference {
        what,
        allowed_by: Some(format!("same_but_for = {{ headers = {names:?} }}")),
    })
}

/// The first value that differs: where it is, what was right and what came.
fn field(right: &Value, wrong: &Value, at: String) -> Option<(String, String, String)> {
    match (right, wrong) {
        (Value::Object(a), Value::Object(b)) => {
            let mut keys: Vec<&String> = a.keys().chain(b.keys()).collect();
            keys.sort();
            keys.dedup();
            keys.into_iter().find_map(|key| {
                let next = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                match (a.get(key), b.get(key)) {
                    (Some(x), Some(y)) => field(x, y, next),
                    (x, y) => Some((next, shown(x), shown(y))),
                }
            })
        }
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len())).find_map(|index| {
            let next = format!("{at}/{index}");
            match (a.get(index), b.get(index)) {
                (Some(x), Some(y)) => field(x, y, next),
                (x, y) => Some((next, shown(x), shown(y))),
            }
        }),
        (a, b) if a == b => None,
        (a, b) => Some((at, shown(Some(a)), shown(Some(b)))),
    }
}

pub(super) fn shown(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(Value::String(plain)) => text(plain),
        Some(other) => cut(&other.to_string()),
    }
}

fn bytes(right: &[u8], wrong: &[u8], right_bytes: usize, wrong_bytes: usize, whose: &str) -> String {
    let same = right.iter().zip(wrong).take_while(|(a, b)| a == b).count();
    let from = |body: &[u8]| {
        let end = body.len().min(same + SHOWN_CHARS);
        text(&String::from_utf8_lossy(body.get(same..end).unwrap_or_default()))
    };
    let (right_from, wrong_from) = (from(right), from(wrong));
    if right_bytes == wrong_bytes {
        return format!("the body differs from byte {same} on: {wrong_from}, and {right_from} from {whose}");
    }
    format!(
        "the body has {wrong_bytes} bytes and from byte {same} on {wrong_from}, and {right_bytes} bytes and {right_from} from {whose}"
    )
}

/// Escaped and short: a server's text may be anything.
pub(super) fn text(plain: &str) -> String {
    let cut: String = plain.chars().take(SHOWN_CHARS).collect();
    let more = if cut.len() < plain.len() { "…" } else { "" };
    format!("{cut:?}{more}")
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    }

    fn told(same: &SameButFor, a: (&[(&str, &str)], &str), b: (&[(&str, &str)], &str)) -> Option<String> {
        let (a_headers, b_headers) = (headers(a.0), headers(b.0));
        let came = |headers, body: &'static [u8]| Came {
            status: 200,
            headers,
            body,
        };
        let leak = |text: &str| -> &'static [u8] { Box::leak(text.to_owned().into_boxed_str()).as_bytes() };
        let expected = NormalResponse::of(&came(&a_headers, leak(a.1)), same, 1);
        difference(&expected, &came(&b_headers, leak(b.1)), same, "base").map(|d| d.told())
    }

    const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");

    #[test]
    fn what_may_differ_does_not_and_json_is_compared_as_json() {
        let none = SameButFor::default();
        let a = (
            &[JSON, ("date", "today"), ("server", "a")][..],
            r#"{"a": 1, "b": [1.0, true]}"#,
        );
        let b = (
            &[("server", "b"), JSON, ("connection", "close")][..],
            r#"{"b":[1,true],"a":1}"#,
        );
        assert_eq!(told(&none, a, b), None);
        // The same text is other bytes where nobody says that it is JSON.
        assert!(told(&none, (&[], a.1), (&[], b.1)).unwrap().contains("from byte 2 on"));
    }

    #[test]
    fn the_first_difference_is_told_with_what_would_allow_it() {
        let none = SameButFor::default();
        let field = told(
            &none,
            (&[JSON], r#"{"user":{"id":7,"n":1}}"#),
            (&[JSON], r#"{"user":{"id":8,"n":2}}"#),
        );
        assert_eq!(
            field.unwrap(),
            "the JSON value at /user/id is 8, and 7 from base. If that may differ, put this line above the first [[request]] of the scenario's file: `same_but_for = { fields = [\"/user/id\"] }`"
        );
        let gone = told(&none, (&[JSON], r#"{"a/b":[1,2]}"#), (&[JSON], r#"{"a/b":[1]}"#)).unwrap();
        assert!(
            gone.starts_with("the JSON value at /a~1b/1 is nothing, and 2 from base."),
            "{gone}"
        );
        let header = told(&none, (&[("etag", "x"), ("x-a", "1")], ""), (&[("etag", "y")], "")).unwrap();
        assert!(
            header.starts_with("the header etag is \"y\", and \"x\" from base.")
                && header.contains("headers = [\"etag\", \"x-a\"]"),
            "{header}"
        );
        let body = told(&none, (&[], "abcdef"), (&[], "abcxef")).unwrap();
        assert_eq!(body, "the body differs from byte 3 on: \"xef\", and \"def\" from base");
    }

    #[test]
    fn named_headers_and_fields_may_differ() {
        let same = SameButFor {
            headers: vec!["x-request-id".into()],
            fields: vec!["/id".into(), "/items/*/at".into(), "/list/0".into()],
        };
        let a = (
            &[JSON, ("x-request-id", "1")][..],
            r#"{"id":1,"items":[{"at":1,"v":2}],"list":[1,2]}"#,
        );
        let b = (&[JSON][..], r#"{"id":2,"items":[{"at":9,"v":2}],"list":[7,2]}"#);
        assert_eq!(told(&same, a, b), None);
        let other = (&[JSON][..], r#"{"id":2,"items":[{"at":9,"v":3}],"list":[7,2]}"#);
        assert!(told(&same, a, other).unwrap().contains("/items/0/v is 3"));
    }
}
