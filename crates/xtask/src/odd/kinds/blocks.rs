//! Blocks of memory that are written in one size and read in another: copies that overlap, unions, bit-fields, packed structures.

use crate::odd::write::{Writer, fill};

const STATEMENTS: &[&str] = &[
    "memmove(one + ($u & 7u), one + ($v & 7u), ($w & 3u) + 1u);",
    "memcpy(one + ($u & 7u), two + ($v & 3u), ($w & 3u) + 2u);",
    "memcpy(two + ($u & 3u), words, 8u);",
    "memset(words, (int)($v & 255u), ($u & 3u) + 1u);",
    "{ unsigned short half; memcpy(&half, one + ($u & 7u), 2); acc = acc * 5u + half; }",
    "{ unsigned long long wide = (unsigned long long)$v << 20 | $u; memcpy(one + ($w & 7u), &wide, 8); }",
    "{ unsigned long long wide; memcpy(&wide, $c ? one + 3 : two, 8); acc += (unsigned)(wide >> 9); }",
    "both.wide = ($u | 1u) * 0x10001u; both.bytes[$v & 7u] ^= 1; acc += both.halves[$w & 3u];",
    "both.halves[$u & 3u] = (unsigned short)$v; acc ^= (unsigned)both.wide + (unsigned)(both.wide >> 32);",
    "bits.low += $u; bits.high = $v; acc += bits.low + 8u * bits.high + bits.last;",
    "{ struct bits$n other = bits; other.last = $u; bits = other; acc += (unsigned)sizeof other; }",
    "tight.wide += $u; ((unsigned char *)&tight)[$v % sizeof tight] = (unsigned char)$w; acc += (unsigned)(tight.wide >> 3) + tight.end;",
    "at = $c ? one + ($u & 7u) : two + ($v & 3u); at[$w & 3u]++;",
    "kept[$u & 1u] = at; at = kept[$v & 1u]; acc += at[0];",
    "{ unsigned char *pair[2]; memcpy(pair, kept, sizeof pair); pair[$u & 1u][1] = (unsigned char)$v; acc += kept[0][1]; }",
    "acc += (unsigned)(memcmp(one + ($u & 7u), two, 2u) > 0) + 2u * (unsigned)(at == one);",
    "for (unsigned i = 0; i < ($u & 7u); i++) one[i] = (unsigned char)(one[i + 1u] + i);",
    "{ unsigned char *made = malloc(12); memcpy(made, one, 12); made = realloc(made, 12u + ($u & 7u)); memcpy(two, made + ($v & 7u), 4); free(made); }",
];

/// Everything stays in bounds, but for accidents.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    w.put(
        "struct bits$n { unsigned low : 3, high : 7; unsigned middle : 12; unsigned char plain; unsigned last : 9; };
struct __attribute__((packed)) tight$n { unsigned char begin; unsigned long long wide; unsigned short end; };
union both$n { unsigned long long wide; unsigned short halves[4]; unsigned char bytes[8]; };",
        &[("n", &n)],
    );
    let names = ["a", "b", "c", "acc"];
    let mut body = String::new();
    for _ in 0..4 + w.random.below(6) {
        let text = w.any(STATEMENTS);
        let (u, v, value) = (w.value(&names), w.value(&names), w.value(&names));
        let c = w.condition(&names);
        let parts = [
            ("u", &*u),
            ("v", &*v),
            ("w", &*value),
            ("c", &*c),
            ("n", &*n),
        ];
        let text = fill(&text, &parts);
        let text = match w.once_in(4) {
            true => format!("if ({}) {{ {text} }}", w.condition(&names)),
            false => text,
        };
        body.push_str(&format!("    {text}\n"));
    }
    let step = w.step("acc", &names);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 1, words[2] = {a, b};
    unsigned char one[16] = {1, 2, 3}, two[12] = {9}, *at = one, *kept[2] = {one, two};
    union both$n both = {0};
    struct bits$n bits = {0};
    struct tight$n tight = {0};
$body    $s
    return acc * 3u + one[5] + two[3] + words[1];
}",
        &[("part", part), ("n", &n), ("body", &body), ("s", &step)],
    );
}
