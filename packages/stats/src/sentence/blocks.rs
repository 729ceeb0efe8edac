//! Which blocks do not count, and why.

use super::number::{count, percent, things};
use crate::summary::Blocks;

/// The blocks with their sentences.
#[must_use]
pub fn told(blocks: Blocks) -> Blocks {
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
            "{} of {} count; {}",
            count(f64::from(blocks.counted)),
            things(blocks.measured, "block"),
            why.join(", ")
        )
    })
}

/// `2 were disturbed by the host (steal up to 31 %)`.
pub(super) fn disturbed(blocks: &Blocks) -> Option<String> {
    let steal = blocks
        .steal_max
        .map_or_else(String::new, |steal| format!(" (steal up to {})", percent(steal)));
    (blocks.disturbed > 0).then(|| {
        let was = if blocks.disturbed == 1 { "was" } else { "were" };
        format!(
            "{} {was} disturbed by the host{steal}",
            count(f64::from(blocks.disturbed))
        )
    })
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
