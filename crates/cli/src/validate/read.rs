//! A witness as it is written: YAML, format 2.0.

use bench::yaml::Node;

use super::{Content, Holds, Kind, Location, Waypoint, Witness};
use crate::ctext;

/// What a witness says.
pub fn read(node: &Node) -> Result<Witness, String> {
    let Node::List(entries) = node else {
        return Err("a witness is a list of entries".to_owned());
    };
    let kind = |entry: &Node| {
        entry
            .get("entry_type")
            .and_then(Node::text)
            .map(str::to_owned)
    };
    let known = entries.iter().find(|entry| {
        matches!(
            kind(entry).as_deref(),
            Some("violation_sequence" | "invariant_set")
        )
    });
    let entry = known.ok_or("has no entry of type violation_sequence or invariant_set")?;
    let metadata = entry.get("metadata").ok_or("an entry has no metadata")?;
    let version = metadata.get("format_version").and_then(Node::text);
    if !version.is_some_and(|version| version.starts_with("2.")) {
        let version = version.unwrap_or("none");
        return Err(format!("is of format {version}; 2.0 is known"));
    }
    let task = metadata.get("task");
    let specification = task.and_then(|task| task.get("specification"));
    let specification = specification.and_then(Node::text).unwrap_or_default();
    let hashes = match task.and_then(|task| task.get("input_file_hashes")) {
        Some(Node::Map(entries)) => entries
            .iter()
            .filter_map(|(name, hash)| Some((name.clone(), hash.text()?.to_lowercase())))
            .filter(|(_, hash)| hash.len() == 64)
            .collect(),
        _ => Vec::new(),
    };
    let list = match entry.get("content") {
        Some(Node::List(list)) => &list[..],
        _ => return Err("an entry has no content".to_owned()),
    };
    let content = match kind(entry).as_deref() {
        Some("violation_sequence") => {
            let mut points = Vec::new();
            for item in list {
                let Some(Node::List(segment)) = item.get("segment") else {
                    return Err("a violation consists of segments".to_owned());
                };
                for point in segment {
                    let point = point.get("waypoint");
                    points.push(waypoint(point.ok_or("a segment consists of waypoints")?)?);
                }
            }
            Content::Violation(points)
        }
        _ => {
            let list = list.iter().map(|item| {
                let item = item.get("invariant");
                holds(item.ok_or("a proof consists of invariants")?)
            });
            Content::Proof(list.collect::<Result<_, String>>()?)
        }
    };
    Ok(Witness {
        hashes,
        specification: specification.to_owned(),
        content,
    })
}

fn waypoint(node: &Node) -> Result<Waypoint, String> {
    let text = |name: &str| node.get(name).and_then(Node::text).unwrap_or_default();
    if text("action") != "follow" {
        return Err(format!(
            "waypoints to `{}` are not known, only to follow",
            text("action")
        ));
    }
    let kind = match text("type") {
        "assumption" => Kind::Assumption,
        "function_return" => Kind::Return,
        "branching" => Kind::Branching,
        "target" => Kind::Target,
        other => return Err(format!("waypoints of type `{other}` are not known")),
    };
    let constraint = node.get("constraint").and_then(|node| node.get("value"));
    let constraint = constraint.and_then(Node::text).unwrap_or_default();
    if constraint.is_empty() && kind != Kind::Target {
        return Err("a waypoint has no constraint".to_owned());
    }
    Ok(Waypoint {
        kind,
        constraint: one_line(constraint)?,
        location: location(node)?,
    })
}

fn holds(node: &Node) -> Result<Holds, String> {
    let text = |name: &str| node.get(name).and_then(Node::text).unwrap_or_default();
    let at_loop = match text("type") {
        "loop_invariant" => true,
        "location_invariant" => false,
        other => return Err(format!("invariants of type `{other}` are not known")),
    };
    if text("format") != "c_expression" {
        return Err(format!(
            "invariants in format `{}` are not known, only c_expression",
            text("format")
        ));
    }
    Ok(Holds {
        expression: one_line(text("value"))?,
        location: location(node)?,
        at_loop,
    })
}

/// An expression stays one, whatever stands in the witness: no statement and no comment can be smuggled in.
fn one_line(text: &str) -> Result<String, String> {
    let is_code = ctext::code(text);
    let bad = text.contains(['\n', '#', '{', ';']) || is_code.iter().any(|code| !code);
    let mut depth = 0_i32;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    if bad || depth != 0 {
        return Err(format!("`{text}` is no expression of C"));
    }
    Ok(text.to_owned())
}

fn location(node: &Node) -> Result<Location, String> {
    let location = node.get("location").ok_or("something has no location")?;
    let number = |name: &str| -> Option<u32> { location.get(name)?.text()?.parse().ok() };
    let file = location.get("file_name").and_then(Node::text);
    Ok(Location {
        file: file.ok_or("a location has no file_name")?.to_owned(),
        line: number("line").ok_or("a location has no line")?,
        column: number("column").filter(|&column| column > 0),
    })
}
