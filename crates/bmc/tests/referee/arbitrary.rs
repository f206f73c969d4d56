//! Loops that begin in an arbitrary state.
//!
//! An execution that enters the head of such a loop n times is in the formula twice at most: its first rounds
//! from the real beginning, if they are few, or else its last ones, from a state that is arbitrary there. So a
//! first run counts how often each activation of a loop enters its head, and in a second one the state of the
//! interpreter at the right moment becomes the arbitrary state of the model. The choices of the rounds before it
//! are in no formula; for all others the referee is the one for every evaluation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use base::Bv;
use encode::eval::arbitrary::{Entered, Head, Plan, Point};
use encode::eval::{Chosen, Vc};
use encode::order::Order;
use encode::pointer::Object;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal, Seed};
use interp::observe::Observer;
use interp::view::{Position, View};
use interp::{Bindings, Outcome, Value};
use ir::cfg::Cfg;
use ir::loops::{Loop, Loops};
use ir::syntax::{Block, Func, Inst, Module, Obligation, Op, Operand};
use terms::{Evaluator, Sort};

use crate::judge::{Execution, Seen};
use crate::script::{Extent, Script};

/// What came of an execution.
pub struct Judged {
    pub seen: Seen,
    /// How many arbitrary states it went through, and how many of them came after earlier rounds.
    pub states: usize,
    pub late: usize,
    /// How many objects with changed contents were in them.
    pub objects: usize,
}

/// The head of a loop of the plan is entered.
#[derive(Clone, Copy)]
struct Visit {
    /// Which activation of a loop, of all in their order.
    activation: usize,
    /// For the how many-th time.
    number: u32,
    func: Func,
    head: Block,
}

struct Active {
    depth: usize,
    func: Func,
    of: Loop,
    visit: Visit,
}

/// Finds the activations of loops in what happens.
struct Tracker<'m> {
    plan: &'m Plan,
    loops: BTreeMap<Func, Loops>,
    places: BTreeMap<(Func, Inst), (Block, usize)>,
    /// By depth, where it was last.
    last: Vec<(Func, Block, usize)>,
    active: Vec<Active>,
    activations: usize,
}

impl<'m> Tracker<'m> {
    fn new(module: &Module, plan: &'m Plan) -> Tracker<'m> {
        let mut tracker = Tracker {
            plan,
            loops: BTreeMap::new(),
            places: BTreeMap::new(),
            last: Vec::new(),
            active: Vec::new(),
            activations: 0,
        };
        for (func, data) in module.funcs.iter() {
            let Some(body) = &data.body else { continue };
            tracker.loops.insert(func, Loops::new(&Cfg::new(body)));
            for (block, data) in body.blocks.iter() {
                for (index, &inst) in data.insts.iter().enumerate() {
                    tracker.places.insert((func, inst), (block, index));
                }
            }
        }
        tracker
    }

    fn step(&mut self, view: &View<'_>) -> Option<Visit> {
        let (depth, func) = (view.depth(), view.func());
        let (block, index) = match view.position() {
            Position::Inst(inst) => self.places[&(func, inst)],
            Position::End(block) => (block, usize::MAX),
        };
        let before = (self.last.len() >= depth).then(|| self.last[depth - 1]);
        self.last.truncate(depth - 1);
        while self.last.len() < depth - 1 {
            // An activation of which no step was seen.
            self.last.push((func, block, index));
        }
        self.last.push((func, block, index));
        let loops = &self.loops;
        self.active.retain(|active| {
            active.depth < depth
                || active.depth == depth
                    && active.func == func
                    && loops[&func].contains(active.of, block)
        });
        let entered = match before {
            Some((old, was, at)) => old != func || was != block || index <= at,
            None => true,
        };
        if !entered || !self.plan.loops.contains_key(&(func, block)) {
            return None;
        }
        let of = self.loops[&func].with_header(block).expect("a head");
        let mut known = self.active.iter_mut();
        if let Some(active) = known.find(|active| active.depth == depth && active.of == of) {
            active.visit.number += 1;
            return Some(active.visit);
        }
        let visit = Visit {
            activation: self.activations,
            number: 0,
            func,
            head: block,
        };
        self.activations += 1;
        self.active.push(Active {
            depth,
            func,
            of,
            visit,
        });
        Some(visit)
    }
}

/// The same choices in each run, whatever the addresses.
struct Steady(Seed);

impl Choices for Steady {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        self.0.value(width)
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        self.0.object(size)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        self.0.bytes(len)
    }

    fn clobber(&mut self, _: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        Err(Refusal::Exhausted)
    }
}

/// Counts how often each activation enters its head.
struct Counter<'m> {
    tracker: Tracker<'m>,
    totals: Vec<u32>,
}

impl Observer for Counter<'_> {
    fn step(&mut self, view: &View<'_>) {
        if let Some(visit) = self.tracker.step(view) {
            self.totals.resize(self.tracker.activations, 0);
            self.totals[visit.activation] += 1;
        }
    }
}

/// An execution on its way through the formula.
struct Course<'m, 'v, 'a> {
    tracker: Tracker<'m>,
    totals: Vec<u32>,
    /// The same for this run, so far.
    seen: Vec<u32>,
    script: Script<'v, 'a>,
    steady: Steady,
    /// Rounds that are in no formula: until this activation enters its head for the so many-th time.
    skips: Option<(usize, u32)>,
    /// The head that comes next is after this one.
    heads: usize,
    /// The arbitrary state of an activation that is being skipped, and activations with rounds that pass.
    arbitrary: BTreeMap<usize, usize>,
    executed: Vec<Obligation>,
    problem: Option<String>,
    states: usize,
    late: usize,
    objects: usize,
}

/// Executes the program and compares with the formula.
pub fn compare(module: &Module, plan: &Plan, vc: &Vc<'_>, seed: u64) -> Result<Judged, String> {
    let mut script = Script::new(vc, seed);
    let globals = script.globals();
    let config = interp::Config {
        step_limit: 200_000,
        globals: globals.clone(),
        ..interp::Config::default()
    };
    let mut counter = Counter {
        tracker: Tracker::new(module, plan),
        totals: Vec::new(),
    };
    let mut steady = Steady(Seed::new(seed));
    let mut bindings = Bindings::new(&mut steady);
    bindings.observer = Some(&mut counter);
    let counted = interp::run(module, &config, bindings).outcome;
    let course = Rc::new(RefCell::new(Course {
        tracker: Tracker::new(module, plan),
        totals: counter.totals,
        seen: Vec::new(),
        script,
        steady: Steady(Seed::new(seed)),
        skips: None,
        heads: 0,
        arbitrary: BTreeMap::new(),
        executed: Vec::new(),
        problem: None,
        states: 0,
        late: 0,
        objects: 0,
    }));
    let planned = course.borrow().totals.clone();
    let (mut choices, mut observer) = (Shared(course.clone()), Shared(course.clone()));
    let mut bindings = Bindings::new(&mut choices);
    bindings.observer = Some(&mut observer);
    let outcome = interp::run(module, &config, bindings).outcome;
    drop((choices, observer));
    let course = Rc::into_inner(course)
        .expect("the run is over")
        .into_inner();
    let (states, late, objects) = (course.states, course.late, course.objects);
    let ended = !matches!(outcome, Outcome::Refused(_));
    if ended && course.seen != planned {
        // Objects lay elsewhere when rounds were counted, and the program noticed.
        let seen = Seen::Vague;
        return Ok(Judged {
            seen,
            states: 0,
            late: 0,
            objects: 0,
        });
    }
    if let Some(problem) = course.problem {
        return Err(problem);
    }
    let same = std::mem::discriminant(&counted) == std::mem::discriminant(&outcome);
    if !same && !matches!(outcome, Outcome::Refused(_)) {
        return Err(format!(
            "two runs with the same choices: {counted} and {outcome}"
        ));
    }
    let execution = Execution {
        globals,
        script: course.script,
        outcome,
        executed: course.executed,
    };
    let seen = execution.judge(|_| false)?;
    Ok(Judged {
        seen,
        states,
        late,
        objects,
    })
}

/// The source of choices and the observer are one.
struct Shared<'m, 'v, 'a>(Rc<RefCell<Course<'m, 'v, 'a>>>);

impl Observer for Shared<'_, '_, '_> {
    fn step(&mut self, view: &View<'_>) {
        self.0.borrow_mut().step(view);
    }
}

impl Choices for Shared<'_, '_, '_> {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        self.0.borrow_mut().value(width)
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        self.0.borrow_mut().object(size)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        self.0.borrow_mut().bytes(len)
    }

    fn clobber(&mut self, _: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        Err(Refusal::Exhausted)
    }
}

impl Course<'_, '_, '_> {
    fn step(&mut self, view: &View<'_>) {
        if self.problem.is_some() {
            return;
        }
        if let Some(visit) = self.tracker.step(view) {
            self.seen.resize(self.tracker.activations, 0);
            self.seen[visit.activation] += 1;
            match self.skips {
                Some(until) if until == (visit.activation, visit.number) => {
                    self.skips = None;
                    self.fill(view, self.arbitrary[&visit.activation]);
                }
                Some(_) => {}
                None if visit.number == 0 => self.enter(view, visit),
                None => {}
            }
        }
        let Position::Inst(inst) = view.position() else {
            return;
        };
        let op = &view.module().body(view.func()).insts[inst].op;
        if let Op::Check(obligation, _) = op
            && self.skips.is_none()
            && self.is_judged()
        {
            self.executed.push(*obligation);
        }
    }

    /// Is every loop that began in an arbitrary state in its last round?
    fn is_judged(&self) -> bool {
        self.tracker.active.iter().all(|active| {
            let activation = active.visit.activation;
            !self.arbitrary.contains_key(&activation)
                || active.visit.number + 1 == self.totals[activation]
        })
    }

    /// A loop is entered: it goes through the formula by its first rounds, or by its last ones.
    fn enter(&mut self, view: &View<'_>, visit: Visit) {
        let vc = self.script.vc;
        let induction = self.tracker.plan.loops[&(visit.func, visit.head)];
        let here = |head: &Head| {
            (head.place.func, head.place.point) == (visit.func, Point::Head(visit.head))
        };
        let first = {
            let mut values = Evaluator::new(self.script.terms(), &self.script.model);
            (self.heads..vc.heads.len()).find(|&index| {
                let head = &vc.heads[index];
                let first = matches!(head.entered, Entered::First);
                first && here(head) && values.eval(head.reached).expect_bool()
            })
        };
        let Some(first) = first else {
            self.problem = Some("a loop is entered, and in the formula it is not".to_owned());
            return;
        };
        self.heads = first + 1;
        let total = *self.totals.get(visit.activation).unwrap_or(&1);
        if total <= induction.rounds {
            if !induction.base {
                // Nothing from here on is in the formula.
                self.script.vague = true;
                self.skips = Some((usize::MAX, 0));
            }
            return;
        }
        let arbitrary = (first + 1..vc.heads.len()).find(|&index| {
            here(&vc.heads[index]) && matches!(vc.heads[index].entered, Entered::Arbitrary(_))
        });
        let Some(arbitrary) = arbitrary else {
            self.problem = Some("a loop has no arbitrary state".to_owned());
            return;
        };
        if let Entered::Arbitrary(havoc) = &vc.heads[arbitrary].entered
            && let Some(chosen) = havoc.chosen
        {
            self.script.assign(chosen, &Bv::from_u64(1, 1));
        }
        self.arbitrary.insert(visit.activation, arbitrary);
        let until = total - 1 - induction.rounds;
        if until == 0 {
            self.fill(view, arbitrary);
        } else {
            self.late += 1;
            self.skips = Some((visit.activation, until));
        }
    }

    /// The state of the interpreter is the arbitrary one.
    fn fill(&mut self, view: &View<'_>, index: usize) {
        self.states += 1;
        let vc = self.script.vc;
        let head = &vc.heads[index];
        let Entered::Arbitrary(havoc) = &head.entered else {
            unreachable!("an arbitrary state")
        };
        let body = view.module().body(head.place.func);
        let order = Order::new(body);
        let Point::Head(block) = head.place.point else {
            unreachable!("no plan has functions here")
        };
        let params = &body.blocks[block].params;
        let values: Vec<_> = params.iter().chain(order.carried(block)).collect();
        for &(index, var) in &havoc.scalars {
            match view.operand(&Operand::Value(*values[index])) {
                Some(Value::Int(bits) | Value::Float(_, bits)) => self.script.assign(var, &bits),
                other => self.problem = Some(format!("a scalar is {other:?}")),
            }
        }
        let pointer_bits = vc.world.pointer_bits;
        for &(index, address, owner) in &havoc.pointers {
            let Some(Value::Pointer(pointer)) = view.operand(&Operand::Value(*values[index]))
            else {
                self.problem = Some("a pointer has no value".to_owned());
                return;
            };
            let object = view.base_of(pointer).and_then(|base| self.placed_at(base));
            let object = object.map_or(0, |object| object.index() as u64);
            let at = Bv::from_u64(pointer.address, pointer_bits);
            self.script.assign(address, &at);
            let Sort::BitVec(bits) = self.script.terms().sort(owner) else {
                unreachable!("an owner is a number")
            };
            self.script.assign(owner, &Bv::from_u64(object, bits));
        }
        for (_, havoc) in &havoc.objects {
            let placed = self.script.placed.iter().rev();
            let placed = placed
                .clone()
                .find(|(object, _, _)| *object == havoc.object);
            let Some(&(_, base, size)) = placed else {
                // On this path it was never made.
                continue;
            };
            let object = view.object_at(base);
            self.objects += 1;
            let bit = |holds: bool| Bv::from_u64(holds.into(), 1);
            if let Some(alive) = havoc.alive {
                let now = object.is_some_and(|object| object.is_alive());
                self.script.assign(alive, &bit(now));
            }
            if let Some(modified) = havoc.modified {
                let now = object.is_some_and(|object| object.is_modified());
                self.script.assign(modified, &bit(now));
            }
            let terms = self.script.terms();
            if let Some(unknown) = havoc.contents {
                let contents = &vc.world.unknowns[unknown];
                let byte = |at: u64| object.and_then(|object| object.byte(at)).unwrap_or(0);
                contents.put(terms, &mut self.script.model, byte, 0..size);
                let pointer = u64::from(pointer_bits / 8);
                let owners: BTreeMap<u64, Object> = (0..size)
                    .filter_map(|at| {
                        let base = object?.owner(at, pointer)?;
                        Some((at, self.placed_at(base)?))
                    })
                    .collect();
                let owner = |at: u64| owners.get(&at).copied();
                contents.put_owners(terms, &mut self.script.model, owner, (size, pointer));
            }
            if let Some(unknown) = havoc.shadow {
                let shadow = |at: u64| object.map_or(0, |object| object.shadow(at));
                let contents = &vc.world.unknowns[unknown];
                contents.put(terms, &mut self.script.model, shadow, 0..size);
            }
        }
    }

    fn placed_at(&self, base: u64) -> Option<Object> {
        let mut placed = self.script.placed.iter().rev();
        placed
            .find(|placed| placed.1 == base)
            .map(|placed| placed.0)
    }

    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        let bits = self.steady.value(width)?;
        if self.skips.is_some() {
            return Ok(bits);
        }
        let asked = format!("a value of {width} bits");
        let &Chosen::Value(term) = self.script.take(&asked)? else {
            return self.script.mismatch(&asked);
        };
        let have = match self.script.terms().sort(term) {
            Sort::Bool => 1,
            _ => self.script.terms().width(term),
        };
        if have != width {
            return self.script.mismatch(&asked);
        }
        self.script.assign(term, &bits);
        Ok(bits)
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        let mut choice = self.steady.object(size)?;
        if self.skips.is_some() {
            return Ok(choice);
        }
        let asked = format!("an object of {size} bytes");
        let &Chosen::Object(object, unknown) = self.script.take(&asked)? else {
            return self.script.mismatch(&asked);
        };
        choice.address = Some(self.script.place(object, size));
        match unknown {
            Some(unknown) => self
                .script
                .fill(unknown, choice.fill.clone(), Extent::Bytes(size)),
            None => choice.fill = Fill::Zero,
        }
        Ok(choice)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        let fill = self.steady.bytes(len)?;
        if self.skips.is_some() {
            return Ok(fill);
        }
        let asked = format!("{len} bytes");
        let &Chosen::Bytes(unknown) = self.script.take(&asked)? else {
            return self.script.mismatch(&asked);
        };
        self.script.fill(unknown, fill.clone(), Extent::Bytes(len));
        Ok(fill)
    }
}
