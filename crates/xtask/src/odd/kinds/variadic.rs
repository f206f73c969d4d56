//! Functions of any number of arguments, called directly, through pointers and through tables: what is promoted, what is copied,
//! lists that are passed on, arguments that nobody reads.

use crate::odd::write::{Writer, fill};

/// Sums by several rules, and calls of them.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    let (step, other) = (w.step("x", &["x", "sum"]), w.step("sum", &["x", "sum"]));
    w.put(
        "#include <stdarg.h>
struct pair$n { unsigned x; char tag; unsigned y; };
static unsigned list$n(unsigned count, va_list args) {
    unsigned sum = 0;
    while (count--) { unsigned x = va_arg(args, unsigned); $step sum = sum * 3u + x; }
    return sum;
}
static unsigned plain$n(unsigned count, ...) {
    va_list args; va_start(args, count);
    unsigned sum = list$n(count, args);
    va_end(args);
    return sum;
}
static unsigned again$n(unsigned count, ...) {
    va_list args, copy; va_start(args, count); va_copy(copy, args);
    unsigned sum = list$n(count, args), x = va_arg(copy, unsigned);
    $other
    va_end(copy); va_end(args);
    return sum ^ x;
}
static unsigned mixed$n(unsigned kinds, ...) {
    va_list args; va_start(args, kinds);
    unsigned sum = 0;
    for (unsigned i = 0; i < 3u; i++, kinds >>= 2)
        switch (kinds & 3u) {
        case 0: sum += (unsigned)va_arg(args, int); break;
        case 1: sum ^= (unsigned)va_arg(args, long long); break;
        case 2: sum += va_arg(args, struct pair$n).y; break;
        default: sum += *va_arg(args, unsigned *);
        }
    va_end(args);
    return sum;
}
static unsigned (*set$n[2])(unsigned, ...) = {plain$n, again$n};",
        &[("n", &n), ("step", &step), ("other", &other)],
    );
    let mut body = String::new();
    for _ in 0..1 + w.random.below(3) {
        let statement = w.any(&[
            "acc += plain$n($k & 3u, $x, $y, 3u);",
            "acc += set$n[$k & 1u](($k & 1u) + 1u, $x, $y);",
            "acc += again$n(2u, (unsigned char)$x, (unsigned short)$y);",
            "acc += ($k & 1u ? plain$n : again$n)(1u, $x, 5u, 6u);",
            "{ struct pair$n p = {1, 'a', $x}; acc += mixed$n(2u | 1u << 2, p, (long long)$y, (signed char)-1); }",
            "{ unsigned own = $x; acc += mixed$n(3u | 3u << 2, &own, &(unsigned){$y}, 4); }",
            "{ unsigned (*f)(unsigned, ...) = mixed$n; acc += f(1u << 2 | 2u << 4, (short)$x, 1ll << 33 | $y, (struct pair$n){1, 2, $k}); }",
            "acc += plain$n(0u) + plain$n(1u, again$n(1u, $x));",
        ]);
        let inputs = ["a", "b", "c"];
        let (k, x, y) = (w.value(&inputs), w.value(&["a", "c"]), w.value(&inputs));
        body.push_str("    ");
        body.push_str(&fill(
            &statement,
            &[("n", &n), ("k", &k), ("x", &x), ("y", &y)],
        ));
        body.push('\n');
    }
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = a;
$body    return acc;
}",
        &[("part", part), ("body", &body)],
    );
}
