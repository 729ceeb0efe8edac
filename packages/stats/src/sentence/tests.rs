use crate::input::FailedVerification;
use crate::testing::{about, bind, closed, lose, noisy, only, other, rated};

#[test]
fn show() {
    let mut i = closed(&[("nginx", &noisy(11_400.0, 7)), ("epoll", &other(14_005.0, 7))]);
    let show = |i: &crate::SummaryInput| {
        let s = only(i);
        println!("## {}", s.sentence);
        s.entries.iter().for_each(|e| println!("   - {}", e.sentence));
    };
    show(&i);
    bind(&mut i, "epoll");
    show(&i);
    bind(&mut i, "nginx");
    show(&i);
    let mut i = closed(&[
        ("nginx", &noisy(14_400.0, 7)),
        ("epoll", &other(14_005.0, 7)),
        ("uring", &other(15_000.0, 7)),
    ]);
    i.failed_verification.push(FailedVerification {
        entry_key: "uring".into(),
        reason: "12 of 1,024 bytes".into(),
    });
    bind(&mut i, "epoll");
    show(&i);
    i.baseline_key = Some("uring".into());
    show(&i);
    show(&closed(&[
        ("nginx", &noisy(14_400.0, 7)),
        ("epoll", &other(14_405.0, 7)),
        ("uring", &other(13_000.0, 7)),
    ]));
    show(&closed(&[
        ("nginx", &noisy(14_400.0, 3)),
        ("epoll", &other(14_405.0, 3)),
        ("uring", &other(13_000.0, 2)),
    ]));
    show(&closed(&[("nginx", &[]), ("epoll", &[])]));
    show(&closed(&[("nginx", &[1.0])]));
    show(&closed(&[("nginx", &[1.0; 6]), ("epoll", &[2.0; 6])]));
    show(&closed(&[]));
    let mut i = rated(&[
        ("nginx", &noisy(1_400.0, 7)),
        ("epoll", &other(1_200.0, 7)),
        ("uv", &noisy(80.0, 7)),
    ]);
    show(&i);
    lose(&mut i, "uv", 2);
    show(&i);
    lose(&mut i, "nginx", 2);
    show(&i);
    println!("{}", about(&i, "uv").percentiles[3].note.as_deref().unwrap());
}
