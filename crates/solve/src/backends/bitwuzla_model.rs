//! Reads Bitwuzla's model: values of variables, and of functions where they are applied.

use bitwuzla_sys as sys;
use terms::{Model, Sort, Terms, Value};

use crate::backends::bitwuzla::NodeBuilder;
use crate::backends::ffi_bitwuzla::{Fallible, Node, Session};
use crate::model::{ModelBuilder, array_value, bv_from};

impl NodeBuilder {
    /// The model after `Sat`.
    pub(super) fn model(&mut self, terms: &Terms) -> Fallible<Model> {
        let mut builder = ModelBuilder::new(terms);
        for &(variable, node) in &self.variables {
            builder.set(
                variable,
                value_of(&mut self.session, terms, terms.sort(variable), node)?,
            )?;
        }
        for (application, nodes, node) in &self.applications {
            let mut arguments = Vec::with_capacity(nodes.len());
            for (&argument, &node) in terms.args(*application).iter().zip(nodes) {
                arguments.push(value_of(
                    &mut self.session,
                    terms,
                    terms.sort(argument),
                    node,
                )?);
            }
            let result = value_of(&mut self.session, terms, terms.sort(*application), *node)?;
            let terms::Op::Apply(fun) = terms.op(*application) else {
                return Err(format!("{application} is no application"));
            };
            builder.apply(fun, arguments, result)?;
        }
        Ok(builder.finish())
    }
}

/// The value of a term in the current model.
fn value_of(session: &mut Session, terms: &Terms, sort: Sort, node: Node) -> Fallible<Value> {
    let value = session.value(node)?;
    let read = read(session, terms, sort, value);
    session.release(value);
    read
}

/// Reads a value term. Elements of arrays are values of a smaller sort, so the recursion is as deep as the sort.
fn read(session: &mut Session, terms: &Terms, sort: Sort, value: Node) -> Fallible<Value> {
    Ok(match sort {
        Sort::Bool => Value::Bool(session.bool_value(value)?),
        Sort::BitVec(width) => Value::Bv(bv_from(&session.bv_digits(value)?, 2, width)?),
        Sort::Float(format) => Value::float(
            format,
            bv_from(&session.fp_digits(value)?, 2, format.width())?,
        ),
        Sort::Array(_) => return read_array(session, terms, sort, value),
        Sort::Int => return Err("bitwuzla has no integers".to_owned()),
    })
}

fn read_array(session: &mut Session, terms: &Terms, sort: Sort, value: Node) -> Fallible<Value> {
    let (index, element) = terms.array_parts(sort);
    let mut borrowed = Vec::new();
    let read = read_stores(session, terms, (index, element), value, &mut borrowed);
    for node in borrowed {
        session.release(node);
    }
    let (default, mut stores) = read?;
    stores.reverse();
    Ok(array_value(terms, sort, default, stores))
}

type Stores = (Value, Vec<(Value, Value)>);

/// The default and the stores, the outermost first; `borrowed` takes the nodes to release.
fn read_stores(
    session: &mut Session,
    terms: &Terms,
    (index, element): (Sort, Sort),
    value: Node,
    borrowed: &mut Vec<Node>,
) -> Fallible<Stores> {
    let mut stores = Vec::new();
    let mut rest = value;
    loop {
        let children = session.children(rest)?;
        borrowed.extend_from_slice(&children);
        match (session.kind(rest)?, children.as_slice()) {
            (sys::BITWUZLA_KIND_ARRAY_STORE, &[array, at, stored]) => {
                stores.push((
                    read(session, terms, index, at)?,
                    read(session, terms, element, stored)?,
                ));
                rest = array;
            }
            (sys::BITWUZLA_KIND_CONST_ARRAY, &[default]) => {
                return Ok((read(session, terms, element, default)?, stores));
            }
            (kind, _) => return Err(format!("an array value of kind {kind}")),
        }
    }
}
