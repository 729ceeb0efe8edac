//! Load that is not counted: the seconds that were asked for, and for servers that compile while they run as long as
//! their speed still changes.

use std::time::{Duration, Instant};

use super::real_executor::RealExecutor;
use super::steps::{RunningTrial, Stop};
use crate::protocol::journal::Window;
use crate::protocol::result::Reason;
use crate::protocol::spec::{Load, Scenario};
use crate::runner::measure::loaded::Loaded;
use crate::runner::plan::warm_up_windows::{self, Next};
use crate::text::reason;

/// What the warm-up was like.
#[derive(Debug, Default)]
pub(super) struct WarmUp {
    /// As long as there was load; `None` where there was none.
    pub us: Option<u64>,
    /// Of servers that compile while they run.
    pub steady: Option<bool>,
    pub label: Option<Reason>,
    /// Of its last window.
    pub requests_per_s: Option<f64>,
}

impl WarmUp {
    fn add(&mut self, loaded: &Loaded) {
        self.us = Some(self.us.unwrap_or(0) + loaded.resources.window_us);
        self.requests_per_s = loaded.result.as_ref().ok().map(|result| result.requests_per_s);
    }
}

impl RealExecutor {
    pub(super) async fn warm_up(&self, stage: &mut RunningTrial<'_>, asked_s: f64) -> Result<WarmUp, Stop> {
        let mut warmed = WarmUp::default();
        if !stage.prepared_entry.server.manifest.jit {
            let stops_after = self.stops_after(stage.scenario, asked_s);
            warmed.add(&self.load(stage, Window::WarmUp, asked_s, stops_after).await?);
            return Ok(warmed);
        }
        let (began, mut speeds) = (Instant::now(), Vec::new());
        loop {
            let next = warm_up_windows::next(asked_s, began.elapsed().as_secs_f64(), &speeds);
            match next {
                Next::Window => {}
                Next::Steady => warmed.steady = Some(true),
                Next::Unsteady(by) => {
                    warmed.steady = Some(false);
                    warmed.label = Some(unsteady(stage, by, began.elapsed().as_secs_f64()));
                }
            }
            if next != Next::Window {
                return Ok(warmed);
            }
            let loaded = self
                .load(stage, Window::WarmUp, warm_up_windows::window_s(asked_s), None)
                .await?;
            warmed.add(&loaded);
            speeds.push(speed(&stage.scenario.load, &loaded));
        }
    }

    /// A tool that counts whole seconds would make a short warm-up as long as its trial, and ab sorts all that it saw after
    /// any. What a tool says of a warm-up is needed only of servers that compile while they run.
    fn stops_after(&self, scenario: &Scenario, asked_s: f64) -> Option<Duration> {
        let ends_by_time = !matches!(scenario.load, Load::Count { .. });
        let stops = ends_by_time && self.tools[&scenario.tool].counts_whole_seconds();
        stops.then(|| Duration::from_secs_f64(asked_s))
    }

    /// How fast the server answers, where a slice is told so and no warm-up has said it.
    pub(super) async fn size_up(&self, stage: &mut RunningTrial<'_>, warmed: &mut WarmUp) -> Result<(), Stop> {
        /// ab's shortest.
        const SECONDS: f64 = 1.0;
        warmed.add(&self.load(stage, Window::WarmUp, SECONDS, None).await?);
        Ok(())
    }
}

/// At a fixed rate the rate says nothing; what a request costs the server does.
fn speed(load: &Load, loaded: &Loaded) -> Option<f64> {
    let result = loaded.result.as_ref().ok()?;
    match load {
        Load::Rate { .. } => Some(result.requests as f64 / loaded.resources.server_cpu_us? as f64),
        _ => Some(result.requests_per_s),
    }
}

fn unsteady(stage: &RunningTrial<'_>, by: Option<f64>, after_s: f64) -> Reason {
    let title = &stage.prepared_entry.server.manifest.title;
    let change = match by {
        Some(ratio) => format!(
            "its speed still changed by {:.0} % from one window to the next",
            ratio * 100.0
        ),
        None => "its speed is not known".to_owned(),
    };
    let text = format!("{title} was not steady after {after_s:.1} s of warm-up: {change}; give it a longer warm-up.");
    reason("not-steady", &text)
}
