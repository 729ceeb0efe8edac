//! When is a server that compiles while it runs warm? Two successive windows of the warm-up have to agree. Pure.

/// Shorter windows differ by the host's noise alone.
const WINDOW_S: f64 = 1.0;
/// Two windows that differ by less agree.
const NEAR: f64 = 0.05;
/// No window begins after so many times the seconds that were asked for (a window's at least), nor after so many
/// seconds, unless more were asked for.
const MOST_TIMES: f64 = 6.0;
const MOST_S: f64 = 30.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    Window,
    Steady,
    /// Out of time. The last two windows differed by this ratio; unknown where one told nothing.
    Unsteady(Option<f64>),
}

/// How long each window of the warm-up is: two of them are the seconds asked for.
pub fn window_s(asked_s: f64) -> f64 {
    (asked_s / 2.0).max(WINDOW_S)
}

pub fn most_s(asked_s: f64) -> f64 {
    if asked_s <= 0.0 {
        return 0.0;
    }
    (MOST_TIMES * asked_s.max(WINDOW_S)).min(MOST_S).max(asked_s)
}

/// What the plan adds for a server that may take longer: half-way between the seconds asked for and the cap.
pub fn likely_more_s(asked_s: f64) -> f64 {
    (most_s(asked_s) - asked_s) / 2.0
}

/// `speeds` are those of the windows so far, `spent_s` the time since the first began.
pub fn next(asked_s: f64, spent_s: f64, speeds: &[Option<f64>]) -> Next {
    let changed = match speeds {
        [.., before, now] => Some(before.zip(*now).map(|(before, now)| (now / before - 1.0).abs())),
        _ => None,
    };
    match changed {
        Some(Some(ratio)) if ratio < NEAR && spent_s >= asked_s => Next::Steady,
        _ if spent_s < most_s(asked_s) => Next::Window,
        changed => Next::Unsteady(changed.flatten().filter(|ratio| ratio.is_finite())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_windows_that_agree_are_steady_once_the_asked_seconds_went_by() {
        let after = |spent_s, speeds: &[f64]| {
            let speeds: Vec<Option<f64>> = speeds.iter().map(|s| Some(*s)).collect();
            next(4.0, spent_s, &speeds)
        };
        assert_eq!(after(0.0, &[]), Next::Window);
        assert_eq!(after(2.0, &[100.0]), Next::Window);
        assert_eq!(after(4.0, &[100.0, 104.9]), Next::Steady);
        assert_eq!(after(4.0, &[100.0, 95.1]), Next::Steady);
        assert_eq!(after(4.0, &[100.0, 105.1]), Next::Window);
        // The last two count, not the first and the last.
        assert_eq!(after(6.0, &[100.0, 150.0, 152.0]), Next::Steady);
        // A window that was over early.
        assert_eq!(after(3.9, &[100.0, 100.0]), Next::Window);
    }

    #[test]
    fn the_cap_ends_it_and_says_how_unsteady_it_was() {
        assert_eq!(next(1.0, 5.9, &[Some(100.0), Some(125.0)]), Next::Window);
        assert_eq!(next(1.0, 6.0, &[Some(100.0), Some(125.0)]), Next::Unsteady(Some(0.25)));
        // What was not told is no agreement.
        assert_eq!(next(1.0, 6.0, &[None, Some(125.0)]), Next::Unsteady(None));
        assert_eq!(next(1.0, 6.0, &[Some(0.0), Some(125.0)]), Next::Unsteady(None));
        assert_eq!(next(1.0, 6.0, &[Some(0.0), Some(0.0)]), Next::Unsteady(None));
    }

    #[test]
    fn the_cap_follows_what_was_asked_for() {
        assert_eq!([0.0, 1.0, 5.0, 60.0].map(likely_more_s), [0.0, 2.5, 12.5, 0.0]);
        // A short trial's warm-up has as many windows.
        assert_eq!([0.0, 0.2, 0.5, 1.0].map(most_s), [0.0, 6.0, 6.0, 6.0]);
        assert_eq!([5.0, 10.0, 60.0].map(most_s), [30.0, 30.0, 60.0]);
        assert_eq!([0.2, 2.0, 10.0].map(window_s), [1.0, 1.0, 5.0]);
    }
}
