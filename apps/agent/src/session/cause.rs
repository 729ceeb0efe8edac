//! Why a call failed.

use std::error::Error;

/// hyper's errors say little themselves; the reason is the innermost cause. An `io::Error` hides what it wraps.
pub fn innermost<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
    match wrapped.map(|e| e as &(dyn Error + 'static)).or_else(|| error.source()) {
        Some(cause) => innermost(cause),
        None => error,
    }
}
