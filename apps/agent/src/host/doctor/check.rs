//! A check in the making.

use crate::protocol::facts::{CheckStatus, DoctorCheck};
use crate::protocol::journal::MESSAGE_CHARS;

/// `id` and `title` are its name, the rest is what it came to.
pub struct Check {
    id: String,
    title: String,
}

impl Check {
    pub fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
        }
    }

    pub fn ok(&self, found: impl Into<String>) -> DoctorCheck {
        self.came_to(CheckStatus::Ok, found, None, None)
    }

    pub fn unknown(&self, found: impl Into<String>) -> DoctorCheck {
        self.came_to(CheckStatus::Unknown, found, None, None)
    }

    pub fn warn(&self, found: impl Into<String>, why: &str, fix: impl Into<String>) -> DoctorCheck {
        self.came_to(CheckStatus::Warn, found, Some(why), Some(fix.into()))
    }

    pub fn fail(&self, found: impl Into<String>, why: &str, fix: impl Into<String>) -> DoctorCheck {
        self.came_to(CheckStatus::Fail, found, Some(why), Some(fix.into()))
    }

    pub fn came_to(
        &self,
        status: CheckStatus,
        found: impl Into<String>,
        why: Option<&str>,
        fix: Option<String>,
    ) -> DoctorCheck {
        let clip = |text: String| text.chars().take(MESSAGE_CHARS).collect::<String>();
        DoctorCheck {
            id: self.id.clone(),
            title: self.title.clone(),
            status,
            found: clip(found.into()),
            why: why.map(str::to_owned),
            fix: fix.map(clip),
        }
    }
}
