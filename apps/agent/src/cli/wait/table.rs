//! The results of a run of the app. Numbers and sentences are the app's; here they only get units.

use crate::cli::format;
use crate::cli::output::{Align, Column, Output, Tone, paint};
use crate::control::message::{EntryResults, Figure, Results, ScenarioResults};
use crate::text::plain;

const TEXT_CHARS: usize = 600;
const NAME_CHARS: usize = 80;
const NONE: &str = "–";

pub fn print(out: &Output, results: &Results) {
    for scenario in &results.scenarios {
        out.line("");
        out.line(&format!(
            "{}  {}",
            paint(Tone::Bold, &plain(&scenario.title, TEXT_CHARS)),
            paint(Tone::Dim, &plain(&scenario.scenario, NAME_CHARS))
        ));
        out.wide_table(columns(scenario));
        for entry in &scenario.entries {
            if let Some(unranked) = &entry.unranked {
                let reason = plain(&unranked.reason, TEXT_CHARS);
                out.line(&format!("{} is not ranked: {reason}", plain(&entry.label, NAME_CHARS)));
            }
        }
    }
    out.line("");
    // Of one scenario its sentence and the run's are the same.
    for scenario in results.scenarios.iter().filter(|_| results.scenarios.len() > 1) {
        let (name, sentence) = (&scenario.scenario, &scenario.sentence);
        out.line(&format!("{}: {}", plain(name, NAME_CHARS), plain(sentence, TEXT_CHARS)));
    }
    if let Some(sentence) = &results.sentence {
        out.line(&paint(Tone::Bold, &plain(sentence, TEXT_CHARS)));
    }
}

type Cell = fn(&EntryResults) -> String;

fn columns(scenario: &ScenarioResults) -> Vec<Vec<Column>> {
    let column = |(title, align, cell): (&'static str, Align, Cell)| Column {
        title,
        align,
        cells: scenario.entries.iter().map(cell).collect(),
    };
    let names: [(&str, Align, Cell); 1] = [("Server", Align::Left, |e| plain(&e.label, NAME_CHARS))];
    let rates: [(&str, Align, Cell); 2] = [
        ("Requests/s", Align::Right, |e| {
            let bound = if e.lower_bound { "≥ " } else { "" };
            figure(e.requests_per_s.as_ref(), |f| {
                format!("{bound}{}", format::rate(f.median))
            })
        }),
        ("Range", Align::Right, |e| {
            figure(e.requests_per_s.as_ref(), |f| {
                format!("{} to {}", format::rate(f.min), format::rate(f.max))
            })
        }),
    ];
    let verdicts: [(&str, Align, Cell); 3] = [
        ("Ratio", Align::Right, |e| {
            e.ratio.map_or_else(|| NONE.to_owned(), format::significant)
        }),
        ("95 % interval", Align::Right, |e| match (e.low, e.high) {
            (Some(low), Some(high)) => format!("{} to {}", format::significant(low), format::significant(high)),
            _ => NONE.to_owned(),
        }),
        ("Verdict", Align::Left, |e| match &e.verdict {
            Some(verdict) => plain(verdict, NAME_CHARS),
            None if e.baseline => "baseline".to_owned(),
            None => NONE.to_owned(),
        }),
    ];
    let others: [(&str, Align, Cell); 3] = [
        ("p99 (µs)", Align::Right, |e| {
            let p99 = e.percentiles.iter().find(|p| (p.p - 99.0).abs() < 1e-9);
            figure(p99.and_then(|p| p.us.as_ref()), |f| format::significant(f.median))
        }),
        ("CPU/request (µs)", Align::Right, |e| {
            figure(e.cpu_us_per_request.as_ref(), |f| format::significant(f.median))
        }),
        ("Valid trials", Align::Right, |e| {
            format!("{} of {}", e.trials_valid, e.trials_valid + e.trials_invalid)
        }),
    ];
    vec![
        names.map(column).into(),
        rates.map(column).into(),
        verdicts.map(column).into(),
        others.map(column).into(),
    ]
}

fn figure(figure: Option<&Figure>, drawn: impl Fn(&Figure) -> String) -> String {
    figure.map_or_else(|| NONE.to_owned(), drawn)
}
