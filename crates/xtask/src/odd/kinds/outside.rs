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
    let change = if havoc { "if (oracle_choose(2)) *to = oracle_choose(4);" } else { "" };
    w.put(
        "static unsigned shown$n, hidden$n = 2;
#ifdef ORACLE
unsigned ask$n(void) { return oracle_choose(4); }
void tell$n(unsigned *to) { $change }
#else
unsigned ask$n(void);
void tell$n(unsigned *to);
#endif
static void (*through$n)(unsigned *) = tell$n;",
        &[("n", &n), ("change", change)],
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
