//! An evaluation: steps, joins, calls and bounds.

use std::collections::BTreeMap;
use std::rc::Rc;

use ir::syntax::{
    Block, Callee, Const, Func, HaltKind, Inst, InstData, Module, Obligation, Op, Operand, PlaceId,
    Target, Terminator, Type, Value,
};
use rustc_hash::FxHashMap;
use terms::{Term, Terms};

use super::arbitrary::Inductive;
use super::fragment::Cutting;
use super::frame::{Arrival, Cursor, Frame};
use super::{Assumption, Bounded, Config, Limit, Look, Oracle, Stats, Stopped, Val, Vc, is_debug};
use crate::memory::{Init, Memory, State};
use crate::order::{Key, Order};
use crate::path::{Path, Paths, Role};
use crate::pointer::Object;
use crate::world::World;

pub(super) struct Evaluation<'a, 'o> {
    pub(super) vc: Vc<'a>,
    pub(super) config: &'a Config,
    pub(super) oracle: &'o mut dyn Oracle,
    pub(super) paths: Paths,
    pub(super) frames: Vec<Frame<'a>>,
    orders: FxHashMap<Func, Rc<Order>>,
    pub(super) module: &'a Module,
    pub(super) place: Option<PlaceId>,
    /// The instruction that is being evaluated.
    inst: Inst,
    /// May a version be taken out of its register by whoever looks at it last on the way?
    takes: bool,
    /// For a program in one of the forms: what its check stands for.
    pub(super) selectors: Option<Vec<(Obligation, Operand)>>,
    /// The loops that begin in an arbitrary state.
    pub(super) inductive: Option<Inductive<'a>>,
    /// The fragment that is evaluated, if it is not the whole program.
    pub(super) cutting: Option<Cutting<'a>>,
}

impl<'a, 'o> Evaluation<'a, 'o> {
    pub(super) fn new(
        module: &'a Module,
        terms: &'a mut Terms,
        config: &'a Config,
        oracle: &'o mut dyn Oracle,
    ) -> Evaluation<'a, 'o> {
        let world = World::new(terms, module, config.encoding);
        let paths = Paths::new(world.terms);
        let vc = Vc {
            world,
            instances: Vec::new(),
            assumptions: Vec::new(),
            cuts: Vec::new(),
            prunes: Vec::new(),
            repeats: Vec::new(),
            heads: Vec::new(),
            choices: Vec::new(),
            clobbers: Vec::new(),
            unknown_memory: None,
            unknown_reads: Vec::new(),
            reached: base::Map::filled(Vec::new(), module.obligations.len()),
            gaps: Vec::new(),
            looks: Vec::new(),
            stats: Stats::default(),
            stopped: None,
            stopped_in: None,
        };
        Evaluation {
            vc,
            config,
            oracle,
            paths,
            frames: Vec::new(),
            orders: FxHashMap::default(),
            module,
            place: None,
            inst: Inst::from_index(0),
            takes: true,
            selectors: None,
            inductive: None,
            cutting: None,
        }
    }

    pub(super) fn run(mut self) -> Vc<'a> {
        self.run_to_the_end();
        self.vc
    }

    pub(super) fn run_to_the_end(&mut self) {
        if self.open_entry().is_none() {
            return;
        }
        self.run_frames();
    }

    /// Evaluates all that is waiting.
    pub(super) fn run_frames(&mut self) {
        while !self.frames.is_empty() && self.vc.stopped.is_none() {
            self.step();
        }
    }

    /// Enters the entry with the program's initial memories.
    pub(super) fn open_entry(&mut self) -> Option<Func> {
        let entry = self.module.entry?;
        let body = self.module.body(entry);
        let mut args = Vec::new();
        for &param in &body.params {
            let Type::Mem(region) = body.values[param].ty else {
                unreachable!("the entry takes memories only")
            };
            let word = self.vc.world.sizes.of_region(entry, body, region);
            let mut memory = self.initial_memory(&body.regions[region].globals, word);
            if body.regions[region].unknown && self.config.unknown_memory {
                let unknown = self.vc.world.unknown();
                self.vc.unknown_memory = Some(unknown);
                self.renew_unknown(&mut memory, unknown);
            }
            args.push(Val::Memory(memory));
        }
        let path = self.begin_main();
        self.enter(entry, args, path, 0);
        self.assume_constraints();
        Some(entry)
    }

    /// Choices are named after the values that they define, and every block keeps its registers.
    pub(super) fn name_choices(&mut self) {
        self.takes = false;
        self.vc.world.name_after(None);
    }

    /// The evaluation goes on at the beginning of a block that is reached under a condition.
    pub(super) fn place_cursor(&mut self, block: Block, reached: Term) {
        let root = self.paths.root();
        let path = self
            .paths
            .extend(self.vc.world.terms, root, reached, Role::Decision);
        let key = self.frame().order.start();
        self.frame().cursor = Some(Cursor {
            key,
            block,
            next: 0,
            path,
        });
    }

    /// The instruction is about to be evaluated.
    pub(super) fn begin(&mut self, inst: Inst, data: &InstData) {
        self.vc.stats.steps += 1;
        self.place = data.place;
        self.inst = inst;
        if !self.takes {
            self.vc.world.name_after(data.results.first().copied());
        }
    }

    /// Is the current block still being evaluated?
    pub(super) fn is_running(&mut self) -> bool {
        self.frame().cursor.is_some()
    }

    /// The memory of a region at the program's start.
    fn initial_memory(&mut self, globals: &[ir::syntax::Global], word: u32) -> Memory {
        let mut memory = self.vc.world.empty_memory(word);
        for &global in globals {
            let object = self.vc.world.global_objects[global];
            let init = self.vc.world.global_init(global);
            self.begin_life(&mut memory, object, init, Init::Zero);
        }
        memory
    }

    /// An object is alive from here on, and nobody has changed it.
    pub(super) fn begin_life(
        &mut self,
        memory: &mut Memory,
        object: Object,
        init: Init,
        shade: Init,
    ) {
        let (alive, modified) = (self.terms().tru(), self.terms().fls());
        let word = self.vc.world.objects[object].word;
        let (world, shared) = (&mut self.vc.world, &mut memory.shared);
        let contents = world.contents(shared, init, word);
        let shadow = world.shadow(shared, shade, word);
        let state = State {
            alive,
            modified,
            contents,
            shadow,
        };
        memory.set(object, state);
    }

    pub(super) fn terms(&mut self) -> &mut Terms {
        self.vc.world.terms
    }

    pub(super) fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("a frame is open")
    }

    pub(super) fn enter(&mut self, func: Func, args: Vec<Val>, path: Path, recursion: u32) {
        let body = self.module.body(func);
        let order = self
            .orders
            .entry(func)
            .or_insert_with(|| Rc::new(Order::new(body)))
            .clone();
        let mut registers = vec![None; body.values.len()];
        for (&param, value) in body.params.iter().zip(args) {
            registers[param.index()] = Some(value);
        }
        let start = order.start();
        let entered = self.paths.condition(path);
        let position = start.clone();
        let pending = BTreeMap::from([(
            start,
            vec![Arrival {
                path,
                values: Vec::new(),
            }],
        )]);
        self.frames.push(Frame {
            func,
            body,
            order,
            registers,
            pending,
            cursor: None,
            returns: Vec::new(),
            rounds: FxHashMap::default(),
            began: FxHashMap::default(),
            position,
            entered,
            recursion,
            stack: Vec::new(),
            events: self.vc.world.lives.count(),
        });
    }

    /// What had happened to objects when the program called the library code that is running now, if any.
    pub(super) fn library_since(&self) -> Option<usize> {
        let open = self.frames.iter().rev();
        let models = open.take_while(|frame| self.module.funcs[frame.func].model);
        models.last().map(|frame| frame.events)
    }

    /// One block, up to its end or a call.
    pub(super) fn step(&mut self) {
        if self.oracle.interrupted() {
            self.stop(Stopped::Interrupted);
            return;
        }
        if self.vc.world.terms.len() > self.config.terms {
            self.stop(Stopped::Terms);
            return;
        }
        if self.frame().cursor.is_none() {
            match self.frame().pending.pop_first() {
                Some((key, arrivals)) => self.start_block(key, arrivals),
                None => self.leave_frame(),
            }
            return;
        }
        let body = self.frame().body;
        loop {
            let Some(cursor) = &mut self.frame().cursor else {
                return;
            };
            let data = &body.blocks[cursor.block];
            let Some(&inst) = data.insts.get(cursor.next) else {
                self.place = data.place;
                self.end_block(&data.terminator);
                return;
            };
            cursor.next += 1;
            let data = &body.insts[inst];
            if is_debug(&data.op) {
                continue;
            }
            self.begin(inst, data);
            if let Op::Call { callee, args, .. } = &data.op {
                self.call(inst, data, callee, args);
                return;
            }
            self.execute(data);
            self.note_gap();
        }
    }

    /// What the instruction could not represent is a gap. Objects whose address matters fit the room that they
    /// got, else their neighbours' addresses would be wrong: violations are not looked for elsewhere, and a proof
    /// is asked again without that, because it looked.
    pub(super) fn note_gap(&mut self) {
        if let Some(what) = self.vc.world.noticed.looked.take() {
            let look = Look {
                what,
                place: self.place,
            };
            if !self.vc.looks.contains(&look) {
                self.vc.looks.push(look);
            }
        }
        while let Some(object) = self.vc.world.noticed.observed.pop() {
            let fits = self.vc.world.fits_room(object);
            if self.is_running() && self.known(fits) != Some(true) {
                self.assume(fits);
            }
        }
        self.note_looks();
        while let Some((happens, what)) = self.vc.world.noticed.gaps_if.pop() {
            if self.is_running() {
                self.gap(happens, what);
            }
        }
        if let Some(what) = self.vc.world.noticed.gap.take()
            && self.is_running()
        {
            let always = self.terms().tru();
            self.gap(always, what);
        }
    }

    /// What is true of addresses is assumed before anything happens.
    pub(super) fn assume_constraints(&mut self) {
        let always = self.terms().tru();
        for holds in self.vc.world.constraints.clone() {
            self.vc.assumptions.push(Assumption {
                reached: always,
                holds,
                passed: None,
            });
        }
    }

    /// A memory of a region that begins here.
    pub(super) fn new_region(&mut self, region: ir::syntax::Region) -> Memory {
        let frame = self.frames.last().expect("a frame is open");
        let (func, body) = (frame.func, frame.body);
        let word = self.vc.world.sizes.of_region(func, body, region);
        self.vc.world.empty_memory(word)
    }

    /// The unit of the object that the current instruction allocates.
    pub(super) fn allocation_word(&mut self) -> u32 {
        let (inst, frame) = (self.inst, self.frames.last().expect("a frame is open"));
        let (func, body) = (frame.func, frame.body);
        self.vc.world.sizes.of_allocation(func, body, inst)
    }

    fn stop(&mut self, why: Stopped) {
        self.vc.stopped = Some(why);
        let busy = self.frames.iter().rev().find_map(|frame| {
            let cursor = frame.cursor.as_ref();
            let key = cursor
                .map(|cursor| &cursor.key)
                .or_else(|| frame.pending.keys().next())?;
            let (head, iteration) = frame.order.innermost(key)?;
            Some(Bounded::Loop(frame.func, head, iteration))
        });
        self.vc.stopped_in = busy.or_else(|| {
            let func = self.frames.last()?.func;
            let depth = self
                .frames
                .iter()
                .filter(|frame| frame.func == func)
                .count() as u32;
            (depth > 1).then_some(Bounded::Recursion(func, depth))
        });
    }

    /// Merges the states that met at a block and begins it, unless a loop's bound is reached.
    fn start_block(&mut self, key: Key, arrivals: Vec<Arrival>) {
        let (block, order) = {
            let frame = self.frame();
            (frame.order.block(&key), frame.order.clone())
        };
        let Arrival {
            mut path,
            mut values,
        } = self.join(arrivals);
        let func = {
            let frame = self.frame();
            frame.position.clone_from(&key);
            frame.func
        };
        if order.is_head(block) {
            match self.induction(func, block) {
                None if self.go_round(&key, block, path, &values) => {
                    Arrival { path, values } = self.cut_block(block, Arrival { path, values });
                }
                None => return,
                Some(induction) => {
                    let goes_on = self.enter_head(&key, block, path, values, induction);
                    let Some(state) = goes_on else { return };
                    (path, values) = state;
                }
            }
        } else {
            Arrival { path, values } = self.cut_block(block, Arrival { path, values });
        }
        let frame = self.frame();
        let params = &frame.body.blocks[block].params;
        for (&value, val) in params.iter().chain(order.carried(block)).zip(values) {
            frame.registers[value.index()] = Some(val);
        }
        frame.cursor = Some(Cursor {
            key,
            block,
            next: 0,
            path,
        });
    }

    /// Merges states pairwise, those that parted last first.
    fn join(&mut self, arrivals: Vec<Arrival>) -> Arrival {
        if arrivals.len() > 1 {
            self.vc.stats.joins += 1;
        }
        let mut stack: Vec<Arrival> = Vec::new();
        for arrival in arrivals {
            while let [.., before, last] = stack.as_slice() {
                let inner = self.paths.depth(self.paths.common(before.path, last.path));
                let outer = self.paths.depth(self.paths.common(last.path, arrival.path));
                if inner < outer {
                    break;
                }
                self.merge_top(&mut stack);
            }
            stack.push(arrival);
        }
        while stack.len() > 1 {
            self.merge_top(&mut stack);
        }
        stack.pop().expect("at least one state arrives")
    }

    fn merge_top(&mut self, stack: &mut Vec<Arrival>) {
        let second = stack.pop().expect("two states");
        let first = stack.pop().expect("two states");
        let (path, gate) = self
            .paths
            .merge(self.vc.world.terms, first.path, second.path);
        let values = first
            .values
            .iter()
            .zip(&second.values)
            .map(|(a, b)| self.merge_values(gate, a, b))
            .collect();
        stack.push(Arrival { path, values });
    }

    /// The first value if the gate holds, else the second.
    pub(super) fn merge_values(&mut self, gate: Term, a: &Val, b: &Val) -> Val {
        let world = &mut self.vc.world;
        match (a, b) {
            (Val::Term(x), Val::Term(y)) => Val::Term(world.terms.ite(gate, *x, *y)),
            (Val::Pointer(x), Val::Pointer(y)) => {
                Val::Pointer(world.pointers.merge(world.terms, gate, *x, *y))
            }
            (Val::Memory(x), Val::Memory(y)) => Val::Memory(world.merge_memories(gate, x, y)),
            (Val::Term(_) | Val::Pointer(_) | Val::Memory(_), _) => {
                unreachable!("a register has one type")
            }
        }
    }

    /// The value of an operand.
    pub(super) fn value(&mut self, operand: &Operand) -> Val {
        match operand {
            Operand::Value(value) => self.register(*value),
            Operand::Const(Const::Int(bits)) if bits.width() == 1 => {
                Val::Term(self.terms().bool(!bits.is_zero()))
            }
            Operand::Const(Const::Int(bits) | Const::Float(_, bits)) => {
                Val::Term(self.terms().bv(bits.clone()))
            }
            Operand::Const(pointer @ (Const::Null | Const::Global(..) | Const::Func(_))) => {
                Val::Pointer(self.vc.world.constant_pointer(pointer))
            }
        }
    }

    pub(super) fn register(&mut self, value: Value) -> Val {
        let frame = self.frame();
        frame.registers[value.index()]
            .clone()
            .unwrap_or_else(|| panic!("{value} is used before it is defined"))
    }

    /// A memory version that an instruction names; taken out of its register if nobody looks at it
    /// again, so that the next version can be made in place.
    pub(super) fn memory(&mut self, data: &InstData, index: usize) -> Memory {
        let (value, inst, takes) = (data.mems[index], self.inst, self.takes);
        let frame = self.frame();
        let register = &mut frame.registers[value.index()];
        let memory = if takes && frame.order.is_last_use(inst, value) {
            register.take()
        } else {
            register.clone()
        };
        match memory {
            Some(Val::Memory(memory)) => memory,
            Some(Val::Term(_) | Val::Pointer(_)) | None => panic!("{value} holds no memory"),
        }
    }

    pub(super) fn define(&mut self, value: Value, val: Val) {
        self.frame().registers[value.index()] = Some(val);
    }

    /// The current path's condition.
    pub(super) fn condition(&mut self) -> Term {
        let path = self.path();
        self.paths.condition(path)
    }

    fn path(&mut self) -> Path {
        self.frame()
            .cursor
            .as_ref()
            .expect("a block is being evaluated")
            .path
    }

    pub(super) fn set_path(&mut self, path: Path) {
        self.frame()
            .cursor
            .as_mut()
            .expect("a block is being evaluated")
            .path = path;
    }

    /// The state ends here.
    pub(super) fn die(&mut self) {
        self.frame().cursor = None;
    }

    /// Is the condition's value known on the current path?
    pub(super) fn known(&mut self, condition: Term) -> Option<bool> {
        let path = self.path();
        self.paths.knows(self.vc.world.terms, path, condition)
    }

    /// The current path goes on only if the condition holds.
    pub(super) fn assume(&mut self, holds: Term) {
        self.assume_passed(holds, None);
    }

    pub(super) fn assume_passed(&mut self, holds: Term, passed: Option<Obligation>) {
        match self.known(holds) {
            Some(true) => {}
            Some(false) => self.die(),
            None => {
                let reached = self.condition();
                self.vc.assumptions.push(Assumption {
                    reached,
                    holds,
                    passed,
                });
                let path = self.path();
                let extended = self
                    .paths
                    .extend(self.vc.world.terms, path, holds, Role::Fact);
                self.set_path(extended);
            }
        }
    }

    fn end_block(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Jump(target) => {
                let path = self.path();
                self.go(target, path);
                self.die();
            }
            Terminator::Branch(condition, yes, no) => self.branch(condition, yes, no),
            Terminator::Switch(..) => unreachable!("no switch in phase Pure"),
            Terminator::Return(values) => {
                let values: Vec<Val> = values.iter().map(|operand| self.value(operand)).collect();
                let path = self.path();
                self.stops_at_return(path, &values);
                self.frame().returns.push(Arrival { path, values });
                self.die();
            }
            Terminator::Halt(_) => self.die(),
        }
    }

    fn branch(&mut self, condition: &Operand, yes: &Target, no: &Target) {
        let Val::Term(condition) = self.value(condition) else {
            unreachable!("a condition is a term")
        };
        let path = self.path();
        match self.known(condition) {
            Some(decided) => {
                self.vc.stats.branches_folded += 1;
                self.go(if decided { yes } else { no }, path);
                self.die();
            }
            None if yes == no => {
                self.go(yes, path);
                self.die();
            }
            None => {
                self.vc.stats.branches += 1;
                let negated = self.terms().not(condition);
                // A side that ends at once is an assumption that it is not taken.
                for (dead, holds, other) in [(yes, negated, no), (no, condition, yes)] {
                    if self.ends(dead.block) {
                        self.assume(holds);
                        if self.frame().cursor.is_some() {
                            let path = self.path();
                            self.go(other, path);
                        }
                        self.die();
                        return;
                    }
                }
                for (target, literal) in [(yes, condition), (no, negated)] {
                    let taken =
                        self.paths
                            .extend(self.vc.world.terms, path, literal, Role::Decision);
                    self.go(target, taken);
                }
                self.die();
            }
        }
    }

    /// Does the block end the execution without doing anything?
    fn ends(&mut self, block: Block) -> bool {
        let body = self.frame().body;
        let data = &body.blocks[block];
        let quiet = data
            .insts
            .iter()
            .all(|&inst| is_debug(&body.insts[inst].op));
        let halts = matches!(
            data.terminator,
            Terminator::Halt(HaltKind::Exit | HaltKind::Abort | HaltKind::Dead)
        );
        quiet && halts && !self.is_stop(block)
    }

    /// Sends the current state along an edge.
    fn go(&mut self, target: &Target, path: Path) {
        if self.stops_at(target, path) {
            return;
        }
        let mut values: Vec<Val> = target
            .args
            .iter()
            .map(|operand| self.value(operand))
            .collect();
        let order = self.frame().order.clone();
        for &carried in order.carried(target.block) {
            let value = self.register(carried);
            values.push(value);
        }
        let frame = self.frame();
        let from = &frame
            .cursor
            .as_ref()
            .expect("a block is being evaluated")
            .key;
        let (key, func) = (order.step(from, target.block), frame.func);
        if self.inductive.is_some() {
            let from = self.frame().position.clone();
            if self.is_left_out(func, &order, &from, &key) {
                return;
            }
        }
        self.frame().wait(key, path, values);
    }

    fn call(&mut self, inst: Inst, data: &'a InstData, callee: &Callee, args: &[Operand]) {
        let &Callee::Direct(func) = callee else {
            unreachable!("calls are direct in phase Pure")
        };
        let mut values: Vec<Val> = args.iter().map(|operand| self.value(operand)).collect();
        self.inst = inst;
        for index in 0..data.mems.len() {
            let memory = self.memory(data, index);
            values.push(Val::Memory(memory));
        }
        let path = self.path();
        if self.is_summarised(func) {
            let values = self.call_summary(func, values, path);
            let results = data.results.iter();
            for (&result, value) in results.zip(values) {
                self.define(result, value);
            }
            return;
        }
        if self.stops_at_call(func, data, &values, path) {
            return;
        }
        let condition = self.paths.condition(path);
        let mut recursion = 0;
        if let Some(open) = self.frames.iter().rev().find(|frame| frame.func == func) {
            let counts = self.config.exact_depth || open.entered != condition;
            recursion = open.recursion + u32::from(counts);
        }
        let open = self.frames.len() as u32;
        if recursion > self.config.depth || open >= self.config.frames {
            let depth = self
                .frames
                .iter()
                .filter(|frame| frame.func == func)
                .count() as u32;
            let limit = if recursion > self.config.depth {
                Limit::Bound
            } else {
                Limit::Everything
            };
            self.cut(Bounded::Recursion(func, depth), limit, condition);
            self.die();
            return;
        }
        self.enter(func, values, path, recursion);
    }

    /// The top frame has nothing left to do: its caller goes on with what it returned.
    fn leave_frame(&mut self) {
        let frame = self.frames.pop().expect("a frame is open");
        if self.frames.is_empty() {
            self.end_body(frame.returns);
            return;
        }
        if frame.returns.is_empty() {
            self.die();
            return;
        }
        let Arrival { path, values } = self.join(frame.returns);
        self.set_path(path);
        let caller = self.frame();
        let cursor = caller.cursor.as_ref().expect("the caller is in a block");
        let inst = caller.body.blocks[cursor.block].insts[cursor.next - 1];
        let results = &caller.body.insts[inst].results;
        for (&result, value) in results.iter().zip(values) {
            caller.registers[result.index()] = Some(value);
        }
    }
}
