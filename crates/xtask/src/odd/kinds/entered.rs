//! Loops that are entered in the middle, by `switch` or `goto`, once or from several places.

use crate::odd::write::Writer;

/// One of several shapes, with random steps.
pub fn write(w: &mut Writer, part: &str) {
    let shape = w.any(&[
        "    switch ($k) { case 1: while (i < n) { i++; $s case 0: i += $d; $t } default: $u }",
        "    if ($q) goto inside;\n    while (i < n) { $s\ninside: i += $d; $t }\n    $u",
        "    if ($q) goto inside;\n    for (i = 0; i < n; i++) { $s\ninside: i += $d; $t }\n    $u",
        "    if ($q) goto inside;\n    do { $s\ninside: i += $d; $t } while (i < n);\n    $u",
        "    switch ($k) { do { case 0: $s case 1: i += $d; case 2: $t } while (i < n); default: $u }",
        "    switch ($k) { for (;;) { case 0: i += $d; if (i >= n) break; case 1: $s i++; } $u }",
        "    if ($q) goto inner;\n    for (; i < n; i++) { for (j = 0; j < 2; j++) { $s\ninner: acc += i; $t } }\n    $u",
        "    if ($q) goto two;\none: $s i += $d; if (i >= n) goto done;\ntwo: $t i++; if (i < n) goto one;\ndone: $u",
        "    if ($q) goto two;\none: $s i += $d; if (i < n) goto two; goto done;\ntwo: $t i++; if ($p) goto one;\n    if (i < n) goto three; goto done;\nthree: i += $d; goto one;\ndone: $u",
        "    switch ($k) { while (i < n) { case 2: i++; if ($p) { case 1: i += $d; $s continue; } $t case 3: i++; } default: $u }",
        "    goto test;\nbody: $s i += $d;\n    if ($p) { $t goto body2; }\ntest: if (i < n) goto body; goto done;\nbody2: i++; if (i < n) goto test;\ndone: $u",
    ]);
    let names = ["a", "b", "c", "acc", "i"];
    let inputs = ["a", "b", "c"];
    let k = match w.random.below(3) {
        0 => w.any(&inputs),
        1 => format!("({} & 3u)", w.value(&inputs)),
        _ => w.number(0, 3),
    };
    let q = match w.random.below(3) {
        0 => "1".to_owned(),
        _ => w.condition(&inputs),
    };
    let n = match w.random.below(3) {
        0 => w.number(0, 7),
        1 => w.any(&inputs),
        _ => format!("{} + {}", w.any(&inputs), w.number(1, 3)),
    };
    let (s, t, u) = (
        w.step("acc", &names),
        w.step("acc", &names),
        w.step("acc", &names),
    );
    let (d, p) = (w.number(1, 3), w.condition(&names));
    let start = w.any(&["0", "0", "1", "a"]);
    let parts = [
        ("k", k.as_str()),
        ("q", &q),
        ("s", &s),
        ("t", &t),
        ("u", &u),
        ("d", &d),
        ("p", &p),
    ];
    let body = crate::odd::write::fill(&shape, &parts);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0, i = $start, j = 0, n = $n;
$body
    return acc * 4u + i + j;
}",
        &[
            ("part", part),
            ("start", &start),
            ("n", &n),
            ("body", &body),
        ],
    );
}
