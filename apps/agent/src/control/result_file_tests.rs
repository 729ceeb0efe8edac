use sha2::{Digest, Sha256};

use super::*;
use crate::protocol::wire::CHUNK_BYTES;

const RUN: &str = "0198b7a6-0000-7000-8000-000000000001";

fn begin(v: u32) -> String {
    format!(r#"{{"v":{v},"seq":0,"t_us":1,"kind":"begin","data":{{"run_id":"{RUN}","agent_version":"0.1.0"}}}}"#)
}

fn record(seq: u64, kind: &str, data: &str) -> String {
    format!(
        r#"{{"v":1,"seq":{seq},"t_us":{},"kind":"{kind}","data":{data}}}"#,
        seq + 2
    )
}

fn whole() -> Vec<String> {
    let mut lines = vec![begin(1), record(1, "environment", r#"{"facts":{"hostname":"pi"}}"#)];
    for n in 0..40 {
        lines.push(record(2 + n, "log", &format!(r#"{{"line":"{}"}}"#, "x".repeat(20_000))));
        lines.push(record(n, "raw", &format!(r#"{{"text":"{}"}}"#, "y".repeat(9_000))));
    }
    lines.push(record(42, "trial", "{}"));
    lines.push(record(43, "result", r#"{"status":"succeeded"}"#));
    lines
}

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.jsonl");
    std::fs::write(&path, text).unwrap();
    (dir, path)
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn refusal(lines: &[String]) -> String {
    let (_dir, path) = file(&text(lines));
    ResultFile::open(&path).unwrap_err().to_string()
}

#[test]
fn its_chunks_are_its_lines_and_the_same_each_time() {
    let lines = whole();
    let (_dir, path) = file(&text(&lines));
    let read = ResultFile::open(&path).unwrap();
    assert_eq!((read.run_id.to_string().as_str(), read.trials), (RUN, 1));
    assert_eq!((read.ending, read.torn), (Some(RunStatus::Succeeded), false));
    assert_eq!(read.facts.as_ref().unwrap()["hostname"], "pi");
    for stream in StreamName::ALL {
        let mut all = Vec::new();
        let mut digest = RollingDigest::new();
        let mut seq = 0;
        let mut chunks = read.chunks().unwrap();
        while let Some(chunk) = chunks.next_chunk().unwrap() {
            if chunk.stream != stream {
                continue;
            }
            assert!(chunk.body.len() <= CHUNK_BYTES && chunk.seq == seq);
            assert!(read.begins_with(stream, seq, &digest.hex()));
            assert_eq!(chunk.sha256, <[u8; 32]>::from(Sha256::digest(&chunk.body)));
            digest.push(&chunk.sha256);
            all.extend_from_slice(&chunk.body);
            seq += 1;
        }
        let raw = |line: &&String| line.contains(r#""kind":"raw""#) == (stream == StreamName::Raw);
        let expected: Vec<String> = lines.iter().filter(raw).cloned().collect();
        assert_eq!(String::from_utf8(all).unwrap(), text(&expected));
        let totals = read.totals(stream);
        assert_eq!((totals.chunks, totals.digest), (seq, digest.hex()));
        assert!(seq > 1 && !read.begins_with(stream, seq + 1, &digest.hex()));
    }
}

#[test]
fn a_file_that_ends_within_a_line_or_before_its_end_is_known() {
    let lines = whole();
    let all = text(&lines);
    let (_dir, path) = file(&all[..all.len() - 30]);
    let torn = ResultFile::open(&path).unwrap();
    assert_eq!((torn.torn, torn.ending), (true, None));
    let (_dir, path) = file(&text(&lines[..20]));
    let killed = ResultFile::open(&path).unwrap();
    assert_eq!((killed.torn, killed.ending), (false, None));
    // The last line feed alone is no loss.
    let (_dir, path) = file(all.trim_end());
    let read = ResultFile::open(&path).unwrap();
    assert_eq!((read.torn, read.ending), (false, Some(RunStatus::Succeeded)));
}

#[test]
fn what_is_no_result_file_is_said_in_one_sentence() {
    let (_dir, path) = file("");
    assert!(matches!(ResultFile::open(&path), Err(FileError::Empty(_))));
    for other in ["<html>", "{}", r#"{"v":1,"seq":0,"t_us":1,"kind":"log","data":{}}"#] {
        assert!(refusal(&[other.to_owned()]).contains("not a result file"), "{other}");
    }
    assert!(refusal(&["x".repeat(300_000)]).contains("not a result file"));
    let missing = [begin(1), record(2, "log", "{}")];
    assert!(refusal(&missing).contains("number 2 in its journal, but 1 was expected"));
    let damaged = [begin(1), "{\"v\":1,".to_owned(), record(1, "log", "{}")];
    assert!(refusal(&damaged).starts_with("Line 2 of "));
    let long = [
        begin(1),
        record(1, "log", &format!(r#"{{"line":"{}"}}"#, "x".repeat(CHUNK_BYTES))),
    ];
    assert!(refusal(&long).contains("longer than"));
}

#[test]
fn another_version_is_named() {
    let newer = refusal(&[begin(2)]);
    assert!(
        newer.contains("another version of Rigmark (0.1.0)") && newer.contains("version 2"),
        "{newer}"
    );
}
