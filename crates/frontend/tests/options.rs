//! What the options choose.

mod common;

use common::{Program, run};
use frontend::OptLevel;
use interp::{Bindings, Config, Outcome};
use ir::syntax::{Module, Op};

fn count(module: &Module, wanted: impl Fn(&Op) -> bool) -> usize {
    module
        .funcs
        .values()
        .filter_map(|func| func.body.as_ref())
        .flat_map(|body| body.insts.values())
        .filter(|inst| wanted(&inst.op))
        .count()
}

#[test]
fn macros_and_folders_reach_clang() {
    let mut program = Program::text(
        "f.c",
        "#include <mine.h>\n#include <stdlib.h>\nint main(void) { if (MINE + YOURS != 5) abort(); return 0; }",
    );
    program.and_text("mine.h", "#define MINE 2\n");
    let header = program.options.files.pop().expect("the header");
    program
        .options
        .includes
        .push(header.parent().expect("its folder").to_owned());
    program.options.defines.push("YOURS=3".to_owned());
    program.options.cflags.push("-std=c99".to_owned());
    assert!(matches!(
        run(&program.lowered()).outcome,
        Outcome::Returned(_)
    ));
}

#[test]
fn several_files_are_one_program() {
    let mut program = Program::text(
        "a.c",
        "int f(int); int x = 4; int main(void) { return f(3); }",
    );
    program.and_text(
        "b.c",
        "extern int x; static int g(int y) { return x / (y - 3); } int f(int y) { return g(y); }",
    );
    program.checks("div");
    let module = program.lowered();
    let Outcome::Violated(failure) = run(&module).outcome else {
        panic!("the division by zero is met");
    };
    assert_eq!(module.obligations[failure.obligation].func, "g");
}

#[test]
fn models_can_be_left_out() {
    let mut program = Program::text(
        "f.c",
        "#include <string.h>\nint main(void) { return strlen(\"ab\"); }",
    );
    let module = program.raw();
    let strlen = module.func_named("strlen").expect("strlen is called");
    assert!(module.funcs[strlen].model && module.funcs[strlen].body.is_some());
    assert!(
        module
            .notes
            .iter()
            .any(|note| note.contains("models: strlen"))
    );
    program.options.models = false;
    let module = program.raw();
    let strlen = module.func_named("strlen").expect("strlen is called");
    assert!(module.funcs[strlen].body.is_none());
}

#[test]
fn a_known_format_needs_no_formatter() {
    let text = |format: &str| {
        format!(
            "#include <stdio.h>\nint main(void) {{ char s[4] = \"abc\"; printf({format}, s); return 0; }}"
        )
    };
    let module = Program::text("f.c", &text("\"%s\"")).raw();
    assert!(module.func_named("__selkie_print_string").is_some());
    assert!(module.func_named("__selkie_format_write").is_none());
    let note = "library functions by their models: printf";
    assert!(module.notes.iter().any(|known| known == note));
    // What a pointer means is not known, and `n` stores.
    for format in ["s", "\"%s%n\""] {
        let module = Program::text("f.c", &text(format)).raw();
        assert!(module.func_named("__selkie_format_write").is_some());
        assert!(module.notes.iter().any(|known| known == note));
    }
    // Who looks at the number of characters needs them counted.
    let used = text("\"%s\"").replace("printf(", "return printf(");
    let module = Program::text("f.c", &used).raw();
    assert!(module.func_named("__selkie_format_write").is_some());
    // Without the check nothing is read.
    let mut program = Program::text("f.c", &text("\"%s\""));
    program.checks("reach");
    let module = program.raw();
    assert!(module.func_named("__selkie_print_string").is_none());
    assert!(module.notes.iter().any(|known| known == note));
}

#[test]
fn strings_are_not_read_for_nothing() {
    let text = "#include <stdio.h>\nint main(void) { char s[4]; return puts(s); }";
    let mut program = Program::text("f.c", text);
    let loads = |program: &Program| count(&program.raw(), |op| matches!(op, Op::Load { .. }));
    let checked = loads(&program);
    program.checks("reach");
    assert!(loads(&program) < checked);
}

#[test]
fn a_name_is_a_function_or_an_object() {
    let text = "extern int strlen; int main(void) { return strlen; }";
    let module = Program::text("f.c", text).raw();
    assert!(module.func_named("strlen").is_none() && module.global_named("strlen").is_some());
    let text = "#include <stdio.h>\nint main(void) { return fflush(stdout); }";
    let module = Program::text("f.c", text).raw();
    let stdout = module.global_named("stdout").expect("it is used");
    let init = &module.globals[stdout].init;
    assert!(
        !init
            .iter()
            .any(|piece| matches!(piece, ir::syntax::InitPiece::Any(_)))
    );
}

#[test]
fn objects_know_their_variables() {
    let text = "struct s { long a[4]; }; static long f(struct s s, int i) { return s.a[i]; }\n\
                int main(int argc, char **argv) { struct s t = {{0}}; t.a[argc & 3] = 1; return f(t, argc & 3); }";
    let module = Program::text("f.c", text).raw();
    let mut names = Vec::new();
    for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
        for inst in body.insts.values() {
            if let Op::Alloc { var: Some(var), .. } = inst.op {
                names.push(module.vars[var].name.as_str());
            }
        }
    }
    names.sort_unstable();
    assert_eq!(names, ["s", "t"]);
}

#[test]
fn the_programs_own_definition_wins() {
    let text = "unsigned long strlen(const char *s) { return 7; }\nint main(void) { return strlen(\"ab\") - 7; }";
    let module = Program::text("f.c", text).raw();
    let strlen = module.func_named("strlen").expect("strlen is called");
    assert!(!module.funcs[strlen].model);
}

#[test]
fn models_can_be_changed() {
    let mut program = Program::text(
        "f.c",
        "#include <string.h>\nvoid reach_error(void);\nint main(void) { if (strlen(\"ab\") == 42) reach_error(); return 0; }",
    );
    let dir = tempfile::tempdir().expect("a folder");
    for part in ["include", "models"] {
        std::fs::create_dir(dir.path().join(part)).expect("a folder");
    }
    std::fs::write(dir.path().join("models/INDEX"), "strlen mine.c\n").expect("the index");
    std::fs::write(
        dir.path().join("models/mine.c"),
        "unsigned long strlen(const char *s) { return 42; }\n",
    )
    .expect("the model");
    program.options.lib_dir = Some(dir.path().to_owned());
    program.checks("reach");
    assert!(matches!(
        run(&program.lowered()).outcome,
        Outcome::Violated(_)
    ));
}

#[test]
fn an_execution_may_go_on_after_a_failure() {
    let text = "void __VERIFIER_assert(int);\nint main(void) { int x = 0x7fffffff; __VERIFIER_assert(0); x++; return 1 / (x + 1 - x - 1); }";
    let mut program = Program::text("f.c", text);
    program.options.continue_after_failure = true;
    program.options.opt = OptLevel::Full;
    program.checks("assert,overflow,div");
    let module = program.raw();
    let mut choices = interp::choices::Zeros;
    let config = Config {
        after_failure: interp::config::AfterFailure::Continue,
        ..Config::default()
    };
    let met = interp::run(&module, &config, Bindings::new(&mut choices));
    let checks: Vec<&str> = met
        .failures
        .iter()
        .map(|failure| module.obligations[failure.obligation].check.name())
        .collect();
    assert_eq!(checks, ["assert", "overflow", "div"]);
}

#[test]
fn stages_are_kept() {
    let mut program = Program::text("f.c", "int main(void) { return 0; }");
    let dir = tempfile::tempdir().expect("a folder");
    program.options.save = Some(dir.path().join("stages"));
    program.raw();
    for stage in ["linked.ll", "instrumented.ll", "optimised.ll"] {
        let text = std::fs::read_to_string(dir.path().join("stages").join(stage)).expect("a stage");
        assert!(text.contains("main"), "{stage}");
    }
}

#[test]
fn names_of_other_tools_mean_the_same() {
    let text = "
        void sk_assert(int); void __CPROVER_assert(int, const char *); void __VERIFIER_assert(int);
        void sk_assume(int); void __VERIFIER_assume(int); void __CPROVER_assume(int); void __SEA_assume(_Bool);
        int __VERIFIER_nondet_int(void); unsigned nd_uint(void); long sk_nondet_long(void); char nondet_char(void); double __VERIFIER_nondet_double(void);
        void memhavoc(void *, unsigned long); _Bool sea_is_dereferenceable(const void *, unsigned long); _Bool __CPROVER_r_ok(const void *, unsigned long); _Bool sk_is_alloc(const void *);
        void reach_error(void); void __VERIFIER_error(void);
        int main(void) {
            int x = __VERIFIER_nondet_int(), buffer[2];
            sk_assume(nd_uint() > 3); __VERIFIER_assume(sk_nondet_long() < 0); __CPROVER_assume(nondet_char()); __SEA_assume(__VERIFIER_nondet_double() > 1);
            memhavoc(buffer, sizeof buffer);
            sk_assert(sea_is_dereferenceable(buffer, 8)); __CPROVER_assert(__CPROVER_r_ok(buffer, 8), \"readable\"); __VERIFIER_assert(sk_is_alloc(buffer));
            if (x == 1) reach_error(); else if (x == 2) __VERIFIER_error();
            return buffer[0];
        }";
    let mut program = Program::text("f.c", text);
    program.checks("assert,reach");
    let module = program.raw();
    let mut texts: Vec<String> = module
        .obligations
        .values()
        .map(|data| format!("{} {}", data.check, data.text))
        .collect();
    texts.sort();
    assert_eq!(
        texts,
        [
            "assert __VERIFIER_assert",
            "assert assertion readable",
            "assert sk_assert",
            "reach call of __VERIFIER_error",
            "reach call of reach_error",
        ]
    );
    assert_eq!(count(&module, |op| matches!(op, Op::Assume(..))), 4);
    assert_eq!(count(&module, |op| matches!(op, Op::Nondet(..))), 5);
    // Two questions of the program's, and whether there is something for `memhavoc` to change.
    assert_eq!(count(&module, |op| matches!(op, Op::IsDeref { .. })), 3);
    assert_eq!(count(&module, |op| matches!(op, Op::IsAlive(_))), 1);
    assert_eq!(count(&module, |op| matches!(op, Op::MemHavoc { .. })), 1);
    assert_eq!(count(&module, |op| matches!(op, Op::Call { .. })), 1);
}
