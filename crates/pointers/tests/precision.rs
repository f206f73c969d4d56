//! Precision: each classic loss, and what must stay together for each that stays apart.
//!
//! A test names two pointers by the names of the globals that hold them, or two variables, and says whether
//! they lie in one region of `main`.

mod common;

use std::path::Path;

use common::{Checks, config};
use ir::syntax::{Module, Op, Region};
use passes::pass;
use passes::pipeline::LOWER;
use pointers::footprint::{self, AccessPath, FieldView, NodeView, Reach, View};
use pointers::{Analysis, Mode, analyze};

fn lowered(source: &str) -> Module {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("f.c");
    let text = format!("#include <stdlib.h>\n#include <string.h>\n#include <stdint.h>\n{source}");
    std::fs::write(&file, text).expect("a file can be written");
    let mut module = load(&file);
    pass::run(LOWER, &mut module, &config(Checks::Default), &mut |_, _| ())
        .unwrap_or_else(|error| panic!("{error}"));
    module
}

fn load(file: &Path) -> Module {
    common::load(file, Checks::Default, 2, &["-w"]).unwrap_or_else(|error| panic!("{error}"))
}

/// The region of `func` in which the bytes written by the store of this constant lie.
fn region_of(analysis: &Analysis<'_>, func: &str, constant: i64) -> Region {
    let module = analysis.solution.state.module;
    let func = module.func_named(func).expect("the function is there");
    let body = module.body(func);
    let mut found = Vec::new();
    for (_, inst) in body.insts_in_order() {
        if let Op::Store { value, .. } = &body.insts[inst].op
            && let Some(ir::syntax::Const::Int(bv)) = value.as_const()
            && bv.to_i64() == Some(constant)
        {
            found.extend(analysis.funcs[func].accesses[inst.index()].0);
        }
    }
    found.dedup();
    assert_eq!(found.len(), 1, "one store of {constant} in {module}");
    found[0]
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Apart {
    Never,
    Sensitive,
    Always,
}

/// Do the stores of 11 and 22 lie in different regions of `main`?
fn check(source: &str, expected: Apart) {
    let module = lowered(source);
    for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
        let analysis = analyze(&module, mode);
        let apart = region_of(&analysis, "main", 11) != region_of(&analysis, "main", 22);
        let expected = match expected {
            Apart::Never => false,
            Apart::Sensitive => mode == Mode::ContextSensitive,
            Apart::Always => true,
        };
        let lines = pointers::show::lines(&analysis).join("\n");
        assert_eq!(apart, expected, "{mode:?}\n{lines}\n{module}");
    }
}

const LIST: &str = "struct n { struct n *next; int v; };
static struct n *push(struct n *h, int v) { struct n *p = malloc(sizeof *p); p->next = h; p->v = v; return p; }
";

#[test]
fn two_list_heads_stay_apart() {
    let main = "int main(void) { struct n *a = 0, *b = 0;
      for (int i = 0; i < 3; i++) { a = push(a, i); b = push(b, i); }
      a->v = 11; b->v = 22; return a->v; }";
    check(&format!("{LIST}{main}"), Apart::Sensitive);
}

#[test]
fn two_list_heads_that_are_exchanged_do_not() {
    let main = "int main(void) { struct n *a = 0, *b = 0;
      for (int i = 0; i < 3; i++) { a = push(a, i); b = push(b, i); if (i & 1) { struct n *t = a; a = b; b = t; } }
      a->v = 11; b->v = 22; return a->v; }";
    check(&format!("{LIST}{main}"), Apart::Never);
}

#[test]
fn fields_stay_apart() {
    let source = "struct s { int *p; long pad; int *q; };
      static struct s g; int x, y;
      int main(void) { g.p = malloc(4); g.q = malloc(4); *g.p = 11; *g.q = 22; return 0; }";
    check(source, Apart::Always);
}

#[test]
fn fields_that_overlap_do_not() {
    let source = "union u { int *p; int *q; }; static union u g;
      int main(void) { g.p = malloc(4); *g.p = 11; g.q = malloc(4); *g.q = 22; return *g.p; }";
    check(source, Apart::Never);
}

#[test]
fn fields_of_array_elements_stay_apart() {
    let source = "struct s { int *p; long pad; int *q; };
      static struct s g[10];
      int main(int argc, char **argv) { int i = argc % 10, j = (argc + 1) % 10;
        g[i].p = malloc(4); g[j].q = malloc(4); *g[j].p = 11; *g[i].q = 22; return 0; }";
    check(source, Apart::Always);
}

#[test]
fn fields_of_elements_do_not_if_the_index_may_wrap() {
    // 24 times a free 64-bit number can be 16: the element's last field is another's first.
    let source =
        "unsigned long __VERIFIER_nondet_ulong(void); struct s { int *p; long pad; int *q; };
      static struct s g[10];
      int main(void) { unsigned long i = __VERIFIER_nondet_ulong(), j = __VERIFIER_nondet_ulong();
        g[i].p = malloc(4); g[j].q = malloc(4); *g[j].p = 11; *g[i].q = 22; return 0; }";
    check(source, Apart::Never);
}

#[test]
fn fields_that_are_copied_by_one_wide_word_do_not() {
    let source = "struct s { int *p, *q; }; static struct s g, h;
      int main(void) { g.p = malloc(4); g.q = malloc(4); *g.q = 11;
        *(unsigned __int128 *)&h = *(unsigned __int128 *)&g; *h.q = 22; return *g.q; }";
    check(source, Apart::Never);
}

#[test]
fn elements_of_one_array_do_not() {
    let source = "static int *g[10];
      int main(int argc, char **argv) { unsigned i = (unsigned)argc % 10, j = (unsigned)(argc + 1) % 10;
        g[i] = malloc(4); g[j] = malloc(4); *g[i] = 11; *g[j] = 22; return 0; }";
    check(source, Apart::Never);
}

#[test]
fn a_copied_struct_keeps_its_fields() {
    let source = "struct s { int *p; long pad[9]; int *q; };
      static struct s g, h; int main(void) { g.p = malloc(4); g.q = malloc(4);
        memcpy(&h, &g, sizeof g); *h.p = 11; *h.q = 22; return 0; }";
    check(source, Apart::Always);
}

#[test]
fn a_copy_is_another_object_with_the_same_pointers() {
    let fields = "struct s { int *p; long v; long pad[9]; int *q; };
      static struct s g, h;";
    let objects = "int main(void) { memcpy(&h, &g, sizeof g); h.v = 11; g.v = 22; return 0; }";
    check(&format!("{fields}{objects}"), Apart::Always);
    let pointers = "int main(void) { g.p = malloc(4); memcpy(&h, &g, sizeof g); *h.p = 11; *g.p = 22; return 0; }";
    check(&format!("{fields}{pointers}"), Apart::Never);
}

const SET: &str = "static void set(int **p, int *v) { *p = v; }\n";

#[test]
fn two_callers_do_not_merge() {
    let main = "int main(void) { int *a, *b; int *volatile keep; int x, y;
      set(&a, malloc(4)); set(&b, malloc(4)); *a = 11; *b = 22; return 0; }";
    check(&format!("{SET}{main}"), Apart::Sensitive);
}

#[test]
fn a_caller_that_aliases_merges_for_all() {
    let source = "static int two(int *p, int *q) { *p = 1; *q = 2; return *p; }
      int main(void) { int *a = malloc(4), *b = malloc(4), *c = malloc(4);
        two(c, c); two(a, b); *a = 11; *b = 22; return 0; }";
    check(source, Apart::Never);
}

#[test]
fn a_pointer_through_an_integer_keeps_its_object_and_spares_others() {
    let source = "int main(void) { int *a = malloc(4), *b = malloc(4);
        uintptr_t n = (uintptr_t)a; uintptr_t k[1]; k[0] = n; int *c = (int *)k[0]; *c = 11; *b = 22; return *a; }";
    check(source, Apart::Always);
    let source = "uintptr_t key(int n) { return n; }
        int main(int argc, char **argv) { int *a = malloc(4), *b = malloc(4);
        uintptr_t n = (uintptr_t)a ^ key(argc), m = (uintptr_t)b ^ key(argc);
        int *c = (int *)(n ^ key(argc)), *d = (int *)(m ^ key(argc));
        *c = 11; *d = 22; return *a; }";
    check(source, Apart::Never);
}

#[test]
fn copies_by_bytes_lead_to_the_same_object() {
    let source = "int main(void) { int *a = malloc(4), *b; unsigned char *s = (unsigned char *)&a, *d = (unsigned char *)&b;
        for (unsigned i = 0; i < sizeof a; i++) d[i] = s[i]; *a = 11; *b = 22; return *a; }";
    check(source, Apart::Never);
}

#[test]
fn unknown_code_merges_what_it_reaches() {
    let source =
        "void other(int *); int main(void) { int *a = malloc(4), *b = malloc(4), *c = malloc(4);
        other(a); other(b); *a = 11; *b = 22; *c = 33; return *a; }";
    check(source, Apart::Never);
    let source = "void other(int *); int main(void) { int *a = malloc(4), *b = malloc(4);
        other(a); *a = 11; *b = 22; return *a; }";
    check(source, Apart::Always);
}

#[test]
fn a_variable_is_a_scalar_and_an_array_is_not() {
    let module = lowered(
        "static int x; static int a[4]; int main(int argc, char **argv) { x = 11; a[argc % 4] = 22; return x; }",
    );
    for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
        let analysis = analyze(&module, mode);
        let main = module.func_named("main").expect("main is there");
        let facts =
            |constant| &analysis.funcs[main].regions[region_of(&analysis, "main", constant)];
        assert_eq!(facts(11).scalar, Some(ir::syntax::Type::Int(32)));
        assert_eq!((facts(22).scalar, facts(22).word), (None, 4));
    }
}

#[test]
fn a_call_through_a_table_reaches_the_functions_of_the_table() {
    let module = lowered(
        "static int f(int x) { return x + 1; } static int g(int x) { return x - 1; } static int h(int x) { return x; }
         static int (*table[2])(int) = { f, g }; static int (*other)(int) = h; static int (**where)(int) = &other;
         int main(int argc, char **argv) { return table[argc & 1](3) + (*where)(4); }",
    );
    let texts: Vec<&str> = module
        .obligations
        .values()
        .filter(|data| data.check == checks::registry::CheckId::CallTarget)
        .map(|data| data.text.as_str())
        .collect();
    assert!(
        texts.contains(&"the pointer called is one of f, g"),
        "{texts:?}"
    );
    assert!(
        !texts.iter().any(|text| text.contains("f, g, h")),
        "{texts:?}"
    );
}

#[test]
fn footprints_list_access_paths() {
    // Two levels below a parameter, a cycle, and what a cycle leads to.
    let source = "struct c { int v; }; struct b { long v; struct c *c; }; struct a { struct b *b; int v; };
      struct n { struct n *next; struct c *c; };
      static int f(struct a *p, struct n *q) { int s = p->v + p->b->v + p->b->c->v; while (q) { s += q->c->v; q = q->next; } return s; }
      int main(void) { struct c c = { 1 }, d = { 2 }; struct b b = { 2, &c }; struct a a = { &b, 3 }; struct n *n = 0;
        for (int i = 0; i < 3; i++) { struct n *t = malloc(sizeof *t); t->next = n; t->c = &d; n = t; }
        a.v = 11; n->c->v = 22; return f(&a, n); }";
    let module = lowered(source);
    let summaries = pointers::solve::summaries(&module);
    let func = module.func_named("f").expect("f is there");
    let classes = footprint::of_func(&summaries, func);
    let path = |param: usize, fields: &[i64]| AccessPath {
        param,
        fields: fields.to_vec(),
    };
    let bounded: Vec<&Vec<AccessPath>> = classes
        .iter()
        .filter_map(|class| match &class.reach {
            Reach::Bounded(paths) => Some(paths),
            Reach::Unbounded => None,
        })
        .collect();
    let wanted = [
        vec![path(0, &[0]), path(0, &[8])],
        vec![path(0, &[0, 0]), path(0, &[0, 8])],
        vec![path(0, &[0, 8, 0])],
    ];
    assert_eq!(bounded.len(), 3, "{classes:?}");
    for paths in &wanted {
        assert!(bounded.contains(&paths), "{paths:?} among {classes:?}");
    }
    assert_eq!(
        classes.len(),
        5,
        "the list and what it leads to: {classes:?}"
    );
}

/// A graph written as `node: offset offset>node, …`; an offset that leads somewhere names the node.
fn view(params: &[usize], nodes: &[&[(i64, Option<usize>)]]) -> View {
    let field = |&(offset, target): &(i64, Option<usize>)| FieldView {
        offset,
        target: target.map(|node| (node, 0)),
    };
    View {
        nodes: nodes
            .iter()
            .map(|fields| NodeView {
                fields: fields.iter().map(field).collect(),
                array: false,
            })
            .collect(),
        params: params
            .iter()
            .enumerate()
            .map(|(param, &node)| (param, node, 0))
            .collect(),
    }
}

#[test]
fn an_unbounded_alias_spares_what_other_members_lead_to() {
    // p1 leads to N1, whose 0 leads to N2, whose 0 leads to N3; p2 to N4, whose 4 leads to N5; p3 to N6,
    // whose 4 leads to itself. The call merges N1, N4 and N5, and N2 with N6.
    let [n1, n2, n3, n4, n5, n6] = [0, 1, 2, 3, 4, 5];
    let graph = view(
        &[n1, n4, n6],
        &[
            &[(0, Some(n2)), (4, None)],
            &[(0, Some(n3)), (4, None)],
            &[(0, None)],
            &[(0, None), (4, Some(n5))],
            &[(0, None), (4, None)],
            &[(0, None), (4, Some(n6))],
        ],
    );
    let reaches = graph.classes(&[0, 1, 2, 0, 0, 1]);
    let path = |param: usize, fields: &[i64]| AccessPath {
        param,
        fields: fields.to_vec(),
    };
    let first = vec![
        path(0, &[0]),
        path(0, &[4]),
        path(1, &[0]),
        path(1, &[4]),
        path(1, &[4, 0]),
        path(1, &[4, 4]),
    ];
    assert_eq!(reaches[0], Reach::Bounded(first));
    assert_eq!(reaches[1], Reach::Unbounded);
    assert_eq!(reaches[2], Reach::Bounded(vec![path(0, &[0, 0, 0])]));
}

#[test]
fn cycles_and_what_they_lead_to_are_unbounded() {
    // 0 and 1 lead to each other, 1 to 2; 3 is apart.
    let graph = view(
        &[0, 3],
        &[
            &[(0, Some(1))],
            &[(0, Some(0)), (8, Some(2))],
            &[(0, None)],
            &[(0, None)],
        ],
    );
    let reaches = graph.classes(&[0, 1, 2, 3]);
    assert_eq!(
        reaches[..3],
        [Reach::Unbounded, Reach::Unbounded, Reach::Unbounded]
    );
    assert!(matches!(reaches[3], Reach::Bounded(_)));
}

#[test]
fn a_call_with_one_pointer_twice_has_one_class() {
    let source = "struct s { int v; int *p; };
      static int f(struct s *a, struct s *b) { return a->v + *b->p; }
      int main(void) { static int x; struct s s = { 1, &x }; return f(&s, &s); }";
    let module = lowered(source);
    let summaries = pointers::solve::summaries(&module);
    let (main, func) = (module.func_named("main"), module.func_named("f"));
    let (main, func) = (main.expect("main is there"), func.expect("f is there"));
    assert_eq!(
        footprint::of_func(&summaries, func).len(),
        3,
        "two structs and the integer"
    );
    let body = module.body(main);
    let (_, call) = body
        .insts_in_order()
        .find(|&(_, inst)| matches!(body.insts[inst].op, Op::Call { .. }))
        .expect("main calls f");
    let classes = footprint::at_call(&summaries, main, call).expect("the call is bound");
    let sizes: Vec<usize> = classes.iter().map(|class| class.members.len()).collect();
    assert!(sizes.contains(&2), "{classes:?}");
}

#[test]
fn too_many_paths_are_given_up() {
    // A chain in which every node leads to the next by two fields: 2^n paths.
    let nodes: Vec<Vec<(i64, Option<usize>)>> = (0..40)
        .map(|node| vec![(0, Some(node + 1)), (8, Some(node + 1))])
        .chain([vec![(0, None)]])
        .collect();
    let nodes: Vec<&[(i64, Option<usize>)]> = nodes.iter().map(Vec::as_slice).collect();
    let classes: Vec<usize> = (0..nodes.len()).collect();
    let reaches = view(&[0], &nodes).classes(&classes);
    assert!(matches!(reaches[0], Reach::Bounded(_)));
    assert_eq!(reaches[40], Reach::Unbounded);
}
