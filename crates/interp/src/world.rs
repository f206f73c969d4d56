//! Everything of a run but the frames: memory, choices, what was recorded.

use base::{Bv, Map};
use ir::syntax::{Func, InitPiece, Module, NondetKind, Obligation, Phase, PlaceId, Type};
use results::trace::{Event, Trace};

use crate::WAYS;
use crate::choices::{Choices, Fill, Refusal};
use crate::config::{Config, Looks, Record, Ways};
use crate::decode::Image;
use crate::memory::place::function_address;
use crate::memory::{Fault, Memory, NewObject, ObjectKind, Origin, Pointer};
use crate::observe::{Asked, Observer};
use crate::outcome::{Failure, Outcome};

/// What a recorded event counts against the memory limit.
const EVENT: u64 = 64;

/// Why the frames stop moving.
pub(crate) enum Stop {
    /// The run is over.
    Outcome(Outcome),
    /// Memory refused; the place is added to the message.
    Fault(Fault),
    /// The choices refused.
    Refusal(Refusal),
    /// Our bug; the place is added to the message.
    Error(String),
    /// The program cannot go on; the call stack is added.
    Stuck(String),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refusal(refusal)
    }
}

pub(crate) struct World<'a> {
    pub(crate) module: &'a Module,
    pub(crate) config: &'a Config,
    pub(crate) memory: Memory,
    /// The current version of each memory; 0 is the only one before phase Pure.
    pub(crate) versions: Vec<u64>,
    next_version: u64,
    choices: &'a mut dyn Choices,
    pub(crate) observer: Option<&'a mut dyn Observer>,
    events: Vec<Event>,
    asked: u64,
    /// The stack objects of all activations, in the order in which they were made.
    pub(crate) stack_objects: Vec<u32>,
    /// Objects that unknown code has seen.
    pub(crate) escaped: Vec<u32>,
    pub(crate) failures: Vec<Failure>,
    /// The obligations that execution came to.
    pub(crate) met: Map<Obligation, bool>,
    /// How often each way at a branch was taken; empty if nobody wants to know.
    pub(crate) ways: Vec<u8>,
    /// The memory that what belongs to no object lives in (Pure).
    unknown_memory: Option<u32>,
}

impl<'a> World<'a> {
    /// A world in which only the globals exist. Also yields where they are.
    pub(crate) fn new(
        module: &'a Module,
        config: &'a Config,
        choices: &'a mut dyn Choices,
        observer: Option<&'a mut dyn Observer>,
    ) -> Result<(World<'a>, Image<'a>), Outcome> {
        let memory = Memory::new(
            module.machine.pointer_bits,
            module.funcs.len(),
            config.memory_limit,
        );
        let mut world = World {
            module,
            config,
            memory,
            versions: vec![0],
            next_version: 1,
            choices,
            observer,
            events: Vec::new(),
            asked: 0,
            stack_objects: Vec::new(),
            escaped: Vec::new(),
            failures: Vec::new(),
            met: Map::filled(false, module.obligations.len()),
            ways: match config.ways {
                Ways::Ignored => Vec::new(),
                Ways::Noted => vec![0; WAYS],
            },
            unknown_memory: unknown_memory(module),
        };
        world.memory.devices.clone_from(&module.mmio);
        if let Some(fill) = &config.unknown {
            world.memory.open_unknown(fill.clone());
        }
        let shadows = asks_for_shadows(module);
        if shadows {
            world.memory.keep_shadows();
        }
        match world.make_globals() {
            Ok(globals) => {
                let image = Image {
                    module,
                    globals,
                    shadows,
                    looks: config.looks == Looks::Noted,
                };
                Ok((world, image))
            }
            Err(Stop::Outcome(outcome)) => Err(outcome),
            Err(Stop::Fault(Fault::Full(why))) => Err(Outcome::MemoryLimit(why)),
            Err(Stop::Fault(Fault::Misplaced(why))) => {
                Err(Outcome::Refused(Refusal::Mismatch(why)))
            }
            Err(Stop::Refusal(refusal)) => Err(Outcome::Refused(refusal)),
            Err(Stop::Error(why) | Stop::Stuck(why)) => Err(Outcome::Error(why)),
            Err(Stop::Fault(Fault::Outside | Fault::Region(_))) => Err(Outcome::Error(
                "a global's contents are larger than it is".to_string(),
            )),
        }
    }

    /// Notes that a branch or switch of a function was left by this edge, if anybody wants to know.
    #[inline]
    pub(crate) fn note_way(&mut self, func: Func, edge: u32) {
        if !self.ways.is_empty() {
            let hash = (func.index() as u32).wrapping_mul(0x9e37_79b1) ^ edge;
            let way = &mut self.ways[hash as usize % WAYS];
            *way = way.saturating_add(1);
        }
    }

    /// Allocates and fills the globals.
    fn make_globals(&mut self) -> Result<Vec<Pointer>, Stop> {
        let mut globals = Vec::new();
        let module = self.module;
        // In Pure the entry function's regions say where each global lives.
        let mut memory_of = vec![0; module.globals.len()];
        if module.phase >= Phase::Pure {
            memory_of.fill(u32::MAX - 1);
            let entry = module.entry.and_then(|func| module.funcs.get(func));
            let body = entry.and_then(|data| data.body.as_ref());
            for (_, region) in body.into_iter().flat_map(|body| body.mem_params()) {
                let number = self.new_memory();
                let data = body.and_then(|body| body.regions.get(region));
                for global in data.into_iter().flat_map(|data| &data.globals) {
                    if let Some(slot) = memory_of.get_mut(global.index()) {
                        *slot = number;
                    }
                }
            }
        }
        for (global, data) in module.globals.iter() {
            let choice = self.config.globals.iter().find(|c| c.global == global);
            let zeroed = is_chosen_nowhere(&data.init);
            let object = self.memory.allocate(NewObject {
                kind: ObjectKind::Global,
                size: data.size,
                align: data.align,
                constant: data.constant,
                zeroed,
                memory: memory_of[global.index()],
                address: choice.and_then(|choice| choice.address),
                fill: choice.map_or(Fill::Zero, |choice| Fill::listed(&choice.bytes)),
                event: None,
                origin: Origin {
                    var: data.var,
                    global: Some(global),
                    allocated: data
                        .var
                        .and_then(|var| module.vars.get(var))
                        .and_then(|var| var.place),
                    ended: None,
                },
            })?;
            globals.push(Pointer {
                address: self.memory.objects[object as usize].base,
                object,
            });
        }
        let step = u64::from(module.machine.pointer_bits / 8);
        for (global, data) in module.globals.iter() {
            let start = globals[global.index()];
            let memory = memory_of[global.index()];
            let mut at = start;
            let zeroed = is_chosen_nowhere(&data.init);
            for piece in &data.init {
                let len = match piece {
                    InitPiece::Bytes(bytes) => {
                        self.memory.write(at, bytes, memory)?;
                        bytes.len() as u64
                    }
                    InitPiece::Zero(len) if zeroed => *len,
                    InitPiece::Zero(len) => {
                        self.memory.set(at, 0, *len, memory)?;
                        *len
                    }
                    InitPiece::Any(len) => *len,
                    InitPiece::Pointer(constant) => {
                        let pointer = self.static_pointer(constant, &globals)?;
                        self.store_pointer(at, pointer, memory)?;
                        step
                    }
                };
                at.address = at.address.wrapping_add(len);
            }
            self.memory.objects[start.object as usize].modified = false;
        }
        Ok(globals)
    }

    fn static_pointer(
        &self,
        constant: &ir::syntax::Const,
        globals: &[Pointer],
    ) -> Result<Pointer, Stop> {
        use ir::syntax::Const;
        let mask = u64::MAX >> (64 - self.module.machine.pointer_bits);
        match constant {
            Const::Null => Ok(Pointer {
                address: 0,
                object: 0,
            }),
            Const::Global(global, offset) => match globals.get(global.index()) {
                Some(pointer) => Ok(Pointer {
                    address: pointer.address.wrapping_add_signed(*offset) & mask,
                    object: pointer.object,
                }),
                None => Err(Stop::Error(format!("{global} does not exist"))),
            },
            Const::Func(func) => Ok(Pointer {
                address: function_address(self.module.machine.pointer_bits, func.index()),
                object: 0,
            }),
            Const::Int(_) | Const::Float(..) => Err(Stop::Error(
                "a pointer in a global's contents is a number".to_string(),
            )),
        }
    }

    /// Stores a pointer as wide as the machine's.
    pub(crate) fn store_pointer(
        &mut self,
        at: Pointer,
        value: Pointer,
        memory: u32,
    ) -> Result<(), Fault> {
        match self.module.machine.pointer_bits {
            16 => self.memory.store_pointer::<2>(at, value, memory),
            32 => self.memory.store_pointer::<4>(at, value, memory),
            _ => self.memory.store_pointer::<8>(at, value, memory),
        }
    }

    /// Loads a pointer as wide as the machine's.
    pub(crate) fn load_pointer(&mut self, at: Pointer, memory: u32) -> Result<Pointer, Fault> {
        match self.module.machine.pointer_bits {
            16 => self.memory.load_pointer::<2>(at, memory),
            32 => self.memory.load_pointer::<4>(at, memory),
            _ => self.memory.load_pointer::<8>(at, memory),
        }
    }

    /// A new memory, with its first version.
    pub(crate) fn new_memory(&mut self) -> u32 {
        let version = self.fresh_version();
        self.versions.push(version);
        self.versions.len() as u32 - 1
    }

    /// A version number that was never used.
    #[inline]
    pub(crate) fn fresh_version(&mut self) -> u64 {
        let version = self.next_version;
        self.next_version += 1;
        version
    }

    fn note(&mut self, asked: Asked, place: Option<PlaceId>, event: Event) -> Result<(), Stop> {
        self.asked += 1;
        if let Some(observer) = &mut self.observer {
            observer.choice(asked, &event, place);
        }
        if self.config.record == Record::On {
            self.memory.reserve(EVENT)?;
            self.events.push(event);
        }
        Ok(())
    }

    /// A freely chosen value of a scalar type.
    pub(crate) fn choose(
        &mut self,
        ty: Type,
        asked: Asked,
        place: Option<PlaceId>,
    ) -> Result<Bv, Stop> {
        let width = ty
            .bits(self.module.machine)
            .ok_or_else(|| Stop::Error("a memory cannot be chosen".to_string()))?;
        let value = self.choices.value(width)?;
        self.note(asked, place, Event::Value(value.clone()))?;
        Ok(value)
    }

    /// A `nondet`.
    pub(crate) fn nondet(
        &mut self,
        ty: Type,
        kind: NondetKind,
        place: Option<PlaceId>,
    ) -> Result<Bv, Stop> {
        self.choose(ty, Asked::Nondet(kind), place)
    }

    /// A new object. The recorded event gets its bytes when the run is over.
    pub(crate) fn allocate(
        &mut self,
        mut new: NewObject,
        place: Option<PlaceId>,
    ) -> Result<Pointer, Stop> {
        let choice = self.choices.object(new.size)?;
        new.address = choice.address;
        new.fill = choice.fill;
        new.event = self.next_event();
        let object = self.memory.allocate(new)?;
        let address = self.memory.objects[object as usize].base;
        let event = Event::Object {
            address: Some(address),
            bytes: Vec::new(),
        };
        self.note(Asked::Alloc, place, event)?;
        Ok(Pointer { address, object })
    }

    /// The number that the next recorded event gets.
    fn next_event(&self) -> Option<u32> {
        match self.config.record {
            Record::On => u32::try_from(self.events.len()).ok(),
            Record::Off => None,
        }
    }

    /// A scope entered: the stack object is alive with new contents.
    pub(crate) fn revive(
        &mut self,
        pointer: Pointer,
        memory: u32,
        place: Option<PlaceId>,
    ) -> Result<(), Stop> {
        let object = &self.memory.objects[pointer.object as usize];
        if pointer.object != 0 && object.memory != memory {
            return Err(Stop::Fault(Fault::Region(pointer.object)));
        }
        let base = object.base;
        let choice = self.choices.object(object.size)?;
        if choice.address.is_some_and(|address| address != base) {
            return Err(Stop::Refusal(Refusal::Mismatch(format!(
                "a scope is entered again, but its object moves from {base:#x}"
            ))));
        }
        let event = self.next_event();
        self.memory.revive(pointer.object, choice.fill, event)?;
        let event = Event::Object {
            address: Some(base),
            bytes: Vec::new(),
        };
        self.note(Asked::Scope, place, event)
    }

    /// Chosen bytes for a range.
    pub(crate) fn havoc(
        &mut self,
        dst: Pointer,
        len: u64,
        memory: u32,
        place: Option<PlaceId>,
    ) -> Result<(), Stop> {
        let fill = self.choices.bytes(len)?;
        let mut listed = Vec::new();
        let inside = len == 0
            || match self.memory.locate(dst, len, memory) {
                Ok(_) => true,
                Err(Fault::Outside) => false,
                Err(fault) => return Err(fault.into()),
            };
        if inside && fill == Fill::Zero {
            self.memory.set(dst, 0, len, memory)?;
        } else if inside {
            self.memory.reserve_briefly(len)?;
            let bytes: Vec<u8> = (0..len).map(|offset| fill.byte(offset)).collect();
            self.memory.write(dst, &bytes, memory)?;
            let all = bytes.iter().enumerate().filter(|&(_, &byte)| byte != 0);
            listed = all.map(|(at, &byte)| (at as u64, byte)).collect();
        }
        self.note(Asked::Bytes, place, Event::Bytes(listed))
    }

    /// Unknown code sees what it can reach, and what it can change of that is returned: where, and how much. `sees` says
    /// whether it has a memory.
    pub(crate) fn show(
        &mut self,
        pointers: &[Pointer],
        sees: impl Fn(u32) -> bool,
    ) -> Result<Vec<(u64, u64)>, Stop> {
        let mut roots = std::mem::take(&mut self.escaped);
        roots.extend(self.memory.unknown);
        for &pointer in pointers {
            roots.extend(self.memory.owner(pointer));
        }
        for (number, object) in self.memory.objects.iter().enumerate() {
            let global = object.origin.global;
            if global.is_some_and(|global| self.module.globals[global].external) {
                roots.push(number as u32);
            }
        }
        self.escaped = self.memory.closure(roots, |_| true);
        let mut reach = Vec::new();
        for &number in &self.escaped {
            let object = &self.memory.objects[number as usize];
            if object.constant {
                continue;
            }
            if !sees(object.memory) && self.memory.unknown != Some(number) {
                return Err(Stop::Fault(Fault::Region(number)));
            }
            reach.push((object.base, object.size));
        }
        for &number in &self.escaped {
            self.memory.expose(number);
        }
        Ok(reach)
    }

    /// Unknown code: any change to what it can reach. `sees` says whether it may change a memory.
    pub(crate) fn clobber(
        &mut self,
        pointers: &[Pointer],
        sees: impl Fn(u32) -> bool,
        place: Option<PlaceId>,
    ) -> Result<(), Stop> {
        let reach = self.show(pointers, sees)?;
        for &number in &self.escaped {
            if !self.memory.objects[number as usize].constant {
                // Unknown code may have initialised it.
                self.memory.clear_object_shadow(number);
            }
        }
        let changes = self.choices.clobber(&reach)?;
        for &(address, byte) in &changes {
            let pointer = Pointer { address, object: 0 };
            let unknown = self.memory.unknown;
            let unknown = unknown.filter(|&unknown| {
                let size = self.memory.objects[unknown as usize].size;
                (4096..size).contains(&address)
            });
            let number = self.memory.owner(pointer).or(unknown);
            let inside = number.is_some_and(|number| self.escaped.contains(&number));
            if !inside {
                return Err(Stop::Refusal(Refusal::Mismatch(format!(
                    "unknown code cannot change address {address:#x}"
                ))));
            }
            match number {
                Some(number) if self.memory.unknown == Some(number) => {
                    self.memory.set_byte(number, address, byte)?;
                }
                // A pointer that is left alone is still one to its object.
                Some(number) if self.memory.holds(number, address, byte) => {
                    self.memory.objects[number as usize].modified = true;
                }
                Some(_) | None => {
                    let any = crate::memory::ANY_MEMORY;
                    self.memory.write(pointer, &[byte], any)?;
                }
            }
        }
        self.note(Asked::Clobber, place, Event::Clobber(changes))
    }

    /// Any bytes in all objects of a memory that may be written.
    pub(crate) fn havoc_region(&mut self, memory: u32, place: Option<PlaceId>) -> Result<(), Stop> {
        let holds_unknown = self.unknown_memory == Some(memory);
        let unknown = self.memory.unknown.filter(|_| holds_unknown);
        let mut reach = Vec::new();
        let mut numbers = Vec::new();
        for (number, object) in (0..).zip(&self.memory.objects) {
            let here = object.memory == memory && self.memory.unknown != Some(number);
            // What is sealed is still written by its initialiser.
            let fixed = object.constant && object.kind != ObjectKind::Stack;
            if here && object.alive && !fixed {
                reach.push((object.base, object.size));
                numbers.push(number);
            }
        }
        // What belongs to no object comes last: an address in an object is the object's.
        if let Some(unknown) = unknown {
            let object = &self.memory.objects[unknown as usize];
            reach.push((object.base, object.size));
            numbers.push(unknown);
        }
        for &number in &numbers {
            self.memory.clear_object_shadow(number);
            self.memory.objects[number as usize].modified = true;
        }
        let changes = self.choices.clobber(&reach)?;
        for &(address, byte) in &changes {
            let inside = |&(start, len): &(u64, u64)| address.wrapping_sub(start) < len;
            let Some(index) = reach.iter().position(inside) else {
                return Err(Stop::Refusal(Refusal::Mismatch(format!(
                    "address {address:#x} is not in the region"
                ))));
            };
            let object = numbers[index];
            match unknown == Some(object) {
                true => self.memory.set_byte(object, address, byte)?,
                false => {
                    let any = crate::memory::ANY_MEMORY;
                    let pointer = Pointer { address, object };
                    self.memory.write(pointer, &[byte], any)?;
                }
            }
        }
        self.note(Asked::Clobber, place, Event::Clobber(changes))
    }

    /// Ends the life of stack objects made since a mark. `sees` says which memories the operation
    /// names; objects elsewhere stay.
    pub(crate) fn pop_stack(
        &mut self,
        mark: usize,
        sees: impl Fn(u32) -> bool,
        end: crate::memory::End,
        place: Option<PlaceId>,
    ) {
        let mut kept = Vec::new();
        for number in self.stack_objects.drain(mark..) {
            let object = &self.memory.objects[number as usize];
            if object.alive && !sees(object.memory) {
                kept.push(number);
            } else {
                self.memory.end(number, end, place);
            }
        }
        self.stack_objects.extend(kept);
    }

    /// The recorded choices, with the bytes that were read.
    pub(crate) fn take_trace(&mut self) -> (Trace, u64) {
        let mut events = std::mem::take(&mut self.events);
        for &(event, offset, byte) in &self.memory.observed {
            if let Some(Event::Object { bytes, .. }) = events.get_mut(event as usize) {
                bytes.push((offset, byte));
            }
        }
        for event in &mut events {
            if let Event::Object { bytes, .. } = event {
                bytes.sort_unstable();
            }
        }
        (Trace { events }, self.asked)
    }
}

/// Does a global have no byte of any value? Then it starts with zeros, page by page.
fn is_chosen_nowhere(init: &[InitPiece]) -> bool {
    init.iter().all(|piece| match piece {
        InitPiece::Bytes(_) | InitPiece::Zero(_) | InitPiece::Pointer(_) => true,
        InitPiece::Any(len) => *len == 0,
    })
}

/// The number of the entry's memory that what belongs to no object lives in; see `interpreter.rs` for the numbers.
fn unknown_memory(module: &Module) -> Option<u32> {
    let body = module.funcs.get(module.entry?)?.body.as_ref()?;
    let mut params = (1..).zip(&body.params);
    let found = params.find(|(_, param)| match body.values[**param].ty {
        Type::Mem(region) => body.regions[region].unknown,
        Type::Int(_) | Type::Float(_) | Type::Ptr => false,
    });
    found.map(|(number, _)| number)
}

/// Does the program ask which memory is initialised?
fn asks_for_shadows(module: &Module) -> bool {
    module
        .funcs
        .values()
        .filter_map(|func| func.body.as_ref())
        .flat_map(|body| body.insts.values())
        .any(|inst| matches!(inst.op, ir::syntax::Op::LoadShadow { .. }))
}
