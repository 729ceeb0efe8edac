//! Runs that are published: two streams of chunks, and their end.

use std::io::Read;

use rigmark::journal::RollingDigest;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::response::problem;
use super::{AppRequest, Sent, State};

#[derive(Default)]
pub struct Published {
    pub head: Value,
    pub streams: [Vec<(String, String)>; 2],
    pub finished: Option<Value>,
}

impl State {
    pub(super) fn publication(&mut self, head: Value) -> Sent {
        let id = head["begin"]["run_id"].as_str()?.to_owned();
        self.runs.entry(id.clone()).or_default().head = head;
        Some((201, self.described(&id)))
    }

    fn described(&self, id: &str) -> Value {
        let run = &self.runs[id];
        let stream = |of: usize| {
            let mut digest = RollingDigest::new();
            for (sha, _) in &run.streams[of] {
                digest.push(&hex::decode(sha).unwrap().try_into().unwrap());
            }
            json!({ "next_seq": run.streams[of].len(), "digest": digest.hex() })
        };
        let state = match &run.finished {
            None => "uploading",
            Some(end) if end["partial"] == true => "incomplete",
            Some(_) => "succeeded",
        };
        json!({
            "id": id, "state": state, "url": format!("http://app.test/w/ada/runs/{id}"), "title": "t",
            "finished": run.finished.is_some(), "streams": { "journal": stream(0), "raw": stream(1) },
        })
    }

    pub(super) fn chunk(&mut self, id: &str, stream: usize, seq: usize, asked: &AppRequest) -> Sent {
        let mut text = String::new();
        flate2::read::GzDecoder::new(&asked.body[..])
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(hex::encode(Sha256::digest(&text)), asked.sha256);
        let chunks = &mut self.runs.get_mut(id)?.streams[stream];
        if seq > chunks.len() {
            return Some((
                409,
                json!({ "title": "Conflict", "status": 409, "code": "conflict", "detail": "A gap.", "next_seq": chunks.len() }),
            ));
        }
        if seq == chunks.len() {
            chunks.push((asked.sha256.clone(), text));
        } else if chunks[seq].0 != asked.sha256 {
            return Some(problem(422, "invalid", "Stored with other content."));
        }
        Some((200, json!({ "next_seq": seq + 1 })))
    }

    pub(super) fn finish(&mut self, id: &str, end: Value) -> Sent {
        let here = self.described(id)["streams"].clone();
        for stream in ["journal", "raw"] {
            if here[stream]["digest"] != end["streams"][stream]["digest"] {
                return Some(problem(409, "conflict", "Not the one that was announced."));
            }
        }
        self.runs.get_mut(id)?.finished = Some(end);
        Some((200, self.described(id)))
    }
}
