use crate::input::{FailedVerification, TrialStatus};
use crate::summarize;
use crate::summary::{NoWinnerCode, Verdict};
use crate::testing::{about, bind, bind_in, closed, lose, noisy, only, other, rated, third};

fn expect(input: &crate::SummaryInput, winner: Option<&str>, why: Option<&str>) {
    let found = only(input);
    assert_eq!(
        (found.winner_key.as_deref(), found.no_winner.as_deref()),
        (winner, why),
        "{}",
        found.sentence
    );
}

#[test]
fn a_median_alone_wins_nothing() {
    let pair = |level, blocks| closed(&[("nginx", &noisy(100.0, blocks)), ("epoll", &other(level, blocks))]);
    expect(&pair(120.0, 7), Some("epoll"), None);
    expect(&pair(80.0, 7), Some("nginx"), None);
    expect(&pair(100.5, 7), None, Some("no difference shown"));
    expect(&pair(200.0, 3), None, Some("3 blocks, no verdict"));
    expect(&pair(200.0, 1), None, Some("1 block, no verdict"));
    expect(
        &closed(&[("a", &[100.0; 7]), ("b", &[120.0; 7])]),
        None,
        Some("not comparable"),
    );
}

#[test]
fn why_nobody_wins_is_a_code_with_words_in_two_languages() {
    let why = |blocks| {
        let found = only(&closed(&[
            ("nginx", &noisy(100.0, blocks)),
            ("epoll", &other(100.5, blocks)),
        ]));
        (found.no_winner_code, found.no_winner_zh)
    };
    assert_eq!(
        why(7),
        (Some(NoWinnerCode::NoDifference), Some("没有显示出差异".to_owned()))
    );
    assert_eq!(
        why(3),
        (Some(NoWinnerCode::TooFewBlocks), Some("3 个区组，没有结论".to_owned()))
    );
    let won = only(&closed(&[("nginx", &noisy(100.0, 7)), ("epoll", &other(120.0, 7))]));
    assert_eq!((won.no_winner_code, won.no_winner_zh), (None, None));
}

#[test]
fn the_baseline_wins_when_every_other_is_slower() {
    let entries = |third_level| {
        closed(&[
            ("nginx", &noisy(100.0, 7)),
            ("epoll", &other(80.0, 7)),
            ("uv", &third(third_level, 7)),
        ])
    };
    expect(&entries(70.0), Some("nginx"), None);
    assert!(
        only(&entries(70.0))
            .sentence
            .ends_with("nginx was shown to be faster than epoll and uv."),
        "{}",
        only(&entries(70.0)).sentence
    );
    expect(&entries(99.5), None, Some("no difference shown"));
    assert!(
        only(&entries(99.5))
            .sentence
            .ends_with("Of 3 entries, nginx and uv lead, with no difference shown between them."),
        "{}",
        only(&entries(99.5)).sentence
    );
}

#[test]
fn faster_than_the_baseline_is_not_faster_than_the_runner_up() {
    let entries = |second| {
        closed(&[
            ("nginx", &noisy(100.0, 7)),
            ("epoll", &other(150.0, 7)),
            ("uv", &third(second, 7)),
        ])
    };
    let close = entries(149.0);
    assert_eq!(about(&close, "epoll").verdict, Some(Verdict::Faster));
    expect(&close, None, Some("no difference shown"));
    let text = only(&close).sentence;
    assert!(
        text.ends_with("Of 3 entries, epoll and uv lead, with no difference shown between them."),
        "{text}"
    );
    let clear = entries(130.0);
    expect(&clear, Some("epoll"), None);
    let text = only(&clear).sentence;
    assert!(text.ends_with("epoll was shown to be faster than uv too."), "{text}");
}

#[test]
fn the_runner_up_is_compared_within_blocks_and_not_by_way_of_the_baseline() {
    // The baseline is so noisy that both intervals of its ratios are wide; the two others go up and down together.
    let wild = [60.0, 100.0, 80.0, 120.0, 70.0, 110.0, 90.0];
    let a: Vec<f64> = wild.iter().rev().zip(noisy(2.2, 7)).map(|(w, n)| w * n).collect();
    let b: Vec<f64> = wild.iter().rev().zip(other(2.0, 7)).map(|(w, n)| w * n).collect();
    let input = closed(&[("base", &wild), ("a", &a), ("b", &b)]);
    let (of_a, of_b) = (about(&input, "a").ratio.unwrap(), about(&input, "b").ratio.unwrap());
    assert!(of_a.low < of_b.high, "the intervals overlap");
    expect(&input, Some("a"), None);
}

#[test]
fn the_baseline_may_stand_between_the_first_and_a_rival() {
    // Every block gives a and c the same ratio, so its interval is unknown; but one beat the baseline and one lost to it.
    let (base, a, c) = (noisy(100.0, 7), other(150.0, 7), other(50.0, 7));
    expect(&closed(&[("base", &base), ("a", &a), ("c", &c)]), Some("a"), None);
    let c = other(100.0, 7);
    expect(
        &closed(&[("base", &base), ("a", &a), ("c", &c)]),
        None,
        Some("not comparable"),
    );
    let found = only(&closed(&[("base", &base), ("a", &a), ("c", &c)]));
    let said = found
        .sentence
        .ends_with("There is no verdict on a against c (all 7 blocks gave the same ratio).");
    assert!(said, "{}", found.sentence);
    let said = found
        .sentence_zh
        .ends_with("a 与 c（全部 7 个区组的比值都相同）相比没有结论。");
    assert!(said, "{}", found.sentence_zh);
}

#[test]
fn who_is_first_does_not_widen_the_intervals_of_the_verdicts() {
    let (base, a, b) = (noisy(100.0, 7), other(120.0, 7), third(119.0, 7));
    let all = summarize(&closed(&[("base", &base), ("a", &a), ("b", &b)])).unwrap();
    assert!(
        all.scenarios[0].entries[0]
            .sentence
            .contains("adjusted for 2 comparisons")
    );
}

#[test]
fn more_entries_ask_more_of_every_pair() {
    let (base, a, b) = (noisy(100.0, 5), other(150.0, 5), third(145.5, 5));
    let mut entries: Vec<(&str, &[f64])> = vec![("base", &base), ("a", &a), ("b", &b)];
    expect(&closed(&entries), Some("a"), None);
    // Four more that are level with each other, far behind.
    let more = [noisy(50.0, 5), other(50.0, 5), third(50.0, 5), noisy(50.01, 5)];
    entries.extend(["c", "d", "e", "f"].into_iter().zip(more.iter().map(Vec::as_slice)));
    expect(&closed(&entries), None, Some("no difference shown"));
}

const RUNS: u32 = 1_000;

#[test]
fn of_equals_one_in_twenty_wins_at_most() {
    // SplitMix64 and the sum of twelve uniforms: near enough to normal, and the same on every machine.
    let mut state = 7_u64;
    let mut uniform = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut around = |level: f64| -> Vec<f64> {
        (0..5)
            .map(|_| level * crate::math::exp(0.02 * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0)))
            .collect()
    };
    for equals in [2_usize, 3] {
        let mut won = 0;
        for _ in 0..RUNS {
            let base = around(10.0);
            let same: Vec<Vec<f64>> = (0..equals).map(|_| around(100.0)).collect();
            let mut entries: Vec<(&str, &[f64])> = vec![("base", &base)];
            entries.extend(
                ["a", "b", "c", "d", "e"]
                    .into_iter()
                    .zip(same.iter().map(Vec::as_slice)),
            );
            won += u32::from(only(&closed(&entries)).winner_key.is_some());
        }
        // Three standard errors above 5 %.
        assert!(
            f64::from(won) < f64::from(RUNS) * 0.07,
            "{equals} equals: {won} of {RUNS}"
        );
    }
}

#[test]
fn bounds_win_over_rates_and_not_over_bounds() {
    let mut input = closed(&[
        ("nginx", &noisy(100.0, 7)),
        ("epoll", &other(150.0, 7)),
        ("uv", &third(130.0, 7)),
    ]);
    bind(&mut input, "epoll");
    expect(&input, Some("epoll"), None);
    bind(&mut input, "uv");
    expect(&input, None, Some("not comparable"));
    assert_eq!(only(&input).entries.iter().filter(|e| e.rank == Some(1)).count(), 2);
    let mut input = closed(&[("nginx", &noisy(100.0, 7)), ("epoll", &other(80.0, 7))]);
    bind(&mut input, "epoll");
    expect(&input, None, Some("not comparable"));
}

#[test]
fn who_did_not_sustain_the_rate_is_no_rival_and_no_winner() {
    let mut input = rated(&[("a", &noisy(300.0, 7)), ("b", &other(100.0, 7)), ("c", &third(50.0, 7))]);
    expect(&input, Some("c"), None);
    lose(&mut input, "c", 2);
    expect(&input, Some("b"), None);
    lose(&mut input, "a", 2);
    expect(&input, None, Some("no verdict"));
    lose(&mut input, "b", 2);
    expect(&input, None, Some("rate not sustained"));
    // Not one of three alike by name, and that it ranks last.
    assert_eq!(
        only(&input).sentence,
        "No entry sustained 5,000 requests a second in all its trials."
    );
}

#[test]
fn without_a_baseline_in_the_race_nobody_wins() {
    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(150.0, 7)), ("c", &third(50.0, 7))]);
    expect(&input, Some("b"), None);
    let reason = "half a file".to_owned();
    input.failed_verification.push(FailedVerification {
        entry_key: "a".to_owned(),
        scenario: None,
        reason,
    });
    expect(&input, None, Some("no verdict"));
    for trial in &mut input.trials {
        trial.status = TrialStatus::Invalid;
    }
    expect(&input, None, Some("nothing ranked"));
    expect(&closed(&[("a", &noisy(100.0, 7))]), None, Some("nothing to compare"));
}

#[test]
fn an_entry_without_blocks_enough_stands_in_the_way() {
    let mut input = closed(&[("a", &noisy(100.0, 7)), ("b", &other(150.0, 7)), ("c", &third(50.0, 7))]);
    input.trials.retain(|t| t.entry_key != "c" || t.block < 4);
    expect(&input, None, Some("3 blocks, no verdict"));
    let found = only(&input);
    assert!(
        found
            .sentence
            .ends_with("7 blocks). There is no verdict on b against c (3 blocks in common)."),
        "{}",
        found.sentence
    );
    assert!(
        found
            .sentence_zh
            .ends_with("7 个区组）。b 与 c（3 个共同区组）相比没有结论。"),
        "{}",
        found.sentence_zh
    );
}

#[test]
fn who_leads_is_said_of_those_that_can_be_compared() {
    let mut input = closed(&[
        ("nginx", &noisy(100.0, 7)),
        ("epoll", &other(80.0, 7)),
        ("uv", &third(99.5, 7)),
        ("few", &other(50.0, 3)),
    ]);
    let found = only(&input);
    assert!(
        found.sentence.ends_with(
            "Of the 3 entries that can be compared, nginx and uv lead, with no difference shown between them. There is \
             no verdict on nginx against few (3 blocks in common)."
        ),
        "{}",
        found.sentence
    );
    assert!(
        found.sentence_zh.ends_with(
            "可以比较的 3 个参赛项中 nginx 和 uv 领先，它们之间没有显示出差异。nginx 与 few（3 个共同区组）相比没有结论。"
        ),
        "{}",
        found.sentence_zh
    );
    input.trials.retain(|t| t.entry_key != "epoll");
    let text = only(&input).sentence;
    assert!(
        text.contains("Of the 2 entries that can be compared, none was shown to lead. There is no verdict on nginx"),
        "{text}"
    );
}

#[test]
fn what_the_verdict_has_said_is_not_said_again() {
    let mut input = closed(&[
        ("nginx", &noisy(100.0, 7)),
        ("epoll", &other(80.0, 7)),
        ("uv", &third(95.0, 3)),
    ]);
    for baseline in ["nginx", "uv"] {
        input.baseline_key = Some(baseline.to_owned());
        let text = only(&input).sentence;
        assert!(
            text.contains("3 of 7 blocks have a valid trial of both") && text.ends_with(" requests a second."),
            "{text}"
        );
    }
}

#[test]
fn a_first_that_is_a_bound_is_not_level_with_what_it_does_not_beat() {
    let (b, c) = (other(150.0, 7), third(149.5, 7));
    let (first, second) = (("b", &*b), ("c", &*c));
    for [one, two] in [[first, second], [second, first]] {
        let mut input = closed(&[("a", &noisy(100.0, 7)), one, two]);
        bind_in(&mut input, "b", &[2]);
        expect(&input, None, Some("not comparable"));
        let found = only(&input);
        let said = found
            .sentence
            .ends_with("in 1 of 7 blocks. There is no verdict on b against c (ab was the bottleneck for b).");
        assert!(said, "{}", found.sentence);
        let said = found.sentence_zh.ends_with("b 与 c（b 的瓶颈在 ab）相比没有结论。");
        assert!(said, "{}", found.sentence_zh);
    }
}

#[test]
fn equal_medians_have_no_winner_whatever_the_ratio() {
    let input = closed(&[
        ("a", &[100.0, 100.0, 100.0, 100.0, 90.0, 91.0, 92.0]),
        ("b", &[100.0, 101.0, 102.0, 103.0, 99.0, 98.0, 97.0]),
    ]);
    assert_eq!(only(&input).winner_key, None);
}
