//! The command line: what can be said, and what it means when nothing is said.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bench::property::Specification;
use checks::registry::CheckId;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use encode::encoding::{PointerStyle, Representation};
use solve::horn::attempt::Ints;

use crate::engines;
use crate::part::PartArgs;
use crate::report::{FORMATS, Format};

mod choices;
pub use choices::{AllocStyle, CallStyle, FailOn, FmapArg, PhaseArg, Show, TraceArg, WaypointsArg};

/// Verifies C programs: proved, violated with a replayed counterexample, or unknown with the reason.
///
/// `selkie verify f.c` needs no option. Exit codes: 0 true, 10 false, 5 unknown or bounded only,
/// 124 time limit, 12 memory limit, 1 usage, 2 input does not compile or link, 3 unsupported
/// construct reached, 6 internal error.
#[derive(Parser, Debug)]
#[command(name = "selkie", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a program: .c .i .cc .cpp .ll .bc; several files are linked
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(Box<VerifyArgs>),
    /// Run a list of tasks with known verdicts and score the answers
    Bench(Box<bench::Options>),
    /// Execute the counterexamples of a report again (of verify --json), and show them line by line
    Replay(ReplayArgs),
    /// Execute a program in the interpreter, with every check that it meets
    Run(RunArgs),
    /// Check a witness of SV-COMP (YAML, format 2.0) of a program
    ValidateWitness(Box<ValidateArgs>),
    /// List what a program has: obligations, loops, functions, regions
    List(ListArgs),
    /// Write man pages and completions of shells into a folder
    #[command(hide = true)]
    Pages {
        /// The folder: `share` of a prefix
        folder: PathBuf,
    },
    /// Explain a check with an example, or a word of a report: overflow, PROVED-BOUNDED, unknown
    Explain(ExplainArgs),
    /// Solve an SMT-LIB 2 file
    Smt(SmtArgs),
    /// Solve a file of Horn clauses (SMT-LIB 2, logic HORN), or write those of a program
    #[command(after_help = HORN_EXAMPLES)]
    Horn(Box<HornArgs>),
    /// A part of `verify` in a process of its own
    #[command(hide = true)]
    Part(PartArgs),
}

const HORN_EXAMPLES: &str = "\
Examples:
  selkie horn f.smt2                 sat: no query can be derived; unsat: one can; either was checked
  selkie horn --model f.smt2         what the predicates mean, or the derivation
  selkie horn --emit f.c > f.smt2    the clauses of a program whose loops have no bound";

const VERIFY_EXAMPLES: &str = "\
Examples:
  selkie verify f.c                          every default check, no bound to choose
  selkie verify --check memsafety f.c        only memory safety, leaks included
  selkie verify --check overflow,div a.c b.c two files, two checks
  selkie verify --entry f --unwind 10 f.c    a function, with any arguments; a fixed bound for loops
  selkie verify --entry f --param 's: string' f.c   what its callers keep to
  selkie verify f.c -I include -- -std=c11   flags, as a compiler has them
  selkie verify --function f f.c             a function against its contract
  selkie verify --all --compdb build/compile_commands.json   every function of a project
  selkie verify --json out.json f.c          results for a program to read";

/// How a program is read.
#[derive(Args, Clone, Debug)]
pub struct InputArgs {
    /// Source, assembly or bitcode files
    #[arg(required_unless_present = "compdb", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Further flags for clang, in one word: --cflags="-DX -Wall"; those that are not supported are refused
    #[arg(
        long,
        value_name = "FLAGS",
        allow_hyphen_values = true,
        help_heading = "Input"
    )]
    pub cflags: Option<String>,
    /// Flags for clang, as a build has them: -- -DX -Wall -std=c11; those that are not supported are refused
    #[arg(last = true, value_name = "FLAGS", help_heading = "Input")]
    pub flags: Vec<String>,
    /// Folder with header files (repeatable)
    #[arg(short = 'I', long, value_name = "DIR", help_heading = "Input")]
    pub include: Vec<PathBuf>,
    /// Macro, X or X=Y (repeatable)
    #[arg(short = 'D', long, value_name = "X=Y", help_heading = "Input")]
    pub define: Vec<String>,
    /// Macro that is not defined (repeatable)
    #[arg(short = 'U', long, value_name = "X", help_heading = "Input")]
    pub undefine: Vec<String>,
    /// Flags of each file from the commands that a build system has written (compile_commands.json). Without files, those of the list
    /// that define what --function or --entry names
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub compdb: Option<PathBuf>,
    /// Sizes of C's types [default: LP64, or what -m32 among --cflags says; bitcode has its own]
    #[arg(long, value_enum, ignore_case = true, help_heading = "Input")]
    pub data_model: Option<DataModel>,
    /// The function that is run [default: main]. Of every other nobody knows the caller: a pointer leads to an object of its
    /// own, of any size and contents, and globals that are not constant hold anything
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub entry: Option<String>,
    /// Check this function against its contract, for every caller that keeps to what it requires; functions that it calls and
    /// that have a contract are replaced by it. Without a contract it is as --entry
    #[arg(long, value_name = "NAME", conflicts_with_all = ["entry", "prp"], help_heading = "Input")]
    pub function: Option<String>,
    /// What callers of the entry keep to: 'p: nullable', 'p: string', 'p: 16 bytes', 'p: n elements', 'p: heap', 'p: may alias
    /// q', several words with commas; 'p->next: …' for pointers inside; 'depth: 3', 'globals: initial' (repeatable)
    #[arg(long, value_name = "NAME: WORDS", help_heading = "Input")]
    pub param: Vec<String>,
    /// Keep what clang makes in this folder, and take it from there while nothing changed [default: selkie in the user's caches]
    #[arg(long, value_name = "DIR", help_heading = "Input")]
    pub cache: Option<PathBuf>,
    /// Compile everything anew
    #[arg(long, conflicts_with = "cache", help_heading = "Input")]
    pub no_cache: bool,
    /// How much LLVM simplifies first: 0 nothing, 1 registers, 2 more
    #[arg(long, value_name = "0|1|2", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=2), help_heading = "Input")]
    pub opt: u32,
    /// Checks or groups, separated by commas: assert, invariant, reach, deref, free, leak, cleanup, overflow,
    /// unsigned-overflow, div, shift, bounds, …; groups memsafety, ub, default, all
    #[arg(long, value_name = "LIST", help_heading = "Properties")]
    pub check: Option<String>,
    /// Property file of SV-COMP
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "check",
        help_heading = "Properties"
    )]
    pub prp: Option<PathBuf>,
    /// What that file says, once it was read: it may be a pipe.
    #[arg(skip)]
    pub specification: Option<Specification>,
    /// Checks beside those that are asked for.
    #[arg(skip)]
    pub further: Vec<CheckId>,
    /// Is it asked what is reached?
    #[arg(skip)]
    pub reached: bool,
    /// Are clang's warnings shown? A program that is compiled again has had its own.
    #[arg(skip)]
    pub warnings: bool,
    /// What a function without a body does: any result and any change (havoc), any result (pure),
    /// or the verdict is unknown (error) [default: havoc; pure with --prp]
    #[arg(
        long = "extern",
        value_enum,
        value_name = "MODE",
        help_heading = "Properties"
    )]
    pub extern_mode: Option<Extern>,
    /// What a pointer is that comes from a function without a body, is not null and leads to no
    /// object of the program: nobody knows (unknown), so that no verdict rests on it, or valid
    #[arg(
        long,
        value_enum,
        default_value = "unknown",
        value_name = "MODE",
        help_heading = "Properties"
    )]
    pub extern_pointers: ExternPointers,
    /// `malloc` may return null
    #[arg(long, help_heading = "Properties")]
    pub malloc_may_fail: bool,
    /// What a volatile read yields: any value, or what was written last [default: the last value of
    /// local variables and heap objects, and of pointers; any value elsewhere; last with --prp]
    #[arg(long, value_enum, value_name = "MODE", help_heading = "Properties")]
    pub volatile: Option<Volatile>,
    /// Addresses of devices, which may be read (any value) and written: 0x40000000-0x40000fff
    /// (repeatable)
    #[arg(long, value_name = "FROM-TO", help_heading = "Properties", value_parser = address_range)]
    pub mmio: Vec<(u64, u64)>,
    /// After a violated check an execution ends (stop), or goes on with what the operation yields on
    /// the machine (continue): then later violations are found although earlier ones come first
    #[arg(
        long,
        value_enum,
        default_value = "stop",
        value_name = "MODE",
        help_heading = "Properties"
    )]
    pub after_failure: AfterFailure,
    /// Leave out the models of library functions
    #[arg(long, help_heading = "Properties")]
    pub no_models: bool,
    /// Divide memory into regions by points-to analysis, context-sensitive (dsa, cs) or not (ci), by
    /// a simple rule (split), or not at all (flat); dsa, cs and ci also find the targets of calls
    /// through pointers [default: split; dsa for `list`]
    #[arg(long, value_enum, help_heading = "Encoding")]
    pub regions: Option<Regions>,
    /// Print the IR after a pass and go on: raw, lowered, pure, or a pass by its name; with --vc path
    /// and dataflow also unroll, inline and the forms, in each round
    #[arg(long, value_name = "PASS", help_heading = "Insight")]
    pub dump_after: Option<String>,
    /// Keep in this folder: the program after every stage, each question to a solver (SMT-LIB) with its model, and
    /// each counterexample
    #[arg(long, value_name = "DIR", help_heading = "Insight")]
    pub save: Option<PathBuf>,
}

/// `verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,
    /// Check every function that has a contract against it, or, if none has one, every function that other files may call: each with
    /// the file that defines it, several at a time (--jobs), with a table at the end
    #[arg(long, conflicts_with_all = ["function", "entry", "prp", "only", "param"], help_heading = "Input")]
    pub all: bool,
    /// Ask which lines, branches and sk_cover(c) executions come to, with one for each (-v shows them), and list what no execution
    /// reaches; executions count up to where they violate a check
    #[arg(long, conflicts_with_all = ["only", "prp", "all", "after_failure"], help_heading = "Properties")]
    pub cover: bool,
    /// What a signed overflow means: arithmetic wraps (wraps), the execution ends and does not count beyond (ends), or it is a
    /// violation (checked) [default: checked if `overflow` is among the checks; otherwise a proof covers what wraps, and no
    /// violation rests on it]
    #[arg(long, value_enum, value_name = "MODE", help_heading = "Properties")]
    pub overflow: Option<Overflow>,
    /// Ask for these obligations alone: ids (main.assert.1), lines (17, f.c:17), checks or groups, separated by commas; what
    /// comes behind a violation of another one is not looked at (repeatable)
    #[arg(
        long,
        value_name = "ID|LINE|CHECK",
        value_delimiter = ',',
        help_heading = "Properties"
    )]
    pub only: Vec<String>,
    /// Which engine answers
    #[arg(long, default_value = engines::AUTO, value_parser = engine_names(), help_heading = "Engine")]
    pub engine: String,
    /// Invariants of these domains alone, separated by commas, for `absint`, which also goes first when no engine is named
    /// [default: all]
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        value_parser = domain_names(),
        help_heading = "Engine"
    )]
    pub domain: Vec<String>,
    /// Unroll every loop at most this many times: a number, or `auto` to unroll further as long as it is needed
    #[arg(
        long,
        value_name = "N|auto",
        default_value = "auto",
        help_heading = "Engine"
    )]
    pub unwind: String,
    /// The same for one loop: main.loop.1=20 (repeatable; `selkie list --show loops` names them)
    #[arg(long, value_name = "LOOP=N", help_heading = "Engine")]
    pub unwind_set: Vec<String>,
    /// Inline recursive calls at most this deep [default: deeper as long as it is needed]
    #[arg(long, value_name = "N", help_heading = "Engine")]
    pub depth: Option<u32>,
    /// The most that a solver may spend on one obligation alone; easy ones are settled first in any case
    #[arg(long, value_name = "SECONDS", help_heading = "Engine")]
    pub seconds_per_obligation: Option<f64>,
    /// Solver: bitwuzla, z3, or smtlib:COMMAND
    #[arg(
        long,
        value_name = "NAME",
        default_value = "bitwuzla",
        help_heading = "Engine"
    )]
    pub solver: String,
    /// Evidence for `true`: none (off), or a second solver (replay); `false` is always replayed
    #[arg(long, value_enum, default_value = "replay", help_heading = "Engine")]
    pub certify: Certify,
    /// How a program becomes logic: evaluated (eval), or unrolled and then by conditions of paths
    /// (path) or as pure data flow (dataflow)
    #[arg(long, value_enum, default_value = "eval", help_heading = "Encoding")]
    pub vc: VcStyle,
    /// What becomes of calls in proofs of loops and recursion: evaluated in place, but for recursion
    /// that has no bound (inline), or each function once for all its calls (summary); or first, for every engine: a call either
    /// fails, in one copy in the entry, or returns without having failed (mixed)
    #[arg(long, value_enum, value_name = "STYLE", help_heading = "Encoding")]
    pub calls: Option<CallStyle>,
    /// What memory is in summaries of functions: whole objects (off), or finite maps of the cells that a function reaches, with at most X
    /// entries and at most Y pointers that lead to them (sX-aY), or as large as they have to be (auto)
    #[arg(long, value_name = "SIZE", value_parser = FmapArg::parse, default_value = "off", help_heading = "Encoding")]
    pub fmap: FmapArg,
    /// What numbers are in Horn clauses: integers that do not wrap (ideal), integers, with the wrapping of bit-vectors written out
    /// (math), or bit-vectors (bv) [default: one after the other]
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Encoding")]
    pub ints: Option<IntsArg>,
    /// Where Horn clauses begin and end: at the heads of loops (large), or at every block (small)
    #[arg(long, value_enum, default_value = "large", help_heading = "Encoding")]
    pub step: StepArg,
    /// What the predicates of Horn clauses speak of: numbers in registers (reg), pointers too (ptr), and memory (mem); the rest is
    /// arbitrary
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        default_value = "mem",
        help_heading = "Encoding"
    )]
    pub track: TrackArg,
    /// How memory becomes logic: nested choices (lambda), the theory of arrays, with an array for
    /// each object (array) or for each region (region), or the theory of memory (seam)
    #[arg(long, value_parser = named(Representation::ALL), default_value = "lambda", help_heading = "Encoding")]
    pub memory: Representation,
    /// With --memory seam: do not compare pointers by the ranges of their offsets
    #[arg(long, help_heading = "Encoding")]
    pub no_ranges: bool,
    /// With --memory seam: do not group writes to an object in a map
    #[arg(long, help_heading = "Encoding")]
    pub no_store_maps: bool,
    /// Bytes in a word of memory
    #[arg(long, value_enum, default_value = "auto", help_heading = "Encoding")]
    pub word: WordSize,
    /// What a pointer is: object and offset (fat), or an address (raw)
    #[arg(long, value_parser = named(PointerStyle::ALL), default_value = "fat", help_heading = "Encoding")]
    pub pointers: PointerStyle,
    /// Where objects lie: at constant addresses (static), or relative to unknown starts of heap and
    /// stack (relative)
    #[arg(long, value_enum, default_value = "static", help_heading = "Encoding")]
    pub alloc: AllocStyle,
    /// Show the solver every term, not only those that a question depends on
    #[arg(long, help_heading = "Encoding")]
    pub no_coi: bool,
    /// Fold constants, but rewrite nothing else
    #[arg(long, help_heading = "Encoding")]
    pub no_simplify: bool,
    /// Stop at the first violation instead of looking for one of each obligation
    #[arg(long, help_heading = "Engine")]
    pub stop_at_first: bool,
    /// Seconds for everything
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 120.0,
        help_heading = "Limits"
    )]
    pub timeout: f64,
    /// Processes that work side by side: with two, proofs and the search for violations; with one, they take turns. With --all,
    /// the functions that are checked at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Limits")]
    pub jobs: Option<u32>,
    /// Megabytes for everything
    #[arg(long, value_name = "MB", help_heading = "Limits")]
    pub memory_limit: Option<u64>,
    /// How much is told of an execution that violates something: what the violation comes from (story), all that it does (full), or
    /// where it ends (none) [default: story; none with --prp]
    #[arg(long, value_enum, value_name = "MODE", help_heading = "Output")]
    pub trace: Option<TraceArg>,
    /// What makes the exit code 5 although nothing is violated; with `new` only what is new since --baseline makes it another than 0
    #[arg(long, value_enum, value_delimiter = ',', help_heading = "Output")]
    pub fail_on: Vec<FailOn>,
    /// An earlier report (of --json): what is new since then, and what is gone, is said
    #[arg(long, value_name = "OLD.json", help_heading = "Output")]
    pub baseline: Option<PathBuf>,
    /// Reports in files.
    #[command(flatten)]
    pub outputs: Outputs,
    /// Print times and counts to standard error, of every stage, pass, question to a solver and rewrite rule
    #[arg(long, help_heading = "Output")]
    pub stats: bool,
    /// List every obligation with its status, also what holds; twice: with the engine that settled it
    #[arg(long, short, action = clap::ArgAction::Count, help_heading = "Output")]
    pub verbose: u8,
    /// Show the source with the invariants of loops that were proved, as far as it has names for what they speak of
    #[arg(long, help_heading = "Output")]
    pub show_invariants: bool,
    /// Print violations and the result line only
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

impl VerifyArgs {
    /// Is the first violation all that is asked for?
    pub fn wants_first(&self) -> bool {
        self.stop_at_first || self.input.prp.is_some()
    }

    /// May the work be done by processes side by side? What is kept and counted of it is that of one process.
    pub fn works_beside(&self) -> bool {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or_else(cores, |jobs| jobs as usize);
        jobs > 1 && self.input.save.is_none() && self.input.dump_after.is_none() && !self.stats
    }

    /// How much is told of an execution that violates something.
    pub fn trace(&self) -> TraceArg {
        // Competitions count the time.
        self.trace.unwrap_or(match self.input.prp {
            Some(_) => TraceArg::None,
            None => TraceArg::Story,
        })
    }

    /// The time for everything; none if it is beyond what a clock counts.
    pub fn time(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.timeout).ok()
    }

    /// The memory for everything, in bytes.
    pub fn memory_bytes(&self) -> Option<u64> {
        self.memory_limit
            .map(|megabytes| megabytes.saturating_mul(1 << 20))
    }
}

/// The files that reports go to: an option for each format that there is.
#[derive(Clone, Default, Debug)]
pub struct Outputs {
    /// The option of a format, and its file.
    files: Vec<(&'static str, PathBuf)>,
}

impl Outputs {
    /// The formats that are wanted, and where.
    pub fn wanted(&self) -> impl Iterator<Item = (&'static Format, &Path)> {
        FORMATS.iter().filter_map(|format| {
            let mut files = self.files.iter();
            let (_, file) = files.find(|(option, _)| *option == format.option)?;
            Some((format, file.as_path()))
        })
    }
}

impl FromArgMatches for Outputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Outputs, clap::Error> {
        let file = |format: &Format| {
            let file = matches.get_one::<PathBuf>(format.option)?;
            Some((format.option, file.clone()))
        };
        let files = FORMATS.iter().filter_map(file).collect();
        Ok(Outputs { files })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Outputs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Outputs {
    fn augment_args(command: clap::Command) -> clap::Command {
        FORMATS.iter().fold(command, |command, format| {
            let arg = Arg::new(format.option)
                .long(format.option)
                .value_name("F")
                .value_parser(clap::value_parser!(PathBuf))
                .help(format.help)
                .help_heading("Output");
            command.arg(arg)
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Outputs::augment_args(command)
    }
}

/// `replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// What `selkie verify --json` wrote; files are found where it was run
    #[arg(value_name = "REPORT")]
    pub file: PathBuf,
    /// The id of one violation [default: all]
    #[arg(value_name = "ID")]
    pub violation: Option<String>,
    /// What is shown: every line with what changed there (full), what the violation comes from (story), or only whether it is met
    /// again (none)
    #[arg(long, value_enum, default_value = "full", value_name = "MODE")]
    pub trace: TraceArg,
}

/// `validate-witness`.
#[derive(Args, Clone, Debug)]
pub struct ValidateArgs {
    /// The witness: a violation (violation_sequence), or the invariants of a proof (invariant_set). Without --check and --prp its own
    /// property is checked
    #[arg(value_name = "WITNESS")]
    pub witness: PathBuf,
    /// When the waypoints of a violation must hold: when the execution first comes there (now), or at a later visit (later)
    /// [default: one after the other]
    #[arg(long, value_enum, value_name = "WHEN")]
    pub waypoints: Option<WaypointsArg>,
    /// The program, and how it is verified.
    #[command(flatten)]
    pub verify: VerifyArgs,
}

/// `run`.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,
    /// Values for the program's inputs, in order: 1,-2,3 (others are 0); or the file that `verify --json` wrote, whose first
    /// counterexample is executed
    #[arg(
        long,
        value_name = "LIST|REPORT",
        allow_hyphen_values = true,
        conflicts_with = "seed"
    )]
    pub inputs: Option<String>,
    /// Which counterexample of that file: the id of its violation
    #[arg(long, value_name = "ID")]
    pub violation: Option<String>,
    /// Choose inputs at random
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Instructions that may be executed
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    pub steps: u64,
    /// Print source lines and values as they are executed, to standard error
    #[arg(long)]
    pub trace: bool,
    /// Which phase of the IR is executed
    #[arg(long, value_enum, default_value = "raw")]
    pub phase: PhaseArg,
}

/// `list`.
#[derive(Args, Clone, Debug)]
pub struct ListArgs {
    /// The program.
    #[command(flatten)]
    pub input: InputArgs,
    /// What to list, one line each
    #[arg(long, value_enum, default_value = "functions")]
    pub show: Show,
    /// Draw the regions (Graphviz): a cluster for each function
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
}

/// `explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArgs {
    /// A check, a status or a reason; all are listed without one
    pub check: Option<String>,
    /// Show the model of a library function instead
    #[arg(long, value_name = "FUNCTION", conflicts_with = "check")]
    pub model: Option<String>,
}

/// `smt`.
#[derive(Args, Clone, Debug)]
pub struct SmtArgs {
    /// An SMT-LIB 2 file
    pub file: PathBuf,
    /// Solver: bitwuzla, z3, or smtlib:COMMAND
    #[arg(long, value_name = "NAME", default_value = "bitwuzla")]
    pub solver: String,
    /// Seconds for each check
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
}

/// `horn`.
#[derive(Args, Clone, Debug)]
pub struct HornArgs {
    /// Write the clauses of a program instead: FILE and the other options are those of `verify`
    #[arg(long)]
    pub emit: bool,
    /// Print what the predicates mean if no query can be derived, and the derivation if one can
    #[arg(long, conflicts_with = "emit")]
    pub model: bool,
    /// What program, and what is asked of it.
    #[command(flatten)]
    pub verify: VerifyArgs,
}

/// Sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DataModel {
    /// 64-bit pointers and `long`
    #[value(name = "LP64")]
    Lp64,
    /// 32-bit `int`, `long` and pointers
    #[value(name = "ILP32")]
    Ilp32,
}

/// The engines that there are, and those that are planned.
fn engine_names() -> PossibleValuesParser {
    let names = engines::names().into_iter();
    PossibleValuesParser::new(names.map(|(name, about)| PossibleValue::new(name).help(about)))
}

/// The domains of abstract interpretation.
fn domain_names() -> PossibleValuesParser {
    let names = absint::choice::DOMAINS.iter();
    PossibleValuesParser::new(names.map(|(_, name, about)| PossibleValue::new(*name).help(*about)))
}

/// What functions without a body do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Extern {
    /// Any result, any change to memory in reach
    Havoc,
    /// Any result
    Pure,
    /// The verdict is unknown if one is called
    Error,
}

/// What pointers from unknown code are that lead to no object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExternPointers {
    /// The verdict is unknown where one is used
    Unknown,
    /// Valid, if not null
    Valid,
}

/// What a volatile read yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Volatile {
    /// Any value
    Any,
    /// What was written last
    Last,
}

/// A range of addresses, both ends included.
fn address_range(text: &str) -> Result<(u64, u64), String> {
    let number = |text: &str| {
        let text = text.trim();
        match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        }
        .map_err(|_| format!("`{text}` is no address"))
    };
    let (first, last) = text
        .split_once('-')
        .ok_or("a range of addresses is written FROM-TO")?;
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err("the range ends before it begins".to_owned());
    }
    if first == 0 {
        return Err("null cannot be the address of a device".to_owned());
    }
    Ok((first, last))
}

/// What a signed overflow means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Overflow {
    /// Arithmetic wraps
    Wraps,
    /// The execution ends there
    Ends,
    /// It is a violation
    Checked,
}

/// What an execution does after a violated check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AfterFailure {
    /// It ends
    Stop,
    /// It goes on
    Continue,
}

/// Evidence for `true`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Certify {
    /// None
    Off,
    /// A second solver is asked
    Replay,
    /// A checked proof (not built yet)
    Full,
}

/// Regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Regions {
    /// Points-to analysis, context-sensitive
    #[value(alias = "cs")]
    Dsa,
    /// Points-to analysis, context-insensitive
    Ci,
    /// Variables whose address stays where it is have their own
    Split,
    /// One for everything
    Flat,
}

/// What numbers are in clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum IntsArg {
    /// Integers that do not wrap, which is asked as well
    Ideal,
    /// Integers, with the wrapping written out; an invariant counts if it holds of the bit-vectors
    Math,
    /// Bit-vectors
    Bv,
}

impl IntsArg {
    /// What solvers of clauses call it.
    pub fn meaning(self) -> Ints {
        match self {
            IntsArg::Ideal => Ints::Ideal,
            IntsArg::Math => Ints::Math,
            IntsArg::Bv => Ints::Bv,
        }
    }
}

/// Where Horn clauses begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StepArg {
    /// At the heads of loops
    Large,
    /// At every block
    Small,
}

/// What the predicates of Horn clauses speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TrackArg {
    /// Numbers in registers
    Reg,
    /// Pointers in registers too
    Ptr,
    /// And memory
    Mem,
}

/// How a program becomes logic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum VcStyle {
    /// Symbolic evaluation
    Eval,
    /// Unrolled, inlined, brought into reduced pure data flow
    Dataflow,
    /// Unrolled, inlined, a condition for each block
    Path,
}

/// Bytes in a word of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WordSize {
    /// What the accesses suggest
    Auto,
    /// Bytes
    #[value(name = "1")]
    One,
    /// 32-bit words
    #[value(name = "4")]
    Four,
    /// 64-bit words (32-bit ones if pointers are)
    #[value(name = "8")]
    Eight,
}

/// Reads one of a list that another crate keeps: what it is called, what is said of it, and what it is.
fn named<T: Copy + Send + Sync>(
    all: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let values = all
        .iter()
        .map(|(name, help, _)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).map(move |given| {
        let mut known = all.iter();
        let found = known.find(|(name, _, _)| *name == given);
        found.expect("only names of the list are accepted").2
    })
}
