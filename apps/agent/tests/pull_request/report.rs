//! `rigmark report` of recorded runs, in each form.

use crate::recorded;
use crate::support::{Ran, checkout, run};

fn report(name: &str, more: &[&str]) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    let file = recorded(name).display().to_string();
    run(dir.path(), &[&["report", file.as_str()], more].concat())
}

#[test]
fn markdown_begins_with_the_verdict() {
    let said = report("slower", &["--md"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert!(lines[0].starts_with("# "), "{}", said.stdout);
    assert!(lines[2].starts_with("**head "), "{}", said.stdout);
    for part in [
        "| Server | ",
        "| slower |",
        "## Environment",
        "## Repeat it",
        "<code>rigmark run --server=",
    ] {
        assert!(said.stdout.contains(part), "{part}: {}", said.stdout);
    }
}

#[test]
fn all_forms_say_the_same_sentence() {
    let json = report("slower", &["--json"]).json();
    let sentence = json["summary"]["sentence"].as_str().unwrap();
    assert!(
        sentence.starts_with("head answered ") || sentence.starts_with("head spent "),
        "{sentence}"
    );
    assert!(json["environment"]["facts"]["arch"].is_string() && json["schema_version"] == 1);
    assert!(report("slower", &["--html"]).stdout.contains(sentence));
    assert!(report("slower", &[]).stdout.contains(sentence));
    assert!(report("slower", &["--csv"]).stdout.contains(sentence));
}

#[test]
fn where_nothing_counts_the_terminal_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let golden = checkout().join("packages/protocol/golden/journal.jsonl");
    let golden = golden.display().to_string();
    let json = run(dir.path(), &["report", &golden, "--json"]).json();
    let said = run(dir.path(), &["report", &golden]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let sentence = json["summary"]["sentence"].as_str().unwrap();
    assert!(said.stdout.contains(sentence), "{sentence}: {}", said.stdout);
}

#[test]
fn csv_has_a_row_for_each_entry_and_scenario() {
    let said = report("faster", &["--csv"]);
    let rows: Vec<&str> = said.stdout.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), 3, "{}", said.stdout);
    assert!(rows[0].starts_with("run_id,started_at,scenario,"), "{}", rows[0]);
    assert!(rows[1..].iter().any(|row| row.contains(",faster,")), "{}", said.stdout);
}

#[test]
fn a_page_loads_nothing_and_is_whole() {
    let said = report("slower", &["--html"]);
    let page = &said.stdout;
    assert!(
        page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"),
        "{page}"
    );
    for elsewhere in [" src=", "<link", "@import", "url(", "http://", "https://"] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
}

#[test]
fn a_file_is_written_whole_and_its_form_has_to_be_said() {
    let dir = tempfile::tempdir().unwrap();
    let file = recorded("same").display().to_string();
    let written = run(dir.path(), &["report", &file, "--md", "--out", "r.md"]);
    assert_eq!(
        (written.code, written.stdout.as_str()),
        (Some(0), ""),
        "{}",
        written.stderr
    );
    let printed = run(dir.path(), &["report", &file, "--md"]).stdout;
    assert!(printed.contains("</code>"), "{printed}");
    assert_eq!(std::fs::read_to_string(dir.path().join("r.md")).unwrap(), printed);
    assert_eq!(run(dir.path(), &["report", &file, "--out", "r"]).code, Some(2));
    assert_eq!(run(dir.path(), &["report", &file, "--md", "--csv"]).code, Some(2));
    let none = run(dir.path(), &["report", "nothing.jsonl", "--md"]);
    assert_eq!(none.code, Some(1));
    assert!(
        none.stderr.contains("name a file that `rigmark run --out` wrote"),
        "{}",
        none.stderr
    );
}
