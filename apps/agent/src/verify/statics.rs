//! `static`: every file whole, a new one at once, and nothing from beside the root.

use std::path::Path;

use super::draw::{between, random_name, rng};
use super::files::{FILES, StaticFile, random};
use super::manners::{self, Page};
use super::report::{Checks, Fault, Verdict};
use super::whole;

pub fn check(checks: &mut Checks, root: &Path, secret: &Path) {
    let page = |file: &StaticFile| Page {
        path: file.path(),
        body: file.content(),
    };
    let mut pages: Vec<Page> = FILES.iter().map(page).collect();
    for (file, page) in FILES.iter().zip(&pages) {
        let title = format!("{} is whole", file.name);
        checks.check(file.check, &title, |c| manners::fetch(c, page).map(|_| ()));
    }
    checks.check("fresh-file", "a file made after the start is served", |c| {
        let mut rng = rng();
        let (small, large) = (between(&mut rng, 1000, 60_000), between(&mut rng, 64 << 10, 4 << 20));
        fresh_file(c, root, small)?;
        fresh_file(c, root, large)
    });
    checks.check("outside-root", "nothing outside the root is served", |c| {
        outside_root(c, root, secret)
    });
    // Small and large in turn, without the largest: the order of FILES is 1k, 1m, 10m, script, large script.
    let largest = pages.remove(2);
    let unknown = format!("/{}.bin", random_name());
    let large = page(&FILES[1]);
    manners::check(checks, &pages, &large, &unknown);
    pages.push(largest);
    checks.check("body-again", "every file stays whole", |c| again(c, &pages));
    checks.check("at-once", "the files are whole for eight clients at once", |c| {
        whole::at_once(c, &pages)
    });
    checks.check("http-1.0-large", "a large file is whole for an HTTP/1.0 client", |c| {
        whole::old_clients(c, &pages)
    });
}

/// How often a file of so many bytes is fetched again, at least and at most. All of them together are less than 100 MB, so that a
/// trial on a small computer does not become longer by it.
fn times(bytes: usize) -> (usize, usize) {
    match bytes {
        0..=0xffff => (40, 60),
        0x1_0000..=0x7_ffff => (20, 30),
        0x8_0000..=0x1f_ffff => (6, 10),
        _ => (5, 7),
    }
}

/// The files in an order that nobody can know: a server may be wrong now and then, or only after some.
fn again(checks: &Checks, pages: &[Page]) -> Verdict {
    let mut rng = rng();
    let mut turns = Vec::new();
    for page in pages {
        let (least, most) = times(page.body.len());
        turns.extend(std::iter::repeat_n(page, between(&mut rng, least, most)));
    }
    rng.shuffle(&mut turns);
    let mut connection = checks.connect()?;
    for page in turns {
        manners::get(&mut connection, page).map_err(|fault| checks.until_now("The answer", fault))?;
        checks.count_right();
    }
    Ok(())
}

fn fresh_file(checks: &Checks, root: &Path, size: usize) -> Verdict {
    let name = format!("{}.bin", random_name());
    let page = Page {
        path: format!("/{name}"),
        body: random(&mut rng(), size),
    };
    let path = root.join(&name);
    std::fs::write(&path, &page.body)
        .map_err(|e| Fault::new(format!("{} could not be written ({e}).", path.display())))?;
    let verdict = manners::fetch(checks, &page).map(|_| ());
    let _ = std::fs::remove_file(&path);
    verdict
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

fn outside_root(checks: &Checks, root: &Path, secret: &Path) -> Verdict {
    let content = std::fs::read(secret).map_err(|e| Fault::new(format!("The file beside the root is gone ({e}).")))?;
    for target in ways_out(root, secret) {
        let mut connection = checks.connect()?;
        // A server may refuse in any way it likes, also by closing.
        let said = match connection.send(manners::request("GET", &target, "Connection: close\r\n").as_bytes()) {
            Ok(()) => connection.rest(64 * 1024),
            Err(_) => Vec::new(),
        };
        if said.windows(content.len()).any(|w| w == content) {
            return Err(Fault::new(format!(
                "GET {target} was answered with a file from outside the root."
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
            let checks = Checks::new(server, Instant::now() + Duration::from_secs(20));
            let fault = outside_root(&checks, &root, &secret).unwrap_err();
            let said = format!("GET {target} was answered with a file from outside the root.");
            assert_eq!(fault.message, said);
        }
    }

    #[test]
    fn what_is_fetched_again_is_bounded() {
        let most: usize = FILES.iter().map(|f| f.bytes as usize * times(f.bytes as usize).1).sum();
        assert!(most < 100_000_000, "{most} bytes");
        assert!(FILES.iter().all(|f| times(f.bytes as usize).0 >= 5));
    }
}
