//! Z3's terms, read back as ours.
//!
//! Only what Spacer's invariants are made of: Boolean structure, linear arithmetic, bit-vectors and arrays. Anything else
//! is an error, never a guess; what is read is checked by a solver before it is used.

use std::collections::HashMap;

use terms::{Sort, Term, Terms};

use crate::backends::ffi_z3::{Ast, AstKind, DeclKind, Fallible, Session, SortShape};
use crate::model::{bv_from, int_from};

/// Reads a formula whose bound variables stand for `parameters` by position.
pub(super) fn read(
    session: &mut Session,
    terms: &mut Terms,
    root: Ast,
    parameters: &[Term],
) -> Fallible<Term> {
    let mut done: HashMap<Ast, Term> = HashMap::new();
    let mut work = vec![root];
    while let Some(&ast) = work.last() {
        if done.contains_key(&ast) {
            work.pop();
            continue;
        }
        let t = match session.ast_kind(ast) {
            AstKind::Numeral => read_numeral(session, terms, ast)?,
            AstKind::Var => {
                let index = session.bound_index(ast)?;
                *parameters
                    .get(index as usize)
                    .ok_or_else(|| format!("no parameter has the number {index}"))?
            }
            AstKind::App => {
                let (kind, decl, arguments) = session.application(ast)?;
                let before = work.len();
                work.extend(
                    arguments
                        .iter()
                        .copied()
                        .filter(|argument| !done.contains_key(argument)),
                );
                if work.len() > before {
                    continue;
                }
                let arguments: Vec<Term> =
                    arguments.iter().map(|argument| done[argument]).collect();
                let head = Head {
                    kind,
                    ast,
                    decl_parameters: parameters_of(session, kind, decl)?,
                };
                read_application(session, terms, &head, &arguments)?
            }
            AstKind::Quantifier | AstKind::Sort | AstKind::FuncDecl | AstKind::Unknown => {
                return Err(format!("not readable: {}", excerpt(session, ast)));
            }
        };
        done.insert(ast, t);
        work.pop();
    }
    Ok(done[&root])
}

/// The operator of an application.
struct Head {
    kind: DeclKind,
    ast: Ast,
    decl_parameters: [u32; 2],
}

/// The integer parameters of the operators that have some.
fn parameters_of(
    session: &Session,
    kind: DeclKind,
    decl: crate::backends::ffi_z3::Decl,
) -> Fallible<[u32; 2]> {
    Ok(match kind {
        DeclKind::Extract => [
            session.int_parameter(decl, 0)?,
            session.int_parameter(decl, 1)?,
        ],
        DeclKind::SignExt | DeclKind::ZeroExt | DeclKind::Repeat | DeclKind::Bit2bool => {
            [session.int_parameter(decl, 0)?, 0]
        }
        _ => [0, 0],
    })
}

fn excerpt(session: &Session, ast: Ast) -> String {
    session.print(ast).chars().take(120).collect()
}

fn sort_of(terms: &mut Terms, shape: &SortShape) -> Sort {
    match shape {
        SortShape::Bool => Sort::Bool,
        SortShape::Int => Sort::Int,
        SortShape::Bv(width) => Sort::BitVec(*width),
        SortShape::Array(parts) => {
            let (index, element) = (sort_of(terms, &parts.0), sort_of(terms, &parts.1));
            terms.array_sort(index, element)
        }
    }
}

fn read_numeral(session: &Session, terms: &mut Terms, ast: Ast) -> Fallible<Term> {
    let digits = session.digits(ast)?;
    match session.shape(ast)? {
        SortShape::Int => Ok(terms.int(int_from(&digits)?)),
        SortShape::Bv(width) => Ok(terms.bv(bv_from(&digits, 10, width)?)),
        SortShape::Bool | SortShape::Array(_) => Err(format!("a number of another sort: {digits}")),
    }
}

/// Folds an operator that Z3 takes as associative; there is at least one argument.
fn fold(terms: &mut Terms, arguments: &[Term], make: fn(&mut Terms, Term, Term) -> Term) -> Term {
    arguments[1..]
        .iter()
        .fold(arguments[0], |left, &right| make(terms, left, right))
}

fn read_application(
    session: &Session,
    terms: &mut Terms,
    head: &Head,
    arguments: &[Term],
) -> Fallible<Term> {
    let fits = |count: usize| arguments.len() == count;
    let [first, second] = head.decl_parameters;
    Ok(match head.kind {
        DeclKind::True => terms.tru(),
        DeclKind::False => terms.fls(),
        DeclKind::And => terms.and_all(arguments),
        DeclKind::Or => terms.or_all(arguments),
        DeclKind::Not if fits(1) => terms.not(arguments[0]),
        DeclKind::Implies if fits(2) => terms.implies(arguments[0], arguments[1]),
        DeclKind::Eq | DeclKind::Iff if fits(2) => terms.eq(arguments[0], arguments[1]),
        DeclKind::Xor if fits(2) => terms.xor(arguments[0], arguments[1]),
        DeclKind::Distinct => terms.distinct(arguments),
        DeclKind::Ite if fits(3) => terms.ite(arguments[0], arguments[1], arguments[2]),
        DeclKind::Le if fits(2) => terms.ile(arguments[0], arguments[1]),
        DeclKind::Ge if fits(2) => terms.ige(arguments[0], arguments[1]),
        DeclKind::Lt if fits(2) => terms.ilt(arguments[0], arguments[1]),
        DeclKind::Gt if fits(2) => terms.igt(arguments[0], arguments[1]),
        DeclKind::Add => fold(terms, arguments, Terms::iadd),
        DeclKind::Sub => fold(terms, arguments, Terms::isub),
        DeclKind::Mul => fold(terms, arguments, Terms::imul),
        DeclKind::Uminus if fits(1) => terms.ineg(arguments[0]),
        DeclKind::Idiv if fits(2) => terms.idiv(arguments[0], arguments[1]),
        DeclKind::Mod if fits(2) => terms.imod(arguments[0], arguments[1]),
        DeclKind::Select if fits(2) => terms.select(arguments[0], arguments[1]),
        DeclKind::Store if fits(3) => terms.store(arguments[0], arguments[1], arguments[2]),
        DeclKind::ConstArray if fits(1) => {
            let shape = session.shape(head.ast)?;
            let sort = sort_of(terms, &shape);
            terms.const_array(sort, arguments[0])
        }
        DeclKind::Bneg if fits(1) => terms.neg(arguments[0]),
        DeclKind::Bnot if fits(1) => terms.bvnot(arguments[0]),
        DeclKind::Badd => fold(terms, arguments, Terms::add),
        DeclKind::Bsub => fold(terms, arguments, Terms::sub),
        DeclKind::Bmul => fold(terms, arguments, Terms::mul),
        DeclKind::Band => fold(terms, arguments, Terms::bvand),
        DeclKind::Bor => fold(terms, arguments, Terms::bvor),
        DeclKind::Bxor => fold(terms, arguments, Terms::bvxor),
        DeclKind::Concat => fold(terms, arguments, Terms::concat),
        DeclKind::Budiv | DeclKind::BudivI if fits(2) => terms.udiv(arguments[0], arguments[1]),
        DeclKind::Burem | DeclKind::BuremI if fits(2) => terms.urem(arguments[0], arguments[1]),
        DeclKind::Bsdiv | DeclKind::BsdivI if fits(2) => terms.sdiv(arguments[0], arguments[1]),
        DeclKind::Bsrem | DeclKind::BsremI if fits(2) => terms.srem(arguments[0], arguments[1]),
        DeclKind::Bsmod | DeclKind::BsmodI if fits(2) => terms.smod(arguments[0], arguments[1]),
        DeclKind::Bshl if fits(2) => terms.shl(arguments[0], arguments[1]),
        DeclKind::Blshr if fits(2) => terms.lshr(arguments[0], arguments[1]),
        DeclKind::Bashr if fits(2) => terms.ashr(arguments[0], arguments[1]),
        DeclKind::Uleq if fits(2) => terms.ule(arguments[0], arguments[1]),
        DeclKind::Ugeq if fits(2) => terms.uge(arguments[0], arguments[1]),
        DeclKind::Ult if fits(2) => terms.ult(arguments[0], arguments[1]),
        DeclKind::Ugt if fits(2) => terms.ugt(arguments[0], arguments[1]),
        DeclKind::Sleq if fits(2) => terms.sle(arguments[0], arguments[1]),
        DeclKind::Sgeq if fits(2) => terms.sge(arguments[0], arguments[1]),
        DeclKind::Slt if fits(2) => terms.slt(arguments[0], arguments[1]),
        DeclKind::Sgt if fits(2) => terms.sgt(arguments[0], arguments[1]),
        DeclKind::Extract if fits(1) => terms.extract(arguments[0], first, second),
        DeclKind::ZeroExt if fits(1) => {
            let width = terms.width(arguments[0]) + first;
            terms.zext(arguments[0], width)
        }
        DeclKind::SignExt if fits(1) => {
            let width = terms.width(arguments[0]) + first;
            terms.sext(arguments[0], width)
        }
        DeclKind::Bit2bool if fits(1) => terms.bit(arguments[0], first),
        DeclKind::Bv2int if fits(1) => terms.bv2nat(arguments[0]),
        DeclKind::Int2bv if fits(1) => match session.shape(head.ast)? {
            SortShape::Bv(width) => terms.int2bv(arguments[0], width),
            other => return Err(format!("int2bv of sort {other:?}")),
        },
        _ => return Err(format!("not readable: {}", excerpt(session, head.ast))),
    })
}
