//! Where a key stands in a TOML file.

use toml::de::{DeTable, DeValue};

use super::super::ScenarioError;

/// The error of what stands under these keys.
pub type At<'a> = &'a dyn Fn(&[&str], String) -> ScenarioError;

pub struct Place<'a> {
    text: &'a str,
}

impl<'a> Place<'a> {
    pub fn of(text: &'a str) -> Self {
        Self { text }
    }

    /// Of the value under these keys and indices, or of the nearest one above that is there.
    pub fn find(&self, keys: &[&str]) -> Option<(usize, usize)> {
        let table = DeTable::parse(self.text).ok()?;
        let (first, rest) = keys.split_first()?;
        let mut found = table.get_ref().iter().find(|(key, _)| key.get_ref() == first)?.1;
        for key in rest {
            let next = match (found.get_ref(), key.parse::<usize>()) {
                (DeValue::Array(_), Ok(index)) => found.get_ref().get(index),
                _ => found.get_ref().get(*key),
            };
            let Some(next) = next else { break };
            found = next;
        }
        Some(self.line_and_column(found.span().start))
    }

    /// Both from 1.
    pub fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }
}
