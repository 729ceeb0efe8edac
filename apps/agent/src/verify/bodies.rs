//! The checks of each workload that takes a body: reuse, close, chunks, pieces, pipelining, and no remembered responses.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::draw::{between, random_name, rng};
use super::http::REFUSAL_BYTES;
use super::http_semantics::{self, FRAGMENT_PAUSE};
use super::page::request;
use super::post::{Draw, Post, response};
use super::report::{CheckFault, CheckResult, Checks};
use super::reuse;
use crate::splitmix::SplitMix64;

#[cfg(test)]
mod cheats;

const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// What the checks send, and how the response is named in sentences.
pub struct Bodies {
    /// Such as "sum".
    pub what: &'static str,
    /// A small one.
    pub draw: Draw,
    /// Makes `count` bodies of one length, about `bytes` long, each differing from the one before at one drawn place alone.
    pub alike: fn(&mut SplitMix64, usize, usize) -> Vec<Post>,
    /// Bytes of one that is over 1 MB.
    pub large: RangeInclusive<usize>,
}

pub fn check(checks: &mut Checks, bodies: &Bodies) {
    let &Bodies { what, draw, .. } = bodies;
    let mut seeded = rng();
    let length = between(&mut seeded, *bodies.large.start(), *bodies.large.end());
    // The second is sent chunked; a large body that is remembered by its length would be the first.
    let large = (bodies.alike)(&mut seeded, length, 2);
    let path = large[0].path;
    checks.check("fresh-answer", &format!("each body gets its own {what}"), |c| {
        fresh(c, bodies)
    });
    checks.check("length", "responses have a Content-Length", |c| {
        let head = draw(&mut rng()).ask(&mut c.connect()?, &format!("POST {path}"))?;
        let says = |error| CheckFault::http(&format!("POST {path}"), error);
        head.content_length().map(|_| ()).map_err(says)
    });
    checks.check("keep-alive", "a connection is used again", |c| {
        let mut rng = rng();
        let posts: Vec<Post> = (0..reuse::turns(&mut rng)).map(|_| draw(&mut rng)).collect();
        in_a_row(c, what, &posts, Post::bytes)
    });
    checks.check("large-body", "a body over 1 MB arrives whole", |c| {
        let mut connection = c.connect()?;
        large[0].ask(&mut connection, &length_of(&large[0]))?;
        draw(&mut rng()).ask(&mut connection, "The POST after it").map(|_| ())
    });
    checks.check("chunked", "a chunked body is read", |c| chunked(c, draw, &large[1]));
    checks.check("fragments", "a POST that arrives in pieces gets its response", |c| {
        fragments(c, draw)
    });
    checks.check("pipelined", "POSTs in one packet get their responses in order", |c| {
        pipelined(c, draw)
    });
    checks.check("close", "Connection: close is honored", |c| close(c, draw));
    checks.check("http-1.0", "an HTTP/1.0 client may keep its connection", |c| {
        http_1_0(c, draw)
    });
    checks.check("cut-body", "a body that ends early does not get status 200", |c| {
        cut_body(c, draw)
    });
    checks.check("method", "GET is refused", |c| {
        let mut connection = c.connect()?;
        let fault = |e| CheckFault::http(&format!("GET {path}"), e);
        let request = request("GET", path, "Connection: close\r\n");
        connection.send(request.as_bytes()).map_err(fault)?;
        match connection.head().map_err(fault)?.status {
            404 | 405 => Ok(()),
            other => Err(CheckFault::new(format!(
                "GET {path}: the status is {other} and neither 404 nor 405."
            ))),
        }
    });
    checks.check("not-found", "an unknown path gets status 404", |c| {
        http_semantics::not_found(c, &format!("/{}", random_name()))
    });
}

/// A sum of few digits may be right for several bodies, so it proves nothing about which one was summed.
fn is_rare(result: &str) -> bool {
    result.len() >= "sum = ".len() + 6
}

fn length_of(post: &Post) -> String {
    format!("POST {} with {} bytes", post.path, post.body.len())
}

/// Series of bodies that differ in one place, so short that they come in one packet and so long that they do not; each series once
/// with all of them plain, and once chunked from the second on.
fn fresh(checks: &Checks, bodies: &Bodies) -> CheckResult {
    for (low, high, count) in [(20, 300, 12), (300, 5000, 8), (20_000, 200_000, 6)] {
        let mut seeded = rng();
        let length = between(&mut seeded, low, high);
        let posts = (bodies.alike)(&mut seeded, length, 2 * count);
        in_a_row(checks, bodies.what, &posts[..count], Post::bytes)?;
        let (plain, most) = (&posts[count], (length / 3).max(1));
        in_a_row(checks, bodies.what, &posts[count..], |post| {
            if std::ptr::eq(post, plain) {
                post.bytes()
            } else {
                post.chunked(&mut rng(), most)
            }
        })?;
    }
    Ok(())
}

/// One after the other on one connection, several in a packet after the first hundred; `bytes` says how each is sent. A response
/// to an earlier body is reported as stale.
fn in_a_row(checks: &Checks, what: &str, posts: &[Post], bytes: impl Fn(&Post) -> Vec<u8>) -> CheckResult {
    let mut rng = rng();
    let mut connection = checks.connect()?;
    let mut earlier: BTreeMap<String, usize> = BTreeMap::new();
    let name = |turn: usize| format!("POST {} on one connection", turn + 1);
    let mut turn = 0;
    while turn < posts.len() {
        let burst = reuse::burst(&mut rng, turn, posts.len() - turn);
        let packet = posts[turn..turn + burst]
            .iter()
            .map(&bytes)
            .collect::<Vec<_>>()
            .concat();
        connection
            .send(&packet)
            .map_err(|e| reuse::ended(e, turn, &name(turn)))?;
        for post in &posts[turn..turn + burst] {
            let name = name(turn);
            let head = connection.head().map_err(|e| reuse::ended(e, turn, &name))?;
            let body = connection
                .any_body(&head, REFUSAL_BYTES)
                .map_err(|e| CheckFault::http(&name, e))?;
            let body: String = String::from_utf8_lossy(&body).chars().take(100).collect();
            if body != post.right
                && let Some(&before) = earlier.get(&body)
                && (before == turn || is_rare(&body))
            {
                return Err(CheckFault::new(format!(
                    "{name} got the {what} of POST {before}, {body:?}: a stale response."
                )));
            }
            post.judge(&head, &body, &name)
                .map_err(|fault| checks.until_now(&format!("The {what}"), fault))?;
            checks.count_right();
            turn += 1;
            if !head.keeps_alive() {
                return Err(reuse::announced(turn));
            }
            earlier.insert(body, turn);
        }
    }
    Ok(())
}

fn chunked(checks: &Checks, draw: Draw, large: &Post) -> CheckResult {
    let mut rng = rng();
    let mut connection = checks.connect()?;
    for most in [1, 7, 300] {
        let post = draw(&mut rng);
        let what = format!("{} in chunks of 1 to {most}", length_of(&post));
        let bytes = post.chunked(&mut rng, most);
        connection.send(&bytes).map_err(|e| CheckFault::http(&what, e))?;
        post.expect(&mut connection, &what)?;
    }
    let what = format!("{} in chunks", length_of(large));
    let bytes = large.chunked(&mut rng, 60_000);
    connection.send(&bytes).map_err(|e| CheckFault::http(&what, e))?;
    large.expect(&mut connection, &what)?;
    draw(&mut rng).ask(&mut connection, "The POST after it").map(|_| ())
}

fn fragments(checks: &Checks, draw: Draw) -> CheckResult {
    let mut rng = rng();
    let mut connection = checks.connect()?;
    let post = draw(&mut rng);
    for bytes in [post.bytes(), post.chunked(&mut rng, 50)] {
        let what = format!("{} in five pieces", length_of(&post));
        let mut cuts: Vec<usize> = (0..3).map(|_| between(&mut rng, 1, bytes.len() - 1)).collect();
        cuts.extend([0, bytes.len() - 1, bytes.len()]);
        cuts.sort_unstable();
        for piece in cuts.windows(2) {
            connection
                .send(&bytes[piece[0]..piece[1]])
                .map_err(|e| CheckFault::http(&what, e))?;
            if piece[1] < bytes.len() {
                std::thread::sleep(FRAGMENT_PAUSE);
            }
        }
        post.expect(&mut connection, &what)?;
    }
    Ok(())
}

fn pipelined(checks: &Checks, draw: Draw) -> CheckResult {
    let mut rng = rng();
    let posts: Vec<Post> = (0..between(&mut rng, 5, 20)).map(|_| draw(&mut rng)).collect();
    let all = posts.iter().map(Post::bytes).collect::<Vec<_>>().concat();
    let mut connection = checks.connect()?;
    let what = format!("{} POSTs in one packet", posts.len());
    connection.send(&all).map_err(|e| CheckFault::http(&what, e))?;
    for (number, post) in posts.iter().enumerate() {
        post.expect(&mut connection, &format!("Response {} of {what}", number + 1))?;
    }
    Ok(())
}

fn close(checks: &Checks, draw: Draw) -> CheckResult {
    let post = draw(&mut rng());
    let what = format!("POST {} with Connection: close", post.path);
    let mut connection = checks.connect()?;
    let bytes = post.with("HTTP/1.1", "Connection: close\r\n");
    connection.send(&bytes).map_err(|e| CheckFault::http(&what, e))?;
    post.expect(&mut connection, &what)?;
    match connection.closed_within(CLOSE_LIMIT) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CheckFault::new(
            "The server kept the connection open although it was asked to close it.",
        )),
        Err(more) => Err(CheckFault::new(format!(
            "{what}: {more} bytes more than Content-Length announced arrived."
        ))),
    }
}

/// ab posts with HTTP/1.0, all that it posts over the same connections.
fn http_1_0(checks: &Checks, draw: Draw) -> CheckResult {
    let mut rng = rng();
    let mut connection = checks.connect()?;
    for completed in 0..between(&mut rng, 60, 130) {
        let post = draw(&mut rng);
        let what = format!("POST {} with HTTP/1.0 and Connection: Keep-Alive", post.path);
        let bytes = post.with("HTTP/1.0", "Connection: Keep-Alive\r\n");
        let ended = |e| reuse::ended(e, completed, &what);
        connection.send(&bytes).map_err(ended)?;
        let head = connection.head().map_err(ended)?;
        let body = connection
            .any_body(&head, REFUSAL_BYTES)
            .map_err(|e| CheckFault::http(&what, e))?;
        post.judge(&head, &String::from_utf8_lossy(&body), &what)?;
        if !head.keeps_alive() {
            return Err(CheckFault::new(format!(
                "{what}: response {} has no Connection: keep-alive.",
                completed + 1
            )));
        }
    }
    Ok(())
}

fn cut_body(checks: &Checks, draw: Draw) -> CheckResult {
    let mut rng = rng();
    let post = std::iter::repeat_with(|| draw(&mut rng))
        .find(|post| post.body.len() > 1)
        .expect("most are longer");
    let bytes = post.bytes();
    let mut connection = checks.connect()?;
    let what = format!("{}, of which half arrives", length_of(&post));
    let half = &bytes[..bytes.len() - post.body.len() / 2];
    connection.send(half).map_err(|e| CheckFault::http(&what, e))?;
    connection.finish().map_err(|e| CheckFault::http(&what, e))?;
    match response(&mut connection, &what) {
        Ok((head, body)) if head.status < 400 => Err(CheckFault::new(format!(
            "{what}: it got status {} and {body:?}.",
            head.status
        ))),
        // Closing is right as well.
        _ => draw(&mut rng)
            .ask(&mut checks.connect()?, "The POST after it")
            .map(|_| ()),
    }
}
