//! From C, C++ and LLVM's bitcode to Raw IR. LLVM stops here.
//!
//! ```text
//!   clang ─▶ bitcode ─ link ─▶ one module ─ instrument ─▶ obligations ─ passes ─▶ import ─▶ Raw
//! ```
//!
//! [`load`] is the whole way. `docs/why/front-end.md` tells why it goes like this.
#![deny(unsafe_code)]

mod addresses;
mod arbitrary;
mod ast;
mod bodies;
pub mod cache;
pub mod cflags;
mod changing;
pub mod clang;
pub mod contracts;
mod ctypes;
mod discharged;
pub mod error;
#[allow(unsafe_code, reason = "LLVM is called here; see the module")]
mod ffi;
mod flags;
mod floats;
mod formats;
pub mod functions;
mod implicit;
mod import;
mod instrument;
mod link;
mod models;
mod names;
mod options;
mod order;
pub mod params;
mod passes;
mod roots;
mod trim;

use checks::registry::CheckId;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use error::{Error, ErrorKind};
pub use options::{DataModel, OptLevel, Options, Stdio, Volatile, Warnings};

/// The function that a program begins with; every other is called by somebody whom nobody knows.
const MAIN: &str = "main";

/// Compiles, links, instruments, simplifies and imports a program.
pub fn load(options: &Options) -> Result<ir::syntax::Module, Error> {
    load_observed(options, &mut |_, _| {})
}

/// As [`load`]; tells the name and time of each stage when it is over.
pub fn load_observed(
    options: &Options,
    observe: &mut dyn FnMut(&'static str, Duration),
) -> Result<ir::syntax::Module, Error> {
    load_described(options, observe).map(|loaded| loaded.module)
}

/// A program, and what is known about it.
pub struct Loaded {
    /// The program.
    pub module: ir::syntax::Module,
    /// The pointers that an entry other than `main` is given.
    pub pointers: Vec<params::Pointer>,
    /// What clang had to say, as far as that is wanted.
    pub warnings: String,
}

/// As [`load_observed`], with what else is known.
pub fn load_described(
    options: &Options,
    observe: &mut dyn FnMut(&'static str, Duration),
) -> Result<Loaded, Error> {
    let mut start = Instant::now();
    let mut over = |stage: &'static str| {
        observe(stage, start.elapsed());
        start = Instant::now();
    };
    let ctx = ffi::Context::new();
    let lib = library(options);
    let bitcode = link::compile(options, lib.as_deref())?;
    over("clang");
    let mut module = link::link(&ctx, &bitcode, options, lib.as_deref())?;
    let warnings: String = bitcode.iter().map(|file| &*file.warnings).collect();
    drop(bitcode);
    over("read");
    let layout = ffi::Layout::of(&module);
    if layout.text().starts_with('E') || !matches!(layout.pointer_bits(), 32 | 64) {
        return Err(Error::input(
            "the program is compiled for a machine that is not little endian with 32 or 64 bits",
        ));
    }
    let mut stood_for = BTreeSet::new();
    let mut kept;
    let mut options = options;
    if options.contracts {
        stood_for = contracts::redirect(&module, &options.entry)?;
        kept = options.clone();
        let check = format!("{}{}", contracts::CHECK, options.entry);
        if module
            .function(&check)
            .is_some_and(|func| !func.is_declaration())
        {
            kept.entry = check;
            kept.params.strays = true;
        }
        options = &kept;
    }
    let library_function = options.entry != MAIN;
    let changing = match library_function {
        true => changing::find(&module),
        false => BTreeSet::new(),
    };
    let mut roots = vec![options.entry.as_str(), "__selkie_run_atexit"];
    let replaced = formats::replace(&ctx, &mut module, options);
    let mut models = models::link(&ctx, &mut module, options, &roots)?;
    models.printed = replaced;
    models.changing = changing;
    let exported: Vec<String>;
    // Where `deref` is off, a pointer to nothing known is that of unknown code.
    // So is what the caller of a library function points to.
    let unknown = !options.has(CheckId::Deref)
        || trim::calls_unknown(&module, &roots)
        || library_function && changing::calls_pointers(&module, &roots);
    if options.unknown_calls && unknown {
        let functions = module.functions().into_iter();
        let called = functions.filter(|&func| trim::is_exported(func, &options.entry));
        let objects = module.globals().into_iter();
        let seen = objects.filter(|&global| trim::leads_on(global));
        exported = called.chain(seen).map(ffi::Val::name).collect();
        roots.extend(exported.iter().map(String::as_str));
        let more = models::link(&ctx, &mut module, options, &roots)?;
        models.names.extend(more.names);
    }
    trim::trim(&module, &roots);
    // Nothing is thrown: `throw` itself is not modelled. A call then ends no block.
    module
        .run_passes("function(lower-invoke)")
        .map_err(|message| Error::internal(format!("calls that may throw: {message}")))?;
    bodies::give(&ctx, &mut module, &layout, options);
    over("link");
    save(options, "linked.ll", &module)?;
    let (mut table, helpers) = instrument::instrument(&mut module, &layout, options)
        .map_err(|message| Error::internal(format!("instrumentation: {message}")))?;
    over("instrument");
    save(options, "instrumented.ll", &module)?;
    verify(&module, "instrumentation")?;
    over("verify");
    // What follows a failure is not what LLVM was told; only unchanged code still means something.
    let opt = if options.continue_after_failure {
        OptLevel::None
    } else if options.mmio.is_empty() {
        options.opt
    } else {
        // A device need not hold what was written, which LLVM takes for granted.
        options.opt.min(OptLevel::Registers)
    };
    let twin = (opt == OptLevel::Full && options.statuses).then(|| module.twin());
    if opt < OptLevel::Full {
        discharged::keep_constants(&mut module, &helpers);
    }
    passes::run(&mut module, &helpers, options, opt)?;
    over("passes");
    if opt == OptLevel::Full {
        discharged::judge(&mut table, &module, twin, &helpers, options, &roots)?;
    } else {
        drop(twin);
    }
    over("discharged");
    save(options, "optimised.ll", &module)?;
    verify(&module, "the passes")?;
    over("verify");
    let (mut imported, mut pointers) = import::import(&module, &layout, options, &table, &models)?;
    if options.params.strays {
        // The contract says what callers keep to: nothing is missing.
        pointers.clear();
    }
    contracts::tell(&mut imported, &stood_for);
    over("import");
    drop(module);
    drop(ctx);
    over("drop");
    Ok(Loaded {
        module: imported,
        pointers,
        warnings,
    })
}

fn verify(module: &ffi::Module<'_>, stage: &str) -> Result<(), Error> {
    module.verify().map_err(|message| {
        let line = link::first_line(&message);
        Error::internal(format!("the module is broken after {stage}: {line}"))
    })
}

fn save(options: &Options, name: &str, module: &ffi::Module<'_>) -> Result<(), Error> {
    let Some(dir) = &options.save else {
        return Ok(());
    };
    let path = dir.join(name);
    std::fs::create_dir_all(dir)
        .and_then(|()| std::fs::write(&path, module.text()))
        .map_err(|error| Error::usage(format!("{}: {}", path.display(), clang::plain(&error))))
}

/// Where the headers and models are: as the caller says, beside the program, or in the sources.
fn library(options: &Options) -> Option<PathBuf> {
    if let Some(dir) = &options.lib_dir {
        return Some(dir.clone());
    }
    let beside = std::env::current_exe().ok().and_then(|program| {
        let dir = program.parent()?;
        let candidates = [dir.join("../lib/selkie"), dir.join("lib")];
        candidates
            .into_iter()
            .find(|dir| dir.join("include/selkie.h").exists())
    });
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib");
    beside.or_else(|| source.exists().then_some(source))
}
