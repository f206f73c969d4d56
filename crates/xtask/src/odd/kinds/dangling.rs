//! Pointers into functions that have returned: in structures of any size, in statics, in heap cells, behind arrays.

use crate::odd::write::{Writer, fill};

/// A function gives a pointer away, to its own local variable or to something that lives.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let extra = w.any(&[
        "",
        " unsigned more[1];",
        " unsigned more[9];",
        " void *other[4];",
        " double far;",
    ]);
    let order = w.any(&[
        "unsigned *at; unsigned size;",
        "unsigned size; unsigned *at;",
        "unsigned size; unsigned *two[2]; unsigned *at;",
    ]);
    w.put(
        "static unsigned alive$n = 3;
struct box$n { $order$extra };
static struct box$n *last$n;",
        &[("n", &n), ("order", &order), ("extra", &extra)],
    );
    let condition = w.condition(&["x"]);
    let value = w.value(&["x"]);
    let give = w.any(&[
        "static struct box$n give$n(unsigned x) { unsigned own = $v; struct box$n made = {0}; made.at = $c ? &own : &alive$n; made.size = *made.at; return made; }",
        "static struct box$n give$n(unsigned x) { unsigned own[3] = {1, $v, 2}; return (struct box$n){.at = $c ? own + 1 : &alive$n, .size = own[1]}; }",
        "static void set$n(struct box$n *to, unsigned x) { unsigned own = $v; to->size = own; if ($c) to->at = &own; else to->at = &alive$n; }
static struct box$n give$n(unsigned x) { struct box$n made = {0}; set$n(&made, x); return made; }",
        "static struct box$n pass$n(struct box$n by, unsigned x) { if ($c) by.at = &by.size; by.size = $v; return by; }
static struct box$n give$n(unsigned x) { struct box$n made = {0}; made.at = &alive$n; return pass$n(made, x); }",
        "static struct box$n give$n(unsigned x) { struct box$n made = {0}; unsigned own = $v; struct box$n *heap = malloc(sizeof *heap); *heap = made; heap->at = $c ? &own : &alive$n; heap->size = own; made = *heap; free(heap); return made; }",
        "static unsigned *inner$n(unsigned *p, unsigned x) { unsigned own = $v; unsigned *q = $c ? &own : p; return q; }
static struct box$n give$n(unsigned x) { struct box$n made = {0}; made.size = $v; made.at = inner$n(&alive$n, x); return made; }",
        "static struct box$n give$n(unsigned x) { unsigned *cell = malloc(4); struct box$n made = {0}; *cell = $v; made.size = *cell; made.at = cell; if ($c) { free(cell); } else { free(cell); made.at = &alive$n; } return made; }",
    ]);
    let text = fill(&give, &[("n", &n), ("v", &value), ("c", &condition)]);
    w.put("$t", &[("t", &text)]);
    let look = w.any(&[
        "acc += *got.at;",
        "*got.at = 2u; acc += alive$n;",
        "if ($c) acc += *got.at;",
        "{ struct box$n copy[2] = {got, got}; acc += *copy[b & 1u].at; }",
        "acc += got.at == &alive$n ? *got.at : 1u;",
        "acc += *give$n($x).at;",
        "last$n = &got; acc += *last$n->at;",
    ]);
    let c = w.condition(&["a", "b", "c"]);
    let x = w.value(&["a", "b", "c"]);
    let look = fill(&look, &[("n", &n), ("c", &c), ("x", &x)]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0;
    struct box$n got = give$n($x);
    $look
    return acc * 2u + got.size;
}",
        &[("part", part), ("n", &n), ("x", &x), ("look", &look)],
    );
}
