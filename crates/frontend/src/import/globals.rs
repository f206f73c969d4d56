//! Global objects: sizes, flags, initial contents with the addresses in them.

use ir::syntax::{Const, Global, GlobalData, InitPiece};

use crate::contracts;
use crate::ffi::{Kind, Linkage, Opcode, Ty, Val, ValKind};
use crate::instrument::cover::TARGET;

use super::Importer;
use crate::trim;

/// A constant that no piece can say: the entry stores it.
pub struct Late<'c> {
    /// Into which object.
    pub global: Global,
    /// At which byte.
    pub offset: u64,
    /// What.
    pub value: Val<'c>,
}

/// Our global for LLVM's, still without contents.
pub fn declare<'c>(importer: &mut Importer<'_, 'c>, value: Val<'c>) -> Global {
    let ty = value.content_type();
    let size = if ty.is_sized() {
        importer.layout.size(ty)
    } else {
        0
    };
    let align = match value.alignment() {
        0 if ty.is_sized() => importer.layout.align(ty),
        0 => 1,
        align => align,
    };
    let hidden = matches!(
        value.linkage(),
        Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
    );
    let name = value.name();
    // What is written for contracts is nothing that other code knows of.
    let ours = name.starts_with(contracts::OURS);
    let external = !ours && (!hidden || trim::has_visible_alias(value));
    // Literals have no name in LLVM; the text needs one.
    let name = if name.is_empty() {
        format!(".{}", importer.out.globals.len())
    } else {
        name
    };
    let dbg = importer.kinds.dbg;
    let var = value
        .global_debug(dbg)
        .and_then(|meta| importer.global_variable(meta));
    importer.out.globals.push(GlobalData {
        name,
        size,
        align,
        constant: value.is_global_constant(),
        external,
        init: Vec::new(),
        var,
    })
}

/// Fills in the contents.
pub fn import_contents<'c>(importer: &mut Importer<'_, 'c>, value: Val<'c>, global: Global) {
    let size = importer.out.globals[global].size;
    let mut pieces = Pieces::default();
    match value.initializer() {
        Some(init) => {
            let late = write(importer, &mut pieces, init, global);
            if late {
                importer.out.globals[global].constant = false;
            }
        }
        None => {
            if value.name() != TARGET {
                importer.note("external objects that nothing defines have any contents");
            }
            pieces.any(size);
        }
    }
    let done = pieces.len;
    if done < size {
        pieces.zero(size - done);
    }
    importer.out.globals[global].init = pieces.list;
}

/// Pieces with neighbours of one kind merged.
#[derive(Default)]
struct Pieces {
    list: Vec<InitPiece>,
    len: u64,
}

impl Pieces {
    fn bytes(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if bytes.len() >= 16 && bytes.iter().all(|&byte| byte == 0) {
            self.zero(bytes.len() as u64);
            return;
        }
        self.len += bytes.len() as u64;
        if let Some(InitPiece::Bytes(last)) = self.list.last_mut() {
            last.extend_from_slice(bytes);
        } else {
            self.list.push(InitPiece::Bytes(bytes.to_vec()));
        }
    }

    fn zero(&mut self, count: u64) {
        if count == 0 {
            return;
        }
        self.len += count;
        if let Some(InitPiece::Zero(last)) = self.list.last_mut() {
            *last += count;
        } else {
            self.list.push(InitPiece::Zero(count));
        }
    }

    fn any(&mut self, count: u64) {
        if count == 0 {
            return;
        }
        self.len += count;
        if let Some(InitPiece::Any(last)) = self.list.last_mut() {
            *last += count;
        } else {
            self.list.push(InitPiece::Any(count));
        }
    }

    fn pointer(&mut self, pointer: Const, bytes: u64) {
        self.len += bytes;
        self.list.push(InitPiece::Pointer(pointer));
    }

    /// Padding up to an offset.
    fn pad_to(&mut self, offset: u64) {
        if offset > self.len {
            self.zero(offset - self.len);
        }
    }
}

/// One constant to be written, or padding up to an offset.
enum Task<'c> {
    Write(Val<'c>),
    PadTo(u64),
}

/// Writes a constant; true if a part of it must be stored by the entry.
fn write<'c>(
    importer: &mut Importer<'_, 'c>,
    pieces: &mut Pieces,
    init: Val<'c>,
    global: Global,
) -> bool {
    let mut late = false;
    // Tasks in reverse order, so that the next one is last.
    let mut tasks = vec![Task::Write(init)];
    while let Some(task) = tasks.pop() {
        let value = match task {
            Task::Write(value) => value,
            Task::PadTo(offset) => {
                pieces.pad_to(offset);
                continue;
            }
        };
        let ty = value.ty();
        let start = pieces.len;
        let size = importer.layout.size(ty);
        match value.value_kind() {
            ValKind::Zero | ValKind::Null => pieces.zero(size),
            ValKind::Undef => pieces.any(size),
            ValKind::Int => {
                let store = importer.layout.store_size(ty) as usize;
                let bv = importer.int_constant(value);
                let words = bv.words();
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                pieces.bytes(&bytes[..store.min(bytes.len())]);
                pieces.pad_to(start + size);
            }
            ValKind::Float => {
                let float = match importer.shape(ty).single() {
                    Some(ir::syntax::Type::Float(float)) => float,
                    other => panic!("a float, not {other:?}"),
                };
                let bv = importer.float_constant(value, float);
                let bytes: Vec<u8> = bv
                    .words()
                    .iter()
                    .flat_map(|word| word.to_le_bytes())
                    .collect();
                pieces.bytes(&bytes[..(float.bits() / 8) as usize]);
                pieces.pad_to(start + size);
            }
            ValKind::Data => {
                pieces.bytes(&value.data().expect("numbers have bytes"));
                pieces.pad_to(start + size);
            }
            ValKind::Aggregate => {
                tasks.push(Task::PadTo(start + size));
                let parts = aggregate_parts(importer, value, ty);
                for (offset, part) in parts.into_iter().rev() {
                    tasks.push(Task::Write(part));
                    tasks.push(Task::PadTo(start + offset));
                }
            }
            _ => match pointer_constant(importer, value) {
                Some(pointer) if size == u64::from(importer.pointer_bits()) / 8 => {
                    pieces.pointer(pointer, size);
                }
                _ => {
                    pieces.zero(size);
                    importer.late.push(Late {
                        global,
                        offset: start,
                        value,
                    });
                    late = true;
                }
            },
        }
    }
    late
}

fn aggregate_parts<'c>(
    importer: &Importer<'_, 'c>,
    value: Val<'c>,
    ty: Ty<'c>,
) -> Vec<(u64, Val<'c>)> {
    let mut parts = Vec::new();
    let mut push = |index: u32, offset: u64| {
        let part = value.element(index).expect("a constant has its elements");
        parts.push((offset, part));
    };
    match ty.kind() {
        Kind::Struct(count) => {
            for index in 0..count {
                push(index, importer.layout.offset(ty, index));
            }
        }
        Kind::Array(element, count) => {
            let step = importer.layout.size(element);
            for index in 0..count {
                push(index as u32, index * step);
            }
        }
        Kind::Vector(element, count) => {
            let step = importer.layout.size(element);
            for index in 0..count {
                push(index, u64::from(index) * step);
            }
        }
        other => panic!("an aggregate, not {other:?}"),
    }
    parts
}

/// An address with a constant offset.
fn pointer_constant<'c>(importer: &mut Importer<'_, 'c>, value: Val<'c>) -> Option<Const> {
    let mut value = importer.resolve(value);
    let mut offset = 0i64;
    loop {
        match value.value_kind() {
            ValKind::Null => return (offset == 0).then_some(Const::Null),
            ValKind::Function => {
                return (offset == 0).then(|| Const::Func(importer.func(value)));
            }
            ValKind::Global => return Some(Const::Global(importer.global(value), offset)),
            ValKind::Alias => {
                let target = importer.resolve(value);
                if target == value {
                    return None;
                }
                value = target;
            }
            ValKind::Expr => match value.expr_opcode()? {
                Opcode::LLVMGetElementPtr => {
                    offset = offset.checked_add(gep_offset(importer, value)?)?;
                    value = value.operand(0);
                }
                Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMBitCast => {
                    let (from, to) = (value.operand(0).ty(), value.ty());
                    if importer.layout.size(from) != importer.layout.size(to) {
                        return None;
                    }
                    value = value.operand(0);
                }
                _ => return None,
            },
            _ => return None,
        }
    }
}

fn gep_offset<'c>(importer: &Importer<'_, 'c>, gep: Val<'c>) -> Option<i64> {
    let mut ty = gep.gep_type();
    let mut offset = 0i64;
    for index in 1..gep.operand_count() {
        let value = gep.operand(index).as_i64()?;
        let step = match ty.kind() {
            _ if index == 1 => value.checked_mul(importer.layout.size(ty) as i64)?,
            Kind::Struct(_) => {
                let step = importer.layout.offset(ty, value as u32) as i64;
                ty = ty.field(value as u32);
                step
            }
            Kind::Array(element, _) | Kind::Vector(element, _) => {
                ty = element;
                value.checked_mul(importer.layout.size(ty) as i64)?
            }
            _ => return None,
        };
        offset = offset.checked_add(step)?;
    }
    Some(offset)
}

impl<'c> Importer<'_, 'c> {
    /// Is it declared elsewhere without a size, like `extern int a[];`?
    pub fn is_unknown_size(&self, value: Val<'c>) -> bool {
        value.is_declaration()
            && (!value.content_type().is_sized() || self.layout.size(value.content_type()) == 0)
    }
}
