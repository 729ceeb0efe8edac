//! One record to several places, such as a file and the progress bar.

use std::sync::Arc;

use super::Sink;
use crate::protocol::journal::Event;

pub struct Tee(pub Vec<Arc<dyn Sink>>);

impl Sink for Tee {
    fn append(&self, event: Event) {
        if let Some((last, others)) = self.0.split_last() {
            others.iter().for_each(|sink| sink.append(event.clone()));
            last.append(event);
        }
    }
    /// The first trouble that any of them has.
    fn health(&self) -> Result<(), String> {
        self.0.iter().try_for_each(|sink| sink.health())
    }
}
