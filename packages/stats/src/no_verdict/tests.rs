use crate::input::{FailedVerification, Rounds, TrialStatus};
use crate::summary::{NoVerdict, NoVerdictCode as Code, ScenarioSummary};
use crate::testing::{bind, closed, disturb, lose, noisy, only, other, rated, third};

fn pair(blocks: usize, asked: u32) -> crate::SummaryInput {
    let mut input = closed(&[("nginx", &noisy(100.0, blocks)), ("epoll", &other(100.5, blocks))]);
    input.blocks_asked = Some(asked);
    input
}

fn why(input: &crate::SummaryInput) -> NoVerdict {
    let ScenarioSummary {
        no_verdict, sentence, ..
    } = only(input);
    no_verdict.unwrap_or_else(|| panic!("{sentence}"))
}

#[test]
fn too_few_blocks_were_asked_for() {
    let found = why(&pair(3, 3));
    assert_eq!(
        (found.code, found.sentence.as_str()),
        (
            Code::TooFewBlocksAsked,
            "A verdict needs 5 blocks, and this run asked for 3; ask for 5 or more (--repeats 5)."
        )
    );
    // The host is not to blame for what could not have had a verdict.
    let mut input = pair(3, 3);
    disturb(&mut input, &[2], 0.3);
    let found = why(&input);
    assert_eq!(found.code, Code::TooFewBlocksAsked);
    assert!(
        found
            .sentence
            .ends_with("(--repeats 5). 2 of 3 blocks count; 1 was disturbed by the host (steal up to 30 %)."),
        "{}",
        found.sentence
    );
}

#[test]
fn the_host_disturbed_too_many() {
    let mut input = pair(10, 5);
    disturb(&mut input, &[1, 2, 3, 4, 5, 6, 7], 0.12);
    disturb(&mut input, &[8], 0.312);
    let found = why(&input);
    assert_eq!(
        (found.code, found.sentence.as_str()),
        (
            Code::HostNoisy,
            "2 of 10 blocks count; 8 were disturbed by the host (steal up to 31 %). A verdict needs 5: measure at a \
             quieter hour, on another host, or for a longer time."
        )
    );
    assert_eq!(
        found.sentence_zh,
        "10 个区组中有 2 个计入；8 个受到主机干扰（被窃取的 CPU 时间最多占 31 %）。得出结论需要 5 个：请换一个更安静的时段、换一台主机，或延长测量时间。"
    );
    assert!(only(&input).sentence.starts_with(&found.sentence));
    let blocks = only(&input).blocks.unwrap();
    assert_eq!(
        (
            blocks.asked,
            blocks.measured,
            blocks.counted,
            blocks.disturbed,
            blocks.steal_max
        ),
        (Some(5), 10, 2, 8, Some(0.312))
    );
    disturb(&mut input, &[9, 10], 0.2);
    assert_eq!(why(&input).code, Code::HostNoisy);
    let text = only(&input).sentence;
    assert!(
        text.starts_with("0 of 10 blocks count; 10 were disturbed by the host (steal up to 31 %)."),
        "{text}"
    );
    assert!(
        text.ends_with("Nothing is ranked. nginx and epoll: no valid trial: The host disturbed it."),
        "{text}"
    );
}

#[test]
fn the_sentence_names_what_took_most_of_the_host() {
    let mut input = pair(10, 5);
    disturb(&mut input, &[1, 2, 3, 4, 5, 6, 7], 0.002);
    for trial in input.trials.iter_mut().filter(|t| t.block == 3) {
        trial.taken_ratio = Some(0.162);
    }
    let found = why(&input);
    assert!(
        found.sentence.starts_with(
            "3 of 10 blocks count; 7 were disturbed by the host (other programs used up to 16 % of its CPU time)."
        ),
        "{}",
        found.sentence
    );
    assert!(
        found
            .sentence_zh
            .contains("7 个受到主机干扰（其他程序最多占用 CPU 时间的 16 %）"),
        "{}",
        found.sentence_zh
    );
}

#[test]
fn a_journal_from_before_the_code_blames_the_host_too() {
    let mut input = pair(6, 6);
    disturb(&mut input, &[1, 2], 0.3);
    input
        .trials
        .iter_mut()
        .filter(|t| t.reason.is_some())
        .for_each(|t| t.reason_code = Some("steal".to_owned()));
    assert_eq!(why(&input).code, Code::HostNoisy);
}

#[test]
fn blocks_that_are_missing_or_invalid_are_not_the_hosts() {
    assert_eq!(
        (why(&pair(3, 10)).code, why(&pair(3, 10)).sentence.as_str()),
        (
            Code::BlocksMissing,
            "3 of 10 blocks were measured, and a verdict needs 5."
        )
    );
    let mut input = pair(6, 6);
    for trial in input.trials.iter_mut().filter(|t| t.block < 3) {
        trial.status = TrialStatus::Invalid;
        trial.reason = Some("2 % of the requests failed.".to_owned());
        trial.reason_code = Some("errors".to_owned());
    }
    let found = why(&input);
    assert_eq!(
        (found.code, found.reason.as_deref()),
        (Code::BlocksInvalid, Some("2 % of the requests failed."))
    );
    assert_eq!(
        found.sentence,
        "4 of 6 blocks have a valid trial of both epoll and nginx; a verdict needs 5. The first invalid trial: 2 % of the \
         requests failed."
    );
}

#[test]
fn the_tool_was_the_limit() {
    let mut input = pair(7, 7);
    bind(&mut input, "epoll");
    let found = why(&input);
    assert_eq!((found.code, found.limited), (Code::ToolLimit, vec!["epoll".to_owned()]));
    bind(&mut input, "nginx");
    let found = why(&input);
    assert_eq!((found.code, found.limited.len()), (Code::ToolLimit, 2));
    assert!(
        found.sentence.starts_with("ab was the bottleneck for nginx and epoll"),
        "{}",
        found.sentence
    );
}

#[test]
fn no_difference_says_what_would_have_been_seen() {
    let found = why(&pair(7, 7));
    let with = |n| why(&pair(n, 7)).difference.unwrap();
    assert_eq!((found.code, found.power), (Code::NoDifference, Some(0.8)));
    assert!(
        (0.03..0.06).contains(&with(7)) && with(7) > with(14) && with(14) > with(35),
        "{}",
        with(7)
    );
    assert_eq!(
        found.sentence,
        "No difference was shown between epoll and nginx; one of 3.8 % or more would have been shown in 4 of 5 runs."
    );
    assert!(
        only(&pair(7, 7))
            .sentence
            .ends_with("A difference of 3.8 % or more would have been shown in 4 of 5 runs.")
    );
    // More comparisons and more looks ask for more.
    let mut looked = pair(7, 7);
    looked.looks = 3;
    assert!(why(&looked).difference.unwrap() > with(7));
}

#[test]
fn other_codes() {
    let code = |input: &crate::SummaryInput| why(input).code;
    assert_eq!(code(&closed(&[("a", &noisy(100.0, 7))])), Code::NothingToCompare);
    assert_eq!(code(&closed(&[("a", &[100.0; 7]), ("b", &[120.0; 7])])), Code::NoSpread);
    for (failed, wanted) in [
        ("nginx", Code::BaselineFailedVerification),
        ("epoll", Code::FailedVerification),
    ] {
        let mut input = pair(7, 7);
        let reason = "half a file".to_owned();
        input.failed_verification.push(FailedVerification {
            scenario: None,
            entry_key: failed.to_owned(),
            reason,
        });
        assert_eq!(code(&input), wanted);
    }
    let mut input = rated(&[("a", &noisy(300.0, 7)), ("b", &other(100.0, 7))]);
    lose(&mut input, "b", 2);
    assert_eq!(
        (code(&input), why(&input).sentence.as_str()),
        (
            Code::RateNotSustained,
            "b did not sustain 5,000 requests a second, so there is no verdict; ask for a lower rate."
        )
    );
    let mut input = pair(7, 7);
    input
        .trials
        .iter_mut()
        .filter(|t| t.entry_key == "nginx")
        .for_each(|t| t.requests_per_s = None);
    assert_eq!(
        (code(&input), why(&input).sentence.as_str()),
        (
            Code::NoFigure,
            "nginx has no figure to compare: no trial gave a rate that can be used."
        )
    );
    assert_eq!(only(&closed(&[])).no_verdict, None);
}

#[test]
fn a_verdict_has_no_code_and_says_which_blocks_count() {
    let mut input = closed(&[
        ("a", &noisy(100.0, 9)),
        ("b", &other(120.0, 9)),
        ("c", &third(100.0, 9)),
    ]);
    disturb(&mut input, &[3, 4], 0.31);
    input.trials.iter_mut().for_each(|t| {
        t.rounds = Some(Rounds {
            measured: 20,
            left_out: 3,
        })
    });
    let found = only(&input);
    assert_eq!(found.no_verdict, None);
    let line = "7 of 9 blocks count; 2 were disturbed by the host (steal up to 31 %). 21 of 140 rounds were left out because \
                the host disturbed them.";
    assert_eq!(found.blocks.unwrap().sentence.as_deref(), Some(line));
    assert!(found.sentence.contains(line), "{}", found.sentence);
}
