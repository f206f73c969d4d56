//! Inline assembly: what is known of it, and what is not.

use std::path::Path;
use std::process::Command;

/// The verdict on a body of `main`, and the ledger.
fn verify(name: &str, body: &str) -> (String, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("assembly-{name}.c"));
    let text = format!(
        "#include <selkie.h>
unsigned swap(unsigned x) {{ __asm__(\"bswap %0\" : \"+r\"(x)); return x; }}
unsigned left(unsigned x, unsigned by) {{ __asm__(\"roll %%cl,%0\" : \"+r\"(x) : \"c\"(by)); return x; }}
unsigned long ticks(void) {{ unsigned a, d; __asm__ volatile(\"rdtsc\" : \"=a\"(a), \"=d\"(d)); return a | (unsigned long)d << 32; }}
int g;
int main(void) {{ {body} }}
"
    );
    std::fs::write(&file, text).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .arg(&file)
        .output()
        .expect("selkie runs");
    let text = String::from_utf8(output.stdout).expect("the report is text");
    let result = text.lines().last().unwrap_or("").to_owned();
    (result, text)
}

const TRUE: &str = "RESULT: true";
const FALSE: &str = "RESULT: false(assert)";

#[test]
fn known_assembly_is_proved_and_refuted() {
    let claims = [
        ("swap", "swap(x) == __builtin_bswap32(x)", TRUE),
        ("twice", "swap(swap(x)) == x", TRUE),
        (
            "left",
            "left(x, by) == (x << (by & 31) | x >> (-by & 31))",
            TRUE,
        ),
        ("swap-fails", "swap(x) != x", FALSE),
        ("left-fails", "left(x, by) != 12345", FALSE),
        (
            "octal",
            "({ __asm__(\"movl $010, %0\" : \"=r\"(x)); x; }) == 8",
            TRUE,
        ),
        (
            "octal-fails",
            "({ __asm__(\"movl $010, %0\" : \"=r\"(x)); x; }) == 10",
            FALSE,
        ),
        (
            "octal-left",
            "({ by = x; __asm__(\"roll $010, %0\" : \"+r\"(x)); x; }) == (by << 8 | by >> 24)",
            TRUE,
        ),
    ];
    for (name, claim, result) in claims {
        let body =
            format!("unsigned x = sk_nondet_uint(), by = sk_nondet_uint(); sk_assert({claim});");
        let (found, report) = verify(name, &body);
        assert_eq!(found, result, "{name}: {report}");
    }
}

#[test]
fn what_other_assembly_yields_is_any_value_and_no_violation() {
    let (result, report) = verify("any", "unsigned long t = ticks(); sk_assert(t / 2 <= t);");
    assert_eq!(result, TRUE, "{report}");
    assert!(
        report.contains("inline assembly that is not known"),
        "{report}"
    );
    let (result, report) = verify("approximate", "sk_assert(ticks() != 5);");
    assert!(result.starts_with("RESULT: unknown"), "{report}");
    let kept = "int x = 3, y = 4; __asm__(\"notl %0\" : \"=m\"(x)); sk_assert(y == 4);";
    assert_eq!(verify("beside", kept).0, TRUE);
    let lost = "int x = 3; __asm__(\"notl %0\" : \"+m\"(x)); sk_assert(x == 3);";
    let (result, report) = verify("written", lost);
    assert!(result.starts_with("RESULT: unknown"), "{report}");
}

#[test]
fn what_assembly_may_change_is_not_guessed() {
    for (name, body) in [
        ("memory", "__asm__ volatile(\"incl g\" ::: \"memory\");"),
        ("pointer", "__asm__ volatile(\"incl (%0)\" :: \"r\"(&g));"),
        ("jump", "__asm__ volatile(\"1: jmp 1b\");"),
        ("call", "__asm__ volatile(\"call f\" ::: \"rax\");"),
        (
            "call-wide",
            "int x; __asm__ volatile(\"callq f\" : \"=a\"(x));",
        ),
        ("return", "int x; __asm__ volatile(\"retq\" : \"=a\"(x));"),
    ] {
        let (result, report) = verify(name, &format!("{body} sk_assert(g == 0);"));
        assert_eq!(result, "RESULT: unknown(unsupported)", "{name}: {report}");
    }
}

#[test]
fn operands_in_memory_are_accesses() {
    for (name, body, result) in [
        (
            "null",
            "int *p = sk_nondet_bool() ? &g : 0; __asm__(\"notl %0\" : \"+m\"(*p));",
            "RESULT: false(valid-deref)",
        ),
        (
            "dead",
            "int *p; { int x = 1; p = &x; } __asm__ volatile(\"cmpl $1, %0\" : : \"m\"(*p) : \"cc\");",
            "RESULT: false(valid-deref)",
        ),
        (
            "fine",
            "int *p = sk_nondet_bool() ? &g : 0; if (p) __asm__(\"notl %0\" : \"+m\"(*p));",
            TRUE,
        ),
    ] {
        let (found, report) = verify(name, body);
        assert_eq!(found, result, "{name}: {report}");
    }
}

/// The order of operands is another one.
#[test]
fn assembly_of_another_dialect_is_not_read() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("assembly-intel.c");
    let text = "#include <selkie.h>
int main(void) { unsigned x = 1, y; __asm__(\"mov %1, %0\" : \"=r\"(y) : \"r\"(x)); sk_assert(y == 1); }
";
    std::fs::write(&file, text).expect("the program is written");
    for (flags, result) in [("", TRUE), ("-masm=intel", "RESULT: unknown(unsupported)")] {
        let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
            .arg("verify")
            .arg(format!("--cflags={flags}"))
            .arg(&file)
            .output()
            .expect("selkie runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text.lines().last(), Some(result), "{text}");
    }
}
