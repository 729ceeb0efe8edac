//! What the bottleneck of a trial was: docs/method.md, "The bottleneck", in one place.
//!
//! - Generator-bound: the tool used at least 0.9 of the cores that it could use, min(its threads, its share of the
//!   cores), and the server less than 0.98 of its own, min(its workers, its share), or nobody knows how much: the rate is
//!   a lower bound, which it is whatever the server had left. A server that is not told how many workers to have has as
//!   many as it had threads.
//! - Else server-bound: it used at least 0.9 of its own.
//! - Else, when other programs used more than 10 % of the host, nobody can say: they may have been the limit.
//! - Else, where both shared cores that were at least 95 % busy, whoever used more of them.
//! - Else nothing was saturated. Without the counters nothing else is said.
//!
//! Under a CPU quota nobody can say that nothing was: `judge` leaves that out.
//!
//! When both were near their ceiling, only a server with no core left to answer with makes the rate its own.

use crate::protocol::result::Limit;

pub const SATURATED: f64 = 0.9;
/// Of a server beside a tool that was saturated too.
const FULL: f64 = 0.98;
const BUSY: f64 = 0.95;
/// Of all the host's cores; also what a trial gets a label for.
pub const OTHERS: f64 = 0.1;

#[derive(Debug, Clone, Copy)]
pub struct Usage {
    /// Cores used on average while there was load.
    pub server_cores: Option<f64>,
    pub tool_cores: Option<f64>,
    /// Ceilings.
    pub server_cpus: f64,
    pub tool_cpus: f64,
    /// Of all cores together, as a ratio; only where server and tool shared them.
    pub shared_busy: Option<f64>,
    /// What neither server nor tool used, of all cores together, as a ratio.
    pub others_busy: Option<f64>,
}

pub fn limit(usage: Usage) -> Option<Limit> {
    let tool = usage.tool_cores?;
    if tool >= SATURATED * usage.tool_cpus {
        let full = |server: f64| server >= FULL * usage.server_cpus;
        return Some(if usage.server_cores.is_some_and(full) {
            Limit::ServerBound
        } else {
            Limit::GeneratorBound
        });
    }
    let server = usage.server_cores?;
    if server >= SATURATED * usage.server_cpus {
        return Some(Limit::ServerBound);
    }
    if usage.others_busy.is_some_and(|others| others > OTHERS) {
        return None;
    }
    if usage.shared_busy.is_some_and(|busy| busy >= BUSY) {
        return Some(if server >= tool {
            Limit::ServerBound
        } else {
            Limit::GeneratorBound
        });
    }
    Some(Limit::NothingSaturated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(server: f64, tool: f64, shared_busy: Option<f64>) -> Option<Limit> {
        limit(Usage {
            server_cores: Some(server),
            tool_cores: Some(tool),
            server_cpus: 1.0,
            tool_cpus: 1.0,
            shared_busy,
            others_busy: None,
        })
    }

    #[test]
    fn the_rule() {
        assert_eq!(of(0.95, 0.7, None), Some(Limit::ServerBound));
        // Both: a lower bound, unless the server had nothing left.
        assert_eq!(of(0.95, 0.99, None), Some(Limit::GeneratorBound));
        assert_eq!(of(0.979, 0.9, None), Some(Limit::GeneratorBound));
        assert_eq!(of(0.98, 0.99, None), Some(Limit::ServerBound));
        assert_eq!(of(0.4, 0.95, None), Some(Limit::GeneratorBound));
        assert_eq!(of(0.4, 0.5, None), Some(Limit::NothingSaturated));
        assert_eq!(of(0.6, 0.5, Some(0.97)), Some(Limit::ServerBound));
        assert_eq!(of(0.5, 0.6, Some(0.97)), Some(Limit::GeneratorBound));
        assert_eq!(of(0.5, 0.6, Some(0.5)), Some(Limit::NothingSaturated));
    }

    #[test]
    fn without_the_servers_counters_a_saturated_tool_still_makes_a_bound() {
        let of = |server_cores, tool_cores| {
            limit(Usage {
                server_cores,
                tool_cores,
                server_cpus: 1.0,
                tool_cpus: 1.0,
                shared_busy: Some(0.99),
                others_busy: None,
            })
        };
        assert_eq!(of(None, Some(0.9)), Some(Limit::GeneratorBound));
        assert_eq!(of(None, Some(0.89)), None);
        assert_eq!(of(Some(1.0), None), None);
        assert_eq!(of(None, None), None);
    }

    #[test]
    fn others_may_have_been_the_limit_of_what_was_not_saturated() {
        let beside = |server: f64, others: f64| {
            limit(Usage {
                server_cores: Some(server),
                tool_cores: Some(0.4),
                server_cpus: 1.0,
                tool_cpus: 1.0,
                shared_busy: None,
                others_busy: Some(others),
            })
        };
        assert_eq!(beside(0.4, 0.5), None);
        assert_eq!(beside(0.4, 0.05), Some(Limit::NothingSaturated));
        assert_eq!(beside(0.95, 0.5), Some(Limit::ServerBound));
    }
}
