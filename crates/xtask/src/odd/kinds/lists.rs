//! Lists and blocks on the heap, with pointers into them that may outlive them.

use crate::odd::write::{Writer, fill};

/// A list is built, walked, cut and freed.
pub fn write(w: &mut Writer, part: &str) {
    let n = w.name("");
    w.put(
        "struct node$n { struct node$n *next; unsigned value; };
static struct node$n *push$n(struct node$n *head, unsigned value) { struct node$n *made = malloc(sizeof *made); made->next = head; made->value = value; return made; }
static void drop$n(struct node$n *head) { while (head) { struct node$n *next = head->next; free(head); head = next; } }",
        &[("n", &n)],
    );
    let mut body = String::new();
    for _ in 0..2 + w.random.below(3) {
        let text = w.any(&[
            "for (unsigned i = 0; i < $k; i++) head = push$n(head, $x + i);",
            "for (struct node$n *at = head; at; at = at->next) acc = acc * 3u + at->value;",
            "if (head && $c) { struct node$n *gone = head; head = head->next; free(gone); }",
            "{ struct node$n **at = &head; while (*at) { if ((*at)->value == $x) { struct node$n *gone = *at; *at = gone->next; free(gone); break; } at = &(*at)->next; } }",
            "{ struct node$n *back = 0; while (head) { struct node$n *next = head->next; head->next = back; back = head; head = next; } head = back; }",
            "{ unsigned *cells = malloc(3 * sizeof *cells); cells[0] = $x; cells = realloc(cells, 5 * sizeof *cells); cells[4] = 1; acc += cells[0]; free(cells); }",
            "if (head) { struct node$n *kept = head; if ($c) { drop$n(head); head = 0; } if ($d) acc += kept->value; }",
            "if (head && $c) { free(head); if ($d) head = 0; else { head = 0; } }",
            "{ struct node$n one = {head, $x}, *all = &one; for (; all; all = all->next) acc += all->value; }",
        ]);
        let (k, x) = (w.any(&["a", "b", "2u", "3u"]), w.value(&["a", "b", "c"]));
        let (c, d) = (w.condition(&["a", "b", "c"]), w.condition(&["a", "b", "c"]));
        body.push_str("    ");
        body.push_str(&fill(
            &text,
            &[("n", &n), ("k", &k), ("x", &x), ("c", &c), ("d", &d)],
        ));
        body.push('\n');
    }
    let step = w.step("acc", &["a", "b", "acc"]);
    w.put(
        "static unsigned $part(unsigned a, unsigned b, unsigned c) {
    unsigned acc = 0;
    struct node$n *head = push$n(0, 1u);
$body    drop$n(head);
    $s
    return acc;
}",
        &[("part", part), ("n", &n), ("body", &body), ("s", &step)],
    );
}
