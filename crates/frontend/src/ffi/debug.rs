//! Debug information: locations, scopes, variables, types, records.
//!
//! LLVM's C interface has getters for few of the fields; names and scopes are read by the position
//! of the operand in the metadata node, which LLVM keeps stable within a version.

use std::path::{Path, PathBuf};

use llvm_sys::LLVMDbgRecordKind;
use llvm_sys::debuginfo::LLVMMetadataKind;
use llvm_sys::prelude::{LLVMDbgRecordRef, LLVMMetadataRef};

use super::{Context, Of, Val, copy_text, llvm, take_message};

/// A node of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Meta<'c> {
    pub(super) raw: LLVMMetadataRef,
    of: Of<'c>,
}

/// How a variable may be accessed.
#[derive(Clone, Copy, Default, Debug)]
pub struct Qualifiers<'c> {
    /// It is `const`.
    pub constant: bool,
    /// It is `volatile`.
    pub volatile: bool,
    /// The type without these.
    pub rest: Option<Meta<'c>>,
}

// DWARF's numbers of types that are made of others.
const TAG_ARRAY: u16 = 0x01;
const TAG_TYPEDEF: u16 = 0x16;
const TAG_CONST: u16 = 0x26;
const TAG_VOLATILE: u16 = 0x35;
const TAG_ATOMIC: u16 = 0x47;

/// A debug record: where a variable is from here on.
#[derive(Clone, Copy, Debug)]
pub struct Record<'c> {
    raw: LLVMDbgRecordRef,
    of: Of<'c>,
}

/// What a debug record tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    /// The variable lives at this address.
    Declare,
    /// The variable has this value.
    Value,
    /// A label, or an assignment marker.
    Other,
}

impl<'c> Record<'c> {
    pub(super) fn new(raw: LLVMDbgRecordRef) -> Record<'c> {
        Record {
            raw,
            of: Of::default(),
        }
    }

    /// What it tells.
    pub fn kind(self) -> RecordKind {
        match llvm!(core::LLVMDbgRecordGetKind(self.raw)) {
            LLVMDbgRecordKind::LLVMDbgRecordDeclare => RecordKind::Declare,
            LLVMDbgRecordKind::LLVMDbgRecordValue => RecordKind::Value,
            LLVMDbgRecordKind::LLVMDbgRecordLabel | LLVMDbgRecordKind::LLVMDbgRecordAssign => {
                RecordKind::Other
            }
        }
    }

    fn is_variable(self) -> bool {
        self.kind() != RecordKind::Other
    }

    /// The value or address; none if it was optimised away or is a list.
    pub fn value(self) -> Option<Val<'c>> {
        if !self.is_variable() {
            return None;
        }
        Val::maybe(llvm!(core::LLVMDbgVariableRecordGetValue(self.raw, 0)))
    }

    /// The variable.
    pub fn variable(self) -> Option<Meta<'c>> {
        if !self.is_variable() {
            return None;
        }
        Meta::maybe(llvm!(core::LLVMDbgVariableRecordGetVariable(self.raw)))
    }

    /// What must be done with the value to get the variable's.
    pub fn expression(self) -> Option<Meta<'c>> {
        if !self.is_variable() {
            return None;
        }
        Meta::maybe(llvm!(core::LLVMDbgVariableRecordGetExpression(self.raw)))
    }

    /// Where it stands.
    pub fn location(self) -> Option<Meta<'c>> {
        Meta::maybe(llvm!(core::LLVMDbgRecordGetDebugLoc(self.raw)))
    }
}

impl<'c> Meta<'c> {
    pub(super) fn new(raw: LLVMMetadataRef) -> Meta<'c> {
        assert!(!raw.is_null(), "LLVM gave no metadata");
        Meta {
            raw,
            of: Of::default(),
        }
    }

    pub(super) fn maybe(raw: LLVMMetadataRef) -> Option<Meta<'c>> {
        (!raw.is_null()).then(|| Meta::new(raw))
    }

    /// The kind of node.
    pub fn kind(self) -> LLVMMetadataKind {
        llvm!(debuginfo::LLVMGetMetadataKind(self.raw))
    }

    fn is_location(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDILocationMetadataKind)
    }

    /// Is it a function?
    pub fn is_subprogram(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDISubprogramMetadataKind)
    }

    /// Is it a type?
    pub fn is_type(self) -> bool {
        matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDIBasicTypeMetadataKind
                | LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind
                | LLVMMetadataKind::LLVMDICompositeTypeMetadataKind
                | LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind
                | LLVMMetadataKind::LLVMDIStringTypeMetadataKind
        )
    }

    /// Is it a type without parts, or a pointer?
    pub fn is_scalar(self) -> bool {
        matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDIBasicTypeMetadataKind
                | LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind
        )
    }

    fn is_scope(self) -> bool {
        self.is_type()
            || matches!(
                self.kind(),
                LLVMMetadataKind::LLVMDIFileMetadataKind
                    | LLVMMetadataKind::LLVMDICompileUnitMetadataKind
                    | LLVMMetadataKind::LLVMDISubprogramMetadataKind
                    | LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
                    | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind
                    | LLVMMetadataKind::LLVMDINamespaceMetadataKind
                    | LLVMMetadataKind::LLVMDIModuleMetadataKind
                    | LLVMMetadataKind::LLVMDICommonBlockMetadataKind
            )
    }

    /// A location's line and column.
    pub fn line_column(self) -> (u32, u32) {
        assert!(self.is_location());
        let line = llvm!(debuginfo::LLVMDILocationGetLine(self.raw));
        let column = llvm!(debuginfo::LLVMDILocationGetColumn(self.raw));
        (line, column)
    }

    /// A location's scope.
    pub fn scope(self) -> Option<Meta<'c>> {
        assert!(self.is_location());
        Meta::maybe(llvm!(debuginfo::LLVMDILocationGetScope(self.raw)))
    }

    /// Where a location's function was inlined.
    pub fn inlined_at(self) -> Option<Meta<'c>> {
        assert!(self.is_location());
        Meta::maybe(llvm!(debuginfo::LLVMDILocationGetInlinedAt(self.raw)))
    }

    /// The file that a scope, type or variable is in. Its name alone leads there only from the folder that
    /// stands beside it: clang takes what an absolute name shares with the current folder out of the name.
    pub fn file(self) -> Option<PathBuf> {
        let file = match self.kind() {
            LLVMMetadataKind::LLVMDILocalVariableMetadataKind
            | LLVMMetadataKind::LLVMDIGlobalVariableMetadataKind => {
                llvm!(debuginfo::LLVMDIVariableGetFile(self.raw))
            }
            _ if self.is_scope() => llvm!(debuginfo::LLVMDIScopeGetFile(self.raw)),
            _ => return None,
        };
        let file = Meta::maybe(file)?;
        let mut len = 0;
        let text = llvm!(debuginfo::LLVMDIFileGetDirectory(file.raw, &mut len));
        let folder = copy_text(text, len as usize);
        let text = llvm!(debuginfo::LLVMDIFileGetFilename(file.raw, &mut len));
        Some(Path::new(&folder).join(copy_text(text, len as usize)))
    }

    /// The line of a variable or function.
    pub fn line(self) -> u32 {
        match self.kind() {
            LLVMMetadataKind::LLVMDILocalVariableMetadataKind
            | LLVMMetadataKind::LLVMDIGlobalVariableMetadataKind => {
                llvm!(debuginfo::LLVMDIVariableGetLine(self.raw))
            }
            LLVMMetadataKind::LLVMDISubprogramMetadataKind => {
                llvm!(debuginfo::LLVMDISubprogramGetLine(self.raw))
            }
            _ => 0,
        }
    }

    /// The variable of a global's debug description.
    pub fn global_variable(self) -> Option<Meta<'c>> {
        match self.kind() {
            LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind => Meta::maybe(llvm!(
                debuginfo::LLVMDIGlobalVariableExpressionGetVariable(self.raw)
            )),
            _ => None,
        }
    }

    /// The node's n-th operand.
    fn operand(self, ctx: &'c Context, index: usize) -> Option<Val<'c>> {
        let value = llvm!(core::LLVMMetadataAsValue(ctx.raw, self.raw));
        if llvm!(core::LLVMIsAMDNode(value)).is_null() {
            return None;
        }
        let count = llvm!(core::LLVMGetMDNodeNumOperands(value)) as usize;
        let mut raw = vec![std::ptr::null_mut(); count];
        llvm!(core::LLVMGetMDNodeOperands(value, raw.as_mut_ptr()));
        raw.get(index).copied().and_then(Val::maybe)
    }

    fn operand_text(self, ctx: &'c Context, index: usize) -> Option<String> {
        let value = self.operand(ctx, index)?;
        let mut len = 0;
        let text = llvm!(core::LLVMGetMDString(value.raw, &mut len));
        (!text.is_null()).then(|| copy_text(text, len as usize))
    }

    fn operand_node(self, ctx: &'c Context, index: usize) -> Option<Meta<'c>> {
        let value = self.operand(ctx, index)?;
        if llvm!(core::LLVMIsAMDNode(value.raw)).is_null() {
            return None;
        }
        Meta::maybe(llvm!(core::LLVMValueAsMetadata(value.raw)))
    }

    /// The scope that a lexical block or a variable lies in.
    pub fn parent(self, ctx: &'c Context) -> Option<Meta<'c>> {
        match self.kind() {
            LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
            | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind => self.operand_node(ctx, 1),
            LLVMMetadataKind::LLVMDILocalVariableMetadataKind
            | LLVMMetadataKind::LLVMDIGlobalVariableMetadataKind => {
                Meta::maybe(llvm!(debuginfo::LLVMDIVariableGetScope(self.raw)))
            }
            _ => None,
        }
    }

    /// The compile unit of a function.
    pub fn unit(self, ctx: &'c Context) -> Option<Meta<'c>> {
        if !self.is_subprogram() {
            return None;
        }
        let nodes = (0..8).filter_map(|index| self.operand_node(ctx, index));
        let is_unit = |node: &Meta<'c>| {
            matches!(node.kind(), LLVMMetadataKind::LLVMDICompileUnitMetadataKind)
        };
        nodes.into_iter().find(is_unit)
    }

    /// Where a lexical block begins: line and column.
    pub fn begin(self, ctx: &'c Context) -> Option<(u32, u32)> {
        if !matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
        ) {
            return None;
        }
        let text = self.text(ctx);
        let number = |key: &str| -> Option<u32> {
            let (_, rest) = text.split_once(key)?;
            let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
            rest[..end].parse().ok()
        };
        Some((number(" line: ")?, number(" column: ")?))
    }

    /// The name of a function, variable or type.
    pub fn name(self, ctx: &'c Context) -> Option<String> {
        match self.kind() {
            LLVMMetadataKind::LLVMDISubprogramMetadataKind => self.operand_text(ctx, 2),
            LLVMMetadataKind::LLVMDILocalVariableMetadataKind
            | LLVMMetadataKind::LLVMDIGlobalVariableMetadataKind => self.operand_text(ctx, 1),
            _ if self.is_type() => {
                let mut len = 0;
                let text = llvm!(debuginfo::LLVMDITypeGetName(self.raw, &mut len));
                Some(copy_text(text, len)).filter(|name| !name.is_empty())
            }
            _ => None,
        }
    }

    /// The type of a variable, or the type that a derived type (pointer, typedef, `const`), an
    /// array or an enumeration is made of.
    pub fn base_type(self, ctx: &'c Context) -> Option<Meta<'c>> {
        match self.kind() {
            LLVMMetadataKind::LLVMDILocalVariableMetadataKind
            | LLVMMetadataKind::LLVMDIGlobalVariableMetadataKind => self.operand_node(ctx, 3),
            // File, scope, name, size, offset, base type.
            LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind
            | LLVMMetadataKind::LLVMDICompositeTypeMetadataKind => self.operand_node(ctx, 5),
            _ => None,
        }
        .filter(|meta| meta.is_type())
    }

    /// The qualifiers of a variable, or of its elements if it is an array.
    pub fn qualifiers(self, ctx: &'c Context) -> Qualifiers<'c> {
        let mut found = Qualifiers::default();
        let mut next = self.base_type(ctx);
        while let Some(here) = next {
            match here.tag() {
                TAG_CONST => found.constant = true,
                TAG_VOLATILE => found.volatile = true,
                TAG_ARRAY | TAG_TYPEDEF | TAG_ATOMIC => {}
                _ => break,
            }
            next = here.base_type(ctx);
        }
        found.rest = next;
        found
    }

    /// The nodes that this one is made of, in order; none where there is nothing, or no node.
    fn nodes(self, ctx: &'c Context) -> Vec<Option<Meta<'c>>> {
        let value = llvm!(core::LLVMMetadataAsValue(ctx.raw, self.raw));
        if llvm!(core::LLVMIsAMDNode(value)).is_null() {
            return Vec::new();
        }
        let count = llvm!(core::LLVMGetMDNodeNumOperands(value)) as usize;
        (0..count)
            .map(|index| self.operand_node(ctx, index))
            .collect()
    }

    /// The first list among the nodes that this one is made of.
    fn list(self, ctx: &'c Context) -> Option<Meta<'c>> {
        let is_list =
            |node: &Meta<'c>| matches!(node.kind(), LLVMMetadataKind::LLVMMDTupleMetadataKind);
        self.nodes(ctx).into_iter().flatten().find(is_list)
    }

    /// The members of a structure or union.
    pub fn members(self, ctx: &'c Context) -> Vec<Meta<'c>> {
        if !matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDICompositeTypeMetadataKind
        ) {
            return Vec::new();
        }
        // File, scope, name, size, offset, base type, elements.
        let Some(elements) = self.operand_node(ctx, 6) else {
            return Vec::new();
        };
        elements.nodes(ctx).into_iter().flatten().collect()
    }

    /// The types of a function's result and parameters; none for `void` and for further arguments.
    pub fn signature(self, ctx: &'c Context) -> Option<Vec<Option<Meta<'c>>>> {
        let is_type = |node: &Meta<'c>| {
            matches!(
                node.kind(),
                LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind
            )
        };
        let ty = match self.is_subprogram() {
            true => self.nodes(ctx).into_iter().flatten().find(is_type)?,
            false => Some(self).filter(is_type)?,
        };
        Some(ty.list(ctx).map_or_else(Vec::new, |list| list.nodes(ctx)))
    }

    /// Where a member begins, in bits.
    pub fn offset_bits(self) -> u64 {
        assert!(self.is_type());
        llvm!(debuginfo::LLVMDITypeGetOffsetInBits(self.raw))
    }

    /// A type's size in bits.
    pub fn bits(self) -> u64 {
        assert!(self.is_type());
        llvm!(debuginfo::LLVMDITypeGetSizeInBits(self.raw))
    }

    /// A type's DWARF tag.
    pub fn tag(self) -> u16 {
        assert!(self.is_type());
        llvm!(debuginfo::LLVMGetDINodeTag(self.raw))
    }

    /// As LLVM writes the node. For nodes whose fields have no getter.
    pub fn text(self, ctx: &'c Context) -> String {
        let value = llvm!(core::LLVMMetadataAsValue(ctx.raw, self.raw));
        take_message(llvm!(core::LLVMPrintValueToString(value)))
    }
}

impl<'c> Val<'c> {
    /// A function's debug description.
    pub fn subprogram(self) -> Option<Meta<'c>> {
        assert_eq!(self.value_kind(), super::ValKind::Function);
        Meta::maybe(llvm!(debuginfo::LLVMGetSubprogram(self.raw)))
    }
}
