//! Reads instructions, terminators and operands.

use std::collections::HashMap;

use base::Bv;
use base::bv::MAX_WIDTH;
use smallvec::SmallVec;

use crate::ops::MemEffect;
use crate::syntax::{
    Access, AllocKind, BinaryOp, Callee, CastOp, CompareOp, Const, DebugKind, Def, HaltKind, Inst,
    InstData, NondetKind, Op, Operand, Origin, OverflowOp, PlaceId, Region, Target, Terminator,
    Type, UnaryOp, Value,
};
use crate::text::cursor::{Cursor, ReadError, Result, Spot, simple_type};
use crate::text::read::read_pointer;
use crate::text::read_body::{BodyReader, Expect, SlotType};

/// Decimal digits are read in quadratic time, so that wide constants are hexadecimal.
const WIDEST_DECIMAL: u32 = 4096;

/// The parts of an instruction's name that follow dots.
struct Suffixes<'a> {
    parts: std::str::Split<'a, char>,
    cursor: Cursor<'a>,
}

impl<'a> Suffixes<'a> {
    fn word(&mut self, what: &str) -> Result<&'a str> {
        self.parts
            .next()
            .ok_or_else(|| self.cursor.error(format!("expected {what} after a dot")))
    }

    fn ty(&mut self) -> Result<Type> {
        let word = self.word("a type")?;
        if word == "mem" {
            let region = self.word("a region")?;
            return Ok(Type::Mem(
                Cursor::new(region, self.cursor.spot().line).id()?,
            ));
        }
        simple_type(word).ok_or_else(|| self.cursor.error(format!("`{word}` is no type")))
    }
}

impl BodyReader<'_> {
    /// Steps over a terminator, up to its place; nothing if the line is none.
    pub(super) fn terminator(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Terminator>> {
        let word = cursor.peek_word();
        let start = cursor.clone();
        if cursor.eat_word("jump") {
            return Ok(Some(Terminator::Jump(self.target(cursor)?)));
        }
        if cursor.eat_word("branch") {
            let cond = self.operand(cursor, Some(Type::BOOL))?;
            cursor.expect(",")?;
            let yes = self.target(cursor)?;
            cursor.expect(",")?;
            let no = self.target(cursor)?;
            return Ok(Some(Terminator::Branch(cond, yes, no)));
        }
        if cursor.eat_word("return") {
            let mut results = Vec::new();
            while !cursor.at_end() && cursor.peek() != Some(b'!') {
                if !results.is_empty() {
                    cursor.expect(",")?;
                }
                results.push(self.operand(cursor, None)?);
            }
            return Ok(Some(Terminator::Return(results)));
        }
        if cursor.eat_word("halt") {
            let start = cursor.clone();
            let kind = HaltKind::from_name(cursor.word("`exit`, `abort` or `dead`")?)
                .ok_or_else(|| start.error("expected `exit`, `abort` or `dead`"))?;
            return Ok(Some(Terminator::Halt(kind)));
        }
        let Some(suffix) = word.strip_prefix("switch.") else {
            return Ok(None);
        };
        cursor.word("`switch`")?;
        let ty = simple_type(suffix).ok_or_else(|| start.error("expected a type after the dot"))?;
        let value = self.operand(cursor, Some(ty))?;
        cursor.expect("[")?;
        let mut cases = Vec::new();
        while !cursor.eat("]") {
            if !cases.is_empty() {
                cursor.expect(",")?;
            }
            let start = cursor.clone();
            let number = Number::read(cursor)?;
            let Const::Int(case) = self.number(&number, ty, &start)? else {
                return Err(start.error("a case is an integer"));
            };
            cursor.expect(":")?;
            cases.push((case, self.target(cursor)?));
        }
        cursor.expect(",")?;
        let default = self.target(cursor)?;
        Ok(Some(Terminator::Switch(value, cases, default)))
    }

    /// `b2(v3, 7:i32)`
    fn target(&mut self, cursor: &mut Cursor<'_>) -> Result<Target> {
        let block = self.use_block(cursor)?;
        let args = match cursor.peek() {
            Some(b'(') => self.args(cursor)?,
            _ => Vec::new(),
        };
        Ok(Target { block, args })
    }

    /// `(v0, 7:i32)`
    fn args(&mut self, cursor: &mut Cursor<'_>) -> Result<Vec<Operand>> {
        cursor.expect("(")?;
        let mut args = Vec::new();
        while !cursor.eat(")") {
            if !args.is_empty() {
                cursor.expect(",")?;
            }
            args.push(self.operand(cursor, None)?);
        }
        Ok(args)
    }

    /// Steps over `!p0`, if it is there.
    pub(super) fn place_mark(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<PlaceId>> {
        match cursor.eat("!") {
            true => Ok(Some(self.tables.place(cursor)?)),
            false => Ok(None),
        }
    }

    /// Steps over an instruction.
    pub(super) fn inst(&mut self, cursor: &mut Cursor<'_>) -> Result<Inst> {
        let mut results: SmallVec<[(Value, Spot); 2]> = SmallVec::new();
        if cursor.at_id::<Value>() {
            loop {
                let spot = cursor.spot();
                results.push((cursor.id()?, spot));
                if !cursor.eat(",") {
                    break;
                }
            }
            cursor.expect("=")?;
        }
        let start = cursor.clone();
        let name = cursor.word("an instruction")?;
        let mut parts = name.split('.');
        let head = parts.next().unwrap_or(name);
        let mut suffixes = Suffixes {
            parts,
            cursor: start.clone(),
        };
        let (mut op, scalar, listed) = self.op(head, &mut suffixes, cursor)?;
        if let Some(rest) = suffixes.parts.next() {
            return Err(start.error(format!("`.{rest}` does not belong to `{head}`")));
        }
        let mut mems = Vec::new();
        if cursor.eat_word("in") {
            mems.push(self.use_value(cursor, Expect::Mem)?);
            while cursor.eat(",") {
                mems.push(self.use_value(cursor, Expect::Mem)?);
            }
        }
        let mut types: SmallVec<[SlotType; 2]> = scalar.into_iter().map(SlotType::Known).collect();
        match op.mem_effect() {
            MemEffect::None | MemEffect::New(_) if !mems.is_empty() => {
                return Err(start.error(format!("`{head}` takes no memory")));
            }
            MemEffect::Read(count) | MemEffect::Write(count)
                if !mems.is_empty() && mems.len() != count =>
            {
                let message = format!("`{head}` takes {count} memories, not {}", mems.len());
                return Err(start.error(message));
            }
            MemEffect::None | MemEffect::Read(_) | MemEffect::ReadAny => {}
            MemEffect::Write(_) => types.extend(mems.first().map(|&mem| SlotType::Like(mem))),
            MemEffect::WriteAny => types.extend(mems.iter().map(|&mem| SlotType::Like(mem))),
            MemEffect::New(region) => types.push(SlotType::Known(Type::Mem(region))),
            MemEffect::Call => {
                self.call_rest(&mut op, listed, cursor, &start)?;
                if let Op::Call { results, .. } = &op {
                    types.extend(results.iter().map(|&ty| SlotType::Known(ty)));
                }
            }
        }
        if types.len() != results.len() {
            let message = format!(
                "`{head}` has {} results, not {}",
                types.len(),
                results.len()
            );
            return Err(start.error(message));
        }
        let inst = self.insts.next_id();
        for (index, (&(value, spot), ty)) in results.iter().zip(types).enumerate() {
            self.define(value, ty, Def::Result(inst, index as u32), spot)?;
        }
        if let Op::Call {
            callee: Callee::Direct(func),
            ..
        } = &op
        {
            if self.tables.is_undeclared(*func) {
                self.undeclared.push((*func, inst));
            }
        }
        let place = self.place_mark(cursor)?;
        Ok(self.insts.push(InstData {
            results: results.iter().map(|&(value, _)| value).collect(),
            op,
            mems,
            place,
        }))
    }

    /// `[r0=r3]`, and the types of the results where the call does not list them.
    fn call_rest(
        &mut self,
        op: &mut Op,
        listed: Listed,
        cursor: &mut Cursor<'_>,
        start: &Cursor<'_>,
    ) -> Result<()> {
        let Op::Call {
            callee,
            results,
            regions,
            ..
        } = op
        else {
            return Ok(());
        };
        if cursor.eat("[") {
            while !cursor.eat("]") {
                if !regions.is_empty() {
                    cursor.expect(",")?;
                }
                let inner: Region = cursor.id()?;
                cursor.expect("=")?;
                regions.push((inner, cursor.id()?));
            }
        }
        if let (Callee::Direct(func), Listed::No) = (callee, listed) {
            let mut bound: HashMap<Region, Region> = HashMap::new();
            for &ty in &self.tables.module.funcs[*func].results {
                let Type::Mem(inner) = ty else {
                    results.push(ty);
                    continue;
                };
                if bound.is_empty() {
                    bound.extend(regions.iter().copied());
                }
                let outer = bound.get(&inner).ok_or_else(|| {
                    start.error(format!("the callee's region {inner} is not bound"))
                })?;
                results.push(Type::Mem(*outer));
            }
        }
        Ok(())
    }

    /// Steps over an operation up to its memories; also says the type of its scalar result.
    fn op(
        &mut self,
        head: &str,
        suffixes: &mut Suffixes<'_>,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Op, Option<Type>, Listed)> {
        let ptr = Type::Ptr;
        let size = self.tables.module.machine.pointer_int();
        let bool = Some(Type::BOOL);
        if let Some(op) = BinaryOp::from_name(head) {
            let ty = suffixes.ty()?;
            let [a, b] = self.operands(cursor, [ty, ty])?;
            return Ok((Op::Binary(op, a, b), Some(ty), Listed::No));
        }
        if let Some(op) = UnaryOp::from_name(head) {
            let ty = suffixes.ty()?;
            let [a] = self.operands(cursor, [ty])?;
            return Ok((Op::Unary(op, a), Some(ty), Listed::No));
        }
        if let Some(op) = CompareOp::from_name(head) {
            let ty = suffixes.ty()?;
            let [a, b] = self.operands(cursor, [ty, ty])?;
            return Ok((Op::Compare(op, a, b), bool, Listed::No));
        }
        if let Some(op) = OverflowOp::from_name(head) {
            let ty = suffixes.ty()?;
            let [a, b] = self.operands(cursor, [ty, ty])?;
            return Ok((Op::Overflow(op, a, b), bool, Listed::No));
        }
        if let Some(op) = CastOp::from_name(head) {
            let from = suffixes.ty()?;
            let to = suffixes.ty()?;
            let [a] = self.operands(cursor, [from])?;
            return Ok((Op::Cast(op, a, to), Some(to), Listed::No));
        }
        let (op, scalar) = match head {
            "select" => {
                let ty = suffixes.ty()?;
                let [cond, a, b] = self.operands(cursor, [Type::BOOL, ty, ty])?;
                (Op::Select(cond, a, b), Some(ty))
            }
            "offset" => {
                let [a, b] = self.operands(cursor, [ptr, size])?;
                (Op::Offset(a, b), Some(ptr))
            }
            "copy" => {
                let ty = suffixes.ty()?;
                let [a] = self.operands(cursor, [ty])?;
                (Op::Copy(a), Some(ty))
            }
            "nondet" => {
                let ty = suffixes.ty()?;
                let start = cursor.clone();
                let kind = NondetKind::from_name(cursor.word("why the value is free")?)
                    .ok_or_else(|| {
                        start.error("expected `input`, `extern`, `uninit` or `undef`")
                    })?;
                (Op::Nondet(ty, kind), Some(ty))
            }
            "alloc" => {
                let kind = AllocKind::from_name(suffixes.word("`stack`, `sealed` or `heap`")?)
                    .ok_or_else(|| {
                        suffixes
                            .cursor
                            .error("expected `alloc.stack`, `.sealed` or `.heap`")
                    })?;
                let [bytes] = self.operands(cursor, [size])?;
                let align = align(cursor)?;
                let zeroed = cursor.eat_word("zeroed");
                let var = match cursor.eat_word("var") {
                    true => Some(self.tables.var(cursor)?),
                    false => None,
                };
                let op = Op::Alloc {
                    kind,
                    size: bytes,
                    align,
                    zeroed,
                    var,
                };
                (op, Some(ptr))
            }
            "free" => (Op::Free(self.operand(cursor, Some(ptr))?), None),
            "lifetime_start" => (Op::LifetimeStart(self.operand(cursor, Some(ptr))?), None),
            "lifetime_end" => (Op::LifetimeEnd(self.operand(cursor, Some(ptr))?), None),
            "stack_save" => (Op::StackSave, Some(size)),
            "stack_restore" => (Op::StackRestore(self.operand(cursor, Some(size))?), None),
            "leave" => (Op::Leave, None),
            "load" => {
                let ty = suffixes.ty()?;
                let [address] = self.operands(cursor, [ptr])?;
                let align = align(cursor)?;
                let op = Op::Load {
                    ty,
                    ptr: address,
                    align,
                    volatile: cursor.eat_word("volatile"),
                };
                (op, Some(ty))
            }
            "store" => {
                let ty = suffixes.ty()?;
                let [address, value] = self.operands(cursor, [ptr, ty])?;
                let op = Op::Store {
                    ty,
                    ptr: address,
                    value,
                    align: align(cursor)?,
                };
                (op, None)
            }
            "mem_copy" => {
                let [dst, src, len] = self.operands(cursor, [ptr, ptr, size])?;
                (Op::MemCopy { dst, src, len }, None)
            }
            "mem_set" => {
                let [dst, byte, len] = self.operands(cursor, [ptr, Type::Int(8), size])?;
                (Op::MemSet { dst, byte, len }, None)
            }
            "mem_compare" => {
                let [left, right, len] = self.operands(cursor, [ptr, ptr, size])?;
                (Op::MemCompare { left, right, len }, Some(Type::Int(32)))
            }
            "mem_havoc" => {
                let [dst, len] = self.operands(cursor, [ptr, size])?;
                (Op::MemHavoc { dst, len }, None)
            }
            "clobber" | "show" => {
                let mut list = Vec::new();
                while !cursor.at_end() && cursor.peek() != Some(b'!') && cursor.peek_word() != "in"
                {
                    if !list.is_empty() {
                        cursor.expect(",")?;
                    }
                    list.push(self.operand(cursor, Some(ptr))?);
                }
                let op = match head {
                    "show" => Op::Show(list),
                    _ => Op::Clobber(list),
                };
                (op, None)
            }
            "havoc_region" => (Op::HavocRegion, None),
            "new_region" => (Op::NewRegion(cursor.id()?), None),
            "is_deref" => {
                let access =
                    Access::from_name(suffixes.word("`read` or `write`")?).ok_or_else(|| {
                        suffixes
                            .cursor
                            .error("expected `is_deref.read` or `.write`")
                    })?;
                let [address, len] = self.operands(cursor, [ptr, size])?;
                let op = Op::IsDeref {
                    ptr: address,
                    len,
                    access,
                };
                (op, bool)
            }
            "is_freeable" => (Op::IsFreeable(self.operand(cursor, Some(ptr))?), bool),
            "is_disjoint" => {
                let [left, right, len] = self.operands(cursor, [ptr, ptr, size])?;
                (Op::IsDisjoint { left, right, len }, bool)
            }
            "all_tracked" => (Op::AllTracked, bool),
            "all_freed" => (Op::AllFreed, bool),
            "is_alive" => (Op::IsAlive(self.operand(cursor, Some(ptr))?), bool),
            "is_modified" => (Op::IsModified(self.operand(cursor, Some(ptr))?), bool),
            "reset_modified" => (Op::ResetModified(self.operand(cursor, Some(ptr))?), None),
            "load_shadow" => {
                let ty = suffixes.ty()?;
                let [address] = self.operands(cursor, [ptr])?;
                (Op::LoadShadow { ty, ptr: address }, Some(ty))
            }
            "store_shadow" => {
                let ty = suffixes.ty()?;
                let [address, value] = self.operands(cursor, [ptr, ty])?;
                let op = Op::StoreShadow {
                    ty,
                    ptr: address,
                    value,
                };
                (op, None)
            }
            "object_size" => (Op::ObjectSize(self.operand(cursor, Some(ptr))?), Some(size)),
            "object_offset" => (
                Op::ObjectOffset(self.operand(cursor, Some(ptr))?),
                Some(size),
            ),
            "call" => return self.call(cursor),
            "assume" => {
                let cond = self.operand(cursor, bool)?;
                let origin = match cursor.eat_word("by") {
                    true => self.origin(cursor)?,
                    false => Origin::Program,
                };
                (Op::Assume(cond, origin), None)
            }
            "check" => {
                let obligation = self.tables.obligation(cursor)?;
                cursor.expect(",")?;
                (Op::Check(obligation, self.operand(cursor, bool)?), None)
            }
            "debug" => {
                let var = self.tables.var(cursor)?;
                let start = cursor.clone();
                let kind = DebugKind::from_name(cursor.word("`value` or `address`")?)
                    .ok_or_else(|| start.error("expected `value` or `address`"))?;
                let value = self.operand(cursor, None)?;
                (Op::Debug { var, value, kind }, None)
            }
            _ => {
                let message = format!("`{head}` is no instruction");
                return Err(suffixes.cursor.error(message));
            }
        };
        Ok((op, scalar, Listed::No))
    }

    /// Whose claim an assumption is: `model`, `unchecked`, `k0`.
    fn origin(&mut self, cursor: &mut Cursor<'_>) -> Result<Origin> {
        if cursor.eat_word("model") {
            Ok(Origin::Model)
        } else if cursor.eat_word("unchecked") {
            Ok(Origin::Unchecked)
        } else {
            Ok(Origin::Fact(self.tables.fact(cursor)?))
        }
    }

    /// `@h(v5, @g+4) -> i32, ptr`, or `*v3(v5)`.
    fn call(&mut self, cursor: &mut Cursor<'_>) -> Result<(Op, Option<Type>, Listed)> {
        let callee = match cursor.eat("*") {
            true => Callee::Indirect(self.operand(cursor, Some(Type::Ptr))?),
            false => Callee::Direct(self.tables.func(cursor)?),
        };
        let args = self.args(cursor)?;
        let (results, listed) = match cursor.eat("->") {
            true => (cursor.types()?, Listed::Yes),
            false => (Vec::new(), Listed::No),
        };
        let op = Op::Call {
            callee,
            args,
            results,
            regions: Vec::new(),
        };
        Ok((op, None, listed))
    }

    /// Steps over operands of these types with commas between them.
    fn operands<const N: usize>(
        &mut self,
        cursor: &mut Cursor<'_>,
        types: [Type; N],
    ) -> Result<[Operand; N]> {
        let mut operands = [const { Operand::NULL }; N];
        for (index, ty) in types.into_iter().enumerate() {
            if index > 0 {
                cursor.expect(",")?;
            }
            operands[index] = self.operand(cursor, Some(ty))?;
        }
        Ok(operands)
    }

    /// Steps over an operand; without a fixed type, a number names its own.
    fn operand(&mut self, cursor: &mut Cursor<'_>, fixed: Option<Type>) -> Result<Operand> {
        if cursor.at_id::<Value>() {
            let expect = fixed.map_or(Expect::Any, Expect::Exactly);
            return Ok(self.use_value(cursor, expect)?.into());
        }
        let start = cursor.clone();
        let is_number = matches!(cursor.peek(), Some(b'-' | b'0'..=b'9'));
        if !is_number {
            if cursor.peek() != Some(b'@') && cursor.peek_word() != "null" {
                return Err(start.error("expected an operand"));
            }
            let pointer = read_pointer(self.tables, cursor)?;
            return match fixed {
                Some(Type::Ptr) | None => Ok(pointer.into()),
                Some(ty) => Err(start.error(format!("expected {ty}, not a pointer"))),
            };
        }
        let number = Number::read(cursor)?;
        let named = match cursor.eat(":") {
            true => Some(cursor.ty()?),
            false => None,
        };
        let ty = match (fixed, named) {
            (Some(fixed), Some(named)) if fixed != named => {
                return Err(start.error(format!("expected {fixed}, not {named}")));
            }
            (Some(ty), _) | (None, Some(ty)) => ty,
            (None, None) => return Err(start.error("the number needs a type, like `7:i32`")),
        };
        Ok(self.number(&number, ty, &start)?.into())
    }

    fn number(&mut self, number: &Number<'_>, ty: Type, start: &Cursor<'_>) -> Result<Const> {
        let width = match (ty, number) {
            (Type::Int(width), _) => width,
            (Type::Float(float), Number::Hex(_)) => float.bits(),
            (Type::Float(_), Number::Dec { .. }) => {
                return Err(start.error("a float is written by its bits, like `0x3f800000`"));
            }
            (Type::Ptr | Type::Mem(_), _) => {
                return Err(start.error(format!("a number is no {ty}")));
            }
        };
        if width > 128 {
            self.tables.spend(u64::from(width / 8), start)?;
        }
        let bv = number.value(width, start)?;
        Ok(match ty {
            Type::Float(float) => Const::Float(float, bv),
            Type::Int(_) | Type::Ptr | Type::Mem(_) => Const::Int(bv),
        })
    }
}

/// Does a call list the types of its results?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    Yes,
    No,
}

/// Steps over `align 8`, if it is there; 1 otherwise.
fn align<N: std::str::FromStr + From<u8>>(cursor: &mut Cursor<'_>) -> Result<N> {
    match cursor.eat_word("align") {
        true => cursor.number("an alignment in bytes"),
        false => Ok(N::from(1)),
    }
}

/// A number as it is written.
enum Number<'a> {
    Dec { negative: bool, digits: &'a str },
    Hex(&'a str),
}

impl<'a> Number<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Number<'a>> {
        let start = cursor.clone();
        let number = if cursor.eat("0x") {
            Number::Hex(cursor.hex_digits())
        } else {
            let negative = cursor.eat("-");
            let digits = cursor.decimal_digits();
            Number::Dec { negative, digits }
        };
        match number {
            Number::Dec { digits: "", .. } | Number::Hex("") => {
                Err(start.error("expected a number"))
            }
            Number::Dec { .. } | Number::Hex(_) => Ok(number),
        }
    }

    /// The bit-vector of this width.
    fn value(&self, width: u32, start: &Cursor<'_>) -> Result<Bv> {
        let too_large =
            || -> ReadError { start.error(format!("the number does not fit {width} bits")) };
        debug_assert!((1..=MAX_WIDTH).contains(&width));
        match *self {
            Number::Hex(digits) => {
                let digits = digits.trim_start_matches('0').as_bytes();
                if digits.len() as u64 > u64::from(width).div_ceil(4) {
                    return Err(too_large());
                }
                let word = |chunk: &[u8]| {
                    let digit = |digit: u8| u64::from(char::from(digit).to_digit(16).unwrap_or(0));
                    chunk.iter().fold(0, |word, &byte| word << 4 | digit(byte))
                };
                let words: SmallVec<[u64; 2]> = digits.rchunks(16).map(word).collect();
                let top = words.last().map_or(0, |top| 64 - top.leading_zeros());
                let full = words.len().saturating_sub(1) as u32 * 64;
                if full + top > width {
                    return Err(too_large());
                }
                Ok(Bv::from_words(&words, width))
            }
            Number::Dec { negative, digits } => {
                if width > WIDEST_DECIMAL {
                    return Err(start.error("a number this wide is written in hexadecimal"));
                }
                let digits = match digits.trim_start_matches('0') {
                    "" => "0",
                    digits => digits,
                };
                let sign = if negative { "-" } else { "" };
                if digits.len() > width as usize {
                    return Err(too_large());
                }
                Bv::from_dec(&format!("{sign}{digits}"), width).map_err(|_| too_large())
            }
        }
    }
}
