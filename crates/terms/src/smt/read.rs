//! The SMT-LIB reader: scripts as commands over the terms of an arena.
//!
//! ```
//! use terms::{Terms, smt::{Command, Script}};
//! let mut terms = Terms::new();
//! let text = "(declare-const x (_ BitVec 8)) (assert (bvult x #x05)) (check-sat)";
//! let script = Script::read(&mut terms, "example.smt2", text).expect("well-formed");
//! assert!(matches!(script.commands[..], [Command::Assert(_), Command::CheckSat]));
//! ```

use std::collections::HashMap;
use std::fmt;

use base::Place;
use rustc_hash::FxBuildHasher;

use crate::arena::{Term, Terms};
use crate::op::Fun;
use crate::smt::lexer::{Lexer, Spot, Token};
use crate::smt::term::Arg;
use crate::sort::{FloatSort, Sort};

/// Why a text could not be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// File, line and column.
    pub place: Place,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for ReadError {}

/// A command of a script. Declarations and definitions have been carried out by the reader and do not appear.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `(set-logic …)`: a logic that only needs what terms can say.
    SetLogic(String),
    /// `(set-option :name value)`, the value as it was written.
    SetOption(String, String),
    /// `(set-info :name value)`, the value as it was written.
    SetInfo(String, String),
    /// `(assert t)`.
    Assert(Term),
    /// `(check-sat)`.
    CheckSat,
    /// `(check-sat-assuming (…))`.
    CheckSatAssuming(Vec<Term>),
    /// `(get-value (…))`: terms, and how they were written.
    GetValue(Vec<(Term, String)>),
    /// `(get-model)`.
    GetModel,
    /// `(get-unsat-core)`.
    GetUnsatCore,
    /// `(get-unsat-assumptions)`.
    GetUnsatAssumptions,
    /// `(push n)`.
    Push(u32),
    /// `(pop n)`.
    Pop(u32),
    /// `(echo "…")`.
    Echo(String),
    /// `(exit)`.
    Exit,
}

/// A script: its commands, and the variables, functions and names that it introduced.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// The commands, in order.
    pub commands: Vec<Command>,
    /// The declared variables, with the names that the script gave them.
    pub vars: Vec<(String, Term)>,
    /// The declared functions, with the names that the script gave them.
    pub funs: Vec<(String, Fun)>,
    /// The terms named by `(! t :named n)`.
    pub named: Vec<(String, Term)>,
}

impl Script {
    /// Reads a whole script; `file` is its name in errors.
    pub fn read(terms: &mut Terms, file: &str, text: &str) -> Result<Script, ReadError> {
        let mut reader = Reader::new(terms, file, text);
        while reader.command()? {}
        Ok(reader.script)
    }

    /// Reads a script whose assertions may be closed by quantifiers: what is claimed for all values of a variable is read with a variable of
    /// its own, which is free in the term. `HORN` is a logic then.
    pub fn read_closed(terms: &mut Terms, file: &str, text: &str) -> Result<Script, ReadError> {
        let mut reader = Reader::new(terms, file, text);
        reader.horn = true;
        while reader.command()? {}
        Ok(reader.script)
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub enum Binding {
    /// A variable, or a defined or named term.
    Term(Term),
    /// An uninterpreted function.
    Fun(Fun),
    /// A defined function with parameters, by its number.
    Macro(usize),
}

/// A defined function: its parameters occur free in the body.
pub(crate) struct Macro {
    pub(crate) params: Vec<Term>,
    pub(crate) body: Term,
}

/// Reads commands or terms from a text.
pub struct Reader<'a, 't> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) lexer: Lexer<'t>,
    pub(crate) macros: Vec<Macro>,
    names: HashMap<Box<str>, Binding, FxBuildHasher>,
    sorts: HashMap<Box<str>, Sort, FxBuildHasher>,
    /// What each `push` will have to restore: names, newest last, and what they meant before.
    undo: Vec<Vec<(Box<str>, Option<Binding>)>>,
    lets: HashMap<&'t str, Vec<Arg>, FxBuildHasher>,
    let_order: Vec<&'t str>,
    /// May assertions be closed by quantifiers?
    horn: bool,
    /// Is an assertion read that may be?
    pub(crate) closed: bool,
    script: Script,
}

impl<'a, 't> Reader<'a, 't> {
    /// A reader of this text; `file` is its name in errors.
    pub fn new(terms: &'a mut Terms, file: &str, text: &'t str) -> Reader<'a, 't> {
        let mut sorts: HashMap<Box<str>, Sort, FxBuildHasher> = HashMap::default();
        let known = [
            ("Bool", Sort::Bool),
            ("Int", Sort::Int),
            ("Float16", Sort::Float(FloatSort::F16)),
            ("Float32", Sort::Float(FloatSort::F32)),
            ("Float64", Sort::Float(FloatSort::F64)),
            ("Float128", Sort::Float(FloatSort::F128)),
        ];
        sorts.extend(known.map(|(name, sort)| (name.into(), sort)));
        Reader {
            terms,
            lexer: Lexer::new(file, text),
            macros: Vec::new(),
            names: HashMap::default(),
            sorts,
            undo: Vec::new(),
            lets: HashMap::default(),
            let_order: Vec::new(),
            horn: false,
            closed: false,
            script: Script::default(),
        }
    }

    /// Lets a name stand for a term in what is read from now on.
    pub fn define(&mut self, name: &str, t: Term) {
        self.bind(name, Binding::Term(t));
    }

    /// Lets a name stand for a function in what is read from now on.
    pub fn define_fun(&mut self, name: &str, fun: Fun) {
        self.bind(name, Binding::Fun(fun));
    }

    /// Reads one term, which must be all that is left of the text.
    pub fn only_term(&mut self) -> Result<Term, ReadError> {
        let t = self.term()?;
        match self.lexer.next()? {
            None => Ok(t),
            Some((_, spot)) => Err(self.lexer.error(spot, "expected the end of the term")),
        }
    }

    /// Reads one term; what follows it is left to be read.
    pub fn next_term(&mut self) -> Result<Term, ReadError> {
        self.term()
    }

    /// Whether nothing but blanks and comments is left.
    pub fn at_end(&mut self) -> Result<bool, ReadError> {
        Ok(self.lexer.peek()?.is_none())
    }

    pub(crate) fn find(&self, name: &str) -> Option<Binding> {
        self.names.get(name).copied()
    }

    pub(crate) fn find_let(&self, name: &str) -> Option<Arg> {
        self.lets
            .get(name)
            .and_then(|values| values.last())
            .cloned()
    }

    pub(crate) fn find_sort(&self, name: &str) -> Option<Sort> {
        self.sorts.get(name).copied()
    }

    pub(crate) fn bind_let(&mut self, name: &'t str, value: Arg) {
        self.lets.entry(name).or_default().push(value);
        self.let_order.push(name);
    }

    pub(crate) fn unbind_lets(&mut self, count: usize) {
        for name in self.let_order.drain(self.let_order.len() - count..) {
            self.lets.get_mut(name).expect("it was bound").pop();
        }
    }

    fn bind(&mut self, name: &str, binding: Binding) {
        let before = self.names.insert(name.into(), binding);
        if let Some(scope) = self.undo.last_mut() {
            scope.push((name.into(), before));
        }
    }

    /// Gives a term its `:named` name.
    pub(crate) fn bind_name(&mut self, name: &str, t: Term, spot: Spot) -> Result<(), ReadError> {
        self.check_new(name, spot)?;
        self.bind(name, Binding::Term(t));
        self.script.named.push((name.into(), t));
        Ok(())
    }

    fn check_new(&self, name: &str, spot: Spot) -> Result<(), ReadError> {
        match self.names.contains_key(name) {
            true => Err(self
                .lexer
                .error(spot, format!("`{name}` is declared twice"))),
            false => Ok(()),
        }
    }

    /// Reads one command and carries it out as far as names are concerned; false at the end of the text.
    fn command(&mut self) -> Result<bool, ReadError> {
        let Some((token, spot)) = self.lexer.next()? else {
            return Ok(false);
        };
        if token != Token::Open {
            return Err(self.lexer.error(spot, "expected a command"));
        }
        let (name, spot) = self.lexer.expect_symbol()?;
        let command = match name {
            "set-logic" => {
                let (logic, spot) = self.lexer.expect_symbol()?;
                let horn = self.horn && logic == "HORN";
                if !horn && !is_supported_logic(logic) {
                    return Err(self
                        .lexer
                        .error(spot, format!("unsupported logic `{logic}`")));
                }
                Some(Command::SetLogic(logic.into()))
            }
            "set-option" => Some(self.attribute(Command::SetOption)?),
            "set-info" => Some(self.attribute(Command::SetInfo)?),
            "declare-const" => {
                let (name, spot) = self.lexer.expect_symbol()?;
                let sort = self.sort()?;
                self.declare(name, spot, &[], sort)?;
                None
            }
            "declare-fun" => {
                let (name, spot) = self.lexer.expect_symbol()?;
                self.lexer.expect_open()?;
                let mut params = Vec::new();
                while self.lexer.peek()? != Some(Token::Close) {
                    params.push(self.sort()?);
                }
                self.lexer.expect_close()?;
                let result = self.sort()?;
                self.declare(name, spot, &params, result)?;
                None
            }
            "define-fun" => {
                let (name, spot) = self.lexer.expect_symbol()?;
                self.check_new(name, spot)?;
                let params = self.parameters(name)?;
                self.definition(name, params)?;
                None
            }
            "define-const" => {
                let (name, spot) = self.lexer.expect_symbol()?;
                self.check_new(name, spot)?;
                self.definition(name, Vec::new())?;
                None
            }
            "define-sort" => {
                let (name, spot) = self.lexer.expect_symbol()?;
                self.lexer.expect_open()?;
                if self.lexer.peek()? != Some(Token::Close) {
                    return Err(self.lexer.error(spot, "unsupported: sorts with parameters"));
                }
                self.lexer.expect_close()?;
                let sort = self.sort()?;
                if self.sorts.insert(name.into(), sort).is_some() {
                    return Err(self
                        .lexer
                        .error(spot, format!("the sort `{name}` is declared twice")));
                }
                None
            }
            "assert" => {
                self.closed = self.horn;
                let assertion = self.bool_term()?;
                self.closed = false;
                Some(Command::Assert(assertion))
            }
            "check-sat" => Some(Command::CheckSat),
            "check-sat-assuming" => {
                self.lexer.expect_open()?;
                let mut assumptions = Vec::new();
                while self.lexer.peek()? != Some(Token::Close) {
                    assumptions.push(self.bool_term()?);
                }
                self.lexer.expect_close()?;
                Some(Command::CheckSatAssuming(assumptions))
            }
            "get-value" => {
                self.lexer.expect_open()?;
                let mut asked = Vec::new();
                while self.lexer.peek()? != Some(Token::Close) {
                    let start = self.lexer.offset();
                    let t = self.term()?;
                    asked.push((t, self.lexer.text_since(start).trim().to_string()));
                }
                self.lexer.expect_close()?;
                Some(Command::GetValue(asked))
            }
            "get-model" => Some(Command::GetModel),
            "get-unsat-core" => Some(Command::GetUnsatCore),
            "get-unsat-assumptions" => Some(Command::GetUnsatAssumptions),
            "push" => {
                let count = self.optional_number()?;
                self.undo.extend((0..count).map(|_| Vec::new()));
                Some(Command::Push(count))
            }
            "pop" => {
                let count = self.optional_number()?;
                for _ in 0..count {
                    let Some(scope) = self.undo.pop() else {
                        return Err(self.lexer.error(spot, "a `pop` without `push`"));
                    };
                    for (name, before) in scope.into_iter().rev() {
                        match before {
                            Some(binding) => drop(self.names.insert(name, binding)),
                            None => drop(self.names.remove(&name)),
                        }
                    }
                }
                Some(Command::Pop(count))
            }
            "echo" => match self.lexer.expect_any()? {
                (Token::Text(text), _) => Some(Command::Echo(text.replace("\"\"", "\""))),
                (_, spot) => return Err(self.lexer.error(spot, "expected a string")),
            },
            "exit" => Some(Command::Exit),
            _ => {
                return Err(self
                    .lexer
                    .error(spot, format!("unsupported command `{name}`")));
            }
        };
        self.lexer.expect_close()?;
        self.script.commands.extend(command);
        Ok(true)
    }

    fn optional_number(&mut self) -> Result<u32, ReadError> {
        let spot = self.lexer.spot();
        let count = if self.lexer.peek()? == Some(Token::Close) {
            1
        } else {
            self.lexer.expect_number()?
        };
        // Scopes cost memory in the reader and in every back end.
        if count > 1_000_000 {
            Err(self.lexer.error(spot, "too many scopes"))
        } else {
            Ok(count)
        }
    }

    fn attribute(&mut self, make: fn(String, String) -> Command) -> Result<Command, ReadError> {
        match self.lexer.expect_any()? {
            (Token::Keyword(name), _) => {
                let start = self.lexer.offset();
                self.skip_value()?;
                Ok(make(
                    name.into(),
                    self.lexer.text_since(start).trim().to_string(),
                ))
            }
            (_, spot) => Err(self.lexer.error(spot, "expected a keyword")),
        }
    }

    fn bool_term(&mut self) -> Result<Term, ReadError> {
        let spot = self.lexer.spot();
        let t = self.term()?;
        match self.terms.sort(t) {
            Sort::Bool => Ok(t),
            sort => {
                let sort = self.terms.sort_to_smt(sort);
                Err(self
                    .lexer
                    .error(spot, format!("expected a term of sort Bool, found {sort}")))
            }
        }
    }

    fn declare(
        &mut self,
        name: &str,
        spot: Spot,
        params: &[Sort],
        result: Sort,
    ) -> Result<(), ReadError> {
        self.check_new(name, spot)?;
        if params.is_empty() {
            // A variable of a quantifier may have got the name.
            let var = match self.horn {
                true => self.terms.fresh(name, result),
                false => self.terms.var(name, result),
            };
            self.bind(name, Binding::Term(var));
            self.script.vars.push((name.into(), var));
        } else {
            let fun = self.terms.declare_fun(name, params, result);
            self.bind(name, Binding::Fun(fun));
            self.script.funs.push((name.into(), fun));
        }
        Ok(())
    }

    /// Reads `((x Sort) …)` and binds the names to fresh variables until [`Reader::definition`] has read the body.
    fn parameters(&mut self, function: &str) -> Result<Vec<Term>, ReadError> {
        let mut params = Vec::new();
        self.lexer.expect_open()?;
        while self.lexer.peek()? != Some(Token::Close) {
            self.lexer.expect_open()?;
            let (param, _) = self.lexer.expect_symbol()?;
            let sort = self.sort()?;
            self.lexer.expect_close()?;
            let var = self.terms.fresh(&format!("{function}.{param}"), sort);
            self.bind_let(param, Arg::Term(var));
            params.push(var);
        }
        self.lexer.expect_close()?;
        Ok(params)
    }

    /// Reads sort and body of a definition.
    fn definition(&mut self, name: &str, params: Vec<Term>) -> Result<(), ReadError> {
        let sort = self.sort()?;
        let spot = self.lexer.spot();
        let body = self.term()?;
        self.unbind_lets(params.len());
        if self.terms.sort(body) != sort {
            let found = self.terms.sort_to_smt(self.terms.sort(body));
            let message = format!(
                "the body has sort {found}, not {}",
                self.terms.sort_to_smt(sort)
            );
            return Err(self.lexer.error(spot, message));
        }
        if params.is_empty() {
            self.bind(name, Binding::Term(body));
        } else {
            self.macros.push(Macro { params, body });
            self.bind(name, Binding::Macro(self.macros.len() - 1));
        }
        Ok(())
    }
}

/// Whether terms can say what a logic can: quantifier-free combinations of arrays, functions, bit-vectors, floats and integers.
fn is_supported_logic(logic: &str) -> bool {
    if logic == "ALL" || logic == "QF_ALL" {
        return true;
    }
    let Some(mut rest) = logic.strip_prefix("QF_") else {
        return false;
    };
    let parts = ["AX", "A", "UF", "BV", "FP", "LIA", "NIA", "IDL"];
    while let Some(part) = parts.iter().find(|part| rest.starts_with(**part)) {
        rest = &rest[part.len()..];
    }
    rest.is_empty()
}
