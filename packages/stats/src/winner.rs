//! Whether the entry that ranks first is shown to be the best.
//!
//! The winner is the only entry of rank 1, when a verdict shows it faster than every rival. Rivals are the other ranked
//! entries that sustained the rate; one that did not has missed what was asked of it in the same blocks, and needs no
//! ratio to be behind. Against the baseline the verdict of the page decides. Two other entries are compared directly,
//! by the ratio within their common blocks, with the same interval, the same five blocks and the same rules for bounds;
//! where one was shown faster than the baseline and the other slower, those two verdicts have said it.
//!
//! **Why a direct ratio.** That both intervals of the ratios to the baseline leave each other out proves less and costs
//! more: the noise of the baseline is in both ratios and in neither of the entries, so it hides differences that the
//! blocks show; and Holm's intervals are not promised to cover all at once, so two of them that do not overlap are no
//! test with a known error.
//!
//! **Why all pairs, and a family of their own.** Which entry ranks first is known from the same data, so the pairs that
//! matter cannot be counted as if they had been chosen before. Therefore every pair of entries other than the baseline,
//! in all scenarios, is one family of Holm's: whichever pair is then looked at, the chance of even one wrong difference
//! among them is 5 % at most. It stands beside the family of the verdicts and does not widen it, for the declared
//! question is the one against the baseline, and asking who is first must not blur it. The price: 5 % is held
//! for the verdicts and 5 % for the differences between the others, not 5 % for both together.

use crate::figures::Figures;
use crate::median_order::MedianOrder;
use crate::summary::{Metric, NoWinnerCode, Verdict};
use crate::verdict::{Comparison, NoVerdictReason, Pair};
use std::collections::BTreeMap;

/// The pairs of entries neither of which is the baseline, in an order of their own.
#[must_use]
pub fn pairs(metric: Metric, figures: &[Figures<'_>], baseline: Option<usize>) -> Vec<Pair> {
    others(figures.len(), baseline)
        .map(|(a, b)| Pair::new(metric, &figures[a], &figures[b]))
        .collect()
}

fn others(n: usize, baseline: Option<usize>) -> impl Iterator<Item = (usize, usize)> {
    let other = move |i: &usize| Some(*i) != baseline;
    (0..n)
        .filter(other)
        .flat_map(move |a| (a + 1..n).filter(other).map(move |b| (a, b)))
}

/// All comparisons of one scenario.
#[derive(Debug)]
pub struct Comparisons {
    pub baseline: Option<usize>,
    /// Of each entry with the baseline.
    pub to_baseline: Vec<Option<Comparison>>,
    direct: BTreeMap<(usize, usize), Comparison>,
}

impl Comparisons {
    /// `direct` gives what was decided on the pairs of [`pairs`], in their order.
    pub fn new(
        baseline: Option<usize>,
        to_baseline: Vec<Option<Comparison>>,
        direct: &mut impl Iterator<Item = Comparison>,
    ) -> Self {
        let direct = others(to_baseline.len(), baseline).zip(direct).collect();
        Self {
            baseline,
            to_baseline,
            direct,
        }
    }

    /// Whether a verdict says that an entry differs from the baseline.
    #[must_use]
    pub fn differ(&self) -> bool {
        let differs = |c: &Comparison| matches!(c.verdict, Some(Verdict::Faster | Verdict::Slower));
        self.to_baseline.iter().flatten().any(differs)
    }

    /// What was shown of `a` against `b`.
    #[must_use]
    pub fn shown(&self, a: usize, b: usize) -> PairVerdict {
        let to_baseline = |i: usize| self.to_baseline[i].as_ref().and_then(|c| c.verdict);
        let found = self.compared(a, b);
        let decided = |verdict| PairVerdict {
            verdict: Some(verdict),
            why: None,
            ..found
        };
        match (to_baseline(a), to_baseline(b)) {
            (Some(Verdict::Faster), Some(Verdict::Slower)) => decided(Verdict::Faster),
            (Some(Verdict::Slower), Some(Verdict::Faster)) => decided(Verdict::Slower),
            _ => found,
        }
    }

    fn compared(&self, a: usize, b: usize) -> PairVerdict {
        let (found, turned) = if Some(b) == self.baseline {
            (self.to_baseline[a].as_ref(), false)
        } else if Some(a) == self.baseline {
            (self.to_baseline[b].as_ref(), true)
        } else {
            (self.direct.get(&(a.min(b), a.max(b))), a > b)
        };
        let Some(found) = found else {
            return PairVerdict::default();
        };
        let verdict = match (found.verdict, turned) {
            (Some(Verdict::Faster), true) => Some(Verdict::Slower),
            (Some(Verdict::Slower), true) => Some(Verdict::Faster),
            (verdict, _) => verdict,
        };
        PairVerdict {
            verdict,
            blocks: found.blocks,
            why: found.why,
        }
    }
}

/// What was shown of one entry against another.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PairVerdict {
    pub verdict: Option<Verdict>,
    /// In common.
    pub blocks: u32,
    /// Why there is no verdict, or why they are not comparable. Either of the two may be the entry in it.
    pub why: Option<NoVerdictReason>,
}

impl PairVerdict {
    /// Whether it says which of the two is better, or that neither was shown to be.
    fn decided(&self) -> bool {
        !matches!(self.verdict, None | Some(Verdict::NotComparable))
    }
}

/// Why there is no winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoWinner {
    pub code: NoWinnerCode,
    /// That the first and its first rival without a verdict have in common; 0 where it is not about two.
    pub blocks: u32,
}

/// Who leads a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Lead {
    pub winner: Option<usize>,
    /// Why there is no winner.
    pub no_winner: Option<NoWinner>,
    /// Those whom the winner has to be faster than, in the order of their ranks.
    pub rivals: Vec<usize>,
    /// The first, those who share its rank, and every rival behind it with a verdict that is not that the first is
    /// better, in the order of their ranks. Rivals behind it whose median is a bound are left out: it is said of them
    /// that they may be better. Empty without a verdict on any rival.
    pub leaders: Vec<usize>,
    /// Rivals behind the first that cannot be compared with it, because their figure is a bound in some blocks.
    pub open: Vec<usize>,
    /// The other rivals behind the first without a verdict between the two, which are neither level with it nor shown
    /// to be behind. Where they are not comparable because one of them is a bound, it is the first. Empty without a
    /// verdict on any rival.
    pub undecided: Vec<(usize, PairVerdict)>,
    /// Whether a difference was shown between two of the leaders.
    pub apart: bool,
}

/// Finds the winner among the ranked entries.
#[must_use]
pub fn lead(figures: &[Figures<'_>], median_order: &MedianOrder<'_>, comparisons: &Comparisons) -> Lead {
    let none = |code, rivals: Vec<usize>| Lead {
        winner: None,
        no_winner: Some(NoWinner { code, blocks: 0 }),
        rivals,
        leaders: Vec::new(),
        open: Vec::new(),
        undecided: Vec::new(),
        apart: false,
    };
    let mut ranked = median_order
        .order
        .iter()
        .copied()
        .filter(|i| median_order.positions[*i].is_ok());
    let Some(first) = ranked.next() else {
        return none(NoWinnerCode::NothingRanked, Vec::new());
    };
    if figures[first].rate_not_sustained() {
        return none(NoWinnerCode::RateNotSustained, Vec::new());
    }
    let rivals: Vec<usize> = ranked.filter(|i| !figures[*i].rate_not_sustained()).collect();
    if figures.len() == 1 {
        return none(NoWinnerCode::NothingToCompare, rivals);
    }
    // A baseline that is not in the race supports no verdict, and a first without a rival has none.
    if rivals.is_empty() || comparisons.baseline.is_none_or(|b| b != first && !rivals.contains(&b)) {
        return none(NoWinnerCode::NoVerdict, rivals);
    }
    let seen: Vec<(usize, PairVerdict)> = rivals.iter().map(|i| (*i, comparisons.shown(first, *i))).collect();
    let behind = |i: usize| median_order.positions[i] != Ok(1);
    let shared = rivals.iter().any(|i| !behind(*i));
    let unbeaten = seen.iter().find(|(_, shown)| shown.verdict != Some(Verdict::Faster));
    let code = match unbeaten.map(|(_, shown)| shown.verdict) {
        None if !shared => None,
        None => Some(NoWinnerCode::EqualMedians),
        Some(None) => Some(NoWinnerCode::TooFewBlocks),
        Some(Some(Verdict::NoDifference)) => Some(NoWinnerCode::NoDifference),
        Some(Some(Verdict::NotComparable)) => Some(NoWinnerCode::NotComparable),
        Some(Some(_)) => Some(NoWinnerCode::MediansAndRatiosDisagree),
    };
    let no_winner = code.map(|code| NoWinner {
        code,
        blocks: unbeaten.map_or(0, |(_, shown)| shown.blocks),
    });
    let unknown = |(i, shown): &&(usize, PairVerdict)| {
        behind(*i) && shown.verdict == Some(Verdict::NotComparable) && !figures[*i].bound_blocks.is_empty()
    };
    let open: Vec<usize> = seen.iter().filter(unknown).map(|(i, _)| *i).collect();
    let (mut leaders, mut undecided) = (Vec::new(), Vec::new());
    if seen.iter().any(|(_, shown)| shown.decided()) {
        let level = seen.iter().filter(|(i, shown)| {
            !behind(*i) || shown.decided() && shown.verdict != Some(Verdict::Faster) && !figures[*i].bound
        });
        leaders = std::iter::once(first).chain(level.map(|(i, _)| *i)).collect();
        let without = seen
            .iter()
            .filter(|(i, shown)| behind(*i) && !shown.decided() && !open.contains(i));
        undecided = without.copied().collect();
    }
    let apart = leaders.iter().enumerate().any(|(n, a)| {
        let differ = |b: &usize| {
            matches!(
                comparisons.shown(*a, *b).verdict,
                Some(Verdict::Faster | Verdict::Slower)
            )
        };
        leaders[n + 1..].iter().any(differ)
    });
    Lead {
        winner: no_winner.is_none().then_some(first),
        no_winner,
        rivals,
        leaders,
        open,
        undecided,
        apart,
    }
}

#[cfg(test)]
mod tests;
