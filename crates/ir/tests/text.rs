//! The text format, text in and text out.

use ir::text;

/// Reads and writes; the text must come back as it was.
fn check_same(input: &str) {
    let module = text::read(input).unwrap_or_else(|error| panic!("{error}\n{input}"));
    assert_eq!(module.to_string(), input);
    let again = text::read(&module.to_string()).expect("what was written can be read");
    assert_eq!(again, module);
}

/// Reads and writes; the functions of the result are expected.
fn check_functions(input: &str, expected: &str) {
    let module = text::read(input).unwrap_or_else(|error| panic!("{error}\n{input}"));
    assert_eq!(text::display_functions(&module).to_string(), expected);
}

fn check_error(input: &str, expected: &str) {
    match text::read(input) {
        Ok(module) => panic!("read:\n{module}"),
        Err(error) => assert_eq!(error.to_string(), expected),
    }
}

#[test]
fn a_module_with_everything_comes_back() {
    check_same(
        r#"module raw ptr32
entry @selkie.start
note "volatile reads return \22anything\22"
note ""
place p0 "dir/f.c":3:7 in "main"
place p1 "g.h":0:0 in "" inlined p0
var x0 "i" "int" signed 32 in "main" at p0
var x1 "table" "struct s[4]" bytes 512
obligation o0 main.overflow.1 "signed overflow in +" at p1
obligation o1 f.constprop.unsigned-overflow.12 ""
obligation o2 "operator new(unsigned)".deref.1 "é"
global @g size 8 align 4 external var x1 = bytes "a\00\ff\22" zero 2 any 2
global @"odd name" size 12 align 4 constant = ptr @g+8 ptr null ptr @ext
global @h size 4 align 4 = ptr @g-1
global @empty size 0 align 1
fn @ext(i32, ptr) -> i32
fn @ext2() at p0
model fn @strlen(v0: ptr) -> i32 at p1 {
b0:
    return 0:i32 !p0
}
fn @selkie.start() {
b0:
    halt exit
}
"#,
    );
}

#[test]
fn every_scalar_instruction_comes_back() {
    let mut text =
        String::from("module raw ptr64\nfn @f(v0: i33, v1: f80, v2: ptr, v3: i1) {\nb0:\n");
    let mut value = 4;
    let mut line = |op: String| {
        text.push_str(&format!("    v{value} = {op}\n"));
        value += 1;
    };
    for op in ir::syntax::BinaryOp::ALL {
        match op.is_float() {
            true => line(format!("{op}.f80 v1, 0x3fff8000000000000000")),
            false => line(format!("{op}.i33 -4294967296, v0")),
        }
    }
    for op in ir::syntax::UnaryOp::ALL {
        match op.is_float() {
            true => line(format!("{op}.f128 0x3fff0000000000000000000000000000")),
            false => line(format!("{op}.i33 v0")),
        }
    }
    for op in ir::syntax::CompareOp::ALL {
        match op.is_float() {
            true => line(format!("{op}.f80 v1, v1")),
            false => line(format!("{op}.ptr v2, null")),
        }
    }
    for op in ir::syntax::OverflowOp::ALL {
        line(format!("{op}.i33 v0, 1"));
    }
    for cast in [
        "zext.i33.i64 v0",
        "sext.i1.i2 1",
        "trunc.i33.i1 v0",
        "ftos.f80.i33 v1",
        "ftou.f80.i33 v1",
        "stof.i33.f16 v0",
        "utof.i33.f32 v0",
        "ftof.f80.f64 v1",
        "bits.i16.f16 -1",
        "ptrtoint.ptr.i64 v2",
        "inttoptr.i64.ptr -1",
        "select.i33 v3, v0, 5",
        "offset v2, -8",
        "copy.f80 v1",
        "copy.i200 0x123456789abcdef0123456789abcdef",
        "nondet.i33 input",
        "nondet.ptr extern",
        "nondet.f16 uninit",
        "nondet.i1 undef",
    ] {
        line(cast.to_owned());
    }
    text.push_str("    return\n}\n");
    check_same(&text);
}

#[test]
fn every_instruction_on_memory_comes_back() {
    check_same(
        r#"module raw ptr64
place p0 "f.c":1:1 in "f"
var x0 "a" "char[8]" bytes 64
obligation o0 f.deref.1 "invalid dereference"
global @g size 8 align 8 = zero 8
fn @h(i64, ptr, i8) -> i32, ptr
fn @f(v0: ptr, v1: i64) -> ptr {
b0:
    v2 = alloc.stack 8 align 16 var x0
    v3 = alloc.heap v1 zeroed !p0
    free v3
    lifetime_start v2
    lifetime_end v2
    v4 = stack_save
    stack_restore v4
    leave
    v5 = load.i32 @g+4 align 4
    v6 = load.ptr v0 align 8 volatile
    store.f32 v0, 0x3f800000
    store.i8 @g-1, -1 align 2 !p0
    mem_copy v0, v2, 8
    mem_set v0, 7, v1
    v7 = mem_compare v0, v2, v1
    mem_havoc v0, v1
    clobber
    clobber v0, @g
    show
    show v0, @g
    v8 = is_deref.read v0, 4
    v9 = is_deref.write v0, v1
    v10 = is_freeable null
    v11 = is_disjoint v0, v2, v1
    v12 = all_tracked
    v13 = all_freed
    v14 = is_alive v0
    v15 = is_modified v0
    reset_modified v0
    v16 = object_size v0
    v17 = object_offset v0
    v22 = load_shadow.i64 v0
    store_shadow.i64 v0, v22
    v18, v19 = call @h(v1, @h, -1:i8) -> i32, ptr !p0
    call *v19()
    call *@h(0x3c00:f16)
    assume v15
    check o0, 0
    debug x0 address v2
    debug x0 value 7:i64 !p0
    switch.i64 v1 [-1: b1, 2: b1(v5, 3:i32)], b2
b1(v20: i32, v21: i32):
    branch v8, b1(v20, v21), b2 !p0
b2:
    jump b3
b3:
    halt abort
b4:
    halt dead
b5:
    return null
}
"#,
    );
}

#[test]
fn memories_are_values() {
    check_same(
        r#"module pure ptr64
global @g size 8 align 8
global @h size 8 align 8
fn @f(v0: ptr, v1: mem r0, v2: mem r2) -> i32, mem r0 {
region r0
region r1 local
region r2 globals @g @h
b0:
    v3 = new_region r1
    v4, v5 = alloc.stack 4 in v3
    v6 = store.i32 v0, 7 in v1
    v7 = load.i32 v4 align 4 in v5
    v8 = mem_copy v0, v4, 4 in v6, v5
    v9, v10 = clobber v0 in v8, v2
    v11 = select.mem.r0 1, v9, v8
    v12 = leave in v5
    v13, v14 = call @f(v0) -> i32, mem r0 in v11, v10 [r0=r0, r2=r2]
    v15 = all_tracked in v14, v10, v12
    jump b1(v14)
b1(v16: mem r0):
    return v13, v16
}
"#,
    );
}

#[test]
fn values_may_be_used_on_lines_before_their_definition() {
    check_same(
        r#"module pure ptr64
fn @f(v9: mem r0) -> mem r0 {
region r0
b0:
    jump b2
b1:
    v3 = store.i8 null, 1 in v2
    return v3
b2:
    v2 = store.i8 null, 0 in v9
    jump b1
}
"#,
    );
}

#[test]
fn a_function_alone_declares_what_it_mentions() {
    let input = r#"
; A comment.
fn @f(v0: i32) -> i32 {
b0:                       ; Another.
    v3 = call @h(v0, @g) -> i32   !p2
    check o1, 1
    debug x0 value v3
    return v3
}
"#;
    let module = text::read(input).expect("a function alone can be read");
    assert_eq!(
        module.to_string(),
        r#"module raw ptr64
place p0 "":0:0 in ""
place p1 "":0:0 in ""
place p2 "":0:0 in ""
var x0 "x0" "" bytes 0
obligation o0 fragment.assert.1 ""
obligation o1 fragment.assert.2 ""
global @g size 8 align 8 external = any 8
fn @f(v0: i32) -> i32 {
b0:
    v3 = call @h(v0, @g) -> i32 !p2
    check o1, 1
    debug x0 value v3
    return v3
}
fn @h(i32, ptr) -> i32
"#
    );
    assert_eq!(text::read(&module.to_string()), Ok(module));
}

#[test]
fn a_block_alone_has_its_free_values_as_parameters() {
    check_functions(
        "b0(v7: i8):\n    v1 = add.i32 v0, 7\n    branch v2, b2(v1, v7), b1\n",
        "fn @fragment(v7: i8, v0: i32, v2: i1) {\nb0:\n    v1 = add.i32 v0, 7\n    \
         branch v2, b2(v1, v7), b1\nb1:\n    halt dead\nb2(v8: i32, v9: i8):\n    halt dead\n}\n",
    );
    check_functions(
        "b1:\n    jump b1\n",
        "fn @fragment() {\nb0:\n    halt dead\nb1:\n    jump b1\n}\n",
    );
}

#[test]
fn a_call_may_leave_its_types_to_the_callee() {
    check_functions(
        "fn @g() -> i32, mem r0\nfn @f(v0: mem r7) {\nb0:\n    v1, v2 = call @g() in v0 [r0=r7]\n    return\n}\n",
        "fn @g() -> i32, mem r0\nfn @f(v0: mem r7) {\nb0:\n    \
         v1, v2 = call @g() -> i32, mem r7 in v0 [r0=r7]\n    return\n}\n",
    );
}

#[test]
fn numbers_may_be_written_in_several_ways() {
    check_functions(
        "b0:\n    v0 = add.i8 255, 0x80\n    v1 = add.i8 -128, 007:i8\n    v2 = add.i1 -1, 1\n    halt exit",
        "fn @fragment() {\nb0:\n    v0 = add.i8 -1, -128\n    v1 = add.i8 -128, 7\n    \
         v2 = add.i1 1, 1\n    halt exit\n}\n",
    );
}

#[test]
fn errors_tell_line_and_column() {
    check_error("", "1:1: there is no text");
    check_error("; nothing\n\n", "1:1: there is no text");
    check_error("\n  what", "2:3: `what` begins no declaration");
    check_error("module raw", "1:11: expected `ptr32` or `ptr64`");
    check_error("module cooked ptr64", "1:8: `cooked` is no phase");
    check_error(
        "module raw ptr64\nmodule raw ptr64",
        "2:1: `module` stands only at the beginning",
    );
    check_error("note \"é\" x", "1:10: expected the end of the line");
    check_error("note \"é", "1:6: the string has no end");
    check_error(
        "note \"\\g0\"",
        "1:6: a backslash in a string needs two hexadecimal digits",
    );
    check_error("note \"\\ff\"", "1:6: the string is not UTF-8");
    check_error(
        "place p1 \"f\":1:1 in \"f\"",
        "1:7: expected p0: numbers follow each other",
    );
    check_error(
        "obligation o0 deref.1 \"\"",
        "1:15: expected a name like `main.overflow.1`",
    );
    check_error(
        "obligation o0 f.derf.1 \"\"",
        "1:15: no check is called `derf`",
    );
    check_error("module raw ptr64\nentry @f", "2:7: @f is not declared");
    check_error(
        "global @g size 1 align 1\nfn @g()",
        "2:1: @g is declared twice",
    );
    check_error(
        "global @g size 1 align 1 = words",
        "1:28: expected `bytes`, `zero`, `any` or `ptr`",
    );
    check_error(
        "fn @f(i32) {\n}",
        "1:13: every parameter of a function with a body needs a number",
    );
    check_error("fn @f() {", "1:1: the function has no closing brace");
    check_error(
        "fn @f() {\nb1:",
        "2:1: expected b0: blocks are numbered in order",
    );
    check_error(
        "fn @f() {\nb0:\n}",
        "3:1: b0 has no end (jump, branch, return, …)",
    );
    check_error("fn @f() {\n  leave\n}", "2:3: expected a label like `b0:`");
    check_error(
        "fn @f() {\nb0:\n return\n leave\n}",
        "4:2: the block has ended: expected a label or `}`",
    );
    check_error(
        "b0:\n jump b1(7)",
        "2:10: the number needs a type, like `7:i32`",
    );
    check_error("fn @f() {\nb0:\n jump b1\n}", "3:7: b1 is not defined");
    check_error(
        "b0:\n return v0",
        "2:9: the type of v0 is not known: make it a parameter of b0",
    );
    check_error("fn @f() {\nb0:\n return v0\n}", "3:9: v0 is not defined");
    check_error("b0(v0: i8, v0: i8):", "1:12: v0 is defined twice");
    check_error(
        "b0(v0: i8):\n v1 = add.i9 v0, 1\n halt dead",
        "2:14: v0 is i8, not i9",
    );
    check_error(
        "b0(v0: i8):\n v1 = load.i8 null in v0\n halt dead",
        "2:23: v0 is i8, not a memory",
    );
    check_error("b0:\n v1 = frob.i8 v0", "2:7: `frob` is no instruction");
    check_error("b0:\n v1 = add v0, v0", "2:7: expected a type after a dot");
    check_error("b0:\n v1 = add.i0 v0, v0", "2:7: `i0` is no type");
    check_error(
        "b0:\n v1 = add.i8.i8 1, 1",
        "2:7: `.i8` does not belong to `add`",
    );
    check_error("b0:\n add.i8 1, 1", "2:2: `add` has 1 results, not 0");
    check_error(
        "b0:\n v1 = add.i8 1, 256",
        "2:17: the number does not fit 8 bits",
    );
    check_error(
        "b0:\n v1 = add.i8 1, -129",
        "2:17: the number does not fit 8 bits",
    );
    check_error(
        "b0:\n v1 = add.i8 1, 0x100",
        "2:17: the number does not fit 8 bits",
    );
    check_error("b0:\n v1 = add.i8 1, 1:i9", "2:17: expected i8, not i9");
    check_error(
        "b0:\n v1 = add.i8 1, null",
        "2:17: expected i8, not a pointer",
    );
    check_error(
        "b0:\n v1 = copy.f32 1",
        "2:16: a float is written by its bits, like `0x3f800000`",
    );
    check_error("b0:\n v1 = load.i8 1", "2:15: a number is no ptr");
    check_error("b0:\n v1 = add.i8 1 1", "2:16: expected `,`");
    check_error(
        "b0:\n v1 = load.i8 null in v0, v0",
        "2:7: `load` takes 1 memories, not 2",
    );
    check_error(
        "b0:\n v1 = offset null, 0 in v0",
        "2:7: `offset` takes no memory",
    );
    check_error(
        "module raw ptr64\nfn @f() {\nb0:\n check o0, 1\n return\n}",
        "4:8: `o0` is not declared",
    );
    check_error(
        "b0:\n v1 = store.i8 null, 1 in v2\n v2 = store.i8 null, 1 in v1\n halt dead",
        "3:27: the memory v1 is its own predecessor",
    );
}

#[test]
fn small_texts_cannot_ask_for_large_tables() {
    let too_large = "the numbers in this text are too large for its length";
    check_error("b0(v4294967294: i8):", &format!("1:4: {too_large}"));
    check_error("b4294967294:", &format!("1:1: {too_large}"));
    check_error("b0(v4294967295: i8):", "1:4: expected a number like `v0`");
    check_error("b0:\n jump b99999999", &format!("2:7: {too_large}"));
    check_error(
        "b0:\n check o99999999, 1\n halt dead",
        &format!("2:8: {too_large}"),
    );
    check_error("b0(v0: i8388609):", "1:8: `i8388609` is no type");
    let wide = " v0 = add.i8388608 0x1, 0x1\n".replace("v0", "v{}");
    let text: String = (0..100)
        .map(|n| wide.replace("{}", &n.to_string()))
        .collect();
    let error = text::read(&format!("b0:\n{text} halt dead")).expect_err("a hundred megabytes");
    assert_eq!(error.message, too_large);
    check_error(
        "b0:\n v0 = copy.i5000 1",
        "2:18: a number this wide is written in hexadecimal",
    );
}

#[test]
fn what_is_not_wellformed_prints_all_the_same() {
    let mut module = text::read("b0(v0: i8):\n v1 = add.i8 v0, 1\n return v1").expect("is read");
    let func = module.func_named("fragment").expect("is there");
    let body = module.body_mut(func);
    let beyond = ir::syntax::Value::from_index(9);
    for inst in body.insts.values_mut() {
        inst.op.map_operands(|_| beyond.into());
        inst.place = Some(ir::syntax::PlaceId::from_index(3));
    }
    body.blocks[ir::syntax::Block::from_index(0)]
        .insts
        .push(ir::syntax::Inst::from_index(7));
    assert_eq!(
        text::display_functions(&module).to_string(),
        "fn @fragment(v0: i8) {\nb0:\n    v1 = add.? v9, 1:i8 !p3?\n    i7?\n    return v1\n}\n"
    );
}

#[test]
fn tidy_numbers_instructions_by_the_text_and_forgets_the_others() {
    let input = "fn @f(v0: i8) -> i8 {\nb0:\n    v1 = add.i8 v0, 1\n    v2 = add.i8 v0, 2\n    \
                 v3 = add.i8 v0, 3\n    return v2\n}\n";
    let mut module = text::read(input).expect("is read");
    let func = module.func_named("f").expect("is there");
    let body = module.body_mut(func);
    let insts = &mut body.blocks[ir::syntax::Block::from_index(0)].insts;
    insts.remove(0);
    insts.remove(1);
    let before = module.clone();
    ir::tidy::tidy(&mut module);
    assert_eq!(module.to_string(), before.to_string());
    assert_ne!(module, before);
    assert_eq!(text::read(&module.to_string()), Ok(module.clone()));
    assert_eq!(module.body(func).insts.len(), 1);
    assert_eq!(module.body(func).values.len(), 3);
}

#[test]
fn long_lines_are_read_in_one_go() {
    let word = "a".repeat(5_000_000);
    check_error(&word, &format!("1:1: `{word}` begins no declaration"));
    check_same(&format!("module raw ptr64\nnote \"{word}\"\n"));
    let args = vec!["7:i32"; 500_000].join(", ");
    let types = vec!["i32"; 500_000].join(", ");
    check_same(&format!(
        "module raw ptr64\nfn @g({types})\nfn @f() {{\nb0:\n    call @g({args})\n    return\n}}\n"
    ));
    let digits = "f".repeat(2_000_000);
    check_same(&format!(
        "module raw ptr64\nfn @f() {{\nb0:\n    v0 = copy.i8000000 0x{digits}\n    return\n}}\n"
    ));
    let zeros = "0".repeat(5_000_000);
    check_functions(
        &format!("b0:\n    v0 = copy.i64 {zeros}7\n    return"),
        "fn @fragment() {\nb0:\n    v0 = copy.i64 7\n    return\n}\n",
    );
}

#[test]
fn what_is_known_of_regions_comes_back() {
    check_same(
        r#"module pure ptr64
place p0 "f.c":1:2 in "main"
place p1 "f.c":3:4 in "main"
global @g size 4 align 4 = zero 4
fn @f(v0: mem r0, v1: mem r2) -> mem r0 {
region r0 unknown globals @g
region r1 local word 4 one size 4 scalar i32 plain sites p0
region r2 word 16 size 32 sites p0 p1
region r3 local one sites
region r4 local plain
b0:
    v2 = havoc_region in v0
    return v2
}
"#,
    );
    check_error(
        "fn @f(v0: mem r0) {\nregion r0 one word 4\nb0:\n return\n}\n",
        "2:15: expected the end of the line",
    );
}

#[test]
fn assumptions_come_back_with_their_origin() {
    check_same(
        r#"module raw ptr64
obligation o0 f.assert.1 ""
fact k0 absint
fact k1 k-induction rests o0 k0
fn @f(v0: i1) {
b0:
    assume v0
    assume v0 by model
    assume v0 by unchecked
    assume v0 by k1
    return
}
"#,
    );
    check_error(
        "module raw ptr64\nfn @f(v0: i1) {\nb0:\n assume v0 by k0\n return\n}\n",
        "4:15: `k0` is not declared",
    );
    check_error(
        "b0:\n assume 1 by god\n halt exit\n",
        "2:14: expected a number like `k0`",
    );
}
