//! `upload`: the SHA-256 of exactly the bytes that were sent.

use sha2::{Digest, Sha256};

use super::bodies;
use super::draw::{between, rng};
use super::files::random;
use super::post::Post;
use super::report::{Checks, Verdict};
use crate::runner::splitmix::SplitMix64;

pub fn check(checks: &mut Checks) {
    let mut rng = rng();
    let length = between(&mut rng, 4 << 20, 8 << 20);
    let large = post(random(&mut rng, length));
    bodies::check(checks, "hash", draw, alike, &large);
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

/// Of one length, each one byte off the one before.
fn alike(count: usize) -> Vec<Post> {
    let mut rng = rng();
    let length = between(&mut rng, 10, 5000);
    let mut body = random(&mut rng, length);
    let next = || {
        body[between(&mut rng, 0, length - 1)] ^= between(&mut rng, 1, 255) as u8;
        post(body.clone())
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn sizes(checks: &Checks) -> Verdict {
    let mut rng = rng();
    let mut connection = checks.connect()?;
    // Around the blocks of the hash and around common buffers.
    for length in [0, 1, 55, 56, 63, 64, 65, 1024, 4096, 16_384, 65_537, 1 << 20] {
        let what = format!("POST /upload with {length} bytes");
        post(random(&mut rng, length)).ask(&mut connection, &what)?;
    }
    Ok(())
}
