//! Variables that stay in memory, because leaks are judged while they live.
//!
//! What a variable of an open function points to is no leak, wherever `exit` is called. In memory a variable is
//! seen; a register is not, and an optimiser keeps no value that nobody uses again. So if leaks are judged and the
//! program may end inside of a function, a function that LLVM knows nothing of sees every variable that may hold a
//! pointer: it is never made a register, and no verdict depends on `--opt`.

use crate::ffi::{Builder, Kind, Layout, Module, Opcode, Ty};
use crate::instrument::PREFIX;
use crate::instrument::helpers::Helpers;
use crate::options::Options;
use checks::registry::CheckId;

/// Functions that end the program where leaks are judged.
const ENDS: &[&str] = &["exit", "_exit", "_Exit", "quick_exit", "__selkie_halt_exit"];

/// Keeps variables that may hold pointers in memory, if it matters.
pub fn keep<'c>(module: &mut Module<'c>, helpers: &Helpers<'c>, options: &Options) {
    let ends = module.functions().into_iter().any(|func| {
        let name = func.name();
        let name = name.strip_prefix(PREFIX).unwrap_or(&name);
        ENDS.contains(&name) && func.is_used()
    });
    if !options.has(CheckId::Leak) || !ends {
        return;
    }
    let bits = Layout::of(module).pointer_bits();
    let builder = Builder::new(module.context());
    let (ptr, void) = (helpers.ptr, helpers.void);
    let (ty, seen) = helpers.get(module, "keep", "selkie.keep", void, &[ptr]);
    for func in module.functions() {
        for block in func.blocks() {
            for inst in block.instructions() {
                let variable = inst.opcode() == Some(Opcode::LLVMAlloca);
                if variable && may_hold_pointer(inst.allocated_type(), bits) {
                    builder.before(inst.next().expect("a block ends"));
                    builder.call(ty, seen, &[inst]);
                }
            }
        }
    }
}

/// May a value of the type be, or contain, a pointer or an address?
fn may_hold_pointer(ty: Ty<'_>, bits: u32) -> bool {
    let mut work = vec![ty];
    while let Some(ty) = work.pop() {
        match ty.kind() {
            Kind::Ptr(_) => return true,
            Kind::Int(width) if width >= bits => return true,
            Kind::Struct(count) => work.extend((0..count).map(|index| ty.field(index))),
            Kind::Array(element, _) | Kind::Vector(element, _) => {
                // Bytes are put together again.
                if element.int_width().is_some_and(|width| width < bits) {
                    return true;
                }
                work.push(element);
            }
            _ => {} // Too small, or no value.
        }
    }
    false
}
