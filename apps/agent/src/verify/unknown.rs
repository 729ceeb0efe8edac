//! Paths that do not exist but look like those that do: a server that responds with a page has not looked them up.

use super::client_profiles;
use super::draw::{between, one_of, rng};
use super::http::{Connection, Head, HttpError};
use super::page::{self, Page};
use super::report::{CheckFault, CheckResult, Checks};
use crate::splitmix::SplitMix64;

/// All names that some workload has.
const NAMES: [&str; 9] = [
    "plaintext",
    "json-sum",
    "upload",
    "ws",
    "1k.bin",
    "1m.bin",
    "10m.bin",
    "script.js",
    "large.js",
];
const SUFFIXES: [&str; 10] = [
    ".bin", ".js", ".html", ".txt", ".json", ".css", ".gz", ".br", ".php", ".png",
];
/// Of a path, in letters. Every server takes a head of 8 KiB.
const LONGEST: usize = 900;
/// A path has folders beyond so many letters, because no file system has a name of 256 bytes.
const NAME_MOST: usize = 200;

/// Asks for about twenty by GET and HEAD on one connection, and for some by POST. `new` is one of them; `known` is asked between
/// them, where there is one.
pub fn check(checks: &Checks, new: &str, known: Option<&Page>) -> CheckResult {
    let mut rng = rng();
    let mut paths = paths(&mut rng);
    paths.push(new.to_owned());
    let (mut connection, mut used) = (checks.connect()?, false);
    for path in &paths {
        let method = one_of(&mut rng, &["GET", "GET", "HEAD"]);
        let what = format!("{method} {}, which is not there", clipped(path));
        used = is_404(&mut connection, method, path, &what, used)?;
        if !used {
            connection = checks.connect()?;
        }
        let Some(page) = known.filter(|_| rng.below(3) == 0) else {
            continue;
        };
        let after = |fault: CheckFault| CheckFault {
            message: format!("After {what}: {}", fault.message),
            ..fault
        };
        used = page::get(&mut connection, page).map_err(after)?.keeps_alive();
        if !used {
            connection = checks.connect()?;
        }
    }
    for _ in 0..3 {
        let path = &paths[between(&mut rng, 0, paths.len() - 1)];
        posted(checks, path, rng.below(1000))?;
    }
    Ok(())
}

/// Does the connection stay? It must, unless the response said otherwise.
fn is_404(connection: &mut Connection, method: &str, path: &str, what: &str, used: bool) -> Result<bool, CheckFault> {
    let fault = |error| match (error, used) {
        (HttpError::Closed, true) => CheckFault::new(format!(
            "{what}: the connection was closed, although the response before did not say so."
        )),
        (other, _) => CheckFault::http(what, other),
    };
    connection
        .send(client_profiles::request(method, path, "HTTP/1.1", "").as_bytes())
        .map_err(fault)?;
    let head = connection.head().map_err(fault)?;
    if head.status != 404 {
        return Err(CheckFault::new(format!(
            "{what}: the status is {} and not 404.",
            head.status
        )));
    }
    if method != "HEAD" {
        connection.skip(&head).map_err(|e| CheckFault::http(what, e))?;
    }
    Ok(head.keeps_alive())
}

/// A server may also say that it knows no POST.
fn posted(checks: &Checks, path: &str, number: u64) -> CheckResult {
    let what = format!("POST {}, which is not there", clipped(path));
    let fault = |e| CheckFault::http(&what, e);
    let mut connection = checks.connect()?;
    let body = format!("[{number}]");
    let length = format!("Content-Length: {}", body.len());
    let text = client_profiles::post(path, "HTTP/1.1", "application/json", &length, "") + &body;
    connection.send(text.as_bytes()).map_err(fault)?;
    let Head { status, .. } = connection.head().map_err(fault)?;
    match status {
        403..=405 | 501 => Ok(()),
        other => Err(CheckFault::new(format!(
            "{what}: the status is {other} and neither 404 nor 405."
        ))),
    }
}

fn paths(rng: &mut SplitMix64) -> Vec<String> {
    let mut paths = vec![long(rng, 1), long(rng, LONGEST)];
    for _ in 0..3 {
        let name = one_of(rng, &NAMES);
        let length = (LONGEST as f64).powf(rng.below(1000) as f64 / 1000.0) as usize;
        paths.extend([
            long(rng, length),
            with_a_letter_more(rng, name),
            format!("{name}/{}", word(rng, 8)),
            one_of(rng, &NAMES).to_owned() + one_of(rng, &SUFFIXES),
            word(rng, 12) + one_of(rng, &SUFFIXES),
        ]);
        let name = one_of(rng, &NAMES);
        paths.push(with_a_letter_less(rng, name));
        // Where the file system does not tell cases apart, a file may be there in each.
        if cfg!(target_os = "linux") {
            paths.push(in_another_case(rng, name));
        }
    }
    paths.retain(|path| !NAMES.contains(&path.as_str()));
    rng.shuffle(&mut paths);
    paths.into_iter().map(|path| format!("/{path}")).collect()
}

fn letter(rng: &mut SplitMix64) -> char {
    char::from(b'a' + rng.below(26) as u8)
}

fn word(rng: &mut SplitMix64, most: usize) -> String {
    let length = between(rng, 4, most);
    (0..length).map(|_| letter(rng)).collect()
}

fn long(rng: &mut SplitMix64, letters: usize) -> String {
    let slash = |at: usize| at % NAME_MOST == NAME_MOST - 1 && at + 1 < letters;
    (0..letters)
        .map(|at| if slash(at) { '/' } else { letter(rng) })
        .collect()
}

fn with_a_letter_more(rng: &mut SplitMix64, name: &str) -> String {
    let mut text = name.to_owned();
    text.insert(between(rng, 0, name.len()), letter(rng));
    text
}

fn with_a_letter_less(rng: &mut SplitMix64, name: &str) -> String {
    let mut text = name.to_owned();
    text.remove(between(rng, 0, name.len() - 1));
    text
}

/// One letter or more is a capital.
fn in_another_case(rng: &mut SplitMix64, name: &str) -> String {
    let letters: Vec<usize> = (0..name.len())
        .filter(|at| name.as_bytes()[*at].is_ascii_lowercase())
        .collect();
    let sure = one_of(rng, &letters);
    let mut change = |(at, c): (usize, char)| {
        if at == sure || rng.below(4) == 0 {
            c.to_ascii_uppercase()
        } else {
            c
        }
    };
    name.chars().enumerate().map(&mut change).collect()
}

fn clipped(path: &str) -> String {
    match path.get(..60) {
        Some(start) if path.len() > 60 => format!("{start}… ({} bytes)", path.len()),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_server::{self, TestRequest, TestResponse};
    use super::*;

    fn page() -> Page {
        Page {
            path: "/plaintext".to_owned(),
            body: b"Hello, World!".to_vec(),
        }
    }

    fn right(request: &TestRequest) -> TestResponse {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET" | "HEAD", "/plaintext") => TestResponse::ok("Hello, World!"),
            _ => TestResponse::not_found(),
        }
    }

    fn found(respond: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static) -> String {
        check(&test_server::checks(test_server::serve(respond)), "/new", Some(&page()))
            .unwrap_err()
            .message
    }

    #[test]
    fn a_server_that_is_right_passes_with_a_known_page_and_without() {
        let checks = test_server::checks(test_server::serve(right));
        assert_eq!(check(&checks, "/new", Some(&page())), Ok(()));
        assert_eq!(check(&checks, "/new", None), Ok(()));
        let closing = test_server::serve(|request| right(request).kept(request.path == "/plaintext"));
        assert_eq!(check(&test_server::checks(closing), "/new", Some(&page())), Ok(()));
    }

    type RequestShape = fn(&TestRequest) -> bool;

    #[test]
    fn a_200_for_unknown_paths_of_one_shape_is_found() {
        let shapes: [RequestShape; 7] = [
            |request| request.path.len() > 250,
            |request| request.path.len() < 4,
            |request| request.path.starts_with("/") && request.path[1..].contains('/'),
            |request| request.path.contains('.'),
            |request| request.path.to_ascii_lowercase() != request.path,
            |request| request.method == "HEAD" && request.path != "/plaintext",
            |request| request.method == "POST",
        ];
        for (number, shape) in shapes.into_iter().enumerate() {
            let message = found(move |request| {
                if shape(request) {
                    TestResponse::ok("fine")
                } else {
                    right(request)
                }
            });
            assert!(message.contains("the status is 200 and n"), "{number}: {message}");
        }
    }

    #[test]
    fn a_connection_that_is_closed_after_a_404_without_a_word_is_found() {
        let message = found(|request| TestResponse {
            kept: request.path == "/plaintext",
            ..right(request)
        });
        assert!(message.contains("closed"), "{message}");
    }

    #[test]
    fn no_path_exists_and_each_is_newly_drawn() {
        let mut rng = SplitMix64::new(3);
        for _ in 0..200 {
            let paths = paths(&mut rng);
            assert!(paths.len() >= 20, "{}", paths.len());
            for path in &paths {
                let known = NAMES.iter().any(|name| path[1..] == **name);
                let segment = path.split('/').map(str::len).max().unwrap_or_default();
                assert!(path.starts_with('/') && path.len() > 1 && !known, "{path}");
                assert!(path.len() <= LONGEST + 1 && segment <= NAME_MOST, "{path}");
            }
        }
    }
}
