//! The secret that a command shows the app. Nothing prints one.

use std::fmt;

use serde::{Deserialize, Serialize};

const PREFIX: &str = "rgm_";
/// base64url of 32 bytes.
const SECRET_CHARS: usize = 43;

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token(String);

impl Token {
    /// Before the network: a cut or mistyped token needs no response from it. The sentence has nothing of the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        let fits = text
            .strip_prefix(PREFIX)
            .is_some_and(|rest| rest.len() == SECRET_CHARS && rest.bytes().all(plain));
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!(
                "This is not a token (they begin with {PREFIX} and have {} characters); copy the whole token again.",
                PREFIX.len() + SECRET_CHARS
            ))
        }
    }

    /// For the header of a request and for the file, and for nothing else.
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Token {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl From<Token> for String {
    fn from(token: Token) -> Self {
        token.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_its_shape_and_shown_nowhere() {
        let good = format!("rgm_{}", "a".repeat(43));
        let token = Token::parse(&format!(" {good}\n")).unwrap();
        assert_eq!(
            (token.secret(), format!("{token:?}").as_str()),
            (good.as_str(), "Token")
        );
        for wrong in [
            "",
            "rgm_",
            "rgme_short",
            &good[..46],
            &format!("{good}a"),
            &good.replace('a', "é"),
        ] {
            let sentence = Token::parse(wrong).unwrap_err();
            assert!(wrong.len() < 5 || !sentence.contains(&wrong[4..]), "{sentence}");
        }
    }
}
