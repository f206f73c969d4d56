//! Strings and memory by library functions, with lengths that depend on inputs.

use crate::odd::write::{Writer, fill};

/// Some calls on small buffers; sometimes one byte too much.
pub fn write(w: &mut Writer, part: &str) {
    let room = w.any(&["8", "8", "7", "10", "16"]);
    let mut body = String::new();
    for _ in 0..2 + w.random.below(3) {
        let text = w.any(&[
            "text[$v & 7u] = 0; acc += (unsigned)strlen(text);",
            "{ char *at = strchr(text, 'c' + (int)($v & 3u)); acc = acc * 3u + (at ? (unsigned)(at - text) : 9u); }",
            "acc += (unsigned)(strcmp(text, \"abc\") > 0) + 2u * (unsigned)(strncmp(text, \"abd\", $v & 3u) == 0);",
            "memset(out, 0, sizeof out); strncpy(out, text, $v & 7u); acc += (unsigned char)out[1] + (unsigned char)out[3];",
            "memmove(text + 1, text, ($v & 3u) + 1u); acc += (unsigned char)text[2];",
            "memcpy(out, text, sizeof out); out[sizeof out - 1] = 0; acc += (unsigned)strlen(out);",
            "strcpy(out, text);  acc += (unsigned char)out[0];",
            "out[0] = 0; strncat(out, text, $v & 3u); acc += (unsigned)strlen(out);",
            "acc += (unsigned)(memcmp(text, \"abcdefgh\", ($v & 7u) + 1u) == 0);",
            "{ char *hit = memchr(text, 0, $v & 7u); acc += hit ? 1u : 4u; }",
            "acc += (unsigned)strspn(text, \"abd\") * 2u + (unsigned)strcspn(text, \"e\");",
            "{ char *hit = strstr(text, \"cd\"); acc += hit ? (unsigned)(hit - text) : 5u; }",
            "{ char digits[4] = {(char)('0' + ($v & 7u)), (char)('0' + ($x & 7u)), 0}; acc += (unsigned)atoi(digits); }",
            "{ char *end; char digits[5] = {'-', (char)('1' + ($v & 7u)), 'x', 0}; acc += (unsigned)strtol(digits, &end, 0) + (unsigned)(end - digits); }",
            "{ char *copy = malloc(strlen(text) + ($v & 1u)); if (copy) { copy[0] = 1; if ($c) memcpy(copy, text, strlen(text)); free(copy); } }",
            "{ char *twin = strdup(text); acc += (unsigned char)twin[0] + (unsigned)strlen(twin); free(twin); }",
        ]);
        let (v, x) = (w.value(&["a", "b", "c"]), w.value(&["a", "b", "c"]));
        let c = w.condition(&["a", "b", "c"]);
        body.push_str("    ");
        body.push_str(&fill(&text, &[("v", &v), ("x", &x), ("c", &c)]));
        body.push('\n');
    }
    let step = w.step("acc", &["a", "b", "acc"]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    char text[16] = \"abcdefg\", out[$room] = {0};
    unsigned acc = 0;
    text[a & 3u] = (char)('a' + (b & 3u));
$body    $s
    return acc;
}",
        &[
            ("part", part),
            ("room", &room),
            ("body", &body),
            ("s", &step),
        ],
    );
}
