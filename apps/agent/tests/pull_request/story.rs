//! The whole story on this machine, with real measurements: a server of 60 lines; a change that makes it
//! slower; its fix; a refactoring that changes nothing. Whether a verdict is found depends on how quiet the machine is, so it runs
//! by hand alone:
//!
//! `cargo test -p rigmark --test pull_request story -- --ignored --nocapture`

use crate::action::Runner;
use crate::forge::Forge;
use crate::support::Ran;

const SERVER: &str = include_str!("story/main.go");

/// A commit with this source; its hash.
fn commit(runner: &Runner, source: &str, message: &str) -> String {
    std::fs::write(runner.path("repository/server/main.go"), source).unwrap();
    runner.commit(message);
    runner.git(&["rev-parse", "HEAD"])
}

fn measured(runner: &Runner, base: &str) -> Ran {
    let home = std::env::var("HOME").unwrap();
    let said = runner.measure(&[
        ("RIGMARK_BASE", base),
        ("RIGMARK_SCENARIOS", "plaintext-ab"),
        ("RIGMARK_DURATION", "2s"),
        ("RIGMARK_ARGUMENTS", "--warmup=500ms"),
        ("RIGMARK_BLOCKS", "7"),
        // The compiler's cache.
        ("HOME", home.as_str()),
        ("RIGMARK_FAIL_ON", "slower:3%"),
    ]);
    println!("{}\n{}", said.stderr, said.stdout);
    assert!(matches!(said.code, Some(0 | 3)), "{:?}", said.code);
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
    format!("{}\n{}", bodies.join("\n----\n"), checks.join("\n"))
}

#[test]
#[ignore = "measures for several minutes, and a busy machine may find no verdict"]
fn story() {
    let runner = Runner::new();
    runner.measures();
    std::fs::remove_file(runner.path("repository/server/server.toml")).unwrap();
    std::fs::write(
        runner.path("repository/server/go.mod"),
        "module example.com/server\n\ngo 1.22\n",
    )
    .unwrap();
    std::fs::write(runner.path("repository/server/main.go"), SERVER).unwrap();
    let new = runner.rigmark(&["new", "server", "server"]);
    assert_eq!(new.code, Some(0), "{}", new.stderr);
    println!("{}{}", new.stdout, new.stderr);
    let base = commit(&runner, SERVER, "a server");

    // More work in each request, enough to be seen on a machine that is busy with other things.
    let slower = SERVER.replace("const rounds = 1000", "const rounds = 4000");
    let head = commit(&runner, &slower, "a better checksum");
    let forge = Forge::start(&head);
    assert_eq!(measured(&runner, &base).code, Some(3));
    let said = runner.comment(&forge, &head);
    println!("=== the slower change\n{}", shown(&forge));
    assert_eq!(said.code, Some(3), "{}", said.stderr);
    assert!(forge.state().comments[0].body.contains(" slower than base"));
    assert_eq!(forge.state().checks[0].conclusion, "failure");

    let fixed = SERVER.replace("uint32(2463534242)", "uint32(88172645)");
    let head = commit(&runner, &fixed, "the checksum as fast as before");
    forge.state().head.clone_from(&head);
    assert_eq!(measured(&runner, &base).code, Some(0));
    let said = runner.comment(&forge, &head);
    println!("=== its fix\n{}", shown(&forge));
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
    let said = runner.comment(&forge, &head);
    println!("=== a refactoring\n{}", shown(&forge));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(forge.state().comments.is_empty());
}
