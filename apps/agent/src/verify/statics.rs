//! `static`: every file whole, a new one at once, and nothing from beside the root.

use std::path::Path;

use super::draw::{random_name, rng};
use super::files::{FILES, StaticFile, random};
use super::manners::{self, Page};
use super::report::{Checks, Fault, Verdict};

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
        fresh_file(c, root)
    });
    checks.check("outside-root", "nothing outside the root is served", |c| {
        outside_root(c, root, secret)
    });
    // Small and large in turn, without the largest: the order of FILES is 1k, 1m, 10m, script, large script.
    pages.remove(2);
    let unknown = format!("/{}.bin", random_name());
    let large = page(&FILES[1]);
    manners::check(checks, &pages, &large, &unknown);
}

fn fresh_file(checks: &Checks, root: &Path) -> Verdict {
    let mut rng = rng();
    let size = 1000 + rng.below(60_000) as usize;
    let name = format!("{}.bin", random_name());
    let page = Page {
        path: format!("/{name}"),
        body: random(&mut rng, size),
    };
    let path = root.join(&name);
    std::fs::write(&path, &page.body)
        .map_err(|e| Fault::new(format!("{} could not be written ({e}).", path.display())))?;
    let verdict = manners::fetch(checks, &page).map(|_| ());
    let _ = std::fs::remove_file(&path);
    verdict
}

fn outside_root(checks: &Checks, root: &Path, secret: &Path) -> Verdict {
    let content = std::fs::read(secret).map_err(|e| Fault::new(format!("The file beside the root is gone ({e}).")))?;
    let name = secret.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let absolute = secret.display();
    let targets = [
        format!("/../{name}"),
        format!("/1k.bin/../../{name}"),
        format!("/./.././{name}"),
        format!("//../{name}"),
        format!("/%2e%2e/{name}"),
        format!("/%2E%2E%2F{name}"),
        format!("/..%2f{name}"),
        format!("/%252e%252e/{name}"),
        format!("/..\\{name}"),
        format!("/....//{name}"),
        format!("/../{folder}/../{name}"),
        format!("../{name}"),
        format!("/{absolute}"),
        format!("{absolute}"),
    ];
    for target in targets {
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
