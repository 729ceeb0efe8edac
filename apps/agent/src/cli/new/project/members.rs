//! The members of a workspace, by the patterns with which its root names them: Cargo and uv have the same.

use std::path::PathBuf;

use toml::{Table, Value};

use super::folder::Folder;

/// The folders that a pattern names, such as `crates/*`: a star stands for any part of one folder's name.
pub fn named(folder: &Folder<'_>, pattern: &str) -> Vec<String> {
    let parts = pattern.split('/').filter(|part| !part.is_empty() && *part != ".");
    parts.fold(vec![String::new()], |places, part| {
        let below = |above: String| -> Vec<String> {
            let names = match part.contains('*') {
                true => folder.folders(&above),
                false => vec![part.to_owned()],
            };
            let fitting = names.into_iter().filter(|name| fits(part, name));
            fitting.map(|name| joined(&above, &name)).collect()
        };
        places.into_iter().flat_map(below).collect()
    })
}

pub fn joined(above: &str, name: &str) -> String {
    match above {
        "" | "." => name.to_owned(),
        above => format!("{above}/{name}"),
    }
}

/// What stands between the stars, in this order.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else {
            return false;
        };
        rest = behind;
    }
    rest.ends_with(last)
}

/// The strings of a list in a table.
pub fn strings<'a>(table: &'a Value, key: &str) -> impl Iterator<Item = &'a str> {
    let list = table.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

/// The file of a workspace above the folder that has it as a member, up to the top of the repository.
pub fn root_above(folder: &Folder<'_>, file: &str, has: impl Fn(&Folder<'_>, &Table, &str) -> bool) -> Option<PathBuf> {
    let here = folder.path.canonicalize().ok()?;
    for path in here.ancestors().skip(1) {
        let above = Folder { path, name: "" };
        let below = here.strip_prefix(path).ok()?.to_str()?;
        let table: Option<Table> = above.read(file).and_then(|text| text.parse().ok());
        if table.is_some_and(|table| has(&above, &table, below)) {
            return Some(path.join(file));
        }
        if path.join(".git").exists() {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_folders() {
        let dir = tempfile::tempdir().unwrap();
        for place in ["crates/api", "crates/api-core", "crates/web", "lib"] {
            std::fs::create_dir_all(dir.path().join(place)).unwrap();
        }
        let folder = Folder {
            path: dir.path(),
            name: "x",
        };
        for (pattern, places) in [
            ("./lib/", &["lib"][..]),
            ("crates/*", &["crates/api", "crates/api-core", "crates/web"]),
            ("crates/api*", &["crates/api", "crates/api-core"]),
            ("crates/*-*re", &["crates/api-core"]),
            ("*", &["crates", "lib"]),
            ("*/web", &["crates/web", "lib/web"]),
        ] {
            assert_eq!(named(&folder, pattern), places, "{pattern}");
        }
    }
}
