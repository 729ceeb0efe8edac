// SPDX-License-Identifier: MIT
//! Workload `json-sum`: serde_json reads the numbers and adds them as they come, so that no array is built.

use std::fmt;

use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

const BODY_BYTES: usize = 16 << 20;

pub async fn respond(body: Body) -> Result<String, (StatusCode, &'static str)> {
    let body = to_bytes(body, BODY_BYTES).await.map_err(|_| {
        (
            StatusCode::PAYLOAD_TOO_LARGE,
            "the body broke off, or is larger than 16 MiB\n",
        )
    })?;
    match sum(&body) {
        Some(sum) => Ok(format!("sum = {sum}")),
        None => Err((
            StatusCode::BAD_REQUEST,
            "not an array of integers whose sum fits 64 bits\n",
        )),
    }
}

fn sum(json: &[u8]) -> Option<i64> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let mut total = Total::default();
    reader.deserialize_seq(&mut total).ok()?;
    reader.end().ok()?;
    // serde_json reads `-0` as the float that `-0.0` and `-1e-400` are too. What got here holds integers beside it, so the
    // bytes decide.
    if total.negative_zero && json.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return None;
    }
    i64::try_from(total.sum).ok()
}

#[derive(Default)]
struct Total {
    /// Wide enough for as many 64-bit numbers as fit a body.
    sum: i128,
    negative_zero: bool,
}

impl<'de> Visitor<'de> for &mut Total {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of integers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Item(self))?.is_some() {}
        Ok(())
    }
}

struct Item<'a>(&'a mut Total);

impl<'de> serde::de::DeserializeSeed<'de> for Item<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, item: D) -> Result<(), D::Error> {
        item.deserialize_i64(self)
    }
}

impl Visitor<'_> for Item<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an integer of at most 64 bits")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.sum += i128::from(value);
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.sum += i128::from(value);
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        if value == 0.0 && value.is_sign_negative() {
            self.0.negative_zero = true;
            return Ok(());
        }
        Err(E::custom("a fraction"))
    }
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn integers_are_added_exactly() {
        assert_eq!(sum(b"[]"), Some(0));
        assert_eq!(sum(b" [ 1 ,\t-2,\r\n30 ] "), Some(29));
        assert_eq!(sum(b"[9223372036854775807]"), Some(i64::MAX));
        assert_eq!(sum(b"[-9223372036854775807, 9223372036854775807, 5]"), Some(5));
        assert_eq!(sum(b"[9223372036854775808, -1]"), Some(i64::MAX));
        assert_eq!(sum(b"[-0, 3]"), Some(3));
    }

    #[test]
    fn anything_else_is_refused() {
        for json in [
            "",
            " ",
            "[",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "[1]]",
            "[1] 2",
            "1",
            "{}",
            "null",
            "[null]",
            "[\"1\"]",
            "[[1]]",
            "[true]",
            "[1.0]",
            "[1.5]",
            "[1e2]",
            "[-0.0]",
            "[-0, -0e1]",
            "[-1e-400]",
            "[-15e-999, 3]",
            "[01]",
            "[+1]",
            "[-]",
            "[0x1]",
            "[1 2]",
            "[9223372036854775807, 1]",
            "[99999999999999999999]",
            "[NaN]",
            "\u{feff}[1]",
        ] {
            assert_eq!(sum(json.as_bytes()), None, "{json}");
        }
    }
}
