//! Memory: what each operation does, and why accesses fail.

mod common;

use common::{check, check_start, read, run_with, show};
use interp::Config;
use interp::choices::{List, Seed, Zeros};
use interp::config::AfterFailure;

#[test]
fn values_of_every_width_come_back_from_memory() {
    check_start(
        " -> i8, i16, i24, i32, i33, i64, i1, i128, f80, ptr, i200",
        "b0:
            v0 = alloc.stack 64 align 16
            store.i8 v0, -1
            v1 = load.i8 v0
            store.i16 v0, -2
            v2 = load.i16 v0
            store.i24 v0, -3
            v3 = load.i24 v0
            store.i32 v0, -4
            v4 = load.i32 v0
            store.i33 v0, -5
            v5 = load.i33 v0
            store.i64 v0, -6
            v6 = load.i64 v0
            store.i1 v0, 1
            v7 = load.i1 v0
            store.i128 v0, -8
            v8 = load.i128 v0
            store.f80 v0, 0x3fff8000000000000000
            v9 = load.f80 v0
            store.ptr v0, null
            v10 = load.ptr v0
            store.i200 v0, -11
            v11 = load.i200 v0
            return v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11",
        "returned -1, -2, -3, -4, -5, -6, -1, -8, 3fff8000000000000000, null, -11",
    );
}

#[test]
fn odd_widths_are_zero_extended_to_whole_bytes() {
    check_start(
        " -> i8, i32, i1",
        "b0:
            v0 = alloc.stack 8
            store.i64 v0, -1
            store.i1 v0, 1
            v1 = load.i8 v0
            store.i20 v0, -1
            v2 = load.i32 v0
            store.i8 v0, 2
            v3 = load.i1 v0
            return v1, v2, v3",
        "returned 1, -15728641, 0",
    );
}

#[test]
fn memory_is_little_endian() {
    check_start(
        " -> i8, i8, i32",
        "b0:
            v0 = alloc.stack 4
            store.i32 v0, 0x01020304
            v1 = load.i8 v0
            v2 = offset v0, 3
            v3 = load.i8 v2
            store.i8 v2, 0x7f
            v4 = load.i32 v0
            return v1, v3, v4",
        "returned 4, 1, 2130838276",
    );
}

#[test]
fn globals_hold_their_contents() {
    check(
        r#"module raw ptr64
entry @start
global @g size 24 align 8 = bytes "ab\00" zero 5 ptr @h+4 ptr @start
global @h size 8 align 4 = zero 4 bytes "\07\00\00\00"
fn @start() -> i8, i8, i32, i1 {
b0:
    v0 = load.i8 @g
    v1 = load.i8 @g+7
    v2 = load.ptr @g+8
    v3 = load.i32 v2
    v4 = load.ptr @g+16
    v5 = eq.ptr v4, @start
    return v0, v1, v3, v5
}
"#,
        &[],
        "returned 97, 0, 7, -1",
    );
}

#[test]
fn pointers_keep_their_object_through_memory() {
    // One past the end of the first object, stored, copied byte by byte, and loaded: it still
    // belongs to the first object, whatever is at the address.
    check_start(
        " -> i64, i64, i64",
        "b0:
            v0 = alloc.stack 10
            v1 = alloc.stack 8 align 8
            v2 = alloc.stack 32 align 8
            v3 = offset v0, 10
            store.ptr v1, v3
            v4 = offset v2, 1
            jump b1(0:i64)
        b1(v5: i64):
            v6 = offset v1, v5
            v7 = offset v4, v5
            mem_copy v7, v6, 1
            v8 = add.i64 v5, 1
            v9 = ult.i64 v8, 8
            branch v9, b1(v8), b2
        b2:
            v10 = load.ptr v4
            v11 = object_size v10
            v12 = object_offset v10
            v13 = load.i64 v4
            v14 = inttoptr.i64.ptr v13
            v15 = object_offset v14
            return v11, v12, v15",
        "returned 10, 10, 10",
    );
}

#[test]
fn a_pointer_with_a_changed_byte_has_no_object_of_its_own() {
    check_start(
        " -> i64, i1",
        "b0:
            v0 = alloc.stack 300 align 256
            v1 = alloc.stack 8 align 8
            store.ptr v1, v0
            store.i8 v1, 12
            v2 = load.ptr v1
            v3 = object_offset v2
            v4 = is_deref.write v2, 288
            return v3, v4",
        "returned 12, -1",
    );
}

#[test]
fn copies_behave_as_if_through_a_buffer() {
    check_start(
        " -> i64, i64",
        "b0:
            v0 = alloc.heap 16
            store.i64 v0, 0x0807060504030201
            v1 = offset v0, 2
            mem_copy v1, v0, 8
            v2 = load.i64 v0
            mem_copy v0, v1, 8
            v3 = load.i64 v0
            return v2, v3",
        "returned 433757350076154369, 578437695752307201",
    );
}

#[test]
fn sets_and_comparisons_are_by_byte() {
    check_start(
        " -> i32, i32, i32, i32, i32",
        "b0:
            v0 = alloc.heap 200 zeroed
            v1 = alloc.heap 200
            mem_set v1, 0, 200
            v2 = mem_compare v0, v1, 200
            v3 = offset v1, 150
            mem_set v3, -1, 1
            v4 = mem_compare v0, v1, 200
            v5 = mem_compare v1, v0, 200
            v6 = mem_compare v0, v1, 150
            v7 = mem_compare null, null, 0
            return v2, v4, v5, v6, v7",
        "returned 0, -1, 1, 0, 0",
    );
}

#[test]
fn accesses_outside_have_the_stated_meaning() {
    let module = read(
        "module raw ptr64
entry @start
fn @start() -> i32, i32, i8, i8 {
b0:
    v0 = alloc.stack 4
    store.i32 v0, 5
    v1 = offset v0, 1
    v2 = load.i32 v1
    store.i32 v1, -1
    v3 = load.i32 v0
    mem_set v1, -1, 4
    mem_copy v1, v0, 4
    mem_copy v0, v1, 4
    v4 = load.i8 v0
    v5 = load.i8 null
    return v2, v3, v4, v5
}
",
    );
    // The load's value and the last byte are chosen; the copy from outside chooses zeros.
    let inputs = [77, 88].map(|value| base::Bv::from_u64(value, 32));
    let run = run_with(&module, &Config::default(), &mut List::new(inputs));
    assert_eq!(show(&module, &run), "returned 77, 5, 0, 88");
}

#[test]
fn life_ends_and_begins() {
    check_start(
        " -> i1, i1, i1, i1, i1, i1, i32",
        "b0:
            v0 = alloc.stack 4
            store.i32 v0, 5
            lifetime_end v0
            v1 = is_alive v0
            lifetime_start v0
            v2 = is_alive v0
            v3 = load.i32 v0
            v4 = alloc.heap 8
            v5 = is_freeable v4
            v6 = offset v4, 1
            v7 = is_freeable v6
            free v6
            v8 = is_alive v4
            free v4
            free v4
            free null
            v9 = is_freeable v4
            return v1, v2, v5, v7, v8, v9, v3",
        "returned 0, -1, -1, 0, -1, 0, 0",
    );
}

#[test]
fn the_stack_is_cut_back_to_its_mark() {
    check_start(
        " -> i1, i1, i1",
        "b0:
            v0 = alloc.stack 4
            v1 = stack_save
            v2 = alloc.stack 4
            v3 = alloc.heap 4
            stack_restore v1
            v4 = is_alive v0
            v5 = is_alive v2
            v6 = is_alive v3
            return v4, v5, v6",
        "returned -1, 0, -1",
    );
}

#[test]
fn locals_die_when_their_function_returns() {
    check(
        "module raw ptr64
entry @start
fn @start() -> i1, i1 {
b0:
    v0 = alloc.stack 4
    v1 = call @f() -> ptr
    v2 = is_alive v0
    v3 = is_alive v1
    return v2, v3
}
fn @f() -> ptr {
b0:
    v0 = alloc.stack 4
    return v0
}
",
        &[],
        "returned -1, 0",
    );
}

#[test]
fn modification_is_remembered() {
    check_start(
        " -> i1, i1, i1, i1",
        "b0:
            v0 = alloc.heap 4
            v1 = is_modified v0
            mem_set v0, 0, 0
            v2 = is_modified v0
            store.i8 v0, 0
            v3 = is_modified v0
            reset_modified v0
            v4 = is_modified v0
            return v1, v2, v3, v4",
        "returned 0, 0, -1, 0",
    );
}

#[test]
fn ranges_are_disjoint_or_not() {
    check_start(
        " -> i1, i1, i1, i1",
        "b0:
            v0 = alloc.heap 16
            v1 = offset v0, 4
            v2 = is_disjoint v0, v1, 4
            v3 = is_disjoint v1, v0, 5
            v4 = is_disjoint v0, v0, 0
            v5 = is_disjoint v0, v0, 1
            return v2, v3, v4, v5",
        "returned -1, 0, -1, 0",
    );
}

#[test]
fn leaks_are_objects_that_nothing_leads_to() {
    let program = |last: &str| {
        format!(
            "module raw ptr64
entry @start
global @g size 8 align 8 = zero 8
fn @start() -> i1, i1, i1 {{
b0:
    v0 = alloc.heap 32 zeroed
    v1 = alloc.heap 16 zeroed
    v2 = offset v1, 4
    v3 = offset v0, 3
    store.ptr v3, v2
    store.ptr @g, v0
    v4 = all_tracked
    v5 = all_freed
{last}
    v6 = all_tracked
    return v4, v5, v6
}}
"
        )
    };
    // The interior pointer is lost; then the root; then only an integer is left; then all freed.
    let lose = "    store.i8 v3, 0";
    check(&program(lose), &[], "returned -1, 0, 0");
    let cut = "    store.ptr @g, null";
    check(&program(cut), &[], "returned -1, 0, 0");
    let number = "    v7 = ptrtoint.ptr.i64 v2\n    store.i64 v3, v7";
    check(&program(number), &[], "returned -1, 0, -1");
    let freed = "    free v0\n    free v1";
    check(&program(freed), &[], "returned -1, 0, -1");
}

/// A program that frees, leaves scopes and returns, with a check whose condition is `line`.
fn violation(line: &str) -> String {
    format!(
        r#"module raw ptr64
entry @start
place p0 "f.c":1:1 in "main"
place p1 "f.c":2:5 in "main"
place p2 "f.c":3:7 in "main"
place p3 "f.c":9:9 in "helper" inlined p2
var x0 "a" "int[4]" bytes 128 in "main" at p0
var x1 "i" "int" signed 32 in "main"
var x2 "p" "char *" pointer 64 in "helper"
var x3 "text" "char[4]" bytes 32 at p0
obligation o0 main.deref.1 "invalid access" at p2
global @text size 4 align 1 constant var x3 = bytes "abc\00"
fn @start() {{
b0:
    call @main() !p0
    return
}}
fn @local() -> ptr {{
b0:
    v0 = alloc.stack 4 !p1
    return v0 !p2
}}
fn @main() {{
b0:
    v0 = alloc.stack 16 var x0
    debug x0 address v0
    v1 = alloc.heap 10 !p1
    v2 = alloc.heap 10 !p1
    free v2 !p2
    debug x1 value 3:i32
    v3 = offset v1, 8
    debug x2 value v3
    v4 = alloc.stack 8
    lifetime_end v4 !p2
    v5 = call @local() -> ptr !p2
    v6 = offset v0, -4
{line}
    check o0, v9 !p3
    return
}}
"#
    )
}

const STACK: &str = "\n  in helper at f.c:9:9: p = &heap object 3 + 8\n  called from main at f.c:3:7: a = {00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00}, i = 3";

fn check_violation(line: &str, expected: &str) {
    check(
        &violation(line),
        &[],
        &format!("violated main.deref.1\n{expected}{STACK}"),
    );
}

#[test]
fn every_bad_access_is_explained() {
    check_violation(
        "    v9 = is_deref.read null, 4",
        "reading 4 bytes through a null pointer",
    );
    check_violation(
        "    v10 = offset null, 12\n    v9 = is_deref.write v10, 1",
        "writing 1 byte through a null pointer plus 12",
    );
    check_violation(
        "    v9 = is_deref.read @main, 1",
        "reading 1 byte through the address of function main",
    );
    check_violation(
        "    v10 = inttoptr.i64.ptr 0x123456789\n    v9 = is_deref.read v10, 2",
        "reading 2 bytes through 0x123456789, where no object is",
    );
    check_violation(
        "    v9 = is_deref.read v3, 4",
        "reading 4 bytes at offset 8 of heap object 3, which is past its end\n  heap object 3 has 10 bytes, allocated at f.c:2:5",
    );
    check_violation(
        "    v9 = is_deref.write v6, 4",
        "writing 4 bytes at offset -4 of `a`, which is before its start\n  `a` is a local of 16 bytes, declared at f.c:1:1",
    );
    check_violation(
        "    v9 = is_deref.read v2, 1",
        "reading 1 byte at the start of heap object 4, which is freed\n  heap object 4 has 10 bytes, allocated at f.c:2:5, freed at f.c:3:7",
    );
    check_violation(
        "    v9 = is_deref.read v4, 8",
        "reading 8 bytes at the start of stack object 5, which is out of scope\n  stack object 5 has 8 bytes, out of scope since f.c:3:7",
    );
    check_violation(
        "    v9 = is_deref.read v5, 4",
        "reading 4 bytes at the start of stack object 6, whose function has returned\n  stack object 6 has 4 bytes, declared at f.c:2:5, dead since its function returned at f.c:3:7",
    );
    check_violation(
        "    v9 = is_deref.write @text+1, 1",
        "writing 1 byte at offset 1 of `text`, which is constant\n  `text` is a global of 4 bytes, declared at f.c:1:1",
    );
}

#[test]
fn every_bad_free_is_explained() {
    check_violation(
        "    v9 = is_freeable v2",
        "freeing heap object 4, which is freed already\n  heap object 4 has 10 bytes, allocated at f.c:2:5, freed at f.c:3:7",
    );
    check_violation(
        "    v9 = is_freeable v3",
        "freeing heap object 3, at offset 8, not at its start\n  heap object 3 has 10 bytes, allocated at f.c:2:5",
    );
    check_violation(
        "    v9 = is_freeable v0",
        "freeing `a`, which is a local\n  `a` is a local of 16 bytes, declared at f.c:1:1",
    );
    check_violation(
        "    v9 = is_freeable @text",
        "freeing `text`, which is a global\n  `text` is a global of 4 bytes, declared at f.c:1:1",
    );
}

#[test]
fn other_conditions_are_explained() {
    check_violation(
        "    v10 = sadd_overflow.i32 2147483647, 1\n    v9 = xor.i1 v10, 1",
        "2147483647 + 1 does not fit signed 32 bits",
    );
    check_violation(
        "    v10 = copy.i32 0\n    v9 = ne.i32 v10, 0",
        "0 != 0 does not hold",
    );
    check_violation(
        "    v10 = is_deref.read v0, 4\n    v11 = is_deref.read v1, 40\n    v9 = and.i1 v10, v11",
        "reading 40 bytes at the start of heap object 3, which is past its end\n  heap object 3 has 10 bytes, allocated at f.c:2:5",
    );
    check_violation(
        "    v9 = is_disjoint v1, v3, 9",
        "two ranges of 9 bytes are only 8 bytes apart\n  heap object 3 has 10 bytes, allocated at f.c:2:5",
    );
    check_violation(
        "    v9 = all_freed",
        "1 heap object is still allocated\n  heap object 3 has 10 bytes, allocated at f.c:2:5",
    );
    check_violation(
        "    v9 = all_tracked",
        "nothing points to heap object 3 any more\n  heap object 3 has 10 bytes, allocated at f.c:2:5",
    );
    // Nothing to say but where it is.
    let constant = violation("    v9 = copy.i1 0");
    check(&constant, &[], &format!("violated main.deref.1{STACK}"));
}

#[test]
fn locals_are_called_by_their_names() {
    let text = r#"module raw ptr64
entry @start
place p0 "f.c":1:9 in "start"
place p1 "f.c":2:1 in "start"
var x0 "y" "int" signed 32 in "start" at p0
obligation o0 start.deref.1 ""
fn @start() {
b0:
    v0 = alloc.stack 4
    debug x0 address v0
    lifetime_end v0 !p1
    v1 = is_deref.read v0, 4
    check o0, v1 !p1
    return
}
"#;
    check(
        text,
        &[],
        "violated start.deref.1
reading 4 bytes at the start of `y`, which is out of scope
  `y` is a local of 4 bytes, declared at f.c:1:9, out of scope since f.c:2:1
  in start at f.c:2:1",
    );
}

#[test]
fn all_violations_of_a_path_can_be_collected() {
    let module = read(
        "module raw ptr64
entry @start
obligation o0 f.assert.1 \"\"
obligation o1 f.assert.2 \"\"
obligation o2 f.assert.3 \"\"
fn @start() {
b0:
    jump b1(0:i32)
b1(v0: i32):
    check o0, 0
    v1 = eq.i32 v0, 2
    check o1, v1
    check o2, 1
    v2 = add.i32 v0, 1
    v3 = ult.i32 v2, 5
    branch v3, b1(v2), b2
b2:
    halt exit
}
",
    );
    let config = Config {
        after_failure: AfterFailure::Continue,
        ..Config::default()
    };
    let run = run_with(&module, &config, &mut Zeros);
    assert_eq!(show(&module, &run), "exited");
    let failed: Vec<String> = run
        .failures
        .iter()
        .map(|failure| failure.obligation.to_string())
        .collect();
    assert_eq!(failed, ["o0", "o1"]);
}

#[test]
fn unwritten_bytes_are_what_the_allocation_chose() {
    let module = read(
        "module raw ptr64
entry @start
fn @start() -> i64, i64, i1 {
b0:
    v0 = alloc.heap 8
    v1 = load.i64 v0
    v2 = alloc.heap 8
    mem_copy v2, v0, 8
    v3 = load.i64 v2
    v4 = eq.i64 v1, v3
    v5 = alloc.heap 8 zeroed
    v6 = load.i64 v5
    return v1, v6, v4
}
",
    );
    let run = run_with(&module, &Config::default(), &mut Zeros);
    assert_eq!(show(&module, &run), "returned 0, 0, -1");
    let first = run_with(&module, &Config::default(), &mut Seed::new(1));
    let second = run_with(&module, &Config::default(), &mut Seed::new(2));
    assert_ne!(first.outcome, second.outcome);
    assert!(show(&module, &first).ends_with(", 0, -1"));
}

#[test]
fn thirty_two_bit_machines_wrap_at_four_bytes() {
    check(
        "module raw ptr32
entry @start
global @g size 8 align 4 = ptr @g+4 zero 4
fn @start() -> i32, i32, i1, i64 {
b0:
    v0 = load.ptr @g
    v1 = object_offset v0
    v2 = offset null, -1
    v3 = ptrtoint.ptr.i32 v2
    v4 = offset v2, 1
    v5 = eq.ptr v4, null
    v6 = ptrtoint.ptr.i64 v2
    return v1, v3, v5, v6
}
",
        &[],
        "returned 4, -1, -1, 4294967295",
    );
}

#[test]
fn shadows_tell_what_is_not_initialised() {
    check_start(
        " -> i32, i32, i32, i32, i16",
        "b0:
            v0 = alloc.stack 8 align 4
            v1 = load_shadow.i32 v0
            store.i16 v0, 7 align 2
            v2 = load_shadow.i32 v0
            v3 = alloc.heap 8 align 4
            mem_copy v3, v0, 4
            store_shadow.i8 v3, 15
            v4 = load_shadow.i32 v3
            mem_set v0, 1, 8
            v5 = load_shadow.i32 v0
            v6 = offset v0, 7
            v7 = load_shadow.i16 v6
            return v1, v2, v4, v5, v7",
        "returned -1, -65536, -65521, 0, 0",
    );
}
