//! A safe skin over Bitwuzla's C interface.
//!
//! Bitwuzla reports a misuse (a wrong sort, say) by a callback of the calling thread and then returns a null or a
//! default value; without a callback it ends the whole process. Every call here sets the callback first and asks
//! for its message afterwards, so that a misuse is an `Err` and nothing else.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::null_mut;

use bitwuzla_sys as sys;

use crate::limits::Watch;

pub(crate) use bitwuzla_sys::BitwuzlaKind as Kind;

/// What a call can fail with: Bitwuzla's own words.
pub(crate) type Fallible<T> = Result<T, String>;

/// A term of one [`Session`]; lives as long as the session does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Node(sys::BitwuzlaTerm);

/// A sort of one [`Session`]; lives as long as the session does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SortNode(sys::BitwuzlaSort);

/// Bitwuzla's three answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Sat,
    Unsat,
    Unknown,
}

/// What a solver is asked to record beyond yes and no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Record {
    /// Models only.
    Models,
    /// Models, and which assumptions were needed; switches some preprocessing off.
    ModelsAndCores,
}

/// Whether Bitwuzla may rewrite terms before it solves them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rewriting {
    On,
    Off,
}

/// A term manager, its options and one solver; the only owner of these handles.
pub(crate) struct Session {
    manager: *mut sys::BitwuzlaTermManager,
    options: *mut sys::BitwuzlaOptions,
    solver: *mut sys::Bitwuzla,
    /// Read by the termination callback; boxed, so that its address stays.
    watch: Box<Watch>,
}

thread_local! {
    /// The last message of Bitwuzla's abort callback on this thread.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

extern "C" fn on_abort(message: *const c_char) {
    let text = if message.is_null() {
        "bitwuzla gave no message".to_owned()
    } else {
        // SAFETY: Bitwuzla passes a NUL-terminated string that lives during the call.
        unsafe { CStr::from_ptr(message) }
            .to_string_lossy()
            .trim()
            .to_owned()
    };
    MESSAGE.with_borrow_mut(|slot| *slot = slot.take().or(Some(text)));
}

extern "C" fn on_poll(watch: *mut c_void) -> i32 {
    // SAFETY: the pointer is the boxed `Watch` of the session that is solving, which outlives its solver.
    let watch = unsafe { &*watch.cast::<Watch>() };
    i32::from(watch.must_stop())
}

/// Prepares this thread for a call.
fn enter() {
    // SAFETY: sets a thread-local function pointer to a function that is never freed.
    unsafe { sys::bitwuzla_set_abort_callback(Some(on_abort)) };
}

/// The result of a call, unless the callback was invoked since.
fn leave<T>(value: T) -> Fallible<T> {
    match MESSAGE.with_borrow_mut(Option::take) {
        None => Ok(value),
        Some(message) => Err(message),
    }
}

/// Copies a string that Bitwuzla keeps until the next call.
fn copy_text(text: *const c_char) -> Fallible<String> {
    if text.is_null() {
        return Err("bitwuzla returned no text".to_owned());
    }
    // SAFETY: not null, NUL-terminated, and valid until the next call of the same function on this thread.
    Ok(unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned())
}

impl Session {
    pub(crate) fn new(watch: Watch, record: Record, rewriting: Rewriting) -> Fallible<Session> {
        enter();
        // SAFETY: takes nothing, returns a new manager that this session owns.
        let manager = unsafe { sys::bitwuzla_term_manager_new() };
        // SAFETY: takes nothing, returns new options that this session owns.
        let options = unsafe { sys::bitwuzla_options_new() };
        let mut session = Session {
            manager,
            options,
            solver: null_mut(),
            watch: Box::new(watch),
        };
        session.set_option(sys::BITWUZLA_OPT_PRODUCE_MODELS, 1)?;
        match record {
            Record::Models => {}
            Record::ModelsAndCores => {
                session.set_option(sys::BITWUZLA_OPT_PRODUCE_UNSAT_ASSUMPTIONS, 1)?
            }
        }
        match rewriting {
            Rewriting::On => {}
            Rewriting::Off => {
                session.set_option(sys::BITWUZLA_OPT_REWRITE_LEVEL, 0)?;
                session.set_option(sys::BITWUZLA_OPT_PREPROCESS, 0)?;
            }
        }
        // SAFETY: both handles are live and owned by this session, which deletes the solver before them.
        session.solver = unsafe { sys::bitwuzla_new(manager, options) };
        if session.solver.is_null() {
            return Err(leave(())
                .err()
                .unwrap_or_else(|| "bitwuzla made no solver".to_owned()));
        }
        let state: *const Watch = &*session.watch;
        // SAFETY: the state is a boxed `Watch` that is dropped after the solver; `on_poll` only reads it.
        unsafe {
            sys::bitwuzla_set_termination_callback(
                session.solver,
                Some(on_poll),
                state.cast_mut().cast::<c_void>(),
            )
        };
        leave(session)
    }

    pub(crate) fn watch(&self) -> &Watch {
        &self.watch
    }

    fn set_option(&mut self, option: sys::BitwuzlaOption, value: u64) -> Fallible<()> {
        enter();
        // SAFETY: the options are live; a wrong option or value goes to the callback.
        unsafe { sys::bitwuzla_set_option(self.options, option, value) };
        leave(())
    }

    pub(crate) fn bool_sort(&mut self) -> Fallible<SortNode> {
        enter();
        // SAFETY: the manager is live.
        let sort = unsafe { sys::bitwuzla_mk_bool_sort(self.manager) };
        leave(SortNode(sort))
    }

    pub(crate) fn bv_sort(&mut self, width: u32) -> Fallible<SortNode> {
        enter();
        // SAFETY: the manager is live.
        let sort = unsafe { sys::bitwuzla_mk_bv_sort(self.manager, u64::from(width)) };
        leave(SortNode(sort))
    }

    pub(crate) fn fp_sort(&mut self, exponent: u32, significand: u32) -> Fallible<SortNode> {
        enter();
        // SAFETY: the manager is live.
        let sort = unsafe {
            sys::bitwuzla_mk_fp_sort(self.manager, u64::from(exponent), u64::from(significand))
        };
        leave(SortNode(sort))
    }

    pub(crate) fn array_sort(&mut self, index: SortNode, element: SortNode) -> Fallible<SortNode> {
        enter();
        // SAFETY: the manager is live, and the sorts are of this manager.
        let sort = unsafe { sys::bitwuzla_mk_array_sort(self.manager, index.0, element.0) };
        leave(SortNode(sort))
    }

    pub(crate) fn fun_sort(
        &mut self,
        domain: &[SortNode],
        codomain: SortNode,
    ) -> Fallible<SortNode> {
        let mut domain: Vec<_> = domain.iter().map(|sort| sort.0).collect();
        enter();
        // SAFETY: the array holds as many sorts of this manager as its length says, and is only read.
        let sort = unsafe {
            sys::bitwuzla_mk_fun_sort(
                self.manager,
                domain.len() as u64,
                domain.as_mut_ptr(),
                codomain.0,
            )
        };
        leave(SortNode(sort))
    }

    pub(crate) fn mk_bool(&mut self, value: bool) -> Fallible<Node> {
        enter();
        let node = if value {
            // SAFETY: the manager is live.
            unsafe { sys::bitwuzla_mk_true(self.manager) }
        } else {
            // SAFETY: the manager is live.
            unsafe { sys::bitwuzla_mk_false(self.manager) }
        };
        leave(Node(node))
    }

    pub(crate) fn mk_bv_u64(&mut self, sort: SortNode, value: u64) -> Fallible<Node> {
        enter();
        // SAFETY: the manager is live and the sort is of this manager; a value that does not fit goes to the callback.
        let node = unsafe { sys::bitwuzla_mk_bv_value_uint64(self.manager, sort.0, value) };
        leave(Node(node))
    }

    /// A bit-vector value written in binary.
    pub(crate) fn mk_bv_binary(&mut self, sort: SortNode, digits: &str) -> Fallible<Node> {
        let digits = CString::new(digits).map_err(|error| error.to_string())?;
        enter();
        // SAFETY: the manager is live, the sort is of this manager, the string is NUL-terminated and copied.
        let node = unsafe { sys::bitwuzla_mk_bv_value(self.manager, sort.0, digits.as_ptr(), 2) };
        leave(Node(node))
    }

    /// A floating-point value from its three fields, which are bit-vector values.
    pub(crate) fn mk_fp(
        &mut self,
        sign: Node,
        exponent: Node,
        significand: Node,
    ) -> Fallible<Node> {
        enter();
        // SAFETY: the manager is live and the terms are of this manager.
        let node =
            unsafe { sys::bitwuzla_mk_fp_value(self.manager, sign.0, exponent.0, significand.0) };
        leave(Node(node))
    }

    pub(crate) fn mk_rm(&mut self, mode: sys::BitwuzlaRoundingMode) -> Fallible<Node> {
        enter();
        // SAFETY: the manager is live; an unknown mode goes to the callback.
        let node = unsafe { sys::bitwuzla_mk_rm_value(self.manager, mode) };
        leave(Node(node))
    }

    /// A fresh free symbol; Bitwuzla tells symbols apart by identity, not by name.
    pub(crate) fn mk_const(&mut self, sort: SortNode) -> Fallible<Node> {
        enter();
        // SAFETY: the manager is live, the sort is of this manager, and a null name is allowed.
        let node = unsafe { sys::bitwuzla_mk_const(self.manager, sort.0, std::ptr::null()) };
        leave(Node(node))
    }

    pub(crate) fn mk_const_array(&mut self, sort: SortNode, value: Node) -> Fallible<Node> {
        enter();
        // SAFETY: the manager is live, sort and term are of this manager.
        let node = unsafe { sys::bitwuzla_mk_const_array(self.manager, sort.0, value.0) };
        leave(Node(node))
    }

    pub(crate) fn mk_term(
        &mut self,
        kind: Kind,
        arguments: &[Node],
        indices: &[u64],
    ) -> Fallible<Node> {
        let mut inline = [0; 4];
        let mut spilled;
        let handles: &mut [sys::BitwuzlaTerm] = if arguments.len() <= inline.len() {
            for (slot, node) in inline.iter_mut().zip(arguments) {
                *slot = node.0;
            }
            &mut inline[..arguments.len()]
        } else {
            spilled = arguments.iter().map(|node| node.0).collect::<Vec<_>>();
            &mut spilled
        };
        enter();
        // SAFETY: both arrays hold as many entries as their lengths say and are only read; the terms are of this
        // manager; wrong kinds, sorts and numbers go to the callback.
        let node = unsafe {
            sys::bitwuzla_mk_term_indexed(
                self.manager,
                kind,
                handles.len() as u32,
                handles.as_mut_ptr(),
                indices.len() as u32,
                indices.as_ptr(),
            )
        };
        leave(Node(node))
    }

    pub(crate) fn assert(&mut self, node: Node) -> Fallible<()> {
        enter();
        // SAFETY: the solver is live and the term is of its manager.
        unsafe { sys::bitwuzla_assert(self.solver, node.0) };
        leave(())
    }

    pub(crate) fn push(&mut self) -> Fallible<()> {
        enter();
        // SAFETY: the solver is live.
        unsafe { sys::bitwuzla_push(self.solver, 1) };
        leave(())
    }

    pub(crate) fn pop(&mut self, levels: u32) -> Fallible<()> {
        enter();
        // SAFETY: the solver is live; too many levels go to the callback.
        unsafe { sys::bitwuzla_pop(self.solver, u64::from(levels)) };
        leave(())
    }

    pub(crate) fn check(&mut self, assumptions: &[Node]) -> Fallible<Outcome> {
        let mut handles: Vec<_> = assumptions.iter().map(|node| node.0).collect();
        enter();
        // SAFETY: the solver is live; the array holds as many terms of its manager as its length says, and is only read.
        let outcome = unsafe {
            sys::bitwuzla_check_sat_assuming(
                self.solver,
                handles.len() as u32,
                handles.as_mut_ptr(),
            )
        };
        leave(match outcome {
            sys::BITWUZLA_SAT => Outcome::Sat,
            sys::BITWUZLA_UNSAT => Outcome::Unsat,
            _ => Outcome::Unknown,
        })
    }

    /// Whether an assumption of the last check was needed for its `Unsat`.
    pub(crate) fn is_in_core(&mut self, assumption: Node) -> Fallible<bool> {
        enter();
        // SAFETY: the solver is live, the term is of its manager; asking at the wrong time goes to the callback.
        let needed = unsafe { sys::bitwuzla_is_unsat_assumption(self.solver, assumption.0) };
        leave(needed)
    }

    /// The value of a term in the last model; give it back with [`Session::release`].
    pub(crate) fn value(&mut self, node: Node) -> Fallible<Node> {
        enter();
        // SAFETY: the solver is live, the term is of its manager; asking at the wrong time goes to the callback.
        let value = unsafe { sys::bitwuzla_get_value(self.solver, node.0) };
        leave(Node(value))
    }

    pub(crate) fn release(&mut self, node: Node) {
        // SAFETY: the term is of this session, and its owner gives up one reference that it counted.
        unsafe { sys::bitwuzla_term_release(node.0) };
    }

    pub(crate) fn kind(&self, node: Node) -> Fallible<Kind> {
        enter();
        // SAFETY: the term is of this session.
        let kind = unsafe { sys::bitwuzla_term_get_kind(node.0) };
        leave(kind)
    }

    /// The children of a term; give each back with [`Session::release`].
    pub(crate) fn children(&mut self, node: Node) -> Fallible<Vec<Node>> {
        let mut count = 0;
        enter();
        // SAFETY: the term is of this session, and the count is valid for writing.
        let start = unsafe { sys::bitwuzla_term_get_children(node.0, &mut count) };
        leave(())?;
        if start.is_null() || count == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: Bitwuzla keeps an array of `count` terms there until the next call of the same function on this thread.
        let handles = unsafe { std::slice::from_raw_parts(start, count) };
        Ok(handles.iter().map(|&handle| Node(handle)).collect())
    }

    pub(crate) fn bool_value(&self, value: Node) -> Fallible<bool> {
        enter();
        // SAFETY: the term is of this session; one that is no Boolean value goes to the callback.
        let answer = unsafe { sys::bitwuzla_term_value_get_bool(value.0) };
        leave(answer)
    }

    /// The binary digits of a bit-vector value.
    pub(crate) fn bv_digits(&self, value: Node) -> Fallible<String> {
        enter();
        // SAFETY: the term is of this session; one that is no value goes to the callback.
        let text = unsafe { sys::bitwuzla_term_value_get_str(value.0) };
        leave(())?;
        copy_text(text)
    }

    /// The binary digits of a floating-point value: sign, exponent and significand, one after the other.
    pub(crate) fn fp_digits(&self, value: Node) -> Fallible<String> {
        let (mut sign, mut exponent, mut significand) =
            (std::ptr::null(), std::ptr::null(), std::ptr::null());
        enter();
        // SAFETY: the term is of this session, and the three pointers are valid for writing.
        unsafe {
            sys::bitwuzla_term_value_get_fp_ieee(
                value.0,
                &mut sign,
                &mut exponent,
                &mut significand,
                2,
            )
        };
        leave(())?;
        Ok(copy_text(sign)? + &copy_text(exponent)? + &copy_text(significand)?)
    }

    /// Bitwuzla's own statistics, by name.
    pub(crate) fn statistics(&self) -> Fallible<Vec<(String, String)>> {
        let (mut keys, mut values, mut count) = (null_mut(), null_mut(), 0);
        enter();
        // SAFETY: the solver is live, and the three places are valid for writing.
        unsafe { sys::bitwuzla_get_statistics(self.solver, &mut keys, &mut values, &mut count) };
        leave(())?;
        let mut pairs = Vec::with_capacity(count);
        for position in 0..count {
            // SAFETY: Bitwuzla keeps two arrays of `count` strings until the next call on this thread.
            let (key, value) = unsafe { (*keys.add(position), *values.add(position)) };
            pairs.push((copy_text(key)?, copy_text(value)?));
        }
        Ok(pairs)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        enter();
        if !self.solver.is_null() {
            // SAFETY: the solver is live, owned by this session, and not used again.
            unsafe { sys::bitwuzla_delete(self.solver) };
        }
        // SAFETY: the options are live, owned by this session, and not used again.
        unsafe { sys::bitwuzla_options_delete(self.options) };
        // SAFETY: the manager is live, owned by this session, and not used again; its terms go with it.
        unsafe { sys::bitwuzla_term_manager_delete(self.manager) };
        let _ = leave(());
    }
}
