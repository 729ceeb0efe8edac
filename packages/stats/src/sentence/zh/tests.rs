use crate::input::FailedVerification;
use crate::testing::{about, bind, closed, lose, noisy, only, other, rated};

#[test]
fn a_difference() {
    let input = closed(&[("nginx", &noisy(11_400.0, 7)), ("epoll", &other(14_005.0, 7))]);
    assert_eq!(
        only(&input).sentence_zh,
        "epoll 每秒处理的请求数为 nginx 的 1.23 倍（95 % 置信区间 1.19 到 1.26，7 个区组）。"
    );
    assert_eq!(
        about(&input, "nginx").sentence_zh,
        "nginx（基线）每秒处理 11,400 个请求（7 次试验的中位数，11,200 到 11,600）。"
    );
}

#[test]
fn too_few_blocks_and_bounds() {
    let mut input = closed(&[("nginx", &noisy(11_400.0, 3)), ("epoll", &other(14_005.0, 3))]);
    assert_eq!(
        only(&input).sentence_zh,
        "得出结论需要 5 个区组，只测量了 3 个；请要求 5 个或更多（--repeats 5）。每秒请求数的中位数：nginx 11,400，epoll 14,000。"
    );
    input = closed(&[("nginx", &noisy(14_000.0, 7)), ("epoll", &other(14_005.0, 7))]);
    bind(&mut input, "nginx");
    bind(&mut input, "epoll");
    assert_eq!(
        only(&input).sentence_zh,
        "nginx 和 epoll 的瓶颈都在 ab，达到同一上限，它们的数值只是界限，不能得出结论。\
         每秒请求数的中位数：nginx ≥ 14,000，epoll ≥ 14,000。"
    );
}

#[test]
fn latency_that_was_not_sustained() {
    let mut input = rated(&[("nginx", &noisy(1_400.0, 7)), ("uv", &other(80.0, 7))]);
    assert_eq!(
        about(&input, "uv").sentence_zh,
        "在每秒 5,000 个请求下，uv 的 p99 延迟为 nginx 的 0.0571 倍（95 % 置信区间 0.0556 到 0.0586，7 个区组；\
         中位数：uv 80.0 µs，nginx 1.40 ms）。"
    );
    lose(&mut input, "uv", 2);
    assert_eq!(
        about(&input, "uv").sentence_zh,
        "uv 在 7 次试验中有 1 次没有维持每秒 5,000 个请求。"
    );
}

#[test]
fn what_others_said_stays_in_their_language() {
    let mut input = closed(&[("nginx", &noisy(11_400.0, 7)), ("epoll", &[])]);
    input.failed_verification.push(FailedVerification {
        entry_key: "epoll".into(),
        scenario: None,
        reason: "12 of 1,024 bytes".into(),
    });
    assert_eq!(
        about(&input, "epoll").sentence_zh,
        "epoll 未排名：未通过验证：12 of 1,024 bytes。"
    );
}
