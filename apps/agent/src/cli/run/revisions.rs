//! At which commits a run's servers were measured.

use crate::protocol::journal::{Plan, Revision};
use crate::server::revision::short;

/// One for each server whose commit is known: `base: commit 0123456789ab (origin/main)`.
pub fn lines(plan: &Plan) -> Vec<String> {
    let line = |entry: &crate::protocol::journal::PlanEntry| {
        Some(format!("{}: {}.", entry.label, in_words(entry.revision.as_ref()?)))
    };
    plan.entries.iter().filter_map(line).collect()
}

pub fn in_words(revision: &Revision) -> String {
    let commit = short(&revision.commit);
    let reference = revision.reference.as_deref().filter(|r| !r.starts_with(commit));
    let named = reference.map_or_else(String::new, |reference| format!(" ({reference})"));
    let dirty = if revision.dirty {
        ", with changes that are in no commit"
    } else {
        ""
    };
    format!("commit {commit}{named}{dirty}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_said_once() {
        let of = |reference: Option<&str>, dirty| {
            let commit = "0123456789abcdef0123456789abcdef01234567".to_owned();
            let reference = reference.map(str::to_owned);
            in_words(&Revision {
                commit,
                reference,
                dirty,
                folder: None,
            })
        };
        assert_eq!(of(Some("origin/main"), false), "commit 0123456789ab (origin/main)");
        assert_eq!(of(Some("0123456789abcdef"), false), "commit 0123456789ab");
        assert_eq!(
            of(None, true),
            "commit 0123456789ab, with changes that are in no commit"
        );
    }
}
