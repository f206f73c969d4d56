//! Variables that are used after their block: blocks entered by `goto` or `switch`, rounds of loops, compound literals, arrays of
//! variable length. The program says itself when it looks at something dead.

use crate::odd::write::{Writer, fill};

/// `p` starts at something that lives; the oracle knows whether it still points to it.
pub fn write(w: &mut Writer, part: &str) {
    let shape = w.any(&[
        "    { unsigned t = $x; if ($c) p = &t; acc += *p; }
$look",
        "    if ($q) goto in;
    {
        unsigned t = 5; acc += t;
in:
        t = $x; if ($c) p = &t;
        acc += *p;
    }
$look",
        "    for (unsigned i = 0; i < 3; i++) {
        unsigned t = i;
$lookround
        if ($c) { p = &t; dead = i + 1u; }
        t = *p;
    }
    if (dead) dead = 9;
    if (p != &keep) { $dead }
    acc += *p;",
        "    switch ($k) {
        unsigned t;
    case 0: t = $x; if ($c) p = &t; break;
    case 1: t = 1; acc += t;
    default: acc++;
    }
$look",
        "    { acc += *(p = $c ? &(unsigned){$x} : &keep); acc += *p; }
$look",
        "    if ($c) { unsigned *q = (unsigned[]){1, $x, 3}; acc += q[1]; p = q; }
$look",
        "    { unsigned m = $k + 1u, v[m]; for (unsigned i = 0; i < m; i++) v[i] = i; if ($c) p = v; acc += *p; }
$look",
        "    { unsigned m = ($k & 3u) + 1u, at = $x & 3u, v[m]; for (unsigned i = 0; i < m; i++) v[i] = i;
#ifdef ORACLE
        if (at >= m) oracle_says(\"valid-deref\");
#endif
        acc += v[at];
    }
    acc += *p;",
        "    if ($c) { unsigned *q = __builtin_alloca(($k + 1u) * 4u); q[$k] = $x; p = &q[$k]; }
    acc += *p;",
        "    { unsigned n = 0;
again:
        { unsigned t = n * 2u; acc += t; if ($c) { p = &t; } }
        if (p != &keep) { $dead }
        acc += *p;
        if (n++ < 2u) goto again;
    }",
        "    if ($q) goto second;
    {
        unsigned t = $x;
        if ($c) p = &t;
        goto after;
second:
        t = 4; p = &t;
        acc += *p;
    }
    acc++;
after:
$look",
        "    do { unsigned t[2] = {$x, 1}; if ($c) p = t + 1; else p = &keep; acc += *p; } while (acc++ < 2u);
$look",
        "    { unsigned t = $x; if ($c) p = &t; if ($q) goto leave; acc += *p; p = &keep; }
leave:
$look",
        "    if ($c) p = &(unsigned){7u}; else { p = &keep; }
    if (p != &keep) { $dead }
    acc += *p;",
        "    p = &(unsigned){$x}; acc += *p; *p += 1u; acc ^= *p;",
    ]);
    let inputs = ["a", "b", "c"];
    let k = w.any(&inputs);
    let (c, q, x) = (w.condition(&inputs), w.condition(&inputs), w.value(&inputs));
    let dead = "
#ifdef ORACLE
        oracle_says(\"valid-deref\");
#endif
        ";
    let guard = w.any(&[
        "    acc += *p;",
        "    if ($q) acc += *p;",
        "    *p = 3; acc += keep;",
    ]);
    let guard = fill(&guard, &[("q", &q)]);
    // Only an access that happens counts.
    let look = if guard.contains("if (") {
        format!(
            "    if ({q}) {{\n#ifdef ORACLE\n        if (p != &keep) oracle_says(\"valid-deref\");\n#endif\n        acc += *p; }}"
        )
    } else {
        format!("#ifdef ORACLE\n    if (p != &keep) oracle_says(\"valid-deref\");\n#endif\n{guard}")
    };
    let round = "#ifdef ORACLE
        if (p != &keep && dead != i + 1u) oracle_says(\"valid-deref\");
#endif
        acc += *p;";
    let body = fill(
        &shape,
        &[
            ("k", &k),
            ("c", &c),
            ("q", &q),
            ("x", &x),
            ("dead", dead),
            ("look", &look),
            ("lookround", round),
        ],
    );
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0, dead = 0, keep = b, *p = &keep;
$body
    return acc + keep;
}",
        &[("part", part), ("body", &body)],
    );
}
