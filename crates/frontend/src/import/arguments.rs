//! What an entry other than `main` is called with, and what globals hold then.
//!
//! Nobody knows the caller. Each pointer leads to the start of an object of its own, whose size and
//! contents are chosen freely, and so do the pointers inside, up to a depth:
//!
//! ```text
//! f(struct list *l, char *s, size_t n)
//!
//!     l ──▶ ┌ next ──▶ ┌ next: null      one element, because it holds pointers
//!           │ key      │ key
//!           └ name ──▶ any bytes
//!     s ──▶ any bytes, one or more, no terminator
//! ```
//!
//! Whatever is chosen is a line of the ledger, and `--param` chooses otherwise.

use std::collections::BTreeMap;

use checks::registry::CheckId;
use ir::names::SHARED;
use ir::syntax::{
    AllocKind, BinaryOp, CastOp, CompareOp, FuncData, Global, GlobalData, InitPiece, NondetKind,
    Op, Operand, Origin, Show, Type, VarData,
};

use crate::ctypes::{self, Leaf, Scalar, Sign};
use crate::error::Error;
use crate::ffi::{Attr, Kind, Meta, Val};
use crate::params::{Count, DEPTH, Pointer, Rule, Rules};

use super::function::FuncImporter;

/// Objects of a size that is chosen have at most two to this many bytes, with wide and with narrow pointers.
const LARGEST: (u32, u32) = (31, 17);

/// Where `errno` lives in the models.
const ERRNO: &str = "__selkie_errno";

/// So many elements with pointers in them are made at most.
const MOST_ELEMENTS: u64 = 16;

/// So many integers are named that may count the elements of a pointer.
const MOST_COUNTS: usize = 6;

/// An integer that may count elements.
#[derive(Clone)]
enum Number {
    /// A parameter.
    Value(Operand, Sign),
    /// A member: where it is, and its bits.
    At(Operand, u64, Sign),
}

/// What is made for an entry.
#[derive(Default)]
struct Made {
    rules: Rules,
    used: Vec<String>,
    numbers: BTreeMap<String, Number>,
    pointers: BTreeMap<String, Operand>,
    described: Vec<Pointer>,
    /// Everything that was made.
    objects: Vec<Operand>,
    /// Is it made for globals? Their pointers may be null, as most are in the beginning.
    for_globals: bool,
}

/// The integers that may count the elements of a pointer: those that stand beside it.
fn counts(numbers: &BTreeMap<String, Number>, path: &str) -> Vec<String> {
    let beside = |name: &str| {
        name.rfind("->")
            .map(|at| at + 2)
            .max(name.rfind('.').map(|at| at + 1))
            .unwrap_or(0)
    };
    let family = &path[..beside(path)];
    let names = numbers
        .keys()
        .filter(|name| name[..beside(name)] == *family);
    names.take(MOST_COUNTS).cloned().collect()
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// Values for the parameters of an entry that is not `main`. Have globals been written already?
    pub fn unknown_arguments(
        &mut self,
        entry: Val<'c>,
        written: bool,
    ) -> Result<Vec<Operand>, Error> {
        let mut made = Made {
            rules: self.importer.options.params.clone(),
            ..Made::default()
        };
        if entry.content_type().is_vararg() {
            return Err(Error::usage(format!(
                "--entry {}: it takes further arguments, and nobody knows which: write a function that calls it",
                self.importer.options.entry
            )));
        }
        if !made.rules.initial {
            made.for_globals = true;
            self.arbitrary_globals(&mut made, written)?;
            self.arbitrary_library(written);
            made.for_globals = false;
        }
        let types = self.parameter_types(entry);
        let params = entry.params();
        let mut args: Vec<Option<Vec<Operand>>> = vec![None; params.len()];
        // Numbers first: they may count elements. Then pointers, and last those that may be others.
        for (index, &param) in params.iter().enumerate() {
            if matches!(param.ty().kind(), Kind::Ptr(_)) {
                continue;
            }
            let shape = self.importer.shape(param.ty());
            let leaves: Vec<Type> = shape.leaves.iter().map(|leaf| leaf.ty).collect();
            let values: Vec<Operand> = leaves
                .into_iter()
                .map(|ty| self.nondet(ty, NondetKind::Input))
                .collect();
            if let ([value], Some(Some(Scalar::Integer(_, sign)))) = (
                values.as_slice(),
                types[index]
                    .as_ref()
                    .map(|leaf| leaf.as_ref().map(|leaf| leaf.scalar)),
            ) && matches!(self.type_of(value), Type::Int(_))
            {
                let number = Number::Value(value.clone(), sign);
                made.numbers.insert(param.name(), number);
            }
            args[index] = Some(values);
        }
        for aliases in [false, true] {
            for (index, &param) in params.iter().enumerate() {
                if args[index].is_some() {
                    continue;
                }
                let known = types[index].as_ref().and_then(Option::as_ref);
                let path = known.map_or_else(|| param.name(), |leaf| leaf.path.clone());
                let said = made.rules.pointers.iter().find(|rule| rule.path == path);
                if said.is_some_and(|rule| rule.alias.is_some()) != aliases {
                    continue;
                }
                let perhaps = known.is_some_and(|leaf| leaf.perhaps);
                let mut pointer = self.argument(&mut made, entry, index as u32, path, known)?;
                if perhaps {
                    // Another member of a union may be there.
                    let bits = self.importer.pointer_bits();
                    let other = self.nondet(Type::Int(bits), NondetKind::Input);
                    let other = self.value(Op::Cast(CastOp::IntToPtr, other, Type::Ptr));
                    let there = self.nondet(Type::BOOL, NondetKind::Input);
                    pointer = self.select(there, pointer, other);
                }
                args[index] = Some(vec![pointer]);
            }
        }
        for rule in &made.rules.pointers {
            if !made.used.contains(&rule.path) {
                let mut names: Vec<&str> = made.pointers.keys().map(String::as_str).collect();
                names.sort_unstable();
                return Err(Error::usage(match names.is_empty() {
                    true => format!("--param: there is no pointer `{}`, and no other", rule.path),
                    false => format!(
                        "--param: there is no pointer `{}`; there are {}",
                        rule.path,
                        names.join(", ")
                    ),
                }));
            }
        }
        self.show(&made);
        self.importer.described = made.described;
        Ok(args.into_iter().flatten().flatten().collect())
    }

    /// What each parameter of LLVM's function is in C, as far as that is known: structures that are passed by value are taken
    /// apart, or passed in memory.
    fn parameter_types(&mut self, entry: Val<'c>) -> Vec<Option<Option<Leaf<'c>>>> {
        let ctx = self.importer.ctx;
        let params = entry.params();
        let nothing = || params.iter().map(|_| None).collect();
        let Some(signature) = entry.subprogram().and_then(|sub| sub.signature(ctx)) else {
            return nothing();
        };
        let mut types = Vec::new();
        let mut source = signature.into_iter().skip(1);
        let mut index = 0;
        while index < params.len() {
            let name = params[index].name();
            if name == "agg.result" {
                types.push(None);
                index += 1;
                continue;
            }
            let Some(ty) = source.next() else {
                return nothing();
            };
            let Some((name, _)) = name.split_once(".coerce") else {
                let scalar = ctypes::scalar(ctx, ty).unwrap_or(Scalar::Pointer(ty));
                types.push(Some(Some(Leaf {
                    offset: 0,
                    path: name,
                    scalar,
                    perhaps: false,
                })));
                index += 1;
                continue;
            };
            let parts = ctypes::leaves(ctx, ty, name, false);
            let prefix = format!("{name}.coerce");
            let mut offset = 0;
            while index < params.len() && params[index].name().starts_with(&prefix) {
                let part = parts.iter().find(|part| part.offset == offset);
                types.push(Some(part.map(|part| Leaf {
                    offset,
                    path: part.path.clone(),
                    scalar: part.scalar,
                    perhaps: part.perhaps,
                })));
                offset += 8;
                index += 1;
            }
        }
        types
    }

    /// A pointer for a parameter.
    fn argument(
        &mut self,
        made: &mut Made,
        entry: Val<'c>,
        index: u32,
        path: String,
        known: Option<&Leaf<'c>>,
    ) -> Result<Operand, Error> {
        let byval = entry.attribute(index + 1, self.importer.byval_kind());
        let sret = entry.attribute(index + 1, Attr::kind_named("sret"));
        if let Some(ty) = byval.or(sret).and_then(Attr::ty) {
            let size = self.importer.layout.size(ty);
            let size = self.size(size);
            let object = self.arbitrary_object(made, AllocKind::Stack, size, 16, &path, None);
            // A structure that is passed in memory: its type is what the pointer would lead to.
            if let (Some(Scalar::Pointer(ty)), true) =
                (known.map(|leaf| leaf.scalar), byval.is_some())
            {
                self.fill(made, &object, ty, &path, false, 1, 0)?;
            }
            return Ok(object);
        }
        match known.map(|leaf| leaf.scalar) {
            Some(Scalar::Code(ty)) => Ok(self.unknown_code(made, ty, &path)),
            Some(Scalar::Pointer(ty)) => self.pointer(made, ty, &path, 1, false),
            Some(Scalar::Reference(ty)) => self.pointer(made, ty, &path, 1, true),
            Some(Scalar::Integer(..)) | None => self.pointer(made, None, &path, 1, false),
        }
    }

    /// A pointer to an object of its own; what else it may be, the rule says.
    fn pointer(
        &mut self,
        made: &mut Made,
        ty: Option<Meta<'c>>,
        path: &str,
        depth: u32,
        reference: bool,
    ) -> Result<Operand, Error> {
        let ctx = self.importer.ctx;
        let mut rules = made.rules.pointers.iter();
        let rule = rules.find(|rule| rule.path == path).cloned();
        if rule.is_some() {
            made.used.push(path.to_owned());
        }
        if depth > made.rules.depth.unwrap_or(DEPTH) && rule.is_none() {
            if made.rules.strays {
                self.importer.note(&format!("`{path}` leads to nothing"));
                return Ok(self.stray(made, 1, path));
            }
            self.importer.note(&format!("`{path}` is null"));
            return Ok(Operand::NULL);
        }
        let rule = rule.unwrap_or_default();
        let may_be_null = made.for_globals && depth == 1 && !rule.not_null;
        let element = ctypes::size(ctx, ty).max(1);
        let text = ctypes::is_character(ctx, ty);
        if rule.string && !text {
            return Err(Error::usage(format!(
                "--param '{path}: string': it does not point to characters"
            )));
        }
        made.described.push(Pointer {
            path: path.to_owned(),
            element,
            text,
            counts: counts(&made.numbers, path),
            nullable: may_be_null && !rule.nullable,
        });
        let holds = ctypes::holds_pointers(ctx, ty);
        let (size, elements, words) = self.chosen_size(made, &rule, element, holds || reference)?;
        let kind = if rule.heap {
            AllocKind::Heap
        } else {
            AllocKind::Stack
        };
        let align = ctypes::align(ctx, ty);
        let object = self.arbitrary_object(made, kind, size.clone(), align, path, ty);
        if rule.heap {
            // The caller keeps it: it is not lost when the entry returns.
            let word = self.importer.pointer_bits() / 8;
            let size = self.size(u64::from(word));
            let keeper = self.stack_object(size);
            self.store_scalar(keeper, object.clone(), u64::from(word));
        }
        if rule.string {
            let bits = self.importer.pointer_bits();
            let step = Operand::int(-(element as i64), bits);
            let last = self.binary(BinaryOp::Add, size, step);
            let end = self.offset(object.clone(), last);
            self.store_scalar(end, Operand::int(0, 8 * element as u32), element);
        }
        let heap = if rule.heap { " on the heap" } else { "" };
        let end = if rule.string {
            ", the last of them zero"
        } else {
            ""
        };
        let pointee = match element == 1 && !text {
            true => "bytes".to_owned(),
            false => format!("`{}`", self.importer.type_text(ty).trim()),
        };
        let mut note = format!(
            "`{path}` points to the start of an object of its own{heap}: {words} {pointee} of any value{end}"
        );
        if holds {
            for index in 0..elements.min(MOST_ELEMENTS) {
                let name = match elements {
                    1 => path.to_owned(),
                    _ => format!("{path}[{index}]"),
                };
                let at = index * element;
                self.fill(made, &object, ty, &name, elements == 1, depth + 1, at)?;
            }
        } else {
            self.remember(made, &object, ty, path);
        }
        let mut pointer = object;
        if let Some(other) = &rule.alias {
            let Some(other_pointer) = made.pointers.get(other).cloned() else {
                return Err(Error::usage(format!(
                    "--param '{path}: may alias {other}': there is no pointer `{other}` that comes before it"
                )));
            };
            let same = self.nondet(Type::BOOL, NondetKind::Input);
            pointer = self.select(same, other_pointer, pointer);
            note = format!("`{path}` is `{other}`, or {note}");
        }
        if made.rules.strays && !rule.not_null {
            // Whoever says what it leads to, says it by a contract.
            let there = self.nondet(Type::BOOL, NondetKind::Input);
            let stray = self.stray(made, if holds || reference { element } else { 1 }, path);
            pointer = self.select(there, pointer, stray);
            note = format!("`{path}` is null or leads to an object that is too small, or {note}");
        }
        if rule.nullable || may_be_null {
            pointer = self.or_null(pointer);
            note = format!("`{path}` is null, or {note}");
        }
        self.importer.note(&note);
        made.pointers.insert(path.to_owned(), pointer.clone());
        Ok(pointer)
    }

    /// A pointer that nothing whole can be read through: null, or one to an object with fewer bytes.
    fn stray(&mut self, made: &mut Made, element: u64, path: &str) -> Operand {
        let bits = self.importer.pointer_bits();
        let object = if element > 1 {
            let size = self.nondet(Type::Int(bits), NondetKind::Input);
            let limit = self.size(element);
            let few = self.compare(CompareOp::Ult, size.clone(), limit);
            self.act(Op::Assume(few, Origin::Model));
            self.arbitrary_object(made, AllocKind::Stack, size, 1, path, None)
        } else {
            let size = self.size(0);
            self.stack_object(size)
        };
        self.or_null(object)
    }

    /// A pointer, or null.
    fn or_null(&mut self, pointer: Operand) -> Operand {
        let null = self.nondet(Type::BOOL, NondetKind::Input);
        self.select(null, Operand::NULL, pointer)
    }

    /// How large an object is: bytes, elements that it certainly has, and both in words.
    fn chosen_size(
        &mut self,
        made: &mut Made,
        rule: &Rule,
        element: u64,
        one: bool,
    ) -> Result<(Operand, u64, String), Error> {
        let bits = self.importer.pointer_bits();
        let (wide, narrow) = LARGEST;
        let largest = if bits == 64 { wide } else { narrow };
        let most = 1u64 << largest;
        let path = &rule.path;
        let at_least = u64::from(rule.string);
        // A contract may speak of any number of bytes.
        let element = match rule.size {
            None if made.rules.strays && !one && !rule.string => 1,
            _ => element,
        };
        match rule.size.as_ref() {
            None if one => Ok((self.size(element), 1, "1".to_owned())),
            None => {
                // One more than a choice, so that the choice 0 is the smallest object.
                let more = self.nondet(Type::Int(bits), NondetKind::Input);
                let limit = self.size((most / element).max(1));
                let few = self.compare(CompareOp::Ult, more.clone(), limit);
                self.act(Op::Assume(few, Origin::Model));
                let count = self.binary(BinaryOp::Add, more, Operand::int(1, bits));
                let step = self.size(element);
                let size = self.binary(BinaryOp::Mul, count, step);
                self.importer.note(&format!(
                    "objects of parameters whose size is chosen have at most 2^{largest} bytes"
                ));
                let words = if rule.size.is_none() && made.rules.strays && element == 1 {
                    "1 or more bytes for"
                } else {
                    "1 or more"
                };
                Ok((size, 1, words.to_owned()))
            }
            Some(said) => {
                let unit = if said.elements { element } else { 1 };
                match &said.count {
                    Count::Number(number) => {
                        let bytes = number.checked_mul(unit).filter(|&bytes| bytes <= most);
                        let bytes = bytes.ok_or_else(|| {
                            Error::usage(format!(
                                "--param '{path}: …': an object has at most 2^{largest} bytes"
                            ))
                        })?;
                        if bytes < at_least {
                            return Err(Error::usage(format!(
                                "--param '{path}: …': a string has at least one byte"
                            )));
                        }
                        let words = match said.elements {
                            true => number.to_string(),
                            false => format!("{number} bytes for"),
                        };
                        Ok((self.size(bytes), bytes / element, words))
                    }
                    Count::Named(name) => {
                        let Some(number) = made.numbers.get(name).cloned() else {
                            let names: Vec<&str> =
                                made.numbers.keys().map(String::as_str).collect();
                            return Err(Error::usage(match names.is_empty() {
                                true => {
                                    format!("--param '{path}: …': there is no integer `{name}`")
                                }
                                false => format!(
                                    "--param '{path}: …': there is no integer `{name}`; there are {}",
                                    names.join(", ")
                                ),
                            }));
                        };
                        let count = self.number(&number);
                        let limit = self.size(most / unit);
                        let fits = self.compare(CompareOp::Ule, count.clone(), limit);
                        self.act(Op::Assume(fits, Origin::Model));
                        if rule.string {
                            let zero = self.size(0);
                            let some = self.compare(CompareOp::Ne, count.clone(), zero);
                            self.act(Op::Assume(some, Origin::Model));
                        }
                        let step = self.size(unit);
                        let size = self.binary(BinaryOp::Mul, count, step);
                        self.importer
                            .note(&format!("`{name}` is from {at_least} to {}", most / unit));
                        let words = match said.elements {
                            true => format!("`{name}`"),
                            false => format!("`{name}` bytes for"),
                        };
                        Ok((size, 0, words))
                    }
                }
            }
        }
    }

    fn number(&mut self, number: &Number) -> Operand {
        let bits = self.importer.pointer_bits();
        let (value, sign) = match number {
            Number::Value(value, sign) => (value.clone(), *sign),
            Number::At(place, width, sign) => {
                let value = self.load_scalar(Type::Int(*width as u32), place.clone(), 1);
                (value, *sign)
            }
        };
        let extend = match sign {
            Sign::Signed => CastOp::SExt,
            Sign::Unsigned => CastOp::ZExt,
        };
        self.resize(value, bits, extend)
    }

    /// Writes the pointers of an object, from an offset on, and remembers its integers.
    #[allow(
        clippy::too_many_arguments,
        reason = "a type at a place of an object, and how deep that is"
    )]
    fn fill(
        &mut self,
        made: &mut Made,
        object: &Operand,
        ty: Option<Meta<'c>>,
        path: &str,
        behind: bool,
        depth: u32,
        offset: u64,
    ) -> Result<(), Error> {
        let ctx = self.importer.ctx;
        let leaves = ctypes::leaves(ctx, ty, path, behind);
        for leaf in &leaves {
            if let Scalar::Integer(bits, sign) = leaf.scalar {
                let at = self.offset_by(object.clone(), offset + leaf.offset);
                let number = Number::At(at, bits, sign);
                made.numbers.insert(leaf.path.clone(), number);
            }
        }
        for leaf in &leaves {
            let value = match leaf.scalar {
                Scalar::Integer(..) => continue,
                Scalar::Code(ty) => self.unknown_code(made, ty, &leaf.path),
                Scalar::Pointer(ty) => self.pointer(made, ty, &leaf.path, depth, false)?,
                Scalar::Reference(ty) => self.pointer(made, ty, &leaf.path, depth, true)?,
            };
            let mut at = self.offset_by(object.clone(), offset + leaf.offset);
            let word = u64::from(self.importer.pointer_bits() / 8);
            if leaf.perhaps {
                // Another member of a union may be there: any bytes. Then the pointer goes where nobody looks.
                let size = self.size(word);
                let aside = self.stack_object(size);
                let there = self.nondet(Type::BOOL, NondetKind::Input);
                at = self.select(there, at, aside);
            }
            self.store_scalar(at, value, word);
        }
        Ok(())
    }

    /// Remembers the integers of an object.
    fn remember(&mut self, made: &mut Made, object: &Operand, ty: Option<Meta<'c>>, path: &str) {
        for leaf in ctypes::leaves(self.importer.ctx, ty, path, true) {
            if let (Scalar::Integer(bits, sign), true) = (leaf.scalar, leaf.path.contains("->")) {
                let at = self.offset_by(object.clone(), leaf.offset);
                made.numbers.insert(leaf.path, Number::At(at, bits, sign));
            }
        }
    }

    /// The caller has the objects too, and so has unknown code, wherever there is some: a global that it sees leads there.
    fn show(&mut self, made: &Made) {
        let unknown = |func: &FuncData| func.body.is_none();
        let word = u64::from(self.importer.pointer_bits() / 8);
        let size = word * made.objects.len() as u64;
        if size == 0 || !self.importer.out.funcs.values().skip(1).any(unknown) {
            return;
        }
        let global = self.importer.out.globals.push(GlobalData {
            name: "selkie.shown".to_owned(),
            size,
            align: word,
            constant: false,
            external: true,
            init: vec![InitPiece::Zero(size)],
            var: None,
        });
        for (object, index) in made.objects.iter().zip(0..) {
            let at = self.offset_by(Operand::global(global), word * index);
            self.store_scalar(at, object.clone(), word);
        }
    }

    /// The address of code that nobody knows.
    fn unknown_code(&mut self, made: &mut Made, ty: Meta<'c>, path: &str) -> Operand {
        let ctx = self.importer.ctx;
        let result = ty.signature(ctx).and_then(|types| types.first().copied());
        let results = match result.flatten() {
            None => Vec::new(),
            Some(ty) => match ctypes::scalar(ctx, Some(ty)) {
                Some(Scalar::Integer(bits, _)) => vec![Type::Int(bits as u32)],
                Some(Scalar::Pointer(_) | Scalar::Reference(_) | Scalar::Code(_)) => {
                    vec![Type::Ptr]
                }
                // Others are returned in more than one way; a call is then one of nobody.
                None => Vec::new(),
            },
        };
        let func = self.importer.out.funcs.push(FuncData {
            name: format!("selkie.code.{}", self.importer.out.funcs.len()),
            params: Vec::new(),
            results,
            body: None,
            place: None,
            model: false,
            external: false,
        });
        let rules = &made.rules.pointers;
        let rule = rules.iter().find(|rule| rule.path == path).cloned();
        if rule.is_some() {
            made.used.push(path.to_owned());
        }
        let rule = rule.unwrap_or_default();
        let mut note = format!("`{path}` points to unknown code");
        let mut pointer = Operand::func(func);
        if rule.nullable || ((made.for_globals || made.rules.strays) && !rule.not_null) {
            made.described.push(Pointer {
                path: path.to_owned(),
                element: 1,
                text: false,
                counts: Vec::new(),
                nullable: !rule.nullable,
            });
            pointer = self.or_null(pointer);
            note = format!("`{path}` is null, or {note}");
        }
        self.importer.note(&note);
        made.pointers.insert(path.to_owned(), pointer.clone());
        pointer
    }

    /// An object with any contents, all of which count as written.
    #[allow(
        clippy::too_many_arguments,
        reason = "an object has as many properties"
    )]
    fn arbitrary_object(
        &mut self,
        made: &mut Made,
        kind: AllocKind,
        size: Operand,
        align: u64,
        path: &str,
        ty: Option<Meta<'c>>,
    ) -> Operand {
        let var = self.importer.out.vars.push(VarData {
            name: format!("*{path}"),
            ty: self.importer.type_text(ty),
            show: Show::Bytes,
            bits: 0,
            func: None,
            place: self.place,
        });
        let object = self.value(Op::Alloc {
            kind,
            size: size.clone(),
            align,
            zeroed: false,
            var: Some(var),
        });
        if self.importer.options.has(CheckId::Uninit) {
            let dst = object.clone();
            self.act(Op::MemHavoc { dst, len: size });
        }
        made.objects.push(object.clone());
        let known = (object.clone(), format!("`*{path}`"));
        self.importer.made.push(known);
        object
    }

    /// Writes the pointers of a global whose C type nobody knows: what clang made for itself, or bitcode without debug
    /// information.
    fn fill_unnamed(
        &mut self,
        made: &mut Made,
        object: &Operand,
        value: Val<'c>,
        name: &str,
    ) -> Result<(), Error> {
        let shape = self.importer.shape(value.content_type());
        let word = u64::from(self.importer.pointer_bits() / 8);
        let pointers = shape.leaves.iter().filter(|leaf| leaf.ty == Type::Ptr);
        for leaf in pointers.take(MOST_ELEMENTS as usize) {
            let path = match leaf.offset {
                0 => name.to_owned(),
                offset => format!("{name}+{offset}"),
            };
            let pointer = self.pointer(made, None, &path, 1, false)?;
            let at = self.offset_by(object.clone(), leaf.offset);
            self.store_scalar(at, pointer, word);
        }
        Ok(())
    }

    /// Whoever ran before has called the library, too: what it keeps is not what it starts with. `errno` is any number;
    /// of the rest nothing is known but roughly.
    fn arbitrary_library(&mut self, written: bool) {
        let kept: Vec<(Global, bool)> = self
            .importer
            .out
            .globals
            .iter()
            .map(|(global, data)| (global, data.name == ERRNO, data.name.contains(SHARED)))
            .filter(|&(_, exact, roughly)| exact || roughly)
            .map(|(global, exact, _)| (global, exact))
            .collect();
        for (global, exact) in kept {
            let size = self.importer.out.globals[global].size;
            if exact && !written {
                self.importer.out.globals[global].init = vec![InitPiece::Any(size)];
                continue;
            }
            let dst = Operand::global(global);
            let mut len = self.size(size);
            if !exact {
                let roughly = self.nondet(Type::BOOL, NondetKind::Approx);
                let nothing = self.size(0);
                len = self.select(roughly, len, nothing);
            }
            self.act(Op::MemHavoc { dst, len });
        }
    }

    /// Globals that something may have changed hold anything.
    fn arbitrary_globals(&mut self, made: &mut Made, written: bool) -> Result<(), Error> {
        let ctx = self.importer.ctx;
        let dbg = self.importer.kinds.dbg;
        let mut names = Vec::new();
        let mut found: Vec<_> = self
            .importer
            .globals
            .iter()
            .map(|(&v, &g)| (g, v))
            .collect();
        found.sort_unstable_by_key(|&(global, _)| global);
        for (global, value) in found {
            let name = value.name();
            if !self.importer.changing.contains(&name) || name.starts_with(crate::contracts::OURS) {
                continue;
            }
            let variable = value.global_debug(dbg).and_then(Meta::global_variable);
            let size = self.importer.out.globals[global].size;
            if written {
                let (dst, len) = (Operand::global(global), self.size(size));
                self.act(Op::MemHavoc { dst, len });
            } else {
                self.importer.out.globals[global].init = vec![InitPiece::Any(size)];
            }
            let object = Operand::global(global);
            let shown = match variable {
                Some(variable) => {
                    let shown = variable.name(ctx).unwrap_or(name);
                    let ty = variable.base_type(ctx);
                    self.fill(made, &object, ty, &shown, false, 1, 0)?;
                    shown
                }
                None => {
                    self.fill_unnamed(made, &object, value, &name)?;
                    name
                }
            };
            names.push(format!("`{shown}`"));
        }
        if !names.is_empty() {
            let entry = &self.importer.options.entry;
            let note = format!(
                "globals hold anything when `{}` is called: {}",
                crate::contracts::plain(entry),
                names.join(", ")
            );
            self.importer.note(&note);
        }
        Ok(())
    }
}
