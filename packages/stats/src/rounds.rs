//! Which rounds of a block count. A round is one slice of each entry; a block of whole trials is one round.
//!
//! Decided from the host's counters alone, never from a rate, and for all entries of a round alike, so that leaving a
//! round out favors nobody. The *level* of what the host takes is no reason: entries that take turns lose alike. What
//! spoils a round is that one entry's slice lost much more than another's. `docs/method.md` says how the bounds were chosen.

/// Largest difference, within one round, between the shares of the CPU time that the host took from two entries. Of more
/// entries the luckiest and the unluckiest are further apart by chance alone: see [`bound_for`].
pub const UNEVEN: f64 = 0.25;
/// A block of whole trials is uneven above this: over seconds bursts level out, so a smaller difference is a real one.
pub const UNEVEN_WHOLE: f64 = 0.15;
/// Expected range of 2, 3, … 16 normal draws, in standard deviations: d₂ of control charts (Harter, Ann. Math. Stat. 31 (1960)
/// 1122–1147, table 1).
const EXPECTED_RANGE: [f64; 15] = [
    1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970, 3.078, 3.173, 3.258, 3.336, 3.407, 3.472, 3.532,
];
/// At least this part of the rounds must remain, or the block is disturbed as a whole.
pub const REMAIN: f64 = 0.5;

/// What became of a block's rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRounds {
    /// By round; all `false` where the block is disturbed as a whole, for then nothing of it counts.
    pub left_out: Vec<bool>,
    pub disturbed: bool,
    /// The largest difference within a round; `None` where nobody knows what the host took.
    pub uneven: Option<f64>,
}

/// `taken[entry][round]` is the share of all cores' time that the host took (steal and other programs), `None` where the
/// kernel does not tell. A round that not all entries reached is judged by those that did.
pub fn rounds(taken: &[Vec<Option<f64>>]) -> BlockRounds {
    judge(taken, UNEVEN)
}

/// The same for whole trials: one share for each entry.
pub fn whole(taken: &[Option<f64>]) -> BlockRounds {
    let each: Vec<Vec<Option<f64>>> = taken.iter().map(|share| vec![*share]).collect();
    judge(&each, UNEVEN_WHOLE)
}

/// What the bound of two is for so many entries: else a run of twelve would lose nearly each round on a host where a run of two
/// loses none.
#[must_use]
pub fn bound_for(of_two: f64, entries: usize) -> f64 {
    let place = entries.clamp(2, EXPECTED_RANGE.len() + 1) - 2;
    of_two * EXPECTED_RANGE[place] / EXPECTED_RANGE[0]
}

fn judge(taken: &[Vec<Option<f64>>], of_two: f64) -> BlockRounds {
    let count = taken.iter().map(Vec::len).max().unwrap_or(0);
    let spread: Vec<Option<f64>> = (0..count).map(|round| spread(taken, round)).collect();
    let bound = bound_for(of_two, taken.len());
    let left_out: Vec<bool> = spread.iter().map(|s| s.is_some_and(|s| s > bound)).collect();
    let remain = left_out.iter().filter(|out| !**out).count();
    let disturbed = (remain as f64) < REMAIN * count as f64;
    BlockRounds {
        left_out: if disturbed { vec![false; count] } else { left_out },
        disturbed,
        uneven: spread.into_iter().flatten().max_by(f64::total_cmp),
    }
}

/// Largest less smallest share in a round; `None` with fewer than two that are known.
fn spread(taken: &[Vec<Option<f64>>], round: usize) -> Option<f64> {
    let known: Vec<f64> = taken
        .iter()
        .filter_map(|entry| entry.get(round).copied().flatten())
        .collect();
    let known: Vec<f64> = known.into_iter().filter(|share| share.is_finite()).collect();
    let least = known.iter().copied().min_by(f64::total_cmp)?;
    let most = known.iter().copied().max_by(f64::total_cmp)?;
    (known.len() > 1).then_some(most - least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(taken: &[&[f64]]) -> BlockRounds {
        let known = |entry: &&[f64]| entry.iter().map(|share| Some(*share)).collect();
        rounds(&taken.iter().map(known).collect::<Vec<_>>())
    }

    #[test]
    fn the_level_of_what_the_host_took_is_no_reason() {
        let all = of(&[&[0.4, 0.0, 0.42], &[0.38, 0.01, 0.4]]);
        assert_eq!((all.left_out, all.disturbed), (vec![false; 3], false));
    }

    #[test]
    fn a_round_is_left_out_for_all_when_one_slice_lost_much_more() {
        let one = of(&[&[0.0, 0.35, 0.0, 0.1], &[0.02, 0.05, 0.0, 0.1]]);
        assert_eq!((one.left_out, one.disturbed), (vec![false, true, false, false], false));
    }

    #[test]
    fn more_entries_may_be_further_apart_as_they_are_by_chance() {
        let round = |entries: usize, most: f64| {
            let mut taken = vec![vec![Some(0.0)]; entries];
            taken[0] = vec![Some(most)];
            rounds(&taken).disturbed
        };
        assert!(round(2, 0.26) && !round(3, 0.26));
        assert!(round(3, 0.38) && !round(12, 0.70) && round(12, 0.74));
        assert!((bound_for(0.25, 2) - 0.25).abs() < 1e-12);
        assert!(bound_for(0.25, 40) <= bound_for(0.25, 16) + 1e-12);
    }

    #[test]
    fn half_of_the_rounds_must_remain_or_the_block_is_disturbed() {
        let half = of(&[&[0.0, 0.5, 0.0, 0.5], &[0.0, 0.0, 0.0, 0.0]]);
        assert!(!half.disturbed);
        let less = of(&[&[0.5, 0.5, 0.0, 0.5], &[0.0, 0.0, 0.0, 0.0]]);
        assert_eq!((less.left_out, less.disturbed), (vec![false; 4], true));
    }

    #[test]
    fn whole_trials_are_one_round_with_a_bound_of_their_own() {
        assert!(!whole(&[Some(0.30), Some(0.20)]).disturbed);
        assert!(whole(&[Some(0.30), Some(0.10)]).disturbed);
    }

    #[test]
    fn what_the_kernel_does_not_show_disturbs_nothing() {
        assert!(!whole(&[None, Some(0.9)]).disturbed);
        assert!(!whole(&[Some(f64::NAN), Some(0.9)]).disturbed);
        assert_eq!(rounds(&[vec![None, None], vec![None, None]]).uneven, None);
        assert_eq!(
            rounds(&[]),
            BlockRounds {
                left_out: vec![],
                disturbed: false,
                uneven: None
            }
        );
    }

    #[test]
    fn an_entry_alone_is_never_uneven_and_a_missing_slice_is_no_difference() {
        assert!(!of(&[&[0.0, 0.9]]).left_out.contains(&true));
        assert!(!of(&[&[0.0, 0.9], &[0.0]]).left_out.contains(&true));
    }
}
