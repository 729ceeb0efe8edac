//! One stream on the model's disk.

use crate::spool::StreamStatus;

/// Numbers instead of records.
#[derive(Default, Clone)]
pub struct ModelStream {
    pub chunks: Vec<Vec<u32>>,
    pub open: Vec<u32>,
    pub acknowledged: u64,
}

impl ModelStream {
    pub fn status(&self) -> StreamStatus {
        StreamStatus {
            held_from: self.acknowledged,
            chunks: self.chunks.len() as u64,
            pending: !self.open.is_empty(),
            damaged: false,
        }
    }
    pub fn all(&self) -> Vec<u32> {
        self.chunks.iter().flatten().chain(&self.open).copied().collect()
    }
}
