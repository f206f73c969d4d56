//! Functions without a body: any result, and with `--extern havoc` any change to what they can reach.

use crate::odd::write::{Writer, fill};

/// Only the lowest two bits of what comes from outside are looked at.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let havoc = w.once_in(2);
    if !w.options.contains(&"--extern") {
        w.options.push("--extern");
        w.options.push(if havoc { "havoc" } else { "pure" });
    }
    let havoc = w.options.contains(&"havoc");
    // What was handed over may be used at any later call.
    let change = if havoc {
        "if (oracle_choose(2)) *to = oracle_choose(4);"
    } else {
        ""
    };
    let meddle = if havoc {
        "unsigned open = oracle_choose(3), held = given$n ? oracle_choose(3) : 2;
    if (open < 2u) set$n(open);
    if (held < 2u) given$n(held);"
    } else {
        ""
    };
    let meddle = fill(meddle, &[("n", &n)]);
    w.put(
        "static unsigned shown$n, hidden$n = 2, open$n = 1, held$n;
void set$n(unsigned v) { open$n = v; }
static void keep$n(unsigned v) { held$n = v; }
#ifdef ORACLE
static void (*given$n)(unsigned);
static void meddle$n(void) {
    $meddle
}
unsigned ask$n(void) { meddle$n(); return oracle_choose(4); }
void tell$n(unsigned *to) { $change }
void hand$n(void (*use)(unsigned)) { given$n = use; meddle$n(); }
#else
unsigned ask$n(void);
void tell$n(unsigned *to);
void hand$n(void (*use)(unsigned));
#endif
static void (*through$n)(unsigned *) = tell$n;",
        &[("n", &n), ("change", change), ("meddle", &meddle)],
    );
    let mut body = String::new();
    for _ in 0..1 + w.random.below(2) {
        let text = w.any(&[
            "acc += (ask$n() & 3u) * 2u;",
            "{ unsigned mine = $x; tell$n(&mine); acc += mine & 3u; }",
            "{ unsigned mine = $x, other = $x; through$n(&mine); acc += (mine & 3u) + other; }",
            "tell$n(&shown$n); acc += (shown$n & 3u) + hidden$n;",
            "hidden$n = $x; { unsigned here = 1; tell$n(&here); } acc += hidden$n;",
            "if ((ask$n() & 3u) == 1u) { acc += $x; }",
            "open$n = 1u; if (ask$n() & 1u) acc += (open$n & 1u) * 3u;",
            "held$n = $x; hand$n(keep$n); acc += held$n & 1u;",
            "held$n = 1u; acc += held$n; keep$n($x); acc += held$n; hand$n(keep$n); if (held$n & 1u) acc += 5u;",
        ]);
        let x = w.value(&["a", "b"]);
        body.push_str("    ");
        body.push_str(&fill(&text, &[("n", &n), ("x", &x)]));
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
