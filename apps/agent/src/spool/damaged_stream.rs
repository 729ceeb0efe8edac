//! What can still be read of a damaged stream.

use super::format::Totals;

#[derive(Debug)]
pub struct DamagedStream {
    pub segments: Vec<u32>,
    /// Points from which sending can go on.
    pub known: Vec<Totals>,
    /// One past the highest number that is known to have been written.
    pub end_record: u64,
}
