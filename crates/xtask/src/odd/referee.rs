//! Asks a verifier, with its switches at random, and compares its answers with what is known.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use super::kinds::KINDS;
use super::truth::Oracle;
use super::{Task, kind_of, tasks_of};
use crate::random::Random;

/// Switches that change how a program becomes logic, never what it means; one of each line at most.
const SWITCHES: &[&[&str]] = &[
    &["--opt 0", "--opt 1", "--opt 2"],
    &["--vc path", "--vc dataflow", "--vc eval"],
    &[
        "--memory array",
        "--memory lambda",
        "--memory region",
        "--memory seam",
    ],
    &["--no-ranges", "--no-store-maps"],
    // Raw pointers need static addresses.
    &[
        "--pointers raw",
        "--pointers fat",
        "--alloc relative",
        "--pointers fat --alloc relative",
        "--alloc static",
    ],
    &["--word 1", "--word 4", "--word 8"],
    &[
        "--regions dsa",
        "--regions ci",
        "--regions split",
        "--regions flat",
    ],
    &["--solver z3", "--solver bitwuzla"],
    &[
        "--engine auto",
        "--engine auto --calls summary",
        "--engine bmc",
        "--engine kind",
        "--engine kind --calls summary",
        "--engine chc",
        "--engine chc --calls summary",
        "--engine chc --calls summary --fmap auto",
        "--engine kind --calls summary --fmap s5-a5",
        "--engine absint",
        "--engine absint --domain zone,interval",
        "--engine absint --domain octagon",
        "--engine auto --calls mixed",
        "--engine bmc --calls mixed",
        "--engine kind --calls mixed",
        "--engine chc --calls mixed",
        "--engine chc --step small",
        "--engine chc --step small --track reg",
        "--engine chc --track ptr",
        "--engine chc --ints ideal",
        "--engine chc --ints math",
    ],
    // With two, proofs and the search are processes side by side.
    &["--jobs 1", "--jobs 2"],
    &["--no-coi"],
    &["--no-simplify"],
    &["--certify off"],
    &["--stop-at-first"],
    &["--unwind 4"],
];

/// Whom to ask, and how.
#[derive(Clone, Debug)]
pub struct Verifier {
    /// The program.
    pub program: PathBuf,
    /// Seconds for each question.
    pub timeout: u32,
    /// How many of the questions that a program gives are asked.
    pub questions: usize,
    /// The only kind of program that is written, if not all are.
    pub only: Option<String>,
    /// Where programs are written, and those that went wrong are kept.
    pub folder: PathBuf,
}

/// What an answer is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// What is known.
    Right,
    /// No answer.
    Unknown,
    /// A violation exists, but of another property than the one that is named.
    Other,
    /// No answer, and the verifier's own fault.
    Crash,
    /// The opposite of what is known.
    Wrong,
}

/// An answer that somebody has to look at.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// What it is worth.
    pub judgement: Judgement,
    /// The task, the command and the answer, in one line.
    pub line: String,
}

/// The answers to many questions.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many of each.
    pub counts: BTreeMap<Judgement, usize>,
    /// Answers by kind of program: right, and all.
    pub kinds: BTreeMap<String, (usize, usize)>,
    /// What is not right or unknown.
    pub complaints: Vec<Complaint>,
    /// Programs that could not be used.
    pub unusable: usize,
}

impl Summary {
    /// How many answers are worth this.
    pub fn count(&self, judgement: Judgement) -> usize {
        self.counts.get(&judgement).copied().unwrap_or(0)
    }

    /// How many questions were asked.
    pub fn asked(&self) -> usize {
        self.counts.values().sum()
    }
}

/// What is told while questions are asked.
pub enum News<'a> {
    /// An answer that somebody has to look at.
    Complaint(&'a Complaint),
    /// How it stands, after every hundred questions.
    Count(&'a Summary),
}

/// Asks `count` questions about random programs, from program `start` on; `tell` hears of each complaint at once.
pub fn referee(
    verifier: &Verifier,
    seed: u64,
    start: u64,
    count: usize,
    jobs: usize,
    tell: &(dyn Fn(News) + Sync),
) -> Result<Summary> {
    if let Some(only) = &verifier.only
        && !KINDS.iter().any(|kind| kind.name == only)
    {
        bail!("there is no kind {only}");
    }
    let (next, summary) = (AtomicU64::new(start), Mutex::new(Summary::default()));
    let lock = || summary.lock().expect("no worker panics while it counts");
    let worker = |number: usize| -> Result<()> {
        let oracle = Oracle::new(&verifier.folder.join(format!("worker-{number}")))?;
        while lock().asked() < count {
            let program = next.fetch_add(1, Ordering::Relaxed);
            if verifier
                .only
                .as_ref()
                .is_some_and(|only| only != kind_of(program).name)
            {
                continue;
            }
            let mut random = Random::new(seed ^ 0x5a5a, program);
            let mut tasks = tasks_of(&oracle, seed, program)?;
            if tasks.is_empty() {
                lock().unusable += 1;
            }
            while tasks.len() > verifier.questions {
                tasks.remove(random.below(tasks.len()));
            }
            for task in tasks {
                let switches = switches(&mut random);
                let (judgement, line) = ask(verifier, &task, &switches)?;
                let mut summary = lock();
                *summary.counts.entry(judgement).or_default() += 1;
                let kind = task.id.split('-').nth(2).unwrap_or_default().to_owned();
                let (right, all) = summary.kinds.entry(kind).or_default();
                *right += usize::from(judgement == Judgement::Right);
                *all += 1;
                if judgement > Judgement::Unknown {
                    let complaint = Complaint { judgement, line };
                    tell(News::Complaint(&complaint));
                    summary.complaints.push(complaint);
                }
                if summary.asked() % 100 == 0 {
                    tell(News::Count(&summary));
                }
            }
        }
        Ok(())
    };
    thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..jobs.max(1))
            .map(|number| scope.spawn(move || worker(number)))
            .collect();
        for worker in workers {
            worker.join().expect("a worker does not panic")?;
        }
        Ok(())
    })?;
    Ok(summary
        .into_inner()
        .expect("no worker panics while it counts"))
}

/// Some switches.
pub fn switches(random: &mut Random) -> Vec<&'static str> {
    let mut chosen = Vec::new();
    for line in SWITCHES {
        // The last ones cost answers: they are rare.
        let rare = line.len() == 1;
        if random.below(if rare { 6 } else { 2 }) == 0 {
            chosen.extend(random.pick(line).split(' '));
        }
    }
    chosen
}

/// Asks one question.
fn ask(verifier: &Verifier, task: &Task, switches: &[&str]) -> Result<(Judgement, String)> {
    let file = verifier.folder.join(&task.id).with_extension("c");
    fs::write(&file, &task.text).with_context(|| format!("cannot write {}", file.display()))?;
    let mut words: Vec<String> = ["verify", "--timeout"].map(str::to_owned).to_vec();
    words.push(verifier.timeout.to_string());
    words.extend(["--data-model".to_owned(), task.data_model.name().to_owned()]);
    if !task.checks.is_empty() {
        words.extend(["--check".to_owned(), task.checks.clone()]);
    }
    words.extend(
        task.options
            .iter()
            .chain(switches)
            .map(|word| (*word).to_owned()),
    );
    words.push(file.display().to_string());
    let (code, result) = run(&verifier.program, &words)?;
    let judgement = judge(task, code, &result);
    if judgement <= Judgement::Unknown {
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    let expected = if task.violated.is_empty() {
        "true".to_owned()
    } else {
        format!("false {:?}", task.violated)
    };
    let line = format!(
        "{judgement:?}: {} expected {expected}, got {result} (exit {code:?}): selkie {}",
        task.id,
        words.join(" ")
    );
    Ok((judgement, line))
}

/// Runs the verifier: its exit code, and what it says after `RESULT: `.
pub fn run(program: &Path, words: &[String]) -> Result<(Option<i32>, String)> {
    let output = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let result = said
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("RESULT: "));
    Ok((output.status.code(), result.unwrap_or("nothing").to_owned()))
}

/// What an answer is worth.
fn judge(task: &Task, code: Option<i32>, result: &str) -> Judgement {
    if result == "true" {
        return match (task.violated.is_empty(), code) {
            (false, _) => Judgement::Wrong,
            (true, Some(0)) => Judgement::Right,
            (true, _) => Judgement::Crash,
        };
    }
    let named = result
        .strip_prefix("false(")
        .and_then(|rest| rest.strip_suffix(')'));
    match (named, code) {
        (Some(_), _) if task.violated.is_empty() => Judgement::Wrong,
        (Some(property), Some(10)) if task.violated.contains(property) => Judgement::Right,
        (Some(_), Some(10)) => Judgement::Other,
        (None, Some(3 | 5 | 12 | 124)) if result.starts_with("unknown") => Judgement::Unknown,
        _ => Judgement::Crash,
    }
}

#[cfg(test)]
mod tests {
    use super::{Judgement, judge};
    use crate::native::DataModel;
    use crate::odd::Task;

    #[test]
    fn an_answer_is_judged_by_what_is_known() {
        let task = |violated: &[&str]| Task {
            id: String::new(),
            text: String::new(),
            checks: String::new(),
            options: Vec::new(),
            data_model: DataModel::Lp64,
            violated: violated.iter().map(|name| (*name).to_owned()).collect(),
        };
        let (holds, fails) = (task(&[]), task(&["no-overflow"]));
        assert_eq!(judge(&holds, Some(0), "true"), Judgement::Right);
        assert_eq!(judge(&fails, Some(0), "true"), Judgement::Wrong);
        assert_eq!(judge(&holds, Some(10), "false(assert)"), Judgement::Wrong);
        assert_eq!(
            judge(&fails, Some(10), "false(no-overflow)"),
            Judgement::Right
        );
        assert_eq!(judge(&fails, Some(10), "false(assert)"), Judgement::Other);
        assert_eq!(
            judge(&fails, Some(124), "unknown(timeout)"),
            Judgement::Unknown
        );
        assert_eq!(judge(&holds, Some(6), "error(internal)"), Judgement::Crash);
        assert_eq!(judge(&holds, Some(5), "nothing"), Judgement::Crash);
    }
}
