//! How busy is the host at this moment? Steal shows only while somebody wants the processor, so each core is asked to
//! work for a moment and says how much of that moment it was given.

use std::time::{Duration, Instant};

/// Long enough to meet a burst, short enough to be had before every block.
const PROBE: Duration = Duration::from_millis(100);
/// From one probe to the next.
const PAUSE: Duration = Duration::from_millis(400);
/// A probe that lost at most this part of its time is quiet enough to begin.
const QUIET: f64 = 0.1;
/// Two looks at the clock that are further apart had somebody else between them; an interrupt takes less.
const GAP: Duration = Duration::from_micros(200);

/// Returns how long it took: until a probe was quiet, or as long as was allowed. Nothing is probed where there is no time to.
pub async fn wait(most: Duration) -> Duration {
    let began = Instant::now();
    while began.elapsed() + PROBE <= most {
        let share = tokio::task::spawn_blocking(probe).await.unwrap_or(0.0);
        if share <= QUIET || began.elapsed() + PAUSE + PROBE > most {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    began.elapsed()
}

/// The part of the processors' time that somebody else had, over all cores.
fn probe() -> f64 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let spinning: Vec<_> = (0..cores).map(|_| std::thread::spawn(|| lost(PROBE))).collect();
    let lost: Vec<f64> = spinning.into_iter().filter_map(|thread| thread.join().ok()).collect();
    lost.iter().sum::<f64>() / lost.len().max(1) as f64
}

fn lost(length: Duration) -> f64 {
    let began = Instant::now();
    let (mut before, mut lost) = (began, Duration::ZERO);
    loop {
        let now = Instant::now();
        let gap = now - before;
        if gap > GAP {
            lost += gap;
        }
        if now - began >= length {
            return lost.as_secs_f64() / (now - began).as_secs_f64();
        }
        before = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn without_time_for_a_probe_nothing_is_waited() {
        // It is over when it is first looked at, so nothing was begun, however long this thread stands still meanwhile.
        tokio::select! {
            biased;
            _ = wait(PROBE - Duration::from_millis(1)) => {}
            () = std::future::ready(()) => panic!("something is waited for"),
        }
    }

    #[test]
    fn a_part_is_a_part() {
        assert!((0.0..=1.0).contains(&lost(Duration::from_millis(5))));
    }
}
