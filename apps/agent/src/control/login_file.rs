//! Where `rigmark login` keeps the token: `rigmark/login.toml` below the configuration folder, for its owner alone.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::token::Token;

const FILE: &str = "login.toml";
const BYTES: u64 = 64 * 1024;

#[derive(Debug, Error)]
pub enum LoginFileError {
    #[error(
        "Others on this machine can read {0}, so its token is not used. Run `chmod 600 {0}`; if somebody may have read it, \
         revoke the token on the app's page of tokens and log in again."
    )]
    Exposed(PathBuf),
    #[error("{0} belongs to another user, so its token is not used; remove it and run `rigmark login`.")]
    Foreign(PathBuf),
    #[error("{0} cannot be parsed ({1}); run `rigmark login` again.")]
    Malformed(PathBuf, String),
    #[error("{0} cannot be used ({1}).")]
    Io(PathBuf, io::Error),
    #[error(
        "Neither XDG_CONFIG_HOME nor HOME names a folder, so there is no place for the token; set RIGMARK_URL and RIGMARK_TOKEN."
    )]
    NoFolder,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    pub schema: u32,
    pub url: String,
    /// Plain HTTP to this address was allowed at login.
    #[serde(default)]
    pub allow_http: bool,
    /// Whom the app took us for: a person, or the token of a workspace.
    pub name: String,
    pub token: Token,
}

/// `login.toml` of whoever runs this.
pub fn path() -> Result<PathBuf, LoginFileError> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    folder("XDG_CONFIG_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".config")))
        .map(|config| config.join("rigmark").join(FILE))
        .ok_or(LoginFileError::NoFolder)
}

/// `None` when nobody is logged in.
pub fn load(path: &Path) -> Result<Option<Login>, LoginFileError> {
    let io = |error| LoginFileError::Io(path.to_owned(), error);
    let file = match fs::File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(io)?,
    };
    // Of the open file, so that it cannot be exchanged in between.
    let meta = file.metadata().map_err(io)?;
    // SAFETY: geteuid cannot fail and touches no memory.
    let own = unsafe { libc::geteuid() };
    if meta.uid() != own && own != 0 {
        return Err(LoginFileError::Foreign(path.to_owned()));
    }
    if meta.mode() & 0o077 != 0 {
        return Err(LoginFileError::Exposed(path.to_owned()));
    }
    let mut text = String::new();
    file.take(BYTES).read_to_string(&mut text).map_err(io)?;
    // The parser quotes the line that it does not like, and that may be the token's.
    let login: Login = toml::from_str(&text)
        .map_err(|e: toml::de::Error| LoginFileError::Malformed(path.to_owned(), e.message().to_owned()))?;
    if login.schema != 1 {
        let what = "another version of Rigmark wrote it".to_owned();
        return Err(LoginFileError::Malformed(path.to_owned(), what));
    }
    Ok(Some(login))
}

/// 0600 in a folder that is 0700 where it is made; whole or not at all.
pub fn save(path: &Path, login: &Login) -> Result<(), LoginFileError> {
    let io = |error| LoginFileError::Io(path.to_owned(), error);
    let text = toml::to_string(login).expect("a login is plain data");
    if let Some(folder) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700).create(folder).map_err(io)?;
    }
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let _ = fs::remove_file(&part);
    let written = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&part)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&part);
        io(error)
    })
}

/// Whether there was one.
pub fn remove(path: &Path) -> Result<bool, LoginFileError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(LoginFileError::Io(path.to_owned(), error)),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn login() -> Login {
        Login {
            schema: 1,
            url: "https://rigmark.example".into(),
            allow_http: false,
            name: "Ada".into(),
            token: Token::parse(&format!("rgm_{}", "S".repeat(43))).unwrap(),
        }
    }

    #[test]
    fn it_is_kept_for_its_owner_alone_and_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("rigmark/login.toml");
        assert_eq!(load(&path).unwrap(), None);
        for _ in 0..2 {
            save(&path, &login()).unwrap();
        }
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(load(&path).unwrap(), Some(login()));
        assert_eq!(
            fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1,
            "nothing half written"
        );
        assert!(remove(&path).unwrap() && !remove(&path).unwrap());
    }

    #[test]
    fn one_that_others_can_read_is_refused_with_the_cure() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("login.toml");
        save(&path, &login()).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let sentence = load(&path).unwrap_err().to_string();
        assert!(sentence.contains("chmod 600"), "{sentence}");
    }

    #[test]
    fn what_is_wrong_with_it_is_said_without_its_token() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("login.toml");
        save(&path, &login()).unwrap();
        let good = fs::read_to_string(&path).unwrap();
        for wrong in [
            good.replace("rgm_S", "rgm_"),
            good.replace("\nurl", "\nurl ="),
            good.replace("schema = 1", "schema = 9"),
        ] {
            fs::write(&path, wrong).unwrap();
            let sentence = load(&path).unwrap_err().to_string();
            assert!(
                sentence.contains("rigmark login") && !sentence.contains("SSSS"),
                "{sentence}"
            );
        }
    }
}
