use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::protocol::spec::ToolName;

fn checkout() -> Assets {
    Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

fn good() -> Value {
    json!({
        "schema": 1, "id": "one", "title": "One", "summary": "", "workload": "static", "tool": "ab",
        "path": "/1k.bin", "body_bytes": 1024, "duration_s": 10, "warmup_s": 1,
        "load": { "kind": "closed", "connections": 32, "keep_alive": true },
    })
}

fn folder(files: &[(&str, String)]) -> (TempDir, Assets) {
    let dir = tempfile::tempdir().unwrap();
    for sub in ["servers", "scenarios/scenarios", "scenarios/suites"] {
        fs::create_dir_all(dir.path().join(sub)).unwrap();
    }
    for (name, text) in files {
        fs::write(dir.path().join("scenarios").join(name), text).unwrap();
    }
    let assets = Assets::at(dir.path()).unwrap();
    (dir, assets)
}

/// The error for one scenario with `change` made to it.
fn refused(change: impl FnOnce(&mut Value)) -> String {
    let mut value = good();
    change(&mut value);
    let (_dir, assets) = folder(&[("scenarios/one.json", value.to_string())]);
    load_all(&assets).unwrap_err().to_string()
}

#[test]
fn the_bundled_ones_load_and_suites_name_them() {
    let assets = checkout();
    let all = load_all(&assets).unwrap();
    assert!(all.iter().any(|s| s.id == "static-1k-ab"));
    assert!(all.windows(2).all(|w| w[0].id < w[1].id));
    let suites = suite::load_all(&assets).unwrap();
    assert!(suites.iter().any(|s| s.id == "quick"));
}

/// Each bundled scenario can be done by its tool where the tool is there.
#[test]
fn the_bundled_ones_are_possible() {
    let assets = checkout();
    for scenario in load_all(&assets).unwrap() {
        tool::tool(scenario.tool, &assets).supports(&scenario).unwrap();
    }
}

#[test]
fn errors_name_the_file_and_the_key() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 9] = [
        (|s| s["surprise"] = json!(1), "surprise"),
        (|s| s["id"] = json!("two"), "`id`"),
        (|s| s["load"]["connections"] = json!(0), "`load.connections`"),
        (|s| s["duration_s"] = json!(0), "`duration_s`"),
        (|s| s["warmup_s"] = json!(1e9), "`warmup_s`"),
        (|s| s["path"] = json!("http://example.com/"), "`path`"),
        (|s| s["tool"] = json!("curl"), "`tool`"),
        (|s| s["schema"] = json!(2), "`schema`"),
        (
            |s| s["thresholds"] = json!(["http_req_duration: p(99)<1"]),
            "`thresholds`",
        ),
    ];
    for (change, key) in cases {
        let message = refused(change);
        assert!(message.contains("one.json") && message.contains(key), "{message}");
    }
    let message = refused(|s| drop(s.as_object_mut().unwrap().remove("title")));
    assert!(message.contains("one.json") && message.contains("title"), "{message}");
}

#[test]
fn two_files_with_one_title_are_refused() {
    let mut second = good();
    second["id"] = json!("two");
    let (_dir, assets) = folder(&[
        ("scenarios/one.json", good().to_string()),
        ("scenarios/two.json", second.to_string()),
    ]);
    let message = load_all(&assets).unwrap_err().to_string();
    assert!(message.contains("two.json") && message.contains("`title`"), "{message}");
}

#[test]
fn text_after_the_object_and_torn_files_are_refused() {
    for text in [
        format!("{} {{}}", good()),
        good().to_string()[..40].to_owned(),
        "\u{feff}{}".to_owned(),
    ] {
        let (_dir, assets) = folder(&[("scenarios/one.json", text)]);
        assert!(load_all(&assets).is_err());
    }
}

#[test]
fn a_suite_cannot_name_what_is_not_there() {
    let suite = json!({
        "schema": 1, "id": "s", "title": "S", "summary": "", "source": null, "baseline": "epoll", "repeats": 5,
        "duration_s": null, "published": [], "mended": [],
        "entries": [{ "label": "epoll", "server": "epoll", "options": {} }], "scenarios": ["one", "nine"],
    });
    let (_dir, assets) = folder(&[
        ("scenarios/one.json", good().to_string()),
        ("suites/s.json", suite.to_string()),
    ]);
    let message = suite::load_all(&assets).unwrap_err().to_string();
    assert!(
        message.contains("s.json") && message.contains("`scenarios[1]`"),
        "{message}"
    );
}

fn tools(supported: bool) -> Vec<CatalogueTool> {
    vec![CatalogueTool {
        name: ToolName::Ab,
        version: None,
        supported,
        reason: (!supported).then(|| "ab is not installed.".to_owned()),
        fix: (!supported).then(|| "get it".to_owned()),
    }]
}

#[test]
fn the_catalogue_says_why_not() {
    let (_dir, assets) = folder(&[("scenarios/one.json", good().to_string())]);
    assert!(catalogue(&assets, &tools(true)).unwrap()[0].supported);
    let missing = catalogue(&assets, &tools(false)).unwrap().remove(0);
    assert_eq!((missing.supported, missing.fix.as_deref()), (false, Some("get it")));

    let mut rate = good();
    rate["load"] = json!({ "kind": "rate", "rate_per_s": 100, "connections": 8, "keep_alive": true });
    let (_dir, assets) = folder(&[("scenarios/one.json", rate.to_string())]);
    let never = catalogue(&assets, &tools(true)).unwrap().remove(0);
    assert!(never.reason.unwrap().contains("fixed rate"));
}
