//! Attributes of functions, parameters, results and calls.

use llvm_sys::prelude::LLVMAttributeRef;

use super::{Context, Of, Opcode, Ty, Val, ValKind, copy_text, llvm};

/// An attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attr<'c> {
    raw: LLVMAttributeRef,
    of: Of<'c>,
}

/// Where attributes of a function or call itself stand: LLVM's own number.
const FUNCTION: u32 = u32::MAX;

impl<'c> Attr<'c> {
    fn new(raw: LLVMAttributeRef) -> Attr<'c> {
        Attr {
            raw,
            of: Of::default(),
        }
    }

    /// The number of an attribute like `byval`.
    pub fn kind_named(name: &str) -> u32 {
        llvm!(core::LLVMGetEnumAttributeKindForName(
            name.as_ptr().cast(),
            name.len()
        ))
    }

    /// An attribute without a value, like `nomerge`.
    pub fn plain(ctx: &'c Context, kind: u32) -> Attr<'c> {
        Attr::new(llvm!(core::LLVMCreateEnumAttribute(ctx.raw, kind, 0)))
    }

    /// An attribute given by two strings, like `"no-builtins"`.
    pub fn string(ctx: &'c Context, key: &str, value: &str) -> Attr<'c> {
        Attr::new(llvm!(core::LLVMCreateStringAttribute(
            ctx.raw,
            key.as_ptr().cast(),
            key.len() as u32,
            value.as_ptr().cast(),
            value.len() as u32
        )))
    }

    /// Is it given by strings? Its key then.
    pub fn key(self) -> Option<String> {
        if llvm!(core::LLVMIsStringAttribute(self.raw)) == 0 {
            return None;
        }
        let mut len = 0;
        let text = llvm!(core::LLVMGetStringAttributeKind(self.raw, &mut len));
        Some(copy_text(text, len as usize))
    }

    /// Its number, if it is not given by strings.
    pub fn kind(self) -> Option<u32> {
        if llvm!(core::LLVMIsStringAttribute(self.raw)) != 0 {
            return None;
        }
        Some(llvm!(core::LLVMGetEnumAttributeKind(self.raw)))
    }

    /// The type it carries (`byval(T)`), if it carries one.
    pub fn ty(self) -> Option<Ty<'c>> {
        if llvm!(core::LLVMIsTypeAttribute(self.raw)) == 0 {
            return None;
        }
        Some(Ty::new(llvm!(core::LLVMGetTypeAttributeValue(self.raw))))
    }
}

impl<'c> Val<'c> {
    fn is_call(self) -> bool {
        matches!(
            self.opcode(),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr)
        )
    }

    /// The attributes at a position of a function or call: 0 the result, n the n-th parameter,
    /// `u32::MAX` the function.
    pub fn attributes(self, index: u32) -> Vec<Attr<'c>> {
        let mut raw: Vec<LLVMAttributeRef> = Vec::new();
        if self.is_call() {
            let count = llvm!(core::LLVMGetCallSiteAttributeCount(self.raw, index));
            raw.resize(count as usize, std::ptr::null_mut());
            llvm!(core::LLVMGetCallSiteAttributes(
                self.raw,
                index,
                raw.as_mut_ptr()
            ));
        } else {
            assert_eq!(self.value_kind(), ValKind::Function);
            let count = llvm!(core::LLVMGetAttributeCountAtIndex(self.raw, index));
            raw.resize(count as usize, std::ptr::null_mut());
            llvm!(core::LLVMGetAttributesAtIndex(
                self.raw,
                index,
                raw.as_mut_ptr()
            ));
        }
        raw.into_iter().map(Attr::new).collect()
    }

    /// The attribute of this number at a position, if it is there.
    pub fn attribute(self, index: u32, kind: u32) -> Option<Attr<'c>> {
        let raw = if self.is_call() {
            llvm!(core::LLVMGetCallSiteEnumAttribute(self.raw, index, kind))
        } else {
            assert_eq!(self.value_kind(), ValKind::Function);
            llvm!(core::LLVMGetEnumAttributeAtIndex(self.raw, index, kind))
        };
        (!raw.is_null()).then(|| Attr::new(raw))
    }

    /// Has a function or call this attribute given by strings?
    pub fn has_string_attribute(self, key: &str) -> bool {
        let (text, len) = (key.as_ptr().cast(), key.len() as u32);
        let raw = if self.is_call() {
            llvm!(core::LLVMGetCallSiteStringAttribute(
                self.raw, FUNCTION, text, len
            ))
        } else {
            assert_eq!(self.value_kind(), ValKind::Function);
            llvm!(core::LLVMGetStringAttributeAtIndex(
                self.raw, FUNCTION, text, len
            ))
        };
        !raw.is_null()
    }

    /// Adds an attribute at a position.
    pub fn add_attribute(self, index: u32, attr: Attr<'c>) {
        if self.is_call() {
            llvm!(core::LLVMAddCallSiteAttribute(self.raw, index, attr.raw));
        } else {
            assert_eq!(self.value_kind(), ValKind::Function);
            llvm!(core::LLVMAddAttributeAtIndex(self.raw, index, attr.raw));
        }
    }

    /// Removes an attribute at a position.
    pub fn remove_attribute(self, index: u32, attr: Attr<'c>) {
        if let Some(key) = attr.key() {
            let (text, len) = (key.as_ptr().cast(), key.len() as u32);
            if self.is_call() {
                llvm!(core::LLVMRemoveCallSiteStringAttribute(
                    self.raw, index, text, len
                ));
            } else {
                assert_eq!(self.value_kind(), ValKind::Function);
                llvm!(core::LLVMRemoveStringAttributeAtIndex(
                    self.raw, index, text, len
                ));
            }
        } else if let Some(kind) = attr.kind() {
            if self.is_call() {
                llvm!(core::LLVMRemoveCallSiteEnumAttribute(self.raw, index, kind));
            } else {
                assert_eq!(self.value_kind(), ValKind::Function);
                llvm!(core::LLVMRemoveEnumAttributeAtIndex(self.raw, index, kind));
            }
        }
    }
}
