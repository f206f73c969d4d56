//! The arena: equal terms are one term, names are unique, and a term costs little.

use base::Bv;
use terms::{Level, Op, Sort, Terms};

#[test]
fn equal_terms_are_one_term() {
    for level in Level::ALL {
        let mut terms = Terms::with_level(level);
        let x = terms.var("x", Sort::BitVec(32));
        let vars: Vec<_> = (0..50)
            .map(|index| terms.var(&format!("y{index}"), Sort::BitVec(32)))
            .collect();
        // The first variables are the newest argument of nothing, the last ones of many terms.
        let make = |terms: &mut Terms| -> Vec<_> {
            let mut made = Vec::new();
            for &y in &vars {
                for &z in &vars {
                    made.push(terms.udiv(y, z));
                    let condition = terms.ult(z, x);
                    made.push(terms.ite(condition, y, z));
                }
            }
            made
        };
        let first = make(&mut terms);
        let count = terms.len();
        assert_eq!(make(&mut terms), first);
        assert_eq!(terms.len(), count, "nothing new was made at {level:?}");
    }
}

#[test]
fn equal_constants_are_one_term() {
    let mut terms = Terms::new();
    assert_eq!(terms.bv_u64(0x1ff, 8), terms.bv_i64(-1, 8));
    assert_ne!(terms.bv_u64(1, 8), terms.bv_u64(1, 9));
    let wide = terms.bv(Bv::ones(100));
    assert_eq!(terms.bv_i64(-1, 100), wide);
    assert_eq!(terms.as_bv(wide), Some(Bv::ones(100)));
    assert_eq!(terms.int(7), terms.int(7u8));
    let nan = terms.float_f32(f32::NAN);
    assert_eq!(terms.float_f32(-f32::NAN), nan);
    assert_ne!(terms.float_f32(0.0), terms.float_f32(-0.0));
}

#[test]
fn arguments_of_commutative_operators_are_ordered() {
    let mut terms = Terms::with_level(Level::Fold);
    let (x, y) = (
        terms.var("x", Sort::BitVec(8)),
        terms.var("y", Sort::BitVec(8)),
    );
    let k = terms.bv_u64(3, 8);
    assert_eq!(terms.add(x, y), terms.add(y, x));
    let sum = terms.add(k, x);
    assert_eq!(terms.args(sum), [x, k]);
    assert_ne!(terms.udiv(x, y), terms.udiv(y, x));
    let mut written = Terms::with_level(Level::Off);
    let (x, y) = (
        written.var("x", Sort::BitVec(8)),
        written.var("y", Sort::BitVec(8)),
    );
    let sum = written.add(y, x);
    assert_eq!(written.args(sum), [y, x]);
}

#[test]
fn a_name_belongs_to_one_variable_or_function() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::Bool);
    assert_eq!(terms.var("x", Sort::Bool), x);
    let other = terms.var("x", Sort::Int);
    assert_ne!(other, x);
    assert_eq!(terms.var_name(other), Some("x!1"));
    assert_eq!(terms.var("x", Sort::Int), other);
    let fun = terms.declare_fun("x", &[Sort::Int], Sort::Bool);
    assert_eq!(&*terms.fun(fun).name, "x!2");
    let fresh = terms.fresh("x", Sort::Bool);
    assert!(!["x", "x!1", "x!2"].contains(&terms.var_name(fresh).expect("a variable")));
    assert_eq!(terms.find_var("x!1"), Some(other));
    assert_eq!(terms.find_var("x!2"), None);
}

#[test]
fn functions_are_applied_to_what_they_take() {
    let mut terms = Terms::new();
    let sort = Sort::BitVec(8);
    let fun = terms.declare_fun("f", &[sort, Sort::Bool, sort, sort], Sort::Bool);
    assert_eq!(
        terms.declare_fun("f", &[sort, Sort::Bool, sort, sort], Sort::Bool),
        fun
    );
    let (x, p) = (terms.var("x", sort), terms.var("p", Sort::Bool));
    let applied = terms.apply(fun, &[x, p, x, x]);
    assert_eq!(terms.apply(fun, &[x, p, x, x]), applied);
    assert_eq!(terms.args(applied), [x, p, x, x]);
    assert_eq!(terms.op(applied), Op::Apply(fun));
    assert_eq!(terms.free_funs(&[applied]), [fun]);
    let y = terms.var("y", sort);
    assert_ne!(terms.apply(fun, &[x, p, x, y]), applied);
    let map = [(x, y)].into_iter().collect();
    assert_eq!(
        terms.substitute(applied, &map),
        terms.apply(fun, &[y, p, y, y])
    );
}

#[test]
fn a_term_costs_at_most_64_bytes_at_every_size() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::BitVec(32));
    let mut t = x;
    for step in 0..300_000u64 {
        // Sums with one variable as the newest argument fill the table, chains fill the nodes.
        t = if step % 2 == 0 {
            terms.mul(t, x)
        } else {
            terms.bvnot(t)
        };
        let k = terms.bv_u64(step, 32);
        terms.udiv(x, k);
        if step > 2000 && step % 997 == 0 {
            let each = terms.bytes() as f64 / terms.len() as f64;
            assert!(
                each <= 64.0,
                "{each} bytes per term with {} terms",
                terms.len()
            );
        }
    }
}

#[test]
fn fresh_variables_are_found_again() {
    let mut terms = Terms::new();
    let (byte, truth) = (Sort::BitVec(8), Sort::Bool);
    let other = terms.var("x!1", byte);
    let list = |terms: &mut Terms| {
        [("x", byte), ("x", byte), ("y", truth)].map(|(name, sort)| terms.fresh(name, sort))
    };
    let first = list(&mut terms);
    assert!(first[0] != first[1] && !first.contains(&other));
    terms.begin_again();
    assert_eq!(list(&mut terms), first);
    // For something else they are others.
    terms.begin_again();
    let next = terms.fresh("x", truth);
    assert!(!first.contains(&next) && next != other);
}
