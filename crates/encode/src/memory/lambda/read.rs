//! Reading scalars from contents.
//!
//! A read may go through many layers, and a layer may copy from other contents with layers of their own. What
//! waits for the value of another read is kept in a list of its own, so that no chain is too deep.

use std::rc::Rc;

use terms::Term;

use super::{Lambda, Layer, Under};
use crate::memory::{Init, Piece, Scalar};
use crate::world::World;

/// The most offsets of one read that are not constant, where the others are.
const MOST_OTHERS: usize = 2;

/// What is read.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) offset: Term,
    pub(super) width: u32,
    /// The size of the object, if it is constant.
    pub(super) size: Option<u64>,
}

/// A read.
pub(super) enum Task {
    /// Of contents.
    Contents(Lambda, Place),
    /// Of a layer and what is below.
    Layers(Rc<Layer>, Place),
}

/// What comes next.
enum Step {
    Start(Task),
    Done(Scalar),
}

/// A read that waits for the value of another one.
enum Frame {
    Walk(Walk, Awaited),
    Over(Over),
    Bytes(Bytes),
    Choice(Choice),
}

/// A read at one of few offsets.
struct Choice {
    contents: Lambda,
    place: Place,
    /// What was read so far, and when that is it.
    values: Vec<(Scalar, Term)>,
    /// When the offset that is awaited is the one.
    guard: Term,
    todo: Vec<(Term, Term)>,
}

/// A read through a chain of layers: in order, until one decides; then their guarded values from the bottom up.
struct Walk {
    first: u32,
    at: Rc<Layer>,
    place: Place,
    pending: Vec<(Term, Scalar)>,
}

/// What a walk waits for.
enum Awaited {
    /// What the layer says if the gate holds.
    Gated(Term),
    /// What is below the layers.
    Bottom,
    /// Each byte by itself, from this layer on.
    Bytewise(Vec<Piece>),
}

/// Bytes at constant offsets over what a symbolic read finds below them.
struct Over {
    contents: Lambda,
    place: Place,
    /// So far, and what the next value is read for; nothing as long as what is below is awaited.
    result: Option<(Scalar, Term)>,
    todo: std::vec::IntoIter<u64>,
}

/// Bytes at constant offsets, of which some are not written.
struct Bytes {
    contents: Lambda,
    at: u64,
    width: u32,
    pieces: Vec<Piece>,
}

/// What a layer says about a read.
pub(super) enum Says {
    /// It is this.
    Value(Scalar),
    /// It is this if the gate holds, else what is below.
    If(Term, Scalar),
    /// It is what that read finds if the gate holds, else what is below.
    Read(Term, Task),
    /// It is what is below.
    Nothing,
    /// Not as a whole: each byte by itself.
    Bytewise,
}

impl World<'_> {
    /// Reads `width` bytes at an offset. `size` is the object's size, if it is constant.
    pub(super) fn read_lambda(
        &mut self,
        contents: &Lambda,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        let place = Place {
            offset,
            width,
            size,
        };
        let mut frames = Vec::new();
        let step = self.start_contents(contents.clone(), place, &mut frames);
        self.finish(step, frames)
    }

    /// Reads `width` bytes at a constant offset.
    pub(super) fn read_at(&mut self, contents: &Lambda, at: u64, width: u32) -> Scalar {
        let mut frames = Vec::new();
        let step = self.start_at(contents, at, width, &mut frames);
        self.finish(step, frames)
    }

    fn finish(&mut self, mut step: Step, mut frames: Vec<Frame>) -> Scalar {
        loop {
            step = match step {
                Step::Start(Task::Contents(contents, place)) => {
                    self.start_contents(contents, place, &mut frames)
                }
                Step::Start(Task::Layers(layer, place)) => {
                    self.start_layers(layer, place, &mut frames)
                }
                Step::Done(scalar) => match frames.pop() {
                    None => return scalar,
                    Some(Frame::Walk(walk, awaited)) => {
                        self.go_on(walk, awaited, scalar, &mut frames)
                    }
                    Some(Frame::Over(over)) => self.put_over(over, scalar, &mut frames),
                    Some(Frame::Bytes(mut bytes)) => {
                        bytes.pieces.push(Piece::single(scalar));
                        self.next_byte(bytes, &mut frames)
                    }
                    Some(Frame::Choice(choice)) => self.next_case(choice, scalar, &mut frames),
                },
            }
        }
    }

    fn start_contents(&mut self, contents: Lambda, place: Place, frames: &mut Vec<Frame>) -> Step {
        if let Some(at) = self.terms.as_u64(place.offset) {
            return self.start_at(&contents, at, place.width, frames);
        }
        if let Some(mut cases) = self.inside_cases(place) {
            let (offset, guard) = cases.pop().expect("some offset is possible");
            let first = Task::Contents(contents.clone(), Place { offset, ..place });
            frames.push(Frame::Choice(Choice {
                contents,
                place,
                values: Vec::with_capacity(cases.len() + 1),
                guard,
                todo: cases,
            }));
            return Step::Start(first);
        }
        match &contents.under {
            Under::Init(init) => {
                let (init, width) = (*init, place.width);
                Step::Done(self.read_spread(&contents, init, place.offset, width, place.size))
            }
            Under::Layer(layer) => {
                let layer = layer.clone();
                frames.push(Frame::Over(Over {
                    contents,
                    place,
                    result: None,
                    todo: Vec::new().into_iter(),
                }));
                Step::Start(Task::Layers(layer, place))
            }
        }
    }

    /// The offsets of a read that are few and inside of the object, and when they are the ones; nothing if they are not
    /// known one by one, but for very few. What is read outside does not matter.
    fn inside_cases(&mut self, place: Place) -> Option<Vec<(Term, Term)>> {
        let mut cases = self.terms.cases(place.offset)?.to_vec();
        let others = |&&(offset, _): &&(Term, Term)| !self.terms.is_const(offset);
        if cases.iter().filter(others).count() > MOST_OTHERS {
            return None;
        }
        if let Some(size) = place.size {
            let last = size.checked_sub(u64::from(place.width))?;
            let outside = |offset: Term| self.terms.as_u64(offset).is_some_and(|at| at > last);
            cases.retain(|&(offset, _)| !outside(offset));
        }
        (!cases.is_empty()).then_some(cases)
    }

    /// One of few offsets was read; the next one is, or all are put together.
    fn next_case(&mut self, mut choice: Choice, scalar: Scalar, frames: &mut Vec<Frame>) -> Step {
        choice.values.push((scalar, choice.guard));
        if let Some((offset, guard)) = choice.todo.pop() {
            choice.guard = guard;
            let place = Place {
                offset,
                ..choice.place
            };
            let next = Task::Contents(choice.contents.clone(), place);
            frames.push(Frame::Choice(choice));
            return Step::Start(next);
        }
        let mut values = choice.values.into_iter();
        let (mut result, _) = values.next().expect("something was read");
        for (scalar, guard) in values {
            result = self.merge_scalars(guard, scalar, result);
        }
        Step::Done(result)
    }

    fn start_at(
        &mut self,
        contents: &Lambda,
        at: u64,
        width: u32,
        frames: &mut Vec<Frame>,
    ) -> Step {
        if let Some(scalar) = contents.scalar_at(at, width) {
            return Step::Done(scalar);
        }
        let hole = |i: u32| contents.piece(at.wrapping_add(u64::from(i))) == Piece::Hole;
        match &contents.under {
            Under::Init(init) => Step::Done(self.read_over_init(contents, *init, at, width)),
            Under::Layer(layer) if (0..width).all(hole) => {
                let offset = self.word(at);
                let place = Place {
                    offset,
                    width,
                    size: None,
                };
                Step::Start(Task::Layers(layer.clone(), place))
            }
            Under::Layer(_) => {
                let bytes = Bytes {
                    contents: contents.clone(),
                    at,
                    width,
                    pieces: Vec::with_capacity(width as usize),
                };
                self.next_byte(bytes, frames)
            }
        }
    }

    /// Reads at a constant offset where there are no layers.
    pub(super) fn read_over_init(
        &mut self,
        contents: &Lambda,
        init: Init,
        at: u64,
        width: u32,
    ) -> Scalar {
        if let Some(scalar) = contents.scalar_at(at, width) {
            return scalar;
        }
        let offsets = (0..u64::from(width)).map(|i| at.wrapping_add(i));
        if offsets.clone().all(|at| contents.piece(at) == Piece::Hole) {
            return self.init_at(init, at, width);
        }
        let mut pieces = Vec::with_capacity(width as usize);
        for here in offsets {
            pieces.push(match contents.piece(here) {
                Piece::Hole => Piece::single(self.init_at(init, here, 1)),
                byte @ Piece::Byte { .. } => byte,
            });
        }
        self.assemble(&pieces)
    }

    fn next_byte(&mut self, mut bytes: Bytes, frames: &mut Vec<Frame>) -> Step {
        while bytes.pieces.len() < bytes.width as usize {
            let here = bytes.at.wrapping_add(bytes.pieces.len() as u64);
            match (bytes.contents.piece(here), &bytes.contents.under) {
                (Piece::Hole, Under::Layer(layer)) => {
                    let (layer, offset) = (layer.clone(), self.word(here));
                    frames.push(Frame::Bytes(bytes));
                    let place = Place {
                        offset,
                        width: 1,
                        size: None,
                    };
                    return Step::Start(Task::Layers(layer, place));
                }
                (Piece::Hole, Under::Init(_)) => unreachable!("there are layers below"),
                (byte @ Piece::Byte { .. }, _) => bytes.pieces.push(byte),
            }
        }
        Step::Done(self.assemble(&bytes.pieces))
    }

    /// What the bytes written at constant offsets say about a read at a symbolic one.
    fn put_over(&mut self, mut over: Over, scalar: Scalar, frames: &mut Vec<Frame>) -> Step {
        let Place { offset, width, .. } = over.place;
        let mut result = match over.result.take() {
            None => {
                over.todo = self.touched(&over.contents, offset, width).into_iter();
                scalar
            }
            Some((others, gate)) => self.merge_scalars(gate, scalar, others),
        };
        while let Some(at) = over.todo.next() {
            let here = self.word(at);
            let gate = self.terms.eq(offset, here);
            if self.terms.as_bool(gate) == Some(false) {
                continue;
            }
            if let Some(value) = over.contents.scalar_at(at, width) {
                result = self.merge_scalars(gate, value, result);
                continue;
            }
            let contents = over.contents.clone();
            over.result = Some((result, gate));
            frames.push(Frame::Over(over));
            return self.start_at(&contents, at, width, frames);
        }
        Step::Done(result)
    }

    fn start_layers(&mut self, layer: Rc<Layer>, place: Place, frames: &mut Vec<Frame>) -> Step {
        let key = (layer.id, place.offset, place.width);
        if let Some(&scalar) = self.kept.lambda.reads.get(&key) {
            return Step::Done(scalar);
        }
        let walk = Walk {
            first: layer.id,
            at: layer,
            place,
            pending: Vec::new(),
        };
        self.walk(walk, frames)
    }

    fn walk(&mut self, mut walk: Walk, frames: &mut Vec<Frame>) -> Step {
        loop {
            match self.layer_says(&walk.at, walk.place) {
                Says::Value(scalar) => return self.end_walk(walk, scalar),
                Says::If(gate, scalar) => walk.pending.push((gate, scalar)),
                Says::Read(gate, task) => {
                    frames.push(Frame::Walk(walk, Awaited::Gated(gate)));
                    return Step::Start(task);
                }
                Says::Nothing => {}
                Says::Bytewise => return self.walk_bytes(walk, Vec::new(), frames),
            }
            match self.descend(walk, frames) {
                Ok(deeper) => walk = deeper,
                Err(step) => return step,
            }
        }
    }

    /// The value that a walk waited for is there.
    fn go_on(
        &mut self,
        mut walk: Walk,
        awaited: Awaited,
        scalar: Scalar,
        frames: &mut Vec<Frame>,
    ) -> Step {
        match awaited {
            Awaited::Bottom => return self.end_walk(walk, scalar),
            Awaited::Bytewise(mut pieces) => {
                pieces.push(Piece::single(scalar));
                return self.walk_bytes(walk, pieces, frames);
            }
            Awaited::Gated(gate) => match self.terms.as_bool(gate) {
                Some(true) => return self.end_walk(walk, scalar),
                Some(false) => {}
                None => walk.pending.push((gate, scalar)),
            },
        }
        match self.descend(walk, frames) {
            Ok(deeper) => self.walk(deeper, frames),
            Err(step) => step,
        }
    }

    /// The walk at the next layer, if nothing that matters was written between the two.
    fn descend(&mut self, mut walk: Walk, frames: &mut Vec<Frame>) -> Result<Walk, Step> {
        let (below, place) = (&walk.at.below, walk.place);
        let plain = match self.terms.as_u64(place.offset) {
            Some(at) => {
                (0..u64::from(place.width)).all(|i| below.piece(at.wrapping_add(i)) == Piece::Hole)
            }
            None => below.bytes.is_empty(),
        };
        match &below.under {
            Under::Layer(next) if plain => {
                walk.at = next.clone();
                Ok(walk)
            }
            Under::Layer(_) | Under::Init(_) => {
                let below = below.clone();
                frames.push(Frame::Walk(walk, Awaited::Bottom));
                Err(Step::Start(Task::Contents(below, place)))
            }
        }
    }

    fn walk_bytes(&mut self, walk: Walk, pieces: Vec<Piece>, frames: &mut Vec<Frame>) -> Step {
        let place = walk.place;
        if pieces.len() == place.width as usize {
            let bottom = self.assemble(&pieces);
            return self.end_walk(walk, bottom);
        }
        let step = self.word(pieces.len() as u64);
        let offset = self.terms.add(place.offset, step);
        let task = Task::Layers(
            walk.at.clone(),
            Place {
                offset,
                width: 1,
                size: place.size,
            },
        );
        frames.push(Frame::Walk(walk, Awaited::Bytewise(pieces)));
        Step::Start(task)
    }

    fn end_walk(&mut self, walk: Walk, bottom: Scalar) -> Step {
        let mut result = bottom;
        for (gate, scalar) in walk.pending.into_iter().rev() {
            result = self.merge_scalars(gate, scalar, result);
        }
        let key = (walk.first, walk.place.offset, walk.place.width);
        self.kept.lambda.reads.insert(key, result);
        Step::Done(result)
    }
}
