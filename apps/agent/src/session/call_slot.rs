//! A slot has at most one call under way, and waits longer after each failure. Slots do not wait for each other.

use super::event::{CallId, Request};

pub const MS: u64 = 1000;
pub const S: u64 = 1000 * MS;
const BACKOFF_FIRST: u64 = 500 * MS;
const BACKOFF_MOST: u64 = 30 * S;

#[derive(Debug, Clone)]
pub struct Call {
    pub id: CallId,
    pub request: Request,
    pub session_no: u64,
    pub sent_at: u64,
}

#[derive(Debug, Clone, Default)]
pub struct CallSlot {
    pub call: Option<Call>,
    pub not_before: u64,
    failures: u32,
    /// The last call was not answered: try again as soon as anything is.
    lost: bool,
}

impl CallSlot {
    /// Takes the call if it is this slot's.
    pub fn take(&mut self, id: CallId) -> Option<Call> {
        self.call.take_if(|call| call.id == id)
    }

    pub fn succeeded(&mut self) {
        (self.failures, self.lost) = (0, false);
    }

    pub fn failed(&mut self, now: u64, lost: bool, draw: u64) {
        let most = BACKOFF_FIRST
            .saturating_mul(1 << self.failures.min(10))
            .min(BACKOFF_MOST);
        self.failures += 1;
        self.lost = lost;
        // Half of it is drawn, so that a thousand agents do not come back in the same moment.
        self.not_before = now + most / 2 + draw % (most / 2 + 1);
    }

    pub fn wait_at_most(&mut self, now: u64, wait: u64) {
        self.not_before = self.not_before.min(now + wait);
    }

    /// After a first failure whose cause is gone already.
    pub fn retry_first_at_once(&mut self, now: u64) {
        if self.failures == 1 {
            self.not_before = now;
        }
    }

    pub fn reached(&mut self, now: u64) {
        if std::mem::take(&mut self.lost) {
            self.not_before = self.not_before.min(now);
            self.failures = 0;
        }
    }
}

/// When [`super::StateMachine`] has to be called again at the latest.
#[derive(Debug, Default)]
pub struct Wake(pub Option<u64>);

impl Wake {
    /// Is it time yet? If not, remembers to look again then.
    pub fn due(&mut self, now: u64, at: u64) -> bool {
        if at > now {
            self.0 = Some(self.0.map_or(at, |wake| wake.min(at)));
        }
        at <= now
    }
}

/// splitmix64: enough to spread retries and to make request ids; secrets are made elsewhere.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
