use std::collections::BTreeMap;
use std::path::Path;

use super::{Manifest, ManifestError};

const GOOD: &str = r#"
schema = 1
name = "epoll"
title = "epoll"
language = "C"
summary = "One line."
license = "MIT"
workloads = ["plaintext", "static"]
[requires]
os = ["linux"]
commands = ["cc", "make"]
debian = ["build-essential"]
[build]
steps = [["make", "BUILD={build_dir}"]]
[run]
command = ["{build_dir}/epoll", "--port", "{port}", "--workers", "{workers}"]
env = {}
ready = { path = "/plaintext", within_s = 10 }
[options.workers]
default = 2
min = 1
max = 64
"#;

fn error(text: &str) -> String {
    Manifest::parse(text, Path::new("servers/epoll/server.toml"), Some("epoll"))
        .unwrap_err()
        .to_string()
}

#[test]
fn the_example_of_the_contract_is_read() {
    let manifest = Manifest::parse(GOOD, Path::new("x"), Some("epoll")).unwrap();
    assert_eq!(manifest.run.command.len(), 5);
    assert_eq!(manifest.options["workers"].default, 2);
}

#[test]
fn each_error_names_the_file_the_place_and_the_key() {
    let cases = [
        (GOOD.replace("schema = 1", "schema = 2"), "schema"),
        (GOOD.replace("name = \"epoll\"", "name = \"nginx\""), "name"),
        (GOOD.replace("\"static\"", "\"ftp\""), "workloads"),
        (GOOD.replace("license = \"MIT\"", ""), "missing field `license`"),
        (GOOD.replace("os = [\"linux\"]", "os = [\"plan9\"]"), "requires.os"),
        (GOOD.replace("commands = [", "command = ["), "requires.command"),
        (
            GOOD.replace("commands = [", "files = [\"lib/x.so\"]\ncommands = ["),
            "requires.files",
        ),
        (
            GOOD.replace("[\"make\", \"BUILD={build_dir}\"]", "\"make\""),
            "build.steps[0]",
        ),
        (GOOD.replace("BUILD={build_dir}", "BUILD={port}"), "build.steps[0]"),
        (GOOD.replace("\"{port}\"", "\"{prt}\""), "run.command"),
        (
            GOOD.replace("\"/plaintext\", within_s = 10", "\"plaintext\", within_s = 10"),
            "run.ready.path",
        ),
        (GOOD.replace("within_s = 10", "within_s = \"10\""), "run.ready.within_s"),
        (GOOD.replace("default = 2", "default = 0"), "options.workers"),
        (GOOD.replace("max = 64", ""), "options.workers"),
        (GOOD.replace("[build]", "[build"), ""),
    ];
    for (text, key) in cases {
        let message = error(&text);
        let rest = message.strip_prefix("servers/epoll/server.toml:").unwrap_or_default();
        let mut parts = rest.splitn(3, ':');
        let [line, column] = [(); 2].map(|()| parts.next().unwrap_or_default().parse::<usize>());
        assert!(line.is_ok() && column.is_ok(), "{message}");
        assert!(
            parts.next().unwrap_or_default().starts_with(&format!(" {key}")),
            "{message}"
        );
        assert!(!message.contains('\n') && message.ends_with('.'), "{message}");
    }
}

#[test]
fn an_error_can_be_jumped_to() {
    let at = |text: &str| error(text).split(": ").next().unwrap_or_default().to_owned();
    let of = |from: &str, to: &str| at(&GOOD.replace(from, to));
    assert_eq!(of("schema = 1", "schema = 2"), "servers/epoll/server.toml:2:10");
    assert_eq!(of("\"static\"", "\"plaintext\""), "servers/epoll/server.toml:8:27");
    assert_eq!(of("commands = [", "command = ["), "servers/epoll/server.toml:11:1");
    assert_eq!(of("\"{port}\"", "\"{prt}\""), "servers/epoll/server.toml:16:43");
    assert_eq!(of("within_s = 10", "within_s = 0"), "servers/epoll/server.toml:18:43");
    assert_eq!(of("default = 2", "default = 0"), "servers/epoll/server.toml:19:10");
    assert_eq!(of("[build]", "[build"), "servers/epoll/server.toml:13:7");
    assert_eq!(of("license = \"MIT\"", ""), "servers/epoll/server.toml:1:1");
}

#[test]
fn a_server_needs_no_contract_and_no_path_that_says_when_it_is_ready() {
    let bare = "schema = 1\nname = \"mine\"\ntitle = \"Mine\"\nlanguage = \"Go\"\nsummary = \"\"\nlicense = \"MIT\"\n\
                [run]\ncommand = [\"{build_dir}/mine\"]\nenv = { PORT = \"{port}\" }\n";
    let manifest = Manifest::parse(bare, Path::new("x"), Some("mine")).unwrap();
    assert!(manifest.workloads.is_empty() && manifest.uses_port());
    assert_eq!((manifest.run.ready.target(), manifest.run.ready.within_s), ("/", 10.0));
    let ready = |text: &str| {
        let text = format!("{bare}ready = {{ {text} }}\n");
        Manifest::parse(&text, Path::new("x"), None).unwrap().run.ready
    };
    assert_eq!(ready("path = \"/health?x\"").path.as_deref(), Some("/health?x"));
    assert_eq!(
        (ready("within_s = 60").path, ready("within_s = 60").within_s),
        (None, 60.0)
    );
    let fixed = bare.replace("{port}", "8080");
    assert!(!Manifest::parse(&fixed, Path::new("x"), None).unwrap().uses_port());
    let own = |port: u32| Manifest::parse(&format!("{fixed}port = {port}\n"), Path::new("x"), None);
    let manifest = own(3000).unwrap();
    assert!(manifest.uses_port());
    assert_eq!(manifest.run.port, Some(3000));
    for no_port in [0, 65_536] {
        assert!(own(no_port).unwrap_err().to_string().contains("run.port"), "{no_port}");
    }
}

#[test]
fn options_are_resolved_within_their_range() {
    let manifest = Manifest::parse(GOOD, Path::new("x"), None).unwrap();
    let asked = |name: &str, value: i64| BTreeMap::from([(name.to_owned(), value)]);
    assert_eq!(manifest.resolve_options(&BTreeMap::new()).unwrap()["workers"], 2);
    assert_eq!(manifest.resolve_options(&asked("workers", 4)).unwrap()["workers"], 4);
    assert!(
        manifest
            .resolve_options(&asked("workers", 65))
            .unwrap_err()
            .contains("between 1 and 64")
    );
    assert!(
        manifest
            .resolve_options(&asked("mimalloc", 1))
            .unwrap_err()
            .contains("it has workers")
    );
}

#[test]
fn a_server_says_that_it_compiles_while_it_runs_or_it_does_not() {
    let jit = |text: &str| Manifest::parse(text, Path::new("x"), None).unwrap().jit;
    assert!(!jit(GOOD));
    assert!(jit(&GOOD.replace("[requires]", "jit = true\n[requires]")));
}

/// One manifest that the control plane does not take would keep its whole host from leasing.
#[test]
fn what_a_manifest_may_say_is_what_the_catalogue_takes() {
    let schema = include_str!("../../../../packages/protocol/schema/catalogue.json");
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let server = &schema["properties"]["servers"]["items"]["properties"];
    let key_of = |text: &str| match Manifest::parse(text, Path::new("x"), None) {
        Err(ManifestError::Wrong { key, .. }) => Some(key),
        other => other.map(|_| None).unwrap(),
    };
    for (key, value) in [
        ("title", "epoll"),
        ("language", "C"),
        ("summary", "One line."),
        ("license", "MIT"),
    ] {
        let most = server[key]["maxLength"].as_u64().unwrap() as usize;
        let with = |text: &str| GOOD.replace(&format!("{key} = \"{value}\""), &format!("{key} = \"{text}\""));
        // Two units each in UTF-16, which is what the schema's lengths are of.
        assert_eq!(key_of(&with(&"😀".repeat(most / 2))), None);
        assert_eq!(key_of(&with(&"😀".repeat(most / 2 + 1))).as_deref(), Some(key));
    }
    let option = &server["options"]["additionalProperties"]["properties"];
    let (low, high) = (&option["min"]["minimum"], &option["max"]["maximum"]);
    let (low, high) = (low.as_i64().unwrap(), high.as_i64().unwrap());
    let with = |min: i64, max: i64| GOOD.replace("min = 1\nmax = 64", &format!("min = {min}\nmax = {max}"));
    assert_eq!(key_of(&with(low, high)), None);
    for beyond in [with(low - 1, high), with(low, high + 1), with(i64::MIN, i64::MAX)] {
        assert_eq!(key_of(&beyond).as_deref(), Some("options.workers"));
    }
    let twice = GOOD.replace("\"static\"]", "\"static\", \"plaintext\"]");
    assert_eq!(key_of(&twice).as_deref(), Some("workloads[2]"));
    let workloads = &server["workloads"];
    let each_once = workloads["items"]["enum"].as_array().unwrap().len() as u64;
    assert!(each_once <= workloads["maxItems"].as_u64().unwrap());
}

/// What an editor is told is what is read here. `RIGMARK_DRAW_SCHEMA=1 cargo test -p rigmark --lib server::manifest` writes it.
#[test]
fn the_schema_for_editors_is_made_from_these_types() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../servers/server.schema.json");
    let schema = schemars::schema_for!(Manifest);
    let made = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
    if std::env::var_os("RIGMARK_DRAW_SCHEMA").is_some() {
        std::fs::write(&file, made).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == made,
        "servers/server.schema.json is an older one; write it anew as the comment of this test says"
    );
}
