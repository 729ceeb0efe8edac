//! The digest over all chunks of a stream.

use sha2::{Digest, Sha256};

/// d(0) = sha256(""), d(n+1) = sha256(d(n) ‖ sha256(chunk n)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RollingDigest([u8; 32]);

impl RollingDigest {
    pub fn new() -> Self {
        Self(Sha256::digest(b"").into())
    }
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
    pub fn push(&mut self, chunk_sha256: &[u8; 32]) {
        let mut hasher = Sha256::new();
        hasher.update(self.0);
        hasher.update(chunk_sha256);
        self.0 = hasher.finalize().into();
    }
    pub fn bytes(&self) -> [u8; 32] {
        self.0
    }
    pub fn hex(&self) -> String {
        hex::encode(self.0)
    }
}

impl Default for RollingDigest {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_the_hash_of_nothing_and_order_matters() {
        let empty = RollingDigest::new();
        assert_eq!(
            empty.hex(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        let (a, b): ([u8; 32], [u8; 32]) = (Sha256::digest(b"a").into(), Sha256::digest(b"b").into());
        let rolled = |order: [&[u8; 32]; 2]| {
            let mut digest = empty;
            order.iter().for_each(|sha| digest.push(sha));
            digest.hex()
        };
        assert_ne!(rolled([&a, &b]), rolled([&b, &a]));
        // sha256(sha256("") ‖ sha256("a")), computed apart from this code.
        let mut one = empty;
        one.push(&a);
        assert_eq!(one.hex(), hex::encode(Sha256::digest([empty.bytes(), a].concat())));
    }
}
