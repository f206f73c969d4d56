//! Values of terms, and models: what variables and functions are.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fmt;

use base::Bv;
use num_bigint::BigInt;
use rustc_hash::FxBuildHasher;

use crate::arena::{Term, Terms};
use crate::op::{Fun, Op};
use crate::sort::{FloatSort, Sort};

/// The value of a term. Two values are equal exactly when they denote the same thing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A bit-vector.
    Bv(Bv),
    /// An integer.
    Int(BigInt),
    /// A float, by its IEEE image; NaN has one image only, see [`Value::float`].
    Float(FloatSort, Bv),
    /// An array.
    Array(Box<ArrayValue>),
}

/// An array that is one value everywhere but at finitely many indices.
///
/// The representation is canonical: no entry holds the default, and where the index sort is so small that entries could
/// cover most of it, the default is the most frequent element (the least of them).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    default: Value,
    entries: BTreeMap<Value, Value>,
    /// How many indices there are, if they are fewer than 2^64.
    domain: Option<u64>,
}

impl ArrayValue {
    /// The array of this sort with these entries, and `default` elsewhere.
    pub fn new(
        terms: &Terms,
        sort: Sort,
        default: Value,
        entries: impl IntoIterator<Item = (Value, Value)>,
    ) -> ArrayValue {
        let (index, _) = terms.array_parts(sort);
        let mut array = ArrayValue {
            default,
            entries: BTreeMap::new(),
            domain: sort_size(index),
        };
        for (index, value) in entries {
            array.set(index, value);
        }
        array
    }

    /// The element at an index.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Changes the element at an index.
    pub fn set(&mut self, index: Value, value: Value) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
        if self
            .domain
            .is_some_and(|size| size <= 2 * self.entries.len() as u64)
        {
            self.choose_default();
        }
    }

    /// The element at all indices that have no entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The entries that differ from the default, by index.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// Makes the most frequent element the default. The index sort is small, so its values can be listed.
    fn choose_default(&mut self) {
        let size = self.domain.expect("only small index sorts get here");
        let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
        for value in self.entries.values() {
            *counts.entry(value).or_default() += 1;
        }
        let of_default = size - self.entries.len() as u64;
        let best = counts.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)));
        let Some((&best, &count)) = best else { return };
        if count < of_default || count == of_default && self.default < *best {
            return;
        }
        let best = best.clone();
        let missing: Vec<Value> = match self.entries.keys().next() {
            Some(key) => all_like(key, size)
                .filter(|index| !self.entries.contains_key(index))
                .collect(),
            None => return,
        };
        let old = std::mem::replace(&mut self.default, best);
        self.entries.retain(|_, value| *value != self.default);
        self.entries
            .extend(missing.into_iter().map(|index| (index, old.clone())));
    }
}

/// All values of the sort that `example` has, of which there are `size`.
fn all_like(example: &Value, size: u64) -> Box<dyn Iterator<Item = Value> + '_> {
    match example {
        Value::Bool(_) => Box::new([false, true].into_iter().map(Value::Bool)),
        Value::Bv(bv) => Box::new((0..size).map(|word| Value::Bv(Bv::from_u64(word, bv.width())))),
        Value::Float(sort, _) => {
            let images = (0..1u64 << sort.width()).map(|word| Bv::from_u64(word, sort.width()));
            let nan = crate::softfloat::nan(*sort);
            let one_nan =
                images.filter(move |bits| *bits == nan || !crate::softfloat::is_nan(bits, *sort));
            Box::new(one_nan.map(|bits| Value::Float(*sort, bits)))
        }
        Value::Int(_) | Value::Array(_) => unreachable!("these index sorts have no size"),
    }
}

/// How many values a sort has, if that is less than 2^64 and they can be listed.
fn sort_size(sort: Sort) -> Option<u64> {
    match sort {
        Sort::Bool => Some(2),
        Sort::BitVec(width) if width < 64 => Some(1 << width),
        Sort::Float(float) if float.width() < 64 => {
            let nans = 2 * ((1u64 << (float.sig - 1)) - 1);
            Some((1u64 << float.width()) - nans + 1)
        }
        Sort::BitVec(_) | Sort::Float(_) | Sort::Int | Sort::Array(_) => None,
    }
}

impl Value {
    /// The float with this IEEE image; every NaN image gives the one NaN.
    pub fn float(sort: FloatSort, bits: Bv) -> Value {
        Value::Float(sort, crate::softfloat::canonical(bits, sort))
    }

    /// The value of a sort that variables have when a model does not mention them: false, zero, and arrays of it.
    pub fn default_of(terms: &Terms, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::ZERO),
            Sort::BitVec(width) => Value::Bv(Bv::zero(width)),
            Sort::Float(float) => Value::Float(float, Bv::zero(float.width())),
            Sort::Array(_) => {
                // Element sorts nest only as deep as somebody wrote them, and each is older than the sort it occurs in.
                let (_, element) = terms.array_parts(sort);
                Value::Array(Box::new(ArrayValue::new(
                    terms,
                    sort,
                    Value::default_of(terms, element),
                    [],
                )))
            }
        }
    }

    /// The truth value. Panics for other values.
    pub fn expect_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("{other} is no truth value"),
        }
    }

    /// The bit-vector. Panics for other values.
    pub fn expect_bv(&self) -> &Bv {
        match self {
            Value::Bv(value) => value,
            other => panic!("{other} is no bit-vector"),
        }
    }

    /// Whether the value belongs to the sort.
    pub fn has_sort(&self, terms: &Terms, sort: Sort) -> bool {
        match (self, sort) {
            (Value::Bool(_), Sort::Bool) | (Value::Int(_), Sort::Int) => true,
            (Value::Bv(bv), Sort::BitVec(width)) => bv.width() == width,
            (Value::Float(float, _), Sort::Float(expected)) => *float == expected,
            (Value::Array(array), Sort::Array(_)) => {
                let (index, element) = terms.array_parts(sort);
                array.default.has_sort(terms, element)
                    && array.entries.iter().all(|(key, value)| {
                        key.has_sort(terms, index) && value.has_sort(terms, element)
                    })
            }
            (
                Value::Bool(_) | Value::Int(_) | Value::Bv(_) | Value::Float(..) | Value::Array(_),
                _,
            ) => false,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Bv(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Float(sort, bits) => write!(f, "float[{},{}]({bits})", sort.exp, sort.sig),
            Value::Array(array) => write!(f, "{array}"),
        }
    }
}

impl fmt::Display for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (index, value) in &self.entries {
            write!(f, "{index}: {value}, ")?;
        }
        write!(f, "else {}]", self.default)
    }
}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A function that is one value everywhere but at finitely many points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunValue {
    /// The value at all points that have no entry.
    pub default: Value,
    /// The value at these points.
    pub entries: BTreeMap<Vec<Value>, Value>,
}

/// An assignment to variables and uninterpreted functions. What it does not mention is false, zero, or constantly so.
#[derive(Clone, Default)]
pub struct Model {
    vars: HashMap<Term, Value, FxBuildHasher>,
    funs: HashMap<Fun, FunValue, FxBuildHasher>,
}

impl Model {
    /// The model that mentions nothing.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a variable a value of its sort.
    pub fn set(&mut self, terms: &Terms, var: Term, value: Value) {
        assert!(matches!(terms.op(var), Op::Var(_)), "{var} is no variable");
        assert!(
            value.has_sort(terms, terms.sort(var)),
            "{value} is no value for {var}"
        );
        self.vars.insert(var, value);
    }

    /// Gives a function a value.
    pub fn set_fun(&mut self, fun: Fun, value: FunValue) {
        self.funs.insert(fun, value);
    }

    /// The value of a variable, if the model mentions it.
    pub fn get(&self, var: Term) -> Option<&Value> {
        self.vars.get(&var)
    }

    /// The value of a function, if the model mentions it.
    pub fn get_fun(&self, fun: Fun) -> Option<&FunValue> {
        self.funs.get(&fun)
    }

    /// The variables that the model mentions, in the order of their terms.
    pub fn vars(&self) -> Vec<(Term, &Value)> {
        let mut vars: Vec<_> = self.vars.iter().map(|(&var, value)| (var, value)).collect();
        vars.sort_unstable_by_key(|&(var, _)| var);
        vars
    }

    /// The functions that the model mentions, in order.
    pub fn funs(&self) -> Vec<(Fun, &FunValue)> {
        let mut funs: Vec<_> = self.funs.iter().map(|(&fun, value)| (fun, value)).collect();
        funs.sort_unstable_by_key(|&(fun, _)| fun);
        funs
    }
}
