//! The columns of the terminal's table, with titles for running text.

use crate::cli::output::{Align, Column};

pub struct Cells {
    /// With its unit.
    pub title: String,
    pub align: Align,
    pub cells: Vec<String>,
}

impl From<Column> for Cells {
    fn from(column: Column) -> Self {
        Self {
            title: title(column.title),
            align: column.align,
            cells: column.cells,
        }
    }
}

/// `REQUESTS/S` as `Requests/s`, `RSS MiB` as it is: units and abbreviations keep their letters.
fn title(title: &str) -> String {
    const KEPT: [&str; 5] = ["CPU", "RSS", "CV", "P50", "P99"];
    let word = |(at, word): (usize, &str)| {
        let shout = word.chars().all(|c| !c.is_lowercase());
        match word {
            _ if KEPT.contains(&word) || !shout => word.to_owned(),
            _ if at == 0 => {
                let mut chars = word.chars();
                let first = chars.next().map_or_else(String::new, |c| c.to_string());
                first + &chars.as_str().to_lowercase()
            }
            _ => word.to_lowercase(),
        }
    };
    let words: Vec<String> = title.split(' ').enumerate().map(word).collect();
    words.join(" ").replace("µs/REQ", "µs/request")
}

#[cfg(test)]
mod tests {
    #[test]
    fn titles_are_no_shouts() {
        let shown = [
            "REQUESTS/S",
            "TO BASELINE (95 %)",
            "MIN–MAX ms",
            "CPU µs/REQ",
            "RSS MiB",
            "CV %",
            "FIRST BYTE P50 ms",
        ];
        assert_eq!(
            shown.map(super::title),
            [
                "Requests/s",
                "To baseline (95 %)",
                "Min–max ms",
                "CPU µs/request",
                "RSS MiB",
                "CV %",
                "First byte P50 ms"
            ]
        );
    }
}
