//! Loops that allocate without a bound: what induction proves of what they have made, and what it must not.

mod common;

use common::{selkie, verdict};

/// The last line of the report.
fn result(name: &str, source: &str, options: &[&str]) -> String {
    let engine: &[&str] = match options.contains(&"--engine") {
        true => &[],
        false => &["--engine", "kind"],
    };
    let time: &[&str] = match options.contains(&"--timeout") {
        true => &[],
        false => &["--timeout", "60"],
    };
    let options = [engine, time, options].concat();
    verdict(&selkie(
        "verify",
        &format!("crowds-{name}"),
        source,
        &options,
    ))
}

#[track_caller]
fn proved(name: &str, source: &str) {
    for level in ["0", "2"] {
        let said = result(name, source, &["--opt", level]);
        assert_eq!(said, "RESULT: true", "{name} at --opt {level}");
    }
}

/// Violated, but so late that nobody finds it here: whatever is said, it is not `true`.
#[track_caller]
fn not_proved(name: &str, source: &str) {
    for level in ["0", "2"] {
        let said = result(name, source, &["--opt", level, "--timeout", "4"]);
        assert_ne!(said, "RESULT: true", "{name} at --opt {level}");
    }
}

/// A list of ones is built, something happens, and it is walked.
fn list(build: &str, then: &str, walk: &str) -> String {
    format!(
        "struct node {{ struct node *next; int value; struct node *other; }};
int main(void) {{
    struct node *list = 0, *last = 0, *kept = 0;
    for (unsigned i = 0; sk_nondet_int(); i++) {{
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->other = 0;
        node->value = 1;
        {build}
        list = node;
    }}
    {then}
    for (struct node *p = list; p; p = p->next) {{ {walk} }}
}}"
    )
}

const HOLDS: &str = "sk_assert(p->value == 1);";

#[test]
fn a_list_that_is_built_is_walked() {
    proved("list", &list("", "", HOLDS));
    not_proved(
        "late",
        &list("if (i == 400000) node->value = 2;", "", HOLDS),
    );
    not_proved(
        "counts",
        &list("node->value = i;", "", "sk_assert(p->value < 400000);"),
    );
    proved(
        "two",
        &list(
            "if (sk_nondet_int()) node->value = 2;",
            "",
            "sk_assert(p->value == 1 || p->value == 2);",
        ),
    );
    not_proved(
        "three",
        &list(
            "if (i % 3 == 2) node->value = 3 - (i < 400000);",
            "",
            "sk_assert(p->value < 3);",
        ),
    );
}

#[test]
fn older_objects_are_written_too() {
    proved(
        "back",
        &list(
            "if (list) list->other = node;",
            "",
            "if (p->other) sk_assert(p->other->value == 1);",
        ),
    );
    not_proved(
        "older",
        &list("if (i == 400000) list->next->next->value = 2;", "", HOLDS),
    );
    not_proved(
        "kept",
        &list(
            "if (i == 3) kept = list; if (i == 400000) kept->value = 2;",
            "",
            HOLDS,
        ),
    );
    not_proved(
        "walked",
        &list(
            "",
            "unsigned n = 0; for (struct node *p = list; p; p = p->next) if (++n == 400000) p->value = 2;",
            HOLDS,
        ),
    );
}

#[test]
fn two_pointers_may_lead_to_one_object() {
    let same = |i: &str| {
        list(
            &format!("if (i == 2) kept = node; if (i == {i}) last = list;"),
            "if (kept && last) { last->value = 5; kept->value = 1; sk_assert(last->value == 5); last->value = 1; }",
            HOLDS,
        )
    };
    // The object that was made before the one that is made now: `kept` if the number is 3.
    not_proved("same", &same("3"));
    let late = "if (i == 2) kept = node; if (i == 400000) last = kept;";
    let both =
        "if (kept && last) { last->value = 5; kept->value = 1; sk_assert(last->value == 5); }";
    not_proved("same-late", &list(late, both, ""));
    let differ = "if (kept && last) sk_assert(kept != last);";
    not_proved("equal-late", &list(late, differ, ""));
    not_proved(
        "itself",
        &list("", "", "sk_assert(p->next != p);").replace(
            "node->next = list;",
            "node->next = i == 400000 ? node : list;",
        ),
    );
}

#[test]
fn what_was_freed_is_dead() {
    not_proved("freed", &list("if (i == 400000) free(list);", "", HOLDS));
    not_proved(
        "freed-older",
        &list(
            "if (i == 3) kept = list; if (i == 400000) free(kept);",
            "",
            HOLDS,
        ),
    );
    not_proved(
        "freed-twice",
        &list(
            "if (i == 3) kept = list; if (i == 400000) last = kept;",
            "if (kept) free(kept); if (last) free(last);",
            "",
        ),
    );
    proved(
        "own",
        "int main(void) {
    while (sk_nondet_int()) { int *p = malloc(4); *p = 1; sk_assert(*p == 1); free(p); }
}",
    );
    not_proved(
        "own-late",
        "int main(void) {
    for (unsigned i = 0; sk_nondet_int(); i++) { int *p = malloc(4); *p = i == 400000; sk_assert(*p == 0); free(p); }
}",
    );
}

#[test]
fn more_objects_than_are_told_apart() {
    let pointers: Vec<String> = (0..12).map(|i| format!("p{i}")).collect();
    let mut source = String::from("int main(void) {\n    int **all = 0, ");
    let declared: Vec<String> = pointers.iter().map(|p| format!("*{p} = 0")).collect();
    source.push_str(&declared.join(", "));
    source.push_str(";\n    for (unsigned i = 0; sk_nondet_int(); i++) {\n        int *n = malloc(4); *n = 0;\n");
    for (number, p) in pointers.iter().enumerate() {
        source.push_str(&format!("        if (i == 400000 + {number}) {p} = n;\n"));
    }
    source.push_str("    }\n    if (p11) {\n");
    for p in &pointers {
        source.push_str(&format!("        *{p} += 1;\n"));
    }
    source.push_str("        sk_assert(*p0 + *p11 != 2);\n    }\n}");
    let source = source.replace("int **all = 0, ", "int ");
    not_proved("many", &source);
}

#[test]
fn what_nobody_has_written_is_anything() {
    not_proved(
        "unwritten",
        &list("", "", "sk_assert(p->value == 0);").replace("node->value = 1;", ""),
    );
    proved(
        "zeroed",
        &list("", "", "sk_assert(p->value == 0);")
            .replace("node->value = 1;", "")
            .replace("malloc(sizeof *node)", "calloc(1, sizeof *node)"),
    );
    not_proved(
        "wild",
        &list("", "", HOLDS).replace("node->next = list;", "if (i != 400000) node->next = list;"),
    );
    not_proved(
        "inside",
        &list(
            "if (i == 400000) { int *q = &list->value; *q = 2; }",
            "",
            HOLDS,
        ),
    );
}

#[test]
fn objects_of_calls() {
    let source = "static int last(const int *from, int n) { return from[n]; }
static int sum(int a) { int cells[3] = {a, 1, 2}; return last(cells, 1) + last(cells, 2); }
int main(void) {
    while (sk_nondet_int()) sk_assert(sum(sk_nondet_int()) == 3);
}";
    proved("locals", source);
    let escapes = "static int *kept;
static void keep(unsigned i) { int cell = 0; if (i == 400000) kept = &cell; }
int main(void) {
    for (unsigned i = 0; sk_nondet_int(); i++) { if (kept) *kept = 1; keep(i); }
}";
    not_proved("escapes", escapes);
}

#[test]
fn lists_of_lists() {
    let source = "struct item { struct item *next; int value; };
struct row { struct row *next; struct item *items; };
int main(void) {
    struct row *rows = 0;
    for (unsigned i = 0; sk_nondet_int(); i++) {
        struct row *row = malloc(sizeof *row);
        row->next = rows;
        row->items = 0;
        while (sk_nondet_int()) {
            struct item *item = malloc(sizeof *item);
            item->value = 7;
            item->next = row->items;
            row->items = item;
        }
        LATE
        rows = row;
    }
    for (struct row *r = rows; r; r = r->next)
        for (struct item *p = r->items; p; p = p->next) sk_assert(p->value == 7);
}";
    not_proved(
        "rows-late",
        &source.replace(
            "LATE",
            "if (i == 400000 && row->items) row->items->value = 8;",
        ),
    );
}

/// Numbers that look random.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn pointer(&mut self) -> &'static str {
        ["x", "y", "z"][self.below(3) as usize]
    }

    /// Something that happens to lists, if it can.
    fn statement(&mut self, makes: bool) -> String {
        let (p, q, c) = (self.pointer(), self.pointer(), self.below(3));
        let what = match self.below(if makes { 12 } else { 9 }) {
            0 => format!("if ({p}) {p}->a = {c};"),
            1 => format!("if ({p} && {p}->next) {p} = {p}->next;"),
            2 => format!("{p} = {q};"),
            3 => format!("if ({p}) {p}->other = {q};"),
            4 => format!("if ({p} && {p}->other) {p}->other->a = {c};"),
            5 => format!("if ({p} && {p} != {q}) {p}->a = s;"),
            6 => format!("if ({p}) s = {p}->a;"),
            7 => format!("if ({p} && {p} == {q}) s = {p}->a + {c} > 2 ? 0 : s;"),
            8 => format!("if ({p} && {p}->other == {q}) s = {c};"),
            _ => format!(
                "{{ struct node *n = malloc(sizeof *n); n->next = {p}; n->other = {q}; n->a = {c}; {p} = n; }}"
            ),
        };
        match self.below(3) {
            0 => what,
            _ => format!("if (sk_nondet_int()) {{ {what} }}"),
        }
    }

    fn program(&mut self) -> String {
        let mut parts = [String::new(), String::new()];
        for (part, makes) in parts.iter_mut().zip([true, false]) {
            for _ in 0..self.below(4) {
                part.push_str(&format!("        {}\n", self.statement(makes)));
            }
        }
        let [build, walk] = parts;
        let (p, q, c) = (self.pointer(), self.pointer(), self.below(3));
        let first = self.below(3);
        let check = match self.below(7) {
            0 => format!("if ({p}) sk_assert({p}->a < {});", c + 1),
            1 => format!("if ({p} && {p}->next) sk_assert({p}->next->a != {c});"),
            2 => format!(
                "if ({p} && {q}) {{ {p}->a = 1; {q}->a = 2; sk_assert({p} == {q} || {p}->a == 1); }}"
            ),
            3 => format!("if ({p} && {p}->other) sk_assert({p}->other != {p} || {p}->a <= {c});"),
            4 => format!(
                "if ({p} && {p}->other && {p}->other->next) sk_assert({p}->other->next->a <= {c});"
            ),
            5 => format!("if ({p} && {q}) {{ {p}->a = 1; {q}->a = 2; sk_assert({p}->a == 1); }}"),
            _ => format!(
                "if ({p} && {p}->next) {{ {p}->a = 1; {p}->next->a = 2; sk_assert({p}->a == 1); }}"
            ),
        };
        format!(
            "struct node {{ struct node *next; struct node *other; int a; }};
int main(void) {{
    struct node *x = 0, *y = 0, *z = 0;
    int s = 0;
    while (sk_nondet_int()) {{
        struct node *n = malloc(sizeof *n); n->next = x; n->other = 0; n->a = {first}; x = n;
{build}    }}
    while (sk_nondet_int()) {{
        if (!x) break;
{walk}        if (x) x = x->next;
        {check}
    }}
    {check}
}}"
        )
    }
}

/// Random programs: what is proved is not violated within a few rounds.
fn compare(seed: u64, count: usize) {
    let mut rng = Rng(seed);
    let mut proved = 0;
    for number in 0..count {
        let source = rng.program();
        let name = format!("random-{seed}");
        if result(&name, &source, &["--timeout", "20"]) != "RESULT: true" {
            continue;
        }
        proved += 1;
        let bounded = result(
            &name,
            &source,
            &["--engine", "bmc", "--unwind", "4", "--timeout", "30"],
        );
        assert!(
            !bounded.starts_with("RESULT: false"),
            "{bounded}, program {number} of seed {seed}:\n{source}"
        );
    }
    println!("{proved} of {count} proved");
    assert!(10 * proved >= count, "only {proved} of {count} proved");
}

#[test]
fn what_is_proved_of_random_lists_is_not_violated() {
    compare(1, 12);
}

#[test]
#[ignore = "long: ./x test --long"]
fn what_is_proved_of_many_random_lists_is_not_violated() {
    compare(2, 1000);
}
