//! A folder's source files, as far as one must read them to see how a server is told where to listen.

use std::path::Path;

use crate::server::content;

/// Of one file and of all, in bytes: a server's sources are far smaller, and data is not read.
const FILE_BYTES: u64 = 512 * 1024;
const ALL_BYTES: u64 = 8 << 20;
const ENDINGS: [&str; 27] = [
    "c",
    "cc",
    "cpp",
    "cs",
    "cxx",
    "ex",
    "exs",
    "fs",
    "go",
    "h",
    "hpp",
    "java",
    "js",
    "cjs",
    "mjs",
    "kt",
    "php",
    "pl",
    "py",
    "rb",
    "rs",
    "scala",
    "swift",
    "ts",
    "yml",
    "properties",
    "zig",
];
/// What others wrote, and what is not run as a server.
const NOT_ITS_OWN: [&str; 9] = [
    "vendor/",
    "deps/",
    "third_party/",
    "test/",
    "tests/",
    "examples/",
    "benches/",
    "docs/",
    "dist/",
];

pub struct Source {
    /// Relative to the folder.
    pub path: String,
    pub text: String,
    /// Without white space, with one kind of quotes: calls are found however they are laid out. Of Rust without lines that are
    /// comments, which stand between an attribute and its field.
    pub squeezed: String,
}

/// Sorted by path, those at the top first.
pub struct Sources(pub Vec<Source>);

impl Sources {
    pub fn read(folder: &Path) -> Self {
        // What is wrong with a folder is told of elsewhere.
        let mut items = content::items(folder).unwrap_or_default();
        items.sort_by_key(|item| (item.path.matches('/').count(), item.path.clone()));
        let mut left = ALL_BYTES;
        let mut found = Vec::new();
        for item in items {
            let ending = item.path.rsplit_once('.').map_or("", |(_, ending)| ending);
            let foreign = NOT_ITS_OWN
                .iter()
                .any(|part| item.path.starts_with(part) || item.path.contains(&format!("/{part}")));
            let test = item.path.ends_with("_test.go") || item.path.contains(".test.");
            // Express's generator has no ending there.
            let known = ENDINGS.contains(&ending) || item.path == "bin/www";
            if !known || foreign || test || item.bytes > FILE_BYTES.min(left) {
                continue;
            }
            left -= item.bytes;
            if let Ok(text) = std::fs::read_to_string(folder.join(&item.path)) {
                found.push(Source::new(item.path, text));
            }
        }
        Self(found)
    }

    pub fn leave_out(&mut self, paths: &[String]) {
        self.0.retain(|source| !paths.contains(&source.path));
    }

    /// Does it have Rigmark's first workload? A server that does not, and says so, fails its verification, which says why.
    pub fn answers_plaintext(&self) -> bool {
        let has = |text: &str| self.0.iter().any(|source| source.text.contains(text));
        has("/plaintext") && has("Hello, World!")
    }
}

impl Source {
    pub fn new(path: String, text: String) -> Self {
        let quote = |c: char| if c == '\'' || c == '`' { '"' } else { c };
        let comments = path.ends_with(".rs");
        let lines = text
            .lines()
            .filter(|line| !comments || !line.trim_start().starts_with("//"));
        let kept = lines.flat_map(str::chars).filter(|c| !c.is_whitespace());
        let squeezed = kept.map(quote).collect();
        Self { path, text, squeezed }
    }
}
