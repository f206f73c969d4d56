//! The rules of the theory of memory, as rows with examples.
//!
//! A rule turns an expression into an equal one. Those of [`Rule::READ`] take reads away, those of [`Rule::WRITE`] group
//! writes in store maps. The names in brackets are SEAM's.
//!
//! ```text
//!   read(write(a, i, v), j)        v                      if i = j                                [ROW-HIT]
//!                                  read(a, j)             if no byte is in both                   [ROW-SKIP]
//!                                  ite(i = j, v, read(a, j))                                      [ROW]
//!   read(memset(a, p, n, b), i)    likewise, with p ≤ i < p + n; and memcpy reads its source at q + (i - p)
//!   read(map(a, β, m), β + o)      m[o]                   if o is in m                            [R-HIT]
//!                                  read(a, β + o)         if it is not                            [R-MISS]
//!   read(map(a, β, m), i)          read(a, i)             if i is not in β                        [R-SKIP]
//!                                  read(write(…, β + o, m[o]), i)   for every o that i may meet   [R-ABORT]
//!   read(ite(c, a, b), i)          ite(c, read(a, i), read(b, i))          and likewise for pointers
//!   write(write(a, β + o, v), β + p, w)      map(a, β, {o ↦ v, p ↦ w})                            [SMAP-NEW]
//!   write(map(a, β, m), β + o, v)            map(a, β, m[o ↦ v])                                  [SMAP-HIT]
//!   write(write(a, i, w), j, v)              write(write(a, j, v), i, w)    if j's object is older   [WOW-COMMUTE]
//!   write(map(a, β, m), j, v)                map(write(a, j, v), β, m)      if j's object is older   [WOSMAP-COMMUTE]
//! ```
//!
//! Where the widths of a write and of a read differ, or one may meet only a part of the other, the read is made byte by
//! byte; a byte that is met is met as a whole.
//!
//! To add a rule, add a row. The tests walk the rows: each `applies` example must change by that very rule, no `ignores`
//! example may, and what it becomes has the same value as before in concrete memories, for all values of the variables
//! at a small width, or many where they are many. Examples are written as [`super::text`] says.

use super::ranges::Extent;
use super::{Expr, Kind, Scalars, Theory};
use crate::arena::Term;
use crate::rewrite::Status;

/// The most constants that an offset may be for a read to be made at each of them.
const CASES: usize = 16;

/// A rule of the theory of memory.
pub struct Rule<S: Scalars> {
    /// The name, which no other rule has.
    pub name: &'static str,
    /// Expressions that it changes.
    pub applies: &'static [&'static str],
    /// Expressions that it must leave alone.
    pub ignores: &'static [&'static str],
    /// The rewriting: an equal expression and what is to be done with it, or nothing.
    pub apply: Apply<S>,
}

/// What a rule does.
pub type Apply<S> = fn(&mut Theory<'_, S>, Expr) -> Option<(Expr, Status)>;

impl<S: Scalars> Rule<S> {
    /// What groups writes: to one object in a store map, and behind those to older objects.
    pub const WRITE: [Rule<S>; 4] = [
        Rule {
            name: "smap_new",
            applies: &[
                "(write (write m (ptr 1 #x2) 1 u) (ptr 1 #x3) 1 v)",
                "(write (write m (ptr 1 #x2) 1 u) (ptr 1 #x2) 1 v)",
                "(write (write m (ptr 1 #x2) 2 uv) (ptr 1 #x3) 1 v)",
            ],
            ignores: &[
                "(write (write m (ptr 1 #x2) 1 u) (ptr 2 #x3) 1 v)",
                "(write (write m (ptr 1 x) 1 u) (ptr 1 #x3) 1 v)",
                "(write (write m (ptr 1 #x2) 1 u) (ptr 1 x) 1 v)",
                "(write (write m (ite c (ptr 1 #x2) (ptr 1 #x1)) 1 u) (ptr 1 #x3) 1 v)",
            ],
            apply: super::write::smap_new,
        },
        Rule {
            name: "smap_hit",
            applies: &[
                "(write (store-map m 1 (#x2 1 u)) (ptr 1 #x3) 1 v)",
                "(write (store-map m 1 (#x2 1 u)) (ptr 1 #x2) 1 v)",
            ],
            ignores: &[
                "(write (store-map m 1 (#x2 1 u)) (ptr 2 #x3) 1 v)",
                "(write (store-map m 1 (#x2 1 u)) (ptr 1 x) 1 v)",
            ],
            apply: super::write::smap_hit,
        },
        Rule {
            name: "wow_commute",
            applies: &[
                "(write (write m (ptr 2 #x2) 1 u) (ptr 1 #x2) 1 v)",
                "(write (write m (ptr 2 x) 1 u) (ptr 1 #x2) 2 uv)",
            ],
            ignores: &[
                "(write (write m (ptr 1 #x2) 1 u) (ptr 2 #x2) 1 v)",
                "(write (write m (ptr 2 #x2) 1 u) (ptr 2 #x2) 1 v)",
                "(write (write m (ite c (ptr 2 #x2) (ptr 3 #x2)) 1 u) (ptr 1 #x2) 1 v)",
                "(write (write m (ptr 2 #x2) 1 u) (ite c (ptr 1 #x2) (ptr 1 #x3)) 1 v)",
                "(write (memset m (ptr 2 #x0) y u) (ptr 1 #x2) 1 v)",
                "(write (memcpy m (ptr 2 #x0) m (ptr 1 x) y) (ptr 1 #x2) 1 v)",
                "(write (ite c m k) (ptr 1 #x2) 1 v)",
            ],
            apply: super::write::wow_commute,
        },
        Rule {
            name: "wosmap_commute",
            applies: &["(write (store-map m 2 (#x2 1 u)) (ptr 1 #x2) 1 v)"],
            ignores: &[
                "(write (store-map m 1 (#x2 1 u)) (ptr 2 #x2) 1 v)",
                "(write (store-map m 2 (#x2 1 u)) (ite c (ptr 1 #x2) (ptr 2 #x2)) 1 v)",
            ],
            apply: super::write::wosmap_commute,
        },
    ];

    /// What takes reads away, in the order in which it is tried.
    pub const READ: [Rule<S>; 15] = [
        // All ites and joins that are made have reads or scalars in them.
        Rule {
            name: "ite_scalars",
            applies: &["(ite c u v)"],
            ignores: &["(ite c (read m (ptr 1 x) 1) v)"],
            apply: ite_scalars,
        },
        Rule {
            name: "join_scalars",
            applies: &["(join u v)"],
            ignores: &["(join u (read m (ptr 1 x) 1))"],
            apply: join_scalars,
        },
        // [ROW-SKIP, R-SKIP] and those of ranges: by bases and by what offsets may be.
        Rule {
            name: "skip",
            applies: &[
                "(read (write m (ptr 1 x) 1 u) (ptr 2 y) 1)",
                "(read (write m (ptr 1 #x2) 1 u) (ptr 1 #x1) 1)",
                "(read (write m (ite c (ptr 1 x) (ptr 2 #x0)) 1 u) (ite d (ptr 2 #x1) (ptr 3 y)) 1)",
                "(read (memset m (ptr 2 x) y u) (ptr 1 x) 2)",
                "(read (memcpy m (ptr 2 x) k (ptr 1 x) y) (ptr 1 z) 1)",
                "(read (store-map m 2 (#x0 1 u)) (ptr 1 x) 1)",
                "(read (memset m (ptr 1 x) #x0 u) (ptr 2 x) 2)",
            ],
            ignores: &[
                "(read (write m (ptr 1 x) 1 u) (ptr 1 y) 1)",
                "(read (write m (ptr 1 #x1) 2 uv) (ptr 1 #x2) 1)",
                "(read (write m (ite c (ptr 1 x) (ptr 2 x)) 1 u) (ptr 2 y) 1)",
                "(read (store-map m 2 (#x0 1 u)) (ite c (ptr 1 x) (ptr 2 x)) 1)",
            ],
            apply: skip,
        },
        Rule {
            name: "read_ite_pointer",
            applies: &["(read (write m (ptr 1 x) 1 u) (ite c (ptr 1 y) (ptr 2 y)) 1)"],
            ignores: &["(read (write m (ite c (ptr 1 x) (ptr 2 y)) 1 u) (ptr 1 y) 1)"],
            apply: read_ite_pointer,
        },
        Rule {
            name: "read_ite_memory",
            applies: &["(read (ite c m k) (ptr 1 y) 2)"],
            ignores: &["(read m (ptr 1 y) 2)"],
            apply: read_ite_memory,
        },
        Rule {
            name: "read_init",
            applies: &["(read m (ptr 1 y) 2)"],
            ignores: &["(read (write m (ptr 1 x) 2 uv) (ptr 1 y) 2)"],
            apply: read_init,
        },
        // [ROW-HIT]
        Rule {
            name: "row_hit",
            applies: &[
                "(read (write m (ptr 1 x) 2 uv) (ptr 1 x) 2)",
                "(read (write m (ptr 1 x) 2 uv) (ptr 1 (bvadd x #x1)) 1)",
                "(read (write m (ite c (ptr 1 x) (ptr 1 x)) 1 u) (ptr 1 x) 1)",
            ],
            ignores: &[
                "(read (write m (ptr 1 x) 1 u) (ptr 1 y) 1)",
                "(read (write m (ptr 1 x) 1 u) (ptr 1 x) 2)",
                "(read (write m (ite c (ptr 1 x) (ptr 2 x)) 1 u) (ptr 1 x) 1)",
            ],
            apply: row_hit,
        },
        // [ROW] and, where the terms tell, [ROW-SKIP]
        Rule {
            name: "row",
            applies: &[
                "(read (write m (ptr 1 x) 1 u) (ptr 1 y) 1)",
                "(read (write m (ptr 1 (concat i #b0)) 2 uv) (ptr 1 (concat j #b0)) 2)",
                "(read (write m (ite c (ptr 1 x) (ptr 2 x)) 1 u) (ptr 1 x) 1)",
                "(read (write m (ptr 1 (bvadd x #x4)) 2 uv) (ptr 1 x) 2)",
                "(read (write m (ptr 1 x) 2 uv) (ptr 1 y) 1)",
                "(read (write m (ite c (ptr 1 x) (ptr 2 x)) 2 uv) (ptr 1 (bvadd x #x1)) 1)",
            ],
            ignores: &[
                "(read (write m (ptr 1 x) 2 uv) (ptr 1 y) 2)",
                "(read (write m (ptr 1 x) 1 u) (ptr 1 y) 2)",
            ],
            apply: row,
        },
        Rule {
            name: "set",
            applies: &[
                "(read (memset m (ptr 1 x) y u) (ptr 1 z) 1)",
                "(read (memset m (ptr 1 #x0) #x4 u) (ptr 1 #x1) 2)",
                "(read (memset m (ptr 1 (concat i #b0)) (concat j #b0) u) (ptr 1 #x2) 2)",
                "(read (memset m (ite c (ptr 1 x) (ptr 2 #x1)) y u) (ptr 1 z) 1)",
                "(read (memset m (ptr 1 x) #x0 u) (ptr 1 x) 2)",
            ],
            ignores: &["(read (memset m (ptr 1 x) y u) (ptr 1 z) 2)"],
            apply: set,
        },
        Rule {
            name: "copy",
            applies: &[
                "(read (memcpy m (ptr 1 x) k (ptr 2 z) y) (ptr 1 z) 1)",
                "(read (memcpy m (ptr 1 #x0) (write m (ptr 1 #x6) 1 u) (ptr 1 #x5) #x4) (ptr 1 #x1) 2)",
                "(read (memcpy m (ptr 1 (concat i #b0)) m (ptr 1 y) (concat j #b0)) (ptr 1 #x2) 2)",
                "(read (memcpy m (ite c (ptr 1 x) (ptr 2 #x1)) m (ite d (ptr 2 y) (ptr 1 y)) #x3) (ptr 1 z) 1)",
            ],
            ignores: &["(read (memcpy m (ptr 1 x) k (ptr 2 z) y) (ptr 1 z) 2)"],
            apply: copy,
        },
        // [R-HIT]
        Rule {
            name: "map_hit",
            applies: &[
                "(read (store-map m 1 (#x2 1 u) (#x0 1 v)) (ptr 1 #x0) 1)",
                "(read (store-map m 1 (#x2 1 u) (#x2 1 v)) (ptr 1 #x2) 1)",
                "(read (store-map m 1 (#x2 2 uv)) (ptr 1 #x3) 1)",
                "(read (store-map m 1 (#x3 1 u) (#x2 2 uv)) (ptr 1 #x2) 2)",
            ],
            ignores: &[
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 #x3) 1)",
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 #x1) 2)",
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 x) 1)",
            ],
            apply: map_hit,
        },
        // [R-MISS]
        Rule {
            name: "map_miss",
            applies: &[
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 #x3) 1)",
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 (concat #b11 t)) 1)",
            ],
            ignores: &[
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 #x2) 1)",
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 #x1) 2)",
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 x) 1)",
            ],
            apply: map_miss,
        },
        Rule {
            name: "map_cases",
            applies: &["(read (store-map m 1 (#x2 1 u)) (ptr 1 (ite c #x2 #x5)) 1)"],
            ignores: &["(read (store-map m 1 (#x2 1 u)) (ptr 1 x) 1)"],
            apply: map_cases,
        },
        // [R-ABORT]
        Rule {
            name: "map_peel",
            applies: &[
                "(read (store-map m 1 (#x2 1 u) (#x0 1 v)) (ptr 1 x) 1)",
                "(read (store-map m 1 (#x3 1 u) (#x2 2 uv) (#x0 2 vv)) (ptr 1 x) 2)",
                "(read (store-map m 1 (#x2 1 u) (#x0 1 v)) (ptr 1 (concat #b00 t)) 1)",
            ],
            ignores: &["(read (store-map m 1 (#x2 1 u)) (ptr 1 #x2) 1)"],
            apply: map_peel,
        },
        // Whatever is met in part only.
        Rule {
            name: "bytes",
            applies: &[
                "(read (write m (ptr 1 x) 2 uv) (ptr 1 y) 2)",
                "(read (write m (ptr 1 x) 1 u) (ptr 1 x) 2)",
                "(read (memset m (ptr 1 x) y u) (ptr 1 z) 2)",
                "(read (memcpy m (ptr 1 x) k (ptr 2 z) y) (ptr 1 z) 2)",
                "(read (store-map m 1 (#x2 1 u)) (ptr 1 #x1) 2)",
            ],
            ignores: &["(read (write m (ptr 1 x) 1 u) (ptr 1 y) 1)"],
            apply: bytes,
        },
    ];
}

fn ite_scalars<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let Kind::Ite(condition, [a, b]) = theory.kind(expr) else {
        return None;
    };
    let (Kind::Scalar(x), Kind::Scalar(y)) = (theory.kind(a), theory.kind(b)) else {
        return None;
    };
    let value = theory.scalars.choose(condition, x, y);
    Some((theory.exprs.make(Kind::Scalar(value)), Status::Done))
}

fn join_scalars<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let Kind::Join(parts) = theory.kind(expr) else {
        return None;
    };
    let parts = theory.exprs.parts(parts).iter();
    // Only bytes are ever joined by rules.
    let scalars: Option<Vec<(S::Scalar, u32)>> = parts
        .map(|&part| match theory.kind(part) {
            Kind::Scalar(value) => Some((value, 1)),
            _ => None, // Not known yet.
        })
        .collect();
    let value = theory.scalars.join(&scalars?);
    Some((theory.exprs.make(Kind::Scalar(value)), Status::Done))
}

/// A read: of which memory, where, how many bytes.
fn as_read<S: Scalars>(theory: &Theory<'_, S>, expr: Expr) -> Option<(Expr, Expr, u32)> {
    match theory.kind(expr) {
        Kind::Read { memory, at, width } => Some((memory, at, width)),
        _ => None, // Another kind of expression.
    }
}

/// A read at an offset of one object.
struct Plain<V> {
    memory: Kind<V>,
    at: Expr,
    base: u32,
    offset: Term,
    width: u32,
}

fn as_plain<S: Scalars>(theory: &Theory<'_, S>, expr: Expr) -> Option<Plain<S::Scalar>> {
    let (memory, at, width) = as_read(theory, expr)?;
    let Kind::Ptr(base, offset) = theory.kind(at) else {
        return None;
    };
    Some(Plain {
        memory: theory.kind(memory),
        at,
        base,
        offset,
        width,
    })
}

fn skip<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let (first, at, width) = as_read(theory, expr)?;
    let mine = (at, Extent::Bytes(width.into()));
    let mut memory = first;
    loop {
        let (below, apart) = match theory.kind(memory) {
            Kind::Write {
                memory: below,
                at: there,
                width,
                ..
            } => {
                let theirs = (there, Extent::Bytes(width.into()));
                (below, theory.apart(mine, theirs))
            }
            Kind::Set {
                memory: below,
                at: there,
                len,
                ..
            }
            | Kind::Copy {
                memory: below,
                at: there,
                len,
                ..
            } => (below, theory.apart(mine, (there, Extent::Term(len)))),
            Kind::Map {
                memory: below,
                base,
                ..
            } => (below, !theory.may_lead_into(at, base)),
            _ => break, // Nothing is past an initial memory, and a choice has two.
        };
        if !apart {
            break;
        }
        match theory.kind(memory) {
            Kind::Map { .. } => theory.exprs.counts.map_misses += 1,
            _ => theory.exprs.counts.skips += 1,
        }
        memory = below;
    }
    (memory != first).then(|| {
        (
            theory.exprs.make(Kind::Read { memory, at, width }),
            Status::Full,
        )
    })
}

fn read_ite_pointer<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let (memory, at, width) = as_read(theory, expr)?;
    let Kind::Ite(condition, [p, q]) = theory.kind(at) else {
        return None;
    };
    let [a, b] = [p, q].map(|at| theory.exprs.make(Kind::Read { memory, at, width }));
    Some((theory.ite(condition, a, b), Status::Full))
}

fn read_ite_memory<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let (memory, at, width) = as_read(theory, expr)?;
    let Kind::Ite(condition, sides) = theory.kind(memory) else {
        return None;
    };
    let [a, b] = sides.map(|memory| theory.exprs.make(Kind::Read { memory, at, width }));
    Some((theory.ite(condition, a, b), Status::Full))
}

fn read_init<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let read = as_plain(theory, expr)?;
    let Kind::Init(number) = read.memory else {
        return None;
    };
    let value = theory
        .scalars
        .initial(number, read.base, read.offset, read.width);
    Some((theory.exprs.make(Kind::Scalar(value)), Status::Done))
}

fn row_hit<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let read = as_plain(theory, expr)?;
    let Kind::Write {
        at, width, value, ..
    } = read.memory
    else {
        return None;
    };
    let (holds, there) = theory.within(at, read.base)?;
    let terms = theory.terms();
    let distance = terms.sub(read.offset, there);
    let from = terms.as_u64(distance)?;
    if terms.as_bool(holds) != Some(true)
        || from.saturating_add(read.width.into()) > u64::from(width)
    {
        return None;
    }
    theory.exprs.counts.hits += 1;
    let value = theory.part(value, width, from as u32, read.width);
    Some((theory.exprs.make(Kind::Scalar(value)), Status::Done))
}

fn row<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let read = as_plain(theory, expr)?;
    let Kind::Write {
        memory,
        at,
        width,
        value,
    } = read.memory
    else {
        return None;
    };
    let below = Kind::Read {
        memory,
        at: read.at,
        width: read.width,
    };
    let Some((holds, there)) = theory.within(at, read.base) else {
        theory.exprs.counts.skips += 1;
        return Some((theory.exprs.make(below), Status::Full));
    };
    let distance = theory.terms().sub(read.offset, there);
    let aligned = theory.are_multiples(read.offset, there, distance, width);
    let (met, value) = if width == read.width && aligned {
        (theory.terms().eq(read.offset, there), value)
    } else if let Some(from) = theory.terms().as_u64(distance)
        && from.saturating_add(read.width.into()) <= u64::from(width)
    {
        (
            theory.terms().tru(),
            theory.part(value, width, from as u32, read.width),
        )
    } else if theory.never_meet(distance, read.width, width) {
        (theory.terms().fls(), value)
    } else if read.width == 1 {
        let bits = theory.terms().width(distance);
        let bound = theory.terms().bv_u64(width.into(), bits);
        let met = theory.terms().ult(distance, bound);
        match theory.terms().as_bool(met) {
            Some(false) => (met, value),
            _ => (met, theory.scalars.byte(value, width, distance)),
        }
    } else {
        return None;
    };
    let value = theory.exprs.make(Kind::Scalar(value));
    Some(theory.met_or_below((holds, met), value, below))
}

fn set<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let read = as_plain(theory, expr)?;
    let Kind::Set {
        memory,
        at,
        len,
        byte,
    } = read.memory
    else {
        return None;
    };
    let below = Kind::Read {
        memory,
        at: read.at,
        width: read.width,
    };
    let (holds, met, _) = match theory.meets_range(&read, at, len)? {
        Some(found) => found,
        None => return Some((theory.exprs.make(below), Status::Full)),
    };
    let value = theory.scalars.filled(byte, read.width);
    let value = theory.exprs.make(Kind::Scalar(value));
    Some(theory.met_or_below((holds, met), value, below))
}

fn copy<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let read = as_plain(theory, expr)?;
    let Kind::Copy {
        memory,
        at,
        len,
        source,
        from,
    } = read.memory
    else {
        return None;
    };
    let below = Kind::Read {
        memory,
        at: read.at,
        width: read.width,
    };
    let (holds, met, distance) = match theory.meets_range(&read, at, len)? {
        Some(found) => found,
        None => return Some((theory.exprs.make(below), Status::Full)),
    };
    let there = theory.advance(from, distance);
    let value = theory.exprs.make(Kind::Read {
        memory: source,
        at: there,
        width: read.width,
    });
    Some(theory.met_or_below((holds, met), value, below))
}

fn map_hit<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let read = as_plain(theory, expr)?;
    let Kind::Map { base, list, .. } = read.memory else {
        return None;
    };
    let at = theory.terms().as_u64(read.offset)?;
    // What reaches around the end of the offsets is read byte by byte.
    if base != read.base || theory.reach(&read).is_none() {
        return None;
    }
    let (found, stale) = theory.exprs.lists.look_up(list, at, read.width);
    let found: Option<Vec<_>> = found.into_iter().collect();
    let found = found?;
    theory.exprs.counts.stale += u64::from(stale);
    theory.exprs.counts.map_hits += 1;
    let first = found[0];
    let from = at.wrapping_sub(first.offset) as u32;
    let value = if found.iter().all(|entry| *entry == first) {
        theory.part(first.value, first.width, from, read.width)
    } else {
        let mut parts = Vec::with_capacity(found.len());
        for (i, entry) in (0..).zip(&found) {
            let from = at.wrapping_add(i).wrapping_sub(entry.offset) as u32;
            parts.push((theory.part(entry.value, entry.width, from, 1), 1));
        }
        theory.scalars.join(&parts)
    };
    Some((theory.exprs.make(Kind::Scalar(value)), Status::Done))
}

fn map_miss<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let read = as_plain(theory, expr)?;
    let Kind::Map { memory, base, list } = read.memory else {
        return None;
    };
    if base == read.base {
        let (from, to) = theory.reach(&read)?;
        if theory.exprs.lists.any_in(list, from, to) {
            return None;
        }
    }
    theory.exprs.counts.map_misses += 1;
    let below = Kind::Read {
        memory,
        at: read.at,
        width: read.width,
    };
    Some((theory.exprs.make(below), Status::Full))
}

fn map_cases<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let (memory, _, width) = as_read(theory, expr)?;
    let read = as_plain(theory, expr)?;
    let Kind::Map { .. } = read.memory else {
        return None;
    };
    let mut cases = theory.terms().constant_cases(read.offset)?;
    if let Some(size) = theory.scalars.size(read.base) {
        // What is read outside does not matter.
        cases.retain(|(at, _)| at.checked_add(width.into()).is_some_and(|end| end <= size));
    }
    if cases.is_empty() || cases.len() > CASES {
        return None;
    }
    let bits = theory.terms().width(read.offset);
    let mut result = None;
    for (at, holds) in cases.into_iter().rev() {
        let offset = theory.terms().bv_u64(at, bits);
        let at = theory.exprs.ptr(read.base, offset);
        let here = theory.exprs.make(Kind::Read { memory, at, width });
        result = Some(match result {
            None => here,
            Some(others) => theory.ite(holds, here, others),
        });
    }
    Some((result?, Status::Full))
}

fn map_peel<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let read = as_plain(theory, expr)?;
    let Kind::Map { memory, base, list } = read.memory else {
        return None;
    };
    if theory.terms().as_u64(read.offset).is_some() {
        return None;
    }
    theory.exprs.counts.peeled += 1;
    let bits = theory.terms().width(read.offset);
    let (from, to) = theory.reach(&read).unwrap_or((0, u64::MAX));
    let mut below = memory;
    for (offset, width, entry) in theory.exprs.lists.runs(list, from, to) {
        // Entries that the read may meet in part were cut off at its ends: what is cut off it does not meet.
        let first = offset.wrapping_sub(entry.offset) as u32;
        let value = theory.part(entry.value, entry.width, first, width);
        let offset = theory.terms().bv_u64(offset, bits);
        let at = theory.exprs.ptr(base, offset);
        below = theory.exprs.make(Kind::Write {
            memory: below,
            at,
            width,
            value,
        });
    }
    let again = Kind::Read {
        memory: below,
        at: read.at,
        width: read.width,
    };
    Some((theory.exprs.make(again), Status::Full))
}

fn bytes<S: Scalars>(theory: &mut Theory<'_, S>, expr: Expr) -> Option<(Expr, Status)> {
    let (memory, at, width) = as_read(theory, expr)?;
    let Kind::Ptr(base, offset) = theory.kind(at) else {
        return None;
    };
    if width == 1 {
        return None;
    }
    let bits = theory.terms().width(offset);
    let mut parts = Vec::with_capacity(width as usize);
    for i in 0..width {
        let step = theory.terms().bv_u64(i.into(), bits);
        let offset = theory.terms().add(offset, step);
        let at = theory.exprs.ptr(base, offset);
        parts.push(theory.exprs.make(Kind::Read {
            memory,
            at,
            width: 1,
        }));
    }
    Some((theory.exprs.join(parts), Status::Full))
}

impl<S: Scalars> Theory<'_, S> {
    /// So many bytes of a scalar; all of them are the scalar itself.
    fn part(&mut self, value: S::Scalar, width: u32, from: u32, count: u32) -> S::Scalar {
        match count == width {
            true => value,
            false => self.scalars.part(value, width, from, count),
        }
    }

    /// May a pointer lead into an object?
    fn may_lead_into(&mut self, pointer: Expr, base: u32) -> bool {
        match self.kind(pointer) {
            Kind::Ptr(its, _) => its == base,
            _ if self.exprs.techniques.ranges => {
                let offsets = self.ranges(pointer).within(base);
                offsets != super::Interval::Bottom
            }
            _ => true,
        }
    }

    /// The offsets that a read may look at, from the first to the last; nothing if they are not known.
    fn reach(&mut self, read: &Plain<S::Scalar>) -> Option<(u64, u64)> {
        if let Some(at) = self.terms().as_u64(read.offset) {
            let bits = self.terms().width(read.offset);
            let end = u128::from(at) + u128::from(read.width) - 1;
            return (end >> bits == 0).then_some((at, end as u64));
        }
        if !self.exprs.techniques.ranges {
            return None;
        }
        match self.extent(read.at, Extent::Bytes(read.width.into()), read.base) {
            super::Interval::Range(low, high) => {
                Some((low as u64, high.min(u64::MAX.into()) as u64))
            }
            // Nothing: one byte that nobody has written is as good as any.
            super::Interval::Bottom | super::Interval::Top => None,
        }
    }

    /// Is the distance of two offsets certainly a multiple of so many bytes?
    fn are_multiples(&mut self, a: Term, b: Term, distance: Term, width: u32) -> bool {
        let terms = self.terms();
        let zeros = |t: Term| terms.trailing_zeros(t);
        width.is_power_of_two()
            && (zeros(distance) >= width.trailing_zeros()
                || zeros(a).min(zeros(b)) >= width.trailing_zeros())
    }

    /// Do a read and a write at this distance certainly not overlap?
    fn never_meet(&mut self, distance: Term, read: u32, written: u32) -> bool {
        // They overlap iff -read < distance < written, that is distance + read - 1 < written + read - 1.
        let terms = self.terms();
        let bits = terms.width(distance);
        if u64::from(read + written - 1) > u64::MAX >> (64 - bits.min(64)) {
            return false;
        }
        let shift = terms.bv_u64(u64::from(read) - 1, bits);
        let moved = terms.add(distance, shift);
        let bound = terms.bv_u64(u64::from(read + written) - 1, bits);
        let overlap = terms.ult(moved, bound);
        terms.as_bool(overlap) == Some(false)
    }

    /// When a read is in a range, whose pointer leads into its object if the first condition holds, and how far from its
    /// beginning; `Some(None)` if it is not, nothing if it may be in part.
    fn meets_range(
        &mut self,
        read: &Plain<S::Scalar>,
        at: Expr,
        len: Term,
    ) -> Option<Option<(Term, Term, Term)>> {
        let Some((holds, there)) = self.within(at, read.base) else {
            self.exprs.counts.skips += 1;
            return Some(None);
        };
        let width = read.width;
        let terms = self.terms();
        let distance = terms.sub(read.offset, there);
        let bits = terms.width(distance);
        let inside = terms.ult(distance, len);
        if width > 1 {
            let all = width.trailing_zeros();
            let aligned = |t: &Term| terms.trailing_zeros(*t) >= all;
            let whole = width.is_power_of_two() && [distance, len].iter().all(aligned);
            if !whole {
                // All of it is inside if its last byte is and they do not wrap around, and none if no byte is.
                let more = terms.bv_u64(u64::from(width) - 1, bits);
                let last = terms.add(distance, more);
                let ends = terms.ult(last, len);
                let forward = terms.ule(distance, last);
                let decided = [inside, ends, forward].map(|t| terms.as_bool(t));
                match decided {
                    [Some(true), Some(true), Some(true)] => {}
                    [Some(false), Some(false), Some(true)] => return Some(None),
                    _ => return None, // In part, or who knows.
                }
            }
        }
        Some(Some((holds, inside, distance)))
    }

    /// The value if both conditions hold, else what is below.
    fn met_or_below(
        &mut self,
        (holds, met): (Term, Term),
        value: Expr,
        below: Kind<S::Scalar>,
    ) -> (Expr, Status) {
        let met = self.terms().and(holds, met);
        let counts = &mut self.exprs.counts;
        match self.scalars.terms().as_bool(met) {
            Some(true) => counts.hits += 1,
            Some(false) => counts.skips += 1,
            None => counts.conditions += 1,
        }
        let below = self.exprs.make(below);
        (self.ite(met, value, below), Status::Full)
    }
}
