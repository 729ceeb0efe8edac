//! A process that forked away from its server's tree in the middle of the load. Pure.

use crate::runner::measure::loaded::Loaded;
use crate::text::reason;

/// `found` are the processes that were in nobody's tree after the load; those before it were taken into the tree. What they
/// did since it began is in no counter, so what was counted is not the server's.
pub fn check(found: usize, loaded: &mut Loaded) {
    if found == 0 {
        return;
    }
    let resources = &mut loaded.resources;
    resources.server_cpu_us = None;
    resources.server_rss_peak_bytes = None;
    resources.server_threads_max = None;
    resources.server_context_switches = None;
    resources.counters.clear();
    // What is not the server's would be other programs'.
    resources.host_taken_ratio = None;
    loaded.others_busy = None;
    loaded.taken = None;
    let (processes, them) = match found {
        1 => ("One process".to_owned(), "it"),
        n => (format!("{n} processes"), "them"),
    };
    let message = format!(
        "{processes} of the server left its process tree during the load, so its CPU time, memory and context switches are unknown, and its curves are without {them}; make workers that stay children of the server."
    );
    loaded.labels.push(reason("escaped-process", &message));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::result::Resources;
    use crate::runner::validity::clock::WallClock;
    use crate::runner::validity::cpu_frequency::CpuConditions;
    use crate::runner::validity::socket_counters::SocketCounts;
    use crate::tool::output::ParseError;

    fn loaded() -> Loaded {
        Loaded {
            result: Err(ParseError::Missing {
                tool: "ab",
                what: "numbers",
            }),
            single_shot: None,
            labels: Vec::new(),
            resources: Resources {
                window_us: 1_000_000,
                server_cpu_us: Some(1),
                tool_cpu_us: Some(2),
                server_rss_peak_bytes: Some(3),
                server_threads_max: Some(4),
                server_context_switches: Some(5),
                counters: [("server_context_switches".to_owned(), 5)].into(),
                loopback_bytes: Some(6),
                host_taken_ratio: Some(0.5),
                ..Resources::default()
            },
            host_busy: Some(0.9),
            others_busy: Some(0.5),
            taken: Some(0.5),
            measured_us: 0,
            slices: Vec::new(),
            cpu: CpuConditions::default(),
            clock: WallClock::default(),
            counted: SocketCounts::default(),
            histogram_count: None,
        }
    }

    #[test]
    fn without_one_all_stays_as_it_was_counted() {
        let mut loaded = loaded();
        check(0, &mut loaded);
        assert_eq!(
            (loaded.resources.server_cpu_us, loaded.others_busy),
            (Some(1), Some(0.5))
        );
        assert!(loaded.labels.is_empty());
    }

    #[test]
    fn with_one_what_was_counted_of_the_server_is_null_and_said() {
        let mut loaded = loaded();
        check(2, &mut loaded);
        let expected = Resources {
            window_us: 1_000_000,
            tool_cpu_us: Some(2),
            loopback_bytes: Some(6),
            ..Resources::default()
        };
        assert_eq!(
            (loaded.resources, loaded.others_busy, loaded.taken),
            (expected, None, None)
        );
        assert_eq!(loaded.labels[0].code, "escaped-process");
        assert!(loaded.labels[0].message.starts_with("2 processes of the server left"));
    }
}
