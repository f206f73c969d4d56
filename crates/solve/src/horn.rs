//! Constrained Horn clauses: invariants or a derivation, both checked.
//!
//! A clause says that for all values of its variables, its body and its constraint imply its head; a clause without a
//! head is a query, which must not be derivable. Example: `init: x = 0 => P(x)`, `step: P(x), y = x + 1 => P(y)`,
//! `query: P(x), x < 0 => false`. Spacer either finds a formula for every predicate that makes all clauses true, or a
//! derivation of the query.
//!
//! Neither is believed. The formulas are put into every clause, and back ends other than Spacer must prove each
//! ([`check_invariants`]). Of a derivation only the tree of clauses is taken: a solver finds values for it, and the
//! evaluator checks every step ([`check_derivation`]). What does not pass is `Unknown`, or an error if it is wrong.
//! Integers go to Z3's own solver (another part of the same program), unless the caller names another back end.

use std::collections::VecDeque;

use terms::smt::print::symbol_to_smt;
use terms::visit::Substitution;
use terms::{Fun, Model, Op, Sort, Term, Terms, Value};

use crate::answer::{Answer, Reason, SolveError};
use crate::backends::spacer::{self, Claim};
use crate::checked::Checked;
use crate::limits::{Interrupt, Limits};
use crate::solver::{Config, Solver};

pub mod attempt;
pub mod read;
mod reduce;

/// A predicate applied to terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// A declared function with a Boolean result.
    pub predicate: Fun,
    /// As many terms as it takes.
    pub arguments: Vec<Term>,
}

/// `for all variables: body and constraint imply head`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The premises.
    pub body: Vec<Atom>,
    /// A Boolean term without predicates.
    pub constraint: Term,
    /// The conclusion; `None` for a query.
    pub head: Option<Atom>,
}

impl Clause {
    /// The variables that occur in the clause.
    pub fn variables(&self, terms: &Terms) -> Vec<Term> {
        let mut roots = vec![self.constraint];
        for atom in self.body.iter().chain(&self.head) {
            roots.extend_from_slice(&atom.arguments);
        }
        terms.free_vars(&roots)
    }
}

/// A system of clauses.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct System {
    /// The predicates, all of them.
    pub predicates: Vec<Fun>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// What a predicate means: a formula over its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The predicate.
    pub predicate: Fun,
    /// One variable for each argument.
    pub parameters: Vec<Term>,
    /// A formula over the parameters only.
    pub formula: Term,
}

impl Invariant {
    /// The formula for these arguments.
    pub fn instantiate(&self, terms: &mut Terms, arguments: &[Term]) -> Term {
        let map: Substitution = self
            .parameters
            .iter()
            .copied()
            .zip(arguments.iter().copied())
            .collect();
        terms.substitute(self.formula, &map)
    }
}

/// One use of a clause in a derivation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The number of the clause.
    pub clause: usize,
    /// The earlier steps that derive the body's atoms, in their order.
    pub premises: Vec<usize>,
    /// The values of the clause's variables.
    pub values: Vec<(Term, Value)>,
}

/// The answer to a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornAnswer {
    /// No query is derivable; the invariants were checked.
    Safe(Vec<Invariant>),
    /// A query is derivable: the last step; the derivation was checked.
    Unsafe(Vec<Step>),
    /// Nobody knows.
    Unknown(Reason),
}

/// How a system is solved.
#[derive(Clone, Default, Debug)]
pub struct HornOptions {
    /// Limits for the search (each check of a clause gets the same).
    pub limits: Limits,
    /// The switch by which another thread stops the search.
    pub interrupt: Interrupt,
    /// The back end that checks the answers; by default Bitwuzla, and Z3 for what Bitwuzla cannot express.
    pub checker: Option<String>,
    /// How Spacer searches.
    pub settings: Settings,
}

/// How Spacer searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Does it look at all lemmas together for what they have in common (global guidance)? Sums of several
    /// variables are found that way, and hardly otherwise.
    pub guided: bool,
}

impl Settings {
    /// As Spacer is when nobody says anything.
    pub const PLAIN: Settings = Settings { guided: false };
    /// With global guidance.
    pub const GUIDED: Settings = Settings { guided: true };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::PLAIN
    }
}

/// Solves a system of clauses.
pub fn solve_horn(
    terms: &mut Terms,
    system: &System,
    options: &HornOptions,
) -> Result<HornAnswer, SolveError> {
    let reduced = reduce::reduce(terms, system);
    match spacer::ask(terms, &reduced.system, options)? {
        Claim::Unknown(reason) => Ok(HornAnswer::Unknown(reason)),
        Claim::Safe(invariants) => {
            let invariants = reduced.invariants(terms, &invariants);
            confirm(terms, system, invariants, options)
        }
        Claim::Unsafe(clauses) => {
            let clauses = reduced.numbers(&clauses);
            concretise(terms, system, &clauses, options)
        }
    }
}

/// The answer that invariants are, if every clause is true under them. If one is not, nobody knows: what was found does not
/// matter, however it came about.
fn confirm(
    terms: &mut Terms,
    system: &System,
    invariants: Vec<Invariant>,
    options: &HornOptions,
) -> Result<HornAnswer, SolveError> {
    Ok(
        match check_invariants(terms, system, &invariants, options) {
            Ok(Ok(())) => HornAnswer::Safe(invariants),
            Ok(Err(reason)) => HornAnswer::Unknown(reason),
            Err(SolveError::Unsound { detail, .. }) => {
                HornAnswer::Unknown(Reason::Incomplete(format!("unconfirmed: {detail}")))
            }
            Err(error) => return Err(error),
        },
    )
}

/// Shows every clause true under the invariants. `Ok(Err(…))` if a back end does not know; an error if one is false.
pub fn check_invariants(
    terms: &mut Terms,
    system: &System,
    invariants: &[Invariant],
    options: &HornOptions,
) -> Result<Result<(), Reason>, SolveError> {
    let find = |predicate: Fun| {
        invariants
            .iter()
            .find(|invariant| invariant.predicate == predicate)
    };
    for (number, clause) in system.clauses.iter().enumerate() {
        let mut premises = vec![clause.constraint];
        for atom in &clause.body {
            // A predicate without invariant is not restricted.
            if let Some(invariant) = find(atom.predicate) {
                premises.push(invariant.instantiate(terms, &atom.arguments));
            }
        }
        if let Some(atom) = &clause.head {
            let Some(invariant) = find(atom.predicate) else {
                continue;
            };
            let head = invariant.instantiate(terms, &atom.arguments);
            premises.push(terms.not(head));
        }
        match ask_checker(terms, &premises, options)? {
            Answer::Unsat => {}
            Answer::Unknown(reason) => return Ok(Err(reason)),
            Answer::Sat(_) => {
                let detail = format!("its invariants do not make clause {number} true");
                return Err(SolveError::Unsound {
                    backend: "spacer".to_owned(),
                    detail,
                });
            }
        }
    }
    Ok(Ok(()))
}

/// Checks a conjunction with the caller's back end, or with the first that can express it.
fn ask_checker(
    terms: &Terms,
    conjuncts: &[Term],
    options: &HornOptions,
) -> Result<Answer, SolveError> {
    let config = Config {
        limits: options.limits,
        interrupt: options.interrupt.clone(),
        ..Config::default()
    };
    let checkers: Vec<&str> = match &options.checker {
        Some(checker) => vec![checker],
        None => vec!["bitwuzla", "z3"],
    };
    let mut last = None;
    for checker in checkers {
        let mut solver = Checked::open(checker, &config)?;
        match conjuncts
            .iter()
            .try_for_each(|&t| solver.assert(terms, t))
            .and_then(|()| solver.check(terms, &[]))
        {
            Err(error @ SolveError::Unsupported { .. }) => last = Some(error),
            result => return result,
        }
    }
    Err(last.expect("there is at least one checker"))
}

/// In which order a list of clauses names the premises of one clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Forward,
    Backward,
}

/// Finds values for a tree of clauses, which is given level by level from a query on. Z3 may have turned the order of
/// premises round, so both are tried.
fn concretise(
    terms: &mut Terms,
    system: &System,
    clauses: &[usize],
    options: &HornOptions,
) -> Result<HornAnswer, SolveError> {
    for order in [Order::Forward, Order::Backward] {
        let Some(tree) = build_tree(system, clauses, order) else {
            continue;
        };
        let (conjuncts, copies) = conditions(terms, system, &tree);
        let model = match ask_checker(terms, &conjuncts, options)? {
            Answer::Sat(model) => model,
            Answer::Unknown(reason) => return Ok(HornAnswer::Unknown(reason)),
            Answer::Unsat => continue,
        };
        let steps = steps_of(terms, system, &tree, &copies, &model);
        return match check_derivation(terms, system, &steps) {
            Ok(()) => Ok(HornAnswer::Unsafe(steps)),
            Err(detail) => Err(SolveError::Unsound {
                backend: "spacer".to_owned(),
                detail,
            }),
        };
    }
    // The tree was read off a list of names, so the fault may be ours.
    Ok(HornAnswer::Unknown(Reason::Incomplete(
        "the derivation has no values".to_owned(),
    )))
}

/// What the variables of a tree must satisfy; each use of a clause gets its own copies of them.
fn conditions(
    terms: &mut Terms,
    system: &System,
    tree: &[TreeNode],
) -> (Vec<Term>, Vec<Substitution>) {
    let mut copies: Vec<Substitution> = Vec::new();
    for node in tree {
        let mut copy = Substitution::default();
        for variable in system.clauses[node.clause].variables(terms) {
            let sort = terms.sort(variable);
            let fresh = terms.fresh("use", sort);
            copy.insert(variable, fresh);
        }
        copies.push(copy);
    }
    let mut conjuncts = Vec::new();
    for (node, copy) in tree.iter().zip(&copies) {
        let clause = &system.clauses[node.clause];
        conjuncts.push(terms.substitute(clause.constraint, copy));
        for (atom, &child) in clause.body.iter().zip(&node.children) {
            let head = system.clauses[tree[child].clause]
                .head
                .as_ref()
                .expect("a child has a head");
            for (&needed, &derived) in atom.arguments.iter().zip(&head.arguments) {
                let needed = terms.substitute(needed, copy);
                let derived = terms.substitute(derived, &copies[child]);
                conjuncts.push(terms.eq(needed, derived));
            }
        }
    }
    (conjuncts, copies)
}

/// A use of a clause, and the uses that derive its premises.
struct TreeNode {
    clause: usize,
    children: Vec<usize>,
}

/// The tree whose nodes, level by level, are these clauses.
fn build_tree(system: &System, clauses: &[usize], order: Order) -> Option<Vec<TreeNode>> {
    let mut rest = clauses.iter().copied();
    let root = rest.next()?;
    if system.clauses.get(root)?.head.is_some() {
        return None;
    }
    let mut tree = vec![TreeNode {
        clause: root,
        children: Vec::new(),
    }];
    let mut open = VecDeque::from([0]);
    while let Some(node) = open.pop_front() {
        let premises = system.clauses[tree[node].clause].body.len();
        let mut children = Vec::new();
        for _ in 0..premises {
            children.push(tree.len());
            open.push_back(tree.len());
            tree.push(TreeNode {
                clause: rest.next()?,
                children: Vec::new(),
            });
        }
        if order == Order::Backward {
            children.reverse();
        }
        for (atom, &child) in system.clauses[tree[node].clause].body.iter().zip(&children) {
            if system
                .clauses
                .get(tree[child].clause)?
                .head
                .as_ref()?
                .predicate
                != atom.predicate
            {
                return None;
            }
        }
        tree[node].children = children;
    }
    rest.next().is_none().then_some(tree)
}

/// The steps in the order of a proof, premises first; children have greater numbers than their parents in the tree.
fn steps_of(
    terms: &Terms,
    system: &System,
    tree: &[TreeNode],
    copies: &[Substitution],
    model: &Model,
) -> Vec<Step> {
    let place = |node: usize| tree.len() - 1 - node;
    let mut steps = Vec::new();
    for (node, copy) in tree.iter().zip(copies).rev() {
        let variables = system.clauses[node.clause].variables(terms);
        let values = variables
            .iter()
            .map(|&variable| (variable, terms.eval(model, copy[&variable])))
            .collect();
        let premises = node.children.iter().map(|&child| place(child)).collect();
        steps.push(Step {
            clause: node.clause,
            premises,
            values,
        });
    }
    steps
}

/// Checks every step of a derivation by evaluation; the last one must be a query.
pub fn check_derivation(terms: &Terms, system: &System, steps: &[Step]) -> Result<(), String> {
    let clause_of = |step: &Step| {
        system
            .clauses
            .get(step.clause)
            .ok_or("a clause that does not exist")
    };
    let evaluate = |model: &Model, arguments: &[Term]| -> Vec<Value> {
        arguments.iter().map(|&t| terms.eval(model, t)).collect()
    };
    let mut derived: Vec<Option<(Fun, Vec<Value>)>> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let clause = clause_of(step)?;
        let mut model = Model::new();
        for (variable, value) in &step.values {
            let fits = matches!(terms.op(*variable), Op::Var(_))
                && value.has_sort(terms, terms.sort(*variable));
            if !fits {
                return Err(format!(
                    "step {number} gives {variable} a value of another sort"
                ));
            }
            model.set(terms, *variable, value.clone());
        }
        if !terms.eval_bool(&model, clause.constraint) {
            return Err(format!("step {number} violates its constraint"));
        }
        if step.premises.len() != clause.body.len() {
            return Err(format!(
                "step {number} has {} premises",
                step.premises.len()
            ));
        }
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            let needed = (atom.predicate, evaluate(&model, &atom.arguments));
            if derived.get(premise).and_then(Option::as_ref) != Some(&needed) {
                return Err(format!(
                    "step {number} uses what step {premise} does not derive"
                ));
            }
        }
        derived.push(
            clause
                .head
                .as_ref()
                .map(|atom| (atom.predicate, evaluate(&model, &atom.arguments))),
        );
    }
    match derived.last() {
        Some(None) => Ok(()),
        Some(Some(_)) | None => Err("the last step is no query".to_owned()),
    }
}

/// The system in SMT-LIB, logic `HORN`: it is satisfiable if no query is derivable.
pub fn to_smt(terms: &mut Terms, system: &System) -> String {
    let mut out = "(set-logic HORN)\n".to_owned();
    for &predicate in &system.predicates {
        let decl = terms.fun(predicate);
        let sorts: Vec<String> = decl.params.iter().map(|&s| terms.sort_to_smt(s)).collect();
        let name = symbol_to_smt(&decl.name);
        out.push_str(&format!(
            "(declare-fun {name} ({}) Bool)\n",
            sorts.join(" ")
        ));
    }
    for clause in &system.clauses {
        let mut premises: Vec<Term> = Vec::new();
        for atom in &clause.body {
            premises.push(terms.apply(atom.predicate, &atom.arguments));
        }
        premises.push(clause.constraint);
        let head = match &clause.head {
            Some(atom) => terms.apply(atom.predicate, &atom.arguments),
            None => terms.fls(),
        };
        let premises: Vec<String> = premises.iter().map(|&t| terms.to_smt(t)).collect();
        let matrix = format!("(=> (and {}) {})", premises.join(" "), terms.to_smt(head));
        let variables = clause.variables(terms).into_iter().map(|var| {
            let name = symbol_to_smt(terms.var_name(var).unwrap_or_default());
            format!("({name} {})", terms.sort_to_smt(terms.sort(var)))
        });
        let variables: Vec<String> = variables.collect();
        out.push_str(&match variables.is_empty() {
            true => format!("(assert {matrix})\n"),
            false => format!("(assert (forall ({}) {matrix}))\n", variables.join(" ")),
        });
    }
    out.push_str("(check-sat)\n");
    out
}

/// Declares a predicate.
pub fn declare_predicate(
    terms: &mut Terms,
    system: &mut System,
    name: &str,
    sorts: &[Sort],
) -> Fun {
    let predicate = terms.declare_fun(name, sorts, Sort::Bool);
    system.predicates.push(predicate);
    predicate
}
