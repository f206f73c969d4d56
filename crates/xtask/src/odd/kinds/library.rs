//! Library and verifier functions through pointers, tables, hooks and aliases: they mean what they mean when called directly.

use crate::odd::write::{Writer, fill};

/// A structure of hooks as libraries have, and uses of them.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let mut constant = w.any(&["", "const ", "volatile "]);
    if constant == "volatile " {
        match w.options.contains(&"any") {
            true => constant = String::new(),
            false => w.own_volatiles = true,
        }
    }
    w.put(
        "struct memory$n { void *(*get)(size_t); void (*drop)(void *); void *(*grow)(void *, size_t); void *(*zeros)(size_t, size_t); };
static $constantstruct memory$n memory$n = {malloc, free, realloc, calloc};
static void *(*copy$n[2])(void *, const void *, size_t) = {memcpy, memmove};
static void *(*fill$n)(void *, int, size_t) = memset;
static int (*compare$n)(const void *, const void *, size_t) = memcmp;
static size_t (*length$n)(const char *) = strlen;
static void (*stop$n)(void) = abort;
static void (*quit$n)(int) = exit;
static void (*bad$n)(void) = reach_error;
static void (*claim$n)(_Bool) = sk_assert;
static void (*grant$n)(_Bool) = sk_assume;
static unsigned (*pick$n)(void) = sk_nondet_uint;
static void set$n(unsigned k) { if (k & 1u) { bad$n = reach_error; stop$n = abort; } }",
        &[("n", &n), ("constant", &constant)],
    );
    let mut body = String::new();
    for _ in 0..2 + w.random.below(3) {
        let accident = w.once_in(3);
        let use_ = if accident {
            w.any(&[
                "if ($v == $ku) bad$n();",
                "claim$n($v != $ku);",
                "($v == $ku ? bad$n : (void (*)(void))abort)();",
                "{ char *p = memory$n.get(4); p[$v] = 1; memory$n.drop(p); }",
                "{ char *p = memory$n.get(4); memory$n.drop(p); if ($v == $ku) memory$n.drop(p); }",
                "{ char *p = memory$n.get(4); *p = 1; if ($v == $ku) memory$n.drop(p); acc += (unsigned)*p; if ($v != $ku) memory$n.drop(p); }",
                "{ char small[6] = {0}; copy$n[$v & 1u](small, \"longword\", $v); acc += (unsigned)small[0]; }",
                "{ char small[6]; fill$n(small, 3, $v); }",
                "set$n($v); if ($v == $ku) (*bad$n)();",
                "{ static int once; if ($v == $ku && !once++) atexit(bad$n); }",
                "{ void (*all[])(void) = {set$n == 0 ? abort : reach_error, abort}; if ($v == $ku) all[$v >> 3](); }",
            ])
        } else {
            w.any(&[
                "{ unsigned *p = memory$n.get(8); p[0] = $v; p[1] = 2; p = memory$n.grow(p, 16); p[3] = 1; acc += p[0] + p[1] + p[3]; memory$n.drop(p); }",
                "{ unsigned *p = memory$n.zeros(2, 4); acc += p[1]; p[0] = $v; acc += p[0]; memory$n.drop(p); }",
                "{ unsigned from[2] = {$v, 5}, to[2] = {0}; copy$n[$v & 1u](to, from, sizeof to); acc += to[0] * to[1]; }",
                "{ unsigned char room[4]; fill$n(room, (int)$v, sizeof room); acc += room[3]; }",
                "{ char text[8] = \"abcdefg\"; text[$v & 7u] = 0; acc += (unsigned)length$n(text); }",
                "acc += compare$n(\"abcd\", \"abce\", $v & 3u) == 0;",
                "acc += compare$n(\"abcd\", \"abce\", 4) < 0;",
                "if ($v == $ku) stop$n();",
                "if ($v == $ku) quit$n(3);",
                "grant$n($v != $ku);",
                "($v == $ku ? grant$n : sk_assume)($v != 1u);",
                "acc += pick$n() & 3u;",
                "{ unsigned (*p)(void) = $v & 1u ? pick$n : sk_nondet_uint; acc += p() & 3u; }",
            ])
        };
        let v = format!("({} & 7u)", w.value(&["a", "b", "c"]));
        let k = w.number(0, 7);
        body.push_str("    ");
        body.push_str(&fill(&use_, &[("n", &n), ("v", &v), ("k", &k)]));
        body.push('\n');
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = c;
$body    return acc;
}",
        &[("part", part), ("body", &body)],
    );
}
