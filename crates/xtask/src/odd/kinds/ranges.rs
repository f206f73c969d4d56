//! Ranges of bytes: `memset`, `memcpy` and `memmove` of lengths that the inputs decide, words that overlap in part, pointers that
//! are copied in two halves, and objects that a pointer may or may not mean.

use crate::odd::write::{Writer, fill};

/// A few objects, and what is done to their bytes.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    w.put(
        "struct mix$n { unsigned char tag[4]; union { unsigned whole; unsigned short half[2]; unsigned char bytes[4]; } u; unsigned char tail[16]; unsigned *to; };
static unsigned char kept$n[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
static unsigned put$n(unsigned char *at, unsigned v) { unsigned was; memcpy(&was, at, 4); memcpy(at, &v, 4); return was; }
static void fill$n(unsigned char *from, unsigned char *to, unsigned v) { while (from != to) *from++ = (unsigned char)v++; }",
        &[("n", &n)],
    );
    let mut body = String::new();
    for _ in 0..4 + w.random.below(5) {
        let text = w.any(&[
            "memset(room + ($v & 7u), (int)($x & 255u), $y & 7u);",
            "memset(room + 8 - ($v & 7u), (int)($x & 3u), ($v & 7u) + ($y & 7u));",
            "memset(at + ($v & 7u), 0, 4);",
            "memcpy(room + ($v & 3u), room + 8 + ($x & 3u), $y & 3u);",
            "memmove(room + ($v & 7u), room + ($x & 7u), $y & 7u);",
            "memmove(at + ($v & 3u), room + ($x & 7u), $y & 7u);",
            "memmove(room + 3, at + ($x & 7u), 9);",
            "memcpy(heap, kept$n + ($v & 3u), $x & 7u);",
            "memmove(room + 1, room, $v & 15u);",
            "at = $c ? room : heap;",
            "at = $c ? kept$n : at;",
            "at = $c ? at : (unsigned char *)all;",
            "at[$v & 15u] = (unsigned char)$x;",
            "acc = acc * 3u + at[$v & 15u];",
            "acc ^= put$n(room + ($v % 13u), $x);",
            "acc += put$n(at + ($v % 13u), $x) & 0xffu;",
            "acc += put$n(kept$n + 2, $x) + kept$n[$v & 7u];",
            "{ unsigned short t = (unsigned short)$v; memcpy(at + ($x & 7u), &t, 2); }",
            "{ unsigned long long t = $v * 0x100000001ull; memcpy(room + ($x & 7u), &t, 8); acc += room[8]; }",
            "{ unsigned long long t; memcpy(&t, at + ($x & 7u), 8); acc += (unsigned)(t >> ($v & 31u)); }",
            "all[$v & 1u].to = $c ? &all[0].u.whole : &keep;",
            "*all[$v & 1u].to += $x;",
            "memmove(&all[$v & 1u], &all[$x & 1u], sizeof all[0]);",
            "if ($c) { struct mix$n t = all[0]; all[0] = all[1]; all[1] = t; all[$v & 1u].tag[$x & 3u]++; }",
            "{ unsigned k = $v % (sizeof(unsigned *) + 1u); unsigned *t = &keep; memcpy(&t, &all[$x & 1u].to, k); memcpy((char *)&t + k, (char *)&all[$x & 1u].to + k, sizeof t - k); acc += *t; }",
            "{ unsigned *t = 0; unsigned char *to = (unsigned char *)&t, *from = (unsigned char *)&all[$v & 1u].to; for (unsigned i = 0; i < sizeof t; i++) to[i] = from[i]; *t = $x; }",
            "all[$v & 1u].u.whole = $x; acc += all[$y & 1u].u.bytes[$x & 3u];",
            "all[$v & 1u].u.half[$x & 1u] = (unsigned short)$y; acc += all[1].u.whole;",
            "all[$v & 1u].u.bytes[$x & 3u]--; acc ^= all[0].u.half[$y & 1u];",
            "for (unsigned i = $v & 3u; i < ($x & 7u); i += 1u + ($y & 1u)) room[i] ^= at[i + 1u];",
            "{ unsigned char *e = room + 16; unsigned k = $v & 7u; while (k--) *--e = (unsigned char)k; }",
            "fill$n(at + ($v & 3u), at + 3 + ($x & 7u), $y);",
            "{ unsigned char *h = malloc(16), *o = heap; memset(h, 7, 16); memcpy(h, o + ($v & 3u), 12); if ($c) { heap = h; if (at == o) at = h; free(o); } else free(h); }",
            "if ($c) { room[$v & 7u] = 1; memset(room + 4, 2, 2); } else { put$n(room + 3, $x); room[2]++; }",
            "if ($c) memcpy(room + 8, kept$n, 8); else if ($v & 1u) memset(heap + 1, 9, $x & 7u);",
            "{ unsigned k = (unsigned)(at == room) + ($v & 3u); acc += room[k]; }",
            "{ unsigned char old[16]; memcpy(old, room, 16); room[$v & 15u]++; acc += (unsigned)(memcmp(old, room, $x & 15u) != 0); }",
            "{ unsigned char *p = $c ? room + ($v & 3u) : at, *q = $c ? at : heap + 2; memmove(p, q, $x & 7u); *q = 5; acc += *p; }",
        ]);
        let inputs = ["a", "b", "c"];
        let (v, x, y) = (w.value(&inputs), w.value(&inputs), w.value(&inputs));
        let (c, accident) = (w.condition(&inputs), w.accident(&inputs));
        body.push_str(&format!("    {accident}"));
        let parts: [(&str, &str); 5] = [("n", &n), ("v", &v), ("x", &x), ("y", &y), ("c", &c)];
        body.push_str(&fill(&text, &parts));
        body.push('\n');
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0, keep = a;
    unsigned char room[16] = {1, 2, 3, 4, 5, 6}, *heap = calloc(4, 4), *at = room;
    struct mix$n all[2] = {{.to = &keep}, {.u.whole = b, .to = &all[0].u.whole, .tail = {8}}};
    if (!heap) exit(0);
$body    for (unsigned i = 0; i < 16u; i++) acc = acc * 5u + room[i] + heap[i] * 2u + kept$n[i] * 4u;
    free(heap);
    return acc + keep + all[0].u.whole * 2u + all[1].u.whole * 3u + all[1].tag[2] + all[0].tail[1] + all[1].tail[0];
}",
        &[("part", part), ("n", &n), ("body", &body)],
    );
}
