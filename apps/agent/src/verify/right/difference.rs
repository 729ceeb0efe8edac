//! Where two responses differ, in words.

use super::json_fields::{Place, fields, named};
use super::responses::NormalResponse;
use super::shown::{SHOWN_CHARS, shown, text};
use crate::protocol::http::SameButFor;

/// Where nothing smaller than the whole body could be named.
const LESS: &str = "To compare less of it, give this request an expectation, such as `expect = { status = 200 }`";

/// How two responses differ, and what would allow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub what: String,
    /// A sentence without its full stop.
    pub allowed_by: Option<String>,
}

impl Difference {
    /// One or two sentences, the last without its full stop.
    pub fn told(&self) -> String {
        match &self.allowed_by {
            Some(next) => format!("{}. {next}", self.what),
            None => self.what.clone(),
        }
    }
}

/// `None`: they are the same. `got` has all of its body; `whose` names the side that was expected, such as "base".
pub fn difference(
    expected: &NormalResponse,
    got: &NormalResponse,
    same: &SameButFor,
    whose: &str,
) -> Option<Difference> {
    if got.status != expected.status {
        return Some(Difference {
            what: format!("status {} came, and {} from {whose}", got.status, expected.status),
            allowed_by: None,
        });
    }
    if let Some(found) = headers(&expected.headers.of_the_body, &got.headers.of_the_body, whose) {
        return Some(found);
    }
    if got.sha256 == expected.sha256 {
        return None;
    }
    let (right, wrong) = (expected.start(), got.start());
    if expected.json
        && got.json
        && expected.is_whole(&right)
        && let (Ok(right), Ok(wrong)) = (serde_json::from_slice(&right), serde_json::from_slice(&wrong))
    {
        let mut found = Vec::new();
        fields(&right, &wrong, &Place::default(), &mut found);
        if let Some(first) = found.first() {
            let at = first.at.exact.as_str();
            let shown_at = if at.is_empty() { "the whole" } else { at };
            let (wrong, right) = (shown(first.wrong), shown(first.right));
            return Some(Difference {
                what: format!("the JSON value at {shown_at} is {wrong}, and {right} from {whose}"),
                allowed_by: Some(match named(&found) {
                    Some(pointers) => allowing(same, &pointers),
                    None => LESS.to_owned(),
                }),
            });
        }
    }
    Some(Difference {
        what: bytes(expected, got, whose),
        allowed_by: Some(LESS.to_owned()),
    })
}

/// The line that allows this too. A key may stand in the file once, so it has what is allowed already.
fn allowing(same: &SameButFor, fields: &[String]) -> String {
    let mut all = same.clone();
    all.fields.extend_from_slice(fields);
    let key = |name: &str, values: &[String]| (!values.is_empty()).then(|| format!("{name} = {values:?}"));
    let keys = [key("headers", &all.headers), key("fields", &all.fields)];
    let keys: Vec<String> = keys.into_iter().flatten().collect();
    let how = if *same == SameButFor::default() {
        "put this line above the first [[request]] of the scenario's file"
    } else {
        "replace `same_but_for` in the scenario's file by this line, above the first [[request]]"
    };
    format!("If that may differ, {how}: `same_but_for = {{ {} }}`", keys.join(", "))
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
        // The bodies differ, too.
        allowed_by: Some(LESS.to_owned()),
    })
}

fn bytes(expected: &NormalResponse, got: &NormalResponse, whose: &str) -> String {
    let (right, wrong) = (expected.start(), got.start());
    let same = right.iter().zip(&wrong).take_while(|(a, b)| a == b).count();
    let what = match expected.json && got.json {
        true => "the JSON body, in its sorted form,",
        false => "the body",
    };
    if same == right.len() && !expected.is_whole(&right) {
        let sizes = match got.bytes == expected.bytes {
            true => String::new(),
            false => format!("; it has {} bytes, and {} from {whose}", got.bytes, expected.bytes),
        };
        return format!("{what} is equal in its first {same} bytes and differs after that{sizes}");
    }
    let from = |body: &[u8]| {
        let end = body.len().min(same + SHOWN_CHARS);
        text(&String::from_utf8_lossy(body.get(same..end).unwrap_or_default()))
    };
    let (right_from, wrong_from) = (from(&right), from(&wrong));
    if expected.bytes == got.bytes {
        return format!("{what} differs from byte {same} on: {wrong_from}, and {right_from} from {whose}");
    }
    format!(
        "{what} has {} bytes and from byte {same} on {wrong_from}, and {} bytes and {right_from} from {whose}",
        got.bytes, expected.bytes
    )
}

#[cfg(test)]
mod tests {
    use super::super::responses::Came;
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
        let got = NormalResponse::keeping(&came(&b_headers, leak(b.1)), same, usize::MAX);
        difference(&expected, &got, same, "base").map(|d| d.told())
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
            &[("server", "b"), JSON, ("connection", "close"), ("etag", "1")][..],
            r#"{"b":[1,true],"a":1}"#,
        );
        assert_eq!(told(&none, a, b), None);
        // Whatever the type says.
        assert_eq!(
            told(&none, (&[("content-type", "text/plain")], a.1), (&[JSON], b.1)),
            None
        );
        assert_eq!(told(&none, (&[JSON], "\"ok\""), (&[], "\"ok\"")), None);
        // The same words are other bytes where it is none.
        let (a, b) = ("a: 1, b: 2", "a: 1,  b: 2");
        assert!(told(&none, (&[], a), (&[], b)).unwrap().contains("from byte 6 on"));
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
            "the JSON value at /user/id is 8, and 7 from base. If that may differ, put this line above the first [[request]] of the scenario's file: `same_but_for = { fields = [\"/user/id\", \"/user/n\"] }`"
        );
        let gone = told(&none, (&[JSON], r#"{"a/b":[1,2]}"#), (&[JSON], r#"{"a/b":[1]}"#)).unwrap();
        assert!(
            gone.starts_with("the JSON value at /a~1b/1 is nothing, and 2 from base.")
                && gone.contains("fields = [\"/a~1b\"]"),
            "{gone}"
        );
        let header = told(
            &none,
            (&[("content-encoding", "br"), ("content-range", "bytes 0-1/2")], ""),
            (&[("content-encoding", "gzip")], ""),
        );
        let header = header.unwrap();
        assert!(
            header.starts_with("the header content-encoding is \"gzip\", and \"br\" from base.")
                && header.ends_with(LESS),
            "{header}"
        );
        let body = told(&none, (&[], "abcdef"), (&[], "abcxef")).unwrap();
        assert_eq!(
            body,
            "the body differs from byte 3 on: \"xef\", and \"def\" from base. To compare less of it, give this request an expectation, such as `expect = { status = 200 }`"
        );
    }

    #[test]
    fn named_headers_and_fields_may_differ() {
        let same = SameButFor {
            headers: vec!["content-encoding".into()],
            fields: vec!["/id".into(), "/items/*/at".into(), "/list/0".into()],
        };
        let a = (
            &[JSON, ("content-encoding", "br")][..],
            r#"{"id":1,"items":[{"at":1,"v":2}],"list":[1,2]}"#,
        );
        let b = (&[JSON][..], r#"{"id":2,"items":[{"at":9,"v":2}],"list":[7,2]}"#);
        assert_eq!(told(&same, a, b), None);
        let other = (&[JSON][..], r#"{"id":2,"items":[{"at":9,"v":3}],"list":[7,2]}"#);
        assert!(told(&same, a, other).unwrap().contains("/items/0/v is 3"));
    }

    #[test]
    fn the_line_allows_what_was_allowed_and_all_that_differs() {
        let same = SameButFor {
            headers: vec!["etag".into()],
            fields: vec!["/id".into()],
        };
        let a = (
            &[JSON][..],
            r#"{"id":1,"items":[{"at":1,"v":2},{"at":2,"v":2}],"n":1,"list":[1,2]}"#,
        );
        let b = (
            &[JSON][..],
            r#"{"id":2,"items":[{"at":3,"v":2},{"at":4,"v":2}],"n":2,"list":[1,3]}"#,
        );
        let line = |fields: &[&str]| format!("`same_but_for = {{ headers = [\"etag\"], fields = {fields:?} }}`");
        let message = told(&same, a, b).unwrap();
        assert!(
            message.contains("replace `same_but_for` in the scenario's file by this line")
                && message.ends_with(&line(&["/id", "/items/*/at", "/list/1", "/n"])),
            "{message}"
        );
        let allowed = SameButFor {
            fields: ["/id", "/items/*/at", "/list/1", "/n"].map(str::to_owned).to_vec(),
            ..same.clone()
        };
        assert_eq!(told(&allowed, a, b), None);
        // Nothing smaller than the whole can be named.
        let whole = told(&same, (&[JSON], "[1]"), (&[JSON], "[1,2]")).unwrap();
        assert!(whole.ends_with(LESS), "{whole}");
    }

    #[test]
    fn a_difference_beyond_what_is_kept_is_told_as_one() {
        let (none, long) = (SameButFor::default(), "x".repeat(300 << 10));
        let message = told(&none, (&[], &format!("{long}a")), (&[], &format!("{long}b"))).unwrap();
        let expected = "the body is equal in its first 262144 bytes and differs after that.";
        assert!(message.starts_with(expected), "{message}");
        // In the sorted form "z" comes last.
        let json = |z: u32| format!("{{\"z\":{z},\"a\":\"{long}\"}}");
        let message = told(&none, (&[JSON], &json(1)), (&[JSON], &json(2))).unwrap();
        let expected = "the JSON body, in its sorted form, is equal in its first 262144 bytes and differs after that.";
        assert!(message.starts_with(expected), "{message}");
        // As far as it is kept, the field is found.
        let json = |z: u32| format!("{{\"a\":\"{}\",\"z\":{z}}}", "x".repeat(100 << 10));
        let message = told(&none, (&[JSON], &json(1)), (&[JSON], &json(2))).unwrap();
        assert!(
            message.starts_with("the JSON value at /z is 2, and 1 from base."),
            "{message}"
        );
    }
}
