//! The whole story on this machine, with real measurements: a server of 60 lines, beside nginx; a change that costs a tenth
//! more; its fix; a refactoring that changes nothing. Whether a verdict is found depends on how quiet the machine is, so it runs
//! by hand alone. With `RIGMARK_URL` and `RIGMARK_TOKEN` (scopes `publish` and `queue`) the comments have reports of that app;
//! `pnpm --filter @rigmark/e2e story` starts one for it. Alone:
//!
//! `cargo test -p rigmark --test pull_request story -- --ignored --nocapture`

use crate::action::Runner;
use crate::forge::Forge;
use crate::support::Ran;

const SERVER: &str = include_str!("story/main.go");
const LOAD: &str = include_str!("story/load.toml");
/// The same requests at a fixed rate, compared by CPU time per request: what else the machine does matters least to that.
const COST: &str = include_str!("story/cost.toml");
const NGINX: [(&str, &str); 2] = [
    ("server.toml", include_str!("story/nginx/server.toml")),
    ("serve.sh", include_str!("story/nginx/serve.sh")),
];
const ROUNDS: f64 = 3_000.0;
const SCENARIO: &str = "./cost.toml";
/// By so much the change raises the CPU time of a request.
const CHANGE: f64 = 0.10;

fn write(runner: &Runner, path: &str, text: &str) {
    let path = runner.path("repository").join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A commit with this source; its hash.
fn commit(runner: &Runner, source: &str, message: &str) -> String {
    write(runner, "server/main.go", source);
    runner.commit(message);
    runner.git(&["rev-parse", "HEAD"])
}

/// With this many rounds in a greeting.
fn with_rounds(rounds: f64) -> String {
    SERVER.replace("const rounds = 3000", &format!("const rounds = {rounds:.0}"))
}

/// In the checkout, as it is typed.
fn typed(runner: &Runner, line: &str) -> Ran {
    let words: Vec<&str> = line.split_whitespace().collect();
    println!("$ {line}");
    let said = runner.rigmark(&words[1..]);
    println!("{}{}", said.stderr, said.stdout);
    assert_eq!(said.code, Some(0), "{line}");
    said
}

fn measured(runner: &Runner, base: &str) -> Ran {
    let home = std::env::var("HOME").unwrap();
    let said = runner.measure(&[
        ("RIGMARK_BASE", base),
        ("RIGMARK_SCENARIOS", SCENARIO),
        ("RIGMARK_BLOCKS", "8"),
        ("RIGMARK_DURATION", "2s"),
        ("RIGMARK_ARGUMENTS", "--warmup=500ms\n--precision=2%\n--max-repeats=24"),
        // The compiler's cache.
        ("HOME", home.as_str()),
        ("RIGMARK_FAIL_ON", "slower:3%"),
    ]);
    println!("{}\n{}", said.stderr, said.stdout);
    assert!(matches!(said.code, Some(0 | 3)), "{:?}", said.code);
    said
}

/// With the app of the environment, where there is one.
fn commented(runner: &Runner, forge: &Forge, head: &str, what: &str) -> Ran {
    forge.state().head = head.to_owned();
    let app: Vec<(&str, String)> = ["RIGMARK_URL", "RIGMARK_TOKEN"]
        .into_iter()
        .filter_map(|name| Some((name, std::env::var(name).ok()?)))
        .collect();
    let app: Vec<(&str, &str)> = app.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let said = runner.comment_with(forge, head, &app);
    println!("=== {what}\n{}{}", said.stderr, said.stdout);
    println!("--- the pull request now\n{}", shown(forge));
    said
}

fn shown(forge: &Forge) -> String {
    let state = forge.state();
    let bodies: Vec<&str> = state.comments.iter().map(|c| c.body.as_str()).collect();
    let checks: Vec<String> = state
        .checks
        .iter()
        .map(|c| format!("check {} {}: {}", &c.sha[..8], c.conclusion, c.title))
        .collect();
    let comments = match bodies.is_empty() {
        true => "no comment".to_owned(),
        false => bodies.join("\n----\n"),
    };
    format!("{comments}\n{}", checks.join("\n"))
}

/// From a folder with a server to a verified comparison with nginx, in the commands of docs/own-server.md.
fn beside_nginx(runner: &Runner) {
    std::fs::remove_file(runner.path("repository/server/server.toml")).unwrap();
    write(runner, "server/go.mod", "module example.com/server\n\ngo 1.22\n");
    write(runner, "server/main.go", SERVER);
    for (name, text) in NGINX {
        write(runner, &format!("nginx/{name}"), text);
    }
    typed(runner, "rigmark new server server");
    typed(runner, "rigmark verify ./server ./nginx");
    typed(runner, "rigmark new scenario load.toml");
    println!("(load.toml is edited: the two paths, and that only one of the servers sends an ETag)\n");
    write(runner, "load.toml", LOAD);
    write(runner, "cost.toml", COST);
    let run = "rigmark run --server nginx=./nginx --server hello=./server --scenario ./load.toml --out result.jsonl";
    typed(runner, run);
    let said = typed(runner, "rigmark report result.jsonl --html --out report.html");
    assert!(said.stderr.contains("report.html"));
    for made in ["result.jsonl", "report.html"] {
        std::fs::remove_file(runner.path("repository").join(made)).unwrap();
    }
}

/// How many rounds cost a tenth more CPU time for each request than the server does now, by a measurement of twice as many.
fn a_tenth_more(runner: &Runner) -> f64 {
    write(runner, "twice/go.mod", "module example.com/server\n\ngo 1.22\n");
    write(runner, "twice/main.go", &with_rounds(2.0 * ROUNDS));
    let manifest = std::fs::read_to_string(runner.path("repository/server/server.toml")).unwrap();
    write(runner, "twice/server.toml", &manifest);
    let scenario = format!("--scenario={SCENARIO}");
    let pair = ["--server=once=./server", "--server=twice=./twice", &scenario];
    let more = ["--repeats=5", "--duration=1s", "--json"];
    let said = runner.rigmark(&[&["run"], &pair[..], &more].concat());
    std::fs::remove_dir_all(runner.path("repository/twice")).unwrap();
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let json = said.json();
    let key = |label: &str| {
        let entries = json["plan"]["entries"].as_array().unwrap();
        entries.iter().find(|e| e["label"] == label).unwrap()["key"].clone()
    };
    let cpu = |label: &str| {
        let entries = json["summary"]["scenarios"][0]["entries"].as_array().unwrap();
        let entry = entries.iter().find(|e| e["entry_key"] == key(label)).unwrap();
        entry["cpu_us_per_request"]["median"].as_f64().unwrap()
    };
    let (once, twice) = (cpu("once"), cpu("twice"));
    let rounds = ROUNDS + CHANGE * once * ROUNDS / (twice - once);
    println!(
        "CPU time of a request: {once:.1} µs with {ROUNDS} rounds, {twice:.1} µs with twice as many; {rounds:.0} cost a tenth more.\n"
    );
    rounds
}

#[test]
#[ignore = "measures for several minutes, and a busy machine may find no verdict"]
fn story() {
    let runner = Runner::new();
    runner.measures();
    beside_nginx(&runner);
    let rounds = a_tenth_more(&runner);
    let base = commit(&runner, SERVER, "a server");

    let head = commit(&runner, &with_rounds(rounds), "a better checksum");
    let forge = Forge::start(&head);
    assert_eq!(measured(&runner, &base).code, Some(3));
    let said = commented(&runner, &forge, &head, "the change that costs a tenth more");
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    let body = forge.state().comments[0].body.clone();
    assert!(body.contains(" slower than base"), "{body}");
    assert_eq!(forge.state().checks[0].conclusion, "failure");
    if let Ok(url) = std::env::var("RIGMARK_URL") {
        assert!(
            body.contains(&format!("[Full report]({url}/r/")) && body.contains("/og.png)"),
            "{body}"
        );
    }

    let fixed = SERVER.replace("uint32(2463534242)", "uint32(88172645)");
    let head = commit(&runner, &fixed, "the checksum as fast as before");
    assert_eq!(measured(&runner, &base).code, Some(0));
    let said = commented(&runner, &forge, &head, "its fix");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(forge.state().comments.len(), 1);
    assert!(!forge.state().comments[0].body.contains(" slower than base"));
    assert_ne!(forge.state().checks[1].conclusion, "failure");

    runner.git(&["reset", "--quiet", "--hard", &base]);
    let renamed = SERVER
        .replace("greet(", "sayHello(")
        .replace(", greet)", ", sayHello)")
        .replace("sum", "digest")
        .replace("checkdigest", "checksum");
    let head = commit(&runner, &renamed, "better names");
    let forge = Forge::start(&head);
    assert_eq!(measured(&runner, &base).code, Some(0));
    let said = commented(&runner, &forge, &head, "a refactoring");
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(forge.state().comments.is_empty());
}
