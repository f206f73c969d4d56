//! The SMT-LIB printer.
//!
//! A term that occurs more than once gets a name, and so does every fiftieth level of a deep one, since other tools read
//! recursively. In scripts the name is a `define-fun` without parameters, in a single term a `let`:
//!
//! ```text
//!   (define-fun $t7 () (_ BitVec 8) (bvmul x y))
//!   (assert (= (bvadd $t7 #x01) (bvnot $t7)))
//! ```
//!
//! SMT-LIB has no function from floats to their IEEE images. A script declares a bit-vector for each image that is used
//! and asserts what it is; a single term says `fp.to_ieee_bv`, as some solvers do. Where SMT-LIB leaves a result open, our
//! terms have a guard, and a script says `div`; a single term says `div.total`, so that it is read back as it was.

use std::collections::HashMap;
use std::fmt::Write;

use base::Bv;
use rustc_hash::FxBuildHasher;

use crate::arena::{Term, Terms};
use crate::op::{Fun, Op};
use crate::smt::head;
use crate::softfloat;
use crate::sort::Sort;
use crate::value::Value;
use crate::visit::TermSet;

/// Terms nested deeper than this inside one definition get a name.
const DEEPEST: u32 = 50;

impl Terms {
    /// The term as SMT-LIB text, with a `let` for whatever occurs more than once.
    pub fn to_smt(&self, t: Term) -> String {
        let mut writer = Writer {
            style: Style::Let,
            ..Writer::new()
        };
        let mut out = String::new();
        let names = writer.define(self, &[t], &mut out);
        writer.write(self, t, &mut out);
        out.extend(std::iter::repeat_n(')', names));
        out
    }

    /// The sort as SMT-LIB text.
    pub fn sort_to_smt(&self, sort: Sort) -> String {
        match sort {
            Sort::Bool => "Bool".into(),
            Sort::Int => "Int".into(),
            Sort::BitVec(width) => format!("(_ BitVec {width})"),
            Sort::Float(float) => format!("(_ FloatingPoint {} {})", float.exp, float.sig),
            Sort::Array(_) => {
                let (index, element) = self.array_parts(sort);
                format!(
                    "(Array {} {})",
                    self.sort_to_smt(index),
                    self.sort_to_smt(element)
                )
            }
        }
    }

    /// A value as SMT-LIB text; `sort` is the value's.
    pub fn value_to_smt(&self, value: &Value, sort: Sort) -> String {
        match value {
            Value::Bool(value) => value.to_string(),
            Value::Bv(value) => bv_to_smt(value),
            Value::Int(value) if value.sign() == num_bigint::Sign::Minus => {
                format!("(- {})", value.magnitude())
            }
            Value::Int(value) => value.to_string(),
            Value::Float(float, bits) => float_to_smt(bits, *float),
            Value::Array(array) => {
                let (index_sort, element) = self.array_parts(sort);
                let default = self.value_to_smt(array.default(), element);
                let mut text = format!("((as const {}) {default})", self.sort_to_smt(sort));
                for (index, value) in array.entries() {
                    let index = self.value_to_smt(index, index_sort);
                    text = format!(
                        "(store {text} {index} {})",
                        self.value_to_smt(value, element)
                    );
                }
                text
            }
        }
    }
}

/// A symbol as SMT-LIB text, quoted if it has to be.
pub fn symbol_to_smt(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let reserved = [
        "let", "forall", "exists", "match", "par", "as", "_", "!", "true", "false",
    ];
    let digit_first = name.starts_with(|c: char| c.is_ascii_digit());
    if name.is_empty() || digit_first || !name.chars().all(simple) || reserved.contains(&name) {
        format!("|{name}|")
    } else {
        name.to_string()
    }
}

fn bv_to_smt(value: &Bv) -> String {
    if value.width() % 4 == 0 {
        format!(
            "#x{:0>len$}",
            value.to_hex(),
            len = value.width() as usize / 4
        )
    } else {
        format!("#b{}", value.to_bin())
    }
}

fn float_to_smt(bits: &Bv, sort: crate::sort::FloatSort) -> String {
    if softfloat::is_nan(bits, sort) {
        return format!("(_ NaN {} {})", sort.exp, sort.sig);
    }
    let (exponent, fraction) = (
        bits.extract(sort.width() - 2, sort.sig - 1),
        bits.trunc(sort.sig - 1),
    );
    format!(
        "(fp #b{} #b{} #b{})",
        u8::from(bits.is_negative()),
        exponent.to_bin(),
        fraction.to_bin()
    )
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Definitions are commands of a script.
    Script,
    /// Definitions are lets around one term.
    Let,
}

/// Writes a script piece by piece, and remembers what has been declared and named.
pub struct Writer {
    style: Style,
    names: HashMap<Term, Box<str>, FxBuildHasher>,
    declared_funs: HashMap<Fun, (), FxBuildHasher>,
    declared_vars: HashMap<Term, (), FxBuildHasher>,
    /// What was added since each `push`.
    scopes: Vec<Vec<Entry>>,
}

enum Entry {
    Name(Term),
    Var(Term),
    Fun(Fun),
}

impl Default for Writer {
    fn default() -> Self {
        Writer::new()
    }
}

impl Writer {
    /// A writer that has written nothing.
    pub fn new() -> Writer {
        Writer {
            style: Style::Script,
            names: HashMap::default(),
            declared_funs: HashMap::default(),
            declared_vars: HashMap::default(),
            scopes: Vec::new(),
        }
    }

    /// A whole script: logic, declarations, definitions, assertions and `check-sat`.
    pub fn script(terms: &Terms, logic: &str, assertions: &[Term]) -> String {
        let mut writer = Writer::new();
        let mut out = format!("(set-logic {logic})\n");
        writer.define(terms, assertions, &mut out);
        for &assertion in assertions {
            out.push_str("(assert ");
            writer.write(terms, assertion, &mut out);
            out.push_str(")\n");
        }
        out.push_str("(check-sat)\n");
        out
    }

    /// Notes a `(push 1)`: what is declared from now on is forgotten at the matching [`pop`](Writer::pop).
    pub fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Notes a `(pop 1)`.
    pub fn pop(&mut self) {
        for entry in self.scopes.pop().expect("a pop has a push") {
            match entry {
                Entry::Name(t) => drop(self.names.remove(&t)),
                Entry::Var(t) => drop(self.declared_vars.remove(&t)),
                Entry::Fun(fun) => drop(self.declared_funs.remove(&fun)),
            }
        }
    }

    fn note(&mut self, entry: Entry) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(entry);
        }
    }

    /// Writes declarations and definitions for all that the roots need and that has not been written yet: one command
    /// per line. Returns how many names were given.
    pub fn define(&mut self, terms: &Terms, roots: &[Term], out: &mut String) -> usize {
        let order = self.pending(terms, roots);
        let many = self.occur_often(terms, roots, &order);
        // How deep a term's text is, down to the nearest names.
        let mut depths: HashMap<Term, u32, FxBuildHasher> = HashMap::default();
        let before = self.names.len();
        for &t in &order {
            match terms.op(t) {
                Op::Var(_) => self.declare_var(terms, t, out),
                Op::Apply(fun) => self.declare_fun(terms, fun, out),
                _ => {}
            }
            let args = terms.args(t);
            if args.is_empty() {
                continue;
            }
            let below = args
                .iter()
                .map(|arg| depths.get(arg).copied().unwrap_or(0))
                .max()
                .unwrap_or(0);
            let is_image = terms.op(t) == Op::FpToBits && self.style == Style::Script;
            if many.contains(t) || below >= DEEPEST || is_image {
                self.name(terms, t, out);
            } else {
                depths.insert(t, below + 1);
            }
        }
        self.names.len() - before
    }

    /// What the roots reach without passing a name, arguments first.
    fn pending(&self, terms: &Terms, roots: &[Term]) -> Vec<Term> {
        let mut set = TermSet::new(terms);
        let mut stack: Vec<Term> = Vec::new();
        stack.extend(
            roots
                .iter()
                .copied()
                .filter(|t| !self.names.contains_key(t) && set.insert(*t)),
        );
        while let Some(t) = stack.pop() {
            let args = terms.args(t).iter().copied();
            stack.extend(args.filter(|t| !self.names.contains_key(t) && set.insert(*t)));
        }
        set.iter().collect()
    }

    /// The terms with more than one occurrence in the pending ones and the roots.
    fn occur_often(&self, terms: &Terms, roots: &[Term], order: &[Term]) -> TermSet {
        let (mut once, mut often) = (TermSet::new(terms), TermSet::new(terms));
        let occurrences = order.iter().flat_map(|&t| terms.args(t)).chain(roots);
        for &t in occurrences {
            if !once.insert(t) {
                often.insert(t);
            }
        }
        often
    }

    fn declare_var(&mut self, terms: &Terms, t: Term, out: &mut String) {
        if self.style == Style::Script && self.declared_vars.insert(t, ()).is_none() {
            self.note(Entry::Var(t));
            let name = symbol_to_smt(terms.var_name(t).expect("a variable"));
            let _ = writeln!(
                out,
                "(declare-const {name} {})",
                terms.sort_to_smt(terms.sort(t))
            );
        }
    }

    fn declare_fun(&mut self, terms: &Terms, fun: Fun, out: &mut String) {
        if self.style == Style::Script && self.declared_funs.insert(fun, ()).is_none() {
            self.note(Entry::Fun(fun));
            let decl = terms.fun(fun);
            let params: Vec<String> = decl
                .params
                .iter()
                .map(|&sort| terms.sort_to_smt(sort))
                .collect();
            let (name, params) = (symbol_to_smt(&decl.name), params.join(" "));
            let _ = writeln!(
                out,
                "(declare-fun {name} ({params}) {})",
                terms.sort_to_smt(decl.result)
            );
        }
    }

    /// Defines a name for `t`.
    fn name(&mut self, terms: &Terms, t: Term, out: &mut String) {
        let mut name = format!("${t}");
        while terms.find_var(&name).is_some() {
            name.push('$');
        }
        let sort = terms.sort_to_smt(terms.sort(t));
        match (self.style, terms.op(t)) {
            (Style::Let, _) => {
                let _ = write!(out, "(let (({name} ");
                self.write_body(terms, t, out);
                out.push_str(")) ");
            }
            (Style::Script, Op::FpToBits) => {
                let float = terms.float_sort(terms.args(t)[0]);
                let mut of = String::new();
                self.write(terms, terms.args(t)[0], &mut of);
                let nan = bv_to_smt(&softfloat::nan(float));
                let _ = writeln!(out, "(declare-const {name} {sort})");
                let _ = writeln!(
                    out,
                    "(assert (= ((_ to_fp {} {}) {name}) {of}))",
                    float.exp, float.sig
                );
                let _ = writeln!(out, "(assert (or (not (fp.isNaN {of})) (= {name} {nan})))");
            }
            (Style::Script, _) => {
                let _ = write!(out, "(define-fun {name} () {sort} ");
                self.write_body(terms, t, out);
                out.push_str(")\n");
            }
        }
        self.names.insert(t, name.into());
        self.note(Entry::Name(t));
    }

    /// Writes a term that [`define`](Writer::define) has prepared, using the names.
    pub fn write(&self, terms: &Terms, t: Term, out: &mut String) {
        match self.names.get(&t) {
            Some(name) => out.push_str(name),
            None => self.write_body(terms, t, out),
        }
    }

    /// Writes a term with its own operator, even if it has a name.
    fn write_body(&self, terms: &Terms, t: Term, out: &mut String) {
        if self.write_leaf(terms, t, out) {
            return;
        }
        // Each entry is a term and how many of its arguments have been written.
        let mut stack = vec![(t, 0)];
        self.write_head(terms, t, out);
        while let Some((t, written)) = stack.last_mut() {
            let Some(&arg) = terms.args(*t).get(*written) else {
                out.push(')');
                stack.pop();
                continue;
            };
            *written += 1;
            out.push(' ');
            if let Some(name) = self.names.get(&arg) {
                out.push_str(name);
            } else if !self.write_leaf(terms, arg, out) {
                self.write_head(terms, arg, out);
                stack.push((arg, 0));
            }
        }
    }

    /// Writes a term without arguments; returns whether it was one.
    fn write_leaf(&self, terms: &Terms, t: Term, out: &mut String) -> bool {
        match terms.op(t) {
            Op::Var(symbol) => out.push_str(&symbol_to_smt(terms.symbol_name(symbol))),
            _ => match terms.const_value(t) {
                Some(value) => out.push_str(&terms.value_to_smt(&value, terms.sort(t))),
                None => return false,
            },
        }
        true
    }

    /// Writes the opening parenthesis and the operator.
    fn write_head(&self, terms: &Terms, t: Term, out: &mut String) {
        let divides_by_constant = || {
            terms
                .as_int(terms.args(t)[1])
                .is_some_and(|divisor| *divisor != num_bigint::BigInt::ZERO)
        };
        let guarded = match terms.op(t) {
            Op::IntDiv | Op::IntMod => !divides_by_constant(),
            _ => true,
        };
        let total = self.style == Style::Let && guarded;
        out.push('(');
        head::write(terms, t, if total { ".total" } else { "" }, out);
    }
}
