//! Files are whole for many clients at once, and for those that speak HTTP/1.0, as ab does.

use std::sync::Mutex;
use std::time::Duration;

use super::callers;
use super::draw::{one_of, rng};
use super::http::Connection;
use super::manners::{self, Page, SMALL};
use super::report::{Checks, Fault, Verdict};
use crate::runner::splitmix::SplitMix64;

const CLIENTS: usize = 8;
/// As after `Connection: close`.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// Each client fetches all files, in an order of its own, while the others do.
pub fn at_once(checks: &Checks, pages: &[Page]) -> Verdict {
    let first: Mutex<Option<Fault>> = Mutex::new(None);
    let lock = || first.lock().unwrap_or_else(|e| e.into_inner());
    let client = || -> Verdict {
        let mut order: Vec<&Page> = pages.iter().collect();
        rng().shuffle(&mut order);
        let mut connection = checks.connect()?;
        for page in order {
            if lock().is_some() {
                break;
            }
            manners::get(&mut connection, page)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                if let Err(fault) = client() {
                    lock().get_or_insert(fault);
                }
            });
        }
    });
    match lock().take() {
        None => Ok(()),
        Some(fault) => {
            let message = format!("With {CLIENTS} clients at once: {}", fault.message);
            Err(Fault { message, ..fault })
        }
    }
}

/// One large file for a client that keeps its connection and one for a client that does not.
pub fn old_clients(checks: &Checks, pages: &[Page]) -> Verdict {
    let mut rng = rng();
    kept(checks, large(&mut rng, pages), &pages[0])?;
    closed(checks, large(&mut rng, pages))
}

fn large<'a>(rng: &mut SplitMix64, pages: &'a [Page]) -> &'a Page {
    let large: Vec<&Page> = pages.iter().filter(|p| p.body.len() > SMALL).collect();
    one_of(rng, &large)
}

fn kept(checks: &Checks, page: &Page, next: &Page) -> Verdict {
    let mut connection = checks.connect()?;
    for page in [page, next] {
        let what = ask(&mut connection, page, "Connection: Keep-Alive\r\n")?;
        if !manners::expect(&mut connection, page, &what)?.says_keep_alive() {
            return Err(Fault::new(format!(
                "{what}: the answer does not say Connection: keep-alive."
            )));
        }
    }
    Ok(())
}

fn closed(checks: &Checks, page: &Page) -> Verdict {
    let mut connection = checks.connect()?;
    let what = ask(&mut connection, page, "")?;
    manners::expect(&mut connection, page, &what)?;
    match connection.closed_within(CLOSE_LIMIT) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Fault::new(format!("{what}: the server kept the connection open."))),
        Err(more) => Err(Fault::new(format!(
            "{what}: {more} bytes more than Content-Length announced arrived."
        ))),
    }
}

fn ask(connection: &mut Connection, page: &Page, headers: &str) -> Result<String, Fault> {
    let what = match headers {
        "" => format!("GET {} with HTTP/1.0", page.path),
        _ => format!("GET {} with HTTP/1.0 and Connection: Keep-Alive", page.path),
    };
    let text = callers::request("GET", &page.path, "HTTP/1.0", headers);
    connection.send(text.as_bytes()).map_err(|e| Fault::http(&what, e))?;
    Ok(what)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::tiny::{self, Asked, Said};
    use super::*;

    fn pages() -> Vec<Page> {
        let page = |path: &str, bytes: usize| Page {
            path: path.to_owned(),
            body: vec![b'x'; bytes],
        };
        vec![page("/small", 100), page("/large", 3 * SMALL)]
    }

    fn right(asked: &Asked) -> Said {
        let body = pages().into_iter().find(|p| p.path == asked.path).unwrap().body;
        Said::ok(body).kept(asked.keep)
    }

    #[test]
    fn a_file_that_is_cut_only_while_others_load_is_found() {
        let busy = AtomicUsize::new(0);
        let server = tiny::serve(move |asked| {
            let others = busy.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(20));
            busy.fetch_sub(1, Ordering::SeqCst);
            let mut said = right(asked);
            if others >= 5 && said.body.len() > SMALL {
                said.body.truncate(SMALL);
            }
            said
        });
        let checks = tiny::checks(server);
        assert_eq!(old_clients(&checks, &pages()), Ok(()));
        let fault = at_once(&checks, &pages()).unwrap_err();
        assert_eq!(
            fault.message,
            format!(
                "With 8 clients at once: large was cut off: {SMALL} of {} bytes arrived.",
                3 * SMALL
            )
        );
        assert_eq!(at_once(&tiny::checks(tiny::serve(right)), &pages()), Ok(()));
    }

    #[test]
    fn a_file_that_is_cut_only_for_http_1_0_is_found_kept_or_not() {
        for keep in [true, false] {
            let server = tiny::serve(move |asked| {
                let mut said = right(asked);
                if asked.version == "HTTP/1.0" && asked.keep == keep && said.body.len() > SMALL {
                    said.body.pop();
                }
                said
            });
            let checks = tiny::checks(server);
            assert_eq!(at_once(&checks, &pages()), Ok(()));
            let fault = old_clients(&checks, &pages()).unwrap_err();
            assert!(fault.message.starts_with("large was cut off"), "{}", fault.message);
        }
    }
}
