//! Variables whose declaration a `goto` or `switch` jumps over: they exist, and what they hold is arbitrary.

use crate::odd::write::{Writer, fill};

/// The value is looked at in its lowest two bits only.
pub fn write(w: &mut Writer, part: &str) {
    let shape = w.any(&[
        "    switch ($k) {
        unsigned v = 9;
    case 0: v = $x; acc += v; break;
    case 1:
$any
        acc += (v & 3u) * 2u; break;
    default: v = 1; acc += v;
    }",
        "    if ($c) goto in;
    {
        unsigned v = $x & 3u;
        acc += v;
        if (0) {
in:;
$any
        }
        acc += (v & 3u) * 2u; $s
    }",
        "    for (unsigned i = 0; i < 3; i++) {
        if ($c) goto past;
        {
            unsigned v = i;
            acc += v;
            if (0) {
past:;
$any
            }
            acc = acc * 2u + (v & 3u);
        }
    }",
        "    switch ($k) {
    case 0: {
        unsigned v = 2;
        acc += v;
    case 1:
        v = $x;
    case 2: if ((($k) != 2)) acc += v & 3u;
    }
    default: $s
    }",
        "    goto first;
    while (acc < 4u) {
        unsigned v; v = $c ? acc : 1u;
        if (0) {
first:;
$any
        }
        acc = acc * 2u + (v & 3u) + 1u;
    }",
        "    switch ($k) {
        unsigned v[2];
    default: v[0] = 1; v[1] = $x;
        acc = v[0] + (v[1] & 3u); break;
    case 2: v[1] = 7; v[0] = v[1]; acc = v[0];
    }",
    ]);
    let any = "#ifdef ORACLE
            v = oracle_choose(4);
#endif";
    let k = w.any(&["a", "b", "c", "a & 3u", "(a + b) & 3u"]);
    let (c, x) = (w.condition(&["a", "b", "c"]), w.value(&["a", "b", "c"]));
    let s = w.step("acc", &["a", "b", "acc"]);
    let body = fill(
        &shape,
        &[("k", &k), ("c", &c), ("x", &x), ("s", &s), ("any", any)],
    );
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0;
$body
    return acc;
}",
        &[("part", part), ("body", &body)],
    );
}
