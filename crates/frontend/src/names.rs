//! Names that mean something: assertions, assumptions, free choices and memory queries, in our
//! own spelling (`selkie.h`) and in that of other tools.

/// What the program claims by a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The failing side of C's `assert`; does not return.
    AssertFail,
    /// The n-th argument is not zero.
    Assert(usize),
    /// The first argument is not zero in every round of a loop.
    Invariant,
    /// Is it reached with a first argument that is not zero?
    Cover,
    /// The first argument implies the second.
    AssertIf,
    /// Executions where the n-th argument is zero do not count.
    Assume(usize),
    /// Executions where the n-th argument is not zero do not count.
    AssumeNot(usize),
    /// The call itself is the error.
    Reach,
    /// The first argument is not zero; the others name the check and the text.
    Named,
}

/// The claim that a call of this function makes.
pub fn claim(name: &str) -> Option<Claim> {
    Some(match name {
        "__assert_fail"
        | "__assert"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "__assert_func" => Claim::AssertFail,
        "sk_assert" | "__VERIFIER_assert" | "__CPROVER_assert" | "sassert" | "__SEA_assert"
        | "verifier.assert" | "__llbmc_assert" => Claim::Assert(0),
        "sk_invariant" => Claim::Invariant,
        "sk_cover" | "__CPROVER_cover" => Claim::Cover,
        "sea_assert_if" | "__VERIFIER_assert_if" => Claim::AssertIf,
        "sk_assume"
        | "__VERIFIER_assume"
        | "__CPROVER_assume"
        | "__SEA_assume"
        | "assume"
        | "verifier.assume"
        | "__llbmc_assume"
        | "assume_abort_if_not" => Claim::Assume(0),
        "__selkie_check" => Claim::Named,
        "verifier.assume.not" => Claim::AssumeNot(0),
        "reach_error" | "__VERIFIER_error" | "verifier.error" | "seahorn.fail"
        | "__SEAHORN_fail" => Claim::Reach,
        _ => return None,
    })
}

/// What the name of a body that stands for a special function ends with.
pub const BODY: &str = ".body";

/// A function's name as the source has it.
pub fn plain(name: &str) -> &str {
    name.strip_suffix(BODY).unwrap_or(name)
}

/// Functions without a body that have a meaning of their own, beside claims and free choices.
const SPECIAL: &[&str] = &[
    "malloc",
    "valloc",
    "calloc",
    "alloca",
    "free",
    "cfree",
    "_Znwm",
    "_Znam",
    "_Znwj",
    "_Znaj",
    "_ZdlPv",
    "_ZdaPv",
    "_ZdlPvm",
    "_ZdaPvm",
    "_ZdlPvj",
    "_ZdaPvj",
    "memcpy",
    "mempcpy",
    "__mempcpy",
    "memmove",
    "memset",
    "memcmp",
    "bcmp",
    "memhavoc",
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "__stack_chk_fail",
    "__fortify_fail",
];

/// What the names of further special functions begin with: our own, and the questions of others.
const SPECIAL_PREFIXES: &[&str] = &["__selkie_", "sk_", "sea_", "__CPROVER_"];

/// What happens outside one thread of one process, calls functions of the program without being
/// modelled, or changes what arithmetic means.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("pthread_create", "threads"),
    ("thrd_create", "threads"),
    ("clone", "threads"),
    ("timer_create", "threads"),
    ("fork", "processes"),
    ("vfork", "processes"),
    ("signal", "signals"),
    ("bsd_signal", "signals"),
    ("sysv_signal", "signals"),
    ("__sysv_signal", "signals"),
    ("ssignal", "signals"),
    ("sigset", "signals"),
    ("sigvec", "signals"),
    ("sigaction", "signals"),
    ("raise", "signals"),
    ("gsignal", "signals"),
    ("setjmp", "setjmp and longjmp"),
    ("_setjmp", "setjmp and longjmp"),
    ("__sigsetjmp", "setjmp and longjmp"),
    ("sigsetjmp", "setjmp and longjmp"),
    ("longjmp", "setjmp and longjmp"),
    ("siglongjmp", "setjmp and longjmp"),
    ("_longjmp", "setjmp and longjmp"),
    ("getcontext", "contexts"),
    ("setcontext", "contexts"),
    ("makecontext", "contexts"),
    ("swapcontext", "contexts"),
    ("twalk", "calls back"),
    ("twalk_r", "calls back"),
    ("tsearch", "calls back"),
    ("tfind", "calls back"),
    ("tdelete", "calls back"),
    ("tdestroy", "calls back"),
    ("ftw", "calls back"),
    ("ftw64", "calls back"),
    ("nftw", "calls back"),
    ("nftw64", "calls back"),
    ("scandir", "calls back"),
    ("scandir64", "calls back"),
    ("dl_iterate_phdr", "calls back"),
    ("pthread_atfork", "calls back"),
    ("__cxa_thread_atexit", "calls back"),
    ("__cxa_thread_atexit_impl", "calls back"),
    ("fesetround", "rounding modes"),
    ("fegetround", "rounding modes"),
    ("fesetenv", "rounding modes"),
    ("feupdateenv", "rounding modes"),
    ("fegetenv", "rounding modes"),
    ("feholdexcept", "rounding modes"),
    ("fesetmode", "rounding modes"),
    ("fegetmode", "rounding modes"),
    ("fetestexcept", "flags of floating point"),
    ("fegetexceptflag", "flags of floating point"),
    ("fesetexceptflag", "flags of floating point"),
    ("feenableexcept", "flags of floating point"),
    ("__cxa_throw", "exceptions"),
    ("__cxa_rethrow", "exceptions"),
];

/// What the names of functions begin with that the compiler calls for parallel regions.
const PARALLEL: &[&str] = &["__kmpc_", "__tgt_", "GOMP_"];

/// Why a function without a body that calls others, or does not return where it was called, is not
/// modelled.
pub fn unsupported(name: &str) -> Option<&'static str> {
    if PARALLEL.iter().any(|prefix| name.starts_with(prefix)) {
        return Some("threads");
    }
    let known = UNSUPPORTED.iter().find(|(known, _)| *known == name);
    known.map(|(_, what)| *what)
}

/// Does a call of this function without a body mean something that its body would not say?
pub fn is_special(name: &str) -> bool {
    SPECIAL.contains(&name)
        || SPECIAL_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
        || unsupported(name).is_some()
        || is_nondet(name)
        || claim(name).is_some()
}

/// Is the symbol that of a function which the source calls so? Linking gives further ones of a name a
/// number, and C++ adds the parameters.
pub fn is_symbol_of(symbol: &str, name: &str) -> bool {
    let base = match symbol.rsplit_once('.') {
        Some((base, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => symbol,
    };
    let mangled = |prefix: &str| {
        let rest = base.strip_prefix(prefix);
        let rest = rest.and_then(|rest| rest.strip_prefix(&name.len().to_string()));
        rest.is_some_and(|rest| rest.starts_with(name))
    };
    base == name || mangled("_Z") || mangled("_ZL")
}

/// Does a function of this name without parameters and body return a free choice? Its type says
/// of what.
pub fn is_nondet(name: &str) -> bool {
    name.starts_with("sk_nondet_")
        || name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("verifier.nondet")
        || name.starts_with("nondet_")
        || name.starts_with("nd_")
        || name.starts_with("sea_nd_")
        || name.starts_with("__CPROVER_nondet_")
        || name == "nd"
        || name == "nondet"
}

/// Is it one of our own `__selkie_nondet_approx_…`, used by models?
pub fn is_nondet_approx(name: &str) -> bool {
    name.starts_with("__selkie_nondet_approx_")
}

/// Is it one of our own `__selkie_nondet_extern_…`, used by models?
pub fn is_nondet_extern(name: &str) -> bool {
    name.starts_with("__selkie_nondet_extern_")
}

#[cfg(test)]
mod tests {
    use super::{is_special, is_symbol_of};

    /// Every name that the import knows is known here, or its address would mean an unknown function.
    #[test]
    fn the_names_of_the_import_are_special() {
        let texts = [
            include_str!("import/library.rs"),
            include_str!("instrument/library.rs"),
        ];
        let mut found = 0;
        for text in texts {
            // Names stand in patterns: before `|` or `=>`.
            for line in text.lines().map(str::trim_start) {
                if !(line.starts_with('"') || line.starts_with("| \"")) {
                    continue;
                }
                for name in line.split('"').skip(1).step_by(2) {
                    if name.bytes().all(|c| c == b'_' || c.is_ascii_alphanumeric()) {
                        assert!(is_special(name), "{name}");
                        found += 1;
                    }
                }
            }
        }
        assert!(found > 50, "{found} names");
    }

    #[test]
    fn symbols_have_names() {
        for symbol in ["fail", "fail.12", "_Z4failv", "_ZL4failPKc"] {
            assert!(is_symbol_of(symbol, "fail"), "{symbol}");
        }
        for symbol in ["failed", "fail.x", "_Z6failedv", "_ZN1a4failEv", "xfail"] {
            assert!(!is_symbol_of(symbol, "fail"), "{symbol}");
        }
    }
}
