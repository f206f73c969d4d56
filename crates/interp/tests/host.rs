//! Functions of the host, as `selkie run` uses them.

mod common;

use common::{read, show};
use interp::choices::Zeros;
use interp::host::Stdio;
use interp::{Bindings, Config};

/// Runs a program on an input; yields what it wrote and how it ended.
fn run_on(text: &str, input: &str) -> (String, String, String) {
    let module = read(text);
    let mut input = input.as_bytes();
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let mut host = Stdio {
        input: &mut input,
        output: &mut output,
        errors: &mut errors,
    };
    let mut choices = Zeros;
    let bindings = Bindings {
        host: Some(&mut host),
        ..Bindings::new(&mut choices)
    };
    let run = interp::run(&module, &Config::default(), bindings);
    let shown = show(&module, &run);
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (text(&output[..]), text(&errors[..]), shown)
}

/// A piece of a global's contents with this text and a terminator.
fn string(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\5c")
        .replace('"', "\\22")
        .replace('\n', "\\0a");
    format!("bytes \"{escaped}\\00\"")
}

/// Prints a format with arguments (as `TYPE VALUE` pairs) packed as calls do.
fn printed(format: &str, bits: u32, args: &[(&str, &str)]) -> String {
    let mut stores = String::new();
    let mut at = 0;
    let word = bits / 8;
    for (value, (ty, constant)) in (1..).zip(args) {
        let (size, align) = match *ty {
            "i32" | "f32" => (4, word),
            "i64" | "f64" => (8, word),
            "f80" if bits == 64 => (16, 16),
            "f80" => (12, 4),
            _ => (word, word),
        };
        at = u32::next_multiple_of(at, align);
        stores.push_str(&format!(
            "    v{value} = offset v0, {at}\n    store.{ty} v{value}, {constant}\n"
        ));
        at += u32::next_multiple_of(size, word);
    }
    let text = format!(
        "module raw ptr{bits}
entry @start
global @format size {} align 1 = {}
global @word size 6 align 1 = {}
fn @printf(ptr, ptr) -> i32
fn @start() -> i32 {{
b0:
    v0 = alloc.stack {at} align 16
{stores}
    v100 = call @printf(@format, v0) -> i32
    return v100
}}
",
        format.len() + 1,
        string(format),
        string("hello")
    );
    let (output, errors, end) = run_on(&text, "");
    assert_eq!(errors, "");
    assert_eq!(end, format!("returned {}", output.len()), "{text}");
    output
}

#[test]
fn integers_print_as_the_library_prints_them() {
    let int = |format: &str, value: &str| printed(format, 64, &[("i32", value)]);
    assert_eq!(int("%d", "-5"), "-5");
    assert_eq!(int("[%5d]", "7"), "[    7]");
    assert_eq!(int("[%-5d]", "7"), "[7    ]");
    assert_eq!(int("%05d", "-7"), "-0007");
    assert_eq!(int("%+d", "7"), "+7");
    assert_eq!(int("% d", "7"), " 7");
    assert_eq!(int("%.3d", "7"), "007");
    assert_eq!(int("%8.3d", "-7"), "    -007");
    assert_eq!(int("%u", "-1"), "4294967295");
    assert_eq!(int("%X", "-1"), "FFFFFFFF");
    assert_eq!(int("%#x", "255"), "0xff");
    assert_eq!(int("%#08x", "255"), "0x0000ff");
    assert_eq!(int("%#o", "8"), "010");
    assert_eq!(int("%hhd", "200"), "-56");
    assert_eq!(int("%hu", "-1"), "65535");
    assert_eq!(int("%c%%", "65"), "A%");
    assert_eq!(int("%.0d", "0"), "");
    assert_eq!(printed("%lld", 64, &[("i64", "-9")]), "-9");
    assert_eq!(printed("%lu", 64, &[("i64", "-1")]), "18446744073709551615");
    assert_eq!(printed("%zX", 64, &[("i64", "-1")]), "FFFFFFFFFFFFFFFF");
    assert_eq!(printed("%*d", 64, &[("i32", "4"), ("i32", "5")]), "   5");
    assert_eq!(printed("%-*d|", 64, &[("i32", "4"), ("i32", "5")]), "5   |");
    assert_eq!(
        printed(
            "%d %llu %d",
            32,
            &[("i32", "1"), ("i64", "2"), ("i32", "3")]
        ),
        "1 2 3"
    );
    assert_eq!(printed("%ld", 32, &[("i32", "-4")]), "-4");
}

#[test]
fn text_and_pointers_print() {
    assert_eq!(printed("<%s>", 64, &[("ptr", "@word")]), "<hello>");
    assert_eq!(printed("<%7s>", 64, &[("ptr", "@word")]), "<  hello>");
    assert_eq!(printed("<%-7.2s>", 32, &[("ptr", "@word")]), "<he     >");
    assert_eq!(printed("%s", 64, &[("ptr", "null")]), "(null)");
    assert_eq!(printed("%p", 64, &[("ptr", "null")]), "(nil)");
}

#[test]
fn floats_print_exactly() {
    let double = |format: &str, value: f64| {
        printed(format, 64, &[("f64", &format!("{:#x}", value.to_bits()))])
    };
    assert_eq!(double("%f", 1.0 / 3.0), "0.333333");
    assert_eq!(double("%.0f", 2.5), "2");
    assert_eq!(double("%.20f", 0.1), "0.10000000000000000555");
    assert_eq!(double("%e", 12345.678), "1.234568e+04");
    assert_eq!(double("%E", 1e-7), "1.000000E-07");
    assert_eq!(double("%g", 100000.0), "100000");
    assert_eq!(double("%g", 1000000.0), "1e+06");
    assert_eq!(double("%g", 0.0001), "0.0001");
    assert_eq!(double("%g", 0.00001), "1e-05");
    assert_eq!(double("%G", 1e100), "1E+100");
    assert_eq!(double("%#g", 1.0), "1.00000");
    assert_eq!(double("%08.2f", -3.25159), "-0003.25");
    assert_eq!(double("%+.1f", 9.96), "+10.0");
    assert_eq!(double("%f", f64::INFINITY), "inf");
    assert_eq!(double("%5F", f64::NAN), "  NAN");
    assert_eq!(double("%a", 1.0), "0x1p+0");
    assert_eq!(double("%a", -0.1), "-0x1.999999999999ap-4");
    assert_eq!(
        printed(
            "%Lg %d",
            64,
            &[("f80", "0x3fffc000000000000000"), ("i32", "5")]
        ),
        "1.5 5"
    );
    assert_eq!(
        printed(
            "%.1Lf %f",
            32,
            &[
                ("f80", "0x3fffc000000000000000"),
                ("f64", "0x4000000000000000")
            ]
        ),
        "1.5 2.000000"
    );
}

#[test]
fn streams_are_the_host_s() {
    let text = format!(
        "module raw ptr64
entry @start
global @stdout size 8 align 8 external = any 8
global @stderr size 8 align 8 external = any 8
global @stdin size 8 align 8 external = any 8
global @text size 4 align 1 = {}
global @pattern size 6 align 1 = {}
fn @puts(ptr) -> i32
fn @putchar(i32) -> i32
fn @fputs(ptr, ptr) -> i32
fn @getchar() -> i32
fn @scanf(ptr, ptr) -> i32
fn @fgets(ptr, i32, ptr) -> ptr
fn @exit(i32)
fn @start() {{
b0:
    v0 = call @puts(@text) -> i32
    v1 = load.ptr @stderr
    v2 = call @fputs(@text, v1) -> i32
    v3 = call @getchar() -> i32
    v4 = call @putchar(v3) -> i32
    v5 = alloc.stack 16 align 8
    v6 = alloc.stack 16 align 8
    store.ptr v6, v5
    v7 = offset v6, 8
    v8 = offset v5, 4
    store.ptr v7, v8
    v9 = call @scanf(@pattern, v6) -> i32
    v10 = load.i32 v5
    v11 = load.i32 v8
    v12 = add.i32 v10, v11
    v13 = load.ptr @stdin
    v14 = call @fgets(v5, 16:i32, v13) -> ptr
    v15 = load.ptr @stdout
    v16 = call @fputs(v5, v15) -> i32
    call @exit(v12)
    halt dead
}}
",
        string("abc"),
        string("%d %x")
    );
    let (output, errors, end) = run_on(&text, "X -12  ff\nline\n");
    assert_eq!(output, "abc\nX\n");
    assert_eq!(errors, "abc");
    assert_eq!(end, "exited with 243");
}

#[test]
fn what_the_host_does_not_have_is_said() {
    let text = "module raw ptr64
entry @start
fn @launch(i32) -> i32
fn @puts(ptr) -> i32
fn @start() {
b0:
    v0 = call @LAST -> i32
    return
}
";
    let unknown = text.replace("LAST", "launch(1:i32)");
    assert_eq!(
        run_on(&unknown, "").2,
        "stuck: a call of launch, which has no body\n  in start"
    );
    let arguments = text.replace("@puts(ptr)", "@printf(ptr, ptr)");
    let arguments = arguments.replace(
        "fn @start",
        "global @f size 3 align 1 = bytes \"%d\\00\"\nfn @start",
    );
    let wild = "    v9 = inttoptr.i64.ptr -1\n    v0 = call @printf(@f, v9)";
    assert_eq!(
        run_on(&arguments.replace("    v0 = call @LAST", wild), "").2,
        "stuck: printf: the arguments are outside memory\n  in start"
    );
    let bad = text.replace("LAST", "puts(null)");
    assert_eq!(
        run_on(&bad, "").2,
        "stuck: puts: an access outside a live object\n  in start"
    );
}

#[test]
fn calls_through_pointers_need_a_function() {
    let text = "module raw ptr64
entry @start
fn @f(v0: i32) -> i32 {
b0:
    return v0
}
fn @start() -> i32 {
b0:
    v0 = copy.ptr TARGET
    v1 = call *v0(7:i32) -> i32
    return v1
}
";
    let ends = |target: &str| run_on(&text.replace("TARGET", target), "").2;
    assert_eq!(ends("@f"), "returned 7");
    assert_eq!(
        ends("null"),
        "stuck: a call through a null pointer\n  in start"
    );
    assert_eq!(
        ends("@start"),
        "stuck: a call through a pointer to start, whose type is another\n  in start"
    );
}
