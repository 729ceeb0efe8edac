//! What was typed, and what is printed.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rigmark::protocol::journal::Event;

use crate::SHORT;
use crate::support::{Ran, all_measured, checkout, ran, records, rigmark, run, trials};

#[test]
fn labels_options_and_paths_make_entries_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let copy = dir.path().join("epoll");
    let original = checkout().join("servers/epoll");
    rigmark::server::content::copy(&original, &copy).unwrap();
    let makefile = copy.join("Makefile");
    std::fs::write(
        &makefile,
        std::fs::read_to_string(&makefile).unwrap() + "# another commit\n",
    )
    .unwrap();
    let servers = [
        "--server",
        "one=epoll:workers=1",
        "--server",
        "epoll",
        "--server",
        "other=./epoll",
    ];
    let rest = [
        "--scenario",
        "static-1k-ab",
        "--repeats",
        "1",
        "--baseline",
        "epoll",
        "--json",
    ];
    let mut command = rigmark(dir.path(), &[&["run"], servers.as_slice(), &rest, &SHORT].concat());
    command.stderr(Stdio::null());
    let ran = ran(command);
    let json = ran.json();
    // Where no file was named, one is kept all the same.
    let out = std::path::Path::new(json["out"].as_str().unwrap());
    all_measured(&ran, &trials(&records(out)));
    let entries = json["plan"]["entries"].as_array().unwrap();
    let of = |i: usize, key: &str| entries[i][key].as_str().unwrap().to_owned();
    assert_eq!(
        (of(0, "label"), of(1, "label"), of(2, "label")),
        ("one".into(), "epoll".into(), "other".into())
    );
    assert_eq!(of(0, "content_hash"), of(1, "content_hash"));
    assert_ne!(of(1, "content_hash"), of(2, "content_hash"));
    assert_eq!(
        entries.iter().map(|e| e["baseline"] == true).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(entries[0]["options"]["workers"], 1);
}

#[test]
fn the_text_ends_with_table_verdict_and_the_next_command() {
    let dir = tempfile::tempdir().unwrap();
    let args = [
        "run",
        "--server",
        "epoll",
        "--scenario",
        "static-1k-ab",
        "--scenario",
        "plaintext-ab",
        "--repeats",
        "1",
        "--out",
        "r.json",
    ];
    let mut command = rigmark(dir.path(), &[args.as_slice(), &SHORT].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let lines: Vec<String> = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .collect();
    let ran = Ran {
        code: child.wait().unwrap().code(),
        stdout: lines.join("\n"),
        stderr: String::new(),
    };
    if !all_measured(&ran, &trials(&records(&dir.path().join("r.json")))) {
        return;
    }
    let table = lines
        .iter()
        .position(|l| l.contains("REQUESTS/S") && l.contains("P99 ms"))
        .unwrap();
    assert!(lines[table + 1].contains("epoll"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "Every record is in r.json");
    // Why the cells say little, and a sentence for each scenario.
    let has = |part: &str| lines.iter().any(|l| l.contains(part));
    assert!(has(" of epoll: from closed-loop load: shown, not ranked."), "{lines:?}");
    for scenario in ["static-1k-ab: ", "plaintext-ab: "] {
        assert!(lines.iter().any(|l| l.starts_with(scenario)), "{lines:?}");
    }
    assert!(!lines.iter().any(|l| l.contains('\u{1b}')), "{lines:?}");
}

/// The tool's counts are up to a second old when a sample is taken: only their own time gives a rate without a spike.
#[test]
fn the_rate_over_time_is_of_the_moments_when_the_tool_counted() {
    let dir = tempfile::tempdir().unwrap();
    let rest = [
        "--scenario",
        "static-1k-autocannon",
        "--repeats",
        "1",
        "--duration",
        "3s",
        "--warmup",
        "0s",
    ];
    let ran = run(
        dir.path(),
        &[&["run", "--server", "epoll", "--out", "r.json"], rest.as_slice()].concat(),
    );
    let records = records(&dir.path().join("r.json"));
    all_measured(&ran, &trials(&records));
    let counts: Vec<(u64, u64, u64)> = records
        .iter()
        .filter_map(|r| match &r.event {
            Event::Sample(s) => Some((r.t_us, s.requests_t_us.unwrap(), s.requests.unwrap())),
            _ => None,
        })
        .collect();
    let trial = trials(&records).remove(0);
    assert_eq!((counts[0].2, counts.len() >= 2), (0, true), "{counts:?}");
    assert!(counts[0].1 < trial.slices[0].end_us, "{counts:?}");
    assert!(counts.windows(2).all(|pair| pair[0].1 <= pair[1].1), "{counts:?}");
    assert!(counts.iter().all(|(t, said, _)| said <= t), "{counts:?}");
    // The last sample has what the tool said last: the total of the result is none.
    assert!(counts.last().unwrap().2 <= trial.result.unwrap().requests, "{counts:?}");
}
