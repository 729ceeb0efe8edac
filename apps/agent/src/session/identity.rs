//! Who this host is: an Ed25519 key that never leaves it, and the control plane that knows the public half.

use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64URL;
use ed25519_dalek::{Signer, SigningKey};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

use crate::protocol::wire::session_message;
use crate::spool::write_atomically;

const FILE: &str = "identity.json";
/// Kept from before the first try until it worked: the same key may ask again when a response was lost.
const PENDING: &str = "enrolling.json";

#[derive(Debug, Error)]
pub enum IdentityError {
    #[error("This host is not enrolled; copy the `rigmark enroll` command from the web app's \"Add a host\" page.")]
    Missing,
    #[error(
        "{0} can be read by others, so its key is no longer secret; run `rigmark enroll --replace` with a new key."
    )]
    Exposed(PathBuf),
    #[error(
        "{0} belongs to another user, so its key may be known to them; remove it and run `rigmark enroll` with a new key."
    )]
    Foreign(PathBuf),
    #[error("{0} cannot be parsed ({1}); run `rigmark enroll --replace` with a new key.")]
    Malformed(PathBuf, String),
    #[error("{0} cannot be used ({1}); make sure that the agent may read and write there.")]
    Io(PathBuf, io::Error),
    #[error("The system gave no random bytes for a key ({0}).")]
    Random(String),
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    pub fn generate() -> Result<Self, IdentityError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|e| IdentityError::Random(e.to_string()))?;
        Ok(Self(BASE64URL.encode(seed)))
    }
    fn key(&self) -> Result<SigningKey, String> {
        let seed = BASE64URL.decode(&self.0).map_err(|_| "the key is not base64url")?;
        let seed: [u8; 32] = seed.try_into().map_err(|_| "the key has not 32 bytes")?;
        Ok(SigningKey::from_bytes(&seed))
    }
    /// As the wire wants it.
    pub fn public_key(&self) -> Result<String, String> {
        Ok(BASE64URL.encode(self.key()?.verifying_key().as_bytes()))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Identity {
    pub schema: u32,
    pub host_id: Uuid,
    pub host_name: String,
    pub url: String,
    /// Plain HTTP to this address was allowed at enrollment.
    pub allow_http: bool,
    pub secret: Secret,
}

#[derive(Serialize, Deserialize)]
struct Pending {
    secret: Secret,
}

impl Identity {
    pub fn load(state: &Path) -> Result<Self, IdentityError> {
        let path = state.join(FILE);
        let text = read_own(&path)?.ok_or(IdentityError::Missing)?;
        let identity: Self =
            serde_json::from_str(&text).map_err(|e| IdentityError::Malformed(path.clone(), e.to_string()))?;
        identity
            .secret
            .key()
            .map_err(|why| IdentityError::Malformed(path, why))?;
        Ok(identity)
    }

    /// 0600, whole or not at all. The key that was kept for another try goes.
    pub fn save(&self, state: &Path) -> Result<(), IdentityError> {
        write(&state.join(FILE), self)?;
        let _ = std::fs::remove_file(state.join(PENDING));
        Ok(())
    }

    /// base64url over the bytes that a session wants signed.
    pub fn sign(&self, nonce: &str) -> Result<String, String> {
        let signature = self
            .secret
            .key()?
            .sign(session_message(&self.host_id, nonce).as_bytes());
        Ok(BASE64URL.encode(signature.to_bytes()))
    }
}

/// The key of an enrollment that may have worked without our knowing, or a new one.
pub fn pending_secret(state: &Path) -> Result<Secret, IdentityError> {
    let path = state.join(PENDING);
    let kept = read_own(&path)?.and_then(|t| serde_json::from_str::<Pending>(&t).ok());
    if let Some(Pending { secret }) = kept.filter(|p| p.secret.key().is_ok()) {
        return Ok(secret);
    }
    let secret = Secret::generate()?;
    write(&path, &Pending { secret: secret.clone() })?;
    Ok(secret)
}

/// A secret counts only in a file of our own that nobody else can read. `None` when there is none.
fn read_own(path: &Path) -> Result<Option<String>, IdentityError> {
    let io = |error| IdentityError::Io(path.to_owned(), error);
    let mut file = match std::fs::OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW)
        .open(path)
    {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(io)?,
    };
    // Of the open file, so that it cannot be exchanged in between.
    let meta = file.metadata().map_err(io)?;
    // SAFETY: geteuid cannot fail and touches no memory.
    if meta.uid() != unsafe { libc::geteuid() } {
        return Err(IdentityError::Foreign(path.to_owned()));
    }
    if meta.mode() & 0o077 != 0 {
        return Err(IdentityError::Exposed(path.to_owned()));
    }
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(io)?;
    Ok(Some(text))
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), IdentityError> {
    let io = |error| IdentityError::Io(path.to_owned(), error);
    let mut text = serde_json::to_string_pretty(value).map_err(|e| io(e.into()))?;
    text.push('\n');
    write_atomically(path, text.as_bytes()).map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::{Signature, Verifier, VerifyingKey};
    use std::os::unix::fs::PermissionsExt;

    fn identity() -> Identity {
        Identity {
            schema: 1,
            host_id: Uuid::from_u128(5),
            host_name: "pi".into(),
            url: "http://127.0.0.1:1".into(),
            allow_http: false,
            secret: Secret::generate().unwrap(),
        }
    }

    #[test]
    fn what_others_planted_is_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let planted = dir.path().join("identity.tmp");
        std::fs::write(&planted, "theirs").unwrap();
        let held = std::fs::File::open(&planted).unwrap();
        identity().save(dir.path()).unwrap();
        let (kept, made) = (
            held.metadata().unwrap(),
            std::fs::metadata(dir.path().join(FILE)).unwrap(),
        );
        assert_ne!(kept.ino(), made.ino(), "the planted file became the identity");

        std::fs::remove_file(dir.path().join(FILE)).unwrap();
        std::os::unix::fs::symlink(&planted, dir.path().join(FILE)).unwrap();
        assert!(matches!(Identity::load(dir.path()), Err(IdentityError::Io(..))));
    }

    #[test]
    fn the_signature_fits_the_public_half() {
        let identity = identity();
        let bytes = |text: String| BASE64URL.decode(text).unwrap();
        let key = bytes(identity.secret.public_key().unwrap());
        let key = VerifyingKey::from_bytes(&key.try_into().unwrap()).unwrap();
        let signature = Signature::from_slice(&bytes(identity.sign("n").unwrap())).unwrap();
        let message = format!("rigmark-session-v1\n{}\nn", identity.host_id);
        key.verify(message.as_bytes(), &signature).unwrap();
    }

    #[test]
    fn the_file_is_private_and_an_exposed_or_broken_one_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Identity::load(dir.path()), Err(IdentityError::Missing)));
        let pending = pending_secret(dir.path()).unwrap();
        assert_eq!(pending.0, pending_secret(dir.path()).unwrap().0);
        identity().save(dir.path()).unwrap();
        assert!(!dir.path().join(PENDING).exists());
        let path = dir.path().join(FILE);
        assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(Identity::load(dir.path()).unwrap().host_name, "pi");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        assert!(matches!(Identity::load(dir.path()), Err(IdentityError::Exposed(_))));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        std::fs::write(&path, "{}").unwrap();
        assert!(matches!(Identity::load(dir.path()), Err(IdentityError::Malformed(..))));
    }

    #[test]
    fn the_secret_is_not_printed() {
        let identity = identity();
        assert!(!format!("{identity:?}").contains(&identity.secret.0));
    }
}
