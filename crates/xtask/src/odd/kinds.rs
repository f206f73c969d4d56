//! The kinds of odd programs: a file, its `mod` and a row of the list for each.

use super::write::Writer;

mod blocks;
mod callbacks;
mod dangling;
mod duff;
mod entered;
mod floats;
mod hooks;
mod jumps;
mod library;
mod lists;
mod missing;
mod outside;
mod places;
mod pointers;
mod ranges;
mod records;
mod recursion;
mod rounds;
mod scopes;
mod shared;
mod skipped;
mod switches;
mod text;
mod variadic;
mod vectors;
mod volatiles;

/// A kind of program.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name, as in the ids of tasks.
    pub name: &'static str,
    /// Writes a function of this name: `unsigned NAME(unsigned a, unsigned b, unsigned c)`.
    pub write: fn(&mut Writer, &str),
}

macro_rules! kinds {
    ($($module:ident: $name:literal,)*) => {
        /// All kinds.
        pub const KINDS: &[Kind] = &[$(Kind { name: $name, write: $module::write },)*];
    };
}

kinds! {
    jumps: "jumps",
    entered: "entered",
    duff: "duff",
    switches: "switches",
    hooks: "hooks",
    callbacks: "callbacks",
    library: "library",
    missing: "missing",
    skipped: "skipped",
    vectors: "vectors",
    scopes: "scopes",
    dangling: "dangling",
    volatiles: "volatile",
    records: "records",
    recursion: "recursion",
    lists: "lists",
    outside: "outside",
    text: "text",
    pointers: "pointers",
    floats: "floats",
    shared: "shared",
    places: "places",
    ranges: "ranges",
    variadic: "variadic",
    rounds: "rounds",
    blocks: "blocks",
}
