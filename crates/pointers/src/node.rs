//! What is known of a set of objects, and of what bytes hold.
//!
//! Everything here only grows: flags are added, grids get finer, what was uniform becomes mixed.

use ir::syntax::{Func, Global, Inst, Type};

/// A set of flags, declared with their meaning.
macro_rules! flags {
    ($(#[$meta:meta])* $name:ident { $($(#[$flag_meta:meta])* $flag:ident = $bit:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
        pub struct $name(u16);

        impl $name {
            $($(#[$flag_meta])* pub const $flag: $name = $name(1 << $bit);)+
            /// Nothing set.
            pub const NONE: $name = $name(0);

            /// Are all of these set?
            pub fn has(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }

            /// Sets these; was any of them new?
            pub fn add(&mut self, other: $name) -> bool {
                let before = self.0;
                self.0 |= other.0;
                self.0 != before
            }
        }
    };
}

flags! {
    /// What is known of a node.
    NodeFlags {
        /// Heap objects are among them.
        HEAP = 0;
        /// Stack objects are among them.
        STACK = 1;
        /// Globals are among them.
        GLOBAL = 2;
        /// Functions are among them.
        FUNC = 3;
        /// Read.
        READ = 4;
        /// Modified, allocation and release included.
        MODIFIED = 5;
        /// An address in it became an integer that was computed with, or was seen by unknown code.
        EXPOSED = 6;
        /// Reached by a pointer that was made from a computed or freely chosen integer.
        INT_TO_POINTER = 7;
        /// Unknown code reaches it.
        EXTERNAL = 8;
        /// Reached from a parameter, a result or a global: callers may know more objects.
        INCOMPLETE = 9;
    }
}

flags! {
    /// How integers and pointers meet in a slot.
    SlotFlags {
        /// May hold an integer that was not copied from a pointer: computed, constant, free, or
        /// put together from pieces.
        ARBITRARY = 0;
        /// Is used as a pointer.
        POINTER = 1;
        /// Its bits are computed with.
        OBSERVED = 2;
        /// Belongs to bytes that all functions share.
        SHARED = 3;
    }
}

/// How many objects, as far as allocation tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Count {
    /// None known.
    #[default]
    None,
    /// One at a time.
    One,
    /// Perhaps several.
    Many,
}

/// Something that is the same everywhere, or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uniform<T> {
    /// Not seen yet.
    #[default]
    None,
    /// Always this.
    One(T),
    /// Differs.
    Mixed,
}

impl<T: Copy + PartialEq> Uniform<T> {
    /// Sees another one.
    pub fn see(&mut self, value: T) {
        *self = match *self {
            Uniform::None => Uniform::One(value),
            Uniform::One(old) if old == value => Uniform::One(old),
            Uniform::One(_) | Uniform::Mixed => Uniform::Mixed,
        };
    }

    /// Sees all of the other's.
    pub fn join(&mut self, other: Uniform<T>) {
        match other {
            Uniform::None => {}
            Uniform::One(value) => self.see(value),
            Uniform::Mixed => *self = Uniform::Mixed,
        }
    }
}

/// Offsets and lengths on a common grid: `anchor + k * step`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// A point of the grid, in the node's coordinates.
    pub anchor: Option<i64>,
    /// The distance of neighbours; 0 while there is one point only.
    pub step: u64,
}

impl Grid {
    /// A point that something begins at.
    pub fn point(&mut self, offset: i64) {
        match self.anchor {
            None => self.anchor = Some(offset),
            Some(anchor) => self.length(offset.wrapping_sub(anchor).unsigned_abs()),
        }
    }

    /// A distance that something extends over.
    pub fn length(&mut self, bytes: u64) {
        self.step = gcd(self.step, bytes);
    }

    /// Another grid, whose points are shifted.
    pub fn join(&mut self, other: Grid, shift: i64) {
        self.length(other.step);
        if let Some(anchor) = other.anchor {
            self.point(anchor.wrapping_add(shift));
        }
    }
}

/// Where objects come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Site {
    /// A global.
    Global(Global),
    /// A function's code.
    Func(Func),
    /// An allocation.
    Alloc(Func, Inst),
}

/// Allocation sites that a node lists by name; one with fewer sites lists them all.
pub const MAX_SITES: usize = 12;

/// What is known of a set of objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeData {
    /// Flags.
    pub flags: NodeFlags,
    /// Globals and functions, all of them, and some of the allocations.
    pub sites: Vec<Site>,
    /// How many allocations there are, those of callees included.
    pub allocs: u32,
    /// How many instructions access it, those of callees included.
    pub accesses: u32,
    /// Where objects begin and what accesses touch.
    pub grid: Grid,
    /// Where objects begin, and their size.
    pub extent: Uniform<(i64, u64)>,
    /// Where and as what they are loaded and stored; a copy of bytes counts as different.
    pub scalar: Uniform<(i64, Type)>,
    /// How many objects.
    pub count: Count,
}

impl NodeData {
    /// Takes over what is known of other objects, whose offsets are shifted.
    pub fn absorb(&mut self, other: &NodeData, shift: i64) {
        for &site in &other.sites {
            self.add_site(site);
        }
        self.allocs = self.allocs.saturating_add(other.allocs);
        self.accesses = self.accesses.saturating_add(other.accesses);
        self.count = match (self.count, other.count) {
            (Count::None, count) | (count, Count::None) => count,
            (Count::One | Count::Many, Count::One | Count::Many) => Count::Many,
        };
        self.agree(other, shift);
    }

    /// Takes over what is claimed of all objects; doing it twice is as good as once.
    pub fn agree(&mut self, other: &NodeData, shift: i64) {
        self.flags.add(other.flags);
        self.grid.join(other.grid, shift);
        self.extent.join(match other.extent {
            Uniform::One((at, size)) => Uniform::One((at.wrapping_add(shift), size)),
            rest => rest,
        });
        self.scalar.join(match other.scalar {
            Uniform::One((at, ty)) => Uniform::One((at.wrapping_add(shift), ty)),
            rest => rest,
        });
    }

    /// Adds a site; allocations only as far as there is room.
    pub fn add_site(&mut self, site: Site) {
        let room = match site {
            Site::Alloc(..) => self.sites.len() < MAX_SITES,
            Site::Global(_) | Site::Func(_) => true,
        };
        if let Err(at) = self.sites.binary_search(&site)
            && room
        {
            self.sites.insert(at, site);
        }
    }

    /// The functions among the objects.
    pub fn funcs(&self) -> impl Iterator<Item = Func> + '_ {
        self.sites.iter().filter_map(|site| match site {
            Site::Func(func) => Some(*func),
            Site::Global(_) | Site::Alloc(..) => None,
        })
    }

    /// The globals among the objects.
    pub fn globals(&self) -> impl Iterator<Item = Global> + '_ {
        self.sites.iter().filter_map(|site| match site {
            Site::Global(global) => Some(*global),
            Site::Func(_) | Site::Alloc(..) => None,
        })
    }
}

/// The greatest common divisor; 0 is neutral.
pub fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
