//! Arguments that a caller leaves out, and functions that end without `return`: the values are arbitrary.

use crate::odd::write::{Writer, fill};

/// The value is looked at in its lowest two bits only, so that four choices of the oracle are all there is.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let (condition, value) = (w.condition(&["x"]), w.value(&["x"]));
    let shape = w.any(&[
        "static unsigned give$n(unsigned x) {
    if ($c) return $v;
#ifdef ORACLE
    return oracle_choose(4);
#endif
}",
        "static unsigned give$n(unsigned x) {
    switch (x & 3u) { case 0: return $v; case 1: return 2u; case 2: break; default: if ($c) return 1u; }
#ifdef ORACLE
    return oracle_choose(4);
#endif
}",
        "static unsigned take$n();
#ifdef ORACLE
static unsigned give$n(unsigned x) { return take$n(x, oracle_choose(4)); }
#else
static unsigned give$n(unsigned x) { return take$n(x); }
#endif
static unsigned take$n(x, y) unsigned x, y; { return $c ? $v : y; }",
        "static unsigned take$n();
#ifdef ORACLE
static unsigned give$n(unsigned x) { unsigned (*f)() = take$n; return f(x, oracle_choose(4)); }
#else
static unsigned give$n(unsigned x) { unsigned (*f)() = take$n; return f(x); }
#endif
static unsigned take$n(x, y) unsigned x, y; { return $c ? $v : y; }",
        "struct pair$n { unsigned one, two; };
static struct pair$n both$n(unsigned x) {
    struct pair$n p = {x, $v};
    if ($c) return p;
#ifdef ORACLE
    p.one = oracle_choose(4), p.two = oracle_choose(4); return p;
#endif
}
static unsigned give$n(unsigned x) { struct pair$n p = both$n(x); return p.two; }",
        "static unsigned give$n(unsigned x) {
    for (unsigned i = 0; i < 3; i++) if ((x & 3u) == i) return $v;
#ifdef ORACLE
    return oracle_choose(4);
#endif
}",
        "static unsigned give$n(unsigned x) {
    unsigned y __attribute__((uninitialized));
#ifdef ORACLE
    y = oracle_choose(4);
#endif
    if ($c) y = $v;
    return y;
}",
        "static unsigned give$n(unsigned x) {
    unsigned y[2];
#ifdef ORACLE
    y[0] = oracle_choose(4), y[1] = 0;
#endif
    if ($c) y[0] = $v;
    return y[0];
}",
    ]);
    let text = fill(&shape, &[("n", &n), ("c", &condition), ("v", &value)]);
    w.put("$t", &[("t", &text)]);
    let call = w.any(&[
        "give$n($x)",
        "(*(unsigned (*)(unsigned))give$n)($x)",
        "(c ? give$n($x) : give$n(b))",
    ]);
    let x = w.value(&["a", "b", "c"]);
    let call = fill(&call, &[("n", &n), ("x", &x)]);
    let after = w.step("acc", &["a", "b", "v"]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0, v = $call & 3u, u;
    $after
    u = $call & 3u;
    acc = acc * 4u + v + (u ^ 1u);
    return acc;
}",
        &[("part", part), ("call", &call), ("after", &after)],
    );
}
