//! Delivers a result file: the same chunks as an agent's, from where the last try stopped.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use super::client::{Api, Call, encoded};
use super::error::ApiError;
use super::message::{KeptStream, Publication};
use super::result_file::{FileChunk, FileError, ResultFile};
use crate::protocol::wire::{HEADER_RECORDS, HEADER_SHA256, StreamName, StreamTotals};
use crate::source::Source;

/// So often the app may say that it has something else than we took it to have.
const ROUNDS: u32 = 5;

#[derive(Debug, Error)]
pub enum PublishError {
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "{0} has this run already, with other content than the file: it was published from another file, or this one was changed \
         since."
    )]
    Other(String),
    #[error("The file changed while it was read; publish it again when nothing writes to it.")]
    Changed,
}

#[derive(Serialize)]
struct Head<'a> {
    begin: &'a Value,
    facts: &'a Option<Value>,
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a Source>,
}

#[derive(Serialize)]
struct Streams {
    journal: StreamTotals,
    raw: StreamTotals,
}

#[derive(Serialize)]
struct End {
    streams: Streams,
    partial: bool,
}

pub struct Wanted<'a> {
    pub workspace: &'a str,
    pub title: Option<&'a str>,
    pub source: Option<&'a Source>,
    /// The file has no end, and that is known.
    pub partial: bool,
}

pub struct Published {
    pub publication: Publication,
    /// It was there before, whole.
    pub already: bool,
    /// Chunks that went over the wire now, and those that were there.
    pub sent: u64,
    pub kept: u64,
}

/// `progress` is told how many bytes of the file are there.
pub async fn publish(
    api: &Api,
    file: &ResultFile,
    wanted: &Wanted<'_>,
    progress: &dyn Fn(u64),
) -> Result<Published, PublishError> {
    let at = format!("workspaces/{}/publications", encoded(wanted.workspace));
    let head = Head {
        begin: &file.begin,
        facts: &file.facts,
        title: wanted.title,
        source: wanted.source,
    };
    let end = End {
        streams: Streams {
            journal: file.totals(StreamName::Journal),
            raw: file.totals(StreamName::Raw),
        },
        partial: wanted.partial,
    };
    let mut sent = 0;
    let mut kept = None;
    for round in 1.. {
        let publication: Publication = api.json(Call::post(at.as_str(), &head).repeatable()).await?;
        let streams = [&publication.streams.journal, &publication.streams.raw];
        for (stream, here) in StreamName::ALL.into_iter().zip(streams) {
            if !file.begins_with(stream, here.next_seq, &here.digest) {
                return Err(PublishError::Other(api.base().to_owned()));
            }
        }
        let here = streams.map(|s: &KeptStream| s.next_seq);
        let kept = *kept.get_or_insert(here.iter().sum());
        if publication.finished {
            let whole = StreamName::ALL
                .into_iter()
                .zip(here)
                .all(|(s, n)| file.chunks_of(s) == n);
            if !whole {
                return Err(PublishError::Other(api.base().to_owned()));
            }
            return Ok(Published {
                publication,
                already: sent == 0 && round == 1,
                sent,
                kept,
            });
        }
        let at = format!("{at}/{}", publication.id);
        let done = match deliver(api, file, &at, here, &mut sent, progress).await {
            Ok(()) => api
                .json(Call::post(format!("{at}/finish"), &end).repeatable())
                .await
                .map_err(PublishError::from),
            Err(error) => Err(error),
        };
        match done {
            Ok(publication) => {
                return Ok(Published {
                    publication,
                    already: false,
                    sent,
                    kept,
                });
            }
            // It has less or more than it said: somebody else publishes the same file, or it was restored from a backup.
            Err(PublishError::Api(ApiError::Refused(problem))) if problem.is_out_of_step() && round < ROUNDS => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("the last round returns")
}

async fn deliver(
    api: &Api,
    file: &ResultFile,
    at: &str,
    here: [u64; 2],
    sent: &mut u64,
    progress: &dyn Fn(u64),
) -> Result<(), PublishError> {
    let mut chunks = file.chunks()?;
    let mut bytes = 0;
    while let Some(chunk) = chunks.next_chunk()? {
        if chunk.seq >= here[chunk.stream as usize] {
            if !file.has(&chunk) {
                return Err(PublishError::Changed);
            }
            let path = format!("{at}/streams/{}/chunks/{}", chunk.stream.as_str(), chunk.seq);
            api.send(Call::put(path, packed(&chunk), headers(&chunk))).await?;
            *sent += 1;
        }
        bytes += chunk.body.len() as u64;
        progress(bytes);
    }
    Ok(())
}

fn packed(chunk: &FileChunk) -> bytes::Bytes {
    let mut gzip = GzEncoder::new(Vec::with_capacity(chunk.body.len() / 4), Compression::default());
    gzip.write_all(&chunk.body).expect("a vector takes everything");
    gzip.finish().expect("a vector takes everything").into()
}

fn headers(chunk: &FileChunk) -> Vec<(&'static str, String)> {
    vec![
        ("content-encoding", "gzip".to_owned()),
        (HEADER_SHA256, hex::encode(chunk.sha256)),
        (HEADER_RECORDS, chunk.records.to_string()),
    ]
}
