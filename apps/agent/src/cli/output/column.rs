//! A column of a table.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// A column of a table that may be wider than the terminal.
#[derive(Clone)]
pub struct Column {
    /// With its unit.
    pub title: &'static str,
    pub align: Align,
    pub cells: Vec<String>,
}
