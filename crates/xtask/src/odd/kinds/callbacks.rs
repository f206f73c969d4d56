//! Callbacks: functions that get functions, with contexts, nested, also by `qsort` and `bsearch`.

use crate::odd::write::{Writer, fill};

/// An iterator over a small array, callbacks with different contexts, and a sorted array now and then.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let (visit_step, other_step) = (
        w.step("s->sum", &["s->sum", "v", "s->last"]),
        w.step("s->last", &["v", "s->sum"]),
    );
    let stop = w.condition(&["v", "s->sum"]);
    w.put(
        "struct state$n { unsigned sum, last; unsigned (*next)(struct state$n *, unsigned); };
typedef unsigned (*visit$n)(struct state$n *, unsigned);
static unsigned first$n(struct state$n *s, unsigned v) { $one return $stop; }
static unsigned second$n(struct state$n *s, unsigned v) { $two s->next = first$n; return 0; }
static unsigned third$n(struct state$n *s, unsigned v) { return s->next ? s->next(s, v + 1u) : 0; }
static unsigned each$n(const unsigned *from, const unsigned *to, visit$n visit, struct state$n *s) {
    unsigned count = 0;
    for (; from != to; from++, count++) if (visit(s, *from)) break;
    return count;
}
static unsigned twice$n(visit$n visit, struct state$n *s, unsigned v) { return visit(s, v) + visit(s, v + 1u); }
static int up$n(const void *x, const void *y) { unsigned p = *(const unsigned *)x, q = *(const unsigned *)y; return (p > q) - (p < q); }
static int down$n(const void *x, const void *y) { return up$n(y, x); }",
        &[("n", &n), ("one", &visit_step), ("two", &other_step), ("stop", &stop)],
    );
    let mut body = String::new();
    for _ in 0..2 + w.random.below(2) {
        let call = w.any(&[
            "acc += each$n(cells, cells + $m, $f, &s);",
            "acc += twice$n($f, &s, $v);",
            "s.next = $k ? $f : second$n; if (s.next == third$n) s.next = 0; acc += each$n(cells, cells + $m, third$n, &s);",
            "{ visit$n all[] = {first$n, second$n, $f}; for (int i = 0; i < 3; i++) acc += all[i](&s, $v); }",
            "{ struct state$n mine = s; mine.next = 0; acc += twice$n($k ? $f : first$n, &mine, $v); s.sum ^= mine.sum; }",
        ]);
        let f = w.any(&["first$n", "second$n", "third$n"]);
        let f = fill(&f, &[("n", &n)]);
        let (m, v, k) = (
            w.number(0, 4),
            w.value(&["a", "b", "c"]),
            w.condition(&["a", "b", "c"]),
        );
        body.push_str("    s.next = 0;\n    ");
        body.push_str(&fill(
            &call,
            &[("n", &n), ("f", &f), ("m", &m), ("v", &v), ("k", &k)],
        ));
        body.push('\n');
    }
    if w.once_in(3) {
        let compare = w.any(&["up$n", "down$n", "(a & 1u ? up$n : down$n)"]);
        let compare = fill(&compare, &[("n", &n)]);
        let more = w.any(&[
            "acc = acc * 5u + cells[0] + 2u * cells[3];",
            "{ unsigned key = b; unsigned *hit = bsearch(&key, cells, 4, sizeof *cells, $c); acc += hit ? (unsigned)(*hit + 3u) : 1u; }",
        ]);
        let more = fill(&more, &[("c", &compare)]);
        body.push_str(&format!(
            "    qsort(cells, 4, sizeof *cells, {compare});\n    {more}\n"
        ));
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned cells[4] = {a, b, c, a ^ 3u}, acc = 0;
    struct state$n s = {b, 0, 0};
$body    return acc + s.sum * 3u + s.last;
}",
        &[("part", part), ("n", &n), ("body", &body)],
    );
}
