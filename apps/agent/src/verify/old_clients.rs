//! A large file by HTTP/1.0, as ab asks, is whole.

use std::time::Duration;

use super::client_profiles;
use super::draw::{one_of, rng};
use super::http::Connection;
use super::http_semantics::SMALL;
use super::page::{self, Page};
use super::report::{CheckFault, CheckResult, Checks};
use crate::splitmix::SplitMix64;

/// As after `Connection: close`.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// One large file for a client that keeps its connection and one for a client that does not.
pub fn check(checks: &Checks, pages: &[Page]) -> CheckResult {
    let mut rng = rng();
    kept(checks, large(&mut rng, pages), &pages[0])?;
    closed(checks, large(&mut rng, pages))
}

fn large<'a>(rng: &mut SplitMix64, pages: &'a [Page]) -> &'a Page {
    let large: Vec<&Page> = pages.iter().filter(|p| p.body.len() > SMALL).collect();
    one_of(rng, &large)
}

fn kept(checks: &Checks, page: &Page, next: &Page) -> CheckResult {
    let mut connection = checks.connect()?;
    for page in [page, next] {
        let what = ask(&mut connection, page, "Connection: Keep-Alive\r\n")?;
        if !page::expect(&mut connection, page, &what)?.says_keep_alive() {
            return Err(CheckFault::new(format!(
                "{what}: the response has no Connection: keep-alive."
            )));
        }
    }
    Ok(())
}

fn closed(checks: &Checks, page: &Page) -> CheckResult {
    let mut connection = checks.connect()?;
    let what = ask(&mut connection, page, "")?;
    page::expect(&mut connection, page, &what)?;
    match connection.closed_within(CLOSE_LIMIT) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CheckFault::new(format!("{what}: the server kept the connection open."))),
        Err(more) => Err(CheckFault::new(format!(
            "{what}: {more} bytes more than Content-Length announced arrived."
        ))),
    }
}

fn ask(connection: &mut Connection, page: &Page, headers: &str) -> Result<String, CheckFault> {
    let what = match headers {
        "" => format!("GET {} with HTTP/1.0", page.path),
        _ => format!("GET {} with HTTP/1.0 and Connection: Keep-Alive", page.path),
    };
    let text = client_profiles::request("GET", &page.path, "HTTP/1.0", headers);
    connection
        .send(text.as_bytes())
        .map_err(|e| CheckFault::http(&what, e))?;
    Ok(what)
}

#[cfg(test)]
mod tests {
    use super::super::test_server::{self, TestRequest, TestResponse};
    use super::*;

    fn pages() -> Vec<Page> {
        let page = |path: &str, bytes: usize| Page {
            path: path.to_owned(),
            body: vec![b'x'; bytes],
        };
        vec![page("/small", 100), page("/large", 3 * SMALL)]
    }

    fn right(request: &TestRequest) -> TestResponse {
        let body = pages().into_iter().find(|p| p.path == request.path).unwrap().body;
        TestResponse::ok(body).kept(request.keep)
    }

    #[test]
    fn a_file_that_is_cut_only_for_http_1_0_is_found_kept_or_not() {
        for keep in [true, false] {
            let server = test_server::serve(move |request| {
                let mut response = right(request);
                if request.version == "HTTP/1.0" && request.keep == keep && response.body.len() > SMALL {
                    response.body.pop();
                }
                response
            });
            let checks = test_server::checks(server);
            let fault = check(&checks, &pages()).unwrap_err();
            assert!(fault.message.starts_with("large was cut off"), "{}", fault.message);
        }
    }
}
