//! The search for a rate, on both back ends.

use rigmark::protocol::result::KneeEnd;
use rigmark::protocol::spec::{Load, Scenario, Workload};
use rigmark::workload::files::FILES;

use super::{CONNECTIONS, backends, http, listen, load, scenario};

fn knee(p99_us: u32) -> Scenario {
    let load = Load::Knee {
        p99_us,
        start_per_s: 1500,
        most_per_s: 1500,
        connections: CONNECTIONS,
        keep_alive: true,
    };
    scenario(Workload::Static, load)
}

fn port() -> u16 {
    listen(|stream, _| {
        http(stream, &|_, _| FILES[0].content());
    })
}

#[test]
fn a_bound_that_nobody_keeps_is_below_the_start() {
    for backend in backends() {
        let ran = load(port(), &knee(1), backend);
        let search = ran.result.knee.unwrap();
        assert_eq!(
            (search.end, search.p99_bound_us),
            (KneeEnd::BelowStart, 1),
            "{backend:?}"
        );
        assert_eq!(search.steps.len(), 2, "{search:?}");
        assert!(search.steps.iter().all(|s| !s.held && s.rate_per_s == 1500));
        assert!(ran.histogram.is_none(), "without a rate there are no latencies of it");
    }
}

/// Whether a busy machine keeps even this rate is not the test's business: what is said must be of one piece.
#[test]
fn the_figures_are_those_of_the_confirming_step() {
    for backend in backends() {
        let ran = load(port(), &knee(60_000_000), backend);
        let result = ran.result;
        let search = result.knee.unwrap();
        let last = search.steps.last().unwrap();
        assert_eq!(search.has_rate(), last.held, "{backend:?} {search:?}");
        assert_eq!(search.has_rate(), search.end == KneeEnd::AboveMost, "{search:?}");
        assert_eq!(search.has_rate(), ran.histogram.is_some());
        let offered = result.offered.unwrap();
        assert_eq!((offered.rate_per_s, last.rate_per_s), (1500.0, 1500));
        let (took_s, planned) = (result.duration_us as f64 / 1e6, offered.requests as f64);
        assert!((took_s - last.duration_s).abs() < 0.001, "{took_s} {last:?}");
        assert!((planned - last.duration_s * 1500.0).abs() <= 1.0);
    }
}
