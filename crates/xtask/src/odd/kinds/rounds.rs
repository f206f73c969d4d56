//! Loops that go round often and keep a relation, or lose it in one late round.

use crate::odd::write::{Writer, fill};

/// A loop, and what is true behind it (`$n` rounds; `$s` may spoil it).
const LOOPS: &[&str] = &[
    "for (i = 0; i < n; i++) { x += 2; y += 3; $s } sk_assert(3u * x == 2u * y);",
    "for (x = n; x; i++) { x--; y++; $s sk_assert(x + y == n); }",
    "{ unsigned char small = 0; for (i = 0; i < n; i++) { small++; x++; $s } sk_assert(small == (unsigned char)x); }",
    "{ unsigned flag = 0; for (i = 0; i < n; i++) { flag = !flag; x += flag; y += 1u - flag; $s } sk_assert(x == y || x == y + 1u); }",
    "for (i = 0; i < n; i++) { for (unsigned j = 0; j <= i && j < 4u; j++) { y++; sk_assert(j <= i); } x += i < 4u ? i + 1u : 4u; $s } sk_assert(x == y);",
    "for (i = 0; i < n; i++) { unsigned v = (i * 7u + b) % 31u; if (v > x) x = v; y |= v; $s sk_assert(x < 31u && y < 32u); }",
    "{ unsigned state = 0; for (i = 0; i < n; i++) switch (state) { case 0: if (i % 5u == b) state = 1; break; case 1: x++; state = 2; break; default: y++; state = 0; $s } sk_assert(x == y || (x == y + 1u && state == 2)); }",
    "{ unsigned cells[8] = {0}; for (i = 0; i < n; i++) { cells[i & 7u] = i; x = i; $s } sk_assert(n == 0 || cells[(n - 1u) & 7u] == x); }",
    "{ float z = 0; for (i = 0; i < n; i++) { z = z / 2 + 1; x++; $s sk_assert(z <= 2.0f && x <= n); } y = (unsigned)(z * 64); }",
    "{ unsigned *up = &x; for (i = 0; i < n; i++) { *up += 1; up = up == &x ? &y : &x; $s } sk_assert(x - y <= 1u); }",
    "i = 0; if (b) goto middle$k; for (; i < n; i++) { x += 1; middle$k: y += 1; $s } sk_assert(y - x <= 1u);",
    "for (i = n; i > 0; i -= i < 3u ? i : 3u) { x++; $s } sk_assert(x <= n && n <= 3u * x);",
    "{ struct link$k { struct link$k *next; } one = {0}, two = {&one}, *at = &two; for (i = 0; i < n; i++) { at = at->next ? at->next : &two; x++; $s } sk_assert((at == &one) == (x & 1u)); }",
    "do { unsigned old = x; x += b + 1u; y++; i++; $s sk_assert(x > old && x == y * (b + 1u)); } while (i < n);",
];

/// Counts are far beyond what is unrolled at first.
pub fn write(w: &mut Writer, part: &str) {
    let mut body = String::new();
    for _ in 0..1 + w.random.below(2) {
        let text = w.any(LOOPS);
        let spoiler = if w.once_in(2) {
            let round = w.any(&["3u", "17u", "n / 2u", "n - 1u", "99u"]);
            let change = w.any(&["x++;", "y++;", "x += 2u;", "y -= 1u;"]);
            format!("if (i == {round}) {change}")
        } else {
            String::new()
        };
        let mark = w.name("");
        let (times, more) = (w.any(&["1u", "3u", "20u", "50u"]), w.number(0, 90));
        body.push_str(&format!(
            "    n = a * {times} + {more}u; i = x = y = 0;\n    "
        ));
        body.push_str(&fill(&text, &[("s", &spoiler), ("k", &mark)]));
        body.push_str("\n    acc = acc * 5u + x + 3u * y;\n");
    }
    let step = w.step("acc", &["a", "c", "acc"]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = c, n, i, x, y;
$body    $s
    return acc;
}",
        &[("part", part), ("body", &body), ("s", &step)],
    );
}
