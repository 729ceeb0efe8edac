//! Where a forge is, and with what right it is asked.

use super::patience::Patience;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    GitHub,
    GitLab,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::GitHub => "GitHub",
            Self::GitLab => "GitLab",
        }
    }
}

/// A secret: it stands in no message.
#[derive(Clone)]
pub struct Token {
    pub secret: String,
    /// Where it came from.
    pub variable: &'static str,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the token in {}", self.variable)
    }
}

/// Where the forge is, and what may be done there.
pub struct Access {
    pub kind: Kind,
    /// `https://api.github.com`, `https://gitlab.com/api/v4`, or that of an own installation.
    pub api_url: String,
    pub repository: String,
    pub token: Token,
    pub allow_http: bool,
    pub patience: Patience,
}
