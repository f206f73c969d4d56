//! A safe skin over Z3's C interface: terms, one solver, its models.
//!
//! Every object that Z3 returns is referenced once by the session and released with it; what is only needed for
//! a moment (values of a model) is released at the end of [`Session::scoped`]. Errors are asked for after each call.

use std::ffi::{CStr, CString, c_uint};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use z3_sys as sys;

use crate::limits::{Interrupt, Limits, Stop, Watch};

pub(crate) use z3_sys::{AstKind, DeclKind};

/// What a call can fail with: Z3's own words.
pub(crate) type Fallible<T> = Result<T, String>;

/// A term of one [`Session`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ast(pub(super) sys::Z3_ast);

/// A sort of one [`Session`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SortAst(pub(super) sys::Z3_sort);

/// A function of one [`Session`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Decl(pub(super) sys::Z3_func_decl);

/// A sort that was read back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SortShape {
    Bool,
    Int,
    Bv(u32),
    Array(Box<(SortShape, SortShape)>),
}

/// Makes a term from one.
pub(crate) type Unary = unsafe extern "C" fn(sys::Z3_context, sys::Z3_ast) -> Option<sys::Z3_ast>;
/// Makes a term from two.
pub(crate) type Binary =
    unsafe extern "C" fn(sys::Z3_context, sys::Z3_ast, sys::Z3_ast) -> Option<sys::Z3_ast>;
/// Makes a term from three.
pub(crate) type Ternary = unsafe extern "C" fn(
    sys::Z3_context,
    sys::Z3_ast,
    sys::Z3_ast,
    sys::Z3_ast,
) -> Option<sys::Z3_ast>;
/// Makes a term from any number of them.
pub(crate) type Many =
    unsafe extern "C" fn(sys::Z3_context, c_uint, *const sys::Z3_ast) -> Option<sys::Z3_ast>;

/// Z3's three answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Sat,
    Unsat,
    Unknown(String),
}

/// An entry of a function in a model: arguments and value.
pub(crate) type Entry = (Vec<Ast>, Ast);

/// A context and one solver; the only owner of these handles.
pub(crate) struct Session {
    pub(super) context: sys::Z3_context,
    solver: sys::Z3_solver,
    /// One reference each is held.
    held: Vec<sys::Z3_ast>,
    model: Option<sys::Z3_model>,
}

impl Session {
    pub(crate) fn new() -> Fallible<Session> {
        // SAFETY: takes nothing.
        let config = unsafe { sys::Z3_mk_config() }.ok_or("z3 made no configuration")?;
        // SAFETY: the configuration is live.
        let context = unsafe { sys::Z3_mk_context_rc(config) };
        // SAFETY: the configuration is not used again.
        unsafe { sys::Z3_del_config(config) };
        let context = context.ok_or("z3 made no context")?;
        // SAFETY: the context is live; without a handler, errors are only recorded.
        unsafe { sys::Z3_set_error_handler(context, None) };
        // SAFETY: the context is live.
        let Some(solver) = (unsafe { sys::Z3_mk_solver(context) }) else {
            // SAFETY: the context is not used again.
            unsafe { sys::Z3_del_context(context) };
            return Err("z3 made no solver".to_owned());
        };
        // SAFETY: both are live.
        unsafe { sys::Z3_solver_inc_ref(context, solver) };
        Ok(Session {
            context,
            solver,
            held: Vec::new(),
            model: None,
        })
    }

    fn message(&self, code: sys::Z3_error_code) -> String {
        // SAFETY: the context is live.
        let text = unsafe { sys::Z3_get_error_msg(self.context, code) };
        if text.is_null() {
            return format!("z3 error {code:?}");
        }
        // SAFETY: not null, NUL-terminated, valid until the next call.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    }

    /// `Ok` unless the last call recorded an error.
    pub(super) fn settled<T>(&self, value: T) -> Fallible<T> {
        // SAFETY: the context is live.
        match unsafe { sys::Z3_get_error_code(self.context) } {
            sys::ErrorCode::Ok => Ok(value),
            code => Err(self.message(code)),
        }
    }

    /// What a call returned, or why it returned nothing.
    pub(super) fn got<T>(&self, value: Option<T>) -> Fallible<T> {
        match value {
            Some(value) => Ok(value),
            None => Err(self
                .settled(())
                .err()
                .unwrap_or_else(|| "z3 returned nothing".to_owned())),
        }
    }

    /// Keeps a returned term until the session or the scope ends.
    pub(super) fn hold(&mut self, ast: Option<sys::Z3_ast>) -> Fallible<Ast> {
        let ast = self.got(ast)?;
        // SAFETY: the term was just returned by this context.
        unsafe { sys::Z3_inc_ref(self.context, ast) };
        self.held.push(ast);
        Ok(Ast(ast))
    }

    fn hold_sort(&mut self, sort: Option<sys::Z3_sort>) -> Fallible<SortAst> {
        let sort = self.got(sort)?;
        // SAFETY: the sort was just returned by this context.
        let ast = unsafe { sys::Z3_sort_to_ast(self.context, sort) };
        self.hold(ast)?;
        Ok(SortAst(sort))
    }

    fn hold_decl(&mut self, decl: Option<sys::Z3_func_decl>) -> Fallible<Decl> {
        let decl = self.got(decl)?;
        // SAFETY: the function was just returned by this context.
        let ast = unsafe { sys::Z3_func_decl_to_ast(self.context, decl) };
        self.hold(ast)?;
        Ok(Decl(decl))
    }

    /// Runs `work` and releases every term that was made by it.
    pub(crate) fn scoped<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> T {
        let mark = self.held.len();
        let result = work(self);
        for ast in self.held.drain(mark..) {
            // SAFETY: one reference was taken when the term was put there.
            unsafe { sys::Z3_dec_ref(self.context, ast) };
        }
        result
    }

    pub(super) fn text(&self, text: sys::Z3_string) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: not null, NUL-terminated, valid until the next call.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    }

    pub(super) fn symbol(&self, name: &str) -> Fallible<sys::Z3_symbol> {
        let name = CString::new(name).map_err(|error| error.to_string())?;
        // SAFETY: the context is live, and the string is NUL-terminated and copied.
        let symbol = unsafe { sys::Z3_mk_string_symbol(self.context, name.as_ptr()) };
        self.got(symbol)
    }

    pub(crate) fn bool_sort(&mut self) -> Fallible<SortAst> {
        // SAFETY: the context is live.
        let sort = unsafe { sys::Z3_mk_bool_sort(self.context) };
        self.hold_sort(sort)
    }

    pub(crate) fn int_sort(&mut self) -> Fallible<SortAst> {
        // SAFETY: the context is live.
        let sort = unsafe { sys::Z3_mk_int_sort(self.context) };
        self.hold_sort(sort)
    }

    pub(crate) fn bv_sort(&mut self, width: u32) -> Fallible<SortAst> {
        // SAFETY: the context is live.
        let sort = unsafe { sys::Z3_mk_bv_sort(self.context, width) };
        self.hold_sort(sort)
    }

    pub(crate) fn fp_sort(&mut self, exponent: u32, significand: u32) -> Fallible<SortAst> {
        // SAFETY: the context is live.
        let sort = unsafe { sys::Z3_mk_fpa_sort(self.context, exponent, significand) };
        self.hold_sort(sort)
    }

    pub(crate) fn array_sort(&mut self, index: SortAst, element: SortAst) -> Fallible<SortAst> {
        // SAFETY: the context is live, and the sorts are of this context.
        let sort = unsafe { sys::Z3_mk_array_sort(self.context, index.0, element.0) };
        self.hold_sort(sort)
    }

    pub(crate) fn function(
        &mut self,
        name: &str,
        domain: &[SortAst],
        range: SortAst,
    ) -> Fallible<Decl> {
        let symbol = self.symbol(name)?;
        let domain: Vec<_> = domain.iter().map(|sort| sort.0).collect();
        // SAFETY: the array holds as many sorts of this context as its length says, and is only read.
        let decl = unsafe {
            sys::Z3_mk_func_decl(
                self.context,
                symbol,
                domain.len() as c_uint,
                domain.as_ptr(),
                range.0,
            )
        };
        self.hold_decl(decl)
    }

    pub(crate) fn apply(&mut self, decl: Decl, arguments: &[Ast]) -> Fallible<Ast> {
        let arguments: Vec<_> = arguments.iter().map(|ast| ast.0).collect();
        // SAFETY: the array holds as many terms of this context as its length says, and is only read.
        let ast = unsafe {
            sys::Z3_mk_app(
                self.context,
                decl.0,
                arguments.len() as c_uint,
                arguments.as_ptr(),
            )
        };
        self.hold(ast)
    }

    pub(crate) fn constant(&mut self, name: &str, sort: SortAst) -> Fallible<Ast> {
        let symbol = self.symbol(name)?;
        // SAFETY: symbol and sort are of this context.
        let ast = unsafe { sys::Z3_mk_const(self.context, symbol, sort.0) };
        self.hold(ast)
    }

    pub(crate) fn boolean(&mut self, value: bool) -> Fallible<Ast> {
        let ast = if value {
            // SAFETY: the context is live.
            unsafe { sys::Z3_mk_true(self.context) }
        } else {
            // SAFETY: the context is live.
            unsafe { sys::Z3_mk_false(self.context) }
        };
        self.hold(ast)
    }

    /// A number of a bit-vector sort that fits in a word.
    pub(crate) fn word(&mut self, value: u64, sort: SortAst) -> Fallible<Ast> {
        // SAFETY: the sort is of this context.
        let ast = unsafe { sys::Z3_mk_unsigned_int64(self.context, value, sort.0) };
        self.hold(ast)
    }

    /// A number written in decimal, of an integer or bit-vector sort.
    pub(crate) fn numeral(&mut self, digits: &str, sort: SortAst) -> Fallible<Ast> {
        let digits = CString::new(digits).map_err(|error| error.to_string())?;
        // SAFETY: the sort is of this context, and the string is NUL-terminated and copied.
        let ast = unsafe { sys::Z3_mk_numeral(self.context, digits.as_ptr(), sort.0) };
        self.hold(ast)
    }

    pub(crate) fn unary(&mut self, make: Unary, x: Ast) -> Fallible<Ast> {
        // SAFETY: `make` is a function of Z3 that takes a term of this context; wrong sorts are recorded errors.
        let ast = unsafe { make(self.context, x.0) };
        self.hold(ast)
    }

    pub(crate) fn binary(&mut self, make: Binary, x: Ast, y: Ast) -> Fallible<Ast> {
        // SAFETY: `make` is a function of Z3 that takes two terms of this context; wrong sorts are recorded errors.
        let ast = unsafe { make(self.context, x.0, y.0) };
        self.hold(ast)
    }

    pub(crate) fn ternary(&mut self, make: Ternary, x: Ast, y: Ast, z: Ast) -> Fallible<Ast> {
        // SAFETY: `make` is a function of Z3 that takes three terms of this context; wrong sorts are recorded errors.
        let ast = unsafe { make(self.context, x.0, y.0, z.0) };
        self.hold(ast)
    }

    pub(crate) fn many(&mut self, make: Many, arguments: &[Ast]) -> Fallible<Ast> {
        let arguments: Vec<_> = arguments.iter().map(|ast| ast.0).collect();
        // SAFETY: `make` is a function of Z3 that reads as many terms of this context as the array holds.
        let ast = unsafe { make(self.context, arguments.len() as c_uint, arguments.as_ptr()) };
        self.hold(ast)
    }

    pub(crate) fn fma(&mut self, mode: Ast, x: Ast, y: Ast, z: Ast) -> Fallible<Ast> {
        // SAFETY: the terms are of this context; wrong sorts are recorded errors.
        let ast = unsafe { sys::Z3_mk_fpa_fma(self.context, mode.0, x.0, y.0, z.0) };
        self.hold(ast)
    }

    pub(crate) fn rounding(
        &mut self,
        make: unsafe extern "C" fn(sys::Z3_context) -> Option<sys::Z3_ast>,
    ) -> Fallible<Ast> {
        // SAFETY: `make` is a function of Z3 that takes a live context.
        let ast = unsafe { make(self.context) };
        self.hold(ast)
    }

    pub(crate) fn extract(&mut self, hi: u32, lo: u32, x: Ast) -> Fallible<Ast> {
        // SAFETY: the term is of this context; wrong sorts are recorded errors.
        let ast = unsafe { sys::Z3_mk_extract(self.context, hi, lo, x.0) };
        self.hold(ast)
    }

    /// A function of Z3 that takes a number and a term: extensions and `int2bv`.
    pub(crate) fn counted(
        &mut self,
        make: unsafe extern "C" fn(sys::Z3_context, c_uint, sys::Z3_ast) -> Option<sys::Z3_ast>,
        count: u32,
        x: Ast,
    ) -> Fallible<Ast> {
        // SAFETY: the term is of this context; wrong sorts are recorded errors.
        let ast = unsafe { make(self.context, count, x.0) };
        self.hold(ast)
    }

    /// `bvmul` does not overflow; signed multiplication also needs the underflow predicate.
    pub(crate) fn mul_fits_above(&mut self, x: Ast, y: Ast, signed: bool) -> Fallible<Ast> {
        // SAFETY: the terms are of this context; wrong sorts are recorded errors.
        let ast = unsafe { sys::Z3_mk_bvmul_no_overflow(self.context, x.0, y.0, signed) };
        self.hold(ast)
    }

    pub(crate) fn natural(&mut self, x: Ast) -> Fallible<Ast> {
        // SAFETY: the term is of this context; wrong sorts are recorded errors.
        let ast = unsafe { sys::Z3_mk_bv2int(self.context, x.0, false) };
        self.hold(ast)
    }

    pub(crate) fn const_array(&mut self, index: SortAst, element: Ast) -> Fallible<Ast> {
        // SAFETY: sort and term are of this context.
        let ast = unsafe { sys::Z3_mk_const_array(self.context, index.0, element.0) };
        self.hold(ast)
    }

    pub(crate) fn float_from_bits(&mut self, x: Ast, sort: SortAst) -> Fallible<Ast> {
        // SAFETY: term and sort are of this context; wrong sorts are recorded errors.
        let ast = unsafe { sys::Z3_mk_fpa_to_fp_bv(self.context, x.0, sort.0) };
        self.hold(ast)
    }

    /// A conversion to a float that rounds.
    pub(crate) fn round_to_float(
        &mut self,
        make: unsafe extern "C" fn(
            sys::Z3_context,
            sys::Z3_ast,
            sys::Z3_ast,
            sys::Z3_sort,
        ) -> Option<sys::Z3_ast>,
        mode: Ast,
        x: Ast,
        sort: SortAst,
    ) -> Fallible<Ast> {
        // SAFETY: terms and sort are of this context; wrong sorts are recorded errors.
        let ast = unsafe { make(self.context, mode.0, x.0, sort.0) };
        self.hold(ast)
    }

    /// A conversion of a float to a bit-vector.
    pub(crate) fn float_to_bv(
        &mut self,
        make: unsafe extern "C" fn(
            sys::Z3_context,
            sys::Z3_ast,
            sys::Z3_ast,
            c_uint,
        ) -> Option<sys::Z3_ast>,
        mode: Ast,
        x: Ast,
        width: u32,
    ) -> Fallible<Ast> {
        // SAFETY: the terms are of this context; wrong sorts are recorded errors.
        let ast = unsafe { make(self.context, mode.0, x.0, width) };
        self.hold(ast)
    }

    pub(crate) fn simplify(&mut self, x: Ast) -> Fallible<Ast> {
        // SAFETY: the term is of this context.
        let ast = unsafe { sys::Z3_simplify(self.context, x.0) };
        self.hold(ast)
    }

    pub(crate) fn assert(&mut self, x: Ast) -> Fallible<()> {
        self.drop_model();
        // SAFETY: the solver is live, and the term is of its context.
        unsafe { sys::Z3_solver_assert(self.context, self.solver, x.0) };
        self.settled(())
    }

    pub(crate) fn push(&mut self) -> Fallible<()> {
        self.drop_model();
        // SAFETY: the solver is live.
        unsafe { sys::Z3_solver_push(self.context, self.solver) };
        self.settled(())
    }

    pub(crate) fn pop(&mut self, levels: u32) -> Fallible<()> {
        self.drop_model();
        // SAFETY: the solver is live; too many levels are a recorded error.
        unsafe { sys::Z3_solver_pop(self.context, self.solver, levels) };
        self.settled(())
    }

    /// Checks under limits; says which limit ended it, if one did.
    pub(crate) fn check(
        &mut self,
        assumptions: &[Ast],
        limits: Limits,
        interrupt: &Interrupt,
    ) -> Fallible<(Outcome, Option<Stop>)> {
        self.drop_model();
        let handles: Vec<_> = assumptions.iter().map(|ast| ast.0).collect();
        let lent = Lent((self.context, self.solver, handles.as_slice()));
        let (context, solver) = (self.context, self.solver);
        // What comes too late, when the check has just ended, must not be left in the context: it would cancel
        // whatever is asked next, `push` included. A solver listens only while it checks.
        // SAFETY: the solver is live, and this function may be called from any thread.
        let cancel = || unsafe { sys::Z3_solver_interrupt(context, solver) };
        let (answer, stop) = watched(cancel, limits, interrupt, move || {
            let (context, solver, handles) = lent.take();
            // SAFETY: the solver is live; the array holds as many terms of its context as its length says, and lives
            // until the check returns, because the lender waits for it.
            unsafe {
                sys::Z3_solver_check_assumptions(
                    context,
                    solver,
                    handles.len() as c_uint,
                    handles.as_ptr(),
                )
            }
        })?;
        self.settled(())?;
        let outcome = match answer {
            sys::Z3_L_TRUE => {
                // SAFETY: the solver is live and has just answered.
                let model = unsafe { sys::Z3_solver_get_model(self.context, self.solver) };
                let model = self.got(model)?;
                // SAFETY: the model was just returned by this context.
                unsafe { sys::Z3_model_inc_ref(self.context, model) };
                self.model = Some(model);
                Outcome::Sat
            }
            sys::Z3_L_FALSE => Outcome::Unsat,
            _ => {
                // SAFETY: the solver is live.
                let reason =
                    unsafe { sys::Z3_solver_get_reason_unknown(self.context, self.solver) };
                Outcome::Unknown(self.text(reason))
            }
        };
        Ok((outcome, stop))
    }

    fn drop_model(&mut self) {
        if let Some(model) = self.model.take() {
            // SAFETY: one reference was taken when the model was put there.
            unsafe { sys::Z3_model_dec_ref(self.context, model) };
        }
    }

    /// The assumptions of the last check that were needed for its `Unsat`.
    pub(crate) fn core(&mut self) -> Fallible<Vec<Ast>> {
        // SAFETY: the solver is live; asking at the wrong time is a recorded error.
        let vector = unsafe { sys::Z3_solver_get_unsat_core(self.context, self.solver) };
        let vector = self.got(vector)?;
        self.vector(vector)
    }

    /// The terms of a vector that a call has just returned.
    pub(super) fn vector(&mut self, vector: sys::Z3_ast_vector) -> Fallible<Vec<Ast>> {
        // SAFETY: the vector was just returned by this context.
        unsafe { sys::Z3_ast_vector_inc_ref(self.context, vector) };
        // SAFETY: the vector is referenced.
        let size = unsafe { sys::Z3_ast_vector_size(self.context, vector) };
        let mut all = Ok(Vec::new());
        for position in 0..size {
            // SAFETY: the vector is referenced, and the position is within its size.
            let ast = unsafe { sys::Z3_ast_vector_get(self.context, vector, position) };
            match (&mut all, self.hold(ast)) {
                (Ok(list), Ok(ast)) => list.push(ast),
                (Ok(_), Err(message)) => all = Err(message),
                (Err(_), _) => {}
            }
        }
        // SAFETY: the reference that was taken above.
        unsafe { sys::Z3_ast_vector_dec_ref(self.context, vector) };
        all
    }

    /// The value of a term in the last model, with symbols that it leaves open completed.
    pub(crate) fn value(&mut self, x: Ast) -> Fallible<Ast> {
        let model = self.model.ok_or("there is no model")?;
        let mut value = x.0;
        // SAFETY: model and term are of this context, and the place is valid for writing.
        let done = unsafe { sys::Z3_model_eval(self.context, model, x.0, true, &mut value) };
        self.settled(())?;
        if !done {
            return Err("z3 could not evaluate a term in its own model".to_owned());
        }
        self.hold(Some(value))
    }

    /// What the last model says about a function: entries and the value elsewhere. `None` if it says nothing.
    pub(crate) fn function_value(&mut self, decl: Decl) -> Fallible<Option<(Vec<Entry>, Ast)>> {
        let model = self.model.ok_or("there is no model")?;
        // SAFETY: model and function are of this context.
        let Some(interp) = (unsafe { sys::Z3_model_get_func_interp(self.context, model, decl.0) })
        else {
            return Ok(None);
        };
        // SAFETY: the interpretation was just returned by this context.
        unsafe { sys::Z3_func_interp_inc_ref(self.context, interp) };
        let result = self.read_function(interp);
        // SAFETY: the reference that was taken above.
        unsafe { sys::Z3_func_interp_dec_ref(self.context, interp) };
        result.map(Some)
    }

    fn read_function(&mut self, interp: sys::Z3_func_interp) -> Fallible<(Vec<Entry>, Ast)> {
        // SAFETY: the interpretation is referenced by the caller.
        let count = unsafe { sys::Z3_func_interp_get_num_entries(self.context, interp) };
        let mut entries = Vec::new();
        for position in 0..count {
            // SAFETY: the interpretation is referenced, and the position is within its size.
            let entry = unsafe { sys::Z3_func_interp_get_entry(self.context, interp, position) };
            let entry = self.got(entry)?;
            // SAFETY: the entry was just returned by this context.
            unsafe { sys::Z3_func_entry_inc_ref(self.context, entry) };
            let read = self.read_entry(entry);
            // SAFETY: the reference that was taken above.
            unsafe { sys::Z3_func_entry_dec_ref(self.context, entry) };
            entries.push(read?);
        }
        // SAFETY: the interpretation is referenced by the caller.
        let otherwise = unsafe { sys::Z3_func_interp_get_else(self.context, interp) };
        Ok((entries, self.hold(otherwise)?))
    }

    fn read_entry(&mut self, entry: sys::Z3_func_entry) -> Fallible<Entry> {
        // SAFETY: the entry is referenced by the caller.
        let count = unsafe { sys::Z3_func_entry_get_num_args(self.context, entry) };
        let mut arguments = Vec::new();
        for position in 0..count {
            // SAFETY: the entry is referenced, and the position is within its size.
            let argument = unsafe { sys::Z3_func_entry_get_arg(self.context, entry, position) };
            arguments.push(self.hold(argument)?);
        }
        // SAFETY: the entry is referenced by the caller.
        let value = unsafe { sys::Z3_func_entry_get_value(self.context, entry) };
        Ok((arguments, self.hold(value)?))
    }

    /// The function behind an `as-array` value.
    pub(crate) fn as_array(&mut self, x: Ast) -> Fallible<Option<Decl>> {
        // SAFETY: the term is of this context.
        if !unsafe { sys::Z3_is_as_array(self.context, x.0) } {
            return Ok(None);
        }
        // SAFETY: the term is an `as-array` term of this context.
        let decl = unsafe { sys::Z3_get_as_array_func_decl(self.context, x.0) };
        self.hold_decl(decl).map(Some)
    }

    pub(crate) fn ast_kind(&self, x: Ast) -> AstKind {
        // SAFETY: the term is of this context; the library's numbering is that of the bindings (see `versions`).
        unsafe { sys::Z3_get_ast_kind(self.context, x.0) }
    }

    /// Operator and arguments of an application.
    pub(crate) fn application(&mut self, x: Ast) -> Fallible<(DeclKind, Decl, Vec<Ast>)> {
        // SAFETY: the term is of this context; one that is no application is a recorded error.
        let app = unsafe { sys::Z3_to_app(self.context, x.0) };
        let app = self.got(app)?;
        // SAFETY: the application is of this context, and its term is referenced by the caller.
        let decl = unsafe { sys::Z3_get_app_decl(self.context, app) };
        let decl = self.hold_decl(decl)?;
        // SAFETY: as above; the library's numbering is that of the bindings (see `versions`).
        let kind = unsafe { sys::Z3_get_decl_kind(self.context, decl.0) };
        // SAFETY: as above.
        let count = unsafe { sys::Z3_get_app_num_args(self.context, app) };
        let mut arguments = Vec::with_capacity(count as usize);
        for position in 0..count {
            // SAFETY: as above, and the position is within the count.
            let argument = unsafe { sys::Z3_get_app_arg(self.context, app, position) };
            arguments.push(self.hold(argument)?);
        }
        Ok((kind, decl, arguments))
    }

    /// The number of a bound variable.
    pub(crate) fn bound_index(&self, x: Ast) -> Fallible<u32> {
        // SAFETY: the term is of this context; one that is no bound variable is a recorded error.
        let index = unsafe { sys::Z3_get_index_value(self.context, x.0) };
        self.settled(index)
    }

    /// An integer parameter of an operator, such as the bounds of an extraction.
    pub(crate) fn int_parameter(&self, decl: Decl, position: u32) -> Fallible<u32> {
        // SAFETY: the function is of this context; a parameter that does not exist is a recorded error.
        let value = unsafe { sys::Z3_get_decl_int_parameter(self.context, decl.0, position) };
        let value = self.settled(value)?;
        u32::try_from(value).map_err(|_| format!("a negative parameter: {value}"))
    }

    /// The sort of a term, by its parts.
    pub(crate) fn shape(&self, x: Ast) -> Fallible<SortShape> {
        // SAFETY: the term is of this context.
        let sort = unsafe { sys::Z3_get_sort(self.context, x.0) };
        self.sort_shape(self.got(sort)?)
    }

    /// Arrays of arrays nest as deep as the sort is written, so this recursion is short.
    fn sort_shape(&self, sort: sys::Z3_sort) -> Fallible<SortShape> {
        // SAFETY: the sort is of this context; the library's numbering is that of the bindings (see `versions`).
        match unsafe { sys::Z3_get_sort_kind(self.context, sort) } {
            sys::SortKind::Bool => Ok(SortShape::Bool),
            sys::SortKind::Int => Ok(SortShape::Int),
            sys::SortKind::Bv => {
                // SAFETY: the sort is a bit-vector sort of this context.
                Ok(SortShape::Bv(unsafe {
                    sys::Z3_get_bv_sort_size(self.context, sort)
                }))
            }
            sys::SortKind::Array => {
                // SAFETY: the sort is an array sort of this context.
                let index = unsafe { sys::Z3_get_array_sort_domain(self.context, sort) };
                // SAFETY: as above.
                let element = unsafe { sys::Z3_get_array_sort_range(self.context, sort) };
                let (index, element) = (self.got(index)?, self.got(element)?);
                Ok(SortShape::Array(Box::new((
                    self.sort_shape(index)?,
                    self.sort_shape(element)?,
                ))))
            }
            other => Err(format!("a sort of kind {other:?}")),
        }
    }

    pub(crate) fn bool_value(&self, x: Ast) -> Option<bool> {
        // SAFETY: the term is of this context.
        match unsafe { sys::Z3_get_bool_value(self.context, x.0) } {
            sys::Z3_L_TRUE => Some(true),
            sys::Z3_L_FALSE => Some(false),
            _ => None,
        }
    }

    /// The decimal digits of an integer or bit-vector numeral.
    pub(crate) fn digits(&self, x: Ast) -> Fallible<String> {
        match self.ast_kind(x) {
            AstKind::Numeral => {
                // SAFETY: the term is a numeral of this context.
                let text = unsafe { sys::Z3_get_numeral_string(self.context, x.0) };
                self.settled(self.text(text))
            }
            _ => Err(format!("{} is no number", self.print(x))),
        }
    }

    pub(crate) fn print(&self, x: Ast) -> String {
        // SAFETY: the term is of this context.
        let text = unsafe { sys::Z3_ast_to_string(self.context, x.0) };
        self.text(text)
    }

    /// Z3's own statistics, by name.
    pub(crate) fn statistics(&self) -> Vec<(String, String)> {
        // SAFETY: the solver is live.
        let Some(stats) = (unsafe { sys::Z3_solver_get_statistics(self.context, self.solver) })
        else {
            return Vec::new();
        };
        // SAFETY: the statistics were just returned by this context.
        unsafe { sys::Z3_stats_inc_ref(self.context, stats) };
        let mut pairs = Vec::new();
        // SAFETY: the statistics are referenced.
        for position in 0..unsafe { sys::Z3_stats_size(self.context, stats) } {
            // SAFETY: the statistics are referenced, and the position is within their size.
            let key = self.text(unsafe { sys::Z3_stats_get_key(self.context, stats, position) });
            // SAFETY: as above.
            let value = if unsafe { sys::Z3_stats_is_uint(self.context, stats, position) } {
                // SAFETY: as above, and the value is an unsigned integer.
                unsafe { sys::Z3_stats_get_uint_value(self.context, stats, position) }.to_string()
            } else {
                // SAFETY: as above, and the value is a double.
                unsafe { sys::Z3_stats_get_double_value(self.context, stats, position) }.to_string()
            };
            pairs.push((key, value));
        }
        // SAFETY: the reference that was taken above.
        unsafe { sys::Z3_stats_dec_ref(self.context, stats) };
        pairs
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.drop_model();
        // SAFETY: the reference that was taken when the solver was made.
        unsafe { sys::Z3_solver_dec_ref(self.context, self.solver) };
        for ast in self.held.drain(..) {
            // SAFETY: one reference was taken when the term was put there.
            unsafe { sys::Z3_dec_ref(self.context, ast) };
        }
        // SAFETY: the context is owned by this session and not used again.
        unsafe { sys::Z3_del_context(self.context) };
    }
}

/// Handles that are lent to the thread that solves; the lender waits and only interrupts meanwhile.
pub(super) struct Lent<T>(pub(super) T);

// SAFETY: Z3's objects may be used by any one thread at a time; `watched` waits for the thread that it lends to, and
// does nothing meanwhile but interrupt, which Z3 allows from other threads.
unsafe impl<T> Send for Lent<T> {}

impl<T> Lent<T> {
    /// What is lent. A function, so that a closure captures the whole and not the field.
    pub(super) fn take(self) -> T {
        self.0
    }
}

/// Z3 recurses over some terms as deep as they are; the memory is only reserved.
const STACK: usize = 1 << 30;

/// How often the clock is looked at during a check.
const WATCH_EVERY: Duration = Duration::from_millis(5);

/// Runs `work` on a thread with a deep stack, and calls `cancel` when a limit is reached; says which one.
pub(super) fn watched<T: Send>(
    cancel: impl Fn(),
    limits: Limits,
    interrupt: &Interrupt,
    work: impl FnOnce() -> T + Send,
) -> Fallible<(T, Option<Stop>)> {
    let watch = Watch::new(interrupt.clone());
    watch.start(limits);
    let (done, finished) = channel();
    std::thread::scope(|scope| {
        let body = move || {
            let result = work();
            // The receiver waits for this message or for the end of the thread.
            let _ = done.send(());
            result
        };
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, body)
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        loop {
            let pause = WATCH_EVERY
                .min(watch.time_left().unwrap_or(WATCH_EVERY))
                .max(Duration::from_millis(1));
            match finished.recv_timeout(pause) {
                Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    if watch.must_stop_now() {
                        // Z3 may miss an interrupt that comes before it listens, so it is repeated.
                        cancel();
                    }
                }
            }
        }
        match thread.join() {
            Ok(result) => Ok((result, watch.stopped())),
            Err(_) => Err("the solving thread panicked".to_owned()),
        }
    })
}
