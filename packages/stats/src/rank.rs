//! The rank of an entry, as far as verdicts show it.
//!
//! The rank goes from 1 + the number of entries that were shown to be better, to the number of ranked entries − the number
//! that were shown to be worse (Mogstad, Romano, Shaikh & Wilhelm, *Inference for Ranks*, Review of Economic Studies 91
//! (2024) 476–518). Two entries without a shown difference so share a rank. The differences are those of [`crate::winner`]:
//! the verdicts against the baseline and the direct ones between the others, and what follows from two of them.
//!
//! Nobody has a rank where no verdict shows a difference, or where the baseline is out of the race. An entry has none when
//! nothing was shown about it. One that did not sustain the rate is behind all that did.

use crate::figures::Figures;
use crate::median_order::MedianOrder;
use crate::summary::Verdict;
use crate::winner::Comparisons;

/// From the best rank that an entry can have to the worst; 1 is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    pub from: u32,
    pub to: u32,
}

/// Where the entries stand; indices are those of the figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranks {
    pub of: Vec<Option<Rank>>,
    /// All entries in the order in which they are shown: by their ranks, then those without a rank, then those that are
    /// not compared. Of equals the baseline comes first, then as they were declared.
    pub order: Vec<usize>,
}

impl Ranks {
    /// Whether a verdict shows a difference between any two.
    #[must_use]
    pub fn any(&self) -> bool {
        self.of.iter().any(Option::is_some)
    }
}

/// Finds the ranks.
#[must_use]
pub fn ranks(figures: &[Figures<'_>], median_order: &MedianOrder<'_>, comparisons: &Comparisons) -> Ranks {
    let mut of = vec![None; figures.len()];
    let ranked: Vec<usize> = (0..figures.len())
        .filter(|i| median_order.positions[*i].is_ok())
        .collect();
    let racing = |i: usize| ranked.contains(&i) && !figures[i].rate_not_sustained();
    if comparisons.baseline.is_some_and(racing) {
        let better = better(figures, &ranked, comparisons);
        for (i, row) in better.iter().enumerate() {
            let count = |shown: &dyn Fn(usize) -> bool| (0..ranked.len()).filter(|j| shown(*j)).count();
            let ahead = count(&|j| better[j][i] && !row[j]);
            let behind = count(&|j| row[j] && !better[j][i]);
            if ahead + behind > 0 {
                of[ranked[i]] = Some(Rank {
                    from: number(1 + ahead),
                    to: number(ranked.len() - behind),
                });
            }
        }
    }
    let mut order: Vec<usize> = (0..figures.len()).collect();
    // Sorting is stable, so that equals stay as they were declared.
    order.sort_by_key(|i| {
        let excluded = median_order.positions[*i].is_err();
        let lost = !excluded && figures[*i].rate_not_sustained();
        let declared = Some(*i) != comparisons.baseline;
        (excluded, of[*i].is_none(), of[*i], lost, declared)
    });
    Ranks { of, order }
}

/// Of each ranked entry, in the order of `ranked`, which of the others it was shown to be better than. All false where no
/// verdict shows a difference.
fn better(figures: &[Figures<'_>], ranked: &[usize], comparisons: &Comparisons) -> Vec<Vec<bool>> {
    let n = ranked.len();
    let shown = |a: usize, b: usize| {
        let lost = (figures[a].rate_not_sustained(), figures[b].rate_not_sustained());
        lost == (false, false) && comparisons.shown(a, b).verdict == Some(Verdict::Faster)
    };
    let mut better: Vec<Vec<bool>> = ranked
        .iter()
        .map(|a| ranked.iter().map(|b| a != b && shown(*a, *b)).collect())
        .collect();
    if !better.iter().flatten().any(|shown| *shown) {
        return better;
    }
    for (a, row) in better.iter_mut().enumerate() {
        for (b, shown) in row.iter_mut().enumerate() {
            *shown |= !figures[ranked[a]].rate_not_sustained() && figures[ranked[b]].rate_not_sustained();
        }
    }
    for via in 0..n {
        for a in 0..n {
            if better[a][via] {
                let reached = better[via].clone();
                better[a].iter_mut().zip(reached).for_each(|(own, more)| *own |= more);
            }
        }
    }
    better
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
