//! An execution for people: one line for each source line, with what changed there.
//!
//! ```text
//! f.c:3: int n = sk_nondet_int();  // input 5, n = 5
//! f.c:4: int s = sum(n);
//!   f.c:9: for (int i = 0; i < n; i++)  // i = 0
//!   f.c:10: s += i;  // s = 0
//!   … 6 more lines
//!   f.c:10: s += i;  // s = 10
//! ```
//!
//! Indentation is the depth of calls, inlined ones included. A line that an activation has
//! visited a few times, or the whole run often, is held back with all that it calls; the last
//! lines held back are shown when something new happens, so that the end of a loop is seen as well
//! as its start. Models of library functions are not shown.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;

use base::Place;
use ir::syntax::{Module, NondetKind, PlaceId, Var};
use results::trace::Event;

use crate::observe::{Asked, Observer};
use crate::outcome::{Failure, Outcome};
use crate::view::View;

/// Visits of a line by one activation that are shown.
const VISITS_OF_ONE: u32 = 3;
/// Visits of a line by all activations that are shown.
const VISITS_OF_ALL: u32 = 40;
/// Lines that are shown after others were held back.
const LAST: usize = 8;

/// Text of a source line, by file and number.
pub type Source<'a> = &'a dyn Fn(&str, u32) -> Option<String>;

/// Writes an execution, line by line. Errors of the writer are ignored.
pub struct TraceWriter<'a> {
    out: &'a mut dyn Write,
    source: Source<'a>,
    /// One for each activation.
    frames: Vec<Activation>,
    /// The line being executed.
    current: Option<Line>,
    visits: BTreeMap<(String, u32), u32>,
    held: VecDeque<String>,
    held_count: usize,
}

#[derive(Default)]
struct Activation {
    shown: BTreeMap<Var, String>,
    visits: BTreeMap<(String, u32), u32>,
    /// Was the last line held back? Then so are the lines of what it calls.
    held: bool,
    /// Was the line that called held back?
    muted: bool,
}

struct Line {
    frame: usize,
    indent: usize,
    file: String,
    number: u32,
    notes: Vec<String>,
}

impl<'a> TraceWriter<'a> {
    /// Writes to `out`; `source` knows the text of source lines, if anybody does.
    pub fn new(out: &'a mut dyn Write, source: Source<'a>) -> TraceWriter<'a> {
        TraceWriter {
            out,
            source,
            frames: Vec::new(),
            current: None,
            visits: BTreeMap::new(),
            held: VecDeque::new(),
            held_count: 0,
        }
    }

    /// Ends the current line: adds what changed, and writes or holds it back.
    fn finish(&mut self, view: Option<&View<'_>>) {
        let Some(mut line) = self.current.take() else {
            return;
        };
        if let Some(view) = view {
            if line.frame < view.depth() {
                let activation = &mut self.frames[line.frame];
                for shown in view.variables(line.frame) {
                    if activation.shown.get(&shown.var) != Some(&shown.value) {
                        line.notes.push(format!("{} = {}", shown.name, shown.value));
                        activation.shown.insert(shown.var, shown.value);
                    }
                }
            }
        }
        let text = match (self.source)(&line.file, line.number) {
            Some(text) => format!(" {}", text.trim()),
            None => String::new(),
        };
        let notes = match line.notes.is_empty() {
            true => String::new(),
            false => format!("  // {}", line.notes.join(", ")),
        };
        let indent = "  ".repeat(line.indent.min(40));
        let whole = format!("{indent}{}:{}:{text}{notes}", line.file, line.number);
        let key = (line.file, line.number);
        let all = self.visits.entry(key.clone()).or_default();
        *all += 1;
        let activation = &mut self.frames[line.frame];
        let mine = activation.visits.entry(key).or_default();
        *mine += 1;
        activation.held = activation.muted || *mine > VISITS_OF_ONE || *all > VISITS_OF_ALL;
        if activation.held {
            self.held_count += 1;
            self.held.push_back(whole);
            if self.held.len() > LAST {
                self.held.pop_front();
            }
        } else {
            self.release();
            writeln!(self.out, "{whole}").ok();
        }
    }

    /// Writes the last lines that were held back.
    fn release(&mut self) {
        let hidden = self.held_count - self.held.len();
        if hidden > 0 {
            let word = if hidden == 1 { "line" } else { "lines" };
            let indent = self
                .held
                .front()
                .map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
            writeln!(self.out, "{}… {hidden} more {word}", " ".repeat(indent)).ok();
        }
        for line in self.held.drain(..) {
            writeln!(self.out, "{line}").ok();
        }
        self.held_count = 0;
    }
}

/// The calls through which a place was inlined.
fn inlined(module: &Module, place: PlaceId) -> usize {
    let mut count = 0;
    let mut at = module.places.get(place).and_then(|data| data.inlined_at);
    while let Some(next) = at {
        count += 1;
        at = module.places.get(next).and_then(|data| data.inlined_at);
    }
    count
}

impl Observer for TraceWriter<'_> {
    fn step(&mut self, view: &View<'_>) {
        let module = view.module();
        let frame = view.depth() - 1;
        if module.funcs[view.func()].model || view.is_start(frame) {
            return;
        }
        let Some(id) = view.place() else {
            return;
        };
        let Some(data) = module.places.get(id) else {
            return;
        };
        if data.place.line == 0 {
            return;
        }
        let same = self.current.as_ref().is_some_and(|line| {
            line.frame == frame && line.number == data.place.line && *line.file == *data.place.file
        });
        if same {
            return;
        }
        self.finish(Some(view));
        self.frames.truncate(view.depth());
        while self.frames.len() < view.depth() {
            let muted = self.frames.last().is_some_and(|caller| caller.held);
            self.frames.push(Activation {
                held: muted,
                muted,
                ..Activation::default()
            });
        }
        // The start function is no call of anybody's.
        let outer = view.depth().saturating_sub(2);
        self.current = Some(Line {
            frame,
            indent: outer + inlined(module, id),
            file: data.place.file.to_string(),
            number: data.place.line,
            notes: Vec::new(),
        });
    }

    fn choice(&mut self, asked: Asked, event: &Event, _place: Option<PlaceId>) {
        let word = match asked {
            Asked::Nondet(NondetKind::Input) => "input",
            Asked::Nondet(NondetKind::Extern) => "unknown code returns",
            Asked::Volatile => "volatile",
            Asked::Outside => "outside",
            Asked::Nondet(NondetKind::Approx | NondetKind::Uninit | NondetKind::Undef)
            | Asked::Alloc
            | Asked::Scope
            | Asked::Bytes
            | Asked::Clobber => return,
        };
        if let (Event::Value(value), Some(line)) = (event, &mut self.current) {
            line.notes.push(format!("{word} {}", value.to_dec_signed()));
        }
    }

    fn failure(&mut self, view: &View<'_>, failure: &Failure) {
        self.finish(Some(view));
        self.release();
        let module = view.module();
        let data = &module.obligations[failure.obligation];
        let place: Option<&Place> = data
            .place
            .and_then(|place| module.places.get(place))
            .map(|data| &data.place);
        if let Some(place) = place {
            write!(self.out, "{place}: ").ok();
        }
        writeln!(
            self.out,
            "[{}.{}.{}] {}: VIOLATED",
            data.func, data.check, data.ordinal, data.text
        )
        .ok();
        write!(self.out, "{}", failure.explanation).ok();
    }

    fn end(&mut self, outcome: &Outcome) {
        self.finish(None);
        self.release();
        if !matches!(outcome, Outcome::Violated(_)) {
            writeln!(self.out, "{outcome}").ok();
        }
    }
}
