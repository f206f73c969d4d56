//! JSON schemas of `docs/schema`, as far as they use words that are known here.

use std::path::Path;

use serde_json::Value;

/// The schema of this name.
pub fn named(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let file = folder.join(format!("{name}.schema.json"));
    let text = std::fs::read_to_string(file).expect("the schema is there");
    serde_json::from_str(&text).expect("the schema is JSON")
}

/// What a value does not keep to, of the words that our schema uses; a word that is not known here is a complaint too.
pub fn complaints(root: &Value, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    let Some(rules) = schema.as_object() else {
        out.push(format!("{at}: the schema is no object"));
        return;
    };
    for (word, rule) in rules {
        match word.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" => {
                let name = rule.as_str().and_then(|path| path.strip_prefix("#/$defs/"));
                let meant = &root["$defs"][name.expect("a name of ours")];
                complaints(root, meant, value, at, out);
            }
            "const" if rule != value => out.push(format!("{at}: {value} is not {rule}")),
            "enum" if !rule.as_array().is_some_and(|list| list.contains(value)) => {
                out.push(format!("{at}: {value} is none of {rule}"));
            }
            "const" | "enum" => {}
            "type" => {
                let of = |name: &Value| match name.as_str() {
                    Some("object") => value.is_object(),
                    Some("array") => value.is_array(),
                    Some("string") => value.is_string(),
                    Some("integer") => value.is_i64() || value.is_u64(),
                    Some("number") => value.is_number(),
                    Some("boolean") => value.is_boolean(),
                    Some("null") => value.is_null(),
                    _ => false,
                };
                let fits = match rule.as_array() {
                    Some(list) => list.iter().any(of),
                    None => of(rule),
                };
                if !fits {
                    out.push(format!("{at}: {value} is no {rule}"));
                }
            }
            "required" => {
                for name in rule.as_array().into_iter().flatten() {
                    let name = name.as_str().unwrap_or_default();
                    if value.is_object() && value.get(name).is_none() {
                        out.push(format!("{at}: {name} is missing"));
                    }
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().into_iter().flatten() {
                    if let Some(part) = value.get(name) {
                        complaints(root, rule, part, &format!("{at}/{name}"), out);
                    }
                }
            }
            "additionalProperties" => {
                for (name, part) in value.as_object().into_iter().flatten() {
                    if rules
                        .get("properties")
                        .is_some_and(|known| known.get(name).is_some())
                    {
                        continue;
                    }
                    match rule {
                        Value::Bool(false) => out.push(format!("{at}: {name} is not known")),
                        rule => complaints(root, rule, part, &format!("{at}/{name}"), out),
                    }
                }
            }
            "items" => {
                for (index, part) in value.as_array().into_iter().flatten().enumerate() {
                    complaints(root, rule, part, &format!("{at}/{index}"), out);
                }
            }
            other => out.push(format!("the schema's word {other} is not checked")),
        }
    }
}
