//! Limits: steps, depth, memory; huge objects and long runs.

mod common;

use common::{read, run_with, show};
use interp::Config;
use interp::choices::{Seed, Zeros};
use interp::config::Record;

fn check_limits(text: &str, config: &Config, expected: &str) {
    let module = read(text);
    let run = run_with(&module, config, &mut Zeros);
    assert_eq!(show(&module, &run), expected);
}

const RECURSION: &str = "module raw ptr64
entry @start
fn @start() -> i64 {
b0:
    v0 = call @f(DEPTH:i64) -> i64
    return v0
}
fn @f(v0: i64) -> i64 {
b0:
    v1 = eq.i64 v0, 0
    branch v1, b1, b2
b1:
    return 0:i64
b2:
    v2 = alloc.stack 8 align 8
    store.i64 v2, v0
    v3 = sub.i64 v0, 1
    v4 = call @f(v3) -> i64
    v5 = load.i64 v2
    v6 = add.i64 v4, v5
    return v6
}
";

#[test]
fn recursion_goes_as_deep_as_allowed() {
    let deep = RECURSION.replace("DEPTH", "200000");
    check_limits(&deep, &Config::default(), "returned 20000100000");
    let config = Config {
        depth_limit: 1000,
        ..Config::default()
    };
    check_limits(&deep, &config, "calls are nested too deeply");
    let config = Config {
        memory_limit: 10 << 20,
        ..Config::default()
    };
    check_limits(
        &deep,
        &config,
        "the program needs more than 10 MiB of memory",
    );
}

#[test]
fn endless_loops_meet_the_step_limit() {
    let text = "module raw ptr64
entry @start
fn @start() {
b0:
    jump b0
}
";
    let config = Config {
        step_limit: 12345,
        ..Config::default()
    };
    let module = read(text);
    let run = run_with(&module, &config, &mut Zeros);
    assert_eq!(show(&module, &run), "the step limit was reached");
    assert_eq!(run.steps, 12345);
}

#[test]
fn copying_counts_as_work() {
    let text = "module raw ptr64
entry @start
fn @start() {
b0:
    v0 = alloc.heap 100000
    jump b1
b1:
    mem_set v0, 1, 100000
    jump b1
}
";
    let config = Config {
        step_limit: 1_000_000,
        ..Config::default()
    };
    check_limits(text, &config, "the step limit was reached");
}

#[test]
fn huge_objects_cost_what_is_touched() {
    let text = "module raw ptr64
entry @start
global @big size 68719476736 align 16 = zero 68719476736
fn @start() -> i64, i64, i1, i64, i1, ptr, i64 {
b0:
    v0 = alloc.heap 0x4000000000
    v1 = offset v0, 0x3ffffffff8
    v2 = load.i64 v1
    store.i64 v1, 7
    v3 = load.i64 v1
    v4 = is_deref.write v0, 0x4000000000
    v5 = offset v0, 4090
    store.i64 v5, -9
    v6 = load.i64 v5
    v7 = alloc.heap 0x200000 zeroed
    v8 = offset v7, 4092
    store.ptr v8, v5
    v9 = offset v7, 0x100003
    mem_copy v9, v8, 8
    v10 = load.ptr v9
    v11 = eq.ptr v10, v5
    v12 = load.ptr v7
    v13 = load.i64 @big+68719476720
    return v3, v6, v4, v2, v11, v12, v13
}
";
    check_limits(
        text,
        &Config::default(),
        "returned 7, -9, -1, 0, -1, null, 0",
    );
}

#[test]
fn memory_that_is_touched_is_limited() {
    let text = "module raw ptr64
entry @start
fn @start() {
b0:
    v0 = alloc.heap 0x4000000000
    mem_set v0, 1, 0x4000000000
    return
}
";
    check_limits(text, &Config::default(), "returned");
    let text = "module raw ptr64
entry @start
fn @start() {
b0:
    v0 = alloc.heap 0x4000000000
    jump b1(v0)
b1(v1: ptr):
    store.i8 v1, 1
    v2 = offset v1, 4096
    jump b1(v2)
}
";
    check_limits(
        text,
        &Config::default(),
        "the program needs more than 1024 MiB of memory",
    );
    let text = "module raw ptr64
entry @start
fn @start() {
b0:
    v0 = alloc.heap 0x7ffffffffffffff0
    v1 = alloc.heap 0x7ffffffffffffff0
    return
}
";
    check_limits(text, &Config::default(), "the address space is used up");
}

/// Allocates and frees without end; nothing is kept but the last dead object's pointer.
const CHURN: &str = "module raw ptrBITS
entry @start
fn @start() -> i1, i1, iBITS {
b0:
    v0 = alloc.heap SIZE align 16
    free v0
    jump b1(0:i32, null)
b1(v1: i32, v2: ptr):
    v3 = alloc.heap SIZE align 16
    store.i32 v3, v1
    call @f()
    free v3
    v4 = add.i32 v1, 1
    v5 = ult.i32 v4, ROUNDS
    branch v5, b1(v4, v3), b2
b2:
    v6 = is_alive v0
    v7 = is_alive v3
    v8 = object_size v0
    return v6, v7, v8
}
fn @f() {
b0:
    v0 = alloc.stack 64
    store.i8 v0, 1
    return
}
";

#[test]
fn dead_objects_are_forgotten_when_nothing_points_to_them() {
    let text = CHURN
        .replace("BITS", "64")
        .replace("SIZE", "48")
        .replace("ROUNDS", "400000");
    let module = read(&text);
    let config = Config {
        memory_limit: 64 << 20,
        record: Record::Off,
        ..Config::default()
    };
    let run = run_with(&module, &config, &mut Seed::new(3));
    // The first object is dead, but still known.
    assert_eq!(show(&module, &run), "returned 0, 0, 48");
}

#[test]
fn a_small_address_space_is_used_again() {
    // 768 MiB in each round, on a machine that has 4 GiB of addresses.
    let text = CHURN
        .replace("BITS", "32")
        .replace("SIZE", "0x30000000")
        .replace("ROUNDS", "50");
    check_limits(&text, &Config::default(), "returned 0, 0, 805306368");
}
