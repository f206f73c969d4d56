//! Terms as SMT-LIB text for other programs, one definition per term.
//!
//! Every term with arguments gets a name by its id, `$42`, and one `define-fun` in terms of its arguments' names, so
//! sharing and depth cost nothing. Variables keep their names, if these are ordinary.
//! What is younger than most programs is spelt out.

use base::Bv;

use crate::arena::{Term, Terms};
use crate::op::{Fun, Op};
use crate::smt::head;
use crate::softfloat;
use crate::value::Model;
use crate::visit::TermSet;

/// A whole script: definitions, assertions and `check-sat`. Any program that reads SMT-LIB can be asked.
pub fn script(terms: &Terms, assertions: &[Term]) -> String {
    let mut out = "(set-logic ALL)\n".to_owned();
    let mut functions: Vec<Fun> = Vec::new();
    for t in reached(terms, assertions) {
        if let Op::Apply(fun) = terms.op(t)
            && !functions.contains(&fun)
        {
            functions.push(fun);
            declare_function(terms, fun, &mut out);
        }
        define(terms, t, &mut out);
    }
    for &assertion in assertions {
        out.push_str(&format!("(assert {})\n", name(terms, assertion)));
    }
    out.push_str("(check-sat)\n");
    out
}

/// What a model says of the variables of these assertions, a definition each.
pub fn model(terms: &Terms, model: &Model, assertions: &[Term]) -> String {
    let mut out = String::new();
    for t in reached(terms, assertions) {
        if let (Op::Var(_), Some(value)) = (terms.op(t), model.get(t)) {
            let (sort, value) = (terms.sort(t), terms.value_to_smt(value, terms.sort(t)));
            let sort = terms.sort_to_smt(sort);
            out.push_str(&format!(
                "(define-fun {} () {sort} {value})\n",
                name(terms, t)
            ));
        }
    }
    out
}

/// All that the roots reach, arguments first.
fn reached(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    let mut set = TermSet::new(terms);
    let mut stack: Vec<Term> = roots.iter().copied().filter(|&t| set.insert(t)).collect();
    while let Some(t) = stack.pop() {
        stack.extend(terms.args(t).iter().copied().filter(|&t| set.insert(t)));
    }
    set.iter().collect()
}

/// A symbol under its own name where every program takes it, otherwise under `spare`, which no such name equals.
fn symbol_text(name: &str, spare: String) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!%^&*_-+=<>.?/ ".contains(c);
    let fine =
        name.chars().all(plain) && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    // Bars keep reserved words apart, and name the same symbol.
    if fine { format!("|{name}|") } else { spare }
}

fn function_text(terms: &Terms, fun: Fun) -> String {
    symbol_text(&terms.fun(fun).name, format!("$f{}", fun.index()))
}

fn bv_text(value: &Bv) -> String {
    format!("#b{}", value.to_bin())
}

/// How an occurrence of a term is written.
pub fn name(terms: &Terms, t: Term) -> String {
    match terms.op(t) {
        Op::Var(symbol) => symbol_text(terms.symbol_name(symbol), format!("$v{}", t.index())),
        _ => match terms.const_value(t) {
            Some(value) => terms.value_to_smt(&value, terms.sort(t)),
            None => format!("${}", t.index()),
        },
    }
}

/// The commands that introduce a term whose arguments have been introduced.
pub fn define(terms: &Terms, t: Term, out: &mut String) {
    let sort = terms.sort(t);
    match terms.op(t) {
        Op::True | Op::False | Op::BvConst(_) | Op::IntConst(_) | Op::FloatConst(_) => {}
        Op::Var(_) => put(
            out,
            format_args!(
                "(declare-fun {} () {})\n",
                name(terms, t),
                terms.sort_to_smt(sort)
            ),
        ),
        Op::FpToBits => define_image(terms, t, out),
        _ => {
            let body = body(terms, t);
            put(
                out,
                format_args!(
                    "(define-fun ${} () {} {body})\n",
                    t.index(),
                    terms.sort_to_smt(sort)
                ),
            );
        }
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    std::fmt::Write::write_fmt(out, text).expect("writing to a string does not fail");
}

/// The declaration of the function that a term applies.
pub fn declare_function(terms: &Terms, fun: Fun, out: &mut String) {
    let decl = terms.fun(fun);
    let params: Vec<_> = decl
        .params
        .iter()
        .map(|&sort| terms.sort_to_smt(sort))
        .collect();
    let result = terms.sort_to_smt(decl.result);
    put(
        out,
        format_args!(
            "(declare-fun {} ({}) {result})\n",
            function_text(terms, fun),
            params.join(" ")
        ),
    );
}

/// SMT-LIB cannot name the image of a float: a symbol stands for it, and an assertion says what it is.
fn define_image(terms: &Terms, t: Term, out: &mut String) {
    let x = terms.args(t)[0];
    let format = terms.float_sort(x);
    let (image, x) = (format!("${}", t.index()), name(terms, x));
    put(
        out,
        format_args!("(declare-fun {image} () (_ BitVec {}))\n", format.width()),
    );
    let quiet = bv_text(&softfloat::nan(format));
    let back = format!("((_ to_fp {} {}) {image})", format.exp, format.sig);
    put(
        out,
        format_args!("(assert (ite (fp.isNaN {x}) (= {image} {quiet}) (= {back} {x})))\n"),
    );
}

/// A term in terms of its arguments' names.
fn body(terms: &Terms, t: Term) -> String {
    let names: Vec<String> = terms
        .args(t)
        .iter()
        .map(|&argument| name(terms, argument))
        .collect();
    let width = || terms.width(terms.args(t)[0]);
    match terms.op(t) {
        // The overflow predicates are younger than most programs, so they are spelt out.
        Op::Uaddo => format!("(bvult (bvadd {} {}) {})", names[0], names[1], names[0]),
        Op::Saddo => signed_overflow("bvadd", width(), &names),
        Op::Ssubo => signed_overflow("bvsub", width(), &names),
        Op::Umulo => {
            let width = width();
            let wide = |x: &str| format!("((_ zero_extend {width}) {x})");
            let high = format!("((_ extract {} {width})", 2 * width - 1);
            let product = format!("(bvmul {} {})", wide(&names[0]), wide(&names[1]));
            format!("(not (= {high} {product}) {}))", bv_text(&Bv::zero(width)))
        }
        Op::Smulo => {
            let width = width();
            let wide = |x: &str| format!("((_ sign_extend {width}) {x})");
            let product = format!("(bvmul {} {})", wide(&names[0]), wide(&names[1]));
            let low = format!("(bvmul {} {})", names[0], names[1]);
            format!("(not (= {product} {}))", wide(&low))
        }
        Op::Apply(fun) => format!("({} {})", function_text(terms, fun), names.join(" ")),
        _ => {
            let mut out = "(".to_owned();
            head::write(terms, t, "", &mut out);
            format!("{out} {})", names.join(" "))
        }
    }
}

/// A sum or difference, one bit wider, whose two top bits differ.
fn signed_overflow(operator: &str, width: u32, names: &[String]) -> String {
    let wide = |x: &str| format!("((_ sign_extend 1) {x})");
    let result = format!("({operator} {} {})", wide(&names[0]), wide(&names[1]));
    let bit = |index: u32| format!("((_ extract {index} {index}) {result})");
    format!("(not (= {} {}))", bit(width), bit(width - 1))
}
