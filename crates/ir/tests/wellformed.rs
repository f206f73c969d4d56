//! Each rule of `wellformed` by a text that breaks it, beside texts that break none.

use ir::syntax::{Block, Const, Module, Op, Operand, Type, Value};
use ir::{text, wellformed};

fn read(input: &str) -> Module {
    text::read(input).unwrap_or_else(|error| panic!("{error}\n{input}"))
}

fn complaints(module: &Module) -> String {
    match wellformed::check(module) {
        Ok(()) => String::new(),
        Err(complaints) => wellformed::explain(&complaints),
    }
}

fn check(input: &str, expected: &str) {
    assert_eq!(complaints(&read(input)), expected, "{input}");
}

/// A body of one block that returns nothing; `v0: i8`, `v1: ptr`, `v2: f32` are parameters.
fn check_raw(insts: &str, expected: &str) {
    let text = format!("fn @f(v0: i8, v1: ptr, v2: f32) {{\nb0:\n{insts}\n return\n}}\n");
    check(&text, expected);
}

#[test]
fn nothing_to_complain_about() {
    check_raw(
        "v3 = add.i8 v0, 1\ncheck o0, 1\nv4 = bits.f32.i32 v2\n debug x0 address v1",
        "",
    );
    check(
        "fn @f() {\nb0:\n switch.i8 1 [0: b0, 255: b1], b0\nb1:\n halt exit\n}",
        "",
    );
    check(
        "fn @ext(i8)\nfn @f() {\nb0:\n call @ext(1:i8, 2:i32)\n call *null()\n return\n}",
        "",
    );
    check(
        "global @g size 12 align 4 = bytes \"abc\" zero 1 ptr null\n",
        "",
    );
}

#[test]
fn uses_are_dominated_by_their_definition() {
    check(
        "fn @f(v0: i1) -> i8 {\nb0:\n branch v0, b1, b2\nb1:\n v1 = copy.i8 1\n jump b2\nb2:\n return v1\n}",
        "@f, b2: v1 is not defined on every way here",
    );
    check_raw(
        "v4 = add.i8 v3, 1\nv3 = add.i8 v0, 1",
        "@f, b0, `v4 = add.i8 v3, 1`: v3 is not defined on every way here",
    );
    check_raw(
        "v3 = add.i8 v3, 1",
        "@f, b0, `v3 = add.i8 v3, 1`: v3 is not defined on every way here",
    );
    // In a loop, and along a chain of blocks in another order than the text's.
    check(
        "fn @f() -> i8 {\nb0:\n jump b2\nb1:\n return v0\nb2:\n v0 = nondet.i8 input\n v1 = nondet.i1 input\n branch v1, b2, b1\n}",
        "",
    );
}

#[test]
fn unreachable_blocks_may_use_anything_that_is_defined() {
    check(
        "fn @f() -> i8 {\nb0:\n halt dead\nb1:\n v0 = copy.i8 1\n halt dead\nb2:\n return v0\n}",
        "",
    );
    check(
        "fn @f() -> i8 {\nb0:\n return v0\nb1:\n v0 = copy.i8 1\n halt dead\n}",
        "@f, b0: v0 is not defined on every way here",
    );
}

#[test]
fn removed_instructions_define_nothing() {
    let mut module = read("fn @f(v0: i8) -> i8 {\nb0:\n v1 = add.i8 v0, 1\n return v1\n}");
    let func = module.func_named("f").expect("is there");
    module.body_mut(func).blocks[Block::from_index(0)]
        .insts
        .clear();
    assert_eq!(complaints(&module), "@f, b0: v1 is not defined");
}

#[test]
fn ids_are_in_range() {
    let input = "fn @f(v0: i8) -> i8 {\nb0:\n v1 = add.i8 v0, 1\n check o0, 1 !p0\n return v1\n}";
    let mut module = read(input);
    let func = module.func_named("f").expect("is there");
    for inst in module.body_mut(func).insts.values_mut() {
        inst.op.map_operands(|_| Value::from_index(7).into());
    }
    module.obligations.clear();
    module.places.clear();
    assert_eq!(
        complaints(&module),
        "@f, b0, `v1 = add.? v7, 1:i8`: v7 is not in the table\n\
         @f, b0, `check o0?, 1 !p0?`: o0 is not in the table\n\
         @f, b0, `check o0?, 1 !p0?`: its place is not in the table"
    );
    let mut module =
        read("global @g size 0 align 1\nfn @f(v0: ptr) {\nb0:\n v1 = copy.ptr v0\n return\n}");
    let func = module.func_named("f").expect("is there");
    let global = module.global_named("g").expect("is there");
    for inst in module.body_mut(func).insts.values_mut() {
        inst.op = Op::Copy(Operand::Const(Const::Global(global, 0)));
    }
    module.globals.clear();
    assert_eq!(
        complaints(&module),
        "@f, b0, `v1 = copy.ptr @g0?`: g0 is not in the table"
    );
}

#[test]
fn definitions_agree_with_their_values() {
    let mut module =
        read("fn @f(v0: i8) {\nb0:\n v1 = add.i8 v0, 1\n v2 = add.i8 v0, 1\n return\n}");
    let func = module.func_named("f").expect("is there");
    let body = module.body_mut(func);
    body.values[Value::from_index(1)].ty = Type::Int(9);
    let second = body.values[Value::from_index(2)].clone();
    for inst in body.insts.values_mut() {
        if inst.results == [Value::from_index(2)] {
            inst.results = vec![Value::from_index(0)];
        }
    }
    let insts = &mut body.blocks[Block::from_index(0)].insts;
    insts.push(insts[0]);
    assert_eq!(second.ty, Type::Int(8));
    assert_eq!(
        complaints(&module),
        "@f, b0, `v1 = add.i8 v0, 1`: the instruction is in the text twice\n\
         @f, b0, `v0 = add.i8 v0, 1`: the definition of v0 is another\n\
         @f, b0, `v1 = add.i8 v0, 1`: v1 is i9, not i8\n\
         @f, b0, `v1 = add.i8 v0, 1`: v1 is i9, not i8"
    );
}

#[test]
fn operands_have_the_types_of_the_operation() {
    for (inst, message) in [
        ("v3 = add.f32 v2, 0x0", "v2 is f32, not an integer"),
        ("v3 = fadd.i8 v0, 1", "v0 is i8, not a float"),
        ("v3 = slt.f32 v2, v2", "v2 is f32, not an integer"),
        ("v3 = foeq.ptr v1, v1", "v1 is ptr, not a float"),
        ("v3 = uadd_overflow.ptr v1, v1", "v1 is ptr, not an integer"),
        ("v3 = bswap.i8 v0", "`bswap` of 8 bits"),
        ("v3 = zext.i8.i8 v0", "`zext` does not lead from i8 to i8"),
        ("v3 = trunc.i8.i9 v0", "`trunc` does not lead from i8 to i9"),
        (
            "v3 = ftof.f32.f32 v2",
            "`ftof` does not lead from f32 to f32",
        ),
        (
            "v3 = bits.f32.i33 v2",
            "`bits` does not lead from f32 to i33",
        ),
        (
            "v3 = ptrtoint.i8.i8 v0",
            "`ptrtoint` does not lead from i8 to i8",
        ),
        (
            "v3 = alloc.heap 4 align 3",
            "the alignment 3 is no power of two",
        ),
        (
            "v3 = load.i8 v1 align 0",
            "the alignment 0 is no power of two",
        ),
        ("debug x0 address v0", "v0 is i8, not ptr"),
    ] {
        check_raw(inst, &format!("@f, b0, `{inst}`: {message}"));
    }
}

#[test]
fn terminators_agree_with_blocks_and_signature() {
    check(
        "fn @f(v0: i8) -> i8 {\nb0:\n jump b1\nb1(v1: i8):\n jump b1(1:i9)\nb2:\n return\nb3:\n return 1:i9\n}",
        "@f, b0: b1 takes 1 arguments, not 0\n\
         @f, b1: v1 of b1 is i8, not i9\n\
         @f, b2: the function has 1 results, not 0\n\
         @f, b3: 1:i9 is i9, not i8",
    );
    check(
        "fn @f() {\nb0(v0: i8):\n halt exit\n}",
        "@f: its first block has parameters",
    );
    check(
        "fn @f() {\nb0:\n switch.i8 1 [1: b0, 1: b0], b0\n}",
        "@f, b0: two cases have the same value",
    );
}

#[test]
fn calls_agree_with_the_callee() {
    let callee = "fn @g(v0: i8, v1: ptr) -> i32 {\nb0:\n return 1:i32\n}\nfn @ext(i8)\n";
    for (inst, message) in [
        (
            "v0 = call @g(1:i8) -> i32",
            "the callee takes 2 arguments, not 1",
        ),
        ("v0 = call @g(1:i9, null) -> i32", "1:i9 is i9, not i8"),
        ("call @ext()", "the callee takes 1 arguments, not 0"),
        (
            "v0 = call @g(1:i8, null) -> i8",
            "the callee's results have other types",
        ),
        ("call @ext(1:i8) [r0=r1]", "regions in phase raw"),
    ] {
        let text = format!("{callee}fn @f() {{\nb0:\n {inst}\n return\n}}\n");
        check(&text, &format!("@f, b0, `{inst}`: {message}"));
    }
}

#[test]
fn phases_forbid_more_and_more() {
    let text = "fn @ext()\nfn @f() {\nb0:\n call @ext()\n call *null()\n switch.i8 1 [], b1\nb1:\n jump b0\n}\n";
    let module = |phase| read(&format!("module {phase} ptr64\n{text}"));
    assert_eq!(complaints(&module("raw")), "");
    assert_eq!(
        complaints(&module("lowered")),
        "@f, b0, `call @ext()`: call of a function without a body in phase lowered\n\
         @f, b0, `call *null()`: indirect call in phase lowered\n\
         @f, b0: `switch` in phase lowered"
    );
    assert_eq!(
        complaints(&module("unrolled")),
        "@f: b1 jumps back to b0 in phase unrolled\n\
         @f, b0, `call @ext()`: `call` in phase unrolled\n\
         @f, b0, `call *null()`: `call` in phase unrolled\n\
         @f, b0: `switch` in phase unrolled"
    );
    check(
        "module lowered ptr64\nfn @f(v0: mem r0) {\nregion r0 local\nb0:\n v1 = new_region r0\n return\n}\n",
        "@f: mem r0 in phase lowered\n\
         @f: regions in phase lowered\n\
         @f: the local r0 is in its signature\n\
         @f: mem r0 in phase lowered\n\
         @f, b0, `v1 = new_region r0`: mem r0 in phase lowered\n\
         @f, b0, `v1 = new_region r0`: `new_region` in phase lowered",
    );
}

const PURE: &str = "module pure ptr64\nglobal @g size 0 align 1\n\
    fn @h(v0: ptr, v1: mem r0, v2: mem r2) -> i8, mem r2 {\nregion r0\nregion r1 local\nregion r2\nb0:\n return 1:i8, v2\n}\n";

/// A body of one block with memories `v0: mem r0`, `v1: mem r1` and a local region r2.
fn check_pure(insts: &str, expected: &str) {
    let text = format!(
        "{PURE}fn @f(v0: mem r0, v1: mem r1) {{\nregion r0 globals @g\nregion r1\nregion r2 local\nb0:\n{insts}\n return\n}}\n"
    );
    check(&text, expected);
}

#[test]
fn memories_are_where_memory_is_touched() {
    check_pure(
        "v2 = new_region r2\nv3, v4 = alloc.stack 8 in v2\nv5 = select.mem.r2 1, v4, v2",
        "",
    );
    check_pure(
        "v2 = mem_copy null, null, 1 in v0, v0\nv3, v4 = clobber in v1, v2\nleave",
        "",
    );
    for (inst, message) in [
        ("v2 = load.i8 null", "it takes 1 memories, not 0"),
        ("store.i8 null, 1", "it takes 1 memories, not 0"),
        ("mem_copy null, null, 1", "it takes 2 memories, not 0"),
        ("v2 = new_region r1", "r1 is not local"),
        ("v2, v3 = clobber in v0, v0", "mem r0 occurs twice"),
    ] {
        check_pure(inst, &format!("@f, b0, `{inst}`: {message}"));
    }
}

#[test]
fn calls_bind_every_region_once() {
    check_pure(
        "v2, v3 = call @h(null) -> i8, mem r1 in v0, v1 [r0=r0, r2=r1]",
        "",
    );
    check_pure(
        "v2, v3 = call @h(null) -> i8, mem r0 in v1, v0 [r2=r0, r0=r1]",
        "",
    );
    for (binding, message) in [
        (
            "mem r1 in v0, v1 [r0=r0]",
            "the callee's region r2 is not bound",
        ),
        (
            "mem r1 in v0, v1 [r2=r1]",
            "the callee's region r0 is not bound",
        ),
        (
            "mem r1 in v0, v1 [r0=r0, r0=r1, r2=r1]",
            "the callee's region r0 is bound twice",
        ),
        (
            "mem r0 in v0, v0 [r0=r0, r2=r0]",
            "r0 is bound to r0 and to r2",
        ),
        (
            "mem r1 in v0, v1 [r0=r0, r1=r2, r2=r1]",
            "the callee's region r1 is local",
        ),
        (
            "mem r1 in v0, v1 [r0=r0, r3=r2, r2=r1]",
            "the callee has no region r3",
        ),
        ("mem r1 in v0, v1 [r0=r0, r2=r9]", "r9 is not in the table"),
        (
            "mem r1 in v1, v0 [r0=r0, r2=r1]",
            "v1 is mem r1, not mem r0",
        ),
        (
            "mem r1 in v0 [r0=r0, r2=r1]",
            "the callee takes 2 memories, not 1",
        ),
        (
            "mem r0 in v0, v1 [r0=r0, r2=r1]",
            "the callee yields mem r1, not mem r0",
        ),
    ] {
        let inst = format!("v2, v3 = call @h(null) -> i8, {binding}");
        check_pure(&inst, &format!("@f, b0, `{inst}`: {message}"));
    }
}

#[test]
fn regions_are_in_order() {
    check(
        "module pure ptr64\nglobal @g size 0 align 1\nfn @f(v0: mem r0, v1: mem r1, v2: mem r0) -> mem r2 {\n\
         region r0 globals @g\nregion r1 local globals @g\nb0:\n halt exit\n}\n",
        "@f: a region occurs twice among its parameters or results\n\
         @f: it yields mem r2 and does not take it\n\
         @f: g0 lives in two regions\n\
         @f: the local r1 is in its signature\n\
         @f: r2 is not in the table",
    );
    check(
        "module pure ptr64\nfn @f(mem r0, i8)\n",
        "@f: memories come last in its signature\n@f: it takes memories and has no body",
    );
}

#[test]
fn facts_of_regions_make_sense() {
    for (facts, complaint) in [
        ("word 3", "3 bytes are no word"),
        ("word 32", "32 bytes are no word"),
        ("scalar i32", "a scalar i32 is one object of its size"),
        (
            "one size 8 scalar i32",
            "a scalar i32 is one object of its size",
        ),
        ("one size 0 scalar mem r0", "a memory is no scalar"),
    ] {
        check(
            &format!(
                "module pure ptr64\nfn @f(v0: mem r0) {{\nregion r0 {facts}\nb0:\n halt exit\n}}\n"
            ),
            &format!("@f: r0: {complaint}"),
        );
    }
}

#[test]
fn facts_rest_on_what_there_is() {
    check(
        "module raw ptr64\nobligation o0 f.assert.1 \"\"\nfact k0 absint rests k0\nfact k1 absint rests o0 k0\n",
        "k0: k0 is no earlier fact",
    );
    check(
        "module lowered ptr64\nfn @f() {\nb0:\n havoc_region\n halt exit\n}\n",
        "@f, b0, `havoc_region`: `havoc_region` in phase lowered",
    );
}

#[test]
fn declarations_are_in_order() {
    check(
        "module raw ptr32\nentry @f\nplace p0 \"f\":1:1 in \"f\" inlined p1\n\
         place p1 \"f\":1:1 in \"f\" inlined p0\n\
         obligation o0 f.deref.1 \"\"\nobligation o1 f.deref.1 \"\"\nobligation o2 f.deref.0 \"\"\n\
         global @g size 5 align 3 = bytes \"a\" ptr @f ptr null\nfn @f(i8)\n",
        "p0: it is inlined into itself\n\
         o1: o0 has the same name\n\
         o2: its name needs a number from 1 on\n\
         entry: it has no body\n\
         entry: it has parameters or results besides memories\n\
         @g: the alignment is no power of two\n\
         @g: its contents have 9 bytes, not 5",
    );
    let mut module = read("fn @f()\nfn @g()");
    for func in module.funcs.values_mut() {
        func.name = "same".to_owned();
    }
    assert_eq!(complaints(&module), "@same: the name is not unique");
}

#[test]
fn a_hundred_complaints_are_enough() {
    let insts: String = (0..1000)
        .map(|n| format!(" v{n} = load.i8 null align 3\n"))
        .collect();
    let module = read(&format!("b0:\n{insts} halt exit"));
    let complaints = wellformed::check(&module).expect_err("nothing is aligned");
    assert_eq!(complaints.len(), 100);
}
