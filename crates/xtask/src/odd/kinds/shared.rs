//! Volatile objects that others may write: each read is an input (`--volatile any`), or what was written last (`--volatile last`).

use crate::odd::write::{Writer, fill};

/// Only the lowest two bits of what is read are looked at.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    if !w.options.contains(&"--volatile") {
        let last = w.once_in(2) || w.own_volatiles;
        w.options.push("--volatile");
        w.options.push(if last { "last" } else { "any" });
    }
    let (read, limit) = if w.options.contains(&"last") {
        ("(dev$n.$m & 3u)", "(at$n & 3u)")
    } else {
        ("oracle_choose(4)", "oracle_choose(4)")
    };
    let (read_data, read_flag) = (read.replace("$m", "data"), read.replace("$m", "flag"));
    let text = fill(
        "struct dev$n { unsigned flag, data; };
static volatile struct dev$n dev$n = {0, 1};
static volatile unsigned at$n;
#ifdef ORACLE
static unsigned data$n(void) { return $data; }
static unsigned flag$n(void) { return $flag; }
static unsigned here$n(void) { return $here; }
#else
static unsigned data$n(void) { return dev$n.data & 3u; }
static unsigned flag$n(void) { volatile struct dev$n *p = &dev$n; return p->flag & 3u; }
static unsigned here$n(void) { return at$n & 3u; }
#endif",
        &[
            ("n", &n),
            ("data", &read_data.replace("$n", &n)),
            ("flag", &read_flag.replace("$n", &n)),
            ("here", &limit.replace("$n", &n)),
        ],
    );
    w.put("$t", &[("t", &text)]);
    let mut body = String::new();
    for _ in 0..1 + w.random.below(2) {
        let text = w.any(&[
            "dev$n.data = $v; acc += data$n();",
            "at$n = $v; if (here$n() == 2u) acc += 3u;",
            "for (unsigned i = 0; i < 2u; i++) { if (flag$n() == 1u) break; acc++; }",
            "if (here$n() == here$n()) acc += 1u; else acc += 7u;",
            "dev$n.flag = $v & 1u; if (flag$n()) acc += data$n();",
        ]);
        let v = w.value(&["a", "b"]);
        body.push_str("    ");
        body.push_str(&fill(&text, &[("n", &n), ("v", &v)]));
        body.push('\n');
    }
    let step = w.step("acc", &["a", "b", "acc"]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0;
$body    $s
    return acc;
}",
        &[("part", part), ("body", &body), ("s", &step)],
    );
}
