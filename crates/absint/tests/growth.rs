//! How the analysis grows with the program: loops after one another over arrays and cells, each of which costs the same.
//!
//! `cargo test --release -p absint --test growth -- --ignored --nocapture` prints the table of `docs/absint-performance.md`.

use std::fmt::Write as _;

use absint::fixpoint::{self, Config, Judgement};
use absint::relations::{SHAPES, Shape};
use golden::rng::Rng;
use ir::syntax::Module;

/// Pieces share their arrays with so many others.
const SHARED: usize = 8;

/// Writes a program piece by piece.
struct Writer {
    text: String,
    rng: Rng,
    values: usize,
    blocks: usize,
    insts: usize,
}

impl Writer {
    fn line(&mut self, text: &str) {
        writeln!(self.text, "    {text}").expect("a string takes it");
        self.insts += 1;
    }

    /// An instruction with a number as its result.
    fn value(&mut self, text: &str) -> String {
        let name = format!("v{}", self.values);
        self.values += 1;
        self.line(&format!("{name} = {text}"));
        name
    }

    fn name(&mut self) -> String {
        self.values += 1;
        format!("v{}", self.values - 1)
    }

    fn block(&mut self) -> String {
        self.blocks += 1;
        format!("b{}", self.blocks - 1)
    }

    /// A loop over an array, with a branch, a cell of memory, an inner loop now and then, and a check of each index; the memory and the
    /// sum after it.
    fn piece(
        &mut self,
        number: usize,
        memory: String,
        sum: String,
        limits: &[String],
    ) -> (String, String) {
        let (array, cell) = (number / SHARED, number / SHARED);
        let limit = self.rng.pick(limits).clone();
        let rounds = 8 + self.rng.index(56);
        let (bits, step, bound) = (
            1 + self.rng.index(1000),
            self.rng.index(9),
            10 + self.rng.index(90),
        );
        let [head, body, yes, no, latch, out] = std::array::from_fn(|_| self.block());
        self.line(&format!("jump {head}(0:i32, {memory}, {sum})"));
        let [i, m, acc] = std::array::from_fn(|_| self.name());
        writeln!(self.text, "{head}({i}: i32, {m}: mem r0, {acc}: i32):").expect("written");
        let more = self.value(&format!("slt.i32 {i}, {rounds}"));
        self.line(&format!("branch {more}, {body}, {out}"));
        writeln!(self.text, "{body}:").expect("written");
        let inside = self.value(&format!("ult.i32 {i}, 64"));
        self.line(&format!("check o0, {inside}"));
        let wide = self.value(&format!("zext.i32.i64 {i}"));
        let offset = self.value(&format!("mul.i64 {wide}, 4"));
        let place = self.value(&format!("offset @a{array}, {offset}"));
        let element = self.value(&format!("load.i32 {place} align 4 in {m}"));
        let low = self.value(&format!("and.i32 {element}, {bits}"));
        let less = self.value(&format!("slt.i32 {low}, {limit}"));
        self.line(&format!("branch {less}, {yes}, {no}"));
        writeln!(self.text, "{yes}:").expect("written");
        let up = self.value(&format!("add.i32 {low}, {step}"));
        let stored = self.value(&format!("store.i32 {place}, {up} align 4 in {m}"));
        self.line(&format!("jump {latch}({up}, {stored})"));
        writeln!(self.text, "{no}:").expect("written");
        let known = self.value(&format!("load.i32 @c{cell} align 4 in {m}"));
        let wrapped = self.value(&format!("ult.i32 {known}, {bound}"));
        let one = self.value(&format!("add.i32 {known}, 1"));
        let next = self.value(&format!("select.i32 {wrapped}, {one}, 0"));
        let kept = self.value(&format!("store.i32 @c{cell}, {next} align 4 in {m}"));
        self.line(&format!("jump {latch}({next}, {kept})"));
        let [got, after] = std::array::from_fn(|_| self.name());
        writeln!(self.text, "{latch}({got}: i32, {after}: mem r0):").expect("written");
        let total = self.value(&format!("add.i32 {acc}, {got}"));
        let mixed = self.value(&format!("xor.i32 {total}, {limit}"));
        let cut = self.value(&format!("and.i32 {mixed}, 65535"));
        let round = self.value(&format!("add.i32 {i}, 1"));
        self.line(&format!("jump {head}({round}, {after}, {cut})"));
        writeln!(self.text, "{out}:").expect("written");
        (m, acc)
    }
}

/// A program of about so many instructions: loops after one another over arrays and cells, which share numbers that nobody knows.
fn program(insts: usize) -> Module {
    let mut writer = Writer {
        text: String::new(),
        rng: Rng::new(7),
        values: 1,
        blocks: 1,
        insts: 0,
    };
    writeln!(writer.text, "b0:").expect("written");
    let limits: Vec<String> = (0..40).map(|_| writer.value("nondet.i32 input")).collect();
    let (mut memory, mut sum) = ("v0".to_owned(), "0:i32".to_owned());
    let mut pieces = 0;
    while writer.insts < insts {
        (memory, sum) = writer.piece(pieces, memory, sum, &limits);
        pieces += 1;
    }
    writer.line("return");
    let mut text =
        "module pure ptr64\nentry @start\nobligation o0 main.assert.1 \"claim\"\n".to_owned();
    let mut names = Vec::new();
    for shared in 0..pieces.div_ceil(SHARED) {
        writeln!(text, "global @a{shared} size 256 align 4 = zero 256").expect("written");
        writeln!(text, "global @c{shared} size 4 align 4 = zero 4").expect("written");
        names.push(format!("@a{shared} @c{shared}"));
    }
    writeln!(
        text,
        "fn @start(v0: mem r0) {{\nregion r0 globals {}",
        names.join(" ")
    )
    .expect("written");
    text += &writer.text;
    text += "}\n";
    let module = ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(complaints) = ir::wellformed::check(&module) {
        panic!("{}\n{text}", ir::wellformed::explain(&complaints));
    }
    module
}

/// The time that this process has had on a processor, in seconds; 0 where the system does not tell.
fn spent() -> f64 {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = schedstat
        .split(' ')
        .next()
        .and_then(|field| field.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

#[test]
fn indexes_are_bounded_in_every_domain() {
    let module = program(2_000);
    let body = module.body(module.entry.expect("an entry"));
    for shape in [None, Some(SHAPES[0]), Some(SHAPES[1])] {
        let config = Config {
            shape,
            ..Config::default()
        };
        let found = fixpoint::analyze(&module, body, true, &config).expect("no deadline");
        let judged = fixpoint::judge(&module, body, &found);
        let holds = judged
            .values()
            .all(|judgement| *judgement == Judgement::Holds);
        assert!(holds && !judged.is_empty(), "{shape:?}: {judged:?}");
    }
}

#[test]
#[ignore = "long: a table of times"]
fn table() {
    let shapes: [(&str, Option<&'static dyn Shape>); 3] = [
        ("intervals", None),
        ("zones", Some(SHAPES[0])),
        ("octagons", Some(SHAPES[1])),
    ];
    let mut sizes = vec![1_000, 3_000, 10_000, 30_000, 100_000];
    if let Ok(most) = std::env::var("GROWTH_MOST") {
        let most: usize = most.parse().expect("a number of instructions");
        sizes.retain(|size| *size <= most);
    }
    for (name, shape) in shapes {
        for &size in &sizes {
            let module = program(size);
            let body = module.body(module.entry.expect("an entry"));
            let start = spent();
            let config = Config {
                shape,
                ..Config::default()
            };
            let found = fixpoint::analyze(&module, body, true, &config).expect("no deadline");
            let took = spent() - start;
            let judged = fixpoint::judge(&module, body, &found);
            let holds = judged
                .values()
                .all(|judgement| *judgement == Judgement::Holds);
            assert!(holds, "{judged:?}");
            println!("| {name} | {size} | {took:.2} s |");
        }
    }
}
