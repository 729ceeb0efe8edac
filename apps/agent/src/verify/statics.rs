//! `static`: nothing from beside the root, and large files for old clients.

use std::path::Path;

use super::draw::random_name;
use super::http_semantics;
use super::old_clients;
use super::page::{Page, request};
use super::report::{CheckFault, CheckResult, Checks};
use crate::workload::files::{FILES, StaticFile};

pub fn check(checks: &mut Checks, root: &Path, secret: &Path) {
    let page = |file: &StaticFile| Page {
        path: file.path(),
        body: file.content(),
    };
    let mut pages: Vec<Page> = FILES.iter().map(page).collect();
    checks.check("outside-root", "nothing outside the root is served", |c| {
        outside_root(c, root, secret)
    });
    // Small and large in turn, without the largest: the order of FILES is 1k, 1m, 10m, script, large script.
    let largest = pages.remove(2);
    let unknown = format!("/{}.bin", random_name());
    let large = page(&FILES[1]);
    http_semantics::check(checks, &pages, &large, &unknown);
    pages.push(largest);
    checks.check("http-1.0-large", "a large file is whole for an HTTP/1.0 client", |c| {
        old_clients::check(c, &pages)
    });
}

/// Targets that lead out of the root to `secret` where a server decodes or resolves them wrongly.
fn ways_out(root: &Path, secret: &Path) -> Vec<String> {
    let name = secret.file_name().unwrap_or_default().to_string_lossy();
    let folder = root.file_name().unwrap_or_default().to_string_lossy();
    let absolute = secret.display();
    vec![
        format!("/../{name}"),
        format!("/1k.bin/../../{name}"),
        format!("/./.././{name}"),
        format!("//../{name}"),
        format!("/%2e%2e/{name}"),
        format!("/%2E%2E%2F{name}"),
        format!("/..%2f{name}"),
        format!("/.%2e/{name}"),
        format!("/%252e%252e/{name}"),
        format!("/%c0%ae%c0%ae/{name}"),
        format!("/..\\{name}"),
        format!("/..%5c{name}"),
        format!("/..%00/{name}"),
        format!("/..;/{name}"),
        format!("/....//{name}"),
        format!("/../{folder}/../{name}"),
        format!("../{name}"),
        format!("http://127.0.0.1/../{name}"),
        format!("http://127.0.0.1/%2e%2e/{name}"),
        format!("/{absolute}"),
        format!("{absolute}"),
    ]
}

fn outside_root(checks: &Checks, root: &Path, secret: &Path) -> CheckResult {
    let content =
        std::fs::read(secret).map_err(|e| CheckFault::new(format!("The file beside the root is gone ({e}).")))?;
    for target in ways_out(root, secret) {
        let mut connection = checks.connect()?;
        // A server may refuse in any way it likes, also by closing.
        let response = match connection.send(request("GET", &target, "Connection: close\r\n").as_bytes()) {
            Ok(()) => connection.rest(64 * 1024),
            Err(_) => Vec::new(),
        };
        if response.windows(content.len()).any(|w| w == content) {
            return Err(CheckFault::new(format!(
                "GET {target} got a file from outside the root."
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::time::{Duration, Instant};

    use super::*;

    /// A server that gives the secret for this target and nothing else.
    fn leaking(target: &str, secret: &'static str) -> SocketAddr {
        let line = format!("GET {target} HTTP/1.1\r\n");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let (mut head, mut part) = (Vec::new(), [0; 4096]);
                while !head.ends_with(b"\r\n\r\n") {
                    let read = stream.read(&mut part).unwrap();
                    assert!(read > 0, "the request was cut off");
                    head.extend_from_slice(&part[..read]);
                }
                let body = if head.starts_with(line.as_bytes()) {
                    secret
                } else {
                    "no"
                };
                let length = body.len();
                write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
            }
        });
        address
    }

    #[test]
    fn each_way_out_of_the_root_is_tried() {
        let dir = tempfile::tempdir().unwrap();
        let (root, secret) = (dir.path().join("root"), dir.path().join("secret.txt"));
        std::fs::write(&secret, "rigmark-secret-7").unwrap();
        let absolute = secret.display().to_string();
        for target in [
            "/../secret.txt",
            "/.%2e/secret.txt",
            "/..%5csecret.txt",
            "/%c0%ae%c0%ae/secret.txt",
            "/..%00/secret.txt",
            "/..;/secret.txt",
            "http://127.0.0.1/../secret.txt",
            "http://127.0.0.1/%2e%2e/secret.txt",
            &absolute,
        ] {
            let server = leaking(target, "rigmark-secret-7");
            let checks = Checks::new(server, Instant::now() + Duration::from_secs(300));
            let fault = outside_root(&checks, &root, &secret).unwrap_err();
            let expected = format!("GET {target} got a file from outside the root.");
            assert_eq!(fault.message, expected);
        }
    }
}
