//! Which app a command talks to, and as whom: the variables of a CI job, or the file that `rigmark login` wrote.

use std::path::PathBuf;

use thiserror::Error;

use super::login_file::{self, LoginFileError};
use super::token::Token;

pub const URL_VARIABLE: &str = "RIGMARK_URL";
pub const TOKEN_VARIABLE: &str = "RIGMARK_TOKEN";

#[derive(Debug, Error)]
pub enum RemoteError {
    #[error("You are not logged in; run `rigmark login --url URL`, or set {URL_VARIABLE} and {TOKEN_VARIABLE}.")]
    NotLoggedIn,
    #[error("{TOKEN_VARIABLE} is set and {URL_VARIABLE} is not; set both, so that the token goes to its own app only.")]
    NoUrl,
    #[error(
        "{URL_VARIABLE} is {0}, but you are logged in at {1}; set {TOKEN_VARIABLE} too, or run `rigmark login --url {0}`."
    )]
    Elsewhere(String, String),
    #[error("{TOKEN_VARIABLE}: {0}")]
    Token(String),
    #[error(transparent)]
    File(#[from] LoginFileError),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Variables,
    File(PathBuf),
}

#[derive(Debug, Clone)]
pub struct Remote {
    pub url: String,
    pub token: Token,
    pub allow_http: bool,
    pub origin: Origin,
}

impl Remote {
    pub fn find() -> Result<Self, RemoteError> {
        Self::of(
            |name| std::env::var(name).ok(),
            || Ok((login_file::path()?, login_file::load(&login_file::path()?)?)),
        )
    }

    /// The variables win. A token is never sent to another address than its own.
    fn of(
        variable: impl Fn(&str) -> Option<String>,
        file: impl Fn() -> Result<(PathBuf, Option<login_file::Login>), LoginFileError>,
    ) -> Result<Self, RemoteError> {
        let variable = |name: &str| variable(name).map(|v| v.trim().to_owned()).filter(|v| !v.is_empty());
        match (variable(URL_VARIABLE), variable(TOKEN_VARIABLE)) {
            (Some(url), Some(token)) => Ok(Self {
                url,
                token: Token::parse(&token).map_err(RemoteError::Token)?,
                allow_http: false,
                origin: Origin::Variables,
            }),
            (None, Some(_)) => Err(RemoteError::NoUrl),
            (url, None) => {
                let (path, login) = file()?;
                let login = login.ok_or(RemoteError::NotLoggedIn)?;
                if let Some(url) = url.filter(|url| !same_address(url, &login.url)) {
                    return Err(RemoteError::Elsewhere(url, login.url));
                }
                Ok(Self {
                    url: login.url,
                    token: login.token,
                    allow_http: login.allow_http,
                    origin: Origin::File(path),
                })
            }
        }
    }

    /// Ends a sentence about a token that the app does not take.
    pub fn cure(&self) -> String {
        match self.origin {
            Origin::Variables => format!("Set {TOKEN_VARIABLE} to a token that is valid for {}.", self.url),
            Origin::File(_) => format!("Log in again: rigmark login --url {}", self.url),
        }
    }
}

pub fn same_address(a: &str, b: &str) -> bool {
    a.trim_end_matches('/').eq_ignore_ascii_case(b.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use login_file::Login;

    fn token(letter: &str) -> String {
        format!("rgm_{}", letter.repeat(43))
    }

    fn find(variables: &[(&str, &str)], logged_in: bool) -> Result<Remote, RemoteError> {
        let login = logged_in.then(|| Login {
            schema: 1,
            url: "https://a.example".into(),
            allow_http: false,
            name: "Ada".into(),
            token: Token::parse(&token("f")).unwrap(),
        });
        let variable = |name: &str| {
            let found = variables.iter().find(|(n, _)| *n == name)?;
            Some(found.1.to_owned())
        };
        Remote::of(variable, || Ok((PathBuf::from("/login.toml"), login.clone())))
    }

    #[test]
    fn variables_win_over_the_file_and_come_in_pairs() {
        let v = token("v");
        let both = find(&[(URL_VARIABLE, "https://b.example"), (TOKEN_VARIABLE, &v)], true).unwrap();
        assert_eq!(
            (both.url.as_str(), both.token.secret()),
            ("https://b.example", v.as_str())
        );
        let file = find(&[(TOKEN_VARIABLE, " ")], true).unwrap();
        assert_eq!(
            (file.url.as_str(), file.token.secret()),
            ("https://a.example", token("f").as_str())
        );
        assert!(matches!(find(&[(TOKEN_VARIABLE, &v)], true), Err(RemoteError::NoUrl)));
        assert!(matches!(find(&[], false), Err(RemoteError::NotLoggedIn)));
    }

    #[test]
    fn a_token_goes_to_no_other_address() {
        assert!(find(&[(URL_VARIABLE, "https://A.example/")], true).is_ok());
        assert!(matches!(
            find(&[(URL_VARIABLE, "https://b.example")], true),
            Err(RemoteError::Elsewhere(..))
        ));
        let wrong = find(
            &[(URL_VARIABLE, "https://b.example"), (TOKEN_VARIABLE, "rgm_SECRET")],
            false,
        );
        assert!(!wrong.unwrap_err().to_string().contains("SECRET"));
    }
}
