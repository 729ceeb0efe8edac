//! A table that is wider than the terminal is cut between its groups of columns, and only where a group alone is too
//! wide within one. Each part begins with the names of the rows, so that no number is broken and none is left out.

use comfy_table::Table;

use super::column::Column;

/// Each part's columns, the names first; one part where all fit.
pub fn parts(mut groups: Vec<Vec<Column>>, room: Option<u16>) -> Vec<Vec<Column>> {
    let rest = groups.split_off(groups.len().min(1));
    let names = groups.pop().unwrap_or_default();
    let room = room.map_or(usize::MAX, usize::from);
    // A name may be broken; what stands beside it needs the rest.
    let named = width(&names).min(room / 2);
    let mut parts: Vec<Vec<Column>> = Vec::new();
    let mut taken = usize::MAX;
    for group in rest.into_iter().filter(|g| !g.is_empty()) {
        let whole = width(&group);
        let pieces = if named + whole <= room {
            vec![group]
        } else {
            group.into_iter().map(|column| vec![column]).collect()
        };
        for piece in pieces {
            let own = width(&piece);
            if taken.saturating_add(own) <= room && !parts.is_empty() {
                taken += own;
            } else {
                parts.push(names.clone());
                taken = named + own;
            }
            parts.last_mut().expect("one was pushed").extend(piece);
        }
    }
    parts
}

/// As they are drawn, with a blank on both sides of each.
fn width(columns: &[Column]) -> usize {
    let of = |column: &Column| {
        let mut table = Table::new();
        table.set_header([column.title]);
        column.cells.iter().for_each(|cell| {
            table.add_row([cell]);
        });
        table.column_max_content_widths().first().map_or(0, |w| usize::from(*w)) + 2
    };
    columns.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::super::column::Align;
    use super::*;

    fn column(title: &'static str, cell: &str) -> Column {
        Column {
            title,
            align: Align::Right,
            cells: vec![cell.to_owned()],
        }
    }

    fn titles(groups: &[&[(&'static str, &str)]], room: Option<u16>) -> Vec<Vec<&'static str>> {
        let group = |of: &&[(&'static str, &str)]| of.iter().map(|(title, cell)| column(title, cell)).collect();
        let parts = parts(groups.iter().map(group).collect(), room);
        parts
            .iter()
            .map(|part| part.iter().map(|c| c.title).collect())
            .collect()
    }

    /// Each is ten wide with its blanks.
    const GROUPS: [&[(&str, &str)]; 3] = [
        &[("NAME", "12345678")],
        &[("A", "12345678"), ("B", "12345678")],
        &[("C", "12345678"), ("D", "12345678")],
    ];

    #[test]
    fn what_fits_stays_one_table() {
        let whole = vec![vec!["NAME", "A", "B", "C", "D"]];
        assert_eq!(titles(&GROUPS, None), whole);
        assert_eq!(titles(&GROUPS, Some(50)), whole);
    }

    #[test]
    fn what_is_too_wide_is_cut_between_groups_and_named_again() {
        let cut = vec![vec!["NAME", "A", "B"], vec!["NAME", "C", "D"]];
        assert_eq!(titles(&GROUPS, Some(49)), cut);
        assert_eq!(titles(&GROUPS, Some(30)), cut);
    }

    #[test]
    fn a_group_that_is_too_wide_alone_is_cut_within() {
        let single = ["A", "B", "C", "D"].map(|title| ["NAME", title]);
        assert_eq!(titles(&GROUPS, Some(29)), single);
    }

    #[test]
    fn a_long_name_gives_way_and_wide_characters_are_two_wide() {
        let long = "x".repeat(200);
        let groups: [&[(&str, &str)]; 2] = [&[("NAME", &long)], &[("A", "服务器服务")]];
        assert_eq!(titles(&groups, Some(40)), [["NAME", "A"]]);
        assert_eq!(width(&[column("A", "服务器服务")]), 12);
    }
}
