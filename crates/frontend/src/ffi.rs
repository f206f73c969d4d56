//! LLVM behind safe handles. Nothing outside `ffi*` mentions `llvm_sys` functions or `unsafe`.
//!
//! A [`Context`] owns everything; a [`Module`] is owned too. All other handles ([`Val`], [`Ty`],
//! [`Block`], [`Meta`], [`Attr`]) are small copies of pointers into the context, whose lifetime
//! they carry. Three rules make the calls below sound:
//!
//! 1. A handle comes from LLVM and is never null (a null result becomes `None`).
//! 2. A method that is only meaningful for some values asks for the value's kind first, since
//!    LLVM itself does not (it is built without assertions).
//! 3. Who erases an instruction, block or function does not use its handle again. That is the
//!    one duty of the callers; it is easy to see, because only `instrument` and `link` erase.

mod attr;
mod build;
mod debug;
mod inst;
mod module;
mod types;
mod value;

pub use attr::Attr;
pub use build::Builder;
pub use debug::{Meta, Record, RecordKind};
pub use llvm_sys::{
    LLVMAtomicRMWBinOp as RmwOp, LLVMIntPredicate as IntPredicate, LLVMLinkage as Linkage,
    LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate,
};
pub use module::Module;
pub use types::{Kind, Layout, Ty};
pub use value::{Block, Val, ValKind};

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;

use llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef};

/// Calls a function of LLVM's C interface.
macro_rules! llvm {
    ($($path:ident)::+ ($($arg:expr),* $(,)?)) => {{
        // SAFETY: the handles are live and of the kind that the function wants, by the rules at
        // the top of `ffi.rs`; other arguments are plain data or point to locals that outlive
        // the call.
        unsafe { llvm_sys::$($path)::+($($arg),*) }
    }};
}
pub(crate) use llvm;

/// What LLVM complained about since it was last asked.
type Messages = RefCell<Vec<String>>;

/// LLVM's world: owns types, constants and metadata. Errors are collected, never printed.
pub struct Context {
    raw: LLVMContextRef,
    messages: Box<Messages>,
}

/// Ties a handle to its context.
pub(crate) type Of<'c> = PhantomData<&'c Context>;

impl Context {
    /// A fresh context.
    pub fn new() -> Context {
        let raw = llvm!(core::LLVMContextCreate());
        let messages: Box<Messages> = Box::default();
        let pointer = (&raw const *messages).cast_mut().cast::<c_void>();
        llvm!(core::LLVMContextSetDiagnosticHandler(
            raw,
            Some(collect),
            pointer
        ));
        llvm!(core::LLVMContextSetDiscardValueNames(raw, 1));
        Context { raw, messages }
    }

    /// Takes the messages collected so far, as one line.
    pub fn take_messages(&self) -> String {
        let messages = std::mem::take(&mut *self.messages.borrow_mut());
        messages.join("; ").replace('\n', " ")
    }

    /// The id of a kind of metadata (`annotation`).
    pub fn metadata_kind(&self, name: &str) -> u32 {
        llvm!(core::LLVMGetMDKindIDInContext(
            self.raw,
            name.as_ptr().cast(),
            name.len() as u32
        ))
    }
}

impl Default for Context {
    fn default() -> Context {
        Context::new()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        llvm!(core::LLVMContextDispose(self.raw));
    }
}

/// LLVM calls this with each diagnostic; `messages` is the pointer given to it.
extern "C" fn collect(info: LLVMDiagnosticInfoRef, messages: *mut c_void) {
    let text = take_message(llvm!(core::LLVMGetDiagInfoDescription(info)));
    // SAFETY: the pointer is the context's own box of messages, which lives as long as it, and
    // nothing borrows it while LLVM runs.
    let messages = unsafe { &*messages.cast::<Messages>() };
    messages.borrow_mut().push(text);
}

/// Copies and frees a message that LLVM allocated.
fn take_message(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returns a NUL-terminated string, which is ours to free.
    let copy = unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned();
    llvm!(core::LLVMDisposeMessage(text));
    copy
}

/// Copies a string that LLVM keeps.
fn copy_text(text: *const c_char, len: usize) -> String {
    String::from_utf8_lossy(copy_bytes(text, len)).into_owned()
}

/// The bytes of a string that LLVM keeps; to be copied at once.
fn copy_bytes<'a>(text: *const c_char, len: usize) -> &'a [u8] {
    if text.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: LLVM says that `len` bytes are there; the callers in `ffi` copy them before they
    // call LLVM again.
    unsafe { std::slice::from_raw_parts(text.cast(), len) }
}
