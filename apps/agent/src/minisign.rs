//! Is a file signed with that key? In minisign's formats (<https://jedisct1.github.io/minisign/>), of which only the one of today
//! is taken: Ed25519 over BLAKE2b-512 of the file, and over the signature with its trusted comment.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use blake2::{Blake2b512, Digest};
use ed25519_dalek::{Signature, VerifyingKey};
use thiserror::Error;

#[derive(Debug, Error, PartialEq, Eq)]
pub enum SignatureError {
    #[error("The public key is not one of minisign's.")]
    Key,
    #[error("The signature is not one of minisign's.")]
    Format,
    #[error("The signature was made with another key.")]
    OtherKey,
    #[error("The signature is not that of this file.")]
    Wrong,
}

/// `key` is the second line of a public key file, `signature` a whole signature file.
pub fn check(file: &[u8], signature: &str, key: &str) -> Result<(), SignatureError> {
    let key = STANDARD.decode(key.trim()).map_err(|_| SignatureError::Key)?;
    let Some((b"Ed", id, key)) = parts(&key) else {
        return Err(SignatureError::Key);
    };
    let by = VerifyingKey::from_bytes(&key).map_err(|_| SignatureError::Key)?;
    let mut lines = signature.lines().skip(1);
    let mut decoded = |prefix: &str| lines.next()?.strip_prefix(prefix).map(str::to_owned);
    let (of, comment, whole) = (decoded(""), decoded("trusted comment: "), decoded(""));
    let of = STANDARD.decode(of.unwrap_or_default()).unwrap_or_default();
    let whole = STANDARD.decode(whole.unwrap_or_default()).unwrap_or_default();
    let Some((b"ED", signer, of)) = parts::<64>(&of) else {
        return Err(SignatureError::Format);
    };
    let whole = Signature::from_slice(&whole).map_err(|_| SignatureError::Format)?;
    if signer != id {
        return Err(SignatureError::OtherKey);
    }
    let comment = comment.ok_or(SignatureError::Format)?;
    let hash = Blake2b512::digest(file);
    let both = [of.as_slice(), comment.as_bytes()].concat();
    by.verify_strict(&hash, &Signature::from_bytes(&of))
        .and_then(|()| by.verify_strict(&both, &whole))
        .map_err(|_| SignatureError::Wrong)
}

/// Two bytes that name the algorithm, eight that name the key, and the rest.
fn parts<const N: usize>(data: &[u8]) -> Option<(&[u8; 2], &[u8; 8], [u8; N])> {
    let (algorithm, rest) = data.split_first_chunk()?;
    let (id, rest) = rest.split_first_chunk()?;
    Some((algorithm, id, rest.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Made by `./rig release` (packages/rig/src/release/sign.ts); minisign 0.11 finds it right.
    const KEY: &str = "RWRxQRPkn+qxBqhMTcODea3OD+wW5U5+XvoBchnFD7Y+ptaVtWBgmwbM";
    const FILE: &[u8] = b"abc  rigmark.tar.gz\n";
    const SIGNATURE: &str = "untrusted comment: signature of a Rigmark release
RURxQRPkn+qxBiqRB9aPHJNnupuSXI3lnrGOphGAWembWKfXKk27xxOHGzt0rt7Be3F3yFwf+M/lGc6cr8AkDlkFLp1NRFz6DgY=
trusted comment: rigmark 0.1.0
UE2X2EhsoR8wQgCA3eor4x8wvRiJdjsp+8LQc9aGskm/+zQET9yHFwyrD3iF0lvJyzYmsmO8LKwzdPohb5wNDQ==
";

    #[test]
    fn a_signed_file_is_right_and_any_other_is_not() {
        assert_eq!(check(FILE, SIGNATURE, KEY), Ok(()));
        assert_eq!(check(FILE, SIGNATURE, &format!("{KEY}\n")), Ok(()));
        assert_eq!(
            check(b"abd  rigmark.tar.gz\n", SIGNATURE, KEY),
            Err(SignatureError::Wrong)
        );
        let comment = SIGNATURE.replace("0.1.0", "0.2.0");
        assert_eq!(check(FILE, &comment, KEY), Err(SignatureError::Wrong));
        let other = KEY.replace("RWRxQRPkn", "RWRxQRPko");
        assert_eq!(check(FILE, SIGNATURE, &other), Err(SignatureError::OtherKey));
    }

    #[test]
    fn what_is_no_signature_or_key_is_called_so() {
        for cut in [
            "",
            "untrusted",
            "a\nb\nc\nd\n",
            &SIGNATURE[..80],
            &SIGNATURE[..200],
            &KEY.repeat(900),
        ] {
            assert_eq!(check(FILE, cut, KEY), Err(SignatureError::Format), "{cut}");
        }
        for key in ["", "a", "@@@", SIGNATURE, &KEY[..50]] {
            assert_eq!(check(FILE, SIGNATURE, key), Err(SignatureError::Key), "{key}");
        }
    }
}
