//! LLVM's module to ours.
//!
//! Each LLVM value becomes a list of scalar operands: an aggregate or vector in a register is its
//! leaves in order. Phis become block parameters, conditional branches to `selkie.fail` become
//! `check`. What has no counterpart becomes an obligation of the check `unsupported` that fails
//! where it stands, and its results are arbitrary.

pub mod arguments;
pub mod assembly;
pub mod calls;
pub mod consts;
pub mod control;
pub mod debug;
pub mod emit;
pub mod entry;
mod frame;
pub mod function;
pub mod globals;
pub mod insts;
pub mod intrinsics;
pub mod library;
pub mod memory;
pub mod objects;
pub mod rounds;
pub mod scopes;
pub mod tidy;
pub mod tracking;
pub mod types;
pub mod varargs;

use checks::registry::CheckId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use ir::syntax::{
    Callee, Const, Func, FuncData, Global, InitPiece, Machine, Module, Obligation, ObligationData,
    Op, Operand, Phase, PlaceId, Standing, Type, Var,
};

use crate::MAIN;
use crate::contracts;
use crate::error::Error;
use crate::ffi::{self, Context, Layout, Meta, Ty, Val, ValKind};
use crate::instrument::{MODEL, PREFIX, Table};
use crate::models::Models;
use crate::names;
use crate::options::Options;
use crate::params::Pointer;
use crate::trim;
use types::Shape;

/// The work on one module.
pub struct Importer<'a, 'c> {
    /// LLVM's world.
    pub ctx: &'c Context,
    /// LLVM's module.
    pub llvm: &'a ffi::Module<'c>,
    /// Sizes.
    pub layout: &'a Layout,
    /// What the caller chose.
    pub options: &'a Options,
    /// The obligations that were made before.
    pub table: &'a Table<'c>,
    /// Our module.
    pub out: Module,
    /// The current folder, which names of files in it do without.
    folder: Option<PathBuf>,
    /// Functions by LLVM's.
    funcs: FxHashMap<Val<'c>, Func>,
    /// LLVM's functions by ours.
    llvm_funcs: FxHashMap<Func, Val<'c>>,
    /// Functions whose bodies are still to be imported.
    queue: Vec<(Val<'c>, Func)>,
    /// Global objects by LLVM's.
    globals: FxHashMap<Val<'c>, Global>,
    /// Global objects whose contents are still to be imported.
    global_queue: Vec<(Val<'c>, Global)>,
    /// Contents that the entry must compute, because no piece can say them.
    late: Vec<globals::Late<'c>>,
    /// What runs at `exit`.
    destructors: Vec<Val<'c>>,
    /// The host's function that ends the program.
    host_exit: Option<Func>,
    /// Whether writes count as modifications, if the program ever changes that.
    tracking: Option<Global>,
    /// The types of functions that take further arguments.
    variadic: FxHashSet<Ty<'c>>,
    shapes: FxHashMap<Ty<'c>, Rc<Shape>>,
    places: FxHashMap<Meta<'c>, Option<PlaceId>>,
    known_places: FxHashMap<ir::syntax::PlaceData, PlaceId>,
    scopes: FxHashMap<Meta<'c>, String>,
    vars: FxHashMap<Meta<'c>, Var>,
    expressions: FxHashMap<Meta<'c>, debug::Expression>,
    /// Numbers of blocks whose address is taken, from 1.
    labels: FxHashMap<ffi::Block<'c>, u64>,
    counts: FxHashMap<(String, CheckId), u32>,
    kinds: Kinds,
    /// See [`Models::changing`].
    changing: BTreeSet<String>,
    /// The pointers that the entry is given.
    described: Vec<Pointer>,
    /// The objects that were made for the entry, with what the ledger calls them.
    made: Vec<(Operand, String)>,
}

/// Numbers of attributes that are asked for often.
struct Kinds {
    byval: u32,
    elementtype: u32,
    dbg: u32,
}

/// Imports what the entry function can reach.
pub fn import<'c>(
    llvm: &ffi::Module<'c>,
    layout: &Layout,
    options: &Options,
    table: &Table<'c>,
    models: &Models,
) -> Result<(Module, Vec<Pointer>), Error> {
    let ctx = llvm.context();
    let machine = Machine {
        pointer_bits: layout.pointer_bits(),
    };
    let mut importer = Importer {
        ctx,
        llvm,
        layout,
        options,
        table,
        out: Module {
            mmio: options.mmio.clone(),
            ..Module::new(Phase::Raw, machine)
        },
        folder: std::env::current_dir().ok(),
        funcs: FxHashMap::default(),
        llvm_funcs: FxHashMap::default(),
        queue: Vec::new(),
        globals: FxHashMap::default(),
        global_queue: Vec::new(),
        late: Vec::new(),
        destructors: Vec::new(),
        host_exit: None,
        tracking: None,
        variadic: llvm
            .functions()
            .into_iter()
            .map(Val::content_type)
            .filter(|ty| ty.is_vararg())
            .collect(),
        shapes: FxHashMap::default(),
        places: FxHashMap::default(),
        known_places: FxHashMap::default(),
        scopes: FxHashMap::default(),
        vars: FxHashMap::default(),
        expressions: FxHashMap::default(),
        labels: FxHashMap::default(),
        counts: FxHashMap::default(),
        kinds: Kinds {
            byval: ffi::Attr::kind_named("byval"),
            elementtype: ffi::Attr::kind_named("elementtype"),
            dbg: ctx.metadata_kind("dbg"),
        },
        changing: models.changing.clone(),
        described: Vec::new(),
        made: Vec::new(),
    };
    importer.obligations();
    importer.tracking = tracking::flag(&mut importer);
    let start = entry::reserve(&mut importer);
    let plan = entry::plan(&mut importer)?;
    importer.drain();
    if options.entry != MAIN {
        // Before the entry is called, all globals that it may come to are known.
        importer.exported();
    }
    entry::build(&mut importer, start, &plan)?;
    // What the entry mentions may be new.
    importer.drain();
    importer.exported();
    for (first, last) in &options.mmio {
        importer.note(&format!(
            "addresses {first:#x} to {last:#x} belong to devices: reads there return any value"
        ));
    }
    for note in &table.notes {
        importer.out.notes.push(note.clone());
    }
    importer.note_models(models);
    rounds::renew(&mut importer.out);
    importer.out.notes.sort();
    importer.out.notes.dedup();
    Ok((importer.out, importer.described))
}

impl<'c> Importer<'_, 'c> {
    /// Imports what unknown code may call or see.
    fn exported(&mut self) {
        if !self.options.unknown_calls {
            return;
        }
        // The others have no body: nothing unknown can call them, or nothing is.
        for func in self.llvm.functions() {
            if trim::is_exported(func, &format!("{PREFIX}{}", self.options.entry)) {
                self.func(func);
            }
        }
        // What these point to is in reach of unknown code.
        for global in self.llvm.globals() {
            if trim::leads_on(global) {
                self.global(global);
            }
        }
        self.drain();
    }

    /// The machine's facts.
    pub fn machine(&self) -> Machine {
        self.out.machine
    }

    /// An integer of pointer width.
    pub fn size_type(&self) -> Type {
        Type::Int(self.out.machine.pointer_bits)
    }

    fn byval_kind(&self) -> u32 {
        self.kinds.byval
    }

    /// A sentence for the ledger.
    pub fn note(&mut self, sentence: &str) {
        if !self.out.notes.iter().any(|note| note == sentence) {
            self.out.notes.push(sentence.to_owned());
        }
    }

    /// Says which functions of the library are models: those that the program itself refers to. What
    /// models need of each other tells a user nothing.
    fn note_models(&mut self, models: &Models) {
        let own = self.referred_to();
        let used = |func: &FuncData| {
            let own = own.contains(&func.name) || func.name.starts_with("__selkie_");
            func.model && func.body.is_some() && own
        };
        let mut names: Vec<&str> = Vec::new();
        for func in self.out.funcs.values().filter(|func| used(func)) {
            let name = func.name.as_str();
            if name.starts_with("__selkie_print_result") {
                names.extend(&models.printed);
            } else if models.names.contains(name) && !name.starts_with("__selkie_") {
                names.push(name);
            }
        }
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() {
            let note = format!("library functions by their models: {}", names.join(", "));
            self.out.notes.push(note);
        }
    }

    /// The functions that the program's own code and objects refer to.
    fn referred_to(&self) -> BTreeSet<String> {
        let module = &self.out;
        let mut names = BTreeSet::new();
        let mut see = |operand: &Operand| {
            if let Operand::Const(Const::Func(func)) = operand {
                names.insert(module.funcs[*func].name.clone());
            }
        };
        for global in module.globals.values() {
            for piece in &global.init {
                if let InitPiece::Pointer(constant) = piece {
                    see(&Operand::Const(constant.clone()));
                }
            }
        }
        let own = module.funcs.values().filter(|func| !func.model);
        for body in own.filter_map(|func| func.body.as_ref()) {
            for (_, inst) in body.insts_in_order() {
                let op = &body.insts[inst].op;
                op.operands().into_iter().for_each(&mut see);
                if let Op::Call {
                    callee: Callee::Direct(func),
                    ..
                } = op
                {
                    see(&Operand::func(*func));
                }
            }
            let ends = body.blocks.values().map(|block| &block.terminator);
            ends.flat_map(|end| end.operands()).for_each(&mut see);
        }
        names
    }

    /// Copies the table of obligations: number n is obligation n.
    fn obligations(&mut self) {
        for row in &self.table.rows {
            let place = row.location.and_then(|location| self.place(location));
            self.counts
                .insert((row.func.clone(), row.check), row.ordinal);
            self.out.obligations.push(ObligationData {
                func: row.func.clone(),
                check: row.check,
                ordinal: row.ordinal,
                text: row.text.clone(),
                place,
                standing: row.standing,
            });
        }
    }

    /// A further obligation.
    pub fn obligation(
        &mut self,
        func: &str,
        check: CheckId,
        text: impl Into<String>,
        place: Option<PlaceId>,
    ) -> Obligation {
        let count = self.counts.entry((func.to_owned(), check)).or_insert(0);
        *count += 1;
        self.out.obligations.push(ObligationData {
            func: func.to_owned(),
            check,
            ordinal: *count,
            text: text.into(),
            place,
            standing: Standing::Plain,
        })
    }

    /// Imports bodies and contents until nothing is left.
    fn drain(&mut self) {
        loop {
            if let Some((value, func)) = self.queue.pop() {
                function::import_body(self, value, func);
            } else if let Some((value, global)) = self.global_queue.pop() {
                globals::import_contents(self, value, global);
            } else {
                return;
            }
        }
    }

    /// The function's name in the source.
    pub fn source_name(&self, value: Val<'c>) -> String {
        let name = value.name();
        let name = name.strip_prefix(PREFIX).unwrap_or(&name);
        if let Some(name) = contracts::shown(name) {
            return name;
        }
        let plain = names::plain(name);
        if plain == name {
            return name.to_owned();
        }
        // The body of a special function has its name, unless the program defines that.
        let own = self.llvm.function(&format!("{PREFIX}{plain}"));
        let defined = own.is_some_and(|func| !func.is_declaration());
        let name = if defined { name } else { plain };
        name.to_owned()
    }

    /// Our function for LLVM's; its body is imported later.
    pub fn func(&mut self, value: Val<'c>) -> Func {
        if let Some(&func) = self.funcs.get(&value) {
            return func;
        }
        let ty = value.content_type();
        let (mut params, results) = self.signature(ty);
        if value.is_declaration() && calls::has_no_prototype(ty) {
            params.clear();
        }
        let place = value
            .subprogram()
            .and_then(|subprogram| self.declaration_place(subprogram));
        let func = self.out.funcs.push(FuncData {
            name: self.source_name(value),
            params,
            results,
            body: None,
            place,
            model: value.has_string_attribute(MODEL),
            external: trim::is_exported(value, &format!("{PREFIX}{}", self.options.entry)),
        });
        self.funcs.insert(value, func);
        self.llvm_funcs.insert(func, value);
        if !value.is_declaration() {
            self.queue.push((value, func));
        }
        func
    }

    /// Parameter and result types of a function type: scalars, and a hidden pointer to the
    /// further arguments if there may be some.
    pub fn signature(&mut self, ty: Ty<'c>) -> (Vec<Type>, Vec<Type>) {
        let mut params = Vec::new();
        for param in ty.params() {
            let shape = self.shape(param);
            params.extend(shape.leaves.iter().map(|leaf| leaf.ty));
        }
        if ty.is_vararg() {
            params.push(Type::Ptr);
        }
        let shape = self.shape(ty.result());
        let results = shape.leaves.iter().map(|leaf| leaf.ty).collect();
        (params, results)
    }

    /// Our global for LLVM's; its contents are imported later.
    pub fn global(&mut self, value: Val<'c>) -> Global {
        if let Some(&global) = self.globals.get(&value) {
            return global;
        }
        let global = globals::declare(self, value);
        self.globals.insert(value, global);
        self.global_queue.push((value, global));
        global
    }

    /// What a name in a constant stands for: aliases are followed.
    pub fn resolve(&self, value: Val<'c>) -> Val<'c> {
        let mut value = value;
        for _ in 0..64 {
            match value.value_kind() {
                ValKind::Alias => match value.aliasee() {
                    Some(next) => value = next,
                    None => return value,
                },
                _ => return value,
            }
        }
        value
    }
}
