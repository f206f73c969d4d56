//! Regions and what is known of them.
//!
//! A region's objects and accesses are a choice of the points-to analysis, and some of what it found is of
//! use to those who give a region's memory a shape: a region that is one variable is one value, one object is
//! an array of words. The facts are claims about every execution; nothing that is assumed about them may
//! change a verdict if the analysis is right. They are about the region as a whole, whoever accesses it: what
//! callers and callees do to it is included.

use crate::syntax::{Global, PlaceId, Type};

/// Which objects a region holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegionData {
    /// In the entry function: the globals that live here at the start (others have none).
    pub globals: Vec<Global>,
    /// Is the region made in this function (by `new_region`), never passed in or out?
    pub local: bool,
    /// In the entry function: does memory that belongs to no object live here? In one region at most.
    pub unknown: bool,
    /// What is known of its objects and of how they are accessed.
    pub facts: RegionFacts,
}

/// What is known of a region. The default claims nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionFacts {
    /// Bytes that every access is made of: each begins at a multiple of them from the start of its object,
    /// and extends over a multiple. A power of two up to 16.
    pub word: u32,
    /// How many objects there are in one memory of the region.
    pub objects: Objects,
    /// The size of every object in bytes.
    pub size: Option<u64>,
    /// It is one object, and every access reads or writes it whole, as this type: a variable.
    pub scalar: Option<Type>,
    /// Can pointers be stored in it?
    pub pointers: Pointers,
    /// The places of all allocations by which this function and those that it calls put objects here
    /// (where the source has them, whatever was inlined since); none if not all are known.
    pub sites: Option<Vec<PlaceId>>,
}

/// How many objects there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum Objects {
    /// One over the whole life of the memory, dead or alive.
    One,
    /// Any number.
    #[default]
    Many,
}

/// Whether bytes can have the provenance of a pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum Pointers {
    /// No.
    Never,
    /// Perhaps.
    #[default]
    Maybe,
}

impl Default for RegionFacts {
    fn default() -> RegionFacts {
        RegionFacts {
            word: 1,
            objects: Objects::Many,
            size: None,
            scalar: None,
            pointers: Pointers::Maybe,
            sites: None,
        }
    }
}
