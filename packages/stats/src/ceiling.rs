//! Several entries at the same ceiling: what differs there is noise or the tool, not the servers.
//!
//! Two entries share a ceiling when the rate of both is a lower bound and each one's median lies within the smallest and
//! the largest rate of the other's trials, both widened by 1 %. At a fixed rate there is none: all answer what was asked.

use crate::figures::Figures;
use crate::input::LoadKind;
use crate::summary::Spread;

/// So close two rates are the same whatever the trials' spread is.
const CLOSE: f64 = 0.01;

/// Of each entry whether it shares its ceiling with another one.
#[must_use]
pub fn shared(load: LoadKind, figures: &[Figures<'_>]) -> Vec<bool> {
    let rate = |f: &Figures<'_>| {
        let bounded = f.lower_bound && f.failed.is_none() && load != LoadKind::Rate;
        f.requests_per_s.filter(|_| bounded)
    };
    let rates: Vec<Option<Spread>> = figures.iter().map(rate).collect();
    let same = |a: &Spread, b: &Spread| within(a.median, b) && within(b.median, a);
    rates
        .iter()
        .enumerate()
        .map(|(i, own)| {
            let others = rates.iter().enumerate().filter(|(j, _)| *j != i);
            own.is_some_and(|own| others.filter_map(|(_, other)| *other).any(|other| same(&own, &other)))
        })
        .collect()
}

fn within(median: f64, of: &Spread) -> bool {
    median >= of.min * (1.0 - CLOSE) && median <= of.max * (1.0 + CLOSE)
}

#[cfg(test)]
mod tests {
    use crate::input::SummaryInput;
    use crate::testing::{about, bind, closed, noisy, other, rated};

    fn shared(input: &SummaryInput) -> [bool; 3] {
        ["nginx", "epoll", "uv"].map(|name| about(input, name).shared_ceiling)
    }

    #[test]
    fn lower_bounds_that_lie_within_each_other_share_a_ceiling() {
        let mut input = closed(&[
            ("nginx", &noisy(14_000.0, 7)),
            ("epoll", &other(14_100.0, 7)),
            ("uv", &other(11_000.0, 7)),
        ]);
        bind(&mut input, "nginx");
        assert_eq!(shared(&input), [false, false, false], "one bound alone shares nothing");
        bind(&mut input, "uv");
        assert_eq!(shared(&input), [false, false, false], "two ceilings that differ");
        bind(&mut input, "epoll");
        assert_eq!(shared(&input), [true, true, false]);
    }

    #[test]
    fn single_trials_have_to_be_close() {
        let with = |rate: f64| {
            let mut input = closed(&[("nginx", &[10_000.0]), ("epoll", &[rate]), ("uv", &[])]);
            bind(&mut input, "nginx");
            bind(&mut input, "epoll");
            shared(&input)[0]
        };
        assert_eq!((with(10_090.0), with(10_300.0)), (true, false));
    }

    #[test]
    fn a_fixed_rate_is_no_ceiling() {
        let mut input = rated(&[("nginx", &noisy(100.0, 7)), ("epoll", &other(120.0, 7)), ("uv", &[])]);
        bind(&mut input, "nginx");
        bind(&mut input, "epoll");
        assert_eq!(shared(&input), [false, false, false]);
    }
}
