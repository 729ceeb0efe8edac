//! Energy as power that is added up over time. A thread looks at the power ten times a second while a trial runs.
//!
//! Between two looks the power goes in a straight line (the trapezoidal rule). At an edge the load begins or ends, and the power
//! jumps: up to the last look before it, and from the first look after it on, the power is that of the look.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::host::monotonic_us;
use crate::host::power::PowerMeter;
use crate::host::sysroot::SysRoot;

/// The shortest slice has two looks.
const EVERY: Duration = Duration::from_millis(100);

/// Of all samplers of this process: servers that take turns have one each, and the power is the host's.
static LOOKER: Mutex<Option<(SysRoot, Weak<Looker>)>> = Mutex::new(None);

pub struct PowerSum(Arc<Looker>);

struct Looker {
    shared: Arc<(Mutex<Shared>, Condvar)>,
    /// From the first edge on: not every sampler sees one.
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    meter: PowerMeter,
    sys: SysRoot,
    sum: Sum,
    failed: bool,
    stop: bool,
}

impl PowerSum {
    pub fn find(sys: &SysRoot) -> Option<Self> {
        let mut known = lock(&LOOKER);
        let same = known.as_ref().filter(|(of, _)| of == sys);
        let same = same.and_then(|(_, looker)| looker.upgrade());
        if let Some(looker) = same.filter(|looker| !lock(&looker.shared.0).failed) {
            return Some(Self(looker));
        }
        let looker = Arc::new(Looker::find(sys)?);
        *known = Some((sys.clone(), Arc::downgrade(&looker)));
        Some(Self(looker))
    }

    pub fn uj(&mut self) -> Option<u64> {
        let looker = &self.0;
        let now = lock(&looker.shared.0).edge()?;
        let mut thread = lock(&looker.thread);
        if thread.is_none() {
            let shared = looker.shared.clone();
            let looking = Builder::new().name("power".to_owned()).spawn(move || look_on(&shared));
            *thread = Some(looking.ok()?);
        }
        Some(now)
    }
}

impl Looker {
    fn find(sys: &SysRoot) -> Option<Self> {
        let shared = Shared {
            meter: PowerMeter::find(sys)?,
            sys: sys.clone(),
            sum: Sum::default(),
            failed: false,
            stop: false,
        };
        Some(Self {
            shared: Arc::new((Mutex::new(shared), Condvar::new())),
            thread: Mutex::new(None),
        })
    }
}

impl Drop for Looker {
    fn drop(&mut self) {
        lock(&self.shared.0).stop = true;
        self.shared.1.notify_all();
        if let Some(thread) = lock(&self.thread).take() {
            let _ = thread.join();
        }
    }
}

fn look_on((state, told): &(Mutex<Shared>, Condvar)) {
    let mut shared = lock(state);
    while !shared.stop && shared.look().is_some() {
        let waiting = |shared: &mut Shared| !shared.stop;
        shared = told
            .wait_timeout_while(shared, EVERY, waiting)
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .0;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Shared {
    fn look(&mut self) -> Option<()> {
        let now = self.meter.microwatts(&self.sys).filter(|_| !self.failed);
        self.failed = now.is_none();
        self.sum.look(monotonic_us(), now?);
        Some(())
    }

    fn edge(&mut self) -> Option<u64> {
        if self.sum.uw.is_none() {
            self.look()?;
        }
        (!self.failed).then(|| self.sum.edge(monotonic_us()))
    }
}

#[derive(Debug, Default)]
struct Sum {
    uj: f64,
    /// How far it goes.
    to_us: Option<u64>,
    /// At the last look; `None` since an edge.
    uw: Option<u64>,
}

impl Sum {
    fn look(&mut self, at_us: u64, uw: u64) {
        let before = self.uw.replace(uw).unwrap_or(uw);
        self.add(at_us, (before as f64 + uw as f64) / 2.0);
    }

    fn edge(&mut self, at_us: u64) -> u64 {
        if let Some(uw) = self.uw.take() {
            self.add(at_us, uw as f64);
        }
        self.uj as u64
    }

    fn add(&mut self, at_us: u64, uw: f64) {
        let from = self.to_us.replace(at_us).unwrap_or(at_us);
        self.uj += uw * at_us.saturating_sub(from) as f64 / 1e6;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_joined_by_straight_lines_and_edges_are_jumps() {
        let mut sum = Sum::default();
        sum.look(0, 2_000_000);
        sum.look(1_000_000, 2_000_000);
        // Half a second after the last look of a host that idles at 2 W, the load begins: 6 W, then 8 W.
        assert_eq!(sum.edge(1_500_000), 3_000_000);
        sum.look(2_000_000, 6_000_000);
        sum.look(3_000_000, 8_000_000);
        assert_eq!(sum.edge(3_250_000), 3_000_000 + 3_000_000 + 7_000_000 + 2_000_000);
        // The host idles again, and nothing of that is taken back from the slice.
        sum.look(4_250_000, 2_000_000);
        assert_eq!(sum.edge(4_250_000), 15_000_000 + 2_000_000);
    }

    fn sensor() -> (tempfile::TempDir, impl Fn(&str)) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("sys/class/hwmon/hwmon0");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("name"), "ina219\n").unwrap();
        let put = move |text: &str| std::fs::write(folder.join("power1_input"), text).unwrap();
        put("5000000\n");
        (dir, put)
    }

    #[test]
    fn constant_power_is_power_times_time() {
        let (dir, _put) = sensor();
        let mut power = PowerSum::find(&SysRoot::at(dir.path())).unwrap();
        let before = monotonic_us();
        let first = power.uj().unwrap();
        let inner = monotonic_us();
        // Without a look in between, and with many.
        while monotonic_us() < inner + 250_000 {
            std::thread::yield_now();
        }
        let least = 5 * (monotonic_us() - inner);
        let grown = power.uj().unwrap() - first;
        let most = 5 * (monotonic_us() - before);
        assert!((least - 1..=most + 1).contains(&grown), "{least} {grown} {most}");
        let (a, b) = (power.uj().unwrap(), power.uj().unwrap());
        assert!(a <= b, "two edges with no look in between");
    }

    #[test]
    fn a_sensor_that_fails_is_null_from_then_on() {
        let (dir, put) = sensor();
        let sys = SysRoot::at(dir.path());
        let mut power = PowerSum::find(&sys).unwrap();
        lock(&power.0.shared.0).edge().unwrap();
        put("\n");
        assert_eq!(power.uj(), None);
        put("5000000\n");
        assert_eq!(power.uj(), None);
        assert!(PowerSum::find(&sys).is_some_and(|mut anew| anew.uj().is_some()));
        put("much\n");
        assert!(PowerSum::find(&sys).is_none());
    }
}
