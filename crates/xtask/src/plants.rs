//! Pieces of code that are wrong for some values of `key`, a number below four that depends on the input and on a
//! variable of the program. Which values occur is what the native runs find out.
//!
//! A plant is a block of its own. It may use `key`, and `planted_sink` to have an effect.

/// How a plant's verdict is learnt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detection {
    /// The sanitizer reports it whenever it happens: silence means that it does not.
    Exact,
    /// Silence means nothing: the leak sanitizer takes stale words for pointers.
    OneSided,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Plant {
    /// Its name, as in the ids of tasks.
    pub name: &'static str,
    /// The property that it may violate, as in task lists.
    pub property: &'static str,
    /// The part of the property.
    pub subproperty: &'static str,
    /// What silence means.
    pub detection: Detection,
    /// The code.
    pub code: &'static str,
}

const fn deref(name: &'static str, code: &'static str) -> Plant {
    Plant {
        name,
        property: "valid-memsafety",
        subproperty: "valid-deref",
        detection: Detection::Exact,
        code,
    }
}

const fn free(name: &'static str, code: &'static str) -> Plant {
    Plant {
        subproperty: "valid-free",
        ..deref(name, code)
    }
}

const fn other(name: &'static str, property: &'static str, code: &'static str) -> Plant {
    Plant {
        property,
        subproperty: "",
        ..deref(name, code)
    }
}

/// All plants.
pub const PLANTS: &[Plant] = &[
    deref(
        "heap-read",
        "int *cells = calloc(3, sizeof *cells); if (cells) { planted_sink += (unsigned)cells[key]; free(cells); }",
    ),
    deref(
        "heap-write",
        "short *cells = malloc(3 * sizeof *cells); if (cells) { cells[key] = 7; free(cells); }",
    ),
    deref(
        "heap-before",
        "long *cells = malloc(4 * sizeof *cells); if (cells) { cells[(int)key - 1] = 7; free(cells); }",
    ),
    deref(
        "stack-write",
        "int cells[3] = {0}, *at = cells; at[key] = 1; planted_sink += (unsigned)cells[0];",
    ),
    deref(
        "global-read",
        "static int cells[3] = {1, 2, 3}; const int *at = cells; planted_sink += (unsigned)at[key];",
    ),
    deref(
        "use-after-free",
        "int *cell = malloc(sizeof *cell); if (cell) { *cell = 1; if (key == 1) free(cell); planted_sink += (unsigned)*cell; \
         if (key != 1) free(cell); }",
    ),
    deref(
        "stale-after-realloc",
        "int *old = malloc(2 * sizeof *old); if (old) { *old = 5; int *fresh = realloc(old, 40 * sizeof *old); \
         planted_sink += (unsigned)*(key == 2 ? old : fresh); free(fresh); }",
    ),
    deref(
        "use-after-scope",
        "int outer = 1, *at = &outer; { int inner = 2; if (key == 2) at = &inner; } planted_sink += (unsigned)*at;",
    ),
    deref(
        "use-after-return",
        "int outer = 1; planted_sink += (unsigned)*planted_escape(&outer, key);",
    ),
    deref(
        "null",
        "int one = 1, *at = key == 3 ? 0 : &one; planted_sink += (unsigned)*at;",
    ),
    deref(
        "literal-write",
        "char *text = \"seal\"; if (key == 0) text[1] = 'o'; planted_sink += (unsigned)text[0];",
    ),
    deref(
        "copy-too-long",
        "char from[8] = \"walruss\", to[6]; memcpy(to, from, 4 + key); planted_sink += (unsigned)to[0];",
    ),
    deref(
        "string-too-long",
        "char word[] = \"kittens\", room[6]; word[3 + key] = 0; strcpy(room, word); planted_sink += (unsigned)room[0];",
    ),
    deref(
        "member-behind-block",
        "struct pair { int first, second; } *pair = malloc(key == 1 ? sizeof(int) : sizeof *pair); \
         if (pair) { pair->second = 1; free(pair); }",
    ),
    free(
        "double-free",
        "int *cell = malloc(sizeof *cell); free(cell); if (key == 2) free(cell);",
    ),
    free(
        "interior-free",
        "char *block = malloc(8); if (block) free(block + (key == 3));",
    ),
    free(
        "stack-free",
        "int local, *at = key == 0 ? &local : malloc(sizeof *at); free(at);",
    ),
    free(
        "global-free",
        "static char pool[16]; char *at = key == 1 ? pool : malloc(4); free(at);",
    ),
    Plant {
        subproperty: "valid-memtrack",
        detection: Detection::OneSided,
        ..deref(
            "leak",
            "int *cell = malloc(sizeof *cell); if (cell) { *cell = 1; if (key != 1) free(cell); cell = 0; }",
        )
    },
    Plant {
        subproperty: "valid-memtrack",
        detection: Detection::OneSided,
        ..deref(
            "lost-head",
            "struct node { struct node *next; } *head = 0; for (unsigned i = 0; i < key; i++) { struct node *node = \
             malloc(sizeof *node); if (!node) break; node->next = head; head = node; } if (head) { struct node *rest = \
             head->next; free(head); head = rest; } if (head) { head = head->next; free(head); head = 0; }",
        )
    },
    Plant {
        detection: Detection::OneSided,
        ..other(
            "kept",
            "valid-memcleanup",
            "static int *kept; if (!kept) kept = malloc(sizeof *kept); if (key != 1) { free(kept); kept = 0; }",
        )
    },
    other(
        "overflow-add",
        "no-overflow",
        "int n = INT_MAX - 2; n += (int)key; planted_sink += (unsigned)n;",
    ),
    other(
        "overflow-multiply",
        "no-overflow",
        "long long n = 0x3000000000000000; n *= (int)key; planted_sink += (unsigned)n;",
    ),
    other(
        "overflow-negate",
        "no-overflow",
        "int n = INT_MIN + (int)key; n = -n; planted_sink += (unsigned)n;",
    ),
    other(
        "overflow-divide",
        "no-overflow",
        "int n = INT_MIN, d = (int)key - 2; if (d) planted_sink += (unsigned)(n / d);",
    ),
    other(
        "overflow-decrement",
        "no-overflow",
        "int n = INT_MIN + 2; for (unsigned i = 0; i < key; i++) n--; planted_sink += (unsigned)n;",
    ),
    other(
        "divide-by-zero",
        "no-div-by-zero",
        "planted_sink += 100u / key;",
    ),
    other(
        "remainder-by-zero",
        "no-div-by-zero",
        "planted_sink += (unsigned)(100 % ((int)key - 3));",
    ),
    other(
        "shift-amount",
        "no-shift",
        "planted_sink += 1u << (29 + key);",
    ),
    other(
        "shift-out",
        "no-shift",
        "int n = 0x20000000; planted_sink += (unsigned)(n << key);",
    ),
    other(
        "float-cast",
        "no-float-cast",
        "float x = 253.5f + (float)key; planted_sink += (unsigned char)x;",
    ),
    other(
        "inner-bounds",
        "bounds",
        "struct { int inner[3], behind; } s = {{0}, 0}; s.inner[key] = 1; planted_sink += (unsigned)s.behind;",
    ),
    other(
        "unreachable",
        "no-unreachable",
        "if (key == 2) __builtin_unreachable();",
    ),
    other(
        "overlap",
        "no-overlap",
        "char text[8] = \"penguin\"; memcpy(text + 1 + key, text, 3); planted_sink += (unsigned)text[3];",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::PLANTS;

    #[test]
    fn names_are_unique_and_properties_are_covered() {
        let names: BTreeSet<&str> = PLANTS.iter().map(|plant| plant.name).collect();
        assert_eq!(names.len(), PLANTS.len());
        let parts: BTreeSet<&str> = PLANTS.iter().map(|plant| plant.subproperty).collect();
        let wanted = BTreeSet::from(["", "valid-deref", "valid-free", "valid-memtrack"]);
        assert_eq!(parts, wanted);
    }
}
