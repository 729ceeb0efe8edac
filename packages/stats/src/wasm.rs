//! The door for WebAssembly: JSON in, JSON out, over a C ABI. The caller writes the input into memory that it got from
//! `alloc`, calls `summarise`, reads the answer where the packed result says and hands both pieces back to `dealloc`.

use crate::{SummaryInput, summarise};
use std::panic::catch_unwind;

/// Summarises UTF-8 JSON. The answer is the summary, or `{"error": "…"}` with one sentence when the JSON is broken, does
/// not fit INTERFACE.md or contradicts itself.
#[must_use]
pub fn answer(json: &[u8]) -> Vec<u8> {
    let summary = catch_unwind(|| {
        let input: SummaryInput =
            serde_json::from_slice(json).map_err(|error| format!("the input does not fit: {error}"))?;
        let summary = summarise(&input).map_err(|error| error.to_string())?;
        serde_json::to_vec(&summary).map_err(|error| format!("the summary cannot be written: {error}"))
    });
    match summary.unwrap_or_else(|_| Err("the summary failed inside".to_owned())) {
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
    /// `ptr` and `len` are those of one earlier `alloc` or `summarise`, and are given back once.
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
        let json = unsafe { std::slice::from_raw_parts(ptr, len) };
        let answer = super::answer(json).into_boxed_slice();
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
    }
}
