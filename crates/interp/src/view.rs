//! A look at a running program: where it is, and what its variables hold.

use ir::syntax::{Block, DebugKind, Func, Inst, Module, Operand, PlaceId, Type, Var};
pub use results::explanation::{FrameReport, Shown};

use crate::code::{CONST, Code, Ins, TERMINATOR, words_of};
use crate::decode::Image;
use crate::memory::place::function_address;
use crate::memory::{Memory, Object, Pointer};
use crate::show;
use crate::value::Value;

/// An activation of a function.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'c> {
    pub(crate) func: Func,
    pub(crate) code: &'c Code,
    /// The instruction to be executed; in a caller, the one after the call.
    pub(crate) pc: usize,
    /// Where its words begin.
    pub(crate) base: usize,
    /// How many stack objects and memories there were before.
    pub(crate) stack_objects: usize,
    pub(crate) versions: usize,
}

/// What an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    /// An instruction.
    Inst(Inst),
    /// The end of a block.
    End(Block),
}

/// A look at a running program.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) image: &'a Image<'a>,
    pub(crate) memory: &'a Memory,
    pub(crate) frames: &'a [Frame<'a>],
    pub(crate) stack: &'a [u64],
    /// Instructions executed so far.
    pub steps: u64,
}

impl<'a> View<'a> {
    /// The program.
    pub fn module(&self) -> &'a Module {
        self.image.module
    }

    /// How many activations there are, the current one included.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The current function.
    pub fn func(&self) -> Func {
        self.top().func
    }

    /// What is executed next.
    pub fn position(&self) -> Position {
        position(self.top(), self.top().pc)
    }

    /// The source place of what is executed next.
    pub fn place(&self) -> Option<PlaceId> {
        self.place_in(self.top(), self.top().pc)
    }

    fn top(&self) -> &'a Frame<'a> {
        self.frames.last().expect("a running program has a frame")
    }

    fn place_in(&self, frame: &Frame<'_>, pc: usize) -> Option<PlaceId> {
        place_at(self.image.module, frame, pc)
    }

    /// The calls that lead here, the innermost first, inlined ones included.
    pub fn call_stack(&self) -> Vec<FrameReport> {
        let module = self.image.module;
        let models = module.model_files();
        let mut reports = Vec::new();
        for (index, frame) in self.frames.iter().enumerate().rev() {
            if index == 0 && self.is_start(0) && !reports.is_empty() {
                // Made by the front end; nobody wrote it.
                break;
            }
            let pc = match index + 1 == self.frames.len() {
                true => frame.pc,
                false => frame.pc - 1,
            };
            let mut place = self.place_in(frame, pc);
            let mut vars = self.variables(index);
            let own = &module.funcs[frame.func].name;
            while let Some(data) = place.and_then(|place| module.places.get(place)) {
                let mine = |shown: &Shown| module.vars[shown.var].func.as_ref() == Some(&data.func);
                let (here, others) = match data.inlined_at {
                    Some(_) => vars.into_iter().partition(mine),
                    None => (vars, Vec::new()),
                };
                vars = others;
                reports.push(FrameReport {
                    func: data.func.clone(),
                    place: Some(data.place.clone()),
                    model: models.contains(&*data.place.file),
                    vars: here,
                });
                place = data.inlined_at;
                if place.is_none() {
                    break;
                }
            }
            if self.place_in(frame, pc).is_none() {
                reports.push(FrameReport {
                    func: own.clone(),
                    place: None,
                    model: module.funcs[frame.func].model,
                    vars,
                });
            }
        }
        reports
    }

    /// The call that the current activation comes from: the function and the instruction.
    pub(crate) fn call_below(&self) -> Option<(Func, Inst)> {
        let caller = self
            .frames
            .len()
            .checked_sub(2)
            .map(|index| &self.frames[index])?;
        match position(caller, caller.pc - 1) {
            Position::Inst(inst) => Some((caller.func, inst)),
            Position::End(_) => None,
        }
    }

    /// The innermost place that is no model's, and its function.
    pub(crate) fn call_stack_place(&self) -> Option<(base::Place, String)> {
        let module = self.image.module;
        if module.funcs[self.func()].model || self.is_start(self.frames.len() - 1) {
            return None;
        }
        let data = module.places.get(self.place()?)?;
        (data.place.line != 0).then(|| (data.place.clone(), data.func.clone()))
    }

    /// Is what is executed next a part of another instruction?
    pub(crate) fn accompanies(&self) -> bool {
        let frame = self.top();
        frame.code.ins.get(frame.pc).is_some_and(Ins::accompanies)
    }

    /// The objects that pointers in variables of running activations lead to.
    pub(crate) fn held_by_variables(&self) -> Vec<u32> {
        let mut held = Vec::new();
        for frame in self.frames {
            for &slot in &frame.code.vars {
                let words = &self.stack[frame.base + slot as usize..];
                let site = words[0].checked_sub(1);
                let site = site.and_then(|site| frame.code.debugs.get(site as usize));
                if site.is_some_and(|site| site.kind == DebugKind::Value && site.ty == Type::Ptr) {
                    held.push(words[2] as u32);
                }
            }
        }
        held
    }

    /// Is an activation (0 is the outermost) that of the module's entry, which nobody wrote?
    pub fn is_start(&self, frame: usize) -> bool {
        let entry = self.image.module.entry;
        self.frames
            .get(frame)
            .is_some_and(|frame| Some(frame.func) == entry)
    }

    /// The source variable that an object is, if it is one of a running activation.
    pub(crate) fn variable_of(&self, object: u32) -> Option<Var> {
        self.frames.iter().rev().find_map(|frame| {
            frame.code.vars.iter().find_map(|&slot| {
                let words = &self.stack[frame.base + slot as usize..];
                let site = frame.code.debugs.get(words[0].checked_sub(1)? as usize)?;
                let here = site.kind == DebugKind::Address
                    && site.ty == Type::Ptr
                    && words[2] == u64::from(object)
                    && words[1] == self.memory.objects[object as usize].base;
                here.then_some(site.var)
            })
        })
    }

    /// The variables of an activation (0 is the outermost) that have a value.
    pub fn variables(&self, frame: usize) -> Vec<Shown> {
        let mut shown = Vec::new();
        let Some(frame) = self.frames.get(frame) else {
            return shown;
        };
        for &slot in &frame.code.vars {
            let words = &self.stack[frame.base + slot as usize..];
            if words[0] == 0 {
                continue;
            }
            let site = &frame.code.debugs[words[0] as usize - 1];
            let value = Value::from_words(site.ty, &words[1..1 + site.count as usize]);
            let data = &self.image.module.vars[site.var];
            let text = match site.kind {
                DebugKind::Value => {
                    Some(show::variable(self.image.module, self.memory, data, &value))
                }
                DebugKind::Address => match value {
                    Value::Pointer(pointer) => self.at_address(site.var, pointer),
                    Value::Int(_) | Value::Float(..) | Value::Memory(..) => None,
                },
            };
            if let Some(value) = text {
                shown.push(Shown {
                    var: site.var,
                    name: data.name.clone(),
                    value,
                });
            }
        }
        shown
    }

    /// The value of a variable that lives in memory; none outside its life.
    fn at_address(&self, var: Var, pointer: Pointer) -> Option<String> {
        const MOST: u64 = 17;
        let data = &self.image.module.vars[var];
        let object = self.memory.objects.get(pointer.object as usize)?;
        let offset = pointer.address.wrapping_sub(object.base);
        let len = match data.bits {
            0 => object.size.checked_sub(offset)?,
            bits => bits.div_ceil(8),
        };
        let mut bytes = Vec::new();
        let mut words = Vec::new();
        let most = if matches!(data.show, ir::syntax::Show::Bytes) {
            MOST
        } else {
            1 << 10
        };
        for index in 0..len.min(most) {
            let (byte, word) = self.memory.peek(pointer.object, offset + index)?;
            bytes.push(byte);
            words.push(word);
        }
        if bytes.is_empty() {
            return None;
        }
        let chunks = bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        let chunks: Vec<u64> = chunks.collect();
        let module = self.image.module;
        let width = bytes.len() * 8;
        let value = match data.show {
            ir::syntax::Show::Pointer if width == module.machine.pointer_bits as usize => {
                Value::Pointer(Pointer {
                    address: chunks[0],
                    object: crate::memory::chunk::pointee_of(&words),
                })
            }
            _ => Value::from_words(Type::Int(width as u32), &chunks),
        };
        Some(show::variable(module, self.memory, data, &value))
    }

    /// The bytes of a live global, as reads would see them.
    pub fn global_bytes(&self, global: ir::syntax::Global) -> Option<Vec<u8>> {
        let pointer = self.image.globals.get(global.index())?;
        let size = self.memory.objects[pointer.object as usize].size;
        (0..size)
            .map(|offset| Some(self.memory.peek(pointer.object, offset)?.0))
            .collect()
    }

    /// A byte of the object that a pointer belongs to; none of a dead object, or outside.
    pub fn byte_of(&self, pointer: Pointer, offset: u64) -> Option<u8> {
        let (byte, _) = self.memory.peek(pointer.object, offset)?;
        Some(byte)
    }

    /// The object that a pointer leads to, dead or alive; the live one at its address if it has none of
    /// its own.
    pub fn object_of(&self, pointer: Pointer) -> Option<(u32, &'a Object)> {
        let number = match pointer.object {
            0 => {
                let mut objects = self.memory.objects.iter();
                let inside = |object: &Object| {
                    object.alive && pointer.address.wrapping_sub(object.base) < object.size
                };
                objects.position(inside)? as u32
            }
            number => number,
        };
        Some((number, self.memory.objects.get(number as usize)?))
    }

    /// How many objects live in a memory (Pure).
    pub fn objects_in(&self, memory: u64) -> usize {
        let objects = self.memory.objects.iter().skip(1);
        objects
            .filter(|object| object.alive && u64::from(object.memory) == memory)
            .count()
    }

    /// Do bytes of an object hold a pointer, or a part of one?
    pub fn holds_pointer(&self, object: u32, offset: u64, len: u64) -> bool {
        let mut bytes =
            (offset..offset.saturating_add(len)).map_while(|at| self.memory.peek(object, at));
        bytes.any(|(_, provenance)| provenance != 0)
    }

    /// The value of an operand in the current activation.
    pub fn operand(&self, operand: &Operand) -> Option<Value> {
        let frame = self.top();
        let body = self.image.module.funcs[frame.func].body.as_ref()?;
        match operand {
            Operand::Value(value) => {
                let ty = body.values.get(*value)?.ty;
                let slot = *frame.code.slots.get(value.index())?;
                if slot & CONST != 0 {
                    return None;
                }
                let first = frame.base + slot as usize;
                let words = self.stack.get(first..first + words_of(ty) as usize)?;
                Some(Value::from_words(ty, words))
            }
            Operand::Const(constant) => Some(match constant {
                ir::syntax::Const::Int(bv) => Value::Int(bv.clone()),
                ir::syntax::Const::Float(ty, bv) => Value::Float(*ty, bv.clone()),
                ir::syntax::Const::Null => Value::Pointer(Pointer {
                    address: 0,
                    object: 0,
                }),
                ir::syntax::Const::Global(global, offset) => {
                    let base = self.image.globals.get(global.index())?;
                    let mask = u64::MAX >> (64 - self.image.module.machine.pointer_bits);
                    Value::Pointer(Pointer {
                        address: base.address.wrapping_add_signed(*offset) & mask,
                        object: base.object,
                    })
                }
                ir::syntax::Const::Func(func) => Value::Pointer(Pointer {
                    address: function_address(self.image.module.machine.pointer_bits, func.index()),
                    object: 0,
                }),
            }),
        }
    }
}

/// An object as it is now.
#[derive(Clone, Copy)]
pub struct ObjectView<'a> {
    memory: &'a Memory,
    number: u32,
}

impl<'a> View<'a> {
    /// The object that begins at an address: the last one, if there were several.
    pub fn object_at(&self, base: u64) -> Option<ObjectView<'a>> {
        let objects = &self.memory.objects;
        let number = objects.iter().rposition(|object| object.base == base)?;
        (number != 0).then_some(ObjectView {
            memory: self.memory,
            number: number as u32,
        })
    }

    /// Where the object of a pointer begins.
    pub fn base_of(&self, pointer: Pointer) -> Option<u64> {
        let object = self.memory.objects.get(pointer.object as usize)?;
        (pointer.object != 0).then_some(object.base)
    }
}

impl ObjectView<'_> {
    fn object(&self) -> &Object {
        &self.memory.objects[self.number as usize]
    }

    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        self.object().size
    }

    /// Is it alive?
    pub fn is_alive(&self) -> bool {
        self.object().alive
    }

    /// Was it written since its allocation or the last reset?
    pub fn is_modified(&self) -> bool {
        self.object().modified
    }

    /// A byte; none of a dead object, or outside.
    pub fn byte(&self, offset: u64) -> Option<u8> {
        self.memory.peek(self.number, offset).map(|(byte, _)| byte)
    }

    /// The bits of a byte that are not initialised.
    pub fn shadow(&self, offset: u64) -> u8 {
        let shadows = self.memory.shadows.as_ref();
        let shadow = shadows.and_then(|shadows| shadows.get(&self.number));
        shadow.map_or(0, |shadow| shadow.get(offset))
    }

    /// Where the object begins that the pointer of so many bytes at an offset belongs to.
    pub fn owner(&self, offset: u64, bytes: u64) -> Option<u64> {
        let words: Option<Vec<u32>> = (0..bytes)
            .map(|i| self.memory.peek(self.number, offset + i))
            .map(|found| found.map(|(_, word)| word))
            .collect();
        match crate::memory::chunk::pointee_of(&words?) {
            0 => None,
            number => Some(self.memory.objects[number as usize].base),
        }
    }
}

pub(crate) fn position(frame: &Frame<'_>, pc: usize) -> Position {
    match frame.code.origin.get(pc) {
        Some(origin) if origin & TERMINATOR != 0 => {
            Position::End(Block::from_index((origin & !TERMINATOR) as usize))
        }
        Some(&origin) => Position::Inst(Inst::from_index(origin as usize)),
        None => Position::End(Block::from_index(0)),
    }
}

/// The source place of an instruction of an activation.
pub(crate) fn place_at(module: &Module, frame: &Frame<'_>, pc: usize) -> Option<PlaceId> {
    let body = module.funcs[frame.func].body.as_ref()?;
    match position(frame, pc) {
        Position::Inst(inst) => body.insts.get(inst)?.place,
        Position::End(block) => body.blocks.get(block)?.place,
    }
}
