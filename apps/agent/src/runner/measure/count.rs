//! The tool's own count of requests, with the moment at which it said so: a sample is taken up to a second later.

use std::sync::Mutex;

use tokio::sync::Notify;

/// Two counts that are closer than this tell little but rounding. k6 repeats its last one when the load is over.
const APART_US: u64 = 500_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestCount {
    pub t_us: u64,
    pub requests: u64,
}

#[derive(Default)]
pub struct RequestCounter {
    counting: bool,
    last: Mutex<Option<RequestCount>>,
    news: Notify,
}

impl RequestCounter {
    /// Before the load nothing was answered. For a tool that prints no counts there is none, not zero.
    pub fn beginning(t_us: u64, counting: bool) -> Self {
        let last = counting.then_some(RequestCount { t_us, requests: 0 });
        Self {
            counting,
            last: Mutex::new(last),
            news: Notify::new(),
        }
    }

    pub fn is_counting(&self) -> bool {
        self.counting
    }

    pub fn record(&self, t_us: u64, requests: u64) {
        if !self.counting {
            return;
        }
        let mut last = self.last.lock().expect("no reader panics");
        let fits = |before: RequestCount| requests >= before.requests && t_us >= before.t_us + APART_US;
        if last.is_none_or(fits) {
            *last = Some(RequestCount { t_us, requests });
            self.news.notify_one();
        }
    }

    pub fn last(&self) -> Option<RequestCount> {
        *self.last.lock().expect("no reader panics")
    }

    /// Ends when a count came that nobody waited for yet.
    pub async fn news(&self) {
        self.news.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(t_us: u64, requests: u64) -> Option<RequestCount> {
        Some(RequestCount { t_us, requests })
    }

    #[test]
    fn a_count_keeps_the_moment_when_it_was_said() {
        let count = RequestCounter::beginning(1_000_000, true);
        assert_eq!(count.last(), counted(1_000_000, 0));
        count.record(2_300_000, 500);
        assert_eq!(count.last(), counted(2_300_000, 500));
        // Its last line again a moment later, and a count that went back.
        count.record(2_310_000, 502);
        count.record(3_300_000, 400);
        assert_eq!(count.last(), counted(2_300_000, 500));
    }

    #[test]
    fn without_counts_there_is_no_zero() {
        let count = RequestCounter::beginning(1, false);
        count.record(2_000_000, 5);
        assert_eq!(count.last(), None);
    }

    #[tokio::test]
    async fn news_wait_for_their_reader() {
        let count = RequestCounter::beginning(0, true);
        count.record(1_000_000, 1);
        count.news().await;
    }
}
