use crate::input::{FailedVerification, SummaryInput};
use crate::summarize;
use crate::testing::{about, bind, bind_in, closed, costed, lose, noisy, only, other, rated};

fn says(input: &SummaryInput, wanted: &str) {
    assert_eq!(only(input).sentence, wanted);
}

fn pair(blocks: usize) -> SummaryInput {
    closed(&[("nginx", &noisy(11_400.0, blocks)), ("epoll", &other(14_005.0, blocks))])
}

#[test]
fn a_difference() {
    says(
        &pair(7),
        "epoll answered 1.23 × as many requests a second as nginx (95 % interval 1.19 to 1.26, 7 blocks).",
    );
    assert_eq!(
        about(&pair(7), "nginx").sentence,
        "nginx, the baseline, answered 11,400 requests a second (median of 7 trials, 11,200 to 11,600)."
    );
}

#[test]
fn no_difference_with_the_baseline_first() {
    let rates = [noisy(14_400.0, 7), other(14_300.0, 7), other(13_000.0, 7)];
    let input = closed(&[("nginx", &rates[0]), ("epoll", &rates[1]), ("io-uring", &rates[2])]);
    says(
        &input,
        "No difference was shown between epoll and nginx: the ratio of their rates is 0.992 (95 % interval 0.965 to \
         1.02 adjusted for 2 comparisons, 7 blocks). A difference of 4.5 % or more would have been shown in 4 of 5 runs. \
         Of 3 entries, nginx and epoll lead, with no difference shown between them.",
    );
}

#[test]
fn too_few_blocks() {
    let medians = "ask for 5 or more (--repeats 5). Medians: nginx 11,400, epoll 14,000 requests a second.";
    says(
        &pair(3),
        &format!("A verdict needs 5 blocks, and 3 were measured; {medians}"),
    );
    let mut input = pair(6);
    input.trials[0].status = crate::input::TrialStatus::Invalid;
    input.trials[7].status = crate::input::TrialStatus::Invalid;
    says(
        &input,
        "4 of 6 blocks have a valid trial of both epoll and nginx; a verdict needs 5. \
         Medians: nginx 11,500, epoll 14,000 requests a second.",
    );
    assert_eq!(
        about(&pair(1), "epoll").sentence,
        "epoll answered 14,100 requests a second (one trial). A verdict needs 5 blocks in common with nginx, \
         and there is 1."
    );
}

#[test]
fn the_generator_was_the_limit() {
    let mut input = pair(7);
    bind(&mut input, "epoll");
    says(
        &input,
        "epoll answered at least 1.23 × as many requests a second as nginx (95 % interval 1.19 to 1.26, 7 blocks); \
         ab was the bottleneck for epoll.",
    );
    bind(&mut input, "nginx");
    says(
        &input,
        "ab was the bottleneck for nginx and epoll, so their figures are bounds and give no verdict. \
         Medians: nginx ≥ 11,400, epoll ≥ 14,000 requests a second.",
    );
    let mut input = closed(&[
        ("nginx", &noisy(11_400.0, 7)),
        ("epoll", &other(14_000.0, 7)),
        ("uv", &other(12_000.0, 7)),
    ]);
    for name in ["nginx", "epoll", "uv"] {
        bind(&mut input, name);
    }
    assert!(only(&input).sentence.starts_with(
        "ab was the bottleneck for nginx, epoll and uv, so their figures are bounds and give no verdict."
    ));
    let mut input = closed(&[("nginx", &noisy(11_400.0, 7)), ("epoll", &other(11_000.0, 7))]);
    bind(&mut input, "epoll");
    says(
        &input,
        "epoll answered at least 11,000 requests a second, limited by ab (median of 7 trials, 10,800 to 11,200). \
         There is no verdict against nginx, which had 11,400 requests a second. \
         ab was the bottleneck for epoll, which may be better than nginx.",
    );
}

#[test]
fn the_generator_was_the_limit_in_some_blocks() {
    let with = |level: f64, bound: &[(&str, &[u64])]| {
        let mut input = closed(&[("nginx", &noisy(11_400.0, 7)), ("epoll", &other(level, 7))]);
        for (entry, blocks) in bound {
            bind_in(&mut input, entry, blocks);
        }
        only(&input)
    };
    assert!(
        with(14_005.0, &[("epoll", &[2])])
            .sentence
            .ends_with("7 blocks); ab was the bottleneck for epoll in 1 of 7 blocks.")
    );
    let none = with(11_400.0, &[("epoll", &[2, 3])]);
    assert!(
        none.sentence.contains(
            "ab was the bottleneck for epoll in 2 of 7 blocks, so there is no verdict against nginx, which had 11,400 requests a second."
        ),
        "{}",
        none.sentence
    );
    assert_eq!(none.no_winner.as_deref(), Some("not comparable"));
    assert!(
        with(14_005.0, &[("nginx", &[2])])
            .sentence
            .contains("ab was the bottleneck for nginx in 1 of 7 blocks, so there is no verdict.")
    );
    assert_eq!(
        with(14_005.0, &[("nginx", &[2]), ("epoll", &[1, 2, 3, 4, 5, 6, 7])]).sentence,
        "ab was the bottleneck for epoll in 7 of 7 blocks and for nginx in 1 of 7, so their ratio compares bounds and \
         gives no verdict. Medians: nginx 11,400, epoll ≥ 14,000 requests a second."
    );
}

#[test]
fn wrong_answers() {
    let mut input = pair(7);
    input.failed_verification.push(FailedVerification {
        entry_key: "epoll".into(),
        scenario: None,
        reason: "12 of 1,024 bytes".into(),
    });
    says(
        &input,
        "nginx, the baseline, answered 11,400 requests a second (median of 7 trials, 11,200 to 11,600). \
         epoll failed verification and is not ranked.",
    );
    assert_eq!(
        about(&input, "epoll").sentence,
        "epoll is not ranked: failed verification: 12 of 1,024 bytes."
    );
    input.failed_verification[0].entry_key = "nginx".to_owned();
    says(
        &input,
        "nginx, the baseline, failed verification, so there is no verdict. Medians: epoll 14,000 requests a second.",
    );
}

#[test]
fn nothing() {
    says(
        &closed(&[("nginx", &[]), ("epoll", &[])]),
        "Nothing is ranked. nginx and epoll: not measured.",
    );
    says(&closed(&[]), "Nothing is ranked: there is no entry.");
    says(
        &closed(&[("nginx", &[11_400.0])]),
        "nginx answered 11,400 requests a second (one trial).",
    );
    says(
        &closed(&[("nginx", &[100.0; 6]), ("epoll", &[150.0; 6])]),
        "epoll answered 150 requests a second (median of 6 trials, 150 to 150). All 6 blocks gave the same ratio to \
         nginx, 1.50: its interval is unknown, so there is no verdict.",
    );
}

#[test]
fn latency_at_a_fixed_rate() {
    let mut input = rated(&[
        ("nginx", &noisy(1_400.0, 7)),
        ("epoll", &other(1_200.0, 7)),
        ("uv", &other(80.0, 7)),
    ]);
    lose(&mut input, "uv", 2);
    says(
        &input,
        "At 5,000 requests a second, the p99 latency of epoll was 0.856 × that of nginx (95 % interval 0.833 to 0.879, \
         7 blocks; medians: epoll 1.20 ms, nginx 1.40 ms).",
    );
    assert_eq!(
        about(&input, "uv").sentence,
        "uv did not sustain 5,000 requests a second in 1 of 7 trials and ranks last."
    );
    assert_eq!(
        about(&input, "uv").percentiles[3].note.as_deref(),
        Some(
            "counts in 6 of 7 trials: in the others, 10.0 % of the requests were dropped, late or failed, and at most 0.1 % may be"
        )
    );
    lose(&mut input, "nginx", 2);
    says(
        &input,
        "At 5,000 requests a second, epoll had a p99 latency of 1.20 ms (median of 7 trials, 1.18 ms to 1.22 ms). \
         nginx, the baseline, did not sustain 5,000 requests a second, so there is no verdict.",
    );
    bind(&mut input, "epoll");
    assert!(
        about(&input, "epoll")
            .sentence
            .contains("a p99 latency of at most (limited by k6) 1.20 ms")
    );
}

#[test]
fn labels_are_told_apart_and_stay_on_one_line() {
    let mut input = pair(7);
    input.entries[0].label = "a\nb\u{7}".to_owned();
    input.entries[1].label = "x".repeat(200);
    let text = only(&input).sentence;
    assert!(
        text.contains(" as a b (") && text.starts_with(&format!("{}… answered", "x".repeat(80))),
        "{text}"
    );
    input.entries[1].label = "a b".to_owned();
    assert!(
        only(&input)
            .sentence
            .starts_with("a b (epoll) answered 1.23 × as many requests a second as a b (nginx) (")
    );
    input.entries[1].key = "0123456789abcdef".repeat(4);
    input.entries[1].label = String::new();
    input.trials.retain(|t| t.entry_key == "nginx");
    assert!(
        only(&input).entries[1]
            .sentence
            .starts_with("…456789abcdef is not ranked")
    );
}

#[test]
fn a_run_of_several_scenarios_counts_its_verdicts() {
    let mut input = pair(7);
    let mut second = input.scenarios[0].clone();
    second.id = "t".to_owned();
    input.scenarios.push(second);
    let text = summarize(&input).unwrap().sentence;
    assert_eq!(
        text,
        "Against nginx in 2 scenarios: epoll was faster in 1 and without a verdict in 1."
    );
    input.trials.retain(|t| t.block < 4);
    let text = summarize(&input).unwrap().sentence;
    assert!(
        text.starts_with(
            "There is no verdict in any of 2 scenarios. 1 KB, ab: A verdict needs 5 blocks, and 3 were measured;"
        ),
        "{text}"
    );
    input.scenarios.clear();
    input.trials.clear();
    assert_eq!(summarize(&input).unwrap().sentence, "Nothing was measured.");
}

#[test]
fn processor_time_is_spent() {
    let of = |epoll: f64| costed(&[("nginx", &noisy(40.0, 7)), ("epoll", &other(epoll, 7))]);
    says(
        &of(36.0),
        "At 5,000 requests a second, epoll spent 10.1 % less CPU time per request than nginx (0.899 ×; 95 % interval \
         0.875 to 0.923, 7 blocks; medians: epoll 36.0 µs, nginx 40.0 µs).",
    );
    assert!(
        about(&of(44.0), "epoll")
            .sentence
            .contains(" % more CPU time per request than nginx (1.10 ×; ")
    );
    assert!(
        about(&of(84.0), "epoll")
            .sentence
            .contains(" spent 2.10 × as much CPU time per request as nginx (95 % ")
    );
    assert_eq!(
        about(&of(44.0), "nginx").sentence,
        "At 5,000 requests a second, nginx, the baseline, spent 40.0 µs of CPU time per request (median of 7 trials, \
         39.2 µs to 40.8 µs)."
    );
}

#[test]
fn a_shared_ceiling_is_named() {
    let mut input = closed(&[("nginx", &noisy(14_000.0, 7)), ("epoll", &other(14_005.0, 7))]);
    bind(&mut input, "nginx");
    bind(&mut input, "epoll");
    says(
        &input,
        "ab was the bottleneck for nginx and epoll, a shared ceiling, so their figures are bounds and give no verdict. \
         Medians: nginx ≥ 14,000, epoll ≥ 14,000 requests a second.",
    );
    assert!(
        about(&input, "epoll")
            .sentence
            .ends_with("ab was the bottleneck for nginx too: both are only bounds, so there is no verdict.")
    );
}

#[test]
fn looks_widen_the_interval_and_are_told() {
    let mut input = pair(7);
    input.looks = 4;
    says(
        &input,
        "epoll answered 1.23 × as many requests a second as nginx (95 % interval 1.18 to 1.28 adjusted for 4 looks, 7 blocks).",
    );
}
