//! JSON of a response in the form in which it is compared.

use serde_json::Value;

/// Without the named fields, and with [`numbers`] in one form.
pub(super) fn normal(mut value: Value, fields: &[String]) -> Value {
    for pointer in fields {
        let parts: Vec<String> = pointer
            .split('/')
            .skip(1)
            .map(|part| part.replace("~1", "/").replace("~0", "~"))
            .collect();
        remove(&mut value, &parts);
    }
    numbers(value)
}

/// An item of a list becomes null, so that the others keep their places.
fn remove(value: &mut Value, parts: &[String]) {
    let Some((part, rest)) = parts.split_first() else {
        return;
    };
    match value {
        Value::Object(map) if rest.is_empty() => match part.as_str() {
            "*" => map.clear(),
            key => drop(map.remove(key)),
        },
        Value::Object(map) => {
            for (_, inner) in map.iter_mut().filter(|(key, _)| part == "*" || *key == part) {
                remove(inner, rest);
            }
        }
        Value::Array(items) => {
            for (_, item) in items
                .iter_mut()
                .enumerate()
                .filter(|(n, _)| part == "*" || n.to_string() == *part)
            {
                match rest.is_empty() {
                    true => *item = Value::Null,
                    false => remove(item, rest),
                }
            }
        }
        _ => {}
    }
}

/// 1.0 is 1.
pub(super) fn numbers(value: Value) -> Value {
    /// Beyond this a double holds no further integers exactly.
    const MOST: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => match number
            .as_f64()
            .filter(|n| number.is_f64() && n.fract() == 0.0 && n.abs() < MOST)
        {
            Some(whole) => Value::from(whole as i64),
            None => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(numbers).collect(),
        Value::Object(map) => map.into_iter().map(|(key, inner)| (key, numbers(inner))).collect(),
        other => other,
    }
}
