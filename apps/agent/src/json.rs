//! JSON that is held as a value, as one of our types.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// By its text: then a type has one reader in the program, which is some 100 kB for the larger ones, and not a second one for values.
pub fn read<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_slice(&serde_json::to_vec(value)?)
}
