//! Executions that learn from earlier ones.
//!
//! Inputs at random rarely get past three conditions in a row. But an execution that gets past the first one can
//! be kept and varied, until one of its variants gets past the second. That is what fuzzers do: the pool keeps the choices of
//! each execution that took a way at some branch which none had taken before (or took it more often, by powers of
//! two), and every other execution repeats one of them with a few changes. Choices that it does not have follow a
//! habit, like those of all others.

use base::Bv;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal};
use interp::{Outcome, Run};
use results::trace::Event;

use crate::habits::Habits;

/// The most executions that are kept; later ones take the place of earlier ones.
const KEPT: usize = 512;
/// The most choices of an execution that is kept.
const LONGEST: usize = 1 << 14;

/// Executions worth varying.
#[derive(Default)]
pub(crate) struct Pool {
    kept: Vec<Vec<Event>>,
    /// The next one to be replaced, once the pool is full.
    oldest: usize,
    /// For each way at a branch, one bit for each power of two of how often it was taken.
    seen: Vec<u8>,
}

impl Pool {
    /// The choices for the next execution: a variant of one that was kept, or what the habit says.
    pub(crate) fn next<'a>(&'a self, number: u64, mut habits: Habits<'a>) -> Variant<'a> {
        let (mut events, mut from, mut rate): (&[Event], usize, u64) = (&[], 0, 1);
        if number % 2 == 0 && !self.kept.is_empty() {
            // Half of them from the newest ones, which came furthest.
            let count = self.kept.len() as u64;
            let newest = (count / 4).max(1);
            let index = match habits.number() % 2 {
                0 => habits.number() % count,
                _ => count - 1 - habits.number() % newest,
            };
            events = &self.kept[index as usize];
            let end = events.len();
            match habits.number() % 4 {
                // Goes on where the other one ended, without a change before.
                0 => {
                    from = end;
                    events = &events[..end.saturating_sub(habits.number() as usize % 2)];
                }
                // Changes what came last: that is where the way was new.
                1 | 2 => from = end.saturating_sub(1 + habits.number() as usize % 4),
                _ => {}
            }
            let changes = 1 + habits.number() as usize % 4;
            rate = (end.saturating_sub(from) / changes).max(1) as u64;
        }
        Variant {
            events,
            next: 0,
            from,
            rate,
            habits,
        }
    }

    /// Keeps an execution's choices if it came somewhere new.
    pub(crate) fn learn(&mut self, run: &mut Run) {
        let ways = std::mem::take(&mut run.ways);
        self.seen.resize(ways.len().max(self.seen.len()), 0);
        let mut new = false;
        for (&count, seen) in ways.iter().zip(&mut self.seen) {
            if count > 0 {
                let bit = 1 << count.ilog2();
                new |= *seen & bit == 0;
                *seen |= bit;
            }
        }
        let counts = match run.outcome {
            Outcome::Returned(_)
            | Outcome::Exited(_)
            | Outcome::Aborted
            | Outcome::Violated(_)
            | Outcome::AssumeFailed
            | Outcome::StepLimit => true,
            Outcome::DepthLimit
            | Outcome::MemoryLimit(_)
            | Outcome::Refused(_)
            | Outcome::Stuck(_)
            | Outcome::Error(_) => false,
        };
        let events = &run.trace.events;
        if !new || !counts || events.is_empty() || events.len() > LONGEST {
            return;
        }
        if self.kept.len() < KEPT {
            self.kept.push(events.clone());
        } else {
            self.kept[self.oldest] = events.clone();
            self.oldest = (self.oldest + 1) % KEPT;
        }
    }
}

/// The choices of an earlier execution, with changes.
pub(crate) struct Variant<'a> {
    events: &'a [Event],
    next: usize,
    /// From this choice on, one of so many is changed.
    from: usize,
    rate: u64,
    /// What else is chosen.
    habits: Habits<'a>,
}

impl<'a> Variant<'a> {
    /// The earlier execution's next event.
    fn earlier(&mut self) -> Option<&'a Event> {
        let event = self.events.get(self.next)?;
        self.next += 1;
        Some(event)
    }

    fn changes(&mut self) -> bool {
        self.next > self.from && self.habits.number() % self.rate == 0
    }

    /// Another value in place of this one.
    fn change(&mut self, value: &Bv) -> Result<Bv, Refusal> {
        let width = value.width();
        let events = self.events;
        let habits = &mut self.habits;
        let small = Bv::from_u64(1 + habits.number() % 4, width);
        Ok(match habits.number() % 8 {
            0 => value.add(&small),
            1 => value.sub(&small),
            2 => habits.constant(width),
            3 => {
                let bit = (habits.number() % u64::from(width)) as u32;
                let one = Bv::from_u64(1, width);
                value.xor(&one.shl(&Bv::from_u64(u64::from(bit), width)))
            }
            // One that was chosen elsewhere: programs like equal things.
            4 => {
                let index = habits.number() % events.len() as u64;
                match &events[index as usize] {
                    Event::Value(other) => other.zext_or_trunc(width),
                    Event::Object { .. } | Event::Bytes(_) | Event::Clobber(_) => {
                        habits.value(width)?
                    }
                }
            }
            5 => habits.value(width)?,
            _ => habits.anything(width),
        })
    }

    /// The same bytes, or one of them changed.
    fn change_bytes(&mut self, bytes: &[(u64, u8)]) -> Fill {
        let mut bytes = bytes.to_vec();
        if self.changes() && !bytes.is_empty() {
            let habits = &mut self.habits;
            let index = habits.number() as usize % bytes.len();
            bytes[index].1 = match habits.number() % 3 {
                0 => habits.constant(8).low_u64() as u8,
                1 => bytes[index].1.wrapping_add(1),
                _ => habits.number() as u8,
            };
        }
        Fill::listed(&bytes)
    }
}

impl Choices for Variant<'_> {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        match self.earlier() {
            Some(Event::Value(value)) => {
                let value = value.zext_or_trunc(width);
                match self.changes() {
                    true => self.change(&value),
                    false => Ok(value),
                }
            }
            Some(Event::Object { .. } | Event::Bytes(_) | Event::Clobber(_)) | None => {
                self.habits.value(width)
            }
        }
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        match self.earlier() {
            Some(Event::Object { bytes, .. }) => Ok(ObjectChoice {
                address: None,
                fill: self.change_bytes(bytes),
            }),
            Some(Event::Value(_) | Event::Bytes(_) | Event::Clobber(_)) | None => {
                self.habits.object(size)
            }
        }
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        match self.earlier() {
            Some(Event::Bytes(bytes)) => Ok(self.change_bytes(bytes)),
            Some(Event::Value(_) | Event::Object { .. } | Event::Clobber(_)) | None => {
                self.habits.bytes(len)
            }
        }
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        // Addresses that an earlier execution chose need not be in reach now.
        self.earlier();
        self.habits.clobber(reach)
    }
}

#[cfg(test)]
mod tests {
    use interp::Bindings;
    use interp::config::{Config, Ways};

    use super::*;
    use crate::habits::Constants;

    /// Reads bytes, and goes on only if each is the one that it wants; no comparison has it as a constant.
    fn lock(bytes: u32) -> ir::syntax::Module {
        let mut text = "module pure ptr64
entry @start
obligation o0 start.assert.1 \"the lock stays closed\"
fn @start() {
"
        .to_owned();
        for index in 0..bytes {
            let value = 4 * index;
            text.push_str(&format!(
                "b{index}:
    v{value} = nondet.i8 input
    v{a} = mul.i8 v{value}, 77
    v{b} = xor.i8 v{a}, {key}
    v{c} = eq.i8 v{b}, 0
    branch v{c}, b{next}, b{end}
",
                a = value + 1,
                b = value + 2,
                c = value + 3,
                key = 31 + 40 * (index % 5),
                next = index + 1,
                end = bytes + 1,
            ));
        }
        text.push_str(&format!(
            "b{bytes}:\n    check o0, 0:i1\n    return\nb{}:\n    return\n}}\n",
            bytes + 1
        ));
        ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// Opens the lock within so many executions?
    fn opens(bytes: u32, executions: u64, learns: bool) -> bool {
        let module = lock(bytes);
        let constants = Constants::only(0);
        let config = Config {
            ways: Ways::Noted,
            ..Config::default()
        };
        let mut pool = Pool::default();
        (0..executions).any(|number| {
            let mut choices = pool.next(number, Habits::new(number / 2, &constants));
            let mut run = interp::run(&module, &config, Bindings::new(&mut choices));
            if learns {
                pool.learn(&mut run);
            }
            matches!(run.outcome, Outcome::Violated(_))
        })
    }

    #[test]
    fn executions_that_come_further_are_varied() {
        assert!(opens(6, 60_000, true));
        assert!(!opens(6, 60_000, false));
    }

    #[test]
    fn what_was_kept_is_limited() {
        let mut pool = Pool::default();
        let module = lock(1);
        let mut choices = interp::choices::Zeros;
        let run = interp::run(&module, &Config::default(), Bindings::new(&mut choices));
        for count in 0..2 * KEPT {
            let mut ways = vec![0; interp::WAYS];
            ways[count] = 1;
            pool.learn(&mut Run {
                ways,
                ..run.clone()
            });
        }
        assert_eq!(pool.kept.len(), KEPT);
        // The same way again is nothing new, more often is.
        let kept = pool.oldest;
        for (count, oldest) in [(1, kept), (3, kept + 1), (2, kept + 1)] {
            let mut ways = vec![0; interp::WAYS];
            ways[7] = count;
            pool.learn(&mut Run {
                ways,
                ..run.clone()
            });
            assert_eq!(pool.oldest, oldest, "{count}");
        }
    }
}
