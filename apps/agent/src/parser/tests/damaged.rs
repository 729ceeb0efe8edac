//! Recordings with pieces cut out or replaced, and arbitrary text.

use proptest::prelude::*;

use super::super::recording::{cases, load};
use super::super::{autocannon, k6, loadgen};
use super::{check_sane, parse};
use crate::protocol::spec::ToolName;
use crate::tool::output::{ProcessExit, ToolOutput};

const HOSTILE_PIECES: [&str; 12] = [
    "NaN",
    "-1",
    "inf",
    "1e999",
    "-0.0",
    "",
    "\0",
    "99999999999999999999",
    "nan",
    "{",
    "\u{fffd}",
    "0",
];

#[derive(Debug, Clone)]
enum Damage {
    Cut(f64),
    Swap(f64, usize),
    /// Replaces the n-th number by a hostile piece.
    Number(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let piece = 0..HOSTILE_PIECES.len();
    prop_oneof![
        (0.0..1.0f64).prop_map(Damage::Cut),
        (0.0..1.0f64, piece.clone()).prop_map(|(at, p)| Damage::Swap(at, p)),
        (0..400usize, piece).prop_map(|(n, p)| Damage::Number(n, p)),
    ]
}

fn apply(text: &str, damage: &Damage) -> String {
    let at = |share: f64| {
        let mut at = (text.len() as f64 * share) as usize;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    match damage {
        Damage::Cut(share) => text[..at(*share)].to_owned(),
        Damage::Swap(share, piece) => {
            let (head, tail) = text.split_at(at(*share));
            format!(
                "{head}{}{}",
                HOSTILE_PIECES[*piece],
                tail.chars().skip(1).collect::<String>()
            )
        }
        Damage::Number(n, piece) => {
            let mut starts = Vec::new();
            let mut inside = false;
            for (i, c) in text.char_indices() {
                let number = c.is_ascii_digit() || (inside && c == '.');
                if number && !inside {
                    starts.push(i);
                }
                inside = number;
            }
            let Some(start) = starts.get(n % starts.len().max(1)) else {
                return text.to_owned();
            };
            let rest = text[*start..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            format!("{}{}{rest}", &text[..*start], HOSTILE_PIECES[*piece])
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn damaged_recordings_never_panic_or_lie(
        tool in prop::sample::select(ToolName::ALL.to_vec()),
        case in any::<prop::sample::Index>(),
        damages in prop::collection::vec((0..4usize, damage()), 1..4),
        clean_exit in any::<bool>(),
    ) {
        let name = tool.as_str();
        let all = cases(name);
        let case = &all[case.index(all.len())];
        let mut output = load(name, case);
        // Small enough that a property is quick; the tail of a long stderr is all that is looked at.
        output.stderr.truncate(2000);
        for (target, damage) in &damages {
            match target {
                0 => output.stdout = apply(&output.stdout, damage),
                1 => output.stderr = apply(&output.stderr, damage),
                _ => for text in output.files.values_mut() { *text = apply(text, damage); },
            }
        }
        if clean_exit {
            output.exit = ProcessExit::Code(0);
        }
        if let Ok(result) = parse(tool, case, &output) {
            check_sane(&result);
        }
        let _ = loadgen::histogram(&output);
        for line in output.stdout.lines() {
            let _ = (autocannon::tick(line), k6::progress(line), loadgen::tick(line));
        }
    }

    #[test]
    fn any_text_is_taken(stdout in ".{0,300}", file in ".{0,300}", code in any::<i32>()) {
        let files = ["percentiles.csv", "summary.json"].map(|n| (n.to_owned(), file.clone())).into();
        let output = ToolOutput { exit: ProcessExit::Code(code), stderr: stdout.clone(), stdout, files };
        for tool in ToolName::ALL {
            prop_assert!(parse(tool, "any", &output).is_err());
        }
    }
}
