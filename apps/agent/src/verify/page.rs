//! A path with its right body, and how it is asked for and compared.

use super::client_profiles;
use super::http::{Connection, Head, HttpError};
use super::report::{CheckFault, Checks};

/// More than any page.
const MOST_BYTES: usize = 64 << 20;

/// A path with its right body.
pub struct Page {
    pub path: String,
    pub body: Vec<u8>,
}

pub fn request(method: &str, path: &str, headers: &str) -> String {
    client_profiles::request(method, path, "HTTP/1.1", headers)
}

/// One response on an open connection, compared with the page.
pub fn expect(connection: &mut Connection, page: &Page, what: &str) -> Result<Head, CheckFault> {
    let head = connection.head().map_err(|e| CheckFault::http(what, e))?;
    compare(connection, head, page, what)
}

pub fn compare(connection: &mut Connection, head: Head, page: &Page, what: &str) -> Result<Head, CheckFault> {
    if head.status != 200 {
        return Err(CheckFault::new(format!(
            "{what}: the status is {} and not 200.",
            head.status
        )));
    }
    let size = page.body.len() as u64;
    let name = page.path.trim_start_matches('/');
    let cut = |got: u64| CheckFault::bytes(format!("{name} was cut off: {got} of {size} bytes arrived."), size, got);
    let body = match connection.any_body(&head, MOST_BYTES) {
        Err(HttpError::CutOff { got, .. }) if got < size => return Err(cut(got)),
        other => other.map_err(|e| CheckFault::http(what, e))?,
    };
    let got = body.len() as u64;
    if got < size && page.body.starts_with(&body) {
        return Err(cut(got));
    }
    if got != size {
        return Err(CheckFault::bytes(
            format!("{name} has the wrong length: {got} bytes arrived where {size} were right."),
            size,
            got,
        ));
    }
    // Compared as a whole first: tens of megabytes are right, and few wrong.
    if body != page.body
        && let Some(at) = body.iter().zip(&page.body).position(|(a, b)| a != b)
    {
        let wrong = body.iter().zip(&page.body).filter(|(a, b)| a != b).count();
        return Err(CheckFault::bytes(
            format!("{name} has wrong bytes: {wrong} of {size} differ, the first is number {at}."),
            size,
            got,
        ));
    }
    Ok(head)
}

/// Asks for the page on an open connection.
pub fn get(connection: &mut Connection, page: &Page) -> Result<Head, CheckFault> {
    let what = format!("GET {}", page.path);
    connection
        .send(request("GET", &page.path, "").as_bytes())
        .map_err(|e| CheckFault::http(&what, e))?;
    expect(connection, page, &what)
}

/// The whole response on a connection of its own, and nothing after it.
pub fn fetch(checks: &Checks, page: &Page) -> Result<Head, CheckFault> {
    let mut connection = checks.connect()?;
    let head = get(&mut connection, page)?;
    match connection.surplus() {
        0 => {
            checks.count_right();
            Ok(head)
        }
        more => Err(CheckFault::new(format!(
            "GET {}: {more} bytes more than Content-Length announced arrived.",
            page.path
        ))),
    }
}
