//! What the reader knows about the module while it reads: names, tables, and what was mentioned.
//!
//! A text that begins with `module` declares everything it mentions. Any other text is a
//! *fragment*: what it mentions and does not declare is filled in, so that a function or a block
//! can be read alone.

use std::collections::{HashMap, HashSet};

use base::Place;

use crate::syntax::{
    Fact, FactData, Func, Global, GlobalData, InitPiece, Machine, Module, Obligation,
    ObligationData, Phase, PlaceData, PlaceId, Show, Standing, Type, Var, VarData,
};
use crate::text::cursor::{Cursor, ReadError, Result, Spot};

/// Must everything be declared?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Yes: the text is a module.
    Whole,
    /// No: the text is a part.
    Fragment,
}

/// What a symbol names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    Func(Func),
    Global(Global),
}

/// The greatest id of a table that was mentioned, and where.
#[derive(Clone, Copy, Default)]
struct Mentioned {
    count: usize,
    spot: Spot,
}

impl Mentioned {
    fn note(&mut self, index: usize, spot: Spot) {
        if index >= self.count {
            *self = Mentioned {
                count: index + 1,
                spot,
            };
        }
    }
}

/// The module so far.
pub(super) struct Tables {
    pub module: Module,
    pub mode: Mode,
    symbols: HashMap<String, Symbol>,
    /// Functions that a fragment mentions, and whose types are not known yet.
    called: HashSet<Func>,
    places: Mentioned,
    vars: Mentioned,
    obligations: Mentioned,
    facts: Mentioned,
    /// Bytes that may still be spent on what the text does not spell out: missing numbers, wide
    /// constants. It keeps a short text from asking for a large table.
    budget: u64,
}

impl Tables {
    pub fn new(mode: Mode, text_len: usize) -> Tables {
        Tables {
            module: Module::new(Phase::Raw, Machine { pointer_bits: 64 }),
            mode,
            symbols: HashMap::new(),
            called: HashSet::new(),
            places: Mentioned::default(),
            vars: Mentioned::default(),
            obligations: Mentioned::default(),
            facts: Mentioned::default(),
            budget: (64 << 20) + 16 * text_len as u64,
        }
    }

    /// Spends memory that the text does not pay for by its own length.
    pub fn spend(&mut self, bytes: u64, cursor: &Cursor<'_>) -> Result<()> {
        match self.budget.checked_sub(bytes) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => Err(cursor.error("the numbers in this text are too large for its length")),
        }
    }

    /// Gives a name to a function or a global.
    pub fn bind(&mut self, name: &str, symbol: Symbol, cursor: &Cursor<'_>) -> Result<()> {
        match self.symbols.insert(name.to_owned(), symbol) {
            None => Ok(()),
            Some(_) => Err(cursor.error(format!("@{name} is declared twice"))),
        }
    }

    /// Steps over the name of a function.
    pub fn func(&mut self, cursor: &mut Cursor<'_>) -> Result<Func> {
        let start = cursor.clone();
        let name = cursor.symbol()?;
        match (self.symbols.get(&name), self.mode) {
            (Some(Symbol::Func(func)), _) => Ok(*func),
            (Some(Symbol::Global(_)), _) => Err(start.error(format!("@{name} is no function"))),
            (None, Mode::Whole) => Err(start.error(format!("@{name} is not declared"))),
            (None, Mode::Fragment) => {
                let func = self.module.declare(&*name, Vec::new(), Vec::new());
                self.called.insert(func);
                self.bind(&name, Symbol::Func(func), &start)?;
                Ok(func)
            }
        }
    }

    /// Steps over the name of a function or a global.
    pub fn symbol(&mut self, cursor: &mut Cursor<'_>) -> Result<Symbol> {
        let start = cursor.clone();
        let name = cursor.symbol()?;
        match (self.symbols.get(&name), self.mode) {
            (Some(symbol), _) => Ok(*symbol),
            (None, Mode::Whole) => Err(start.error(format!("@{name} is not declared"))),
            (None, Mode::Fragment) => {
                let bytes = u64::from(self.module.machine.pointer_bits / 8);
                let global = self.module.globals.push(GlobalData {
                    name: name.clone(),
                    size: bytes,
                    align: bytes,
                    constant: false,
                    external: true,
                    init: vec![InitPiece::Any(bytes)],
                    var: None,
                });
                self.bind(&name, Symbol::Global(global), &start)?;
                Ok(Symbol::Global(global))
            }
        }
    }

    /// Steps over the name of a global.
    pub fn global(&mut self, cursor: &mut Cursor<'_>) -> Result<Global> {
        let start = cursor.clone();
        match self.symbol(cursor)? {
            Symbol::Global(global) => Ok(global),
            Symbol::Func(_) => Err(start.error("expected a global, not a function")),
        }
    }

    /// Steps over a mention of a place.
    pub fn place(&mut self, cursor: &mut Cursor<'_>) -> Result<PlaceId> {
        let spot = cursor.spot();
        let place: PlaceId = cursor.id()?;
        self.places.note(place.index(), spot);
        Ok(place)
    }

    /// Steps over a mention of a source variable.
    pub fn var(&mut self, cursor: &mut Cursor<'_>) -> Result<Var> {
        let spot = cursor.spot();
        let var: Var = cursor.id()?;
        self.vars.note(var.index(), spot);
        Ok(var)
    }

    /// Steps over a mention of an obligation.
    pub fn obligation(&mut self, cursor: &mut Cursor<'_>) -> Result<Obligation> {
        let spot = cursor.spot();
        let obligation: Obligation = cursor.id()?;
        self.obligations.note(obligation.index(), spot);
        Ok(obligation)
    }

    /// Steps over a mention of a fact.
    pub fn fact(&mut self, cursor: &mut Cursor<'_>) -> Result<Fact> {
        let spot = cursor.spot();
        let fact: Fact = cursor.id()?;
        self.facts.note(fact.index(), spot);
        Ok(fact)
    }

    /// Was the function called, and not declared, so far?
    pub fn is_undeclared(&self, func: Func) -> bool {
        self.called.contains(&func)
    }

    /// Gives a function that was only called the types of its first call.
    pub fn declare_by_call(&mut self, func: Func, params: Vec<Type>, results: &[Type]) {
        if self.called.remove(&func) {
            let data = &mut self.module.funcs[func];
            data.params = params;
            data.results = results.to_vec();
        }
    }

    /// Fills in or complains about what was mentioned and not declared.
    pub fn finish(mut self, lines: &[&str]) -> Result<Module> {
        let at = |spot: Spot| Position { lines, spot };
        let count = self.missing(self.obligations, self.module.obligations.len(), at)?;
        for _ in 0..count {
            let ordinal = self.module.obligations.len() as u32 + 1;
            self.module.obligations.push(ObligationData {
                func: "fragment".to_owned(),
                check: checks::registry::CheckId::Assert,
                ordinal,
                text: String::new(),
                place: None,
                standing: Standing::Plain,
            });
        }
        let count = self.missing(self.facts, self.module.facts.len(), at)?;
        for _ in 0..count {
            self.module.facts.push(FactData {
                engine: "fragment".to_owned(),
                rests: Vec::new(),
            });
        }
        let count = self.missing(self.vars, self.module.vars.len(), at)?;
        for _ in 0..count {
            let name = self.module.vars.next_id().to_string();
            self.module.vars.push(VarData {
                name,
                ty: String::new(),
                show: Show::Bytes,
                bits: 0,
                func: None,
                place: None,
            });
        }
        let count = self.missing(self.places, self.module.places.len(), at)?;
        let nowhere = Place::new("", 0, 0);
        for _ in 0..count {
            self.module.places.push(PlaceData {
                place: nowhere.clone(),
                func: String::new(),
                inlined_at: None,
            });
        }
        Ok(self.module)
    }

    /// How many entries a table lacks, if they may be filled in and are not too many.
    fn missing<'a>(
        &mut self,
        mentioned: Mentioned,
        len: usize,
        at: impl Fn(Spot) -> Position<'a>,
    ) -> Result<usize> {
        let count = mentioned.count.saturating_sub(len);
        if count > 0 {
            let cursor = at(mentioned.spot).cursor();
            if self.mode == Mode::Whole {
                return Err(cursor.error(format!("`{}` is not declared", cursor.peek_word())));
            }
            self.spend(128 * count as u64, &cursor)?;
        }
        Ok(count)
    }
}

/// A spot together with the text, for late complaints.
struct Position<'a> {
    lines: &'a [&'a str],
    spot: Spot,
}

impl<'a> Position<'a> {
    fn cursor(&self) -> Cursor<'a> {
        cursor_at(self.lines, self.spot)
    }
}

/// The cursor that once stood at the spot.
pub(super) fn cursor_at<'a>(lines: &[&'a str], spot: Spot) -> Cursor<'a> {
    let line = lines.get(spot.line as usize).copied().unwrap_or("");
    Cursor::at(line, spot)
}

/// A complaint about a spot.
pub(super) fn error_at(lines: &[&str], spot: Spot, message: impl Into<String>) -> ReadError {
    cursor_at(lines, spot).error(message)
}
