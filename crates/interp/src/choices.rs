//! Where free choices come from: zeros, a list, a seed, or a recorded trace.

use std::collections::VecDeque;
use std::fmt;

use base::Bv;
pub use results::trace::Fill;
pub(crate) use results::trace::mix;
use results::trace::{Event, Trace};

/// The choice that a new object is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ObjectChoice {
    /// Its address; none for the next free one.
    pub address: Option<u64>,
    /// Its contents.
    pub fill: Fill,
}

/// A source of choices that cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// No choice is left.
    Exhausted,
    /// The next choice does not fit what the execution asks for; the sentence says why.
    Mismatch(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Exhausted => write!(f, "no choice is left"),
            Refusal::Mismatch(why) => write!(f, "{why}"),
        }
    }
}

/// Answers each question of an execution, in order.
pub trait Choices {
    /// A value of this many bits.
    fn value(&mut self, width: u32) -> Result<Bv, Refusal>;

    /// A new object of this many bytes, or a scope entered.
    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal>;

    /// Bytes for a range of this length.
    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal>;

    /// Changes that unknown code makes, as address and byte, inside the given ranges (start
    /// address, length).
    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal>;
}

/// Every value is 0, every byte is 0, unknown code changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zeros;

impl Choices for Zeros {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        Ok(Bv::zero(width))
    }

    fn object(&mut self, _size: u64) -> Result<ObjectChoice, Refusal> {
        Ok(ObjectChoice::default())
    }

    fn bytes(&mut self, _len: u64) -> Result<Fill, Refusal> {
        Ok(Fill::Zero)
    }

    fn clobber(&mut self, _reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        Ok(Vec::new())
    }
}

/// What follows the last value of a [`List`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rest {
    /// The run ends with [`Outcome::Refused`](crate::Outcome::Refused).
    #[default]
    Stop,
    /// Zeros without end.
    Zeros,
}

/// Values from a list, cut or zero-extended to the width asked for; bytes are 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct List {
    /// The values, first one first.
    pub values: VecDeque<Bv>,
    /// What comes then.
    pub rest: Rest,
}

impl List {
    /// A list of values that ends with the last.
    pub fn new(values: impl IntoIterator<Item = Bv>) -> List {
        List {
            values: values.into_iter().collect(),
            rest: Rest::Stop,
        }
    }
}

impl Choices for List {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        match (self.values.pop_front(), self.rest) {
            (Some(value), _) => Ok(value.zext_or_trunc(width)),
            (None, Rest::Zeros) => Ok(Bv::zero(width)),
            (None, Rest::Stop) => Err(Refusal::Exhausted),
        }
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        Zeros.object(size)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        Zeros.bytes(len)
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        Zeros.clobber(reach)
    }
}

/// Random choices that depend on the seed only. Small numbers and the ends of the range come up
/// more often than chance would have it, because programs treat them specially.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seed {
    state: u64,
}

impl Seed {
    /// The choices of this seed.
    pub fn new(seed: u64) -> Seed {
        Seed { state: seed }
    }

    /// Any value of this many bits, none more often than another.
    pub fn bits(&mut self, width: u32) -> Bv {
        let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.next()).collect();
        Bv::from_words(&words, width)
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }
}

impl Choices for Seed {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        let pick = self.next();
        Ok(match pick % 8 {
            0 | 1 => Bv::from_i64((pick >> 8) as i64 % 20 - 8, width),
            2 => match pick >> 8 & 3 {
                0 => Bv::int_min(width),
                1 => Bv::int_max(width),
                2 => Bv::ones(width),
                _ => Bv::zero(width),
            },
            _ => self.bits(width),
        })
    }

    fn object(&mut self, _size: u64) -> Result<ObjectChoice, Refusal> {
        Ok(ObjectChoice {
            address: None,
            fill: Fill::Seeded(self.next()),
        })
    }

    fn bytes(&mut self, _len: u64) -> Result<Fill, Refusal> {
        Ok(Fill::Seeded(self.next()))
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        let ranges: Vec<(u64, u64)> = reach.iter().copied().filter(|&(_, len)| len > 0).collect();
        if ranges.is_empty() {
            return Ok(Vec::new());
        }
        let count = self.next() % 5;
        let mut changes = Vec::new();
        for _ in 0..count {
            let (start, len) = ranges[(self.next() % ranges.len() as u64) as usize];
            let offset = self.next() % len;
            changes.push((start + offset, self.next() as u8));
        }
        Ok(changes)
    }
}

/// A recorded execution, handed out again. Strict: an event of another kind, width or place than
/// the execution asks for is a mismatch.
#[derive(Clone, Debug)]
pub struct Recorded<'a> {
    events: &'a [Event],
    next: usize,
}

impl<'a> Recorded<'a> {
    /// The events of a trace, from the first.
    pub fn new(trace: &'a Trace) -> Recorded<'a> {
        Recorded {
            events: &trace.events,
            next: 0,
        }
    }

    /// How many events have been used.
    pub fn used(&self) -> usize {
        self.next
    }

    fn take(&mut self) -> Result<&'a Event, Refusal> {
        let event = self.events.get(self.next).ok_or(Refusal::Exhausted)?;
        self.next += 1;
        Ok(event)
    }

    fn mismatch<T>(&self, asked: &str, event: &Event) -> Result<T, Refusal> {
        let found = match event {
            Event::Value(bv) => format!("a value of {} bits", bv.width()),
            Event::Object { .. } => "an object".to_string(),
            Event::Bytes(_) => "bytes".to_string(),
            Event::Clobber(_) => "changes by unknown code".to_string(),
        };
        let number = self.next - 1;
        Err(Refusal::Mismatch(format!(
            "event {number} is {found}, but the execution asks for {asked}"
        )))
    }
}

impl Choices for Recorded<'_> {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        match self.take()? {
            Event::Value(bv) if bv.width() == width => Ok(bv.clone()),
            other => self.mismatch(&format!("a value of {width} bits"), other),
        }
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        match self.take()? {
            Event::Object { address, bytes } => Ok(ObjectChoice {
                address: *address,
                fill: Fill::listed(bytes),
            }),
            other => self.mismatch(&format!("an object of {size} bytes"), other),
        }
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        match self.take()? {
            Event::Bytes(bytes) => Ok(Fill::listed(bytes)),
            other => self.mismatch(&format!("{len} bytes"), other),
        }
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        let changes = match self.take()? {
            Event::Clobber(changes) => changes,
            other => return self.mismatch("changes by unknown code", other),
        };
        let inside = |address: u64| {
            reach
                .iter()
                .any(|&(start, len)| address.wrapping_sub(start) < len)
        };
        match changes.iter().find(|&&(address, _)| !inside(address)) {
            None => Ok(changes.clone()),
            Some((address, _)) => Err(Refusal::Mismatch(format!(
                "event {} changes address {address:#x}, which unknown code cannot reach",
                self.next - 1
            ))),
        }
    }
}

/// An execution as a suggestion: an event is used where it fits what is asked for, else the answer is zero.
#[derive(Clone, Debug)]
pub struct Told {
    events: VecDeque<Event>,
}

impl Told {
    /// The events, from the first.
    pub fn new(events: Vec<Event>) -> Told {
        Told {
            events: events.into(),
        }
    }

    /// The next event, if it is one of these.
    fn take(&mut self, fits: impl Fn(&Event) -> bool) -> Option<Event> {
        self.events.front().filter(|event| fits(event))?;
        self.events.pop_front()
    }
}

impl Choices for Told {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        let fits = |event: &Event| matches!(event, Event::Value(bv) if bv.width() == width);
        match self.take(fits) {
            Some(Event::Value(bv)) => Ok(bv),
            _ => Zeros.value(width),
        }
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        match self.take(|event| matches!(event, Event::Object { .. })) {
            Some(Event::Object { address, bytes }) => Ok(ObjectChoice {
                address,
                fill: Fill::listed(&bytes),
            }),
            _ => Zeros.object(size),
        }
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        match self.take(|event| matches!(event, Event::Bytes(_))) {
            Some(Event::Bytes(bytes)) => Ok(Fill::listed(&bytes)),
            _ => Zeros.bytes(len),
        }
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        let inside = |address: u64| {
            reach
                .iter()
                .any(|&(start, len)| address.wrapping_sub(start) < len)
        };
        match self.take(|event| matches!(event, Event::Clobber(_))) {
            Some(Event::Clobber(changes)) => Ok(changes
                .into_iter()
                .filter(|&(address, _)| inside(address))
                .collect()),
            _ => Zeros.clobber(reach),
        }
    }
}
