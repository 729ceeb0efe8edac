//! A response beside what a scenario's file says is right.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::difference::Difference;
use super::headers::{CONTENT_TYPE, media_type};
use super::normal_json::numbers;
use super::responses::Came;
use super::shown::{SHOWN_CHARS, shown, text};
use crate::protocol::http::Expectation;

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
        let is_right = |value: &&str| match name.as_str() {
            CONTENT_TYPE => media_type(value) == media_type(right),
            _ => value == right,
        };
        if !values.iter().any(is_right) {
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
