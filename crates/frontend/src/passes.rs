//! LLVM's passes, from a list: nothing that inlines, recognises loops, infers attributes, removes
//! allocations or uses what is undefined.

use crate::addresses;
use crate::arbitrary;
use crate::error::Error;
use crate::ffi::{Module, Opcode};
use crate::floats;
use crate::instrument::PREFIX;
use crate::instrument::helpers::Helpers;
use crate::instrument::library::{hide, hide_volatile};
use crate::options::{OptLevel, Options};
use crate::roots;
use checks::registry::CheckId;

/// Local variables become registers.
const REGISTERS: &str = "function(sroa)";

/// Everything else. Copies of memory are hidden from it (see [`hide`]).
const SIMPLIFY: &str = "function(early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,sccp,adce,\
                        early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,adce)";

/// Runs the passes of a level.
pub fn run<'c>(
    module: &mut Module<'c>,
    helpers: &Helpers<'c>,
    options: &Options,
    level: OptLevel,
) -> Result<(), Error> {
    let fail = |message| Error::internal(format!("LLVM's passes failed: {message}"));
    if options.has(CheckId::Uninit) {
        // A copy taken apart would make all of it initialised.
        hide(module, helpers);
    }
    if level >= OptLevel::Registers {
        hide_volatile(module, helpers);
        roots::keep(module, helpers, options);
        arbitrary::write(module, helpers);
        module.run_passes(REGISTERS).map_err(fail)?;
        arbitrary::convert(module, helpers)?;
    }
    if level >= OptLevel::Full {
        hide(module, helpers);
        addresses::hide(module, helpers);
        floats::hide(module, helpers);
        pin_writes(module);
        module.run_passes(SIMPLIFY).map_err(fail)?;
    }
    Ok(())
}

/// A program that asks which objects were written keeps all writes: LLVM would drop `x = x`.
fn pin_writes(module: &Module<'_>) {
    let asked = ["sk_is_modified", "sea_is_modified"].iter().any(|name| {
        let func = module.function(&format!("{PREFIX}{name}"));
        func.is_some_and(|func| func.is_used())
    });
    if !asked {
        return;
    }
    for func in module.functions() {
        for block in func.blocks() {
            for inst in block.instructions() {
                if inst.opcode() == Some(Opcode::LLVMStore) {
                    inst.set_volatile();
                }
            }
        }
    }
}
