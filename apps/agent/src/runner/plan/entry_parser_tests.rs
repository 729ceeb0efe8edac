use proptest::prelude::*;
use serde::Deserialize;

use super::*;

/// Servers by name, and folders that have one.
struct FakeServers(&'static [&'static str], &'static [&'static str]);

impl ServerLookup for FakeServers {
    fn has_name(&self, name: &str) -> bool {
        self.0.contains(&name)
    }

    fn has_folder(&self, path: &str) -> bool {
        self.1.contains(&path)
    }
}

const HERE: FakeServers = FakeServers(
    &["epoll", "io-uring", "9", "hello"],
    &[
        "./a:b/server",
        "./a=b/server",
        "srv/x=1",
        "./server@origin/main",
        "server@v1",
        "@h=me/server",
    ],
);

fn parse(text: &str) -> TypedEntry {
    TypedEntry::parse(text, &HERE).unwrap_or_else(|e| panic!("{e}"))
}

fn read(text: &str) -> (Option<String>, String, usize) {
    let typed = parse(text);
    (typed.label, typed.server, typed.options.len())
}

fn cut(label: Option<&str>, server: &str, options: usize) -> (Option<String>, String, usize) {
    (label.map(str::to_owned), server.to_owned(), options)
}

#[test]
fn entries_are_read_as_typed() {
    assert_eq!(read("epoll"), cut(None, "epoll", 0));
    let full = parse("a b=epoll:workers=4,x=-1");
    assert_eq!((full.label.as_deref(), full.server.as_str()), (Some("a b"), "epoll"));
    assert_eq!(full.options, Options::from([("workers".into(), 4), ("x".into(), -1)]));
    assert_eq!(read("epoll:workers=4"), cut(None, "epoll", 1));
    // A name that is not there is told of as such.
    assert_eq!(read("epol:workers=4"), cut(None, "epol", 1));
    assert_eq!(read("a: b=epol"), cut(Some("a: b"), "epol", 0));
}

#[test]
fn a_path_is_never_cut() {
    assert_eq!(
        read("mine=./a:b/server:workers=1"),
        cut(Some("mine"), "./a:b/server", 1)
    );
    assert_eq!(read("./a:b/server"), cut(None, "./a:b/server", 0));
    assert_eq!(read("./a=b/server"), cut(None, "./a=b/server", 0));
    assert_eq!(read("x=y=./a=b/server:workers=1"), cut(Some("x=y"), "./a=b/server", 1));
    assert_eq!(read("srv/x=1"), cut(None, "srv/x=1", 0));
    assert_eq!(read("m=srv/x=1"), cut(Some("m"), "srv/x=1", 0));
    // Where nothing is, it is still named whole.
    assert_eq!(read("./no=where/x"), cut(None, "./no=where/x", 0));
    assert_eq!(read("a=b=/no=where/x"), cut(Some("a=b"), "/no=where/x", 0));
    assert_eq!(read("HTTP/1.1=epoll"), cut(Some("HTTP/1.1"), "epoll", 0));
}

#[test]
fn a_folder_at_a_commit_is_read_like_a_path() {
    assert_eq!(
        read("base=./server@origin/main"),
        cut(Some("base"), "./server@origin/main", 0)
    );
    assert_eq!(
        read("./server@origin/main:workers=1"),
        cut(None, "./server@origin/main", 1)
    );
    assert_eq!(read("me@home=server@v1"), cut(Some("me@home"), "server@v1", 0));
    assert_eq!(read("@h=me/server"), cut(None, "@h=me/server", 0));
    // A label may have the sign.
    assert_eq!(read("me@home=epoll"), cut(Some("me@home"), "epoll", 0));
    assert_eq!(read("me@home=epol"), cut(Some("me@home"), "epol", 0));
    // Where nothing is, it is still named whole.
    assert_eq!(read("base=./gone@v1"), cut(Some("base"), "./gone@v1", 0));
    assert_eq!(read("base=gone@v1"), cut(Some("base"), "gone@v1", 0));
}

#[test]
fn what_is_wrong_is_said() {
    for (wrong, says) in [
        ("", "names no server"),
        ("=epoll", "has an empty label"),
        ("x=", "names no server"),
        ("epoll:", "where option=value must stand"),
        ("epoll:workers", "has \"workers\" where"),
        ("epoll:workers=two", "gives workers the value \"two\""),
        ("a: b=epoll:workers=two", "gives workers the value \"two\""),
        ("epoll:a=1,a=2", "gives a twice"),
    ] {
        let error = TypedEntry::parse(wrong, &HERE).unwrap_err();
        assert!(error.contains(says), "{wrong}: {error}");
    }
}

#[derive(Deserialize)]
struct Case {
    label: String,
    server: String,
    options: Options,
    revision: Option<String>,
    argument: String,
}

/// What the app prints is read as what was meant: the same file holds packages/domain/src/internal/run/repeat-command.ts.
#[test]
fn the_arguments_that_reports_print_are_read_as_meant() {
    #[derive(Deserialize)]
    struct Golden {
        arguments: Vec<Case>,
    }
    let text = include_str!("../../../../../packages/protocol/golden/repeat.json");
    let golden: Golden = serde_json::from_str(text).unwrap();
    assert!(golden.arguments.len() > 10);
    for case in golden.arguments {
        let meant = TypedEntry {
            label: Some(case.label),
            server: std::iter::once(case.server)
                .chain(case.revision.map(|reference| format!("@{reference}")))
                .collect(),
            options: case.options,
        };
        assert_eq!(parse(&case.argument), meant, "{}", case.argument);
    }
}

/// As repeat-command.ts writes it.
fn written(entry: &TypedEntry) -> String {
    let label = entry.label.as_deref().unwrap_or_default();
    let options: Vec<String> = entry
        .options
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let digits = entry.server.bytes().all(|b| b.is_ascii_digit());
    let colon = if options.is_empty() && !digits { "" } else { ":" };
    format!("{label}={}{colon}{}", entry.server, options.join(","))
}

fn labels() -> impl Strategy<Value = String> {
    // Words that look like the rest of an argument, in any order.
    let part = prop::sample::select(vec![
        "=",
        ":",
        ",",
        "-",
        "./",
        "/",
        "'",
        "\"",
        " ",
        "a",
        "epoll",
        "workers=4",
        "9",
        "比较",
        "--server=",
        "a=b",
        "a: b",
        ".",
    ]);
    let made = prop::collection::vec(part, 1..8).prop_map(|parts| parts.concat());
    prop_oneof![made, "[^\\x00]{1,20}"]
}

proptest! {
    #[test]
    fn whatever_the_label_is_the_argument_is_read_as_it_was_written(
        label in labels(),
        server in prop::sample::select(vec!["epoll", "io-uring", "9"]),
        options in prop::collection::btree_map("[a-z0-9][a-z0-9._-]{0,5}", any::<i64>(), 0..3),
    ) {
        let entry = TypedEntry { label: Some(label), server: server.to_owned(), options };
        prop_assert_eq!(parse(&written(&entry)), entry);
    }
}
