//! A safe skin over Z3's fixed-point engine: rules in, invariants and derivations out.

use std::ffi::c_uint;

use z3_sys as sys;

use crate::backends::ffi_z3::{Ast, Decl, Fallible, Lent, Outcome, Session, watched};
use crate::limits::{Interrupt, Limits, Stop};

/// A fixed-point engine in the context of a session; both are owned here.
pub(crate) struct Engine {
    pub(super) session: Session,
    fixedpoint: sys::Z3_fixedpoint,
}

impl Engine {
    /// An engine with these switches, by Z3's names.
    pub(crate) fn new(session: Session, switches: &[(&str, bool)]) -> Fallible<Engine> {
        let context = session.context;
        // SAFETY: the context is live.
        let fixedpoint = unsafe { sys::Z3_mk_fixedpoint(context) };
        let fixedpoint = session.got(fixedpoint)?;
        // SAFETY: both are live.
        unsafe { sys::Z3_fixedpoint_inc_ref(context, fixedpoint) };
        // From here on dropping the engine gives the reference back.
        let mut engine = Engine {
            session,
            fixedpoint,
        };
        engine.set(switches)?;
        Ok(engine)
    }

    fn set(&mut self, switches: &[(&str, bool)]) -> Fallible<()> {
        let context = self.session.context;
        let (engine, spacer) = (
            self.session.symbol("engine")?,
            self.session.symbol("spacer")?,
        );
        // SAFETY: the context is live.
        let params = unsafe { sys::Z3_mk_params(context) };
        let params = self.session.got(params)?;
        // SAFETY: the parameters were just returned by this context.
        unsafe { sys::Z3_params_inc_ref(context, params) };
        // SAFETY: parameters and symbols are of this context.
        unsafe { sys::Z3_params_set_symbol(context, params, engine, spacer) };
        let mut result = Ok(());
        for &(name, value) in switches {
            match self.session.symbol(name) {
                // SAFETY: parameters and symbol are of this context.
                Ok(symbol) => unsafe { sys::Z3_params_set_bool(context, params, symbol, value) },
                Err(message) => result = Err(message),
            }
        }
        // SAFETY: the engine is live; an unknown name is a recorded error.
        unsafe { sys::Z3_fixedpoint_set_params(context, self.fixedpoint, params) };
        let set = self.session.settled(());
        // SAFETY: the reference that was taken above.
        unsafe { sys::Z3_params_dec_ref(context, params) };
        result.and(set)
    }

    pub(crate) fn register(&mut self, predicate: Decl) -> Fallible<()> {
        // SAFETY: engine and predicate are of the same context.
        unsafe {
            sys::Z3_fixedpoint_register_relation(self.session.context, self.fixedpoint, predicate.0)
        };
        self.session.settled(())
    }

    /// Adds the rule `for all variables: body => head` under a name.
    pub(crate) fn add_rule(
        &mut self,
        variables: &[Ast],
        body: Ast,
        head: Ast,
        name: &str,
    ) -> Fallible<()> {
        let rule = self.session.binary(sys::Z3_mk_implies, body, head)?;
        let rule = if variables.is_empty() {
            rule
        } else {
            self.for_all(variables, rule)?
        };
        let name = self.session.symbol(name)?;
        // SAFETY: engine, rule and name are of the same context; what is no rule is a recorded error.
        unsafe {
            sys::Z3_fixedpoint_add_rule(self.session.context, self.fixedpoint, rule.0, Some(name))
        };
        self.session.settled(())
    }

    fn for_all(&mut self, variables: &[Ast], body: Ast) -> Fallible<Ast> {
        let context = self.session.context;
        let mut bound = Vec::with_capacity(variables.len());
        for variable in variables {
            // SAFETY: the term is of this context; one that is no application is a recorded error.
            let app = unsafe { sys::Z3_to_app(context, variable.0) };
            bound.push(self.session.got(app)?);
        }
        // SAFETY: the array holds as many constants of this context as its length says; there are no patterns.
        let quantified = unsafe {
            sys::Z3_mk_forall_const(
                context,
                0,
                bound.len() as c_uint,
                bound.as_ptr(),
                0,
                std::ptr::null(),
                body.0,
            )
        };
        self.session.hold(quantified)
    }

    /// Can the predicate be derived? `Sat` means yes.
    pub(crate) fn query(
        &mut self,
        goal: Decl,
        limits: Limits,
        interrupt: &Interrupt,
    ) -> Fallible<(Outcome, Option<Stop>)> {
        let context = self.session.context;
        let lent = Lent((context, self.fixedpoint, goal.0));
        // SAFETY: the context is live, and this function may be called from any thread.
        let cancel = || unsafe { sys::Z3_interrupt(context) };
        let (answer, stop) = watched(cancel, limits, interrupt, move || {
            let (context, fixedpoint, goal) = lent.take();
            // SAFETY: engine and goal are of the same context, and their owner waits.
            unsafe { sys::Z3_fixedpoint_query_relations(context, fixedpoint, 1, &goal) }
        })?;
        let outcome = match answer {
            sys::Z3_L_TRUE => Outcome::Sat,
            sys::Z3_L_FALSE => Outcome::Unsat,
            _ => {
                // SAFETY: the engine is live.
                let reason =
                    unsafe { sys::Z3_fixedpoint_get_reason_unknown(context, self.fixedpoint) };
                Outcome::Unknown(self.session.text(reason))
            }
        };
        if stop.is_none() {
            self.session.settled(())?;
        }
        Ok((outcome, stop))
    }

    /// After `Unsat`: what holds of a predicate's arguments, which are variables by position.
    pub(crate) fn invariant(&mut self, predicate: Decl) -> Fallible<Ast> {
        // SAFETY: engine and predicate are of the same context; level -1 is the limit.
        let formula = unsafe {
            sys::Z3_fixedpoint_get_cover_delta(
                self.session.context,
                self.fixedpoint,
                -1,
                predicate.0,
            )
        };
        self.session.hold(formula)
    }

    /// After `Sat`: the names of the rules of the derivation, from the goal on, level by level.
    pub(crate) fn rule_names(&mut self) -> Fallible<Vec<String>> {
        let context = self.session.context;
        // SAFETY: the engine is live; asking at the wrong time is a recorded error.
        let symbol =
            unsafe { sys::Z3_fixedpoint_get_rule_names_along_trace(context, self.fixedpoint) };
        let symbol = self.session.got(symbol)?;
        // SAFETY: the symbol is of this context.
        let text = unsafe { sys::Z3_get_symbol_string(context, symbol) };
        let text = self.session.settled(self.session.text(text))?;
        Ok(text.split(';').map(str::to_owned).collect())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the reference that was taken when the engine was made; the session is dropped after this.
        unsafe { sys::Z3_fixedpoint_dec_ref(self.session.context, self.fixedpoint) };
    }
}

/// What Z3 prints when it runs a script of its own: its reading of a text, beside ours.
pub fn z3_says(script: &str) -> String {
    let Ok(session) = Session::new() else {
        return String::new();
    };
    let Ok(script) = std::ffi::CString::new(script) else {
        return String::new();
    };
    // SAFETY: the context is live, and the text ends with its NUL; mistakes in it are part of what is printed.
    let said = unsafe { sys::Z3_eval_smtlib2_string(session.context, script.as_ptr()) };
    session.text(said)
}
