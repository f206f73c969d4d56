//! An execution as a story, and which part of it a violation comes from.
//!
//! Whoever watches an execution ([`Watcher`]) notes for each instruction what its result was made of: the registers, the bytes of
//! memory, and the branch that let it be executed. From the violated check one walks back through these notes; what is met on the
//! way is what the violation comes from, and nothing else is (a dynamic slice). Inputs, branches, assignments and calls are the
//! steps of the story.

use std::collections::{BTreeMap, HashMap};

use base::Place;
use ir::dominators::PostDominators;
use ir::syntax::{
    Block, Body, Callee, DebugKind, Func, Module, NondetKind, Op, Operand, PlaceId, Type,
    Value as Register, Var,
};
use results::Violation;
use results::story::{Drawn, Input, InputKind, Step, Story, What};
use results::trace::Event;

use crate::choices::Recorded;
use crate::config::{AfterFailure, Config, Record};
use crate::memory::ObjectKind;
use crate::observe::{Asked, Observer};
use crate::outcome::Failure;
use crate::show;
use crate::value::Value;
use crate::view::{Position, View};
use crate::{Bindings, run};

mod draw;
mod lost;
mod matters;
mod ways;

/// Executions with more instructions are told without saying what matters.
const MOST_INSTRUCTIONS: u64 = 1 << 20;

/// So many steps are kept.
const MOST_STEPS: usize = 4000;

/// Ranges of memory beyond that are noted as a whole.
const MOST_BYTES: u64 = 1 << 12;

/// The story of a violation: the execution is executed once more, and watched.
pub fn tell(module: &Module, violation: &Violation, after_failure: AfterFailure) -> Story {
    let config = Config {
        step_limit: violation.failure.steps.saturating_add(1 << 16),
        after_failure,
        record: Record::Off,
        unknown: violation.unknown.clone(),
        globals: violation.globals.clone(),
        ..Config::default()
    };
    let mut watcher = Watcher::new(module, violation);
    let mut choices = Recorded::new(&violation.trace);
    run(
        module,
        &config,
        Bindings {
            observer: Some(&mut watcher),
            ..Bindings::new(&mut choices)
        },
    );
    let found = watcher
        .lost
        .take()
        .and_then(|lost| lost::find(module, violation, &config, &lost));
    // What took the last pointer away matters too.
    let culprit = found.as_ref().and_then(|found| {
        let mut steps = watcher.times.iter().zip(&watcher.steps);
        let (_, (_, note)) = steps.rfind(|&(&time, _)| time == found.time)?;
        Some(*note)
    });
    let root = watcher.root;
    watcher.root = watcher.note([root, culprit.unwrap_or(0)]);
    let mut story = watcher.finish();
    if let Some(found) = found {
        let index = found.index.min(story.steps.len());
        story.steps.insert(index, found.step);
    }
    story
}

/// What something was made of: an index into the notes. 0 is nothing.
type Note = u32;

/// An activation.
struct Activation {
    func: Func,
    registers: HashMap<Register, Note>,
    /// The branches that the current block hangs on, with the block where that ends.
    branches: Vec<(Note, Option<Block>)>,
    /// The branch that the call hangs on.
    caller: Note,
    /// Values of variables that were told.
    told: HashMap<Var, String>,
    /// Activations of the source before this one.
    depth: usize,
}

/// What an object was made of.
#[derive(Default)]
struct Whole {
    made: Note,
    ended: Note,
    bytes: HashMap<u64, Note>,
    all: Note,
}

/// A heap object that nothing leads to.
struct Lost {
    object: u32,
    base: u64,
    name: String,
    /// Instructions before it was made, and before that was found out.
    made: u64,
    found: u64,
    /// Steps of the story by the instructions before them.
    steps: Vec<u64>,
}

struct Watcher<'m> {
    module: &'m Module,
    expected: &'m Violation,
    /// Is it noted what things are made of?
    slicing: bool,
    notes: Vec<Box<[Note]>>,
    frames: Vec<Activation>,
    objects: HashMap<u32, Whole>,
    /// When each object was made: the instructions before.
    made: HashMap<u32, u64>,
    /// The object that is being made: its number is known when it is there.
    making: Option<(Register, u64)>,
    /// What each function's branches end at.
    ends: HashMap<Func, PostDominators>,
    steps: Vec<(Step, Note)>,
    /// The instructions before each step.
    times: Vec<u64>,
    left_out: u64,
    inputs: Vec<Input>,
    events: usize,
    /// The activations of the source: their functions.
    stack: Vec<String>,
    here: Option<Place>,
    /// Where a chosen branch leads is not known before the next line.
    branch: Option<usize>,
    last: Option<(usize, Position)>,
    now: u64,
    /// What is made of a choice that was just made.
    chosen: Option<usize>,
    root: Note,
    stopped: bool,
    drawn: Vec<Drawn>,
    lost: Option<Lost>,
    models: std::collections::BTreeSet<&'m str>,
    /// Inputs by what is made of them.
    inputs_by_note: BTreeMap<Note, usize>,
}

impl<'m> Watcher<'m> {
    fn new(module: &'m Module, expected: &'m Violation) -> Watcher<'m> {
        Watcher {
            module,
            expected,
            slicing: expected.failure.steps <= MOST_INSTRUCTIONS,
            notes: vec![Box::new([])],
            frames: Vec::new(),
            objects: HashMap::new(),
            made: HashMap::new(),
            making: None,
            ends: HashMap::new(),
            steps: Vec::new(),
            times: Vec::new(),
            left_out: 0,
            inputs: Vec::new(),
            events: 0,
            stack: Vec::new(),
            here: None,
            branch: None,
            last: None,
            now: 0,
            chosen: None,
            root: 0,
            stopped: false,
            drawn: Vec::new(),
            lost: None,
            models: module.model_files(),
            inputs_by_note: BTreeMap::new(),
        }
    }

    /// A note of what something is made of.
    fn note(&mut self, parts: impl IntoIterator<Item = Note>) -> Note {
        if !self.slicing {
            return 0;
        }
        let mut parts: Vec<Note> = parts.into_iter().filter(|&part| part != 0).collect();
        parts.sort_unstable();
        parts.dedup();
        self.notes.push(parts.into());
        (self.notes.len() - 1) as Note
    }

    fn top(&mut self) -> &mut Activation {
        self.frames
            .last_mut()
            .expect("a running program has a frame")
    }

    /// The branch that the current block hangs on.
    fn control(&self) -> Note {
        self.frames.last().map_or(0, |frame| {
            frame
                .branches
                .last()
                .map_or(frame.caller, |&(note, _)| note)
        })
    }

    fn of(&self, operand: &Operand) -> Note {
        match (operand, self.frames.last()) {
            (Operand::Value(value), Some(frame)) => {
                frame.registers.get(value).copied().unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn body(&self, func: Func) -> &'m Body {
        let body = self.module.funcs[func].body.as_ref();
        body.expect("an executed function has a body")
    }

    /// Keeps a step of the story.
    fn tell(&mut self, what: What, note: Note, time: u64) {
        if self.steps.len() >= MOST_STEPS {
            self.left_out += 1;
            return;
        }
        let step = Step {
            place: self.here.clone(),
            func: self.stack.last().cloned().unwrap_or_default(),
            depth: self.stack.len().saturating_sub(1) as u32,
            matters: false,
            what,
        };
        self.steps.push((step, note));
        self.times.push(time);
    }

    /// The activations of the source at a place of the current activation; none in models and what the front end made.
    fn activations(&self, view: &View<'_>) -> Option<(Vec<String>, Place)> {
        let module = self.module;
        let place = view.place()?;
        let mut chain = Vec::new();
        let mut at = Some(place);
        while let Some(data) = at.and_then(|at| module.places.get(at)) {
            if self.models.contains(&*data.place.file) {
                return None;
            }
            chain.push(data.func.clone());
            at = data.inlined_at;
        }
        let data = module.places.get(place)?;
        if data.place.line == 0 || view.is_start(view.depth() - 1) {
            return None;
        }
        let below = self.frames.last().map_or(0, |frame| frame.depth);
        let mut stack: Vec<String> = self.stack.iter().take(below).cloned().collect();
        stack.extend(chain.into_iter().rev());
        Some((stack, data.place.clone()))
    }

    /// Says which functions were called and left since the last line.
    fn arrive(&mut self, view: &View<'_>) {
        if self.module.funcs[view.func()].model {
            return;
        }
        let Some((stack, place)) = self.activations(view) else {
            return;
        };
        let same = self
            .stack
            .iter()
            .zip(&stack)
            .take_while(|(a, b)| a == b)
            .count();
        let first = self.stack.is_empty();
        while self.stack.len() > same {
            let name = self.stack.last().cloned().unwrap_or_default();
            self.tell(What::Return(name), 0, view.steps);
            self.stack.pop();
        }
        for name in &stack[same..] {
            if !first {
                let control = self.control();
                self.tell(What::Call(name.clone()), control, view.steps);
            }
            self.stack.push(name.clone());
        }
        if self.here.as_ref().is_none_or(|here| {
            (here.line, &here.file) != (place.line, &place.file) || place.col != 0
        }) {
            self.here = Some(place.clone());
        }
        if let Some(index) = self.branch {
            let branch = &mut self.steps[index].0;
            let elsewhere = branch.place.as_ref().is_none_or(|at| at.line != place.line);
            if elsewhere {
                branch.what = What::Branch(Some(place));
                self.branch = None;
            }
        }
    }

    /// The object and offset of a pointer.
    fn target(&self, view: &View<'_>, pointer: &Operand) -> Option<(u32, u64)> {
        let Some(Value::Pointer(pointer)) = view.operand(pointer) else {
            return None;
        };
        let (number, object) = view.object_of(pointer)?;
        Some((number, pointer.address.wrapping_sub(object.base)))
    }

    fn length(&self, view: &View<'_>, len: &Operand) -> u64 {
        match view.operand(len) {
            Some(Value::Int(bits)) => bits.low_u64(),
            _ => 0,
        }
    }

    fn read(&self, at: Option<(u32, u64)>, len: u64) -> Vec<Note> {
        let Some((number, offset)) = at else {
            return Vec::new();
        };
        let Some(whole) = self.objects.get(&number) else {
            return Vec::new();
        };
        let mut parts = vec![whole.made, whole.all];
        if len <= MOST_BYTES {
            let bytes = (0..len).filter_map(|i| whole.bytes.get(&offset.wrapping_add(i)));
            parts.extend(bytes);
        } else {
            let mut bytes: Vec<Note> = whole.bytes.values().copied().collect();
            bytes.sort_unstable();
            parts.extend(bytes);
        }
        parts
    }

    fn written(&mut self, at: Option<(u32, u64)>, len: u64, note: Note) {
        let Some((number, offset)) = at else {
            return;
        };
        let whole = self.objects.entry(number).or_default();
        if len <= MOST_BYTES {
            let bytes = (0..len).map(|i| (offset.wrapping_add(i), note));
            whole.bytes.extend(bytes);
        } else {
            whole.all = note;
        }
    }

    fn bytes_of(&self, ty: Type) -> u64 {
        let bits = ty.bits(self.module.machine).unwrap_or(0);
        u64::from(bits.div_ceil(8))
    }

    /// An instruction that is about to be executed.
    fn instruction(&mut self, view: &View<'_>, op: &Op, results: &[Register]) {
        let control = self.control();
        let mut parts: Vec<Note> = op.operands().into_iter().map(|o| self.of(o)).collect();
        self.chosen = None;
        match op {
            Op::Debug { var, value, kind } => {
                self.variable(view, *var, value, *kind);
                return;
            }
            Op::Check(obligation, cond) => {
                if *obligation == self.expected.obligation {
                    let cond = self.of(cond);
                    self.root = self.note([cond, control]);
                }
                return;
            }
            Op::Assume(..) | Op::StackSave | Op::StackRestore(_) | Op::Leave => return,
            Op::Call { callee, args, .. } => {
                let parts: Vec<Note> = args.iter().map(|arg| self.of(arg)).collect();
                let Callee::Direct(func) = callee else {
                    return;
                };
                let Some(body) = &self.module.funcs[*func].body else {
                    return;
                };
                let registers = body.params.iter().copied().zip(parts).collect();
                let depth = match self.module.funcs[*func].model {
                    true => self.frames.last().map_or(0, |frame| frame.depth),
                    false => self.stack.len(),
                };
                if self.module.funcs[*func].model
                    && !self.module.funcs[view.func()].model
                    && self.here.is_some()
                    && !view.is_start(view.depth() - 1)
                {
                    let name = self.module.funcs[*func].name.clone();
                    self.tell(What::Call(name), control, view.steps);
                }
                self.frames.push(Activation {
                    func: *func,
                    registers,
                    branches: Vec::new(),
                    caller: control,
                    told: HashMap::new(),
                    depth,
                });
                return;
            }
            Op::Load { ty, ptr, .. } => {
                let at = self.target(view, ptr);
                parts.extend(self.read(at, self.bytes_of(*ty)));
            }
            Op::MemCompare { left, right, len } => {
                let len = self.length(view, len);
                for ptr in [left, right] {
                    let at = self.target(view, ptr);
                    parts.extend(self.read(at, len));
                }
            }
            Op::IsDeref { ptr, .. }
            | Op::IsFreeable(ptr)
            | Op::IsAlive(ptr)
            | Op::ObjectSize(ptr)
            | Op::IsModified(ptr) => {
                if let Some((number, _)) = self.target(view, ptr)
                    && let Some(whole) = self.objects.get(&number)
                {
                    parts.extend([whole.made, whole.ended]);
                }
            }
            Op::AllTracked | Op::AllFreed => {
                let heap = self.left_on_heap(view);
                parts.extend(heap);
            }
            _ => {}
        }
        parts.push(control);
        let note = self.note(parts);
        match op {
            Op::Store { ty, ptr, value, .. } => {
                let at = self.target(view, ptr);
                self.written(at, self.bytes_of(*ty), note);
                self.assignment(view, *ty, at, value, note);
            }
            Op::MemSet { dst, len, .. } | Op::MemHavoc { dst, len } => {
                let (at, len) = (self.target(view, dst), self.length(view, len));
                self.written(at, len, note);
            }
            Op::MemCopy { dst, src, len } => {
                let len = self.length(view, len);
                let from = self.target(view, src);
                let mut parts = self.read(from, len);
                parts.push(note);
                let note = self.note(parts);
                let at = self.target(view, dst);
                self.written(at, len, note);
            }
            Op::Free(ptr) => {
                if let Some((number, _)) = self.target(view, ptr) {
                    let whole = self.objects.entry(number).or_default();
                    whole.ended = note;
                    let name = show::object_name(self.module, view.memory, number);
                    if self.here.is_some() {
                        self.tell(What::Free(plain(&name)), note, view.steps);
                    }
                }
            }
            Op::LifetimeEnd(ptr) => {
                if let Some((number, _)) = self.target(view, ptr) {
                    self.objects.entry(number).or_default().ended = note;
                }
            }
            _ => {}
        }
        if let Some(index) = self.chosen {
            self.inputs_by_note.insert(note, index);
        }
        for &result in results {
            self.top().registers.insert(result, note);
        }
    }

    /// Takes note of an object that was just made.
    fn take_object(&mut self, view: &View<'_>) {
        let Some((result, time)) = self.making.take() else {
            return;
        };
        let Some(Value::Pointer(pointer)) = view.operand(&Operand::Value(result)) else {
            return;
        };
        let note = self.of(&Operand::Value(result));
        let whole = Whole {
            made: note,
            ..Whole::default()
        };
        self.objects.insert(pointer.object, whole);
        self.made.insert(pointer.object, time);
        let object = &view.memory.objects[pointer.object as usize];
        if object.kind == ObjectKind::Heap && !self.stack.is_empty() {
            let name = show::object_name(self.module, view.memory, pointer.object);
            let what = What::Allocate {
                object: plain(&name),
                size: object.size,
            };
            self.tell(what, note, view.steps);
        }
    }

    /// What the live heap objects are made of.
    fn left_on_heap(&self, view: &View<'_>) -> Vec<Note> {
        let lost = view.memory.untracked();
        let live = view.memory.live().filter(|&number| {
            view.memory.objects[number as usize].kind == ObjectKind::Heap
                && lost.is_none_or(|lost| lost == number)
        });
        live.filter_map(|number| Some(self.objects.get(&number)?.made))
            .collect()
    }

    /// A variable of the source has a value.
    fn variable(&mut self, view: &View<'_>, var: Var, value: &Operand, kind: DebugKind) {
        let note = self.of(value);
        if kind == DebugKind::Address || self.module.funcs[view.func()].model {
            return;
        }
        let Some(now) = view.operand(value) else {
            return;
        };
        let data = &self.module.vars[var];
        let text = show::variable(self.module, view.memory, data, &now);
        if self.stack.is_empty() || self.top().told.get(&var) == Some(&text) {
            return;
        }
        if let Some(place) = data.place.and_then(|place| self.module.places.get(place))
            && self.models.contains(&*place.place.file)
        {
            return;
        }
        self.top().told.insert(var, text.clone());
        self.name_input(note, &data.name, Some(&text));
        let note = match note {
            0 => self.control(),
            note => note,
        };
        let what = What::Assign {
            name: data.name.clone(),
            value: text,
            object: None,
        };
        let before = self.steps.len();
        self.tell(what, note, view.steps);
        // It may be a variable of a caller, where functions were inlined.
        let owner = data.func.as_ref();
        let depth = owner.and_then(|owner| self.stack.iter().rposition(|name| name == owner));
        if let (Some((step, _)), Some(depth)) = (self.steps.get_mut(before), depth) {
            step.depth = depth as u32;
            step.func.clone_from(&self.stack[depth]);
        }
    }

    /// The variable that an input went to is the input's name, and the variable's type says how it is shown.
    fn name_input(&mut self, note: Note, name: &str, text: Option<&str>) {
        let mut work = note;
        for _ in 0..4 {
            if let Some(&index) = self.inputs_by_note.get(&work) {
                let input = &mut self.inputs[index];
                if input.name.is_none() {
                    input.name = Some(name.to_owned());
                    if let Some(text) = text.filter(|_| work == note) {
                        input.value = text.to_owned();
                    }
                }
                return;
            }
            // Conversions.
            match self.notes.get(work as usize).map(|parts| &parts[..]) {
                Some(&[one]) => work = one,
                _ => return,
            }
        }
    }

    /// Something is written to an object of the source.
    fn assignment(
        &mut self,
        view: &View<'_>,
        ty: Type,
        at: Option<(u32, u64)>,
        value: &Operand,
        note: Note,
    ) {
        if self.module.funcs[view.func()].model || self.stack.is_empty() {
            return;
        }
        let Some(((number, offset), now)) = at.zip(view.operand(value)) else {
            return;
        };
        let stored = draw::stored(self.module, view.memory, number, offset, ty, &now);
        let of = self.of(value);
        self.name_input(of, &stored.name, None);
        let what = What::Assign {
            name: stored.name,
            value: stored.value,
            object: stored.object,
        };
        self.tell(what, note, view.steps);
    }
}

/// A name without its quotes.
fn plain(name: &str) -> String {
    name.trim_matches('`').to_owned()
}

impl Observer for Watcher<'_> {
    fn step(&mut self, view: &View<'_>) {
        if self.stopped || view.accompanies() {
            return;
        }
        let now = (view.depth(), view.position());
        if self.last == Some(now) {
            return;
        }
        self.last = Some(now);
        self.now = view.steps;
        if self.frames.is_empty() {
            self.frames.push(Activation {
                func: view.func(),
                registers: HashMap::new(),
                branches: Vec::new(),
                caller: 0,
                told: HashMap::new(),
                depth: 0,
            });
        }
        self.take_object(view);
        self.arrive(view);
        match now.1 {
            Position::End(block) => self.end_of(view, block),
            Position::Inst(inst) => {
                let body = self.body(view.func());
                let data = &body.insts[inst];
                self.instruction(view, &data.op, &data.results);
                if let (Op::Alloc { .. }, [result, ..]) = (&data.op, &data.results[..]) {
                    self.making = Some((*result, view.steps));
                }
            }
        }
    }

    fn choice(&mut self, asked: Asked, event: &Event, _place: Option<PlaceId>) {
        let index = self.events;
        self.events += 1;
        if self.stopped {
            return;
        }
        let given = self.expected.trace.events.get(index);
        let kind = match (asked, given) {
            (Asked::Nondet(NondetKind::Input), _) => InputKind::Asked,
            (Asked::Nondet(NondetKind::Extern | NondetKind::Approx), _) => InputKind::Returned,
            (Asked::Nondet(NondetKind::Uninit | NondetKind::Undef), _) => InputKind::Uninitialised,
            (Asked::Volatile, _) => InputKind::Volatile,
            (Asked::Outside, _) => InputKind::Outside,
            (Asked::Bytes, _) => InputKind::Asked,
            (Asked::Alloc | Asked::Scope, Some(Event::Object { bytes, .. }))
                if !bytes.is_empty() =>
            {
                InputKind::Contents
            }
            (Asked::Alloc | Asked::Scope | Asked::Clobber, _) => return,
        };
        let event = match given {
            Some(given) if kind == InputKind::Contents => given,
            _ => event,
        };
        let (value, bits) = draw::choice(event);
        let number = self.inputs.len();
        let time = self.now;
        self.inputs.push(Input {
            kind,
            name: None,
            place: self.here.clone(),
            value,
            bits,
            event: index,
        });
        // The instruction that asks was noted already: what it yields is this input.
        let note = self.notes.len() as Note - 1;
        if self.slicing {
            self.inputs_by_note.insert(note, number);
        }
        let note = if self.slicing { note } else { 0 };
        self.tell(What::Input(number), note, time);
    }

    fn failure(&mut self, view: &View<'_>, failure: &Failure) {
        if self.stopped || failure.obligation != self.expected.obligation {
            return;
        }
        self.stopped = true;
        self.drawn = draw::objects(view);
        let check = self.module.obligations[failure.obligation].check;
        if check.name() == "leak"
            && let Some(object) = view.memory.untracked()
        {
            self.lost = Some(Lost {
                object,
                base: view.memory.objects[object as usize].base,
                name: plain(&show::object_name(self.module, view.memory, object)),
                made: self.made.get(&object).copied().unwrap_or(0),
                found: view.steps,
                steps: self.times.clone(),
            });
        }
    }
}
