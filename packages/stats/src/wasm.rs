//! The door for WebAssembly: JSON in, JSON out, over a C ABI. The caller writes the input into memory that it got from
//! `alloc`, calls `summarise` or `curve`, reads the answer where the packed result says and hands both pieces back to
//! `dealloc`.

use crate::{SummaryInput, curve::curve, summarise};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::panic::catch_unwind;

/// Summarises UTF-8 JSON. The answer is the summary, or `{"error": "…"}` with one sentence when the JSON is broken, does
/// not fit INTERFACE.md or contradicts itself.
#[must_use]
pub fn answer(json: &[u8]) -> Vec<u8> {
    door(json, |input: SummaryInput| {
        summarise(&input).map_err(|error| error.to_string())
    })
}

/// The percentile curve of a JSON array of histogram blobs; errors as [`answer`] has them.
#[must_use]
pub fn answer_curve(json: &[u8]) -> Vec<u8> {
    door(json, |blobs: Vec<String>| Ok(curve(&blobs)))
}

fn door<I: DeserializeOwned, O: Serialize>(json: &[u8], ask: fn(I) -> Result<O, String>) -> Vec<u8> {
    let answer = catch_unwind(|| {
        let input: I = serde_json::from_slice(json).map_err(|error| format!("the input does not fit: {error}"))?;
        serde_json::to_vec(&ask(input)?).map_err(|error| format!("the answer cannot be written: {error}"))
    });
    match answer.unwrap_or_else(|_| Err("the statistics failed inside".to_owned())) {
        Ok(bytes) => bytes,
        Err(error) => serde_json::json!({ "error": error }).to_string().into_bytes(),
    }
}

#[cfg(target_arch = "wasm32")]
mod abi {
    /// Memory for `len` bytes. The pointer goes back to `dealloc` with the same length.
    #[unsafe(no_mangle)]
    pub extern "C" fn alloc(len: usize) -> *mut u8 {
        let bytes: Box<[u8]> = vec![0; len].into();
        Box::into_raw(bytes).cast()
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// `ptr` and `len` are those of one earlier `alloc`, `summarise` or `curve`, and are given back once.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn dealloc(ptr: *mut u8, len: usize) {
        // SAFETY: the caller hands back what `Box::into_raw` gave for a slice of this length.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(ptr, len)) });
    }

    /// Summarises the `len` bytes of JSON at `ptr`, which stay the caller's. The answer's address is in the upper 32
    /// bits, its length in the lower.
    ///
    /// # Safety
    /// `ptr` points at `len` bytes that were written.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn summarise(ptr: *const u8, len: usize) -> u64 {
        // SAFETY: the caller owns these bytes and does not touch them during the call.
        packed(super::answer(unsafe { std::slice::from_raw_parts(ptr, len) }))
    }

    /// The percentile curve of a JSON array of blobs, otherwise as `summarise`.
    ///
    /// # Safety
    /// `ptr` points at `len` bytes that were written.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn curve(ptr: *const u8, len: usize) -> u64 {
        // SAFETY: the caller owns these bytes and does not touch them during the call.
        packed(super::answer_curve(unsafe { std::slice::from_raw_parts(ptr, len) }))
    }

    fn packed(answer: Vec<u8>) -> u64 {
        let answer = answer.into_boxed_slice();
        let len = answer.len() as u64;
        (Box::into_raw(answer).cast::<u8>() as u64) << 32 | len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_input_is_an_error_and_not_a_panic() {
        for json in ["", "{", "null", "[]", "{\"schema\":1}", "\u{0}", "{\"schema\":-1}"] {
            let text = String::from_utf8(answer(json.as_bytes())).unwrap();
            assert!(
                text.starts_with("{\"error\":\"the input does not fit"),
                "{json}: {text}"
            );
        }
        assert!(answer(&[0xff, 0xfe]).starts_with(b"{\"error\":"));
        assert!(answer_curve(b"[1]").starts_with(b"{\"error\":\"the input does not fit"));
    }

    #[test]
    fn a_curve_of_nothing_says_so() {
        let text = String::from_utf8(answer_curve(b"[]")).unwrap();
        assert_eq!(text, r#"{"count":0,"max_us":null,"points":[],"note":"no histogram"}"#);
    }
}
