//! Switches whose cases stand in nested blocks, fall through, have ranges, or a default in the middle.

use crate::odd::write::Writer;

const NAMES: &[&str] = &["a", "b", "c", "acc"];

/// A switch with random nesting.
pub fn write(w: &mut Writer, part: &str) {
    let mut body = String::new();
    let mut open = 0;
    let mut case = 0;
    let middle = w.random.below(6);
    for index in 0..6 {
        match w.random.below(6) {
            0 => {
                let condition = w.condition(NAMES);
                body.push_str(&format!("    if ({condition}) {{\n"));
                open += 1;
            }
            1 => {
                body.push_str("    {\n");
                open += 1;
            }
            2 => {
                let condition = w.condition(NAMES);
                body.push_str(&format!("    while ({condition} && fuel-- > 0) {{\n"));
                open += 1;
            }
            _ => {}
        }
        let label = match w.random.below(4) {
            0 => {
                let text = format!("case {case} ... {}:", case + 1);
                case += 2;
                text
            }
            1 if index != middle => String::new(),
            _ => {
                let text = format!("case {case}:");
                case += 1;
                text
            }
        };
        let default = if index == middle { "default:" } else { "" };
        let step = w.step("acc", NAMES);
        let last = match w.random.below(5) {
            0 => "break;".to_owned(),
            1 => format!("if ({}) break;", w.condition(NAMES)),
            2 => {
                let condition = w.condition(NAMES);
                format!("if ({condition} && fuel-- > 0) goto again;")
            }
            _ => String::new(),
        };
        body.push_str(&format!("    {label}{default} {step} {last}\n"));
        if open > 0 && w.once_in(2) {
            body.push_str("    }\n");
            open -= 1;
        }
    }
    body.push_str(&"    }\n".repeat(open));
    let kind = w.any(&[
        "unsigned",
        "int",
        "unsigned char",
        "long",
        "short",
        "enum choice",
    ]);
    let (selector, kind_name) = (w.value(&["a", "b", "c", "acc"]), w.name("choice"));
    let declared = if kind.starts_with("enum") {
        format!("enum {kind_name} {{ none{kind_name}, some{kind_name} = 9 }};")
    } else {
        String::new()
    };
    let kind = kind.replace("choice", &kind_name);
    w.put(
        "$declared
static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0;
    int fuel = 3;
again:
    switch (($kind)($selector & 15u)) {
$body    }
    return acc;
}",
        &[
            ("declared", &declared),
            ("part", part),
            ("kind", &kind),
            ("selector", &selector),
            ("body", &body),
        ],
    );
}
