//! Reads function bodies: labels and regions, and what can only be known at the end of a body.
//!
//! Blocks may stand in any order that has the entry first, so that a value may be used on an
//! earlier line than the one that defines it. Uses are therefore collected with the types that
//! they ask for, and checked when the body has been read.

use base::Map;
use smallvec::SmallVec;

use crate::build::HOLE;
use crate::syntax::{
    Block, BlockData, Body, Def, Func, HaltKind, Inst, InstData, Objects, Op, Operand, PlaceId,
    Pointers, Region, RegionData, RegionFacts, Target, Terminator, Type, Value, ValueData,
};
use crate::text::cursor::{Cursor, Result, Spot};
use crate::text::tables::{Tables, cursor_at, error_at};

/// Where the body stands.
pub(super) enum Frame<'a> {
    /// Between the braces of a function with these parameters.
    Func {
        params: &'a [(Value, Spot)],
        types: &'a [Type],
    },
    /// Alone.
    Blocks,
}

/// What a use of a value asks of its type.
#[derive(Clone, Copy)]
pub(super) enum Expect {
    /// Nothing.
    Any,
    /// To be this one.
    Exactly(Type),
    /// To be a memory.
    Mem,
}

/// The type of a defined value, as far as it is known.
#[derive(Clone, Copy)]
pub(super) enum SlotType {
    Known(Type),
    /// The type of another value.
    Like(Value),
}

#[derive(Clone, Copy)]
struct Slot {
    ty: SlotType,
    def: Def,
}

struct Use {
    value: Value,
    expect: Expect,
    spot: Spot,
}

/// A block whose end has not been read yet.
struct OpenBlock {
    block: Block,
    params: Vec<Value>,
    insts: Vec<Inst>,
}

/// A body while it is read.
pub(super) struct BodyReader<'a> {
    pub lines: &'a [&'a str],
    pub tables: &'a mut Tables,
    pub insts: Map<Inst, InstData>,
    /// Calls of functions that the text does not declare.
    pub undeclared: Vec<(Func, Inst)>,
    slots: Map<Value, Option<Slot>>,
    uses: Vec<Use>,
    regions: Map<Region, RegionData>,
    blocks: Map<Block, Option<BlockData>>,
    open: Option<OpenBlock>,
    params: Vec<Value>,
    /// Jumps, with what follows from them for blocks that are missing.
    targets: Vec<(Block, Spot)>,
    alone: bool,
}

/// Reads the lines from number `next` on up to the closing brace, or up to the end for blocks
/// alone. Returns the number of the line after it, too.
pub(super) fn read_body(
    lines: &[&str],
    mut next: usize,
    frame: Frame<'_>,
    tables: &mut Tables,
) -> Result<(Body, usize)> {
    let mut reader = BodyReader {
        lines,
        tables,
        insts: Map::new(),
        undeclared: Vec::new(),
        slots: Map::new(),
        uses: Vec::new(),
        regions: Map::new(),
        blocks: Map::new(),
        open: None,
        params: Vec::new(),
        targets: Vec::new(),
        alone: matches!(frame, Frame::Blocks),
    };
    if let Frame::Func { params, types } = frame {
        for (&(value, spot), &ty) in params.iter().zip(types) {
            reader.define_param(value, ty, spot)?;
        }
    }
    loop {
        let Some(&line) = lines.get(next) else {
            if reader.alone {
                break;
            }
            let last = lines.len().saturating_sub(1);
            let cursor = Cursor::new("", last as u32);
            return Err(cursor.error("the function has no closing brace"));
        };
        let mut cursor = Cursor::new(line, next as u32);
        next += 1;
        if cursor.at_end() {
            continue;
        }
        if !reader.alone && cursor.eat("}") {
            cursor.expect_end()?;
            break;
        }
        reader.line(&mut cursor)?;
    }
    let spot = Spot {
        line: next.saturating_sub(1) as u32,
        byte: 0,
    };
    let body = reader.finish(spot)?;
    Ok((body, next))
}

impl BodyReader<'_> {
    fn line(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        if cursor.at_id::<Block>() {
            return self.label(cursor);
        }
        if self.blocks.is_empty() && self.open.is_none() && cursor.eat_word("region") {
            return self.region(cursor);
        }
        let Some(mut open) = self.open.take() else {
            return Err(cursor.error(match self.blocks.is_empty() {
                true => "expected a label like `b0:`",
                false => "the block has ended: expected a label or `}`",
            }));
        };
        if let Some(terminator) = self.terminator(cursor)? {
            let place = self.place_mark(cursor)?;
            cursor.expect_end()?;
            self.blocks[open.block] = Some(BlockData {
                params: open.params,
                insts: open.insts,
                terminator,
                place,
            });
        } else {
            let inst = self.inst(cursor)?;
            cursor.expect_end()?;
            open.insts.push(inst);
            self.open = Some(open);
        }
        Ok(())
    }

    /// `b1(v4: i32):`
    fn label(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        self.expect_closed(cursor.spot())?;
        let start = cursor.clone();
        let block: Block = cursor.id()?;
        let next = self.blocks.next_id();
        if self.alone {
            if block.index() >= self.blocks.len() {
                let gap = block.index() - self.blocks.len();
                self.tables.spend(128 * gap as u64, &start)?;
                self.blocks.grow(block.index() + 1, None);
            } else if self.blocks[block].is_some() {
                return Err(start.error(format!("{block} is defined twice")));
            }
        } else if block == next {
            self.blocks.push(None);
        } else {
            return Err(start.error(format!("expected {next}: blocks are numbered in order")));
        }
        let mut params = Vec::new();
        if cursor.eat("(") {
            for index in 0u32.. {
                if cursor.eat(")") {
                    break;
                }
                if index > 0 {
                    cursor.expect(",")?;
                }
                let spot = cursor.spot();
                let value = cursor.id()?;
                cursor.expect(":")?;
                let ty = cursor.ty()?;
                if self.alone && block.index() == 0 {
                    // The entry has no parameters: these are the function's.
                    self.define_param(value, ty, spot)?;
                    continue;
                }
                let def = Def::BlockParam(block, index);
                self.define(value, SlotType::Known(ty), def, spot)?;
                params.push(value);
            }
        }
        cursor.expect(":")?;
        cursor.expect_end()?;
        self.open = Some(OpenBlock {
            block,
            params,
            insts: Vec::new(),
        });
        Ok(())
    }

    /// `r2 local word 4 globals @g @h`
    fn region(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let start = cursor.clone();
        let next = self.regions.next_id();
        if cursor.id::<Region>()? != next {
            return Err(start.error(format!("expected {next}: numbers follow each other")));
        }
        let local = cursor.eat_word("local");
        let unknown = cursor.eat_word("unknown");
        let facts = self.facts(cursor)?;
        let mut globals = Vec::new();
        if cursor.eat_word("globals") {
            while !cursor.at_end() {
                globals.push(self.tables.global(cursor)?);
            }
        }
        cursor.expect_end()?;
        self.regions.push(RegionData {
            globals,
            local,
            unknown,
            facts,
        });
        Ok(())
    }

    /// `word 4 one size 4 scalar i32 plain sites p1 p2`, each or not.
    fn facts(&mut self, cursor: &mut Cursor<'_>) -> Result<RegionFacts> {
        let mut facts = RegionFacts::default();
        if cursor.eat_word("word") {
            facts.word = cursor.number("a number of bytes")?;
        }
        if cursor.eat_word("one") {
            facts.objects = Objects::One;
        }
        if cursor.eat_word("size") {
            facts.size = Some(cursor.number("a number of bytes")?);
        }
        if cursor.eat_word("scalar") {
            facts.scalar = Some(cursor.ty()?);
        }
        if cursor.eat_word("plain") {
            facts.pointers = Pointers::Never;
        }
        if cursor.eat_word("sites") {
            let mut sites = Vec::new();
            while cursor.at_id::<PlaceId>() {
                sites.push(self.tables.place(cursor)?);
            }
            facts.sites = Some(sites);
        }
        Ok(facts)
    }

    fn expect_closed(&self, spot: Spot) -> Result<()> {
        match &self.open {
            Some(open) => {
                let message = format!("{} has no end (jump, branch, return, …)", open.block);
                Err(error_at(self.lines, spot, message))
            }
            None => Ok(()),
        }
    }

    fn define_param(&mut self, value: Value, ty: Type, spot: Spot) -> Result<()> {
        let def = Def::Param(self.params.len() as u32);
        self.define(value, SlotType::Known(ty), def, spot)?;
        self.params.push(value);
        Ok(())
    }

    /// Notes that the value is defined here.
    pub fn define(&mut self, value: Value, ty: SlotType, def: Def, spot: Spot) -> Result<()> {
        if value.index() >= self.slots.len() {
            let gap = value.index() - self.slots.len();
            let cursor = cursor_at(self.lines, spot);
            let bytes = size_of::<Slot>() + size_of::<ValueData>();
            self.tables.spend(bytes as u64 * gap as u64, &cursor)?;
            self.slots.grow(value.index() + 1, None);
        }
        let slot = &mut self.slots[value];
        if slot.is_some() {
            return Err(error_at(
                self.lines,
                spot,
                format!("{value} is defined twice"),
            ));
        }
        *slot = Some(Slot { ty, def });
        Ok(())
    }

    /// Steps over a value that is used.
    pub fn use_value(&mut self, cursor: &mut Cursor<'_>, expect: Expect) -> Result<Value> {
        let spot = cursor.spot();
        let value = cursor.id()?;
        self.uses.push(Use {
            value,
            expect,
            spot,
        });
        Ok(value)
    }

    /// Steps over a block that is jumped to.
    pub fn use_block(&mut self, cursor: &mut Cursor<'_>) -> Result<Block> {
        let spot = cursor.spot();
        let block = cursor.id()?;
        self.targets.push((block, spot));
        Ok(block)
    }

    fn finish(mut self, end: Spot) -> Result<Body> {
        self.expect_closed(end)?;
        if self.alone {
            self.define_free_values()?;
        }
        for used in &self.uses {
            if self.slots.get(used.value).is_none_or(|slot| slot.is_none()) {
                let message = format!("{} is not defined", used.value);
                return Err(error_at(self.lines, used.spot, message));
            }
        }
        self.resolve_types()?;
        let mut values: Map<Value, ValueData> = self
            .slots
            .values()
            .map(|slot| match slot {
                Some(Slot {
                    ty: SlotType::Known(ty),
                    def,
                }) => ValueData { ty: *ty, def: *def },
                Some(_) | None => HOLE,
            })
            .collect();
        for used in &self.uses {
            let ty = values[used.value].ty;
            let wanted = match used.expect {
                Expect::Any => continue,
                Expect::Exactly(wanted) if wanted == ty => continue,
                Expect::Exactly(wanted) => wanted.to_string(),
                Expect::Mem if ty.is_mem() => continue,
                Expect::Mem => "a memory".to_owned(),
            };
            let message = format!("{} is {ty}, not {wanted}", used.value);
            return Err(error_at(self.lines, used.spot, message));
        }
        let type_of = |operand: &Operand, values: &Map<Value, ValueData>| match operand {
            Operand::Value(value) => values[*value].ty,
            Operand::Const(constant) => constant.ty(),
        };
        for (func, inst) in std::mem::take(&mut self.undeclared) {
            if let Op::Call { args, results, .. } = &self.insts[inst].op {
                let mems = self.insts[inst].mems.iter().map(|&mem| values[mem].ty);
                let params = args.iter().map(|arg| type_of(arg, &values)).chain(mems);
                self.tables.declare_by_call(func, params.collect(), results);
            }
        }
        if self.alone {
            self.add_missing_blocks(&mut values, type_of)?;
        } else if let Some((block, spot)) = self.first_missing_target() {
            let message = format!("{block} is not defined");
            return Err(error_at(self.lines, spot, message));
        }
        let dead = || BlockData {
            params: Vec::new(),
            insts: Vec::new(),
            terminator: Terminator::Halt(HaltKind::Dead),
            place: None,
        };
        let blocks = self.blocks.into_iter();
        Ok(Body {
            values,
            insts: self.insts,
            blocks: blocks.map(|block| block.unwrap_or_else(dead)).collect(),
            regions: self.regions,
            params: self.params,
        })
    }

    fn first_missing_target(&self) -> Option<(Block, Spot)> {
        let missing = |&&(block, _): &&(Block, Spot)| !self.blocks.contains(block);
        self.targets.iter().find(missing).copied()
    }

    /// Blocks alone: what no block defines is a parameter, of the type that its uses ask for.
    fn define_free_values(&mut self) -> Result<()> {
        let uses = std::mem::take(&mut self.uses);
        let is_free = |slots: &Map<Value, Option<Slot>>, value| {
            slots
                .get(value)
                .is_none_or(|slot: &Option<Slot>| slot.is_none())
        };
        for used in &uses {
            if let Expect::Exactly(ty) = used.expect {
                if is_free(&self.slots, used.value) {
                    self.define_param(used.value, ty, used.spot)?;
                }
            }
        }
        if let Some(used) = uses.iter().find(|used| is_free(&self.slots, used.value)) {
            let message = format!(
                "the type of {} is not known: make it a parameter of b0",
                used.value
            );
            return Err(error_at(self.lines, used.spot, message));
        }
        self.uses = uses;
        Ok(())
    }

    /// Gives each value that has the type of another that type.
    fn resolve_types(&mut self) -> Result<()> {
        let mut path: SmallVec<[Value; 8]> = SmallVec::new();
        for start in self.slots.keys() {
            let mut value = start;
            let ty = loop {
                match self.slots[value].map(|slot| slot.ty) {
                    // A path longer than the table runs in a circle.
                    Some(SlotType::Like(_)) if path.len() > self.slots.len() => break None,
                    Some(SlotType::Like(other)) => {
                        path.push(value);
                        value = other;
                    }
                    Some(SlotType::Known(ty)) => break Some(ty),
                    None => break Some(Type::BOOL),
                }
            };
            let Some(ty) = ty else {
                let used = self.uses.iter().find(|used| used.value == start);
                let spot = used.map(|used| used.spot).unwrap_or_default();
                let message = format!("the memory {start} is its own predecessor");
                return Err(error_at(self.lines, spot, message));
            };
            for value in path.drain(..) {
                if let Some(slot) = &mut self.slots[value] {
                    slot.ty = SlotType::Known(ty);
                }
            }
        }
        Ok(())
    }

    /// Blocks alone: what is jumped to and missing gets parameters for the arguments.
    fn add_missing_blocks(
        &mut self,
        values: &mut Map<Value, ValueData>,
        type_of: impl Fn(&Operand, &Map<Value, ValueData>) -> Type,
    ) -> Result<()> {
        for &(block, spot) in &self.targets {
            if block.index() >= self.blocks.len() {
                let gap = block.index() - self.blocks.len();
                let cursor = cursor_at(self.lines, spot);
                self.tables.spend(128 * gap as u64, &cursor)?;
                self.blocks.grow(block.index() + 1, None);
            }
        }
        let mut missing: Vec<Target> = Vec::new();
        for data in self.blocks.values().flatten() {
            for target in data.terminator.targets() {
                if self.blocks[target.block].is_none() && target.block.index() != 0 {
                    missing.push(target.clone());
                }
            }
        }
        for Target { block, args } in missing {
            if self.blocks[block].is_some() {
                continue;
            }
            let mut params = Vec::new();
            for (index, arg) in args.iter().enumerate() {
                let ty = type_of(arg, values);
                let def = Def::BlockParam(block, index as u32);
                params.push(values.push(ValueData { ty, def }));
            }
            self.blocks[block] = Some(BlockData {
                params,
                insts: Vec::new(),
                terminator: Terminator::Halt(HaltKind::Dead),
                place: None,
            });
        }
        Ok(())
    }
}
