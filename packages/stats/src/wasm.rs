//! The interface for WebAssembly: JSON in, JSON out, over a C ABI. The caller writes the input into memory that it got
//! from `alloc`, calls one of the functions below, reads the output where the packed result says and hands both pieces back
//! to `dealloc`.

use crate::between_runs::{BetweenRunsInput, between_runs};
use crate::changes::{ChangesInput, changes};
use crate::curve::{CurveInput, curve};
use crate::overall::{OverallInput, overall};
use crate::{SummaryInput, summarize};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::panic::catch_unwind;

/// Summarizes UTF-8 JSON. The output is the summary, or `{"error": "…"}` with one sentence when the JSON is broken, does
/// not fit INTERFACE.md or contradicts itself.
#[must_use]
pub fn summarize_json(json: &[u8]) -> Vec<u8> {
    call(json, |input: SummaryInput| {
        summarize(&input).map_err(|error| error.to_string())
    })
}

/// The percentile curve of a JSON [`CurveInput`]; errors as [`summarize_json`] has them.
#[must_use]
pub fn curve_json(json: &[u8]) -> Vec<u8> {
    call(json, |input: CurveInput| Ok(curve(&input)))
}

/// What a JSON [`BetweenRunsInput`] shows between runs; errors as [`summarize_json`] has them.
#[must_use]
pub fn between_runs_json(json: &[u8]) -> Vec<u8> {
    call(json, |input: BetweenRunsInput| Ok(between_runs(&input)))
}

/// The change points of a JSON [`ChangesInput`]; errors as [`summarize_json`] has them.
#[must_use]
pub fn changes_json(json: &[u8]) -> Vec<u8> {
    call(json, |input: ChangesInput| Ok(changes(&input)))
}

/// The means of a JSON [`OverallInput`]; errors as [`summarize_json`] has them.
#[must_use]
pub fn overall_json(json: &[u8]) -> Vec<u8> {
    call(json, |input: OverallInput| Ok(overall(&input)))
}

fn call<I: DeserializeOwned, O: Serialize>(json: &[u8], compute: fn(I) -> Result<O, String>) -> Vec<u8> {
    let output = catch_unwind(|| {
        let input: I = serde_json::from_slice(json).map_err(|error| format!("the input does not fit: {error}"))?;
        serde_json::to_vec(&compute(input)?).map_err(|error| format!("the output cannot be written: {error}"))
    });
    match output.unwrap_or_else(|_| Err("the statistics failed inside".to_owned())) {
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
    /// `ptr` and `len` are those of one earlier `alloc` or a computation, and are given back once.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn dealloc(ptr: *mut u8, len: usize) {
        // SAFETY: the caller hands back what `Box::into_raw` gave for a slice of this length.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(ptr, len)) });
    }

    /// Summarizes the `len` bytes of JSON at `ptr`, which stay the caller's. The output's address is in the upper 32
    /// bits, its length in the lower.
    ///
    /// # Safety
    /// `ptr` points at `len` bytes that were written.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn summarize(ptr: *const u8, len: usize) -> u64 {
        // SAFETY: the caller owns these bytes and does not touch them during the call.
        packed(super::summarize_json(unsafe { std::slice::from_raw_parts(ptr, len) }))
    }

    /// The percentile curve, otherwise as `summarize`.
    ///
    /// # Safety
    /// `ptr` points at `len` bytes that were written.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn curve(ptr: *const u8, len: usize) -> u64 {
        // SAFETY: the caller owns these bytes and does not touch them during the call.
        packed(super::curve_json(unsafe { std::slice::from_raw_parts(ptr, len) }))
    }

    /// What two runs show, otherwise as `summarize`.
    ///
    /// # Safety
    /// `ptr` points at `len` bytes that were written.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn between_runs(ptr: *const u8, len: usize) -> u64 {
        // SAFETY: the caller owns these bytes and does not touch them during the call.
        packed(super::between_runs_json(unsafe {
            std::slice::from_raw_parts(ptr, len)
        }))
    }

    /// Change points of a history, otherwise as `summarize`.
    ///
    /// # Safety
    /// `ptr` points at `len` bytes that were written.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn changes(ptr: *const u8, len: usize) -> u64 {
        // SAFETY: the caller owns these bytes and does not touch them during the call.
        packed(super::changes_json(unsafe { std::slice::from_raw_parts(ptr, len) }))
    }

    /// Means over several loads, otherwise as `summarize`.
    ///
    /// # Safety
    /// `ptr` points at `len` bytes that were written.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn overall(ptr: *const u8, len: usize) -> u64 {
        // SAFETY: the caller owns these bytes and does not touch them during the call.
        packed(super::overall_json(unsafe { std::slice::from_raw_parts(ptr, len) }))
    }

    fn packed(output: Vec<u8>) -> u64 {
        let output = output.into_boxed_slice();
        let len = output.len() as u64;
        (Box::into_raw(output).cast::<u8>() as u64) << 32 | len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_input_is_an_error_and_not_a_panic() {
        for json in ["", "{", "null", "[]", "{\"schema\":1}", "\u{0}", "{\"schema\":-1}"] {
            let text = String::from_utf8(summarize_json(json.as_bytes())).unwrap();
            assert!(
                text.starts_with("{\"error\":\"the input does not fit"),
                "{json}: {text}"
            );
        }
        assert!(summarize_json(&[0xff, 0xfe]).starts_with(b"{\"error\":"));
        assert!(curve_json(b"[1]").starts_with(b"{\"error\":\"the input does not fit"));
    }

    #[test]
    fn a_curve_of_nothing_says_so() {
        let text = String::from_utf8(curve_json(br#"{"blobs":[]}"#)).unwrap();
        assert_eq!(
            text,
            r#"{"count":0,"max_us":null,"points":[],"note":"no histogram","note_zh":"没有直方图","over_time":null}"#
        );
    }
}
