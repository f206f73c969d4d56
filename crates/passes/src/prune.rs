//! Drops functions and globals that the entry never mentions.
//!
//! What a live function names is live: callees, functions and globals whose address it takes,
//! and whatever a live global's initial contents point to. Unknown code sees external globals and
//! may leave pointers there, so they stay wherever unknown code is called. A module without an
//! entry is left alone.

use base::Map;
use ir::syntax::{
    Body, Callee, Const, Func, FuncData, Global, GlobalData, InitPiece, Module, Op, Operand,
};

use crate::pass::{Config, Error, Pass};

/// See the module.
pub struct Prune;

impl Pass for Prune {
    fn name(&self) -> &'static str {
        "prune"
    }

    fn about(&self) -> &'static str {
        "Drops functions and globals that nothing reachable from the entry mentions."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        if let Some(entry) = module.entry {
            let live = Live::from(module, entry);
            drop_dead(module, &live);
        }
        Ok(())
    }
}

/// What is live.
pub(crate) struct Live {
    pub(crate) funcs: Map<Func, bool>,
    globals: Map<Global, bool>,
}

/// What is live and has not been looked at.
#[derive(Default)]
struct Work {
    funcs: Vec<Func>,
    globals: Vec<Global>,
}

impl Live {
    pub(crate) fn from(module: &Module, entry: Func) -> Live {
        let mut live = Live {
            funcs: Map::filled(false, module.funcs.len()),
            globals: Map::filled(false, module.globals.len()),
        };
        let mut work = Work::default();
        live.func(entry, &mut work);
        loop {
            if let Some(func) = work.funcs.pop() {
                match &module.funcs[func].body {
                    Some(body) => live.body(module, body, &mut work),
                    // The body is elsewhere and may use what is visible from there.
                    None => live.external(module, &mut work),
                }
            } else if let Some(global) = work.globals.pop() {
                for piece in &module.globals[global].init {
                    match piece {
                        InitPiece::Pointer(constant) => live.constant(constant, &mut work),
                        InitPiece::Bytes(_) | InitPiece::Zero(_) | InitPiece::Any(_) => {}
                    }
                }
            } else {
                return live;
            }
        }
    }

    fn func(&mut self, func: Func, work: &mut Work) {
        if !std::mem::replace(&mut self.funcs[func], true) {
            work.funcs.push(func);
        }
    }

    fn constant(&mut self, constant: &Const, work: &mut Work) {
        match constant {
            Const::Func(func) => self.func(*func, work),
            Const::Global(global, _) => {
                if !std::mem::replace(&mut self.globals[*global], true) {
                    work.globals.push(*global);
                }
            }
            Const::Int(_) | Const::Float(..) | Const::Null => {}
        }
    }

    fn external(&mut self, module: &Module, work: &mut Work) {
        for (global, data) in module.globals.iter() {
            if data.external {
                self.constant(&Const::Global(global, 0), work);
            }
        }
    }

    fn body(&mut self, module: &Module, body: &Body, work: &mut Work) {
        for data in body.blocks.values() {
            for &inst in &data.insts {
                let op = &body.insts[inst].op;
                for constant in op.operands().into_iter().filter_map(Operand::as_const) {
                    self.constant(constant, work);
                }
                match op {
                    Op::Call {
                        callee: Callee::Direct(func),
                        ..
                    } => self.func(*func, work),
                    Op::Clobber(_) | Op::Show(_) => self.external(module, work),
                    _ => {} // Everything else names what it uses by operands.
                }
            }
            let operands = data.terminator.operands();
            for constant in operands.into_iter().filter_map(Operand::as_const) {
                self.constant(constant, work);
            }
        }
    }
}

fn drop_dead(module: &mut Module, live: &Live) {
    let all_live = |flags: &[bool]| flags.iter().all(|&flag| flag);
    if all_live(live.funcs.as_slice()) && all_live(live.globals.as_slice()) {
        return;
    }
    let mut new_func: Map<Func, Option<Func>> = Map::new();
    let mut funcs: Map<Func, FuncData> = Map::new();
    for (index, data) in std::mem::take(&mut module.funcs).into_iter().enumerate() {
        let kept = live.funcs[Func::from_index(index)].then(|| funcs.push(data));
        new_func.push(kept);
    }
    let mut new_global: Map<Global, Option<Global>> = Map::new();
    let mut globals: Map<Global, GlobalData> = Map::new();
    for (index, data) in std::mem::take(&mut module.globals).into_iter().enumerate() {
        let kept = live.globals[Global::from_index(index)].then(|| globals.push(data));
        new_global.push(kept);
    }
    let rename = |constant: &mut Const| match constant {
        Const::Func(func) => *func = new_func[*func].expect("what live code names is live"),
        Const::Global(global, _) => {
            *global = new_global[*global].expect("what live code names is live");
        }
        Const::Int(_) | Const::Float(..) | Const::Null => {}
    };
    let rename_operand = |operand: &mut Operand| match operand {
        Operand::Const(constant) => rename(constant),
        Operand::Value(_) => {}
    };
    for data in globals.values_mut() {
        for piece in &mut data.init {
            match piece {
                InitPiece::Pointer(constant) => rename(constant),
                InitPiece::Bytes(_) | InitPiece::Zero(_) | InitPiece::Any(_) => {}
            }
        }
    }
    for body in funcs.values_mut().filter_map(|func| func.body.as_mut()) {
        for data in body.blocks.values_mut() {
            for &inst in &data.insts {
                let op = &mut body.insts[inst].op;
                op.operands_mut().into_iter().for_each(rename_operand);
                if let Op::Call {
                    callee: Callee::Direct(func),
                    ..
                } = op
                {
                    *func = new_func[*func].expect("what live code names is live");
                }
            }
            data.terminator
                .operands_mut()
                .into_iter()
                .for_each(rename_operand);
        }
        for region in body.regions.values_mut() {
            region
                .globals
                .retain_mut(|global| match new_global[*global] {
                    Some(kept) => {
                        *global = kept;
                        true
                    }
                    None => false,
                });
        }
    }
    module.entry = module.entry.and_then(|entry| new_func[entry]);
    module.funcs = funcs;
    module.globals = globals;
}
