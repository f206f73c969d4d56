//! `selkie validate-witness`: is a witness of SV-COMP (YAML, format 2.0) one?
//!
//! The program is changed by what the witness says, and verified again; nothing in the witness is believed.
//!
//! - *A violation*: the program counts the waypoints that it passes, in order, and an execution in which one does not hold where it is
//!   due does not count. What is found at the target is replayed by the interpreter, and in its memory all waypoints must have been
//!   passed. If there is no such execution, waypoints may be passed later than at the first visit, and the execution must have passed
//!   them all when it comes to the target.
//! - *A proof*: the invariants are obligations (`sk_invariant`), which are proved, and then help to prove the property.
//!
//! Lines and files stay as they are (`#line`), so that everything is reported at its own place.

mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use bench::yaml;
use checks::registry::CheckId;
use results::story::What;
use results::{Failure, Verdict};

use crate::args::{TraceArg, ValidateArgs, VerifyArgs, WaypointsArg};
use crate::ctext;
use crate::report::Report;
use crate::report::witness::digest;
use crate::supervise::Supervised;
use crate::{report, verify};

/// The counter of waypoints that were passed.
const COUNTER: &str = "selkie_waypoints_passed";

/// The same, where no compiler leaves out that it is written.
const SEEN: &str = "selkie_waypoints_seen";

/// A place of a witness.
struct Location {
    file: String,
    line: u32,
    column: Option<u32>,
}

/// Something that a violation passes.
struct Waypoint {
    kind: Kind,
    constraint: String,
    location: Location,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Assumption,
    Return,
    Branching,
    Target,
}

/// Something that holds.
struct Holds {
    expression: String,
    location: Location,
    /// At the head of a loop, or before a statement?
    at_loop: bool,
}

/// What a witness says.
enum Content {
    Violation(Vec<Waypoint>),
    Proof(Vec<Holds>),
}

struct Witness {
    hashes: Vec<(String, String)>,
    specification: String,
    content: Content,
}

/// Runs the command; returns the exit code.
pub fn validate(args: &ValidateArgs) -> Result<u8, Failure> {
    let name = args.witness.display();
    let wrong = |what: String| Failure::input(format!("{name}: {what}"));
    let text = fs::read_to_string(&args.witness).map_err(|error| wrong(error.to_string()))?;
    let node = yaml::read(&text).map_err(|(line, reason)| match line {
        Some(line) => wrong(format!("line {line} is no YAML of a witness: {reason}")),
        None => wrong(format!("is no witness: {reason}")),
    })?;
    let witness = read::read(&node).map_err(wrong)?;
    let folder = std::env::temp_dir().join(format!("selkie-witness-{}", std::process::id()));
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::internal(format!("{}: {error}", folder.display())))?;
    let done = judge(args, &witness, &folder);
    let _ = fs::remove_dir_all(&folder);
    match done? {
        Some(code) => Ok(code),
        None => later(),
    }
}

/// Once more, where waypoints may be passed later: in a process of its own, since one that has worked has threads, and cannot fork.
fn later() -> Result<u8, Failure> {
    let failed = |error: std::io::Error| Failure::internal(format!("cannot start again: {error}"));
    let program = std::env::current_exe().map_err(failed)?;
    let mut words = std::env::args_os().skip(1);
    let status = Command::new(program)
        .args(words.next())
        .args(["--waypoints", "later"])
        .args(words)
        .status()
        .map_err(failed)?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.ok_or_else(|| Failure::internal("the second attempt ended without an answer"))
}

/// What came of it.
enum Judgement {
    Confirmed,
    Refuted(String),
    Unknown(String),
}

/// The exit code; none if it is worth another attempt.
fn judge(args: &ValidateArgs, witness: &Witness, folder: &Path) -> Result<Option<u8>, Failure> {
    let verify = &args.verify;
    for (file, hash) in &witness.hashes {
        let Some(given) = file_of(verify, file) else {
            continue;
        };
        let bytes = fs::read(given)
            .map_err(|error| Failure::input(format!("{}: {error}", given.display())))?;
        if *hash != digest(&bytes) {
            return Err(Failure::usage(format!(
                "the witness is about another {file}: give the file that it was written for, or leave its hash out of the witness"
            )));
        }
    }
    only_asks(verify, &witness.content)?;
    let base = asked(verify, witness, folder)?;
    let (judgement, report) = match &witness.content {
        Content::Proof(list) => proof(&base, list, folder)?,
        Content::Violation(list) => violation(&base, list, folder, args.waypoints)?,
    };
    let again = !matches!(judgement, Judgement::Confirmed)
        && matches!(&witness.content, Content::Violation(list) if list.len() > 1)
        && args.waypoints.is_none();
    if again {
        return Ok(None);
    }
    println!("{}", report.trim_end());
    let (words, code) = match &judgement {
        Judgement::Confirmed => ("confirmed".to_owned(), None),
        Judgement::Refuted(why) => (format!("refuted: {why}"), Some(5)),
        Judgement::Unknown(why) => (format!("not confirmed: {why}"), Some(5)),
    };
    println!("witness: {words}");
    match (code, &witness.content) {
        (None, Content::Proof(_)) => {
            println!("RESULT: true");
            Ok(Some(0))
        }
        (None, Content::Violation(_)) => {
            println!("RESULT: false({})", property(&report));
            Ok(Some(10))
        }
        (Some(code), _) => {
            println!("RESULT: unknown(unconfirmed)");
            Ok(Some(code))
        }
    }
}

/// What a witness says is put into the program: it asks, and changes nothing of what is verified.
fn only_asks(verify: &VerifyArgs, content: &Content) -> Result<(), Failure> {
    let texts: Result<Vec<String>, Failure> = verify
        .input
        .files
        .iter()
        .map(|file| read_source(file))
        .collect();
    let texts = texts?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let said: Vec<(&str, u32)> = match content {
        Content::Violation(list) => {
            let list = list.iter().filter(|point| point.kind != Kind::Target);
            list.map(|point| (point.constraint.as_str(), point.location.line))
                .collect()
        }
        Content::Proof(list) => {
            let list = list.iter();
            list.map(|holds| (holds.expression.as_str(), holds.location.line))
                .collect()
        }
    };
    for (text, line) in said {
        let wrong = |why: String| {
            Failure::input(format!(
                "what the witness says of line {line} is no question (`{text}`): {why}"
            ))
        };
        frontend::contracts::asks(text, &texts).map_err(wrong)?;
        if let Some(name) = ctext::macros(&texts)
            .into_iter()
            .find(|name| ctext::names(text).contains(name))
        {
            return Err(wrong(format!("`{name}` is a macro")));
        }
    }
    Ok(())
}

fn read_source(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| Failure::input(format!("{}: {error}", file.display())))
}

/// The property that a report says is violated.
fn property(report: &str) -> &str {
    let line = report
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("verdict: false("));
    line.and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or("assert")
}

/// What is asked: the options' property, or else that of the witness.
fn asked(verify: &VerifyArgs, witness: &Witness, folder: &Path) -> Result<VerifyArgs, Failure> {
    let mut base = verify.clone();
    base.quiet = false;
    base.trace = Some(TraceArg::Story);
    // Processes beside this one would read its own command line.
    base.jobs = Some(1);
    if base.input.prp.is_some() || base.input.check.is_some() {
        return Ok(base);
    }
    let packed: String = witness.specification.split_whitespace().collect();
    if packed.is_empty() {
        return Ok(base);
    }
    if bench::property::read_specification(&witness.specification).is_ok() {
        let file = folder.join("witness.prp");
        fs::write(&file, &witness.specification)
            .map_err(|error| Failure::internal(format!("{}: {error}", file.display())))?;
        base.input.prp = Some(file);
        return Ok(base);
    }
    // Our own checks, which SV-COMP has no property for.
    let mut checks = BTreeSet::new();
    for line in packed.split("LTL(").skip(1) {
        let formula = line.split("))").next().unwrap_or_default();
        let formula = formula.trim_start_matches('G').trim_end_matches(')');
        let of = CheckId::all().filter(|id| {
            let property = id.check().property.unwrap_or(id.name());
            property == formula
                || property == "no-overflow" && formula == "!overflow"
                || property == "unreach-call" && formula.starts_with("!call(")
        });
        let before = checks.len();
        checks.extend(of.map(CheckId::name));
        if checks.len() == before {
            return Err(Failure::usage(format!(
                "the witness is about a property that is not known ({formula}): say what is to be checked with --check or --prp"
            )));
        }
    }
    let names: Vec<&str> = checks.into_iter().collect();
    base.input.check = Some(names.join(","));
    Ok(base)
}

/// The file among those given that a witness means.
fn file_of<'a>(verify: &'a VerifyArgs, name: &str) -> Option<&'a PathBuf> {
    let files = &verify.input.files;
    let same = files.iter().find(|file| file.as_path() == Path::new(name));
    let named = || {
        let last = Path::new(name).file_name();
        let mut fits = files.iter().filter(|file| file.file_name() == last);
        fits.next().filter(|_| fits.next().is_none())
    };
    let single = || files.first().filter(|_| files.len() == 1);
    same.or_else(named).or_else(single)
}

/// The invariants are proved, and the property.
fn proof(base: &VerifyArgs, list: &[Holds], folder: &Path) -> Result<(Judgement, String), Failure> {
    let mut edits = Edits::new(base)?;
    for holds in list {
        edits.invariant(holds)?;
    }
    let mut args = edits.write(base, folder, "")?;
    args.input.further.push(CheckId::Invariant);
    let (found, verdict, report) = run(&args);
    let statuses = found.results.shown();
    let refuted = statuses
        .filter(|(_, claim, status)| {
            claim.check == CheckId::Invariant && matches!(status, results::Status::Violated)
        })
        .map(|(_, claim, _)| {
            claim
                .place
                .as_ref()
                .map_or_else(String::new, ToString::to_string)
        })
        .next();
    let judgement = match (refuted, verdict) {
        (Some(place), _) => {
            Judgement::Refuted(format!("the invariant at {place} does not always hold"))
        }
        (None, Verdict::True) => Judgement::Confirmed,
        (None, Verdict::False(property)) => {
            Judgement::Refuted(format!("the program violates {property}"))
        }
        (None, other) => Judgement::Unknown(format!("the answer is {other}")),
    };
    Ok((judgement, report))
}

/// An execution passes the waypoints and violates the property at the target.
fn violation(
    base: &VerifyArgs,
    list: &[Waypoint],
    folder: &Path,
    when: Option<WaypointsArg>,
) -> Result<(Judgement, String), Failure> {
    let Some((target, passed)) = list.split_last() else {
        return Err(Failure::input("the witness has no waypoint".to_owned()));
    };
    if target.kind != Kind::Target || passed.iter().any(|point| point.kind == Kind::Target) {
        return Err(Failure::input(
            "the last waypoint of a violation must be its only target".to_owned(),
        ));
    }
    let Some(file) = file_of(base, &target.location.file) else {
        return Err(Failure::usage(format!(
            "the witness is about {}: give that file",
            target.location.file
        )));
    };
    let mut edits = Edits::new(base)?;
    for (index, point) in passed.iter().enumerate() {
        edits.waypoint(index, point)?;
    }
    let helper = match when {
        Some(WaypointsArg::Later) => {
            edits.target(passed.len(), target)?;
            LENIENT
        }
        Some(WaypointsArg::Now) | None => STRICT,
    };
    let mut args = edits.write(base, folder, helper)?;
    args.only = vec![format!("{}:{}", file.display(), target.location.line)];
    let (found, verdict, report) = run(&args);
    let all = passed.len().to_string();
    let confirmed = found.results.outcome.violations.iter().any(|violation| {
        passed.is_empty() || {
            let steps = violation.story.iter().flat_map(|story| &story.steps);
            let mut counts = steps.rev().filter_map(|step| match &step.what {
                What::Assign { name, value, .. } if name == SEEN => Some(value),
                _ => None,
            });
            counts.next() == Some(&all)
        }
    });
    let judgement = match verdict {
        _ if confirmed => Judgement::Confirmed,
        Verdict::True => Judgement::Refuted(format!(
            "no execution passes the waypoints and violates anything at line {}",
            target.location.line
        )),
        Verdict::False(_) => Judgement::Unknown(
            "the violation that was found does not pass the waypoints".to_owned(),
        ),
        other => Judgement::Unknown(format!("the answer is {other}")),
    };
    Ok((judgement, report))
}

/// Verifies: what was found, the verdict, and what people are told.
fn run(args: &VerifyArgs) -> (Supervised, Verdict, String) {
    let start = Instant::now();
    let found = verify::find(args, start);
    let (verdict, text) = {
        let report = Report::of(args, &found, start.elapsed());
        (report.verdict.clone(), report::told(args, &report))
    };
    let text = format!("{text}verdict: {verdict}\n");
    (found, verdict, text)
}

/// A waypoint that does not hold where it is due ends the execution.
const STRICT: &str = "static int selkie_waypoint(int number, _Bool holds) { if (selkie_waypoints_passed == number) { sk_assume(holds); \
    selkie_waypoints_passed = number + 1; selkie_waypoints_seen = number + 1; } return 0; }";

/// It may be passed later.
const LENIENT: &str = "static int selkie_waypoint(int number, _Bool holds) { if (selkie_waypoints_passed == number && holds) { \
    selkie_waypoints_passed = number + 1; selkie_waypoints_seen = number + 1; } return 0; }";

/// What is put into each file, by byte.
struct Edits {
    texts: BTreeMap<PathBuf, String>,
    inserted: BTreeMap<PathBuf, Vec<(usize, u32, String)>>,
    count: u32,
    verify: VerifyArgs,
}

impl Edits {
    fn new(verify: &VerifyArgs) -> Result<Edits, Failure> {
        let mut texts = BTreeMap::new();
        for file in &verify.input.files {
            let is_source = file
                .extension()
                .is_some_and(|extension| matches!(extension.to_str(), Some("c" | "i")));
            if !is_source {
                return Err(Failure::usage(format!(
                    "{}: witnesses are about sources in C (.c, .i)",
                    file.display()
                )));
            }
            let text = read_source(file)?;
            texts.insert(file.clone(), text);
        }
        Ok(Edits {
            texts,
            inserted: BTreeMap::new(),
            count: 0,
            verify: verify.clone(),
        })
    }

    /// The file, its text and the byte of a place.
    fn find(&self, at: &Location) -> Result<(PathBuf, usize), Failure> {
        let file = file_of(&self.verify, &at.file).ok_or_else(|| {
            Failure::usage(format!("the witness is about {}: give that file", at.file))
        })?;
        let text = &self.texts[file];
        let column = match at.column {
            Some(column) => column,
            None => {
                let line = text.lines().nth(at.line.max(1) as usize - 1);
                let indent = line.map_or(0, |line| line.len() - line.trim_start().len());
                indent as u32 + 1
            }
        };
        let offset = ctext::offset(text, at.line, column).ok_or_else(|| nowhere(at))?;
        Ok((file.clone(), offset))
    }

    fn insert(&mut self, file: &Path, at: usize, text: String) {
        let list = self.inserted.entry(file.to_owned()).or_default();
        list.push((at, self.count, text));
        self.count += 1;
    }

    fn invariant(&mut self, holds: &Holds) -> Result<(), Failure> {
        let (file, at) = self.find(&holds.location)?;
        let text = self.texts[&file].clone();
        let is_code = ctext::code(&text);
        let claim = format!("(sk_invariant({}), 1)", holds.expression);
        if !holds.at_loop {
            self.before(
                &file,
                &text,
                at,
                &format!("sk_invariant({})", holds.expression),
            );
            return Ok(());
        }
        let nowhere = || nowhere(&holds.location);
        let keyword = ctext::name_at(&text, at);
        let head = match keyword {
            "for" | "while" => at,
            "do" => {
                let body = ctext::next(&text, &is_code, at + 2).ok_or_else(nowhere)?;
                let end = ctext::closing(&text, &is_code, body).ok_or_else(nowhere)?;
                ctext::next(&text, &is_code, end + 1).ok_or_else(nowhere)?
            }
            _ => return Err(nowhere()),
        };
        let word = ctext::name_at(&text, head);
        let open = ctext::next(&text, &is_code, head + word.len()).ok_or_else(nowhere)?;
        if !matches!(word, "for" | "while") || !text[open..].starts_with('(') {
            return Err(nowhere());
        }
        let close = ctext::closing(&text, &is_code, open).ok_or_else(nowhere)?;
        let (start, end) = match word {
            "while" => (open + 1, close),
            _ => {
                let mut depth = 0_u32;
                let mut semicolons = Vec::new();
                for (at, byte) in text.bytes().enumerate().take(close).skip(open + 1) {
                    match byte {
                        _ if !is_code[at] => {}
                        b'(' | b'[' | b'{' => depth += 1,
                        b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                        b';' if depth == 0 => semicolons.push(at),
                        _ => {}
                    }
                }
                let [first, second] = semicolons[..] else {
                    return Err(nowhere());
                };
                (first + 1, second)
            }
        };
        if ctext::next(&text, &is_code, start).is_some_and(|next| next < end) {
            self.insert(&file, start, format!("{claim} && ("));
            self.insert(&file, end, ")".to_owned());
        } else {
            self.insert(&file, start, claim);
        }
        Ok(())
    }

    /// Puts a call before a statement or declaration.
    fn before(&mut self, file: &Path, text: &str, at: usize, call: &str) {
        let inserted = match is_declaration(&text[at..]) {
            true => format!("{call}; "),
            // Also where a single statement stands, as behind an `if`.
            false => format!("if ({call}, 0) ; else "),
        };
        self.insert(file, at, inserted);
    }

    fn waypoint(&mut self, index: usize, point: &Waypoint) -> Result<(), Failure> {
        let (file, at) = self.find(&point.location)?;
        let text = self.texts[&file].clone();
        let is_code = ctext::code(&text);
        let nowhere = || nowhere(&point.location);
        match point.kind {
            Kind::Assumption => {
                let call = passes(index, &point.constraint);
                self.before(&file, &text, at, &call);
            }
            Kind::Return => {
                if !text[at..].starts_with(')') {
                    return Err(nowhere());
                }
                let open = (0..at).rev().filter(|&open| text.as_bytes()[open] == b'(');
                let mut open =
                    open.filter(|&open| ctext::closing(&text, &is_code, open) == Some(at));
                let open = open.next().ok_or_else(nowhere)?;
                let before = text[..open].trim_end();
                let start = before.trim_end_matches(ctext::is_name).len();
                if start == before.len() {
                    return Err(nowhere());
                }
                let constraint = point.constraint.replace("\\result", "selkie_result");
                if constraint.contains('\\') {
                    return Err(Failure::input(format!(
                        "the waypoint at line {} says `{}`: of ACSL only \\result is known",
                        point.location.line, point.constraint
                    )));
                }
                self.insert(&file, start, "({ __auto_type selkie_result = ".to_owned());
                self.insert(
                    &file,
                    at + 1,
                    format!("; {}; selkie_result; }})", passes(index, &constraint)),
                );
            }
            Kind::Branching => {
                let word = ctext::name_at(&text, at);
                let wanted = match (point.constraint.trim(), word) {
                    ("true", "if" | "while") => "",
                    ("false", "if" | "while") => "!",
                    _ => {
                        return Err(Failure::input(format!(
                            "the waypoint at line {} is a branch that is not known: `if` and `while` with true or false are",
                            point.location.line
                        )));
                    }
                };
                let open = ctext::next(&text, &is_code, at + word.len()).ok_or_else(nowhere)?;
                let close = ctext::closing(&text, &is_code, open).ok_or_else(nowhere)?;
                self.insert(&file, open + 1, "({ _Bool selkie_way = (".to_owned());
                let end =
                    format!("); selkie_waypoint({index}, {wanted}selkie_way); selkie_way; }})");
                self.insert(&file, close, end);
            }
            Kind::Target => {}
        }
        Ok(())
    }

    /// Executions count that have passed all waypoints when they come to the target.
    fn target(&mut self, count: usize, target: &Waypoint) -> Result<(), Failure> {
        let (file, at) = self.find(&target.location)?;
        let text = self.texts[&file].clone();
        let call = format!("sk_assume({COUNTER} == {count})");
        self.before(&file, &text, at, &call);
        Ok(())
    }

    /// Writes the changed files, and says how they are verified.
    fn write(
        self,
        base: &VerifyArgs,
        folder: &Path,
        waypoint: &str,
    ) -> Result<VerifyArgs, Failure> {
        let mut args = base.clone();
        let mut folders = BTreeSet::new();
        for (number, (file, text)) in self.texts.iter().enumerate() {
            let mut inserted = self.inserted.get(file).cloned().unwrap_or_default();
            inserted.sort_by_key(|&(at, order, _)| (at, order));
            let mut changed = String::from("void sk_assume(_Bool);\nvoid sk_invariant(_Bool);\n");
            if !waypoint.is_empty() {
                let word = if number == 0 { "" } else { "extern " };
                let _ = writeln!(
                    changed,
                    "#line 1 \"witness\"\n{word}int {COUNTER};\n{word}volatile int {SEEN};\n{waypoint}"
                );
            }
            let name = file.display().to_string();
            let _ = writeln!(changed, "#line 1 {name:?}");
            let mut from = 0;
            for (at, _, piece) in &inserted {
                changed.push_str(&text[from..*at]);
                changed.push_str(piece);
                from = *at;
            }
            changed.push_str(&text[from..]);
            let to = folder.join(format!("{number}.c"));
            fs::write(&to, changed)
                .map_err(|error| Failure::internal(format!("{}: {error}", to.display())))?;
            for given in args.input.files.iter_mut().filter(|given| *given == file) {
                given.clone_from(&to);
            }
            let parent = file.parent().filter(|parent| *parent != Path::new(""));
            folders.insert(parent.unwrap_or(Path::new(".")).to_owned());
        }
        // Headers beside the sources.
        args.input.include.extend(folders);
        Ok(args)
    }
}

/// Asks whether a waypoint is passed. Where it is not due, its constraint is not looked at: what is undefined there is none of the
/// program's.
fn passes(index: usize, constraint: &str) -> String {
    format!("({COUNTER} == {index} ? selkie_waypoint({index}, ({constraint})) : 0)")
}

fn nowhere(at: &Location) -> Failure {
    let column = at
        .column
        .map_or_else(String::new, |column| format!(", column {column}"));
    Failure::input(format!(
        "{}: what the witness says of line {}{column} does not stand there",
        at.file, at.line
    ))
}

/// Does a declaration begin here?
fn is_declaration(text: &str) -> bool {
    const TYPES: [&str; 22] = [
        "int", "char", "short", "long", "float", "double", "void", "signed", "unsigned", "const",
        "volatile", "static", "extern", "register", "auto", "struct", "union", "enum", "_Bool",
        "bool", "typedef", "inline",
    ];
    let first = ctext::name_at(text, 0);
    if TYPES.contains(&first) {
        return true;
    }
    // A name of a type, and the name that is declared.
    let rest = text[first.len()..].trim_start();
    let stars = rest.starts_with('*') && text[first.len()..].starts_with(char::is_whitespace);
    let second = ctext::name_at(rest.trim_start_matches(['*', ' ']), 0);
    let keywords = [
        "return", "goto", "else", "case", "sizeof", "do", "break", "continue",
    ];
    let declares = rest.starts_with(ctext::is_name) || stars;
    !first.is_empty() && !keywords.contains(&first) && declares && !second.is_empty()
}
