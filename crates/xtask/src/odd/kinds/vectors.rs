//! Vectors: arithmetic, division, shifts and indexes by lanes. The oracle looks at every lane by itself.

use crate::odd::write::{Writer, fill};

/// Operations on vectors of four, with scalars beside them for the sanitizers.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let signed = w.once_in(2);
    let kind = if signed {
        w.any(&["int", "short", "long long"])
    } else {
        w.any(&["unsigned", "unsigned char", "unsigned short"])
    };
    let lanes = w.any(&["2", "4", "4", "8"]);
    w.put(
        "typedef $kind vec$n __attribute__((vector_size($lanes * sizeof($kind))));
static vec$n make$n(unsigned a, unsigned b) { vec$n v; for (int i = 0; i < $lanes; i++) v[i] = ($kind)(a + b * (unsigned)i); return v; }
static unsigned sum$n(vec$n v) { unsigned s = 0; for (int i = 0; i < $lanes; i++) s = s * 3u + (unsigned)v[i]; return s; }",
        &[("n", &n), ("kind", &kind), ("lanes", &lanes)],
    );
    let mut body = String::new();
    for _ in 0..2 + w.random.below(3) {
        let k = w.number(0, 6);
        let dangerous = w.once_in(2);
        let op = if dangerous {
            w.any(&["div", "rem", "shl", "shr", "index", "sum"])
        } else {
            w.any(&[
                "add", "xor", "compare", "select", "shuffle", "convert", "memory",
            ])
        };
        let text = match op.as_str() {
            "div" | "rem" => {
                let sign = if op == "div" { "/" } else { "%" };
                format!(
                    "{{ vec$n d = y - ($kind){k};
#ifdef ORACLE
        for (int i = 0; i < $lanes; i++) {{ if (d[i] == 0) oracle_says(\"no-div-by-zero\"); x[i] = x[i] {sign} d[i]; }}
#else
        x = x {sign} d;
#endif
    }}"
                )
            }
            "shl" | "shr" => {
                let sign = if op == "shl" { "<<" } else { ">>" };
                let base = w.any(&["0", "4", "sizeof($kind) * 8 - 4"]);
                // A signed lane that is shifted out is not what is asked: the value stays small, and the sign clear.
                let value = if op == "shl" && signed { "z" } else { "x" };
                format!(
                    "{{ vec$n z = {{0}}, d = (y & ($kind)7) + ($kind)({base}); z += {value} & ($kind)0;
#ifdef ORACLE
        for (int i = 0; i < $lanes; i++) {{ if (d[i] < 0 || (unsigned long long)d[i] >= sizeof($kind) * 8) oracle_says(\"no-shift\"); x[i] = ($kind)({value}[i] {sign} d[i]); }}
#else
        x = {value} {sign} d;
#endif
    }}"
                )
            }
            "index" => format!("{{ unsigned at = ({} & 7u) + {}u;
#ifdef ORACLE
        if (at >= $lanes) oracle_says(\"valid-deref\");
#endif
        x[at] = y[at] + ($kind)1; acc += (unsigned)x[at]; }}", w.value(&["a", "b", "c"]), w.random.below(2)),
            "sum" if signed && kind != "short" => {
                // Close to the largest value of the type.
                "{ vec$n big = {0}; for (int i = 0; i < $lanes; i++) big[i] = ($kind)((~0ull >> 1 >> (64 - 8 * sizeof($kind))) - 3);
#ifdef ORACLE
        for (int i = 0; i < $lanes; i++) { $kind s; if (__builtin_add_overflow(big[i], ($kind)(y[i] & 7), &s)) oracle_says(\"no-overflow\"); x[i] = s; }
#else
        x = big + (y & ($kind)7);
#endif
    }"
                .to_owned()
            }
            "sum" | "add" => "x = (x & ($kind)15) + (y & ($kind)15);".to_owned(),
            "xor" => format!("x = (x ^ y) | ($kind){k};"),
            "compare" => "acc += (unsigned)((x < y)[1] != 0); x = x & (vec$n)(x == y);".to_owned(),
            "select" => "{ vec$n m = (vec$n)(x > y); x = (m & x) | (~m & y); }".to_owned(),
            "shuffle" => "x = __builtin_shufflevector(x, y, 0, $lanes".to_owned()
                + match lanes.as_str() {
                    "2" => ");",
                    "4" => ", 1, 3);",
                    _ => ", 1, 3, 9, 2, 7, 5);",
                },
            "convert" => "{ vec$n t = y; t[0] = ($kind)acc; x ^= t; }".to_owned(),
            _ => "{ vec$n held[2] = {x, y}; $kind flat[$lanes]; memcpy(flat, &held[acc & 1u], sizeof flat); x[0] = flat[1]; }".to_owned(),
        };
        body.push_str("    ");
        body.push_str(&fill(
            &text,
            &[("n", &n), ("kind", &kind), ("lanes", &lanes)],
        ));
        body.push('\n');
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0;
    vec$n x = make$n(a, c), y = make$n(b, 1u);
$body    return acc + sum$n(x);
}",
        &[("part", part), ("n", &n), ("body", &body)],
    );
}
