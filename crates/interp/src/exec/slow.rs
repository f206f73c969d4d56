//! Parts of instructions that are rare or long.

use base::Bv;
use ir::syntax::{Func, HaltKind, PlaceId, Type};

use crate::code::{CallSite, SwitchSite, Word, words_of};
use crate::decode::same_types;
use crate::host::{Answer, Host, HostCall};
use crate::memory::{ANY_MEMORY, Fault, ObjectKind, Pointer};
use crate::observe::Asked;
use crate::outcome::Outcome;
use crate::value::Value;
use crate::view::Frame;
use crate::world::{Stop, World};

/// A memory version that is not the current one was used.
#[cold]
pub(super) fn stale() -> Stop {
    Stop::Error("a stale version of a memory is used".to_string())
}

/// The numbers of the memories in these slots.
pub(super) fn memories(regs: &[u64], slots: &[Word]) -> Vec<u32> {
    slots
        .iter()
        .map(|&slot| regs[slot as usize] as u32)
        .collect()
}

/// The object of a pointer, which must live in the memory that the operation names.
pub(super) fn owner(
    world: &mut World<'_>,
    pointer: Pointer,
    memory: u32,
) -> Result<Option<u32>, Fault> {
    let Some(number) = world.memory.owner(pointer) else {
        return Ok(None);
    };
    let own = world.memory.objects[number as usize].memory;
    if own != memory && memory != ANY_MEMORY {
        return Err(Fault::Region(number));
    }
    Ok(Some(number))
}

/// Is every heap object tracked? The memories that the operation names must say the same as all.
pub(super) fn all_tracked(world: &World<'_>, seen: &[u32], memory: u32) -> Result<bool, Stop> {
    let all = world.memory.all_tracked(|_| true);
    if memory == ANY_MEMORY {
        let part = world
            .memory
            .all_tracked(|object| seen.contains(&object.memory));
        if part != all {
            return Err(Stop::Error(format!(
                "the memories that all_tracked names say {part}, all memories say {all}"
            )));
        }
    }
    Ok(all)
}

/// Is every heap object freed? The operation must name the memories of those that are not.
pub(super) fn all_freed(world: &World<'_>, seen: &[u32], memory: u32) -> Result<bool, Fault> {
    let empty = world.memory.heap_is_empty();
    if memory == ANY_MEMORY && !empty {
        let missed = world.memory.live().find(|&number| {
            let object = &world.memory.objects[number as usize];
            object.kind == ObjectKind::Heap && !seen.contains(&object.memory)
        });
        if let Some(number) = missed {
            return Err(Fault::Region(number));
        }
    }
    Ok(empty)
}

/// The edge of a switch on more than one word.
pub(super) fn wide_case(site: &SwitchSite, words: impl Iterator<Item = u64>) -> u32 {
    let words: Vec<u64> = words.collect();
    let value = Bv::from_words(&words, site.width);
    match site.cases.binary_search_by(|(case, _)| case.cmp(&value)) {
        Ok(index) => site.cases[index].1,
        Err(_) => site.default,
    }
}

/// The first bytes of some words.
pub(super) fn bytes_of(words: impl Iterator<Item = u64>, bytes: u32) -> Vec<u8> {
    words
        .flat_map(u64::to_le_bytes)
        .take(bytes as usize)
        .collect()
}

/// Loads from the shadow of memory.
pub(super) fn load_shadow(
    world: &mut World<'_>,
    at: Pointer,
    ty: Type,
    memory: u32,
) -> Result<Bv, Fault> {
    let machine = world.module.machine;
    let width = ty.bits(machine).unwrap_or(1);
    let mut bytes = vec![0; ty.bytes(machine) as usize];
    world.memory.load_shadow(at, &mut bytes, memory)?;
    Ok(bits_of(&bytes, width))
}

/// What a load of a pointer yields outside a live object: any address.
pub(super) fn any_pointer(
    world: &mut World<'_>,
    fault: Fault,
    place: Option<PlaceId>,
) -> Result<Pointer, Stop> {
    match fault {
        Fault::Outside => {
            let value = world.choose(Type::Ptr, Asked::Outside, place)?;
            Ok(Pointer {
                address: value.low_u64(),
                object: 0,
            })
        }
        other => Err(other.into()),
    }
}

/// Loads a scalar of any width.
pub(super) fn load_any(
    world: &mut World<'_>,
    at: Pointer,
    ty: Type,
    memory: u32,
    place: Option<PlaceId>,
) -> Result<Bv, Stop> {
    let machine = world.module.machine;
    let width = ty.bits(machine).unwrap_or(1);
    let mut bytes = vec![0; ty.bytes(machine) as usize];
    match world.memory.read(at, &mut bytes, memory) {
        Ok(()) => {}
        Err(Fault::Outside) => return world.choose(ty, Asked::Outside, place),
        Err(fault) => return Err(fault.into()),
    }
    Ok(bits_of(&bytes, width))
}

/// Does a read lie in a live object on stack or heap, which nobody but the program can change?
pub(super) fn is_own(
    world: &mut World<'_>,
    at: Pointer,
    ty: Type,
    memory: u32,
) -> Result<bool, Fault> {
    let len = ty.bytes(world.module.machine);
    let Some(number) = owner(world, at, memory)? else {
        return Ok(false);
    };
    let object = &world.memory.objects[number as usize];
    let own = match object.kind {
        ObjectKind::Stack | ObjectKind::Heap => true,
        ObjectKind::Global => false,
    };
    Ok(own
        && world
            .memory
            .is_deref(at, len, ir::syntax::Access::Read, memory)?)
}

/// The bits in some bytes.
fn bits_of(bytes: &[u8], width: u32) -> Bv {
    let words: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect();
    Bv::from_words(&words, width)
}

/// The function that an indirect call calls.
pub(super) fn callee_at(world: &World<'_>, site: &CallSite, address: u64) -> Result<Func, String> {
    let Some(index) = world.memory.function_at(address) else {
        return Err(match address {
            0 => "a call through a null pointer".to_string(),
            _ => format!("a call through {address:#x}, where no function is"),
        });
    };
    let func = Func::from_index(index);
    let data = &world.module.funcs[func];
    let fits = same_types(&data.results, &site.result_types)
        && match &data.body {
            Some(_) => same_types(&data.params, &site.arg_types),
            None => {
                data.params.len() <= site.arg_types.len()
                    && same_types(&data.params, &site.arg_types[..data.params.len()])
            }
        };
    match fits {
        true => Ok(func),
        false => Err(format!(
            "a call through a pointer to {}, whose type is another",
            data.name
        )),
    }
}

/// How an execution ends at a `halt`.
pub(super) fn halt(world: &World<'_>, kind: HaltKind) -> Stop {
    match (kind, world.failures.last()) {
        (HaltKind::Exit, _) => Stop::Outcome(Outcome::Exited(None)),
        (HaltKind::Abort, _) => Stop::Outcome(Outcome::Aborted),
        (HaltKind::Dead, Some(failure)) => {
            Stop::Outcome(Outcome::Violated(Box::new(failure.clone())))
        }
        (HaltKind::Dead, None) => {
            Stop::Error("a place that cannot be reached was reached".to_string())
        }
    }
}

/// Makes the stack of words longer.
pub(super) fn grow(world: &mut World<'_>, stack: &mut Vec<u64>, top: usize) -> Result<(), Fault> {
    let more = (top - stack.len()).max(1 << 12);
    world.memory.reserve(8 * more as u64)?;
    stack.resize(stack.len() + more, 0);
    Ok(())
}

/// No live stack object of the activation may be in a memory that outlives it (Pure).
pub(super) fn none_escapes(world: &World<'_>, frame: &Frame<'_>) -> Result<(), Stop> {
    match escaping(world, frame) {
        None => Ok(()),
        Some(number) => Err(Stop::Error(format!(
            "{} is alive when its function returns, in a memory that outlives the function",
            crate::show::object_name(world.module, &world.memory, number)
        ))),
    }
}

fn escaping(world: &World<'_>, frame: &Frame<'_>) -> Option<u32> {
    let own = world.stack_objects[frame.stack_objects..].iter().copied();
    let mut left = own.filter(|&number| {
        let object = &world.memory.objects[number as usize];
        let outlives = object.memory != 0 && (object.memory as usize) < frame.versions;
        object.alive && outlives
    });
    left.next()
}

/// The values of these types in a row of words.
pub(super) fn values_of(types: &[Type], words: &[u64]) -> Vec<Value> {
    let mut rest = words;
    let mut values = Vec::new();
    for &ty in types {
        let count = words_of(ty) as usize;
        if rest.len() < count {
            break;
        }
        let (own, others) = rest.split_at(count);
        values.push(Value::from_words(ty, own));
        rest = others;
    }
    values
}

/// Calls a function of the host; yields the words of its results.
pub(super) fn call_host(
    world: &mut World<'_>,
    host: &mut Option<&mut dyn Host>,
    func: Func,
    site: &CallSite,
    words: &[u64],
) -> Result<Vec<u64>, Stop> {
    let args = values_of(&site.arg_types, words);
    let answer = match host {
        Some(host) => host.call(&mut HostCall {
            module: world.module,
            memory: &mut world.memory,
            func,
            args: &args,
            results: &site.result_types,
        }),
        None => Answer::Unknown,
    };
    let values = match answer {
        Answer::Return(values) => values,
        Answer::Exit(code) => return Err(Stop::Outcome(Outcome::Exited(Some(code)))),
        Answer::Abort => return Err(Stop::Outcome(Outcome::Aborted)),
        Answer::Stuck(why) => return Err(Stop::Stuck(why)),
        Answer::Unknown => {
            let name = &world.module.funcs[func].name;
            return Err(Stop::Stuck(format!("a call of {name}, which has no body")));
        }
    };
    let mut words = Vec::new();
    for value in &values {
        match value {
            Value::Int(bv) | Value::Float(_, bv) => words.extend_from_slice(bv.words()),
            Value::Pointer(pointer) => words.extend([pointer.address, pointer.object.into()]),
            Value::Memory(number, version) => words.extend([*number, *version]),
        }
    }
    if words.len() != site.results.len() {
        return Err(Stop::Error(format!(
            "the host's {} has other results than the call expects",
            world.module.funcs[func].name
        )));
    }
    Ok(words)
}

/// The arguments of an operation of the slow path, each from its first word and with its width.
pub(super) fn wide_args(args: &[(Word, u32)], get: impl Fn(Word) -> u64) -> Vec<Bv> {
    let value = |&(first, width): &(Word, u32)| {
        let words: Vec<u64> = (0..width.div_ceil(64))
            .map(|index| get(first + index))
            .collect();
        Bv::from_words(&words, width)
    };
    args.iter().map(value).collect()
}
