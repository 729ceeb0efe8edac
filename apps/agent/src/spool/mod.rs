//! Records on the disk until the control plane has them. `docs/spool.md` is the text of the format, which is final.
//!
//! A [`Spool`] has a folder an attempt; an [`AttemptSpool`] is one of them with a [`StreamSpool`] for each stream.
//! Nothing here knows the network, and nothing here decides what is sent when: that is `session`.

mod attempt;
#[cfg(test)]
mod damage_tests;
mod damaged_stream;
mod error;
mod folder;
mod format;
mod lost;
mod recover;
mod refused;
mod scan;
mod segment;
mod stream;
mod watermark;

pub use attempt::{AttemptPhase, RunEnd, SpooledAttempt, write_atomically};
pub use error::SpoolError;
pub use folder::{AttemptSpool, Leftover, Spool, SpoolStore};
pub use format::Totals;
pub use refused::{SetAside, set_aside};
#[cfg(test)]
pub use segment::tests::set_space_left;
pub use stream::{Chunk, ChunkSource, StreamId, StreamSpool, StreamStatus};
