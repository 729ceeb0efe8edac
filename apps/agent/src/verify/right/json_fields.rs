//! The values in which two JSON texts differ, and what names them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Fields that a line which would allow them names at once: a message is short, and whoever puts it in is told the next ones.
const MOST_FIELDS: usize = 10;

/// Where a value is, as JSON Pointers.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub exact: String,
    /// With `*` for each number of an item.
    pattern: String,
}

impl Place {
    fn key(&self, key: &str) -> Self {
        let part = key.replace('~', "~0").replace('/', "~1");
        Self {
            exact: format!("{}/{part}", self.exact),
            pattern: format!("{}/{part}", self.pattern),
        }
    }

    fn item(&self, index: usize) -> Self {
        Self {
            exact: format!("{}/{index}", self.exact),
            pattern: format!("{}/*", self.pattern),
        }
    }
}

/// A value that differs.
pub(super) struct Field<'v> {
    pub at: Place,
    /// What is to be left out for the two to be the same. In lists of different lengths that is the list.
    left_out: Place,
    pub right: Option<&'v Value>,
    pub wrong: Option<&'v Value>,
}

pub(super) fn fields<'v>(right: &'v Value, wrong: &'v Value, at: &Place, found: &mut Vec<Field<'v>>) {
    let field = |at: Place, right, wrong| Field {
        left_out: at.clone(),
        at,
        right,
        wrong,
    };
    match (right, wrong) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let next = at.key(key);
                match (a.get(key), b.get(key)) {
                    (Some(x), Some(y)) => fields(x, y, &next, found),
                    (x, y) => found.push(field(next, x, y)),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            let before = found.len();
            for (index, (x, y)) in a.iter().zip(b).enumerate() {
                fields(x, y, &at.item(index), found);
            }
            if a.len() != b.len() {
                let shorter = a.len().min(b.len());
                found.push(field(at.item(shorter), a.get(shorter), b.get(shorter)));
                for inside in &mut found[before..] {
                    inside.left_out.clone_from(at);
                }
            }
        }
        (a, b) if a == b => {}
        (a, b) => found.push(field(at.clone(), Some(a), Some(b))),
    }
}

/// What would allow them all, or at least the first; items that differ in the same way are named together. `None` where it
/// would be the whole body.
pub(super) fn named(found: &[Field<'_>]) -> Option<Vec<String>> {
    let mut alike: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for field in found {
        let Place { exact, pattern } = &field.left_out;
        alike.entry(pattern.as_str()).or_default().insert(exact.as_str());
    }
    if alike.contains_key("") {
        return None;
    }
    let one = |(pattern, places): (&str, BTreeSet<&str>)| match places.len() {
        1 => places.into_iter().collect::<String>(),
        _ => pattern.to_owned(),
    };
    Some(alike.into_iter().map(one).take(MOST_FIELDS).collect())
}
