//! What a loop's state consists of: scalars that sentences can be about.

use encode::eval::arbitrary::{Entered, Head, Point};
use encode::eval::{Val, Vc};
use encode::memory::Scalar;
use encode::pointer::{Object, Pointer};
use encode::world::{Kind, World};
use terms::{Sort, Term};

/// A scalar of a head's state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Slot {
    /// The value with this place among the head's values.
    Value(usize),
    /// The number of the object that the pointer with this place belongs to.
    Owner(usize),
    /// Where it points in that object.
    Offset(usize),
    /// Is the object in the memory with this place alive?
    Alive(usize, Object),
    /// Was it written?
    Modified(usize, Object),
    /// Bytes of an object in the memory with this place. Objects have the same numbers in every evaluation; if they
    /// had not, a guess would be about another one, and no less of a guess.
    Cell {
        /// The memory's place.
        memory: usize,
        /// The object.
        object: Object,
        /// The first byte.
        offset: u64,
        /// How many.
        bytes: u32,
    },
    /// The number of the object that a pointer belongs to which stands in an object's bytes.
    CellOwner {
        /// The memory's place.
        memory: usize,
        /// The object.
        object: Object,
        /// The first byte.
        offset: u64,
        /// How many.
        bytes: u32,
    },
    /// Where it points in that object.
    CellOffset {
        /// The memory's place.
        memory: usize,
        /// The object.
        object: Object,
        /// The first byte.
        offset: u64,
        /// How many.
        bytes: u32,
    },
}

/// The cells of variables and of what was allocated before that the loop may change in one of a head's memories, if they have at most so many bytes,
/// and those of a finite map.
pub fn cells(world: &World<'_>, head: &Head, memory: usize, most: u64) -> Vec<Slot> {
    let Entered::Arbitrary(havoc) = &head.entered else {
        return Vec::new();
    };
    let entries = havoc.cells.iter().filter(|cell| cell.memory == memory);
    let mut list: Vec<Slot> = entries
        .map(|cell| Slot::Cell {
            memory,
            object: cell.object,
            offset: cell.offset,
            bytes: cell.bytes,
        })
        .collect();
    for (place, object) in &havoc.objects {
        if *place != memory || object.contents.is_none() {
            continue;
        }
        let info = &world.objects[object.object];
        let (Kind::Global(_) | Kind::Stack | Kind::Heap, Some(size)) = (info.kind, info.fixed)
        else {
            continue;
        };
        if size > most {
            continue;
        }
        let bytes = match size {
            1 | 2 | 4 | 8 => size as u32,
            _ => info.word.clamp(1, 8),
        };
        let mut offset = 0;
        while offset + u64::from(bytes) <= size {
            list.push(Slot::Cell {
                memory,
                object: object.object,
                offset,
                bytes,
            });
            offset += u64::from(bytes);
        }
    }
    list
}

/// The largest variable in memory whose cells are looked at, in bytes.
const CELLS: u64 = 16;

/// How many of a head's values are its own, and may change.
pub(crate) fn params_of(world: &World<'_>, head: &Head) -> usize {
    match head.place.point {
        Point::Head(block) | Point::Block(block) => {
            let body = world.module.body(head.place.func);
            body.blocks[block].params.len()
        }
        Point::Entry | Point::Exit => head.values.len(),
    }
}

/// The scalars of a head's arbitrary state with their terms, and whether the loop may change them. What stands in allocated memory is left out.
pub(crate) fn scalars(vc: &mut Vc<'_>, any: &Head) -> Vec<(Slot, Term, bool)> {
    let params = params_of(&vc.world, any);
    let mut slots = Vec::new();
    for (index, value) in any.values.iter().enumerate() {
        match value {
            Val::Term(term) => slots.push((Slot::Value(index), *term, index < params)),
            Val::Memory(_) => {
                for slot in cells(&vc.world, any, index, CELLS) {
                    let is_heap = |object| vc.world.objects[object].kind == Kind::Heap;
                    if matches!(slot, Slot::Cell { object, .. } if is_heap(object)) {
                        continue;
                    }
                    if let Some(term) = read(&mut vc.world, &any.values, slot) {
                        slots.push((slot, term, true));
                    }
                }
            }
            Val::Pointer(_) => {
                let slot = Slot::Offset(index);
                if let Some(term) = read(&mut vc.world, &any.values, slot) {
                    slots.push((slot, term, index < params));
                }
            }
        }
    }
    slots
}

/// A slot's term in a state.
pub fn read(world: &mut World<'_>, values: &[Val], slot: Slot) -> Option<Term> {
    match slot {
        Slot::Value(index) => match values.get(index)? {
            Val::Term(term) => Some(*term),
            Val::Pointer(_) | Val::Memory(_) => None,
        },
        Slot::Owner(index) => owner(world, pointer(values, index)?),
        Slot::Offset(index) => offset(world, pointer(values, index)?),
        Slot::Alive(memory, object) | Slot::Modified(memory, object) => {
            let Val::Memory(memory) = values.get(memory)? else {
                return None;
            };
            let state = memory.state(object)?;
            Some(match slot {
                Slot::Alive(..) => state.alive,
                _ => state.modified, // The other one.
            })
        }
        Slot::Cell {
            memory,
            object,
            offset,
            bytes,
        } => match cell(world, values, memory, object, offset, bytes)? {
            Scalar::Bits(term) => Some(term),
            Scalar::Pointer(_) => None,
        },
        Slot::CellOwner {
            memory,
            object,
            offset,
            bytes,
        }
        | Slot::CellOffset {
            memory,
            object,
            offset,
            bytes,
        } => match (slot, cell(world, values, memory, object, offset, bytes)?) {
            (_, Scalar::Bits(_)) => None,
            (Slot::CellOwner { .. }, Scalar::Pointer(pointer)) => owner(world, pointer),
            (_, Scalar::Pointer(pointer)) => self::offset(world, pointer),
        },
    }
}

/// What stands in an object's bytes.
fn cell(
    world: &mut World<'_>,
    values: &[Val],
    memory: usize,
    object: Object,
    offset: u64,
    bytes: u32,
) -> Option<Scalar> {
    let Val::Memory(memory) = values.get(memory)? else {
        return None;
    };
    let at = world.word(offset);
    world.read_object(memory, object, at, bytes)
}

fn pointer(values: &[Val], index: usize) -> Option<Pointer> {
    match values.get(index)? {
        Val::Pointer(pointer) => Some(*pointer),
        Val::Term(_) | Val::Memory(_) => None,
    }
}

/// The bits of an object's number in a sentence.
const OWNER: u32 = 32;

fn owner(world: &mut World<'_>, pointer: Pointer) -> Option<Term> {
    let mut result = None;
    for alternative in world.pointers.alternatives(pointer).iter() {
        let number = alternative.object.index() as u64;
        let number = world.terms.bv_u64(number, OWNER);
        result = Some(match result {
            None => number,
            Some(rest) => world.terms.ite(alternative.guard, number, rest),
        });
    }
    result
}

fn offset(world: &mut World<'_>, pointer: Pointer) -> Option<Term> {
    let mut result = None;
    for alternative in world.pointers.alternatives(pointer).iter() {
        result = Some(match result {
            None => alternative.offset,
            Some(rest) => world.terms.ite(alternative.guard, alternative.offset, rest),
        });
    }
    result.filter(|&term| matches!(world.terms.sort(term), Sort::BitVec(_)))
}
