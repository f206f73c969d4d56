//! Volatile variables of a function: they hold what was written last, through any name.

use crate::odd::write::{Writer, fill};

/// Loops, pointers, structures and jumps over volatile variables.
pub fn write(w: &mut Writer, part: &str) {
    if w.options.contains(&"any") {
        // Another part of the program has asked for inputs instead.
        return super::places::write(w, part);
    }
    w.own_volatiles = true;
    let n = w.name("");
    let (step, more) = (
        w.step("acc", &["a", "b", "v", "acc"]),
        w.step("v", &["a", "acc", "c"]),
    );
    let (c, k, x) = (
        w.condition(&["a", "b", "v"]),
        w.number(1, 4),
        w.value(&["a", "b", "c"]),
    );
    let mut body = String::new();
    for _ in 0..1 + w.random.below(3) {
        let text = w.any(&[
            "for (v = 0; v < $k; v++) { $s }",
            "v = $x; if ($c) { $s } else v++;",
            "{ volatile unsigned *p = &v; *p = $x; acc += v + *p; $m }",
            "s.flag = 1; while (s.flag) { s.rest = $x; s.flag = 0; } acc += s.rest;",
            "{ volatile unsigned cells[3] = {0}; cells[a % 3u] = $x; acc += cells[0] + cells[2]; }",
            "ready = 0; do { $m ready++; } while (ready < $k); acc += v;",
            "{ volatile unsigned char low = (unsigned char)$x; acc += low; low++; acc += low; }",
            "{ const volatile unsigned fixed = $x; acc += fixed ^ fixed; $s }",
            "w = &v; *w = $x; v = v + 1u; acc += *w;",
        ]);
        body.push_str("    ");
        body.push_str(&fill(
            &text,
            &[("k", &k), ("s", &step), ("m", &more), ("c", &c), ("x", &x)],
        ));
        body.push('\n');
    }
    w.put(
        "struct device$n { unsigned flag, rest; };
static unsigned $part(unsigned a, unsigned b, unsigned c) {
    volatile unsigned v = c, ready = 0;
    volatile struct device$n s = {0, 1};
    volatile unsigned *volatile w = &ready;
    unsigned acc = 0;
$body    return acc + v + s.rest + ready + *w;
}",
        &[("part", part), ("n", &n), ("body", &body)],
    );
}
