//! Back ends that lie, babble, hang and crash: none of that becomes a result.

use std::path::Path;
use std::time::Duration;

use solve::{
    Answer, Checked, Config, Confirmation, Interrupt, Limits, Reason, SolveError, Solver,
    Statistics, check_twice,
};
use terms::{Level, Model, Sort, Term, Terms};

/// What a faulty back end does wrong.
#[derive(Clone, Copy)]
enum Fault {
    WrongSat,
    WrongUnsat,
    Crash,
}

/// A back end in this process that always gives the same answer.
struct Faulty(Fault);

impl Solver for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn assert(&mut self, _terms: &Terms, _t: Term) -> Result<(), SolveError> {
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolveError> {
        Ok(())
    }

    fn pop(&mut self, _levels: u32) -> Result<(), SolveError> {
        Ok(())
    }

    fn check(&mut self, _terms: &Terms, _assumptions: &[Term]) -> Result<Answer, SolveError> {
        match self.0 {
            Fault::WrongSat => Ok(Answer::Sat(Model::new())),
            Fault::WrongUnsat => Ok(Answer::Unsat),
            Fault::Crash => Err(SolveError::Failed {
                backend: "faulty".into(),
                message: "crashed".into(),
            }),
        }
    }

    fn core(&mut self) -> Result<Vec<Term>, SolveError> {
        Ok(Vec::new())
    }

    fn set_limits(&mut self, _limits: Limits) {}

    fn interrupt(&self) -> Interrupt {
        Interrupt::default()
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

/// `x = 7`, which is satisfiable, but not by the model that mentions nothing.
fn seven(terms: &mut Terms) -> Term {
    let x = terms.var("x", Sort::BitVec(8));
    let seven = terms.bv_u64(7, 8);
    terms.eq(x, seven)
}

fn unsound(backend: &str, detail: &str) -> SolveError {
    SolveError::Unsound {
        backend: backend.into(),
        detail: detail.into(),
    }
}

#[test]
fn a_wrong_model_is_an_error_for_ever() {
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    let mut solver = Checked::new(Box::new(Faulty(Fault::WrongSat)));
    solver.assert(&terms, is_seven).expect("asserts");
    let expected = unsound(
        "faulty",
        &format!("its model makes the assertion {is_seven} false"),
    );
    assert_eq!(solver.check(&terms, &[]).err(), Some(expected.clone()));
    let yes = terms.tru();
    assert_eq!(solver.check(&terms, &[yes]).err(), Some(expected));
}

#[test]
fn a_model_must_satisfy_the_assumptions_too() {
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    let mut solver = Checked::new(Box::new(Faulty(Fault::WrongSat)));
    let expected = unsound(
        "faulty",
        &format!("its model makes the assumption {is_seven} false"),
    );
    assert_eq!(solver.check(&terms, &[is_seven]).err(), Some(expected));
}

#[test]
fn an_assertion_that_was_popped_is_not_held_against_a_model() {
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    let mut solver = Checked::new(Box::new(Faulty(Fault::WrongSat)));
    solver.push().expect("pushes");
    solver.assert(&terms, is_seven).expect("asserts");
    solver.pop(1).expect("pops");
    assert!(matches!(solver.check(&terms, &[]), Ok(Answer::Sat(_))));
}

#[test]
fn a_second_back_end_convicts_a_wrong_unsat() {
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    for second in ["bitwuzla", "z3", "smtlib:cvc5"] {
        let mut solver = Checked::new(Box::new(Faulty(Fault::WrongUnsat)));
        solver.assert(&terms, is_seven).expect("asserts");
        assert!(matches!(solver.check(&terms, &[]), Ok(Answer::Unsat)));
        let expected = unsound(
            "faulty",
            &format!("it answered unsat, but {second} has a model"),
        );
        let confirmation = solver.confirm_unsat(&terms, &[], second, &Config::default());
        assert_eq!(confirmation, Err(expected.clone()));
        assert_eq!(
            solver.check(&terms, &[]).err(),
            Some(expected),
            "its word counts no more"
        );
    }
}

#[test]
fn a_second_back_end_confirms_a_right_unsat() {
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    let is_not = terms.not(is_seven);
    let config = Config::default();
    let answer =
        check_twice(&terms, &[is_seven, is_not], "bitwuzla", "z3", &config).expect("answers");
    assert!(matches!(answer, (Answer::Unsat, Confirmation::Second)));
    let answer = check_twice(&terms, &[is_seven], "bitwuzla", "z3", &config).expect("answers");
    assert!(matches!(answer, (Answer::Sat(_), Confirmation::Model)));
}

#[test]
fn a_failure_is_passed_on() {
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    let mut solver = Checked::new(Box::new(Faulty(Fault::Crash)));
    solver.assert(&terms, is_seven).expect("asserts");
    assert!(matches!(
        solver.check(&terms, &[]),
        Err(SolveError::Failed { .. })
    ));
}

/// Asks a program whether `x` can be seven.
fn ask_program(command: &str) -> Result<Answer, SolveError> {
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    let limits = Limits {
        time: Some(Duration::from_millis(500)),
        memory: None,
    };
    let mut solver = Checked::open(
        &format!("smtlib:{command}"),
        &Config {
            limits,
            ..Config::default()
        },
    )?;
    solver.assert(&terms, is_seven)?;
    solver.check(&terms, &[])
}

/// A shell program that answers `check-sat` and `get-value`.
fn program(verdict: &str, value: &str) -> String {
    format!(
        "sh -c 'while read line; do case $line in *check-sat*) echo {verdict};; *get-value*) echo \"{value}\";; esac; done'"
    )
}

#[test]
fn a_program_that_tells_the_truth_is_believed() {
    let answer = ask_program(&program("sat", "((|x| #b00000111))")).expect("answers");
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

#[test]
fn a_program_that_lies_is_unsound() {
    let answer = ask_program(&program("sat", "((|x| #b00000110))"));
    assert!(
        matches!(answer, Err(SolveError::Unsound { .. })),
        "{answer:?}"
    );
}

#[test]
fn babble_is_an_error_and_no_answer() {
    for (command, expected) in [
        (program("yes", ""), "no answer to check-sat: yes"),
        (program("sat", "()"), "no answer to get-value: ()"),
        (
            program("sat", "((|x| #b111))"),
            "#b111 is no bit-vector of 8 bits",
        ),
        (
            program("sat", "((|x| (bvadd y z)))"),
            "(bvadd y z) is no bit-vector of 8 bits",
        ),
        (
            "sh -c 'echo \")))\"; cat > /dev/null'".into(),
            "a closing parenthesis too many",
        ),
        (
            "sh -c 'printf \"\\\\377\\\\376 \"; cat > /dev/null'".into(),
            "no answer to check-sat: \u{fffd}\u{fffd}",
        ),
        ("yes".into(), "no answer to check-sat: y"),
        ("yes (".into(), "parentheses nested too deep"),
    ] {
        match ask_program(&command) {
            Ok(Answer::Unknown(Reason::Error(message))) => {
                assert_eq!(message, expected, "{command}")
            }
            other => panic!("{command}: {other:?}"),
        }
    }
}

#[test]
fn a_crash_is_an_error_and_no_answer() {
    for (command, expected) in [
        ("sh -c 'kill -SEGV $$'", "signal: 11"),
        ("sh -c 'echo ouch >&2; exit 3'", "exit status: 3): ouch"),
        ("true", "exit status: 0"),
    ] {
        match ask_program(command) {
            Ok(Answer::Unknown(Reason::Error(message))) => {
                assert!(message.contains(expected), "{command}: {message}");
            }
            other => panic!("{command}: {other:?}"),
        }
    }
}

#[test]
fn a_program_that_does_not_exist_is_reported_when_opened() {
    let Err(error) = Checked::open("smtlib:no-such-program --x", &Config::default()) else {
        panic!("must fail")
    };
    assert!(
        error.to_string().contains("cannot start `no-such-program`"),
        "{error}"
    );
}

#[test]
fn a_program_that_hangs_is_killed_with_its_children() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hanging-child");
    let command = format!("sh -c 'sleep 1000 & echo $! > {}; wait'", file.display());
    let answer = ask_program(&command).expect("answers");
    assert!(
        matches!(answer, Answer::Unknown(Reason::Timeout)),
        "{answer:?}"
    );
    let text = std::fs::read_to_string(&file).expect("the child wrote its number");
    let stat = format!("/proc/{}/stat", text.trim());
    // A process that was killed takes a moment to die, and whoever inherits it may be slow to bury it: a
    // zombie is dead, too. The child would sleep for much longer than we wait.
    let mut state = String::new();
    for _ in 0..1000 {
        state = std::fs::read_to_string(&stat).unwrap_or_default();
        let alive = state
            .rsplit(')')
            .next()
            .is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'));
        if !alive {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the child still runs: {state}");
}

#[test]
fn a_crashed_program_is_started_again() {
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    let interrupt = Interrupt::default();
    let config = Config {
        interrupt: interrupt.clone(),
        ..Config::default()
    };
    let mut solver = Checked::open("smtlib:cvc5", &config).expect("opens");
    solver.assert(&terms, is_seven).expect("asserts");
    solver.push().expect("pushes");
    let is_not = terms.not(is_seven);
    solver.assert(&terms, is_not).expect("asserts");
    interrupt.set();
    assert!(matches!(
        solver.check(&terms, &[]),
        Ok(Answer::Unknown(Reason::Interrupted))
    ));
    interrupt.clear();
    assert!(matches!(solver.check(&terms, &[]), Ok(Answer::Unsat)));
    solver.pop(1).expect("pops");
    assert!(matches!(solver.check(&terms, &[]), Ok(Answer::Sat(_))));
}

#[test]
fn the_dialogue_can_be_replayed() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dialogue.smt2");
    let _ = std::fs::remove_file(&file);
    let mut terms = Terms::with_level(Level::Off);
    let is_seven = seven(&mut terms);
    let config = Config {
        dialogue: Some(file.clone()),
        ..Config::default()
    };
    let mut solver = Checked::open("smtlib:cvc5", &config).expect("opens");
    solver.assert(&terms, is_seven).expect("asserts");
    let is_not = terms.not(is_seven);
    assert!(matches!(solver.check(&terms, &[is_not]), Ok(Answer::Unsat)));
    assert!(matches!(solver.check(&terms, &[]), Ok(Answer::Sat(_))));
    drop(solver);
    let text = std::fs::read_to_string(&file).expect("the dialogue was written");
    assert!(
        text.contains("; unsat\n") && text.contains("; sat\n"),
        "{text}"
    );
    let output = std::process::Command::new("cvc5")
        .args(["--lang=smt2", "--incremental"])
        .arg(&file)
        .output()
        .expect("cvc5 runs");
    let words = String::from_utf8_lossy(&output.stdout);
    assert_eq!(words, "unsat\nsat\n((x #b00000111))\n");
}
