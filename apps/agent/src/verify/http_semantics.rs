//! What HTTP asks of a server, whatever it serves: length, reuse, close, HEAD, pieces, pipelining, limits, 404.

use std::time::Duration;

use super::client_profiles;
use super::draw::{between, one_of, rng};
use super::http::Connection;
use super::page::{Page, compare, expect, fetch, request};
use super::report::{CheckFault, CheckResult, Checks};
use super::reuse;
use super::unknown;
use crate::splitmix::SplitMix64;

/// How long after its last response a server may take to close the connection.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);
/// Longer than any batching on the way, so that each piece arrives by itself.
pub const FRAGMENT_PAUSE: Duration = Duration::from_millis(30);
/// Each page is asked for in turn this many times; after that nearly all requests are for the first, which is small.
const FULL_TURNS: usize = 8;
/// One packet in this many asks for another page.
const OTHER: u64 = 8;
/// Pages of at most this many bytes get most of the later requests.
pub const SMALL: usize = 64 * 1024;
/// Every server takes a head as long as the first, and none one as long as the second.
const LONG_HEAD: [usize; 2] = [7 << 10, 2 << 20];
/// One in this many of these requests is for a larger page, because it costs more.
const LARGER: u64 = 8;

/// All of it. `pages` has at least two, and the first is small; `large` is used where a body must not come.
pub fn check(checks: &mut Checks, pages: &[Page], large: &Page, new: &str) {
    checks.check("length", "responses have a Content-Length", |c| length(c, &pages[0]));
    checks.check("keep-alive", "a connection is used more than 1,000 times", |c| {
        keep_alive(c, pages)
    });
    checks.check("close", "Connection: close is honored", |c| close(c, &pages[0]));
    checks.check("http-1.0", "an HTTP/1.0 client may keep its connection", |c| {
        http_1_0(c, &pages[0])
    });
    checks.check("head", "HEAD gets a response without a body", |c| {
        head(c, large, &pages[0])
    });
    checks.check("not-found", "an unknown path gets status 404", |c| {
        unknown::check(c, new, Some(&pages[0]))
    });
    checks.check("fragments", "a request that arrives in pieces gets its response", |c| {
        fragments(c, &pages[0])
    });
    checks.check(
        "pipelined",
        "two requests in one packet get their responses in order",
        |c| pipelined(c, pages),
    );
    checks.check("limits", "a head of 7 KiB is served, one of 2 MiB is refused", |c| {
        limits(c, &pages[0])
    });
    checks.check("any-client", "every client gets the same response", |c| {
        any_client(c, &pages[0])
    });
}

/// Does the response to GET have a length? It may be chunked: then a client learns the length only at the end.
fn length(checks: &Checks, page: &Page) -> CheckResult {
    let head = fetch(checks, page)?;
    let says = |error| CheckFault::http(&format!("GET {}", page.path), error);
    head.content_length().map(|_| ()).map_err(says)
}

fn limits(checks: &Checks, page: &Page) -> CheckResult {
    let [served, refused] = LONG_HEAD;
    let lines = |bytes: usize| -> String {
        (0..bytes / 256)
            .map(|n| format!("X-Line-{n:06}: {}\r\n", "x".repeat(240)))
            .collect()
    };
    let what = format!("GET {} with a head of {} KiB", page.path, served >> 10);
    let mut connection = checks.connect()?;
    let send =
        |connection: &mut Connection, bytes| connection.send(request("GET", &page.path, &lines(bytes)).as_bytes());
    send(&mut connection, served).map_err(|e| CheckFault::http(&what, e))?;
    expect(&mut connection, page, &what)?;
    let mut connection = checks.connect()?;
    // It may close before all has come.
    let _ = send(&mut connection, refused);
    match connection.head() {
        Ok(head) if head.status < 400 => Err(CheckFault::new(format!(
            "GET {} with a head of {} KiB got status {} and not 431.",
            page.path,
            refused >> 10,
            head.status
        ))),
        _ => fetch(checks, page).map(|_| ()),
    }
}

/// A server's response must not depend on the client.
fn any_client(checks: &Checks, page: &Page) -> CheckResult {
    let others = [
        "curl/8.5.0",
        "Mozilla/5.0 (X11; Linux x86_64)",
        "wrk",
        "ApacheBench/2.3",
        "",
    ];
    for agent in others {
        let line = if agent.is_empty() {
            String::new()
        } else {
            format!("User-Agent: {agent}\r\n")
        };
        let what = format!(
            "GET {} with {}",
            page.path,
            if agent.is_empty() {
                "no User-Agent"
            } else {
                line.trim_end()
            }
        );
        let text = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\n{line}Accept: */*\r\n\r\n",
            page.path,
            checks.server()
        );
        let mut connection = checks.connect()?;
        connection
            .send(text.as_bytes())
            .map_err(|e| CheckFault::http(&what, e))?;
        expect(&mut connection, page, &what)?;
    }
    Ok(())
}

/// Often a small one, now and then a larger one where there is one.
fn drawn<'a>(rng: &mut SplitMix64, pages: &'a [Page]) -> &'a Page {
    let (small, larger): (Vec<&Page>, Vec<&Page>) = pages.iter().partition(|p| p.body.len() <= SMALL);
    if rng.below(LARGER) == 0 && !larger.is_empty() {
        one_of(rng, &larger)
    } else {
        one_of(rng, &small)
    }
}

/// A test double and a workload of one page have none that is larger: then it is that one.
fn largest(pages: &[Page]) -> &Page {
    let by_size = pages.iter().max_by_key(|page| page.body.len());
    by_size.unwrap_or(&pages[0])
}

fn keep_alive(checks: &Checks, pages: &[Page]) -> CheckResult {
    let mut rng = rng();
    let turns = reuse::turns(&mut rng);
    let mut connection = checks.connect()?;
    let mut turn = 0;
    // At least one larger page late on the connection; what else is drawn may be small ones only.
    // Not so late that the last packet may begin before it.
    let mut larger_from = between(&mut rng, FULL_TURNS, turns - 50);
    while turn < turns {
        let mut burst = reuse::burst(&mut rng, turn, turns - turn);
        let page = match turn {
            0..FULL_TURNS => &pages[turn % pages.len()],
            _ if turn >= larger_from => {
                larger_from = usize::MAX;
                largest(pages)
            }
            _ if rng.below(OTHER) == 0 => drawn(&mut rng, pages),
            _ => &pages[0],
        };
        if page.body.len() > SMALL {
            burst = burst.min(2);
        }
        let what = |turn: usize| format!("Request {} on one connection, GET {}", turn + 1, page.path);
        connection
            .send(request("GET", &page.path, "").repeat(burst).as_bytes())
            .map_err(|e| reuse::ended(e, turn, &what(turn)))?;
        for _ in 0..burst {
            let head = connection.head().map_err(|e| reuse::ended(e, turn, &what(turn)))?;
            let head = compare(&mut connection, head, page, &what(turn))
                .map_err(|fault| checks.until_now("The response", fault))?;
            checks.count_right();
            turn += 1;
            if !head.keeps_alive() {
                return Err(reuse::announced(turn));
            }
        }
    }
    Ok(())
}

fn close(checks: &Checks, page: &Page) -> CheckResult {
    let what = format!("GET {} with Connection: close", page.path);
    let mut connection = checks.connect()?;
    connection
        .send(request("GET", &page.path, "Connection: close\r\n").as_bytes())
        .map_err(|e| CheckFault::http(&what, e))?;
    expect(&mut connection, page, &what)?;
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

/// ab speaks HTTP/1.0: a response without keep-alive makes it reconnect, or wait forever.
fn http_1_0(checks: &Checks, page: &Page) -> CheckResult {
    let mut connection = checks.connect()?;
    let text = client_profiles::request("GET", &page.path, "HTTP/1.0", "Connection: Keep-Alive\r\n");
    let name = format!("GET {} with HTTP/1.0 and Connection: Keep-Alive", page.path);
    for turn in 0..between(&mut rng(), 120, 200) {
        let what = format!("Request {} on one connection, {name}", turn + 1);
        connection
            .send(text.as_bytes())
            .map_err(|e| reuse::ended(e, turn, &what))?;
        let head = connection.head().map_err(|e| reuse::ended(e, turn, &what))?;
        let head = compare(&mut connection, head, page, &what)?;
        if !head.says_keep_alive() {
            return Err(CheckFault::new(format!(
                "{what}: the response has no Connection: keep-alive."
            )));
        }
    }
    Ok(())
}

fn head(checks: &Checks, large: &Page, next: &Page) -> CheckResult {
    let what = format!("HEAD {}", large.path);
    let mut connection = checks.connect()?;
    connection
        .send(request("HEAD", &large.path, "").as_bytes())
        .map_err(|e| CheckFault::http(&what, e))?;
    let head = connection.head().map_err(|e| CheckFault::http(&what, e))?;
    if head.status != 200 {
        return Err(CheckFault::new(format!(
            "{what} has status {} and not 200.",
            head.status
        )));
    }
    let size = large.body.len() as u64;
    match head.content_length() {
        Ok(length) if length == size => {}
        Ok(length) => {
            let message = format!("{what}: Content-Length is {length} and not {size}.");
            return Err(CheckFault::bytes(message, size, length));
        }
        Err(error) => return Err(CheckFault::http(&what, error)),
    }
    if !head.keeps_alive() {
        return match connection.closed_within(CLOSE_LIMIT) {
            Err(more) => Err(CheckFault::new(format!("{what} got a body: {more} bytes followed."))),
            Ok(_) => Ok(()),
        };
    }
    // A body would come where the next response must begin.
    let what = format!("GET {} after HEAD on the same connection", next.path);
    connection
        .send(request("GET", &next.path, "").as_bytes())
        .map_err(|e| CheckFault::http(&what, e))?;
    expect(&mut connection, next, &what).map(|_| ())
}

/// For a workload whose responses are not pages.
pub fn not_found(checks: &Checks, drawn: &str) -> CheckResult {
    unknown::check(checks, drawn, None)
}

fn fragments(checks: &Checks, page: &Page) -> CheckResult {
    let what = format!("GET {} in four pieces", page.path);
    let mut connection = checks.connect()?;
    let text = request("GET", &page.path, "");
    // Within the method, within a header's name, and between the two last line ends.
    let cuts = [0, 2, text.len() / 2, text.len() - 2, text.len()];
    for piece in cuts.windows(2) {
        connection
            .send(&text.as_bytes()[piece[0]..piece[1]])
            .map_err(|e| CheckFault::http(&what, e))?;
        if piece[1] < text.len() {
            std::thread::sleep(FRAGMENT_PAUSE);
        }
    }
    expect(&mut connection, page, &what).map(|_| ())
}

fn pipelined(checks: &Checks, pages: &[Page]) -> CheckResult {
    let (first, second) = (&pages[0], &pages[1 % pages.len()]);
    let mut connection = checks.connect()?;
    let both = request("GET", &first.path, "") + &request("GET", &second.path, "");
    connection
        .send(both.as_bytes())
        .map_err(|e| CheckFault::http("Two requests in one packet", e))?;
    expect(&mut connection, first, "The first of two requests in one packet")?;
    expect(&mut connection, second, "The second of two requests in one packet").map(|_| ())
}

#[cfg(test)]
#[path = "http_semantics_tests.rs"]
mod tests;
