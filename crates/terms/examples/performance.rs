//! Measures the arena: `cargo run --release -p terms --example performance`. Results are in `docs/terms-performance.md`.

use std::time::SystemTime;

use terms::sample::Random;
use terms::smt::{Command, Script, Writer};
use terms::{Level, Model, Sort, Term, Terms, Value};

/// The time that this process has had on a processor, where the system tells, and otherwise the time of day:
/// other programs on the machine must not count.
fn now() -> f64 {
    let schedstat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = schedstat
        .split(' ')
        .next()
        .and_then(|field| field.parse::<f64>().ok());
    match nanoseconds {
        Some(nanoseconds) => nanoseconds / 1e9,
        None => SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0.0, |time| time.as_secs_f64()),
    }
}

fn report(what: &str, count: usize, start: f64) {
    let seconds = now() - start;
    println!(
        "{what:<44} {seconds:7.2} s {:8.2} million/s",
        count as f64 / seconds / 1e6
    );
}

/// The resident memory of this process in MB, where the system tells.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line
        .and_then(|line| line.trim().strip_suffix(" kB"))
        .and_then(|number| number.trim().parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1e3
}

/// Random operators over earlier terms, as an encoder makes them: mostly ites, sums and comparisons of recent terms.
fn mixture(level: Level, count: usize) {
    let mut terms = Terms::with_level(level);
    let mut random = Random::new(9);
    let mut words: Vec<Term> = (0..1000)
        .map(|index| terms.var(&format!("x{index}"), Sort::BitVec(32)))
        .collect();
    let mut conditions: Vec<Term> = (0..1000)
        .map(|index| terms.var(&format!("p{index}"), Sort::Bool))
        .collect();
    let before = terms.len();
    let start = now();
    let mut asked = 0;
    while terms.len() - before < count {
        let word = random.word();
        // All but one of 64 arguments are among the newest thousand, the others anywhere.
        let pick = |pool: &[Term], choice: u64| {
            let window = if choice & 63 == 0 { pool.len() } else { 1000 };
            pool[pool.len() - 1 - (choice >> 6 & 0xff_ffff) as usize % window]
        };
        let (x, y) = (pick(&words, word >> 8), pick(&words, word >> 36));
        let (p, q) = (pick(&conditions, word >> 10), pick(&conditions, word >> 34));
        match word % 16 {
            0..=2 => words.push(terms.ite(p, x, y)),
            3..=4 => words.push(terms.add(x, y)),
            5 => {
                let k = terms.bv_u64(word >> 40 & 0xff, 32);
                words.push(terms.add(x, k));
            }
            6 => words.push(terms.bvxor(x, y)),
            7 => words.push(terms.bvand(x, y)),
            8 => {
                let low = terms.extract(x, 7, 0);
                words.push(terms.zext(low, 32));
            }
            9 => words.push(terms.mul(x, y)),
            10 => conditions.push(terms.ult(x, y)),
            11 => conditions.push(terms.slt(x, y)),
            12 => conditions.push(terms.eq(x, y)),
            13 => conditions.push(terms.and(p, q)),
            14 => conditions.push(terms.or(p, q)),
            _ => conditions.push(terms.not(p)),
        }
        asked += 1;
    }
    let made = terms.len() - before;
    report(
        &format!("{count} nodes, level {}", level as u32),
        made,
        start,
    );
    println!(
        "  {asked} builder calls, {:.1} bytes per node, {:.0} MB resident at most",
        terms.bytes() as f64 / terms.len() as f64,
        resident()
    );
    let start = now();
    let mut found = 0;
    for index in 0..made {
        let t = Term::from_index(before + index);
        let args = terms.args(t).to_vec();
        found += usize::from(terms.rebuild(t, &args) == t);
    }
    report("  the same once more (all are found)", found, start);
}

/// A chain of a million alternating operators: rewritten, printed, read, evaluated.
fn chain(length: usize) {
    let mut terms = Terms::with_level(Level::Off);
    let x = terms.var("x", Sort::BitVec(32));
    let y = terms.var("y", Sort::BitVec(32));
    let start = now();
    let mut t = x;
    for index in 0..length {
        t = match index % 4 {
            0 => terms.bvxor(t, y),
            1 => terms.add(t, x),
            2 => terms.bvnot(t),
            _ => terms.mul(t, y),
        };
    }
    report("chain: made as written", length, start);
    let start = now();
    let text = terms.to_smt(t);
    report("chain: printed as one term", length, start);
    let start = now();
    let zero = terms.bv_u64(0, 32);
    let goal = terms.eq(t, zero);
    let script = Writer::script(&terms, "QF_BV", &[goal]);
    report("chain: printed as a script", length, start);
    println!(
        "  {:.1} MB and {:.1} MB of text",
        text.len() as f64 / 1e6,
        script.len() as f64 / 1e6
    );
    let start = now();
    let read =
        Script::read(&mut terms, "chain.smt2", &script).expect("what we print is well-formed");
    assert!(
        read.commands.contains(&Command::Assert(goal)),
        "what is read is what was printed"
    );
    report("chain: read", length, start);
    let mut model = Model::new();
    model.set(&terms, x, Value::Bv(base::Bv::from_u64(12345, 32)));
    model.set(&terms, y, Value::Bv(base::Bv::from_u64(67891, 32)));
    let start = now();
    let value = terms.eval(&model, t);
    report("chain: evaluated", length, start);
    let start = now();
    terms.set_level(Level::Full);
    let simple = terms::rewrite::simplify(&mut terms, &[t])[0];
    report("chain: rewritten", length, start);
    assert_eq!(
        terms.eval(&model, simple),
        value,
        "rewriting keeps the value"
    );
    let start = now();
    let size = terms.dag_size(&[t]);
    let depth = terms.depth(t);
    report("chain: measured (size and depth)", 2 * length, start);
    println!("  {size} terms, {depth} deep");
}

fn main() {
    let count = 10_000_000;
    match std::env::args().nth(1).as_deref() {
        None => {
            Level::ALL
                .into_iter()
                .for_each(|level| mixture(level, count));
            chain(1_000_000);
            chain(4_000_000);
        }
        Some("chain") => chain(1_000_000),
        Some(number) => {
            let level = number.parse().ok().and_then(Level::from_number);
            mixture(level.expect("a level from 0 to 3, or `chain`"), count);
        }
    }
}
