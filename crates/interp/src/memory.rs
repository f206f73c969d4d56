//! The program's memory: objects, and pointers that know their object.
//!
//! A pointer is an address and the number of the object it was derived from (0 for none). An
//! access goes to that object, whatever lies at the address; a pointer without an object gets the
//! live object at its address. Object 0 is a dead object of size 0, so that the common path needs
//! no case for "none".
//!
//! In phase Pure each object lives in one memory (an instance of a region); an access names the
//! memory that it expects, and any other is a [`Fault::Region`], which is our bug and not the
//! program's. Before Pure everything lives in memory 0.
//!
//! Objects up to [`FLAT_LIMIT`] bytes own their bytes, larger ones a map of pages. Dead objects lose
//! their bytes but keep their record, so that messages can tell where they were freed; records
//! that nothing points to are dropped from time to time ([`reach`]).

use std::collections::BTreeMap;

use ir::syntax::{Global, PlaceId, Var};

use crate::choices::Fill;

pub(crate) mod access;
pub(crate) mod chunk;
mod large;
mod looks;
pub(crate) mod place;
pub(crate) mod reach;
pub(crate) mod shadow;

use chunk::{Chunk, Fresh, MAX_OBJECT};
use large::Pages;

/// Largest object whose bytes are one piece.
const FLAT_LIMIT: u64 = 1 << 20;

/// Bytes of a page of a larger object.
const PAGE: u64 = 4096;

/// Objects of less than so many bytes leave theirs to later ones, at most [`POOL`] of each size.
const POOLED: usize = 65;

/// How many are kept of each size.
const POOL: usize = 256;

/// What a record of an object counts against the memory limit.
const RECORD: u64 = 160;

/// The memory that no access names: operations of Pure that do not say which one they read.
pub(crate) const ANY_MEMORY: u32 = u32::MAX;

/// A pointer: where it points, and into which object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Pointer {
    /// The address.
    pub address: u64,
    /// The number of the object it was derived from, 0 for none.
    pub object: u32,
}

pub use results::explanation::{End, ObjectKind};

/// What is known about an object for messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The source variable.
    pub var: Option<Var>,
    /// The global.
    pub global: Option<Global>,
    /// Where it was allocated.
    pub allocated: Option<PlaceId>,
    /// How and where its life ended.
    pub ended: Option<(End, Option<PlaceId>)>,
}

/// An object.
#[derive(Debug)]
pub struct Object {
    /// Address of its first byte.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// Kind.
    pub kind: ObjectKind,
    /// Is it alive?
    pub alive: bool,
    /// May it not be written?
    pub constant: bool,
    /// Was it written since its allocation or the last `reset_modified`?
    pub modified: bool,
    /// Can an address lead to it? Its address became an integer, or a pointer to it was stored.
    pub exposed: bool,
    /// The memory it lives in (Pure; 0 before).
    pub memory: u32,
    /// For messages.
    pub origin: Origin,
    /// The size while alive, else 0: what accesses compare with.
    limit: u64,
    store: Store,
    fresh: Fresh,
    fill: Fill,
    /// The recorded event that chose its contents.
    event: Option<u32>,
}

#[derive(Debug)]
enum Store {
    Gone,
    Flat(Chunk),
    Pages(Pages),
}

/// Why an access did not happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not inside a live object.
    Outside,
    /// The object (by number) lives in another memory than the access names.
    Region(u32),
    /// The memory limit, or the end of the address space.
    Full(String),
    /// An object cannot be at the address that was asked for.
    Misplaced(String),
}

/// What a new object shall be.
#[derive(Clone, Debug)]
pub struct NewObject {
    /// Kind.
    pub kind: ObjectKind,
    /// Size in bytes.
    pub size: u64,
    /// Alignment of its address.
    pub align: u64,
    /// May it not be written?
    pub constant: bool,
    /// Are its contents zero?
    pub zeroed: bool,
    /// The memory it lives in.
    pub memory: u32,
    /// The address that was asked for.
    pub address: Option<u64>,
    /// Contents of bytes that are not zeroed.
    pub fill: Fill,
    /// The recorded event that chose the contents.
    pub event: Option<u32>,
    /// For messages.
    pub origin: Origin,
}

/// All objects.
#[derive(Debug)]
pub struct Memory {
    pub(crate) objects: Vec<Object>,
    /// Numbers of records that were dropped.
    free: Vec<u32>,
    /// Live objects by address; made when first needed.
    by_address: Option<BTreeMap<u64, u32>>,
    pub(crate) pointer_bits: u32,
    places: place::Places,
    used: u64,
    limit: u64,
    /// Records after which dropping the unreachable ones pays.
    collect_at: usize,
    /// Live heap objects.
    heap: usize,
    /// First reads of bytes that were never written: event, offset, byte.
    pub(crate) observed: Vec<(u32, u64, u8)>,
    /// Did the execution depend on addresses?
    pub(crate) looked: bool,
    scratch: Vec<u8>,
    scratch_provenance: Vec<u32>,
    /// Bytes of small objects that died, by size, for the next ones.
    pool: Vec<Vec<Chunk>>,
    /// The record of memory that belongs to no object, if there is such memory.
    pub(crate) unknown: Option<u32>,
    /// Ranges of addresses (first and last) that belong to devices.
    pub(crate) devices: Vec<(u64, u64)>,
    /// What is not initialised, if the program asks for it.
    pub(crate) shadows: Option<shadow::Shadows>,
}

impl Memory {
    /// An empty memory beside this many functions.
    pub fn new(pointer_bits: u32, functions: usize, limit: u64) -> Memory {
        let nothing = Object {
            base: 0,
            size: 0,
            kind: ObjectKind::Global,
            alive: false,
            constant: true,
            modified: false,
            exposed: false,
            memory: ANY_MEMORY,
            origin: Origin::default(),
            limit: 0,
            store: Store::Gone,
            fresh: Fresh::Zero,
            fill: Fill::Zero,
            event: None,
        };
        Memory {
            objects: vec![nothing],
            free: Vec::new(),
            by_address: None,
            pointer_bits,
            places: place::Places::new(pointer_bits, functions),
            used: 0,
            limit,
            collect_at: 1 << 16,
            heap: 0,
            observed: Vec::new(),
            looked: false,
            scratch: Vec::new(),
            scratch_provenance: Vec::new(),
            pool: vec![Vec::new(); POOLED],
            unknown: None,
            devices: Vec::new(),
            shadows: None,
        }
    }

    /// From now on there is memory that belongs to no object, with these contents.
    pub(crate) fn open_unknown(&mut self, fill: Fill) {
        let size = (u64::MAX >> (64 - self.pointer_bits)) - (PAGE - 1);
        self.unknown = Some(self.objects.len() as u32);
        self.objects.push(Object {
            base: 0,
            size,
            kind: ObjectKind::Global,
            alive: true,
            constant: false,
            modified: false,
            exposed: false,
            memory: ANY_MEMORY,
            origin: Origin::default(),
            limit: size,
            store: Store::Pages(Pages::default()),
            fresh: Fresh::Unknown,
            fill,
            event: None,
        });
    }

    /// Does memory that belongs to no object have the address? All but the first page, the last ones,
    /// and devices.
    pub(crate) fn is_unknown(&self, address: u64) -> bool {
        let last = (u64::MAX >> (64 - self.pointer_bits)) - 2 * PAGE;
        (PAGE..=last).contains(&address) && !self.is_device(address, 1)
    }

    /// An address can lead to the object from now on.
    #[inline]
    pub fn expose(&mut self, number: u32) {
        self.objects[number as usize].exposed = true;
    }

    /// Makes an object and returns its number.
    pub fn allocate(&mut self, new: NewObject) -> Result<u32, Fault> {
        let base = self.choose_address(new.size, new.align, new.address)?;
        let fresh = if new.zeroed {
            Fresh::Zero
        } else {
            Fresh::Unknown
        };
        self.reserve(RECORD)?;
        let store = self.new_store(new.size, fresh)?;
        let object = Object {
            base,
            size: new.size,
            kind: new.kind,
            alive: true,
            constant: new.constant,
            modified: false,
            exposed: false,
            memory: new.memory,
            origin: new.origin,
            limit: new.size,
            store,
            fresh,
            fill: new.fill,
            event: new.event,
        };
        let number = match self.free.pop() {
            Some(number) => {
                self.objects[number as usize] = object;
                number
            }
            None if self.objects.len() > MAX_OBJECT as usize => {
                return Err(Fault::Full("there are too many objects".to_string()));
            }
            None => {
                self.objects.push(object);
                self.objects.len() as u32 - 1
            }
        };
        if let Some(map) = &mut self.by_address {
            map.insert(base, number);
        }
        self.drop_shadow(number);
        self.heap += usize::from(new.kind == ObjectKind::Heap);
        Ok(number)
    }

    /// Ends an object's life; nothing if it is dead.
    pub fn end(&mut self, number: u32, end: End, place: Option<PlaceId>) {
        let object = &mut self.objects[number as usize];
        if !object.alive {
            return;
        }
        object.alive = false;
        object.limit = 0;
        object.origin.ended = Some((end, place));
        object.fill = Fill::Zero;
        self.heap -= usize::from(object.kind == ObjectKind::Heap);
        let store = std::mem::replace(&mut object.store, Store::Gone);
        self.used -= store.cost();
        if let Some(map) = &mut self.by_address {
            if map.get(&object.base) == Some(&number) {
                map.remove(&object.base);
            }
        }
        if let Store::Flat(chunk) = store {
            if let Some(pool) = self.pool.get_mut(chunk.bytes.len()) {
                if chunk.known.is_some() && pool.len() < POOL {
                    pool.push(chunk);
                }
            }
        }
    }

    /// A stack object (dead or alive) becomes alive with new contents; false if it is none.
    pub fn revive(&mut self, number: u32, fill: Fill, event: Option<u32>) -> Result<bool, Fault> {
        let object = &self.objects[number as usize];
        if object.kind != ObjectKind::Stack || number == 0 {
            return Ok(false);
        }
        let (base, size) = (object.base, object.size);
        let old = std::mem::replace(&mut self.objects[number as usize].store, Store::Gone);
        self.used -= old.cost();
        if !self.objects[number as usize].alive && self.is_crowded() {
            self.check_vacant(base, size)?;
        }
        let store = self.new_store(size, Fresh::Unknown)?;
        let object = &mut self.objects[number as usize];
        object.store = store;
        object.alive = true;
        object.limit = size;
        object.fresh = Fresh::Unknown;
        object.fill = fill;
        object.event = event;
        object.origin.ended = None;
        if let Some(map) = &mut self.by_address {
            map.insert(base, number);
        }
        Ok(true)
    }

    /// The object of a pointer: its own, dead or alive, or the live one at its address.
    #[inline]
    pub fn owner(&mut self, pointer: Pointer) -> Option<u32> {
        if pointer.object != 0 {
            return Some(pointer.object);
        }
        self.looked |= pointer.address != 0;
        let found = self.live_at(pointer.address);
        if self.unknown.is_none() {
            return found;
        }
        // What the address does not lead to is memory of no object.
        found.filter(|&number| {
            let object = &self.objects[number as usize];
            object.exposed && pointer.address - object.base < object.size
        })
    }

    /// The live object that holds an address, else one that ends there.
    pub fn live_at(&mut self, address: u64) -> Option<u32> {
        let objects = &self.objects;
        let map = self.by_address.get_or_insert_with(|| live_objects(objects));
        let mut ending = None;
        // Objects may touch: the one that begins at the address comes first, then the one before.
        for (&base, &number) in map.range(..=address).rev().take(2) {
            let size = objects[number as usize].size;
            if address - base < size || (size == 0 && address == base) {
                return Some(number);
            }
            if address - base == size {
                ending = ending.or(Some(number));
            }
        }
        ending
    }

    /// A dead object that held an address, the last one, for messages.
    pub fn dead_at(&self, address: u64) -> Option<u32> {
        let found = self.objects.iter().enumerate().skip(1).rev();
        let mut found = found.filter(|(_, object)| {
            !object.alive && object.size > 0 && address.wrapping_sub(object.base) < object.size
        });
        found.next().map(|(number, _)| number as u32)
    }

    /// Is there no live heap object?
    pub fn heap_is_empty(&self) -> bool {
        self.heap == 0
    }

    /// Bytes of the host's memory in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Counts bytes against the memory limit.
    pub(crate) fn reserve(&mut self, bytes: u64) -> Result<(), Fault> {
        let used = self.used.saturating_add(bytes);
        if used > self.limit {
            let mib = self.limit >> 20;
            return Err(Fault::Full(format!(
                "the program needs more than {mib} MiB of memory"
            )));
        }
        self.used = used;
        Ok(())
    }

    /// Checks that a temporary copy of so many bytes fits the memory limit.
    pub(crate) fn reserve_briefly(&mut self, bytes: u64) -> Result<(), Fault> {
        self.reserve(bytes)?;
        self.used -= bytes;
        Ok(())
    }

    fn new_store(&mut self, size: u64, fresh: Fresh) -> Result<Store, Fault> {
        if size > FLAT_LIMIT {
            return Ok(Store::Pages(Pages::default()));
        }
        let used = match (fresh, self.pool.get_mut(size as usize)) {
            (Fresh::Unknown, Some(pool)) => pool.pop(),
            (Fresh::Zero | Fresh::Unknown, _) => None,
        };
        let store = Store::Flat(match used {
            Some(mut chunk) => {
                chunk.forget();
                chunk
            }
            None => Chunk::new(size as usize, fresh),
        });
        self.reserve(store.cost())?;
        Ok(store)
    }
}

impl Store {
    /// What it counts against the memory limit.
    fn cost(&self) -> u64 {
        match self {
            Store::Gone => 0,
            Store::Flat(chunk) => chunk.cost(),
            #[allow(
                clippy::iter_over_hash_type,
                reason = "a sum does not depend on the order"
            )]
            Store::Pages(pages) => {
                let mut sum = 0;
                for chunk in pages.own.values() {
                    sum += chunk.cost();
                }
                sum
            }
        }
    }
}

fn live_objects(objects: &[Object]) -> BTreeMap<u64, u32> {
    let live = objects
        .iter()
        .enumerate()
        // Memory of no object is no object.
        .filter(|(_, object)| object.alive && object.memory != ANY_MEMORY);
    live.map(|(number, object)| (object.base, number as u32))
        .collect()
}
