//! Rules for calls: signatures and the binding of regions.

use std::collections::HashMap;

use crate::syntax::{Callee, Func, FuncData, InstData, Op, Operand, Phase, Region, Type};
use crate::wellformed::body::Context;

impl Context<'_> {
    pub(super) fn check_call(&self, data: &InstData) -> Result<(), String> {
        let Op::Call {
            callee,
            args,
            results,
            regions,
        } = &data.op
        else {
            return Ok(());
        };
        let phase = self.module.phase;
        if phase >= Phase::Unrolled {
            return Err(format!("`call` in phase {phase}"));
        }
        if phase < Phase::Pure && !regions.is_empty() {
            return Err(format!("regions in phase {phase}"));
        }
        for arg in args {
            if self.type_of(arg).is_some_and(|ty| ty.is_mem()) {
                return Err("a memory among the arguments".to_owned());
            }
        }
        match callee {
            Callee::Indirect(target) => {
                if phase > Phase::Raw {
                    return Err(format!("indirect call in phase {phase}"));
                }
                self.expect(target, Type::Ptr)
            }
            Callee::Direct(func) => {
                let callee = self.callee(*func)?;
                self.check_scalars(callee, args, results)?;
                self.check_binding(callee, data, results, regions)
            }
        }
    }

    fn callee(&self, func: Func) -> Result<&FuncData, String> {
        let Some(callee) = self.module.funcs.get(func) else {
            return Err(format!("{func} is not in the table"));
        };
        if callee.body.is_none() && self.module.phase > Phase::Raw {
            let phase = self.module.phase;
            return Err(format!(
                "call of a function without a body in phase {phase}"
            ));
        }
        Ok(callee)
    }

    /// Arguments and results that are no memories. A function without a body may get more
    /// arguments than it declares: it may take any number.
    fn check_scalars(
        &self,
        callee: &FuncData,
        args: &[Operand],
        results: &[Type],
    ) -> Result<(), String> {
        let params = scalars(&callee.params);
        let enough = match callee.body {
            Some(_) => args.len() == params.len(),
            None => args.len() >= params.len(),
        };
        if !enough {
            let (wanted, actual) = (params.len(), args.len());
            return Err(format!("the callee takes {wanted} arguments, not {actual}"));
        }
        for (arg, &ty) in args.iter().zip(params) {
            self.expect(arg, ty)?;
        }
        match scalars(results) == scalars(&callee.results) {
            true => Ok(()),
            false => Err("the callee's results have other types".to_owned()),
        }
    }

    /// Memories: each region of the callee is bound once, to a region of its own, and the
    /// memories given and taken are of the regions bound.
    fn check_binding(
        &self,
        callee: &FuncData,
        data: &InstData,
        results: &[Type],
        regions: &[(Region, Region)],
    ) -> Result<(), String> {
        let mut outer_of: HashMap<Region, Region> = HashMap::new();
        let mut inner_of: HashMap<Region, Region> = HashMap::new();
        for &(inner, outer) in regions {
            let known = callee
                .body
                .as_ref()
                .and_then(|body| body.regions.get(inner));
            match known {
                None => return Err(format!("the callee has no region {inner}")),
                Some(data) if data.local => {
                    return Err(format!("the callee's region {inner} is local"));
                }
                Some(_) => {}
            }
            if !self.body.regions.contains(outer) {
                return Err(format!("{outer} is not in the table"));
            }
            if outer_of.insert(inner, outer).is_some() {
                return Err(format!("the callee's region {inner} is bound twice"));
            }
            if let Some(other) = inner_of.insert(outer, inner) {
                return Err(format!("{outer} is bound to {other} and to {inner}"));
            }
        }
        let bind = |ty: Type| match ty {
            Type::Mem(inner) => match outer_of.get(&inner) {
                Some(&outer) => Ok(Type::Mem(outer)),
                None => Err(format!("the callee's region {inner} is not bound")),
            },
            Type::Int(_) | Type::Float(_) | Type::Ptr => Ok(ty),
        };
        let wanted = memories(&callee.params);
        if data.mems.len() != wanted.len() {
            let (wanted, actual) = (wanted.len(), data.mems.len());
            return Err(format!("the callee takes {wanted} memories, not {actual}"));
        }
        for (&mem, &ty) in data.mems.iter().zip(wanted) {
            self.expect(&mem.into(), bind(ty)?)?;
        }
        let wanted = memories(&callee.results);
        let actual = memories(results);
        if actual.len() != wanted.len() {
            let (wanted, actual) = (wanted.len(), actual.len());
            return Err(format!("the callee yields {wanted} memories, not {actual}"));
        }
        for (&actual, &wanted) in actual.iter().zip(wanted) {
            let wanted = bind(wanted)?;
            if actual != wanted {
                return Err(format!("the callee yields {wanted}, not {actual}"));
            }
        }
        Ok(())
    }
}

/// The types before the memories.
fn scalars(types: &[Type]) -> &[Type] {
    let first = types.iter().position(|ty| ty.is_mem());
    &types[..first.unwrap_or(types.len())]
}

/// The memories at the end.
fn memories(types: &[Type]) -> &[Type] {
    &types[scalars(types).len()..]
}
