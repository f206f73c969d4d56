//! Calls through pointers to functions wherever a call can stand: tables, structures of hooks, `?:`, results, aliases, pointers to
//! pointers, constructors and `atexit`.

use crate::odd::write::{Writer, fill};

/// Some functions of one type, and calls of them in several ways.
pub fn write(w: &mut Writer, part: &str) {
    let id = w.name("");
    let count = 2 + w.random.below(3);
    let mut functions = Vec::new();
    w.put(
        "static unsigned log$n;\ntypedef unsigned (*fn$n)(unsigned, unsigned);",
        &[("n", &id)],
    );
    for _ in 0..count {
        let name = w.name("op");
        let (step, value) = (w.step("x", &["x", "y"]), w.value(&["x", "y"]));
        let logged = w.any(&["", "log$n += x; ", "log$n = log$n * 2u + 1u; "]);
        let logged = fill(&logged, &[("n", &id)]);
        let linkage = w.any(&["static ", "static ", ""]);
        w.put(
            "$linkageunsigned $name(unsigned x, unsigned y) { $step$logged return $value; }",
            &[
                ("linkage", &linkage),
                ("name", &name),
                ("step", &step),
                ("logged", &logged),
                ("value", &value),
            ],
        );
        if linkage.is_empty() && w.once_in(2) {
            let alias = w.name("alias");
            w.put(
                "unsigned $alias(unsigned x, unsigned y) __attribute__((alias(\"$name\")));",
                &[("alias", &alias), ("name", &name)],
            );
            functions.push(alias);
        } else {
            functions.push(name);
        }
    }
    let pick = |w: &mut Writer| w.random.pick(&functions).clone();
    let (f, g, h) = (pick(w), pick(w), pick(w));
    let constant = w.any(&["", "const "]);
    w.put(
        "struct hooks$n { int tag; fn$n first; fn$n more[2]; };
static $constantfn$n table$n[3] = {$f, $g, $h};
static $constantstruct hooks$n hooks$n = {1, $g, {$h, $f}};
static fn$n late$n = $f;
static fn$n choose$n(unsigned k) { switch (k % 3u) { case 0: return $f; case 1: return $g; default: return table$n[2]; } }
static fn$n *where$n(unsigned k) { return k & 1u ? &late$n : (fn$n *)&table$n[k % 3u]; }
static struct hooks$n give$n(unsigned k) { struct hooks$n made = hooks$n; if (k & 1u) made.first = $h; return made; }",
        &[("n", &id), ("f", &f), ("g", &g), ("h", &h), ("constant", &constant)],
    );
    if w.once_in(3) {
        let priority = w.any(&["", "(200)"]);
        let value = pick(w);
        w.put(
            "__attribute__((constructor$p)) static void prepare$n(void) { late$n = $f; log$n = $f(1u, 2u); }",
            &[("n", &id), ("p", &priority), ("f", &value)],
        );
    }
    let mut body = String::new();
    for _ in 0..2 + w.random.below(3) {
        let call = w.any(&[
            "acc += table$n[$k % 3u]($x, $y);",
            "acc ^= hooks$n.first($x, $y);",
            "acc += hooks$n.more[$k & 1u]($x, $y);",
            "acc += ($k & 1u ? $f : $g)($x, $y);",
            "acc -= choose$n($k)($x, $y);",
            "acc += (*where$n($k))($x, $y);",
            "acc += give$n($k).first($x, $y);",
            "{ fn$n local = $k & 2u ? $f : late$n; acc += local($x, local($y, 1u)); }",
            "late$n = choose$n($k); acc += late$n($x, $y);",
            "{ fn$n *all[2] = {&late$n, (fn$n *)&table$n[1]}; acc += (**all[$k & 1u])($x, $y); }",
            "{ struct hooks$n copy; memcpy(&copy, &hooks$n, sizeof copy); acc += copy.more[$k & 1u]($x, $y); }",
            "{ union { fn$n f; void *p; } u; u.p = (void *)$f; acc += u.f($x, $y); }",
            "acc += ($k > 2u && $f($x, $y)) || $g($y, $x);",
            "for (unsigned i = 0; i < 3; i++) acc = table$n[i](acc & 15u, $x);",
            "acc += late$n == $f ? $g($x, $y) : late$n($y, $x);",
            "{ fn$n f = 0; if ($k != 3u) f = $f; if (f) acc += f($x, $y); }",
            "acc += ((unsigned (*)(unsigned, unsigned))(void (*)(void))choose$n($k))($x, $y);",
        ]);
        let (k, x, y) = (
            w.value(&["a", "b", "c"]),
            w.value(&["a", "b", "c", "acc"]),
            w.value(&["a", "c"]),
        );
        let (f, g) = (pick(w), pick(w));
        body.push_str("    ");
        body.push_str(&fill(
            &call,
            &[
                ("n", &id),
                ("k", &k),
                ("x", &x),
                ("y", &y),
                ("f", &f),
                ("g", &g),
            ],
        ));
        body.push('\n');
    }
    if w.once_in(5) {
        let value = w.condition(&["a", "b", "c"]);
        w.put(
            "static unsigned seen$n;\nstatic void leave$n(void) { if (seen$n) reach_error(); }",
            &[("n", &id)],
        );
        body.push_str(&fill(
            "    { static int once; if (!once++) atexit(leave$n); }\n    seen$n = $v;\n    if (seen$n) acc++;\n",
            &[("n", &id), ("v", &value)],
        ));
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0;
$body    return acc + log$n;
}",
        &[("part", part), ("body", &body), ("n", &id)],
    );
}
