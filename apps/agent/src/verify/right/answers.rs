//! Responses to somebody's own requests, in a form in which two servers' can be compared: without what may differ (the date, the
//! server's name, the framing, and what the scenario names), JSON as JSON, everything else byte for byte.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::protocol::http::{Expectation, SameButFor};

/// Of the connection, of the framing, and what names the server or the moment.
const MAY_DIFFER: [&str; 8] = [
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "server",
    "te",
    "trailer",
    "transfer-encoding",
];
/// Of a body, kept for the message about a difference.
const KEPT_BYTES: usize = 16 << 10;
/// Of all bodies together.
const ALL_KEPT_BYTES: usize = 256 << 10;
const SHOWN_CHARS: usize = 80;

/// A response in its normal form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub status: u16,
    /// Sorted, names in lower case.
    pub headers: Vec<(String, String)>,
    json: bool,
    /// Of the body in its normal form.
    sha256: String,
    bytes: usize,
    /// Its beginning, as base64.
    start: String,
}

/// What the others' responses are compared with: request by request, in the order of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Of the entry whose they are.
    pub label: String,
    /// `None` where the file says what is right.
    pub answers: Vec<Option<Answer>>,
    /// Why nothing can be compared with them.
    pub unusable: Option<String>,
}

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
            Some(line) => format!("{}. If that may differ, write {line} in the scenario's file", self.what),
            None => self.what.clone(),
        }
    }
}

/// What came.
pub struct Came<'a> {
    pub status: u16,
    pub headers: &'a [(String, String)],
    pub body: &'a [u8],
}

impl Answer {
    /// `of` is how many requests share the space for bodies.
    pub fn of(came: &Came<'_>, same: &SameButFor, of: usize) -> Self {
        let kept = KEPT_BYTES.min(ALL_KEPT_BYTES / of.max(1));
        Self::keeping(came, same, kept)
    }

    fn keeping(came: &Came<'_>, same: &SameButFor, kept: usize) -> Self {
        let may_differ = |name: &str| MAY_DIFFER.contains(&name) || same.headers.iter().any(|h| h == name);
        let mut headers: Vec<(String, String)> = came.headers.to_vec();
        headers.retain(|(name, _)| !may_differ(name));
        headers.sort();
        let json = json_of(came).map(|value| normal(value, &same.fields).to_string().into_bytes());
        let body = json.as_deref().unwrap_or(came.body);
        Self {
            status: came.status,
            headers,
            json: json.is_some(),
            sha256: hex::encode(Sha256::digest(body)),
            bytes: body.len(),
            start: STANDARD.encode(&body[..body.len().min(kept)]),
        }
    }

    fn start(&self) -> Vec<u8> {
        STANDARD.decode(&self.start).unwrap_or_default()
    }

    fn is_whole(&self, start: &[u8]) -> bool {
        start.len() == self.bytes
    }
}

/// `None`: they are the same. `whose` names the side that was expected, such as "base".
pub fn difference(expected: &Answer, came: &Came<'_>, same: &SameButFor, whose: &str) -> Option<Difference> {
    let got = Answer::keeping(came, same, usize::MAX);
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

fn shown(value: Option<&Value>) -> String {
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
fn text(plain: &str) -> String {
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

/// Where the response says that it is JSON, and is.
fn json_of(came: &Came<'_>) -> Option<Value> {
    let kind = came.headers.iter().find(|(name, _)| name == "content-type");
    let says_so = kind.is_some_and(|(_, value)| value.to_ascii_lowercase().contains("json"));
    says_so.then(|| serde_json::from_slice(came.body).ok()).flatten()
}

/// Without the named fields; 1.0 is 1.
fn normal(mut value: Value, fields: &[String]) -> Value {
    for pointer in fields {
        let parts: Vec<String> = pointer
            .split('/')
            .skip(1)
            .map(|part| part.replace("~1", "/").replace("~0", "~"))
            .collect();
        remove(&mut value, &parts);
    }
    numbers(value)
}

/// An item of a list becomes null, so that the others keep their places.
fn remove(value: &mut Value, parts: &[String]) {
    let Some((part, rest)) = parts.split_first() else {
        return;
    };
    match value {
        Value::Object(map) if rest.is_empty() => match part.as_str() {
            "*" => map.clear(),
            key => drop(map.remove(key)),
        },
        Value::Object(map) => {
            for (_, inner) in map.iter_mut().filter(|(key, _)| part == "*" || *key == part) {
                remove(inner, rest);
            }
        }
        Value::Array(items) => {
            for (_, item) in items
                .iter_mut()
                .enumerate()
                .filter(|(n, _)| part == "*" || n.to_string() == *part)
            {
                match rest.is_empty() {
                    true => *item = Value::Null,
                    false => remove(item, rest),
                }
            }
        }
        _ => {}
    }
}

fn numbers(value: Value) -> Value {
    /// Beyond this a double holds no further integers exactly.
    const MOST: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => match number
            .as_f64()
            .filter(|n| number.is_f64() && n.fract() == 0.0 && n.abs() < MOST)
        {
            Some(whole) => Value::from(whole as i64),
            None => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(numbers).collect(),
        Value::Object(map) => map.into_iter().map(|(key, inner)| (key, numbers(inner))).collect(),
        other => other,
    }
}

/// `None`: it is as expected.
pub fn unexpected(expect: &Expectation, came: &Came<'_>) -> Option<Difference> {
    let found = |what: String| Some(Difference { what, allowed_by: None });
    match expect.status {
        Some(status) if status != came.status => {
            return found(format!("status {} came where {status} was expected", came.status));
        }
        None if !(200..300).contains(&came.status) => {
            return found(format!(
                "status {} came where a status from 200 to 299 was expected",
                came.status
            ));
        }
        _ => {}
    }
    for (name, right) in &expect.headers {
        let values: Vec<&str> = came
            .headers
            .iter()
            .filter(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
            .collect();
        if !values.contains(&right.as_str()) {
            let got = match values.is_empty() {
                true => "is not there".to_owned(),
                false => format!("is {}", text(&values.join(", "))),
            };
            return found(format!("the header {name} {got} where {} was expected", text(right)));
        }
    }
    if let Some(right) = &expect.body_sha256 {
        let got = hex::encode(Sha256::digest(came.body));
        if got != *right {
            return found(format!(
                "the body of {} bytes has the sha256 {}… where {}… was expected; it begins with {}",
                came.body.len(),
                &got[..12],
                &right[..12.min(right.len())],
                text(&String::from_utf8_lossy(
                    &came.body[..came.body.len().min(4 * SHOWN_CHARS)]
                ))
            ));
        }
    }
    if expect.json.is_empty() {
        return None;
    }
    let Ok(body) = serde_json::from_slice::<Value>(came.body) else {
        return found(format!(
            "the body is no JSON; it begins with {}",
            text(&String::from_utf8_lossy(
                &came.body[..came.body.len().min(4 * SHOWN_CHARS)]
            ))
        ));
    };
    let wrong = expect.json.iter().find_map(|(pointer, right)| {
        let got = body.pointer(pointer);
        let alike = got.is_some_and(|got| numbers(got.clone()) == numbers(right.clone()));
        (!alike).then(|| (pointer, shown(got), shown(Some(right))))
    });
    wrong.and_then(|(pointer, got, right)| {
        found(format!(
            "the JSON value at {pointer} is {got} where {right} was expected"
        ))
    })
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
        let expected = Answer::of(&came(&a_headers, leak(a.1)), same, 1);
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
            "the JSON value at /user/id is 8, and 7 from base. If that may differ, write same_but_for = { fields = [\"/user/id\"] } in the scenario's file"
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

    #[test]
    fn an_expectation_is_told_where_it_is_not_met() {
        let expect: Expectation = serde_json::from_value(serde_json::json!({
            "status": 200, "headers": { "x": "1" }, "json": { "/user/id": 7 },
        }))
        .unwrap();
        let check = |status, list: &[(&str, &str)], body: &str| {
            let headers = headers(list);
            let came = Came {
                status,
                headers: &headers,
                body: body.as_bytes(),
            };
            unexpected(&expect, &came).map(|d| d.told())
        };
        assert_eq!(check(200, &[("x", "1")], r#"{"user":{"id":7.0}}"#), None);
        assert_eq!(check(500, &[], "").unwrap(), "status 500 came where 200 was expected");
        assert_eq!(
            check(200, &[], "").unwrap(),
            "the header x is not there where \"1\" was expected"
        );
        assert_eq!(
            check(200, &[("x", "1")], r#"{"user":{"id":"7"}}"#).unwrap(),
            "the JSON value at /user/id is \"7\" where 7 was expected"
        );
        assert!(
            check(200, &[("x", "1")], "<html>")
                .unwrap()
                .contains("no JSON; it begins with \"<html>\"")
        );
    }
}
