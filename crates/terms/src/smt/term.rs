//! Reading terms and sorts: a stack of open parentheses instead of recursion.

use base::Bv;
use num_bigint::BigInt;

use crate::arena::Term;
use crate::op::Rounding;
use crate::smt::lexer::{Spot, Token};
use crate::smt::read::{Binding, ReadError, Reader};
use crate::sort::{FloatSort, Sort};

/// What can stand as an argument.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    Term(Term),
    Rounding(Rounding),
    /// A rational constant, which occurs only under conversions to floats.
    Real(BigInt, BigInt),
}

/// What is applied.
#[derive(Clone, Debug)]
pub(crate) enum Head<'t> {
    Symbol(&'t str),
    Indexed(&'t str, Vec<u32>),
    ConstArray(Sort),
}

/// An open parenthesis.
enum Frame<'t> {
    /// An application; its arguments so far are those from `start`.
    App {
        head: Head<'t>,
        start: usize,
        spot: Spot,
        /// Must the argument that is being read be the last one?
        last: bool,
    },
    /// A binding of a `let` whose value is being read; the let's finished bindings are those from `start`.
    Bind { name: &'t str, start: usize },
    /// The body of a `let` with this many bindings.
    Body { count: usize },
    /// An annotated term.
    Annotated,
    /// What so many variables are quantified in.
    Quantified { count: usize },
}

/// How deep sorts may nest. Nobody writes more, and terms of such sorts would be of no use.
const DEEPEST_SORT: u32 = 100;

impl<'t> Reader<'_, 't> {
    /// Reads a term.
    pub(crate) fn term(&mut self) -> Result<Term, ReadError> {
        let spot = self.lexer.spot();
        match self.arg()? {
            Arg::Term(t) => Ok(t),
            Arg::Rounding(_) => Err(self.lexer.error(spot, "a rounding mode is no term here")),
            Arg::Real(..) => Err(self.lexer.error(spot, "unsupported: real numbers")),
        }
    }

    fn arg(&mut self) -> Result<Arg, ReadError> {
        let mut frames: Vec<Frame<'t>> = Vec::new();
        let mut args: Vec<Arg> = Vec::new();
        let mut bound: Vec<(&'t str, Arg)> = Vec::new();
        'read: loop {
            let (token, spot) = self.lexer.expect_any()?;
            let mut value = match token {
                Token::Open => match self.open(spot, &mut frames, &args, &bound)? {
                    Some(value) => value,
                    None => continue 'read,
                },
                Token::Close => return Err(self.lexer.error(spot, "unexpected `)`")),
                atom => self.atom(atom, spot)?,
            };
            // Hand the value to what is open, as long as that closes.
            loop {
                match frames.pop() {
                    None => return Ok(value),
                    Some(Frame::App {
                        head,
                        start,
                        spot,
                        last,
                    }) => {
                        args.push(value);
                        if self.lexer.peek()? != Some(Token::Close) {
                            if last {
                                let message = "unsupported: a quantifier in the middle of `=>`";
                                return Err(self.lexer.error(spot, message));
                            }
                            frames.push(Frame::App {
                                head,
                                start,
                                spot,
                                last,
                            });
                            continue 'read;
                        }
                        self.lexer.expect_close()?;
                        value = self.apply(&head, &args[start..], spot)?;
                        args.truncate(start);
                    }
                    Some(Frame::Bind { name, start }) => {
                        self.lexer.expect_close()?;
                        bound.push((name, value));
                        self.next_binding(start, &mut frames, &mut bound)?;
                        continue 'read;
                    }
                    Some(Frame::Body { count } | Frame::Quantified { count }) => {
                        self.lexer.expect_close()?;
                        self.unbind_lets(count);
                    }
                    Some(Frame::Annotated) => self.attributes(&value)?,
                }
            }
        }
    }

    /// Opens what follows a parenthesis; a value if it is closed already.
    fn open(
        &mut self,
        spot: Spot,
        frames: &mut Vec<Frame<'t>>,
        args: &[Arg],
        bound: &[(&'t str, Arg)],
    ) -> Result<Option<Arg>, ReadError> {
        let start = args.len();
        match self.lexer.expect_any()? {
            (Token::Symbol("let"), _) => {
                self.lexer.expect_open()?;
                self.lexer.expect_open()?;
                let (name, _) = self.lexer.expect_symbol()?;
                frames.push(Frame::Bind {
                    name,
                    start: bound.len(),
                });
                Ok(None)
            }
            (Token::Symbol("!"), _) => {
                frames.push(Frame::Annotated);
                Ok(None)
            }
            (Token::Symbol("_"), _) => {
                let head = self.indexed()?;
                self.apply(&head, &[], spot).map(Some)
            }
            (Token::Symbol(word @ ("forall" | "exists")), spot) if self.closed => {
                if polarity(frames, args.len()) != Some(word == "forall") {
                    let message = format!(
                        "unsupported: `{word}` that does not stand for all values of its variables"
                    );
                    return Err(self.lexer.error(spot, message));
                }
                let count = self.quantified()?;
                frames.push(Frame::Quantified { count });
                Ok(None)
            }
            (Token::Symbol(word @ ("forall" | "exists" | "match")), spot) => {
                Err(self.lexer.error(spot, format!("unsupported: `{word}`")))
            }
            (Token::Symbol("as"), spot) => Err(self
                .lexer
                .error(spot, "unsupported: `as` other than in `((as const …) …)`")),
            (Token::Symbol(name), spot) => {
                frames.push(Frame::App {
                    head: Head::Symbol(name),
                    start,
                    spot,
                    last: false,
                });
                Ok(None)
            }
            (Token::Open, _) => {
                let (word, spot) = self.lexer.expect_symbol()?;
                let head = match word {
                    "_" => self.indexed()?,
                    "as" => {
                        let (name, spot) = self.lexer.expect_symbol()?;
                        let sort = self.sort()?;
                        self.lexer.expect_close()?;
                        match (name, sort) {
                            ("const", Sort::Array(_)) => Head::ConstArray(sort),
                            _ => {
                                return Err(self.lexer.error(
                                    spot,
                                    "only `const` of an array sort is known after `as`",
                                ));
                            }
                        }
                    }
                    _ => return Err(self.lexer.error(spot, "expected `_` or `as`")),
                };
                frames.push(Frame::App {
                    head,
                    start,
                    spot,
                    last: false,
                });
                Ok(None)
            }
            (_, spot) => Err(self.lexer.error(spot, "expected an operator")),
        }
    }

    /// Reads `((x Sort) …)` of a quantifier; each name is a variable of its own in what follows.
    fn quantified(&mut self) -> Result<usize, ReadError> {
        self.lexer.expect_open()?;
        let mut bound = Vec::new();
        while self.lexer.peek()? != Some(Token::Close) {
            self.lexer.expect_open()?;
            let (name, _) = self.lexer.expect_symbol()?;
            let sort = self.sort()?;
            self.lexer.expect_close()?;
            bound.push((name, self.terms.fresh(name, sort)));
        }
        self.lexer.expect_close()?;
        let count = bound.len();
        for (name, variable) in bound {
            self.bind_let(name, Arg::Term(variable));
        }
        Ok(count)
    }

    /// Goes on with a `let` after one of its bindings.
    fn next_binding(
        &mut self,
        start: usize,
        frames: &mut Vec<Frame<'t>>,
        bound: &mut Vec<(&'t str, Arg)>,
    ) -> Result<(), ReadError> {
        match self.lexer.expect_any()? {
            (Token::Open, _) => {
                let (name, _) = self.lexer.expect_symbol()?;
                frames.push(Frame::Bind { name, start });
            }
            (Token::Close, _) => {
                // Bindings of one let do not see each other.
                let count = bound.len() - start;
                for (name, value) in bound.drain(start..) {
                    self.bind_let(name, value);
                }
                frames.push(Frame::Body { count });
            }
            (_, spot) => return Err(self.lexer.error(spot, "expected a binding or `)`")),
        }
        Ok(())
    }

    /// Reads the attributes of an annotated term up to its parenthesis; `:named` names it.
    fn attributes(&mut self, value: &Arg) -> Result<(), ReadError> {
        loop {
            match self.lexer.expect_any()? {
                (Token::Close, _) => return Ok(()),
                (Token::Keyword("named"), _) => {
                    let (name, spot) = self.lexer.expect_symbol()?;
                    match value {
                        Arg::Term(t) => self.bind_name(name, *t, spot)?,
                        Arg::Rounding(_) | Arg::Real(..) => {
                            return Err(self.lexer.error(spot, "only terms can be named"));
                        }
                    }
                }
                (Token::Keyword(_), _) => self.skip_value()?,
                (_, spot) => return Err(self.lexer.error(spot, "expected an attribute")),
            }
        }
    }

    /// Skips an attribute's value, if there is one.
    pub(crate) fn skip_value(&mut self) -> Result<(), ReadError> {
        let mut depth = 0;
        loop {
            match self.lexer.peek()? {
                Some(Token::Keyword(_) | Token::Close) if depth == 0 => return Ok(()),
                _ => match self.lexer.expect_any()?.0 {
                    Token::Open => depth += 1,
                    Token::Close => depth -= 1,
                    _ => {}
                },
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Reads the rest of `(_ name 1 2 …)`.
    fn indexed(&mut self) -> Result<Head<'t>, ReadError> {
        let (name, _) = self.lexer.expect_symbol()?;
        let mut indices = vec![self.lexer.expect_number()?];
        while self.lexer.peek()? != Some(Token::Close) {
            indices.push(self.lexer.expect_number()?);
        }
        self.lexer.expect_close()?;
        Ok(Head::Indexed(name, indices))
    }

    /// The value of a token that is no parenthesis.
    fn atom(&mut self, token: Token<'t>, spot: Spot) -> Result<Arg, ReadError> {
        let constant = |digits: &str, radix: u32, width: usize| {
            let width = u32::try_from(width).unwrap_or(u32::MAX);
            Bv::from_digits(digits, radix, width)
        };
        let bits = match token {
            Token::Binary(digits) => constant(digits, 2, digits.len()),
            Token::Hex(digits) => constant(digits, 16, digits.len() * 4),
            Token::Numeral(digits) => {
                let value: BigInt = digits.parse().expect("a numeral has digits only");
                return Ok(Arg::Term(self.terms.int(value)));
            }
            Token::Decimal(digits) => {
                let (whole, fraction) = digits.split_once('.').expect("a decimal has a point");
                let value = format!("{whole}{fraction}")
                    .parse()
                    .expect("a decimal has digits only");
                return Ok(Arg::Real(
                    value,
                    BigInt::from(10).pow(fraction.len() as u32),
                ));
            }
            Token::Symbol(name) => return self.symbol(name, spot),
            Token::Keyword(_) | Token::Text(_) => {
                return Err(self.lexer.error(spot, "expected a term"));
            }
            Token::Open | Token::Close => unreachable!("parentheses are handled before"),
        };
        match bits {
            Ok(value) => Ok(Arg::Term(self.terms.bv(value))),
            Err(error) => Err(self.lexer.error(spot, error.to_string())),
        }
    }

    fn symbol(&mut self, name: &'t str, spot: Spot) -> Result<Arg, ReadError> {
        if let Some(value) = self.find_let(name) {
            return Ok(value);
        }
        match self.find(name) {
            Some(Binding::Term(t)) => return Ok(Arg::Term(t)),
            Some(Binding::Fun(_) | Binding::Macro(_)) => {
                return Err(self
                    .lexer
                    .error(spot, format!("the function `{name}` needs arguments")));
            }
            None => {}
        }
        match name {
            "true" => return Ok(Arg::Term(self.terms.tru())),
            "false" => return Ok(Arg::Term(self.terms.fls())),
            _ => {}
        }
        match rounding(name) {
            Some(mode) => Ok(Arg::Rounding(mode)),
            None => Err(self.lexer.error(spot, format!("unknown symbol `{name}`"))),
        }
    }

    /// Reads a sort.
    pub(crate) fn sort(&mut self) -> Result<Sort, ReadError> {
        self.nested_sort(0)
    }

    fn nested_sort(&mut self, depth: u32) -> Result<Sort, ReadError> {
        let (token, spot) = self.lexer.expect_any()?;
        if depth > DEEPEST_SORT {
            return Err(self.lexer.error(spot, "the sort is nested too deep"));
        }
        match token {
            Token::Symbol(name) => match self.find_sort(name) {
                Some(sort) => Ok(sort),
                None => Err(self.lexer.error(spot, format!("unsupported sort `{name}`"))),
            },
            Token::Open => {
                let (name, spot) = self.lexer.expect_symbol()?;
                let sort = match name {
                    "Array" => {
                        let index = self.nested_sort(depth + 1)?;
                        let element = self.nested_sort(depth + 1)?;
                        self.terms.array_sort(index, element)
                    }
                    "_" => {
                        let (name, spot) = self.lexer.expect_symbol()?;
                        let first = self.lexer.expect_number()?;
                        match name {
                            "BitVec" if (1..=base::bv::MAX_WIDTH).contains(&first) => {
                                Sort::BitVec(first)
                            }
                            "BitVec" => {
                                return Err(self
                                    .lexer
                                    .error(spot, format!("unsupported width {first}")));
                            }
                            "FloatingPoint" => {
                                let float = FloatSort {
                                    exp: first,
                                    sig: self.lexer.expect_number()?,
                                };
                                if !float.is_supported() {
                                    return Err(self
                                        .lexer
                                        .error(spot, "unsupported floating-point format"));
                                }
                                Sort::Float(float)
                            }
                            _ => {
                                return Err(self
                                    .lexer
                                    .error(spot, format!("unsupported sort `{name}`")));
                            }
                        }
                    }
                    _ => return Err(self.lexer.error(spot, format!("unsupported sort `{name}`"))),
                };
                self.lexer.expect_close()?;
                Ok(sort)
            }
            _ => Err(self.lexer.error(spot, "expected a sort")),
        }
    }
}

/// Is what is read next claimed (true) or denied by the formula around it, of which so many arguments have been read? None if
/// it depends.
fn polarity(frames: &mut [Frame<'_>], args: usize) -> Option<bool> {
    let mut claimed = true;
    let mut end = args;
    for frame in frames.iter_mut().rev() {
        match frame {
            Frame::App {
                head: Head::Symbol(name),
                start,
                last,
                ..
            } => {
                let before = end - *start;
                end = *start;
                match *name {
                    "and" | "or" => {}
                    "not" => claimed = !claimed,
                    "=>" if before == 0 => claimed = !claimed,
                    // The conclusion, if nothing follows it.
                    "=>" => *last = true,
                    _ => return None, // Its value is used in another way.
                }
            }
            Frame::Body { .. } | Frame::Annotated | Frame::Quantified { .. } => {}
            Frame::App { .. } | Frame::Bind { .. } => return None,
        }
    }
    Some(claimed)
}

/// The rounding mode of this name, long or short.
pub(crate) fn rounding(name: &str) -> Option<Rounding> {
    Some(match name {
        "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
        "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
        "RTP" | "roundTowardPositive" => Rounding::TowardPositive,
        "RTN" | "roundTowardNegative" => Rounding::TowardNegative,
        "RTZ" | "roundTowardZero" => Rounding::TowardZero,
        _ => return None,
    })
}
