//! Calls through pointers in every place where an expression can stand: conditions of loops and of `switch`, bounds of arrays,
//! indexes, initialisers, arguments, the comma, statement expressions, and operands that are not evaluated.

use crate::odd::write::{Writer, fill};

/// Two functions that count how often they are called, behind pointers.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let (step, other) = (w.step("x", &["x", "y"]), w.step("y", &["x", "y"]));
    let (value, second) = (w.value(&["x", "y"]), w.value(&["x", "y"]));
    w.put(
        "static unsigned calls$n;
typedef unsigned (*call$n)(unsigned, unsigned);
static unsigned one$n(unsigned x, unsigned y) { calls$n++; $step return $value; }
static unsigned two$n(unsigned x, unsigned y) { calls$n += 3u; $other return $second; }
struct part$n { unsigned size; call$n run; struct part$n *next; };
static struct part$n last$n = {1, two$n, 0}, first$n = {2, one$n, &last$n};
static call$n set$n[2] = {one$n, two$n};
static struct part$n *part$n(unsigned k) { return k & 1u ? &first$n : first$n.next; }
static unsigned twice$n(call$n f, unsigned x) { return f(f(x, 1u) & 7u, 2u); }
static call$n swap$n(call$n f) { return f == one$n ? two$n : one$n; }",
        &[
            ("n", &n),
            ("step", &step),
            ("other", &other),
            ("value", &value),
            ("second", &second),
        ],
    );
    let mut body = String::new();
    for _ in 0..2 + w.random.below(3) {
        let statement = w.any(&[
            "if (set$n[$k & 1u]($x, $y) & 1u) acc += 2u; else acc++;",
            "for (unsigned i = set$n[$k & 1u]($x, 1u) & 3u; i < 4u; i += (part$n(i)->run($y, i) & 1u) + 1u) acc += i;",
            "{ unsigned i = 0; while (i < 3u && (part$n($k)->run(i, $y) & 3u) != 2u) i++; acc += i; }",
            "{ unsigned i = 0; do { acc ^= i; } while (i++ < (set$n[i & 1u]($x, i) & 3u)); }",
            "switch (set$n[$k & 1u]($x, $y) & 3u) { case 0: acc++; case 1: acc += 5u; break; case 3: acc ^= 1u; default: acc += 2u; }",
            "{ unsigned room[(part$n($k)->run($x, $y) & 3u) + 1u]; room[0] = $y; acc += room[0] + (unsigned)sizeof room; }",
            "{ unsigned room[4] = {1, 2, 3, 4}; acc += room[set$n[$k & 1u]($x, $y) & 3u]; }",
            "{ unsigned room[4] = {[1] = one$n($x, $y), [3] = set$n[$k & 1u]($y, 1u)}; acc += room[1] ^ room[3]; }",
            "{ struct part$n made = {.size = set$n[$k & 1u]($x, 1u), .run = swap$n(set$n[$k & 1u])}; acc += made.size + made.run($y, 2u); }",
            "acc += (calls$n += 2u, part$n($k)->run($x, $y));",
            "acc += ({ call$n f = part$n($k)->run; unsigned r = f($x, 1u); r & 15u; });",
            "acc += (unsigned)sizeof(set$n[$k & 1u]($x, $y));",
            "acc += twice$n($k & 1u ? one$n : set$n[1], $x & 7u);",
            "acc += (*&*swap$n(set$n[$k & 1u]))($x, $y);",
            "acc += part$n($k)->run($x, $y) < 4u ? one$n($y, 1u) : part$n($y)->run($x, 2u);",
            "acc += !set$n[$k & 1u]($x, $y) + (part$n($k)->size && part$n($k)->run($y, 3u));",
            "for (struct part$n *p = &first$n; p; p = p->next) acc = acc * 3u + p->run($x, p->size);",
            "{ call$n (*pick)(call$n) = swap$n; acc += pick(pick(set$n[$k & 1u]))($x, $y); }",
            "acc += _Generic(set$n[0], call$n: part$n($k)->run, default: one$n)($x, $y);",
            "set$n[$k & 1u] = swap$n(set$n[$k & 1u]), acc += set$n[1]($x, $y);",
            "goto *(set$n[$k & 1u] == one$n ? &&left$u : &&right$u); left$u: acc += 3u; right$u: acc ^= set$n[0]($x, $y);",
        ]);
        let inputs = ["a", "b", "c"];
        let unique = w.name("");
        let (k, x, y) = (w.value(&inputs), w.value(&["a", "c"]), w.value(&inputs));
        body.push_str("    ");
        let parts: [(&str, &str); 5] = [("n", &n), ("k", &k), ("x", &x), ("y", &y), ("u", &unique)];
        body.push_str(&fill(&statement, &parts));
        body.push('\n');
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = b;
$body    return acc * 31u + calls$n;
}",
        &[("part", part), ("body", &body), ("n", &n)],
    );
}
