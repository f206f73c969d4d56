//! Calls through pointers become direct calls, chosen by comparing the pointer.
//!
//! The possible targets are the functions whose address is taken somewhere, with the signature
//! that the call site expects; one without a body may be given more arguments than it declares, and
//! a call that no signature fits (`int (*f)()` in C) gives too many or leaves out the last ones,
//! which are then arbitrary. A
//! points-to analysis, if one is given, knows fewer; the obligation `call-target` says that nobody
//! else is called either way, so a wrong guess costs an answer, never a verdict.
//!
//! With targets `f g h i` the choice is a balanced tree, since addresses have no order that could
//! be searched:
//!
//! ```text
//!            p==f | p==g
//!           /           \
//!        p==f          p==h
//!        /  \          /  \
//!       f    g        h   p==i
//!                         /  \
//!                        i    check call-target, 0
//! ```
//!
//! A pointer that is none of them may be null, which the front end checks; or a function of another
//! signature, or data; or the address of code that the program does not contain. Only where invalid
//! accesses are not checked, and unknown code has a meaning (`--extern`), is the last taken for what
//! happens: garbage looks the same.

use checks::registry::CheckId;
use std::collections::BTreeMap;

use base::Map;
use ir::syntax::{
    BinaryOp, Block, Body, Callee, CompareOp, Const, Func, FuncData, HaltKind, InitPiece, Inst,
    Machine, Module, NondetKind, Obligation, Op, Operand, Origin, PlaceId, Target, Terminator,
    Type, Value,
};

use crate::edit::{self, Obligations};
use crate::pass::{Config, Error, ExternMode, Pass, RegionMode};
use crate::regions::CallTargets;

/// See the module.
pub struct DispatchCalls;

/// What the names of functions begin with that stand for unknown code.
pub(super) const UNKNOWN_CODE: &str = "selkie.unknown_code.";

type Signature = (Vec<Type>, Vec<Type>);

impl Pass for DispatchCalls {
    fn name(&self) -> &'static str {
        "dispatch-calls"
    }

    fn about(&self) -> &'static str {
        "Turns calls through pointers into direct calls of the functions they may name."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        let mut targets = address_taken(module);
        targets.known = match config.regions {
            RegionMode::Flat | RegionMode::Split => CallTargets::default(),
            RegionMode::Given(provider) => (provider.targets)(module),
        };
        let unknown = match config.extern_mode {
            _ if config.checks.contains(&CheckId::Deref) => None,
            ExternMode::Error => None,
            ExternMode::Havoc | ExternMode::Pure => Some(BTreeMap::new()),
        };
        let mut dispatcher = Dispatcher {
            obligations: Obligations::new(module),
            targets,
            unknown,
        };
        for func in module.funcs.keys() {
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            dispatcher.dispatch(module, func, &mut body);
            module.funcs[func].body = Some(body);
        }
        Ok(())
    }
}

fn address_taken(module: &Module) -> Targets {
    let mut taken = Map::filled(false, module.funcs.len());
    let mut see = |constant: &Const| {
        if let Const::Func(func) = constant {
            taken[*func] = true;
        }
    };
    for global in module.globals.values() {
        for piece in &global.init {
            match piece {
                InitPiece::Pointer(constant) => see(constant),
                InitPiece::Bytes(_) | InitPiece::Zero(_) | InitPiece::Any(_) => {}
            }
        }
    }
    for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
        for (_, inst) in body.insts_in_order() {
            let operands = body.insts[inst].op.operands();
            operands
                .into_iter()
                .filter_map(Operand::as_const)
                .for_each(&mut see);
        }
        for block in body.blocks.values() {
            let operands = block.terminator.operands();
            operands
                .into_iter()
                .filter_map(Operand::as_const)
                .for_each(&mut see);
        }
    }
    let mut targets = Targets::default();
    for (func, _) in taken.iter().filter(|&(_, &taken)| taken) {
        let data = &module.funcs[func];
        let signature = (data.params.clone(), data.results.clone());
        match data.body {
            Some(_) => targets.defined.entry(signature).or_default().push(func),
            None => targets.external.push((signature, func)),
        }
    }
    targets
}

/// The functions whose address is taken, in the order of the module.
#[derive(Default)]
struct Targets {
    defined: BTreeMap<Signature, Vec<Func>>,
    external: Vec<(Signature, Func)>,
    /// What a points-to analysis knows.
    known: CallTargets,
}

impl Targets {
    /// All but these.
    fn others(&self, fitting: &[Func]) -> Vec<Func> {
        let defined = self.defined.values().flatten().copied();
        let external = self.external.iter().map(|&(_, func)| func);
        defined
            .chain(external)
            .filter(|func| !fitting.contains(func))
            .collect()
    }

    /// Those that fit a call.
    fn fitting(&self, func: Func, site: &Site, args: &[Type]) -> Vec<Func> {
        let results = &site.types;
        let key = (args.to_vec(), results.clone());
        let mut found = self.defined.get(&key).cloned().unwrap_or_default();
        let known = self.known.sites.get(&(func, site.inst));
        // Those that fit but for the number of arguments, where something says that they are meant.
        let meant = |func: &Func| known.map_or(found.is_empty(), |known| known.contains(func));
        let others = self.defined.iter().filter(|((params, yields), _)| {
            let shorter = params.len().min(args.len());
            yields == results && params != args && params[..shorter] == args[..shorter]
        });
        let others = others.flat_map(|(_, funcs)| funcs).copied();
        let others: Vec<Func> = others.filter(meant).collect();
        found.extend(others);
        let external = self
            .external
            .iter()
            .filter(|((params, yields), _)| args.starts_with(params) && yields == results);
        found.extend(external.map(|&(_, func)| func));
        if let Some(known) = known {
            found.retain(|target| known.contains(target));
        }
        found
    }
}

/// A call through a pointer, taken out of its block.
struct Site {
    inst: Inst,
    pointer: Operand,
    args: Vec<Operand>,
    types: Vec<Type>,
    results: Vec<Value>,
    place: Option<PlaceId>,
}

/// A function that may be called.
struct Candidate {
    func: Func,
    /// How many arguments it takes.
    takes: usize,
    /// The types of those that the call leaves out.
    missing: Vec<Type>,
}

impl Candidate {
    fn new(module: &Module, func: Func, args: usize) -> Candidate {
        let data = &module.funcs[func];
        Candidate {
            func,
            takes: match data.body {
                Some(_) => data.params.len(),
                None => usize::MAX, // It may be given more than it declares.
            },
            missing: data.params.iter().skip(args).copied().collect(),
        }
    }
}

/// What a call does if its pointer is no function that fits.
struct Otherwise {
    /// It must not be something else that is known.
    call_target: Obligation,
    /// The functions that do not fit, and the one that stands for unknown code, if there may be such.
    unknown: Option<(Vec<Func>, Func)>,
}

struct Dispatcher {
    obligations: Obligations,
    targets: Targets,
    /// Functions that stand for unknown code, if there may be such.
    unknown: Option<BTreeMap<Signature, Func>>,
}

impl Dispatcher {
    fn dispatch(&mut self, module: &mut Module, func: Func, body: &mut Body) {
        let mut order = Vec::with_capacity(body.blocks.len());
        let original: Vec<Block> = body.blocks.keys().collect();
        let mut changed = false;
        for start in original {
            let mut block = start;
            order.push(block);
            while let Some((index, site)) = next_site(body, block) {
                changed = true;
                let types: Vec<Type> = site.args.iter().map(|arg| body.type_of(arg)).collect();
                let found = self.targets.fitting(func, &site, &types);
                let known = match site.pointer {
                    Operand::Const(Const::Func(target)) => found.iter().find(|&&f| f == target),
                    _ => None, // Anything but a function's name is compared.
                };
                let known = known.filter(|&&target| {
                    let data = &module.funcs[target];
                    data.body.is_none() || data.params == types
                });
                if let Some(&target) = known {
                    let inst = body.blocks[block].insts[index];
                    if let Op::Call { callee, .. } = &mut body.insts[inst].op {
                        *callee = Callee::Direct(target);
                    }
                    continue;
                }
                let otherwise = self.otherwise(module, func, &site, types, &found);
                let rest = edit::split_after(body, block, index);
                body.blocks[block].insts.pop();
                body.blocks[rest].params = site.results.clone();
                let targets: Vec<Candidate> = found
                    .iter()
                    .map(|&target| Candidate::new(module, target, site.args.len()))
                    .collect();
                let added = choose(
                    body,
                    block,
                    rest,
                    &site,
                    &targets,
                    &otherwise,
                    module.machine,
                );
                order.extend(added);
                order.push(rest);
                block = rest;
            }
        }
        if changed {
            edit::tidy(body, &order);
        }
    }

    fn otherwise(
        &mut self,
        module: &mut Module,
        func: Func,
        site: &Site,
        types: Vec<Type>,
        fitting: &[Func],
    ) -> Otherwise {
        let names: Vec<&str> = fitting
            .iter()
            .map(|&target| module.funcs[target].name.as_str())
            .collect();
        let text = if names.is_empty() {
            "no function fits this call through a pointer".to_owned()
        } else {
            format!("the pointer called is one of {}", names.join(", "))
        };
        let name = module.funcs[func].name.clone();
        let call_target =
            self.obligations
                .add(module, &name, CheckId::CallTarget, text, site.place);
        let unknown = self.unknown.as_mut().map(|known| {
            let number = known.len() + 1;
            let signature = (types, site.types.clone());
            let unknown = *known
                .entry(signature)
                .or_insert_with_key(|(params, results)| {
                    module.funcs.push(FuncData {
                        name: format!("{UNKNOWN_CODE}{number}"),
                        params: params.clone(),
                        results: results.clone(),
                        body: None,
                        place: None,
                        model: false,
                        external: false,
                    })
                });
            (self.targets.others(fitting), unknown)
        });
        Otherwise {
            call_target,
            unknown,
        }
    }
}

/// The first call through a pointer in the block.
fn next_site(body: &Body, block: Block) -> Option<(usize, Site)> {
    let insts = &body.blocks[block].insts;
    insts.iter().enumerate().find_map(|(index, &inst)| {
        let data = &body.insts[inst];
        match &data.op {
            Op::Call {
                callee: Callee::Indirect(pointer),
                args,
                results,
                ..
            } => Some((
                index,
                Site {
                    inst,
                    pointer: pointer.clone(),
                    args: args.clone(),
                    types: results.clone(),
                    results: data.results.clone(),
                    place: data.place,
                },
            )),
            _ => None, // No other operation calls through a pointer.
        }
    })
}

/// Ends `block` with the choice among the targets, which all go on at `rest`. Returns the blocks
/// it made.
fn choose(
    body: &mut Body,
    block: Block,
    rest: Block,
    site: &Site,
    targets: &[Candidate],
    otherwise: &Otherwise,
    machine: Machine,
) -> Vec<Block> {
    let mut added = Vec::new();
    let append = |body: &mut Body, block: Block, op: Op| {
        let inst = body.append(block, op, Vec::new(), site.place, machine);
        body.insts[inst].results.first().copied()
    };
    // Whether the pointer is the first target, the second …
    let same: Vec<Operand> = targets
        .iter()
        .map(|target| {
            let func = Operand::func(target.func);
            let op = Op::Compare(CompareOp::Eq, site.pointer.clone(), func);
            append(body, block, op)
                .expect("a comparison has a result")
                .into()
        })
        .collect();
    // Leaves: one for each target, and one for none of them.
    let leaf = |body: &mut Body, index: usize| {
        let leaf = body.new_block(&[]);
        let mut args = site.args.clone();
        let target = match targets.get(index) {
            Some(target) => {
                args.truncate(target.takes);
                for &ty in &target.missing {
                    let chosen = append(body, leaf, Op::Nondet(ty, NondetKind::Undef));
                    args.push(chosen.expect("a choice has a result").into());
                }
                target.func
            }
            None => {
                let Some((others, unknown)) = &otherwise.unknown else {
                    let never = Op::Check(otherwise.call_target, Operand::bool(false));
                    append(body, leaf, never);
                    body.blocks[leaf].terminator = Terminator::Halt(HaltKind::Dead);
                    return leaf;
                };
                let op = Op::Compare(CompareOp::Ne, site.pointer.clone(), Operand::NULL);
                let not_null = append(body, leaf, op).expect("a comparison has a result");
                append(body, leaf, Op::Assume(not_null.into(), Origin::Unchecked));
                let mut known: Operand = append(body, leaf, Op::IsAlive(site.pointer.clone()))
                    .expect("a question has an answer")
                    .into();
                for &other in others {
                    let op = Op::Compare(CompareOp::Eq, site.pointer.clone(), Operand::func(other));
                    let same = append(body, leaf, op).expect("a comparison has a result");
                    let op = Op::Binary(BinaryOp::Or, known, same.into());
                    known = append(body, leaf, op).expect("or has a result").into();
                }
                let op = Op::Binary(BinaryOp::Xor, known, Operand::bool(true));
                let nothing = append(body, leaf, op).expect("xor has a result");
                append(body, leaf, Op::Check(otherwise.call_target, nothing.into()));
                *unknown
            }
        };
        let op = Op::Call {
            callee: Callee::Direct(target),
            args,
            results: site.types.clone(),
            regions: Vec::new(),
        };
        let inst = body.append(leaf, op, Vec::new(), site.place, machine);
        let results = body.insts[inst].results.iter().map(|&v| v.into()).collect();
        body.blocks[leaf].terminator = Terminator::Jump(Target::with_args(rest, results));
        leaf
    };
    // Each range of leaves hangs below a block; a range of one is called there.
    let mut work = vec![(block, 0, targets.len() + 1)];
    while let Some((at, from, to)) = work.pop() {
        if to - from == 1 {
            let last = leaf(body, from);
            added.push(last);
            body.blocks[at].terminator = Terminator::Jump(Target::new(last));
            continue;
        }
        let middle = from + (to - from) / 2;
        let mut any = same[from].clone();
        for other in &same[from + 1..middle] {
            let op = Op::Binary(BinaryOp::Or, any, other.clone());
            any = append(body, at, op).expect("or has a result").into();
        }
        let mut side = |body: &mut Body, from: usize, to: usize| {
            if to - from == 1 {
                let last = leaf(body, from);
                added.push(last);
                last
            } else {
                let inner = body.new_block(&[]);
                added.push(inner);
                work.push((inner, from, to));
                inner
            }
        };
        let yes = Target::new(side(body, from, middle));
        let no = Target::new(side(body, middle, to));
        body.blocks[at].terminator = Terminator::Branch(any, yes, no);
        body.blocks[at].place = site.place;
    }
    added
}
