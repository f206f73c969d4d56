//! The functions of a program, for whoever wants to check each of them.

use crate::contracts::{self, Said};
use crate::error::Error;
use crate::ffi::{Context, Linkage};
use crate::options::Options;
use crate::{library, link};

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// May other files call it?
    pub exported: bool,
    /// Has it a contract?
    pub contract: bool,
    /// The file that it is written in.
    pub place: String,
    /// The line there, 0 if that is not known.
    pub line: u32,
}

/// Compiles a program, and tells which functions it defines, and what its contracts say of functions that other files know.
pub fn functions(options: &Options) -> Result<(Vec<Function>, Vec<Said>), Error> {
    let ctx = Context::new();
    let lib = library(options);
    let options = &Options {
        contracts: true,
        ..options.clone()
    };
    let bitcode = link::compile(options, lib.as_deref())?;
    let module = link::link(&ctx, &bitcode, options, lib.as_deref())?;
    let mut list = Vec::new();
    for func in module.functions() {
        let name = func.name();
        if func.is_declaration() || name.starts_with(contracts::OURS) {
            continue;
        }
        let inside = matches!(
            func.linkage(),
            Linkage::LLVMInternalLinkage
                | Linkage::LLVMPrivateLinkage
                | Linkage::LLVMAvailableExternallyLinkage
        );
        let check = module.function(&format!("{}{name}", contracts::CHECK));
        let at = func.subprogram();
        list.push(Function {
            exported: !inside,
            contract: check.is_some_and(|check| !check.is_declaration()),
            place: at
                .and_then(|at| at.file())
                .map(|file| file.to_string_lossy().into_owned())
                .unwrap_or_default(),
            line: at.map_or(0, |at| at.line()),
            name,
        });
    }
    list.sort_by(|a, b| (&a.place, a.line).cmp(&(&b.place, b.line)));
    let said = bitcode.into_iter().flat_map(|file| file.said).collect();
    Ok((list, said))
}
