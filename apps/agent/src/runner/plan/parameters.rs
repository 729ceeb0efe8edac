//! What a plan does to whom, as a hash that a report can hand on: two plans with the same one have the same scenarios, number for
//! number, and the same entries with the same options. What the servers' folders hold is each entry's content, not here; order and
//! blocks follow from the seed and from what is typed.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::protocol::journal::Plan;

/// sha256 over [`canonical`], in hexadecimal.
pub fn hash(plan: &Plan) -> String {
    hex::encode(Sha256::digest(canonical(plan)))
}

/// JSON with sorted keys and no white space, numbers as ECMAScript writes them (RFC 8785): the app hashes the same text
/// (`packages/domain/src/internal/run/plan-parameters.ts`). Both are held to `packages/protocol/golden/repeat.json`.
fn canonical(plan: &Plan) -> String {
    let entries: Vec<Value> = plan
        .entries
        .iter()
        .map(|e| json!({ "baseline": e.baseline, "label": e.label, "options": e.options, "server": e.server }))
        .collect();
    let mut text = String::new();
    write(
        &json!({ "entries": entries, "scenarios": plan.scenarios, "schema": 1 }),
        &mut text,
    );
    text
}

fn write(value: &Value, text: &mut String) {
    let separated = |text: &mut String, index: usize| {
        if index > 0 {
            text.push(',');
        }
    };
    match value {
        Value::Array(values) => {
            text.push('[');
            for (index, value) in values.iter().enumerate() {
                separated(text, index);
                write(value, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| key.as_str());
            text.push('{');
            for (index, (key, value)) in fields.into_iter().enumerate() {
                separated(text, index);
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(0.0) => text.push('0'),
            // The ranges of a plan end far below 1e21, where ECMAScript takes to exponents again.
            Some(small) if small.abs() < 1e-6 => text.push_str(&format!("{small:e}")),
            Some(float) => text.push_str(&float.to_string()),
            None => text.push_str(&number.to_string()),
        },
        Value::Null | Value::Bool(_) | Value::String(_) => text.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        plan: Plan,
        canonical: String,
        hash: String,
    }

    fn golden() -> Golden {
        let text = include_str!("../../../../../packages/protocol/golden/repeat.json");
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn app_and_agent_hash_the_same_text() {
        let golden = golden();
        assert_eq!(canonical(&golden.plan), golden.canonical);
        assert_eq!(hash(&golden.plan), golden.hash);
    }

    #[test]
    fn numbers_are_as_ecmascript_writes_them() {
        let written = |value: Value| {
            let mut text = String::new();
            write(&value, &mut text);
            text
        };
        for (number, text) in [
            (10.0, "10"),
            (0.25, "0.25"),
            (-0.0, "0"),
            (1e-7, "1e-7"),
            (1.5e-9, "1.5e-9"),
            (0.1 + 0.2, "0.30000000000000004"),
        ] {
            assert_eq!(written(json!(number)), text);
        }
        assert_eq!(written(json!(9_007_199_254_740_991_u64)), "9007199254740991");
    }

    #[test]
    fn what_changes_a_trial_changes_it_and_what_a_seed_draws_does_not() {
        let Golden { plan, hash: of, .. } = golden();
        let changed = |change: &dyn Fn(&mut Plan)| {
            let mut other = plan.clone();
            change(&mut other);
            hash(&other) != of
        };
        assert!(changed(&|p| p.scenarios[0].warmup_s += 0.5));
        assert!(changed(&|p| p.entries[0].baseline = true));
        assert!(changed(&|p| p.entries[0].options = [("workers".to_owned(), 7)].into()));
        assert!(!changed(&|p| (p.seed, p.trials) = (8, Vec::new())));
        assert!(!changed(&|p| p.entries[0].content_hash.clear()));
    }
}
