//! One comment that is written once and updated from then on. An attempt whose response was lost may have arrived, so each
//! attempt looks first.

use super::patience::{Patience, backoff};
use super::{Forge, ForgeError};

/// What became of the comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    Created,
    Updated,
    /// It says the same already.
    Unchanged,
    /// There is none, and none was wanted.
    Silent,
}

/// Writes `body`, which begins with `marker`; with `only_update` only where there is a comment already.
///
/// # Errors
/// The last one, when all attempts failed.
pub async fn keep(
    forge: &dyn Forge,
    pull_request: u64,
    marker: &str,
    body: &str,
    only_update: bool,
) -> Result<Kept, ForgeError> {
    let mut attempt = 0;
    loop {
        let written = match forge.find_comment(pull_request, marker).await? {
            Some(found) if same(&found.body, body) => return Ok(Kept::Unchanged),
            Some(found) => forge
                .update_comment(pull_request, found.id, body)
                .await
                .map(|()| Kept::Updated),
            None if only_update => return Ok(Kept::Silent),
            None => forge.create_comment(pull_request, body).await.map(|()| Kept::Created),
        };
        match written {
            Ok(kept) => return Ok(kept),
            Err(failed) => pause(failed, &mut attempt, forge.patience()).await?,
        }
    }
}

/// Returns when it is time for another attempt, or the error where none is worth it.
pub(super) async fn pause(failed: ForgeError, attempt: &mut u32, patience: Patience) -> Result<(), ForgeError> {
    *attempt += 1;
    if !failed.passes() || *attempt >= patience.attempts {
        return Err(failed);
    }
    tokio::time::sleep(failed.wait().unwrap_or_else(|| backoff(*attempt - 1, patience.backoff))).await;
    Ok(())
}

/// Forges keep lines with other ends, and none at the end of the text.
fn same(a: &str, b: &str) -> bool {
    let tidy = |text: &str| text.replace("\r\n", "\n").trim_end().to_owned();
    tidy(a) == tidy(b)
}
