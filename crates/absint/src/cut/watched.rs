//! A program that says of itself which facts at the heads of its loops do not hold: nothing is cut, and each fact is an obligation
//! wherever a head is entered.
//!
//! It is executed, not proved. What fails in an execution is no fact; what numbers were met says which others there may be.

use std::collections::{BTreeMap, BTreeSet};

use ir::cfg::Cfg;
use ir::loops::Loops;
use ir::syntax::{Block, Func, Module, Obligation, Op, Operand, Target, Terminator};

use super::emit::{Emit, Ground};
use super::{at_entry, gates, ghosts, guard, operands};
use crate::facts::{self, Fact, Place};

/// See the module.
pub struct Watched {
    /// The program.
    pub module: Module,
    /// The obligations that say that the facts hold, with the head and the fact.
    pub guards: Vec<(Obligation, Block, Fact)>,
    /// The blocks before a head, with the head.
    pub heads: BTreeMap<Block, Block>,
    /// What the places that were asked for are called at the ends of these blocks.
    pub numbers: BTreeMap<Block, Vec<Operand>>,
}

/// Are all places of a fact known without asking where a pointer points?
fn is_plain(fact: &Fact) -> bool {
    let mut places = fact.iter().flatten().flat_map(facts::places_of);
    places.all(|place| !matches!(place, Place::Offset(_)))
}

/// The program with these facts as obligations at heads of natural loops, and with these numbers computed there.
pub fn watched(
    module: &Module,
    func: Func,
    facts: &BTreeMap<Block, Vec<Fact>>,
    numbers: &BTreeMap<Block, Vec<Place>>,
) -> Watched {
    let mut module = module.clone();
    let machine = module.machine;
    let mut body = module.funcs[func]
        .body
        .take()
        .expect("the function has a body");
    let loops = Loops::new(&Cfg::new(&body));
    let ghosts = ghosts(&mut body, facts.values().flatten(), machine);
    let mut found = Watched {
        module: Module::clone(&module),
        guards: Vec::new(),
        heads: BTreeMap::new(),
        numbers: BTreeMap::new(),
    };
    let none = (BTreeMap::new(), BTreeMap::new());
    for (&head, all) in facts {
        let own = loops.with_header(head).expect("a head of a loop");
        let inside: BTreeSet<Block> = loops.blocks(own).iter().copied().collect();
        let plain: Vec<Fact> = all.iter().filter(|fact| is_plain(fact)).cloned().collect();
        let place = body.blocks[head].place;
        let (enter, again) = gates(&mut body, head, &inside);
        let ground = Ground {
            head,
            machine,
            offsets: &none.0,
            first: &none.1,
            ghosts: &ghosts,
        };
        let entered = operands(&body, enter);
        let mut emit = Emit::new(&mut body, enter, ground);
        let first = at_entry(&mut emit, &plain, &entered);
        let ground = Ground {
            first: &first,
            ..ground
        };
        let mut ids: Vec<Obligation> = Vec::new();
        for fact in plain {
            let id = guard(&mut module, place);
            ids.push(id);
            found.guards.push((id, head, fact));
        }
        let from = found.guards.len() - ids.len();
        for gate in [enter, again] {
            let values = operands(&body, gate);
            let mut emit = Emit::new(&mut body, gate, ground);
            for (id, _, fact) in &found.guards[from..] {
                let holds = emit.fact(fact, &values);
                emit.effect(Op::Check(*id, holds), Vec::new());
            }
            let wanted = numbers.get(&head).into_iter().flatten();
            let named = wanted.map(|&place| emit.place(place, &values)).collect();
            found.numbers.insert(gate, named);
            found.heads.insert(gate, head);
            body.blocks[gate].terminator = Terminator::Jump(Target::with_args(head, values));
        }
    }
    module.funcs[func].body = Some(body);
    found.module = module;
    found
}
