//! Pointers that walk, are compared within an object, go through integers, through `char` and `void`, and through other pointers.

use crate::odd::write::{Writer, fill};

/// Several views of a few arrays.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    w.put(
        "struct both$n { unsigned one; unsigned *at; unsigned short half[4]; };
static unsigned pool$n[6] = {1, 2, 3, 4, 5, 6};
static unsigned *bump$n(unsigned **at, unsigned by) { unsigned *was = *at; *at += by; return was; }
static void swap$n(unsigned **x, unsigned **y) { unsigned *t = *x; *x = *y; *y = t; }",
        &[("n", &n)],
    );
    let mut body = String::new();
    for _ in 0..3 + w.random.below(3) {
        let text = w.any(&[
            "p = cells + ($v & 3u); acc += *p;",
            "q = $c ? cells : pool$n; acc += q[$v & 3u];",
            "swap$n(&p, &q); acc = acc * 2u + *p;",
            "p = pool$n + 1; acc += *bump$n(&p, $v & 3u); acc += *p;",
            "{ uintptr_t raw = (uintptr_t)(cells + ($v & 3u)); raw -= 4u * ($v & 3u); acc += *(unsigned *)raw; }",
            "{ unsigned char *bytes = (unsigned char *)cells; bytes[$v & 15u] ^= 1u; acc += cells[0] + cells[3]; }",
            "acc += (unsigned)(cells + ($v & 3u) < cells + 2) + (unsigned)(&cells[4] - &cells[$v & 3u]);",
            "{ struct both$n s = {1, &s.one, {0}}; *s.at = $v; acc += s.one; s.half[$v & 3u] = 7; acc += s.half[1]; }",
            "{ unsigned *all[3] = {cells, pool$n, &keep}; unsigned **at = &all[$v % 3u]; **at += 1u; acc += keep + cells[0]; }",
            "{ void *v = $c ? (void *)&keep : (void *)cells; memcpy(v, &acc, 4); acc += keep; }",
            "{ unsigned (*row)[2] = (unsigned (*)[2])cells; acc += row[$v & 1u][$x & 1u]; }",
            "{ struct both$n *s = (struct both$n *)((char *)&box.half[1] - offsetof(struct both$n, half[1])); s->one = $v; acc += box.one; }",
            "acc += p == q ? 3u : 5u;",
            "{ unsigned i = $v & 7u; if (i < 6u) pool$n[i]++; acc += pool$n[2]; }",
            "memmove(cells + 1, cells, 4u * ($v & 3u)); acc += cells[3];",
            "{ unsigned *r = &cells[4]; while (r != cells) acc = acc * 3u + *--r; }",
            "{ unsigned *r = cells + ($v & 7u); if (r - cells < 4) acc += *r; }",
        ]);
        let (v, x) = (w.value(&["a", "b", "c"]), w.value(&["a", "b", "c"]));
        let (c, accident) = (w.condition(&["a", "b", "c"]), w.accident(&["a", "b", "c"]));
        body.push_str(&format!("    {accident}"));
        body.push_str(&fill(&text, &[("n", &n), ("v", &v), ("x", &x), ("c", &c)]));
        body.push('\n');
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned cells[4] = {a, b, c, 7}, keep = 2, acc = 0, *p = cells, *q = pool$n;
    struct both$n box = {0};
$body    return acc + *p + *q;
}",
        &[("part", part), ("n", &n), ("body", &body)],
    );
}
