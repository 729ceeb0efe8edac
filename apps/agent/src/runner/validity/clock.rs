//! By which clock did the tool time itself, and did that clock run? A wall clock that was set in the middle of a
//! trial makes rates and latencies that nobody had. Pure.

use crate::protocol::result::ToolResult;
use crate::protocol::spec::{Load, Scenario};
use crate::runner::validity::judgment::Judgment;
use crate::text::reason;
use crate::tool;

/// A wall clock that moved by less than this, or by a smaller part of the slice, moved no figure: the time services that let
/// a clock run slower or faster stay far below it.
const SET_US: u64 = 5_000;
const SET: f64 = 0.005;
/// The tool's own time lies within that of its process; what is longer by more than this part and these microseconds is of
/// another clock.
const OVER: f64 = 0.02;
const OVER_US: f64 = 50_000.0;

/// What the wall clock did while a window's slices had load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WallClock {
    /// The largest step of it within a slice, in microseconds; negative where it was put back, 0 where it ran.
    step_us: i64,
}

impl WallClock {
    /// A slice of so many microseconds, and how far the wall clock was ahead of the monotonic one before it and after it.
    pub fn see(&mut self, ahead_before_us: i64, ahead_after_us: i64, slice_us: u64) {
        let step_us = ahead_after_us.saturating_sub(ahead_before_us);
        let set = step_us.unsigned_abs() as f64 > (SET * slice_us as f64).max(SET_US as f64);
        if set && step_us.unsigned_abs() > self.step_us.unsigned_abs() {
            self.step_us = step_us;
        }
    }
}

/// `window_us` is how long the tool's processes lived, by the monotonic clock.
pub fn check(clock: WallClock, scenario: &Scenario, result: &ToolResult, window_us: u64, judgment: &mut Judgment) {
    let (tool, profile) = (scenario.tool.as_str(), tool::profile(scenario.tool));
    let (said_us, lived_us) = (result.duration_us as f64, window_us as f64);
    let planned = profile.reports_planned_time && matches!(scenario.load, Load::Rate { .. });
    if !planned && said_us > (1.0 + OVER) * lived_us + OVER_US {
        let message = format!(
            "{tool} says that it measured {:.2} s, and only {:.2} s went by; make sure that nothing sets the clock during a run.",
            said_us / 1e6,
            lived_us / 1e6
        );
        judgment.reasons.push(reason("clock", &message));
    }
    if clock.step_us == 0 {
        return;
    }
    let step_s = clock.step_us.unsigned_abs() as f64 / 1e6;
    let way = if clock.step_us > 0 { "forward" } else { "back" };
    let moved =
        format!("The host's wall clock went {way} by {step_s:.3} s during the trial (it was set, or the host slept)");
    if (profile.wall_clock)(scenario) {
        let message =
            format!("{moved}, and {tool} times itself by it; make sure that nothing sets the clock during a run.");
        judgment.reasons.push(reason("clock-jumped", &message));
    } else {
        let message = format!("{moved}; {tool} times itself by a clock that nobody sets.");
        judgment.labels.push(reason("clock-jumped", &message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(slices: &[(i64, i64, u64)]) -> i64 {
        let mut clock = WallClock::default();
        slices
            .iter()
            .for_each(|(before, after, us)| clock.see(*before, *after, *us));
        clock.step_us
    }

    #[test]
    fn what_a_clock_is_set_by_is_told_from_what_it_is_slewed_by() {
        let ten_s = 10_000_000;
        // 500 ppm, which is the most that a kernel slews by.
        assert_eq!(stepped(&[(7, 5_007, ten_s)]), 0);
        assert_eq!(stepped(&[(7, 60_007, ten_s)]), 60_000);
        assert_eq!(stepped(&[(7, -2_000_000, ten_s)]), -2_000_007);
        // Of a short slice a smaller step is much.
        assert_eq!(stepped(&[(0, 4_900, 500_000)]), 0);
        assert_eq!(stepped(&[(0, 5_100, 500_000)]), 5_100);
    }

    #[test]
    fn the_largest_step_within_a_slice_stays_and_those_between_two_are_nobodys() {
        let slice = 500_000;
        let slices = [(0, 0, slice), (9_000_000, 9_000_000, slice)];
        assert_eq!(stepped(&slices), 0);
        let back_and_forth = [(0, -70_000, slice), (-70_000, -10_000, slice), (0, 0, slice)];
        assert_eq!(stepped(&back_and_forth), -70_000);
    }
}
