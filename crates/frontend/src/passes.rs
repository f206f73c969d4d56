//! LLVM's passes, from a list: nothing that inlines, recognises loops, infers attributes, removes
//! allocations or uses what is undefined.

use crate::error::Error;
use crate::ffi::Module;
use crate::options::OptLevel;

/// The pipeline of a level, in the notation of `opt -passes=…`.
pub fn pipeline(level: OptLevel) -> Option<&'static str> {
    match level {
        OptLevel::None => None,
        OptLevel::Registers => Some("function(sroa,mem2reg)"),
        OptLevel::Full => Some(
            "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,sccp,adce,\
             early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,adce)",
        ),
    }
}

/// Runs the passes of a level.
pub fn run(module: &mut Module<'_>, level: OptLevel) -> Result<(), Error> {
    if let Some(pipeline) = pipeline(level) {
        module
            .run_passes(pipeline)
            .map_err(|message| Error::internal(format!("LLVM's passes failed: {message}")))?;
    }
    Ok(())
}
