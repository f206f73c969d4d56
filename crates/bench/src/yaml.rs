//! The little of YAML that task definitions need: scalars, lists and maps with scalar keys.
//!
//! The events come from a full YAML parser. Aliases are refused, so that a small file cannot become a
//! large value; size and depth are limited for the same reason.

use saphyr_parser::{Event, Parser};

/// Larger files are not task definitions.
const MAX_BYTES: usize = 1 << 20;
/// Deeper nesting is not a task definition either.
const MAX_DEPTH: usize = 16;

/// A value. Scalars are text: what they mean, the reader of a field knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A scalar with quotes and escapes resolved.
    Scalar(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping in the order of the text.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// The value of a key of a map.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Map(entries) => entries
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            Node::Scalar(_) | Node::List(_) => None,
        }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match self {
            Node::Scalar(text) => Some(text),
            Node::List(_) | Node::Map(_) => None,
        }
    }

    /// The texts of a list of scalars; a scalar counts as a list of one.
    pub fn texts(&self) -> Option<Vec<&str>> {
        match self {
            Node::Scalar(text) => Some(vec![text]),
            Node::List(nodes) => nodes.iter().map(Node::text).collect(),
            Node::Map(_) => None,
        }
    }
}

/// A collection whose end has not been seen.
enum Open {
    List(Vec<Node>),
    /// The entries, and the key that waits for its value.
    Map(Vec<(String, Node)>, Option<String>),
}

/// Reads the only document of a text; the error is a line, if it is known, and a reason.
pub fn read(text: &str) -> Result<Node, (Option<u64>, String)> {
    if text.len() > MAX_BYTES {
        return Err((None, format!("larger than {MAX_BYTES} bytes")));
    }
    let mut open: Vec<Open> = Vec::new();
    let mut root: Option<Node> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let line = error.marker().line() as u64;
            (Some(line), error.info().to_owned())
        })?;
        let line = Some(span.start.line() as u64);
        let fail = |reason: &str| Err((line, reason.to_owned()));
        let finished = match event {
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => continue,
            Event::Alias(_) => return fail("aliases are not supported"),
            Event::Scalar(value, ..) => Node::Scalar(value.into_owned()),
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() == MAX_DEPTH {
                    return fail("nested too deeply");
                }
                open.push(match event {
                    Event::SequenceStart(..) => Open::List(Vec::new()),
                    _ => Open::Map(Vec::new(), None),
                });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(nodes)) => Node::List(nodes),
                Some(Open::Map(entries, _)) => Node::Map(entries),
                None => return fail("unbalanced"),
            },
        };
        match open.last_mut() {
            None if root.is_some() => return fail("more than one document"),
            None => root = Some(finished),
            Some(Open::List(nodes)) => nodes.push(finished),
            Some(Open::Map(entries, key)) => match (key.take(), finished) {
                (Some(key), value) => entries.push((key, value)),
                (None, Node::Scalar(name)) => {
                    if entries.iter().any(|(known, _)| *known == name) {
                        return Err((line, format!("key `{name}` twice")));
                    }
                    *key = Some(name);
                }
                (None, Node::List(_) | Node::Map(_)) => return fail("a key must be a scalar"),
            },
        }
    }
    root.ok_or((None, "empty".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{Node, read};

    #[test]
    fn reads_what_definitions_contain() {
        let text = "# comment\nformat_version: '2.0'\ninput_files:\n  - \"a.c\"\n  - b.c\noptions: {language: C}\n";
        let node = read(text).expect("valid");
        assert_eq!(node.get("format_version").and_then(Node::text), Some("2.0"));
        assert_eq!(
            node.get("input_files").and_then(Node::texts),
            Some(vec!["a.c", "b.c"])
        );
        let options = node.get("options").expect("there");
        assert_eq!(options.get("language").and_then(Node::text), Some("C"));
    }

    #[test]
    fn refuses_bombs_and_nonsense() {
        let deep = "[".repeat(100_000);
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
        for text in [
            deep.as_str(),
            bomb,
            "",
            "a: b: c",
            "a: 1\na: 2",
            "---\na\n---\nb\n",
            "? [x]\n: y",
        ] {
            assert!(read(text).is_err(), "{text:.20}");
        }
        assert_eq!(
            read(bomb),
            Err((Some(2), "aliases are not supported".to_owned()))
        );
    }
}
