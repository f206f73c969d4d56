//! Duff's device: a switch into an unrolled loop, copying or counting, perhaps too far.

use crate::odd::write::{Writer, fill};

/// A device with random width, order of cases and kind of loop.
pub fn write(w: &mut Writer, part: &str) {
    let width = 2 + w.random.below(3);
    let count = match w.random.below(3) {
        0 => "a + b".to_owned(),
        1 => "a + 1u".to_owned(),
        _ => format!("a + b + {}", w.number(0, 3)),
    };
    // Up to 4 + 4 + 3 units, and sometimes too little room for the last of them.
    let room = w.any(&["24", "24", "20", "9", "10"]);
    let action = w.any(&[
        "*to++ = *from++;",
        "*to++ = *from++ + i++;",
        "acc = acc * 3u + *from++; i++;",
        "*to = *from++; acc += *to++; i++;",
    ]);
    let mut cases = String::new();
    for index in 0..width {
        let case = (width - index) % width;
        let step = w.step("acc", &["a", "b", "c", "i"]);
        let step = if w.once_in(3) { step } else { String::new() };
        let label = if index == 0 {
            String::new()
        } else {
            format!("case {case}: ")
        };
        cases.push_str(&format!("        {label}{action} {step}\n"));
    }
    let (start, end) = match w.random.below(3) {
        0 => ("case 0: do {", "} while (--rounds > 0);"),
        1 => ("case 0: while (rounds-- > 0) {", "}"),
        _ => ("case 0: for (; rounds > 0; rounds--) {", "}"),
    };
    let guard = w.any(&["if (!n) return 0;", "if (n == 0) return 7u;", ""]);
    let body = fill(
        "    switch (n % $width) {
    $start
$cases    $end
    }",
        &[
            ("width", &width.to_string()),
            ("start", start),
            ("cases", &cases),
            ("end", end),
        ],
    );
    let storage = w.any(&["", "static "]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned source[24], $storedtarget[$room] = {0};
    unsigned *from = source, *to = target, acc = 0, i = 0, n = $count;
    int rounds = (int)((n + $width - 1) / $width);
    for (i = 0; i < 24; i++) source[i] = i * (c + 1u);
    i = 0;
    $guard
$body
    return acc + target[0] * 3u + target[2] + (unsigned)(to - target);
}",
        &[
            ("part", part),
            ("room", &room),
            ("count", &count),
            ("width", &width.to_string()),
            ("guard", &guard),
            ("body", &body),
            (
                "stored",
                if storage.is_empty() {
                    ""
                } else {
                    "*unused = 0, "
                },
            ),
        ],
    );
}
