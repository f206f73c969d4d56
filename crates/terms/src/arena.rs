//! The arena: every distinct term once, numbered in the order in which it was made.
//!
//! A term is a 32-bit id. Its node is 44 bytes and holds constants up to 64 bits:
//!
//! ```text
//!   node   [ operator and its payload : 12 ][ arguments : 12 ][ sort : 4 ]
//!          [ level : 2 bits | tags : 9 bits | fact : 21 bits ][ three users : 12 ]
//! ```
//!
//! Making a term first looks for an equal node. If there is none, the rules of the operator are tried
//! ([`crate::rules`]), and only what no rule changes becomes a node. Hence two terms that simplify to the same thing
//! are the same id, and comparing terms is comparing numbers. Arguments are always older than the term: ids are a
//! topological order, which the traversals use.
//!
//! *Finding equal nodes.* With millions of nodes a hash table costs a cache miss or two for every term, several hundred
//! nanoseconds, more than all else together. But a term has exactly one newest argument, and so a term is on average the
//! newest argument of one other. A node therefore lists the first three terms that use it so. To look for a term is to
//! look at its newest argument, which the builder has just read anyway: a free entry means that the term is new. Only
//! the fourth and later users, and leaves, go to the table ([`crate::table`]). Three bits of the hash per user make it
//! unlikely that a wrong node is looked at.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};

use base::{Bv, Map};
use num_bigint::BigInt;
use rustc_hash::FxBuildHasher;

use crate::cases::CaseTable;
use crate::facts::FactTable;
use crate::guards::Guards;
use crate::op::{Big, Bits, Fun, Op, Symbol};
use crate::sort::{ArraySort, FloatSort, PackedSort, Sort};
use crate::table::Table;

base::id! {
    /// A term of an arena. Equal terms have equal ids; arguments have smaller ids than the terms they occur in.
    Term, "t";
    /// An interned list of arguments of an uninterpreted function.
    ArgList, "list"
}

/// How much is rewritten as terms are made. A greater level includes the lesser ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// Terms stay as they are written.
    Off = 0,
    /// Constants are folded and identities that only look at the arguments themselves are used; commutative arguments are ordered.
    Fold = 1,
    /// Patterns of two levels are rewritten; the result is never larger than the input.
    Local = 2,
    /// Everything: known bits and intervals, linear forms, case analysis over ite trees.
    #[default]
    Full = 3,
}

impl Level {
    /// All levels, from the least.
    pub const ALL: [Level; 4] = [Level::Off, Level::Fold, Level::Local, Level::Full];

    /// The level with this number, 0 to 3.
    pub fn from_number(number: u32) -> Option<Level> {
        Level::ALL.get(number as usize).copied()
    }
}

/// A term that is about to be made: operator, sort, and arguments (unused ones are [`NO_TERM`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Draft {
    pub(crate) op: Op,
    pub(crate) sort: Sort,
    pub(crate) args: [Term; 3],
}

/// Fills unused argument places; it is the term `true`.
pub(crate) const NO_TERM: Term = Term::from_index(0);

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    args: [Term; 3],
    sort: PackedSort,
    /// The level at which no rule changes this node (two bits), three bits of hash for each user, and the node's fact.
    mark: u32,
    /// The first three terms whose newest argument this is; zero if there is none.
    users: [u32; USERS],
}

/// Where the level, the users' tags and the fact lie in a node's mark.
const LEVEL_SHIFT: u32 = 30;
const TAG_SHIFTS: [u32; USERS] = [27, 24, 21];
const FACT_MASK: u32 = (1 << 21) - 1;

/// How many users a node lists.
const USERS: usize = 3;

/// A declared function's name and sorts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunDecl {
    /// The name, which no other function and no variable of the arena has.
    pub name: Box<str>,
    /// The sorts of its arguments.
    pub params: Box<[Sort]>,
    /// The sort of its result.
    pub result: Sort,
}

struct SymbolInfo {
    /// The name it has; it is not the one that was asked for if another sort had taken that.
    name: Box<str>,
    sort: PackedSort,
    term: Term,
}

/// An arena of terms. See the [module](self).
pub struct Terms {
    nodes: Vec<Node>,
    table: Table,
    symbols: Map<Symbol, SymbolInfo>,
    /// The symbols that were asked for under a name, one for each sort.
    symbols_by_name: HashMap<Box<str>, Vec<Symbol>, FxBuildHasher>,
    /// Every name in use, and the variable if it is one's.
    names: HashMap<Box<str>, Option<Term>, FxBuildHasher>,
    funs: Map<Fun, FunDecl>,
    fun_by_name: HashMap<Box<str>, Fun, FxBuildHasher>,
    arrays: Map<ArraySort, (Sort, Sort)>,
    array_ids: HashMap<(Sort, Sort), ArraySort, FxBuildHasher>,
    bvs: Map<Big, Bv>,
    bv_ids: HashMap<Bv, Big, FxBuildHasher>,
    ints: Map<Big, BigInt>,
    int_ids: HashMap<BigInt, Big, FxBuildHasher>,
    lists: Map<ArgList, Box<[Term]>>,
    list_ids: HashMap<Box<[Term]>, ArgList, FxBuildHasher>,
    pub(crate) facts: FactTable,
    pub(crate) cases: CaseTable,
    pub(crate) guards: Guards,
    level: Level,
    /// How many rules are being applied inside one another, and how many more this outermost term may use.
    pub(crate) nesting: u32,
    pub(crate) fuel: u32,
    next_fresh: u32,
    /// The variables that were made by [`Terms::fresh`].
    fresh: HashSet<Term, FxBuildHasher>,
    /// How often each rule was applied, if that is counted.
    rules_applied: Option<BTreeMap<&'static str, u64>>,
}

impl Terms {
    /// An empty arena that rewrites everything it can.
    pub fn new() -> Terms {
        Terms::with_level(Level::Full)
    }

    /// An empty arena that rewrites at this level.
    pub fn with_level(level: Level) -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            table: Table::new(),
            symbols: Map::new(),
            symbols_by_name: HashMap::default(),
            names: HashMap::default(),
            funs: Map::new(),
            fun_by_name: HashMap::default(),
            arrays: Map::new(),
            array_ids: HashMap::default(),
            bvs: Map::new(),
            bv_ids: HashMap::default(),
            ints: Map::new(),
            int_ids: HashMap::default(),
            lists: Map::new(),
            list_ids: HashMap::default(),
            facts: FactTable::new(),
            cases: CaseTable::default(),
            guards: Guards::new(),
            level,
            nesting: 0,
            fuel: 0,
            next_fresh: 0,
            fresh: HashSet::default(),
            rules_applied: None,
        };
        let truth = terms.leaf(Op::True, Sort::Bool);
        let falsity = terms.leaf(Op::False, Sort::Bool);
        assert!(
            truth == NO_TERM && falsity.index() == 1,
            "true and false are the first terms"
        );
        terms
    }

    /// Counts from now on how often each rule is applied.
    pub fn count_rules(&mut self) {
        self.rules_applied.get_or_insert_default();
    }

    /// How often each rule was applied, by its name, if that was counted.
    pub fn rules_applied(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = self.rules_applied.iter().flatten();
        counts.map(|(&name, &count)| (name, count))
    }

    pub(crate) fn note_rule(&mut self, name: &'static str) {
        if let Some(counts) = &mut self.rules_applied {
            *counts.entry(name).or_default() += 1;
        }
    }

    /// The level at which terms are rewritten as they are made.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Changes the level for the terms to come. Those that exist stay; [`crate::rewrite::simplify`] makes them anew.
    pub fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// Makes room for this many more terms.
    pub fn reserve(&mut self, additional: usize) {
        self.nodes.reserve_exact(additional);
        self.table.reserve(additional);
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: true and false always exist.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The bytes that nodes and their table take, with unused room.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.table.bytes()
    }

    /// The operator.
    #[inline]
    pub fn op(&self, t: Term) -> Op {
        self.nodes[t.index()].op
    }

    /// The sort.
    #[inline]
    pub fn sort(&self, t: Term) -> Sort {
        self.nodes[t.index()].sort.unpack()
    }

    /// The arguments, in order.
    #[inline]
    pub fn args(&self, t: Term) -> &[Term] {
        let node = &self.nodes[t.index()];
        match node.op.arity() {
            Some(arity) => &node.args[..arity],
            None => &self.lists[ArgList::from_index(node.args[0].index())],
        }
    }

    /// The arguments in place, unused ones filled with `true`; for operators of fixed arity.
    #[inline]
    pub(crate) fn raw_args(&self, t: Term) -> [Term; 3] {
        self.nodes[t.index()].args
    }

    /// The width of a bit-vector term. Panics for other sorts.
    #[inline]
    pub fn width(&self, t: Term) -> u32 {
        match self.sort(t) {
            Sort::BitVec(width) => width,
            other => panic!("{t} is no bit-vector but {other:?}"),
        }
    }

    /// The format of a floating-point term. Panics for other sorts.
    pub fn float_sort(&self, t: Term) -> FloatSort {
        match self.sort(t) {
            Sort::Float(float) => float,
            other => panic!("{t} is no float but {other:?}"),
        }
    }

    /// Whether this is a constant of any sort but arrays.
    #[inline]
    pub fn is_const(&self, t: Term) -> bool {
        self.op(t).is_const()
    }

    /// The value of a Boolean constant.
    #[inline]
    pub fn as_bool(&self, t: Term) -> Option<bool> {
        match self.op(t) {
            Op::True => Some(true),
            Op::False => Some(false),
            _ => None,
        }
    }

    /// The value of a bit-vector constant.
    #[inline]
    pub fn as_bv(&self, t: Term) -> Option<Bv> {
        let node = &self.nodes[t.index()];
        let Op::BvConst(bits) = node.op else {
            return None;
        };
        let Sort::BitVec(width) = node.sort.unpack() else {
            unreachable!("{t} is a bit-vector constant")
        };
        Some(self.bits_value(bits, width))
    }

    /// The value of a bit-vector constant of at most 64 bits.
    #[inline]
    pub fn as_u64(&self, t: Term) -> Option<u64> {
        let node = &self.nodes[t.index()];
        match (node.op, node.sort.unpack()) {
            (Op::BvConst(bits), Sort::BitVec(width)) if width <= 64 => Some(bits.word()),
            _ => None,
        }
    }

    /// The IEEE image of a floating-point constant.
    pub fn as_float_bits(&self, t: Term) -> Option<Bv> {
        let Op::FloatConst(bits) = self.op(t) else {
            return None;
        };
        Some(self.bits_value(bits, self.float_sort(t).width()))
    }

    /// The value of an integer constant.
    pub fn as_int(&self, t: Term) -> Option<&BigInt> {
        match self.op(t) {
            Op::IntConst(id) => Some(&self.ints[id]),
            _ => None,
        }
    }

    fn bits_value(&self, bits: Bits, width: u32) -> Bv {
        match width {
            1..=64 => Bv::from_u64(bits.word(), width),
            _ => self.bvs[Big::from_index(bits.low as usize)].clone(),
        }
    }

    pub(crate) fn intern_bits(&mut self, value: Bv) -> Bits {
        if value.width() <= 64 {
            return Bits::new(value.low_u64());
        }
        let id = match self.bv_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = self.bvs.push(value.clone());
                self.bv_ids.insert(value, id);
                id
            }
        };
        Bits {
            low: id.index() as u32,
            high: 0,
        }
    }

    pub(crate) fn intern_int(&mut self, value: BigInt) -> Big {
        if let Some(&id) = self.int_ids.get(&value) {
            return id;
        }
        let id = self.ints.push(value.clone());
        self.int_ids.insert(value, id);
        id
    }

    fn intern_list(&mut self, args: &[Term]) -> ArgList {
        if let Some(&id) = self.list_ids.get(args) {
            return id;
        }
        let id = self.lists.push(args.into());
        self.list_ids.insert(args.into(), id);
        id
    }

    /// The variable of this name and sort; always the same term for the same two. If the name was taken by another sort
    /// or a function, the variable is called `name!1`, `name!2` …, so that names stay unique.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        let packed = sort.pack();
        if let Some(known) = self.symbols_by_name.get(name) {
            if let Some(&symbol) = known
                .iter()
                .find(|&&symbol| self.symbols[symbol].sort == packed)
            {
                return self.symbols[symbol].term;
            }
        }
        let unique = self.unique_name(name);
        let symbol = self.symbols.next_id();
        let term = self.leaf(Op::Var(symbol), sort);
        self.names.insert(unique.clone(), Some(term));
        self.symbols.push(SymbolInfo {
            name: unique,
            sort: packed,
            term,
        });
        self.symbols_by_name
            .entry(name.into())
            .or_default()
            .push(symbol);
        term
    }

    /// A variable that nobody has had since [`Terms::begin_again`], called `prefix!n`.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.next_fresh);
            self.next_fresh += 1;
            match self.names.get(name.as_str()) {
                None => {
                    let made = self.var(&name, sort);
                    self.fresh.insert(made);
                    return made;
                }
                Some(&Some(known)) if self.fresh.contains(&known) && self.sort(known) == sort => {
                    return known;
                }
                Some(_) => {}
            }
        }
    }

    /// Fresh variables are counted anew, and are those that there were: whoever makes the same terms once more finds them, and
    /// all that is known of them. Nobody may use terms from before with those to come.
    pub fn begin_again(&mut self) {
        self.next_fresh = 0;
    }

    /// The variable of this name, whatever its sort.
    pub fn find_var(&self, name: &str) -> Option<Term> {
        self.names.get(name).copied().flatten()
    }

    /// The name of a variable's symbol.
    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol].name
    }

    /// The name of a variable; `None` for other terms.
    pub fn var_name(&self, t: Term) -> Option<&str> {
        match self.op(t) {
            Op::Var(symbol) => Some(self.symbol_name(symbol)),
            _ => None,
        }
    }

    /// Declares an uninterpreted function. The same name and sorts give the same function; if the name was taken
    /// otherwise, the function is called `name!1`, `name!2` ….
    pub fn declare_fun(&mut self, name: &str, params: &[Sort], result: Sort) -> Fun {
        assert!(
            !params.is_empty(),
            "the function {name} without parameters is a variable"
        );
        if let Some(&fun) = self.fun_by_name.get(name) {
            if *self.funs[fun].params == *params && self.funs[fun].result == result {
                return fun;
            }
        }
        let unique = self.unique_name(name);
        self.names.insert(unique.clone(), None);
        let fun = self.funs.push(FunDecl {
            name: unique,
            params: params.into(),
            result,
        });
        self.fun_by_name.insert(name.into(), fun);
        fun
    }

    /// A declared function's name and sorts.
    pub fn fun(&self, fun: Fun) -> &FunDecl {
        &self.funs[fun]
    }

    /// A function applied to arguments of its parameters' sorts.
    pub fn apply(&mut self, fun: Fun, args: &[Term]) -> Term {
        let decl = &self.funs[fun];
        let fits = decl.params.len() == args.len()
            && decl
                .params
                .iter()
                .zip(args)
                .all(|(&sort, &arg)| self.sort(arg) == sort);
        assert!(
            fits,
            "{} is applied to arguments of other sorts: {args:?}",
            decl.name
        );
        let sort = decl.result;
        let list = self.intern_list(args);
        let draft = Draft {
            op: Op::Apply(fun),
            sort,
            args: [Term::from_index(list.index()), NO_TERM, NO_TERM],
        };
        self.insert(draft, Level::Full)
    }

    fn unique_name(&self, name: &str) -> Box<str> {
        // Neither character can be written in an SMT-LIB symbol.
        let clean = name.replace(['|', '\\'], "_");
        let mut unique = clean.clone();
        let mut number = 0;
        while self.names.contains_key(unique.as_str()) {
            number += 1;
            unique = format!("{clean}!{number}");
        }
        unique.into()
    }

    /// The array sort from `index` to `element`.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        if let Some(&id) = self.array_ids.get(&(index, element)) {
            return Sort::Array(id);
        }
        let id = self.arrays.push((index, element));
        self.array_ids.insert((index, element), id);
        Sort::Array(id)
    }

    /// The index and element sorts of an array sort. Panics for other sorts.
    pub fn array_parts(&self, sort: Sort) -> (Sort, Sort) {
        match sort {
            Sort::Array(id) => self.arrays[id],
            other => panic!("{other:?} is no array sort"),
        }
    }

    /// Finds or adds a node as it stands. `normal` is the level at which no rule would change it.
    #[inline]
    pub(crate) fn insert(&mut self, draft: Draft, normal: Level) -> Term {
        match self.find(&draft) {
            Some(t) => {
                self.raise_level(t, normal);
                t
            }
            None => self.push(draft, normal),
        }
    }

    /// The node equal to `draft`, if it exists.
    #[inline]
    pub(crate) fn find(&self, draft: &Draft) -> Option<Term> {
        let packed = draft.sort.pack();
        let hash = hash_parts(draft.op, packed, &draft.args);
        let same = |id: u32| {
            let node = &self.nodes[id as usize];
            node.args == draft.args && node.op == draft.op && node.sort == packed
        };
        if let Some(newest) = newest(draft) {
            let node = &self.nodes[newest.index()];
            for (user, shift) in node.users.into_iter().zip(TAG_SHIFTS) {
                if user == 0 {
                    return None;
                }
                if node.mark >> shift & 7 == hash >> 29 && same(user) {
                    return Some(Term::from_index(user as usize));
                }
            }
        }
        self.table
            .find(hash, same)
            .map(|id| Term::from_index(id as usize))
    }

    /// Adds a node that does not exist.
    pub(crate) fn push(&mut self, draft: Draft, normal: Level) -> Term {
        let fact = self.fact_of(&draft);
        let fact = self.facts.intern(fact);
        let t = Term::from_index(self.nodes.len());
        let sort = draft.sort.pack();
        let mark = (normal as u32) << LEVEL_SHIFT | fact;
        let node = Node {
            op: draft.op,
            args: draft.args,
            sort,
            mark,
            users: [0; USERS],
        };
        if self.nodes.len() == self.nodes.capacity() {
            // A quarter more each time keeps a node with its share of unused room below 64 bytes.
            self.nodes.reserve_exact((self.nodes.len() / 4).max(1024));
        }
        self.nodes.push(node);
        let hash = hash_parts(draft.op, sort, &draft.args);
        if let Some(newest) = newest(&draft) {
            let node = &mut self.nodes[newest.index()];
            if let Some(free) = node.users.iter().position(|&user| user == 0) {
                node.users[free] = t.index() as u32;
                node.mark |= (hash >> 29) << TAG_SHIFTS[free];
                return t;
            }
        }
        self.table.insert(hash, t.index() as u32);
        t
    }

    #[inline]
    fn leaf(&mut self, op: Op, sort: Sort) -> Term {
        self.insert(
            Draft {
                op,
                sort,
                args: [NO_TERM; 3],
            },
            Level::Full,
        )
    }

    /// A term without arguments.
    #[inline]
    pub(crate) fn make_leaf(&mut self, op: Op, sort: Sort) -> Term {
        self.leaf(op, sort)
    }

    /// The level at which no rule changes this node.
    #[inline]
    pub(crate) fn normal_level(&self, t: Term) -> Level {
        Level::ALL[(self.nodes[t.index()].mark >> LEVEL_SHIFT) as usize]
    }

    /// Notes that no rule up to this level changes the node.
    pub(crate) fn raise_level(&mut self, t: Term, level: Level) {
        if self.normal_level(t) < level {
            let mark = &mut self.nodes[t.index()].mark;
            *mark = (level as u32) << LEVEL_SHIFT | *mark & !(3 << LEVEL_SHIFT);
        }
    }

    /// The number of the node's fact; zero if nothing is known.
    #[inline]
    pub(crate) fn fact_id(&self, t: Term) -> u32 {
        self.nodes[t.index()].mark & FACT_MASK
    }

    /// The node as if it were to be made again.
    #[inline]
    pub(crate) fn draft(&self, t: Term) -> Draft {
        let node = &self.nodes[t.index()];
        Draft {
            op: node.op,
            sort: node.sort.unpack(),
            args: node.args,
        }
    }
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

/// The newest argument; none for leaves, and for applications, whose arguments are a list.
#[inline]
fn newest(draft: &Draft) -> Option<Term> {
    let arity = draft.op.arity()?;
    draft.args[..arity].iter().copied().max()
}

/// A hash whose every bit depends on everything, by two wide multiplications.
#[inline]
fn hash_parts(op: Op, sort: PackedSort, args: &[Term; 3]) -> u32 {
    let mut words = OpWords::default();
    op.hash(&mut words);
    let [a, b, c] = args.map(|arg| arg.index() as u64);
    let first = fold(
        a << 32 ^ b ^ 0x9e37_79b9_7f4a_7c15,
        c << 32 ^ u64::from(sort.word()) ^ 0xc2b2_ae3d_27d4_eb4f,
    );
    (fold(first ^ words.low, words.high ^ 0x1656_67b1_9e37_79f9) >> 32) as u32
}

/// Both halves of the product.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Collects what an operator hashes, its kind and at most two words, without loss.
#[derive(Default)]
struct OpWords {
    low: u64,
    high: u64,
}

impl Hasher for OpWords {
    fn finish(&self) -> u64 {
        self.low ^ self.high
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.low = self.low.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[inline]
    fn write_isize(&mut self, kind: isize) {
        self.high = self.high << 32 ^ kind as u64;
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.low = self.low << 32 ^ u64::from(word);
    }
}
