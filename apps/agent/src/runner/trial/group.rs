//! Trials of one block and scenario whose load alternates: all servers are started, verified and warmed up, and live
//! side by side while one after the other has a slice of load. Whoever fails ends alone.

use rigmark_stats::rounds::{self, BlockRounds};

use super::real_executor::RealExecutor;
use super::steps::{RunningTrial, Stop};
use super::warm_up::WarmUp;
use crate::protocol::journal::{self, PhaseName, PhaseStatus, PlanTrial, Window};
use crate::protocol::spec::Scenario;
use crate::runner::measure::escape;
use crate::runner::measure::meter::Meter;
use crate::runner::measure::tool_runs::{Enough, Manner};
use crate::runner::outcome::{FailureScope, TrialOutcome};
use crate::runner::plan::slices;
use crate::runner::validity::disturbance;

/// A trial that has come as far as its first slice.
struct SlicedTrial<'a> {
    stage: RunningTrial<'a>,
    warmed: WarmUp,
    meter: Meter,
    /// With the load as a slice has it.
    scenario: Scenario,
    given: u32,
    /// Processes that left the server's tree during the load.
    escaped: usize,
}

impl SlicedTrial<'_> {
    /// What the host took in each slice. Where a process escaped its work is in no counter and would be other programs'.
    fn taken(&self) -> Vec<Option<f64>> {
        let taken = self.meter.taken();
        if self.escaped > 0 {
            vec![None; taken.len()]
        } else {
            taken
        }
    }
}

impl RealExecutor {
    pub(super) async fn alternate(&self, trials: &[PlanTrial]) -> Vec<TrialOutcome> {
        let mut group: Vec<Result<SlicedTrial<'_>, Stop>> = Vec::with_capacity(trials.len());
        for planned in trials {
            group.push(self.prepare(planned).await);
        }
        for (planned, sliced) in trials.iter().zip(&group) {
            if sliced.is_ok() {
                self.measuring(planned, PhaseStatus::Begin, None);
            }
        }
        let rounds = trials.iter().map(|t| t.slices).max().unwrap_or(0);
        for at in slices::order(trials.len(), rounds) {
            let Ok(sliced) = &mut group[at] else { continue };
            if sliced.given >= trials[at].slices || sliced.meter.is_spoilt() {
                continue;
            }
            if let Err(stop) = self.slice(sliced, &trials[at]).await {
                self.measuring(&trials[at], PhaseStatus::Failed, Some(&stop.reason.message));
                // Its server goes at once: what it still did would be in the slices of the others.
                group[at] = Err(stop);
            }
        }
        for (planned, sliced) in trials.iter().zip(&group) {
            if sliced.is_ok() {
                self.measuring(planned, PhaseStatus::End, None);
            }
        }
        for sliced in group.iter_mut().flatten() {
            sliced.escaped = sliced.stage.gather();
        }
        let taken: Vec<_> = group.iter().flatten().map(SlicedTrial::taken).collect();
        let rounds = rounds::rounds(&taken);
        let mut done = Vec::with_capacity(trials.len());
        for (planned, sliced) in trials.iter().zip(group) {
            done.push(match sliced {
                Ok(sliced) => self.leave(sliced, planned, &rounds).await,
                Err(stop) => stop.done(planned),
            });
        }
        done
    }

    async fn prepare<'a>(&'a self, planned: &'a PlanTrial) -> Result<SlicedTrial<'a>, Stop> {
        let (mut stage, mut warmed) = self.ready(planned).await?;
        let tool = &self.tools[&stage.scenario.tool];
        let slice_s = planned.duration_s / f64::from(planned.slices.max(1));
        let whole = &stage.scenario.load;
        let load = match tool.slice_load(whole, slice_s, warmed.requests_per_s) {
            Some(load) => load,
            None => {
                let sizing = self.size_up(&mut stage, &mut warmed);
                self.in_phase(PhaseName::WarmUp, planned, sizing).await?;
                tool.slice_load(whole, slice_s, warmed.requests_per_s).ok_or_else(|| {
                    let tool = stage.scenario.tool.as_str();
                    let text = format!("{tool} printed no rate in the warm-up to size slices by; try `--slice 0`.");
                    Stop::new(FailureScope::Nothing, "tool-failed", text)
                })?
            }
        };
        let meter = Meter::begin(self.metered(&stage, Window::Measure), Manner::Slices);
        Ok(SlicedTrial {
            scenario: Scenario {
                load,
                duration_s: slice_s,
                ..stage.scenario.clone()
            },
            stage,
            warmed,
            meter,
            given: 0,
            escaped: 0,
        })
    }

    async fn slice(&self, sliced: &mut SlicedTrial<'_>, planned: &PlanTrial) -> Result<(), Stop> {
        if sliced.given == 0 {
            sliced.stage.gather();
        }
        sliced.given += 1;
        let last = sliced.given == planned.slices;
        let work_dir = sliced.stage.tool_folder(Window::Measure)?;
        let mut load = self.tool_load(
            &mut sliced.stage,
            &sliced.scenario,
            sliced.scenario.duration_s,
            &work_dir,
        );
        load.job.patience_s = planned.duration_s;
        sliced.meter.slice(&mut load, last).await.map_err(Stop::from)
    }

    async fn leave(&self, sliced: SlicedTrial<'_>, planned: &PlanTrial, rounds: &BlockRounds) -> TrialOutcome {
        let mut loaded = sliced.meter.finish(&self.cores, Enough::Measured, &rounds.left_out);
        escape::check(sliced.escaped, &mut loaded);
        let measured = loaded.slices.len() as u32;
        let left_out = loaded.slices.iter().filter(|slice| slice.left_out).count() as u32;
        let mut done = self.end(sliced.stage, planned, sliced.warmed, loaded).await;
        done.trial.rounds = Some(journal::Rounds { measured, left_out });
        done.host.disturbed = disturbance::uneven(rounds);
        done
    }

    fn measuring(&self, planned: &PlanTrial, status: PhaseStatus, text: Option<&str>) {
        self.phase(PhaseName::Measure, status, &planned.entry_key, Some(planned), text);
    }
}
