//! Places and source variables.

use std::sync::Arc;

use base::Place;
use ir::syntax::{DebugKind, Op, PlaceData, PlaceId, Show, Type, Var, VarData};

use crate::contracts;
use crate::ffi::{Meta, Opcode, RecordKind, Val, ValKind};

use super::Importer;
use super::function::FuncImporter;

/// What must be done with a debug record's value to get the variable's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expression {
    /// Nothing: it is the value, or the address.
    Plain,
    /// The value is the address where the variable lives.
    Deref,
    /// Something else; the variable is not shown.
    Other,
}

// DWARF's tags of types.
const TAG_ARRAY: u16 = 0x01;
const TAG_ENUM: u16 = 0x04;
const TAG_POINTER: u16 = 0x0f;
const TAG_STRUCT: u16 = 0x13;
const TAG_SUBROUTINE: u16 = 0x15;
const TAG_TYPEDEF: u16 = 0x16;
const TAG_UNION: u16 = 0x17;
const TAG_CONST: u16 = 0x26;
const TAG_VOLATILE: u16 = 0x35;
const TAG_RESTRICT: u16 = 0x37;
const TAG_ATOMIC: u16 = 0x47;

impl<'c> Importer<'_, 'c> {
    /// The place of a debug location, with the calls it was inlined through.
    pub fn place(&mut self, location: Meta<'c>) -> Option<PlaceId> {
        if let Some(&place) = self.places.get(&location) {
            return place;
        }
        // From the outermost call inwards.
        let mut chain = vec![location];
        while let Some(outer) = chain.last().and_then(|last| last.inlined_at()) {
            chain.push(outer);
        }
        let mut inlined_at = None;
        for &link in chain.iter().rev() {
            if let Some(&known) = self.places.get(&link) {
                inlined_at = known;
                continue;
            }
            let (line, column) = link.line_column();
            let place = link.scope().filter(|_| line > 0).map(|scope| {
                let file: Arc<str> = self.file_name(scope).unwrap_or_default().into();
                let func = self.scope_name(scope);
                self.new_place(PlaceData {
                    place: Place::new(file, line, column),
                    func,
                    inlined_at,
                })
            });
            self.places.insert(link, place);
            inlined_at = place;
        }
        inlined_at
    }

    /// The name of the file that something is in, as seen from the current folder.
    fn file_name(&self, meta: Meta<'c>) -> Option<String> {
        let file = meta.file()?;
        let inside = self.folder.as_deref();
        let inside = inside.and_then(|folder| file.strip_prefix(folder).ok());
        Some(inside.unwrap_or(&file).to_string_lossy().into_owned())
    }

    /// The name of the function that a scope lies in.
    fn scope_name(&mut self, scope: Meta<'c>) -> String {
        if let Some(name) = self.scopes.get(&scope) {
            return name.clone();
        }
        let mut next = Some(scope);
        let mut name = String::new();
        while let Some(here) = next {
            if here.is_subprogram() {
                name = here.name(self.ctx).unwrap_or_default();
                name = contracts::shown(&name).unwrap_or(name);
                break;
            }
            next = here.parent(self.ctx);
        }
        self.scopes.insert(scope, name.clone());
        name
    }

    /// The place of a declaration: no column is known.
    pub fn declaration_place(&mut self, meta: Meta<'c>) -> Option<PlaceId> {
        let line = meta.line();
        let file = self.file_name(meta)?;
        if line == 0 {
            return None;
        }
        let func = if meta.is_subprogram() {
            let name = meta.name(self.ctx).unwrap_or_default();
            contracts::shown(&name).unwrap_or(name)
        } else {
            match meta.parent(self.ctx) {
                Some(scope) => self.scope_name(scope),
                None => String::new(),
            }
        };
        Some(self.new_place(PlaceData {
            place: Place::new(file, line, 0),
            func,
            inlined_at: None,
        }))
    }

    fn new_place(&mut self, data: PlaceData) -> PlaceId {
        if let Some(&place) = self.known_places.get(&data) {
            return place;
        }
        let place = self.out.places.push(data.clone());
        self.known_places.insert(data, place);
        place
    }

    /// A source variable.
    pub fn variable(&mut self, meta: Meta<'c>) -> Option<Var> {
        if let Some(&var) = self.vars.get(&meta) {
            return Some(var);
        }
        let name = meta.name(self.ctx).filter(|name| !name.is_empty())?;
        let ty = meta.base_type(self.ctx);
        let (show, bits) = self.show(ty);
        let func = meta
            .parent(self.ctx)
            .map(|scope| self.scope_name(scope))
            .filter(|name| !name.is_empty());
        let place = self.declaration_place(meta);
        let var = self.out.vars.push(VarData {
            name,
            ty: self.type_text(ty),
            show,
            bits,
            func,
            place,
        });
        self.vars.insert(meta, var);
        Some(var)
    }

    /// The source variable of a global's debug description.
    pub fn global_variable(&mut self, meta: Meta<'c>) -> Option<Var> {
        self.variable(meta.global_variable()?)
    }

    /// A type as C writes it (declarators of arrays and functions after the name are shown after
    /// the type).
    pub fn type_text(&self, ty: Option<Meta<'c>>) -> String {
        let mut suffix = String::new();
        let mut next = ty;
        for _ in 0..32 {
            let Some(here) = next else {
                return format!("void{suffix}");
            };
            let base = here.base_type(self.ctx);
            let name = here.name(self.ctx);
            match here.tag() {
                TAG_POINTER => {
                    let star = if suffix.starts_with('*') { "*" } else { " *" };
                    suffix = format!("{star}{}", suffix.trim_start());
                    next = base;
                }
                TAG_CONST | TAG_VOLATILE | TAG_RESTRICT | TAG_ATOMIC => {
                    let word = match here.tag() {
                        TAG_CONST => "const",
                        TAG_VOLATILE => "volatile",
                        TAG_RESTRICT => "restrict",
                        _ => "_Atomic",
                    };
                    suffix = format!(" {word}{suffix}");
                    next = base;
                }
                TAG_ARRAY => {
                    let of = base.map_or(0, Meta::bits);
                    let count = here.bits().checked_div(of).unwrap_or(0);
                    suffix = format!("{suffix}[{count}]");
                    next = base;
                }
                TAG_SUBROUTINE => {
                    suffix = format!(" (){suffix}");
                    return format!("function{suffix}");
                }
                TAG_STRUCT => return format!("struct {}{suffix}", name.unwrap_or_default()),
                TAG_UNION => return format!("union {}{suffix}", name.unwrap_or_default()),
                TAG_ENUM => return format!("enum {}{suffix}", name.unwrap_or_default()),
                _ => return format!("{}{suffix}", name.unwrap_or_default()),
            }
        }
        suffix
    }

    /// How to show a variable of a type, and its size in bits.
    fn show(&self, ty: Option<Meta<'c>>) -> (Show, u64) {
        let mut next = ty;
        for _ in 0..32 {
            let Some(here) = next else { break };
            match here.tag() {
                TAG_TYPEDEF | TAG_CONST | TAG_VOLATILE | TAG_RESTRICT | TAG_ATOMIC => {
                    next = here.base_type(self.ctx);
                }
                TAG_ENUM => {
                    let (show, _) = match here.base_type(self.ctx) {
                        Some(base) => (self.encoding(base), 0),
                        None => (Show::Signed, 0),
                    };
                    return (show, here.bits());
                }
                TAG_POINTER => return (Show::Pointer, here.bits()),
                TAG_ARRAY | TAG_STRUCT | TAG_UNION => return (Show::Bytes, here.bits()),
                _ => return (self.encoding(here), here.bits()),
            }
        }
        (Show::Bytes, 0)
    }

    fn encoding(&self, ty: Meta<'c>) -> Show {
        let text = ty.text(self.ctx);
        let encoding = text
            .split("encoding: ")
            .nth(1)
            .and_then(|rest| rest.split([',', ')']).next());
        match encoding {
            Some("DW_ATE_signed") => Show::Signed,
            Some("DW_ATE_unsigned") => Show::Unsigned,
            Some("DW_ATE_boolean") => Show::Bool,
            Some("DW_ATE_signed_char" | "DW_ATE_unsigned_char" | "DW_ATE_UTF") => Show::Char,
            Some("DW_ATE_float") => Show::Float,
            _ => Show::Bytes,
        }
    }

    fn expression(&mut self, meta: Meta<'c>) -> Expression {
        if let Some(&known) = self.expressions.get(&meta) {
            return known;
        }
        let text = meta.text(self.ctx);
        let expression = if text.ends_with("!DIExpression()") {
            Expression::Plain
        } else if text.ends_with("!DIExpression(DW_OP_deref)") {
            Expression::Deref
        } else {
            Expression::Other
        };
        self.expressions.insert(meta, expression);
        expression
    }
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// Which source variables live in local objects.
    pub fn find_homes(&mut self) {
        for block in self.llvm.blocks() {
            let mut next = block.first();
            while let Some(inst) = next {
                next = inst.next();
                for record in inst.records() {
                    if record.kind() != RecordKind::Declare {
                        continue;
                    }
                    let (Some(value), Some(meta)) = (record.value(), record.variable()) else {
                        continue;
                    };
                    let is_param = value.value_kind() == ValKind::Argument;
                    if is_param || value.opcode() == Some(Opcode::LLVMAlloca) {
                        if let Some(var) = self.importer.variable(meta) {
                            self.homes.insert(value, var);
                        }
                    }
                }
            }
        }
    }

    /// The debug records before an instruction.
    pub fn debug_records(&mut self, inst: Val<'c>) {
        for record in inst.records() {
            let kind = record.kind();
            if kind == RecordKind::Other {
                continue;
            }
            let (Some(meta), Some(expression), Some(value)) =
                (record.variable(), record.expression(), record.value())
            else {
                continue;
            };
            if !matches!(
                value.value_kind(),
                ValKind::Instruction
                    | ValKind::Argument
                    | ValKind::Int
                    | ValKind::Null
                    | ValKind::Float
                    | ValKind::Global
            ) {
                continue;
            }
            // A value that is defined later, or never, tells nothing.
            if matches!(value.value_kind(), ValKind::Instruction | ValKind::Argument)
                && !self.values.contains_key(&value)
            {
                continue;
            }
            let expression = self.importer.expression(expression);
            let kind = match (kind, expression) {
                (RecordKind::Declare, Expression::Plain) => DebugKind::Address,
                (RecordKind::Value, Expression::Plain) => DebugKind::Value,
                (RecordKind::Value, Expression::Deref) => DebugKind::Address,
                _ => continue,
            };
            if matches!(value.ty().kind(), crate::ffi::Kind::Metadata) {
                continue;
            }
            let operands = self.operands(value);
            let [operand] = operands.as_slice() else {
                continue;
            };
            if kind == DebugKind::Address && self.type_of(operand) != Type::Ptr {
                continue;
            }
            let Some(var) = self.importer.variable(meta) else {
                continue;
            };
            let before = self.place;
            if let Some(location) = record.location() {
                self.place = self.importer.place(location);
            }
            let operand = operand.clone();
            self.act(Op::Debug {
                var,
                value: operand,
                kind,
            });
            self.place = before;
        }
    }
}
