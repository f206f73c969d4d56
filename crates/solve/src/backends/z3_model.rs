//! Reads Z3's model: values of variables, and of functions where they are applied.

use terms::{FloatSort, Model, Op, Sort, Terms, Value};
use z3_sys as sys;

use crate::backends::ffi_z3::{Ast, AstKind, DeclKind, Fallible, Session};
use crate::backends::z3::AstBuilder;
use crate::model::{ModelBuilder, array_value, bv_from, int_from};

/// The model after `Sat`.
pub(super) fn read(builder: &mut AstBuilder, terms: &Terms) -> Fallible<Model> {
    let (variables, applications) = (&builder.variables, &builder.applications);
    builder.session.scoped(|session| {
        let mut model = ModelBuilder::new(terms);
        for &(variable, ast) in variables {
            let value = session.value(ast)?;
            model.set(
                variable,
                read_value(session, terms, terms.sort(variable), value)?,
            )?;
        }
        for (application, asts, ast) in applications {
            let Op::Apply(fun) = terms.op(*application) else {
                return Err(format!("{application} is no application"));
            };
            let mut arguments = Vec::with_capacity(asts.len());
            for (&argument, &ast) in terms.args(*application).iter().zip(asts) {
                let value = session.value(ast)?;
                arguments.push(read_value(session, terms, terms.sort(argument), value)?);
            }
            let result = session.value(*ast)?;
            let result = read_value(session, terms, terms.sort(*application), result)?;
            model.apply(fun, arguments, result)?;
        }
        Ok(model.finish())
    })
}

/// Reads a value term. Elements of arrays are values of a smaller sort, so the recursion is as deep as the sort.
pub(super) fn read_value(
    session: &mut Session,
    terms: &Terms,
    sort: Sort,
    value: Ast,
) -> Fallible<Value> {
    match sort {
        Sort::Bool => {
            let truth = session.bool_value(value);
            truth
                .map(Value::Bool)
                .ok_or_else(|| format!("{} is no truth value", session.print(value)))
        }
        Sort::Int => Ok(Value::Int(int_from(&session.digits(value)?)?)),
        Sort::BitVec(width) => Ok(Value::Bv(bv_from(&session.digits(value)?, 10, width)?)),
        Sort::Float(format) => read_float(session, format, value),
        Sort::Array(_) => read_array(session, terms, sort, value),
    }
}

/// A float by its image, which Z3 computes; that of NaN it leaves open.
fn read_float(session: &mut Session, format: FloatSort, value: Ast) -> Fallible<Value> {
    let is_nan = session.unary(sys::Z3_mk_fpa_is_nan, value)?;
    let is_nan = session.simplify(is_nan)?;
    if session.bool_value(is_nan) == Some(true) {
        return Ok(Value::float(format, crate::translate::quiet_nan(format)));
    }
    let image = session.unary(sys::Z3_mk_fpa_to_ieee_bv, value)?;
    let image = session.simplify(image)?;
    Ok(Value::float(
        format,
        bv_from(&session.digits(image)?, 10, format.width())?,
    ))
}

fn read_array(session: &mut Session, terms: &Terms, sort: Sort, value: Ast) -> Fallible<Value> {
    let (index, element) = terms.array_parts(sort);
    let mut stores = Vec::new();
    let mut rest = value;
    let default = loop {
        if let Some(decl) = session.as_array(rest)? {
            let Some((entries, otherwise)) = session.function_value(decl)? else {
                return Err("an array whose function is open".to_owned());
            };
            for (arguments, stored) in entries {
                let at = read_value(session, terms, index, arguments[0])?;
                stores.push((at, read_value(session, terms, element, stored)?));
            }
            break otherwise;
        }
        if session.ast_kind(rest) != AstKind::App {
            return Err(format!(
                "an array value of another kind: {}",
                session.print(rest)
            ));
        }
        let (kind, _, arguments) = session.application(rest)?;
        match (kind, arguments.as_slice()) {
            (DeclKind::Store, &[array, at, stored]) => {
                let at = read_value(session, terms, index, at)?;
                stores.push((at, read_value(session, terms, element, stored)?));
                rest = array;
            }
            (DeclKind::ConstArray, &[default]) => break default,
            _ => {
                return Err(format!(
                    "an array value of another kind: {}",
                    session.print(rest)
                ));
            }
        }
    };
    let default = read_value(session, terms, element, default)?;
    stores.reverse();
    Ok(array_value(terms, sort, default, stores))
}
