//! Rounds of a loop that need not be executed one by one.
//!
//! `while (x < 0x0fffffff) { x++; y += 2; }` does the same in every round, but for numbers that grow by a constant. If all that a round reads
//! is like that, and every decision on its way stays as it is, then so many rounds later each number is what it is now plus
//! as many times its step. [`rounds`] finds out how many rounds that is true for:
//!
//! 1. One round is followed with the values at hand. What it reads before it writes is *carried*, and each carried word has a step:
//!    the difference between the end of the round and its beginning.
//! 2. The same round is followed again, with a step for every value. Each operation says for how many rounds its result is the
//!    value plus so many steps, without leaving the range of its type; each comparison, how long its outcome lasts.
//! 3. If every carried word ends with the step that was assumed, it does so in each of these rounds, by induction.
//!
//! The last of them is left to be executed, so that whatever a round only writes is as it would have been. Anything else than
//! arithmetic on words (memory, calls, choices) is not followed. Nothing is rounded or guessed: an execution has the same values, the
//! same choices and the same number of steps as one in which nothing is skipped, which tests compare.

use ir::syntax::OverflowOp;

use crate::code::{CONST, Code, Ins, Slot, Word};
use crate::word::{count, divide, mask, overflows, signed};

/// The most instructions of a round.
const LONGEST: usize = 256;
/// Fewer rounds than this are executed.
const WORTHWHILE: u64 = 64;
/// More rounds than this are not skipped at once.
const MOST: u64 = 1 << 40;

/// Rounds of loops that are executed before it is asked whether some can be skipped: at first, after some were, and after none were.
const AT_FIRST: u32 = 1 << 12;
const AFTER_SOME: u32 = 1 << 6;
const AFTER_NONE: u32 = 1 << 16;

/// How many rounds of loops pass before it is asked again.
pub(crate) struct Patience {
    left: u32,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { left: AT_FIRST }
    }
}

impl Patience {
    /// A round begins at `head`. Skips some if it is time to ask; returns how many instructions that is.
    #[inline(always)]
    pub(crate) fn round(&mut self, code: &Code, head: usize, words: &mut [u64]) -> u64 {
        self.left -= 1;
        match self.left {
            0 => self.ask(code, head, words),
            _ => 0,
        }
    }

    #[cold]
    fn ask(&mut self, code: &Code, head: usize, words: &mut [u64]) -> u64 {
        let Some(skip) = rounds(code, head, words) else {
            self.left = AFTER_NONE;
            return 0;
        };
        for &(slot, value) in &skip.words {
            words[slot as usize] = value;
        }
        self.left = AFTER_SOME;
        skip.rounds.saturating_mul(skip.steps)
    }
}

/// Rounds that can be skipped.
struct Skip {
    /// How many.
    rounds: u64,
    /// How many instructions each of them has.
    steps: u64,
    /// The words that change, and what they are after these rounds.
    words: Vec<(Slot, u64)>,
}

/// A word now, and by how much it grows in each round; no step if nothing is known of later rounds.
#[derive(Clone, Copy)]
struct Form {
    now: u64,
    step: Option<i128>,
}

/// How many rounds can be skipped from here, where a round begins at `head`.
fn rounds(code: &Code, head: usize, words: &[u64]) -> Option<Skip> {
    let mut first = Round::new(code, words, &[]);
    let length = first.follow(head)?;
    let mut carried: Vec<(Slot, i128)> = Vec::new();
    for slot in first.read.clone() {
        let end = first.get(slot).now;
        let step = i128::from(end) - i128::from(words[slot as usize]);
        carried.push((slot, step));
    }
    if carried.iter().all(|&(_, step)| step == 0) {
        return None;
    }
    let mut second = Round::new(code, words, &carried);
    second.follow(head)?;
    let as_assumed = carried
        .iter()
        .all(|&(slot, step)| second.get(slot).step == Some(step));
    let rounds = second.rounds.min(MOST).saturating_sub(1);
    if !as_assumed || rounds < WORTHWHILE {
        return None;
    }
    let later = |&(slot, step): &(Slot, i128)| {
        let value = i128::from(words[slot as usize]) + step * i128::from(rounds);
        let value = u64::try_from(value).expect("a word stays in its range");
        (slot, value)
    };
    Some(Skip {
        rounds,
        steps: length,
        words: carried.iter().map(later).collect(),
    })
}

/// A round that is being followed.
struct Round<'c> {
    code: &'c Code,
    words: &'c [u64],
    carried: &'c [(Slot, i128)],
    /// What was written in this round.
    written: Vec<(Slot, Form)>,
    /// What was read before it was written.
    read: Vec<Slot>,
    /// For so many rounds everything stays as it is.
    rounds: u64,
}

impl<'c> Round<'c> {
    fn new(code: &'c Code, words: &'c [u64], carried: &'c [(Slot, i128)]) -> Round<'c> {
        Round {
            code,
            words,
            carried,
            written: Vec::new(),
            read: Vec::new(),
            rounds: u64::MAX,
        }
    }

    /// Follows the round until it is at its head again; how many instructions that takes.
    fn follow(&mut self, head: usize) -> Option<u64> {
        let mut pc = head;
        for steps in 1..=LONGEST {
            let ins = self.code.ins[pc];
            let edge = match ins {
                Ins::Jump { edge } => Some(edge),
                Ins::Branch { cond, yes, no } => {
                    Some(if self.steady(cond)? != 0 { yes } else { no })
                }
                _ => None, // Goes on with the next one.
            };
            let Some(edge) = edge else {
                self.execute(ins)?;
                pc += 1;
                continue;
            };
            let edge = self.code.edges[edge as usize];
            let start = edge.start as usize;
            for &(to, from) in &self.code.moves[start..start + edge.count as usize] {
                let form = self.get(from);
                self.set(to, form);
            }
            pc = edge.pc as usize;
            if pc == head {
                return Some(steps as u64);
            }
        }
        None
    }

    /// One instruction that does not jump; none if it is not one of those that are followed.
    fn execute(&mut self, ins: Ins) -> Option<()> {
        match ins {
            Ins::Move { to, from } => {
                let form = self.get(from);
                self.set(to, form);
            }
            Ins::Add { to, a, b, shift } => {
                let (a, b) = (self.get(a), self.get(b));
                let now = a.now.wrapping_add(b.now) & mask(shift);
                self.set_linear(to, now, both(a, b, |a, b| a + b), shift);
            }
            Ins::Sub { to, a, b, shift } => {
                let (a, b) = (self.get(a), self.get(b));
                let now = a.now.wrapping_sub(b.now) & mask(shift);
                self.set_linear(to, now, both(a, b, |a, b| a - b), shift);
            }
            Ins::Mul { to, a, b, shift } => {
                let (a, b) = (self.get(a), self.get(b));
                let now = a.now.wrapping_mul(b.now) & mask(shift);
                let step = match (a.step, b.step) {
                    (Some(0), Some(step)) => product(step, a.now, shift),
                    (Some(step), Some(0)) => product(step, b.now, shift),
                    _ => None,
                };
                self.set_linear(to, now, step, shift);
            }
            Ins::And { to, a, b } => self.set_steady(to, a, b, |a, b| a & b),
            Ins::Or { to, a, b } => self.set_steady(to, a, b, |a, b| a | b),
            Ins::Xor { to, a, b } => self.set_steady(to, a, b, |a, b| a ^ b),
            Ins::Divide {
                op,
                to,
                a,
                b,
                shift,
            } => self.set_steady(to, a, b, |a, b| divide(op, a, b, shift)),
            Ins::Count { op, to, a, shift } => {
                self.set_steady(to, a, a, |a, _| count(op, a, shift));
            }
            Ins::Eq { to, a, b } => self.set_compared(to, a, b, None, |order| order == 0),
            Ins::Ne { to, a, b } => self.set_compared(to, a, b, None, |order| order != 0),
            Ins::Ult { to, a, b } => self.set_compared(to, a, b, None, |order| order < 0),
            Ins::Ule { to, a, b } => self.set_compared(to, a, b, None, |order| order <= 0),
            Ins::Slt { to, a, b, shift } => {
                self.set_compared(to, a, b, Some(shift), |order| order < 0);
            }
            Ins::Sle { to, a, b, shift } => {
                self.set_compared(to, a, b, Some(shift), |order| order <= 0);
            }
            Ins::Overflow {
                op,
                to,
                a,
                b,
                shift,
            } => self.set_overflow(op, to, (a, b), shift),
            Ins::SExt { to, a, from, shift } => {
                let a = self.get(a);
                let now = signed(a.now, from) as u64 & mask(shift);
                self.same_sign(a, from);
                self.set_linear(to, now, a.step, shift);
            }
            Ins::Trunc { to, a, shift } => {
                let a = self.get(a);
                let step = a.step.and_then(|step| product(step, 1, shift));
                self.set_linear(to, a.now & mask(shift), step, shift);
            }
            Ins::Select { to, cond, a, b } => {
                let chosen = if self.steady(cond)? != 0 { a } else { b };
                let form = self.get(chosen);
                self.set(to, form);
            }
            // One that fails is for the execution.
            Ins::Assume { cond } | Ins::Check { cond, .. } => {
                if self.steady(cond)? == 0 {
                    return None;
                }
            }
            // Written again in the round that is executed, and read by nobody before.
            Ins::Debug { .. } => {}
            _ => return None, // Memory, calls, choices, floats, wide values: not followed.
        }
        Some(())
    }

    fn get(&mut self, word: Word) -> Form {
        if word & CONST != 0 {
            return Form {
                now: self.code.consts[(word & !CONST) as usize],
                step: Some(0),
            };
        }
        if let Some((_, form)) = self.written.iter().find(|(slot, _)| *slot == word) {
            return *form;
        }
        if !self.read.contains(&word) {
            self.read.push(word);
        }
        let known = self.carried.iter().find(|(slot, _)| *slot == word);
        Form {
            now: self.words[word as usize],
            step: Some(known.map_or(0, |&(_, step)| step)),
        }
    }

    fn set(&mut self, slot: Slot, form: Form) {
        match self.written.iter_mut().find(|(other, _)| *other == slot) {
            Some((_, old)) => *old = form,
            None => self.written.push((slot, form)),
        }
    }

    /// A word that is the same in every round; none if it is not.
    fn steady(&mut self, word: Word) -> Option<u64> {
        let form = self.get(word);
        (form.step == Some(0)).then_some(form.now)
    }

    /// A value that grows, as long as it stays within its type.
    fn set_linear(&mut self, to: Slot, now: u64, step: Option<i128>, shift: u8) {
        self.stays(i128::from(now), step, 0, i128::from(mask(shift)));
        self.set(to, Form { now, step });
    }

    /// The result of an operation that is followed only if nothing in it changes.
    fn set_steady(&mut self, to: Slot, a: Word, b: Word, op: impl Fn(u64, u64) -> u64) {
        let (a, b) = (self.get(a), self.get(b));
        let same = a.step == Some(0) && b.step == Some(0);
        let now = op(a.now, b.now);
        let step = same.then_some(0);
        self.set(to, Form { now, step });
    }

    /// A comparison by the sign of the difference, which lasts as long as that sign.
    fn set_compared(
        &mut self,
        to: Slot,
        a: Word,
        b: Word,
        shift: Option<u8>,
        outcome: impl Fn(i128) -> bool,
    ) {
        let (a, b) = (self.get(a), self.get(b));
        let number = |form: Form| match shift {
            Some(shift) => i128::from(signed(form.now, shift)),
            None => i128::from(form.now),
        };
        let order = number(a) - number(b);
        let step = both(a, b, |a, b| a - b);
        if let Some(shift) = shift {
            self.same_sign(a, shift);
            self.same_sign(b, shift);
        }
        match order.signum() {
            0 => self.stays(order, step, 0, 0),
            1 => self.stays(order, step, 1, i128::MAX),
            _ => self.stays(order, step, i128::MIN, -1),
        }
        let now = u64::from(outcome(order));
        let step = step.map(|_| 0);
        self.set(to, Form { now, step });
    }

    /// Does an operation overflow? That it does not lasts as long as the exact result is in range.
    fn set_overflow(&mut self, op: OverflowOp, to: Slot, (a, b): (Word, Word), shift: u8) {
        let (a, b) = (self.get(a), self.get(b));
        let now = u64::from(overflows(op, a.now, b.now, shift));
        let is_signed = match op {
            OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => true,
            OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => false,
        };
        let number = |form: Form| match is_signed {
            true => i128::from(signed(form.now, shift)),
            false => i128::from(form.now),
        };
        let (x, y) = (number(a), number(b));
        let (exact, step) = match op {
            OverflowOp::SAdd | OverflowOp::UAdd => (Some(x + y), both(a, b, |a, b| a + b)),
            OverflowOp::SSub | OverflowOp::USub => (Some(x - y), both(a, b, |a, b| a - b)),
            OverflowOp::SMul | OverflowOp::UMul => {
                let step = match (a.step, b.step) {
                    (Some(0), Some(step)) => step.checked_mul(x),
                    (Some(step), Some(0)) => step.checked_mul(y),
                    _ => None,
                };
                (x.checked_mul(y), step)
            }
        };
        let same = a.step == Some(0) && b.step == Some(0);
        let (Some(exact), Some(step), true) = (exact, step, now == 0 || same) else {
            self.set(to, Form { now, step: None });
            return;
        };
        if !same {
            if is_signed {
                self.same_sign(a, shift);
                self.same_sign(b, shift);
            }
            let most = i128::from(mask(shift));
            let (least, most) = match is_signed {
                true => (-(most / 2) - 1, most / 2),
                false => (0, most),
            };
            self.stays(exact, Some(step), least, most);
        }
        self.set(to, Form { now, step: Some(0) });
    }

    /// A signed value grows like its bits as long as its sign is the same.
    fn same_sign(&mut self, form: Form, shift: u8) {
        let half = i128::from(mask(shift) / 2);
        let now = i128::from(form.now);
        match now <= half {
            true => self.stays(now, form.step, 0, half),
            false => self.stays(now, form.step, half + 1, i128::from(mask(shift))),
        }
    }

    /// Counts the rounds for which a number that is in a range stays there.
    fn stays(&mut self, now: i128, step: Option<i128>, least: i128, most: i128) {
        let room = match step {
            None | Some(0) => return,
            Some(step) if step > 0 => most.saturating_sub(now) / step,
            Some(step) => now.saturating_sub(least) / -step,
        };
        let rounds = u64::try_from(room).unwrap_or(u64::MAX).saturating_add(1);
        self.rounds = self.rounds.min(rounds);
    }
}

fn both(a: Form, b: Form, combine: impl Fn(i128, i128) -> i128) -> Option<i128> {
    Some(combine(a.step?, b.step?))
}

/// The step of a product, as a signed number of the type's width: what it grows by, if it stays within its type.
fn product(step: i128, factor: u64, shift: u8) -> Option<i128> {
    let exact = step.checked_mul(i128::from(factor))?;
    Some(i128::from(signed(exact as u64 & mask(shift), shift)))
}
