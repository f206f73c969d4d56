//! Recursion: direct, mutual, through pointers, with arrays and addresses of callers' variables.

use crate::odd::write::{Writer, fill};

/// Depth comes from an input and is small.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let (step, other) = (w.step("x", &["x", "d"]), w.step("x", &["x", "d"]));
    let c = w.condition(&["x", "d"]);
    let shape = w.any(&[
        "static unsigned go$n(unsigned d, unsigned x) { $s return d == 0 ? x : go$n(d - 1u, x) + $t(d); }",
        "static unsigned odd$n(unsigned d, unsigned x);
static unsigned go$n(unsigned d, unsigned x) { if (d == 0) return x; $s return odd$n(d - 1u, x) + 1u; }
static unsigned odd$n(unsigned d, unsigned x) { if (d == 0) return x * 2u; $o return go$n(d - 1u, x); }",
        "static unsigned (*self$n)(unsigned, unsigned);
static unsigned go$n(unsigned d, unsigned x) { self$n = go$n; if (d == 0) return x; $s return self$n(d - 1u, x) ^ d; }",
        "static unsigned deep$n(unsigned d, unsigned *up, unsigned x) { unsigned own = x; if (d == 0) { *up += own; return own; } $s x = deep$n(d - 1u, $c ? &own : up, x); return x + own; }
static unsigned go$n(unsigned d, unsigned x) { unsigned top = 1; x = deep$n(d, &top, x); return x * 2u + top; }",
        "static unsigned go$n(unsigned d, unsigned x) { unsigned own[2] = {x, d}; if (d == 0 || x > 90u) return own[x & 1u]; $s for (unsigned i = 0; i < 2u; i++) own[i] += go$n(d / 2u, x + i) & 7u; return own[0] + own[1]; }",
        "static unsigned go$n(unsigned d, unsigned x) { static unsigned calls; calls++; if (d == 0) return calls; $s return $c ? go$n(d - 1u, x) : calls + go$n(d - 1u, x + 1u); }",
    ]);
    let helper = w.name("help");
    w.put(
        "static unsigned $h(unsigned d) { return d * 3u; }",
        &[("h", &helper)],
    );
    let text = fill(
        &shape,
        &[
            ("n", &n),
            ("s", &step),
            ("o", &other),
            ("c", &c),
            ("t", &helper),
        ],
    );
    w.put("$t", &[("t", &text)]);
    let x = w.value(&["b", "c"]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    return go$n(a, $x) + $h(b);
}",
        &[("part", part), ("n", &n), ("x", &x), ("h", &helper)],
    );
}
