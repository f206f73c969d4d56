//! What each instruction does.
//!
//! One loop executes all activations; a call pushes a frame and goes on. Values are words of one
//! stack (see [`crate::code`]), so that the program's recursion never is ours. The loop is one
//! long function because its state (the frame's words, the constants, the place in the code) must
//! stay in the host's registers; what is rare or long is in [`slow`].

use base::Bv;
use ir::syntax::{AllocKind, Type};

use crate::arith;
use crate::code::{CONST, Ins, Target, Word};
use crate::config::Volatile;
use crate::float;
use crate::host::Host;
use crate::interpreter::Interpreter;
use crate::memory::{ANY_MEMORY, End, Fault, NewObject, ObjectKind, Origin, Pointer};
use crate::observe::Asked;
use crate::outcome::Outcome;
use crate::skip::Patience;
use crate::view::{Frame, View, place_at};
use crate::word::{convert, count, divide, mask, overflows, signed};
use crate::world::{Stop, World};

mod slow;

impl Interpreter<'_, '_> {
    /// Executes until something stops it. `OBSERVED` says whether anybody watches.
    pub(crate) fn execute<const OBSERVED: bool>(
        &mut self,
        world: &mut World<'_>,
        host: &mut Option<&mut dyn Host>,
    ) -> Stop {
        let mut frame = *self.frames.last().expect("start pushed a frame");
        let mut code = frame.code;
        let mut pc = frame.pc;
        let address_mask = u64::MAX >> (64 - world.module.machine.pointer_bits);
        let mut limit = world.config.step_limit;
        let mut patience = Patience::default();
        // The memories that the next operation names.
        let (mut mem, mut mem2) = (0u32, 0u32);
        let mut steps = self.steps;
        let mut regs = &mut self.stack[frame.base..frame.base + code.frame];

        macro_rules! get {
            ($word:expr) => {{
                let word: Word = $word;
                if word & CONST == 0 {
                    regs[word as usize]
                } else {
                    code.consts[(word & !CONST) as usize]
                }
            }};
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {{
                let value: u64 = $value;
                regs[$slot as usize] = value;
            }};
        }
        macro_rules! pointer {
            ($word:expr) => {
                Pointer {
                    address: get!($word),
                    object: get!($word + 1) as u32,
                }
            };
        }
        macro_rules! set_pointer {
            ($slot:expr, $pointer:expr) => {{
                let pointer: Pointer = $pointer;
                regs[$slot as usize] = pointer.address;
                regs[$slot as usize + 1] = u64::from(pointer.object);
            }};
        }
        macro_rules! set_bits {
            ($slot:expr, $bits:expr) => {{
                let bits: &Bv = $bits;
                for (index, &word) in bits.words().iter().enumerate() {
                    regs[$slot as usize + index] = word;
                }
            }};
        }
        // Leaves the loop, with everything put back where others look for it.
        macro_rules! stop {
            ($stop:expr) => {{
                let stop: Stop = $stop.into();
                self.frames.last_mut().expect("a frame is running").pc = pc;
                self.steps = steps;
                return stop;
            }};
        }
        macro_rules! attempt {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => stop!(fault),
                }
            };
        }
        macro_rules! place {
            () => {
                place_at(world.module, &frame, pc)
            };
        }
        macro_rules! take_edge {
            ($edge:expr) => {{
                let edge = code.edges[$edge as usize];
                let start = edge.start as usize;
                for &(to, from) in &code.moves[start..start + edge.count as usize] {
                    regs[to as usize] = get!(from);
                }
                let back = !OBSERVED && edge.pc as usize <= pc;
                pc = edge.pc as usize;
                if back {
                    // What is skipped is counted, but nothing was spent on it.
                    let skipped = patience.round(code, pc, regs);
                    steps = steps.saturating_add(skipped);
                    limit = limit.saturating_add(skipped);
                }
                continue;
            }};
        }
        // A load of `N` bytes into one word.
        macro_rules! load {
            ($to:expr, $ptr:expr, $int:ident) => {{
                let at = pointer!($ptr);
                match world.memory.load::<{ $int::BITS as usize / 8 }>(at, mem) {
                    Ok(bytes) => set!($to, u64::from($int::from_le_bytes(bytes))),
                    Err(Fault::Outside) => {
                        let ty = Type::Int($int::BITS);
                        let value = attempt!(world.choose(ty, Asked::Outside, place!()));
                        set!($to, value.low_u64());
                    }
                    Err(fault) => stop!(fault),
                }
            }};
        }
        macro_rules! store {
            ($ptr:expr, $value:expr, $int:ident) => {{
                let at = pointer!($ptr);
                let bytes = (get!($value) as $int).to_le_bytes();
                match world.memory.store(at, bytes, mem) {
                    Ok(()) | Err(Fault::Outside) => {}
                    Err(fault) => stop!(fault),
                }
            }};
        }

        loop {
            let ins = code.ins[pc];
            if OBSERVED && !ins.accompanies() {
                self.frames.last_mut().expect("a frame is running").pc = pc;
                self.steps = steps;
                let view = View {
                    image: &self.codes.image,
                    memory: &world.memory,
                    frames: &self.frames,
                    stack: &self.stack,
                    steps,
                };
                if let Some(observer) = &mut world.observer {
                    observer.step(&view);
                }
                regs = &mut self.stack[frame.base..frame.base + code.frame];
            }
            if steps >= limit {
                stop!(Stop::Outcome(Outcome::StepLimit));
            }
            steps += 1;
            match ins {
                Ins::Move { to, from } => set!(to, get!(from)),
                Ins::Move2 { to, from } => {
                    let (first, second) = (get!(from), get!(from + 1));
                    set!(to, first);
                    set!(to + 1, second);
                }
                Ins::MoveN { to, from, count } => {
                    for index in 0..count {
                        set!(to + index, get!(from + index));
                    }
                }

                Ins::Add { to, a, b, shift } => {
                    set!(to, get!(a).wrapping_add(get!(b)) & mask(shift));
                }
                Ins::Sub { to, a, b, shift } => {
                    set!(to, get!(a).wrapping_sub(get!(b)) & mask(shift));
                }
                Ins::Mul { to, a, b, shift } => {
                    set!(to, get!(a).wrapping_mul(get!(b)) & mask(shift));
                }
                Ins::And { to, a, b } => set!(to, get!(a) & get!(b)),
                Ins::Or { to, a, b } => set!(to, get!(a) | get!(b)),
                Ins::Xor { to, a, b } => set!(to, get!(a) ^ get!(b)),
                Ins::Shl { to, a, b, shift } => {
                    let amount = get!(b);
                    let shifted = match amount < 64 - u64::from(shift) {
                        true => get!(a) << amount & mask(shift),
                        false => 0,
                    };
                    set!(to, shifted);
                }
                Ins::LShr { to, a, b, shift } => {
                    let amount = get!(b);
                    let shifted = match amount < 64 - u64::from(shift) {
                        true => get!(a) >> amount,
                        false => 0,
                    };
                    set!(to, shifted);
                }
                Ins::AShr { to, a, b, shift } => {
                    let amount = get!(b).min(63 - u64::from(shift));
                    set!(to, (signed(get!(a), shift) >> amount) as u64 & mask(shift));
                }
                Ins::Divide {
                    op,
                    to,
                    a,
                    b,
                    shift,
                } => {
                    set!(to, divide(op, get!(a), get!(b), shift));
                }
                Ins::Count { op, to, a, shift } => set!(to, count(op, get!(a), shift)),
                Ins::Eq { to, a, b } => set!(to, u64::from(get!(a) == get!(b))),
                Ins::Ne { to, a, b } => set!(to, u64::from(get!(a) != get!(b))),
                Ins::Ult { to, a, b } => set!(to, u64::from(get!(a) < get!(b))),
                Ins::Ule { to, a, b } => set!(to, u64::from(get!(a) <= get!(b))),
                Ins::Slt { to, a, b, shift } => {
                    set!(
                        to,
                        u64::from(signed(get!(a), shift) < signed(get!(b), shift))
                    );
                }
                Ins::Sle { to, a, b, shift } => {
                    set!(
                        to,
                        u64::from(signed(get!(a), shift) <= signed(get!(b), shift))
                    );
                }
                Ins::Overflow {
                    op,
                    to,
                    a,
                    b,
                    shift,
                } => {
                    set!(to, u64::from(overflows(op, get!(a), get!(b), shift)));
                }
                Ins::SExt { to, a, from, shift } => {
                    set!(to, signed(get!(a), from) as u64 & mask(shift));
                }
                Ins::Trunc { to, a, shift } => set!(to, get!(a) & mask(shift)),

                Ins::F32 { op, to, a, b } => {
                    let result = float::binary_f32(op, get!(a) as u32, get!(b) as u32);
                    set!(to, u64::from(result));
                }
                Ins::F64 { op, to, a, b } => set!(to, float::binary_f64(op, get!(a), get!(b))),
                Ins::UnaryF32 { op, to, a } => {
                    set!(to, u64::from(float::unary_f32(op, get!(a) as u32)));
                }
                Ins::UnaryF64 { op, to, a } => set!(to, float::unary_f64(op, get!(a))),
                Ins::CompareF32 { op, to, a, b } => {
                    let result = float::compare_f32(op, get!(a) as u32, get!(b) as u32);
                    set!(to, u64::from(result));
                }
                Ins::CompareF64 { op, to, a, b } => {
                    set!(to, u64::from(float::compare_f64(op, get!(a), get!(b))));
                }
                Ins::Convert { how, to, a, shift } => set!(to, convert(how, get!(a), shift)),
                Ins::Plain { to, site } => {
                    let site = &code.plain[site as usize];
                    let args = slow::wide_args(&site.args, |word| get!(word));
                    set_bits!(to, &arith::evaluate(site.op, &args));
                }

                Ins::Select { to, cond, a, b } => {
                    let chosen = if get!(cond) != 0 { a } else { b };
                    set!(to, get!(chosen));
                }
                Ins::Select2 { to, cond, a, b } => {
                    let chosen = if get!(cond) != 0 { a } else { b };
                    let (first, second) = (get!(chosen), get!(chosen + 1));
                    set!(to, first);
                    set!(to + 1, second);
                }
                Ins::SelectN { to, cond, site } => {
                    let site = code.selects[site as usize];
                    let chosen = if get!(cond) != 0 { site.a } else { site.b };
                    for index in 0..site.count {
                        set!(to + index, get!(chosen + index));
                    }
                }
                Ins::Offset { to, ptr, by } => {
                    let address = get!(ptr).wrapping_add(get!(by)) & address_mask;
                    let object = get!(ptr + 1);
                    set!(to, address);
                    set!(to + 1, object);
                }
                Ins::IntToPtr { to, a } => {
                    set!(to, get!(a) & address_mask);
                    set!(to + 1, 0);
                }
                Ins::Nondet { to, site } => {
                    let site = code.nondets[site as usize];
                    let value = attempt!(world.nondet(site.ty, site.kind, place!()));
                    set_bits!(to, &value);
                    if site.ty == Type::Ptr {
                        set!(to + 1, 0);
                    }
                }

                Ins::Alloc { to, size, site } => {
                    let site = code.allocs[site as usize];
                    if world.memory.wants_collection() {
                        let top = frame.base + code.frame;
                        let objects = world.stack_objects.iter().chain(&world.escaped);
                        let objects: Vec<u64> = objects.map(|&n| u64::from(n)).collect();
                        let roots = self.stack[..top].iter().copied().chain(objects);
                        world.memory.collect(roots);
                        regs = &mut self.stack[frame.base..frame.base + code.frame];
                    }
                    let place = place!();
                    let new = NewObject {
                        kind: match site.kind {
                            AllocKind::Stack | AllocKind::Sealed => ObjectKind::Stack,
                            AllocKind::Heap => ObjectKind::Heap,
                        },
                        size: get!(size),
                        align: site.align,
                        constant: site.kind == AllocKind::Sealed,
                        zeroed: site.zeroed,
                        memory: mem,
                        address: None,
                        fill: crate::choices::Fill::Zero,
                        event: None,
                        origin: Origin {
                            var: site.var,
                            global: None,
                            allocated: place,
                            ended: None,
                        },
                    };
                    let pointer = attempt!(world.allocate(new, place));
                    if site.kind.is_stack() {
                        world.stack_objects.push(pointer.object);
                    }
                    set_pointer!(to, pointer);
                }
                Ins::Free { ptr } => {
                    let at = pointer!(ptr);
                    if attempt!(world.memory.is_freeable(at, mem)) {
                        if let Some(number) = world.memory.owner(at) {
                            if at.address != 0 {
                                world.memory.end(number, End::Freed, place!());
                            }
                        }
                    }
                }
                Ins::LifetimeStart { ptr } => {
                    attempt!(world.revive(pointer!(ptr), mem, place!()));
                }
                Ins::LifetimeEnd { ptr } => {
                    let at = pointer!(ptr);
                    if let Some(number) = world.memory.owner(at) {
                        let object = &world.memory.objects[number as usize];
                        if object.memory != mem {
                            stop!(Fault::Region(number));
                        }
                        if object.kind == ObjectKind::Stack {
                            world.memory.end(number, End::Scope, place!());
                        }
                    }
                }
                Ins::StackSave { to } => {
                    set!(to, (world.stack_objects.len() - frame.stack_objects) as u64);
                }
                Ins::StackRestore { mark, mems } => {
                    let mark = usize::try_from(get!(mark)).unwrap_or(usize::MAX);
                    let mark = frame.stack_objects.saturating_add(mark);
                    if mark < world.stack_objects.len() {
                        let seen = slow::memories(regs, &code.lists[mems as usize]);
                        // A memory made in this activation need not be named: it may be a local
                        // region of an inlined function, which ends with that function.
                        let sees = |memory| {
                            let local = memory as usize >= frame.versions;
                            mem != ANY_MEMORY || local || seen.contains(&memory)
                        };
                        let missed = world.stack_objects[mark..].iter().find(|&&number| {
                            let object = &world.memory.objects[number as usize];
                            object.alive && !sees(object.memory)
                        });
                        if let Some(&number) = missed {
                            stop!(Fault::Region(number));
                        }
                        world.pop_stack(mark, sees, End::Scope, place!());
                    }
                }
                Ins::Leave { mems } => {
                    let seen = slow::memories(regs, &code.lists[mems as usize]);
                    let sees = |memory| mem != ANY_MEMORY || seen.contains(&memory);
                    world.pop_stack(frame.stack_objects, sees, End::Returned, place!());
                }
                Ins::Load8 { to, ptr } => load!(to, ptr, u8),
                Ins::Load16 { to, ptr } => load!(to, ptr, u16),
                Ins::Load32 { to, ptr } => load!(to, ptr, u32),
                Ins::Load64 { to, ptr } => load!(to, ptr, u64),
                Ins::LoadPtr { to, ptr } => {
                    let at = pointer!(ptr);
                    match world.load_pointer(at, mem) {
                        Ok(pointer) => set_pointer!(to, pointer),
                        Err(fault) => {
                            set_pointer!(to, attempt!(slow::any_pointer(world, fault, place!())));
                        }
                    }
                }
                Ins::LoadAny { to, ptr, ty } => {
                    let ty = code.types[ty as usize];
                    let at = pointer!(ptr);
                    let value = attempt!(slow::load_any(world, at, ty, mem, place!()));
                    set_bits!(to, &value);
                }
                Ins::LoadVolatile { to, ptr, ty } => {
                    let ty = code.types[ty as usize];
                    let at = pointer!(ptr);
                    let kept = world.config.volatile == Volatile::Memory
                        || attempt!(slow::is_own(world, at, ty, mem));
                    match (kept, ty) {
                        (false, _) => {
                            let value = attempt!(world.choose(ty, Asked::Volatile, place!()));
                            set_bits!(to, &value);
                            if ty == Type::Ptr {
                                set!(to + 1, 0);
                            }
                        }
                        (true, Type::Ptr) => match world.load_pointer(at, mem) {
                            Ok(pointer) => set_pointer!(to, pointer),
                            Err(fault) => {
                                let any = attempt!(slow::any_pointer(world, fault, place!()));
                                set_pointer!(to, any);
                            }
                        },
                        (true, _) => {
                            let value = attempt!(slow::load_any(world, at, ty, mem, place!()));
                            set_bits!(to, &value);
                        }
                    }
                }
                Ins::Store8 { ptr, value } => store!(ptr, value, u8),
                Ins::Store16 { ptr, value } => store!(ptr, value, u16),
                Ins::Store32 { ptr, value } => store!(ptr, value, u32),
                Ins::Store64 { ptr, value } => store!(ptr, value, u64),
                Ins::StorePtr { ptr, value } => {
                    let (at, value) = (pointer!(ptr), pointer!(value));
                    match world.store_pointer(at, value, mem) {
                        Ok(()) | Err(Fault::Outside) => {}
                        Err(fault) => stop!(fault),
                    }
                }
                Ins::StoreAny { ptr, value, bytes } => {
                    let at = pointer!(ptr);
                    let words = (0..bytes.div_ceil(8)).map(|index| get!(value + index));
                    let all = slow::bytes_of(words, bytes);
                    match world.memory.write(at, &all, mem) {
                        Ok(()) | Err(Fault::Outside) => {}
                        Err(fault) => stop!(fault),
                    }
                }
                Ins::MemCopy { dst, src, len } => {
                    let (dst, src, len) = (pointer!(dst), pointer!(src), get!(len));
                    match world.memory.copy(dst, src, len, (mem, mem2)) {
                        Ok(true) | Err(Fault::Outside) => {}
                        Ok(false) => attempt!(world.havoc(dst, len, mem, place!())),
                        Err(fault) => stop!(fault),
                    }
                    steps = steps.saturating_add(len / 16);
                }
                Ins::MemSet { dst, byte, len } => {
                    let (dst, byte, len) = (pointer!(dst), get!(byte) as u8, get!(len));
                    match world.memory.set(dst, byte, len, mem) {
                        Ok(()) => steps = steps.saturating_add(len / 16),
                        Err(Fault::Outside) => {}
                        Err(fault) => stop!(fault),
                    }
                }
                Ins::MemCompare {
                    to,
                    left,
                    right,
                    len,
                } => {
                    let (left, right, len) = (pointer!(left), pointer!(right), get!(len));
                    match world.memory.compare(left, right, len, (mem, mem2)) {
                        Ok(order) => {
                            set!(to, u64::from(order as u32));
                            steps = steps.saturating_add(len / 16);
                        }
                        Err(Fault::Outside) => {
                            let ty = Type::Int(32);
                            let value = attempt!(world.choose(ty, Asked::Outside, place!()));
                            set!(to, value.low_u64());
                        }
                        Err(fault) => stop!(fault),
                    }
                }
                Ins::MemHavoc { dst, len } => {
                    attempt!(world.havoc(pointer!(dst), get!(len), mem, place!()));
                }
                Ins::Clobber { pointers, mems } => {
                    let list = &code.lists[pointers as usize];
                    let list: Vec<Pointer> = list.iter().map(|&word| pointer!(word)).collect();
                    let seen = slow::memories(regs, &code.lists[mems as usize]);
                    let sees = |memory| mem != ANY_MEMORY || seen.contains(&memory);
                    attempt!(world.clobber(&list, sees, place!()));
                }
                Ins::Show { pointers, mems } => {
                    let list = &code.lists[pointers as usize];
                    let list: Vec<Pointer> = list.iter().map(|&word| pointer!(word)).collect();
                    let seen = slow::memories(regs, &code.lists[mems as usize]);
                    let sees = |memory| mem != ANY_MEMORY || seen.contains(&memory);
                    attempt!(world.show(&list, sees));
                }
                Ins::HavocRegion => attempt!(world.havoc_region(mem, place!())),

                Ins::IsDeref {
                    to,
                    ptr,
                    len,
                    access,
                } => {
                    let at = pointer!(ptr);
                    let answer = attempt!(world.memory.is_deref(at, get!(len), access, mem));
                    set!(to, u64::from(answer));
                }
                Ins::IsFreeable { to, ptr } => {
                    let answer = attempt!(world.memory.is_freeable(pointer!(ptr), mem));
                    set!(to, u64::from(answer));
                }
                Ins::IsDisjoint {
                    to,
                    left,
                    right,
                    len,
                } => {
                    let distance = get!(left).abs_diff(get!(right));
                    let len = get!(len);
                    set!(to, u64::from(len == 0 || distance >= len));
                }
                Ins::AllTracked { to, mems } => {
                    let seen = slow::memories(regs, &code.lists[mems as usize]);
                    let all = attempt!(slow::all_tracked(world, &seen, mem));
                    set!(to, u64::from(all));
                }
                Ins::AllFreed { to, mems } => {
                    let seen = slow::memories(regs, &code.lists[mems as usize]);
                    let all = attempt!(slow::all_freed(world, &seen, mem));
                    set!(to, u64::from(all));
                }
                Ins::IsAlive { to, ptr } => {
                    let number = attempt!(slow::owner(world, pointer!(ptr), mem));
                    let alive = number.is_some_and(|n| world.memory.objects[n as usize].alive);
                    set!(to, u64::from(alive));
                }
                Ins::IsModified { to, ptr } => {
                    let number = attempt!(slow::owner(world, pointer!(ptr), mem));
                    let objects = &world.memory.objects;
                    let modified = number.is_some_and(|n| objects[n as usize].modified);
                    set!(to, u64::from(modified));
                }
                Ins::ResetModified { ptr } => {
                    if let Some(number) = attempt!(slow::owner(world, pointer!(ptr), mem)) {
                        world.memory.objects[number as usize].modified = false;
                    }
                }
                Ins::LoadShadow { to, ptr, ty } => {
                    let ty = code.types[ty as usize];
                    let value = attempt!(slow::load_shadow(world, pointer!(ptr), ty, mem));
                    set_bits!(to, &value);
                }
                Ins::StoreShadow { ptr, value, bytes } => {
                    let at = pointer!(ptr);
                    let words = (0..bytes.div_ceil(8)).map(|index| get!(value + index));
                    let all = slow::bytes_of(words, bytes);
                    attempt!(world.memory.store_shadow(at, &all, mem));
                }
                Ins::ObjectSize { to, ptr } => {
                    let number = attempt!(slow::owner(world, pointer!(ptr), mem));
                    let size = number.map_or(0, |n| world.memory.objects[n as usize].size);
                    set!(to, size & address_mask);
                }
                Ins::ObjectOffset { to, ptr } => {
                    let at = pointer!(ptr);
                    let number = attempt!(slow::owner(world, at, mem));
                    let base = number.map_or(0, |n| world.memory.objects[n as usize].base);
                    set!(to, at.address.wrapping_sub(base) & address_mask);
                }

                Ins::Call { site } => {
                    let site = &code.calls[site as usize];
                    let func = match site.target {
                        Target::Direct(func) => func,
                        Target::Indirect(word) => {
                            let address = get!(word);
                            match slow::callee_at(world, site, address) {
                                Ok(func) => func,
                                Err(why) => stop!(Stop::Stuck(why)),
                            }
                        }
                    };
                    if world.module.funcs[func].body.is_some() {
                        let next = self.codes.get(func);
                        if self.frames.len() >= world.config.depth_limit {
                            stop!(Stop::Outcome(Outcome::DepthLimit));
                        }
                        let base = frame.base + code.frame;
                        let top = base + next.frame;
                        if top > self.stack.len() {
                            attempt!(slow::grow(world, &mut self.stack, top));
                        }
                        let (below, above) = self.stack.split_at_mut(base);
                        regs = &mut below[frame.base..];
                        for (index, &word) in site.args.iter().enumerate() {
                            above[index] = get!(word);
                        }
                        above[next.debug_start..next.frame].fill(0);
                        self.frames.last_mut().expect("a frame is running").pc = pc + 1;
                        frame = Frame {
                            func,
                            code: next,
                            pc: 0,
                            base,
                            stack_objects: world.stack_objects.len(),
                            versions: world.versions.len(),
                        };
                        self.frames.push(frame);
                        code = next;
                        regs = &mut above[..next.frame];
                        pc = 0;
                        continue;
                    }
                    let words: Vec<u64> = site.args.iter().map(|&word| get!(word)).collect();
                    let words = attempt!(slow::call_host(world, host, func, site, &words));
                    for (&to, word) in site.results.iter().zip(words) {
                        set!(to, word);
                    }
                }
                Ins::Assume { cond } => {
                    if get!(cond) == 0 {
                        stop!(Stop::Outcome(Outcome::AssumeFailed));
                    }
                }
                Ins::Check { obligation, cond } => {
                    world.met[obligation] = true;
                    if get!(cond) == 0 {
                        self.frames.last_mut().expect("a frame is running").pc = pc;
                        self.steps = steps;
                        if let Some(outcome) = self.fail(world, obligation) {
                            return Stop::Outcome(outcome);
                        }
                        regs = &mut self.stack[frame.base..frame.base + code.frame];
                    }
                }
                Ins::Debug { value, site } => {
                    let debug = &code.debugs[site as usize];
                    set!(debug.slot, u64::from(site) + 1);
                    for index in 0..debug.count {
                        set!(debug.slot + 1 + index, get!(value + index));
                    }
                }

                Ins::Jump { edge } => take_edge!(edge),
                Ins::Branch { cond, yes, no } => {
                    let edge = if get!(cond) != 0 { yes } else { no };
                    world.note_way(frame.func, edge);
                    take_edge!(edge)
                }
                Ins::Switch { on, site } => {
                    let site = &code.switches[site as usize];
                    let edge = if site.width <= 64 {
                        let value = get!(on);
                        match site.small.binary_search_by_key(&value, |&(case, _)| case) {
                            Ok(index) => site.small[index].1,
                            Err(_) => site.default,
                        }
                    } else {
                        let count = site.width.div_ceil(64);
                        let words = (0..count).map(|index| get!(on + index));
                        slow::wide_case(site, words)
                    };
                    world.note_way(frame.func, edge);
                    take_edge!(edge)
                }
                Ins::Return { start, count } => {
                    let range = start as usize..(start + count) as usize;
                    if world.stack_objects.len() > frame.stack_objects {
                        attempt!(slow::none_escapes(world, &frame));
                        world.pop_stack(frame.stack_objects, |_| true, End::Returned, place!());
                    }
                    if self.frames.len() == 1 {
                        let words: Vec<u64> =
                            code.returns[range].iter().map(|&word| get!(word)).collect();
                        let results = &world.module.funcs[frame.func].results;
                        let values = slow::values_of(results, &words);
                        stop!(Stop::Outcome(Outcome::Returned(values)));
                    }
                    if world.versions.len() > frame.versions && world.memory.heap_is_empty() {
                        world.versions.truncate(frame.versions);
                    }
                    let caller = self.frames[self.frames.len() - 2];
                    let Ins::Call { site } = caller.code.ins[caller.pc - 1] else {
                        stop!(Stop::Error("a return leads to no call".to_string()));
                    };
                    let results = &caller.code.calls[site as usize].results;
                    if results.len() != count as usize {
                        stop!(Stop::Error(
                            "a return has other results than the call expects".to_string()
                        ));
                    }
                    let (below, above) = self.stack.split_at_mut(frame.base);
                    regs = &mut above[..code.frame];
                    let words = &code.returns[range];
                    for (&to, &word) in results.iter().zip(words) {
                        below[caller.base + to as usize] = get!(word);
                    }
                    self.frames.pop();
                    frame = caller;
                    code = frame.code;
                    pc = frame.pc;
                    regs = &mut below[frame.base..];
                    continue;
                }
                Ins::Halt { kind } => stop!(slow::halt(world, kind)),

                Ins::UseMem { mem: slot } => {
                    steps -= 1;
                    mem = regs[slot as usize] as u32;
                    if world.versions.get(mem as usize) != Some(&regs[slot as usize + 1]) {
                        stop!(slow::stale());
                    }
                }
                Ins::UseMem2 { first, second } => {
                    steps -= 1;
                    mem = regs[first as usize] as u32;
                    mem2 = regs[second as usize] as u32;
                    if world.versions.get(mem as usize) != Some(&regs[first as usize + 1])
                        || world.versions.get(mem2 as usize) != Some(&regs[second as usize + 1])
                    {
                        stop!(slow::stale());
                    }
                }
                Ins::UseAny => {
                    steps -= 1;
                    mem = ANY_MEMORY;
                }
                Ins::NewShadow { ptr, byte } => {
                    steps -= 1;
                    world.memory.new_shadow(pointer!(ptr), byte);
                }
                Ins::ClearShadow { ptr, len } => {
                    steps -= 1;
                    world.memory.clear_shadow(pointer!(ptr), get!(len));
                }
                Ins::Look { what, a, b } => {
                    steps -= 1;
                    world.memory.look(what, a, b, |word| get!(word));
                }
                Ins::CopyShadow { dst, src, len } => {
                    steps -= 1;
                    let (dst, src) = (pointer!(dst), pointer!(src));
                    world.memory.copy_shadow(dst, src, get!(len));
                }
                Ins::Expose { ptr } => {
                    steps -= 1;
                    world.memory.expose(pointer!(ptr).object);
                }
                Ins::NextMem { to, mem: slot } => {
                    steps -= 1;
                    let number = regs[slot as usize];
                    let version = world.fresh_version();
                    world.versions[number as usize] = version;
                    set!(to, number);
                    set!(to + 1, version);
                }
                Ins::NewRegion { to } => {
                    let number = world.new_memory();
                    attempt!(world.memory.reserve(8));
                    set!(to, u64::from(number));
                    set!(to + 1, world.versions[number as usize]);
                }
                Ins::Malformed { message } => {
                    stop!(Stop::Error(code.messages[message as usize].clone()));
                }
            }
            pc += 1;
        }
    }
}
