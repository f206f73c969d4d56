//! Witnesses of SV-COMP: they keep to their schema, are confirmed, and wrong ones are not.

use std::path::Path;
use std::process::Command;

use bench::yaml::{self, Node};
use serde_json::{Map, Value};

mod schema;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Runs `selkie`: exit code, standard output, standard error.
fn selkie(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(args)
        .current_dir(folder())
        .output()
        .expect("selkie runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Verifies a program, and returns the text of its witness.
fn witness(name: &str, source: &str, options: &[&str], code: i32) -> String {
    let file = format!("witness-{name}.c");
    std::fs::write(folder().join(&file), source).expect("the program is written");
    let out = format!("witness-{name}.yml");
    let words = [&["verify", "--witness", &out], options, &[&file]].concat();
    let (got, said, errors) = selkie(&words);
    assert_eq!(got, Some(code), "{said}{errors}");
    std::fs::read_to_string(folder().join(out)).expect("the witness is there")
}

/// Is the witness one? Exit code, and the line that says it.
fn validate(name: &str, text: &str, options: &[&str]) -> (Option<i32>, String) {
    let file = format!("witness-{name}-judged.yml");
    std::fs::write(folder().join(&file), text).expect("written");
    let program = format!("witness-{name}.c");
    let words = [&["validate-witness", &file, &program], options].concat();
    let (code, said, errors) = selkie(&words);
    let line = said.lines().find(|line| line.starts_with("witness: "));
    (code, line.map_or(format!("{said}{errors}"), str::to_owned))
}

fn value(node: &Node) -> Value {
    match node {
        Node::Scalar(text) => match text.parse::<u64>() {
            Ok(number) => number.into(),
            Err(_) => text.as_str().into(),
        },
        Node::List(list) => list.iter().map(value).collect(),
        Node::Map(entries) => {
            let entries = entries.iter().map(|(key, node)| (key.clone(), value(node)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
    }
}

#[track_caller]
fn keeps_to_the_schema(text: &str) {
    let node = yaml::read(text).expect("YAML");
    let schema = schema::named("witness");
    let mut out = Vec::new();
    schema::complaints(&schema, &schema, &value(&node), "", &mut out);
    assert!(out.is_empty(), "{out:#?}\n{text}");
}

const WRONG: &str = "extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { for (;;) ; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 3) {
        return 0;
    }
    unsigned char c = __VERIFIER_nondet_uchar();
    if (n % 100 == 42 && c > 200)
        reach_error();
    return 0;
}
";

fn property() -> String {
    let file = "witness-reach.prp";
    let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
    std::fs::write(folder().join(file), text).expect("written");
    file.to_owned()
}

#[test]
fn a_violation_is_found_again_along_its_waypoints() {
    let prp = property();
    let text = witness("wrong", WRONG, &["--prp", &prp], 10);
    keeps_to_the_schema(&text);
    assert!(
        text.contains("\\\\result == 42") && text.contains("\\\\result == 255"),
        "{text}"
    );
    assert!(
        text.contains("line: 11") && text.contains("column: 9"),
        "{text}"
    );
    let (code, line) = validate("wrong", &text, &[]);
    assert_eq!((code, &*line), (Some(10), "witness: confirmed"));
    // Another value is one too, if it leads there.
    let other = text.replace("result == 42", "result == 142");
    assert_eq!(validate("wrong", &other, &[]).0, Some(10));
    // One that does not is none; neither is another place.
    let (code, line) = validate("wrong", &text.replace("result == 42", "result == 43"), &[]);
    assert_eq!(code, Some(5), "{line}");
    assert!(line.starts_with("witness: refuted: "), "{line}");
    let (code, line) = validate("wrong", &text.replace("line: 11", "line: 12"), &[]);
    assert_eq!(code, Some(5), "{line}");
    // A witness without values is weaker, and still one.
    let from = text.find("    - segment:").expect("a segment");
    let to = text.rfind("    - segment:").expect("a segment");
    let weak = format!("{}{}", &text[..from], &text[to..]);
    assert_eq!(validate("wrong", &weak, &[]).0, Some(10));
}

/// As other tools write them: assumptions and branches.
#[test]
fn assumptions_and_branches_are_followed() {
    let prp = property();
    let text = witness("other", WRONG, &["--prp", &prp], 10);
    let from = text.find("    - segment:").expect("a segment");
    let to = text.rfind("    - segment:").expect("a segment");
    let with = |points: &str| format!("{}{points}{}", &text[..from], &text[to..]);
    let point = |kind: &str, value: &str, line: u32, column: u32| {
        format!(
            "    - segment:\n        - waypoint: {{type: {kind}, action: follow, constraint: {{value: '{value}', format: c_expression}}, \
             location: {{file_name: witness-other.c, line: {line}, column: {column}, function: main}}}}\n"
        )
    };
    let good = [
        point("assumption", "n == 42", 6, 5),
        point("branching", "false", 6, 5),
        point("assumption", "n > 40", 9, 5),
        point("assumption", "c == 255", 10, 5),
    ];
    let (code, line) = validate("other", &with(&good.concat()), &[]);
    assert_eq!((code, &*line), (Some(10), "witness: confirmed"));
    for wrong in [
        point("branching", "true", 6, 5),
        point("assumption", "n == 42 && n == 43", 6, 5),
        point("assumption", "c == 200", 10, 5),
    ] {
        let (code, line) = validate("other", &with(&wrong), &[]);
        assert_eq!(code, Some(5), "{wrong}: {line}");
    }
    // What is not understood is not taken for true, and nothing is smuggled in.
    for wrong in [
        point("function_enter", "true", 6, 5),
        point("assumption", "(n = 42)); n = 42; ((1", 6, 5),
        point("assumption", "(n = 42) == 42", 6, 5),
        point("assumption", "(reach_error(), 1)", 6, 5),
        point("assumption", "n == 42", 600, 5),
    ] {
        let (code, line) = validate("other", &with(&wrong), &[]);
        assert_eq!(code, Some(2), "{wrong}: {line}");
    }
}

#[test]
fn a_proof_has_invariants_that_are_proved() {
    let source = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int n = sk_nondet_int();
    if (n < 0 || n > 1000000) return 0;
    int i = 0, s = 0;
    while (i < n) {
        i++;
        s += 2;
    }
    sk_assert(s == 2 * n);
    return 0;
}
";
    let text = witness("right", source, &["--check", "assert"], 0);
    keeps_to_the_schema(&text);
    let (code, line) = validate("right", &text, &[]);
    assert_eq!((code, &*line), (Some(0), "witness: confirmed"), "{text}");
    let from = text.find("  content:").expect("content");
    let with = |value: &str| {
        format!(
            "{}  content:\n    - invariant:\n        type: loop_invariant\n        location: {{file_name: witness-right.c, line: 7, \
             column: 5, function: main}}\n        value: '{value}'\n        format: c_expression\n",
            &text[..from]
        )
    };
    // What a witness says asks, and changes nothing of what is verified.
    for wrong in [
        "n = 0",
        "i++ >= 0",
        "(sk_assert(1), 1)",
        "(main)()",
        "1 ? (s -= s) : 1",
    ] {
        let (code, line) = validate("right", &with(wrong), &[]);
        assert_eq!(code, Some(2), "{wrong}: {line}");
        assert!(line.contains("is no question"), "{wrong}: {line}");
    }
    assert_eq!(
        validate("right", &with("(unsigned)(s) == 2U * (unsigned)i"), &[]).0,
        Some(0)
    );
    let (code, line) = validate("right", &with("s == 2 * i && i <= n"), &[]);
    assert_eq!((code, &*line), (Some(0), "witness: confirmed"));
    let (code, line) = validate("right", &with("i < n"), &[]);
    assert_eq!(code, Some(5), "{line}");
    assert!(
        line.starts_with("witness: refuted: the invariant at witness-right.c:7:"),
        "{line}"
    );
}

#[test]
fn what_is_no_witness_is_refused() {
    let prp = property();
    let text = witness("bad", WRONG, &["--prp", &prp], 10);
    for (wrong, code, part) in [
        ("- 1: [".to_owned(), 2, "is no YAML"),
        ("{}".to_owned(), 2, "a witness is a list"),
        (text.replace("\"2.0\"", "\"0.1\""), 2, "is of format 0.1"),
        (
            text.replace("action: follow", "action: avoid"),
            2,
            "waypoints to `avoid`",
        ),
    ] {
        let (got, line) = validate("bad", &wrong, &[]);
        assert_eq!(got, Some(code), "{line}");
        assert!(line.contains(part), "{line}");
    }
    // The program changed in the meantime.
    let changed = WRONG.replace("n < 3", "n < 4");
    std::fs::write(folder().join("witness-bad.c"), changed).expect("written");
    let (got, line) = validate("bad", &text, &[]);
    assert_eq!(got, Some(1), "{line}");
    assert!(
        line.contains("the witness is about another witness-bad.c"),
        "{line}"
    );
}

/// What is undefined in a constraint is a fault of the witness, and none of the program's: it is looked at where it is due only.
#[test]
fn a_constraint_violates_nothing() {
    let prp = "witness-overflow.prp";
    let text = "CHECK( init(main()), LTL(G ! overflow) )\n";
    std::fs::write(folder().join(prp), text).expect("written");
    let source = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++) {
        x = i;
    }
    return x + (__VERIFIER_nondet_int() == 5 ? 2147483647 : 0);
}
";
    let text = witness("constraint", source, &["--prp", prp], 10);
    let from = text.find("    - segment:").expect("a segment");
    let due = |constraint: &str| {
        let location =
            "location: {file_name: witness-constraint.c, line: 5, column: 9, function: main}";
        format!(
            "{}    - segment:\n        - waypoint: {{type: assumption, action: follow, constraint: {{value: '{constraint}', format: c_expression}}, \
             {location}}}\n    - segment:\n        - waypoint: {{type: target, action: follow, {location}}}\n",
            &text[..from]
        )
    };
    for constraint in ["i == 0 || 2147483647 + i > 0", "2147483647 + i > 0"] {
        let (code, line) = validate("constraint", &due(constraint), &[]);
        assert_eq!(code, Some(5), "{constraint}: {line}");
    }
}
