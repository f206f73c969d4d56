//! What each operator is over integers.

use num_bigint::BigInt;
use terms::{Op, Sort, Term};

use super::known::{self, Range};
use super::{Num, Translator, Wraps, floor_div, modulo, power, value};

impl Translator<'_> {
    /// A Boolean term, whose arguments are translated.
    pub(super) fn boolean(&mut self, term: Term) -> Term {
        let args = self.terms.args(term).to_vec();
        match self.terms.op(term) {
            Op::True | Op::False | Op::Var(_) => term,
            Op::Not => {
                let a = self.bool(args[0]);
                self.terms.not(a)
            }
            Op::And => self.both(&args, |terms, a, b| terms.and(a, b)),
            Op::Or => self.both(&args, |terms, a, b| terms.or(a, b)),
            Op::Xor => self.both(&args, |terms, a, b| terms.xor(a, b)),
            Op::Ite => {
                let list = [0, 1, 2].map(|index| self.bool(args[index]));
                self.terms.ite(list[0], list[1], list[2])
            }
            Op::Eq => match self.terms.sort(args[0]) {
                Sort::Bool => self.both(&args, |terms, a, b| terms.eq(a, b)),
                Sort::BitVec(_) => self.equal(args[0], args[1]),
                _ => self.whatever(), // Arrays and floats.
            },
            Op::Ult | Op::Ule if let Some(range) = self.range(term) => range,
            Op::Ult => self.unsigned_less(args[0], args[1]),
            Op::Ule => {
                let greater = self.unsigned_less(args[1], args[0]);
                self.terms.not(greater)
            }
            Op::Slt => self.signed_less(args[0], args[1]),
            Op::Sle => {
                let greater = self.signed_less(args[1], args[0]);
                self.terms.not(greater)
            }
            Op::Uaddo | Op::Saddo | Op::Ssubo | Op::Umulo | Op::Smulo => self.overflows(term),
            _ => self.whatever(), // Floats and functions.
        }
    }

    fn both(
        &mut self,
        args: &[Term],
        make: impl Fn(&mut terms::Terms, Term, Term) -> Term,
    ) -> Term {
        let (a, b) = (self.bool(args[0]), self.bool(args[1]));
        make(self.terms, a, b)
    }

    /// Is a view of both free of charge? Then that one, else the signed one.
    fn equal(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (x, y) = (self.num(a), self.num(b));
        let least = -power(width - 1);
        let free = |num: &Num, least: &BigInt, this: &Self| {
            num.low == num.high || this.fits(num, width, least)
        };
        let zero = BigInt::ZERO;
        let unsigned = free(&x, &zero, self) && free(&y, &zero, self);
        let signed = free(&x, &least, self) && free(&y, &least, self);
        let from_unsigned = self.wraps == Wraps::Never && signed_of(&x, &y) == Some(false);
        let (x, y) = match (unsigned || from_unsigned) && !signed {
            true => (self.unsigned(a), self.unsigned(b)),
            false => (self.signed(a), self.signed(b)),
        };
        self.terms.eq(x.term, y.term)
    }

    /// `x + c < d`, unsigned, says that x is in a range: in one view, it does not wrap.
    fn range(&mut self, term: Term) -> Option<Term> {
        let Range {
            of,
            signed,
            low,
            high,
            inside,
        } = known::range(self.terms, term)?;
        let x = match signed {
            true => self.signed(of),
            false => self.unsigned(of),
        };
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        let above = self.terms.ile(low, x.term);
        let below = self.terms.ile(x.term, high);
        let within = self.terms.and(above, below);
        Some(match inside {
            true => within,
            false => self.terms.not(within),
        })
    }

    fn unsigned_less(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let least = -power(width - 1);
        let (x, y) = (self.num(a), self.num(b));
        let signed = |num: &Num, this: &Self| match this.origin(num) {
            Some(signed) => signed,
            None => this.fits(num, width, &least) && !this.fits(num, width, &BigInt::ZERO),
        };
        if !signed(&x, self) && !signed(&y, self) {
            let (x, y) = (self.unsigned(a), self.unsigned(b));
            return self.terms.ilt(x.term, y.term);
        }
        // Negative numbers are greater than the others, and in the same order.
        let (x, y) = (self.signed(a), self.signed(b));
        let (x_high, y_high) = (self.is_negative(&x), self.is_negative(&y));
        self.less_by_halves(&x, &y, x_high, y_high, y_high)
    }

    fn signed_less(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let least = -power(width - 1);
        let (x, y) = (self.num(a), self.num(b));
        let unsigned = |num: &Num, this: &Self| match this.origin(num) {
            Some(signed) => !signed,
            None => this.fits(num, width, &BigInt::ZERO) && !this.fits(num, width, &least),
        };
        if !unsigned(&x, self) && !unsigned(&y, self) {
            let (x, y) = (self.signed(a), self.signed(b));
            return self.terms.ilt(x.term, y.term);
        }
        let (x, y) = (self.unsigned(a), self.unsigned(b));
        let half = self.terms.int(power(width - 1));
        let x_high = self.terms.ige(x.term, half);
        let y_high = self.terms.ige(y.term, half);
        self.less_by_halves(&x, &y, x_high, y_high, x_high)
    }

    /// Is a result that does not wrap a signed one?
    fn origin(&self, num: &Num) -> Option<bool> {
        match self.wraps {
            Wraps::Never if num.sum => num.signed,
            Wraps::Never | Wraps::Modulo => None,
        }
    }

    fn is_negative(&mut self, num: &Num) -> Term {
        if num.low >= BigInt::ZERO {
            return self.terms.fls();
        }
        if num.high < BigInt::ZERO {
            return self.terms.tru();
        }
        let zero = self.terms.int(0);
        self.terms.ilt(num.term, zero)
    }

    /// Less in the same half of the range, and otherwise this.
    fn less_by_halves(&mut self, x: &Num, y: &Num, a: Term, b: Term, otherwise: Term) -> Term {
        let same = self.terms.eq(a, b);
        let less = self.terms.ilt(x.term, y.term);
        self.terms.ite(same, less, otherwise)
    }

    fn overflows(&mut self, term: Term) -> Term {
        let args = self.terms.args(term).to_vec();
        let width = self.width(args[0]);
        let signed = !matches!(self.terms.op(term), Op::Uaddo | Op::Umulo);
        let (x, y) = match signed {
            true => (self.signed(args[0]), self.signed(args[1])),
            false => (self.unsigned(args[0]), self.unsigned(args[1])),
        };
        let result = match self.terms.op(term) {
            Op::Uaddo | Op::Saddo => self.sum(&x, &y),
            Op::Ssubo => self.difference(&x, &y),
            _ => match self.product(&x, &y) {
                Some(product) => product,
                None => return self.whatever(),
            },
        };
        let least = match signed {
            true => -power(width - 1),
            false => BigInt::ZERO,
        };
        let most = &least + power(width) - 1;
        let (least, most) = (self.terms.int(least), self.terms.int(most));
        let under = self.terms.ilt(result.term, least);
        let over = self.terms.igt(result.term, most);
        self.terms.or(under, over)
    }

    fn sum(&mut self, x: &Num, y: &Num) -> Num {
        Num {
            term: self.terms.iadd(x.term, y.term),
            low: &x.low + &y.low,
            high: &x.high + &y.high,
            sum: true,
            signed: signed_of(x, y),
        }
    }

    fn difference(&mut self, x: &Num, y: &Num) -> Num {
        Num {
            term: self.terms.isub(x.term, y.term),
            low: &x.low - &y.high,
            high: &x.high - &y.low,
            sum: true,
            signed: signed_of(x, y),
        }
    }

    /// The product, if one of them is constant.
    fn product(&mut self, x: &Num, y: &Num) -> Option<Num> {
        let (factor, other) = match (self.terms.as_int(x.term), self.terms.as_int(y.term)) {
            (Some(factor), _) => (factor.clone(), y),
            (None, Some(factor)) => (factor.clone(), x),
            (None, None) => return None,
        };
        let ends = [&factor * &other.low, &factor * &other.high];
        let by = self.terms.int(factor);
        let [a, b] = ends;
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        Some(Num {
            term: self.terms.imul(by, other.term),
            low,
            high,
            // A multiple is a pattern of bits as often as a number: where it wraps, that is written out.
            sum: other.sum,
            signed: other.signed,
        })
    }

    /// A bit-vector term, whose arguments are translated.
    pub(super) fn number(&mut self, term: Term) -> Num {
        let width = self.width(term);
        // Of a constant, the one that is nearer to zero.
        if let Some(value) = value(self.terms, term, true) {
            return self.constant(value);
        }
        let args = self.terms.args(term).to_vec();
        match self.terms.op(term) {
            Op::Var(_) => self.variable(term, width),
            Op::Neg => {
                let zero = self.constant(BigInt::ZERO);
                let x = self.num(args[0]);
                self.difference(&zero, &x)
            }
            Op::BvNot => {
                let ones = self.constant(BigInt::from(-1));
                let x = self.num(args[0]);
                self.difference(&ones, &x)
            }
            Op::Add => {
                let (x, y) = (self.num(args[0]), self.num(args[1]));
                let sum = self.sum(&x, &y);
                self.small(sum, term)
            }
            Op::Sub => {
                let (x, y) = (self.num(args[0]), self.num(args[1]));
                let difference = self.difference(&x, &y);
                self.small(difference, term)
            }
            Op::Mul => {
                let (x, y) = (self.num(args[0]), self.num(args[1]));
                match self.product(&x, &y) {
                    Some(product) => product,
                    None => self.anything(term),
                }
            }
            Op::Ite => {
                let condition = self.bool(args[0]);
                let (x, y) = (self.num(args[1]), self.num(args[2]));
                Num {
                    term: self.terms.ite(condition, x.term, y.term),
                    sum: x.sum || y.sum,
                    signed: signed_of(&x, &y),
                    low: x.low.min(y.low),
                    high: x.high.max(y.high),
                }
            }
            Op::Zext => self.unsigned(args[0]),
            Op::Sext => self.signed(args[0]),
            Op::Concat => {
                let (high, low) = (self.num(args[0]), self.unsigned(args[1]));
                let factor = self.constant(power(self.width(args[1])));
                let high = self.product(&factor, &high).expect("a constant");
                self.sum(&high, &low)
            }
            Op::Extract { lo, .. } => {
                let x = self.num(args[0]);
                self.shifted(&x, lo)
            }
            Op::Shl | Op::Lshr | Op::Ashr => self.shift(term, args[0], args[1]),
            Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem => self.divide(term, args[0], args[1]),
            Op::BvAnd => self.mask(term, args[0], args[1]),
            Op::BvOr | Op::BvXor => self.join(term, args[0], args[1]),
            _ => self.anything(term), // Elements of arrays, floats, functions.
        }
    }

    /// Sums of sums would be split at last; a view now and then is cheaper.
    fn small(&mut self, num: Num, term: Term) -> Num {
        let width = self.width(term);
        let most = power(width + 2);
        if self.wraps == Wraps::Modulo && (num.high > most || num.low < -most) {
            let least = -power(width - 1);
            let high = power(width - 1) - 1;
            return self.split(&num, &power(width), least, high).1;
        }
        num
    }

    /// The number without its lowest bits.
    fn shifted(&mut self, num: &Num, bits: u32) -> Num {
        if bits == 0 {
            return num.clone();
        }
        let divisor = power(bits);
        if num.low == num.high {
            return self.constant(floor_div(&num.low, &divisor));
        }
        let high = &divisor - 1;
        let (mut quotient, _) = self.split(num, &divisor, BigInt::ZERO, high);
        quotient.low = floor_div(&num.low, &divisor);
        quotient.high = floor_div(&num.high, &divisor);
        quotient
    }

    /// The lowest bits of a number.
    fn lowest(&mut self, num: &Num, bits: u32) -> Num {
        let modulus = power(bits);
        if num.low >= BigInt::ZERO && num.high < modulus {
            return num.clone();
        }
        if num.low == num.high {
            return self.constant(modulo(&num.low, &modulus));
        }
        let high = &modulus - 1;
        self.split(num, &modulus, BigInt::ZERO, high).1
    }

    fn shift(&mut self, term: Term, value: Term, by: Term) -> Num {
        let width = self.width(term);
        let Some(amount) = self.terms.as_bv(by) else {
            return self.anything(term);
        };
        let amount = amount.to_u64().unwrap_or(u64::MAX).min(width.into()) as u32;
        match self.terms.op(term) {
            Op::Shl if amount == width => self.constant(BigInt::ZERO),
            Op::Shl => {
                let (factor, x) = (self.constant(power(amount)), self.num(value));
                self.product(&factor, &x).expect("a constant")
            }
            Op::Lshr => {
                let x = self.unsigned(value);
                self.shifted(&x, amount)
            }
            _ => {
                let x = self.signed(value);
                self.shifted(&x, amount)
            }
        }
    }

    fn divide(&mut self, term: Term, value: Term, by: Term) -> Num {
        if self.terms.as_bv(by).is_none() {
            return self.anything(term);
        }
        let op = self.terms.op(term);
        let zero = BigInt::ZERO;
        match op {
            Op::Udiv | Op::Urem => {
                let (x, divisor) = (self.unsigned(value), self.unsigned(by).low);
                match (op, divisor == zero) {
                    (Op::Udiv, true) => self.constant(BigInt::from(-1)),
                    (_, true) => x,
                    (_, false) => {
                        let (mut quotient, rest) =
                            self.split(&x, &divisor, zero.clone(), &divisor - 1);
                        if op == Op::Urem {
                            return rest;
                        }
                        quotient.low = floor_div(&x.low, &divisor);
                        quotient.high = floor_div(&x.high, &divisor);
                        quotient
                    }
                }
            }
            _ => {
                let (x, divisor) = (self.signed(value), self.signed(by).low);
                if divisor == zero {
                    if op == Op::Srem {
                        return x;
                    }
                    let negative = self.is_negative(&x);
                    let (one, minus) = (self.terms.int(1), self.terms.int(-1));
                    return Num {
                        term: self.terms.ite(negative, one, minus),
                        low: BigInt::from(-1),
                        high: BigInt::from(1),
                        sum: false,
                        signed: Some(true),
                    };
                }
                self.divide_signed(&x, &divisor, op)
            }
        }
    }

    /// Towards zero: the rest has the sign of the number.
    fn divide_signed(&mut self, x: &Num, divisor: &BigInt, op: Op) -> Num {
        let size = match *divisor < BigInt::ZERO {
            true => -divisor,
            false => divisor.clone(),
        };
        let (low, high) = (BigInt::from(1) - &size, &size - 1);
        let most = x.high.clone().max(-&x.low) / &size + 1;
        let quotient = self.fresh("quotient", -&most, most);
        let rest = self.fresh("rest", low, high);
        let by = self.terms.int(divisor.clone());
        let product = self.terms.imul(by, quotient.term);
        let sum = self.terms.iadd(product, rest.term);
        let is = self.terms.eq(x.term, sum);
        self.also(is);
        let zero = self.terms.int(0);
        let negative = self.is_negative(x);
        let below = self.terms.ile(rest.term, zero);
        let above = self.terms.ige(rest.term, zero);
        let sign = self.terms.ite(negative, below, above);
        self.also(sign);
        match op {
            Op::Srem => rest,
            _ => quotient,
        }
    }

    fn mask(&mut self, term: Term, a: Term, b: Term) -> Num {
        let constant = [(a, b), (b, a)].into_iter().find_map(|(mask, other)| {
            let mask = self.terms.as_bv(mask)?;
            Some((mask, other))
        });
        if let Some((mask, other)) = constant
            && let Some(masked) = self.masked(other, &mask)
        {
            return masked;
        }
        let any = self.anything_unsigned(term);
        let (x, y) = (self.unsigned(a), self.unsigned(b));
        let at_most_x = self.terms.ile(any.term, x.term);
        let at_most_y = self.terms.ile(any.term, y.term);
        self.also(at_most_x);
        self.also(at_most_y);
        any
    }

    /// The bits of a term under a mask, if the mask is one run of ones.
    fn masked(&mut self, term: Term, mask: &base::Bv) -> Option<Num> {
        let (low, high) = run_of_ones(mask)?;
        // The bits below `high`, without those below `low`.
        let x = self.num(term);
        let upper = match high == mask.width() {
            true => x.clone(),
            false => self.lowest(&x, high),
        };
        if low == 0 {
            return Some(upper);
        }
        let lower = self.lowest(&x, low);
        Some(self.difference(&upper, &lower))
    }

    /// `x | c` is `x + c - (x & c)`, and `x ^ c` takes that away twice.
    fn join_constant(&mut self, op: Op, term: Term, constant: Term) -> Option<Num> {
        let mask = self.terms.as_bv(constant)?.clone();
        let masked = self.masked(term, &mask)?;
        let (x, constant) = (self.num(term), self.unsigned(constant));
        let sum = self.sum(&x, &constant);
        let less = self.difference(&sum, &masked);
        let mut result = match op {
            Op::BvXor => self.difference(&less, &masked),
            _ => less, // An `or`.
        };
        // What is added and taken away again leaves no range.
        result.sum = x.sum;
        if x.low >= BigInt::ZERO {
            let bits = x.high.bits().max(constant.high.bits()) as u32;
            result.low = result.low.max(BigInt::ZERO);
            result.high = result.high.min(power(bits) - 1);
        }
        Some(result)
    }

    fn join(&mut self, term: Term, a: Term, b: Term) -> Num {
        let op = self.terms.op(term);
        for (constant, other) in [(a, b), (b, a)] {
            if let Some(num) = self.join_constant(op, other, constant) {
                return num;
            }
        }
        let disjoint = match (self.terms.fact(a), self.terms.fact(b)) {
            (Some(x), Some(y)) => {
                let bits = u64::MAX >> (64 - x.width);
                !x.zeros & !y.zeros & bits == 0
            }
            _ => false,
        };
        if disjoint {
            let (x, y) = (self.num(a), self.num(b));
            return self.sum(&x, &y);
        }
        let any = self.anything_unsigned(term);
        let (x, y) = (self.unsigned(a), self.unsigned(b));
        let sum = self.sum(&x, &y);
        let at_most = self.terms.ile(any.term, sum.term);
        self.also(at_most);
        if op == Op::BvOr {
            for part in [x, y] {
                let at_least = self.terms.ile(part.term, any.term);
                self.also(at_least);
            }
        }
        any
    }

    /// Any unsigned value.
    fn anything_unsigned(&mut self, term: Term) -> Num {
        self.exact = false;
        let width = self.width(term);
        let (low, high) = match self.terms.fact(term) {
            Some(fact) => (fact.umin.into(), fact.umax.into()),
            None => (BigInt::ZERO, power(width) - 1),
        };
        self.fresh("any", low, high)
    }
}

/// Are the values signed that a result is made of?
fn signed_of(x: &Num, y: &Num) -> Option<bool> {
    match (x.signed, y.signed) {
        (Some(x), Some(y)) => Some(x || y),
        (one, other) => one.or(other),
    }
}

/// The first bit of a run of ones and the bit behind it, if there is one run and nothing else.
fn run_of_ones(mask: &base::Bv) -> Option<(u32, u32)> {
    let width = mask.width();
    let bit = |index: u32| mask.bit(index);
    let low = (0..width).find(|&index| bit(index))?;
    let high = (low..width).find(|&index| !bit(index)).unwrap_or(width);
    (high..width)
        .all(|index| !bit(index))
        .then_some((low, high))
}
