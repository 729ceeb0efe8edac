//! Single requests in a closed loop, timed to the first byte: their times stand beside each other and rank nobody.

use crate::figures::Figures;
use crate::input::ScenarioInput;
use crate::sentence;
use crate::summary::{Blocks, EntrySummary, Metric, NoWinnerCode, ScenarioSummary, UnrankedCode};
use crate::unranked::unranked;
use crate::winner::NoWinner;

const NO_WINNER: NoWinner = NoWinner {
    code: NoWinnerCode::SingleRequests,
    blocks: 0,
};

/// The scenario, its entries as they were declared.
#[must_use]
pub fn summary(scenario: &ScenarioInput, figures: &[Figures<'_>], blocks: Option<Blocks>) -> ScenarioSummary {
    ScenarioSummary {
        scenario: scenario.id.clone(),
        metric: Metric::FirstByteP50Us,
        winner_key: None,
        no_winner_code: Some(NO_WINNER.code),
        no_winner: Some(sentence::no_winner::words(NO_WINNER)),
        no_winner_zh: Some(sentence::zh::no_winner::words(NO_WINNER)),
        no_verdict: None,
        blocks,
        entries: figures.iter().map(|f| entry(scenario, f)).collect(),
        sentence: sentence::single_requests::scenario(scenario, figures),
        sentence_zh: sentence::zh::single_requests::scenario(scenario, figures),
    }
}

fn entry(scenario: &ScenarioInput, figures: &Figures<'_>) -> EntrySummary {
    let why = unranked(scenario, figures);
    let (words, words_zh) = match &why {
        Some(why) => (
            sentence::unranked::words(why, scenario, figures),
            sentence::zh::unranked::words(why, scenario, figures),
        ),
        None => (
            sentence::single_requests::NOT_RANKED.to_owned(),
            sentence::zh::single_requests::NOT_RANKED.to_owned(),
        ),
    };
    EntrySummary {
        unranked_code: Some(why.map_or(UnrankedCode::SingleRequests, |why| why.code())),
        unranked_reason: Some(words),
        unranked_reason_zh: Some(words_zh),
        outliers: None,
        sentence: sentence::single_requests::entry(scenario, figures),
        sentence_zh: sentence::zh::single_requests::entry(scenario, figures),
        ..figures.summary(scenario)
    }
}
