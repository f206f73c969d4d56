//! LLVM's own text as input: what is undefined is told by operations and flags alone.

mod common;

use common::{Program, level, run};
use interp::Outcome;

const HEAD: &str = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
                    target triple = \"x86_64-pc-linux-gnu\"\n";

/// What the program `define i32 @main() { BODY }` violates, at every level.
fn check(checks: &str, body: &str, expected: &str) {
    for number in 0..=2 {
        let text = format!("{HEAD}define i32 @main() {{\n{body}\n}}\n");
        let mut program = Program::text("f.ll", &text);
        program.options.opt = level(number);
        program.checks(checks);
        let module = program.lowered();
        let met = match run(&module).outcome {
            Outcome::Violated(failure) => {
                let data = &module.obligations[failure.obligation];
                format!("{}: {}", data.check, data.text)
            }
            other => other.to_string(),
        };
        assert_eq!(met, expected, "--opt {number} of\n{body}");
    }
}

#[test]
fn flags_are_claims() {
    let max = "  %p = alloca i32\n  store i32 2147483647, ptr %p\n  %x = load i32, ptr %p\n";
    let add = format!("{max}  %y = add nsw i32 %x, 1\n  ret i32 0");
    check("overflow", &add, "overflow: signed overflow in +");
    check("div", &add, "returned");
    let mul = format!("{max}  %y = mul nuw i32 %x, 3\n  ret i32 0");
    check(
        "unsigned-overflow",
        &mul,
        "unsigned-overflow: unsigned overflow in *",
    );
    check("overflow", &mul, "returned");
    let plain = format!("{max}  %y = add i32 %x, 1\n  ret i32 0");
    check("overflow,unsigned-overflow", &plain, "returned");
    let exact = format!("{max}  %y = udiv exact i32 %x, 2\n  ret i32 0");
    check(
        "overflow",
        &exact,
        "overflow: remainder of an exact division",
    );
    let exact = format!("{max}  %z = sub i32 %x, 1\n  %y = udiv exact i32 %z, 2\n  ret i32 0");
    check("overflow", &exact, "returned");
}

#[test]
fn flags_of_shifts_are_claims() {
    let with = |value: &str, operation: &str| {
        format!(
            "  %p = alloca i32\n  store i32 {value}, ptr %p\n  %x = load i32, ptr %p\n  \
             %q = alloca i32\n  store i32 1, ptr %q\n  %n = load i32, ptr %q\n  \
             %y = {operation} i32 %x, %n\n  %z = {operation} i32 %x, 1\n  ret i32 0"
        )
    };
    let all = "overflow,unsigned-overflow";
    let signed = "overflow: signed overflow in <<";
    let unsigned = "unsigned-overflow: unsigned overflow in <<";
    // 2^30 has no room for its double, seen as signed; -2 loses a bit, seen as unsigned.
    check(all, &with("1073741824", "shl nsw"), signed);
    check(all, &with("1073741824", "shl nuw"), "returned");
    check(all, &with("-2", "shl nsw"), "returned");
    check(all, &with("-2", "shl nuw"), unsigned);
    check("unsigned-overflow", &with("-2", "shl nuw nsw"), unsigned);
    check("overflow", &with("-2", "shl nuw"), "returned");
    check(all, &with("-2", "shl"), "returned");
    let lost = "overflow: bits shifted out of an exact shift";
    for operation in ["lshr exact", "ashr exact"] {
        check(all, &with("-3", operation), lost);
        check(all, &with("-4", operation), "returned");
        check("unsigned-overflow", &with("-3", operation), "returned");
    }
    check(all, &with("-3", "ashr"), "returned");
}

#[test]
fn flags_that_are_not_checked_promise_nothing() {
    // LLVM would fold the comparison to true.
    let text = format!(
        "{HEAD}declare void @reach_error()\n\
         define i1 @f(i32 %x) {{\n  %y = add nsw i32 %x, 1\n  %c = icmp sgt i32 %y, %x\n  ret i1 %c\n}}\n\
         define i32 @main() {{\n  %c = call i1 @f(i32 2147483647)\n  br i1 %c, label %ok, label %bad\n\
         bad:\n  call void @reach_error()\n  br label %ok\nok:\n  ret i32 0\n}}\n"
    );
    for number in 0..=2 {
        let mut program = Program::text("f.ll", &text);
        program.options.opt = level(number);
        program.checks("reach");
        let outcome = run(&program.lowered()).outcome;
        assert!(matches!(outcome, Outcome::Violated(_)), "{outcome}");
    }
}

#[test]
fn divisions_and_shifts_are_guarded() {
    let zero = "  %p = alloca i32\n  store i32 0, ptr %p\n  %x = load i32, ptr %p\n";
    check(
        "div",
        &format!("{zero}  %y = udiv i32 7, %x\n  ret i32 0"),
        "div: division by zero",
    );
    check(
        "div",
        &format!("{zero}  %y = srem i32 7, %x\n  ret i32 0"),
        "div: division by zero",
    );
    let text = "  %p = alloca i32\n  store i32 -1, ptr %p\n  %x = load i32, ptr %p\n  %y = sdiv i32 -2147483648, %x\n  ret i32 0";
    check("overflow", text, "overflow: signed overflow in division");
    let text = "  %p = alloca i32\n  store i32 40, ptr %p\n  %x = load i32, ptr %p\n  %y = lshr i32 1, %x\n  ret i32 0";
    check("shift", text, "shift: shift amount out of range");
    check("div", text, "returned");
}

#[test]
fn accesses_and_unreachable_code_are_guarded() {
    check(
        "deref",
        "  store i32 1, ptr null\n  ret i32 0",
        "deref: invalid write of 4 bytes",
    );
    let scope = "  %p = alloca i32\n  call void @llvm.lifetime.start.p0(ptr %p)\n  store i32 1, ptr %p\n  call void @llvm.lifetime.end.p0(ptr %p)\n  %x = load i32, ptr %p\n  ret i32 0";
    check("deref", scope, "deref: invalid read of 4 bytes");
    check(
        "unreachable",
        "  unreachable",
        "unreachable: unreachable code is reached",
    );
    check("deref", "  unreachable", "an assumption does not hold");
}

#[test]
fn attributes_and_metadata_promise_nothing() {
    let text = format!(
        "{HEAD}declare void @reach_error()\n\
         define void @f(ptr nonnull dereferenceable(4) noalias %p) mustprogress willreturn memory(none) {{\n\
         \x20 %c = icmp eq ptr %p, null\n  br i1 %c, label %bad, label %ok\n\
         bad:\n  call void @reach_error()\n  br label %ok\nok:\n  ret void\n}}\n\
         define i32 @main() {{\n  call void @f(ptr null)\n  ret i32 0\n}}\n"
    );
    for number in 0..=2 {
        let mut program = Program::text("f.ll", &text);
        program.options.opt = level(number);
        program.checks("reach");
        let outcome = run(&program.lowered()).outcome;
        assert!(matches!(outcome, Outcome::Violated(_)), "{outcome}");
    }
}

#[test]
fn what_is_unknown_is_an_obligation() {
    let text = format!(
        "{HEAD}declare i32 @llvm.x86.rdpid()\ndefine i32 @main() {{\n  %x = call i32 @llvm.x86.rdpid()\n  ret i32 %x\n}}\n"
    );
    let program = Program::text("f.ll", &text);
    let module = program.raw();
    let texts: Vec<&str> = module
        .obligations
        .values()
        .map(|data| data.text.as_str())
        .collect();
    assert_eq!(texts, ["unsupported: the intrinsic llvm.x86.rdpid"]);
}

#[test]
fn inlined_code_keeps_the_way_it_came() {
    let source = Program::text(
        "f.c",
        "static int half(int x, int y) { return x / y; }\n\
         static int twice(int x) { return half(x, x - 1); }\n\
         int main(int argc, char **argv) { return twice(argc); }\n",
    );
    let file = source.options.files[0].clone();
    let bitcode = file.with_extension("bc");
    let status = std::process::Command::new("clang-22")
        .args(["-O2", "-g", "-c", "-emit-llvm", "-o"])
        .arg(&bitcode)
        .arg(&file)
        .status()
        .expect("clang-22 runs");
    assert!(status.success());
    let mut program = source;
    program.options.files = vec![bitcode];
    program.checks("div");
    let module = program.raw();
    let data = module
        .obligations
        .values()
        .next()
        .expect("the division has an obligation");
    let mut chain = Vec::new();
    let mut next = data.place;
    while let Some(place) = next {
        let data = &module.places[place];
        chain.push(format!("{}:{}", data.func, data.place.line));
        next = data.inlined_at;
    }
    assert_eq!(chain, ["half:1", "twice:2", "main:3"]);
}
