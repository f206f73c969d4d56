//! Obligations and total meanings, put into the bitcode before any of LLVM's passes.
//!
//! LLVM may change a program in every way that keeps its meaning *on executions without undefined
//! behaviour*. So each place of undefined behaviour gets a guard first: a branch to
//! `selkie.fail(id)`, a call `selkie.deref(pointer, size, id)`, or, where the check is switched
//! off, a total meaning. The guards are calls of functions that LLVM knows nothing about but what
//! [`helpers`] says. All other promises are taken away ([`promises`]), and every function is
//! renamed, so that no name means anything to LLVM.
//!
//! Obligations are numbered here, in [`Table`]; a copy that LLVM makes of a guard keeps its number.

pub mod asserts;
pub mod constants;
pub mod cover;
pub mod deref;
pub mod division;
pub mod helpers;
pub mod library;
pub mod promises;
pub mod scopes;
pub mod shadow;
pub mod ubsan;
pub mod undef;
pub mod uninit;
pub mod unreachable;
pub mod updates;
pub mod vectors;

use checks::registry::CheckId;
use std::collections::BTreeSet;

use ir::syntax::Standing;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast;
use crate::contracts;
use crate::ffi::{Builder, Layout, Meta, Module, Val};
use crate::options::Options;

/// The prefix of the program's own functions during LLVM's passes.
pub const PREFIX: &str = "u.";

/// The attribute of functions that come from the library of models.
pub const MODEL: &str = "selkie-model";

/// An obligation, before there is IR to put it in.
#[derive(Clone, Debug)]
pub struct Row<'c> {
    /// The function's name.
    pub func: String,
    /// The check.
    pub check: CheckId,
    /// Number among the function's obligations of this check, from 1.
    pub ordinal: u32,
    /// What is claimed.
    pub text: String,
    /// Where.
    pub location: Option<Meta<'c>>,
    /// What is known of it besides.
    pub standing: Standing,
}

/// All obligations, by number.
#[derive(Default)]
pub struct Table<'c> {
    /// In the order of their numbers.
    pub rows: Vec<Row<'c>>,
    counts: FxHashMap<(String, CheckId), u32>,
    /// What the program's meaning assumes.
    pub notes: BTreeSet<String>,
}

impl<'c> Table<'c> {
    /// A new obligation.
    pub fn add(
        &mut self,
        func: &str,
        check: CheckId,
        text: impl Into<String>,
        location: Option<Meta<'c>>,
    ) -> u32 {
        let key = (func.to_owned(), check);
        let ordinal = self.counts.entry(key).or_insert(0);
        *ordinal += 1;
        self.rows.push(Row {
            func: func.to_owned(),
            check,
            ordinal: *ordinal,
            text: text.into(),
            location,
            standing: Standing::Plain,
        });
        (self.rows.len() - 1) as u32
    }

    /// A sentence for the ledger.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.notes.insert(sentence.into());
    }
}

/// Where the module's code comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Clang, with the flags of `clang`: its own checks stand in the code.
    Source,
    /// Bitcode of others: only flags and operations tell what is undefined.
    Bitcode,
    /// Our models of library functions.
    Model,
}

/// The attribute of functions that come from others' bitcode.
pub const FOREIGN: &str = "selkie-foreign";

/// The work on one module.
pub struct Instrumenter<'a, 'c> {
    /// The module.
    pub module: &'a mut Module<'c>,
    /// Sizes.
    pub layout: &'a Layout,
    /// What the caller chose.
    pub options: &'a Options,
    /// Makes instructions.
    pub builder: Builder<'c>,
    /// The obligations so far.
    pub table: Table<'c>,
    /// Our own functions.
    pub helpers: helpers::Helpers<'c>,
    /// Numbers of attributes.
    pub kinds: Kinds,
    /// Writes to constants by their names that are no initialisers.
    late_writes: FxHashSet<Val<'c>>,
    /// The constants of the function that is worked on.
    sealed: Vec<Val<'c>>,
    numbers: u32,
    trees: FxHashMap<String, Option<std::rc::Rc<ast::Function>>>,
}

/// Numbers of attributes and metadata that are asked for often.
pub struct Kinds {
    /// `!annotation`.
    pub annotation: u32,
    /// `byval`.
    pub byval: u32,
    /// `sret`.
    pub sret: u32,
    /// `noreturn`.
    pub noreturn: u32,
    /// `nomerge`.
    pub nomerge: u32,
}

/// Instruments the whole module.
pub fn instrument<'c>(
    module: &mut Module<'c>,
    layout: &Layout,
    options: &Options,
) -> Result<(Table<'c>, helpers::Helpers<'c>), String> {
    let ctx = module.context();
    let kinds = Kinds {
        annotation: ctx.metadata_kind("annotation"),
        byval: crate::ffi::Attr::kind_named("byval"),
        sret: crate::ffi::Attr::kind_named("sret"),
        noreturn: crate::ffi::Attr::kind_named("noreturn"),
        nomerge: crate::ffi::Attr::kind_named("nomerge"),
    };
    let helpers = helpers::Helpers::new(ctx, layout.pointer_bits())?;
    let mut work = Instrumenter {
        builder: Builder::new(ctx),
        module,
        layout,
        options,
        table: Table::default(),
        helpers,
        kinds,
        late_writes: FxHashSet::default(),
        sealed: Vec::new(),
        numbers: 0,
        trees: FxHashMap::default(),
    };
    let functions: Vec<Val<'c>> = work
        .module
        .functions()
        .into_iter()
        .filter(|func| !func.is_intrinsic())
        .collect();
    for &func in &functions {
        if !func.is_declaration() {
            work.function(func);
        }
    }
    let operators = ["_Znw", "_Zna", "_Zdl", "_Zda"];
    let mut names = functions.iter().map(|func| func.name());
    if names.any(|name| operators.iter().any(|prefix| name.starts_with(prefix))) {
        work.table.note("whether `new`, `new[]` and `malloc` are undone by `delete`, `delete[]` and `free` in this order is not checked");
    }
    for &func in &functions {
        promises::strip_function(&work, func);
        func.set_name(&format!("{PREFIX}{}", func.name()));
    }
    Ok((work.table, work.helpers))
}

impl<'c> Instrumenter<'_, 'c> {
    /// A number that no other call of this returns.
    pub fn fresh_number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    /// What clang's tree tells of a function.
    pub fn tree(&mut self, name: &str) -> Option<std::rc::Rc<ast::Function>> {
        let options = self.options;
        let tree = self.trees.entry(name.to_owned());
        tree.or_insert_with(|| ast::ask(options, name).map(Into::into))
            .clone()
    }

    /// Where a function's code comes from.
    pub fn origin(&self, func: Val<'c>) -> Origin {
        if func.has_string_attribute(MODEL) {
            Origin::Model
        } else if func.has_string_attribute(FOREIGN) {
            Origin::Bitcode
        } else {
            Origin::Source
        }
    }

    fn function(&mut self, func: Val<'c>) {
        let origin = self.origin(func);
        let name = func.name();
        let name = contracts::shown(&name).unwrap_or_else(|| crate::names::plain(&name).to_owned());
        let scope = Scope { func, name, origin };
        cover::mark(self, &scope);
        // What clang wrote comes before what we write, since its patterns are read as clang writes them.
        scopes::mark(self, &scope);
        constants::seal(self, &scope);
        ubsan::convert(self, &scope);
        uninit::convert(self, &scope);
        undef::convert(self, &scope);
        if self.options.has(CheckId::Uninit) {
            shadow::guard(self, &scope);
        }
        asserts::convert(self, &scope);
        library::convert(self, &scope);
        division::guard(self, &scope);
        vectors::guard(self, &scope);
        deref::guard(self, &scope);
        updates::convert(self, &scope);
        unreachable::guard(self, &scope);
        promises::strip_body(self, &scope);
        constants::mark(self);
    }
}

/// The function that is worked on.
pub struct Scope<'c> {
    /// The function.
    pub func: Val<'c>,
    /// Its name in the source.
    pub name: String,
    /// Where its code comes from.
    pub origin: Origin,
}
