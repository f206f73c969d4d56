//! Phase Pure: memories are values, and the interpreter holds their users to it.

mod common;

use common::{read, run, show};

/// A Pure program: the entry's memory is `v0` (region r0, with @g).
fn check_pure(body: &str, rest: &str, expected: &str) {
    let text = format!(
        "module pure ptr64
entry @start
obligation o0 f.leak.1 \"\"
global @g size 8 align 8 external = zero 8
global @h size 8 align 8 = zero 8
fn @start(v0: mem r0) -> i32, mem r0 {{
region r0 globals @g
region r1 local
b0:
{body}
}}
{rest}"
    );
    let module = read(&text);
    let run = run(&module, &[1, 2, 3]);
    assert_eq!(show(&module, &run), expected, "\n{text}");
}

#[test]
fn versions_follow_each_other() {
    check_pure(
        "    v1 = store.i32 @g, 7 in v0
    v2 = load.i32 @g in v1
    v3, v4 = alloc.heap 4 in v1
    v5 = store.i32 v3, v2 in v4
    v6 = free v3 in v5
    return v2, v6",
        "",
        "returned 7, memory",
    );
}

#[test]
fn a_stale_version_is_our_bug() {
    check_pure(
        "    v1 = store.i32 @g, 7 in v0
    v2 = load.i32 @g in v0
    return v2, v1",
        "",
        "internal error: @start, `v2 = load.i32 @g in v0`: a stale version of a memory is used",
    );
    check_pure(
        "    v1 = store.i32 @g, 7 in v0
    return 0:i32, v0",
        "",
        "internal error: @start, the end of b0: a stale version of a memory is used",
    );
}

#[test]
fn another_region_s_object_is_our_bug() {
    check_pure(
        "    v1 = new_region r1
    v2 = load.i32 @g in v1
    return v2, v0",
        "",
        "internal error: @start, `v2 = load.i32 @g in v1`: `g` is touched through a memory in which it does not live (it lives in memory 1)",
    );
    check_pure(
        "    v1 = store.i32 @h, 1 in v0
    return 0:i32, v1",
        "",
        "internal error: @start, `v1 = store.i32 @h, 1 in v0`: `h` is touched through a memory in which it does not live (it lives in memory 4294967294)",
    );
    check_pure(
        "    v1 = new_region r1
    v2, v3 = alloc.stack 4 in v1
    v4 = is_deref.read v2, 4 in v0
    return 0:i32, v0",
        "",
        "internal error: @start, `v4 = is_deref.read v2, 4 in v0`: stack object 3 is touched through a memory in which it does not live (it lives in memory 2)",
    );
}

#[test]
fn local_regions_and_copies_between_regions_work() {
    check_pure(
        "    v1 = new_region r1
    v2, v3 = alloc.stack 8 in v1
    v4 = store.i32 v2, 9 in v3
    v5 = mem_copy @g, v2, 4 in v0, v4
    v6 = load.i32 @g in v5
    v7 = mem_compare @g, v2, 4 in v5, v4
    v8 = add.i32 v6, v7
    v9 = leave in v4
    return v8, v5",
        "",
        "returned 9, memory",
    );
}

#[test]
fn calls_bind_regions() {
    check_pure(
        "    v1 = store.i32 @g, 5 in v0
    v2, v3 = call @f(@g) -> i32, mem r0 in v1 [r0=r0]
    v4 = load.i32 @g in v3
    v5 = add.i32 v2, v4
    return v5, v3",
        "fn @f(v0: ptr, v1: mem r0) -> i32, mem r0 {
region r0
region r1 local
b0:
    v2 = new_region r1
    v3, v4 = alloc.stack 4 in v2
    v5 = load.i32 v0 in v1
    v6 = store.i32 v3, v5 in v4
    v7 = store.i32 v0, 100 in v1
    v8 = load.i32 v3 in v6
    v9 = leave in v6
    return v8, v7
}
",
        "returned 105, memory",
    );
}

#[test]
fn locals_must_not_survive_in_a_memory_that_does() {
    let callee = |leave: &str, last: &str| {
        format!(
            "fn @f(v0: mem r0) -> ptr, mem r0 {{
region r0
b0:
    v1, v2 = alloc.stack 4 in v0
{leave}
    return v1, {last}
}}
"
        )
    };
    let call = "    v1, v2 = call @f() -> ptr, mem r0 in v0 [r0=r0]
    v3 = is_alive v1 in v2
    v4 = zext.i1.i32 v3
    return v4, v2";
    check_pure(
        call,
        &callee("    v3 = leave in v2", "v3"),
        "returned 0, memory",
    );
    check_pure(
        call,
        &callee("", "v2"),
        "internal error: @f, the end of b0: stack object 3 is alive when its function returns, in a memory that outlives the function",
    );
}

#[test]
fn questions_about_all_memories_need_all_memories() {
    check_pure(
        "    v1, v2 = alloc.heap 4 in v0
    v3 = store.ptr @g, v1 in v2
    v4 = all_tracked in v3
    v5 = all_freed in v3
    check o0, v4
    v6 = zext.i1.i32 v5
    return v6, v3",
        "",
        "returned 0, memory",
    );
    check_pure(
        "    v1 = new_region r1
    v2, v3 = alloc.heap 4 in v1
    v4 = all_freed in v0
    return 0:i32, v0",
        "",
        "internal error: @start, `v4 = all_freed in v0`: heap object 3 is touched through a memory in which it does not live (it lives in memory 2)",
    );
    check_pure(
        "    v1 = new_region r1
    v2, v3 = alloc.heap 4 in v1
    v4 = all_tracked in v0
    return 0:i32, v0",
        "",
        "internal error: @start, `v4 = all_tracked in v0`: the memories that all_tracked names say true, all memories say false",
    );
}

#[test]
fn unknown_code_changes_what_it_can_reach() {
    check_pure(
        "    v1 = new_region r1
    v2, v3 = alloc.stack 4 in v1
    v4, v5 = clobber v2 in v0, v3
    v6 = load.i32 @g in v4
    v7 = leave in v5
    return v6, v4",
        "",
        "returned 0, memory",
    );
    // The stack object is reachable, but its memory is not among those that may change.
    check_pure(
        "    v1 = new_region r1
    v2, v3 = alloc.stack 4 in v1
    v4 = clobber v2 in v0
    return 0:i32, v4",
        "",
        "internal error: @start, `v4 = clobber v2 in v0`: stack object 3 is touched through a memory in which it does not live (it lives in memory 2)",
    );
}

#[test]
fn unknown_code_sees_what_it_can_reach() {
    // It changes nothing, but every memory that it gets to must be among its own.
    let program = |sees: &str| {
        format!(
            "    v1 = new_region r1
    v2, v3 = alloc.stack 4 in v1
    v4 = store.i32 v2, 7 in v3
    {sees}
    v5 = load.i32 v2 in v4
    v6 = leave in v4
    return v5, v0"
        )
    };
    check_pure(&program("show v2 in v0, v4"), "", "returned 7, memory");
    check_pure(
        &program("show v2 in v0"),
        "",
        "internal error: @start, `show v2 in v0`: stack object 3 is touched through a memory in which it does not live (it lives in memory 2)",
    );
}

#[test]
fn malformed_instructions_are_errors_only_when_reached() {
    let text = "module lowered ptr64
entry @start
fn @start() -> i32 {
b0:
    branch 1, b2, b1
b1:
    v0 = new_region r0
    v1 = load.i32 null in v0
    return v1
b2:
    return 3:i32
}
";
    let module = read(text);
    assert_eq!(show(&module, &run(&module, &[])), "returned 3");
    let module = read(&text.replace("branch 1", "branch 0"));
    assert!(show(&module, &run(&module, &[])).starts_with("internal error: "));
}

/// Runs with this one recorded event, and inputs of 32 bits that are zero.
fn check_havoc(body: &str, changes: &[(&str, u64, u8)], expected: &str) {
    let text = format!(
        "module pure ptr64
entry @start
global @g size 4 align 4 = zero 4
global @c size 4 align 4 constant = zero 4
global @h size 4 align 4 = zero 4
fn @start(v0: mem r0, v1: mem r1) -> i32, mem r0, mem r1 {{
region r0 globals @g @c
region r1 globals @h
b0:
{body}
}}
"
    );
    let module = read(&text);
    struct Changes<'a>(&'a [(&'a str, u64, u8)]);
    impl interp::choices::Choices for Changes<'_> {
        fn value(&mut self, width: u32) -> Result<base::Bv, interp::choices::Refusal> {
            interp::choices::Zeros.value(width)
        }
        fn object(
            &mut self,
            size: u64,
        ) -> Result<interp::choices::ObjectChoice, interp::choices::Refusal> {
            interp::choices::Zeros.object(size)
        }
        fn bytes(&mut self, len: u64) -> Result<interp::choices::Fill, interp::choices::Refusal> {
            interp::choices::Zeros.bytes(len)
        }
        fn clobber(
            &mut self,
            reach: &[(u64, u64)],
        ) -> Result<Vec<(u64, u8)>, interp::choices::Refusal> {
            let at = |which: &str, offset: u64| match which {
                "first" => reach[0].0 + offset,
                _ => reach[reach.len() - 1].0 + reach[reach.len() - 1].1 + offset,
            };
            let changes = self.0.iter();
            Ok(changes
                .map(|&(which, offset, byte)| (at(which, offset), byte))
                .collect())
        }
    }
    let run = common::run_with(&module, &interp::Config::default(), &mut Changes(changes));
    assert_eq!(show(&module, &run), expected, "\n{text}");
}

#[test]
fn havoc_of_a_region_changes_its_objects() {
    let body = "    v2 = havoc_region in v0
    v3 = load.i32 @g in v2
    return v3, v2, v1";
    check_havoc(
        body,
        &[("first", 0, 7), ("first", 1, 1)],
        "returned 263, memory, memory",
    );
    check_havoc(body, &[], "returned 0, memory, memory");
}

#[test]
fn havoc_of_a_region_changes_nothing_else() {
    // Behind the last object that can change, which is not the constant.
    check_havoc(
        "    v2 = havoc_region in v0
    v3 = load.i32 @c in v2
    return v3, v2, v1",
        &[("behind", 0, 7)],
        "address 0x500010000004 is not in the region",
    );
    check_havoc(
        "    v2 = havoc_region in v0
    v3 = load.i32 @h in v1
    return v3, v2, v1",
        &[("first", 0, 7)],
        "returned 0, memory, memory",
    );
    // What is dead stays dead.
    check_havoc(
        "    v2, v3 = alloc.heap 4 in v0
    v4 = free v2 in v3
    v5 = havoc_region in v4
    v6 = is_alive v2 in v5
    v7 = zext.i1.i32 v6
    return v7, v5, v1",
        &[],
        "returned 0, memory, memory",
    );
}

#[test]
fn havoc_of_a_region_counts_as_written() {
    check_havoc(
        "    v2 = reset_modified @g in v0
    v3 = havoc_region in v2
    v4 = is_modified @g in v3
    v5 = zext.i1.i32 v4
    return v5, v3, v1",
        &[],
        "returned 1, memory, memory",
    );
}
