//! HTTP: counts, rates, and responses that are wrong.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rigmark::protocol::result::BytesScope;
use rigmark::protocol::spec::{LatencyUntil, Load, Payload, Scenario, Workload};
use rigmark::workload::files::FILES;

use super::{CONNECTIONS, backends, closed, count, http, listen, load, scenario};

/// How often, and a server that answers each request with `body_for`.
fn counting(body_for: impl Fn(&[u8], u64) -> Vec<u8> + Send + Sync + 'static) -> (u16, Arc<[AtomicU64; 2]>) {
    let counts = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let shared = counts.clone();
    let port = listen(move |stream, _| {
        shared[1].fetch_add(1, Ordering::Relaxed);
        http(stream, &|body, number| {
            shared[0].fetch_add(1, Ordering::Relaxed);
            body_for(body, number)
        });
    });
    (port, counts)
}

fn seen(counts: &[AtomicU64; 2]) -> (u64, u64) {
    (counts[0].load(Ordering::Relaxed), counts[1].load(Ordering::Relaxed))
}

#[test]
fn it_counts_what_the_server_counts() {
    for backend in backends() {
        for keep_alive in [true, false] {
            let (port, counts) = counting(|_, _| FILES[0].content());
            let of = Scenario {
                duration_s: 1.0,
                ..scenario(Workload::Static, closed(keep_alive))
            };
            let ran = load(port, &of, backend);
            let result = &ran.result;
            // The last connections may be accepted when the load is over.
            let all = result.connections.unwrap();
            while seen(&counts).1 < all {
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            let (requests, connections) = seen(&counts);
            assert_eq!(result.failures.total, 0, "{backend:?} {result:?}");
            assert!(
                result.requests > 0 && requests >= result.requests,
                "{requests} {result:?}"
            );
            assert!(
                requests <= result.requests + u64::from(CONNECTIONS),
                "{requests} {result:?}"
            );
            assert_eq!((result.duration_us, connections), (1_000_000, all));
            if keep_alive {
                assert_eq!(connections, u64::from(CONNECTIONS));
            } else {
                assert!(connections >= result.requests);
            }
            assert_eq!(ran.histogram.unwrap().count, result.requests);
            assert_eq!(result.statuses.as_ref().unwrap()["2xx"], result.requests);
        }
    }
}

#[test]
fn a_count_is_exact() {
    for backend in backends() {
        let (port, counts) = counting(|_, _| FILES[0].content());
        let ran = load(port, &scenario(Workload::Static, count(1003, CONNECTIONS)), backend);
        assert_eq!((ran.result.requests, seen(&counts).0), (1003, 1003), "{backend:?}");
        let latency = ran.result.latency.unwrap();
        assert!(latency.mean_ci95_us.unwrap() > 0.0 && latency.outliers.unwrap() < 1003);
    }
}

#[test]
fn both_back_ends_count_all_bytes_that_come() {
    for backend in backends() {
        for (keep_alive, word) in [(true, "keep-alive"), (false, "close")] {
            let (port, _) = counting(|_, _| FILES[0].content());
            let of = Load::Count {
                requests: 200,
                connections: CONNECTIONS,
                keep_alive,
            };
            let result = load(port, &scenario(Workload::Static, of), backend).result;
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: 1024\r\nConnection: {word}\r\n\r\n");
            assert_eq!(
                (result.bytes_scope, result.bytes_received),
                (Some(BytesScope::Total), Some(200 * (head.len() as u64 + 1024))),
                "{backend:?} {word}"
            );
        }
    }
}

#[test]
fn a_server_that_leaves_the_end_to_the_client_is_counted_exactly() {
    for backend in backends() {
        let accepted = Arc::new(AtomicU64::new(0));
        let counts = accepted.clone();
        let port = listen(move |mut stream, _| {
            counts.fetch_add(1, Ordering::Relaxed);
            let mut request = Vec::new();
            let mut scratch = [0; 1024];
            while !request.ends_with(b"\r\n\r\n") {
                match stream.read(&mut scratch) {
                    Ok(n) if n > 0 => request.extend_from_slice(&scratch[..n]),
                    _ => return,
                }
            }
            let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n";
            let _ = stream.write_all(&[head, FILES[0].content().as_slice()].concat());
            // It waits for the client to end what the client asked it to end.
            let _ = stream.read(&mut scratch);
        });
        let of = Load::Count {
            requests: 400,
            connections: CONNECTIONS,
            keep_alive: false,
        };
        let result = load(port, &scenario(Workload::Static, of), backend).result;
        assert_eq!((result.requests, result.failures.total), (400, 0), "{backend:?}");
        assert_eq!(accepted.load(Ordering::Relaxed), 400, "{backend:?}");
    }
}

#[test]
fn a_rate_is_held_and_its_latency_counts_from_the_moment() {
    for backend in backends() {
        // Each 50th response of a connection takes 100 ms: with one connection the next ones have to wait for it.
        let (port, _) = counting(|_, number| {
            if number % 50 == 49 {
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            FILES[0].content()
        });
        let rate = |connections| Load::Rate {
            rate_per_s: 200,
            connections,
            keep_alive: true,
        };
        let ran = load(
            port,
            &Scenario {
                duration_s: 1.0,
                ..scenario(Workload::Static, rate(1))
            },
            backend,
        );
        let offered = ran.result.offered.unwrap();
        assert_eq!(offered.requests, 200, "{backend:?}");
        assert!(
            offered.dropped >= 30,
            "{backend:?} {offered:?}: those that waited were late"
        );
        let p90 = ran
            .result
            .latency
            .unwrap()
            .percentiles
            .iter()
            .find(|p| p.p == 90.0)
            .unwrap()
            .us;
        assert!(p90 > 20_000.0, "{backend:?} {p90}: what waited to be sent has waited");
    }
}

#[test]
fn wrong_answers_are_failures_by_kind() {
    for backend in backends() {
        let (port, _) = counting(|_, number| {
            let mut content = FILES[0].content();
            match number {
                5 => content[1000] ^= 1,
                7 => content.truncate(1000),
                _ => {}
            }
            content
        });
        let failures = load(port, &scenario(Workload::Static, count(400, 1)), backend)
            .result
            .failures;
        let kinds = (failures.content, failures.length, failures.total);
        assert_eq!(kinds, (Some(1), Some(1), 2), "{backend:?}");
    }
}

#[test]
fn sums_are_compared_one_by_one() {
    let sum = |body: &[u8]| serde_json::from_slice::<Vec<i64>>(body).unwrap().iter().sum::<i64>();
    for backend in backends() {
        let of = Scenario {
            payload: Some(Payload::Numbers { count: 50 }),
            ..scenario(Workload::JsonSum, count(300, CONNECTIONS))
        };
        let (port, _) = counting(move |body, _| format!("sum = {}", sum(body)).into_bytes());
        assert_eq!(load(port, &of, backend).result.failures.total, 0, "{backend:?}");
        // The response to the first body for ever.
        let (first, kept) = (std::sync::OnceLock::new(), sum);
        let (port, _) = counting(move |body, _| format!("sum = {}", first.get_or_init(|| kept(body))).into_bytes());
        let failures = load(port, &of, backend).result.failures;
        let wrong = failures.content.unwrap() + failures.length.unwrap();
        assert!(wrong > 200 && wrong == failures.total, "{backend:?} {failures:?}");
    }
}

#[test]
fn the_first_byte_comes_before_the_last() {
    // Of four first bytes one comes without such a wait on the busiest host, too.
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(250);
    for backend in backends() {
        let port = listen(|mut stream, _| {
            let mut buffer = [0; 4096];
            while stream.read(&mut buffer).is_ok_and(|n| n > 0) {
                let content = FILES[0].content();
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n");
                std::thread::sleep(PAUSE);
                let _ = stream.write_all(&content);
            }
        });
        let last = scenario(Workload::Static, count(4, 1));
        let first = Scenario {
            latency_until: Some(LatencyUntil::FirstByte),
            ..last.clone()
        };
        let min = |s: &Scenario| load(port, s, backend).result.latency.unwrap().min_us.unwrap();
        let pause_us = PAUSE.as_micros() as f64;
        assert!(min(&first) < pause_us, "{backend:?}");
        assert!(min(&last) >= pause_us, "{backend:?}");
    }
}
