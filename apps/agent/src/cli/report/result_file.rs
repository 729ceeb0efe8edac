//! A file that `rigmark run --out` wrote, read back. It may come from anywhere: a pull request's job hands it on. A run of an
//! app becomes the same ([`super::snapshot`]), so that all that is said of a run is said of both.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use super::cleaned::cleaned;
use crate::cli::CliError;
use crate::journal::Sink;
use crate::protocol::journal::{Begin, Event, Record, RunResult, RunStatus, VERSION};
use crate::runner::summary::{Collected, Collector};
use crate::text::plain;

/// A record fits into a chunk of 256 KiB, and so does its line.
const LINE_BYTES: u64 = 512 * 1024;
/// More than any run may have.
pub(super) const MOST_TRIALS: usize = 200_000;
/// More than any run may have of entries and of scenarios.
pub(super) const MOST_NAMED: usize = 1_000;

/// What a report needs of a run. Samples, logs and raw output stay in the file.
#[derive(Debug, Clone)]
pub struct ResultFile {
    pub begin: Begin,
    pub run: Collected,
    /// `None` where the file ends before the run did.
    pub result: Option<RunResult>,
    /// Of a run of an app: ways in which it is not whole, as sentences. `None` for a file.
    pub gaps: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Head<'a> {
    v: u32,
    #[serde(borrow)]
    kind: std::borrow::Cow<'a, str>,
}

/// Records that a report is made from; it passes by all others, and kinds that are newer than this version.
const USED: [&str; 7] = ["begin", "environment", "plan", "trial", "verify", "label", "result"];

impl ResultFile {
    /// # Errors
    /// In one sentence: no such file, no result file, one of another version, or one without a plan.
    pub fn read(path: &Path) -> Result<Self, CliError> {
        let shown = path.display();
        let file = File::open(path).map_err(|error| {
            CliError::failed(
                "result-file",
                format!("{shown} cannot be read ({error}); name a file that `rigmark run --out` wrote."),
            )
        })?;
        Self::read_from(file, &shown.to_string())
    }

    fn read_from(file: impl Read, name: &str) -> Result<Self, CliError> {
        let wrong = |what: String| CliError::failed("result-file", what);
        let mut reader = BufReader::new(file);
        let collector = Collector::default();
        let (mut begin, mut result): (Option<Begin>, Option<RunResult>) = (None, None);
        let (mut line, mut number, mut trials) = (Vec::new(), 0_u64, 0_usize);
        loop {
            line.clear();
            let read = (&mut reader).take(LINE_BYTES).read_until(b'\n', &mut line);
            let read =
                read.map_err(|error| wrong(format!("{name} cannot be read to its end ({error}); copy it again.")))?;
            if read == 0 {
                break;
            }
            number += 1;
            // A run that was killed leaves half a line, and what came before it is whole.
            if line.last() != Some(&b'\n') && (line.len() as u64) < LINE_BYTES && begin.is_some() {
                break;
            }
            let event = match parse(&line) {
                Ok(event) => event,
                Err(why) if number == 1 => {
                    let what = match why {
                        Unread::Version(v) => format!(
                            "{name} has records of version {v}, and this is {}, which reads version {VERSION}; use the Rigmark that \
                             wrote it.",
                            own()
                        ),
                        Unread::Other(_) => {
                            format!("{name} is not a result file; name a file that `rigmark run --out` wrote.")
                        }
                    };
                    return Err(wrong(what));
                }
                Err(why) => return Err(wrong(refused(name, number, &why, begin.as_ref()))),
            };
            match event {
                Some(Event::Begin(found)) => {
                    begin.get_or_insert(found);
                }
                Some(Event::Result(found)) => result = Some(found),
                Some(event) => {
                    trials += usize::from(matches!(event, Event::Trial(_)));
                    let named = match &event {
                        Event::Plan(plan) => plan.entries.len().max(plan.scenarios.len()),
                        _ => 0,
                    };
                    if trials > MOST_TRIALS || named > MOST_NAMED {
                        return Err(wrong(format!(
                            "{name} is larger than any run may be; name a file that `rigmark run --out` wrote."
                        )));
                    }
                    collector.append(event);
                }
                None => {}
            }
        }
        let begin = begin.ok_or_else(|| {
            wrong(format!(
                "{name} is not a result file: it does not begin with a run; name a file that `rigmark run --out` wrote."
            ))
        })?;
        let run = collector.collected();
        if run.plan.as_ref().is_none_or(|plan| plan.entries.is_empty()) {
            return Err(wrong(format!(
                "{name} ends before its run had a plan, so there is nothing to report; run it again."
            )));
        }
        Ok(Self {
            begin,
            run,
            result,
            gaps: None,
        })
    }

    /// Why the run is not whole, in a sentence; `None` where it is.
    pub fn incomplete(&self) -> Option<String> {
        if let Some(gaps) = &self.gaps {
            return (!gaps.is_empty()).then(|| plain(&gaps.join(" "), 1_000));
        }
        match self.result.as_ref().map(|r| (r.status, &r.error)) {
            Some((RunStatus::Succeeded, _)) => None,
            Some((RunStatus::Cancelled, _)) => {
                Some("The run was cancelled; what was measured until then is here.".to_owned())
            }
            Some((RunStatus::Failed, error)) => Some(match error {
                Some(error) => format!("The run failed: {}", plain(&error.message, 500)),
                None => "The run failed.".to_owned(),
            }),
            None => Some("The file ends before the run did; what was measured until then is here.".to_owned()),
        }
    }
}

enum Unread {
    Version(u32),
    Other(String),
}

/// `None` for what no report needs.
fn parse(line: &[u8]) -> Result<Option<Event>, Unread> {
    let head: Head = serde_json::from_slice(line).map_err(|e| Unread::Other(e.to_string()))?;
    if head.v != VERSION {
        return Err(Unread::Version(head.v));
    }
    if !USED.contains(&&*head.kind) {
        return Ok(None);
    }
    let unread = |e: serde_json::Error| Unread::Other(e.to_string());
    // What moves a cursor or begins another line is written with a backslash, or is no ASCII.
    let odd = line.iter().any(|b| *b == b'\\' || *b == 0x7f || !b.is_ascii());
    let record: Record = match odd {
        true => crate::json::read(&cleaned(serde_json::from_slice(line).map_err(unread)?)).map_err(unread)?,
        false => serde_json::from_slice(line).map_err(unread)?,
    };
    Ok(Some(record.event))
}

fn own() -> &'static str {
    concat!("Rigmark ", env!("CARGO_PKG_VERSION"))
}

fn refused(name: &str, line: u64, why: &Unread, begin: Option<&Begin>) -> String {
    let by = begin.map_or(String::new(), |b| {
        format!(" by Rigmark {}", plain(&b.agent_version, 40))
    });
    match why {
        Unread::Version(v) => format!(
            "Line {line} of {name} is of version {v}, which {} does not read; use the Rigmark that wrote it.",
            own()
        ),
        Unread::Other(why) => format!(
            "Line {line} of {name} is not what this version writes ({}); it was written{by}, this is {}.",
            plain(why, 200),
            own()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLDEN: &str = include_str!("../../../../../packages/protocol/golden/journal.jsonl");

    fn read(text: &str) -> Result<ResultFile, CliError> {
        ResultFile::read_from(text.as_bytes(), "r.jsonl")
    }

    #[test]
    fn a_whole_file() {
        let file = read(GOLDEN).unwrap();
        assert_eq!(file.run.trials.len(), 1);
        assert_eq!(file.incomplete(), None);
        assert_eq!(file.begin.spec.title, "epoll, io_uring and nginx at 1 KB");
    }

    #[test]
    fn nothing_in_a_file_moves_a_cursor() {
        let title = "\"title\":\"epoll, io_uring and nginx at 1 KB\"";
        let odd = "\"title\":\"a\\u001b]52;c;b\\n::error::\u{9b}2J\"";
        assert!(GOLDEN.contains(title));
        let file = read(&GOLDEN.replacen(title, odd, 1)).unwrap();
        assert_eq!(file.begin.spec.title, "a]52;c;b::error::2J");
    }

    #[test]
    fn half_a_file_says_so_and_keeps_what_there_is() {
        let at = GOLDEN.find("\"kind\":\"result\"").unwrap() - 20;
        let file = read(&GOLDEN[..at]).unwrap();
        assert_eq!(file.run.trials.len(), 1);
        assert!(
            file.incomplete()
                .unwrap()
                .starts_with("The file ends before the run did")
        );
        let first: String = GOLDEN.lines().take(2).map(|l| format!("{l}\n")).collect();
        assert!(read(&first).unwrap_err().message.contains("before its run had a plan"));
    }

    #[test]
    fn other_files_and_other_versions_are_refused() {
        for other in ["", "hello\n", "{}\n", "[1]\n", "\u{0}\u{0}"] {
            let error = read(other).unwrap_err();
            assert_eq!(error.code, "result-file");
            assert!(error.message.contains("is not a result file"), "{}", error.message);
        }
        let newer = GOLDEN.replacen("\"v\":1", "\"v\":2", 1);
        assert!(read(&newer).unwrap_err().message.contains("records of version 2"));
        let odd = GOLDEN.replace(
            "\"kind\":\"plan\",\"data\":{",
            "\"kind\":\"plan\",\"data\":{\"later\":1,",
        );
        let said = read(&odd).unwrap_err().message;
        assert!(
            said.starts_with("Line 3 of r.jsonl is not what this version writes (unknown field `later`"),
            "{said}"
        );
    }

    #[test]
    fn kinds_that_are_newer_pass_by() {
        let mut lines: Vec<&str> = GOLDEN.lines().collect();
        lines.insert(3, r#"{"v":1,"seq":9,"t_us":1,"kind":"weather","data":{"rain":true}}"#);
        assert!(read(&(lines.join("\n") + "\n")).is_ok());
    }
}
