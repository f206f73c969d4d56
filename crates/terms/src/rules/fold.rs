//! Constant folding: one row for all operators, by the evaluator's own meaning.

use crate::arena::Level;
use crate::eval;
use crate::op::Op;
use crate::rules::{Rule, shape};

pub(crate) const FOLD: &[Rule] = &[Rule {
    name: "fold",
    level: Level::Fold,
    needs: shape::ALL_CONST,
    applies: &[
        "(not true)",
        "(and true false)",
        "(or true false)",
        "(xor true false)",
        "(= k3 one)",
        "(= 3 3)",
        "(ite true one zero)",
        "(bvnot k5)",
        "(bvand k5 k3)",
        "(bvor k5 k3)",
        "(bvxor k5 k3)",
        "(bvneg k5)",
        "(bvadd k5 ones)",
        "(bvsub k5 ones)",
        "(bvmul k5 k7)",
        "(bvudiv k7 k2)",
        "(bvudiv k7 zero)",
        "(bvurem k7 k2)",
        "(bvurem k7 zero)",
        "(bvsdiv min ones)",
        "(bvsdiv min k2)",
        "(bvsdiv min zero)",
        "(bvsrem min k3)",
        "(bvsrem ones zero)",
        "(bvshl k3 k2)",
        "(bvshl k3 ones)",
        "(bvlshr min k2)",
        "(bvashr min k2)",
        "(bvashr min ones)",
        "(bvult one ones)",
        "(bvule ones one)",
        "(bvslt ones one)",
        "(bvsle min max)",
        "(concat k5 min)",
        "((_ extract 0 0) k5)",
        "((_ zero_extend 3) ones)",
        "((_ sign_extend 3) ones)",
        "(bvuaddo ones one)",
        "(bvsaddo max one)",
        "(bvssubo min one)",
        "(bvumulo ones k2)",
        "(bvsmulo max max)",
        "(+ 3 4)",
        "(- 3 4)",
        "(* 3 4)",
        "(div 7 2)",
        "(mod 7 2)",
        "(<= 3 4)",
        "(< 3 4)",
        "(bv2nat ones)",
        "((_ int2bv 3) 12)",
        "((_ to_fp 3 5) #xa1)",
        "(fp.to_ieee_bv (_ NaN 3 5))",
        "(fp.neg (_ +zero 3 5))",
        "(fp.abs (_ -oo 3 5))",
        "(fp.add RNE (fp #b0 #b011 #b0001) (fp #b0 #b001 #b0001))",
        "(fp.sub RTP (fp #b0 #b011 #b0001) (fp #b0 #b001 #b0001))",
        "(fp.mul RTZ (fp #b0 #b011 #b0001) (fp #b0 #b001 #b0001))",
        "(fp.div RTN (fp #b0 #b011 #b0001) (fp #b0 #b001 #b0001))",
        "(fp.fma RNA (fp #b0 #b011 #b0001) (fp #b0 #b001 #b0001) (_ -zero 3 5))",
        "(fp.sqrt RNE (fp #b0 #b011 #b0001))",
        "(fp.rem (fp #b0 #b101 #b0001) (fp #b0 #b011 #b0001))",
        "(fp.roundToIntegral RNE (fp #b0 #b011 #b1000))",
        "(fp.lt (_ -zero 3 5) (_ +zero 3 5))",
        "(fp.leq (_ -zero 3 5) (_ +zero 3 5))",
        "(fp.eq (_ -zero 3 5) (_ +zero 3 5))",
        "(fp.isNaN (_ NaN 3 5))",
        "(fp.isInfinite (_ NaN 3 5))",
        "(fp.isZero (_ -zero 3 5))",
        "(fp.isNormal (fp #b0 #b011 #b0001))",
        "(fp.isSubnormal (fp #b0 #b000 #b0001))",
        "(fp.isNegative (_ -oo 3 5))",
        "((_ to_fp 2 4) RNE (fp #b0 #b011 #b0001))",
        "((_ to_fp 3 5) RNE min)",
        "((_ to_fp_unsigned 3 5) RNE min)",
    ],
    ignores: &["(bvadd x one)", "(select a zero)", "(ite p one zero)"],
    apply: |terms, draft| {
        if matches!(
            draft.op,
            Op::Select | Op::Store | Op::ConstArray | Op::Apply(_)
        ) {
            return None;
        }
        let arity = draft.op.arity()?;
        let mut values = Vec::with_capacity(arity);
        for &arg in &draft.args[..arity] {
            values.push(terms.const_value(arg)?);
        }
        let values: Vec<_> = values.iter().collect();
        let result = eval::apply(draft.op, draft.sort, &values);
        Some(terms.value_term(&result, draft.sort))
    },
}];
