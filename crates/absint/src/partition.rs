//! Which small finite variables states are kept apart by.
//!
//! A state machine's state, a lock's flag, a phase: variables that are only ever set to a few constants
//! and are looked at by conditions. Two states in which such variables have different values are not
//! joined. Candidates are block parameters all of whose arguments are constants (or candidates
//! themselves, or numbers that nobody knows), and cells of globals and of variables that are only written such.
//!
//! A number from before a loop is the same in each round: if the loop asks whether it is 0, its rounds are kept apart by the answer, from
//! where it was given on.
//!
//! What a loop does differently before and after a number that it carries passes a constant is kept apart too ([`crate::phases`]).
//!
//! The number of states of a block is limited: beyond it, the block uses fewer variables, those that are looked at most.

use std::collections::{BTreeMap, BTreeSet};

use ir::cfg::Cfg;
use ir::loops::Loops;
use ir::syntax::{
    Block, Body, CompareOp, Const, Def, InitPiece, Inst, Module, Op, Operand, Terminator, Type,
    Value,
};

use crate::domains::Int;
use crate::phases::{self, Phase};
use crate::state::{Program, State};
use crate::value::{Base, Obj, Val};

/// A variable that states are kept apart by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Variable {
    /// A block parameter.
    Param(Value),
    /// A cell at an offset.
    Cell(Obj, u64),
    /// Is a register from before a loop this number? The loop asks in each round, and gets the same answer.
    Outer(Value, u64),
    /// In which phase is a loop?
    Phase(Phase),
}

/// The values of the variables that have one in a state: variable's number, value.
pub type Key = Vec<(u32, u64)>;

/// Of more registers from before loops nobody keeps the answers apart.
const MAX_OUTER: usize = 16;

/// More constants make a variable none of a state machine.
const MAX_CONSTANTS: usize = 48;

/// The variables, those looked at most first.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// The variables.
    pub variables: Vec<Variable>,
    /// Truth values that say what a register from before a loop is: by them choices are told apart.
    pub answers: BTreeSet<Value>,
    /// For each head the phases of its loop, by their places among the variables.
    parted: BTreeMap<Block, Vec<(usize, Phase)>>,
}

fn place_of(body: &Body, operand: &Operand) -> Option<(Obj, u64)> {
    let mut operand = operand;
    let mut offset = 0i64;
    for _ in 0..16 {
        match operand {
            Operand::Const(Const::Global(global, at)) => {
                let at = at.wrapping_add(offset);
                return Some((Obj::Global(*global), u64::try_from(at).ok()?));
            }
            Operand::Const(_) => return None,
            Operand::Value(value) => {
                let Def::Result(inst, _) = body.values[*value].def else {
                    return None;
                };
                match &body.insts[inst].op {
                    Op::Alloc { .. } => {
                        return Some((Obj::Recent(inst), u64::try_from(offset).ok()?));
                    }
                    Op::Offset(base, Operand::Const(Const::Int(by))) => {
                        offset = offset.wrapping_add(by.to_i64()?);
                        operand = base;
                    }
                    Op::Copy(base) => operand = base,
                    _ => return None,
                }
            }
        }
    }
    None
}

impl Partition {
    /// The variables of a body.
    pub fn new(module: &Module, body: &Body) -> Partition {
        let constants = param_constants(body);
        let mut cells: BTreeMap<(Obj, u64), Option<BTreeSet<u64>>> = BTreeMap::new();
        let mut looks: BTreeMap<Variable, usize> = BTreeMap::new();
        let looked_at = looked_at(body);
        for (_, inst) in body.insts_in_order() {
            match &body.insts[inst].op {
                Op::Store { ty, ptr, value, .. } => {
                    if let Some(place) = place_of(body, ptr)
                        && matches!(ty, Type::Int(1..=64))
                    {
                        let found = cells.entry(place).or_insert_with(|| Some(BTreeSet::new()));
                        let values = match value {
                            Operand::Const(Const::Int(bv)) => Some(BTreeSet::from([bv.low_u64()])),
                            Operand::Const(_) => None,
                            Operand::Value(value) if is_unknown(body, *value) => {
                                Some(BTreeSet::new())
                            }
                            Operand::Value(value) => constants.get(value).cloned(),
                        };
                        match (found.as_mut(), values) {
                            (Some(found), Some(values)) => found.extend(values),
                            _ => *found = None,
                        }
                    }
                }
                Op::Load { ptr, .. } => {
                    if let Some((obj, at)) = place_of(body, ptr)
                        && looked_at.contains(&inst)
                    {
                        *looks.entry(Variable::Cell(obj, at)).or_default() += 1;
                    }
                }
                Op::Compare(_, a, b) => {
                    for operand in [a, b] {
                        if let Operand::Value(value) = operand
                            && let Def::BlockParam(..) = body.values[*value].def
                        {
                            *looks.entry(Variable::Param(*value)).or_default() += 1;
                        }
                    }
                }
                _ => {}
            }
        }
        hand_back(body, &constants, &mut looks);
        let mut found: Vec<(usize, Variable)> = Vec::new();
        for ((obj, at), values) in &cells {
            let variable = Variable::Cell(*obj, *at);
            let Some(values) = values else { continue };
            let starts = match obj {
                Obj::Global(global) => initial_count(module, *global),
                Obj::Recent(_) | Obj::Old(_) => 0,
            };
            let many = values.len() + starts;
            if (2..=MAX_CONSTANTS).contains(&many)
                && let Some(&looks) = looks.get(&variable)
            {
                found.push((looks, variable));
            }
        }
        for (value, values) in &constants {
            let variable = Variable::Param(*value);
            if (2..=MAX_CONSTANTS).contains(&values.len())
                && let Some(&looks) = looks.get(&variable)
            {
                found.push((looks, variable));
            }
        }
        found.sort_by_key(|(looks, variable)| (std::cmp::Reverse(*looks), *variable));
        // What a loop asks of the world comes after what it keeps in mind.
        let mut outer = outer(body);
        outer.sort_by_key(|(looks, variable)| (std::cmp::Reverse(*looks), *variable));
        outer.truncate(MAX_OUTER);
        found.extend(outer);
        let mut variables: Vec<Variable> =
            found.into_iter().map(|(_, variable)| variable).collect();
        let answers = answers(body, &variables);
        let mut parted: BTreeMap<Block, Vec<(usize, Phase)>> = BTreeMap::new();
        for (head, phase) in phases::phases(body) {
            let list = parted.entry(head).or_default();
            list.push((variables.len(), phase));
            variables.push(Variable::Phase(phase));
        }
        Partition {
            answers,
            variables,
            parted,
        }
    }

    /// A state that comes to a block, parted by the phases of the loop that begins there, as far as the first `active` variables go.
    pub fn part(
        &self,
        program: &Program<'_>,
        block: Block,
        state: State,
        active: usize,
    ) -> Vec<State> {
        let mut parts = vec![state];
        let phases = self.parted.get(&block).into_iter().flatten();
        for (_, phase) in phases.filter(|(number, _)| *number < active) {
            let undecided =
                |state: &State| int_of(state, phase.param).is_some_and(|x| phase.of(&x).is_none());
            let (open, mut decided): (Vec<State>, Vec<State>) =
                parts.into_iter().partition(undecided);
            for state in open {
                for below in [true, false] {
                    let mut part = state.clone();
                    if enter(program, &mut part, phase, below) {
                        decided.push(part);
                    }
                }
            }
            parts = decided;
        }
        parts
    }

    /// Takes back what widening has added beyond the phases of a state with this key.
    pub fn clip(&self, program: &Program<'_>, block: Block, key: &Key, state: &mut State) {
        for (number, phase) in self.parted.get(&block).into_iter().flatten() {
            let side = key
                .iter()
                .find(|(variable, _)| *variable as usize == *number);
            if let Some((_, side)) = side {
                let mut inside = state.clone();
                if enter(program, &mut inside, phase, *side == 1) {
                    *state = inside;
                }
            }
        }
    }

    /// The key of a state by the first `active` variables.
    pub fn key(&self, state: &State, active: usize) -> Key {
        let mut key = Key::new();
        for (number, variable) in self.variables.iter().take(active).enumerate() {
            let value = match variable {
                Variable::Param(value) => state.vals.get(value).and_then(Val::single),
                Variable::Cell(obj, at) => state
                    .mems
                    .values()
                    .filter_map(|mem| mem.objects.get(obj))
                    .filter_map(|object| object.contents.cells.get(at))
                    .filter_map(|cell| cell.val.single())
                    .min(),
                Variable::Outer(value, number) => state
                    .vals
                    .get(value)
                    .and_then(Val::as_int)
                    .and_then(|x| match x.single() {
                        Some(single) => Some(u64::from(single == *number)),
                        None => (!x.contains(*number)).then_some(0),
                    }),
                Variable::Phase(phase) => int_of(state, phase.param)
                    .and_then(|x| phase.of(&x))
                    .map(u64::from),
            };
            if let Some(value) = value {
                key.push((number as u32, value));
            }
        }
        key
    }
}

fn int_of(state: &State, value: Value) -> Option<Int> {
    state.vals.get(&value).and_then(Val::as_int).copied()
}

/// Narrows a state to one side of a phase; false if nothing is there.
fn enter(program: &Program<'_>, state: &mut State, phase: &Phase, below: bool) -> bool {
    let numbers = int_of(state, phase.param).and_then(|x| phase.numbers(below, x.width));
    numbers.is_some_and(|numbers| program.narrow(state, phase.param, Val::Int(numbers)))
}

/// Registers that loops compare with a number, or branch on, in several places, and that are defined before, with how often they do.
fn outer(body: &Body) -> Vec<(usize, Variable)> {
    let home = home(body);
    let loops = Loops::new(&Cfg::new(body));
    let mut looks: BTreeMap<Variable, usize> = BTreeMap::new();
    let mut note = |block: Block, value: Value, number: u64| {
        let before = |own| home[value].is_none_or(|home| !loops.contains(own, home));
        if loops.innermost[block].is_some_and(before) {
            *looks.entry(Variable::Outer(value, number)).or_default() += 1;
        }
    };
    for (block, data) in body.blocks.iter() {
        for &inst in &data.insts {
            if let Some((value, number)) = question(&body.insts[inst].op) {
                note(block, value, number);
            }
        }
        if let Terminator::Branch(Operand::Value(cond), ..) = &data.terminator {
            note(block, *cond, 1);
        }
    }
    // Whoever asks once, in one place, has no other place to compare the answer with.
    let twice = looks.into_iter().filter(|(_, looks)| *looks >= 2);
    twice.map(|(variable, looks)| (looks, variable)).collect()
}

/// What is asked of a register, if a comparison asks whether it is a number.
fn question(op: &Op) -> Option<(Value, u64)> {
    let Op::Compare(CompareOp::Eq | CompareOp::Ne, a, b) = op else {
        return None;
    };
    match (a, b) {
        (Operand::Value(value), Operand::Const(Const::Int(bv)))
        | (Operand::Const(Const::Int(bv)), Operand::Value(value))
            if bv.width() <= 64 =>
        {
            Some((*value, bv.low_u64()))
        }
        _ => None, // Not a register and a number.
    }
}

/// The truth values that answer what the variables ask of registers from before loops.
fn answers(body: &Body, variables: &[Variable]) -> BTreeSet<Value> {
    let asked = |value: Value, number: u64| variables.contains(&Variable::Outer(value, number));
    let mut found: BTreeSet<Value> = BTreeSet::new();
    for variable in variables {
        if let Variable::Outer(value, _) = variable
            && body.values[*value].ty == Type::BOOL
        {
            found.insert(*value);
        }
    }
    for (_, inst) in body.insts_in_order() {
        let data = &body.insts[inst];
        if question(&data.op).is_some_and(|(value, number)| asked(value, number)) {
            found.extend(data.results.iter().copied());
        }
    }
    found
}

/// A global starts with one value.
fn initial_count(module: &Module, global: ir::syntax::Global) -> usize {
    let any = module.globals[global]
        .init
        .iter()
        .any(|piece| matches!(piece, InitPiece::Any(_)));
    usize::from(!any)
}

/// Block parameters all of whose arguments are constants, other such parameters, or numbers that nobody knows (a variable that is not
/// initialised, an input), with the constants.
fn param_constants(body: &Body) -> BTreeMap<Value, BTreeSet<u64>> {
    let mut arguments: BTreeMap<Value, Vec<Operand>> = BTreeMap::new();
    for data in body.blocks.values() {
        for target in data.terminator.targets() {
            for (&param, arg) in body.blocks[target.block].params.iter().zip(&target.args) {
                if matches!(body.values[param].ty, Type::Int(1..=64)) {
                    arguments.entry(param).or_default().push(arg.clone());
                }
            }
        }
    }
    // Those with another argument go, until none is left that has one.
    let mut good: BTreeSet<Value> = arguments.keys().copied().collect();
    loop {
        let bad: Vec<Value> = good
            .iter()
            .copied()
            .filter(|param| {
                arguments[param].iter().any(|arg| match arg {
                    Operand::Const(Const::Int(_)) => false,
                    Operand::Const(_) => true,
                    Operand::Value(value) => !is_good(body, &good, *value),
                })
            })
            .collect();
        if bad.is_empty() {
            break;
        }
        for param in bad {
            good.remove(&param);
        }
    }
    let mut constants: BTreeMap<Value, BTreeSet<u64>> =
        good.iter().map(|&param| (param, BTreeSet::new())).collect();
    for _ in 0..64 {
        let mut changed = false;
        for &param in &good {
            let mut own = constants[&param].clone();
            for arg in &arguments[&param] {
                collect(body, &constants, arg, &mut own);
            }
            if own.len() > MAX_CONSTANTS + 1 {
                own = own.into_iter().take(MAX_CONSTANTS + 1).collect();
            }
            if own.len() > constants[&param].len() {
                constants.insert(param, own);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    constants
}

/// Whoever looks at a parameter looks at the parameters that are handed to it: where states meet before, they are kept apart as well.
fn hand_back(
    body: &Body,
    constants: &BTreeMap<Value, BTreeSet<u64>>,
    looks: &mut BTreeMap<Variable, usize>,
) {
    let mut sources: BTreeMap<Value, BTreeSet<Value>> = BTreeMap::new();
    for data in body.blocks.values() {
        for target in data.terminator.targets() {
            for (&param, arg) in body.blocks[target.block].params.iter().zip(&target.args) {
                if let Operand::Value(value) = arg
                    && constants.contains_key(&param)
                {
                    let parts = choices(body, *value);
                    sources.entry(param).or_default().extend(parts);
                }
            }
        }
    }
    let of_params = |(variable, &count): (&Variable, &usize)| match variable {
        Variable::Param(value) => Some((*value, count)),
        Variable::Cell(..) | Variable::Outer(..) | Variable::Phase(_) => None,
    };
    let mut work: Vec<(Value, usize)> = looks.iter().filter_map(of_params).collect();
    while let Some((param, count)) = work.pop() {
        for &source in sources.get(&param).into_iter().flatten() {
            let known = looks.entry(Variable::Param(source)).or_default();
            if constants.contains_key(&source) && *known < count {
                *known = count;
                work.push((source, count));
            }
        }
    }
}

/// The registers among which a choice is made, or the register itself.
fn choices(body: &Body, value: Value) -> Vec<Value> {
    let mut found = Vec::new();
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        if found.contains(&value) || found.len() > 2 * MAX_CONSTANTS {
            continue;
        }
        found.push(value);
        match body.def_inst(value).map(|data| &data.op) {
            Some(Op::Select(_, a, b)) => {
                work.extend([a, b].into_iter().filter_map(|part| part.as_value()));
            }
            Some(Op::Copy(a)) => work.extend(a.as_value()),
            _ => {}
        }
    }
    found
}

/// What a register may be chosen from.
fn chosen_from(body: &Body, value: Value) -> Vec<&Operand> {
    let mut found = Vec::new();
    for part in choices(body, value) {
        match body.def_inst(part).map(|data| &data.op) {
            Some(Op::Select(_, a, b)) => found.extend([a, b]),
            Some(Op::Copy(a)) => found.push(a),
            _ => {}
        }
    }
    found
}

/// Is it such a parameter, a number that nobody knows, or a choice among constants and such?
fn is_good(body: &Body, good: &BTreeSet<Value>, value: Value) -> bool {
    if good.contains(&value) {
        return true;
    }
    choices(body, value).into_iter().all(|part| {
        if good.contains(&part) {
            return true;
        }
        let number = |operand: &Operand| match operand {
            Operand::Const(Const::Int(_)) | Operand::Value(_) => true,
            Operand::Const(_) => false,
        };
        match body.def_inst(part).map(|data| &data.op) {
            Some(Op::Select(_, a, b)) => number(a) && number(b),
            Some(Op::Copy(a)) => number(a),
            Some(Op::Nondet(..)) => true,
            _ => false,
        }
    })
}

/// Is it a number that nobody knows?
fn is_unknown(body: &Body, value: Value) -> bool {
    let op = body.def_inst(value).map(|data| &data.op);
    matches!(op, Some(Op::Nondet(..)))
}

fn collect(
    body: &Body,
    constants: &BTreeMap<Value, BTreeSet<u64>>,
    arg: &Operand,
    own: &mut BTreeSet<u64>,
) {
    let mut one = |operand: &Operand| match operand {
        Operand::Const(Const::Int(bv)) => {
            own.insert(bv.low_u64());
        }
        Operand::Const(_) => {}
        Operand::Value(value) => {
            own.extend(constants.get(value).into_iter().flatten().copied());
        }
    };
    one(arg);
    if let Operand::Value(value) = arg {
        chosen_from(body, *value).into_iter().for_each(&mut one);
    }
}

/// Loads whose result a comparison looks at, perhaps after a conversion or a mask.
fn looked_at(body: &Body) -> BTreeSet<Inst> {
    let mut found = BTreeSet::new();
    for (_, inst) in body.insts_in_order() {
        let operands: Vec<&Operand> = match &body.insts[inst].op {
            Op::Compare(_, a, b) => vec![a, b],
            _ => continue,
        };
        for operand in operands {
            let mut operand = operand.clone();
            for _ in 0..4 {
                let Operand::Value(value) = operand else {
                    break;
                };
                let Def::Result(def, _) = body.values[value].def else {
                    break;
                };
                match &body.insts[def].op {
                    Op::Load { .. } => {
                        found.insert(def);
                        break;
                    }
                    Op::Cast(_, a, _) | Op::Binary(_, a, _) | Op::Copy(a) => operand = a.clone(),
                    _ => break,
                }
            }
        }
    }
    found
}

/// The entry's state: globals hold what they were given, other memory parameters are lost.
pub fn entry_state(program: &Program<'_>, is_entry: bool) -> State {
    use crate::memory::{Kind, Life, Mem, Object};
    use crate::object::{Contents, Rest};
    use std::rc::Rc;
    let mut state = State::default();
    for (value, region) in program.body.mem_params() {
        let data = &program.body.regions[region];
        if !is_entry {
            state.mems.insert(value, Rc::new(Mem::lost()));
            continue;
        }
        let mut mem = Mem::default();
        for &global in &data.globals {
            let size = Int::constant(
                program.module.globals[global].size,
                program.module.machine.pointer_bits,
            );
            let object = Object {
                life: Life::ALIVE,
                size,
                kind: Kind::Global,
                contents: Contents {
                    cells: BTreeMap::new(),
                    rest: Rest::Init(global),
                },
            };
            mem.objects.insert(Obj::Global(global), Rc::new(object));
        }
        state.mems.insert(value, Rc::new(mem));
    }
    state
}

/// The block in which a value is defined; none for the function's parameters.
pub fn home(body: &Body) -> base::Map<Value, Option<Block>> {
    let mut home = base::Map::filled(None, body.values.len());
    for (block, data) in body.blocks.iter() {
        for &param in &data.params {
            home[param] = Some(block);
        }
        for &inst in &data.insts {
            for &result in &body.insts[inst].results {
                home[result] = Some(block);
            }
        }
    }
    home
}

/// Does a pointer value point into objects that are listed only?
pub fn bases(val: &Val) -> Option<Vec<Base>> {
    val.as_ptr()
        .map(|targets| targets.keys().copied().collect())
}
