//! Random loops that show what they do to memory.
//!
//! The state is two pointers, a number and a memory. Whatever a statement finds out (whether a pointer may be
//! used, whether two are equal, a bit of what was read) decides which kind of choice is made next: a formula
//! that thinks otherwise asks for the other one, and is found out.

use std::fmt::Write;

use golden::rng::Rng;

/// The names of the state's values.
#[derive(Clone)]
struct State {
    pointers: [String; 2],
    number: String,
    memory: String,
}

struct Writer {
    text: String,
    values: u32,
    blocks: u32,
    state: State,
}

impl Writer {
    fn value(&mut self) -> String {
        self.values += 1;
        format!("v{}", self.values)
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "    {line}").expect("a string takes everything");
    }

    /// A new value.
    fn def(&mut self, what: &str) -> String {
        let value = self.value();
        self.line(&format!("{value} = {what}"));
        value
    }

    fn args(state: &State) -> String {
        let [p, q] = &state.pointers;
        format!("{p}, {q}, {}, {}", state.number, state.memory)
    }

    /// Begins a block with the state as its parameters.
    fn block(&mut self) {
        let names: Vec<String> = (0..4).map(|_| self.value()).collect();
        let [p, q, x, m] = &names[..] else {
            unreachable!("four names")
        };
        let number = self.blocks;
        self.blocks += 1;
        writeln!(
            self.text,
            "b{number}({p}: ptr, {q}: ptr, {x}: i64, {m}: mem r0):"
        )
        .expect("a string takes everything");
        self.state = State {
            pointers: [p.clone(), q.clone()],
            number: x.clone(),
            memory: m.clone(),
        };
    }

    /// What is done if a condition holds; both sides show which one they are.
    fn when(&mut self, condition: &str, then: impl FnOnce(&mut Writer)) {
        let args = Writer::args(&self.state);
        let (yes, no, join) = (self.blocks, self.blocks + 1, self.blocks + 2);
        self.line(&format!(
            "branch {condition}, b{yes}({args}), b{no}({args})"
        ));
        self.block();
        self.def("nondet.i8 input");
        then(self);
        let args = Writer::args(&self.state);
        self.line(&format!("jump b{join}({args})"));
        self.block();
        self.def("nondet.i16 input");
        let args = Writer::args(&self.state);
        self.line(&format!("jump b{join}({args})"));
        self.block();
    }
}

/// A program with a loop, perhaps one inside of it, whose heap objects are made before.
pub fn program(rng: &mut Rng) -> String {
    let mut w = Writer {
        text: "module pure ptr64
entry @start
obligation o0 start.assert.1 \"a bit\"
global @a size 16 align 8 = zero 16
global @b size 24 align 8 = bytes \"0123456789abcdef\" zero 8
global @c size 16 align 8 = ptr @a+8 ptr @b
fn @start(v0: mem r0) {
region r0 globals @a @b @c
b0:
"
        .to_owned(),
        values: 0,
        blocks: 1,
        state: State {
            pointers: ["@a".to_owned(), "@b".to_owned()],
            number: "0:i64".to_owned(),
            memory: "v0".to_owned(),
        },
    };
    for _ in 0..1 + rng.index(2) {
        let (pointer, memory) = (w.value(), w.value());
        let (size, before) = (*rng.pick(&[8, 16, 20]), w.state.memory.clone());
        w.line(&format!(
            "{pointer}, {memory} = alloc.heap {size} align 8 in {before}"
        ));
        w.state.memory = memory;
        w.state.pointers[rng.index(2)] = pointer;
    }
    for _ in 0..rng.index(3) {
        statement(&mut w, rng);
    }
    looping(&mut w, rng, 1);
    if rng.one_in(3) {
        looping(&mut w, rng, 0);
    }
    for _ in 0..1 + rng.index(3) {
        statement(&mut w, rng);
    }
    w.line("return");
    w.text.push_str("}\n");
    w.text
}

fn looping(w: &mut Writer, rng: &mut Rng, depth: u32) {
    let args = Writer::args(&w.state);
    let head = w.blocks;
    w.line(&format!("jump b{head}({args})"));
    w.block();
    for _ in 0..1 + rng.index(4) {
        statement(w, rng);
    }
    if depth > 0 && rng.one_in(4) {
        looping(w, rng, depth - 1);
    }
    // About four rounds: three times of four it goes on.
    let choice = w.def("nondet.i2 input");
    let goes_on = w.def(&format!("ne.i2 {choice}, 0"));
    let (args, out) = (Writer::args(&w.state), w.blocks);
    w.line(&format!(
        "branch {goes_on}, b{head}({args}), b{out}({args})"
    ));
    w.block();
}

fn statement(w: &mut Writer, rng: &mut Rng) {
    let (which, other) = *rng.pick(&[(0, 1), (1, 0)]);
    let state = w.state.clone();
    let (p, q) = (&state.pointers[which], &state.pointers[other]);
    let (x, m) = (&state.number, &state.memory);
    match rng.index(22) {
        0..=3 => {
            let fine = w.def(&format!("is_deref.write {p}, 8 in {m}"));
            w.when(&fine, |w| {
                let State {
                    pointers, memory, ..
                } = w.state.clone();
                let (p, q) = (&pointers[which], &pointers[other]);
                w.state.memory = w.def(&format!("store.ptr {p}, {q} align 1 in {memory}"));
            });
        }
        4 => {
            let fine = w.def(&format!("is_deref.write {p}, 8 in {m}"));
            let fresh = rng.one_in(2);
            w.when(&fine, |w| {
                let mut number = w.state.number.clone();
                if fresh {
                    number = w.def("nondet.i64 input");
                }
                let (p, memory) = (w.state.pointers[which].clone(), w.state.memory.clone());
                w.state.memory = w.def(&format!("store.i64 {p}, {number} align 1 in {memory}"));
            });
        }
        5..=8 => {
            let fine = w.def(&format!("is_deref.read {p}, 8 in {m}"));
            w.when(&fine, |w| {
                let (p, memory) = (w.state.pointers[which].clone(), w.state.memory.clone());
                w.state.pointers[other] = w.def(&format!("load.ptr {p} align 1 in {memory}"));
            });
            let (q, m) = (w.state.pointers[other].clone(), w.state.memory.clone());
            let fine = w.def(&format!("is_deref.read {q}, 8 in {m}"));
            w.when(&fine, |_| {});
        }
        9 => {
            let fine = w.def(&format!("is_deref.read {p}, 8 in {m}"));
            w.when(&fine, |w| {
                let (p, memory) = (w.state.pointers[which].clone(), w.state.memory.clone());
                w.state.number = w.def(&format!("load.i64 {p} align 1 in {memory}"));
            });
        }
        10 | 11 => {
            let fine = w.def(&format!("is_deref.read {p}, 1 in {m}"));
            let mask = 1 << rng.index(8);
            w.when(&fine, |w| {
                let (p, memory) = (w.state.pointers[which].clone(), w.state.memory.clone());
                let byte = w.def(&format!("load.i8 {p} align 1 in {memory}"));
                let bit = w.def(&format!("and.i8 {byte}, {mask}"));
                let set = w.def(&format!("eq.i8 {bit}, 0"));
                w.when(&set, |_| {});
            });
        }
        12 => w.state.number = w.def(&format!("ptrtoint.ptr.i64 {p}")),
        13 => w.state.pointers[which] = w.def(&format!("inttoptr.i64.ptr {x}")),
        14 => {
            let fine = w.def(&format!("is_freeable {p} in {m}"));
            w.when(&fine, |w| {
                let (p, memory) = (w.state.pointers[which].clone(), w.state.memory.clone());
                w.state.memory = w.def(&format!("free {p} in {memory}"));
            });
        }
        15 => {
            let by = *rng.pick(&[-8, -4, 3, 4, 8]);
            w.state.pointers[which] = w.def(&format!("offset {p}, {by}"));
        }
        16 => {
            let same = w.def(&format!("eq.ptr {p}, {q}"));
            w.when(&same, |_| {});
        }
        17 => {
            let len = *rng.pick(&[3, 8]);
            let fine = w.def(&format!("is_deref.write {p}, {len} in {m}"));
            w.when(&fine, |w| {
                let (p, memory) = (w.state.pointers[which].clone(), w.state.memory.clone());
                w.state.memory = w.def(&format!("mem_set {p}, 1, {len} in {memory}"));
            });
        }
        18 => {
            let alive = w.def(&format!("is_alive {p} in {m}"));
            w.when(&alive, |_| {});
            let (p, m) = (w.state.pointers[which].clone(), w.state.memory.clone());
            let modified = w.def(&format!("is_modified {p} in {m}"));
            w.when(&modified, |_| {});
        }
        19 | 20 => {
            let there = *rng.pick(&["@a", "@a+8", "@b", "@b+16", "@c", "@c+8"]);
            w.state.pointers[which] = w.def(&format!("copy.ptr {there}"));
        }
        _ => {
            let (a, b) = (
                w.def(&format!("is_deref.write {p}, 8 in {m}")),
                w.def(&format!("is_deref.read {q}, 8 in {m}")),
            );
            let apart = w.def(&format!("is_disjoint {p}, {q}, 8"));
            let both = w.def(&format!("and.i1 {a}, {b}"));
            let fine = w.def(&format!("and.i1 {both}, {apart}"));
            w.when(&fine, |w| {
                let [p, q] = [which, other].map(|index| w.state.pointers[index].clone());
                let m = w.state.memory.clone();
                w.state.memory = w.def(&format!("mem_copy {p}, {q}, 8 in {m}, {m}"));
            });
        }
    }
}
