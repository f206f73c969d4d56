//! All checks. A new one is a file in `registry/`, its `mod`, and a row of `checks!`.

use std::borrow::Cow;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub mod align;
pub mod alloc_cap;
pub mod any;
pub mod assert;
pub mod assigns;
pub mod bounds;
pub mod call_target;
pub mod cleanup;
pub mod cover;
pub mod deref;
pub mod div;
pub mod ensures;
pub mod extern_pointer;
pub mod float_cast;
pub mod free;
pub mod invariant;
pub mod leak;
pub mod overflow;
pub mod overlap;
pub mod pointer_overflow;
pub mod reach;
pub mod recursion;
pub mod requires;
pub mod shift;
pub mod uninit;
pub mod unreachable;
pub mod unsigned_overflow;
pub mod unsupported;
pub mod unwind;

/// A property of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// Which one it is.
    pub id: CheckId,
    /// What the command line and obligations call it.
    pub name: &'static str,
    /// What people read: `signed overflow`.
    pub title: &'static str,
    /// The property that its violation is a violation of; none for checks that only guard our own
    /// models and bounds, whose violation makes the verdict unknown.
    pub property: Option<&'static str>,
    /// The weakness it finds, by its CWE number.
    pub cwe: Option<u32>,
    /// What happens at its places when it is switched off.
    pub when_off: WhenOff,
    /// The sanitizers of clang that find its places in source files; none if we find them ourselves.
    pub sanitizers: &'static [&'static str],
    /// The handlers that these call where it is violated.
    pub handlers: &'static [&'static str],
    /// Is it on when nothing is said?
    pub default: bool,
    /// Is it part of the group `ub`?
    pub undefined_behaviour: bool,
    /// What it means.
    pub meaning: &'static str,
    /// A line that violates it.
    pub example: &'static str,
}

/// What happens at the places of a check that is switched off. The ledger names every case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenOff {
    /// The operation has its total meaning: it wraps, masks, or does nothing.
    Drop,
    /// It is assumed not to happen.
    Assume,
    /// What belongs to no object is memory with any contents, an access beside an object is not modelled.
    Any,
    /// It cannot be switched off.
    Keep,
}

macro_rules! checks {
    ($($id:ident $module:ident),* $(,)?) => {
        /// Which check, by its name in the code.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum CheckId {
            $(#[allow(missing_docs)] $id,)*
        }

        /// Every check, in the order of the list.
        pub const CHECKS: &[&Check] = &[$(&$module::CHECK),*];
    };
}

checks! {
    Assert assert,
    Invariant invariant,
    Requires requires,
    Ensures ensures,
    Assigns assigns,
    Reach reach,
    Deref deref,
    Free free,
    Leak leak,
    Cleanup cleanup,
    Cover cover,
    Overflow overflow,
    UnsignedOverflow unsigned_overflow,
    Div div,
    Shift shift,
    Bounds bounds,
    Unreachable unreachable,
    FloatCast float_cast,
    Overlap overlap,
    Uninit uninit,
    Align align,
    PointerOverflow pointer_overflow,
    Unsupported unsupported,
    ExternPointer extern_pointer,
    CallTarget call_target,
    AllocCap alloc_cap,
    Unwind unwind,
    Recursion recursion,
    Any any,
}

impl CheckId {
    /// All of them, in the order of the list.
    pub fn all() -> impl Iterator<Item = CheckId> {
        CHECKS.iter().map(|check| check.id)
    }

    /// Its entry.
    pub fn check(self) -> &'static Check {
        CHECKS[self as usize]
    }

    /// What the command line and obligations call it.
    pub fn name(self) -> &'static str {
        self.check().name
    }

    /// Does its author claim something by it? Then it is worth a word that no execution comes there.
    pub fn is_claim(self) -> bool {
        matches!(
            self,
            CheckId::Assert | CheckId::Invariant | CheckId::Ensures
        )
    }

    /// The check of that name.
    pub fn named(name: &str) -> Option<CheckId> {
        Self::all().find(|id| id.name() == name)
    }

    /// The check whose violations this handler of clang's reports. Those of arithmetic report signed and
    /// unsigned operations alike: the first one of the list is the signed one.
    pub fn of_handler(handler: &str) -> Option<CheckId> {
        Self::all().find(|id| id.check().handlers.contains(&handler))
    }
}

impl fmt::Display for CheckId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for CheckId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for CheckId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CheckId, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        CheckId::named(&name).ok_or_else(|| D::Error::custom(format!("no check is called {name}")))
    }
}

/// The checks that a name on the command line stands for: a check, or a group
/// (`memsafety`, `ub`, `default`, `all`). None if there is no such name.
pub fn expand(name: &str) -> Option<Vec<CheckId>> {
    let group = |select: &dyn Fn(&Check) -> bool| {
        Some(CheckId::all().filter(|id| select(id.check())).collect())
    };
    match name {
        "memsafety" => Some(vec![CheckId::Deref, CheckId::Free, CheckId::Leak]),
        "ub" => group(&|check| check.undefined_behaviour),
        "default" => group(&|check| check.default),
        // What is reached is a question of its own.
        "all" => group(&|check| check.property.is_some() && check.id != CheckId::Cover),
        _ => CheckId::named(name).map(|id| vec![id]),
    }
}

#[cfg(test)]
mod tests {
    use super::{CHECKS, CheckId, expand};

    #[test]
    fn names_are_unique_and_found() {
        for (index, check) in CHECKS.iter().enumerate() {
            assert_eq!(CheckId::named(check.name), Some(check.id));
            assert_eq!(check.id as usize, index, "{}", check.name);
            assert!(
                !CHECKS[..index].iter().any(|other| other.name == check.name),
                "{}",
                check.name
            );
            assert!(!check.meaning.is_empty() && !check.example.is_empty());
        }
    }

    #[test]
    fn groups_expand() {
        let names = |group: &str| -> Vec<&str> {
            expand(group)
                .expect("a group")
                .iter()
                .map(|check| check.name())
                .collect()
        };
        assert_eq!(names("memsafety"), ["deref", "free", "leak"]);
        assert_eq!(names("overflow"), ["overflow"]);
        assert!(names("default").contains(&"deref") && !names("default").contains(&"leak"));
        assert_eq!(expand("no such check"), None);
    }
}
