//! LLVM's passes, from a list: nothing that inlines, recognises loops, infers attributes, removes
//! allocations or uses what is undefined.

use crate::addresses;
use crate::arbitrary;
use crate::error::Error;
use crate::ffi::Module;
use crate::instrument::helpers::Helpers;
use crate::instrument::library::hide;
use crate::options::{OptLevel, Options};

/// Local variables become registers.
const REGISTERS: &str = "function(sroa)";

/// Everything else. Copies of memory are hidden from it (see [`hide`]).
const SIMPLIFY: &str = "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg,sccp,adce,\
                        early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,adce)";

/// Runs the passes of a level.
pub fn run<'c>(
    module: &mut Module<'c>,
    helpers: &Helpers<'c>,
    options: &Options,
    level: OptLevel,
) -> Result<(), Error> {
    let fail = |message| Error::internal(format!("LLVM's passes failed: {message}"));
    if options.has("uninit") {
        // A copy taken apart would make all of it initialised.
        hide(module, helpers);
    }
    if level >= OptLevel::Registers {
        arbitrary::write(module, helpers);
        module.run_passes(REGISTERS).map_err(fail)?;
        arbitrary::convert(module, helpers)?;
    }
    if level >= OptLevel::Full {
        hide(module, helpers);
        addresses::hide(module, helpers);
        module.run_passes(SIMPLIFY).map_err(fail)?;
    }
    Ok(())
}
