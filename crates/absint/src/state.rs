//! What is known where an execution stands: of each register that is still of use, and of each
//! version of memory.

use std::rc::Rc;

use ir::syntax::{BinaryOp, Body, Inst, Module, Operand, OverflowOp, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::domains::Thresholds;
use crate::memory::Mem;
use crate::relations::{Relations, Shape};
use crate::value::Val;

/// The program that is analysed: one body, with everything inlined.
pub struct Program<'a> {
    /// The module.
    pub module: &'a Module,
    /// The entry's body.
    pub body: &'a Body,
    /// The relational domain, if one is used.
    pub shape: Option<&'static dyn Shape>,
}

/// See the module. Registers that are not listed may hold anything; memories that are not listed are lost.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Registers.
    pub vals: FxHashMap<Value, Val>,
    /// Versions of memory.
    pub mems: FxHashMap<Value, Rc<Mem>>,
    /// Operations that are known not to leave their type.
    pub exact: FxHashSet<(OverflowOp, Operand, Operand)>,
    /// How registers compare.
    pub relations: Rc<Relations>,
}

/// The operation whose overflow is tested.
pub fn tested(op: OverflowOp) -> BinaryOp {
    match op {
        OverflowOp::UAdd | OverflowOp::SAdd => BinaryOp::Add,
        OverflowOp::USub | OverflowOp::SSub => BinaryOp::Sub,
        OverflowOp::UMul | OverflowOp::SMul => BinaryOp::Mul,
    }
}

impl Program<'_> {
    /// Width of pointers.
    pub fn pointer_bits(&self) -> u32 {
        self.module.machine.pointer_bits
    }

    /// What an operand may be.
    pub fn operand(&self, state: &State, operand: &Operand) -> Val {
        match operand {
            Operand::Const(constant) => Val::constant(constant, self.pointer_bits()),
            Operand::Value(value) => self.value(state, *value),
        }
    }

    /// What a register may hold.
    pub fn value(&self, state: &State, value: Value) -> Val {
        match state.vals.get(&value) {
            Some(val) => val.clone(),
            None => Val::top(self.body.values[value].ty),
        }
    }

    /// What a version of memory may be.
    pub fn memory(&self, state: &State, value: Value) -> Rc<Mem> {
        match state.mems.get(&value) {
            Some(mem) => Rc::clone(mem),
            None => Rc::new(Mem::lost()),
        }
    }

    /// A state above both.
    pub fn join(&self, a: &State, b: &State) -> State {
        let mut out = self.combine(a, b, Val::join, |x, y| x.join(y, self.module));
        out.relations = self.join_relations(a, b, &out);
        out
    }

    /// A state above both, in finitely many steps.
    pub fn widen(&self, old: &State, new: &State, thresholds: &Thresholds) -> State {
        let mut out = self.combine(
            old,
            new,
            |a, b| a.widen(b, thresholds),
            |a, b| a.widen(b, self.module, thresholds),
        );
        out.relations = self.widen_relations(old, new);
        out
    }

    fn combine(
        &self,
        a: &State,
        b: &State,
        vals: impl Fn(&Val, &Val) -> Val,
        mems: impl Fn(&Mem, &Mem) -> Mem,
    ) -> State {
        let mut out = State::default();
        // The order of a hash map does not matter: each entry is made by itself.
        #[allow(clippy::iter_over_hash_type)]
        for (value, ours) in &a.vals {
            if let Some(theirs) = b.vals.get(value) {
                out.vals.insert(*value, vals(ours, theirs));
            }
        }
        #[allow(clippy::iter_over_hash_type)]
        for (value, ours) in &a.mems {
            if let Some(theirs) = b.mems.get(value) {
                let same = Rc::ptr_eq(ours, theirs) || ours == theirs;
                let joined = if same {
                    Rc::clone(ours)
                } else {
                    Rc::new(mems(ours, theirs))
                };
                out.mems.insert(*value, joined);
            }
        }
        out.exact = a.exact.intersection(&b.exact).cloned().collect();
        out
    }

    /// Is everything that the first allows also allowed by the second? Decided by joining.
    pub fn is_within(&self, a: &State, b: &State) -> bool {
        let values = b
            .vals
            .iter()
            .all(|(value, theirs)| a.vals.get(value).is_some_and(|ours| ours.is_within(theirs)));
        values
            && b.exact.is_subset(&a.exact)
            && self.relations_within(a, b)
            && b.mems.iter().all(|(value, theirs)| {
                a.mems.get(value).is_some_and(|ours| {
                    Rc::ptr_eq(ours, theirs)
                        || ours == theirs
                        || theirs.join(ours, self.module) == **theirs
                })
            })
    }
}

impl State {
    /// The newest object of an allocation becomes one of the others, everywhere.
    pub fn age(&mut self, site: Inst, module: &Module) {
        #[allow(clippy::iter_over_hash_type)]
        for val in self.vals.values_mut() {
            val.age(site);
        }
        #[allow(clippy::iter_over_hash_type)]
        for mem in self.mems.values_mut() {
            let known = mem.objects.contains_key(&crate::value::Obj::Recent(site));
            if known
                || mem
                    .objects
                    .values()
                    .any(|object| !object.contents.cells.is_empty())
            {
                Rc::make_mut(mem).age(site, module);
            }
        }
    }
}
