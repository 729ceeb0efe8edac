use std::collections::BTreeSet;

use super::*;

fn read_text(text: &str) -> Result<Scenario, String> {
    parse(text, Path::new("load.toml")).map_err(|e| e.to_string())
}

fn refused(text: &str) -> String {
    read_text(text).expect_err(text)
}

#[test]
fn one_line_is_a_scenario() {
    let scenario = read_text("path = \"/users/7\"").unwrap();
    assert_eq!(
        (scenario.id.as_str(), scenario.title.as_str()),
        ("load", "GET /users/7, loadgen, 64 connections")
    );
    assert_eq!((scenario.duration_s, scenario.warmup_s), (10.0, 1.0));
    assert_eq!(scenario.workload, Workload::Http);
    let http = scenario.http.unwrap();
    assert_eq!((http.requests[0].method, http.requests[0].weight), (Method::Get, 1));
}

#[test]
fn all_of_it_is_read() {
    let scenario = read_text(
        "tool = \"wrk\"\nconnections = 7\nduration = \"500ms\"\nwarmup = 0\nkeep_alive = false\n\
         [[request]]\nweight = 9\npath = \"/a\"\nheaders = { Accept = \"*/*\" }\n\
         expect = { status = 201, headers = { X-A = \"1\" }, json = { \"/id\" = 7, \"/ok\" = true } }\n\
         [[request]]\nmethod = \"PUT\"\npath = \"/b\"\nbody = \"x\"\n\
         [same_but_for]\nheaders = [\"X-Request-Id\"]\nfields = [\"/id\"]\n",
    )
    .unwrap();
    assert_eq!(
        (scenario.duration_s, scenario.warmup_s, scenario.load.keep_alive()),
        (0.5, 0.0, false)
    );
    let http = scenario.http.unwrap();
    let expect = http.requests[0].expect.clone().unwrap();
    assert_eq!(
        (expect.status, expect.headers["x-a"].as_str(), expect.json.len()),
        (Some(201), "1", 2)
    );
    assert_eq!(http.requests[0].headers["accept"], "*/*");
    assert_eq!(http.requests[1].headers["content-type"], "application/octet-stream");
    assert_eq!(http.same_but_for.unwrap().headers, ["x-request-id"]);
}

#[test]
fn each_fault_is_said_with_its_line_and_column() {
    for (text, place, expected) in [
        (
            "path = \"/\"\ntool = \"curl\"",
            "load.toml:2:8: ",
            "unknown variant `curl`",
        ),
        (
            "path = \"/\"\n\nconections = 3",
            "load.toml:3:1: ",
            "unknown field `conections`",
        ),
        ("path = \"/\"\n[[request", "load.toml:2:", "."),
        ("path = \"/\"\nduration = \"soon\"", "load.toml:2:12: ", "write it like"),
        (
            "path = \"/\"\nconnections = 0",
            "load.toml:2:15: ",
            "connections is 0; it must be from 1 to 10000.",
        ),
        ("path = \"/\"\nrate = 2000000", "load.toml:2:8: ", "from 1 to 1000000."),
        (
            "path = \"/\"\nduration = \"1ms\"",
            "load.toml:2:12: ",
            "between 200ms and 3600s.",
        ),
        (
            "connections = 3\npath = \"http://example.com/\"",
            "load.toml:2:8: ",
            "the host is not part of it.",
        ),
        (
            "[[request]]\npath = \"/\"\n[[request]]\npath = \"x\"",
            "load.toml:4:8: ",
            "must begin with /",
        ),
        (
            "path = \"/caf\u{e9}\"",
            "load.toml:1:8: ",
            "write other characters as %XX",
        ),
        ("[[request]]\nweight = 2", "load.toml:1:", "a request needs a path"),
        (
            "path = \"/\"\nheaders = { Host = \"x\" }",
            "load.toml:2:",
            "the tool writes the header host itself",
        ),
        (
            "path = \"/\"\nexpect = { status = 404 }",
            "load.toml:2:21: ",
            "load tools count every other one as a failure.",
        ),
        ("path = \"/\"\nexpect = {}", "load.toml:2:10: ", "it expects nothing"),
        (
            "path = \"/\"\nexpect = { json = { \"id\" = 1 } }",
            "load.toml:2:",
            "no JSON Pointer",
        ),
        (
            "path = \"/\"\nexpect = { body_sha256 = \"ab\" }",
            "load.toml:2:26: ",
            "64 hexadecimal digits",
        ),
        (
            "path = \"/\"\nsame_but_for = { fields = [\"id\"] }",
            "load.toml:2:",
            "write it like \"/user/id\"",
        ),
        (
            "path = \"/\"\n[[request]]\npath = \"/\"",
            "load.toml:2:",
            "requests are given twice",
        ),
        (
            "path = \"/\"\nbody_file = \"nowhere\"",
            "load.toml:2:13: ",
            "could not be read",
        ),
        (
            "path = \"/\"\ntool = \"wrk\"\nscript = \"nowhere.js\"",
            "load.toml:3:10: ",
            "could not be read",
        ),
        ("connections = 3", "load.toml: ", "it names no request"),
    ] {
        let message = refused(text);
        assert!(
            message.starts_with(place) && message.contains(expected),
            "{text}: {message}"
        );
    }
    let long = format!("path = \"/\"\nbody = \"{}\"", "x".repeat(200 << 10));
    assert!(refused(&long).contains("128 KiB is the most: the whole load stands in the run's plan"));
    let named = parse("path = \"/\"", Path::new("My Load.toml"))
        .unwrap_err()
        .to_string();
    assert!(named.contains("rename the file"), "{named}");
}

#[test]
fn bodies_and_scripts_are_files_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("user.json", br#"{"a":1}"#);
    write("bin", &[0xff, 0]);
    write("load.js", b"export default function () {}");
    let of = |text: &str| parse(text, &folder.path().join("own.toml"));
    let http = of("path = \"/\"\nbody_file = \"user.json\"").unwrap().http.unwrap();
    assert_eq!(
        (http.requests[0].method, http.requests[0].body.as_deref()),
        (Method::Post, Some(r#"{"a":1}"#))
    );
    let http = of("path = \"/\"\nbody_file = \"bin\"").unwrap().http.unwrap();
    assert_eq!(http.requests[0].body_base64.as_deref(), Some("/wA="));
    let scenario = of("path = \"/\"\nscript = \"load.js\"").unwrap();
    assert_eq!(scenario.tool, ToolName::K6);
    assert_eq!(scenario.http.unwrap().script.unwrap().name, "load.js");
    let message = of("path = \"/\"\nscript = \"load.js\"\ntool = \"wrk\"")
        .unwrap_err()
        .to_string();
    assert!(message.contains("own.toml:3:8: only k6 runs a script"), "{message}");
    let message = of("script = \"load.js\"").unwrap_err().to_string();
    assert!(message.contains("name a request that it makes"), "{message}");
}

#[test]
fn servers_can_be_compared_by_what_a_request_costs() {
    let scenario = read_text("path = \"/\"\nrate = 2000\ncompare = \"cpu\"").unwrap();
    assert_eq!(scenario.judged_by, Some(JudgedBy::CpuUsPerRequest));
    assert_eq!(
        scenario.title,
        "GET /, loadgen, 2000 requests a second, CPU per request"
    );
    assert!(refused("path = \"/\"\ncompare = \"memory\"").contains("expected `cpu`"));
}

#[test]
fn the_schema_has_every_key_that_the_file_may_have() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let keys = |at: &str| -> Vec<String> {
        let properties = schema.pointer(at).and_then(Value::as_object).unwrap();
        properties.keys().cloned().collect()
    };
    // An unknown key is refused with the ones that are known.
    let known = |text: &str| {
        let message = refused(text);
        let list = message
            .split("expected one of ")
            .nth(1)
            .unwrap_or_else(|| panic!("{message}"))
            .to_owned();
        let mut names: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        names.sort();
        names
    };
    assert_eq!(keys("/properties"), known("nothing = 1"));
    assert_eq!(keys("/$defs/request/properties"), known("[[request]]\nnothing = 1"));
    assert_eq!(keys("/$defs/expect/properties"), known("expect = { nothing = 1 }"));
}

#[test]
fn every_list_of_tools_for_own_requests_is_that_of_the_profiles() {
    const TEMPLATE: &str = include_str!("../../cli/new/scenario.toml");
    const GUIDE: &str = include_str!("../../../../../docs/own-load.md");
    let able: BTreeSet<&str> = tool::that_take_own_requests().map(ToolName::as_str).collect();

    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let listed = schema.pointer("/properties/tool/enum").and_then(Value::as_array);
    let listed: BTreeSet<&str> = listed.unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(listed, able, "schema.json");

    let named = |text: &str| -> BTreeSet<&'static str> {
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let names = ToolName::ALL.into_iter().map(ToolName::as_str);
        names.filter(|name| words.contains(name)).collect()
    };
    let line = |text: &'static str, begin: &str| text.lines().find(|line| line.starts_with(begin)).unwrap();
    assert_eq!(named(line(TEMPLATE, "tool = ")), able, "cli/new/scenario.toml");
    assert_eq!(named(line(GUIDE, "| `tool` |")), able, "docs/own-load.md");

    for other in ToolName::ALL.iter().filter(|name| !able.contains(name.as_str())) {
        let message = refused(&format!("path = \"/\"\ntool = \"{}\"", other.as_str()));
        let (_, instead) = message.split_once("; ").unwrap_or_else(|| panic!("{message}"));
        assert_eq!(named(instead), able, "{message}");
    }
}
