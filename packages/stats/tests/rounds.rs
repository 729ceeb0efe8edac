//! Leaving rounds out does not bias the ratio, because what is left out is decided from what the host took and for all
//! entries alike. Simulated: a host that takes bursts away, and two servers of a known ratio.

use rigmark_stats::rounds::rounds;

/// SplitMix64; the tests need no more.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

const RATIO: f64 = 1.05;
const ROUNDS: usize = 8;

struct Simulated {
    mean: f64,
    spread: f64,
    left_out: usize,
    disturbed: usize,
}

/// Mean and standard deviation of the blocks' log-ratios, less the true one. `heavier`: b has one more process that wants the
/// processor, so while it is loaded the hypervisor takes more.
fn simulate(blocks: usize, heavier: f64, rule: bool) -> Simulated {
    let mut draw = Draw(7);
    let mut logs = Vec::new();
    let (mut left_out, mut disturbed) = (0, 0);
    for _ in 0..blocks {
        // A level for the block, and bursts that may meet either slice.
        let level = 0.3 * draw.next();
        let slice = |more: f64, draw: &mut Draw| {
            let burst = if draw.next() < 0.15 { 0.6 * draw.next() } else { 0.0 };
            let took: f64 = (level * more + burst + 0.02 * draw.normal()).clamp(0.0, 0.9);
            // The work that is left, and noise of the server's own.
            ((1.0 - took) * (0.02 * draw.normal()).exp(), took)
        };
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            a.push(slice(1.0, &mut draw));
            b.push(slice(heavier, &mut draw));
        }
        let taken = |s: &[(f64, f64)]| s.iter().map(|(_, took)| Some(*took)).collect::<Vec<_>>();
        let judged = rounds(&[taken(&a), taken(&b)]);
        if rule && judged.disturbed {
            disturbed += 1;
            continue;
        }
        let kept = |index: usize| !rule || !judged.left_out[index];
        left_out += (0..ROUNDS).filter(|i| !kept(*i)).count();
        let sum = |s: &[(f64, f64)]| (0..ROUNDS).filter(|i| kept(*i)).map(|i| s[i].0).sum::<f64>();
        logs.push((RATIO * sum(&b) / sum(&a)).ln() - RATIO.ln());
    }
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let spread = (logs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (logs.len() - 1) as f64).sqrt();
    Simulated {
        mean,
        spread,
        left_out,
        disturbed,
    }
}

#[test]
fn leaving_rounds_out_moves_no_ratio_and_narrows_the_noise() {
    let blocks = 4_000;
    let (with, without) = (simulate(blocks, 1.0, true), simulate(blocks, 1.0, false));
    assert!(with.left_out > blocks / 10, "the rule is met: {}", with.left_out);
    // Four standard errors.
    assert!(
        with.mean.abs() < 4.0 * with.spread / (blocks as f64).sqrt(),
        "{}",
        with.mean
    );
    assert!(with.spread < 0.8 * without.spread, "{} {}", with.spread, without.spread);
    assert!(with.disturbed < blocks / 20, "{}", with.disturbed);
}

/// On a host that spoils hardly a block of two entries, one of twelve counts as well.
#[test]
fn a_run_of_many_entries_is_held_to_no_more_than_one_of_two() {
    let mut draw = Draw(11);
    let mut disturbed = |entries: usize| {
        let blocks = 500;
        let of = (0..blocks).filter(|_| {
            let taken: Vec<Vec<Option<f64>>> = (0..entries)
                .map(|_| {
                    let burst = |draw: &mut Draw| if draw.next() < 0.15 { 0.6 * draw.next() } else { 0.0 };
                    (0..ROUNDS).map(|_| Some(0.1 + burst(&mut draw))).collect()
                })
                .collect();
            rounds(&taken).disturbed
        });
        of.count() as f64 / f64::from(blocks)
    };
    for entries in [2, 3, 5, 12] {
        assert!(disturbed(entries) < 0.02, "{entries}");
    }
}

/// Where the host takes more from one entry *because of it*, that is the entry's own, and most of it stays: here 3.4 % of 4.2 %.
#[test]
fn what_an_entry_brings_upon_itself_mostly_stays_in_its_ratio() {
    let blocks = 4_000;
    let (with, without) = (simulate(blocks, 1.2, true), simulate(blocks, 1.2, false));
    assert!(with.mean < 0.7 * without.mean, "{} {}", with.mean, without.mean);
    assert!(with.mean > without.mean, "{} {}", with.mean, without.mean);
}
