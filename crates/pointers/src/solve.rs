//! The phases in order: local, bottom-up, top-down, pointers through integers, until nothing changes.
//!
//! Which functions share a graph decides the precision: the members of a component of the call
//! graph (`cs`), or all functions (`ci`). A function during which a leak may be judged has to hand
//! all memory to the judge, so those share one graph in either mode. Before calls through pointers
//! are dispatched (phase Raw) the call graph is not known, and all functions share one. If cloning makes more nodes than a
//! program of its size should need, the analysis starts again without it.

use base::Map;
use ir::callgraph::CallGraph;
use ir::syntax::{Callee, Func, Module, Op, Operand, Type};

use crate::calls::{self, Calls, LostHeap, Phases, TooLarge};
use crate::rules;
use crate::state::State;

/// How calls are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One graph for all functions: what two callers pass to one parameter is merged.
    ContextInsensitive,
    /// A graph for each component of the call graph; each call has its own copy of its callee's.
    ContextSensitive,
}

/// The graphs at the end.
pub struct Solution<'m> {
    /// Graphs and registers.
    pub state: State<'m>,
    /// Bindings of the calls between components.
    pub calls: Calls,
    /// For each function, whether a leak may be judged while it is alive.
    pub judging: Map<Func, bool>,
}

/// Runs all phases.
pub fn solve(module: &Module, mode: Mode) -> Solution<'_> {
    let judging = calls::judging(module);
    if mode == Mode::ContextSensitive && !calls_pointers(module) {
        let groups = groups(module, &judging);
        let size: usize = module
            .funcs
            .values()
            .filter_map(|func| func.body.as_ref())
            .map(|body| body.values.len() + body.insts.len())
            .sum();
        let limit = 20_000 + 8 * size;
        if let Ok(solution) = solve_groups(module, groups, judging.clone(), Phases::Both, limit) {
            return solution;
        }
    }
    let everything = vec![module.funcs.keys().collect()];
    match solve_groups(module, everything, judging, Phases::Both, usize::MAX) {
        Ok(solution) => solution,
        Err(TooLarge) => unreachable!("there is no limit"),
    }
}

/// The summaries of a module of phase Lowered: what each function and its callees do if parameters do not
/// alias. Only for those who take care of aliases themselves ([`crate::footprint`]).
pub fn summaries(module: &Module) -> Solution<'_> {
    let judging = calls::judging(module);
    let groups = groups(module, &judging);
    match solve_groups(module, groups, judging, Phases::BottomUp, usize::MAX) {
        Ok(solution) => solution,
        Err(TooLarge) => unreachable!("there is no limit"),
    }
}

/// Are there calls whose callee is not known yet?
pub fn calls_pointers(module: &Module) -> bool {
    let mut bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    bodies.any(|body| {
        let mut insts = body.insts_in_order();
        insts.any(|(_, inst)| match &body.insts[inst].op {
            Op::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
            _ => false, // Only calls have callees.
        })
    })
}

/// Components of the call graph, callees before callers; those that judge leaks are one, the last.
fn groups(module: &Module, judging: &Map<Func, bool>) -> Vec<Vec<Func>> {
    let graph = CallGraph::new(module);
    let mut groups = Vec::new();
    let mut last = Vec::new();
    for component in graph.components {
        if component.iter().any(|&func| judging[func]) {
            last.extend(component);
        } else {
            groups.push(component);
        }
    }
    if !last.is_empty() {
        last.sort_unstable();
        groups.push(last);
    }
    groups
}

fn solve_groups(
    module: &Module,
    groups: Vec<Vec<Func>>,
    judging: Map<Func, bool>,
    phases: Phases,
    limit: usize,
) -> Result<Solution<'_>, TooLarge> {
    let mut state = State::new(module, groups);
    for func in module.funcs.keys() {
        state.add_body(func);
    }
    let heap = match judging.values().any(|&judges| judges) {
        true => LostHeap::Visible,
        false => LostHeap::Ignored,
    };
    state.initialise();
    let mut calls = Calls::new(&state, heap);
    loop {
        calls.settle(&mut state, phases, limit)?;
        let before = state.graph.changes();
        state.initialise();
        resolve(&mut state);
        rules::apply(&mut state);
        if state.graph.changes() == before {
            return Ok(Solution {
                state,
                calls,
                judging,
            });
        }
    }
}

/// Binds calls through pointers to the targets found so far. While there are such calls, all
/// functions share one graph.
fn resolve(state: &mut State<'_>) {
    for index in 0..state.indirect.len() {
        let site = &state.indirect[index];
        let (func, inst) = (site.func, site.inst);
        let Some(pointer) = site.pointer else {
            continue;
        };
        let node = state.graph.norm(pointer).node;
        let found: Vec<Func> = state.graph.data(node).funcs().collect();
        for target in found {
            let known = state.indirect[index].targets.binary_search(&target);
            let Err(at) = known else { continue };
            state.indirect[index].targets.insert(at, target);
            connect(state, func, inst, target);
        }
    }
}

fn connect(state: &mut State<'_>, func: Func, inst: ir::syntax::Inst, target: Func) {
    let module = state.module;
    let body = module.body(func);
    let Op::Call {
        callee: Callee::Indirect(_),
        args,
        results,
        ..
    } = &body.insts[inst].op
    else {
        return;
    };
    let types: Vec<Type> = args.iter().map(|arg: &Operand| body.type_of(arg)).collect();
    let callee = &module.funcs[target];
    if callee.body.is_none() {
        state.call_unknown(func, inst, args);
    } else if callee.params == types && callee.results == *results {
        assert_eq!(
            state.component_of[func], state.component_of[target],
            "a call through a pointer stays in its component"
        );
        state.call_inside(func, inst, target, args);
    }
}
