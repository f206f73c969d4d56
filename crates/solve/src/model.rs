//! Building models from a back end's values.
//!
//! Functions are tabulated at the points where they are applied: that is all that an evaluation can ask for, and it
//! needs no reading of whatever shape a back end gives its functions.

use std::collections::BTreeMap;

use base::Bv;
use num_bigint::BigInt;
use terms::{ArrayValue, Fun, FunValue, Model, Sort, Term, Terms, Value};

/// A model that is being read.
pub(crate) struct ModelBuilder<'a> {
    terms: &'a Terms,
    model: Model,
    tables: BTreeMap<Fun, BTreeMap<Vec<Value>, Value>>,
}

impl<'a> ModelBuilder<'a> {
    pub(crate) fn new(terms: &'a Terms) -> ModelBuilder<'a> {
        ModelBuilder {
            terms,
            model: Model::new(),
            tables: BTreeMap::new(),
        }
    }

    pub(crate) fn set(&mut self, variable: Term, value: Value) -> Result<(), String> {
        if !value.has_sort(self.terms, self.terms.sort(variable)) {
            return Err(format!("{value} is no value for {variable}"));
        }
        self.model.set(self.terms, variable, value);
        Ok(())
    }

    /// One point of a function; two results at the same point are an error.
    pub(crate) fn apply(
        &mut self,
        fun: Fun,
        arguments: Vec<Value>,
        result: Value,
    ) -> Result<(), String> {
        let table = self.tables.entry(fun).or_default();
        match table.insert(arguments, result.clone()) {
            Some(other) if other != result => Err(format!(
                "{} has two values at one point",
                self.terms.fun(fun).name
            )),
            Some(_) | None => Ok(()),
        }
    }

    pub(crate) fn finish(mut self) -> Model {
        for (fun, entries) in self.tables {
            let default = Value::default_of(self.terms, self.terms.fun(fun).result);
            self.model.set_fun(fun, FunValue { default, entries });
        }
        self.model
    }
}

/// An array from its default and its stores, the innermost store first.
pub(crate) fn array_value(
    terms: &Terms,
    sort: Sort,
    default: Value,
    stores: Vec<(Value, Value)>,
) -> Value {
    Value::Array(Box::new(ArrayValue::new(terms, sort, default, stores)))
}

/// A bit-vector from digits of this radix.
pub(crate) fn bv_from(digits: &str, radix: u32, width: u32) -> Result<Bv, String> {
    Bv::from_digits(digits, radix, width).map_err(|error| error.to_string())
}

/// An integer from decimal digits, perhaps with a sign.
pub(crate) fn int_from(digits: &str) -> Result<BigInt, String> {
    digits
        .parse()
        .map_err(|_| format!("`{digits}` is no integer"))
}
