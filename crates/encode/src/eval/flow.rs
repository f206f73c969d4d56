//! A program without loops and calls, block by block.
//!
//! [`evaluate`](super::evaluate) prunes and merges as it goes; this reads an Unrolled program as it
//! stands. A block is reached if one of its edges is taken, an edge is taken if its block is reached
//! and its side of the branch is chosen, a parameter is a nest of ites over the edges. Of a program in
//! one of the forms (one block, selects for parameters) that leaves nothing to do but its terms.
//!
//! Choices are named after the values they define, which the forms keep: what a model says of a form
//! can be read off the program that the form was made of.

use ir::cfg::Cfg;
use ir::syntax::{Block, Module, Obligation, Op, Operand, Target, Terminator};
use rustc_hash::FxHashMap;
use terms::{Term, Terms};

use super::evaluation::Evaluation;
use super::{Config, Instance, NoOracle, Stopped, Val, Vc, is_debug};

/// An edge that is taken under a condition, with the values that it passes.
struct Edge {
    taken: Term,
    values: Vec<Val>,
}

/// Evaluates an Unrolled module, block by block.
pub fn flow<'a>(
    module: &'a Module,
    terms: &'a mut Terms,
    config: &'a Config,
    interrupted: &mut dyn FnMut() -> bool,
) -> Vc<'a> {
    let mut oracle = NoOracle;
    let evaluation = Evaluation::new(module, terms, config, &mut oracle);
    evaluation.run_flow(interrupted)
}

/// Evaluates a module in one of the forms: its check becomes one instance for each selector, an
/// obligation with the bit that says that it is violated.
pub fn flow_form<'a>(
    module: &'a Module,
    selectors: &[(Obligation, Operand)],
    terms: &'a mut Terms,
    config: &'a Config,
    interrupted: &mut dyn FnMut() -> bool,
) -> Vc<'a> {
    let mut oracle = NoOracle;
    let mut evaluation = Evaluation::new(module, terms, config, &mut oracle);
    evaluation.selectors = Some(selectors.to_vec());
    evaluation.run_flow(interrupted)
}

impl<'a, 'o> Evaluation<'a, 'o> {
    fn run_flow(mut self, interrupted: &mut dyn FnMut() -> bool) -> Vc<'a> {
        self.name_choices();
        let Some(entry) = self.open_entry() else {
            return self.vc;
        };
        let body = self.vc.world.module.body(entry);
        let always = self.terms().tru();
        let mut edges: FxHashMap<Block, Vec<Edge>> = FxHashMap::default();
        let start = Edge {
            taken: always,
            values: Vec::new(),
        };
        edges.insert(body.entry(), vec![start]);
        for &block in Cfg::new(body).reverse_post_order() {
            if interrupted() {
                self.vc.stopped = Some(Stopped::Interrupted);
                return self.vc;
            }
            if self.vc.world.terms.len() > self.config.terms {
                self.vc.stopped = Some(Stopped::Terms);
                return self.vc;
            }
            let Some(arriving) = edges.remove(&block) else {
                continue;
            };
            let taken: Vec<Term> = arriving.iter().map(|edge| edge.taken).collect();
            let reached = self.terms().or_all(&taken);
            if self.terms().as_bool(reached) == Some(false) {
                continue;
            }
            let values = self.choose_edge(arriving);
            for (&param, value) in body.blocks[block].params.iter().zip(values) {
                self.define(param, value);
            }
            self.place_cursor(block, reached);
            if !self.run_block(block) {
                continue;
            }
            for (target, taken) in self.leave_block(block, reached) {
                let values = target.args.iter().map(|arg| self.value(arg)).collect();
                edges
                    .entry(target.block)
                    .or_default()
                    .push(Edge { taken, values });
            }
        }
        self.vc
    }

    /// The values of the edge that is taken: exactly one is, if the block is reached.
    fn choose_edge(&mut self, mut edges: Vec<Edge>) -> Vec<Val> {
        let mut values = edges.pop().map_or_else(Vec::new, |edge| edge.values);
        while let Some(edge) = edges.pop() {
            values = edge
                .values
                .iter()
                .zip(&values)
                .map(|(here, others)| self.merge_values(edge.taken, here, others))
                .collect();
        }
        values
    }

    /// Runs the instructions of a block; false if the execution certainly ends there.
    fn run_block(&mut self, block: Block) -> bool {
        let body = self.frame().body;
        for &inst in &body.blocks[block].insts {
            let data = &body.insts[inst];
            if is_debug(&data.op) {
                continue;
            }
            self.begin(inst, data);
            if matches!(data.op, Op::Check(..))
                && let Some(selectors) = self.selectors.take()
            {
                self.check_selectors(&selectors);
                return false;
            }
            self.execute(data);
            self.note_gap();
            if !self.is_running() {
                return false;
            }
        }
        true
    }

    fn check_selectors(&mut self, selectors: &[(Obligation, Operand)]) {
        let always = self.terms().tru();
        for (obligation, bit) in selectors {
            let Val::Term(violated) = self.value(bit) else {
                unreachable!("a selector is a bit")
            };
            let holds = self.terms().not(violated);
            let before = self.vc.assumptions.len();
            self.vc.reached[*obligation].push((always, before));
            if self.terms().as_bool(holds) == Some(true) {
                self.vc.stats.folded += 1;
                continue;
            }
            let (assumptions, choices) = (self.vc.assumptions.len(), self.vc.choices.len());
            self.vc.instances.push(Instance {
                obligation: *obligation,
                reached: always,
                holds,
                assumptions,
                choices,
            });
        }
    }

    fn leave_block(&mut self, block: Block, reached: Term) -> Vec<(&'a Target, Term)> {
        let body = self.frame().body;
        match &body.blocks[block].terminator {
            Terminator::Jump(target) => vec![(target, reached)],
            Terminator::Branch(condition, yes, no) => {
                let Val::Term(condition) = self.value(condition) else {
                    unreachable!("a condition is a term")
                };
                let negated = self.terms().not(condition);
                let on_yes = self.terms().and(reached, condition);
                let on_no = self.terms().and(reached, negated);
                vec![(yes, on_yes), (no, on_no)]
            }
            Terminator::Return(_) | Terminator::Halt(_) => Vec::new(),
            Terminator::Switch(..) => unreachable!("no switch in phase Unrolled"),
        }
    }
}
