//! Variables without a value, when LLVM makes registers of them.
//!
//! A variable has an arbitrary value where its function begins and where its life begins: a jump may
//! pass over its declaration, a function may end without `return`. In memory that is what a new object
//! holds. In a register it would be LLVM's `undef`, which is folded: so every variable is written first,
//! by a copy from a place that nobody knows. SROA takes such a copy apart exactly as it takes the
//! variable apart, and what is left of it afterwards is put right:
//!
//! ```text
//! x = alloca i32                         (x is a register)
//! memcpy x, @selkie.arbitrary, 4   ──▶   x0 = load i32, @selkie.arbitrary   ──▶   x0 = selkie.uninit.i32(1)
//!
//! a = alloca [9 x i32]                   (a stays in memory)
//! memcpy a, @selkie.arbitrary, 36  ──▶   memcpy a, @selkie.arbitrary, 36    ──▶   nothing
//! ```

use crate::error::Error;
use crate::ffi::{Builder, Layout, Module, Opcode, Val, ValKind};
use crate::instrument::helpers::Helpers;

const PLACE: &str = "selkie.arbitrary";

/// Numbers from here on are not those of the instrumentation.
const FIRST: u64 = 1 << 31;

/// Writes every variable of constant size where its function and where its life begins.
pub fn write<'c>(module: &mut Module<'c>, helpers: &Helpers<'c>) {
    let layout = Layout::of(module);
    let place = module.declare_variable(PLACE, helpers.byte);
    let types = [helpers.ptr, helpers.ptr, helpers.size];
    let copy = module.intrinsic("llvm.memcpy", &types);
    let builder = Builder::new(module.context());
    for func in module.functions() {
        if func.is_declaration() {
            continue;
        }
        let Some(&entry) = func.blocks().first() else {
            continue;
        };
        for variable in entry.instructions() {
            let Some(size) = constant_size(&layout, variable) else {
                continue;
            };
            let starts = variable.users().into_iter().filter(|user| {
                user.called_function()
                    .is_some_and(|callee| callee.name().starts_with("llvm.lifetime.start"))
            });
            for site in starts.chain([variable]) {
                builder.before(site.next().expect("a block ends"));
                let size = Val::int(helpers.size, size);
                let args = [variable, place, size, Val::int(helpers.bool, 0)];
                builder.call(copy.content_type(), copy, &args);
            }
        }
    }
}

fn constant_size(layout: &Layout, inst: Val<'_>) -> Option<u64> {
    if inst.opcode() != Some(Opcode::LLVMAlloca) {
        return None;
    }
    let count = inst.operand(0).as_u64()?;
    let ty = inst.allocated_type();
    let size = ty.is_sized().then(|| layout.size(ty))?;
    size.checked_mul(count).filter(|&size| size > 0)
}

/// Makes arbitrary values of what was read, and takes away the rest.
pub fn convert<'c>(module: &mut Module<'c>, helpers: &Helpers<'c>) -> Result<(), Error> {
    let Some(place) = module.global(PLACE) else {
        return Ok(());
    };
    let builder = Builder::new(module.context());
    let mut number = FIRST;
    let mut places = vec![place];
    let mut pointers = Vec::new();
    while let Some(pointer) = places.pop() {
        for user in pointer.users() {
            match user.opcode().or_else(|| user.expr_opcode()) {
                Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast) => {
                    if user.value_kind() == ValKind::Instruction {
                        pointers.push(user);
                    }
                    places.push(user);
                }
                Some(Opcode::LLVMLoad) if !user.is_used() => user.erase(),
                Some(Opcode::LLVMLoad) => {
                    let ty = user.ty();
                    let name = format!("selkie.uninit.{}", ty.text());
                    let (ty, func) = helpers.get(module, "uninit", &name, ty, &[helpers.id]);
                    builder.before(user);
                    number += 1;
                    let value = builder.call(ty, func, &[Val::int(helpers.id, number)]);
                    user.replace_with(value);
                    user.erase();
                }
                Some(Opcode::LLVMCall) => {
                    let variable = user.operand(0);
                    user.erase();
                    if variable.opcode() == Some(Opcode::LLVMAlloca) && !variable.is_used() {
                        variable.erase();
                    }
                }
                other => {
                    let text = format!("{other:?} of a variable without a value");
                    return Err(Error::internal(text));
                }
            }
        }
    }
    // Those that were found last are used by nothing any more.
    for pointer in pointers.into_iter().rev() {
        pointer.erase();
    }
    Ok(())
}
