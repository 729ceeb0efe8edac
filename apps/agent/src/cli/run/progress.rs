//! What a person sees while a run goes on: one bar on a terminal, otherwise one line a trial. It redraws on records
//! only, at most once a second, so it costs nothing that would show in the numbers.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use uuid::Uuid;

use super::super::output::{Output, Tone, paint};
use super::order;
use super::plan_line::plan_line;
use super::table::at_least;
use crate::cli::format;
use crate::journal::Sink;
use crate::protocol::journal::{Event, PhaseName, PhaseStatus, Plan, PlanBlocks, PlanTrial, Trial};
use crate::protocol::result::{Limit, TrialStatus};
use crate::runner::plan::{length_s, limited_s};

/// At most so often.
const REDRAW: Duration = Duration::from_secs(1);

pub struct Progress {
    live: bool,
    state: Mutex<State>,
}

struct State {
    bar: ProgressBar,
    /// Whether the order is said: with `--json` the plan is in the result.
    order: bool,
    plan: Option<Plan>,
    planned: HashMap<Uuid, PlanTrial>,
    count: usize,
    done: usize,
    /// Planned seconds of the trials that are over.
    done_s: f64,
    trial_began: Instant,
    drawn: Option<Instant>,
    phase: &'static str,
    /// Why the trial before this one does not count: a server that responds wrong does so in every block.
    reason_before: Option<String>,
}

impl Progress {
    pub fn new(out: &Output) -> Self {
        let target = if out.is_live() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        // A terminal that cannot redraw (TERM=dumb) gets lines.
        let live = !bar.is_hidden();
        let style = ProgressStyle::with_template("{bar:24} {msg}").expect("the template is constant");
        bar.set_style(style.progress_chars("━╸─"));
        Self {
            live,
            state: Mutex::new(State {
                bar,
                order: !out.is_json(),
                plan: None,
                planned: HashMap::new(),
                count: 0,
                done: 0,
                done_s: 0.0,
                trial_began: Instant::now(),
                drawn: None,
                phase: "looking at the host",
                reason_before: None,
            }),
        }
    }

    pub fn finish(&self) {
        self.lock().bar.finish_and_clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Sink for Progress {
    fn append(&self, event: Event) {
        let mut state = self.lock();
        match event {
            Event::Plan(plan) => state.begin(plan, self.live),
            Event::Phase(phase) if phase.status == PhaseStatus::Begin => {
                if phase.phase == PhaseName::Start {
                    state.trial_began = Instant::now();
                }
                state.phase = spoken(phase.phase);
                state.draw(phase.trial_id);
            }
            Event::Sample(sample) => state.draw(Some(sample.trial_id)),
            Event::Trial(trial) => state.end_trial(&trial, self.live),
            _ => {}
        }
    }
}

impl State {
    fn begin(&mut self, plan: Plan, live: bool) {
        self.say(&plan_line(&plan), live);
        if self.order {
            order::lines(&plan).iter().for_each(|line| self.say(line, live));
        }
        let all = plan.trials.iter().chain(&plan.reserve);
        self.planned = all.map(|t| (t.trial_id, t.clone())).collect();
        self.count = plan.trials.len();
        self.plan = Some(plan);
    }

    fn end_trial(&mut self, trial: &Trial, live: bool) {
        self.done += 1;
        if let Some(planned) = self.planned.get(&trial.trial_id) {
            self.done_s += length_s(planned);
        }
        // What is measured again comes on top of the plan.
        self.count = self.count.max(self.done);
        let count = self.count;
        let blocks = self.plan.as_ref().and_then(|p| p.blocks.as_ref());
        // A log is searched line by line.
        let reason_before = self.reason_before.as_deref().filter(|_| live);
        let line = format!(
            "[{}/{count}] {}, {}, {}: {}",
            self.done,
            self.label(&trial.entry_key),
            trial.scenario,
            block(trial.block, blocks),
            outcome(trial, reason_before)
        );
        self.reason_before = trial.reasons.first().map(|r| r.message.clone());
        // On a terminal the bar says it; what went wrong stays readable above it.
        if !live || trial.status != TrialStatus::Valid {
            self.say(&line, live);
        }
        self.trial_began = Instant::now();
        self.draw(None);
    }

    fn draw(&mut self, trial: Option<Uuid>) {
        if self.drawn.is_some_and(|at| at.elapsed() < REDRAW) {
            return;
        }
        let Some(plan) = &self.plan else { return };
        let running = trial.and_then(|id| self.planned.get(&id));
        let within = running.map_or(0.0, |t| self.trial_began.elapsed().as_secs_f64().min(length_s(t)));
        let all_s = limited_s(plan);
        let position = if all_s > 0.0 {
            (self.done_s + within) / all_s
        } else {
            1.0
        };
        let of_this = running.map_or(0.0, |t| length_s(t) - within);
        let left = (all_s - self.done_s - within).max(of_this);
        let what = match running {
            Some(t) => format!(
                "{}, {}, {}: {}",
                self.label(&t.entry_key),
                t.scenario,
                block(t.block, plan.blocks.as_ref()),
                self.phase
            ),
            None => self.phase.to_owned(),
        };
        self.drawn = Some(Instant::now());
        self.bar.set_position((position * 1000.0) as u64);
        let count = self.count;
        self.bar.set_message(format!(
            "{}/{count}  {what}, {}{} left",
            self.done,
            if may_end(plan.blocks.as_ref()) { "at most " } else { "" },
            format::duration(left)
        ));
    }

    fn label(&self, entry_key: &str) -> String {
        let entries = self.plan.iter().flat_map(|p| &p.entries);
        entries
            .filter(|e| e.key == entry_key)
            .map(|e| e.label.clone())
            .next()
            .unwrap_or_default()
    }

    fn say(&self, text: &str, live: bool) {
        let line = || super::super::output::stderr_line(text);
        if live {
            self.bar.suspend(line);
        } else {
            line();
        }
    }
}

/// `block 6 of 5 to 20`, `block 2 of 5`; of an index from 0.
fn block(index: u32, of: Option<&PlanBlocks>) -> String {
    let number = index + 1;
    match of {
        Some(PlanBlocks { most, .. }) if index >= *most => format!("block {number}, for a disturbed one"),
        Some(PlanBlocks { least, most, .. }) if least < most => format!("block {number} of {least} to {most}"),
        Some(PlanBlocks { most, .. }) => format!("block {number} of {most}"),
        None => format!("block {number}"),
    }
}

/// Whether the run may need less than its plan.
fn may_end(blocks: Option<&PlanBlocks>) -> bool {
    blocks.is_some_and(|b| b.looks.len() > 1)
}

fn outcome(trial: &Trial, reason_before: Option<&str>) -> String {
    let reason = || match trial.reasons.first() {
        Some(r) if reason_before == Some(r.message.as_str()) => "as above".to_owned(),
        Some(r) => r.message.clone(),
        None => String::new(),
    };
    match (trial.status, &trial.result) {
        (TrialStatus::Valid, Some(result)) => {
            let limit = match trial.limit {
                Some(Limit::ServerBound) => ", server-bound",
                Some(Limit::GeneratorBound) => ", tool-bound",
                Some(Limit::NothingSaturated) => ", nothing saturated",
                None => "",
            };
            let bound = at_least(trial);
            format!("{bound}{} requests/s{limit}", format::rate(result.requests_per_s))
        }
        (TrialStatus::Valid, None) => "done".to_owned(),
        (TrialStatus::Invalid, _) => format!("{} {}", paint(Tone::Warn, "invalid:"), reason()),
        (TrialStatus::Failed, _) => format!("{} {}", paint(Tone::Bad, "failed:"), reason()),
        (TrialStatus::Cancelled, _) => paint(Tone::Warn, "cancelled"),
    }
}

fn spoken(phase: PhaseName) -> &'static str {
    match phase {
        PhaseName::Preflight => "looking at the host",
        PhaseName::Build => "building",
        PhaseName::Start => "starting",
        PhaseName::Verify => "verifying",
        PhaseName::WarmUp => "warming up",
        PhaseName::Measure => "measuring",
        PhaseName::VerifyAfter => "verifying again",
        PhaseName::CleanUp => "stopping",
    }
}
