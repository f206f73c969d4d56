//! Several files become one module.

use std::path::{Path, PathBuf};

use crate::clang::{self, Language};
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
}

/// Compiles the caller's files, side by side.
pub fn compile(options: &Options, lib: Option<&Path>) -> Result<Vec<Bitcode>, Error> {
    if options.files.is_empty() {
        return Err(Error::usage("no input files"));
    }
    let mut jobs = Vec::new();
    for file in &options.files {
        jobs.push((file, clang::start(file, options, lib)?));
    }
    let mut list = Vec::new();
    for (file, job) in jobs {
        let (bytes, warnings) = job.finish()?;
        list.push(Bitcode {
            file: file.clone(),
            language: clang::language(file)?,
            bytes,
            warnings,
        });
    }
    Ok(list)
}

/// Reads and links the bitcode of several files.
pub fn link<'c>(
    ctx: &'c Context,
    list: &[Bitcode],
    options: &Options,
    lib: Option<&Path>,
) -> Result<Module<'c>, Error> {
    let mut linked: Option<Module<'c>> = None;
    for bitcode in list {
        let shown = bitcode.file.display();
        let read = |bytes: &[u8]| {
            Module::from_named_bitcode(ctx, bytes)
                .map_err(|message| Error::input(format!("{shown}: {message}")))
        };
        let mut module = read(&bitcode.bytes)?;
        if bitcode.language == Language::Source && implicit::is_called(&module) {
            let knowing = clang::start(&bitcode.file, options, lib)?.finish_knowing()?;
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
