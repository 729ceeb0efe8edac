//! One load, from the first connection to the last response.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::backend::Backend;
use super::plan::{LoadJob, LoadPlan};
use super::shared::LoadShared;
use super::tally::LoadTally;
use super::ticks::Ticks;

pub fn load(job: LoadJob, backend: &dyn Backend, ticks: &Ticks) -> Result<(LoadPlan, LoadTally), String> {
    let shared = LoadShared::new(LoadPlan::new(job)?, ticks);
    let part = |thread: usize| {
        let panicked = |_| Err("A thread of loadgen panicked; please report this.".to_owned());
        let ran = catch_unwind(AssertUnwindSafe(|| backend.run(&shared, thread))).unwrap_or_else(panicked);
        ran.inspect_err(|why| shared.fail(why))
    };
    let tallies: Vec<Result<LoadTally, String>> = std::thread::scope(|scope| {
        let part = &part;
        let others: Vec<_> = (1..shared.plan.threads)
            .map(|thread| scope.spawn(move || part(thread)))
            .collect();
        let own = part(0);
        let joined = others.into_iter().map(|t| t.join().expect("a part catches its panics"));
        std::iter::once(own).chain(joined).collect()
    });
    if let Some(why) = shared.failed() {
        return Err(why);
    }
    let mut sum = LoadTally::new(&shared.plan);
    for tally in tallies {
        sum.add(tally?);
    }
    Ok((shared.plan, sum))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use serde_json::json;

    use super::super::plan::BackendName;
    use super::*;

    /// Its second thread ends with the given result before the others may begin.
    struct Failing(fn() -> Result<LoadTally, String>);

    impl Backend for Failing {
        fn name(&self) -> BackendName {
            BackendName::Tokio
        }

        fn run(&self, shared: &LoadShared<'_>, thread: usize) -> Result<LoadTally, String> {
            if thread == 1 {
                return (self.0)();
            }
            assert_eq!(shared.begin(), None);
            Ok(LoadTally::new(&shared.plan))
        }
    }

    #[test]
    fn a_thread_that_fails_before_the_start_ends_the_load_with_its_sentence() {
        let job = json!({
            "address": "127.0.0.1:1", "duration_s": 60.0, "timeout_s": 10, "threads": 3, "spin": false, "seed": 1,
            "backend": null, "samples": null,
            "scenario": {
                "schema": 1, "id": "x", "title": "x", "summary": "", "workload": "plaintext", "tool": "loadgen", "path": "/",
                "body_bytes": 13, "load": { "kind": "closed", "connections": 3, "keep_alive": true }, "duration_s": 60,
                "warmup_s": 0,
            },
        });
        let failed: fn() -> Result<LoadTally, String> = || Err("no memory".to_owned());
        let panicked: fn() -> Result<LoadTally, String> = || panic!("as it happens");
        let sentences = [
            (failed, "no memory"),
            (panicked, "A thread of loadgen panicked; please report this."),
        ];
        for (ends, sentence) in sentences {
            let job: LoadJob = serde_json::from_value(job.clone()).unwrap();
            let (sender, receiver) = mpsc::channel();
            std::thread::spawn(move || {
                let ticks = Ticks::begin();
                sender.send(load(job, &Failing(ends), &ticks).map(|_| ()))
            });
            let outcome = receiver
                .recv_timeout(Duration::from_secs(120))
                .expect("a thread waits for ever");
            assert_eq!(outcome, Err(sentence.to_owned()));
        }
    }
}
