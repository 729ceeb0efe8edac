//! Which blocks do not count, and why.

use crate::sentence::blocks::{LargestShare, most, others};
use crate::sentence::number::{count, percent};
use crate::summary::Blocks;

#[must_use]
pub fn sentence(blocks: &Blocks) -> Option<String> {
    let parts: Vec<String> = lost(blocks)
        .map(|lost| lost + "。")
        .into_iter()
        .chain(rounds(blocks))
        .collect();
    (!parts.is_empty()).then(|| parts.concat())
}

/// Without the stop at its end; `None` where all count.
pub(super) fn lost(blocks: &Blocks) -> Option<String> {
    let others = others(blocks);
    let other = (others > 0).then(|| format!("{others} 个缺少有效试验"));
    let why: Vec<String> = disturbed(blocks).into_iter().chain(other).collect();
    (!why.is_empty()).then(|| {
        format!(
            "{} 个区组中有 {} 个计入；{}",
            blocks.measured,
            blocks.counted,
            why.join("，")
        )
    })
}

pub(super) fn disturbed(blocks: &Blocks) -> Option<String> {
    let most = match most(blocks) {
        Some(LargestShare::Steal(share)) => format!("（被窃取的 CPU 时间最多占 {}）", percent(share)),
        Some(LargestShare::Others(share)) => format!("（其他程序最多占用 CPU 时间的 {}）", percent(share)),
        None => String::new(),
    };
    (blocks.disturbed > 0).then(|| format!("{} 个受到主机干扰{most}", blocks.disturbed))
}

fn rounds(blocks: &Blocks) -> Option<String> {
    let rounds = blocks.rounds.filter(|rounds| rounds.left_out > 0)?;
    Some(format!(
        "{} 轮中有 {} 轮因主机干扰而略去。",
        count(f64::from(rounds.measured)),
        count(f64::from(rounds.left_out))
    ))
}
