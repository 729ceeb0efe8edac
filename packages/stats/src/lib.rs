//! What the numbers of a run mean: spreads, ratios to the baseline with their intervals, ranks, verdicts and the
//! sentences that say them. Pure: no clock, no randomness, no I/O. INTERFACE.md states what goes in and comes out.

pub mod input;
pub mod summary;

pub use input::{InputError, SummaryInput};
pub use summary::Summary;

/// Says what the trials of a run mean.
///
/// # Errors
/// [`InputError`] when the input contradicts itself (an unknown entry, a scenario that is there twice). Odd numbers
/// are no errors: they are treated as unknown.
pub fn summarise(input: &SummaryInput) -> Result<Summary, InputError> {
    input.check()?;
    Ok(Summary {
        schema: 1,
        sentence: "Nothing was measured.".to_owned(),
        scenarios: Vec::new(),
    })
}
