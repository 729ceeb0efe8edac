//! The record that says where a run was made, and the labels that a reader must see beside it.

use std::sync::Arc;

use crate::host::control_groups;
use crate::host::cores::Cores;
use crate::host::fingerprint::fingerprint;
use crate::host::power;
use crate::host::sysroot::SysRoot;
use crate::host::tune::Tuning;
use crate::journal::Sink;
use crate::protocol::facts::HostFacts;
use crate::protocol::journal::{Environment, Event, RunLabel};
use crate::runner::context::RunContext;
use crate::runner::plan::prepare::Prepared;
use crate::text;
use crate::{sample, sandbox};

pub fn record(
    sink: &Arc<dyn Sink>,
    ctx: &RunContext,
    facts: HostFacts,
    prepared: &Prepared,
    cores: &Cores,
    tuning: Option<&Tuning>,
) {
    let unsandboxed = facts.unsandboxed_reason.clone();
    let mut environment = Environment {
        sandboxed: unsandboxed.is_none(),
        facts,
        tools: prepared.tool_versions.clone(),
        load1_before: sample::sampler().host().load1,
        control_plane_same_host: ctx.control_plane_same_host,
        fingerprint: None,
        tuned: tuning.map(Tuning::tuned).unwrap_or_default(),
        core_split: Some(cores.words()),
    };
    environment.fingerprint = Some(fingerprint(&environment));
    let tuned = environment.tuned.clone();
    sink.append(Event::Environment(environment));
    let labels = [
        unsandboxed.map(|why| ("unsandboxed", why)),
        sandbox::privileged_reason().map(|why| ("privileged", why.to_owned())),
        cores.shared_reason().map(|why| ("shared-cores", why.to_owned())),
        control_groups::cpu_quota_reason().map(|why| ("cpu-quota", why)),
        power::source(&SysRoot::host()).map(|what| ("energy-source", format!("Energy is from {what}."))),
        (!SysRoot::host().is_host()).then(|| ("simulated", SIMULATED.to_owned())),
    ];
    labels
        .into_iter()
        .flatten()
        .for_each(|(code, why)| label(sink, code, &why));
    if let Some(tuning) = tuning {
        tune_labels(sink, &tuned, tuning);
    }
}

const SIMULATED: &str = "The sensors and settings of this run are files of a test, put in the machine's place by RIGMARK_SYSROOT; \
     it says nothing about this machine.";

fn tune_labels(sink: &Arc<dyn Sink>, tuned: &[crate::protocol::journal::Tuned], tuning: &Tuning) {
    if !tuned.is_empty() {
        let each: Vec<String> = tuned
            .iter()
            .map(|t| format!("{} {} (was {})", t.name, t.during, t.before))
            .collect();
        label(
            sink,
            "tuned",
            &format!("Set for the length of the run: {}.", each.join(", ")),
        );
    }
    for refused in tuning.refused() {
        label(
            sink,
            "not-tuned",
            &format!("--tune could not set everything. {refused}."),
        );
    }
}

/// At the run's end. What could not be put back is said, and tried again by the next command.
pub fn end_tuning(sink: &Arc<dyn Sink>, tuning: Tuning) {
    for why in tuning.end() {
        label(
            sink,
            "not-restored",
            &format!("What --tune set was not restored: {why}. The next `sudo rigmark doctor --quick` tries again."),
        );
    }
}

fn label(sink: &Arc<dyn Sink>, code: &str, message: &str) {
    sink.append(Event::Label(RunLabel {
        code: code.to_owned(),
        message: text::message(message),
        entry_key: None,
    }));
}
