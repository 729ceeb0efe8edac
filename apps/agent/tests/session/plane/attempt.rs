//! What an attempt's calls come to.

use std::io::Read;

use bytes::Bytes;
use flate2::read::GzDecoder;
use rigmark::journal::RollingDigest;
use rigmark::protocol::wire::StreamTotals;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Chunk, PlannedResponse, TestAttempt, refuse};

impl TestAttempt {
    pub(super) fn handle(
        &mut self,
        call: &[&str],
        json: &Value,
        body: &Bytes,
        parts: &hyper::http::request::Parts,
        cancel: bool,
    ) -> PlannedResponse {
        let header = |name: &str| parts.headers[name].to_str().unwrap().to_owned();
        match call {
            ["start"] => {
                self.started = true;
                PlannedResponse::Status(200, json!({"state": "preparing", "heartbeat_s": 0.2}))
            }
            ["heartbeat"] => {
                if self.finished.is_some() {
                    return refuse(409, "state", Value::Null);
                }
                self.beats += 1;
                let command = if cancel { "cancel" } else { "none" };
                let [journal, raw] = [0, 1].map(|i| self.streams[i].len());
                let next = json!({"journal": journal, "raw": raw});
                PlannedResponse::Status(
                    200,
                    json!({"lease_s": 60, "heartbeat_s": 0.2, "command": command, "next_seq": next}),
                )
            }
            ["streams", name, "chunks", seq] => {
                assert_eq!(header("x-rigmark-attempt-no"), self.no.to_string());
                let have = &mut self.streams[usize::from(*name == "raw")];
                let seq: usize = seq.parse().unwrap();
                let mut text = String::new();
                GzDecoder::new(&body[..]).read_to_string(&mut text).unwrap();
                assert!(text.len() <= 256 * 1024 && text.ends_with('\n'));
                assert_eq!(header("x-rigmark-records"), text.lines().count().to_string());
                let sha = hex::encode(Sha256::digest(&text));
                assert_eq!(header("x-rigmark-sha256"), sha);
                match have.get(seq) {
                    Some(known) if known.sha != sha => return refuse(422, "chunk_conflict", Value::Null),
                    Some(_) => {}
                    None if seq == have.len() => have.push(Chunk { sha, body: text }),
                    None => return refuse(409, "chunk_gap", json!({"next_seq": have.len()})),
                }
                PlannedResponse::Status(200, json!({"next_seq": have.len()}))
            }
            ["finish"] => self.finish(json),
            other => panic!("{other:?}"),
        }
    }

    fn finish(&mut self, json: &Value) -> PlannedResponse {
        for (i, name) in ["journal", "raw"].into_iter().enumerate() {
            let said: StreamTotals = serde_json::from_value(json["streams"][name].clone()).unwrap();
            let have = &self.streams[i];
            if (have.len() as u64) < said.chunks {
                let missing = json!([{"stream": name, "from_seq": have.len(), "to_seq": said.chunks}]);
                return refuse(409, "chunks_missing", json!({ "missing": missing }));
            }
            let mut digest = RollingDigest::new();
            for chunk in have {
                digest.push(&Sha256::digest(&chunk.body).into());
            }
            let totals = StreamTotals {
                chunks: have.len() as u64,
                records: have.iter().map(|c| c.body.lines().count() as u64).sum(),
                bytes: have.iter().map(|c| c.body.len() as u64).sum(),
                digest: digest.hex(),
            };
            if totals != said {
                return refuse(412, "digest", Value::Null);
            }
        }
        let status = serde_json::from_value(json["status"].clone()).unwrap();
        let error = serde_json::from_value(json["error"].clone()).unwrap();
        self.finished = Some((status, error, json["corrupt_records"].as_u64().unwrap()));
        PlannedResponse::Status(200, json!({"state": "succeeded"}))
    }
}
