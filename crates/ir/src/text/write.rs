//! Writes modules, functions and blocks. Instructions are in the neighbouring file.

use std::fmt::{self, Display, Formatter};

use base::{Bv, Id, Map};

use crate::syntax::{
    Block, Body, Const, Func, GlobalData, Ground, InitPiece, Inst, Module, Objects, Operand,
    PlaceId, Pointers, RegionFacts, Standing, Type, Value, Var,
};
use crate::text::lexis::{Bytes, Quoted, Symbol};

/// A part of a module that prints as in the text.
struct Part<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Part<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// A function of the module, as its text.
pub fn display_func(module: &Module, func: Func) -> impl Display + '_ {
    Part(move |f: &mut Formatter<'_>| write_func(f, module, func))
}

/// All functions of the module without its tables: what a short test file shows.
pub fn display_functions(module: &Module) -> impl Display + '_ {
    Part(|f: &mut Formatter<'_>| {
        for func in module.funcs.keys() {
            write_func(f, module, func)?;
        }
        Ok(())
    })
}

/// A block, its label first.
pub fn display_block<'a>(module: &'a Module, body: &'a Body, block: Block) -> impl Display + 'a {
    Part(move |f: &mut Formatter<'_>| write_block(f, Names { module, body }, block))
}

/// An instruction, without indentation or line end.
pub fn display_inst<'a>(module: &'a Module, body: &'a Body, inst: Inst) -> impl Display + 'a {
    Part(move |f: &mut Formatter<'_>| Names { module, body }.inst(f, inst))
}

/// An operand as it is written where nothing else tells its type: `v3`, `7:i32`, `@g+8`.
pub fn display_operand<'a>(module: &'a Module, operand: &'a Operand) -> impl Display + 'a {
    Part(move |f: &mut Formatter<'_>| write_operand(f, module, operand, None))
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(width) => write!(f, "i{width}"),
            Type::Float(float) => write!(f, "{float}"),
            Type::Ptr => f.write_str("ptr"),
            Type::Mem(region) => write!(f, "mem {region}"),
        }
    }
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "module {} ptr{}", self.phase, self.machine.pointer_bits)?;
        if let Some(entry) = self.entry {
            writeln!(f, "entry {}", func_name(self, entry))?;
        }
        for (first, last) in &self.mmio {
            writeln!(f, "mmio {first} {last}")?;
        }
        for note in &self.notes {
            writeln!(f, "note {}", Quoted(note))?;
        }
        for (id, data) in self.places.iter() {
            let place = &data.place;
            write!(
                f,
                "place {id} {}:{}:{} in {}",
                Quoted(&place.file),
                place.line,
                place.col,
                Quoted(&data.func)
            )?;
            match data.inlined_at {
                Some(at) => writeln!(f, " inlined {}", Known(at, &self.places))?,
                None => writeln!(f)?,
            }
        }
        for (id, var) in self.vars.iter() {
            write!(
                f,
                "var {id} {} {} {} {}",
                Quoted(&var.name),
                Quoted(&var.ty),
                var.show,
                var.bits
            )?;
            if let Some(func) = &var.func {
                write!(f, " in {}", Quoted(func))?;
            }
            write_at(f, self, var.place)?;
            writeln!(f)?;
        }
        for (id, data) in self.obligations.iter() {
            let plain = |c: char| c.is_ascii_alphanumeric() || "_.$-".contains(c);
            write!(f, "obligation {id} ")?;
            if !data.func.is_empty() && data.func.chars().all(plain) {
                f.write_str(&data.func)?;
            } else {
                write!(f, "{}", Quoted(&data.func))?;
            }
            write!(f, ".{}.{} {}", data.check, data.ordinal, Quoted(&data.text))?;
            write_at(f, self, data.place)?;
            f.write_str(match data.standing {
                Standing::Plain => "",
                Standing::Claim => " claim",
                Standing::Held => " held",
            })?;
            writeln!(f)?;
        }
        for (id, data) in self.facts.iter() {
            write!(f, "fact {id} {}", data.engine)?;
            for (index, ground) in data.rests.iter().enumerate() {
                f.write_str(if index == 0 { " rests " } else { " " })?;
                match ground {
                    Ground::Obligation(id) => write!(f, "{}", Known(*id, &self.obligations))?,
                    Ground::Fact(id) => write!(f, "{}", Known(*id, &self.facts))?,
                }
            }
            writeln!(f)?;
        }
        for global in self.globals.values() {
            write_global(f, self, global)?;
        }
        for func in self.funcs.keys() {
            write_func(f, self, func)?;
        }
        Ok(())
    }
}

/// An id, with a question mark if its table has no such entry.
pub(super) struct Known<'a, I, T>(pub I, pub &'a Map<I, T>);

impl<I: Id, T> Display for Known<'_, I, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mark = if self.1.contains(self.0) { "" } else { "?" };
        write!(f, "{}{mark}", self.0)
    }
}

fn write_at(f: &mut Formatter<'_>, module: &Module, place: Option<PlaceId>) -> fmt::Result {
    match place {
        Some(place) => write!(f, " at {}", Known(place, &module.places)),
        None => Ok(()),
    }
}

fn write_global(f: &mut Formatter<'_>, module: &Module, global: &GlobalData) -> fmt::Result {
    let name = Symbol(&global.name);
    write!(
        f,
        "global {name} size {} align {}",
        global.size, global.align
    )?;
    if global.constant {
        f.write_str(" constant")?;
    }
    if global.external {
        f.write_str(" external")?;
    }
    if let Some(var) = global.var {
        write!(f, " var {}", Known::<Var, _>(var, &module.vars))?;
    }
    if !global.init.is_empty() {
        f.write_str(" =")?;
    }
    for piece in &global.init {
        match piece {
            InitPiece::Bytes(bytes) => write!(f, " bytes {}", Bytes(bytes))?,
            InitPiece::Zero(count) => write!(f, " zero {count}")?,
            InitPiece::Any(count) => write!(f, " any {count}")?,
            InitPiece::Pointer(constant) => {
                f.write_str(" ptr ")?;
                write_const(f, module, constant, None)?;
            }
        }
    }
    writeln!(f)
}

fn write_func(f: &mut Formatter<'_>, module: &Module, func: Func) -> fmt::Result {
    let Some(data) = module.funcs.get(func) else {
        return writeln!(f, "fn {}", func_name(module, func));
    };
    if data.model {
        f.write_str("model ")?;
    }
    if data.external {
        f.write_str("external ")?;
    }
    write!(f, "fn {}(", Symbol(&data.name))?;
    match &data.body {
        Some(body) => write_params(f, body, &body.params)?,
        None => write_list(f, &data.params)?,
    }
    f.write_str(")")?;
    if !data.results.is_empty() {
        f.write_str(" -> ")?;
        write_list(f, &data.results)?;
    }
    write_at(f, module, data.place)?;
    let Some(body) = &data.body else {
        return writeln!(f);
    };
    f.write_str(" {\n")?;
    for (region, data) in body.regions.iter() {
        write!(f, "region {region}")?;
        if data.local {
            f.write_str(" local")?;
        }
        if data.unknown {
            f.write_str(" unknown")?;
        }
        write_facts(f, module, &data.facts)?;
        if !data.globals.is_empty() {
            f.write_str(" globals")?;
        }
        for &global in &data.globals {
            match module.globals.get(global) {
                Some(data) => write!(f, " {}", Symbol(&data.name))?,
                None => write!(f, " {global}?")?,
            }
        }
        writeln!(f)?;
    }
    let names = Names { module, body };
    for block in body.blocks.keys() {
        write_block(f, names, block)?;
    }
    f.write_str("}\n")
}

/// What is known of a region; nothing for what is not.
fn write_facts(f: &mut Formatter<'_>, module: &Module, facts: &RegionFacts) -> fmt::Result {
    if facts.word != 1 {
        write!(f, " word {}", facts.word)?;
    }
    f.write_str(match facts.objects {
        Objects::One => " one",
        Objects::Many => "",
    })?;
    if let Some(size) = facts.size {
        write!(f, " size {size}")?;
    }
    if let Some(ty) = facts.scalar {
        write!(f, " scalar {ty}")?;
    }
    f.write_str(match facts.pointers {
        Pointers::Never => " plain",
        Pointers::Maybe => "",
    })?;
    if let Some(sites) = &facts.sites {
        f.write_str(" sites")?;
        for &site in sites {
            write!(f, " {}", Known(site, &module.places))?;
        }
    }
    Ok(())
}

fn write_block(f: &mut Formatter<'_>, names: Names<'_>, block: Block) -> fmt::Result {
    let body = names.body;
    let Some(data) = body.blocks.get(block) else {
        return writeln!(f, "{}:", Known(block, &body.blocks));
    };
    write!(f, "{block}")?;
    if !data.params.is_empty() {
        f.write_str("(")?;
        write_params(f, body, &data.params)?;
        f.write_str(")")?;
    }
    f.write_str(":\n")?;
    for &inst in &data.insts {
        f.write_str("    ")?;
        names.inst(f, inst)?;
        writeln!(f)?;
    }
    f.write_str("    ")?;
    names.terminator(f, data)?;
    writeln!(f)
}

fn write_params(f: &mut Formatter<'_>, body: &Body, params: &[Value]) -> fmt::Result {
    for (index, &param) in params.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        match body.values.get(param) {
            Some(data) => write!(f, "{comma}{param}: {}", data.ty)?,
            None => write!(f, "{comma}{param}?")?,
        }
    }
    Ok(())
}

/// Writes items with commas between them.
pub(super) fn write_list(
    f: &mut Formatter<'_>,
    items: impl IntoIterator<Item = impl Display>,
) -> fmt::Result {
    for (index, item) in items.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

/// The function's symbol.
pub(super) fn func_name(module: &Module, func: Func) -> impl Display + '_ {
    Part(move |f: &mut Formatter<'_>| match module.funcs.get(func) {
        Some(data) => write!(f, "{}", Symbol(&data.name)),
        None => write!(f, "@{func}?"),
    })
}

/// Writes an operand; a number's type is left out where it is the one that the instruction fixes.
pub(super) fn write_operand(
    f: &mut Formatter<'_>,
    module: &Module,
    operand: &Operand,
    fixed: Option<Type>,
) -> fmt::Result {
    match operand {
        Operand::Value(value) => write!(f, "{value}"),
        Operand::Const(constant) => write_const(f, module, constant, fixed),
    }
}

fn write_const(
    f: &mut Formatter<'_>,
    module: &Module,
    constant: &Const,
    fixed: Option<Type>,
) -> fmt::Result {
    match constant {
        Const::Int(bv) => write_int(f, bv)?,
        Const::Float(_, bits) => write!(f, "0x{}", bits.to_hex())?,
        Const::Null => f.write_str("null")?,
        Const::Global(global, offset) => {
            match module.globals.get(*global) {
                Some(data) => write!(f, "{}", Symbol(&data.name))?,
                None => write!(f, "@{global}?")?,
            }
            if *offset != 0 {
                write!(f, "{offset:+}")?;
            }
        }
        Const::Func(func) => write!(f, "{}", func_name(module, *func))?,
    }
    match constant {
        Const::Int(_) | Const::Float(..) if fixed != Some(constant.ty()) => {
            write!(f, ":{}", constant.ty())
        }
        Const::Int(_) | Const::Float(..) | Const::Null | Const::Global(..) | Const::Func(_) => {
            Ok(())
        }
    }
}

/// Writes the number of a bit-vector: bits unsigned, narrow ones as signed decimals, wide ones in
/// hexadecimal (which is read in linear time).
pub(super) fn write_int(f: &mut Formatter<'_>, bv: &Bv) -> fmt::Result {
    match bv.width() {
        1 => write!(f, "{}", bv.low_u64()),
        2..=128 => f.write_str(&bv.to_dec_signed()),
        _ => write!(f, "0x{}", bv.to_hex()),
    }
}

/// Where names and types are looked up while a body is written.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub module: &'a Module,
    pub body: &'a Body,
}
