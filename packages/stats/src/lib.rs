//! What the numbers mean: see INTERFACE.md.
