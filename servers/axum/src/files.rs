// SPDX-License-Identifier: MIT
//! Workload `static`. Each part of a name is opened below the one before it and never through a link, so nothing outside the
//! root can be reached. Nothing is remembered: every request opens its file, on tokio's threads for blocking work.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use percent_encoding::percent_decode_str;
use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use tokio::task::spawn_blocking;

/// What one visit to a blocking thread reads. A client that does not read holds no more than this.
const CHUNK: u64 = 128 * 1024;

pub struct Root(OwnedFd);

impl Root {
    pub fn open(path: &Path) -> Result<Self, String> {
        rustix::fs::open(
            path,
            OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .map(Self)
        .map_err(|e| format!("{} is no folder that can be served ({e}).", path.display()))
    }
}

/// A file that is open, how long it is, and its first bytes.
struct Opened {
    file: File,
    length: u64,
    first: Bytes,
}

pub async fn respond(State(root): State<Arc<Root>>, uri: Uri) -> Response {
    let Some(parts) = parts(uri.path()) else {
        return missing();
    };
    match spawn_blocking(move || open(&root, &parts)).await {
        Ok(Ok(Some(opened))) => found(uri.path(), opened),
        Ok(Err(fault)) if no_room(&fault) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        _ => missing(),
    }
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "no such file\n").into_response()
}

fn no_room(fault: &io::Error) -> bool {
    let errno = rustix::io::Errno::from_io_error(fault);
    [
        rustix::io::Errno::MFILE,
        rustix::io::Errno::NFILE,
        rustix::io::Errno::NOMEM,
    ]
    .iter()
    .any(|e| errno == Some(*e))
}

fn found(name: &str, opened: Opened) -> Response {
    let kind = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript",
        _ => "application/octet-stream",
    };
    let length = opened.length;
    let body = if opened.first.len() as u64 == length {
        Body::from(opened.first)
    } else {
        Body::from_stream(chunks(opened))
    };
    (
        [(CONTENT_TYPE, kind.to_owned()), (CONTENT_LENGTH, length.to_string())],
        body,
    )
        .into_response()
}

/// The parts of a decoded name, or nothing where one of them could lead elsewhere.
fn parts(path: &str) -> Option<Vec<String>> {
    let decoded = percent_decode_str(path.strip_prefix('/')?).decode_utf8().ok()?;
    let parts: Vec<String> = decoded.split('/').map(str::to_owned).collect();
    let strange = |part: &String| part.is_empty() || part == "." || part == ".." || part.contains('\0');
    (!parts.iter().any(strange)).then_some(parts)
}

/// Nothing where there is no regular file of that name.
fn open(root: &Root, parts: &[String]) -> io::Result<Option<Opened>> {
    let (name, folders) = parts.split_last().expect("a split has at least one part");
    // NONBLOCK: opening a pipe must not wait for its writer.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let mut folder: Option<OwnedFd> = None;
    for part in folders {
        folder = Some(openat(
            folder.as_ref().unwrap_or(&root.0),
            part,
            flags | OFlags::DIRECTORY,
            Mode::empty(),
        )?);
    }
    let file = openat(folder.as_ref().unwrap_or(&root.0), name, flags, Mode::empty())?;
    let status = fstat(&file)?;
    if FileType::from_raw_mode(status.st_mode) != FileType::RegularFile {
        return Ok(None);
    }
    let length = u64::try_from(status.st_size).unwrap_or(0);
    let mut file = File::from(file);
    let first = read(&mut file, length)?;
    Ok(Some(Opened { file, length, first }))
}

/// The next chunk of what is `left`, whole; a file that shrank is an error, and the connection then breaks.
fn read(file: &mut File, left: u64) -> io::Result<Bytes> {
    let length = usize::try_from(left.min(CHUNK)).expect("a chunk fits");
    let mut buffer = Vec::with_capacity(length);
    if file.take(length as u64).read_to_end(&mut buffer)? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(buffer.into())
}

fn chunks(opened: Opened) -> impl stream::Stream<Item = io::Result<Bytes>> {
    let Opened { file, length, first } = opened;
    let left = length - first.len() as u64;
    stream::try_unfold((file, left, Some(first)), |(mut file, left, first)| async move {
        if let Some(first) = first {
            return Ok(Some((first, (file, left, None))));
        }
        if left == 0 {
            return Ok(None);
        }
        let (chunk, file) = spawn_blocking(move || read(&mut file, left).map(|chunk| (chunk, file)))
            .await
            .map_err(io::Error::other)??;
        let left = left - chunk.len() as u64;
        Ok(Some((chunk, (file, left, None))))
    })
}
