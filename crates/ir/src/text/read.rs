//! Reads modules, and parts of modules. One statement stands on one line.
//!
//! The text is walked twice: first for the names of globals and functions with their signatures,
//! which may be used before they are declared, then for everything else. Function bodies are in
//! the neighbouring files. Nothing here recurses, and no table grows beyond what the length of
//! the text pays for.

use checks::registry::CheckId;
use std::collections::HashMap;
use std::sync::Arc;

use base::{Id, Place};

use crate::syntax::{
    Block, Const, Fact, FactData, Func, FuncData, Global, GlobalData, Ground, InitPiece, Machine,
    Module, ObligationData, Phase, PlaceData, PlaceId, Show, Standing, Type, Value, VarData,
};
use crate::text::cursor::{Cursor, Result, Spot};
use crate::text::read_body::{Frame, read_body};
use crate::text::tables::{Mode, Symbol, Tables};

/// Reads a text: a module if it begins with `module`, otherwise declarations and functions, or
/// blocks alone.
///
/// In a text that is no module, undeclared obligations, places, variables, functions that are
/// called, and globals are filled in; blocks without a function become the body of `@fragment`,
/// whose parameters are the parameters of `b0` and the values that no block defines; blocks that
/// are jumped to and missing end in `halt dead`. The phase is Pure if memories occur, else Raw;
/// pointers have 64 bits.
pub fn read(text: &str) -> Result<Module> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut reader = Reader::new(text, &lines)?;
    reader.declare_symbols()?;
    reader.statements()?;
    reader.tables.finish(&lines)
}

/// The header of a function.
struct Header {
    name: String,
    model: bool,
    external: bool,
    types: Vec<Type>,
    /// Parameters with their spots; empty without a body.
    params: Vec<(Value, Spot)>,
    results: Vec<Type>,
    place: Option<PlaceId>,
    has_body: bool,
}

struct Reader<'a> {
    lines: &'a [&'a str],
    next: usize,
    tables: Tables,
    files: HashMap<String, Arc<str>>,
    next_global: usize,
    next_func: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &str, lines: &'a [&'a str]) -> Result<Reader<'a>> {
        let mut cursors = (0..).zip(lines).map(|(n, line)| Cursor::new(line, n));
        let mode = match cursors.find(|cursor| !cursor.at_end()) {
            Some(cursor) if cursor.peek_word() == "module" => Mode::Whole,
            Some(_) => Mode::Fragment,
            None => return Err(Cursor::new("", 0).error("there is no text")),
        };
        Ok(Reader {
            lines,
            next: 0,
            tables: Tables::new(mode, text.len()),
            files: HashMap::new(),
            next_global: 0,
            next_func: 0,
        })
    }

    /// First walk: the header line, names and signatures.
    fn declare_symbols(&mut self) -> Result<()> {
        let mut pure = false;
        let mut begun = self.tables.mode == Mode::Fragment;
        for (number, &line) in (0..).zip(self.lines) {
            let mut cursor = Cursor::new(line, number);
            let start = cursor.clone();
            match cursor.peek_word() {
                "module" if begun => {
                    return Err(start.error("`module` stands only at the beginning"));
                }
                "module" => {
                    begun = true;
                    self.module_line(&mut cursor)?;
                }
                "global" => {
                    cursor.expect_word("global")?;
                    let name = cursor.symbol()?;
                    let global = self.tables.module.globals.push(GlobalData {
                        name: name.clone(),
                        size: 0,
                        align: 1,
                        constant: false,
                        external: false,
                        init: Vec::new(),
                        var: None,
                    });
                    self.tables.bind(&name, Symbol::Global(global), &start)?;
                }
                "fn" | "model" | "external" => {
                    let header = self.func_line(&mut cursor)?;
                    let func = self.tables.module.funcs.push(FuncData {
                        name: header.name.clone(),
                        params: header.types,
                        results: header.results,
                        body: None,
                        place: header.place,
                        model: header.model,
                        external: header.external,
                    });
                    let has_mem = |types: &[Type]| types.iter().any(|ty| ty.is_mem());
                    let data = &self.tables.module.funcs[func];
                    pure |= has_mem(&data.params) || has_mem(&data.results);
                    self.tables.bind(&header.name, Symbol::Func(func), &start)?;
                }
                "region" => pure = true,
                _ => {}
            }
        }
        if pure && self.tables.mode == Mode::Fragment {
            self.tables.module.phase = Phase::Pure;
        }
        Ok(())
    }

    /// Second walk: everything but the header line.
    fn statements(&mut self) -> Result<()> {
        while let Some(&line) = self.lines.get(self.next) {
            let number = self.next as u32;
            let mut cursor = Cursor::new(line, number);
            if cursor.at_end() {
                self.next += 1;
                continue;
            }
            if cursor.at_id::<Block>() && self.tables.mode == Mode::Fragment {
                return self.blocks_alone();
            }
            self.next += 1;
            match cursor.peek_word() {
                "module" => continue,
                "entry" => {
                    let start = cursor.clone();
                    cursor.expect_word("entry")?;
                    let entry = self.tables.func(&mut cursor)?;
                    if self.tables.module.entry.replace(entry).is_some() {
                        return Err(start.error("the entry is declared twice"));
                    }
                }
                "mmio" => {
                    cursor.expect_word("mmio")?;
                    let first = cursor.number("an address")?;
                    let last = cursor.number("an address")?;
                    self.tables.module.mmio.push((first, last));
                }
                "note" => {
                    cursor.expect_word("note")?;
                    let note = cursor.string()?;
                    self.tables.module.notes.push(note);
                }
                "place" => self.place_line(&mut cursor)?,
                "var" => self.var_line(&mut cursor)?,
                "obligation" => self.obligation_line(&mut cursor)?,
                "fact" => self.fact_line(&mut cursor)?,
                "global" => self.global_line(&mut cursor)?,
                "fn" | "model" | "external" => {
                    let header = self.func_line(&mut cursor)?;
                    let func = Func::from_index(self.next_func);
                    self.next_func += 1;
                    if header.has_body {
                        let frame = Frame::Func {
                            params: &header.params,
                            types: &header.types,
                        };
                        let (body, next) =
                            read_body(self.lines, self.next, frame, &mut self.tables)?;
                        self.next = next;
                        self.tables.module.funcs[func].body = Some(body);
                    }
                    continue;
                }
                "" => return Err(cursor.error("expected a declaration or a function")),
                word => return Err(cursor.error(format!("`{word}` begins no declaration"))),
            }
            cursor.expect_end()?;
        }
        Ok(())
    }

    /// Reads the rest of the text as blocks without a function.
    fn blocks_alone(&mut self) -> Result<()> {
        if self.next_func > 0 {
            let cursor = Cursor::new(self.lines[self.next], self.next as u32);
            return Err(cursor.error("a block outside of a function"));
        }
        let (body, next) = read_body(self.lines, self.next, Frame::Blocks, &mut self.tables)?;
        self.next = next;
        let memories = body.values.values().any(|value| value.ty.is_mem());
        if memories {
            self.tables.module.phase = Phase::Pure;
        }
        let func = self.tables.module.define("fragment", Vec::new(), body);
        let end = Cursor::new("", next as u32);
        self.tables.bind("fragment", Symbol::Func(func), &end)
    }

    /// `module raw ptr64`
    fn module_line(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.expect_word("module")?;
        let at_phase = cursor.clone();
        let phase = cursor.word("a phase")?;
        self.tables.module.phase = Phase::from_name(phase)
            .ok_or_else(|| at_phase.error(format!("`{phase}` is no phase")))?;
        let at_machine = cursor.clone();
        let machine = cursor.word("`ptr32` or `ptr64`")?;
        let pointer_bits = match machine {
            "ptr32" => 32,
            "ptr64" => 64,
            _ => return Err(at_machine.error("expected `ptr32` or `ptr64`")),
        };
        self.tables.module.machine = Machine { pointer_bits };
        cursor.expect_end()
    }

    /// `place p0 "f.c":3:7 in "main" inlined p4`
    fn place_line(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.expect_word("place")?;
        expect_next(cursor, self.tables.module.places.next_id())?;
        let file = cursor.string()?;
        cursor.expect(":")?;
        let line = cursor.number("a line")?;
        cursor.expect(":")?;
        let col = cursor.number("a column")?;
        cursor.expect_word("in")?;
        let func = cursor.string()?;
        let inlined_at = match cursor.eat_word("inlined") {
            true => Some(self.tables.place(cursor)?),
            false => None,
        };
        let file = self
            .files
            .entry(file)
            .or_insert_with_key(|name| Arc::from(name.as_str()));
        let place = Place::new(file.clone(), line, col);
        self.tables.module.places.push(PlaceData {
            place,
            func,
            inlined_at,
        });
        Ok(())
    }

    /// `var x0 "i" "int" signed 32 in "main" at p0`
    fn var_line(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.expect_word("var")?;
        expect_next(cursor, self.tables.module.vars.next_id())?;
        let name = cursor.string()?;
        let ty = cursor.string()?;
        let at_show = cursor.clone();
        let show = cursor.word("how the variable is shown")?;
        let show = Show::from_name(show)
            .ok_or_else(|| at_show.error(format!("`{show}` is no way to show a variable")))?;
        let bits = cursor.number("a size in bits")?;
        let func = match cursor.eat_word("in") {
            true => Some(cursor.string()?),
            false => None,
        };
        let place = at_place(&mut self.tables, cursor)?;
        self.tables.module.vars.push(VarData {
            name,
            ty,
            show,
            bits,
            func,
            place,
        });
        Ok(())
    }

    /// `obligation o0 main.overflow.1 "signed overflow in +" at p0 held`
    fn obligation_line(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.expect_word("obligation")?;
        expect_next(cursor, self.tables.module.obligations.next_id())?;
        let start = cursor.clone();
        let quoted = match cursor.peek() {
            Some(b'"') => Some(cursor.string()?),
            _ => None,
        };
        let name = cursor.dashed_word();
        let parts = name.rsplit_once('.').and_then(|(rest, ordinal)| {
            let (func, check) = rest.rsplit_once('.')?;
            let plain = ordinal.bytes().all(|byte| byte.is_ascii_digit());
            let ordinal = ordinal.parse().ok().filter(|_| plain)?;
            let func = match quoted {
                Some(quoted) => func.is_empty().then_some(quoted)?,
                None => Some(func).filter(|func| !func.is_empty())?.to_owned(),
            };
            Some((func, check.to_owned(), ordinal))
        });
        let (func, check, ordinal) =
            parts.ok_or_else(|| start.error("expected a name like `main.overflow.1`"))?;
        let check = CheckId::named(&check)
            .ok_or_else(|| start.error(format!("no check is called `{check}`")))?;
        let text = cursor.string()?;
        let place = at_place(&mut self.tables, cursor)?;
        let standing = if cursor.eat_word("held") {
            Standing::Held
        } else if cursor.eat_word("claim") {
            Standing::Claim
        } else {
            Standing::Plain
        };
        self.tables.module.obligations.push(ObligationData {
            func,
            check,
            ordinal,
            text,
            place,
            standing,
        });
        Ok(())
    }

    /// `fact k1 absint rests o3 k0`
    fn fact_line(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.expect_word("fact")?;
        expect_next(cursor, self.tables.module.facts.next_id())?;
        let start = cursor.clone();
        let engine = cursor.dashed_word().to_owned();
        if engine.is_empty() {
            return Err(start.error("expected the name of an engine"));
        }
        let mut rests = Vec::new();
        if cursor.eat_word("rests") {
            while !cursor.at_end() {
                rests.push(match cursor.at_id::<Fact>() {
                    true => Ground::Fact(self.tables.fact(cursor)?),
                    false => Ground::Obligation(self.tables.obligation(cursor)?),
                });
            }
        }
        self.tables.module.facts.push(FactData { engine, rests });
        Ok(())
    }

    /// `global @g size 8 align 4 constant external var x3 = bytes "\00\01" zero 2 ptr @h+8`
    fn global_line(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.expect_word("global")?;
        cursor.symbol()?;
        let id = Global::from_index(self.next_global);
        self.next_global += 1;
        cursor.expect_word("size")?;
        let size = cursor.number("a size in bytes")?;
        cursor.expect_word("align")?;
        let align = cursor.number("an alignment in bytes")?;
        let constant = cursor.eat_word("constant");
        let external = cursor.eat_word("external");
        let var = match cursor.eat_word("var") {
            true => Some(self.tables.var(cursor)?),
            false => None,
        };
        let mut init = Vec::new();
        if cursor.eat("=") {
            while !cursor.at_end() {
                init.push(self.piece(cursor)?);
            }
        }
        let data = &mut self.tables.module.globals[id];
        data.size = size;
        data.align = align;
        data.constant = constant;
        data.external = external;
        data.var = var;
        data.init = init;
        Ok(())
    }

    fn piece(&mut self, cursor: &mut Cursor<'_>) -> Result<InitPiece> {
        let start = cursor.clone();
        match cursor.word("`bytes`, `zero`, `any` or `ptr`")? {
            "bytes" => Ok(InitPiece::Bytes(cursor.bytes()?)),
            "zero" => Ok(InitPiece::Zero(cursor.number("a number of bytes")?)),
            "any" => Ok(InitPiece::Any(cursor.number("a number of bytes")?)),
            "ptr" => Ok(InitPiece::Pointer(read_pointer(&mut self.tables, cursor)?)),
            _ => Err(start.error("expected `bytes`, `zero`, `any` or `ptr`")),
        }
    }

    /// `model external fn @f(v0: i32) -> i32 at p0 {`
    fn func_line(&mut self, cursor: &mut Cursor<'_>) -> Result<Header> {
        let model = cursor.eat_word("model");
        let external = cursor.eat_word("external");
        cursor.expect_word("fn")?;
        let name = cursor.symbol()?;
        cursor.expect("(")?;
        let mut params = Vec::new();
        let mut types = Vec::new();
        while !cursor.eat(")") {
            if !types.is_empty() {
                cursor.expect(",")?;
            }
            if cursor.at_id::<Value>() {
                let spot = cursor.spot();
                params.push((cursor.id()?, spot));
                cursor.expect(":")?;
            }
            types.push(cursor.ty()?);
        }
        let results = match cursor.eat("->") {
            true => cursor.types()?,
            false => Vec::new(),
        };
        let place = at_place(&mut self.tables, cursor)?;
        let has_body = cursor.eat("{");
        cursor.expect_end()?;
        if has_body && params.len() != types.len() {
            return Err(cursor.error("every parameter of a function with a body needs a number"));
        }
        Ok(Header {
            name,
            model,
            external,
            types,
            params,
            results,
            place,
            has_body,
        })
    }
}

/// Steps over the id that a table hands out next.
fn expect_next<I: Id>(cursor: &mut Cursor<'_>, next: I) -> Result<()> {
    let start = cursor.clone();
    match cursor.id::<I>()? {
        id if id == next => Ok(()),
        _ => Err(start.error(format!("expected {next}: numbers follow each other"))),
    }
}

/// Steps over `at p0`, if it is there.
fn at_place(tables: &mut Tables, cursor: &mut Cursor<'_>) -> Result<Option<PlaceId>> {
    match cursor.eat_word("at") {
        true => Ok(Some(tables.place(cursor)?)),
        false => Ok(None),
    }
}

/// Steps over `null`, `@f`, `@g` or `@g+8`.
pub(super) fn read_pointer(tables: &mut Tables, cursor: &mut Cursor<'_>) -> Result<Const> {
    if cursor.eat_word("null") {
        return Ok(Const::Null);
    }
    match tables.symbol(cursor)? {
        Symbol::Func(func) => Ok(Const::Func(func)),
        Symbol::Global(global) => {
            let start = cursor.clone();
            let negative = cursor.peek() == Some(b'-');
            if !cursor.eat("+") && !cursor.eat("-") {
                return Ok(Const::Global(global, 0));
            }
            let number: u64 = cursor.number("an offset in bytes")?;
            let number = i128::from(number) * if negative { -1 } else { 1 };
            let offset = i64::try_from(number)
                .map_err(|_| start.error("the offset does not fit 64 bits"))?;
            Ok(Const::Global(global, offset))
        }
    }
}
