//! `upload`: the SHA-256 of exactly the bytes that were sent.

use sha2::{Digest, Sha256};

use super::bodies::{self, Bodies};
use super::draw::{between, rng};
use super::post::Post;
use super::report::{CheckResult, Checks};
use crate::splitmix::SplitMix64;
use crate::workload::files::random;

pub const BODIES: Bodies = Bodies {
    what: "hash",
    draw,
    alike,
    large: 4 << 20..=8 << 20,
};

pub fn check(checks: &mut Checks) {
    bodies::check(checks, &BODIES);
    checks.check("hash", "bodies of 0 bytes to 1 MiB are hashed right", sizes);
}

fn post(body: Vec<u8>) -> Post {
    Post {
        path: "/upload",
        kind: "application/octet-stream",
        right: hex::encode(Sha256::digest(&body)),
        body,
    }
}

fn draw(rng: &mut SplitMix64) -> Post {
    let length = between(rng, 0, 3000);
    post(random(rng, length))
}

/// `bytes` long, each one byte off the one before.
fn alike(rng: &mut SplitMix64, bytes: usize, count: usize) -> Vec<Post> {
    let mut body = random(rng, bytes);
    let next = || {
        body[between(rng, 0, bytes - 1)] ^= between(rng, 1, 255) as u8;
        post(body.clone())
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn sizes(checks: &Checks) -> CheckResult {
    let mut rng = rng();
    let mut connection = checks.connect()?;
    // Around the blocks of the hash and around common buffers.
    for length in [0, 1, 55, 56, 63, 64, 65, 1024, 4096, 16_384, 65_537, 1 << 20] {
        let what = format!("POST /upload with {length} bytes");
        post(random(&mut rng, length)).ask(&mut connection, &what)?;
    }
    Ok(())
}
