//! `selkie verify`: the straight line, an engine, and what is said at the end.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use checks::ledger::Ledger;
use checks::verdict::{Reason, Status};
use encode::encoding::{Allocator, Encoding, PointerStyle, Representation, Word};
use ir::syntax::Module;
use rustc_hash::FxHashMap;

use crate::args::{
    self, AfterFailure, AllocStyle, Certify, Engine, FailOn, MemoryStyle, VcStyle, VerifyArgs,
    WordSize,
};
use crate::failure::Failure;
use crate::pipeline::{self, Program, Stage};
use crate::report::{self, Report, Verdict};
use crate::supervise::{self, Doing, Ending, Found, Teller};
use crate::undefined;

/// The deepest terms and memory layers are walked on this much stack.
const STACK: usize = 1 << 30;

/// Runs the command; returns the exit code.
pub fn verify(args: &VerifyArgs) -> u8 {
    let start = Instant::now();
    let code = supervise::supervise(args, start, |teller| {
        let args = args.clone();
        guarded(move || match work(&args, start, &teller) {
            Ok(report) => finished(&args, &report),
            Err(failure) => failed(&failure),
        })
    });
    code.unwrap_or_else(|failure| supervise::say_ending(args, &failed(&failure)))
}

/// Works on a stack that is large enough; a panic is an ending too.
fn guarded(work: impl FnOnce() -> Ending + Send + 'static) -> Ending {
    let worker = std::thread::Builder::new()
        .name("verify".to_owned())
        .stack_size(STACK)
        .spawn(work)
        .expect("a thread can be started");
    worker.join().unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied());
        failed(&Failure::internal(text.unwrap_or("a panic without words")))
    })
}

/// The error as the contract wants it.
fn failed(failure: &Failure) -> Ending {
    Ending {
        output: format!("RESULT: error({})\n", failure.word()),
        errors: format!("error: {}\n", failure.message),
        json: report::json::error(failure),
        code: failure.code,
        failed: true,
    }
}

fn finished(args: &VerifyArgs, report: &Report) -> Ending {
    let mut ending = Ending {
        json: report::json::value(report),
        code: report.verdict.exit_code(),
        ..Ending::default()
    };
    if args.stats {
        ending.errors = report::text::stats(report);
    }
    if !args.quiet {
        ending.output = report::text::render(report);
    }
    ending
        .output
        .push_str(&format!("RESULT: {}\n", report.verdict));
    ending
}

fn work(args: &VerifyArgs, start: Instant, teller: &Teller) -> Result<Report, Failure> {
    check_built(args)?;
    let args = &VerifyArgs {
        input: pipeline::read_property(&args.input)?,
        ..args.clone()
    };
    solve::check_versions().map_err(|error| Failure::internal(error.to_string()))?;
    let mut program = pipeline::load(&args.input, frontend::Stdio::Modelled)?;
    program.lower(&args.input)?;
    program.purify(&args.input)?;
    let mut options = options(args, &program, start)?;
    let failed_to_keep = Arc::new(OnceLock::new());
    let monitored =
        undefined::is_possible(args, &program).then(|| Arc::new(undefined::Monitored::new(args)));
    let assumed = ledger(args, &program, None, &bmc::Layouts::NotAsked);
    teller.ledger(assumed.entries().map(str::to_owned).collect());
    options.on_violation = Some(hand_over(&program.module, teller, monitored.clone()));
    options.on_progress = Some(tell_progress(&program.module, teller));
    options.on_pass = {
        let input = args.input.clone();
        let failed = Arc::clone(&failed_to_keep);
        Some(Arc::new(move |pass, module: &Module| {
            if let Err(failure) = pipeline::keep(&input, pass, module) {
                failed.get_or_init(|| failure);
            }
        }))
    };
    let engine_start = Instant::now();
    let mut outcome = bmc::check(&program.module, &options)
        .map_err(|error| Failure::internal(error.to_string()))?;
    if let Some(monitored) = &monitored
        && !outcome.violations.is_empty()
    {
        let told = |module: &Module| bmc::Options {
            on_violation: Some(hand_over(module, teller, None)),
            on_progress: Some(tell_progress(module, teller)),
            on_pass: None,
            ..options.clone()
        };
        match undefined::judge(monitored, &program, outcome, told)? {
            undefined::Judged::Same(same) => outcome = same,
            undefined::Judged::Other(module, other) => {
                program.module = module;
                let note = "executions are not followed beyond a signed overflow";
                program.module.notes.push(note.to_owned());
                outcome = other;
            }
        }
    }
    if let Some(failure) = failed_to_keep.get() {
        return Err(failure.clone());
    }
    program
        .stages
        .extend(stages(&outcome, engine_start.elapsed()));
    let ledger = ledger(args, &program, outcome.second.as_ref(), &outcome.layouts);
    let verdict = verdict(args, &program.module, &outcome);
    Ok(Report {
        module: program.module,
        checks: program.checks,
        outcome,
        verdict,
        ledger,
        stages: program.stages,
        engine: "bmc",
        time: start.elapsed(),
    })
}

/// Contract options that are not built yet are usage errors that say so.
fn check_built(args: &VerifyArgs) -> Result<(), Failure> {
    match args.engine {
        Engine::Auto | Engine::Bmc => {}
        Engine::Chc => return Err(Failure::usage("--engine chc is not built yet")),
        Engine::Absint => return Err(Failure::usage("--engine absint is not built yet")),
    }
    if args.certify == Certify::Full {
        return Err(Failure::usage("--certify full is not built yet"));
    }
    if args.input.after_failure == AfterFailure::Continue && args.vc != VcStyle::Eval {
        return Err(Failure::usage(
            "--after-failure continue needs --vc eval: the forms end at the first violation",
        ));
    }
    if args.pointers == args::PointerStyle::Raw && args.alloc == AllocStyle::Relative {
        return Err(Failure::usage(
            "--pointers raw needs constant addresses: leave out --alloc relative",
        ));
    }
    if let Some(name) = &args.input.dump_after {
        let forms = [passes::pipeline::BOUND, passes::pipeline::FORMS].concat();
        let mut forms = forms.iter().map(|pass| pass.name());
        if args.vc == VcStyle::Eval && forms.any(|form| form == name) {
            return Err(Failure::usage(format!(
                "--dump-after {name} needs --vc path or --vc dataflow: evaluation does not run that pass"
            )));
        }
    }
    if !(args.timeout > 0.0 && args.timeout.is_finite()) {
        return Err(Failure::usage(
            "--timeout takes a positive number of seconds",
        ));
    }
    if let Some(file) = args.json.as_ref().filter(|file| file.as_os_str() != "-") {
        let mut opening = std::fs::OpenOptions::new();
        let opened = opening.append(true).create(true).open(file);
        opened.map_err(|error| Failure::usage(format!("--json {}: {error}", file.display())))?;
    }
    if let Err(error) = solve::Checked::open(&args.solver, &solve::Config::default()) {
        let hint = match &error {
            solve::SolveError::UnknownBackend { name, .. } if !name.contains(':') => {
                format!("; a program that speaks SMT-LIB is `--solver smtlib:{name}`")
            }
            _ => String::new(),
        };
        return Err(Failure::usage(format!("--solver: {error}{hint}")));
    }
    Ok(())
}

fn options(args: &VerifyArgs, program: &Program, start: Instant) -> Result<bmc::Options, Failure> {
    let unwind = match args.unwind.as_str() {
        "auto" => None,
        number => {
            let parsed = number.parse::<u32>();
            Some(parsed.map_err(|_| {
                Failure::usage(format!("--unwind takes a number or `auto`, not `{number}`"))
            })?)
        }
    };
    let names = ir::loop_names::of_module(&program.module);
    let mut unwind_loops = FxHashMap::default();
    for setting in &args.unwind_set {
        let parsed = setting
            .split_once('=')
            .and_then(|(name, n)| Some((name, n.parse::<u32>().ok()?)));
        let Some((name, bound)) = parsed else {
            return Err(Failure::usage(format!(
                "--unwind-set takes LOOP=N, not `{setting}`"
            )));
        };
        if !names.iter().any(|known| known.name == name) {
            let message =
                format!("there is no loop `{name}`; `selkie list --show loops` lists them");
            return Err(Failure::usage(message));
        }
        unwind_loops.insert(name.to_owned(), bound);
    }
    // The engine stops a little before the watchdog, so that it can still say what it knows.
    let limit = args.time().map(|limit| {
        let margin = (limit / 20).min(Duration::from_millis(500));
        limit - margin
    });
    Ok(bmc::Options {
        solver: args.solver.clone(),
        second: match (args.certify, args.solver.as_str()) {
            (Certify::Off, _) => None,
            (Certify::Replay | Certify::Full, "z3") => Some("bitwuzla".to_owned()),
            (Certify::Replay | Certify::Full, _) => Some("z3".to_owned()),
        },
        unwind,
        unwind_loops,
        depth: args.depth,
        deadline: limit.and_then(|limit| start.checked_add(limit)),
        memory: args.memory_bytes(),
        violations: if args.wants_first() {
            bmc::Violations::First
        } else {
            bmc::Violations::Each
        },
        vacuity: args.fail_on.contains(&FailOn::Vacuous),
        continue_after_failure: args.input.after_failure == AfterFailure::Continue,
        accesses_checked: program.checks.contains("deref")
            && args.input.after_failure == AfterFailure::Stop,
        style: match args.vc {
            VcStyle::Eval => bmc::Style::Eval,
            VcStyle::Dataflow => bmc::Style::Dataflow,
            VcStyle::Path => bmc::Style::Path,
        },
        encoding: encoding(args),
        cone: if args.no_coi {
            bmc::Cone::Everything
        } else {
            bmc::Cone::Used
        },
        rewriting: if args.no_simplify {
            terms::Level::Fold
        } else {
            terms::Level::Full
        },
        monitors: BTreeSet::new(),
        on_violation: None,
        on_progress: None,
        on_pass: None,
    })
}

/// Hands over what is found, so that nothing is lost when a limit strikes; if there are monitors, only
/// what does not rest on undefined behaviour.
fn hand_over(
    module: &Module,
    teller: &Teller,
    monitored: Option<Arc<undefined::Monitored>>,
) -> bmc::OnViolation {
    let (module, teller) = (module.clone(), teller.clone());
    Arc::new(move |violation: &bmc::Violation| {
        let counts = monitored
            .as_ref()
            .is_none_or(|monitored| monitored.confirms(&module, violation));
        if counts {
            teller.found(Found {
                property: report::property(&module, violation.obligation),
                text: report::text::violation(&module, violation),
                json: report::json::violation(&module, violation),
            });
        }
    })
}

/// Tells what is being done, and how far it came.
fn tell_progress(module: &Module, teller: &Teller) -> bmc::OnProgress {
    let (module, teller) = (module.clone(), teller.clone());
    Arc::new(move |what, bounds: &[bmc::Bound]| {
        teller.doing(Doing {
            what,
            bounds: report::text::bounds(&module, bounds),
            json: report::json::bounds(&module, bounds),
        });
    })
}

fn encoding(args: &VerifyArgs) -> Encoding {
    Encoding {
        memory: match args.memory {
            MemoryStyle::Lambda => Representation::Lambda,
            MemoryStyle::Array => Representation::Array,
        },
        word: match args.word {
            WordSize::Auto => Word::Auto,
            WordSize::One => Word::Bytes(1),
            WordSize::Four => Word::Bytes(4),
            WordSize::Eight => Word::Bytes(8),
        },
        pointers: match args.pointers {
            args::PointerStyle::Fat => PointerStyle::Fat,
            args::PointerStyle::Raw => PointerStyle::Raw,
        },
        allocator: match args.alloc {
            AllocStyle::Static => Allocator::Static,
            AllocStyle::Relative => Allocator::Relative,
        },
    }
}

fn stages(outcome: &bmc::Outcome, total: Duration) -> Vec<Stage> {
    let stats = &outcome.stats;
    let rest = total.saturating_sub(stats.evaluating + stats.solving + stats.replaying);
    [
        ("evaluate", stats.evaluating),
        ("solve", stats.solving),
        ("replay", stats.replaying),
        ("other", rest),
    ]
    .into_iter()
    .map(|(name, time)| Stage {
        name: name.to_owned(),
        time,
    })
    .collect()
}

fn ledger(
    args: &VerifyArgs,
    program: &Program,
    second: Option<&bmc::SecondOpinion>,
    layouts: &bmc::Layouts,
) -> Ledger {
    let mut ledger = Ledger::default();
    for note in &program.module.notes {
        ledger.note(note.clone());
    }
    ledger.note(match program.module.machine.pointer_bits {
        32 => "data model ILP32",
        _ => "data model LP64",
    });
    if !args.input.malloc_may_fail {
        ledger.note("malloc does not fail");
    }
    let off: Vec<&str> = checks::registry::CHECKS
        .iter()
        .filter(|check| check.property.is_some() && !program.checks.contains(check.name))
        .map(|check| check.name)
        .collect();
    if !off.is_empty() {
        ledger.note(format!("not checked: {}", off.join(", ")));
    }
    if *layouts == bmc::Layouts::All {
        ledger.note(
            "addresses: any, but aligned, not in the first or last page of the address space, and apart \
             from those of other objects that live at the same time",
        );
    }
    if let Some(second) = second {
        ledger.note(format!("second opinion on the proof: {second}"));
    }
    ledger
}

/// The program's verdict from those of its obligations. `true` has to be earned: nothing is open, nothing
/// speaks against it, and every obligation is settled. Everything else is `unknown`, with its reason.
fn verdict(args: &VerifyArgs, module: &Module, outcome: &bmc::Outcome) -> Verdict {
    if let Some(first) = outcome.violations.first() {
        return Verdict::False(report::property(module, first.obligation));
    }
    if !outcome.unconfirmed.is_empty() || !outcome.contradictions.is_empty() {
        return Verdict::Unknown(Reason::Unconfirmed);
    }
    if let Some(reason) = &outcome.reason {
        return Verdict::Unknown(reason.clone());
    }
    if let Some(gap) = outcome.gaps.first() {
        return Verdict::Unknown(Reason::Unsupported(gap.clone()));
    }
    let mut vacuous = false;
    for obligation in module.obligations.keys() {
        match &outcome.statuses[obligation] {
            Status::Proved | Status::Unreachable => {}
            Status::Vacuous => vacuous = true,
            Status::Unknown(reason) => return Verdict::Unknown(reason.clone()),
            Status::ProvedBounded(_) => return Verdict::Unknown(Reason::Bounded),
            // Nobody has met the violation.
            Status::Violated => return Verdict::Unknown(Reason::Unconfirmed),
        }
    }
    if vacuous && args.fail_on.contains(&FailOn::Vacuous) {
        return Verdict::Vacuous;
    }
    Verdict::True
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    /// What is said when the work ends so after a violation was handed over.
    fn said_after_a_violation(work: fn() -> Ending) -> Ending {
        let cli = Cli::parse_from(["selkie", "verify", "f.c"]);
        let Command::Verify(args) = cli.command else {
            unreachable!("it says verify")
        };
        let found = Found {
            property: "assert".to_owned(),
            text: "f.c:1:1: [main.assert.1] sk_assert: VIOLATED\n".to_owned(),
            json: serde_json::json!({"obligation": "main.assert.1"}),
        };
        supervise::said_after(&args, vec![found], guarded(work))
    }

    #[test]
    fn a_failure_keeps_what_was_found() {
        let panics: fn() -> Ending = || panic!("the seventh invariant does not hold");
        let fails: fn() -> Ending = || failed(&Failure::internal("a solver is unsound"));
        for (work, words) in [(panics, "seventh invariant"), (fails, "is unsound")] {
            let ending = said_after_a_violation(work);
            assert_eq!(ending.code, 10);
            assert!(ending.output.contains("[main.assert.1]"), "{ending:?}");
            assert!(ending.output.contains(words), "{ending:?}");
            assert!(
                ending.output.ends_with("RESULT: false(assert)\n"),
                "{ending:?}"
            );
            assert!(ending.errors.contains(words), "{ending:?}");
            assert_eq!(ending.json["violations"][0]["obligation"], "main.assert.1");
        }
    }

    #[test]
    fn a_failure_alone_is_an_internal_error() {
        let ending = guarded(|| panic!("the seventh invariant does not hold"));
        assert!(ending.failed);
        assert_eq!(
            (ending.code, ending.output.as_str()),
            (6, "RESULT: error(internal)\n")
        );
    }
}
