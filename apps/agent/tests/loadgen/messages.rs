//! WebSockets: echoes, and messages that are lost or changed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rigmark::protocol::spec::{Load, Payload, Scenario, Workload};
use tokio_tungstenite::tungstenite::{Message, accept};

use super::{CONNECTIONS, backends, closed, count, listen, load, load_within, scenario};

/// A server that echoes what `change` makes of each message; `None` is dropped.
fn echo(change: fn(u64, Message) -> Option<Message>) -> u16 {
    listen(move |stream, _| {
        let _ = stream.set_nodelay(true);
        let Ok(mut socket) = accept(stream) else { return };
        let mut number = 0;
        while let Ok(message) = socket.read() {
            if message.is_close() {
                return;
            }
            number += 1;
            if let Some(message) = change(number, message)
                && socket.send(message).is_err()
            {
                return;
            }
        }
    })
}

fn greetings(load: Load) -> Scenario {
    Scenario {
        payload: Some(Payload::Greeting {}),
        ..scenario(Workload::WsEcho, load)
    }
}

#[test]
fn messages_come_back_and_each_sample_is_kept() {
    let port = echo(|_, message| Some(message));
    for backend in backends() {
        let ran = load(port, &greetings(count(200, 1)), backend);
        assert_eq!(
            (ran.result.requests, ran.result.failures.total),
            (200, 0),
            "{backend:?}"
        );
        let samples: Vec<u64> = ran.files["samples.txt"].lines().map(|l| l.parse().unwrap()).collect();
        assert_eq!(samples.len(), 200);
        let latency = ran.result.latency.unwrap();
        let mean = samples.iter().sum::<u64>() as f64 / 200.0 / 1000.0;
        assert!((latency.mean_us.unwrap() / mean - 1.0).abs() < 0.001);
        for payload in [Payload::Bytes { bytes: 70_000 }, Payload::Text { bytes: 10 }] {
            let many = Scenario {
                payload: Some(payload),
                in_flight: Some(4),
                ..greetings(count(100, 2))
            };
            let result = load(port, &many, backend).result;
            assert_eq!(
                (result.requests, result.failures.total),
                (100, 0),
                "{backend:?} {result:?}"
            );
        }
    }
}

#[test]
fn heads_of_frames_and_the_handshake_are_among_the_bytes() {
    let port = echo(|_, message| Some(message));
    for backend in backends() {
        let bytes = |messages| {
            let of = Scenario {
                payload: Some(Payload::Text { bytes: 10 }),
                ..greetings(count(messages, 1))
            };
            load(port, &of, backend).result.bytes_received.unwrap()
        };
        let (few, many) = (bytes(100), bytes(300));
        assert_eq!(many - few, 200 * (2 + 10), "{backend:?}");
        let handshake = few - 100 * (2 + 10);
        assert!((100..300).contains(&handshake), "{backend:?} {handshake}");
    }
}

#[test]
fn lost_and_changed_messages_are_failures_by_kind() {
    for backend in backends() {
        let lost = echo(|n, message| (n == 1).then_some(message));
        let result = load_within(1.0, lost, &greetings(closed(true)), backend).result;
        // On a busy host a connection may not come to its second message.
        let timeouts = result.failures.timeout.unwrap();
        assert!(
            (1..=u64::from(CONNECTIONS)).contains(&timeouts) && result.requests <= u64::from(CONNECTIONS),
            "{backend:?} {result:?}"
        );
        let lower = echo(|_, message| Some(Message::text(message.to_text().unwrap().to_lowercase())));
        let result = load(lower, &greetings(count(100, 2)), backend).result;
        assert_eq!(result.failures.content, Some(100), "{backend:?} {result:?}");
        let short = echo(|n, message| {
            let text = message.to_text().unwrap();
            Some(Message::text(if n == 7 { &text[1..] } else { text }))
        });
        let result = load(short, &greetings(count(100, 1)), backend).result;
        assert_eq!(
            (result.failures.length, result.failures.total),
            (Some(1), 1),
            "{backend:?}"
        );
        let binary = echo(|_, message| Some(Message::binary(message.into_data())));
        let result = load(binary, &greetings(count(50, 1)), backend).result;
        assert_eq!(result.failures.content, Some(50), "{backend:?}");
    }
}

/// "C connections with M messages each": who answers quickly gets no messages of those who do not.
#[test]
fn each_connection_of_a_count_sends_its_own_share() {
    for backend in backends() {
        let seen: Arc<[AtomicU64; 4]> = Arc::default();
        let counts = seen.clone();
        let port = listen(move |stream, n| {
            let _ = stream.set_nodelay(true);
            let Ok(mut socket) = accept(stream) else { return };
            while let Ok(message) = socket.read() {
                if message.is_close() {
                    return;
                }
                counts[n as usize % 4].fetch_add(1, Ordering::SeqCst);
                if n == 0 {
                    std::thread::sleep(Duration::from_millis(2));
                }
                if socket.send(message).is_err() {
                    return;
                }
            }
        });
        let result = load(port, &greetings(count(162, 4)), backend).result;
        assert_eq!((result.requests, result.failures.total), (162, 0), "{backend:?}");
        let mut seen: Vec<u64> = seen.iter().map(|n| n.load(Ordering::SeqCst)).collect();
        seen.sort_unstable();
        assert_eq!(seen, [40, 40, 41, 41], "{backend:?}");
    }
}
