//! `selkie verify`: the straight line, an engine, and what is said at the end.

use checks::registry::CheckId;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use results::ledger::Ledger;
use results::{
    Engine, Failure, Known, Layouts, Limits, Message, Outcome, Silence, Sink, Stage, Task,
};

use crate::args::{AfterFailure, AllocStyle, Certify, FailOn, VcStyle, VerifyArgs};
use crate::baseline::Baseline;
use crate::engines;
use crate::fault;
use crate::keep::Keeping;
use crate::only;
use crate::overflow;
use crate::pipeline::{self, Program};
use crate::preconditions::{self, Held};
use crate::report::{self, Report};
use crate::supervise::{self, Supervised};
use crate::undefined::{self, Judge, Monitored};
use crate::vacuity;

/// LLVM and the solvers go down into deep programs and terms by recursion; nothing of ours does.
const STACK: usize = 1 << 28;

/// Runs the command; returns the exit code.
pub fn verify(args: &VerifyArgs) -> u8 {
    let start = Instant::now();
    let found = find(args, start);
    let report = Report::of(args, &found, start.elapsed());
    match args.cover {
        true => report::cover::write(args, &report),
        false => report::write(args, &report),
    }
}

/// Does the work in a worker: all that was found.
pub fn find(args: &VerifyArgs, start: Instant) -> Supervised {
    supervise::supervise(args, start, |sink| {
        let args = args.clone();
        on_large_stack(move || work(&args, start, sink))
    })
}

/// Works on a stack that is large enough; a panic is a failure too.
pub fn on_large_stack<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
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
        Err(Failure::internal(text.unwrap_or("a panic without words")))
    })
}

/// The straight line. Whatever is found is told at once.
fn work(args: &VerifyArgs, start: Instant, sink: Arc<dyn Sink>) -> Result<(), Failure> {
    check_built(args)?;
    let mut args = VerifyArgs {
        input: pipeline::read_property(&args.input)?,
        ..args.clone()
    };
    if args.cover {
        args.input.reached = true;
        args.only = vec!["cover".to_owned()];
    }
    let args = &args;
    solve::check_versions().map_err(|error| Failure::internal(error.to_string()))?;
    let mut first = args.clone();
    first.input.warnings = !args.quiet;
    let mut program = overflow::load(&first, &[])?;
    if args.cover
        && !program
            .claims()
            .claims
            .values()
            .any(|claim| claim.check == CheckId::Cover)
    {
        return Err(Failure::usage(
            "--cover: the program has no lines; compile bitcode with -g",
        ));
    }
    only::restrict(args, &BTreeSet::new(), &mut program)?;
    let engine = (engines::choose(args)?.make)(args, &program)?;
    for stage in &program.stages {
        sink.tell(Message::Stage(stage.clone()));
    }
    let kept = Arc::new(Keeping::new(args, Arc::clone(&sink)));
    for pass in &program.passes {
        kept.tell(Message::Pass(pass.clone()));
    }
    let held = Held::back(&program, Arc::<Keeping>::clone(&kept));
    let monitored = Monitored::stage(args, &program, &sink);
    let judge = Judge::start(args, &program, monitored, held);
    let search = Search {
        args,
        engine: &*engine,
        limits: limits(args, start),
    };
    let engine_start = Instant::now();
    let outcome = search.run(&program, &BTreeSet::new(), judge.sink())?;
    let (program, outcome) = judge.settle(program, outcome, |monitored| {
        let held = Held::back(monitored, kept.without_passes());
        search.run(monitored, &undefined::monitors(), held)
    })?;
    let look = |args: &VerifyArgs, program: &Program, deadline: Instant| {
        let engine = (engines::choose(args)?.make)(args, program)?;
        let search = Search {
            args,
            engine: &*engine,
            limits: Limits {
                deadline: Some(deadline),
                ..search.limits
            },
        };
        search.run(program, &BTreeSet::new(), Arc::new(Silence))
    };
    let deadline = search.limits.deadline;
    let outcome = preconditions::judge(args, &program, outcome, deadline, &look)?;
    let mut outcome = vacuity::judge(args, &program, outcome, (start, deadline), &look)?;
    judge.tell(&program, &mut outcome, deadline);
    kept.result()?;
    search.conclude(&program, outcome, engine_start.elapsed(), &*sink);
    Ok(())
}

/// An engine at work.
struct Search<'a> {
    args: &'a VerifyArgs,
    engine: &'a dyn Engine,
    limits: Limits,
}

impl Search<'_> {
    /// Has the engine look at a program, whose violations of monitors nobody asks for.
    fn run(
        &self,
        program: &Program,
        monitors: &BTreeSet<CheckId>,
        sink: Arc<dyn Sink>,
    ) -> Result<Outcome, Failure> {
        sink.tell(Message::Program(program.claims().clone()));
        sink.tell(Message::Ledger(ledger(self.args, program, None, "")));
        let (sink, fault) = fault::behind(sink);
        let task = Task {
            module: &program.module,
            known: &Known::default(),
            monitors,
            limits: self.limits,
        };
        let found = fault.after(self.engine.run(&task, &sink));
        found.map_err(|error| Failure::internal(error.to_string()))
    }

    /// Tells all that was found, and about which program.
    fn conclude(&self, program: &Program, outcome: Outcome, time: Duration, sink: &dyn Sink) {
        sink.tell(Message::Program(program.claims().clone()));
        sink.tell(Message::Ledger(ledger(
            self.args,
            program,
            Some(&outcome),
            self.engine.name(),
        )));
        for stage in stages(&outcome, time) {
            sink.tell(Message::Stage(stage));
        }
        let name = self.engine.name().to_owned();
        sink.tell(Message::Outcome(name, Box::new(outcome)));
    }
}

/// What an engine may take.
pub fn limits(args: &VerifyArgs, start: Instant) -> Limits {
    // The engine stops a little before the watchdog, so that it can still say what it knows.
    let limit = args.time().map(|limit| {
        let margin = (limit / 20).min(Duration::from_millis(500));
        limit - margin
    });
    Limits {
        deadline: limit.and_then(|limit| start.checked_add(limit)),
        memory: args.memory_bytes(),
    }
}

/// Contract options that are not built yet are usage errors that say so.
pub fn check_built(args: &VerifyArgs) -> Result<(), Failure> {
    engines::choose(args)?;
    if args.certify == Certify::Full {
        return Err(Failure::usage("--certify full is not built yet"));
    }
    if args.input.after_failure == AfterFailure::Continue && args.vc != VcStyle::Eval {
        return Err(Failure::usage(
            "--after-failure continue needs --vc eval: the forms end at the first violation",
        ));
    }
    if args.pointers.needs_addresses() && args.alloc == AllocStyle::Relative {
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
    if let Some(seconds) = args.seconds_per_obligation
        && !(seconds > 0.0 && Duration::try_from_secs_f64(seconds).is_ok())
    {
        return Err(Failure::usage(
            "--seconds-per-obligation takes a positive number of seconds",
        ));
    }
    match (&args.baseline, args.fail_on.contains(&FailOn::New)) {
        (Some(file), _) => {
            Baseline::read(file)?;
        }
        (None, true) => {
            return Err(Failure::usage(
                "--fail-on new needs --baseline OLD.json: what an earlier run wrote with --json",
            ));
        }
        (None, false) => {}
    }
    let entry = args.input.entry.as_deref().unwrap_or("main");
    let mut wanted = args.outputs.wanted();
    if entry != "main" && wanted.any(|(format, _)| format.option == "reproducer") {
        return Err(Failure::usage(
            "--reproducer needs a program with `main`: write one that calls the function, and leave out --entry",
        ));
    }
    let mut outputs = 0;
    let mut written: BTreeSet<&std::path::Path> = BTreeSet::new();
    for (format, file) in args.outputs.wanted() {
        if file.as_os_str() != "-" && !written.insert(file) {
            return Err(Failure::usage(format!(
                "--{} {}: another report goes there",
                format.option,
                file.display()
            )));
        }
        if file.as_os_str() == "-" {
            outputs += 1;
            continue;
        }
        let mut opening = std::fs::OpenOptions::new();
        let opened = opening.append(true).create(true).open(file);
        let say = |error| format!("--{} {}: {error}", format.option, file.display());
        opened.map_err(|error| Failure::usage(say(error)))?;
    }
    if outputs > 1 {
        return Err(Failure::usage(
            "only one report can be alone on standard output",
        ));
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

fn stages(outcome: &Outcome, total: Duration) -> Vec<Stage> {
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

/// What an answer rests on; before there is an outcome, what every answer will rest on.
fn ledger(
    args: &VerifyArgs,
    program: &Program,
    outcome: Option<&Outcome>,
    engine: &str,
) -> Vec<String> {
    let mut ledger = Ledger::default();
    for note in &program.module.notes {
        ledger.note(note.clone());
    }
    ledger.note(match program.module.machine.pointer_bits {
        32 => "data model ILP32",
        _ => "data model LP64",
    });
    let mut notes = program.module.notes.iter();
    let said = notes.any(|note| note.starts_with("allocations never fail"));
    if !args.input.malloc_may_fail && !said {
        ledger.note("malloc does not fail");
    }
    let off: Vec<&str> = CheckId::all()
        .filter(|&id| {
            let property = id.check().property.is_some() && id != CheckId::Cover;
            property && !program.checks.contains(&id)
        })
        .map(CheckId::name)
        .collect();
    if !off.is_empty() {
        ledger.note(format!("not checked: {}", off.join(", ")));
    }
    if outcome.is_some_and(|outcome| outcome.layouts == Layouts::All) {
        ledger.note(
            "addresses: any, but aligned, not in the first or last page of the address space, and apart \
             from those of other objects that live at the same time",
        );
    }
    let by_others = outcome.is_some_and(|outcome| outcome.by.values().any(|by| by == "absint"));
    if engine == "absint" || by_others {
        ledger.note("loops are replaced by invariants, which are proved with the rest");
    }
    if let Some(second) = outcome.and_then(|outcome| outcome.second.as_ref()) {
        ledger.note(format!("second opinion on the proof: {second}"));
    }
    ledger.entries().map(str::to_owned).collect()
}
