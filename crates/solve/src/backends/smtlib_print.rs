//! Terms as SMT-LIB text, one definition per term.
//!
//! Every term with arguments gets a name by its id, `$42`, and one `define-fun` in terms of its arguments' names, so
//! sharing and depth cost nothing. Variables keep their names, if these are ordinary.

use std::fmt::Write;

use base::Bv;
use terms::{FloatSort, Fun, Op, Rounding, Sort, Term, Terms};

use crate::translate::quiet_nan;

/// How a sort is written.
pub(super) fn sort_text(terms: &Terms, sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        Sort::Float(FloatSort { exp, sig }) => format!("(_ FloatingPoint {exp} {sig})"),
        Sort::Array(_) => {
            // Arrays of arrays nest as deep as the sort is written, so this recursion is short.
            let (index, element) = terms.array_parts(sort);
            format!(
                "(Array {} {})",
                sort_text(terms, index),
                sort_text(terms, element)
            )
        }
    }
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
pub(super) fn name(terms: &Terms, t: Term) -> String {
    match terms.op(t) {
        Op::True => "true".to_owned(),
        Op::False => "false".to_owned(),
        Op::Var(symbol) => symbol_text(terms.symbol_name(symbol), format!("$v{}", t.index())),
        Op::BvConst(_) => bv_text(
            &terms
                .as_bv(t)
                .expect("the operator is a bit-vector constant"),
        ),
        Op::IntConst(_) => {
            let value = terms
                .as_int(t)
                .expect("the operator is an integer constant")
                .to_string();
            match value.strip_prefix('-') {
                Some(digits) => format!("(- {digits})"),
                None => value,
            }
        }
        Op::FloatConst(_) => {
            let image = terms
                .as_float_bits(t)
                .expect("the operator is a float constant");
            float_text(terms.float_sort(t), &image)
        }
        _ => format!("${}", t.index()),
    }
}

fn float_text(format: FloatSort, image: &Bv) -> String {
    let width = format.width();
    let sign = image.extract(width - 1, width - 1);
    let exponent = image.extract(width - 2, format.sig - 1);
    let fraction = image.extract(format.sig - 2, 0);
    format!(
        "(fp {} {} {})",
        bv_text(&sign),
        bv_text(&exponent),
        bv_text(&fraction)
    )
}

/// The commands that introduce a term whose arguments have been introduced.
pub(super) fn define(terms: &Terms, t: Term, out: &mut String) {
    let sort = terms.sort(t);
    match terms.op(t) {
        Op::True | Op::False | Op::BvConst(_) | Op::IntConst(_) | Op::FloatConst(_) => {}
        Op::Var(_) => put(
            out,
            format_args!(
                "(declare-fun {} () {})\n",
                name(terms, t),
                sort_text(terms, sort)
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
                    sort_text(terms, sort)
                ),
            );
        }
    }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a string does not fail");
}

/// The declaration of the function that a term applies.
pub(super) fn declare_function(terms: &Terms, fun: Fun, out: &mut String) {
    let decl = terms.fun(fun);
    let params: Vec<_> = decl
        .params
        .iter()
        .map(|&sort| sort_text(terms, sort))
        .collect();
    let result = sort_text(terms, decl.result);
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
    let quiet = bv_text(&quiet_nan(format));
    let back = format!("((_ to_fp {} {}) {image})", format.exp, format.sig);
    put(
        out,
        format_args!("(assert (ite (fp.isNaN {x}) (= {image} {quiet}) (= {back} {x})))\n"),
    );
}

fn rounding_text(rounding: Rounding) -> &'static str {
    rounding.name()
}

/// A term in terms of its arguments' names.
fn body(terms: &Terms, t: Term) -> String {
    let names: Vec<String> = terms
        .args(t)
        .iter()
        .map(|&argument| name(terms, argument))
        .collect();
    let plain = |operator: &str| format!("({operator} {})", names.join(" "));
    let rounded = |operator: &str, mode: Rounding| {
        format!("({operator} {} {})", rounding_text(mode), names.join(" "))
    };
    let sort = terms.sort(t);
    let width = sort.bv_width().unwrap_or(0);
    let argument_width = || terms.sort(terms.args(t)[0]).bv_width().unwrap_or(0);
    let format = || match sort {
        Sort::Float(FloatSort { exp, sig }) => format!("(_ to_fp {exp} {sig})"),
        Sort::Bool | Sort::Int | Sort::BitVec(_) | Sort::Array(_) => String::new(),
    };
    match terms.op(t) {
        Op::True
        | Op::False
        | Op::BvConst(_)
        | Op::FloatConst(_)
        | Op::IntConst(_)
        | Op::Var(_)
        | Op::FpToBits => name(terms, t),
        Op::Not => plain("not"),
        Op::And => plain("and"),
        Op::Or => plain("or"),
        Op::Xor => plain("xor"),
        Op::Eq => plain("="),
        Op::Ite => plain("ite"),
        Op::BvNot => plain("bvnot"),
        Op::BvAnd => plain("bvand"),
        Op::BvOr => plain("bvor"),
        Op::BvXor => plain("bvxor"),
        Op::Neg => plain("bvneg"),
        Op::Add => plain("bvadd"),
        Op::Sub => plain("bvsub"),
        Op::Mul => plain("bvmul"),
        Op::Udiv => plain("bvudiv"),
        Op::Urem => plain("bvurem"),
        Op::Sdiv => plain("bvsdiv"),
        Op::Srem => plain("bvsrem"),
        Op::Shl => plain("bvshl"),
        Op::Lshr => plain("bvlshr"),
        Op::Ashr => plain("bvashr"),
        Op::Ult => plain("bvult"),
        Op::Ule => plain("bvule"),
        Op::Slt => plain("bvslt"),
        Op::Sle => plain("bvsle"),
        Op::Concat => plain("concat"),
        Op::Extract { hi, lo } => plain(&format!("(_ extract {hi} {lo})")),
        Op::Zext => plain(&format!("(_ zero_extend {})", width - argument_width())),
        Op::Sext => plain(&format!("(_ sign_extend {})", width - argument_width())),
        // The overflow predicates are younger than most programs, so they are spelt out.
        Op::Uaddo => format!("(bvult (bvadd {} {}) {})", names[0], names[1], names[0]),
        Op::Saddo => signed_overflow("bvadd", argument_width(), &names),
        Op::Ssubo => signed_overflow("bvsub", argument_width(), &names),
        Op::Umulo => {
            let width = argument_width();
            let wide = |x: &str| format!("((_ zero_extend {width}) {x})");
            let high = format!("((_ extract {} {width})", 2 * width - 1);
            let product = format!("(bvmul {} {})", wide(&names[0]), wide(&names[1]));
            format!("(not (= {high} {product}) {}))", bv_text(&Bv::zero(width)))
        }
        Op::Smulo => {
            let width = argument_width();
            let wide = |x: &str| format!("((_ sign_extend {width}) {x})");
            let product = format!("(bvmul {} {})", wide(&names[0]), wide(&names[1]));
            let low = format!("(bvmul {} {})", names[0], names[1]);
            format!("(not (= {product} {}))", wide(&low))
        }
        Op::IntNeg => plain("-"),
        Op::IntAdd => plain("+"),
        Op::IntSub => plain("-"),
        Op::IntMul => plain("*"),
        Op::IntDiv => plain("div"),
        Op::IntMod => plain("mod"),
        Op::IntLe => plain("<="),
        Op::IntLt => plain("<"),
        Op::BvToNat => plain("bv2nat"),
        Op::IntToBv => plain(&format!("(_ int2bv {width})")),
        Op::Select => plain("select"),
        Op::Store => plain("store"),
        Op::ConstArray => plain(&format!("(as const {})", sort_text(terms, sort))),
        Op::Apply(fun) => plain(&function_text(terms, fun)),
        Op::FpFromBits => plain(&format()),
        Op::FpNeg => plain("fp.neg"),
        Op::FpAbs => plain("fp.abs"),
        Op::FpAdd(mode) => rounded("fp.add", mode),
        Op::FpSub(mode) => rounded("fp.sub", mode),
        Op::FpMul(mode) => rounded("fp.mul", mode),
        Op::FpDiv(mode) => rounded("fp.div", mode),
        Op::FpFma(mode) => rounded("fp.fma", mode),
        Op::FpSqrt(mode) => rounded("fp.sqrt", mode),
        Op::FpRem => plain("fp.rem"),
        Op::FpRound(mode) => rounded("fp.roundToIntegral", mode),
        Op::FpLt => plain("fp.lt"),
        Op::FpLe => plain("fp.leq"),
        Op::FpEq => plain("fp.eq"),
        Op::FpIsNan => plain("fp.isNaN"),
        Op::FpIsInf => plain("fp.isInfinite"),
        Op::FpIsZero => plain("fp.isZero"),
        Op::FpIsNormal => plain("fp.isNormal"),
        Op::FpIsSubnormal => plain("fp.isSubnormal"),
        Op::FpIsNegative => plain("fp.isNegative"),
        Op::FpToFp(mode) | Op::FpFromSbv(mode) => rounded(&format(), mode),
        Op::FpFromUbv(mode) => rounded(&format().replace("to_fp", "to_fp_unsigned"), mode),
        Op::FpToSbv(mode) => rounded(&format!("(_ fp.to_sbv {width})"), mode),
        Op::FpToUbv(mode) => rounded(&format!("(_ fp.to_ubv {width})"), mode),
    }
}

/// A sum or difference, one bit wider, whose two top bits differ.
fn signed_overflow(operator: &str, width: u32, names: &[String]) -> String {
    let wide = |x: &str| format!("((_ sign_extend 1) {x})");
    let result = format!("({operator} {} {})", wide(&names[0]), wide(&names[1]));
    let bit = |index: u32| format!("((_ extract {index} {index}) {result})");
    format!("(not (= {} {}))", bit(width), bit(width - 1))
}
