//! Several files become one module.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::clang::{self, Language};
use crate::contracts::{self, Said};
use crate::error::Error;
use crate::ffi::{Attr, Context, Layout, Module};
use crate::implicit;
use crate::instrument::FOREIGN;
use crate::options::Options;

/// The bitcode of a file.
pub struct Bitcode {
    /// The file.
    file: PathBuf,
    /// What it held.
    language: Language,
    /// The bitcode.
    bytes: Vec<u8>,
    /// What clang had to say about it.
    pub warnings: String,
    /// What its contracts say.
    pub said: Vec<Said>,
}

/// Compiles the caller's files, side by side.
pub fn compile(options: &Options, lib: Option<&Path>) -> Result<Vec<Bitcode>, Error> {
    if options.files.is_empty() {
        return Err(Error::usage("no input files"));
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Result<Bitcode, Error>>> = Mutex::default();
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = options.files.get(place) else {
                return;
            };
            let made = compile_one(file, options, lib);
            done.lock().expect("no thread panics").insert(place, made);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 1..cores.min(options.files.len()) {
            scope.spawn(work);
        }
        work();
    });
    // Of several complaints that about the first file is told.
    done.into_inner()
        .expect("no thread panics")
        .into_values()
        .collect()
}

fn compile_one(file: &Path, options: &Options, lib: Option<&Path>) -> Result<Bitcode, Error> {
    let ((bytes, warnings), said) = clang::compile(file, options, lib, false)?;
    Ok(Bitcode {
        file: file.to_owned(),
        language: clang::language(file)?,
        bytes,
        warnings,
        said,
    })
}

/// Reads and links the bitcode of several files.
pub fn link<'c>(
    ctx: &'c Context,
    list: &[Bitcode],
    options: &Options,
    lib: Option<&Path>,
) -> Result<Module<'c>, Error> {
    contracts::agree(list.iter().flat_map(|bitcode| &bitcode.said))?;
    let mut linked: Option<Module<'c>> = None;
    for bitcode in list {
        let shown = bitcode.file.display();
        let read = |bytes: &[u8]| {
            Module::from_named_bitcode(ctx, bytes)
                .map_err(|message| Error::input(format!("{shown}: {message}")))
        };
        let mut module = read(&bitcode.bytes)?;
        if bitcode.language == Language::Source && implicit::is_called(&module) {
            let ((knowing, _), _) = clang::compile(&bitcode.file, options, lib, true)?;
            module = read(&knowing)?;
        }
        if bitcode.language == Language::Bitcode {
            mark(ctx, &module, FOREIGN);
        }
        match &mut linked {
            None => linked = Some(module),
            Some(all) => {
                let (before, new) = (Layout::of(all), Layout::of(&module));
                if before.text() != new.text() {
                    return Err(Error::input(format!(
                        "{shown}: compiled for another machine than the files before it"
                    )));
                }
                all.link(module)
                    .map_err(|message| Error::input(format!("{shown}: {message}")))?;
            }
        }
    }
    linked.ok_or_else(|| Error::usage("no input files"))
}

/// The first line of a message.
pub fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or("").trim()
}

/// Gives every function with a body an attribute of ours.
pub fn mark<'c>(ctx: &'c Context, module: &Module<'c>, key: &str) {
    for func in module.functions() {
        if !func.is_declaration() {
            func.add_attribute(u32::MAX, Attr::string(ctx, key, ""));
        }
    }
}
