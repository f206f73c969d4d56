//! All checks. A new one is a file in `registry/` and a line here.

/// A property of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
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
    ($($module:ident),* $(,)?) => {
        $(pub mod $module;)*
        /// Every check, in the order of this list.
        pub const CHECKS: &[&Check] = &[$(&$module::CHECK),*];
    };
}

checks! {
    assert,
    invariant,
    reach,
    deref,
    free,
    leak,
    cleanup,
    overflow,
    unsigned_overflow,
    div,
    shift,
    bounds,
    unreachable,
    float_cast,
    overlap,
    uninit,
    align,
    pointer_overflow,
    unsupported,
    extern_pointer,
    call_target,
    alloc_cap,
    unwind,
    recursion,
    any,
}

/// The check of that name.
pub fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().copied().find(|check| check.name == name)
}

/// The checks that a name on the command line stands for: a check, or a group
/// (`memsafety`, `ub`, `default`, `all`). None if there is no such name.
pub fn expand(name: &str) -> Option<Vec<&'static Check>> {
    let group = |select: &dyn Fn(&Check) -> bool| {
        Some(
            CHECKS
                .iter()
                .copied()
                .filter(|check| select(check))
                .collect(),
        )
    };
    match name {
        "memsafety" => group(&|check| matches!(check.name, "deref" | "free" | "leak")),
        "ub" => group(&|check| check.undefined_behaviour),
        "default" => group(&|check| check.default),
        "all" => group(&|check| check.property.is_some()),
        _ => find(name).map(|check| vec![check]),
    }
}

#[cfg(test)]
mod tests {
    use super::{CHECKS, expand, find};

    #[test]
    fn names_are_unique_and_found() {
        for (index, check) in CHECKS.iter().enumerate() {
            assert_eq!(find(check.name), Some(*check));
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
                .map(|check| check.name)
                .collect()
        };
        assert_eq!(names("memsafety"), ["deref", "free", "leak"]);
        assert_eq!(names("overflow"), ["overflow"]);
        assert!(names("default").contains(&"deref") && !names("default").contains(&"leak"));
        assert_eq!(expand("no such check"), None);
    }
}
