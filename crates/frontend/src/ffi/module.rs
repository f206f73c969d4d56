//! Modules: reading, linking, verifying, running passes, and their lists.

use std::ffi::CString;
use std::mem::ManuallyDrop;

use llvm_sys::analysis::LLVMVerifierFailureAction;
use llvm_sys::prelude::LLVMModuleRef;

use super::{Context, Of, Ty, Val, copy_text, llvm, take_message};

/// A module, owned.
pub struct Module<'c> {
    raw: LLVMModuleRef,
    ctx: &'c Context,
    of: Of<'c>,
}

impl<'c> Module<'c> {
    fn new(raw: LLVMModuleRef, ctx: &'c Context) -> Module<'c> {
        Module {
            raw,
            ctx,
            of: Of::default(),
        }
    }

    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.ctx
    }

    /// Reads bitcode.
    pub fn from_bitcode(ctx: &'c Context, bytes: &[u8]) -> Result<Module<'c>, String> {
        let name = c"bitcode";
        let buffer = llvm!(core::LLVMCreateMemoryBufferWithMemoryRangeCopy(
            bytes.as_ptr().cast(),
            bytes.len(),
            name.as_ptr()
        ));
        let mut raw = std::ptr::null_mut();
        let failed = llvm!(bit_reader::LLVMParseBitcodeInContext2(
            ctx.raw, buffer, &mut raw
        )) != 0;
        llvm!(core::LLVMDisposeMemoryBuffer(buffer));
        if failed || raw.is_null() {
            return Err(ctx.take_messages());
        }
        Ok(Module::new(raw, ctx))
    }

    /// Reads bitcode and keeps the names of variables.
    pub fn from_named_bitcode(ctx: &'c Context, bytes: &[u8]) -> Result<Module<'c>, String> {
        llvm!(core::LLVMContextSetDiscardValueNames(ctx.raw, 0));
        let module = Module::from_bitcode(ctx, bytes);
        llvm!(core::LLVMContextSetDiscardValueNames(ctx.raw, 1));
        module
    }

    /// A copy.
    pub fn twin(&self) -> Module<'c> {
        Module::new(llvm!(core::LLVMCloneModule(self.raw)), self.ctx)
    }

    /// Reads LLVM's text format.
    pub fn from_text(ctx: &'c Context, text: &str) -> Result<Module<'c>, String> {
        let text = CString::new(text).map_err(|_| "the text contains a zero byte".to_owned())?;
        let name = c"text";
        let buffer = llvm!(core::LLVMCreateMemoryBufferWithMemoryRangeCopy(
            text.as_ptr(),
            text.as_bytes().len(),
            name.as_ptr()
        ));
        let mut raw = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        // The reader needs names while it reads.
        llvm!(core::LLVMContextSetDiscardValueNames(ctx.raw, 0));
        let failed = llvm!(ir_reader::LLVMParseIRInContext2(
            ctx.raw,
            buffer,
            &mut raw,
            &mut message
        )) != 0;
        llvm!(core::LLVMContextSetDiscardValueNames(ctx.raw, 1));
        llvm!(core::LLVMDisposeMemoryBuffer(buffer));
        let message = take_message(message);
        if failed || raw.is_null() {
            return Err(message);
        }
        Ok(Module::new(raw, ctx))
    }

    /// Links the other module into this one.
    pub fn link(&mut self, other: Module<'c>) -> Result<(), String> {
        // LLVM frees the other module, also when linking fails.
        let other = ManuallyDrop::new(other);
        if llvm!(linker::LLVMLinkModules2(self.raw, other.raw)) != 0 {
            return Err(self.ctx.take_messages());
        }
        Ok(())
    }

    /// Is the module as LLVM wants it?
    pub fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let failed = llvm!(analysis::LLVMVerifyModule(self.raw, action, &mut message)) != 0;
        let message = take_message(message);
        if failed { Err(message) } else { Ok(()) }
    }

    /// Runs a pipeline in the notation of `opt -passes=…`.
    pub fn run_passes(&mut self, pipeline: &str) -> Result<(), String> {
        let pipeline = CString::new(pipeline).expect("a pipeline has no zero byte");
        let options = llvm!(transforms::pass_builder::LLVMCreatePassBuilderOptions());
        let error = llvm!(transforms::pass_builder::LLVMRunPasses(
            self.raw,
            pipeline.as_ptr(),
            std::ptr::null_mut(),
            options
        ));
        llvm!(transforms::pass_builder::LLVMDisposePassBuilderOptions(
            options
        ));
        if error.is_null() {
            return Ok(());
        }
        let raw = llvm!(error::LLVMGetErrorMessage(error));
        // SAFETY: LLVM returns a NUL-terminated string.
        let text = unsafe { std::ffi::CStr::from_ptr(raw) }
            .to_string_lossy()
            .into_owned();
        llvm!(error::LLVMDisposeErrorMessage(raw));
        Err(text)
    }

    /// As LLVM writes it.
    pub fn text(&self) -> String {
        take_message(llvm!(core::LLVMPrintModuleToString(self.raw)))
    }

    /// The machine, like `x86_64-pc-linux-gnu`.
    pub fn triple(&self) -> String {
        let raw = llvm!(core::LLVMGetTarget(self.raw));
        // SAFETY: the module keeps a NUL-terminated string.
        let text = unsafe { std::ffi::CStr::from_ptr(raw) };
        text.to_string_lossy().into_owned()
    }

    /// Assembly at file scope.
    pub fn inline_asm(&self) -> String {
        let mut len = 0;
        let text = llvm!(core::LLVMGetModuleInlineAsm(self.raw, &mut len));
        copy_text(text, len)
    }

    /// The functions, declared and defined.
    pub fn functions(&self) -> Vec<Val<'c>> {
        let mut list = Vec::new();
        let mut next = Val::maybe(llvm!(core::LLVMGetFirstFunction(self.raw)));
        while let Some(func) = next {
            list.push(func);
            next = Val::maybe(llvm!(core::LLVMGetNextFunction(func.raw)));
        }
        list
    }

    /// The aliases: other names of functions and variables.
    pub fn aliases(&self) -> Vec<Val<'c>> {
        let mut list = Vec::new();
        let mut next = Val::maybe(llvm!(core::LLVMGetFirstGlobalAlias(self.raw)));
        while let Some(alias) = next {
            list.push(alias);
            next = Val::maybe(llvm!(core::LLVMGetNextGlobalAlias(alias.raw)));
        }
        list
    }

    /// The global variables.
    pub fn globals(&self) -> Vec<Val<'c>> {
        let mut list = Vec::new();
        let mut next = Val::maybe(llvm!(core::LLVMGetFirstGlobal(self.raw)));
        while let Some(global) = next {
            list.push(global);
            next = Val::maybe(llvm!(core::LLVMGetNextGlobal(global.raw)));
        }
        list
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<Val<'c>> {
        Val::maybe(llvm!(core::LLVMGetNamedFunctionWithLength(
            self.raw,
            name.as_ptr().cast(),
            name.len()
        )))
    }

    /// The global variable of this name.
    pub fn global(&self, name: &str) -> Option<Val<'c>> {
        Val::maybe(llvm!(core::LLVMGetNamedGlobalWithLength(
            self.raw,
            name.as_ptr().cast(),
            name.len()
        )))
    }

    /// Declares a function.
    pub fn declare(&mut self, name: &str, ty: Ty<'c>) -> Val<'c> {
        let name = CString::new(name).expect("a function's name has no zero byte");
        Val::new(llvm!(core::LLVMAddFunction(
            self.raw,
            name.as_ptr(),
            ty.raw
        )))
    }

    /// A variable of ours, with zeros in it.
    pub fn add_variable(&mut self, name: &str, ty: Ty<'c>) -> Val<'c> {
        let name = CString::new(name).expect("a variable's name has no zero byte");
        let global = Val::new(llvm!(core::LLVMAddGlobal(self.raw, ty.raw, name.as_ptr())));
        llvm!(core::LLVMSetInitializer(global.raw, Val::zero(ty).raw));
        global.set_linkage(super::Linkage::LLVMInternalLinkage);
        global
    }

    /// A variable that is defined elsewhere.
    pub fn declare_variable(&mut self, name: &str, ty: Ty<'c>) -> Val<'c> {
        let name = CString::new(name).expect("a variable's name has no zero byte");
        Val::new(llvm!(core::LLVMAddGlobal(self.raw, ty.raw, name.as_ptr())))
    }

    /// The declaration of an intrinsic, overloaded by types.
    pub fn intrinsic(&mut self, name: &str, types: &[Ty<'c>]) -> Val<'c> {
        let id = llvm!(core::LLVMLookupIntrinsicID(
            name.as_ptr().cast(),
            name.len()
        ));
        assert!(id != 0, "no intrinsic {name}");
        let mut raw: Vec<_> = types.iter().map(|ty| ty.raw).collect();
        Val::new(llvm!(core::LLVMGetIntrinsicDeclaration(
            self.raw,
            id,
            raw.as_mut_ptr(),
            raw.len()
        )))
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        llvm!(core::LLVMDisposeModule(self.raw));
    }
}
