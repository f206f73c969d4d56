//! Gotos everywhere: between blocks, into loops, out of them, over declarations; most graphs are irreducible.

use crate::odd::write::{Writer, fill};

const NAMES: &[&str] = &["a", "b", "c", "acc", "i"];

/// Blocks with labels, some of them inside of loops; every block costs a unit of fuel.
pub fn write(w: &mut Writer, part: &str) {
    let count = 3 + w.random.below(4);
    let fuel = w.number(3, 9);
    let labels: Vec<String> = (0..count).map(|_| w.name("at")).collect();
    let mut body = String::new();
    let mut open: Vec<&str> = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        if index > 0 && w.once_in(3) {
            let condition = w.condition(NAMES);
            let (start, end) = match w.random.below(5) {
                0 => (format!("while ({condition}) {{"), "}"),
                1 => (format!("for (; {condition}; i++) {{"), "}"),
                2 => ("do {".to_owned(), "DO"),
                3 => (format!("if ({condition}) {{"), "}"),
                _ => {
                    let (name, value) = (w.name("over"), w.value(NAMES));
                    // The declaration is jumped over by whoever comes by a label; nobody looks at it then.
                    (format!("{{ unsigned {name} = {value}; acc ^= {name};"), "}")
                }
            };
            body.push_str(&format!("    {start}\n"));
            open.push(end);
        }
        body.push_str(&format!("{label}:\n    if (fuel-- == 0) goto out;\n"));
        for _ in 0..1 + w.random.below(2) {
            let step = w.step("acc", NAMES);
            body.push_str(&format!("    {step}\n"));
        }
        if w.once_in(2) {
            body.push_str("    i++;\n");
        }
        for _ in 0..w.random.below(3) {
            let (condition, target) = (w.condition(NAMES), w.random.pick(&labels).clone());
            body.push_str(&format!("    if ({condition}) goto {target};\n"));
        }
        if w.once_in(2) {
            close(w, &mut open, &mut body);
        }
    }
    while !open.is_empty() {
        close(w, &mut open, &mut body);
    }
    let entry = match w.random.below(3) {
        0 => String::new(),
        1 => {
            let (value, target) = (
                w.condition(&["a", "b", "c"]),
                w.random.pick(&labels).clone(),
            );
            format!("    if ({value}) goto {target};\n")
        }
        _ => {
            let one = w.random.pick(&labels).clone();
            let two = w.random.pick(&labels).clone();
            let value = w.value(&["a", "b", "c"]);
            format!(
                "    switch ({value} & 3u) {{ case 1: goto {one}; case 2: goto {two}; default: break; }}\n"
            )
        }
    };
    let template = "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 1, i = 0, fuel = $fuel;
$entry$body    goto out;
out:
    return acc + i;
}";
    let text = fill(
        template,
        &[
            ("part", part),
            ("fuel", &fuel),
            ("entry", &entry),
            ("body", &body),
        ],
    );
    w.put("$t", &[("t", &text)]);
}

/// Closes the innermost block that is open.
fn close(w: &mut Writer, open: &mut Vec<&str>, body: &mut String) {
    match open.pop() {
        None => {}
        Some("DO") => {
            let condition = w.condition(NAMES);
            body.push_str(&format!("    }} while ({condition} && fuel--);\n"));
        }
        Some(end) => body.push_str(&format!(
            "    fuel -= fuel > 0; if (!fuel) goto out;\n    {end}\n"
        )),
    }
}
