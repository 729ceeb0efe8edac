//! The search for the highest fixed rate that keeps p99 within a bound. Pure: the figures of a step go in, the next step
//! comes out. `search` runs the steps.
//!
//! The rate is doubled until one does not hold, then the bracket is halved on a log scale until its ends are within 5 %, and
//! the best rate has to hold once more, for longer. A rate is given up when it failed twice in a row: on a shared host one
//! pause of 10 ms is 1 % of a step.

use std::borrow::Cow;

use rigmark_stats::percentile::P99_MAY_LOSE;

use crate::protocol::result::{KneeEnd, KneeStep};
use crate::protocol::spec::{Load, Scenario};

/// The bracket's ends are this close at the end.
const CLOSE: f64 = 1.05;
/// Ten beyond the 99th percentile, and a few that may be lost.
const STEP_REQUESTS: f64 = 1050.0;
const COUNTED_REQUESTS: u64 = 1000;
const STEP_LEAST_S: f64 = 1.0;
/// Between two steps, so that what one left in the queues is in none of the next one's latencies.
pub const QUIET_S: f64 = 0.2;
/// The line that ends a step.
pub const STEP_ENDED: &str = r#"{"type":"step"}"#;
/// The part of a step that goes to opening connections and to waiting for the last responses.
const BESIDE_S: f64 = 0.1;
/// How many rates are tried for longer, each 5 % below the one before.
const CONFIRMS: u32 = 3;
/// A confirming step is this many times as long as the others, or longer.
const CONFIRM_STEPS: f64 = 3.0;
/// Halvings from a factor of 2 to 5 %, and one more for rates that are whole numbers.
const HALVINGS: f64 = 5.0;

/// What a search looks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchGoal {
    pub p99_us: u32,
    pub start_per_s: u32,
    pub most_per_s: u32,
}

impl SearchGoal {
    /// `None` when the load is no search.
    pub fn of(load: &Load) -> Option<Self> {
        match *load {
            Load::Knee {
                p99_us,
                start_per_s,
                most_per_s,
                ..
            } => Some(Self {
                p99_us,
                start_per_s,
                most_per_s,
            }),
            _ => None,
        }
    }

    fn step_s(&self, rate_per_s: u32) -> f64 {
        STEP_LEAST_S.max(STEP_REQUESTS / f64::from(rate_per_s))
    }

    /// The longest that the search takes before its best rate is confirmed. The slowest steps are those at the first rate.
    fn search_s(&self) -> f64 {
        let doublings = f64::from(self.most_per_s.max(self.start_per_s)) / f64::from(self.start_per_s);
        let steps = doublings.log2().ceil() + 2.0 + 2.0 * HALVINGS;
        steps * (self.step_s(self.start_per_s) + QUIET_S + BESIDE_S)
    }

    fn confirm_s(&self, whole_s: f64) -> f64 {
        let left = (whole_s - self.search_s()) / f64::from(CONFIRMS) - QUIET_S - BESIDE_S;
        left.max(CONFIRM_STEPS * self.step_s(self.start_per_s))
    }
}

/// Seconds that a trial of `asked_s` takes at most. A search takes longer where it needs more steps.
pub fn planned_s(load: &Load, asked_s: f64) -> f64 {
    let Some(goal) = SearchGoal::of(load) else {
        return asked_s;
    };
    let confirm_s = goal.confirm_s(0.0) + QUIET_S + BESIDE_S;
    asked_s.max((goal.search_s() + f64::from(CONFIRMS) * confirm_s).ceil())
}

/// A search warms up with a closed loop over the same connections.
pub fn warm_up(scenario: &Scenario) -> Cow<'_, Scenario> {
    let Load::Knee {
        connections,
        keep_alive,
        ..
    } = scenario.load
    else {
        return Cow::Borrowed(scenario);
    };
    Cow::Owned(Scenario {
        load: Load::Closed {
            connections,
            keep_alive,
        },
        ..scenario.clone()
    })
}

/// The figures of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepFigures {
    pub requests: u64,
    pub offered: u64,
    /// Never sent, or failed.
    pub lost: u64,
    /// Never sent, or sent late.
    pub unsent: u64,
    pub p99_us: Option<f64>,
}

impl StepFigures {
    fn lost_ratio(&self) -> Option<f64> {
        self.part(self.lost)
    }

    fn part(&self, of: u64) -> Option<f64> {
        (self.offered > 0).then(|| of as f64 / self.offered as f64)
    }

    fn counted_p99_us(&self) -> Option<f64> {
        self.p99_us.filter(|_| self.requests >= COUNTED_REQUESTS)
    }

    fn holds(&self, bound_us: u32) -> bool {
        self.lost_ratio().is_some_and(|lost| lost <= P99_MAY_LOSE)
            && self.counted_p99_us().is_some_and(|p99| p99 <= f64::from(bound_us))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchStep {
    pub rate_per_s: u32,
    pub duration_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum SearchPhase {
    Searching { again: bool },
    Confirming { left: u32 },
    Ended(KneeEnd),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    goal: SearchGoal,
    confirm_s: f64,
    phase: SearchPhase,
    rate: u32,
    /// The highest rate that held, and the lowest that did not.
    low: Option<u32>,
    high: Option<u32>,
    steps: Vec<KneeStep>,
}

impl Search {
    /// `whole_s` is the time of the whole trial; it is at least [`planned_s`].
    pub fn new(goal: SearchGoal, whole_s: f64) -> Self {
        Self {
            goal,
            confirm_s: goal.confirm_s(whole_s),
            phase: SearchPhase::Searching { again: false },
            rate: goal.start_per_s,
            low: None,
            high: None,
            steps: Vec::new(),
        }
    }

    /// The step to take now; `None` when the search has ended. The last step taken is then the one whose figures count.
    pub fn step(&self) -> Option<SearchStep> {
        let duration_s = match self.phase {
            SearchPhase::Searching { .. } => self.goal.step_s(self.rate),
            SearchPhase::Confirming { .. } => self.confirm_s,
            SearchPhase::Ended(_) => return None,
        };
        Some(SearchStep {
            rate_per_s: self.rate,
            duration_s,
        })
    }

    /// Takes the figures of the step from [`Self::step`].
    pub fn saw(&mut self, seen: &StepFigures) {
        let Some(step) = self.step() else { return };
        let held = seen.holds(self.goal.p99_us);
        self.steps.push(KneeStep {
            rate_per_s: step.rate_per_s,
            duration_s: step.duration_s,
            p99_us: seen.counted_p99_us(),
            lost_ratio: seen.lost_ratio(),
            unsent_ratio: seen.part(seen.unsent),
            server_cores: None,
            held,
        });
        match (self.phase, held) {
            (SearchPhase::Searching { .. }, true) => {
                self.low = Some(self.rate);
                self.narrow();
            }
            (SearchPhase::Searching { again: false }, false) => self.phase = SearchPhase::Searching { again: true },
            (SearchPhase::Searching { again: true }, false) => {
                self.high = Some(self.rate);
                self.narrow();
            }
            (SearchPhase::Confirming { .. }, true) => {
                let above = self.high.is_none();
                self.phase = SearchPhase::Ended(if above { KneeEnd::AboveMost } else { KneeEnd::Found });
            }
            (SearchPhase::Confirming { left }, false) => {
                self.high = Some(self.rate);
                let lower = (f64::from(self.rate) / CLOSE) as u32;
                if left <= 1 || lower < self.goal.start_per_s {
                    self.phase = SearchPhase::Ended(KneeEnd::Unconfirmed);
                } else {
                    (self.rate, self.phase) = (lower, SearchPhase::Confirming { left: left - 1 });
                }
            }
            (SearchPhase::Ended(_), _) => {}
        }
    }

    /// The bracket has changed: the next rate, or the best one for longer.
    fn narrow(&mut self) {
        let next = match (self.low, self.high) {
            (None, _) => {
                self.phase = SearchPhase::Ended(KneeEnd::BelowStart);
                return;
            }
            (Some(low), None) if low >= self.goal.most_per_s => None,
            (Some(low), None) => Some(low.saturating_mul(2).min(self.goal.most_per_s)),
            (Some(low), Some(high)) if f64::from(high) <= f64::from(low) * CLOSE || high - low <= 1 => None,
            (Some(low), Some(high)) => {
                let middle = (f64::from(low) * f64::from(high)).sqrt().round() as u32;
                Some(middle.clamp(low + 1, high - 1))
            }
        };
        (self.rate, self.phase) = match next {
            Some(rate) => (rate, SearchPhase::Searching { again: false }),
            None => (
                self.low.unwrap_or(self.rate),
                SearchPhase::Confirming { left: CONFIRMS },
            ),
        };
    }

    /// Once it has ended.
    pub fn end(&self) -> Option<KneeEnd> {
        match self.phase {
            SearchPhase::Ended(end) => Some(end),
            _ => None,
        }
    }

    pub fn steps(&self) -> &[KneeStep] {
        &self.steps
    }
}

#[cfg(test)]
#[path = "knee_tests.rs"]
mod tests;
