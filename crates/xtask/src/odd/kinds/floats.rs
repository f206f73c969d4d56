//! Floating point: exact arithmetic, conversions and comparisons.

use crate::odd::write::{Writer, fill};

/// Values stay small, so that conversions back are defined.
pub fn write(w: &mut Writer, part: &str) {
    let kind = w.any(&["float", "double", "double"]);
    let mut body = String::new();
    for _ in 0..2 + w.random.below(3) {
        let text = w.any(&[
            "x = ($kind)($v & 7u) / 4; acc += (unsigned)(x * 8);",
            "x = x / (($kind)($v & 3u) + 1); acc += (unsigned)(x < y);",
            "acc += (unsigned)(($kind)($v & 15u) * ($kind)0.1 == ($kind)($v & 15u) / 10);",
            "y = ($kind)(int)($v & 7u) - 3; acc += (unsigned)(int)(y < 0 ? -y : y);",
            "{ $kind z = x; for (unsigned i = 0; i < ($v & 3u); i++) z = z / 2 + 1; acc += (unsigned)(z * 16); }",
            "acc += (unsigned)(x == x) + 2u * (unsigned)(x != y) + 4u * (unsigned)!(x >= y);",
            "{ union { float f; unsigned u; } u; u.f = (float)($v & 7u); acc += u.u >> 23; }",
            "acc += (unsigned char)(y + 20) + (unsigned)(short)(($kind)(int)($v & 7u) * -1 + 30);",
            "{ $kind table[3] = {0.5, 1.5, 2.5}; acc += (unsigned)table[$v % 3u] + (unsigned)(table[$v % 3u] + 0.5); }",
            "acc += (unsigned)((float)16777217 + ($kind)($v & 1u) == 16777216);",
        ]);
        let v = w.value(&["a", "b", "c"]);
        body.push_str("    ");
        body.push_str(&fill(&text, &[("kind", &kind), ("v", &v)]));
        body.push('\n');
    }
    let step = w.step("acc", &["a", "b", "acc"]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    $kind x = ($kind)a, y = 1;
    unsigned acc = 0;
$body    $s
    return acc;
}",
        &[
            ("part", part),
            ("kind", &kind),
            ("body", &body),
            ("s", &step),
        ],
    );
}
