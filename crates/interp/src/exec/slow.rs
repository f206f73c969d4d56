//! Parts of instructions that are rare or long.

use base::Bv;
use ir::syntax::{Func, PlaceId, Type};

use crate::code::{CallSite, Word, words_of};
use crate::decode::same_types;
use crate::host::{Answer, Host, HostCall};
use crate::memory::{ANY_MEMORY, Fault, Pointer};
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
    let words: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect();
    Ok(Bv::from_words(&words, width))
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

/// A live stack object of the activation in a memory that outlives it (Pure).
pub(super) fn escaping(world: &World<'_>, frame: &Frame<'_>) -> Option<u32> {
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
