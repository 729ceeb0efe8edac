//! What requests carry: bodies drawn for one trial, with the right response to each.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::protocol::spec::{Payload, Scenario, Workload};
use crate::splitmix::SplitMix64;

/// How many different bodies a trial sends, so that a response remembered from another request is wrong.
const BODIES: usize = 8;
/// Beyond this, all together, there are fewer.
const ALL_BYTES: usize = 64 << 20;
/// Integers between minus and plus this.
const NUMBER: u64 = 1_000_000;
const TEXT: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestBody {
    pub bytes: Vec<u8>,
    /// The whole body of the right response.
    pub response: Vec<u8>,
}

/// A sentence when the scenario contradicts itself: a GET that carries something, a sum of no numbers.
pub fn fits(scenario: &Scenario) -> Result<(), String> {
    let fit = match (scenario.workload, &scenario.payload) {
        (Workload::Plaintext | Workload::Static | Workload::Http, None) => true,
        (Workload::JsonSum, Some(Payload::Numbers { .. })) => true,
        (Workload::Upload, Some(Payload::Bytes { .. } | Payload::Text { .. })) => true,
        (Workload::WsEcho, Some(payload)) => !matches!(payload, Payload::Numbers { .. }),
        _ => false,
    };
    if fit {
        return Ok(());
    }
    Err("The payload of its requests does not fit its workload.".to_owned())
}

/// A POST's content type; `None` for a GET.
pub fn content_type(scenario: &Scenario) -> Option<&'static str> {
    match scenario.workload {
        Workload::JsonSum => Some("application/json"),
        Workload::Upload => Some("application/octet-stream"),
        _ => None,
    }
}

/// Of `json-sum` and `upload`, drawn from the seed; nothing for the workloads that are asked by GET.
pub fn draw(scenario: &Scenario, seed: u64) -> Vec<RequestBody> {
    let mut rng = SplitMix64::new(seed);
    match (scenario.workload, &scenario.payload) {
        (Workload::JsonSum, Some(Payload::Numbers { count })) => (0..BODIES).map(|_| sum(&mut rng, *count)).collect(),
        (Workload::Upload, Some(Payload::Bytes { bytes })) => upload(&mut rng, *bytes as usize, false),
        (Workload::Upload, Some(Payload::Text { bytes })) => upload(&mut rng, *bytes as usize, true),
        _ => Vec::new(),
    }
}

/// One of those, drawn from `rng`.
pub fn one(scenario: &Scenario, rng: &mut SplitMix64) -> Option<RequestBody> {
    match (scenario.workload, &scenario.payload) {
        (Workload::JsonSum, Some(Payload::Numbers { count })) => Some(sum(rng, *count)),
        (Workload::Upload, Some(Payload::Bytes { bytes })) => Some(hashed(rng, *bytes as usize, false)),
        (Workload::Upload, Some(Payload::Text { bytes })) => Some(hashed(rng, *bytes as usize, true)),
        _ => None,
    }
}

fn sum(rng: &mut SplitMix64, count: u32) -> RequestBody {
    let numbers: Vec<i64> = (0..count)
        .map(|_| rng.below(2 * NUMBER + 1) as i64 - NUMBER as i64)
        .collect();
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    RequestBody {
        bytes: format!("[{}]", texts.join(",")).into_bytes(),
        response: format!("sum = {}", numbers.iter().sum::<i64>()).into_bytes(),
    }
}

fn upload(rng: &mut SplitMix64, bytes: usize, text: bool) -> Vec<RequestBody> {
    let many = (ALL_BYTES / bytes.max(1)).clamp(2, BODIES);
    (0..many).map(|_| hashed(rng, bytes, text)).collect()
}

fn hashed(rng: &mut SplitMix64, bytes: usize, text: bool) -> RequestBody {
    let bytes = if text {
        letters(rng, bytes)
    } else {
        super::files::random(rng, bytes)
    };
    let response = hex::encode(Sha256::digest(&bytes)).into_bytes();
    RequestBody { bytes, response }
}

pub fn letters(rng: &mut SplitMix64, bytes: usize) -> Vec<u8> {
    let mut text = super::files::random(rng, bytes);
    text.iter_mut().for_each(|b| *b = TEXT[usize::from(*b) % TEXT.len()]);
    text
}

pub fn seed() -> std::io::Result<u64> {
    getrandom::u64().map_err(|e| std::io::Error::other(e.to_string()))
}

/// For tools that read bodies from files: at most `most`, named `body-0` and so on.
pub fn write(scenario: &Scenario, folder: &Path, most: usize) -> std::io::Result<Vec<PathBuf>> {
    let bodies = draw(scenario, seed()?).into_iter().take(most).enumerate();
    bodies
        .map(|(i, body)| {
            let path = folder.join(format!("body-{i}"));
            std::fs::write(&path, body.bytes)?;
            Ok(path)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(workload: Workload, payload: Option<Payload>) -> Scenario {
        let scenario = json!({
            "schema": 1, "id": "x", "title": "x", "summary": "", "workload": workload, "tool": "loadgen", "path": "/",
            "body_bytes": 1024, "payload": payload, "duration_s": 2, "warmup_s": 0,
            "load": { "kind": "closed", "connections": 8, "keep_alive": true },
        });
        serde_json::from_value(scenario).unwrap()
    }

    #[test]
    fn sums_are_of_what_is_sent_and_no_two_bodies_are_alike() {
        let bodies = draw(&of(Workload::JsonSum, Some(Payload::Numbers { count: 100 })), 1);
        for (i, body) in bodies.iter().enumerate() {
            let numbers: Vec<i64> = serde_json::from_slice(&body.bytes).unwrap();
            assert_eq!(numbers.len(), 100);
            assert!(numbers.iter().any(|n| *n < 0));
            assert_eq!(
                body.response,
                format!("sum = {}", numbers.iter().sum::<i64>()).into_bytes()
            );
            assert!(bodies[..i].iter().all(|b| b != body));
        }
        let empty = draw(&of(Workload::JsonSum, Some(Payload::Numbers { count: 0 })), 1);
        assert_eq!(
            (empty[0].bytes.as_slice(), empty[0].response.as_slice()),
            (&b"[]"[..], &b"sum = 0"[..])
        );
    }

    #[test]
    fn uploads_have_their_size_and_their_hash() {
        let scenario = of(Workload::Upload, Some(Payload::Bytes { bytes: 1000 }));
        let bodies = draw(&scenario, 7);
        assert!(bodies.len() > 1 && bodies.iter().all(|b| b.bytes.len() == 1000));
        assert_eq!(
            bodies[1].response,
            hex::encode(Sha256::digest(&bodies[1].bytes)).into_bytes()
        );
        assert_eq!(draw(&scenario, 7), bodies);
        assert_ne!(draw(&scenario, 8), bodies);
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let greeting = || Some(Payload::Greeting {});
        assert!(fits(&of(Workload::WsEcho, greeting())).is_ok());
        assert!(fits(&of(Workload::Static, None)).is_ok());
        for (workload, payload) in [
            (Workload::Static, greeting()),
            (Workload::JsonSum, greeting()),
            (Workload::JsonSum, None),
            (Workload::WsEcho, None),
            (Workload::WsEcho, Some(Payload::Numbers { count: 1 })),
        ] {
            assert!(fits(&of(workload, payload)).is_err());
        }
    }
}
