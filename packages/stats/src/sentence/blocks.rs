//! Which blocks do not count, and why.

use super::number::{count, percent, things};
use crate::summary::Blocks;

/// The blocks with their sentences.
#[must_use]
pub fn with_sentences(blocks: Blocks) -> Blocks {
    Blocks {
        sentence: sentence(&blocks),
        sentence_zh: super::zh::blocks::sentence(&blocks),
        ..blocks
    }
}

/// `5 of 7 blocks count; 2 were disturbed by the host (steal up to 31 %).` and the rounds that were left out.
fn sentence(blocks: &Blocks) -> Option<String> {
    let parts: Vec<String> = lost(blocks)
        .map(|lost| lost + ".")
        .into_iter()
        .chain(rounds(blocks))
        .collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Without the stop at its end; `None` where all count.
pub(super) fn lost(blocks: &Blocks) -> Option<String> {
    let others = others(blocks);
    let other = (others > 0).then(|| {
        let lack = if others == 1 { "lacks" } else { "lack" };
        format!("{} {lack} a valid trial", count(f64::from(others)))
    });
    let why: Vec<String> = disturbed(blocks).into_iter().chain(other).collect();
    (!why.is_empty()).then(|| {
        format!(
            "{} of {} {}; {}",
            count(f64::from(blocks.counted)),
            things(blocks.measured, "block"),
            if blocks.counted == 1 { "counts" } else { "count" },
            why.join(", ")
        )
    })
}

/// `2 were disturbed by the host (steal up to 31 %)`; where other programs took more, they are named instead of steal.
pub(super) fn disturbed(blocks: &Blocks) -> Option<String> {
    let most = match most(blocks) {
        Some(LargestShare::Steal(share)) => format!(" (steal up to {})", percent(share)),
        Some(LargestShare::Others(share)) => format!(" (other programs used up to {} of its CPU time)", percent(share)),
        None => String::new(),
    };
    (blocks.disturbed > 0).then(|| {
        let was = if blocks.disturbed == 1 { "was" } else { "were" };
        format!(
            "{} {was} disturbed by the host{most}",
            count(f64::from(blocks.disturbed))
        )
    })
}

/// What took the largest share of the host in the disturbed blocks.
pub(super) enum LargestShare {
    Steal(f64),
    Others(f64),
}

pub(super) fn most(blocks: &Blocks) -> Option<LargestShare> {
    match (blocks.steal_max, blocks.others_max) {
        (steal, Some(others)) if others > steal.unwrap_or(0.0) => Some(LargestShare::Others(others)),
        (steal, _) => steal.map(LargestShare::Steal),
    }
}

/// Blocks that do not count for other reasons than the host's.
pub(super) fn others(blocks: &Blocks) -> u32 {
    blocks
        .measured
        .saturating_sub(blocks.counted)
        .saturating_sub(blocks.disturbed)
}

fn rounds(blocks: &Blocks) -> Option<String> {
    let rounds = blocks.rounds.filter(|rounds| rounds.left_out > 0)?;
    let was = if rounds.left_out == 1 { "was" } else { "were" };
    Some(format!(
        "{} of {} {was} left out because the host disturbed them.",
        count(f64::from(rounds.left_out)),
        things(rounds.measured, "round")
    ))
}
