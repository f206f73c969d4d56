//! Structures by value, unions, bit-fields, packed ones, arrays in them, and copies of parts.

use crate::odd::write::{Writer, fill};

/// A structure with random members, passed around.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let packed = w.any(&["", "", " __attribute__((packed))"]);
    let first = w.any(&[
        "unsigned char low;",
        "unsigned low : 5;",
        "unsigned short low;",
        "unsigned long long low : 40;",
        "_Bool low;",
    ]);
    let second = w.any(&[
        "unsigned mid : 7; unsigned rest : 9;",
        "int mid; unsigned char rest;",
        "unsigned char mid, rest;",
        "signed mid : 9; unsigned : 0; unsigned char rest;",
    ]);
    let (step, k) = (w.value(&["x", "r.rest", "r.cells[1]"]), w.number(2, 5));
    w.put(
        "struct rec$n { $first $second unsigned char cells[$k]; union { unsigned whole; unsigned char bytes[4]; } u; }$packed;
static struct rec$n change$n(struct rec$n r, unsigned x) { x += $step; r.low = x; r.cells[x % $k] ^= 1u; r.u.bytes[x & 3u] += 3u; r.rest++; return r; }
static void inside$n(struct rec$n *r, unsigned char *at, unsigned x) { r->mid = x & 7u; *at = 9; r->rest += r->cells[0]; }",
        &[("n", &n), ("first", &first), ("second", &second), ("packed", &packed), ("step", &step), ("k", &k)],
    );
    let mut body = String::new();
    for _ in 0..2 + w.random.below(3) {
        let text = w.any(&[
            "r = change$n(r, $x);",
            "q = r; r = change$n(q, $x); acc += q.rest;",
            "inside$n(&r, &r.cells[$x & 1u], $x);",
            "r.u.whole = $x; acc += r.u.bytes[0] * 2u + r.u.bytes[1];",
            "memcpy(&q, &r, sizeof q); q.mid = $x & 3u; acc += q.mid + r.mid;",
            "{ struct rec$n all[2] = {q, r}, *p = &all[$x & 1u]; p->low = $x; acc += all[0].low + all[1].low; }",
            "r.low += $x; r.low--; acc += r.low;",
            "acc += change$n($c ? q : r, 2u).cells[1];",
            "q = (struct rec$n){.rest = 2, .cells = {1}}; acc += q.cells[1];",
            "{ struct rec$n *h = malloc(sizeof *h); *h = r; h->cells[0]++; r = *h; free(h); }",
        ]);
        let (x, c) = (w.value(&["a", "b", "c"]), w.condition(&["a", "b", "c"]));
        body.push_str("    ");
        body.push_str(&fill(&text, &[("n", &n), ("x", &x), ("c", &c)]));
        body.push('\n');
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0;
    struct rec$n r = {0}, q = {0};
    r.cells[0] = (unsigned char)a;
$body    return acc + (unsigned)r.low * 3u + (unsigned)r.mid + r.rest + r.cells[0] * 5u + r.cells[1] + r.u.whole;
}",
        &[("part", part), ("n", &n), ("body", &body)],
    );
}
