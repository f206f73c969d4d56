//! Clauses from an evaluation.
//!
//! The cut points are the program's beginning and the heads of loops that begin in an arbitrary state. Of each head, a predicate says in
//! which states it is entered: over what the loop changes, and over older variables that matter later. The evaluation has told
//! the fragments between cut points apart ([`encode::eval::arbitrary::Plan::apart`]): with the variable `at` of one head true, and those of all later
//! heads false, a condition is about executions that passed this head last. So one evaluation yields all clauses, by
//! substitution:
//!
//! ```text
//!   entry:               reached(head) and assumptions             => Head(values)
//!   step:   Head(state), reached(head again) and assumptions       => Head(values again)
//!   exit:   Head(state), reached(next head) and assumptions        => Next(values)
//!   query:  Head(state), reached(check), assumptions and not holds => false
//! ```
//!
//! What was decided before a head is true in all that follows it, and is not repeated: a predicate that needs it says so. What a predicate
//! does not speak of is arbitrary: contents of large objects, pointers in memory. That may cost a proof, and cannot make one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bmc::sentence::Part;
use bmc::slot::{Slot, cells, read};
use encode::eval::arbitrary::{Entered, Head, Place, Point};
use encode::eval::summary::MAIN;
use encode::eval::{Instance, Vc};
use solve::horn::{Atom, Clause, System};
use terms::visit::Substitution;
use terms::{Fun, Op, Sort, Term, Terms};

/// The most heads: each is a substitution in everything that follows it.
const MOST_HEADS: usize = 48;
/// The most terms of an evaluation.
const MOST_TERMS: usize = 2_000_000;
/// The most assumptions before a head that are looked at.
const MOST_FACTS: usize = 300;
/// Objects with more bytes are arbitrary.
const MOST_BYTES: u64 = 64;
/// The most clauses for one conclusion, because of calls that are made or not.
const MOST_CASES: usize = 64;

/// A system of clauses, and what its predicates are about.
pub struct Clauses {
    /// The system.
    pub system: System,
    /// In the order of the system's.
    pub predicates: Vec<Predicate>,
}

/// A predicate about the states of a head.
pub struct Predicate {
    /// Which head.
    pub place: Place,
    /// What its arguments are. None for a predicate that says whether the head is reached at all.
    pub parts: Vec<Part>,
}

/// The clauses that say that none of the instances fails; why there are none, if there are none.
pub fn clauses(vc: &mut Vc<'_>, asked: &[Instance]) -> Result<Clauses, String> {
    let count = vc.heads.iter().filter(|head| at(head).is_some()).count();
    if count > MOST_HEADS {
        return Err(format!("{count} loops"));
    }
    if vc.world.terms.len() > MOST_TERMS {
        return Err("the program is too large".to_owned());
    }
    let mut builder = Builder::new(vc, asked);
    builder.find_calls();
    builder.find_edges()?;
    builder.find_relevant();
    builder.repeat_what_is_known();
    Ok(builder.finish())
}

/// The variable that says that execution goes on from an arbitrary state.
fn at(head: &Head) -> Option<Term> {
    match &head.entered {
        Entered::Arbitrary(havoc) => havoc.at,
        Entered::First | Entered::Again => None,
    }
}

/// A cut point from which clauses come.
struct Source {
    /// None for the program's beginning.
    head: Option<Head>,
    /// What its predicate could be about: the part, and its term in the arbitrary state.
    slots: Vec<(Slot, Term)>,
    /// Variables that are older than the head.
    older: BTreeSet<Term>,
    /// Of both, what matters.
    kept: BTreeSet<usize>,
    frame: BTreeSet<Term>,
    /// The variables that matter in what follows.
    needed: BTreeSet<Term>,
}

/// What is known of a function's end, and its calls.
struct Summary {
    place: Place,
    /// What its predicate could be about, with their sorts.
    slots: Vec<(Slot, Sort)>,
    /// What matters.
    kept: BTreeSet<usize>,
}

/// A call that was not evaluated.
struct Call {
    summary: usize,
    reached: Term,
    assumptions: usize,
    /// The terms of the slots.
    terms: Vec<Term>,
}

/// A clause that is being made.
struct Edge {
    from: usize,
    constraint: Term,
    /// The calls on the way: what is known of their ends, and the terms of the slots.
    calls: Vec<(usize, Vec<Term>)>,
    to: To,
}

/// The conclusion of a clause.
#[derive(Clone)]
enum To {
    /// None.
    Query,
    /// A head or a function is entered with these terms of its slots; what the variables are that are older.
    Head(usize, Vec<Term>, Substitution),
    /// A function ends with these.
    Exit(usize, Vec<Term>),
}

struct Builder<'b, 'a> {
    vc: &'b mut Vc<'a>,
    asked: &'b [Instance],
    sources: Vec<Source>,
    summaries: Vec<Summary>,
    calls: Vec<Call>,
    edges: Vec<Edge>,
}

impl<'b, 'a> Builder<'b, 'a> {
    fn new(vc: &'b mut Vc<'a>, asked: &'b [Instance]) -> Builder<'b, 'a> {
        let mut sources = vec![Source {
            head: None,
            slots: Vec::new(),
            older: BTreeSet::new(),
            kept: BTreeSet::new(),
            frame: BTreeSet::new(),
            needed: BTreeSet::new(),
        }];
        let heads = vc.heads.iter().filter(|head| at(head).is_some());
        let heads: Vec<Head> = heads.cloned().collect();
        for head in heads {
            let slots = slots(vc, &head);
            sources.push(Source {
                head: Some(head),
                slots,
                older: BTreeSet::new(),
                kept: BTreeSet::new(),
                frame: BTreeSet::new(),
                needed: BTreeSet::new(),
            });
        }
        Builder {
            vc,
            asked,
            sources,
            summaries: Vec::new(),
            calls: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// The ends of functions, and the calls that come to them.
    fn find_calls(&mut self) {
        let heads: Vec<Head> = self.vc.heads.to_vec();
        for head in heads {
            let (Point::Exit, Entered::Arbitrary(_)) = (head.place.point, &head.entered) else {
                continue;
            };
            let known = self
                .summaries
                .iter()
                .position(|summary| summary.place == head.place);
            let summary = match known {
                Some(summary) => summary,
                None => {
                    let slots = self.exit_slots(&head);
                    self.summaries.push(Summary {
                        place: head.place,
                        slots,
                        kept: BTreeSet::new(),
                    });
                    self.summaries.len() - 1
                }
            };
            let terms = self.read_slots(summary, &head);
            self.calls.push(Call {
                summary,
                reached: head.reached,
                assumptions: head.assumptions,
                terms,
            });
        }
    }

    /// What a function's end could be about: what it was given, and what it returns.
    fn exit_slots(&mut self, exit: &Head) -> Vec<(Slot, Sort)> {
        let given = self.sources.iter().find(|source| {
            let head = source.head.as_ref();
            head.is_some_and(|head| {
                (head.place.func, head.place.point) == (exit.place.func, Point::Entry)
            })
        });
        let mut list: Vec<(Slot, Term)> = Vec::new();
        if let Some(source) = given {
            list.extend(&source.slots);
        }
        list.extend(slots(self.vc, exit));
        let terms = &self.vc.world.terms;
        list.into_iter()
            .map(|(slot, term)| (slot, terms.sort(term)))
            .collect()
    }

    fn read_slots(&mut self, summary: usize, head: &Head) -> Vec<Term> {
        let slots = self.summaries[summary].slots.clone();
        let mut list = Vec::with_capacity(slots.len());
        for (slot, sort) in slots {
            let now = read(&mut self.vc.world, &head.values, slot);
            let now = now.filter(|&now| self.vc.world.terms.sort(now) == sort);
            list.push(now.unwrap_or_else(|| self.vc.world.terms.fresh("anything", sort)));
        }
        list
    }

    /// What is entered or left, with what slots are there: once for all sources.
    fn targets(&mut self) -> Vec<(Head, To)> {
        let heads: Vec<Head> = self.vc.heads.to_vec();
        let mut list = Vec::new();
        for head in heads {
            if matches!(head.entered, Entered::Arbitrary(_)) {
                continue;
            }
            if head.place.point == Point::Exit {
                let mut summaries = self.summaries.iter();
                let Some(to) = summaries.position(|summary| summary.place == head.place) else {
                    continue;
                };
                let values = self.read_slots(to, &head);
                list.push((head, To::Exit(to, values)));
                continue;
            }
            let Some(to) = self.source_of(head.place) else {
                continue;
            };
            let slots = self.sources[to].slots.clone();
            let mut values = Vec::with_capacity(slots.len());
            for (slot, term) in slots {
                let sort = self.vc.world.terms.sort(term);
                let now = read(&mut self.vc.world, &head.values, slot);
                let now = now.filter(|&now| self.vc.world.terms.sort(now) == sort);
                values.push(now.unwrap_or_else(|| self.vc.world.terms.fresh("anything", sort)));
            }
            list.push((head, To::Head(to, values, Substitution::default())));
        }
        list
    }

    /// The clauses, with every slot as an argument.
    fn find_edges(&mut self) -> Result<(), String> {
        let targets = self.targets();
        for from in 0..self.sources.len() {
            let map = self.substitution(from);
            let (at, first) = match &self.sources[from].head {
                Some(head) => (at(head), head.assumptions),
                None => (None, 0),
            };
            let prefixes = self.prefixes(first);
            for (head, to) in &targets {
                if head.assumptions < first || !self.depends(head.reached, at) {
                    continue;
                }
                let terms = &mut *self.vc.world.terms;
                let constraint = terms.and(prefixes[head.assumptions - first], head.reached);
                let between = first..head.assumptions;
                self.add_edges(from, &map, constraint, between, to.clone())?;
            }
            // Checks with the same calls before them are one query.
            let mut cases: BTreeMap<usize, (usize, Vec<Term>)> = BTreeMap::new();
            for instance in self.asked {
                if instance.assumptions < first || !self.depends(instance.reached, at) {
                    continue;
                }
                let terms = &mut *self.vc.world.terms;
                let fails = terms.not(instance.holds);
                let fails = terms.and(instance.reached, fails);
                let case = terms.and(prefixes[instance.assumptions - first], fails);
                let before = self.calls.iter();
                let before = before.filter(|call| call.assumptions < instance.assumptions);
                let list = cases
                    .entry(before.count())
                    .or_insert((instance.assumptions, Vec::new()));
                list.1.push(case);
            }
            for (assumptions, cases) in cases.into_values() {
                let fails = self.vc.world.terms.or_all(&cases);
                self.add_edges(from, &map, fails, first..assumptions, To::Query)?;
            }
        }
        Ok(())
    }

    /// The clauses for one conclusion: one for each set of calls that an execution may have come through, between two numbers of
    /// assumptions.
    fn add_edges(
        &mut self,
        from: usize,
        map: &Substitution,
        constraint: Term,
        between: Range<usize>,
        to: To,
    ) -> Result<(), String> {
        let terms = &mut *self.vc.world.terms;
        let constraint = terms.substitute(constraint, map);
        if terms.as_bool(constraint) == Some(false) {
            return Ok(());
        }
        let calls: Vec<usize> = (0..self.calls.len())
            .filter(|&call| between.contains(&self.calls[call].assumptions))
            .collect();
        // The constraint, what is decided, the calls that are made, and the next one to decide.
        let mut work = vec![(constraint, map.clone(), Vec::new(), 0)];
        let mut made = 0;
        while let Some((constraint, map, mut through, next)) = work.pop() {
            let terms = &mut *self.vc.world.terms;
            if terms.as_bool(constraint) == Some(false) {
                continue;
            }
            let Some(&call) = calls.get(next) else {
                made += 1;
                if made > MOST_CASES {
                    return Err("too many ways through calls".to_owned());
                }
                self.add_edge(from, &map, constraint, &through, &to);
                continue;
            };
            let reached = terms.substitute(self.calls[call].reached, &map);
            match terms.as_bool(reached) {
                Some(false) => work.push((constraint, map, through, next + 1)),
                Some(true) => {
                    through.push(call);
                    work.push((constraint, map, through, next + 1));
                }
                None => {
                    let not = terms.not(reached);
                    for literal in [reached, not] {
                        let mut map = map.clone();
                        let both = terms.and(constraint, literal);
                        decide(terms, &mut map, literal);
                        let rest = terms.substitute(both, &map);
                        let decided = terms.and(rest, literal);
                        // The same call again: its condition is decided now, unless it is no literal.
                        let mut through = through.clone();
                        if literal == reached {
                            through.push(call);
                        }
                        work.push((decided, map, through, next + 1));
                    }
                }
            }
        }
        Ok(())
    }

    fn add_edge(
        &mut self,
        from: usize,
        map: &Substitution,
        constraint: Term,
        through: &[usize],
        to: &To,
    ) {
        let terms = &mut *self.vc.world.terms;
        let mut calls = Vec::with_capacity(through.len());
        for &call in through {
            let call = &self.calls[call];
            calls.push((call.summary, terms.substitute_all(&call.terms, map)));
        }
        let to = match to {
            To::Query => To::Query,
            To::Head(to, values, _) => {
                To::Head(*to, terms.substitute_all(values, map), map.clone())
            }
            To::Exit(to, values) => To::Exit(*to, terms.substitute_all(values, map)),
        };
        self.edges.push(Edge {
            from,
            constraint,
            calls,
            to,
        });
    }

    fn source_of(&self, place: Place) -> Option<usize> {
        let is_there = |source: &Source| {
            let head = source.head.as_ref();
            head.is_some_and(|head| head.place == place)
        };
        self.sources.iter().position(is_there)
    }

    /// Does a path go through the head with this variable? All do through the program's beginning.
    fn depends(&self, reached: Term, at: Option<Term>) -> bool {
        at.is_none_or(|at| self.vc.world.terms.reachable(&[reached]).contains(at))
    }

    /// What is true and false in the fragment that begins here.
    fn substitution(&mut self, from: usize) -> Substitution {
        let terms = &mut *self.vc.world.terms;
        let (yes, no) = (terms.tru(), terms.fls());
        let mut map = Substitution::default();
        for source in &self.sources[from + 1..] {
            if let Some(at) = source.head.as_ref().and_then(at) {
                map.insert(at, no);
            }
        }
        // The program itself, or a body.
        let main = terms.find_var(MAIN);
        if let Some(main) = main {
            map.insert(main, if from == 0 { yes } else { no });
        }
        if let Some(head) = &self.sources[from].head {
            decide(terms, &mut map, head.reached);
        }
        map
    }

    /// The conjunctions of the assumptions from one on.
    fn prefixes(&mut self, first: usize) -> Vec<Term> {
        let terms = &mut *self.vc.world.terms;
        let mut so_far = terms.tru();
        let mut list = vec![so_far];
        for assumption in &self.vc.assumptions[first..] {
            let holds = terms.implies(assumption.reached, assumption.holds);
            so_far = terms.and(so_far, holds);
            list.push(so_far);
        }
        list
    }

    /// Which arguments matter: those that a constraint speaks of, or an argument that matters.
    fn find_relevant(&mut self) {
        self.find_older();
        for index in 0..self.edges.len() {
            let vars = self.vars(&[self.edges[index].constraint]);
            self.sources[self.edges[index].from].needed.extend(vars);
        }
        let mut changed = true;
        while changed {
            changed = self.keep_what_is_needed();
            for index in 0..self.edges.len() {
                changed |= self.keep_of_summaries(index);
                let edge = &self.edges[index];
                let mut used: Vec<Term> = Vec::new();
                match &edge.to {
                    To::Query => {}
                    To::Head(to, values, map) => {
                        used.extend(self.sources[*to].kept.iter().map(|&slot| values[slot]));
                        for &variable in &self.sources[*to].frame {
                            used.push(map.get(&variable).copied().unwrap_or(variable));
                        }
                    }
                    To::Exit(to, values) => {
                        used.extend(self.summaries[*to].kept.iter().map(|&slot| values[slot]));
                    }
                }
                for (summary, terms) in &edge.calls {
                    let kept = self.summaries[*summary].kept.iter();
                    used.extend(kept.map(|&slot| terms[slot]));
                }
                let (from, vars) = (edge.from, self.vars(&used));
                let needed = &mut self.sources[from].needed;
                let before = needed.len();
                needed.extend(vars);
                changed |= needed.len() > before;
            }
        }
    }

    /// A summary is about what somebody needs after a call, or before the function's end.
    fn keep_of_summaries(&mut self, index: usize) -> bool {
        let edge = &self.edges[index];
        let mut uses: Vec<(usize, Vec<Term>)> = edge.calls.clone();
        if let To::Exit(to, values) = &edge.to {
            uses.push((*to, values.clone()));
        }
        let from = edge.from;
        let mut changed = false;
        for (summary, terms) in uses {
            for (slot, term) in terms.into_iter().enumerate() {
                if self.summaries[summary].kept.contains(&slot) {
                    continue;
                }
                let vars = self.vars(&[term]);
                let needed = &self.sources[from].needed;
                if vars.iter().any(|var| needed.contains(var)) {
                    self.summaries[summary].kept.insert(slot);
                    changed = true;
                }
            }
        }
        changed
    }

    fn keep_what_is_needed(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.sources.len() {
            let own: Vec<Vec<Term>> = self.sources[index]
                .slots
                .iter()
                .map(|&(_, term)| self.vars(&[term]))
                .collect();
            let source = &mut self.sources[index];
            if source.head.is_none() {
                continue;
            }
            let before = source.kept.len() + source.frame.len();
            for (slot, vars) in own.iter().enumerate() {
                if vars.iter().any(|var| source.needed.contains(var)) {
                    source.kept.insert(slot);
                }
            }
            let older = source.needed.intersection(&source.older);
            source.frame.extend(older.copied().collect::<Vec<_>>());
            changed |= source.kept.len() + source.frame.len() > before;
        }
        changed
    }

    /// What was decided or assumed before a head and speaks of nothing but older variables that its predicate has: true in all that
    /// follows, and helpful.
    fn repeat_what_is_known(&mut self) {
        for from in 1..self.sources.len() {
            let Some(head) = self.sources[from].head.clone() else {
                continue;
            };
            let map = self.substitution(from);
            let terms = &mut *self.vc.world.terms;
            let mut facts = conjuncts(terms, head.reached);
            let before = &self.vc.assumptions[..head.assumptions];
            for assumption in before.iter().rev().take(MOST_FACTS) {
                if terms.substitute(assumption.reached, &map) == terms.tru() {
                    facts.push(assumption.holds);
                }
            }
            let mut known = terms.tru();
            for fact in facts {
                let vars = terms.free_vars(&[fact]);
                let frame = &self.sources[from].frame;
                if !vars.is_empty() && vars.iter().all(|var| frame.contains(var)) {
                    known = terms.and(known, fact);
                }
            }
            for edge in self.edges.iter_mut().filter(|edge| edge.from == from) {
                edge.constraint = terms.and(known, edge.constraint);
            }
        }
    }

    fn vars(&self, roots: &[Term]) -> Vec<Term> {
        self.vc.world.terms.free_vars(roots)
    }

    /// Which variables were there before each head. Those of unknown contents are as old as the contents.
    fn find_older(&mut self) {
        let terms = &*self.vc.world.terms;
        let mut unknown: BTreeMap<Term, usize> = BTreeMap::new();
        for (index, contents) in self.vc.world.unknowns.values().enumerate() {
            for var in contents.variables(terms) {
                unknown.insert(var, index);
            }
        }
        let mut all = BTreeSet::new();
        for edge in &self.edges {
            all.extend(self.vars(&[edge.constraint]));
            match &edge.to {
                To::Query => {}
                To::Head(_, values, _) | To::Exit(_, values) => all.extend(self.vars(values)),
            }
            for (_, terms) in &edge.calls {
                all.extend(self.vars(terms));
            }
        }
        for source in &mut self.sources {
            let Some(head) = &source.head else { continue };
            let Entered::Arbitrary(havoc) = &head.entered else {
                continue;
            };
            let (count, contents) = havoc.older;
            let older = all.iter().copied().filter(|var| {
                let scalar = matches!(terms.sort(*var), Sort::Bool | Sort::BitVec(_));
                scalar
                    && match unknown.get(var) {
                        Some(&index) => index < contents,
                        None => var.index() < count,
                    }
            });
            source.older = older.collect();
        }
    }

    fn finish(self) -> Clauses {
        let mut system = System::default();
        let mut predicates = Vec::new();
        let mut funs: Vec<Option<Fun>> = Vec::new();
        let terms = &mut *self.vc.world.terms;
        for (index, source) in self.sources.iter().enumerate() {
            let Some(head) = &source.head else {
                funs.push(None);
                continue;
            };
            let mut parts = Vec::new();
            let mut sorts = Vec::new();
            for &slot in &source.kept {
                let (slot, term) = source.slots[slot];
                parts.push(Part::Slot(slot));
                sorts.push(terms.sort(term));
            }
            for &variable in &source.frame {
                parts.push(part_of(terms, head, variable));
                sorts.push(terms.sort(variable));
            }
            if sorts.is_empty() {
                sorts.push(Sort::Bool);
            }
            let name = format!("head{index}");
            let fun = solve::horn::declare_predicate(terms, &mut system, &name, &sorts);
            funs.push(Some(fun));
            predicates.push(Predicate {
                place: head.place,
                parts,
            });
        }
        let mut ends: Vec<Fun> = Vec::new();
        for (index, summary) in self.summaries.iter().enumerate() {
            let kept: Vec<(Slot, Sort)> = summary.kept.iter().map(|&x| summary.slots[x]).collect();
            let mut sorts: Vec<Sort> = kept.iter().map(|&(_, sort)| sort).collect();
            if sorts.is_empty() {
                sorts.push(Sort::Bool);
            }
            let name = format!("end{index}");
            ends.push(solve::horn::declare_predicate(
                terms,
                &mut system,
                &name,
                &sorts,
            ));
            predicates.push(Predicate {
                place: summary.place,
                parts: kept.iter().map(|&(slot, _)| Part::Slot(slot)).collect(),
            });
        }
        for edge in &self.edges {
            let source = &self.sources[edge.from];
            let body = funs[edge.from].map(|predicate| {
                let kept = source.kept.iter().map(|&slot| source.slots[slot].1);
                let arguments = kept.chain(source.frame.iter().copied()).collect();
                atom(terms, predicate, arguments)
            });
            let mut body: Vec<Atom> = body.into_iter().collect();
            for (summary, values) in &edge.calls {
                let kept = self.summaries[*summary].kept.iter();
                let arguments = kept.map(|&slot| values[slot]).collect();
                body.push(atom(terms, ends[*summary], arguments));
            }
            let head = match &edge.to {
                To::Query => None,
                To::Head(to, values, map) => {
                    let target = &self.sources[*to];
                    let kept = target.kept.iter().map(|&slot| values[slot]);
                    let frame = target.frame.iter();
                    let frame = frame.map(|var| map.get(var).copied().unwrap_or(*var));
                    let arguments = kept.chain(frame).collect();
                    Some(atom(terms, funs[*to].expect("a head"), arguments))
                }
                To::Exit(to, values) => {
                    let kept = self.summaries[*to].kept.iter();
                    let arguments = kept.map(|&slot| values[slot]).collect();
                    Some(atom(terms, ends[*to], arguments))
                }
            };
            system.clauses.push(Clause {
                body,
                constraint: edge.constraint,
                head,
            });
        }
        Clauses { system, predicates }
    }
}

fn atom(terms: &Terms, predicate: Fun, mut arguments: Vec<Term>) -> Atom {
    if arguments.is_empty() {
        arguments.push(terms.tru());
    }
    Atom {
        predicate,
        arguments,
    }
}

/// A variable from before a loop: as a value at its head, if it is one, since a name means nothing elsewhere.
fn part_of(terms: &Terms, head: &Head, variable: Term) -> Part {
    let is_it = |value: &encode::eval::Val| matches!(value, encode::eval::Val::Term(term) if *term == variable);
    match head.values.iter().position(is_it) {
        Some(index) => Part::Slot(Slot::Value(index)),
        None => Part::Variable(terms.var_name(variable).unwrap_or_default().to_owned()),
    }
}

/// What an arbitrary state consists of, with its terms.
fn slots(vc: &mut Vc<'_>, head: &Head) -> Vec<(Slot, Term)> {
    let Entered::Arbitrary(havoc) = &head.entered else {
        return Vec::new();
    };
    let mut list: Vec<Slot> = Vec::new();
    list.extend(havoc.scalars.iter().map(|&(index, _)| Slot::Value(index)));
    for &(index, _, _) in &havoc.pointers {
        list.extend([Slot::Owner(index), Slot::Offset(index)]);
    }
    let memories: BTreeSet<usize> = havoc.objects.iter().map(|&(memory, _)| memory).collect();
    for (memory, object) in &havoc.objects {
        if object.alive.is_some() {
            list.push(Slot::Alive(*memory, object.object));
        }
        if object.modified.is_some() {
            list.push(Slot::Modified(*memory, object.object));
        }
    }
    for memory in memories {
        list.extend(cells(&vc.world, head, memory, MOST_BYTES));
    }
    let mut slots = Vec::with_capacity(list.len());
    for slot in list {
        if let Some(term) = read(&mut vc.world, &head.values, slot) {
            slots.push((slot, term));
        }
    }
    slots
}

/// The parts of a conjunction are true from now on.
fn decide(terms: &Terms, map: &mut Substitution, formula: Term) {
    let (yes, no) = (terms.tru(), terms.fls());
    for literal in conjuncts(terms, formula) {
        match terms.op(literal) {
            Op::Not => map.insert(terms.args(literal)[0], no),
            _ => map.insert(literal, yes),
        };
    }
}

/// The parts of a conjunction.
fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut list = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend_from_slice(terms.args(term)),
            Op::True => {}
            _ => list.push(term), // A literal.
        }
    }
    list
}
