//! Raw tool output, in parts that fit a line of the journal.

use uuid::Uuid;

use crate::journal::Sink;
use crate::protocol::journal::{Event, Raw};

/// Of each output of a trial.
const CAP_BYTES: usize = 512 * 1024;
/// A part whose every character had to be escaped still fits a chunk.
const PART_BYTES: usize = 16 * 1024;

/// `complete` is false when something was lost before.
pub fn append(sink: &dyn Sink, trial_id: Uuid, name: &str, text: &str, complete: bool) {
    let kept = &text[..floor(text, CAP_BYTES)];
    let truncated = !complete || kept.len() < text.len();
    let mut rest = kept;
    for part in 0.. {
        let (now, later) = rest.split_at(floor(rest, PART_BYTES));
        sink.append(Event::Raw(Raw {
            trial_id,
            name: name.to_owned(),
            part,
            text: now.to_owned(),
            truncated: truncated && later.is_empty(),
        }));
        rest = later;
        if rest.is_empty() {
            return;
        }
    }
}

/// The largest cut at most there that splits no character.
fn floor(text: &str, most: usize) -> usize {
    let mut at = most.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::MemorySink;

    #[test]
    fn the_parts_make_the_whole_and_the_cap_is_said() {
        for (text, cut) in [
            ("é".repeat(30_000), false),
            ("é".repeat(400_000), true),
            (String::new(), false),
        ] {
            let sink = MemorySink::new(|| 0);
            append(&sink, Uuid::nil(), "ab.stdout", &text, true);
            let raws: Vec<Raw> = sink
                .events()
                .into_iter()
                .map(|e| if let Event::Raw(r) = e { r } else { panic!() })
                .collect();
            let joined: String = raws.iter().map(|r| r.text.as_str()).collect();
            assert!(text.starts_with(&joined) && (cut == (joined.len() < text.len())));
            assert!(raws.iter().zip(0..).all(|(r, part)| r.part == part));
            assert_eq!(raws.last().unwrap().truncated, cut);
            assert!(raws[..raws.len() - 1].iter().all(|r| !r.truncated));
        }
    }
}
