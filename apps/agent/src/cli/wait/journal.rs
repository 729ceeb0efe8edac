//! A run's records as a file, like that of `rigmark run --out`: `rigmark report` and `rigmark compare` read it.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use uuid::Uuid;

use crate::cli::{CliError, Env};
use crate::control::client::encoded;
use crate::control::{Api, ApiError, Call};

/// As much as an attempt may deliver.
const MOST_BYTES: u64 = 2 << 30;

#[derive(Deserialize)]
struct Page {
    items: Vec<String>,
    next_cursor: Option<String>,
}

/// Removed where it did not become the file, also when the work is dropped.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The file is there whole or not at all.
pub async fn write(api: &Api, id: Uuid, out: &Path, env: &Env) -> Result<(), CliError> {
    let nothing = "The run ended before its agent wrote anything, so there is no file.";
    // What is no file, such as a pipe, is written to as it is.
    if std::fs::metadata(out).is_ok_and(|m| !m.is_file()) {
        if pages(api, id, out).await? == 0 {
            env.out.note(nothing);
        }
        return Ok(());
    }
    let mut beside = out.as_os_str().to_owned();
    beside.push(".part");
    let part = Part(beside.into());
    if pages(api, id, &part.0).await? == 0 {
        env.out.note(nothing);
        return Ok(());
    }
    std::fs::rename(&part.0, out).map_err(|error| unwritable(out, &error))
}

/// How many bytes there were.
async fn pages(api: &Api, id: Uuid, part: &Path) -> Result<u64, CliError> {
    let failed = |error| unwritable(part, &error);
    let mut file = BufWriter::new(File::create(part).map_err(failed)?);
    let (mut bytes, mut cursor) = (0, None::<String>);
    loop {
        let after = cursor.as_ref().map(|c| format!("?cursor={}", encoded(c)));
        let path = format!("runs/{id}/journal{}", after.unwrap_or_default());
        let page: Page = api.json(Call::get(path)).await.map_err(older)?;
        for line in &page.items {
            bytes += line.len() as u64 + 1;
            if line.contains('\n') || bytes > MOST_BYTES {
                let text = "The app sent records that cannot be read, so the file was not written; update the agent and the app.";
                return Err(CliError::failed("out", text));
            }
            file.write_all(line.as_bytes()).map_err(failed)?;
            file.write_all(b"\n").map_err(failed)?;
        }
        let more = page.next_cursor.filter(|next| cursor.as_ref() != Some(next));
        if more.is_none() || page.items.is_empty() {
            break;
        }
        cursor = more;
    }
    file.flush().map_err(failed)?;
    Ok(bytes)
}

/// The run is there, so what is not is the address.
fn older(error: ApiError) -> CliError {
    match error {
        ApiError::Refused(problem) if problem.status == 404 => CliError::failed(
            "out",
            "The app does not hand out records yet, so the file was not written; update the app, or leave out --out.",
        ),
        other => other.into(),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> CliError {
    CliError::failed(
        "out",
        format!(
            "{} could not be written ({error}); name another file with --out.",
            path.display()
        ),
    )
}
