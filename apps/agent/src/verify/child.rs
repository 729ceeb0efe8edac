//! The child's side: reads the job, does it in this process and its network, writes the report.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::job::{LIMIT, Task, VerifyJob, VerifyReport};
use super::report::Checks;
use super::{conformance, ready, right};

pub fn run() -> Result<(), String> {
    // One value: stdin may stay open behind it.
    let mut jobs = serde_json::Deserializer::from_reader(std::io::stdin()).into_iter::<VerifyJob>();
    let job = jobs
        .next()
        .ok_or("The agent sent no job.")?
        .map_err(|e| e.to_string())?;
    let report = perform(&job);
    crate::stdout::line(&serde_json::to_string(&report).map_err(|e| e.to_string())?);
    Ok(())
}

/// In the child, once the job was read: has the agent closed our stdin?
fn stdin_ended() -> impl Fn() -> bool {
    let ended = Arc::new(AtomicBool::new(false));
    let seen = ended.clone();
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        ended.store(true, Ordering::Relaxed);
    });
    move || seen.load(Ordering::Relaxed)
}

fn perform(job: &VerifyJob) -> VerifyReport {
    let server = SocketAddr::new(job.address, job.port);
    match &job.task {
        Task::Ready { path, within_s } => VerifyReport {
            ready: Some(ready::wait(server, path.as_deref(), Duration::from_secs_f64(*within_s))),
            ..VerifyReport::default()
        },
        Task::Right {
            scenario,
            root,
            depth,
            reference,
        } => {
            let mut checks = Checks::new(server, Instant::now() + LIMIT).with_tool(scenario.tool);
            let reference = reference.clone().map(Arc::from);
            let seen = right::check(&mut checks, scenario, root, *depth, reference.as_ref());
            VerifyReport {
                trouble: checks.trouble(),
                checks: checks.done(),
                seen,
                ..VerifyReport::default()
            }
        }
        Task::Responses { scenario, label } => {
            let checks = Checks::new(server, Instant::now() + LIMIT).with_tool(scenario.tool);
            let (mut responses, mut trouble) = (None, None);
            match right::record(&checks, scenario, label) {
                Err(fault) if fault.ours => trouble = Some(fault.message),
                Err(fault) => responses = Some(Err(fault.message)),
                Ok(reference) => responses = Some(Ok(reference)),
            }
            VerifyReport {
                responses,
                trouble,
                ..VerifyReport::default()
            }
        }
        Task::Sample { scenario, reference } => {
            // Each request has its own time; the load may last for hours.
            let far = Instant::now() + Duration::from_secs(7 * 24 * 3600);
            let mut checks = Checks::new(server, far).with_tool(scenario.tool);
            let reference = reference.clone().map(Arc::from);
            let over = right::sample::sleeps(stdin_ended());
            let other_headers = right::sample::check(&mut checks, scenario, reference.as_ref(), over);
            VerifyReport {
                trouble: checks.trouble(),
                checks: checks.done(),
                seen: right::Seen {
                    closes: None,
                    other_headers,
                },
                ..VerifyReport::default()
            }
        }
        Task::Conformance { workload, root, secret } => {
            let mut checks = Checks::new(server, Instant::now() + LIMIT);
            conformance::check(&mut checks, *workload, root, secret);
            VerifyReport {
                trouble: checks.trouble(),
                checks: checks.done(),
                ..VerifyReport::default()
            }
        }
    }
}
