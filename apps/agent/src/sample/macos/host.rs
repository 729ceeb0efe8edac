//! What Mach counts of the whole machine, as numbers: busy time and memory.

/// `host_cpu_load_info.cpu_ticks`: user, system, idle, nice.
pub type Ticks = [u32; 4];
const IDLE: usize = 2;
/// Mach counts processor time for others in hundredths of a second, whatever its own clock is.
const TICK_US: u64 = 10_000;

/// Time of all cores together. The kernel's counters have 32 bits and start anew after some weeks, so what they grew by is added.
#[derive(Debug, Default)]
pub struct CpuTime {
    last: Option<Ticks>,
    busy: u64,
    total: u64,
}

impl CpuTime {
    /// Busy and total microseconds; they only grow.
    pub fn add(&mut self, now: Ticks) -> (u64, u64) {
        let last = self.last.replace(now).unwrap_or_default();
        for (state, (now, last)) in now.into_iter().zip(last).enumerate() {
            let grown = u64::from(now.wrapping_sub(last));
            self.total += grown;
            self.busy += if state == IDLE { 0 } else { grown };
        }
        (self.busy * TICK_US, self.total * TICK_US)
    }
}

/// Free pages, and those that were not used for a while and can be had at once or after a write.
pub fn available_bytes(free_pages: u32, inactive_pages: u32, page_bytes: u64) -> u64 {
    (u64::from(free_pages) + u64::from(inactive_pages)) * page_bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_idle_is_busy() {
        let mut time = CpuTime::default();
        assert_eq!(time.add([100, 50, 1000, 1]), (1_510_000, 11_510_000));
        assert_eq!(time.add([110, 55, 1085, 1]), (1_660_000, 12_510_000));
    }

    #[test]
    fn a_counter_that_started_anew_goes_on() {
        let mut time = CpuTime::default();
        let (busy, total) = time.add([7, 0, u32::MAX - 9, 0]);
        assert_eq!(time.add([8, 0, 10, 0]), (busy + 10_000, total + 210_000));
    }

    #[test]
    fn memory_is_counted_in_pages() {
        assert_eq!(available_bytes(1 << 10, 1 << 10, 16_384), 32 << 20);
        assert_eq!(
            available_bytes(u32::MAX, u32::MAX, 16_384),
            u64::from(u32::MAX) * 32_768
        );
    }
}
