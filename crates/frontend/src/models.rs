//! Models of library functions, linked when the program refers to them and defines none itself.
//!
//! The index of `lib/models` says which file provides a symbol. The files were compiled when this
//! crate was built; with `Options::lib_dir` they are compiled from there instead, so that a user
//! can change them.

use checks::registry::CheckId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::clang;
use crate::error::Error;
use crate::ffi::{Builder, Context, Kind, Linkage, Module, Ty, Val, ValKind};
use crate::flags;
use crate::instrument::MODEL;
use crate::link;
use crate::options::{DataModel, Options, Stdio};
use crate::trim;

mod built {
    include!(concat!(env!("OUT_DIR"), "/models.rs"));
}

/// What the ledger needs to know of models.
#[derive(Default)]
pub struct Models {
    /// The names of the library's functions that have one.
    pub names: BTreeSet<String>,
    /// Functions whose calls became calls of our own, because their format is known.
    pub printed: BTreeSet<&'static str>,
    /// The program's own globals that may have been written before its entry is called.
    pub changing: BTreeSet<String>,
}

/// Links the models that the roots need, and those that they need.
pub fn link<'c>(
    ctx: &'c Context,
    module: &mut Module<'c>,
    options: &Options,
    roots: &[&str],
) -> Result<Models, Error> {
    let mut models = Models::default();
    if options.models {
        let index = match &options.lib_dir {
            Some(dir) => {
                let path = dir.join("models/INDEX");
                std::fs::read_to_string(&path).map_err(|error| {
                    Error::usage(format!("{}: {}", path.display(), clang::plain(&error)))
                })?
            }
            None => built::INDEX.to_owned(),
        };
        let index = read_index(&index);
        models.names = index.keys().map(|&name| name.to_owned()).collect();
        let mut done: BTreeSet<&str> = BTreeSet::new();
        loop {
            let mut wanted: BTreeSet<&str> = BTreeSet::new();
            for value in undefined(module, roots) {
                if let Some(&(file, kind)) = index.get(value.name().as_str()) {
                    if kind == value.value_kind()
                        && !done.contains(file)
                        && !is_left_out(file, options.stdio)
                    {
                        wanted.insert(file);
                    }
                }
            }
            if wanted.is_empty() {
                break;
            }
            done.extend(&wanted);
            for file in wanted {
                let model = load(ctx, module, file, options)?;
                leave_out_others(ctx, module, &model);
                link::mark(ctx, &model, MODEL);
                module.link(model).map_err(|message| {
                    Error::input(format!("the model {file} does not fit: {message}"))
                })?;
            }
        }
    }
    forget_weak(module);
    Ok(models)
}

/// Symbol to file, and whether it is a function or an object.
fn read_index(text: &str) -> BTreeMap<&str, (&str, ValKind)> {
    text.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (symbol, file) = (words.next()?, words.next()?);
            let kind = match words.next() {
                Some("data") => ValKind::Global,
                _ => ValKind::Function,
            };
            Some((symbol, (file, kind)))
        })
        .collect()
}

/// Is the file about streams that the host provides? Strings are no streams.
fn is_left_out(file: &str, stdio: Stdio) -> bool {
    stdio == Stdio::Host
        && file.starts_with("stdio_")
        && !file.starts_with("stdio_sprintf")
        && !file.starts_with("stdio_sscanf")
}

/// Takes away what a model defines under a name that the program declares with other types: the
/// program means another function, `void read(int)` say, and gets what any unknown one gets.
fn leave_out_others<'c>(ctx: &'c Context, module: &Module<'c>, model: &Module<'c>) {
    let builder = Builder::new(ctx);
    for func in model.functions() {
        let Some(declared) = module.function(&func.name()) else {
            continue;
        };
        if !func.is_declaration()
            && declared.is_declaration()
            && !fits(declared.content_type(), func.content_type())
        {
            func.delete_body(&builder);
        }
    }
}

/// May calls by this declaration mean a function of that type? A result may be ignored, and a
/// declaration without a prototype says nothing of the parameters.
fn fits(declared: Ty<'_>, defined: Ty<'_>) -> bool {
    let (wanted, given) = (declared.params(), defined.params());
    let result = declared.result().kind() == Kind::Void || declared.result() == defined.result();
    let without_prototype = declared.is_vararg() && wanted.is_empty();
    let same = wanted == given && declared.is_vararg() == defined.is_vararg();
    result && (without_prototype || same)
}

/// Functions and objects that the roots reach and nothing defines. A weak reference needs none.
fn undefined<'c>(module: &Module<'c>, roots: &[&str]) -> Vec<Val<'c>> {
    trim::reachable(module, roots)
        .into_iter()
        .filter(|value| {
            matches!(value.value_kind(), ValKind::Function | ValKind::Global)
                && value.is_declaration()
                && !value.is_intrinsic()
                && value.linkage() != Linkage::LLVMExternalWeakLinkage
        })
        .collect()
}

/// A weak reference that nothing defines is null.
fn forget_weak(module: &Module<'_>) {
    for value in module.functions().into_iter().chain(module.globals()) {
        if value.is_declaration() && value.linkage() == Linkage::LLVMExternalWeakLinkage {
            value.replace_with(Val::zero(value.ty()));
        }
    }
}

fn load<'c>(
    ctx: &'c Context,
    module: &Module<'c>,
    file: &str,
    options: &Options,
) -> Result<Module<'c>, Error> {
    let narrow = crate::ffi::Layout::of(module).pointer_bits() == 32;
    let bitcode = match &options.lib_dir {
        Some(dir) => compile(dir, file, options, narrow)?,
        None => {
            let found = built::MODELS.iter().find(|(name, _, _)| *name == file);
            let (_, checked, unchecked) = found.ok_or_else(|| {
                Error::internal(format!(
                    "the model {file} did not compile when this was built"
                ))
            })?;
            let variant = if options.has(CheckId::Deref) {
                checked
            } else {
                unchecked
            };
            variant[usize::from(narrow)].to_vec()
        }
    };
    Module::from_bitcode(ctx, &bitcode)
        .map_err(|message| Error::internal(format!("the model {file}: {message}")))
}

fn compile(dir: &Path, file: &str, options: &Options, narrow: bool) -> Result<Vec<u8>, Error> {
    let mut command = Command::new(clang::program());
    let data_model = if narrow {
        DataModel::Ilp32
    } else {
        DataModel::Lp64
    };
    if !options.has(CheckId::Deref) {
        command.arg(format!("-D{}", flags::NO_DEREF));
    }
    command
        .args(clang::common_arguments(data_model))
        .args(flags::MODEL)
        .arg("-isystem")
        .arg(dir.join("include"))
        .args(["-c", "-emit-llvm", "-o", "-"])
        .arg(dir.join("models").join(file));
    let output = clang::spawn(&mut command)?
        .wait_with_output()
        .map_err(|error| Error::tool(format!("clang-22: {}", clang::plain(&error))))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(Error::input(text.trim_end()));
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::built;

    #[test]
    fn every_model_compiles() {
        assert_eq!(built::BROKEN, &[] as &[&str]);
        assert!(!built::MODELS.is_empty());
    }
}
